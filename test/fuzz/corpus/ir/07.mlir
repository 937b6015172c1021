#a = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
#acc = #tile.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], sides = [64, 64]>
tile.kernel @copies(%p: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64, %both: i1) {
  %x = arith.constant dense<0.0> : tensor<64x64xf16>
  %full = tile_gpu.barriers arrivals 1 : !tile_gpu.barriers<2>
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x64x64xf16, #a>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  %map = tile_gpu.tensor_map %p dims[%m, %n] strides[%s]
      : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
  tile_gpu.tma_load %map[%m, %n] into %ring[%c] signals %full
      : !tile_gpu.tensor_map<64x64xf16, swizzle = 128>,
        !tile_gpu.buffer<2x64x64xf16, #a>, !tile_gpu.cursor<2>, !tile_gpu.barriers<2>
  tile_gpu.tma_load %map[%m, %n] into %ring[%c] signals %full shared %both
      : !tile_gpu.tensor_map<64x64xf16, swizzle = 128>,
        !tile_gpu.buffer<2x64x64xf16, #a>, !tile_gpu.cursor<2>, !tile_gpu.barriers<2>
  tile_gpu.tma_prefetch %map[%m, %n] : !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
  tile_gpu.tma_store %x, %map[%m, %n] via %ring : tensor<64x64xf16>,
      !tile_gpu.tensor_map<64x64xf16, swizzle = 128>, !tile_gpu.buffer<2x64x64xf16, #a>
  tile_gpu.tma_store_wait
  tile_gpu.fence_async
  tile.return
}
