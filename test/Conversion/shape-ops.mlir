// RUN: tile-opt %s --convert-tile-to-nvvm -split-input-file | FileCheck %s

#acc = #tile.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], sides = [16, 16]>
#row = #tile.layout<register = [[0, 1], [0, 8]], lane = [[0, 2], [0, 4], [0, 0], [0, 0], [0, 0]], sides = [1, 16]>
#line = #tile.layout<register = [[1], [8]], lane = [[2], [4], [0], [0], [0]], sides = [16]>
#turned = #tile.layout<register = [[1, 0], [0, 8], [8, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], sides = [16, 16]>

// One vector stands for all fragments of a splat.
// CHECK-LABEL: llvm.func @splat(
// CHECK: %[[ONE:.*]] = llvm.insertelement %arg0
// CHECK: %[[ALL:.*]] = llvm.shufflevector %[[ONE]], %[[ONE]] [0, 0, 0, 0]
// CHECK: llvm.fmul %[[ALL]], %[[ALL]]
tile.kernel @splat(%x: f32) plan #tile.plan<warps = 1> {
  %t = tile.splat %x : tensor<16x16xf32, #acc>
  %y = arith.mulf %t, %t : tensor<16x16xf32, #acc>
  tile.return
}

// An index is the coordinate that the layout gives to thread and register.
// CHECK-LABEL: llvm.func @iota(
// CHECK: %[[LANE:.*]] = llvm.shl
// CHECK: llvm.xor %[[LANE]], %{{.*}} : i32
// CHECK: llvm.insertelement %[[LANE]]
tile.kernel @iota() plan #tile.plan<warps = 1> {
  %i = tile.iota : tensor<16xi32, #line>
  %j = arith.addi %i, %i : tensor<16xi32, #line>
  tile.return
}

// A row becomes a tile by naming its registers again: four loads make 128
// elements of 16 rows.
// CHECK-LABEL: llvm.func @broadcast(
// CHECK-COUNT-4: llvm.load
// CHECK-NOT: llvm.load
// CHECK-NOT: nvvm.shfl
// CHECK: llvm.return
tile.kernel @broadcast(%p: !tile.ptr<f32>) plan #tile.plan<warps = 1> {
  %zero = arith.constant 0 : i32
  %none = arith.constant 2147483647 : i32
  %one = arith.constant 1 : i64
  %x = tile_gpu.load %p[%zero] bounds[%none] strides[%one]
      plan<registers> : !tile.ptr<f32>, i32 -> tensor<16xf32, #line>
  %row = tile.expand_dims %x axis 0 : tensor<16xf32, #line> -> tensor<1x16xf32, #row>
  %all = tile.broadcast %row : tensor<1x16xf32, #row> -> tensor<16x16xf32, #acc>
  %sum = arith.addf %all, %all : tensor<16x16xf32, #acc>
  tile.return
}

// A tile is transposed in the registers of each thread.
// CHECK-LABEL: llvm.func @transpose(
// CHECK-NOT: nvvm.shfl
// CHECK: llvm.return
tile.kernel @transpose(%x: f32) plan #tile.plan<warps = 1> {
  %t = tile.splat %x : tensor<16x16xf32, #acc>
  %y = tile.transpose %t order [1, 0] : tensor<16x16xf32, #acc> -> tensor<16x16xf32, #turned>
  tile.return
}

// -----

#square = #tile.layout<register = [[0, 1], [4, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [0, 0]], sides = [8, 8]>
#flat = #tile.layout<register = [[1], [32]], lane = [[2], [4], [8], [16], [0]], sides = [64]>

// A reshape whose bits stay where they are costs nothing.
// CHECK-LABEL: llvm.func @reshape
// CHECK-NOT: nvvm.shfl
// CHECK: llvm.return
tile.kernel @reshape(%f: f32) plan #tile.plan<warps = 1> {
  %x = tile.splat %f : tensor<8x8xf32, #square>
  %y = tile.reshape %x : tensor<8x8xf32, #square> -> tensor<64xf32, #flat>
  %z = arith.addf %y, %y : tensor<64xf32, #flat>
  tile.return
}
