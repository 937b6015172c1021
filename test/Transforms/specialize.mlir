// RUN: tile-opt %s --tile-specialize --split-input-file | FileCheck %s

// The inner stride, the alignment of addresses and outer strides, and what a
// store's mask compares with give four variants, from the most to the least
// specialised, each with the facts that it assumes; a stride that is assumed to
// be 1 is the constant.
// CHECK-LABEL: @copy$aligned16(
// CHECK-SAME: variant "aligned16"
// CHECK-DAG: tile.assume %a, <divisibility = 16>
// CHECK-DAG: tile.assume %si, <min = 1, max = 1>
// CHECK-DAG: tile.assume %so, <divisibility = 8>
// CHECK-DAG: tile.assume %n, <divisibility = 8, min = 1>
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK: tile.splat %[[ONE]]
// CHECK-LABEL: @copy$aligned4(
// CHECK-SAME: variant "aligned4"
// CHECK-DAG: tile.assume %a, <divisibility = 4>
// CHECK-DAG: tile.assume %si, <min = 1, max = 1>
// CHECK-DAG: tile.assume %so, <divisibility = 2>
// CHECK-DAG: tile.assume %n, <divisibility = 2>
// CHECK-LABEL: @copy$contiguous(
// CHECK-SAME: variant "contiguous"
// CHECK-NEXT: tile.assume %si, <min = 1, max = 1>
// CHECK-NOT: tile.assume
// CHECK-LABEL: @copy$general(
// CHECK-SAME: variant "general"
// CHECK-NOT: tile.assume
// CHECK: tile.splat %si
// CHECK-NOT: tile.kernel
// CHECK: {{/}}/ -----
tile.kernel @copy(%a: !tile.ptr<f16>, %n: i32, %so: i64, %si: i64) {
  %i = tile.iota : tensor<32xi64>
  %sos = tile.splat %so : tensor<32xi64>
  %sis = tile.splat %si : tensor<32xi64>
  %rows = arith.muli %i, %sos : tensor<32xi64>
  %cols = arith.muli %i, %sis : tensor<32xi64>
  %row = tile.expand_dims %rows axis 1 : tensor<32xi64> -> tensor<32x1xi64>
  %col = tile.expand_dims %cols axis 0 : tensor<32xi64> -> tensor<1x32xi64>
  %rowb = tile.broadcast %row : tensor<32x1xi64> -> tensor<32x32xi64>
  %colb = tile.broadcast %col : tensor<1x32xi64> -> tensor<32x32xi64>
  %o = arith.addi %rowb, %colb : tensor<32x32xi64>
  %j = tile.iota : tensor<32xi32>
  %ns = tile.splat %n : tensor<32xi32>
  %in = arith.cmpi slt, %j, %ns : tensor<32xi32>
  %inrow = tile.expand_dims %in axis 0 : tensor<32xi1> -> tensor<1x32xi1>
  %mask = tile.broadcast %inrow : tensor<1x32xi1> -> tensor<32x32xi1>
  %x = tile.load %a[%o] : !tile.ptr<f16>, tensor<32x32xi64> -> tensor<32x32xf16>
  tile.store %a[%o], %x mask %mask : !tile.ptr<f16>, tensor<32x32xi64>, tensor<32x32xf16>
  tile.return
}

// -----

// A level that adds nothing to the next is no variant: without strides, the
// alignment of the address is all.
// CHECK-LABEL: @fill$aligned16(
// CHECK-LABEL: @fill$aligned4(
// CHECK-NEXT: tile.assume %a, <divisibility = 4>
// CHECK-LABEL: @fill$general(
// CHECK-NOT: tile.kernel
// CHECK: {{/}}/ -----
tile.kernel @fill(%a: !tile.ptr<f16>) {
  %i = tile.iota : tensor<32xi64>
  %x = arith.constant dense<0.0> : tensor<32xf16>
  tile.store %a[%i], %x : !tile.ptr<f16>, tensor<32xi64>, tensor<32xf16>
  tile.return
}

// -----

// What the author has stated already is not assumed again.
// CHECK-LABEL: @stated$general(
// CHECK-NOT: tile.assume
// CHECK-NOT: tile.kernel
// CHECK: {{/}}/ -----
tile.kernel @stated(%a: !tile.ptr<f16> {tile.fact = #tile.fact<divisibility = 32>},
                    %s: i64 {tile.fact = #tile.fact<min = 1, max = 1>}) {
  %i = tile.iota : tensor<32xi64>
  %ss = tile.splat %s : tensor<32xi64>
  %o = arith.muli %i, %ss : tensor<32xi64>
  %x = arith.constant dense<0.0> : tensor<32xf16>
  tile.store %a[%o], %x : !tile.ptr<f16>, tensor<32xi64>, tensor<32xf16>
  tile.return
}

// -----

// An address is aligned to its element as it is.
// CHECK-LABEL: @element$aligned16(
// CHECK-LABEL: @element$general(
// CHECK-NOT: tile.kernel
// CHECK: {{/}}/ -----
tile.kernel @element(%a: !tile.ptr<f32>) {
  %i = tile.iota : tensor<32xi64>
  %x = arith.constant dense<0.0> : tensor<32xf32>
  tile.store %a[%i], %x : !tile.ptr<f32>, tensor<32xi64>, tensor<32xf32>
  tile.return
}

// -----

// An argument that counts elements of several sizes must serve the smallest,
// whatever comes last.
// CHECK-LABEL: @smallest$aligned16(
// CHECK: tile.assume %n, <divisibility = 8> : i32
tile.kernel @smallest(%a: !tile.ptr<f16>, %c: !tile.ptr<f32>, %n: i32) {
  %i = tile.iota : tensor<32xi32>
  %ns = tile.splat %n : tensor<32xi32>
  %in = arith.cmpi slt, %i, %ns : tensor<32xi32>
  %x = arith.constant dense<0.0> : tensor<32xf16>
  %y = arith.constant dense<0.0> : tensor<32xf32>
  tile.store %a[%i], %x mask %in : !tile.ptr<f16>, tensor<32xi32>, tensor<32xf16>
  tile.store %c[%i], %y mask %in : !tile.ptr<f32>, tensor<32xi32>, tensor<32xf32>
  tile.return
}

// -----

// A side of 1 has no inner stride: that of the side before it is assumed.
// CHECK-LABEL: @column$contiguous(
// CHECK: tile.assume %s, <min = 1, max = 1>
tile.kernel @column(%a: !tile.ptr<f16>, %s: i64) {
  %i = tile.iota : tensor<32xi64>
  %ss = tile.splat %s : tensor<32xi64>
  %o = arith.muli %i, %ss : tensor<32xi64>
  %col = tile.expand_dims %o axis 1 : tensor<32xi64> -> tensor<32x1xi64>
  %x = arith.constant dense<0.0> : tensor<32x1xf16>
  tile.store %a[%col], %x : !tile.ptr<f16>, tensor<32x1xi64>, tensor<32x1xf16>
  tile.return
}

// -----

// A kernel without accesses has one variant.
// CHECK-LABEL: @nothing$general() variant "general"
// CHECK-NOT: tile.kernel
// CHECK: {{/}}/ -----
tile.kernel @nothing() {
  tile.return
}

// -----

// An access that is no strided block asks for nothing.
// CHECK-LABEL: @gather$general(
// CHECK-NOT: tile.kernel
// CHECK: {{/}}/ -----
tile.kernel @gather(%a: !tile.ptr<f16>, %s: i64) {
  %i = tile.iota : tensor<32xi64>
  %ss = tile.splat %s : tensor<32xi64>
  %o = arith.remsi %i, %ss : tensor<32xi64>
  %x = arith.constant dense<0.0> : tensor<32xf16>
  tile.store %a[%o], %x : !tile.ptr<f16>, tensor<32xi64>, tensor<32xf16>
  tile.return
}

// -----

// Facts, grid and plan of the kernel are each variant's.
// CHECK-LABEL: @keeps$general(
// CHECK-SAME: %n: i32 {tile.fact = #tile.fact<min = 0, max = 9>}) grid affine_map<()[n] -> (n)> variant "general" plan #tile.plan<warps = 2>
tile.kernel @keeps(%n: i32 {tile.fact = #tile.fact<min = 0, max = 9>})
    grid affine_map<()[n] -> (n)> plan #tile.plan<warps = 2> {
  tile.return
}

// -----

// Leaves alone: a kernel that is a variant already.
// CHECK: tile.kernel @variant(%a: !tile.ptr<f16>) variant "mine" {
// CHECK-NOT: tile.assume
// CHECK-NOT: tile.kernel
// CHECK: {{/}}/ -----
tile.kernel @variant(%a: !tile.ptr<f16>) variant "mine" {
  %i = tile.iota : tensor<32xi64>
  %x = arith.constant dense<0.0> : tensor<32xf16>
  tile.store %a[%i], %x : !tile.ptr<f16>, tensor<32xi64>, tensor<32xf16>
  tile.return
}

// -----

// The row that a program works on starts at a multiple of the pitch, so that its
// divisibility counts as a stride's does; a plain load needs that of its bound.
// What is divisible by itself is not asked for.
// CHECK-LABEL: @row$aligned16(
// CHECK-DAG: tile.assume %a, <divisibility = 16>
// CHECK-DAG: tile.assume %pitch, <divisibility = 8>
// CHECK-DAG: tile.assume %plane, <divisibility = 4>
// CHECK-DAG: tile.assume %n, <divisibility = 8>
// CHECK-NOT: tile.assume %block
// CHECK-LABEL: @row$aligned4(
// CHECK-DAG: tile.assume %pitch, <divisibility = 2>
// CHECK-NOT: tile.assume %plane
// CHECK-LABEL: @row$general(
// CHECK-NOT: tile.assume
// CHECK-NOT: tile.kernel
// CHECK: {{/}}/ -----
tile.kernel @row(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %pitch: i64, %plane: i64, %block: i64, %n: i32) {
  %two = arith.constant 2 : i64
  %side = arith.constant 64 : i64
  %id = tile.program_id x
  %pid = arith.extsi %id : i32 to i64
  %row = arith.muli %pid, %pitch : i64
  %planes = arith.muli %plane, %two : i64
  %blocks = arith.muli %block, %side : i64
  %there = arith.addi %row, %planes : i64
  %start = arith.addi %there, %blocks : i64
  %p = tile.offset %a, %start : !tile.ptr<f16>, i64
  %j = tile.iota : tensor<64xi32>
  %ns = tile.splat %n : tensor<64xi32>
  %in = arith.cmpi slt, %j, %ns : tensor<64xi32>
  %o = arith.extsi %j : tensor<64xi32> to tensor<64xi64>
  %x = tile.load %p[%o] mask %in : !tile.ptr<f16>, tensor<64xi64> -> tensor<64xf16>
  tile.store %b[%o], %x : !tile.ptr<f16>, tensor<64xi64>, tensor<64xf16>
  tile.return
}

// -----

// An operand of a dot may end anywhere: the copy to shared memory fills the rest.
// CHECK-LABEL: @operand$aligned16(
// CHECK-NOT: tile.assume %k, <divisibility
// CHECK-LABEL: @operand$aligned4(
tile.kernel @operand(%a: !tile.ptr<f16>, %c: !tile.ptr<f32>, %k: i32) {
  %i = tile.iota : tensor<16xi32>
  %ks = tile.splat %k : tensor<16xi32>
  %in = arith.cmpi slt, %i, %ks : tensor<16xi32>
  %inrow = tile.expand_dims %in axis 0 : tensor<16xi1> -> tensor<1x16xi1>
  %mask = tile.broadcast %inrow : tensor<1x16xi1> -> tensor<16x16xi1>
  %w = arith.extsi %i : tensor<16xi32> to tensor<16xi64>
  %pitch = arith.constant dense<64> : tensor<16xi64>
  %rows = arith.muli %w, %pitch : tensor<16xi64>
  %row = tile.expand_dims %rows axis 1 : tensor<16xi64> -> tensor<16x1xi64>
  %col = tile.expand_dims %w axis 0 : tensor<16xi64> -> tensor<1x16xi64>
  %rowb = tile.broadcast %row : tensor<16x1xi64> -> tensor<16x16xi64>
  %colb = tile.broadcast %col : tensor<1x16xi64> -> tensor<16x16xi64>
  %o = arith.addi %rowb, %colb : tensor<16x16xi64>
  %x = tile.load %a[%o] mask %mask : !tile.ptr<f16>, tensor<16x16xi64> -> tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %y = tile.dot %x, %x, %zero : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  tile.store %c[%o], %y : !tile.ptr<f32>, tensor<16x16xi64>, tensor<16x16xf32>
  tile.return
}
