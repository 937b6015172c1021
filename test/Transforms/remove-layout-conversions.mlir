// RUN: tile-opt %s --tile-remove-layout-conversions | FileCheck %s

#acc = #tile.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], sides = [16, 8]>
#rows = #tile.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>
#cols = #tile.layout<register = [[1, 0], [2, 0]], lane = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], sides = [16, 8]>

// CHECK-DAG: #[[ACC:layout[0-9]*]] = #tile.layout<register = {{\[\[}}0, 1], [8, 0]]
// CHECK-DAG: #[[ROWS:layout[0-9]*]] = #tile.layout<register = {{\[\[}}0, 1], [0, 2]]
// CHECK-DAG: #[[COLS:layout[0-9]*]] = #tile.layout<register = {{\[\[}}1, 0], [2, 0]]

// A constant is made in the layout that is wanted.
// CHECK-LABEL: @constant
// CHECK-NEXT: %[[X:.*]] = arith.constant dense<1.000000e+00> : tensor<16x8xf32, #[[ROWS]]>
// CHECK-NEXT: tile.print "x", %[[X]]
tile.kernel @constant() {
  %x = arith.constant dense<1.0> : tensor<16x8xf32, #acc>
  %y = tile_gpu.convert_layout %x : tensor<16x8xf32, #acc> -> tensor<16x8xf32, #rows>
  tile.print "x", %y : tensor<16x8xf32, #rows>
  tile.return
}

// So is a splat.
// CHECK-LABEL: @splat
// CHECK-NEXT: %[[X:.*]] = tile.splat %f : tensor<16x8xf32, #[[ROWS]]>
// CHECK-NEXT: tile.print "x", %[[X]]
tile.kernel @splat(%f: f32) {
  %x = tile.splat %f : tensor<16x8xf32, #acc>
  %y = tile_gpu.convert_layout %x : tensor<16x8xf32, #acc> -> tensor<16x8xf32, #rows>
  tile.print "x", %y : tensor<16x8xf32, #rows>
  tile.return
}

// A conversion moves what is left of a truncation, not what it is made of.
// CHECK-LABEL: @truncation
// CHECK: %[[H:.*]] = arith.truncf %{{.*}} : tensor<16x8xf32, #[[ACC]]> to tensor<16x8xf16, #[[ACC]]>
// CHECK-NEXT: tile_gpu.convert_layout %[[H]] : tensor<16x8xf16, #[[ACC]]> -> tensor<16x8xf16, #[[ROWS]]>
tile.kernel @truncation(%p: !tile.ptr<f32>, %i: i32, %s: i64) {
  %x = tile_gpu.load %p[%i, %i] bounds[%i, %i] strides[%s, %s] plan<registers> : !tile.ptr<f32>, i32 -> tensor<16x8xf32, #acc>
  %y = tile_gpu.convert_layout %x : tensor<16x8xf32, #acc> -> tensor<16x8xf32, #rows>
  %h = arith.truncf %y : tensor<16x8xf32, #rows> to tensor<16x8xf16, #rows>
  tile.print "h", %h : tensor<16x8xf16, #rows>
  tile.return
}

// Two conversions in a row are one, there and back none.
// CHECK-LABEL: @chains
// CHECK: %[[X:.*]] = tile_gpu.load
// CHECK-NEXT: %[[Z:.*]] = tile_gpu.convert_layout %[[X]] : tensor<16x8xf32, #[[ACC]]> -> tensor<16x8xf32, #[[COLS]]>
// CHECK-NEXT: tile.print "x", %[[Z]], %[[X]]
tile.kernel @chains(%p: !tile.ptr<f32>, %i: i32, %s: i64) {
  %x = tile_gpu.load %p[%i, %i] bounds[%i, %i] strides[%s, %s] plan<registers> : !tile.ptr<f32>, i32 -> tensor<16x8xf32, #acc>
  %y = tile_gpu.convert_layout %x : tensor<16x8xf32, #acc> -> tensor<16x8xf32, #rows>
  %z = tile_gpu.convert_layout %y : tensor<16x8xf32, #rows> -> tensor<16x8xf32, #cols>
  %w = tile_gpu.convert_layout %y : tensor<16x8xf32, #rows> -> tensor<16x8xf32, #acc>
  tile.print "x", %z, %w : tensor<16x8xf32, #cols>, tensor<16x8xf32, #acc>
  tile.return
}

// What nothing uses any more goes.
// CHECK-LABEL: @unused
// CHECK-NEXT: tile.return
tile.kernel @unused(%f: f32) {
  %x = tile.splat %f : tensor<16x8xf32, #acc>
  %y = tile_gpu.convert_layout %x : tensor<16x8xf32, #acc> -> tensor<16x8xf32, #rows>
  tile.return
}

// Leaves alone: a conversion of elements that differ.
// CHECK-LABEL: @dense
// CHECK: arith.constant dense<{{.*}}0, 1], [2, 3]{{.*}}
// CHECK-NEXT: tile_gpu.convert_layout
tile.kernel @dense() {
  %x = arith.constant dense<[[0, 1], [2, 3]]> : tensor<2x2xi32, #tile.layout<register = [[0, 1], [1, 0]], sides = [2, 2]>>
  %y = tile_gpu.convert_layout %x : tensor<2x2xi32, #tile.layout<register = [[0, 1], [1, 0]], sides = [2, 2]>> -> tensor<2x2xi32, #tile.layout<register = [[1, 0], [0, 1]], sides = [2, 2]>>
  tile.print "y", %y : tensor<2x2xi32, #tile.layout<register = [[1, 0], [0, 1]], sides = [2, 2]>>
  tile.return
}

// Leaves alone: a conversion before a truncation that something else uses too.
// CHECK-LABEL: @shared
// CHECK: %[[Y:.*]] = tile_gpu.convert_layout %{{.*}} : tensor<16x8xf32, #[[ACC]]> -> tensor<16x8xf32, #[[ROWS]]>
// CHECK-NEXT: arith.truncf %[[Y]]
tile.kernel @shared(%p: !tile.ptr<f32>, %i: i32, %s: i64) {
  %x = tile_gpu.load %p[%i, %i] bounds[%i, %i] strides[%s, %s] plan<registers> : !tile.ptr<f32>, i32 -> tensor<16x8xf32, #acc>
  %y = tile_gpu.convert_layout %x : tensor<16x8xf32, #acc> -> tensor<16x8xf32, #rows>
  %h = arith.truncf %y : tensor<16x8xf32, #rows> to tensor<16x8xf16, #rows>
  tile.print "h", %h, %y : tensor<16x8xf16, #rows>, tensor<16x8xf32, #rows>
  tile.return
}
