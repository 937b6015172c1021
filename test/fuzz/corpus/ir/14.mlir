tile.kernel @dot_of_dot(%f: f16) {
  %x = tile.splat %f : tensor<32x32xf16>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %d = tile.dot %x, %x, %zero plan<mma_sync, m = 16, n = 8, k = 16, warps = [2, 2]> : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
  %h = arith.truncf %d : tensor<32x32xf32> to tensor<32x32xf16>
  %e = tile.dot %h, %x, %zero plan<mma_sync, m = 16, n = 8, k = 16, warps = [2, 2]> : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
  tile.print "e", %e : tensor<32x32xf32>
  tile.return
}
