// RUN: tile-opt %s --split-input-file --canonicalize | FileCheck %s

// A fold changes no bit of any result, NaN and -0.0 included.

// A splat of a constant is a constant tile.
// CHECK-LABEL: @splat_constant
// CHECK: %[[C:.*]] = arith.constant dense<-0.000000e+00> : tensor<4xf32>
// CHECK: tile.print "x", %[[C]]
tile.kernel @splat_constant() {
  %x = arith.constant -0.0 : f32
  %0 = tile.splat %x : tensor<4xf32>
  tile.print "x", %0 : tensor<4xf32>
  tile.return
}

// -----

// Reshapings of a constant splat are constants of the new shape.
// CHECK-LABEL: @shape_constant
// CHECK-DAG: %[[E:.*]] = arith.constant dense<7> : tensor<2x1x3xi32>
// CHECK-DAG: %[[B:.*]] = arith.constant dense<7> : tensor<2x5x3xi32>
// CHECK-DAG: %[[R:.*]] = arith.constant dense<7> : tensor<6xi32>
// CHECK-DAG: %[[T:.*]] = arith.constant dense<7> : tensor<3x2xi32>
// CHECK: tile.print "x", %[[E]], %[[B]], %[[R]], %[[T]]
tile.kernel @shape_constant() {
  %x = arith.constant dense<7> : tensor<2x3xi32>
  %0 = tile.expand_dims %x axis 1 : tensor<2x3xi32> -> tensor<2x1x3xi32>
  %1 = tile.broadcast %0 : tensor<2x1x3xi32> -> tensor<2x5x3xi32>
  %2 = tile.reshape %x : tensor<2x3xi32> -> tensor<6xi32>
  %3 = tile.transpose %x order [1, 0] : tensor<2x3xi32> -> tensor<3x2xi32>
  tile.print "x", %0, %1, %2, %3 : tensor<2x1x3xi32>, tensor<2x5x3xi32>,
      tensor<6xi32>, tensor<3x2xi32>
  tile.return
}

// -----

// Reshapings of a splat are splats of the new shape.
// CHECK-LABEL: @shape_splat
// CHECK-DAG: %[[E:.*]] = tile.splat %x : tensor<2x1x3xf16>
// CHECK-DAG: %[[B:.*]] = tile.splat %x : tensor<2x5x3xf16>
// CHECK-DAG: %[[R:.*]] = tile.splat %x : tensor<6xf16>
// CHECK-DAG: %[[T:.*]] = tile.splat %x : tensor<3x2xf16>
// CHECK: tile.print "x", %[[E]], %[[B]], %[[R]], %[[T]]
tile.kernel @shape_splat(%x: f16) {
  %t = tile.splat %x : tensor<2x3xf16>
  %0 = tile.expand_dims %t axis 1 : tensor<2x3xf16> -> tensor<2x1x3xf16>
  %1 = tile.broadcast %0 : tensor<2x1x3xf16> -> tensor<2x5x3xf16>
  %2 = tile.reshape %t : tensor<2x3xf16> -> tensor<6xf16>
  %3 = tile.transpose %t order [1, 0] : tensor<2x3xf16> -> tensor<3x2xf16>
  tile.print "x", %0, %1, %2, %3 : tensor<2x1x3xf16>, tensor<2x5x3xf16>,
      tensor<6xf16>, tensor<3x2xf16>
  tile.return
}

// -----

// A shape op that changes nothing is its source.
// CHECK-LABEL: @shape_identity
// CHECK: %[[I:.*]] = tile.iota
// CHECK-NEXT: tile.print "x", %[[I]], %[[I]], %[[I]]
tile.kernel @shape_identity() {
  %i = tile.iota : tensor<4xi32>
  %0 = tile.broadcast %i : tensor<4xi32> -> tensor<4xi32>
  %1 = tile.reshape %i : tensor<4xi32> -> tensor<4xi32>
  %2 = tile.transpose %i order [0] : tensor<4xi32> -> tensor<4xi32>
  tile.print "x", %0, %1, %2 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
  tile.return
}

// -----

// Two broadcasts are one.
// CHECK-LABEL: @broadcast_broadcast
// CHECK: %[[T:.*]] = tile.load
// CHECK-NEXT: %[[B:.*]] = tile.broadcast %[[T]] : tensor<1x1xf32> -> tensor<8x4xf32>
// CHECK-NEXT: tile.print "x", %[[B]]
tile.kernel @broadcast_broadcast(%p: !tile.ptr<f32>) {
  %o = arith.constant dense<3> : tensor<1x1xi32>
  %t = tile.load %p[%o] : !tile.ptr<f32>, tensor<1x1xi32> -> tensor<1x1xf32>
  %0 = tile.broadcast %t : tensor<1x1xf32> -> tensor<8x1xf32>
  %1 = tile.broadcast %0 : tensor<8x1xf32> -> tensor<8x4xf32>
  tile.print "x", %1 : tensor<8x4xf32>
  tile.return
}

// -----

// A dimension is inserted before the broadcast, where the tile is smaller.
// CHECK-LABEL: @expand_dims_broadcast
// CHECK: %[[T:.*]] = tile.load
// CHECK-NEXT: %[[E:.*]] = tile.expand_dims %[[T]] axis 1 : tensor<4x1xf32> -> tensor<4x1x1xf32>
// CHECK-NEXT: %[[B:.*]] = tile.broadcast %[[E]] : tensor<4x1x1xf32> -> tensor<4x1x8xf32>
// CHECK-NEXT: tile.print "x", %[[B]]
tile.kernel @expand_dims_broadcast(%p: !tile.ptr<f32>) {
  %o = arith.constant dense<3> : tensor<4x1xi32>
  %t = tile.load %p[%o] : !tile.ptr<f32>, tensor<4x1xi32> -> tensor<4x1xf32>
  %0 = tile.broadcast %t : tensor<4x1xf32> -> tensor<4x8xf32>
  %1 = tile.expand_dims %0 axis 1 : tensor<4x8xf32> -> tensor<4x1x8xf32>
  tile.print "x", %1 : tensor<4x1x8xf32>
  tile.return
}

// -----

// A reshape looks through what keeps the row-major order.
// CHECK-LABEL: @reshape_chain
// CHECK: %[[I:.*]] = tile.iota
// CHECK-NEXT: %[[R:.*]] = tile.reshape %[[I]] : tensor<12xi32> -> tensor<6x2xi32>
// CHECK-NEXT: tile.print "x", %[[R]], %[[I]]
tile.kernel @reshape_chain() {
  %i = tile.iota : tensor<12xi32>
  %0 = tile.expand_dims %i axis 0 : tensor<12xi32> -> tensor<1x12xi32>
  %1 = tile.reshape %0 : tensor<1x12xi32> -> tensor<3x4xi32>
  %2 = tile.reshape %1 : tensor<3x4xi32> -> tensor<6x2xi32>
  %3 = tile.reshape %0 : tensor<1x12xi32> -> tensor<12xi32>
  tile.print "x", %2, %3 : tensor<6x2xi32>, tensor<12xi32>
  tile.return
}

// -----

// Orders compose: dimension i of the result is order0[order1[i]] of the source.
// CHECK-LABEL: @transpose_transpose
// CHECK: %[[R:.*]] = tile.reshape
// CHECK-NEXT: %[[T:.*]] = tile.transpose %[[R]] order [0, 2, 1] : tensor<2x3x4xi32> -> tensor<2x4x3xi32>
// CHECK-NEXT: tile.print "x", %[[T]]
tile.kernel @transpose_transpose() {
  %i = tile.iota : tensor<24xi32>
  %r = tile.reshape %i : tensor<24xi32> -> tensor<2x3x4xi32>
  %0 = tile.transpose %r order [1, 2, 0] : tensor<2x3x4xi32> -> tensor<3x4x2xi32>
  %1 = tile.transpose %0 order [2, 1, 0] : tensor<3x4x2xi32> -> tensor<2x4x3xi32>
  tile.print "x", %1 : tensor<2x4x3xi32>
  tile.return
}

// -----

// A transpose and its inverse are nothing.
// CHECK-LABEL: @transpose_inverse
// CHECK: %[[R:.*]] = tile.reshape
// CHECK-NEXT: tile.print "x", %[[R]]
tile.kernel @transpose_inverse() {
  %i = tile.iota : tensor<24xi32>
  %r = tile.reshape %i : tensor<24xi32> -> tensor<2x3x4xi32>
  %0 = tile.transpose %r order [1, 2, 0] : tensor<2x3x4xi32> -> tensor<3x4x2xi32>
  %1 = tile.transpose %0 order [2, 0, 1] : tensor<3x4x2xi32> -> tensor<2x3x4xi32>
  tile.print "x", %1 : tensor<2x3x4xi32>
  tile.return
}

// -----

// An offset of 0 is the pointer.
// CHECK-LABEL: @offset_zero
// CHECK-NEXT: tile.assume %p, <noalias>
tile.kernel @offset_zero(%p: !tile.ptr<f32>) {
  %zero = arith.constant 0 : i32
  %0 = tile.offset %p, %zero : !tile.ptr<f32>, i32
  tile.assume %0, <noalias> : !tile.ptr<f32>
  tile.return
}

// -----

// Constant offsets add up in 64 bits, where two i32 would have overflowed.
// CHECK-LABEL: @offset_constants
// CHECK-NEXT: %[[C:.*]] = arith.constant 4294967294 : i64
// CHECK-NEXT: %[[Q:.*]] = tile.offset %p, %[[C]] : !tile.ptr<f32>, i64
// CHECK-NEXT: tile.assume %[[Q]]
tile.kernel @offset_constants(%p: !tile.ptr<f32>) {
  %c = arith.constant 2147483647 : i32
  %0 = tile.offset %p, %c : !tile.ptr<f32>, i32
  %1 = tile.offset %0, %c : !tile.ptr<f32>, i32
  tile.assume %1, <noalias> : !tile.ptr<f32>
  tile.return
}

// -----

// Offsets in i64 add up, whatever they are.
// CHECK-LABEL: @offset_offset
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %n, %m : i64
// CHECK-NEXT: %[[Q:.*]] = tile.offset %p, %[[SUM]] : !tile.ptr<f32>, i64
// CHECK-NEXT: tile.assume %[[Q]]
tile.kernel @offset_offset(%p: !tile.ptr<f32>, %n: i64, %m: i64) {
  %0 = tile.offset %p, %n : !tile.ptr<f32>, i64
  %1 = tile.offset %0, %m : !tile.ptr<f32>, i64
  tile.assume %1, <noalias> : !tile.ptr<f32>
  tile.return
}

// -----

// Unknown offsets in i32 stay apart: their sum could wrap.
// CHECK-LABEL: @offset_narrow
// CHECK-NEXT: tile.offset %p, %n : !tile.ptr<f32>, i32
// CHECK-NEXT: tile.offset %{{.*}}, %m : !tile.ptr<f32>, i32
tile.kernel @offset_narrow(%p: !tile.ptr<f32>, %n: i32, %m: i32) {
  %0 = tile.offset %p, %n : !tile.ptr<f32>, i32
  %1 = tile.offset %0, %m : !tile.ptr<f32>, i32
  tile.assume %1, <noalias> : !tile.ptr<f32>
  tile.return
}

// -----

// A mask that always holds goes, and with it what masked lanes would have read.
// CHECK-LABEL: @load_mask_true
// CHECK: tile.load %p[%{{.*}}] : !tile.ptr<f32>, tensor<4xi32> -> tensor<4xf32>
tile.kernel @load_mask_true(%p: !tile.ptr<f32>, %x: f32) {
  %i = tile.iota : tensor<4xi32>
  %m = arith.constant dense<true> : tensor<4xi1>
  %0 = tile.load %p[%i] mask %m other %x
      : !tile.ptr<f32>, tensor<4xi32>, f32 -> tensor<4xf32>
  tile.print "x", %0 : tensor<4xf32>
  tile.return
}

// -----

// A load of no lane is what masked lanes read: zero, a scalar's splat, a tile.
// CHECK-LABEL: @load_mask_false
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-DAG: %[[SPLAT:.*]] = tile.splat %x : tensor<4xf32>
// CHECK-NOT: tile.load
// CHECK: tile.print "x", %[[ZERO]], %[[SPLAT]], %[[SPLAT]], %x
tile.kernel @load_mask_false(%p: !tile.ptr<f32>, %x: f32) {
  %i = tile.iota : tensor<4xi32>
  %m = arith.constant dense<false> : tensor<4xi1>
  %off = arith.constant false
  %zero = arith.constant 0 : i32
  %0 = tile.load %p[%i] mask %m : !tile.ptr<f32>, tensor<4xi32> -> tensor<4xf32>
  %1 = tile.load %p[%i] mask %m other %x
      : !tile.ptr<f32>, tensor<4xi32>, f32 -> tensor<4xf32>
  %2 = tile.load %p[%i] mask %m other %1
      : !tile.ptr<f32>, tensor<4xi32>, tensor<4xf32> -> tensor<4xf32>
  %3 = tile.load %p[%zero] mask %off other %x : !tile.ptr<f32>, i32, f32 -> f32
  tile.print "x", %0, %1, %2, %3
      : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, f32
  tile.return
}

// -----

// A mask of which one lane is off is no constant.
// CHECK-LABEL: @load_mask_mixed
// CHECK: tile.load %p[%{{.*}}] mask
tile.kernel @load_mask_mixed(%p: !tile.ptr<f32>) {
  %i = tile.iota : tensor<2xi32>
  %m = arith.constant dense<[true, false]> : tensor<2xi1>
  %0 = tile.load %p[%i] mask %m : !tile.ptr<f32>, tensor<2xi32> -> tensor<2xf32>
  tile.print "x", %0 : tensor<2xf32>
  tile.return
}

// -----

// A store under a mask that never holds is nothing, under one that always does
// it has none.
// CHECK-LABEL: @store_mask
// CHECK-NEXT: tile.store %p[%i], %x : !tile.ptr<f32>, i32, f32
// CHECK-NEXT: tile.return
tile.kernel @store_mask(%p: !tile.ptr<f32>, %i: i32, %x: f32) {
  %on = arith.constant true
  %off = arith.constant false
  tile.store %p[%i], %x mask %on : !tile.ptr<f32>, i32, f32
  tile.store %p[%i], %x mask %off : !tile.ptr<f32>, i32, f32
  tile.return
}

// -----

// An update under a mask that never holds returns zero and does nothing.
// CHECK-LABEL: @atomic_rmw_mask
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-NEXT: %[[OLD:.*]] = tile.atomic_rmw addi %p[%i], %i : !tile.ptr<i32>, i32, i32
// CHECK-NEXT: tile.print "x", %[[OLD]], %[[ZERO]]
tile.kernel @atomic_rmw_mask(%p: !tile.ptr<i32>, %i: i32) {
  %on = arith.constant true
  %off = arith.constant false
  %0 = tile.atomic_rmw addi %p[%i], %i mask %on : !tile.ptr<i32>, i32, i32
  %1 = tile.atomic_rmw addi %p[%i], %i mask %off : !tile.ptr<i32>, i32, i32
  tile.print "x", %0, %1 : i32, i32
  tile.return
}

// -----

// An update whose result nobody reads still happens; a load does not.
// CHECK-LABEL: @unused
// CHECK-NEXT: tile.atomic_rmw
// CHECK-NEXT: tile.atomic_cas
// CHECK-NEXT: tile.return
tile.kernel @unused(%p: !tile.ptr<i32>, %i: i32) {
  %0 = tile.load %p[%i] : !tile.ptr<i32>, i32 -> i32
  %1 = tile.atomic_rmw addi %p[%i], %i : !tile.ptr<i32>, i32, i32
  %2 = tile.atomic_cas %p[%i], %i, %i : !tile.ptr<i32>, i32, i32
  tile.return
}

// -----

// An integer product with zeros adds nothing.
// CHECK-LABEL: @dot_zero_integer
// CHECK: %[[ACC:.*]] = tile.splat %y
// CHECK-NOT: tile.dot
// CHECK: tile.print "x", %[[ACC]], %[[ACC]]
tile.kernel @dot_zero_integer(%x: i8, %y: i32) {
  %z = arith.constant dense<0> : tensor<2x2xi8>
  %b = tile.splat %x : tensor<2x2xi8>
  %c = tile.splat %y : tensor<2x2xi32>
  %0 = tile.dot %z, %b, %c : tensor<2x2xi8>, tensor<2x2xi8> -> tensor<2x2xi32>
  %1 = tile.dot %b, %z, %c : tensor<2x2xi8>, tensor<2x2xi8> -> tensor<2x2xi32>
  tile.print "x", %0, %1 : tensor<2x2xi32>, tensor<2x2xi32>
  tile.return
}

// -----

// A float product with zeros stays: of infinity it is NaN.
// CHECK-LABEL: @dot_zero_float
// CHECK: tile.dot
tile.kernel @dot_zero_float(%x: f32) {
  %z = arith.constant dense<0.0> : tensor<2x2xf32>
  %b = tile.splat %x : tensor<2x2xf32>
  %0 = tile.dot %z, %b, %b : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
  tile.print "x", %0 : tensor<2x2xf32>
  tile.return
}

// -----

// Where a side is 1 there is nothing to reduce.
// CHECK-LABEL: @reduce_unit
// CHECK: %[[T:.*]] = tile.load
// CHECK-NEXT: %[[R:.*]] = tile.reshape %[[T]] : tensor<4x1xf32> -> tensor<4xf32>
// CHECK-NEXT: tile.print "x", %[[R]]
tile.kernel @reduce_unit(%p: !tile.ptr<f32>) {
  %o = arith.constant dense<3> : tensor<4x1xi32>
  %t = tile.load %p[%o] : !tile.ptr<f32>, tensor<4x1xi32> -> tensor<4x1xf32>
  %0 = tile.reduce %t axis 1 {
  ^bb0(%l: f32, %r: f32):
    %sum = arith.addf %l, %r : f32
    tile.yield %sum : f32
  } : tensor<4x1xf32> -> tensor<4xf32>
  tile.print "x", %0 : tensor<4xf32>
  tile.return
}

// -----

// A scalar can't be reshaped to: a reduction of one element stays.
// CHECK-LABEL: @reduce_unit_scalar
// CHECK: tile.reduce
tile.kernel @reduce_unit_scalar(%p: !tile.ptr<f32>) {
  %o = arith.constant dense<3> : tensor<1xi32>
  %t = tile.load %p[%o] : !tile.ptr<f32>, tensor<1xi32> -> tensor<1xf32>
  %0 = tile.reduce %t axis 0 {
  ^bb0(%l: f32, %r: f32):
    %sum = arith.addf %l, %r : f32
    tile.yield %sum : f32
  } : tensor<1xf32> -> f32
  tile.print "x", %0 : f32
  tile.return
}

// -----

// A scan along a side of 1 is its operand.
// CHECK-LABEL: @scan_unit
// CHECK: %[[T:.*]] = tile.load
// CHECK-NEXT: tile.print "x", %[[T]]
tile.kernel @scan_unit(%p: !tile.ptr<f32>) {
  %o = arith.constant dense<3> : tensor<4x1xi32>
  %t = tile.load %p[%o] : !tile.ptr<f32>, tensor<4x1xi32> -> tensor<4x1xf32>
  %0 = tile.scan %t axis 1 reverse {
  ^bb0(%l: f32, %r: f32):
    %sum = arith.addf %l, %r : f32
    tile.yield %sum : f32
  } : tensor<4x1xf32> -> tensor<4x1xf32>
  tile.print "x", %0 : tensor<4x1xf32>
  tile.return
}

// -----

// A fact that says nothing, or that holds of a constant, goes; one that a
// constant breaks stays, to be reported.
// CHECK-LABEL: @assume
// CHECK-NEXT: %[[C:.*]] = arith.constant 48 : i64
// CHECK-NEXT: tile.assume %[[C]], <divisibility = 32> : i64
// CHECK-NEXT: tile.assume %[[C]], <max = 47> : i64
// CHECK-NEXT: tile.assume %n, <min = 0> : i64
// CHECK-NEXT: tile.return
tile.kernel @assume(%n: i64) {
  %c = arith.constant 48 : i64
  tile.assume %n, <> : i64
  tile.assume %n, <divisibility = 1> : i64
  tile.assume %c, <divisibility = 16, min = 48, max = 48> : i64
  tile.assume %c, <divisibility = 32> : i64
  tile.assume %c, <max = 47> : i64
  tile.assume %n, <min = 0> : i64
  tile.return
}
