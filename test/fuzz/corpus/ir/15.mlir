#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 16]>
tile.kernel @copy_c1_types(%p: !tile.ptr<f16>, %i: i32, %j: i64, %s: i64) {
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x16x16xf16, #k>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  "tile_gpu.copy"(%p, %i, %i, %i, %j, %s, %s, %ring, %c) <{
      operandSegmentSizes = array<i32: 1, 2, 2, 2, 1, 1, 0, 0>, plan = #tile.copy<plain>}>
      : (!tile.ptr<f16>, i32, i32, i32, i64, i64, i64,
         !tile_gpu.buffer<2x16x16xf16, #k>, !tile_gpu.cursor<2>) -> ()
  tile.return
}
