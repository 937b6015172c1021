// RUN: tile-opt %s --tile-gpu-insert-barriers --split-input-file | FileCheck %s

// Hazards of slots in a straight line.

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// Read after write: what one thread has written, another reads only after a
// barrier.
// CHECK-LABEL: @raw
// CHECK: tile_gpu.local_store
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NOT: tile_gpu.barrier
// CHECK: {{/}}/ -----
tile.kernel @raw(%i: i32, %s: i64, %p: !tile.ptr<f32>, %n: i32) {
  %x = arith.constant dense<0.0> : tensor<16x8xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  tile_gpu.local_store %x, %a[%c] : tensor<16x8xf32>, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  %y = tile_gpu.local_load %a[%c] : !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1> -> tensor<16x8xf32>
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// Write after read, and write after write: a slot is overwritten only when all
// threads have passed.
// CHECK-LABEL: @war
// CHECK: tile_gpu.local_load
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_store
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_store
// CHECK-NOT: tile_gpu.barrier
// CHECK: {{/}}/ -----
tile.kernel @war(%i: i32, %s: i64, %p: !tile.ptr<f32>, %n: i32) {
  %x = arith.constant dense<0.0> : tensor<16x8xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  %y = tile_gpu.local_load %a[%c] : !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1> -> tensor<16x8xf32>
  tile_gpu.local_store %x, %a[%c] : tensor<16x8xf32>, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  tile_gpu.local_store %x, %a[%c] : tensor<16x8xf32>, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// Reads do not conflict, nor do different slots, nor rings that lie apart.
// CHECK-LABEL: @no_conflict
// CHECK-NOT: tile_gpu.barrier
// CHECK: {{/}}/ -----
tile.kernel @no_conflict(%i: i32, %s: i64, %p: !tile.ptr<f32>, %n: i32) {
  %x = arith.constant dense<0.0> : tensor<16x8xf32>
  %a = tile_gpu.alloc at 0 : !tile_gpu.buffer<2x16x8xf32, #n>
  %b = tile_gpu.alloc at 1024 : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  %d = tile_gpu.advance %c by 1 : !tile_gpu.cursor<2>
  %e = tile_gpu.cursor : !tile_gpu.cursor<1>
  %y = tile_gpu.local_load %a[%c] : !tile_gpu.buffer<2x16x8xf32, #n>, !tile_gpu.cursor<2> -> tensor<16x8xf32>
  %z = tile_gpu.local_load %a[%c] : !tile_gpu.buffer<2x16x8xf32, #n>, !tile_gpu.cursor<2> -> tensor<16x8xf32>
  tile_gpu.local_store %x, %a[%d] : tensor<16x8xf32>, !tile_gpu.buffer<2x16x8xf32, #n>, !tile_gpu.cursor<2>
  tile_gpu.local_store %x, %b[%e] : tensor<16x8xf32>, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// Rings that the allocator has put on the same bytes do.
// CHECK-LABEL: @same_bytes
// CHECK: tile_gpu.local_load
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_store
// CHECK-NOT: tile_gpu.barrier
// CHECK: {{/}}/ -----
tile.kernel @same_bytes(%i: i32, %s: i64, %p: !tile.ptr<f32>, %n: i32) {
  %x = arith.constant dense<0.0> : tensor<16x8xf32>
  %a = tile_gpu.alloc at 0 : !tile_gpu.buffer<2x16x8xf32, #n>
  %b = tile_gpu.alloc at 512 : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  %e = tile_gpu.cursor : !tile_gpu.cursor<1>
  %y = tile_gpu.local_load %a[%c] : !tile_gpu.buffer<2x16x8xf32, #n>, !tile_gpu.cursor<2> -> tensor<16x8xf32>
  tile_gpu.local_store %x, %b[%e] : tensor<16x8xf32>, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// A slot that comes again after the ring has been walked is the same slot.
// CHECK-LABEL: @around
// CHECK: tile_gpu.local_store
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NOT: tile_gpu.barrier
// CHECK: {{/}}/ -----
tile.kernel @around(%i: i32, %s: i64, %p: !tile.ptr<f32>, %n: i32) {
  %x = arith.constant dense<0.0> : tensor<16x8xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<3x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<3>
  %d = tile_gpu.advance %c by 3 : !tile_gpu.cursor<3>
  tile_gpu.local_store %x, %a[%c] : tensor<16x8xf32>, !tile_gpu.buffer<3x16x8xf32, #n>, !tile_gpu.cursor<3>
  %y = tile_gpu.local_load %a[%d] : !tile_gpu.buffer<3x16x8xf32, #n>, !tile_gpu.cursor<3> -> tensor<16x8xf32>
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// A slot of a cursor that is not known may be any.
// CHECK-LABEL: @unknown_cursor
// CHECK: tile_gpu.local_store
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NOT: tile_gpu.barrier
// CHECK: {{/}}/ -----
tile.kernel @unknown_cursor(%q: i1) {
  %x = arith.constant dense<0.0> : tensor<16x8xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<3x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<3>
  %d = tile_gpu.advance %c by 1 : !tile_gpu.cursor<3>
  %e = arith.select %q, %c, %d : !tile_gpu.cursor<3>
  tile_gpu.local_store %x, %a[%c] : tensor<16x8xf32>, !tile_gpu.buffer<3x16x8xf32, #n>, !tile_gpu.cursor<3>
  %y = tile_gpu.local_load %a[%e] : !tile_gpu.buffer<3x16x8xf32, #n>, !tile_gpu.cursor<3> -> tensor<16x8xf32>
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// A ring that is not known may be any too.
// CHECK-LABEL: @unknown_ring
// CHECK: tile_gpu.local_store
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NOT: tile_gpu.barrier
// CHECK: {{/}}/ -----
tile.kernel @unknown_ring(%q: i1) {
  %x = arith.constant dense<0.0> : tensor<16x8xf32>
  %a = tile_gpu.alloc at 0 : !tile_gpu.buffer<1x16x8xf32, #n>
  %b = tile_gpu.alloc at 1024 : !tile_gpu.buffer<1x16x8xf32, #n>
  %d = tile_gpu.alloc at 2048 : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  %e = arith.select %q, %a, %b : !tile_gpu.buffer<1x16x8xf32, #n>
  tile_gpu.local_store %x, %d[%c] : tensor<16x8xf32>, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  %y = tile_gpu.local_load %e[%c] : !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1> -> tensor<16x8xf32>
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// A barrier that is there serves.
// CHECK-LABEL: @there
// CHECK: tile_gpu.local_store
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NOT: tile_gpu.barrier
// CHECK: {{/}}/ -----
tile.kernel @there(%i: i32, %s: i64, %p: !tile.ptr<f32>, %n: i32) {
  %x = arith.constant dense<0.0> : tensor<16x8xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  tile_gpu.local_store %x, %a[%c] : tensor<16x8xf32>, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  tile_gpu.barrier
  %y = tile_gpu.local_load %a[%c] : !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1> -> tensor<16x8xf32>
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// One barrier serves several hazards: the one that a later one implies is taken
// out again.
// CHECK-LABEL: @one_for_two
// CHECK: tile_gpu.local_store
// CHECK-NEXT: tile_gpu.local_store
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NOT: tile_gpu.barrier
// CHECK: tile.return
tile.kernel @one_for_two(%i: i32, %s: i64, %p: !tile.ptr<f32>, %n: i32) {
  %x = arith.constant dense<0.0> : tensor<16x8xf32>
  %a = tile_gpu.alloc at 0 : !tile_gpu.buffer<1x16x8xf32, #n>
  %b = tile_gpu.alloc at 1024 : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  tile_gpu.local_store %x, %a[%c] : tensor<16x8xf32>, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  tile_gpu.local_store %x, %b[%c] : tensor<16x8xf32>, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  %y = tile_gpu.local_load %a[%c] : !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1> -> tensor<16x8xf32>
  %z = tile_gpu.local_load %b[%c] : !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1> -> tensor<16x8xf32>
  tile.return
}
