// y = x as f8, z = that as f32: test/e2e/narrow-casts.test.
tile.kernel @narrow(%x: !tile.ptr<f32>, %y: !tile.ptr<f8E4M3FN>, %z: !tile.ptr<f32>, %n: i32)
    grid affine_map<()[n] -> (n ceildiv 128)> {
  %side = arith.constant 128 : i32
  %pid = tile.program_id x
  %first = arith.muli %pid, %side overflow<nsw> : i32
  %i = tile.iota : tensor<128xi32>
  %f = tile.splat %first : tensor<128xi32>
  %o = arith.addi %i, %f overflow<nsw> : tensor<128xi32>
  %end = tile.splat %n : tensor<128xi32>
  %in = arith.cmpi slt, %o, %end : tensor<128xi32>
  %v = tile.load %x[%o] mask %in : !tile.ptr<f32>, tensor<128xi32> -> tensor<128xf32>
  %w = arith.truncf %v : tensor<128xf32> to tensor<128xf8E4M3FN>
  tile.store %y[%o], %w mask %in : !tile.ptr<f8E4M3FN>, tensor<128xi32>, tensor<128xf8E4M3FN>
  %u = arith.extf %w : tensor<128xf8E4M3FN> to tensor<128xf32>
  tile.store %z[%o], %u mask %in : !tile.ptr<f32>, tensor<128xi32>, tensor<128xf32>
  tile.return
}
