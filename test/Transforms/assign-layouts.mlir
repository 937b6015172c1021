// RUN: tile-opt %s --tile-assign-layouts --split-input-file | FileCheck %s

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], sides = [32, 32]>

// An accumulator has the layout of its instruction, and so has what the loop
// carries, the constant that it starts from and what is computed of it.
// CHECK-DAG: #[[ACC:layout[0-9]*]] = #tile.layout<register = {{\[\[}}0, 1], [8, 0], [0, 8]], lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}0, 16], [16, 0]], sides = [32, 32]>
// CHECK-LABEL: @accumulator
// CHECK: arith.constant dense<0.000000e+00> : tensor<32x32xf32, #[[ACC]]>
// CHECK: arith.constant dense<1.000000e+00> : tensor<32x32xf32, #[[ACC]]>
// CHECK: scf.for {{.*}} -> (tensor<32x32xf32, #[[ACC]]>)
// CHECK: tile_gpu.mma {{.*}} -> tensor<32x32xf32, #[[ACC]]>
// CHECK: arith.addf {{.*}} : tensor<32x32xf32, #[[ACC]]>
// CHECK: arith.truncf {{.*}} to tensor<32x32xf16, #[[ACC]]>
tile.kernel @accumulator(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %bias = arith.constant dense<1.0> : tensor<32x32xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x32x32xf16, #k>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<32x32xf32>) : i32 {
    %d = tile_gpu.mma %a[%c], %a[%c], %s plan<mma_sync, m = 16, n = 8, k = 16, warps = [2, 2]>
        : !tile_gpu.buffer<1x32x32xf16, #k>, !tile_gpu.cursor<1>, !tile_gpu.buffer<1x32x32xf16, #k>, !tile_gpu.cursor<1> -> tensor<32x32xf32>
    scf.yield %d : tensor<32x32xf32>
  }
  %b = arith.addf %r, %bias : tensor<32x32xf32>
  %h = arith.truncf %b : tensor<32x32xf32> to tensor<32x32xf16>
  tile.print "h", %h : tensor<32x32xf16>
  tile.return
}

// -----

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], sides = [32, 32]>

// One constant, or one splat, in two accumulators of different layouts becomes one
// for each.
// CHECK-DAG: #[[ACC:layout[0-9]*]] = #tile.layout<register = {{\[\[}}0, 1], [8, 0], [0, 8]], lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}0, 16], [16, 0]], sides = [32, 32]>
// CHECK-DAG: #[[WIDE:layout[0-9]*]] = #tile.layout<register = {{\[\[}}0, 1], [8, 0], [16, 0]], lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}0, 8], [0, 16]], sides = [32, 32]>
// CHECK-LABEL: @shared_constant
// CHECK-DAG: %[[Z1:.*]] = arith.constant dense<0.000000e+00> : tensor<32x32xf32, #[[ACC]]>
// CHECK-DAG: %[[Z2:.*]] = arith.constant dense<0.000000e+00> : tensor<32x32xf32, #[[WIDE]]>
// CHECK-DAG: %[[S1:.*]] = tile.splat %f : tensor<32x32xf32, #[[ACC]]>
// CHECK-DAG: %[[S2:.*]] = tile.splat %f : tensor<32x32xf32, #[[WIDE]]>
// CHECK: tile_gpu.mma {{.*}}, %[[Z1]] plan
// CHECK: tile_gpu.mma {{.*}}, %[[Z2]] plan
// CHECK: tile_gpu.mma {{.*}}, %[[S1]] plan
// CHECK: tile_gpu.mma {{.*}}, %[[S2]] plan
tile.kernel @shared_constant(%f: f32) {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %fs = tile.splat %f : tensor<32x32xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x32x32xf16, #k>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  %d = tile_gpu.mma %a[%c], %a[%c], %zero plan<mma_sync, m = 16, n = 8, k = 16, warps = [2, 2]>
        : !tile_gpu.buffer<1x32x32xf16, #k>, !tile_gpu.cursor<1>, !tile_gpu.buffer<1x32x32xf16, #k>, !tile_gpu.cursor<1> -> tensor<32x32xf32>
  %e = tile_gpu.mma %a[%c], %a[%c], %zero plan<mma_sync, m = 16, n = 8, k = 16, warps = [1, 4]>
        : !tile_gpu.buffer<1x32x32xf16, #k>, !tile_gpu.cursor<1>, !tile_gpu.buffer<1x32x32xf16, #k>, !tile_gpu.cursor<1> -> tensor<32x32xf32>
  %g = tile_gpu.mma %a[%c], %a[%c], %fs plan<mma_sync, m = 16, n = 8, k = 16, warps = [2, 2]>
        : !tile_gpu.buffer<1x32x32xf16, #k>, !tile_gpu.cursor<1>, !tile_gpu.buffer<1x32x32xf16, #k>, !tile_gpu.cursor<1> -> tensor<32x32xf32>
  %h = tile_gpu.mma %a[%c], %a[%c], %fs plan<mma_sync, m = 16, n = 8, k = 16, warps = [1, 4]>
        : !tile_gpu.buffer<1x32x32xf16, #k>, !tile_gpu.cursor<1>, !tile_gpu.buffer<1x32x32xf16, #k>, !tile_gpu.cursor<1> -> tensor<32x32xf32>
  tile.print "x", %d, %e, %g, %h : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>
  tile.return
}

// -----

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], sides = [32, 32]>

// Where tiles that must share a layout meet instructions that want two, the second
// is converted around: here the loop swaps its accumulators.
// CHECK-DAG: #[[ACC:layout[0-9]*]] = #tile.layout<register = {{\[\[}}0, 1], [8, 0], [0, 8]], lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}0, 16], [16, 0]], sides = [32, 32]>
// CHECK-DAG: #[[WIDE:layout[0-9]*]] = #tile.layout<register = {{\[\[}}0, 1], [8, 0], [16, 0]], lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}0, 8], [0, 16]], sides = [32, 32]>
// CHECK-LABEL: @swapped
// CHECK: scf.for {{.*}} iter_args(%[[S:.*]] = %{{.*}}, %[[T:.*]] = %{{.*}}) -> (tensor<32x32xf32, #[[ACC]]>, tensor<32x32xf32, #[[ACC]]>)
// CHECK: %[[D:.*]] = tile_gpu.mma {{.*}}, %[[S]] plan
// CHECK: %[[TW:.*]] = tile_gpu.convert_layout %[[T]] : tensor<32x32xf32, #[[ACC]]> -> tensor<32x32xf32, #[[WIDE]]>
// CHECK: %[[EW:.*]] = tile_gpu.mma {{.*}}, %[[TW]] plan
// CHECK: %[[E:.*]] = tile_gpu.convert_layout %[[EW]] : tensor<32x32xf32, #[[WIDE]]> -> tensor<32x32xf32, #[[ACC]]>
// CHECK: scf.yield %[[E]], %[[D]]
tile.kernel @swapped(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x32x32xf16, #k>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero, %t = %zero) -> (tensor<32x32xf32>, tensor<32x32xf32>) : i32 {
    %d = tile_gpu.mma %a[%c], %a[%c], %s plan<mma_sync, m = 16, n = 8, k = 16, warps = [2, 2]>
        : !tile_gpu.buffer<1x32x32xf16, #k>, !tile_gpu.cursor<1>, !tile_gpu.buffer<1x32x32xf16, #k>, !tile_gpu.cursor<1> -> tensor<32x32xf32>
    %e = tile_gpu.mma %a[%c], %a[%c], %t plan<mma_sync, m = 16, n = 8, k = 16, warps = [1, 4]>
        : !tile_gpu.buffer<1x32x32xf16, #k>, !tile_gpu.cursor<1>, !tile_gpu.buffer<1x32x32xf16, #k>, !tile_gpu.cursor<1> -> tensor<32x32xf32>
    scf.yield %e, %d : tensor<32x32xf32>, tensor<32x32xf32>
  }
  tile.print "r", %r#0, %r#1 : tensor<32x32xf32>, tensor<32x32xf32>
  tile.return
}

// -----

// Loads and stores have vectors along memory: along the last dimension, or the one
// whose stride is 1; lanes go on along it.
// CHECK-DAG: #[[ROWS:layout[0-9]*]] = #tile.layout<register = {{\[\[}}0, 1], [0, 2], [8, 0], [16, 0]], lane = {{\[\[}}0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = {{\[\[}}2, 0], [4, 0]], sides = [32, 64]>
// CHECK-DAG: #[[COLS:layout[0-9]*]] = #tile.layout<register = {{\[\[}}1, 0], [2, 0], [0, 16], [0, 32]], lane = {{\[\[}}4, 0], [8, 0], [16, 0], [0, 1], [0, 2]], warp = {{\[\[}}0, 4], [0, 8]], sides = [32, 64]>
// CHECK-LABEL: @memory
// CHECK: tile_gpu.load {{.*}} -> tensor<32x64xf32, #[[ROWS]]>
// CHECK: tile_gpu.load {{.*}} -> tensor<32x64xf32, #[[COLS]]>
// CHECK: arith.constant dense<0.000000e+00> : tensor<32x64xf32, #[[COLS]]>
tile.kernel @memory(%p: !tile.ptr<f32>, %i: i32, %s: i64) {
  %one = arith.constant 1 : i64
  %x = tile_gpu.load %p[%i, %i] bounds[%i, %i] strides[%s, %one] plan<registers, vector = 4> : !tile.ptr<f32>, i32 -> tensor<32x64xf32>
  %y = tile_gpu.load %p[%i, %i] bounds[%i, %i] strides[%one, %s] plan<registers, vector = 4> : !tile.ptr<f32>, i32 -> tensor<32x64xf32>
  tile.print "x", %x, %y : tensor<32x64xf32>, tensor<32x64xf32>
  %z = arith.constant dense<0.0> : tensor<32x64xf32>
  tile_gpu.store %z, %p[%i, %i] bounds[%i, %i] strides[%one, %s] plan<registers, vector = 4> : tensor<32x64xf32>, !tile.ptr<f32>, i32
  tile.return
}

// -----

// Sides that are no powers of two repeat; tiles of few elements are held by several
// threads; a tile may have any rank.
// CHECK-DAG: #[[ODD:layout[0-9]*]] = #tile.layout<lane = {{\[\[}}0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}8, 0], [0, 0]], sides = [16, 4], reps = [3, 3]>
// CHECK-DAG: #[[FEW:layout[0-9]*]] = #tile.layout<lane = {{\[\[}}0], [0], [0], [0], [0]], warp = {{\[\[}}0], [0]], sides = [1], reps = [3]>
// CHECK-DAG: #[[CUBE:layout[0-9]*]] = #tile.layout<register = {{\[\[}}0, 0, 1]], lane = {{\[\[}}0, 0, 2], [0, 0, 4], [0, 1, 0], [0, 2, 0], [1, 0, 0]], warp = {{\[\[}}0, 0, 0], [0, 0, 0]], sides = [2, 4, 8]>
// CHECK-LABEL: @shapes
// CHECK: -> tensor<48x12xf32, #[[ODD]]>
// CHECK: -> tensor<3xf32, #[[FEW]]>
// CHECK: -> tensor<2x4x8xf32, #[[CUBE]]>
tile.kernel @shapes(%p: !tile.ptr<f32>, %i: i32, %s: i64) {
  %one = arith.constant 1 : i64
  %x = tile_gpu.load %p[%i, %i] bounds[%i, %i] strides[%s, %s] plan<registers> : !tile.ptr<f32>, i32 -> tensor<48x12xf32>
  %y = tile_gpu.load %p[%i] bounds[%i] strides[%one] plan<registers> : !tile.ptr<f32>, i32 -> tensor<3xf32>
  %z = tile_gpu.load %p[%i, %i, %i] bounds[%i, %i, %i] strides[%s, %s, %one] plan<registers, vector = 2> : !tile.ptr<f32>, i32 -> tensor<2x4x8xf32>
  tile.print "x", %x, %y, %z : tensor<48x12xf32>, tensor<3xf32>, tensor<2x4x8xf32>
  tile.return
}

// -----

// Control flow of any kind passes a layout on.
// CHECK-DAG: #[[ROWS:layout[0-9]*]] = #tile.layout<register = {{\[\[}}0, 1], [0, 2], [8, 0], [16, 0]], lane = {{\[\[}}0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = {{\[\[}}2, 0], [4, 0]], sides = [32, 64]>
// CHECK-LABEL: @control
// CHECK: scf.while {{.*}} : (tensor<32x64xf32, #[[ROWS]]>) -> tensor<32x64xf32, #[[ROWS]]>
// CHECK: scf.if %c -> (tensor<32x64xf32, #[[ROWS]]>)
// CHECK: scf.index_switch %{{.*}} -> tensor<32x64xf32, #[[ROWS]]>
// CHECK: scf.execute_region -> tensor<32x64xf32, #[[ROWS]]>
tile.kernel @control(%p: !tile.ptr<f32>, %i: i32, %s: i64, %c: i1) {
  %one = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<32x64xf32>
  %x = tile_gpu.load %p[%i, %i] bounds[%i, %i] strides[%s, %one] plan<registers, vector = 4> : !tile.ptr<f32>, i32 -> tensor<32x64xf32>
  %r = scf.while (%a = %x) : (tensor<32x64xf32>) -> tensor<32x64xf32> {
    scf.condition(%c) %a : tensor<32x64xf32>
  } do {
  ^bb0(%b: tensor<32x64xf32>):
    %t = scf.if %c -> (tensor<32x64xf32>) {
      scf.yield %b : tensor<32x64xf32>
    } else {
      scf.yield %zero : tensor<32x64xf32>
    }
    scf.yield %t : tensor<32x64xf32>
  }
  %at = arith.index_cast %i : i32 to index
  %u = scf.index_switch %at -> tensor<32x64xf32>
  case 0 { scf.yield %r : tensor<32x64xf32> }
  default { scf.yield %zero : tensor<32x64xf32> }
  %v = scf.execute_region -> tensor<32x64xf32> { scf.yield %u : tensor<32x64xf32> }
  tile.print "v", %v : tensor<32x64xf32>
  tile.return
}

// -----

// A value that is yielded twice, and one that the loop leaves alone, have layouts
// too; a scalar condition chooses between whole tiles.
// CHECK-DAG: #[[ROWS:layout[0-9]*]] = #tile.layout<register = {{\[\[}}0, 1], [0, 2], [8, 0], [16, 0]], lane = {{\[\[}}0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = {{\[\[}}2, 0], [4, 0]], sides = [32, 64]>
// CHECK-LABEL: @yielded_twice
// CHECK: scf.for {{.*}} -> (tensor<32x64xf32, #[[ROWS]]>, tensor<32x64xf32, #[[ROWS]]>)
// CHECK: arith.select %c, {{.*}} : tensor<32x64xf32, #[[ROWS]]>
tile.kernel @yielded_twice(%p: !tile.ptr<f32>, %n: i32, %s: i64, %c: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1 : i64
  %x = tile_gpu.load %p[%n, %n] bounds[%n, %n] strides[%s, %one] plan<registers, vector = 4> : !tile.ptr<f32>, i32 -> tensor<32x64xf32>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%u = %x, %v = %x) -> (tensor<32x64xf32>, tensor<32x64xf32>) : i32 {
    %w = arith.addf %u, %v : tensor<32x64xf32>
    scf.yield %w, %w : tensor<32x64xf32>, tensor<32x64xf32>
  }
  %q = arith.select %c, %r#0, %r#1 : tensor<32x64xf32>
  tile.print "q", %q : tensor<32x64xf32>
  tile.return
}

// -----

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], sides = [32, 32]>

// A fragment's short runs are rearranged before a store of wider vectors, unless
// the plan says that results leave as they are.
// CHECK-LABEL: @staged_store
// CHECK: %[[D:.*]] = tile_gpu.mma
// CHECK: %[[Y:.*]] = tile_gpu.convert_layout %[[D]]
// CHECK: tile_gpu.store %[[Y]], {{.*}} vector = 4>
// CHECK: tile_gpu.store %[[D]], {{.*}} vector = 2>
// CHECK-LABEL: @direct_store
// CHECK-NOT: tile_gpu.convert_layout
tile.kernel @staged_store(%p: !tile.ptr<f32>, %i: i32, %s: i64) {
  %one = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x32x32xf16, #k>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  %d = tile_gpu.mma %a[%c], %a[%c], %zero plan<mma_sync, m = 16, n = 8, k = 16, warps = [2, 2]>
        : !tile_gpu.buffer<1x32x32xf16, #k>, !tile_gpu.cursor<1>, !tile_gpu.buffer<1x32x32xf16, #k>, !tile_gpu.cursor<1> -> tensor<32x32xf32>
  tile_gpu.store %d, %p[%i, %i] bounds[%i, %i] strides[%s, %one] plan<registers, vector = 4> : tensor<32x32xf32>, !tile.ptr<f32>, i32
  tile_gpu.store %d, %p[%i, %i] bounds[%i, %i] strides[%s, %one] plan<registers, vector = 2> : tensor<32x32xf32>, !tile.ptr<f32>, i32
  tile.return
}
tile.kernel @direct_store(%p: !tile.ptr<f32>, %i: i32, %s: i64) plan #tile.plan<epilogue = "direct"> {
  %one = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x32x32xf16, #k>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  %d = tile_gpu.mma %a[%c], %a[%c], %zero plan<mma_sync, m = 16, n = 8, k = 16, warps = [2, 2]>
        : !tile_gpu.buffer<1x32x32xf16, #k>, !tile_gpu.cursor<1>, !tile_gpu.buffer<1x32x32xf16, #k>, !tile_gpu.cursor<1> -> tensor<32x32xf32>
  tile_gpu.store %d, %p[%i, %i] bounds[%i, %i] strides[%s, %one] plan<registers, vector = 4> : tensor<32x32xf32>, !tile.ptr<f32>, i32
  tile_gpu.store %d, %p[%i, %i] bounds[%i, %i] strides[%s, %one] plan<registers, vector = 2> : tensor<32x32xf32>, !tile.ptr<f32>, i32
  tile.return
}

// -----

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], sides = [32, 32]>

// Short runs are rearranged in a loop, too, unless the loop uses rings, which then live beside them.
// CHECK-LABEL: @store_in_loop
// CHECK: scf.for
// CHECK: tile_gpu.convert_layout
// CHECK: scf.for
// CHECK: tile_gpu.mma
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: tile.return
tile.kernel @store_in_loop(%p: !tile.ptr<f32>, %i: i32, %s: i64) {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x32x32xf16, #k>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  %d = tile_gpu.mma %a[%c], %a[%c], %zero plan<mma_sync, m = 16, n = 8, k = 16, warps = [2, 2]>
        : !tile_gpu.buffer<1x32x32xf16, #k>, !tile_gpu.cursor<1>, !tile_gpu.buffer<1x32x32xf16, #k>, !tile_gpu.cursor<1> -> tensor<32x32xf32>
  scf.for %j = %c0 to %i step %c1 : i32 {
    tile_gpu.store %d, %p[%j, %i] bounds[%i, %i] strides[%s, %one] plan<registers, vector = 4> : tensor<32x32xf32>, !tile.ptr<f32>, i32
  }
  scf.for %j = %c0 to %i step %c1 : i32 {
    %e = tile_gpu.mma %a[%c], %a[%c], %zero plan<mma_sync, m = 16, n = 8, k = 16, warps = [2, 2]>
          : !tile_gpu.buffer<1x32x32xf16, #k>, !tile_gpu.cursor<1>, !tile_gpu.buffer<1x32x32xf16, #k>, !tile_gpu.cursor<1> -> tensor<32x32xf32>
    tile_gpu.store %e, %p[%j, %i] bounds[%i, %i] strides[%s, %one] plan<registers, vector = 4> : tensor<32x32xf32>, !tile.ptr<f32>, i32
  }
  tile.return
}

// -----

// The plan says how many warps hold a tile.
// CHECK-DAG: #[[ONE:layout[0-9]*]] = #tile.layout<register = {{\[\[}}32], [64]], lane = {{\[\[}}1], [2], [4], [8], [16]], sides = [128]>
// CHECK-LABEL: @warps
// CHECK: tensor<128xf32, #[[ONE]]>
tile.kernel @warps(%p: !tile.ptr<f32>, %i: i32, %s: i64) plan #tile.plan<warps = 1> {
  %x = tile_gpu.load %p[%i] bounds[%i] strides[%s] plan<registers> : !tile.ptr<f32>, i32 -> tensor<128xf32>
  tile.print "x", %x : tensor<128xf32>
  tile.return
}

// -----

// Elements of a constant that differ stay.
// CHECK-LABEL: @dense
// CHECK: arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32, #layout
tile.kernel @dense() {
  %x = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  tile.print "x", %x : tensor<4xi32>
  tile.return
}

// -----

// Leaves alone: a layout that is there, which its class takes over; a tile that
// nothing uses gets one all the same.
// CHECK-DAG: #[[MINE:layout[0-9]*]] = #tile.layout<register = {{\[\[}}1], [2]], sides = [4]>
// CHECK-LABEL: @kept
// CHECK: %[[X:.*]] = arith.constant dense<1> : tensor<4xi32, #[[MINE]]>
// CHECK: arith.constant dense<2> : tensor<4xi32, #layout
// CHECK: arith.addi %[[X]], %{{.*}} : tensor<4xi32, #[[MINE]]>
tile.kernel @kept() {
  %x = arith.constant dense<1> : tensor<4xi32, #tile.layout<register = [[1], [2]], sides = [4]>>
  %unused = arith.constant dense<2> : tensor<4xi32>
  %y = arith.addi %x, %x : tensor<4xi32, #tile.layout<register = [[1], [2]], sides = [4]>>
  tile.print "y", %y : tensor<4xi32, #tile.layout<register = [[1], [2]], sides = [4]>>
  tile.return
}
