// RUN: tile-opt %s --tile-transpose-loads | FileCheck %s

// An operand that is loaded and turned is loaded at turned offsets, with its mask.
// CHECK-LABEL: tile.kernel @operand(
// CHECK-SAME: %[[K:k]]: !tile.ptr<f16>, %c
// CHECK: %[[O:.*]] = tile.transpose %{{.*}} order [1, 0] : tensor<32x16xi64> -> tensor<16x32xi64>
// CHECK: %[[M:.*]] = tile.transpose %{{.*}} order [1, 0] : tensor<32x16xi1> -> tensor<16x32xi1>
// CHECK: %[[Y:.*]] = tile.load %[[K]][%[[O]]] mask %[[M]] other %{{.*}} -> tensor<16x32xf16>
// CHECK-NOT: tile.transpose
// CHECK: tile.dot %{{.*}}, %[[Y]]
tile.kernel @operand(%k: !tile.ptr<f16>, %c: !tile.ptr<f32>) {
  %o = arith.constant dense<3> : tensor<32x16xi64>
  %m = arith.constant dense<true> : tensor<32x16xi1>
  %one = arith.constant 1.0 : f16
  %y = tile.load %k[%o] mask %m other %one : !tile.ptr<f16>, tensor<32x16xi64>, f16 -> tensor<32x16xf16>
  %t = tile.transpose %y order [1, 0] : tensor<32x16xf16> -> tensor<16x32xf16>
  %q = arith.constant dense<1.0> : tensor<16x16xf16>
  %z = arith.constant dense<0.0> : tensor<16x32xf32>
  %d = tile.dot %q, %t, %z : tensor<16x16xf16>, tensor<16x32xf16> -> tensor<16x32xf32>
  %p = arith.constant dense<0> : tensor<16x32xi64>
  tile.store %c[%p], %d : !tile.ptr<f32>, tensor<16x32xi64>, tensor<16x32xf32>
  tile.return
}

// A turned tile that is stored may be how whole lines are written.
// CHECK-LABEL: tile.kernel @stored(
// CHECK: tile.load {{.*}} -> tensor<32x16xf16>
// CHECK: tile.transpose {{.*}} -> tensor<16x32xf16>
tile.kernel @stored(%k: !tile.ptr<f16>, %c: !tile.ptr<f16>) {
  %o = arith.constant dense<3> : tensor<32x16xi64>
  %y = tile.load %k[%o] : !tile.ptr<f16>, tensor<32x16xi64> -> tensor<32x16xf16>
  %t = tile.transpose %y order [1, 0] : tensor<32x16xf16> -> tensor<16x32xf16>
  %p = arith.constant dense<0> : tensor<16x32xi64>
  tile.store %c[%p], %t : !tile.ptr<f16>, tensor<16x32xi64>, tensor<16x32xf16>
  tile.return
}

// A tile that is used both ways is loaded once.
// CHECK-LABEL: tile.kernel @both(
// CHECK-COUNT-1: tile.load
// CHECK: tile.transpose
// CHECK-NOT: tile.load
tile.kernel @both(%k: !tile.ptr<f16>, %c: !tile.ptr<f32>) {
  %o = arith.constant dense<3> : tensor<16x16xi64>
  %y = tile.load %k[%o] : !tile.ptr<f16>, tensor<16x16xi64> -> tensor<16x16xf16>
  %t = tile.transpose %y order [1, 0] : tensor<16x16xf16> -> tensor<16x16xf16>
  %z = arith.constant dense<0.0> : tensor<16x16xf32>
  %d = tile.dot %y, %t, %z : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  tile.store %c[%o], %d : !tile.ptr<f32>, tensor<16x16xi64>, tensor<16x16xf32>
  tile.return
}

// Offsets and masks are computed the other way round, line by line; only what
// was loaded is turned itself, before it is repeated.
// CHECK-LABEL: tile.kernel @computed(
// CHECK: %[[LINE:.*]] = tile.load %{{.*}} -> tensor<32xi64>
// CHECK: %[[WIDE:.*]] = tile.load %{{.*}} -> tensor<32x16xi64>
// CHECK: %[[ROWS:.*]] = tile.expand_dims %[[LINE]] axis 0 : tensor<32xi64> -> tensor<1x32xi64>
// CHECK: %[[ALL_ROWS:.*]] = tile.broadcast %[[ROWS]] : tensor<1x32xi64> -> tensor<16x32xi64>
// CHECK: %[[TURNED:.*]] = tile.transpose %[[WIDE]] order [1, 0] : tensor<32x16xi64> -> tensor<16x32xi64>
// CHECK: %[[O:.*]] = arith.addi %[[ALL_ROWS]], %[[TURNED]] : tensor<16x32xi64>
// CHECK: %[[NS:.*]] = tile.splat %n : tensor<16x32xi64>
// CHECK: %[[M:.*]] = arith.cmpi slt, %[[ALL_ROWS]], %[[NS]] : tensor<16x32xi64>
// CHECK: %[[Y:.*]] = tile.load %k[%[[O]]] mask %[[M]] : !tile.ptr<f16>, tensor<16x32xi64> -> tensor<16x32xf16>
// CHECK-NOT: tile.transpose
// CHECK: tile.dot %{{.*}}, %[[Y]]
tile.kernel @computed(%k: !tile.ptr<f16>, %list: !tile.ptr<i64>, %n: i64, %c: !tile.ptr<f32>) {
  %i = tile.iota : tensor<32xi32>
  %line = tile.load %list[%i] : !tile.ptr<i64>, tensor<32xi32> -> tensor<32xi64>
  %zeros = arith.constant dense<0> : tensor<32x16xi32>
  %wide = tile.load %list[%zeros] : !tile.ptr<i64>, tensor<32x16xi32> -> tensor<32x16xi64>
  %rows = tile.expand_dims %line axis 1 : tensor<32xi64> -> tensor<32x1xi64>
  %all_rows = tile.broadcast %rows : tensor<32x1xi64> -> tensor<32x16xi64>
  %o = arith.addi %all_rows, %wide : tensor<32x16xi64>
  %ns = tile.splat %n : tensor<32x16xi64>
  %m = arith.cmpi slt, %all_rows, %ns : tensor<32x16xi64>
  %y = tile.load %k[%o] mask %m : !tile.ptr<f16>, tensor<32x16xi64> -> tensor<32x16xf16>
  %t = tile.transpose %y order [1, 0] : tensor<32x16xf16> -> tensor<16x32xf16>
  %q = arith.constant dense<1.0> : tensor<16x16xf16>
  %z = arith.constant dense<0.0> : tensor<16x32xf32>
  %d = tile.dot %q, %t, %z : tensor<16x16xf16>, tensor<16x32xf16> -> tensor<16x32xf32>
  %p = arith.constant dense<0> : tensor<16x32xi64>
  tile.store %c[%p], %d : !tile.ptr<f32>, tensor<16x32xi64>, tensor<16x32xf32>
  tile.return
}

// -----

// An op of two results is not computed the other way round: its results are
// turned as they are.
// CHECK-LABEL: @two_results
// CHECK: %{{.*}}, %[[HIGH:.*]] = arith.mului_extended
// CHECK: tile.transpose %[[HIGH]] order [1, 0]
// CHECK: tile.dot
tile.kernel @two_results(%k: !tile.ptr<f16>, %c: !tile.ptr<f32>) {
  %i = tile.iota : tensor<16xi64>
  %r = tile.expand_dims %i axis 1 : tensor<16xi64> -> tensor<16x1xi64>
  %rows = tile.broadcast %r : tensor<16x1xi64> -> tensor<16x16xi64>
  %j = tile.iota : tensor<16xi64>
  %jj = tile.expand_dims %j axis 0 : tensor<16xi64> -> tensor<1x16xi64>
  %cols = tile.broadcast %jj : tensor<1x16xi64> -> tensor<16x16xi64>
  %m = arith.constant dense<4611686018427387904> : tensor<16x16xi64>
  %lo, %hi = arith.mului_extended %rows, %m : tensor<16x16xi64>
  %s = arith.constant dense<32> : tensor<16x16xi64>
  %o0 = arith.muli %hi, %s : tensor<16x16xi64>
  %o = arith.addi %o0, %cols : tensor<16x16xi64>
  %y = tile.load %k[%o] : !tile.ptr<f16>, tensor<16x16xi64> -> tensor<16x16xf16>
  %t = tile.transpose %y order [1, 0] : tensor<16x16xf16> -> tensor<16x16xf16>
  %q = arith.constant dense<1.0> : tensor<16x16xf16>
  %z = arith.constant dense<0.0> : tensor<16x16xf32>
  %d = tile.dot %q, %t, %z : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  %p0 = tile.broadcast %r : tensor<16x1xi64> -> tensor<16x16xi64>
  %s16 = arith.constant dense<16> : tensor<16x16xi64>
  %p1 = arith.muli %p0, %s16 : tensor<16x16xi64>
  %i2 = tile.expand_dims %i axis 0 : tensor<16xi64> -> tensor<1x16xi64>
  %p2 = tile.broadcast %i2 : tensor<1x16xi64> -> tensor<16x16xi64>
  %p = arith.addi %p1, %p2 : tensor<16x16xi64>
  tile.store %c[%p], %d : !tile.ptr<f32>, tensor<16x16xi64>, tensor<16x16xf32>
  tile.return
}
