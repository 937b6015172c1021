// RUN: tile-opt %s --tile-specialize | FileCheck %s

// Variants assume 1 of the stride that the program marks, and nothing but
// divisibility of the last dimension's.
// CHECK-LABEL: @copy$aligned16(
// CHECK-DAG: tile.assume %sr, <min = 1, max = 1>
// CHECK-DAG: tile.assume %sc, <divisibility = 8>
// CHECK-LABEL: @copy$aligned4(
// CHECK-DAG: tile.assume %sr, <min = 1, max = 1>
// CHECK-DAG: tile.assume %sc, <divisibility = 2>
// CHECK-LABEL: @copy$contiguous(
// CHECK: tile.assume %sr, <min = 1, max = 1>
// CHECK-NOT: tile.assume %sc
// CHECK-LABEL: @copy$general(
// CHECK-NOT: tile.assume %s
tile.kernel @copy(%a: !tile.ptr<f16>, %sr: i64 {tile.contiguous}, %sc: i64) {
  %i = tile.iota : tensor<32xi64>
  %srs = tile.splat %sr : tensor<32xi64>
  %scs = tile.splat %sc : tensor<32xi64>
  %rows = arith.muli %i, %srs : tensor<32xi64>
  %cols = arith.muli %i, %scs : tensor<32xi64>
  %row = tile.expand_dims %rows axis 1 : tensor<32xi64> -> tensor<32x1xi64>
  %col = tile.expand_dims %cols axis 0 : tensor<32xi64> -> tensor<1x32xi64>
  %rowb = tile.broadcast %row : tensor<32x1xi64> -> tensor<32x32xi64>
  %colb = tile.broadcast %col : tensor<1x32xi64> -> tensor<32x32xi64>
  %o = arith.addi %rowb, %colb : tensor<32x32xi64>
  %x = tile.load %a[%o] : !tile.ptr<f16>, tensor<32x32xi64> -> tensor<32x32xf16>
  tile.store %a[%o], %x : !tile.ptr<f16>, tensor<32x32xi64>, tensor<32x32xf16>
  tile.return
}
