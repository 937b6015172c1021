#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 16]>
#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>
#acc = #tile.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], sides = [16, 8]>
#rows = #tile.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>
tile.kernel @layouts() {
  %zero = arith.constant dense<0.0> : tensor<16x8xf32, #acc>
  %x = tile_gpu.convert_layout %zero : tensor<16x8xf32, #acc> -> tensor<16x8xf32, #rows>
  %ring = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  tile_gpu.local_store %x, %ring[%c] : tensor<16x8xf32, #rows>,
      !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  %y = tile_gpu.local_load %ring[%c] : !tile_gpu.buffer<1x16x8xf32, #n>,
      !tile_gpu.cursor<1> -> tensor<16x8xf32, #acc>
  tile.return
}
