// RUN: tile-opt %s --tile-gpu-insert-barriers --split-input-file | FileCheck %s

// Hazards of slots through loops and branches.

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// Write and read in a loop of one slot: both orders need a barrier, the second one
// across iterations.
// CHECK-LABEL: @loop_one_slot
// CHECK: scf.for
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_store
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NOT: tile_gpu.barrier
// CHECK: {{/}}/ -----
tile.kernel @loop_one_slot(%i: i32, %s: i64, %p: !tile.ptr<f32>, %n: i32) {
  %x = arith.constant dense<0.0> : tensor<16x8xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %k = %c0 to %n step %c1 : i32 {
    tile_gpu.local_store %x, %a[%c] : tensor<16x8xf32>, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
    %y = tile_gpu.local_load %a[%c] : !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1> -> tensor<16x8xf32>
  }
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// A ring of 2 slots, written one further on: one barrier an iteration is enough,
// between the read of the last iteration and the write to the same slot.
// CHECK-LABEL: @ring2
// CHECK: scf.for
// CHECK-NEXT: tile_gpu.advance
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_store
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NOT: tile_gpu.barrier
// CHECK: {{/}}/ -----
tile.kernel @ring2(%i: i32, %s: i64, %p: !tile.ptr<f32>, %n: i32) {
  %x = arith.constant dense<0.0> : tensor<16x8xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<2x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %k = %c0 to %n step %c1 iter_args(%e = %c) -> (!tile_gpu.cursor<2>) : i32 {
    %d = tile_gpu.advance %e by 1 : !tile_gpu.cursor<2>
    tile_gpu.local_store %x, %a[%d] : tensor<16x8xf32>, !tile_gpu.buffer<2x16x8xf32, #n>, !tile_gpu.cursor<2>
    %y = tile_gpu.local_load %a[%e] : !tile_gpu.buffer<2x16x8xf32, #n>, !tile_gpu.cursor<2> -> tensor<16x8xf32>
    %g = tile_gpu.advance %e by 1 : !tile_gpu.cursor<2>
    scf.yield %g : !tile_gpu.cursor<2>
  }
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// A ring of 3 slots, written 2 further on: one barrier an iteration is enough,
// between the read of the last iteration and the write to the same slot.
// CHECK-LABEL: @ring3
// CHECK: scf.for
// CHECK-NEXT: tile_gpu.advance
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_store
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NOT: tile_gpu.barrier
// CHECK: {{/}}/ -----
tile.kernel @ring3(%i: i32, %s: i64, %p: !tile.ptr<f32>, %n: i32) {
  %x = arith.constant dense<0.0> : tensor<16x8xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<3x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<3>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %k = %c0 to %n step %c1 iter_args(%e = %c) -> (!tile_gpu.cursor<3>) : i32 {
    %d = tile_gpu.advance %e by 2 : !tile_gpu.cursor<3>
    tile_gpu.local_store %x, %a[%d] : tensor<16x8xf32>, !tile_gpu.buffer<3x16x8xf32, #n>, !tile_gpu.cursor<3>
    %y = tile_gpu.local_load %a[%e] : !tile_gpu.buffer<3x16x8xf32, #n>, !tile_gpu.cursor<3> -> tensor<16x8xf32>
    %g = tile_gpu.advance %e by 1 : !tile_gpu.cursor<3>
    scf.yield %g : !tile_gpu.cursor<3>
  }
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// A ring of 4 slots, written 3 further on: one barrier an iteration is enough,
// between the read of the last iteration and the write to the same slot.
// CHECK-LABEL: @ring4
// CHECK: scf.for
// CHECK-NEXT: tile_gpu.advance
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_store
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NOT: tile_gpu.barrier
// CHECK: {{/}}/ -----
tile.kernel @ring4(%i: i32, %s: i64, %p: !tile.ptr<f32>, %n: i32) {
  %x = arith.constant dense<0.0> : tensor<16x8xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<4x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<4>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %k = %c0 to %n step %c1 iter_args(%e = %c) -> (!tile_gpu.cursor<4>) : i32 {
    %d = tile_gpu.advance %e by 3 : !tile_gpu.cursor<4>
    tile_gpu.local_store %x, %a[%d] : tensor<16x8xf32>, !tile_gpu.buffer<4x16x8xf32, #n>, !tile_gpu.cursor<4>
    %y = tile_gpu.local_load %a[%e] : !tile_gpu.buffer<4x16x8xf32, #n>, !tile_gpu.cursor<4> -> tensor<16x8xf32>
    %g = tile_gpu.advance %e by 1 : !tile_gpu.cursor<4>
    scf.yield %g : !tile_gpu.cursor<4>
  }
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// What is written before a loop and read in it needs one barrier, before the loop.
// CHECK-LABEL: @before_loop
// CHECK: tile_gpu.local_store
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: scf.for
// CHECK-NEXT: scf.for
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NOT: tile_gpu.barrier
// CHECK: {{/}}/ -----
tile.kernel @before_loop(%i: i32, %s: i64, %p: !tile.ptr<f32>, %n: i32) {
  %x = arith.constant dense<0.0> : tensor<16x8xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  tile_gpu.local_store %x, %a[%c] : tensor<16x8xf32>, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  scf.for %l = %c0 to %n step %c1 : i32 {
    scf.for %k = %c0 to %n step %c1 : i32 {
      %y = tile_gpu.local_load %a[%c] : !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1> -> tensor<16x8xf32>
    }
  }
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// A loop may run no time: what is written before it and read behind it needs a
// barrier although there is one in it.
// CHECK-LABEL: @zero_trip
// CHECK: tile_gpu.local_store
// CHECK: scf.for
// CHECK: tile_gpu.barrier
// CHECK: }
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NOT: tile_gpu.barrier
// CHECK: {{/}}/ -----
tile.kernel @zero_trip(%i: i32, %s: i64, %p: !tile.ptr<f32>, %n: i32) {
  %x = arith.constant dense<0.0> : tensor<16x8xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  tile_gpu.local_store %x, %a[%c] : tensor<16x8xf32>, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  scf.for %k = %c0 to %n step %c1 : i32 {
    tile_gpu.barrier
  }
  %y = tile_gpu.local_load %a[%c] : !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1> -> tensor<16x8xf32>
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// Behind a loop that walked a ring, the place of its cursor is not known.
// CHECK-LABEL: @after_walk
// CHECK: }
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_store
// CHECK-NOT: tile_gpu.barrier
// CHECK: {{/}}/ -----
tile.kernel @after_walk(%i: i32, %s: i64, %p: !tile.ptr<f32>, %n: i32) {
  %x = arith.constant dense<0.0> : tensor<16x8xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<3x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<3>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%e = %c) -> (!tile_gpu.cursor<3>) : i32 {
    %y = tile_gpu.local_load %a[%e] : !tile_gpu.buffer<3x16x8xf32, #n>, !tile_gpu.cursor<3> -> tensor<16x8xf32>
    %g = tile_gpu.advance %e by 1 : !tile_gpu.cursor<3>
    scf.yield %g : !tile_gpu.cursor<3>
  }
  tile_gpu.local_store %x, %a[%r] : tensor<16x8xf32>, !tile_gpu.buffer<3x16x8xf32, #n>, !tile_gpu.cursor<3>
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// An inner loop meets the next turn of the outer one.
// CHECK-LABEL: @nested
// CHECK: scf.for
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_store
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: scf.for
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NOT: tile_gpu.barrier
// CHECK: {{/}}/ -----
tile.kernel @nested(%i: i32, %s: i64, %p: !tile.ptr<f32>, %n: i32) {
  %x = arith.constant dense<0.0> : tensor<16x8xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %l = %c0 to %n step %c1 : i32 {
    tile_gpu.local_store %x, %a[%c] : tensor<16x8xf32>, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
    scf.for %k = %c0 to %n step %c1 : i32 {
      %y = tile_gpu.local_load %a[%c] : !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1> -> tensor<16x8xf32>
    }
  }
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// Either side of a branch may have run, and a barrier in one serves that one only.
// CHECK-LABEL: @branch
// CHECK: scf.if
// CHECK: } else
// CHECK: }
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NOT: tile_gpu.barrier
// CHECK: {{/}}/ -----
tile.kernel @branch(%q: i1) {
  %x = arith.constant dense<0.0> : tensor<16x8xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  scf.if %q {
    tile_gpu.local_store %x, %a[%c] : tensor<16x8xf32>, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
    tile_gpu.barrier
  } else {
    tile_gpu.local_store %x, %a[%c] : tensor<16x8xf32>, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  }
  %y = tile_gpu.local_load %a[%c] : !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1> -> tensor<16x8xf32>
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// Where both sides have one, nothing is left to do.
// CHECK-LABEL: @branch_both
// CHECK: scf.if
// CHECK: tile_gpu.barrier
// CHECK: } else
// CHECK: tile_gpu.barrier
// CHECK-NOT: tile_gpu.barrier
// CHECK: {{/}}/ -----
tile.kernel @branch_both(%q: i1) {
  %x = arith.constant dense<0.0> : tensor<16x8xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  tile_gpu.local_store %x, %a[%c] : tensor<16x8xf32>, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  scf.if %q {
    tile_gpu.barrier
  } else {
    tile_gpu.barrier
  }
  %y = tile_gpu.local_load %a[%c] : !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1> -> tensor<16x8xf32>
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// A branch without another side may not have run.
// CHECK-LABEL: @branch_one
// CHECK: tile_gpu.local_store
// CHECK: scf.if
// CHECK: tile_gpu.barrier
// CHECK: }
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NOT: tile_gpu.barrier
// CHECK: {{/}}/ -----
tile.kernel @branch_one(%q: i1) {
  %x = arith.constant dense<0.0> : tensor<16x8xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  tile_gpu.local_store %x, %a[%c] : tensor<16x8xf32>, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  scf.if %q {
    tile_gpu.barrier
  }
  %y = tile_gpu.local_load %a[%c] : !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1> -> tensor<16x8xf32>
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// What is read in a branch waits in the branch: the barrier is passed only where it
// is needed.
// CHECK-LABEL: @in_branch
// CHECK: tile_gpu.local_store
// CHECK-NEXT: scf.if
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NOT: tile_gpu.barrier
// CHECK: {{/}}/ -----
tile.kernel @in_branch(%q: i1) {
  %x = arith.constant dense<0.0> : tensor<16x8xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  tile_gpu.local_store %x, %a[%c] : tensor<16x8xf32>, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  scf.if %q {
    %y = tile_gpu.local_load %a[%c] : !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1> -> tensor<16x8xf32>
  }
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// The two regions of a while meet each other in both orders.
// CHECK-LABEL: @while
// CHECK: scf.while
// CHECK: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_store
// CHECK: } do
// CHECK: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NOT: tile_gpu.barrier
// CHECK: tile.return
tile.kernel @while(%q: i1) {
  %x = arith.constant dense<0.0> : tensor<16x8xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  scf.while : () -> () {
    tile_gpu.local_store %x, %a[%c] : tensor<16x8xf32>, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
    scf.condition(%q)
  } do {
    %y = tile_gpu.local_load %a[%c] : !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1> -> tensor<16x8xf32>
    scf.yield
  }
  tile.return
}
