// RUN: tile-opt %s --tile-pipeline-loops --split-input-file | FileCheck %s
// RUN: tile-opt %s --tile-pipeline-loops --tile-lower-memory --tile-gpu-check-schedule --split-input-file | FileCheck %s --check-prefix=WAIT

// Rings that the copy engine fills in a kernel without roles.

// Three stages: barriers that say when a slot is full, with the arrival of the one
// thread that copies, and when it is free, with one of each warpgroup; a box is as
// wide as the swizzle.
// CHECK-LABEL: @three
// CHECK: %[[FULL:.*]] = tile_gpu.barriers arrivals 1 : !tile_gpu.barriers<3>
// CHECK: %[[FREE:.*]] = tile_gpu.barriers arrivals 2 : !tile_gpu.barriers<3>
// CHECK: %[[MAP:.*]] = tile_gpu.tensor_map %p dims[%M, %n] strides[%s] : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
// CHECK: %[[RING:.*]] = tile_gpu.alloc : !tile_gpu.buffer<3x64x64xf16, #{{.*}}>
// Prologue: two iterations' copies, each if there is such an iteration.
// CHECK: %[[FIRST:.*]] = tile_gpu.cursor : !tile_gpu.cursor<3>
// CHECK: %[[LIVE0:.*]] = arith.cmpi slt
// CHECK: scf.if %[[LIVE0]] {
// CHECK-NEXT: tile_gpu.wait_free %[[FREE]][%[[FIRST]]]
// CHECK-NEXT: tile_gpu.expect %[[FULL]][%[[FIRST]]], 8192
// CHECK: tile_gpu.tma_load %[[MAP]][%{{.*}}, %{{.*}}] into %[[RING]][%[[FIRST]]] signals %[[FULL]]
// CHECK: scf.if
// CHECK: tile_gpu.tma_load
// Kernel: the copy starts while the first product runs, into the slot that the
// iteration before has released.
// CHECK: scf.for %[[K:[a-z0-9]+]] = {{.*}} iter_args(%[[S:.*]] = %{{.*}}, %[[SLOT:.*]] = %[[FIRST]])
// CHECK-NEXT: tile_gpu.wait_full %[[FULL]][%[[SLOT]]]
// CHECK: %[[X:.*]] = tile_gpu.local_load %[[RING]][%[[SLOT]]]
// CHECK: %[[D:.*]] = tile.dot
// CHECK-NEXT: %[[AHEAD:.*]] = tile_gpu.advance %[[SLOT]] by 2
// CHECK: %[[LIVE:.*]] = arith.cmpi slt
// CHECK-NEXT: scf.if %[[LIVE]] {
// CHECK-NEXT: tile_gpu.wait_free %[[FREE]][%[[AHEAD]]]
// CHECK-NEXT: tile_gpu.expect %[[FULL]][%[[AHEAD]]], 8192
// CHECK: tile_gpu.tma_load {{.*}} into %[[RING]][%[[AHEAD]]]
// CHECK: }
// CHECK: tile_gpu.release %[[FREE]][%[[SLOT]]]
// CHECK-NEXT: tile_gpu.advance %[[SLOT]] by 1
// Nothing is on its way behind the loop.
// CHECK-NOT: tile_gpu.wait
// CHECK: {{/}}/ -----
// The product is waited for where its result is used, but before the release.
// WAIT-LABEL: @three
// WAIT: scf.for
// WAIT: tile_gpu.wgmma
// WAIT: tile_gpu.tma_load
// WAIT: tile_gpu.wgmma_finish
// WAIT-NEXT: tile_gpu.release
tile.kernel @three(%p: !tile.ptr<f16> {tile.fact = #tile.fact<divisibility = 16>}, %M: i32 {tile.fact = #tile.fact<min = 1>}, %n: i32 {tile.fact = #tile.fact<min = 1>}, %s: i64 {tile.fact = #tile.fact<divisibility = 8>})
    plan #tile.plan<target = "sm_90a", warps = 8> {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %y = arith.constant dense<1.0> : tensor<128x64xf16>
  %i = tile.iota : tensor<64xi32>
  %row = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %m = tile.broadcast %row : tensor<64x1xi32> -> tensor<64x64xi32>
  %M_tile = tile.splat %M : tensor<64x64xi32>
  %in_m = arith.cmpi slt, %m, %M_tile : tensor<64x64xi32>
  %n_tile = tile.splat %n : tensor<64x64xi32>
  %m_wide = arith.extsi %m : tensor<64x64xi32> to tensor<64x64xi64>
  %s_tile = tile.splat %s : tensor<64x64xi64>
  %rows = arith.muli %m_wide, %s_tile : tensor<64x64xi64>
  %r = scf.for %k = %c0 to %n step %c64 iter_args(%sum = %zero) -> (tensor<128x64xf32>) : i32 {
    %ks = tile.splat %k : tensor<64xi32>
    %rk = arith.addi %i, %ks overflow<nsw> : tensor<64xi32>
    %col = tile.expand_dims %rk axis 0 : tensor<64xi32> -> tensor<1x64xi32>
    %k_tile = tile.broadcast %col : tensor<1x64xi32> -> tensor<64x64xi32>
    %in_k = arith.cmpi slt, %k_tile, %n_tile : tensor<64x64xi32>
    %in = arith.andi %in_m, %in_k : tensor<64x64xi1>
    %k_wide = arith.extsi %k_tile : tensor<64x64xi32> to tensor<64x64xi64>
    %at = arith.addi %rows, %k_wide : tensor<64x64xi64>
    %x = tile.load %p[%at] mask %in plan<tma, vector = 8, swizzle = 128> {tile.stage = 0 : i64} : !tile.ptr<f16>, tensor<64x64xi64> -> tensor<64x64xf16>
    %d = tile.dot %y, %x, %sum plan<wgmma, m = 64, n = 64, k = 16, warps = [2, 1]> {tile.stage = 2 : i64} : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    scf.yield %d : tensor<128x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 3>}
  tile.return
}

// -----

// A loop of 64 bits stops its end at the least value, and the schedule is known to
// be as with an end that does not stop.
// WAIT-LABEL: @wide
// WAIT: arith.maxsi
// WAIT: scf.for
// WAIT: tile_gpu.wait_free
// WAIT: tile_gpu.tma_load
tile.kernel @wide(%p: !tile.ptr<f16> {tile.fact = #tile.fact<divisibility = 16>}, %M: i32 {tile.fact = #tile.fact<min = 1>}, %n: i32 {tile.fact = #tile.fact<min = 1>}, %s: i64 {tile.fact = #tile.fact<divisibility = 8>})
    plan #tile.plan<target = "sm_90a", warps = 8> {
  %c0 = arith.constant 0 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %y = arith.constant dense<1.0> : tensor<128x64xf16>
  %i = tile.iota : tensor<64xi32>
  %row = tile.expand_dims %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %m = tile.broadcast %row : tensor<64x1xi32> -> tensor<64x64xi32>
  %M_tile = tile.splat %M : tensor<64x64xi32>
  %in_m = arith.cmpi slt, %m, %M_tile : tensor<64x64xi32>
  %n_tile = tile.splat %n : tensor<64x64xi32>
  %m_wide = arith.extsi %m : tensor<64x64xi32> to tensor<64x64xi64>
  %s_tile = tile.splat %s : tensor<64x64xi64>
  %rows = arith.muli %m_wide, %s_tile : tensor<64x64xi64>
  %end = arith.extsi %n : i32 to i64
  %r = scf.for %k = %c0 to %end step %c64 iter_args(%sum = %zero) -> (tensor<128x64xf32>) : i64 {
    %k_narrow = arith.trunci %k : i64 to i32
    %ks = tile.splat %k_narrow : tensor<64xi32>
    %rk = arith.addi %i, %ks overflow<nsw> : tensor<64xi32>
    %col = tile.expand_dims %rk axis 0 : tensor<64xi32> -> tensor<1x64xi32>
    %k_tile = tile.broadcast %col : tensor<1x64xi32> -> tensor<64x64xi32>
    %in_k = arith.cmpi slt, %k_tile, %n_tile : tensor<64x64xi32>
    %in = arith.andi %in_m, %in_k : tensor<64x64xi1>
    %k_wide = arith.extsi %k_tile : tensor<64x64xi32> to tensor<64x64xi64>
    %at = arith.addi %rows, %k_wide : tensor<64x64xi64>
    %x = tile.load %p[%at] mask %in plan<tma, vector = 8, swizzle = 128> {tile.stage = 0 : i64} : !tile.ptr<f16>, tensor<64x64xi64> -> tensor<64x64xf16>
    %d = tile.dot %y, %x, %sum plan<wgmma, m = 64, n = 64, k = 16, warps = [2, 1]> {tile.stage = 2 : i64} : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
    scf.yield %d : tensor<128x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 3>}
  tile.return
}

// -----

// One stage: each load is copied and waited for where it stood, with barriers of
// its own; a slot is released before the copy of the next turn.  Beside it,
// threads copy another tile.
// CHECK-LABEL: @one
// CHECK: tile_gpu.barriers arrivals 1 : !tile_gpu.barriers<1>
// CHECK-NOT: scf.if
// CHECK: scf.for
// CHECK: tile_gpu.wait_free
// CHECK-NEXT: tile_gpu.expect
// CHECK: tile_gpu.tma_load
// CHECK-NEXT: tile_gpu.wait_full
// CHECK-NEXT: tile_gpu.local_load
// CHECK: tile_gpu.copy %
// CHECK-NEXT: tile_gpu.local_load
// CHECK: tile_gpu.release
// CHECK-NOT: tile_gpu.release
// WAIT-LABEL: @one
tile.kernel @one(%p: !tile.ptr<f32> {tile.fact = #tile.fact<divisibility = 16>}, %M: i32 {tile.fact = #tile.fact<min = 1>}, %n: i32 {tile.fact = #tile.fact<min = 1>}, %s: i64 {tile.fact = #tile.fact<divisibility = 8>})
    plan #tile.plan<target = "sm_90a", warps = 4> {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %i = tile.iota : tensor<32xi32>
  %row = tile.expand_dims %i axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %m = tile.broadcast %row : tensor<32x1xi32> -> tensor<32x32xi32>
  %M_tile = tile.splat %M : tensor<32x32xi32>
  %in_m = arith.cmpi slt, %m, %M_tile : tensor<32x32xi32>
  %n_tile = tile.splat %n : tensor<32x32xi32>
  %m_wide = arith.extsi %m : tensor<32x32xi32> to tensor<32x32xi64>
  %s_tile = tile.splat %s : tensor<32x32xi64>
  %rows = arith.muli %m_wide, %s_tile : tensor<32x32xi64>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%sum = %zero) -> (tensor<32x32xf32>) : i32 {
    %ks = tile.splat %k : tensor<32xi32>
    %rk = arith.addi %i, %ks overflow<nsw> : tensor<32xi32>
    %col = tile.expand_dims %rk axis 0 : tensor<32xi32> -> tensor<1x32xi32>
    %k_tile = tile.broadcast %col : tensor<1x32xi32> -> tensor<32x32xi32>
    %in_k = arith.cmpi slt, %k_tile, %n_tile : tensor<32x32xi32>
    %in = arith.andi %in_m, %in_k : tensor<32x32xi1>
    %k_wide = arith.extsi %k_tile : tensor<32x32xi32> to tensor<32x32xi64>
    %at = arith.addi %rows, %k_wide : tensor<32x32xi64>
    %x = tile.load %p[%at] mask %in plan<tma, vector = 4, swizzle = 128> {tile.stage = 0 : i64} : !tile.ptr<f32>, tensor<32x32xi64> -> tensor<32x32xf32>
    %y = tile.load %p[%at] mask %in plan<plain> {tile.stage = 0 : i64} : !tile.ptr<f32>, tensor<32x32xi64> -> tensor<32x32xf32>
    %xy = arith.addf %x, %y : tensor<32x32xf32>
    %d = arith.addf %xy, %sum : tensor<32x32xf32>
    scf.yield %d : tensor<32x32xf32>
  } {tile.pipeline = #tile.pipeline<stages = 1>}
  tile.return
}

// -----

// Two stages and no product: the copy starts at the end of the iteration, whose
// slot is released by then.  Threads' copies start at its beginning.
// CHECK-LABEL: @both
// CHECK: scf.for
// CHECK: tile_gpu.wait 0
// CHECK: tile_gpu.copy_async
// CHECK-NEXT: tile_gpu.commit
// CHECK-NEXT: tile_gpu.wait_full
// CHECK: tile_gpu.release
// CHECK: scf.if
// CHECK: tile_gpu.tma_load
// CHECK: scf.yield
// CHECK: tile_gpu.wait 0
// WAIT-LABEL: @both
tile.kernel @both(%p: !tile.ptr<f32> {tile.fact = #tile.fact<divisibility = 16>}, %M: i32 {tile.fact = #tile.fact<min = 1>}, %n: i32 {tile.fact = #tile.fact<min = 1>}, %s: i64 {tile.fact = #tile.fact<divisibility = 8>}, %q: !tile.ptr<f32> {tile.fact = #tile.fact<divisibility = 16>})
    plan #tile.plan<target = "sm_90a", warps = 4> {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %i = tile.iota : tensor<32xi32>
  %row = tile.expand_dims %i axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %m = tile.broadcast %row : tensor<32x1xi32> -> tensor<32x32xi32>
  %M_tile = tile.splat %M : tensor<32x32xi32>
  %in_m = arith.cmpi slt, %m, %M_tile : tensor<32x32xi32>
  %n_tile = tile.splat %n : tensor<32x32xi32>
  %m_wide = arith.extsi %m : tensor<32x32xi32> to tensor<32x32xi64>
  %s_tile = tile.splat %s : tensor<32x32xi64>
  %rows = arith.muli %m_wide, %s_tile : tensor<32x32xi64>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%sum = %zero) -> (tensor<32x32xf32>) : i32 {
    %ks = tile.splat %k : tensor<32xi32>
    %rk = arith.addi %i, %ks overflow<nsw> : tensor<32xi32>
    %col = tile.expand_dims %rk axis 0 : tensor<32xi32> -> tensor<1x32xi32>
    %k_tile = tile.broadcast %col : tensor<1x32xi32> -> tensor<32x32xi32>
    %in_k = arith.cmpi slt, %k_tile, %n_tile : tensor<32x32xi32>
    %in = arith.andi %in_m, %in_k : tensor<32x32xi1>
    %k_wide = arith.extsi %k_tile : tensor<32x32xi32> to tensor<32x32xi64>
    %at = arith.addi %rows, %k_wide : tensor<32x32xi64>
    %x = tile.load %p[%at] mask %in plan<tma, vector = 4, swizzle = 128> {tile.stage = 0 : i64} : !tile.ptr<f32>, tensor<32x32xi64> -> tensor<32x32xf32>
    %y = tile.load %q[%at] mask %in plan<cp_async, vector = 4> {tile.stage = 0 : i64} : !tile.ptr<f32>, tensor<32x32xi64> -> tensor<32x32xf32>
    %xy = arith.addf %x, %y : tensor<32x32xf32>
    %d = arith.addf %xy, %sum : tensor<32x32xf32>
    scf.yield %d : tensor<32x32xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}
