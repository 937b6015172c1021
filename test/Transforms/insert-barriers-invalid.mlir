// RUN: tile-opt %s --tile-gpu-insert-barriers --split-input-file --verify-diagnostics

// Errors that no barrier helps against: an asynchronous copy that has not been waited
// for, and what threads write for wgmma without a fence.

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// A slot is not read before its copy has been waited for.
tile.kernel @read(%i: i32, %s: i64, %p: !tile.ptr<f32>, %n: i32) {
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  // expected-note @+1 {{the copy starts here}}
  tile_gpu.copy_async %p[%i, %i] bounds[%i, %i] strides[%s, %s] into %a[%c] plan<cp_async> : !tile.ptr<f32>, i32, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  tile_gpu.commit
  // expected-error @+1 {{expected the asynchronous copy, which writes what this touches, to have been waited for}}
  %y = tile_gpu.local_load %a[%c] : !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1> -> tensor<16x8xf32>
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// A wait does not cover what has not been committed.
tile.kernel @not_committed(%i: i32, %s: i64, %p: !tile.ptr<f32>, %n: i32) {
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  // expected-note @+1 {{the copy starts here}}
  tile_gpu.copy_async %p[%i, %i] bounds[%i, %i] strides[%s, %s] into %a[%c] plan<cp_async> : !tile.ptr<f32>, i32, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  tile_gpu.wait 0
  // expected-error @+1 {{expected the asynchronous copy, which writes what this touches, to have been waited for}}
  %y = tile_gpu.local_load %a[%c] : !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1> -> tensor<16x8xf32>
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// A wait that allows one group leaves the newest on its way.
tile.kernel @newest_group(%i: i32, %s: i64, %p: !tile.ptr<f32>, %n: i32) {
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  // expected-note @+1 {{the copy starts here}}
  tile_gpu.copy_async %p[%i, %i] bounds[%i, %i] strides[%s, %s] into %a[%c] plan<cp_async> : !tile.ptr<f32>, i32, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  tile_gpu.commit
  tile_gpu.wait 1
  // expected-error @+1 {{expected the asynchronous copy, which writes what this touches, to have been waited for}}
  %y = tile_gpu.local_load %a[%c] : !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1> -> tensor<16x8xf32>
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// Nor is a slot filled twice at once.
tile.kernel @twice(%i: i32, %s: i64, %p: !tile.ptr<f32>, %n: i32) {
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  // expected-note @+1 {{the copy starts here}}
  tile_gpu.copy_async %p[%i, %i] bounds[%i, %i] strides[%s, %s] into %a[%c] plan<cp_async> : !tile.ptr<f32>, i32, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  tile_gpu.commit
  // expected-error @+1 {{expected the asynchronous copy, which writes what this touches, to have been waited for}}
  tile_gpu.copy_async %p[%i, %i] bounds[%i, %i] strides[%s, %s] into %a[%c] plan<cp_async> : !tile.ptr<f32>, i32, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// A wait on one side of a branch covers that side.
tile.kernel @branch(%i: i32, %s: i64, %p: !tile.ptr<f32>, %b: i1) {
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  // expected-note @+1 {{the copy starts here}}
  tile_gpu.copy_async %p[%i, %i] bounds[%i, %i] strides[%s, %s] into %a[%c] plan<cp_async> : !tile.ptr<f32>, i32, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  tile_gpu.commit
  scf.if %b {
    tile_gpu.wait 0
  }
  // expected-error @+1 {{expected the asynchronous copy, which writes what this touches, to have been waited for}}
  %y = tile_gpu.local_load %a[%c] : !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1> -> tensor<16x8xf32>
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// A loop that may run no time does not wait.
tile.kernel @zero_trip(%i: i32, %s: i64, %p: !tile.ptr<f32>, %n: i32) {
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-note @+1 {{the copy starts here}}
  tile_gpu.copy_async %p[%i, %i] bounds[%i, %i] strides[%s, %s] into %a[%c] plan<cp_async> : !tile.ptr<f32>, i32, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  tile_gpu.commit
  scf.for %k = %c0 to %n step %c1 : i32 {
    tile_gpu.wait 0
  }
  // expected-error @+1 {{expected the asynchronous copy, which writes what this touches, to have been waited for}}
  %y = tile_gpu.local_load %a[%c] : !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1> -> tensor<16x8xf32>
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// A ring that waits for too few groups reads a slot too early.
tile.kernel @ring(%i: i32, %s: i64, %p: !tile.ptr<f32>, %n: i32) {
  %a = tile_gpu.alloc : !tile_gpu.buffer<2x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-note @+1 {{the copy starts here}}
  tile_gpu.copy_async %p[%i, %i] bounds[%i, %i] strides[%s, %s] into %a[%c] plan<cp_async> : !tile.ptr<f32>, i32, !tile_gpu.buffer<2x16x8xf32, #n>, !tile_gpu.cursor<2>
  tile_gpu.commit
  scf.for %k = %c0 to %n step %c1 iter_args(%e = %c) -> (!tile_gpu.cursor<2>) : i32 {
    tile_gpu.wait 1
    %d = tile_gpu.advance %e by 1 : !tile_gpu.cursor<2>
    // expected-error @+1 {{expected the asynchronous copy, which writes what this touches, to have been waited for}}
    %y = tile_gpu.local_load %a[%e] : !tile_gpu.buffer<2x16x8xf32, #n>, !tile_gpu.cursor<2> -> tensor<16x8xf32>
    tile_gpu.copy_async %p[%i, %i] bounds[%i, %i] strides[%s, %s] into %a[%d] plan<cp_async> : !tile.ptr<f32>, i32, !tile_gpu.buffer<2x16x8xf32, #n>, !tile_gpu.cursor<2>
    tile_gpu.commit
    scf.yield %d : !tile_gpu.cursor<2>
  }
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// Bytes that a copy is still on its way to belong to no other ring.
tile.kernel @same_bytes(%i: i32, %s: i64, %p: !tile.ptr<f32>, %n: i32) {
  %x = arith.constant dense<0.0> : tensor<16x8xf32>
  %a = tile_gpu.alloc at 0 : !tile_gpu.buffer<1x16x8xf32, #n>
  %b = tile_gpu.alloc at 0 : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  // expected-note @+1 {{the copy starts here}}
  tile_gpu.copy_async %p[%i, %i] bounds[%i, %i] strides[%s, %s] into %a[%c] plan<cp_async> : !tile.ptr<f32>, i32, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  tile_gpu.commit
  // expected-error @+1 {{expected the asynchronous copy, which writes what this touches, to have been waited for}}
  tile_gpu.local_store %x, %b[%c] : tensor<16x8xf32>, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// What a copy still reads is not overwritten, whatever barrier has been passed.
tile.kernel @source(%i: i32, %s: i64, %p: !tile.ptr<f32>, %n: i32) {
  %x = arith.constant dense<0.0> : tensor<16x8xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  // expected-note @+1 {{the copy starts here}}
  tile_gpu.copy_async %p[%i, %i] bounds[%i, %i] strides[%s, %s] into %a[%c] plan<cp_async> : !tile.ptr<f32>, i32, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  tile_gpu.commit
  tile_gpu.barrier
  // expected-error @+1 {{expected the asynchronous copy, which reads what this touches, to have been waited for}}
  tile_gpu.store %x, %p[%i, %i] bounds[%i, %i] strides[%s, %s] plan<registers> : tensor<16x8xf32>, !tile.ptr<f32>, i32
  tile.return
}

// -----

#l = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>

// Nor is what a product still reads: here the second of two, one of which has been
// waited for.
tile.kernel @product() {
  %x = arith.constant dense<0.0> : tensor<64x64xf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x64x64xf16, #l>
  %b = tile_gpu.alloc : !tile_gpu.buffer<1x64x64xf16, #l>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  %p = tile_gpu.wgmma %x, %a[%c], %zero plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]> : tensor<64x64xf16>, !tile_gpu.buffer<1x64x64xf16, #l>, !tile_gpu.cursor<1>, tensor<64x64xf32> -> !tile_gpu.pending<tensor<64x64xf32>>
  // expected-note @+1 {{the product starts here}}
  %q = tile_gpu.wgmma %x, %b[%c], %p plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]> : tensor<64x64xf16>, !tile_gpu.buffer<1x64x64xf16, #l>, !tile_gpu.cursor<1>, !tile_gpu.pending<tensor<64x64xf32>> -> !tile_gpu.pending<tensor<64x64xf32>>
  tile_gpu.wgmma_wait 1
  tile_gpu.local_store %x, %a[%c] : tensor<64x64xf16>, !tile_gpu.buffer<1x64x64xf16, #l>, !tile_gpu.cursor<1>
  // expected-error @+1 {{expected the product, which reads what this touches, to have been waited for}}
  tile_gpu.local_store %x, %b[%c] : tensor<64x64xf16>, !tile_gpu.buffer<1x64x64xf16, #l>, !tile_gpu.cursor<1>
  %sum = tile_gpu.wgmma_finish %q : !tile_gpu.pending<tensor<64x64xf32>>
  tile.return
}

// -----

#l = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
!ring1 = !tile_gpu.buffer<1x64x64xf16, #l>
!ring2 = !tile_gpu.buffer<2x64x64xf16, #l>

// What threads write is not seen by wgmma without a fence, whatever barrier has been
// passed.
tile.kernel @store() {
  %x = arith.constant dense<0.0> : tensor<64x64xf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %a = tile_gpu.alloc : !ring1
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  // expected-note @+1 {{threads write it here; the fence goes behind this, or behind the wait for it}}
  tile_gpu.local_store %x, %a[%c] : tensor<64x64xf16>, !ring1, !tile_gpu.cursor<1>
  tile_gpu.barrier
  // expected-error @+1 {{expected a tile_gpu.fence_async between what threads write to a slot that this reads and the barrier after it, got none}}
  %p = tile_gpu.wgmma %x, %a[%c], %zero plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]> : tensor<64x64xf16>, !ring1, !tile_gpu.cursor<1>, tensor<64x64xf32> -> !tile_gpu.pending<tensor<64x64xf32>>
  %sum = tile_gpu.wgmma_finish %p : !tile_gpu.pending<tensor<64x64xf32>>
  tile.return
}

// -----

#l = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
!ring1 = !tile_gpu.buffer<1x64x64xf16, #l>
!ring2 = !tile_gpu.buffer<2x64x64xf16, #l>

// A fence covers no copy that is still on its way.
tile.kernel @fence_too_early(%i: i32, %s: i64, %q: !tile.ptr<f16>, %b: i1) {
  %x = arith.constant dense<0.0> : tensor<64x64xf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %a = tile_gpu.alloc : !ring1
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  // expected-note @+1 {{threads write it here; the fence goes behind this, or behind the wait for it}}
  tile_gpu.copy_async %q[%i, %i] bounds[%i, %i] strides[%s, %s] into %a[%c] plan<cp_async, vector = 8> : !tile.ptr<f16>, i32, !ring1, !tile_gpu.cursor<1>
  tile_gpu.commit
  tile_gpu.fence_async
  tile_gpu.wait 0
  tile_gpu.barrier
  // expected-error @+1 {{expected a tile_gpu.fence_async between what threads write to a slot that this reads and the barrier after it, got none}}
  %p = tile_gpu.wgmma %x, %a[%c], %zero plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]> : tensor<64x64xf16>, !ring1, !tile_gpu.cursor<1>, tensor<64x64xf32> -> !tile_gpu.pending<tensor<64x64xf32>>
  %sum = tile_gpu.wgmma_finish %p : !tile_gpu.pending<tensor<64x64xf32>>
  tile.return
}

// -----

#l = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
!ring1 = !tile_gpu.buffer<1x64x64xf16, #l>
!ring2 = !tile_gpu.buffer<2x64x64xf16, #l>

// A fence on one side of a branch covers that side.
tile.kernel @branch(%i: i32, %s: i64, %q: !tile.ptr<f16>, %b: i1) {
  %x = arith.constant dense<0.0> : tensor<64x64xf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %a = tile_gpu.alloc : !ring1
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  // expected-note @+1 {{threads write it here; the fence goes behind this, or behind the wait for it}}
  tile_gpu.local_store %x, %a[%c] : tensor<64x64xf16>, !ring1, !tile_gpu.cursor<1>
  scf.if %b {
    tile_gpu.fence_async
  }
  // expected-error @+1 {{expected a tile_gpu.fence_async between what threads write to a slot that this reads and the barrier after it, got none}}
  %p = tile_gpu.wgmma %x, %a[%c], %zero plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]> : tensor<64x64xf16>, !ring1, !tile_gpu.cursor<1>, tensor<64x64xf32> -> !tile_gpu.pending<tensor<64x64xf32>>
  %sum = tile_gpu.wgmma_finish %p : !tile_gpu.pending<tensor<64x64xf32>>
  tile.return
}

// -----

#l = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
!ring1 = !tile_gpu.buffer<1x64x64xf16, #l>
!ring2 = !tile_gpu.buffer<2x64x64xf16, #l>

// In a ring, the fence of an iteration covers no later one: here the slot is
// written behind it, and read in the next.
tile.kernel @ring(%i: i32, %s: i64, %q: !tile.ptr<f16>, %b: i1) {
  %x = arith.constant dense<0.0> : tensor<64x64xf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %a = tile_gpu.alloc : !ring2
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  tile_gpu.local_store %x, %a[%c] : tensor<64x64xf16>, !ring2, !tile_gpu.cursor<2>
  tile_gpu.fence_async
  %end = scf.for %k = %c0 to %i step %c1 iter_args(%e = %c) -> (!tile_gpu.cursor<2>) : i32 {
    // expected-error @+1 {{expected a tile_gpu.fence_async between what threads write to a slot that this reads and the barrier after it, got none}}
    %p = tile_gpu.wgmma %x, %a[%e], %zero plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]> : tensor<64x64xf16>, !ring2, !tile_gpu.cursor<2>, tensor<64x64xf32> -> !tile_gpu.pending<tensor<64x64xf32>>
    %sum = tile_gpu.wgmma_finish %p : !tile_gpu.pending<tensor<64x64xf32>>
    %d = tile_gpu.advance %e by 1 : !tile_gpu.cursor<2>
    // expected-note @+1 {{threads write it here; the fence goes behind this, or behind the wait for it}}
    tile_gpu.local_store %x, %a[%d] : tensor<64x64xf16>, !ring2, !tile_gpu.cursor<2>
    scf.yield %d : !tile_gpu.cursor<2>
  }
  tile.return
}

// -----

#l = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
!ring1 = !tile_gpu.buffer<1x64x64xf16, #l>
!ring2 = !tile_gpu.buffer<2x64x64xf16, #l>

// One role's fence covers nothing that another writes.
tile.kernel @roles() {
  %x = arith.constant dense<0.0> : tensor<64x64xf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %a = tile_gpu.alloc : !ring1
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  tile_gpu.roles {
    tile_gpu.role "other" warps 4 {
      tile_gpu.fence_async
    }
    tile_gpu.role "consumer" warps 4 {
      // expected-note @+1 {{threads write it here; the fence goes behind this, or behind the wait for it}}
      tile_gpu.local_store %x, %a[%c] : tensor<64x64xf16>, !ring1, !tile_gpu.cursor<1>
      tile_gpu.barrier
      // expected-error @+1 {{expected a tile_gpu.fence_async between what threads write to a slot that this reads and the barrier after it, got none}}
      %p = tile_gpu.wgmma %x, %a[%c], %zero plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]> : tensor<64x64xf16>, !ring1, !tile_gpu.cursor<1>, tensor<64x64xf32> -> !tile_gpu.pending<tensor<64x64xf32>>
      %sum = tile_gpu.wgmma_finish %p : !tile_gpu.pending<tensor<64x64xf32>>
    }
  }
  tile.return
}
