// RUN: tile-opt %s --canonicalize | FileCheck %s

#acc = #tile.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], sides = [16, 8]>
#rows = #tile.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>
#cols = #tile.layout<register = [[1, 0], [2, 0]], lane = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], sides = [16, 8]>
#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// CHECK-DAG: #[[ACC:layout[0-9]*]] = #tile.layout<register = {{\[\[}}0, 1], [8, 0]]
// CHECK-DAG: #[[COLS:layout[0-9]*]] = #tile.layout<register = {{\[\[}}1, 0], [2, 0]]

// Advancing twice is advancing by the sum.
// CHECK-LABEL: @advance_advance
// CHECK: %[[FIRST:.*]] = tile_gpu.cursor
// CHECK-NEXT: %[[THIRD:.*]] = tile_gpu.advance %[[FIRST]] by 3
// CHECK-NOT: tile_gpu.advance
// CHECK: tile_gpu.local_store %{{.*}}, %{{.*}}[%[[THIRD]]]
tile.kernel @advance_advance(%f: f32) {
  %x = tile.splat %f : tensor<16x8xf32>
  %ring = tile_gpu.alloc : !tile_gpu.buffer<4x16x8xf32, #n>
  %0 = tile_gpu.cursor : !tile_gpu.cursor<4>
  %1 = tile_gpu.advance %0 by 1 : !tile_gpu.cursor<4>
  %3 = tile_gpu.advance %1 by 2 : !tile_gpu.cursor<4>
  tile_gpu.local_store %x, %ring[%3] : tensor<16x8xf32>,
      !tile_gpu.buffer<4x16x8xf32, #n>, !tile_gpu.cursor<4>
  tile.return
}

// A sum of steps that is no i64 is left as two.
// CHECK-LABEL: @advance_overflow
// CHECK: tile_gpu.advance %{{.*}} by 9223372036854775807
// CHECK-NEXT: tile_gpu.advance %{{.*}} by 1
tile.kernel @advance_overflow(%f: f32) {
  %x = tile.splat %f : tensor<16x8xf32>
  %ring = tile_gpu.alloc : !tile_gpu.buffer<4x16x8xf32, #n>
  %0 = tile_gpu.cursor : !tile_gpu.cursor<4>
  %1 = tile_gpu.advance %0 by 9223372036854775807 : !tile_gpu.cursor<4>
  %2 = tile_gpu.advance %1 by 1 : !tile_gpu.cursor<4>
  tile_gpu.local_store %x, %ring[%2] : tensor<16x8xf32>,
      !tile_gpu.buffer<4x16x8xf32, #n>, !tile_gpu.cursor<4>
  tile.return
}

// A conversion to the layout that is there already does nothing.
// CHECK-LABEL: @convert_same
// CHECK: %[[X:.*]] = tile_gpu.load
// CHECK-NEXT: tile_gpu.store %[[X]]
tile.kernel @convert_same(%p: !tile.ptr<f32>, %i: i32, %s: i64) {
  %x = tile_gpu.load %p[%i, %i] bounds[%i, %i] strides[%s, %s] plan<registers>
      : !tile.ptr<f32>, i32 -> tensor<16x8xf32, #acc>
  %y = tile_gpu.convert_layout %x : tensor<16x8xf32, #acc> -> tensor<16x8xf32, #acc>
  tile_gpu.store %y, %p[%i, %i] bounds[%i, %i] strides[%s, %s] plan<registers>
      : tensor<16x8xf32, #acc>, !tile.ptr<f32>, i32
  tile.return
}

// A conversion there and back does nothing.
// CHECK-LABEL: @convert_back
// CHECK: %[[X:.*]] = tile_gpu.load
// CHECK-NEXT: tile_gpu.store %[[X]]
tile.kernel @convert_back(%p: !tile.ptr<f32>, %i: i32, %s: i64) {
  %x = tile_gpu.load %p[%i, %i] bounds[%i, %i] strides[%s, %s] plan<registers>
      : !tile.ptr<f32>, i32 -> tensor<16x8xf32, #acc>
  %y = tile_gpu.convert_layout %x : tensor<16x8xf32, #acc> -> tensor<16x8xf32, #rows>
  %z = tile_gpu.convert_layout %y : tensor<16x8xf32, #rows> -> tensor<16x8xf32, #acc>
  tile_gpu.store %z, %p[%i, %i] bounds[%i, %i] strides[%s, %s] plan<registers>
      : tensor<16x8xf32, #acc>, !tile.ptr<f32>, i32
  tile.return
}

// Of two conversions in a row the first is skipped.
// CHECK-LABEL: @convert_twice
// CHECK: tile_gpu.convert_layout %{{.*}} : tensor<16x8xf32, #[[ACC]]> -> tensor<16x8xf32, #[[COLS]]>
// CHECK-NOT: tile_gpu.convert_layout
tile.kernel @convert_twice(%p: !tile.ptr<f32>, %i: i32, %s: i64) {
  %x = tile_gpu.load %p[%i, %i] bounds[%i, %i] strides[%s, %s] plan<registers>
      : !tile.ptr<f32>, i32 -> tensor<16x8xf32, #acc>
  %y = tile_gpu.convert_layout %x : tensor<16x8xf32, #acc> -> tensor<16x8xf32, #rows>
  %z = tile_gpu.convert_layout %y : tensor<16x8xf32, #rows> -> tensor<16x8xf32, #cols>
  tile_gpu.store %z, %p[%i, %i] bounds[%i, %i] strides[%s, %s] plan<registers>
      : tensor<16x8xf32, #cols>, !tile.ptr<f32>, i32
  tile.return
}

// Order stays: no op with an effect is removed as dead.
// CHECK-LABEL: @effects
// CHECK: tile_gpu.copy_async
// CHECK: tile_gpu.commit
// CHECK: tile_gpu.wait 0
// CHECK: tile_gpu.barrier
tile.kernel @effects(%p: !tile.ptr<f32>, %i: i32, %s: i64) {
  %ring = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  tile_gpu.copy_async %p[%i, %i] bounds[%i, %i] strides[%s, %s] into %ring[%c]
      plan<cp_async, vector = 1> : !tile.ptr<f32>, i32,
      !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  tile_gpu.commit
  tile_gpu.wait 0
  tile_gpu.barrier
  tile.return
}
