#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>
tile.kernel @early_barrier(%i: i32, %s: i64, %p: !tile.ptr<f32>, %n: i32) {
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  tile_gpu.copy_async %p[%i, %i] bounds[%i, %i] strides[%s, %s] into %a[%c] plan<cp_async> : !tile.ptr<f32>, i32, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  tile_gpu.commit
  tile_gpu.barrier
  tile_gpu.wait 0
  %y = tile_gpu.local_load %a[%c] : !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1> -> tensor<16x8xf32>
  tile.return
}
