tile.kernel @advanced(%p: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %o = arith.constant dense<0> : tensor<32x32xi32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%q = %p) -> (!tile.ptr<f16>) : i32 {
    %x = tile.load %q[%o] plan<plain> {tile.stage = 0 : i64} : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    tile.print "x", %x : tensor<32x32xf16> {tile.stage = 1 : i64}
    %q2 = tile.offset %q, %c32 : !tile.ptr<f16>, i32
    scf.yield %q2 : !tile.ptr<f16>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}
