#a = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
tile.kernel @wgmma_c2_cursor() {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<2x64x64xf16, #a>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  %p = "tile_gpu.wgmma"(%a, %a, %c, %zero) <{plan = #tile.mma<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]>}>
      : (!tile_gpu.buffer<2x64x64xf16, #a>, !tile_gpu.buffer<2x64x64xf16, #a>, !tile_gpu.cursor<2>, tensor<64x64xf32>) -> !tile_gpu.pending<tensor<64x64xf32>>
  tile.return
}
