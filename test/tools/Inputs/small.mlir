// y[i] = x[i] * factor for i < n; 8 elements a program.
tile.kernel @scale(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>,
                   %n: i32 {tile.fact = #tile.fact<min = 0, max = 1000>},
                   %factor: f32)
    grid affine_map<()[n] -> (n ceildiv 8)> {
  %pid = tile.program_id x
  %side = arith.constant 8 : i32
  %first = arith.muli %pid, %side : i32
  %firsts = tile.splat %first : tensor<8xi32>
  %iota = tile.iota : tensor<8xi32>
  %i = arith.addi %firsts, %iota : tensor<8xi32>
  %bound = tile.splat %n : tensor<8xi32>
  %inside = arith.cmpi slt, %i, %bound : tensor<8xi32>
  %v = tile.load %x[%i] mask %inside
      : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  %factors = tile.splat %factor : tensor<8xf32>
  %scaled = arith.mulf %v, %factors : tensor<8xf32>
  tile.store %y[%i], %scaled mask %inside
      : !tile.ptr<f32>, tensor<8xi32>, tensor<8xf32>
  tile.return
}

// As many programs as the caller says: there is no formula.
tile.kernel @no_grid(%x: !tile.ptr<f32>) {
  %pid = tile.program_id x
  %zero = arith.constant 0.0 : f32
  tile.store %x[%pid], %zero : !tile.ptr<f32>, i32, f32
  tile.return
}

// y[0] = x[0].
tile.kernel @copy_one(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>)
    grid affine_map<() -> (1)> {
  %zero = arith.constant 0 : i32
  %v = tile.load %x[%zero] : !tile.ptr<f32>, i32 -> f32
  tile.store %y[%zero], %v : !tile.ptr<f32>, i32, f32
  tile.return
}

// Writes between the elements of a tensor whose stride is 2.
tile.kernel @write_gap(%y: !tile.ptr<f32>) grid affine_map<() -> (1)> {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  tile.store %y[%one], %zero : !tile.ptr<f32>, i32, f32
  tile.return
}

// Two variants: the first wants x to be 16-byte aligned and n to be 8.
tile.kernel @fill$aligned(%x: !tile.ptr<f32>, %n: i32)
    grid affine_map<() -> (1)> variant "aligned" {
  tile.assume %x, <divisibility = 16> : !tile.ptr<f32>
  tile.assume %n, <min = 8, max = 8> : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1.0 : f32
  tile.store %x[%zero], %one : !tile.ptr<f32>, i32, f32
  tile.return
}
tile.kernel @fill$general(%x: !tile.ptr<f32>, %n: i32)
    grid affine_map<() -> (1)> variant "general" {
  %zero = arith.constant 0 : i32
  %two = arith.constant 2.0 : f32
  tile.store %x[%zero], %two : !tile.ptr<f32>, i32, f32
  tile.return
}
