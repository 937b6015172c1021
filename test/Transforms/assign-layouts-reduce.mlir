// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts))' --split-input-file | FileCheck %s

// A reduction's result has its operand's layout without the axis, and so has
// what is broadcast back: nothing is converted.
// CHECK-DAG: #[[TILE:layout[0-9]*]] = #tile.layout<register = {{.*}}, lane = {{.*}}, warp = {{.*}}, sides = [16, 64]>
// CHECK-DAG: #[[ROWS:layout[0-9]*]] = #tile.layout<register = {{.*}}, lane = {{.*}}, warp = {{.*}}, sides = [16]>
// CHECK-LABEL: tile.kernel @softmax
// CHECK: tile.reduce
// CHECK: tensor<16x64xf32, #[[TILE]]> -> tensor<16xf32, #[[ROWS]]>
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: tile.broadcast %{{.*}} -> tensor<16x64xf32, #[[TILE]]>
tile.kernel @softmax(%a: !tile.ptr<f32>, %n: i32) plan #tile.plan<warps = 4> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %x = tile_gpu.load %a[%zero, %zero] bounds[%n, %n] strides[%one, %one]
      plan<registers, vector = 4> : !tile.ptr<f32>, i32 -> tensor<16x64xf32>
  %s = tile.reduce %x axis 1 {
    ^bb0(%l: f32, %r: f32):
      %m = arith.maximumf %l, %r : f32
      tile.yield %m : f32
  } : tensor<16x64xf32> -> tensor<16xf32>
  %column = tile.expand_dims %s axis 1 : tensor<16xf32> -> tensor<16x1xf32>
  %columns = tile.broadcast %column : tensor<16x1xf32> -> tensor<16x64xf32>
  %y = arith.subf %x, %columns : tensor<16x64xf32>
  tile_gpu.store %y, %a[%zero, %zero] bounds[%n, %n] strides[%one, %one]
      plan<registers, vector = 4> : tensor<16x64xf32>, !tile.ptr<f32>, i32
  tile.return
}

// -----

// A result that is wanted elsewhere is converted after the reduction.
// CHECK-LABEL: tile.kernel @both
// CHECK: %[[SUM:.*]] = tile.reduce %{{.*}} axis 0
// CHECK: %[[CONVERTED:.*]] = tile_gpu.convert_layout %[[SUM]]
// CHECK: arith.addf %{{.*}}, %[[CONVERTED]]
tile.kernel @both(%a: !tile.ptr<f32>, %n: i32) plan #tile.plan<warps = 1> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %x = tile_gpu.load %a[%zero, %zero] bounds[%n, %n] strides[%one, %one]
      plan<registers, vector = 4> : !tile.ptr<f32>, i32 -> tensor<64x64xf32>
  %s = tile.reduce %x axis 1 {
    ^bb0(%l: f32, %r: f32):
      %m = arith.addf %l, %r : f32
      tile.yield %m : f32
  } : tensor<64x64xf32> -> tensor<64xf32>
  %t = tile.reduce %x axis 0 {
    ^bb0(%l: f32, %r: f32):
      %m = arith.addf %l, %r : f32
      tile.yield %m : f32
  } : tensor<64x64xf32> -> tensor<64xf32>
  %y = arith.addf %s, %t : tensor<64xf32>
  tile.print "y", %y : tensor<64xf32>
  tile.return
}

// -----

// Warps that the slowest side cannot feed share the next one: a single row is not
// read by each of them.
// CHECK: #tile.layout<register = {{\[\[}}0, 1], [0, 2]], lane = {{\[\[}}0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], warp = {{\[\[}}0, 128], [0, 256]], sides = [1, 512]>
// CHECK-LABEL: tile.kernel @row
tile.kernel @row(%a: !tile.ptr<f32>, %n: i32) plan #tile.plan<warps = 4> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %x = tile_gpu.load %a[%zero, %zero] bounds[%n, %n] strides[%one, %one]
      plan<registers, vector = 4> : !tile.ptr<f32>, i32 -> tensor<1x512xf32>
  tile.print "x", %x : tensor<1x512xf32>
  tile.return
}
