// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#acc = #tile.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], sides = [16, 16]>
#acc8 = #tile.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], sides = [16, 8]>
#rows = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]], sides = [16, 16]>
#columns = #tile.layout<offset = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 1], [0, 2], [8, 4], [0, 8]], sides = [16, 16]>
#rows8 = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>
#long_a = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0]], sides = [16, 32]>
#long_b = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0]], sides = [32, 16]>
!long_a = !tile_gpu.buffer<1x16x32xf16, #long_a>
!long_b = !tile_gpu.buffer<1x32x16xf16, #long_b>
!rows = !tile_gpu.buffer<1x16x16xf16, #rows>
!columns = !tile_gpu.buffer<1x16x16xf16, #columns>
!rows_bf16 = !tile_gpu.buffer<1x16x16xbf16, #rows>
!rows8 = !tile_gpu.buffer<1x16x8xf16, #rows8>
!c = !tile_gpu.cursor<1>

// A with k contiguous is read as it lies, B with n contiguous transposed; one
// ldmatrix of four matrices serves two tiles of columns.  Each product works on
// one fragment of the accumulator.
// CHECK-LABEL: llvm.func @row_major(
// CHECK: nvvm.ldmatrix %{{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 4 : i32, {{.*}}}
// CHECK: nvvm.ldmatrix %{{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, num = 4 : i32, {{.*}}}
// CHECK-COUNT-2: nvvm.mma.sync A[{{.*}}] B[{{.*}}] C[{{.*}}] {{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
// CHECK-NOT: nvvm.mma.sync
tile.kernel @row_major() plan #tile.plan<warps = 1> {
  %zeros = arith.constant dense<0.0> : tensor<16x16xf32, #acc>
  %a = tile_gpu.alloc at 0 : !rows
  %b = tile_gpu.alloc at 1024 : !rows
  %c = tile_gpu.cursor : !c
  %d = tile_gpu.mma %a[%c], %b[%c], %zeros
      plan<mma_sync, m = 16, n = 8, k = 16, warps = [1, 1]>
      : !rows, !c, !rows, !c -> tensor<16x16xf32, #acc>
  tile.return
}

// With the other contiguous sides A is transposed and B is not.
// CHECK-LABEL: llvm.func @column_major(
// CHECK: nvvm.ldmatrix %{{.*}} {{{.*}}layout = #nvvm.mma_layout<col>, num = 4
// CHECK: nvvm.ldmatrix %{{.*}} {{{.*}}layout = #nvvm.mma_layout<row>, num = 4
tile.kernel @column_major() plan #tile.plan<warps = 1> {
  %zeros = arith.constant dense<0.0> : tensor<16x16xf32, #acc>
  %a = tile_gpu.alloc at 0 : !columns
  %b = tile_gpu.alloc at 1024 : !columns
  %c = tile_gpu.cursor : !c
  %d = tile_gpu.mma %a[%c], %b[%c], %zeros
      plan<mma_sync, m = 16, n = 8, k = 16, warps = [1, 1]>
      : !columns, !c, !columns, !c -> tensor<16x16xf32, #acc>
  tile.return
}

// bf16 travels in pairs as i32.
// CHECK-LABEL: llvm.func @bf16(
// CHECK: nvvm.mma.sync {{.*}}multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>{{.*}} : (i32, i32, f32)
tile.kernel @bf16() plan #tile.plan<warps = 1> {
  %zeros = arith.constant dense<0.0> : tensor<16x16xf32, #acc>
  %a = tile_gpu.alloc at 0 : !rows_bf16
  %b = tile_gpu.alloc at 1024 : !rows_bf16
  %c = tile_gpu.cursor : !c
  %d = tile_gpu.mma %a[%c], %b[%c], %zeros
      plan<mma_sync, m = 16, n = 8, k = 16, warps = [1, 1]>
      : !rows_bf16, !c, !rows_bf16, !c -> tensor<16x16xf32, #acc>
  tile.return
}

// A single tile of columns takes an ldmatrix of two.
// CHECK-LABEL: llvm.func @one_column_tile(
// CHECK: nvvm.ldmatrix %{{.*}} {{{.*}}num = 4
// CHECK: nvvm.ldmatrix %{{.*}} {{{.*}}num = 2
tile.kernel @one_column_tile() plan #tile.plan<warps = 1> {
  %zeros = arith.constant dense<0.0> : tensor<16x8xf32, #acc8>
  %a = tile_gpu.alloc at 0 : !rows
  %b = tile_gpu.alloc at 1024 : !rows8
  %c = tile_gpu.cursor : !c
  %d = tile_gpu.mma %a[%c], %b[%c], %zeros
      plan<mma_sync, m = 16, n = 8, k = 16, warps = [1, 1]>
      : !rows, !c, !rows8, !c -> tensor<16x8xf32, #acc8>
  tile.return
}

// Asynchronous copies that nothing orders before the product are issued after
// its first step, and the fragments of the next step are read before that.
// CHECK-LABEL: llvm.func @copies_between(
// CHECK-COUNT-4: nvvm.ldmatrix
// CHECK-COUNT-2: nvvm.mma.sync
// CHECK: nvvm.cp.async.shared.global
// CHECK: nvvm.cp.async.commit.group
// CHECK-COUNT-2: nvvm.mma.sync
// CHECK-NOT: nvvm.cp.async
tile.kernel @copies_between(%p: !tile.ptr<f16>, %sm: i64) plan #tile.plan<warps = 1> {
  %zero = arith.constant 0 : i32
  %none = arith.constant 2147483647 : i32
  %one = arith.constant 1 : i64
  %zeros = arith.constant dense<0.0> : tensor<16x16xf32, #acc>
  %a = tile_gpu.alloc at 0 : !long_a
  %b = tile_gpu.alloc at 1024 : !long_b
  %ahead = tile_gpu.alloc at 2048 : !rows
  %c = tile_gpu.cursor : !c
  tile_gpu.copy_async %p[%zero, %zero] bounds[%none, %none] strides[%sm, %one]
      into %ahead[%c] plan<cp_async, vector = 8> : !tile.ptr<f16>, i32, !rows, !c
  tile_gpu.commit
  %d = tile_gpu.mma %a[%c], %b[%c], %zeros
      plan<mma_sync, m = 16, n = 8, k = 16, warps = [1, 1]>
      : !long_a, !c, !long_b, !c -> tensor<16x16xf32, #acc>
  tile.return
}
