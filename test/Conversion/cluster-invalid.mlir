// RUN: tile-opt %s --convert-tile-to-nvvm -split-input-file -verify-diagnostics

// Without a cluster there is no other CTA to release a slot in.
tile.kernel @no_pair(%paired: i1) plan #tile.plan<warps = 4> {
  %empty = tile_gpu.barriers arrivals 2 at 0 : !tile_gpu.barriers<1>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  // expected-error@+1 {{expected a cluster of two CTAs, got none}}
  tile_gpu.release %empty[%c] paired %paired : !tile_gpu.barriers<1>, !tile_gpu.cursor<1>
  tile.return
}

// -----

#box = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>

// One box has no halves.
tile.kernel @one_box(%p: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64, %shared: i1) plan #tile.plan<warps = 4, cluster = 2> {
  %ring = tile_gpu.alloc at 0 : !tile_gpu.buffer<1x64x64xf16, #box>
  %full = tile_gpu.barriers arrivals 1 at 8192 : !tile_gpu.barriers<1>
  %map = tile_gpu.tensor_map %p dims[%m, %n] strides[%s] : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  // expected-error@+1 {{expected an even number of boxes in a cluster of two to share, got 1}}
  tile_gpu.tma_load %map[%m, %n] into %ring[%c] signals %full shared %shared : !tile_gpu.tensor_map<64x64xf16, swizzle = 128>, !tile_gpu.buffer<1x64x64xf16, #box>, !tile_gpu.cursor<1>, !tile_gpu.barriers<1>
  tile.return
}
