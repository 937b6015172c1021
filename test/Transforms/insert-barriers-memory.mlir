// RUN: tile-opt %s --tile-gpu-insert-barriers --split-input-file | FileCheck %s

// Hazards on global memory, and of asynchronous copies.

// What one thread has stored, another loads only after a barrier.
// CHECK-LABEL: @stored
// CHECK: tile_gpu.store
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.load
// CHECK-NOT: tile_gpu.barrier
// CHECK: {{/}}/ -----
tile.kernel @stored(%i: i32, %s: i64, %p: !tile.ptr<f32>, %n: i32) {
  %x = arith.constant dense<0.0> : tensor<16x8xf32>
  tile_gpu.store %x, %p[%i, %i] bounds[%i, %i] strides[%s, %s] plan<registers> : tensor<16x8xf32>, !tile.ptr<f32>, i32
  %y = tile_gpu.load %p[%i, %i] bounds[%i, %i] strides[%s, %s] plan<registers> : !tile.ptr<f32>, i32 -> tensor<16x8xf32>
  tile.return
}

// -----

// Arguments may name the same memory: a store meets a load through another one.
// CHECK-LABEL: @may_alias
// CHECK: tile_gpu.load
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.store
// CHECK-NOT: tile_gpu.barrier
// CHECK: {{/}}/ -----
tile.kernel @may_alias(%i: i32, %s: i64, %p: !tile.ptr<f32>, %q: !tile.ptr<f32>) {
  %x = arith.constant dense<0.0> : tensor<16x8xf32>
  %y = tile_gpu.load %p[%i, %i] bounds[%i, %i] strides[%s, %s] plan<registers> : !tile.ptr<f32>, i32 -> tensor<16x8xf32>
  tile_gpu.store %x, %q[%i, %i] bounds[%i, %i] strides[%s, %s] plan<registers> : tensor<16x8xf32>, !tile.ptr<f32>, i32
  tile.return
}

// -----

// Unless one of them is marked; an offset from it is still the same argument.
// CHECK-LABEL: @noalias
// CHECK: tile_gpu.load
// CHECK-NEXT: tile_gpu.store
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.load
// CHECK-NOT: tile_gpu.barrier
// CHECK: {{/}}/ -----
tile.kernel @noalias(%i: i32, %s: i64, %p: !tile.ptr<f32>, %q: !tile.ptr<f32> {tile.fact = #tile.fact<noalias>}) {
  %r = tile.offset %q, %s : !tile.ptr<f32>, i64
  %x = arith.constant dense<0.0> : tensor<16x8xf32>
  %y = tile_gpu.load %p[%i, %i] bounds[%i, %i] strides[%s, %s] plan<registers> : !tile.ptr<f32>, i32 -> tensor<16x8xf32>
  tile_gpu.store %x, %r[%i, %i] bounds[%i, %i] strides[%s, %s] plan<registers> : tensor<16x8xf32>, !tile.ptr<f32>, i32
  %z = tile_gpu.load %q[%i, %i] bounds[%i, %i] strides[%s, %s] plan<registers> : !tile.ptr<f32>, i32 -> tensor<16x8xf32>
  tile.return
}

// -----

// A pointer that is chosen may be any, marked ones too.
// CHECK-LABEL: @chosen_pointer
// CHECK: tile_gpu.store
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.load
// CHECK-NOT: tile_gpu.barrier
// CHECK: {{/}}/ -----
tile.kernel @chosen_pointer(%i: i32, %s: i64, %b: i1, %p: !tile.ptr<f32>, %q: !tile.ptr<f32> {tile.fact = #tile.fact<noalias>}) {
  %r = arith.select %b, %p, %q : !tile.ptr<f32>
  %x = arith.constant dense<0.0> : tensor<16x8xf32>
  tile_gpu.store %x, %q[%i, %i] bounds[%i, %i] strides[%s, %s] plan<registers> : tensor<16x8xf32>, !tile.ptr<f32>, i32
  %y = tile_gpu.load %r[%i, %i] bounds[%i, %i] strides[%s, %s] plan<registers> : !tile.ptr<f32>, i32 -> tensor<16x8xf32>
  tile.return
}

// -----

// A store in a loop meets the next iteration's loads and itself.
// CHECK-LABEL: @store_in_loop
// CHECK: scf.for
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.load
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.store
// CHECK-NOT: tile_gpu.barrier
// CHECK: {{/}}/ -----
tile.kernel @store_in_loop(%i: i32, %s: i64, %p: !tile.ptr<f32>, %n: i32) {
  %x = arith.constant dense<0.0> : tensor<16x8xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %k = %c0 to %n step %c1 : i32 {
    %y = tile_gpu.load %p[%i, %i] bounds[%i, %i] strides[%s, %s] plan<registers> : !tile.ptr<f32>, i32 -> tensor<16x8xf32>
    tile_gpu.store %x, %p[%i, %i] bounds[%i, %i] strides[%s, %s] plan<registers> : tensor<16x8xf32>, !tile.ptr<f32>, i32
  }
  tile.return
}

// -----

// Loads and stores that are not lowered yet count as well, and so do updates.
// CHECK-LABEL: @not_lowered
// CHECK: tile.store
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile.atomic_rmw
// CHECK-NOT: tile_gpu.barrier
// CHECK: {{/}}/ -----
tile.kernel @not_lowered(%i: i32, %s: i64, %p: !tile.ptr<f32>, %n: i32) {
  %f = arith.constant 1.0 : f32
  tile.store %p[%i], %f : !tile.ptr<f32>, i32, f32
  %y = tile.load %p[%i] : !tile.ptr<f32>, i32 -> f32
  %z = tile.atomic_rmw addf %p[%i], %f : !tile.ptr<f32>, i32, f32
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// An asynchronous copy may be read after a wait, by each thread for its own, and a
// barrier behind it.
// CHECK-LABEL: @copy
// CHECK: tile_gpu.wait 0
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NOT: tile_gpu.barrier
// CHECK: {{/}}/ -----
tile.kernel @copy(%i: i32, %s: i64, %p: !tile.ptr<f32>, %n: i32) {
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  tile_gpu.copy_async %p[%i, %i] bounds[%i, %i] strides[%s, %s] into %a[%c] plan<cp_async> : !tile.ptr<f32>, i32, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  tile_gpu.commit
  tile_gpu.wait 0
  %y = tile_gpu.local_load %a[%c] : !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1> -> tensor<16x8xf32>
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// A barrier before the wait does not count.
// CHECK-LABEL: @early_barrier
// CHECK: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.wait 0
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NOT: tile_gpu.barrier
// CHECK: {{/}}/ -----
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

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// A wait leaves newer groups on their way: the older slot may be read.
// CHECK-LABEL: @older_group
// CHECK: tile_gpu.wait 1
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NOT: tile_gpu.barrier
// CHECK: {{/}}/ -----
tile.kernel @older_group(%i: i32, %s: i64, %p: !tile.ptr<f32>, %n: i32) {
  %a = tile_gpu.alloc : !tile_gpu.buffer<2x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  %d = tile_gpu.advance %c by 1 : !tile_gpu.cursor<2>
  tile_gpu.copy_async %p[%i, %i] bounds[%i, %i] strides[%s, %s] into %a[%c] plan<cp_async> : !tile.ptr<f32>, i32, !tile_gpu.buffer<2x16x8xf32, #n>, !tile_gpu.cursor<2>
  tile_gpu.commit
  tile_gpu.copy_async %p[%i, %i] bounds[%i, %i] strides[%s, %s] into %a[%d] plan<cp_async> : !tile.ptr<f32>, i32, !tile_gpu.buffer<2x16x8xf32, #n>, !tile_gpu.cursor<2>
  tile_gpu.commit
  tile_gpu.wait 1
  %y = tile_gpu.local_load %a[%c] : !tile_gpu.buffer<2x16x8xf32, #n>, !tile_gpu.cursor<2> -> tensor<16x8xf32>
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// A copy that is waited for only in the loop needs its barrier there, not before.
// CHECK-LABEL: @waited_in_loop
// CHECK: tile_gpu.commit
// CHECK-NOT: tile_gpu.barrier
// CHECK: scf.for
// CHECK-NEXT: tile_gpu.wait 0
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NOT: tile_gpu.barrier
// CHECK: {{/}}/ -----
tile.kernel @waited_in_loop(%i: i32, %s: i64, %p: !tile.ptr<f32>, %n: i32) {
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  tile_gpu.copy_async %p[%i, %i] bounds[%i, %i] strides[%s, %s] into %a[%c] plan<cp_async> : !tile.ptr<f32>, i32, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  tile_gpu.commit
  scf.for %k = %c0 to %n step %c1 : i32 {
    tile_gpu.wait 0
    %y = tile_gpu.local_load %a[%c] : !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1> -> tensor<16x8xf32>
  }
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// The pipelined ring of 2 slots needs one barrier an iteration, behind the wait: it
// orders the copies before the read and the last read before the next copy.
// CHECK-LABEL: @pipeline2
// CHECK: scf.for
// CHECK-NEXT: tile_gpu.wait 0
// CHECK-NEXT: tile_gpu.advance
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.copy_async
// CHECK-NEXT: tile_gpu.commit
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NOT: tile_gpu.barrier
// CHECK: {{/}}/ -----
tile.kernel @pipeline2(%i: i32, %s: i64, %p: !tile.ptr<f32>, %n: i32) {
  %a = tile_gpu.alloc : !tile_gpu.buffer<2x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  tile_gpu.copy_async %p[%i, %i] bounds[%i, %i] strides[%s, %s] into %a[%c] plan<cp_async> : !tile.ptr<f32>, i32, !tile_gpu.buffer<2x16x8xf32, #n>, !tile_gpu.cursor<2>
  tile_gpu.commit
  scf.for %k = %c0 to %n step %c1 iter_args(%e = %c) -> (!tile_gpu.cursor<2>) : i32 {
    tile_gpu.wait 0
    %d = tile_gpu.advance %e by 1 : !tile_gpu.cursor<2>
    tile_gpu.copy_async %p[%i, %i] bounds[%i, %i] strides[%s, %s] into %a[%d] plan<cp_async> : !tile.ptr<f32>, i32, !tile_gpu.buffer<2x16x8xf32, #n>, !tile_gpu.cursor<2>
    tile_gpu.commit
    %y = tile_gpu.local_load %a[%e] : !tile_gpu.buffer<2x16x8xf32, #n>, !tile_gpu.cursor<2> -> tensor<16x8xf32>
    %g = tile_gpu.advance %e by 1 : !tile_gpu.cursor<2>
    scf.yield %g : !tile_gpu.cursor<2>
  }
  tile_gpu.wait 0
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// The pipelined ring of 3 slots needs one barrier an iteration, behind the wait: it
// orders the copies before the read and the last read before the next copy.
// CHECK-LABEL: @pipeline3
// CHECK: scf.for
// CHECK-NEXT: tile_gpu.wait 1
// CHECK-NEXT: tile_gpu.advance
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.copy_async
// CHECK-NEXT: tile_gpu.commit
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NOT: tile_gpu.barrier
// CHECK: {{/}}/ -----
tile.kernel @pipeline3(%i: i32, %s: i64, %p: !tile.ptr<f32>, %n: i32) {
  %a = tile_gpu.alloc : !tile_gpu.buffer<3x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<3>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  tile_gpu.copy_async %p[%i, %i] bounds[%i, %i] strides[%s, %s] into %a[%c] plan<cp_async> : !tile.ptr<f32>, i32, !tile_gpu.buffer<3x16x8xf32, #n>, !tile_gpu.cursor<3>
  tile_gpu.commit
  %d1 = tile_gpu.advance %c by 1 : !tile_gpu.cursor<3>
  tile_gpu.copy_async %p[%i, %i] bounds[%i, %i] strides[%s, %s] into %a[%d1] plan<cp_async> : !tile.ptr<f32>, i32, !tile_gpu.buffer<3x16x8xf32, #n>, !tile_gpu.cursor<3>
  tile_gpu.commit
  scf.for %k = %c0 to %n step %c1 iter_args(%e = %c) -> (!tile_gpu.cursor<3>) : i32 {
    tile_gpu.wait 1
    %d = tile_gpu.advance %e by 2 : !tile_gpu.cursor<3>
    tile_gpu.copy_async %p[%i, %i] bounds[%i, %i] strides[%s, %s] into %a[%d] plan<cp_async> : !tile.ptr<f32>, i32, !tile_gpu.buffer<3x16x8xf32, #n>, !tile_gpu.cursor<3>
    tile_gpu.commit
    %y = tile_gpu.local_load %a[%e] : !tile_gpu.buffer<3x16x8xf32, #n>, !tile_gpu.cursor<3> -> tensor<16x8xf32>
    %g = tile_gpu.advance %e by 1 : !tile_gpu.cursor<3>
    scf.yield %g : !tile_gpu.cursor<3>
  }
  tile_gpu.wait 0
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// The pipelined ring of 4 slots needs one barrier an iteration, behind the wait: it
// orders the copies before the read and the last read before the next copy.
// CHECK-LABEL: @pipeline4
// CHECK: scf.for
// CHECK-NEXT: tile_gpu.wait 2
// CHECK-NEXT: tile_gpu.advance
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.copy_async
// CHECK-NEXT: tile_gpu.commit
// CHECK-NEXT: tile_gpu.local_load
// CHECK-NOT: tile_gpu.barrier
// CHECK: tile.return
tile.kernel @pipeline4(%i: i32, %s: i64, %p: !tile.ptr<f32>, %n: i32) {
  %a = tile_gpu.alloc : !tile_gpu.buffer<4x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<4>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  tile_gpu.copy_async %p[%i, %i] bounds[%i, %i] strides[%s, %s] into %a[%c] plan<cp_async> : !tile.ptr<f32>, i32, !tile_gpu.buffer<4x16x8xf32, #n>, !tile_gpu.cursor<4>
  tile_gpu.commit
  %d1 = tile_gpu.advance %c by 1 : !tile_gpu.cursor<4>
  tile_gpu.copy_async %p[%i, %i] bounds[%i, %i] strides[%s, %s] into %a[%d1] plan<cp_async> : !tile.ptr<f32>, i32, !tile_gpu.buffer<4x16x8xf32, #n>, !tile_gpu.cursor<4>
  tile_gpu.commit
  %d2 = tile_gpu.advance %c by 2 : !tile_gpu.cursor<4>
  tile_gpu.copy_async %p[%i, %i] bounds[%i, %i] strides[%s, %s] into %a[%d2] plan<cp_async> : !tile.ptr<f32>, i32, !tile_gpu.buffer<4x16x8xf32, #n>, !tile_gpu.cursor<4>
  tile_gpu.commit
  scf.for %k = %c0 to %n step %c1 iter_args(%e = %c) -> (!tile_gpu.cursor<4>) : i32 {
    tile_gpu.wait 2
    %d = tile_gpu.advance %e by 3 : !tile_gpu.cursor<4>
    tile_gpu.copy_async %p[%i, %i] bounds[%i, %i] strides[%s, %s] into %a[%d] plan<cp_async> : !tile.ptr<f32>, i32, !tile_gpu.buffer<4x16x8xf32, #n>, !tile_gpu.cursor<4>
    tile_gpu.commit
    %y = tile_gpu.local_load %a[%e] : !tile_gpu.buffer<4x16x8xf32, #n>, !tile_gpu.cursor<4> -> tensor<16x8xf32>
    %g = tile_gpu.advance %e by 1 : !tile_gpu.cursor<4>
    scf.yield %g : !tile_gpu.cursor<4>
  }
  tile_gpu.wait 0
  tile.return
}

// -----

// A store by the copy engine overwrites what other threads may still be loading;
// stores of the programs that a CTA walks need no order among themselves.
#box = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
#acc = #tile.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], sides = [64, 64]>
!map = !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
// CHECK-LABEL: @by_the_engine
// CHECK: scf.for
// CHECK-NEXT: tile_gpu.load
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.tma_store
// CHECK-NEXT: tile_gpu.tma_store
// CHECK-NEXT: }
tile.kernel @by_the_engine(%i: i32, %s: i64, %p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %n: i32) {
  %staging = tile_gpu.alloc at 0 : !tile_gpu.buffer<2x64x64xf16, #box>
  %map = tile_gpu.tensor_map %q dims[%n, %n] strides[%s] : !tile.ptr<f16>, i32, !map
  scf.for %tile = %i to %n step %n : i32 {
    %x = tile_gpu.load %p[%tile, %i] bounds[%n, %n] strides[%s, %s] plan<registers> : !tile.ptr<f16>, i32 -> tensor<64x64xf16, #acc>
    tile_gpu.tma_store %x, %map[%tile, %i] via %staging : tensor<64x64xf16, #acc>, !map, !tile_gpu.buffer<2x64x64xf16, #box>
    tile_gpu.tma_store %x, %map[%i, %tile] via %staging : tensor<64x64xf16, #acc>, !map, !tile_gpu.buffer<2x64x64xf16, #box>
  }
  tile.return
}

// -----

// Threads meet where the store's slots are waited for, if what was loaded is there
// by then.
#box = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
#acc = #tile.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], sides = [64, 64]>
!map = !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
// CHECK-LABEL: @beside_the_wait
// CHECK: tile_gpu.load
// CHECK-NEXT: tile_gpu.tma_store_wait
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: arith.negf
// CHECK-NEXT: tile_gpu.tma_store
// CHECK-NEXT: tile_gpu.tma_store_wait
// CHECK-NEXT: tile_gpu.load
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.tma_store
tile.kernel @beside_the_wait(%i: i32, %s: i64, %p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %n: i32) {
  %staging = tile_gpu.alloc at 0 : !tile_gpu.buffer<2x64x64xf16, #box>
  %map = tile_gpu.tensor_map %q dims[%n, %n] strides[%s] : !tile.ptr<f16>, i32, !map
  %x = tile_gpu.load %p[%i, %i] bounds[%n, %n] strides[%s, %s] plan<registers> : !tile.ptr<f16>, i32 -> tensor<64x64xf16, #acc>
  tile_gpu.tma_store_wait
  %y = arith.negf %x : tensor<64x64xf16, #acc>
  tile_gpu.tma_store %y, %map[%i, %i] via %staging : tensor<64x64xf16, #acc>, !map, !tile_gpu.buffer<2x64x64xf16, #box>
  tile_gpu.tma_store_wait
  %z = tile_gpu.load %p[%n, %i] bounds[%n, %n] strides[%s, %s] plan<registers> : !tile.ptr<f16>, i32 -> tensor<64x64xf16, #acc>
  tile_gpu.tma_store %z, %map[%n, %i] via %staging : tensor<64x64xf16, #acc>, !map, !tile_gpu.buffer<2x64x64xf16, #box>
  tile.return
}

// -----

// What threads have written goes to wgmma over a fence and a barrier behind it: a
// barrier in front of the fence does not do.
#l = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
!ring1 = !tile_gpu.buffer<1x64x64xf16, #l>
// CHECK-LABEL: @fenced
// CHECK: tile_gpu.local_store
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.fence_async
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: tile_gpu.wgmma
tile.kernel @fenced() {
  %x = arith.constant dense<0.0> : tensor<64x64xf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %a = tile_gpu.alloc : !ring1
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  tile_gpu.local_store %x, %a[%c] : tensor<64x64xf16>, !ring1, !tile_gpu.cursor<1>
  tile_gpu.barrier
  tile_gpu.fence_async
  %p = tile_gpu.wgmma %x, %a[%c], %zero plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]> : tensor<64x64xf16>, !ring1, !tile_gpu.cursor<1>, tensor<64x64xf32> -> !tile_gpu.pending<tensor<64x64xf32>>
  %sum = tile_gpu.wgmma_finish %p : !tile_gpu.pending<tensor<64x64xf32>>
  tile.return
}
