#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], sides = [32, 32]>
tile.kernel @accumulator() {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x32x32xf32, #k>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  %d = tile_gpu.mma %a[%c], %a[%c], %zero plan<fma, m = 1, n = 1, k = 1, warps = [16, 1]>
      : !tile_gpu.buffer<1x32x32xf32, #k>, !tile_gpu.cursor<1>, !tile_gpu.buffer<1x32x32xf32, #k>, !tile_gpu.cursor<1> -> tensor<32x32xf32>
  tile.return
}
