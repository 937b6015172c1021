// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#acc = #tile.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], sides = [16, 8]>
#acc_wide = #tile.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64], [0, 128]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], sides = [16, 256]>
#rows_wide = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64], [0, 128], [1, 0], [2, 0], [4, 0]], sides = [8, 256]>
#acc4 = #tile.layout<register = [[0, 1], [0, 0]], lane = [[0, 2], [0, 0], [1, 0], [2, 0], [0, 0]], sides = [4, 4]>
#rows8 = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>
#square8 = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], sides = [8, 8]>
#rows32 = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 32]>
#columns32 = #tile.layout<offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 1], [0, 2], [0, 4]], sides = [32, 8]>
#columns32_wide = #tile.layout<offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64], [0, 128]], sides = [32, 256]>
#square4 = #tile.layout<offset = [[0, 1], [0, 2], [1, 0], [2, 0]], sides = [4, 4]>
#deep_a = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8], reps = [1, 3]>
#deep_b = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], sides = [8, 8], reps = [3, 1]>
#acc_pair = #tile.layout<register = [[0, 1], [0, 2], [8, 0]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], sides = [16, 16]>
#b_rows = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], sides = [32, 16]>
!a_f32 = !tile_gpu.buffer<1x16x8xf32, #rows8>
!b_f32 = !tile_gpu.buffer<1x8x8xf32, #square8>
!b_wide = !tile_gpu.buffer<1x8x256xf32, #rows_wide>
!a_f64 = !tile_gpu.buffer<1x16x8xf64, #rows8>
!b_f64 = !tile_gpu.buffer<1x8x8xf64, #square8>
!a_i8 = !tile_gpu.buffer<1x16x32xi8, #rows32>
!b_i8 = !tile_gpu.buffer<1x32x8xi8, #columns32>
!a_e4 = !tile_gpu.buffer<1x16x32xf8E4M3FN, #rows32>
!b_e4 = !tile_gpu.buffer<1x32x8xf8E4M3FN, #columns32>
!a_e5 = !tile_gpu.buffer<1x16x32xf8E5M2, #rows32>
!b_e5 = !tile_gpu.buffer<1x32x8xf8E5M2, #columns32>
!four = !tile_gpu.buffer<1x4x4xf16, #square4>
!deep_a = !tile_gpu.buffer<1x16x24xf16, #deep_a>
!deep_b = !tile_gpu.buffer<1x24x8xf16, #deep_b>
!c = !tile_gpu.cursor<1>

// Before sm_90 operands are rounded to tf32 on their bits, to even, and a NaN
// stays one.  A with k contiguous comes by ldmatrix, B by element.
// CHECK-LABEL: llvm.func @tf32(
// CHECK: nvvm.ldmatrix %{{.*}} num = 4
// CHECK-COUNT-2: llvm.load %{{.*}} : !llvm.ptr<3> -> i32
// CHECK-NOT: llvm.load
// CHECK: %[[BIT:.*]] = llvm.lshr %[[X:.*]], %{{.*}} : i32
// CHECK: %[[ODD:.*]] = llvm.and %[[BIT]], %{{.*}} : i32
// CHECK: %[[HALF:.*]] = llvm.add %[[ODD]], %{{.*}} : i32
// CHECK: %[[UP:.*]] = llvm.add %[[X]], %[[HALF]] : i32
// CHECK: llvm.and %[[UP]], %{{.*}} : i32
// CHECK: llvm.fcmp "uno"
// CHECK: llvm.select
// CHECK: nvvm.mma.sync {{.*}}multiplicandAPtxType = #nvvm.mma_type<tf32>, multiplicandBPtxType = #nvvm.mma_type<tf32>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (i32, i32, f32)
// CHECK-NOT: nvvm.mma.sync
tile.kernel @tf32() plan #tile.plan<warps = 1> {
  %zeros = arith.constant dense<0.0> : tensor<16x8xf32, #acc>
  %a = tile_gpu.alloc at 0 : !a_f32
  %b = tile_gpu.alloc at 1024 : !b_f32
  %c = tile_gpu.cursor : !c
  %d = tile_gpu.mma %a[%c], %b[%c], %zeros precision tf32
      plan<mma_sync, m = 16, n = 8, k = 8, warps = [1, 1]>
      : !a_f32, !c, !b_f32, !c -> tensor<16x8xf32, #acc>
  tile.return
}

// From sm_90 on one instruction rounds.
// CHECK-LABEL: llvm.func @tf32_hopper(
// CHECK-COUNT-6: nvvm.convert.float.to.tf32 %{{.*}} {rnd = #nvvm.fp_rnd_mode<rn>}
// CHECK-NOT: nvvm.convert
tile.kernel @tf32_hopper() plan #tile.plan<warps = 1, target = "sm_90a"> {
  %zeros = arith.constant dense<0.0> : tensor<16x8xf32, #acc>
  %a = tile_gpu.alloc at 0 : !a_f32
  %b = tile_gpu.alloc at 1024 : !b_f32
  %c = tile_gpu.cursor : !c
  %d = tile_gpu.mma %a[%c], %b[%c], %zeros precision tf32
      plan<mma_sync, m = 16, n = 8, k = 8, warps = [1, 1]>
      : !a_f32, !c, !b_f32, !c -> tensor<16x8xf32, #acc>
  tile.return
}

// tf32x3 adds three products to zero, the large one last, and the sum to the
// accumulator.  Beside a small part, what is not finite is zero.
// CHECK-LABEL: llvm.func @tf32x3(
// CHECK: llvm.fsub
// CHECK: %[[SMALL:.*]] = llvm.select %[[IS_FINITE:.*]], %{{.*}}, %[[Z:.*]] : i1, f32
// CHECK-NEXT: %[[BESIDE:.*]] = llvm.select %[[IS_FINITE]], %[[LARGE:.*]], %[[Z]] : i1, f32
// CHECK-COUNT-3: llvm.fsub
// CHECK-DAG: %[[LARGE_A:.*]] = llvm.bitcast %[[LARGE]] : f32 to i32
// CHECK-DAG: %[[SMALL_A:.*]] = llvm.bitcast %[[SMALL]] : f32 to i32
// CHECK-DAG: %[[BESIDE_A:.*]] = llvm.bitcast %[[BESIDE]] : f32 to i32
// CHECK-COUNT-2: llvm.fsub
// CHECK-NOT: llvm.fsub
// CHECK: nvvm.mma.sync A[%[[SMALL_A]], %{{.*}}, %{{.*}}, %{{.*}}] B[%[[BESIDE_B:.*]], %{{.*}}] C[%[[Z]], %[[Z]], %[[Z]], %[[Z]]]
// CHECK: nvvm.mma.sync A[%[[BESIDE_A]], %{{.*}}, %{{.*}}, %{{.*}}] B[%[[SMALL_B:.*]], %{{.*}}]
// CHECK: nvvm.mma.sync A[%[[LARGE_A]], %{{.*}}, %{{.*}}, %{{.*}}] B[
// CHECK-NOT: [[BESIDE_B]]
// CHECK-NOT: [[SMALL_B]]
// CHECK-COUNT-4: llvm.fadd
// CHECK-NOT: nvvm.mma.sync
tile.kernel @tf32x3() plan #tile.plan<warps = 1> {
  %zeros = arith.constant dense<0.0> : tensor<16x8xf32, #acc>
  %a = tile_gpu.alloc at 0 : !a_f32
  %b = tile_gpu.alloc at 1024 : !b_f32
  %c = tile_gpu.cursor : !c
  %d = tile_gpu.mma %a[%c], %b[%c], %zeros precision tf32x3
      plan<mma_sync, m = 16, n = 8, k = 8, warps = [1, 1]>
      : !a_f32, !c, !b_f32, !c -> tensor<16x8xf32, #acc>
  tile.return
}

// Its operands take three registers a word, so that beside many sums those of a
// column are made when the column before is done; beside few (@tf32x3), all are
// made first.
// CHECK-LABEL: llvm.func @tf32x3_columns(
// CHECK-COUNT-3: nvvm.mma.sync
// CHECK: llvm.fsub
// CHECK-COUNT-3: nvvm.mma.sync
// CHECK: llvm.fsub
tile.kernel @tf32x3_columns() plan #tile.plan<warps = 1> {
  %zeros = arith.constant dense<0.0> : tensor<16x256xf32, #acc_wide>
  %a = tile_gpu.alloc at 0 : !a_f32
  %b = tile_gpu.alloc at 1024 : !b_wide
  %c = tile_gpu.cursor : !c
  %d = tile_gpu.mma %a[%c], %b[%c], %zeros precision tf32x3
      plan<mma_sync, m = 16, n = 8, k = 8, warps = [1, 1]>
      : !a_f32, !c, !b_wide, !c -> tensor<16x256xf32, #acc_wide>
  tile.return
}

// f64 takes four instructions for a tile and a step: two halves of rows, and
// for each two steps of k.
// CHECK-LABEL: llvm.func @f64(
// CHECK-COUNT-6: llvm.load %{{.*}} : !llvm.ptr<3> -> i64
// CHECK: %[[D:.*]] = nvvm.mma.sync A[%[[A0:.*]]] B[%[[B0:.*]]] C[{{.*}}shape = #nvvm.shape<m = 8, n = 8, k = 4>} : (f64, f64, f64) -> !llvm.struct<(f64, f64)>
// CHECK: %[[D0:.*]] = llvm.extractvalue %[[D]][0]
// CHECK: nvvm.mma.sync A[%{{.*}}] B[%[[B1:.*]]] C[%[[D0]],
// CHECK: nvvm.mma.sync A[%{{.*}}] B[%[[B0]]]
// CHECK: nvvm.mma.sync A[%{{.*}}] B[%[[B1]]]
// CHECK-NOT: nvvm.mma.sync
tile.kernel @f64() plan #tile.plan<warps = 1> {
  %zeros = arith.constant dense<0.0> : tensor<16x8xf64, #acc>
  %a = tile_gpu.alloc at 0 : !a_f64
  %b = tile_gpu.alloc at 1024 : !b_f64
  %c = tile_gpu.cursor : !c
  %d = tile_gpu.mma %a[%c], %b[%c], %zeros
      plan<mma_sync, m = 8, n = 8, k = 4, warps = [1, 1]>
      : !a_f64, !c, !b_f64, !c -> tensor<16x8xf64, #acc>
  tile.return
}

// i8 sums wrap, and do not saturate.
// CHECK-LABEL: llvm.func @i8(
// CHECK: nvvm.ldmatrix %{{.*}} num = 4
// CHECK: nvvm.ldmatrix %{{.*}} num = 2
// CHECK: nvvm.mma.sync {{.*}}intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>{{.*}}mma_type<s8>{{.*}}k = 32>} : (i32, i32, i32)
tile.kernel @i8() plan #tile.plan<warps = 1> {
  %zeros = arith.constant dense<0> : tensor<16x8xi32, #acc>
  %a = tile_gpu.alloc at 0 : !a_i8
  %b = tile_gpu.alloc at 1024 : !b_i8
  %c = tile_gpu.cursor : !c
  %d = tile_gpu.mma %a[%c], %b[%c], %zeros
      plan<mma_sync, m = 16, n = 8, k = 32, warps = [1, 1]>
      : !a_i8, !c, !b_i8, !c -> tensor<16x8xi32, #acc>
  tile.return
}

// Bytes along n are transposed in twos, each of which is one for either of two
// instructions: four permutations make the words of both.  Lane bits 1 and 2 are
// 4 k's and 8 + 2, so that rows 16 bytes long lie in different banks; where bit 1
// of the lane is set, the words' halves are the other way round.  The second
// instruction has every second register.
// CHECK-LABEL: llvm.func @pairs(
// CHECK-DAG: %[[EVEN:.*]] = llvm.mlir.constant(25632 : i32)
// CHECK-DAG: %[[ODD:.*]] = llvm.mlir.constant(30001 : i32)
// CHECK-DAG: %[[SELECT_EVEN:.*]] = llvm.xor %[[SWAPPED:.*]], %[[EVEN]]
// CHECK-DAG: %[[SELECT_ODD:.*]] = llvm.xor %[[SWAPPED]], %[[ODD]]
// CHECK: nvvm.ldmatrix %{{.*}} layout = #nvvm.mma_layout<row>
// CHECK: %[[B:.*]] = nvvm.ldmatrix %{{.*}} layout = #nvvm.mma_layout<col>
// CHECK: %[[B0:.*]] = llvm.extractvalue %[[B]][0]
// CHECK: %[[B1:.*]] = llvm.extractvalue %[[B]][1]
// CHECK: %[[B2:.*]] = llvm.extractvalue %[[B]][2]
// CHECK: %[[B3:.*]] = llvm.extractvalue %[[B]][3]
// CHECK: %[[E0:.*]] = nvvm.prmt {{.*}}%[[SELECT_EVEN]], %[[B0]], %[[B1]]
// CHECK: %[[E1:.*]] = nvvm.prmt {{.*}}%[[SELECT_EVEN]], %[[B2]], %[[B3]]
// CHECK: %[[O0:.*]] = nvvm.prmt {{.*}}%[[SELECT_ODD]], %[[B0]], %[[B1]]
// CHECK: %[[O1:.*]] = nvvm.prmt {{.*}}%[[SELECT_ODD]], %[[B2]], %[[B3]]
// CHECK: nvvm.mma.sync A[%{{.*}}] B[%[[E0]], %[[E1]]]
// CHECK: nvvm.mma.sync A[%{{.*}}] B[%[[O0]], %[[O1]]]
// CHECK-NOT: llvm.load
tile.kernel @pairs() plan #tile.plan<warps = 1> {
  %zeros = arith.constant dense<0> : tensor<16x16xi32, #acc_pair>
  %a = tile_gpu.alloc at 0 : !a_i8
  %b = tile_gpu.alloc at 1024 : !tile_gpu.buffer<1x32x16xi8, #b_rows>
  %c = tile_gpu.cursor : !c
  %d = tile_gpu.mma %a[%c], %b[%c], %zeros
      plan<mma_sync, m = 16, n = 16, k = 32, warps = [1, 1]>
      : !a_i8, !c, !tile_gpu.buffer<1x32x16xi8, #b_rows>, !c -> tensor<16x16xi32, #acc_pair>
  tile.return
}

// An f8E4M3FN becomes f16 by three operations on pairs of f16; the words of a
// step are two products.
// CHECK-LABEL: llvm.func @e4m3(
// CHECK: nvvm.prmt
// CHECK: llvm.fmul %{{.*}} : vector<2xf16>
// CHECK: llvm.fmul %{{.*}} : vector<2xf16>
// CHECK: llvm.intr.fma{{.*}} : (vector<2xf16>, vector<2xf16>, vector<2xf16>)
// CHECK-COUNT-2: nvvm.mma.sync {{.*}}k = 16>} : (vector<2xf16>, vector<2xf16>, f32)
// CHECK-NOT: nvvm.mma.sync
tile.kernel @e4m3() plan #tile.plan<warps = 1> {
  %zeros = arith.constant dense<0.0> : tensor<16x8xf32, #acc>
  %a = tile_gpu.alloc at 0 : !a_e4
  %b = tile_gpu.alloc at 1024 : !b_e4
  %c = tile_gpu.cursor : !c
  %d = tile_gpu.mma %a[%c], %b[%c], %zeros
      plan<mma_sync, m = 16, n = 8, k = 16, warps = [1, 1]>
      : !a_e4, !c, !b_e4, !c -> tensor<16x8xf32, #acc>
  tile.return
}

// Its words become two registers each: column by column beside many sums, too.
// CHECK-LABEL: llvm.func @e4m3_columns(
// CHECK-COUNT-2: nvvm.mma.sync
// CHECK: llvm.fmul
// CHECK-COUNT-2: nvvm.mma.sync
// CHECK: llvm.fmul
tile.kernel @e4m3_columns() plan #tile.plan<warps = 1> {
  %zeros = arith.constant dense<0.0> : tensor<16x256xf32, #acc_wide>
  %a = tile_gpu.alloc at 0 : !a_e4
  %b = tile_gpu.alloc at 1024 : !tile_gpu.buffer<1x32x256xf8E4M3FN, #columns32_wide>
  %c = tile_gpu.cursor : !c
  %d = tile_gpu.mma %a[%c], %b[%c], %zeros
      plan<mma_sync, m = 16, n = 8, k = 16, warps = [1, 1]>
      : !a_e4, !c, !tile_gpu.buffer<1x32x256xf8E4M3FN, #columns32_wide>, !c -> tensor<16x256xf32, #acc_wide>
  tile.return
}

// From sm_90 on one instruction converts two.
// CHECK-LABEL: llvm.func @e4m3_hopper(
// CHECK-COUNT-12: nvvm.convert.f8x2.to.f16x2 %{{.*}} : vector<2xi8>(f8E4M3FN) -> vector<2xf16>
// CHECK-NOT: nvvm.convert
tile.kernel @e4m3_hopper() plan #tile.plan<warps = 1, target = "sm_90a"> {
  %zeros = arith.constant dense<0.0> : tensor<16x8xf32, #acc>
  %a = tile_gpu.alloc at 0 : !a_e4
  %b = tile_gpu.alloc at 1024 : !b_e4
  %c = tile_gpu.cursor : !c
  %d = tile_gpu.mma %a[%c], %b[%c], %zeros
      plan<mma_sync, m = 16, n = 8, k = 16, warps = [1, 1]>
      : !a_e4, !c, !b_e4, !c -> tensor<16x8xf32, #acc>
  tile.return
}

// An f8E5M2 is the upper byte of an f16; a promoted step is summed up on its own.
// CHECK-LABEL: llvm.func @e5m2(
// CHECK-COUNT-12: nvvm.prmt
// CHECK-NOT: llvm.fmul
// CHECK-COUNT-2: nvvm.mma.sync
// CHECK-COUNT-4: llvm.fadd
tile.kernel @e5m2() plan #tile.plan<warps = 1> {
  %zeros = arith.constant dense<0.0> : tensor<16x8xf32, #acc>
  %a = tile_gpu.alloc at 0 : !a_e5
  %b = tile_gpu.alloc at 1024 : !b_e5
  %c = tile_gpu.cursor : !c
  %d = tile_gpu.mma %a[%c], %b[%c], %zeros promote_every 128
      plan<mma_sync, m = 16, n = 8, k = 16, warps = [1, 1]>
      : !a_e5, !c, !b_e5, !c -> tensor<16x8xf32, #acc>
  tile.return
}

// An accumulator of f16 travels in pairs.
// CHECK-LABEL: llvm.func @f16_sums(
// CHECK: nvvm.mma.sync {{.*}} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
tile.kernel @f16_sums() plan #tile.plan<warps = 1> {
  %zeros = arith.constant dense<0.0> : tensor<16x8xf16, #acc>
  %a = tile_gpu.alloc at 0 : !deep_a
  %b = tile_gpu.alloc at 1024 : !deep_b
  %c = tile_gpu.cursor : !c
  %d = tile_gpu.mma %a[%c], %b[%c], %zeros
      plan<mma_sync, m = 16, n = 8, k = 16, warps = [1, 1]>
      : !deep_a, !c, !deep_b, !c -> tensor<16x8xf16, #acc>
  tile.return
}

// A tile of 4 rows, columns and k: rows are repeated, which takes no reads, and
// lanes beyond k read the slot's first k and take zero.  The upper half of k is
// zero without a read.
// CHECK-LABEL: llvm.func @small(
// CHECK: %[[ISTHERE:.*]] = llvm.icmp "slt" %{{.*}}, %{{.*}} : i32
// CHECK: %[[ADDRESS:.*]] = llvm.select %[[ISTHERE]], %{{.*}}, %{{.*}} : i1, !llvm.ptr<3>
// CHECK: %[[PAIR:.*]] = llvm.load %[[ADDRESS]] {{.*}} -> vector<2xi16>
// CHECK: llvm.select %[[ISTHERE]], %[[PAIR]], %{{.*}} : i1, vector<2xi16>
// CHECK-COUNT-2: llvm.load {{.*}} -> i16
// CHECK-NOT: llvm.load
// CHECK: nvvm.mma.sync
tile.kernel @small() plan #tile.plan<warps = 1> {
  %zeros = arith.constant dense<0.0> : tensor<4x4xf32, #acc4>
  %a = tile_gpu.alloc at 0 : !four
  %b = tile_gpu.alloc at 1024 : !four
  %c = tile_gpu.cursor : !c
  %d = tile_gpu.mma %a[%c], %b[%c], %zeros
      plan<mma_sync, m = 16, n = 8, k = 16, warps = [1, 1]>
      : !four, !c, !four, !c -> tensor<4x4xf32, #acc4>
  tile.return
}
