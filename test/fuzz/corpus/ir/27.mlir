tile.kernel @other_in_loop(%p: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = arith.constant dense<0> : tensor<32x32xi32>
  %m = arith.constant dense<true> : tensor<32x32xi1>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<32x32xf32>) : i32 {
    %f = arith.sitofp %k : i32 to f16
    %x = tile.load %p[%o] mask %m other %f : !tile.ptr<f16>, tensor<32x32xi32>, f16 -> tensor<32x32xf16>
    %d = tile.dot %x, %x, %s : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    scf.yield %d : tensor<32x32xf32>
  }
  tile.print "r", %r : tensor<32x32xf32>
  tile.return
}
