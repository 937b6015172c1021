// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

// 8 rows of 64 f16 under a 128-byte swizzle: 16 bytes a thread, 8 threads a row.
#rows = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32]], sides = [8, 64]>
!one = !tile_gpu.buffer<1x8x64xf16, #rows>

// One cp.async a thread.  Its source size is the valid part of the vector, and
// nothing where the row is outside or the copy is not live; the row's extent
// contains the latter.
// CHECK-LABEL: llvm.func @masked(
// CHECK-SAME: %[[P:[a-z0-9]+]]: !llvm.ptr<1> {{.*}}, %[[M:[a-z0-9]+]]: i32, %[[K:[a-z0-9]+]]: i32, %[[LIVE:[a-z0-9]+]]: i1, %[[PITCH:[a-z0-9]+]]: i64)
// CHECK: %[[COLUMNS:.*]] = llvm.intr.ssub.sat(%[[K]], %{{.*}})
// CHECK: %[[LIVE_COLUMNS:.*]] = llvm.select %[[LIVE]], %[[COLUMNS]],
// CHECK: %[[AT_MOST_8:.*]] = llvm.intr.smin(%[[LIVE_COLUMNS]], %{{.*}})
// CHECK: %[[VALID:.*]] = llvm.intr.smax(%[[AT_MOST_8]], %{{.*}})
// CHECK: %[[BYTES:.*]] = llvm.mul %[[VALID]], %{{.*}}
// CHECK: llvm.mul %{{.*}}, %[[PITCH]] : i64
// CHECK: %[[ROWS:.*]] = llvm.intr.ssub.sat(%[[M]], %{{.*}})
// CHECK: %[[LIVE_ROWS:.*]] = llvm.select %[[LIVE]], %[[ROWS]],
// CHECK: %[[INSIDE:.*]] = llvm.icmp "sgt" %[[LIVE_ROWS]],
// CHECK: %[[SIZE:.*]] = llvm.select %[[INSIDE]], %[[BYTES]],
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg, %[[SIZE]]
// CHECK-NOT: nvvm.cp.async.shared
tile.kernel @masked(%p: !tile.ptr<f16>, %M: i32, %K: i32, %live: i1, %pitch: i64)
    plan #tile.plan<warps = 2> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %ring = tile_gpu.alloc at 0 : !one
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  tile_gpu.copy_async %p[%zero, %zero] bounds[%M, %K] strides[%pitch, %one]
      into %ring[%c] if %live plan<cp_async, vector = 8> : !tile.ptr<f16>, i32,
      !one, !tile_gpu.cursor<1>
  tile.return
}

// A bound that is the largest value of its type is not checked, and no size is
// given.  With one warp a thread copies two rows: the second is 4 pitches
// further, and 512 bytes further in shared memory where the swizzle turns bit 6.
// CHECK-LABEL: llvm.func @unmasked(
// CHECK-SAME: %[[PITCH:[a-z0-9]+]]: i64)
// CHECK-DAG: %[[FOUR:.*]] = llvm.mlir.constant(4 : i64)
// CHECK-DAG: %[[TURN:.*]] = llvm.mlir.constant(64 : i32)
// CHECK-DAG: %[[TURNED:.*]] = llvm.xor %{{.*}}, %[[TURN]]
// CHECK-NOT: icmp
// CHECK: %[[FIRST:.*]] = llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %[[FIRST:.*]], 16, cache = cg :
// CHECK: %[[STEP:.*]] = llvm.mul %[[PITCH]], %[[FOUR]]
// CHECK: %[[SECOND:.*]] = llvm.getelementptr %[[FIRST]][%[[STEP]]]
// CHECK: %[[BASE:.*]] = llvm.getelementptr %{{.*}}[%[[TURNED]]]
// CHECK: %[[ROW4:.*]] = llvm.getelementptr %[[BASE]][512]
// CHECK: nvvm.cp.async.shared.global %[[ROW4]], %[[SECOND]], 16, cache = cg :
tile.kernel @unmasked(%p: !tile.ptr<f16>, %pitch: i64) plan #tile.plan<warps = 1> {
  %zero = arith.constant 0 : i32
  %none = arith.constant 2147483647 : i32
  %one = arith.constant 1 : i64
  %ring = tile_gpu.alloc at 0 : !one
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  tile_gpu.copy_async %p[%zero, %zero] bounds[%none, %none] strides[%pitch, %one]
      into %ring[%c] plan<cp_async, vector = 8> : !tile.ptr<f16>, i32,
      !one, !tile_gpu.cursor<1>
  tile.return
}

// Narrow copies go through all caches.
// CHECK-LABEL: llvm.func @narrow(
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 4, cache = ca :
tile.kernel @narrow(%p: !tile.ptr<f16>, %pitch: i64) plan #tile.plan<warps = 8> {
  %zero = arith.constant 0 : i32
  %none = arith.constant 2147483647 : i32
  %one = arith.constant 1 : i64
  %ring = tile_gpu.alloc at 0 : !one
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  tile_gpu.copy_async %p[%zero, %zero] bounds[%none, %none] strides[%pitch, %one]
      into %ring[%c] plan<cp_async, vector = 2> : !tile.ptr<f16>, i32,
      !one, !tile_gpu.cursor<1>
  tile.return
}

// 64 vectors are copied by 64 threads; the other 64 would write the same bytes.
// CHECK-LABEL: llvm.func @left_over(
// CHECK: %[[BIT:.*]] = llvm.mlir.constant(64 : i32)
// CHECK: %[[HAS:.*]] = llvm.and %{{.*}}, %[[BIT]]
// CHECK: %[[IS_OWNER:.*]] = llvm.icmp "eq" %[[HAS]], %{{.*}}
// CHECK: llvm.cond_br %[[IS_OWNER]], ^[[COPIES:bb[0-9]+]], ^[[DONE:bb[0-9]+]]
// CHECK: ^[[COPIES]]:
// CHECK: nvvm.cp.async.shared.global
// CHECK: ^[[DONE]]:
tile.kernel @left_over(%p: !tile.ptr<f16>, %pitch: i64) plan #tile.plan<warps = 4> {
  %zero = arith.constant 0 : i32
  %none = arith.constant 2147483647 : i32
  %one = arith.constant 1 : i64
  %ring = tile_gpu.alloc at 0 : !one
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  tile_gpu.copy_async %p[%zero, %zero] bounds[%none, %none] strides[%pitch, %one]
      into %ring[%c] plan<cp_async, vector = 8> : !tile.ptr<f16>, i32,
      !one, !tile_gpu.cursor<1>
  tile.return
}

// Copies and the end of their group keep their order before whatever waits.
// CHECK-LABEL: llvm.func @group(
// CHECK: nvvm.cp.async.shared.global
// CHECK: nvvm.cp.async.commit.group
// CHECK: nvvm.cp.async.wait.group 0
tile.kernel @group(%p: !tile.ptr<f16>, %pitch: i64) plan #tile.plan<warps = 2> {
  %zero = arith.constant 0 : i32
  %none = arith.constant 2147483647 : i32
  %one = arith.constant 1 : i64
  %ring = tile_gpu.alloc at 0 : !one
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  tile_gpu.copy_async %p[%zero, %zero] bounds[%none, %none] strides[%pitch, %one]
      into %ring[%c] plan<cp_async, vector = 8> : !tile.ptr<f16>, i32,
      !one, !tile_gpu.cursor<1>
  tile_gpu.commit
  tile_gpu.wait 0
  tile.return
}

#more = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0]], sides = [32, 64]>
!more = !tile_gpu.buffer<1x32x64xf16, #more>

// Of more than 16 copies a thread, 16 are written out and the others are rounds of
// a loop; inside a loop all are written out, to be mixed with what stands there.
// CHECK-LABEL: llvm.func @rounds(
// CHECK: ^[[ROUND:bb[0-9]+]](
// CHECK-COUNT-16: nvvm.cp.async.shared.global
// CHECK-NOT: nvvm.cp.async.shared.global
// CHECK: llvm.cond_br %{{.*}}, ^[[ROUND]](
// CHECK: nvvm.cp.async.commit.group
// CHECK-COUNT-32: nvvm.cp.async.shared.global
// CHECK-NOT: nvvm.cp.async.shared.global
tile.kernel @rounds(%p: !tile.ptr<f16>, %pitch: i64, %n: i32) plan #tile.plan<warps = 1> {
  %zero = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %none = arith.constant 2147483647 : i32
  %one = arith.constant 1 : i64
  %ring = tile_gpu.alloc at 0 : !more
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  tile_gpu.copy_async %p[%zero, %zero] bounds[%none, %none] strides[%pitch, %one]
      into %ring[%c] plan<cp_async, vector = 2> : !tile.ptr<f16>, i32,
      !more, !tile_gpu.cursor<1>
  tile_gpu.commit
  scf.for %i = %zero to %n step %step : i32 {
    tile_gpu.copy_async %p[%i, %zero] bounds[%none, %none] strides[%pitch, %one]
        into %ring[%c] plan<cp_async, vector = 2> : !tile.ptr<f16>, i32,
        !more, !tile_gpu.cursor<1>
  }
  tile.return
}
