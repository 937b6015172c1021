// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

// 8 x 32: two rows and four columns a thread.
#acc = #tile.layout<register = [[0, 1], [0, 2], [4, 0]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], sides = [8, 32]>
#a_rows = #tile.layout<offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], sides = [8, 4]>
#a_long = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], sides = [8, 32]>
#a_columns = #tile.layout<offset = [[1, 0], [2, 0], [4, 0], [0, 1], [0, 2]], sides = [8, 4]>
#b_rows = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], sides = [4, 32]>
#b_long = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], sides = [32, 32]>
#one = #tile.layout<register = [], lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], sides = [4, 8]>
#a_ragged = #tile.layout<offset = [[0, 1], [0, 2], [1, 0], [2, 0]], sides = [4, 4], reps = [1, 3]>
#b_ragged = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], sides = [4, 8], reps = [3, 1]>
!a_rows = !tile_gpu.buffer<1x8x4xf32, #a_rows>
!a_long = !tile_gpu.buffer<1x8x32xf32, #a_long>
!a_columns = !tile_gpu.buffer<1x8x4xf32, #a_columns>
!b_rows = !tile_gpu.buffer<1x4x32xf32, #b_rows>
!b_long = !tile_gpu.buffer<1x32x32xf32, #b_long>
!a_ragged = !tile_gpu.buffer<1x4x12xf32, #a_ragged>
!b_ragged = !tile_gpu.buffer<1x12x8xf32, #b_ragged>
#a_bytes = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], sides = [4, 16]>
#b_bytes = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>
!a_bytes = !tile_gpu.buffer<1x4x16xf8E5M2, #a_bytes>
!b_bytes = !tile_gpu.buffer<1x16x8xf8E5M2, #b_bytes>
!c = !tile_gpu.cursor<1>

// A comes in vectors along k, one for each row, B in vectors along n, one for
// each k; each element is one chain of fma in ascending k, without contraction
// flags.
// CHECK-LABEL: llvm.func @vectors(
// CHECK-COUNT-6: llvm.load %{{.*}} : !llvm.ptr<3> -> vector<4xf32>
// CHECK-NOT: llvm.load
// CHECK: %[[K0:.*]] = llvm.intr.fma(%[[A0:.*]], %{{.*}}, %{{.*}}) : (f32, f32, f32) -> f32
// CHECK-COUNT-3: llvm.intr.fma(%[[A0]],
// CHECK: llvm.intr.fma(%[[A1:.*]], %{{.*}}, %[[K0]])
// CHECK-COUNT-27: llvm.intr.fma
// CHECK-NOT: llvm.intr.fma
tile.kernel @vectors() plan #tile.plan<warps = 1> {
  %zeros = arith.constant dense<0.0> : tensor<8x32xf32, #acc>
  %a = tile_gpu.alloc at 0 : !a_rows
  %b = tile_gpu.alloc at 1024 : !b_rows
  %c = tile_gpu.cursor : !c
  %d = tile_gpu.mma %a[%c], %b[%c], %zeros
      plan<fma, m = 1, n = 1, k = 1, warps = [1, 1]>
      : !a_rows, !c, !b_rows, !c -> tensor<8x32xf32, #acc>
  tile.return
}

// Rows 4 apart are no vector: A with m contiguous is read by element.
// CHECK-LABEL: llvm.func @elements(
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> f32
tile.kernel @elements() plan #tile.plan<warps = 1> {
  %zeros = arith.constant dense<0.0> : tensor<8x32xf32, #acc>
  %a = tile_gpu.alloc at 0 : !a_columns
  %b = tile_gpu.alloc at 1024 : !b_rows
  %c = tile_gpu.cursor : !c
  %d = tile_gpu.mma %a[%c], %b[%c], %zeros
      plan<fma, m = 1, n = 1, k = 1, warps = [1, 1]>
      : !a_columns, !c, !b_rows, !c -> tensor<8x32xf32, #acc>
  tile.return
}

// 16 k's are written out: 32 are two rounds of a loop that carries the
// accumulator.
// CHECK-LABEL: llvm.func @rounds(
// CHECK: %[[TWO:.*]] = llvm.mlir.constant(2 : i32)
// CHECK: ^[[ROUND:bb[0-9]+]](%{{.*}}: i32, %{{.*}}: f32,
// CHECK-COUNT-128: llvm.intr.fma
// CHECK-NOT: llvm.intr.fma
// CHECK: %[[AGAIN:.*]] = llvm.icmp "slt" %{{.*}}, %[[TWO]]
// CHECK: llvm.cond_br %[[AGAIN]], ^[[ROUND]](
tile.kernel @rounds() plan #tile.plan<warps = 1> {
  %zeros = arith.constant dense<0.0> : tensor<8x32xf32, #acc>
  %a = tile_gpu.alloc at 0 : !a_long
  %b = tile_gpu.alloc at 1024 : !b_long
  %c = tile_gpu.cursor : !c
  %d = tile_gpu.mma %a[%c], %b[%c], %zeros
      plan<fma, m = 1, n = 1, k = 1, warps = [1, 1]>
      : !a_long, !c, !b_long, !c -> tensor<8x32xf32, #acc>
  tile.return
}

// tf32x3 sums the products of 8 k's from zero, three for each, the small parts
// first, and adds the sums to the accumulator; a second run begins at zero again.
// CHECK-LABEL: llvm.func @runs(
// CHECK-DAG: %[[ACC:.*]] = llvm.mlir.constant(5.0{{.*}} : f32)
// CHECK-DAG: %[[ZERO:.*]] = llvm.mlir.constant(0.0{{.*}} : f32)
// CHECK: %[[SMALL_A:.*]] = llvm.select %[[IS_FINITE:.*]], %{{.*}}, %[[ZERO]] : i1, f32
// CHECK-NEXT: %[[BESIDE_A:.*]] = llvm.select %[[IS_FINITE]], %[[LARGE_A:.*]], %[[ZERO]] : i1, f32
// CHECK: %[[FIRST:.*]] = llvm.intr.fma(%[[SMALL_A]], %{{.*}}, %[[ZERO]])
// CHECK: %[[SECOND:.*]] = llvm.intr.fma(%[[BESIDE_A]], %{{.*}}, %[[FIRST]])
// CHECK: %[[THIRD:.*]] = llvm.intr.fma(%[[LARGE_A]], %{{.*}}, %[[SECOND]])
// CHECK-COUNT-21: llvm.intr.fma
// CHECK: %[[SUM:.*]] = llvm.fadd %[[ACC]], %{{.*}} : f32
// CHECK: llvm.intr.fma(%{{.*}}, %{{.*}}, %[[ZERO]])
// CHECK-COUNT-11: llvm.intr.fma
// CHECK: llvm.fadd %[[SUM]], %{{.*}} : f32
// CHECK-NOT: llvm.fadd
tile.kernel @runs() plan #tile.plan<warps = 1> {
  %fives = arith.constant dense<5.0> : tensor<4x8xf32, #one>
  %a = tile_gpu.alloc at 0 : !a_ragged
  %b = tile_gpu.alloc at 1024 : !b_ragged
  %c = tile_gpu.cursor : !c
  %d = tile_gpu.mma %a[%c], %b[%c], %fives precision tf32x3
      plan<fma, m = 1, n = 1, k = 1, warps = [1, 1]>
      : !a_ragged, !c, !b_ragged, !c -> tensor<4x8xf32, #one>
  tile.return
}

// Sums in runs shorter than a vector along k: a round is a vector of 4 k's, so
// that those of later rounds are aligned, and adds up all of its runs.
// CHECK-LABEL: llvm.func @runs_of_one(
// CHECK: %[[TWO:.*]] = llvm.mlir.constant(2 : i32)
// CHECK: ^bb{{.*}}(%[[ROUND:.*]]: i32, %{{.*}}: f32):
// CHECK: %[[K:.*]] = llvm.shl %[[ROUND]], %[[TWO]]
// CHECK: %[[PLACE:.*]] = llvm.xor %{{.*}}, %[[K]]
// CHECK: %[[ADDRESS:.*]] = llvm.getelementptr %{{.*}}[%[[PLACE]]]
// CHECK: llvm.load %[[ADDRESS]] {alignment = 4 : i64} : !llvm.ptr<3> -> vector<4xi8>
// CHECK-COUNT-4: llvm.fadd
// CHECK-NOT: llvm.fadd
tile.kernel @runs_of_one() plan #tile.plan<warps = 1> {
  %fives = arith.constant dense<5.0> : tensor<4x8xf32, #one>
  %a = tile_gpu.alloc at 0 : !a_bytes
  %b = tile_gpu.alloc at 1024 : !b_bytes
  %c = tile_gpu.cursor : !c
  %d = tile_gpu.mma %a[%c], %b[%c], %fives promote_every 1
      plan<fma, m = 1, n = 1, k = 1, warps = [1, 1]>
      : !a_bytes, !c, !b_bytes, !c -> tensor<4x8xf32, #one>
  tile.return
}

// The same with two runs a round.
// CHECK-LABEL: llvm.func @runs_of_two(
// CHECK: %[[TWO:.*]] = llvm.mlir.constant(2 : i32)
// CHECK: ^bb{{.*}}(%[[ROUND:.*]]: i32, %{{.*}}: f32):
// CHECK: %[[K:.*]] = llvm.shl %[[ROUND]], %[[TWO]]
// CHECK: %[[PLACE:.*]] = llvm.xor %{{.*}}, %[[K]]
// CHECK: %[[ADDRESS:.*]] = llvm.getelementptr %{{.*}}[%[[PLACE]]]
// CHECK: llvm.load %[[ADDRESS]] {alignment = 4 : i64} : !llvm.ptr<3> -> vector<4xi8>
// CHECK-COUNT-2: llvm.fadd
// CHECK-NOT: llvm.fadd
tile.kernel @runs_of_two() plan #tile.plan<warps = 1> {
  %fives = arith.constant dense<5.0> : tensor<4x8xf32, #one>
  %a = tile_gpu.alloc at 0 : !a_bytes
  %b = tile_gpu.alloc at 1024 : !b_bytes
  %c = tile_gpu.cursor : !c
  %d = tile_gpu.mma %a[%c], %b[%c], %fives promote_every 2
      plan<fma, m = 1, n = 1, k = 1, warps = [1, 1]>
      : !a_bytes, !c, !b_bytes, !c -> tensor<4x8xf32, #one>
  tile.return
}

// The same with one.
// CHECK-LABEL: llvm.func @runs_of_four(
// CHECK: %[[TWO:.*]] = llvm.mlir.constant(2 : i32)
// CHECK: ^bb{{.*}}(%[[ROUND:.*]]: i32, %{{.*}}: f32):
// CHECK: %[[K:.*]] = llvm.shl %[[ROUND]], %[[TWO]]
// CHECK: %[[PLACE:.*]] = llvm.xor %{{.*}}, %[[K]]
// CHECK: %[[ADDRESS:.*]] = llvm.getelementptr %{{.*}}[%[[PLACE]]]
// CHECK: llvm.load %[[ADDRESS]] {alignment = 4 : i64} : !llvm.ptr<3> -> vector<4xi8>
// CHECK-COUNT-1: llvm.fadd
// CHECK-NOT: llvm.fadd
tile.kernel @runs_of_four() plan #tile.plan<warps = 1> {
  %fives = arith.constant dense<5.0> : tensor<4x8xf32, #one>
  %a = tile_gpu.alloc at 0 : !a_bytes
  %b = tile_gpu.alloc at 1024 : !b_bytes
  %c = tile_gpu.cursor : !c
  %d = tile_gpu.mma %a[%c], %b[%c], %fives promote_every 4
      plan<fma, m = 1, n = 1, k = 1, warps = [1, 1]>
      : !a_bytes, !c, !b_bytes, !c -> tensor<4x8xf32, #one>
  tile.return
}
