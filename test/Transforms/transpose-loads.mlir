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
