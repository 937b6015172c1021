tile.kernel @add_twice(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32) grid affine_map<()[n] -> (n ceildiv 512)> {
  %twos = arith.constant dense<2.0> : tensor<512xf32>
  %side = arith.constant 512 : i32
  %id = tile.program_id x
  %first = arith.muli %id, %side overflow<nsw> : i32
  %firsts = tile.splat %first : tensor<512xi32>
  %iota = tile.iota : tensor<512xi32>
  %i = arith.addi %firsts, %iota overflow<nsw> : tensor<512xi32>
  %ns = tile.splat %n : tensor<512xi32>
  %inside = arith.cmpi slt, %i, %ns : tensor<512xi32>
  %offsets = arith.extsi %i : tensor<512xi32> to tensor<512xi64>
  %xs = tile.load %x[%offsets] mask %inside : !tile.ptr<f32>, tensor<512xi64> -> tensor<512xf32>
  %ys = tile.load %y[%offsets] mask %inside : !tile.ptr<f32>, tensor<512xi64> -> tensor<512xf32>
  %twice = arith.mulf %twos, %xs fastmath<contract> : tensor<512xf32>
  %sum = arith.addf %twice, %ys fastmath<contract> : tensor<512xf32>
  tile.store %y[%offsets], %sum mask %inside : !tile.ptr<f32>, tensor<512xi64>, tensor<512xf32>
  tile.return
}
