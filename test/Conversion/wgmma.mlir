// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#k_major = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]], sides = [128, 64]>
#m_major = #tile.layout<offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [8, 1], [16, 2], [32, 4], [0, 8], [0, 16], [0, 32], [64, 0]], sides = [128, 64]>
#n_major = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
#b_k_major = #tile.layout<offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [8, 1], [16, 2], [32, 4], [0, 8], [0, 16], [0, 32]], sides = [64, 64]>
#k_major_64 = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]], sides = [64, 32]>
#n_major_64 = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0]], sides = [32, 32]>
#k_major_i8 = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64], [1, 16], [2, 32], [4, 64], [8, 0], [16, 0], [32, 0]], sides = [64, 128]>
#b_k_major_i8 = #tile.layout<offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [16, 1], [32, 2], [64, 4], [0, 8], [0, 16]], sides = [128, 32]>
#k_major_f32 = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 4], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]], sides = [64, 32]>
#b_k_major_f32 = #tile.layout<offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [4, 1], [8, 2], [16, 4], [0, 8], [0, 16]], sides = [32, 32]>
#acc = #tile.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]], sides = [128, 64]>
#acc_tall = #tile.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [64, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], sides = [128, 64]>
#acc_small = #tile.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], sides = [64, 32]>
!cursor = !tile_gpu.cursor<2>
!one = !tile_gpu.cursor<1>
!a = !tile_gpu.buffer<2x128x64xf16, #k_major>
!b = !tile_gpu.buffer<2x64x64xf16, #n_major>
!acc = tensor<128x64xf32, #acc>
!pending = !tile_gpu.pending<tensor<128x64xf32, #acc>>

// The high word is constant: 1024 bytes to the next 8 rows, a 128-byte swizzle.
// The low word has the address, with the warpgroup's 64 rows of 128 bytes, and
// the leading offset: 16 bytes where k runs along rows, 8192 where n does.  A
// slot moves it by 1024 (B: 512) units of 16 bytes, 16 k's by 32 bytes along a
// row, or by 16 rows of 128.
// CHECK-LABEL: llvm.func @descriptors(
// CHECK-DAG: %[[HIGH:.*]] = llvm.mlir.constant(4611686293305294848 : i64)
// CHECK-DAG: %[[ADDRESS:.*]] = llvm.mlir.constant(262143 : i32)
// CHECK-DAG: %[[LEADING_A:.*]] = llvm.mlir.constant(65536 : i32)
// CHECK-DAG: %[[LEADING_B:.*]] = llvm.mlir.constant(33554432 : i32)
// CHECK-DAG: %[[SLOT_A:.*]] = llvm.mlir.constant(1024 : i32)
// CHECK-DAG: %[[SLOT_B:.*]] = llvm.mlir.constant(512 : i32)
// CHECK-DAG: %[[STEP_A:.*]] = llvm.mlir.constant(2 : i32)
// CHECK-DAG: %[[STEP_B:.*]] = llvm.mlir.constant(128 : i32)
// CHECK-DAG: %[[SMEM:.*]] = llvm.ptrtoint
// CHECK-DAG: %[[WARP:.*]] = nvvm.shfl.sync
// CHECK-DAG: %[[GROUP:.*]] = llvm.lshr %[[WARP]]
// CHECK-DAG: %[[GROUP_ROWS:.*]] = llvm.shl %[[GROUP]]
// CHECK-DAG: %[[AT_A:.*]] = llvm.add %[[SMEM]], %[[GROUP_ROWS]] : i32
// CHECK-DAG: %[[MASKED:.*]] = llvm.and %[[AT_A]], %[[ADDRESS]] : i32
// CHECK-DAG: %[[UNITS:.*]] = llvm.lshr %[[MASKED]]
// CHECK-DAG: %[[BASE_A:.*]] = llvm.or disjoint %[[UNITS]], %[[LEADING_A]]
// CHECK-DAG: %[[BASE_B:.*]] = llvm.or disjoint %{{.*}}, %[[LEADING_B]]
// CHECK: ^{{.*}}(%{{.*}}: i32, %[[SLOT:.*]]: i32):
// CHECK: %[[MOVE_A:.*]] = llvm.mul %[[SLOT]], %[[SLOT_A]]
// CHECK: %[[LOW_A:.*]] = llvm.add %[[BASE_A]], %[[MOVE_A]]
// CHECK: %[[MOVE_B:.*]] = llvm.mul %[[SLOT]], %[[SLOT_B]]
// CHECK: %[[LOW_B:.*]] = llvm.add %[[BASE_B]], %[[MOVE_B]]
// CHECK: nvvm.wgmma.fence.aligned
// CHECK: %[[WIDE_A:.*]] = llvm.zext %[[LOW_A]] : i32 to i64
// CHECK: %[[A0:.*]] = llvm.or disjoint %[[WIDE_A]], %[[HIGH]]
// CHECK: %[[WIDE_B:.*]] = llvm.zext %[[LOW_B]] : i32 to i64
// CHECK: %[[B0:.*]] = llvm.or disjoint %[[WIDE_B]], %[[HIGH]]
// CHECK: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {$0, {{.*}}, $31}, $32, $33, p, 1, 1, 0, 1;{{.*}} %[[A0]], %[[B0]] :
// CHECK: llvm.add %[[LOW_A]], %[[STEP_A]]
// CHECK: llvm.add %[[LOW_B]], %[[STEP_B]]
// CHECK-COUNT-3: wgmma.mma_async
// CHECK-NEXT: nvvm.wgmma.commit.group.sync.aligned
tile.kernel @descriptors(%n: i32) plan #tile.plan<warps = 8> {
  %ra = tile_gpu.alloc at 0 : !a
  %rb = tile_gpu.alloc at 32768 : !b
  %zeros = arith.constant dense<0.0> : !acc
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c = tile_gpu.cursor : !cursor
  %end = scf.for %k = %zero to %n step %one iter_args(%at = %c) -> !cursor : i32 {
    %p = tile_gpu.wgmma %ra[%at], %rb[%at], %zeros plan<wgmma, m = 64, n = 64, k = 16, warps = [2, 1]>
        : !a, !cursor, !b, !cursor, !acc -> !pending
    %next = tile_gpu.advance %at by 1 : !cursor
    scf.yield %next : !cursor
  }
  tile.return
}

// Zero is not added: the first instruction takes no registers and a false
// predicate, the next one ties its registers to the result of the first.
// CHECK-LABEL: llvm.func @accumulate(
// CHECK: %[[FIRST:.*]] = llvm.inline_asm has_side_effects "{{.*}}setp.ne.b32 p, 0, 0;{{.*}}", "=f,{{[=f,]*}}=f,l,l" %
// CHECK-COUNT-32: llvm.extractvalue %[[FIRST]]
// CHECK: %[[SECOND:.*]] = llvm.inline_asm has_side_effects "{{.*}}setp.ne.b32 p, 1, 0;{{.*}}$64, $65, p, 1, 1, 0, 1;{{.*}}", "=f,{{.*}},0,1,2,{{.*}},31,l,l" %
// CHECK: nvvm.wgmma.wait.group.sync.aligned 1
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK: %[[DONE:.*]] = llvm.inline_asm has_side_effects "", "=f,{{.*}},0,1,2,{{.*}},31" %
// CHECK: llvm.extractvalue %[[DONE]][0]
tile.kernel @accumulate() plan #tile.plan<warps = 8> {
  %ra = tile_gpu.alloc at 0 : !a
  %rb = tile_gpu.alloc at 32768 : !b
  %zeros = arith.constant dense<0.0> : !acc
  %c = tile_gpu.cursor : !cursor
  %p = tile_gpu.wgmma %ra[%c], %rb[%c], %zeros plan<wgmma, m = 64, n = 64, k = 16, warps = [2, 1]>
      : !a, !cursor, !b, !cursor, !acc -> !pending
  tile_gpu.wgmma_wait 1
  %sum = tile_gpu.wgmma_finish %p : !pending
  tile.return
}

// Operands in the other order in memory are transposed by the instruction; with
// m along rows, the 128 m's are two blocks of 8192 bytes.
// CHECK-LABEL: llvm.func @majorness(
// CHECK: %[[LEADING_A:.*]] = llvm.mlir.constant(33554432 : i32)
// CHECK: llvm.or disjoint %{{.*}}, %[[LEADING_A]]
// CHECK: wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {{.*}}, p, 1, 1, 1, 0;
tile.kernel @majorness() plan #tile.plan<warps = 8> {
  %ra = tile_gpu.alloc at 0 : !tile_gpu.buffer<1x128x64xbf16, #m_major>
  %rb = tile_gpu.alloc at 32768 : !tile_gpu.buffer<1x64x64xbf16, #b_k_major>
  %zeros = arith.constant dense<0.0> : !acc
  %c = tile_gpu.cursor : !one
  %p = tile_gpu.wgmma %ra[%c], %rb[%c], %zeros plan<wgmma, m = 64, n = 64, k = 16, warps = [2, 1]>
      : !tile_gpu.buffer<1x128x64xbf16, #m_major>, !one, !tile_gpu.buffer<1x64x64xbf16, #b_k_major>, !one, !acc -> !pending
  tile.return
}

// A swizzle of 64 bytes: code 2, 512 bytes to the next 8 rows.
// CHECK-LABEL: llvm.func @swizzle_64(
// CHECK: llvm.mlir.constant(-9223371899415822336 : i64)
// CHECK: wgmma.mma_async.sync.aligned.m64n32k16
tile.kernel @swizzle_64() plan #tile.plan<warps = 4> {
  %ra = tile_gpu.alloc at 0 : !tile_gpu.buffer<1x64x32xf16, #k_major_64>
  %rb = tile_gpu.alloc at 4096 : !tile_gpu.buffer<1x32x32xf16, #n_major_64>
  %zeros = arith.constant dense<0.0> : tensor<64x32xf32, #acc_small>
  %c = tile_gpu.cursor : !one
  %p = tile_gpu.wgmma %ra[%c], %rb[%c], %zeros plan<wgmma, m = 64, n = 32, k = 16, warps = [1, 1]>
      : !tile_gpu.buffer<1x64x32xf16, #k_major_64>, !one, !tile_gpu.buffer<1x32x32xf16, #n_major_64>, !one, tensor<64x32xf32, #acc_small> -> !tile_gpu.pending<tensor<64x32xf32, #acc_small>>
  tile.return
}

// Two tiles of 64 rows in one warpgroup are two instructions for each k, whose
// accumulators are two values; 64 rows of A are 512 units on.
// CHECK-LABEL: llvm.func @two_tiles(
// CHECK: %[[ROWS:.*]] = llvm.mlir.constant(512 : i32)
// CHECK: llvm.cond_br %{{.*}}(%{{.*}} : i32, !llvm.struct<({{.*}})>, !llvm.struct<({{.*}})>)
// CHECK: nvvm.wgmma.fence.aligned
// CHECK: wgmma.mma_async
// CHECK: llvm.add %{{.*}}, %[[ROWS]]
// CHECK-COUNT-7: wgmma.mma_async
// CHECK-NOT: wgmma.mma_async
tile.kernel @two_tiles(%n: i32) plan #tile.plan<warps = 4> {
  %ra = tile_gpu.alloc at 0 : !a
  %rb = tile_gpu.alloc at 32768 : !b
  %zeros = arith.constant dense<0.0> : tensor<128x64xf32, #acc_tall>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c = tile_gpu.cursor : !cursor
  %p = tile_gpu.wgmma %ra[%c], %rb[%c], %zeros plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]>
      : !a, !cursor, !b, !cursor, tensor<128x64xf32, #acc_tall> -> !tile_gpu.pending<tensor<128x64xf32, #acc_tall>>
  %end = scf.for %k = %zero to %n step %one iter_args(%acc = %p) -> !tile_gpu.pending<tensor<128x64xf32, #acc_tall>> : i32 {
    %q = tile_gpu.wgmma %ra[%c], %rb[%c], %acc plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]>
        : !a, !cursor, !b, !cursor, !tile_gpu.pending<tensor<128x64xf32, #acc_tall>> -> !tile_gpu.pending<tensor<128x64xf32, #acc_tall>>
    scf.yield %q : !tile_gpu.pending<tensor<128x64xf32, #acc_tall>>
  }
  tile.return
}

// A product that is finished at once: fence, group, wait for all, and registers
// that are tied behind the wait.
// CHECK-LABEL: llvm.func @finish(
// CHECK: nvvm.wgmma.fence.aligned
// CHECK-COUNT-4: wgmma.mma_async
// CHECK-NEXT: nvvm.wgmma.commit.group.sync.aligned
// CHECK-NEXT: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK: llvm.inline_asm has_side_effects "",
tile.kernel @finish(%n: i32) plan #tile.plan<warps = 8> {
  %ra = tile_gpu.alloc at 0 : !a
  %rb = tile_gpu.alloc at 32768 : !b
  %zeros = arith.constant dense<0.0> : !acc
  %c = tile_gpu.cursor : !cursor
  %p = tile_gpu.wgmma %ra[%c], %rb[%c], %zeros plan<wgmma, m = 64, n = 64, k = 16, warps = [2, 1]>
      : !a, !cursor, !b, !cursor, !acc -> !pending
  %sum = tile_gpu.wgmma_finish %p : !pending
  tile.return
}

// A tensor as operand A: its pairs of neighbouring k's are tied to a place before
// the fence, and each instruction takes four of them and has no bit to transpose
// A.  Registers that are added to are tied there, too.
// CHECK-LABEL: llvm.func @registers(
// CHECK: %[[ACC:.*]] = llvm.inline_asm has_side_effects "", "=f,
// CHECK: %[[PAIR:.*]] = llvm.bitcast %{{.*}} : vector<2xbf16> to i32
// CHECK: llvm.insertvalue %[[PAIR]], %{{.*}}[0]
// CHECK: %[[HELD:.*]] = llvm.inline_asm has_side_effects "", "{{(=r,)+}}0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15"
// CHECK: %[[A0:.*]] = llvm.extractvalue %[[HELD]][0]
// CHECK: nvvm.wgmma.fence.aligned
// CHECK: llvm.extractvalue %[[ACC]][0]
// CHECK: llvm.inline_asm has_side_effects "{{.*}}wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {$0, {{.*}}, $31}, {$64, $65, $66, $67}, $68, p, 1, 1, 1;{{.*}}", "=f,{{.*}},31,r,r,r,r,l" {{.*}}%[[A0]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} :
// CHECK-COUNT-3: wgmma.mma_async
// CHECK-NOT: wgmma.mma_async
tile.kernel @registers(%x: bf16, %y: f32) plan #tile.plan<warps = 8> {
  %rb = tile_gpu.alloc at 0 : !tile_gpu.buffer<2x64x64xbf16, #n_major>
  %a = tile.splat %x : tensor<128x64xbf16, #acc>
  %sums = tile.splat %y : !acc
  %c = tile_gpu.cursor : !cursor
  %p = tile_gpu.wgmma %a, %rb[%c], %sums plan<wgmma, m = 64, n = 64, k = 16, warps = [2, 1]>
      : tensor<128x64xbf16, #acc>, !tile_gpu.buffer<2x64x64xbf16, #n_major>, !cursor, !acc -> !pending
  tile.return
}

// Integers wrap, have neither signs nor transposed operands, and 32 k's of 8 bits
// are 32 bytes of a row.
// CHECK-LABEL: llvm.func @integers(
// CHECK-DAG: %[[STEP:.*]] = llvm.mlir.constant(2 : i32)
// CHECK: nvvm.wgmma.fence.aligned
// CHECK: wgmma.mma_async.sync.aligned.m64n32k32.s32.s8.s8 {$0, {{.*}}, $15}, $16, $17, p;{{.*}}", "=r,
// CHECK: llvm.add %{{.*}}, %[[STEP]]
// CHECK-COUNT-3: wgmma.mma_async
// CHECK-NEXT: nvvm.wgmma.commit.group.sync.aligned
tile.kernel @integers() plan #tile.plan<warps = 4> {
  %ra = tile_gpu.alloc at 0 : !tile_gpu.buffer<1x64x128xi8, #k_major_i8>
  %rb = tile_gpu.alloc at 8192 : !tile_gpu.buffer<1x128x32xi8, #b_k_major_i8>
  %zeros = arith.constant dense<0> : tensor<64x32xi32, #acc_small>
  %c = tile_gpu.cursor : !one
  %p = tile_gpu.wgmma %ra[%c], %rb[%c], %zeros plan<wgmma, m = 64, n = 32, k = 32, warps = [1, 1]>
      : !tile_gpu.buffer<1x64x128xi8, #k_major_i8>, !one, !tile_gpu.buffer<1x128x32xi8, #b_k_major_i8>, !one,
        tensor<64x32xi32, #acc_small> -> !tile_gpu.pending<tensor<64x32xi32, #acc_small>>
  tile.return
}

// tf32 takes 8 k's, and has signs but no transposed operands.
// CHECK-LABEL: llvm.func @tf32(
// CHECK-COUNT-4: wgmma.mma_async.sync.aligned.m64n32k8.f32.tf32.tf32 {$0, {{.*}}, $15}, ${{[0-9]+}}, ${{[0-9]+}}, p, 1, 1;
// CHECK-NOT: wgmma.mma_async
tile.kernel @tf32() plan #tile.plan<warps = 4> {
  %ra = tile_gpu.alloc at 0 : !tile_gpu.buffer<1x64x32xf32, #k_major_f32>
  %rb = tile_gpu.alloc at 8192 : !tile_gpu.buffer<1x32x32xf32, #b_k_major_f32>
  %zeros = arith.constant dense<0.0> : tensor<64x32xf32, #acc_small>
  %c = tile_gpu.cursor : !one
  %p = tile_gpu.wgmma %ra[%c], %rb[%c], %zeros plan<wgmma, m = 64, n = 32, k = 8, warps = [1, 1]>
      : !tile_gpu.buffer<1x64x32xf32, #k_major_f32>, !one, !tile_gpu.buffer<1x32x32xf32, #b_k_major_f32>, !one,
        tensor<64x32xf32, #acc_small> -> !tile_gpu.pending<tensor<64x32xf32, #acc_small>>
  tile.return
}

// 8-bit floats are like bytes, with signs.
// CHECK-LABEL: llvm.func @e4m3(
// CHECK-COUNT-4: wgmma.mma_async.sync.aligned.m64n32k32.f32.e4m3.e4m3 {$0, {{.*}}, $15}, ${{[0-9]+}}, ${{[0-9]+}}, p, 1, 1;
// CHECK-NOT: wgmma.mma_async
tile.kernel @e4m3() plan #tile.plan<warps = 4> {
  %ra = tile_gpu.alloc at 0 : !tile_gpu.buffer<1x64x128xf8E4M3FN, #k_major_i8>
  %rb = tile_gpu.alloc at 8192 : !tile_gpu.buffer<1x128x32xf8E4M3FN, #b_k_major_i8>
  %zeros = arith.constant dense<0.0> : tensor<64x32xf32, #acc_small>
  %c = tile_gpu.cursor : !one
  %p = tile_gpu.wgmma %ra[%c], %rb[%c], %zeros plan<wgmma, m = 64, n = 32, k = 32, warps = [1, 1]>
      : !tile_gpu.buffer<1x64x128xf8E4M3FN, #k_major_i8>, !one, !tile_gpu.buffer<1x128x32xf8E4M3FN, #b_k_major_i8>, !one,
        tensor<64x32xf32, #acc_small> -> !tile_gpu.pending<tensor<64x32xf32, #acc_small>>
  tile.return
}

// CHECK-LABEL: llvm.func @e5m2(
// CHECK-COUNT-4: wgmma.mma_async.sync.aligned.m64n32k32.f32.e5m2.e5m2
tile.kernel @e5m2() plan #tile.plan<warps = 4> {
  %ra = tile_gpu.alloc at 0 : !tile_gpu.buffer<1x64x128xf8E5M2, #k_major_i8>
  %rb = tile_gpu.alloc at 8192 : !tile_gpu.buffer<1x128x32xf8E5M2, #b_k_major_i8>
  %zeros = arith.constant dense<0.0> : tensor<64x32xf32, #acc_small>
  %c = tile_gpu.cursor : !one
  %p = tile_gpu.wgmma %ra[%c], %rb[%c], %zeros plan<wgmma, m = 64, n = 32, k = 32, warps = [1, 1]>
      : !tile_gpu.buffer<1x64x128xf8E5M2, #k_major_i8>, !one, !tile_gpu.buffer<1x128x32xf8E5M2, #b_k_major_i8>, !one,
        tensor<64x32xf32, #acc_small> -> !tile_gpu.pending<tensor<64x32xf32, #acc_small>>
  tile.return
}
