// RUN: tile-opt %s --tile-gpu-lower-exchanges --split-input-file | FileCheck %s

#line = #tile.layout<register = [[1], [2], [512]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]], sides = [1024]>

// A line that crosses warps is cut where they begin: what lies below is reduced
// in each warp; all partial results are then in lanes of every warp.
// CHECK-DAG: #[[LINE:layout[0-9]*]] = #tile.layout<register = {{\[\[}}1], [2], [512]], lane = {{.*}}, warp = {{\[\[}}128], [256]], sides = [1024]>
// CHECK-DAG: #[[CUT:layout[0-9]*]] = #tile.layout<register = {{\[\[}}0, 1], [0, 2], [4, 0]], lane = {{\[\[}}0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], warp = {{\[\[}}1, 0], [2, 0]], sides = [8, 128]>
// CHECK-DAG: #[[PARTIAL:layout[0-9]*]] = #tile.layout<register = {{\[\[}}4]], lane = {{\[\[}}0], [0], [0], [0], [0]], warp = {{\[\[}}1], [2]], sides = [8]>
// CHECK-DAG: #[[ALL:layout[0-9]*]] = #tile.layout<lane = {{\[\[}}1], [2], [4], [0], [0]], warp = {{\[\[}}0], [0]], sides = [8]>
// CHECK-LABEL: @line
// CHECK: %[[CUT_X:.*]] = tile.reshape %{{.*}} : tensor<1024xf32, #[[LINE]]> -> tensor<8x128xf32, #[[CUT]]>
// CHECK: %[[PARTIAL_SUM:.*]] = tile.reduce %[[CUT_X]] axis 1
// CHECK: tensor<8x128xf32, #[[CUT]]> -> tensor<8xf32, #[[PARTIAL]]>
// CHECK: %[[SHARED_SUM:.*]] = tile_gpu.convert_layout %[[PARTIAL_SUM]] : {{.*}} -> tensor<8xf32, #[[ALL]]>
// CHECK: %[[SUM:.*]] = tile.reduce %[[SHARED_SUM]] axis 0
// CHECK: tile.print "s", %[[SUM]] : f32
tile.kernel @line(%f: f32) plan #tile.plan<warps = 4> {
  %x = tile.splat %f : tensor<1024xf32, #line>
  %s = tile.reduce %x axis 0 {
    ^bb0(%l: f32, %r: f32):
      %sum = arith.addf %l, %r : f32
      tile.yield %sum : f32
  } : tensor<1024xf32, #line> -> f32
  tile.print "s", %s : f32
  tile.return
}

// -----

#tile = #tile.layout<register = [[0, 1], [4, 0]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[0, 16], [8, 0]], sides = [16, 32]>
#rows = #tile.layout<register = [[4]], lane = [[0], [0], [0], [1], [2]], warp = [[0], [8]], sides = [16]>

// Other dimensions stay where they are, and so does the result.  All operands go
// the same way.
// CHECK-DAG: #[[ROWS:layout[0-9]*]] = #tile.layout<register = {{\[\[}}4]], lane = {{\[\[}}0], [0], [0], [1], [2]], warp = {{\[\[}}0], [8]], sides = [16]>
// CHECK-DAG: #[[ALL:layout[0-9]*]] = #tile.layout<register = {{\[\[}}4, 0]], lane = {{\[\[}}0, 1], [0, 0], [0, 0], [1, 0], [2, 0]], warp = {{\[\[}}0, 0], [8, 0]], sides = [16, 2]>
// CHECK-LABEL: @argmax
// CHECK: %[[PARTIAL:.*]]:2 = tile.reduce %{{.*}}, %{{.*}} axis 2
// CHECK: %[[V:.*]] = tile_gpu.convert_layout %[[PARTIAL]]#0 : {{.*}} -> tensor<16x2xf32, #[[ALL]]>
// CHECK: %[[I:.*]] = tile_gpu.convert_layout %[[PARTIAL]]#1 : {{.*}} -> tensor<16x2xi32, #[[ALL]]>
// CHECK: tile.reduce %[[V]], %[[I]] axis 1
// CHECK: -> tensor<16xf32, #[[ROWS]]>, tensor<16xi32, #[[ROWS]]>
// CHECK-NOT: tile_gpu.convert_layout
tile.kernel @argmax(%f: f32, %k: i32) plan #tile.plan<warps = 4> {
  %x = tile.splat %f : tensor<16x32xf32, #tile>
  %i = tile.splat %k : tensor<16x32xi32, #tile>
  %m:2 = tile.reduce %x, %i axis 1 {
    ^bb0(%l: f32, %li: i32, %r: f32, %ri: i32):
      %c = arith.cmpf oge, %l, %r : f32
      %v = arith.select %c, %l, %r : f32
      %w = arith.select %c, %li, %ri : i32
      tile.yield %v, %w : f32, i32
  } : tensor<16x32xf32, #tile>, tensor<16x32xi32, #tile> -> tensor<16xf32, #rows>, tensor<16xi32, #rows>
  tile.print "m", %m#0, %m#1 : tensor<16xf32, #rows>, tensor<16xi32, #rows>
  tile.return
}

// -----

#warp = #tile.layout<register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[4, 0]], sides = [8, 32]>
#rows = #tile.layout<register = [[1], [2]], lane = [[0], [0], [0], [0], [0]], warp = [[4]], sides = [8]>

// Leaves alone: a reduction inside each warp.
// CHECK-LABEL: @in_warp
// CHECK-NOT: tile.reshape
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: tile.reduce
// CHECK-NOT: tile_gpu.convert_layout
tile.kernel @in_warp(%f: f32) plan #tile.plan<warps = 2> {
  %x = tile.splat %f : tensor<8x32xf32, #warp>
  %s = tile.reduce %x axis 1 {
    ^bb0(%l: f32, %r: f32):
      %sum = arith.addf %l, %r : f32
      tile.yield %sum : f32
  } : tensor<8x32xf32, #warp> -> tensor<8xf32, #rows>
  tile.print "s", %s : tensor<8xf32, #rows>
  tile.return
}

// -----

#mixed = #tile.layout<register = [[1, 1]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], sides = [2, 32]>
#sum = #tile.layout<register = [[1]], lane = [[0], [0], [0], [0], [0]], sides = [2]>

// Where no place stands for a bit of the axis alone, the operand is spread anew.
// CHECK-LABEL: @mixed
// CHECK: %[[LINES:.*]] = tile_gpu.convert_layout
// CHECK: %[[SUM:.*]] = tile.reduce %[[LINES]] axis 1
// CHECK: tile_gpu.convert_layout %[[SUM]]
tile.kernel @mixed(%f: f32) plan #tile.plan<warps = 1> {
  %x = tile.splat %f : tensor<2x32xf32, #mixed>
  %s = tile.reduce %x axis 1 {
    ^bb0(%l: f32, %r: f32):
      %sum = arith.addf %l, %r : f32
      tile.yield %sum : f32
  } : tensor<2x32xf32, #mixed> -> tensor<2xf32, #sum>
  tile.print "s", %s : tensor<2xf32, #sum>
  tile.return
}

// -----

#line = #tile.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128]], sides = [256]>
#ordered = #tile.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], sides = [128]>

// A scan is done in one warp, by each; one in order stays.
// CHECK-DAG: #[[ORDERED:layout[0-9]*]] = #tile.layout<register = {{\[\[}}1], [2], [4]], lane = {{\[\[}}8], [16], [32], [64], [128]], warp = {{\[\[}}0]], sides = [256]>
// CHECK-LABEL: @scan
// CHECK: %[[LINES:.*]] = tile_gpu.convert_layout %{{.*}} -> tensor<256xi32, #[[ORDERED]]>
// CHECK: %[[SUMS:.*]] = tile.scan %[[LINES]] axis 0 reverse
// CHECK: tile_gpu.convert_layout %[[SUMS]]
// CHECK-NOT: tile_gpu.convert_layout
tile.kernel @scan(%k: i32) plan #tile.plan<warps = 2> {
  %x = tile.splat %k : tensor<256xi32, #line>
  %s = tile.scan %x axis 0 reverse {
    ^bb0(%l: i32, %r: i32):
      %sum = arith.addi %l, %r : i32
      tile.yield %sum : i32
  } : tensor<256xi32, #line> -> tensor<256xi32, #line>
  %y = tile.splat %k : tensor<128xi32, #ordered>
  %t = tile.scan %y axis 0 {
    ^bb0(%l: i32, %r: i32):
      %sum = arith.addi %l, %r : i32
      tile.yield %sum : i32
  } : tensor<128xi32, #ordered> -> tensor<128xi32, #ordered>
  tile.print "s", %s, %t : tensor<256xi32, #line>, tensor<128xi32, #ordered>
  tile.return
}

// -----

#lanes = #tile.layout<lane = [[1], [2], [4], [8], [0]], sides = [16]>
#whole = #tile.layout<lane = [[1], [2], [4], [8], [16]], sides = [32]>

// What an update returns goes from its owner to those who hold copies; where
// nobody does, or nobody asks, nothing goes.  A scalar goes as a tile of one.
// CHECK-DAG: #[[ONE:layout[0-9]*]] = #tile.layout<lane = {{\[\[}}0], [0], [0], [0], [0]], sides = [1]>
// CHECK-LABEL: @atomics
// CHECK: %[[OLD:.*]] = tile.atomic_rmw addi %p[%{{.*}}], %{{.*}} : !tile.ptr<i32>, tensor<16xi32
// CHECK: tile_gpu.local_store %[[OLD]], %{{.*}}[%{{.*}}]
// CHECK: %[[SHARED:.*]] = tile_gpu.local_load
// CHECK: tile.print "old", %[[SHARED]]
// CHECK: tile.atomic_rmw
// CHECK-NOT: tile_gpu.local_store
// CHECK: %[[WHOLE:.*]] = tile.atomic_rmw
// CHECK-NOT: tile_gpu.local_store
// CHECK: tile.print "whole", %[[WHOLE]]
// CHECK: %[[WAS:.*]] = tile.atomic_cas %p[%{{.*}}], %{{.*}}, %{{.*}} : !tile.ptr<i32>, tensor<1xi32, #[[ONE]]>
// CHECK: tile_gpu.local_store %[[WAS]], %{{.*}}[%{{.*}}]
// CHECK: %[[READ:.*]] = tile_gpu.local_load
// CHECK: %[[SCALAR:.*]] = tile.reduce %[[READ]] axis 0
// CHECK: tile.print "was", %[[SCALAR]] : i32
tile.kernel @atomics(%p: !tile.ptr<i32>, %k: i32) plan #tile.plan<warps = 1> {
  %x = tile.splat %k : tensor<16xi32, #lanes>
  %old = tile.atomic_rmw addi %p[%x], %x : !tile.ptr<i32>, tensor<16xi32, #lanes>, tensor<16xi32, #lanes>
  tile.print "old", %old : tensor<16xi32, #lanes>
  %unused = tile.atomic_rmw addi %p[%x], %x : !tile.ptr<i32>, tensor<16xi32, #lanes>, tensor<16xi32, #lanes>
  %y = tile.splat %k : tensor<32xi32, #whole>
  %whole = tile.atomic_rmw addi %p[%y], %y : !tile.ptr<i32>, tensor<32xi32, #whole>, tensor<32xi32, #whole>
  tile.print "whole", %whole : tensor<32xi32, #whole>
  %was = tile.atomic_cas %p[%k], %k, %k : !tile.ptr<i32>, i32, i32
  tile.print "was", %was : i32
  tile.return
}

// -----

#rows = #tile.layout<lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 0]], sides = [16, 1], reps = [1, 3]>
#line = #tile.layout<lane = [[1], [2], [4], [8], [0]], sides = [16], reps = [3]>
#square = #tile.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], sides = [8, 8]>
#flat = #tile.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], sides = [64]>

// A reshape that carries goes through a slot, in row-major order; leaves alone:
// one that only renames bits.
// CHECK-LABEL: @reshape
// CHECK: tile_gpu.local_store %{{.*}} : tensor<16x3xf32, #{{.*}}>, !tile_gpu.buffer<1x16x3xf32,
// CHECK: tile_gpu.local_load %{{.*}} -> tensor<48xf32,
// CHECK: tile.reshape %{{.*}} : tensor<8x8xf32, {{.*}}> -> tensor<64xf32,
tile.kernel @reshape(%f: f32) plan #tile.plan<warps = 1> {
  %x = tile.splat %f : tensor<16x3xf32, #rows>
  %y = tile.reshape %x : tensor<16x3xf32, #rows> -> tensor<48xf32, #line>
  %z = tile.splat %f : tensor<8x8xf32, #square>
  %w = tile.reshape %z : tensor<8x8xf32, #square> -> tensor<64xf32, #flat>
  tile.print "y", %y, %w : tensor<48xf32, #line>, tensor<64xf32, #flat>
  tile.return
}
