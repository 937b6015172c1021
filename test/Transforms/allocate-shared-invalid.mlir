// RUN: tile-opt %s --tile-gpu-allocate-shared --split-input-file --verify-diagnostics

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], sides = [32, 32]>

// What does not fit is an error that lists the rings and the op of each.
// expected-error @+1 {{expected at most 166912 bytes of shared memory on sm_80, got 180224}}
tile.kernel @too_much(%f: f32) {
  %x = tile.splat %f : tensor<32x32xf32>
  // expected-note @+1 {{163840 bytes: 40 slots of 4096}}
  %a = tile_gpu.alloc : !tile_gpu.buffer<40x32x32xf32, #k>
  // expected-note @+1 {{16384 bytes: 4 slots of 4096}}
  %b = tile_gpu.alloc : !tile_gpu.buffer<4x32x32xf32, #k>
  %c = tile_gpu.cursor : !tile_gpu.cursor<40>
  %d = tile_gpu.cursor : !tile_gpu.cursor<4>
  tile_gpu.local_store %x, %a[%c] : tensor<32x32xf32>, !tile_gpu.buffer<40x32x32xf32, #k>, !tile_gpu.cursor<40>
  tile_gpu.local_store %x, %b[%d] : tensor<32x32xf32>, !tile_gpu.buffer<4x32x32xf32, #k>, !tile_gpu.cursor<4>
  %y = tile_gpu.local_load %a[%c] : !tile_gpu.buffer<40x32x32xf32, #k>, !tile_gpu.cursor<40> -> tensor<32x32xf32>
  tile.return
}

// -----

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], sides = [32, 32]>

// The limit is that of the plan's chip, which has more.
tile.kernel @larger_chip(%f: f32) plan #tile.plan<target = "sm_90a"> {
  %x = tile.splat %f : tensor<32x32xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<44x32x32xf32, #k>
  %c = tile_gpu.cursor : !tile_gpu.cursor<44>
  tile_gpu.local_store %x, %a[%c] : tensor<32x32xf32>, !tile_gpu.buffer<44x32x32xf32, #k>, !tile_gpu.cursor<44>
  tile.return
}
