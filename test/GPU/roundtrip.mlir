// RUN: tile-opt %s --verify-roundtrip | FileCheck %s

// Every op is printed as it is documented and read back the same.

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 16]>
#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>
#acc = #tile.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], sides = [16, 8]>
#rows = #tile.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// CHECK-DAG: #[[K:layout[0-9]*]] = #tile.layout<offset = {{.*}}, sides = [16, 16]>
// CHECK-DAG: #[[N:layout[0-9]*]] = #tile.layout<offset = {{.*}}, sides = [16, 8]>
// CHECK-DAG: #[[ACC:layout[0-9]*]] = #tile.layout<register = {{\[\[}}0, 1], [8, 0]]
// CHECK-DAG: #[[ROWS:layout[0-9]*]] = #tile.layout<register = {{\[\[}}0, 1], [0, 2]]

// A ring prints slots, tile and element as one dimension list, and its offset
// once it is placed.
// CHECK-LABEL: @rings
// CHECK-NEXT: tile_gpu.alloc : !tile_gpu.buffer<3x16x16xf16, #[[K]]>
// CHECK-NEXT: tile_gpu.alloc at 1024 : !tile_gpu.buffer<1x16x8xf32, #[[N]]>
// CHECK-NEXT: %[[FIRST:.*]] = tile_gpu.cursor : !tile_gpu.cursor<3>
// CHECK-NEXT: tile_gpu.advance %[[FIRST]] by 2 : !tile_gpu.cursor<3>
tile.kernel @rings() {
  %ring = tile_gpu.alloc : !tile_gpu.buffer<3x16x16xf16, #k>
  %placed = tile_gpu.alloc at 1024 : !tile_gpu.buffer<1x16x8xf32, #n>
  %first = tile_gpu.cursor : !tile_gpu.cursor<3>
  %next = tile_gpu.advance %first by 2 : !tile_gpu.cursor<3>
  tile.return
}

// A kernel carries the bytes of its shared memory.
// CHECK-LABEL: @shared
// CHECK-SAME: attributes {tile_gpu.shared = 1024 : i64}
tile.kernel @shared() attributes {tile_gpu.shared = 1024 : i64} {
  tile.return
}

// Copies print the block, the slot, and what is optional where it is there.
// CHECK-LABEL: @copies
// CHECK: tile_gpu.copy_async %p[%i, %j] bounds[%i, %j] strides[%s, %s] into %[[RING:.*]][%[[C:.*]]] plan<cp_async, vector = 8, swizzle = 32> : !tile.ptr<f16>, i32, !tile_gpu.buffer<2x16x16xf16, #[[K]]>, !tile_gpu.cursor<2>
// CHECK-NEXT: tile_gpu.copy_async %p[%i, %j] bounds[%i, %j] strides[%s, %s] into %[[RING]][%[[C]]] if %live plan<cp_async, vector = 2>
// CHECK-NEXT: tile_gpu.copy %p[%s, %s] bounds[%s, %s] strides[%s, %s] into %[[RING]][%[[C]]] plan<plain> : !tile.ptr<f16>, i64, !tile_gpu.buffer<2x16x16xf16, #[[K]]>, !tile_gpu.cursor<2>
// CHECK-NEXT: tile_gpu.copy %p[%i, %j] bounds[%i, %j] strides[%s, %s] into %[[RING]][%[[C]]] if %live other %x plan<plain>
tile.kernel @copies(%p: !tile.ptr<f16>, %i: i32, %j: i32, %s: i64, %live: i1, %x: f16) {
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x16x16xf16, #k>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  tile_gpu.copy_async %p[%i, %j] bounds[%i, %j] strides[%s, %s]
      into %ring[%c] plan<cp_async, vector = 8, swizzle = 32>
      : !tile.ptr<f16>, i32, !tile_gpu.buffer<2x16x16xf16, #k>, !tile_gpu.cursor<2>
  tile_gpu.copy_async %p[%i, %j] bounds[%i, %j] strides[%s, %s]
      into %ring[%c] if %live plan<cp_async, vector = 2>
      : !tile.ptr<f16>, i32, !tile_gpu.buffer<2x16x16xf16, #k>, !tile_gpu.cursor<2>
  tile_gpu.copy %p[%s, %s] bounds[%s, %s] strides[%s, %s]
      into %ring[%c] plan<plain>
      : !tile.ptr<f16>, i64, !tile_gpu.buffer<2x16x16xf16, #k>, !tile_gpu.cursor<2>
  tile_gpu.copy %p[%i, %j] bounds[%i, %j] strides[%s, %s]
      into %ring[%c] if %live other %x plan<plain>
      : !tile.ptr<f16>, i32, !tile_gpu.buffer<2x16x16xf16, #k>, !tile_gpu.cursor<2>
  tile.return
}

// Loads and stores print the block and the tile, with and without a layout, in
// one dimension or in two.
// CHECK-LABEL: @blocks
// CHECK: %[[X:.*]] = tile_gpu.load %p[%i, %i] bounds[%i, %i] strides[%s, %s] plan<registers, vector = 4> : !tile.ptr<f32>, i32 -> tensor<16x8xf32, #[[ROWS]]>
// CHECK-NEXT: %[[Y:.*]] = tile_gpu.load %p[%s] bounds[%s] strides[%s] other %x plan<registers> : !tile.ptr<f32>, i64 -> tensor<64xf32>
// CHECK-NEXT: tile_gpu.store %[[X]], %p[%i, %i] bounds[%i, %i] strides[%s, %s] plan<registers, vector = 4> : tensor<16x8xf32, #[[ROWS]]>, !tile.ptr<f32>, i32
// CHECK-NEXT: tile_gpu.store %[[Y]], %p[%s] bounds[%s] strides[%s] plan<registers> : tensor<64xf32>, !tile.ptr<f32>, i64
tile.kernel @blocks(%p: !tile.ptr<f32>, %i: i32, %s: i64, %x: f32) {
  %a = tile_gpu.load %p[%i, %i] bounds[%i, %i] strides[%s, %s]
      plan<registers, vector = 4> : !tile.ptr<f32>, i32 -> tensor<16x8xf32, #rows>
  %b = tile_gpu.load %p[%s] bounds[%s] strides[%s] other %x plan<registers>
      : !tile.ptr<f32>, i64 -> tensor<64xf32>
  tile_gpu.store %a, %p[%i, %i] bounds[%i, %i] strides[%s, %s]
      plan<registers, vector = 4> : tensor<16x8xf32, #rows>, !tile.ptr<f32>, i32
  tile_gpu.store %b, %p[%s] bounds[%s] strides[%s] plan<registers>
      : tensor<64xf32>, !tile.ptr<f32>, i64
  tile.return
}

// The ops that order others have no operands.
// CHECK-LABEL: @order
// CHECK-NEXT: tile_gpu.commit
// CHECK-NEXT: tile_gpu.wait 0
// CHECK-NEXT: tile_gpu.wait 3
// CHECK-NEXT: tile_gpu.barrier
tile.kernel @order() {
  tile_gpu.commit
  tile_gpu.wait 0
  tile_gpu.wait 3
  tile_gpu.barrier
  tile.return
}

// An mma names both slots; its accumulator may have its layout already.
// CHECK-LABEL: @mma
// CHECK: tile_gpu.mma %[[A:.*]][%[[CA:.*]]], %[[B:.*]][%[[CB:.*]]], %{{.*}} plan<mma_sync, m = 16, n = 8, k = 16, warps = [1, 1]> : !tile_gpu.buffer<2x16x16xf16, #[[K]]>, !tile_gpu.cursor<2>, !tile_gpu.buffer<1x16x8xf16, #[[N]]>, !tile_gpu.cursor<1> -> tensor<16x8xf32>
// CHECK: tile_gpu.mma %[[A]][%[[CA]]], %[[B]][%[[CB]]], %{{.*}} -> tensor<16x8xf32, #[[ACC]]>
tile.kernel @mma() {
  %a = tile_gpu.alloc : !tile_gpu.buffer<2x16x16xf16, #k>
  %b = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf16, #n>
  %ca = tile_gpu.cursor : !tile_gpu.cursor<2>
  %cb = tile_gpu.cursor : !tile_gpu.cursor<1>
  %bare = arith.constant dense<0.0> : tensor<16x8xf32>
  %zero = arith.constant dense<0.0> : tensor<16x8xf32, #acc>
  %0 = tile_gpu.mma %a[%ca], %b[%cb], %bare plan<mma_sync, m = 16, n = 8, k = 16, warps = [1, 1]>
      : !tile_gpu.buffer<2x16x16xf16, #k>, !tile_gpu.cursor<2>,
        !tile_gpu.buffer<1x16x8xf16, #n>, !tile_gpu.cursor<1> -> tensor<16x8xf32>
  %1 = tile_gpu.mma %a[%ca], %b[%cb], %zero plan<mma_sync, m = 16, n = 8, k = 16, warps = [1, 1]>
      : !tile_gpu.buffer<2x16x16xf16, #k>, !tile_gpu.cursor<2>,
        !tile_gpu.buffer<1x16x8xf16, #n>, !tile_gpu.cursor<1> -> tensor<16x8xf32, #acc>
  tile.return
}

// Ops that move a tile between layouts print both types.
// CHECK-LABEL: @layouts
// CHECK: %[[X:.*]] = tile_gpu.convert_layout %{{.*}} : tensor<16x8xf32, #[[ACC]]> -> tensor<16x8xf32, #[[ROWS]]>
// CHECK: tile_gpu.local_store %[[X]], %[[RING:.*]][%[[C:.*]]] : tensor<16x8xf32, #[[ROWS]]>, !tile_gpu.buffer<1x16x8xf32, #[[N]]>, !tile_gpu.cursor<1>
// CHECK-NEXT: tile_gpu.local_load %[[RING]][%[[C]]] : !tile_gpu.buffer<1x16x8xf32, #[[N]]>, !tile_gpu.cursor<1> -> tensor<16x8xf32, #[[ACC]]>
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
