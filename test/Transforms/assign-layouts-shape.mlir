// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts))' --split-input-file | FileCheck %s

// What is broadcast takes the layout that its result asks for: lanes that the
// result spreads over rows hold the same element of a row.
// CHECK: #[[LINE:.*]] = #tile.layout<register = {{\[\[}}1], [2]], lane = {{\[\[}}4], [8], [16], [0], [0]], sides = [32]>
// CHECK-LABEL: tile.kernel @row
// CHECK: tile_gpu.load %b{{.*}} -> tensor<32xf32, #[[LINE]]>
// CHECK: tile_gpu.load %a{{.*}} -> tensor<32x32xf32, #[[TILE:.*]]>
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: tile.broadcast %{{.*}} -> tensor<32x32xf32, #[[TILE]]>
tile.kernel @row(%a: !tile.ptr<f32>, %b: !tile.ptr<f32>, %n: i32) plan #tile.plan<warps = 1> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %line = tile_gpu.load %b[%zero] bounds[%n] strides[%one]
      plan<registers, vector = 2> : !tile.ptr<f32>, i32 -> tensor<32xf32>
  %x = tile_gpu.load %a[%zero, %zero] bounds[%n, %n] strides[%one, %one]
      plan<registers, vector = 4> : !tile.ptr<f32>, i32 -> tensor<32x32xf32>
  %row = tile.expand_dims %line axis 0 : tensor<32xf32> -> tensor<1x32xf32>
  %rows = tile.broadcast %row : tensor<1x32xf32> -> tensor<32x32xf32>
  %sum = arith.addf %x, %rows : tensor<32x32xf32>
  tile.return
}

// -----

// A line that is both a row and a column is converted for one of them.
// CHECK-LABEL: tile.kernel @both
// CHECK: tile_gpu.load %b{{.*}} -> tensor<32xf32, #[[LINE:.*]]>
// CHECK: tile_gpu.convert_layout {{.*}} : tensor<32xf32, #[[LINE]]>
// CHECK-NOT: tile_gpu.convert_layout
tile.kernel @both(%b: !tile.ptr<f32>, %n: i32) plan #tile.plan<warps = 1> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %line = tile_gpu.load %b[%zero] bounds[%n] strides[%one]
      plan<registers, vector = 2> : !tile.ptr<f32>, i32 -> tensor<32xf32>
  %row = tile.expand_dims %line axis 0 : tensor<32xf32> -> tensor<1x32xf32>
  %rows = tile.broadcast %row : tensor<1x32xf32> -> tensor<32x32xf32>
  %column = tile.expand_dims %line axis 1 : tensor<32xf32> -> tensor<32x1xf32>
  %columns = tile.broadcast %column : tensor<32x1xf32> -> tensor<32x32xf32>
  %sum = arith.addf %rows, %columns : tensor<32x32xf32>
  tile.return
}
