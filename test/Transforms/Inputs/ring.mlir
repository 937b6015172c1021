// The program of docs/Pipelining.md: a loop over rows of 32 columns whose product
// with themselves is summed.  Its values have names as locations.
tile.kernel @ring(%p: !tile.ptr<f16> {tile.fact = #tile.fact<divisibility = 16>},
                  %out: !tile.ptr<f32>, %n: i32 {tile.fact = #tile.fact<min = 0, max = 65536>})
    plan #tile.plan<warps = 4, stages = 3> {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zeros = arith.constant dense<0.0> : tensor<32x32xf32> loc("zeros")
  %i = tile.iota : tensor<32xi32>
  %line = tile.expand_dims %i axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %columns = tile.broadcast %line : tensor<1x32xi32> -> tensor<32x32xi32> loc("columns")
  %sum = scf.for %k = %c0 to %n step %c32 iter_args(%s = %zeros) -> (tensor<32x32xf32>) : i32 {
    %first = tile.splat %k : tensor<32x32xi32> loc("first")
    %offsets = arith.addi %columns, %first overflow<nsw> : tensor<32x32xi32> loc("offsets")
    %x = tile.load %p[%offsets] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16> loc("x")
    %next = tile.dot %x, %x, %s : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32> loc("next")
    scf.yield %next : tensor<32x32xf32>
  }
  tile.store %out[%columns], %sum : !tile.ptr<f32>, tensor<32x32xi32>, tensor<32x32xf32>
  tile.return
}
