// RUN: tile-opt %s --tile-plan | FileCheck %s
// RUN: tile-opt %s --tile-plan=set=tail=split | FileCheck %s --check-prefix=SPLIT
// RUN: tile-opt %s --tile-plan=set=tail=masked | FileCheck %s --check-prefix=MASKED
// RUN: tile-opt %s --tile-plan --remark-format=emitRemark --remarks-filter=tile-plan 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// RUN: tile-opt %s --tile-plan=set=tail=split --remark-format=emitRemark --remarks-filter=tile-plan 2>&1 >/dev/null | FileCheck %s --check-prefix=NOTHING

// MASKED-NOT: tail = "split"
// REMARK-COUNT-1: Function=narrow | Remark="copies of whole tiles have no masks"
// REMARK-NOT: copies of whole tiles
// NOTHING: Function=unmasked | Remark="copies of whole tiles without masks: threads make no copies under a mask in a loop"

// Copies of fewer than 16 bytes are so many that their masks are worth a branch.
// CHECK-LABEL: tile.kernel @narrow
// CHECK-SAME: tail = "split"
// SPLIT-LABEL: tile.kernel @narrow
// SPLIT-SAME: tail = "split"
tile.kernel @narrow(%p: !tile.ptr<f16> {tile.fact = #tile.fact<divisibility = 4>}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %i = tile.iota : tensor<32xi32>
  %end = tile.splat %n : tensor<32xi32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%s = %zero) -> (tensor<32x32xf32>) : i32 {
    %first = tile.splat %k : tensor<32xi32>
    %at = arith.addi %first, %i overflow<nsw> : tensor<32xi32>
    %in = arith.cmpi slt, %at, %end : tensor<32xi32>
    %line = tile.expand_dims %at axis 0 : tensor<32xi32> -> tensor<1x32xi32>
    %o = tile.broadcast %line : tensor<1x32xi32> -> tensor<32x32xi32>
    %in_line = tile.expand_dims %in axis 0 : tensor<32xi1> -> tensor<1x32xi1>
    %m = tile.broadcast %in_line : tensor<1x32xi1> -> tensor<32x32xi1>
    %x = tile.load %p[%o] mask %m : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %d = tile.dot %x, %x, %s : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    scf.yield %d : tensor<32x32xf32>
  }
  tile.print "r", %r : tensor<32x32xf32>
  tile.return
}

// Loads into registers are left to who asks.
// CHECK-LABEL: tile.kernel @registers
// CHECK-NOT: tail
// CHECK-SAME: tile.decisions
// SPLIT-LABEL: tile.kernel @registers
// SPLIT-SAME: tail = "split"
tile.kernel @registers(%p: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %i = tile.iota : tensor<32xi32>
  %end = tile.splat %n : tensor<32xi32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%s = %zero) -> (tensor<32x32xf32>) : i32 {
    %first = tile.splat %k : tensor<32xi32>
    %at = arith.addi %first, %i overflow<nsw> : tensor<32xi32>
    %in = arith.cmpi slt, %at, %end : tensor<32xi32>
    %line = tile.expand_dims %at axis 0 : tensor<32xi32> -> tensor<1x32xi32>
    %o = tile.broadcast %line : tensor<1x32xi32> -> tensor<32x32xi32>
    %in_line = tile.expand_dims %in axis 0 : tensor<32xi1> -> tensor<1x32xi1>
    %m = tile.broadcast %in_line : tensor<1x32xi1> -> tensor<32x32xi1>
    %x = tile.load %p[%o] mask %m : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %d = tile.dot %x, %x, %s : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    scf.yield %d : tensor<32x32xf32>
  }
  tile.print "r", %r : tensor<32x32xf32>
  tile.return
}

// With copies of 16 bytes it is left to who asks.
// CHECK-LABEL: tile.kernel @wide
// CHECK-NOT: tail
// CHECK-SAME: tile.decisions
// SPLIT-LABEL: tile.kernel @wide
// SPLIT-SAME: tail = "split"
tile.kernel @wide(%p: !tile.ptr<f16> {tile.fact = #tile.fact<divisibility = 16>}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %i = tile.iota : tensor<32xi32>
  %end = tile.splat %n : tensor<32xi32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%s = %zero) -> (tensor<32x32xf32>) : i32 {
    %first = tile.splat %k : tensor<32xi32>
    %at = arith.addi %first, %i overflow<nsw> : tensor<32xi32>
    %in = arith.cmpi slt, %at, %end : tensor<32xi32>
    %line = tile.expand_dims %at axis 0 : tensor<32xi32> -> tensor<1x32xi32>
    %o = tile.broadcast %line : tensor<1x32xi32> -> tensor<32x32xi32>
    %in_line = tile.expand_dims %in axis 0 : tensor<32xi1> -> tensor<1x32xi1>
    %m = tile.broadcast %in_line : tensor<1x32xi1> -> tensor<32x32xi1>
    %x = tile.load %p[%o] mask %m : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %d = tile.dot %x, %x, %s : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    scf.yield %d : tensor<32x32xf32>
  }
  tile.print "r", %r : tensor<32x32xf32>
  tile.return
}

// Where nothing is masked there is nothing to split, however narrow the copies.
// CHECK-LABEL: tile.kernel @unmasked
// CHECK-NOT: tail
// CHECK-SAME: tile.decisions
tile.kernel @unmasked(%p: !tile.ptr<f16> {tile.fact = #tile.fact<divisibility = 4>}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %i = tile.iota : tensor<32xi32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%s = %zero) -> (tensor<32x32xf32>) : i32 {
    %first = tile.splat %k : tensor<32xi32>
    %at = arith.addi %first, %i overflow<nsw> : tensor<32xi32>
    %line = tile.expand_dims %at axis 0 : tensor<32xi32> -> tensor<1x32xi32>
    %o = tile.broadcast %line : tensor<1x32xi32> -> tensor<32x32xi32>
    %x = tile.load %p[%o] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %d = tile.dot %x, %x, %s : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    scf.yield %d : tensor<32x32xf32>
  }
  tile.print "r", %r : tensor<32x32xf32>
  tile.return
}
