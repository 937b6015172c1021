// RUN: tile-opt %s --tile-gpu-split-tails --split-input-file | FileCheck %s

#a = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
!ring = !tile_gpu.buffer<2x64x64xf16, #a>
!cur = !tile_gpu.cursor<2>

// The copies of a step share one branch, on all their sides: what does not
// change in the loop comes first.  Whole tiles have no bounds and are live.
// CHECK-LABEL: tile.kernel @step(
// CHECK-SAME: %[[A:[a-z0-9]+]]: !tile.ptr<f16>, %[[B:[a-z0-9]+]]: !tile.ptr<f16>, %[[M:[a-zA-Z0-9]+]]: i32, %[[N:[a-zA-Z0-9]+]]: i32, %[[K:[a-zA-Z0-9]+]]: i32
// CHECK: scf.for %[[IV:.*]] =
// CHECK: %[[LIVE:.*]] = arith.cmpi slt, %[[IV]], %[[K]] : i32
// CHECK: %[[MOVED:.*]] = tile.offset %[[B]]
// CHECK-NOT: scf.if
// CHECK: %[[IN_M:.*]] = arith.cmpi slt
// CHECK: %[[IN_N:.*]] = arith.cmpi slt
// CHECK: %[[INVARIANT:.*]] = arith.andi %[[IN_M]], %[[IN_N]]
// CHECK-DAG: %[[SIDE:.*]] = arith.constant 63 : i64
// CHECK-DAG: %[[IV64:.*]] = arith.extsi %[[IV]] : i32 to i64
// CHECK-DAG: %[[K64:.*]] = arith.extsi %[[K]] : i32 to i64
// CHECK: %[[END:.*]] = arith.subi %[[K64]], %[[SIDE]] : i64
// CHECK: %[[IN_K:.*]] = arith.cmpi slt, %[[IV64]], %[[END]] : i64
// CHECK: %[[SIDES:.*]] = arith.andi %[[INVARIANT]], %[[IN_K]]
// CHECK: %[[WHOLE:.*]] = arith.andi %[[SIDES]], %[[LIVE]]
// CHECK: %[[MOST:.*]] = arith.constant 2147483647 : i32
// CHECK: scf.if %[[WHOLE]] {
// CHECK-NEXT: copy_async %[[A]][{{.*}}] bounds[%[[MOST]], %[[MOST]]] strides[{{.*}}] into %{{[^ ]*}} plan
// CHECK-NEXT: copy_async %[[MOVED]][{{.*}}] bounds[%[[MOST]], %[[MOST]]] strides[{{.*}}] into %{{[^ ]*}} plan
// CHECK-NEXT: } else {
// CHECK-NEXT: copy_async %[[A]][{{.*}}] bounds[%[[M]], %[[K]]] {{.*}} if %[[LIVE]] plan
// CHECK-NEXT: copy_async %[[MOVED]][{{.*}}] bounds[%[[K]], %[[N]]] {{.*}} if %[[LIVE]] plan
// CHECK-NEXT: }
// CHECK-NEXT: tile_gpu.commit
tile.kernel @step(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %M: i32, %N: i32, %K: i32, %m: i32, %s: i64)
    plan #tile.plan<tail = "split"> {
  %zero = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %one = arith.constant 1 : i64
  %ra = tile_gpu.alloc : !ring
  %rb = tile_gpu.alloc : !ring
  %c = tile_gpu.cursor : !cur
  scf.for %k = %zero to %K step %step : i32 {
    %live = arith.cmpi slt, %k, %K : i32
    tile_gpu.copy_async %a[%m, %k] bounds[%M, %K] strides[%s, %one] into %ra[%c] if %live plan<cp_async, vector = 2> : !tile.ptr<f16>, i32, !ring, !cur
    %moved = tile.offset %b, %s : !tile.ptr<f16>, i64
    tile_gpu.copy_async %moved[%k, %m] bounds[%K, %N] strides[%s, %one] into %rb[%c] if %live plan<cp_async, vector = 2> : !tile.ptr<f16>, i32, !ring, !cur
    tile_gpu.commit
  }
  tile_gpu.wait 0
  tile.return
}

// -----

#a = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
!ring = !tile_gpu.buffer<2x64x64xf16, #a>
!cur = !tile_gpu.cursor<2>

// Bounds of 64 bits stop at the least value; a dimension without a bound is not
// asked about; what fills masked lanes stays.
// CHECK-LABEL: tile.kernel @wide(
// CHECK-SAME: %[[K:[a-zA-Z0-9]+]]: i64, %[[OTHER:[a-z0-9]+]]: f16
// CHECK: scf.for %[[IV:.*]] =
// CHECK: %[[LEAST:.*]] = arith.constant -9223372036854775745 : i64
// CHECK: %[[STOP:.*]] = arith.maxsi %[[K]], %[[LEAST]] : i64
// CHECK: %[[SIDE:.*]] = arith.constant 63 : i64
// CHECK: %[[END:.*]] = arith.subi %[[STOP]], %[[SIDE]] : i64
// CHECK: %[[WHOLE:.*]] = arith.cmpi slt, %[[IV]], %[[END]] : i64
// CHECK-NOT: arith.andi
// CHECK: scf.if %[[WHOLE]] {
// CHECK-NEXT: tile_gpu.copy {{.*}} other %[[OTHER]] plan
// CHECK-NEXT: } else {
// CHECK-NEXT: tile_gpu.copy {{.*}} bounds[%{{.*}}, %[[K]]] {{.*}} other %[[OTHER]] plan
tile.kernel @wide(%a: !tile.ptr<f16>, %K: i64, %other: f16, %s: i64)
    plan #tile.plan<tail = "split"> {
  %zero = arith.constant 0 : i64
  %step = arith.constant 64 : i64
  %one = arith.constant 1 : i64
  %most = arith.constant 9223372036854775807 : i64
  %ra = tile_gpu.alloc : !ring
  %c = tile_gpu.cursor : !cur
  scf.for %k = %zero to %K step %step : i64 {
    tile_gpu.copy %a[%zero, %k] bounds[%most, %K] strides[%s, %one] into %ra[%c] other %other plan<plain> : !tile.ptr<f16>, i64, !ring, !cur
  }
  tile.return
}

// -----

#a = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
!ring = !tile_gpu.buffer<2x64x64xf16, #a>
!cur = !tile_gpu.cursor<2>

// A wait between two copies parts their runs.
// CHECK-LABEL: tile.kernel @parted(
// CHECK: scf.if
// CHECK: tile_gpu.wait 0
// CHECK: scf.if
tile.kernel @parted(%a: !tile.ptr<f16>, %K: i32, %s: i64) plan #tile.plan<tail = "split"> {
  %zero = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %one = arith.constant 1 : i64
  %ra = tile_gpu.alloc : !ring
  %c = tile_gpu.cursor : !cur
  scf.for %k = %zero to %K step %step : i32 {
    tile_gpu.copy_async %a[%zero, %k] bounds[%K, %K] strides[%s, %one] into %ra[%c] plan<cp_async, vector = 2> : !tile.ptr<f16>, i32, !ring, !cur
    tile_gpu.commit
    tile_gpu.wait 0
    tile_gpu.copy_async %a[%k, %k] bounds[%K, %K] strides[%s, %one] into %ra[%c] plan<cp_async, vector = 2> : !tile.ptr<f16>, i32, !ring, !cur
    tile_gpu.commit
  }
  tile_gpu.wait 0
  tile.return
}

// A copy outside loops is left alone, and one that nothing bounds.
// CHECK-LABEL: tile.kernel @alone(
// CHECK-NOT: scf.if
// CHECK: tile.return
tile.kernel @alone(%a: !tile.ptr<f16>, %K: i32, %s: i64) plan #tile.plan<tail = "split"> {
  %zero = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %one = arith.constant 1 : i64
  %most = arith.constant 2147483647 : i32
  %ra = tile_gpu.alloc : !ring
  %c = tile_gpu.cursor : !cur
  tile_gpu.copy %a[%zero, %zero] bounds[%K, %K] strides[%s, %one] into %ra[%c] plan<plain> : !tile.ptr<f16>, i32, !ring, !cur
  scf.for %k = %zero to %K step %step : i32 {
    tile_gpu.copy %a[%zero, %k] bounds[%most, %most] strides[%s, %one] into %ra[%c] plan<plain> : !tile.ptr<f16>, i32, !ring, !cur
  }
  tile.return
}

// So is every copy under another plan.
// CHECK-LABEL: tile.kernel @masked(
// CHECK-NOT: scf.if
// CHECK: tile.return
tile.kernel @masked(%a: !tile.ptr<f16>, %K: i32, %s: i64) plan #tile.plan<tail = "masked"> {
  %zero = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %one = arith.constant 1 : i64
  %ra = tile_gpu.alloc : !ring
  %c = tile_gpu.cursor : !cur
  scf.for %k = %zero to %K step %step : i32 {
    tile_gpu.copy %a[%zero, %k] bounds[%K, %K] strides[%s, %one] into %ra[%c] plan<plain> : !tile.ptr<f16>, i32, !ring, !cur
  }
  tile.return
}
