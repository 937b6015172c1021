// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#box = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
#box32 = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 4], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]], sides = [64, 32]>
#acc = #tile.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]], sides = [128, 128]>
#acc256 = #tile.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64], [0, 128]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], sides = [64, 256]>
#acc64 = #tile.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], sides = [64, 64]>
#acc32 = #tile.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], sides = [64, 32]>
!map = !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
!map32 = !tile_gpu.tensor_map<64x32xf32, swizzle = 128>

// Two warpgroups with two slots each: a box of 64 columns is four stmatrix of 16
// columns, a fence, the barrier of the warpgroup, and one store of the leader.
// The next box goes to the other slot, 8192 bytes on, and 64 columns to the
// right, and waits for nothing.
// CHECK-LABEL: llvm.func @two_boxes(
// CHECK-SAME: %[[M:[a-z0-9]+]]: i32, %[[N:[a-z0-9]+]]: i32, %{{[a-z0-9]+}}: i64, %[[MAP:[a-z0-9]+]]: !llvm.ptr {
// CHECK-DAG: %[[SLOTS:.*]] = llvm.mlir.constant(16384 : i32)
// CHECK-DAG: %[[GROUP_SIZE:.*]] = llvm.mlir.constant(128 : i32)
// CHECK-DAG: %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
// CHECK-DAG: %[[WARP:.*]] = nvvm.shfl.sync
// CHECK-DAG: %[[GROUP:.*]] = llvm.lshr %[[WARP]]
// CHECK-DAG: %[[GROUP_ROW:.*]] = llvm.shl %[[GROUP]]
// CHECK: %[[GROUP_AT:.*]] = llvm.mul %[[GROUP]], %[[SLOTS]]
// CHECK: %[[ROW:.*]] = llvm.add %[[M]], %[[GROUP_ROW]]
// CHECK: nvvm.cp.async.bulk.wait_group 0 {read}
// CHECK: nvvm.barrier id
// CHECK-COUNT-4: nvvm.stmatrix
// CHECK-NOT: nvvm.stmatrix
// CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>
// CHECK: %[[ID:.*]] = llvm.add %[[GROUP]], %[[ONE]]
// CHECK-NEXT: nvvm.barrier id = %[[ID]] number_of_threads = %[[GROUP_SIZE]]
// CHECK: %[[LEADS:.*]] = llvm.icmp "eq"
// CHECK-NEXT: llvm.cond_br %[[LEADS]], ^[[STORE:bb[0-9]+]]
// CHECK: ^[[STORE]]:
// CHECK: %[[STAGED:.*]] = llvm.getelementptr %{{.*}}[%[[GROUP_AT]]]
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta %[[MAP]], %[[STAGED]], box[%[[N]], %[[ROW]]]
// CHECK-NEXT: nvvm.cp.async.bulk.commit.group
// CHECK-NOT: nvvm.{{barrier|cp.async.bulk.wait_group}}
// CHECK-COUNT-4: nvvm.stmatrix
// CHECK: nvvm.fence.proxy
// CHECK-NOT: nvvm.cp.async.bulk.wait_group
// CHECK: nvvm.barrier id
// CHECK: %[[NEXT:.*]] = llvm.getelementptr %{{.*}}[8192]
// CHECK: %[[RIGHT:.*]] = llvm.add %[[N]], %{{.*}}
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta %[[MAP]], %[[NEXT]], box[%[[RIGHT]], %[[ROW]]]
// CHECK-NOT: nvvm.barrier
tile.kernel @two_boxes(%p: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) plan #tile.plan<warps = 8> {
  %x = arith.constant dense<1.0> : tensor<128x128xf16, #acc>
  %staging = tile_gpu.alloc at 0 : !tile_gpu.buffer<4x64x64xf16, #box>
  %map = tile_gpu.tensor_map %p dims[%m, %n] strides[%s] : !tile.ptr<f16>, i32, !map
  tile_gpu.tma_store %x, %map[%m, %n] via %staging : tensor<128x128xf16, #acc>, !map, !tile_gpu.buffer<4x64x64xf16, #box>
  tile.return
}

// Two boxes in one slot: the second is written once the first has been read, as
// all have learnt from the leader.
// CHECK-LABEL: llvm.func @one_slot(
// CHECK: nvvm.cp.async.bulk.wait_group 0 {read}
// CHECK: nvvm.stmatrix
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta
// CHECK: nvvm.cp.async.bulk.wait_group 0 {read}
// CHECK: nvvm.barrier id
// CHECK: nvvm.stmatrix
tile.kernel @one_slot(%p: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) plan #tile.plan<warps = 8> {
  %x = arith.constant dense<1.0> : tensor<128x128xf16, #acc>
  %staging = tile_gpu.alloc at 0 : !tile_gpu.buffer<2x64x64xf16, #box>
  %map = tile_gpu.tensor_map %p dims[%m, %n] strides[%s] : !tile.ptr<f16>, i32, !map
  tile_gpu.tma_store %x, %map[%m, %n] via %staging : tensor<128x128xf16, #acc>, !map, !tile_gpu.buffer<2x64x64xf16, #box>
  tile.return
}

// Four boxes in two slots: the third waits for the first to have been read, while
// the second may still be, and the fourth for the second.
// CHECK-LABEL: llvm.func @turns(
// CHECK: nvvm.cp.async.bulk.wait_group 0 {read}
// CHECK-COUNT-2: nvvm.cp.async.bulk.tensor.global.shared.cta
// CHECK: nvvm.cp.async.bulk.wait_group 1 {read}
// CHECK: nvvm.barrier id
// CHECK: nvvm.stmatrix
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta
// CHECK: nvvm.cp.async.bulk.wait_group 1 {read}
// CHECK: nvvm.barrier id
// CHECK: nvvm.stmatrix
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta
// CHECK-NOT: nvvm.cp.async.bulk.wait_group
tile.kernel @turns(%p: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) plan #tile.plan<warps = 4> {
  %x = arith.constant dense<1.0> : tensor<64x256xf16, #acc256>
  %staging = tile_gpu.alloc at 0 : !tile_gpu.buffer<2x64x64xf16, #box>
  %map = tile_gpu.tensor_map %p dims[%m, %n] strides[%s] : !tile.ptr<f16>, i32, !map
  tile_gpu.tma_store %x, %map[%m, %n] via %staging : tensor<64x256xf16, #acc256>, !map, !tile_gpu.buffer<2x64x64xf16, #box>
  tile.return
}

// A wait before a store has freed its slots; a store through the same slots takes
// them again.
// CHECK-LABEL: llvm.func @waited(
// CHECK: nvvm.cp.async.bulk.wait_group 0 {read}
// CHECK: nvvm.barrier id
// CHECK-NOT: nvvm.cp.async.bulk.wait_group
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta
// CHECK: nvvm.cp.async.bulk.wait_group 0 {read}
// CHECK: nvvm.barrier id
// CHECK: nvvm.stmatrix
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta
tile.kernel @waited(%p: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) plan #tile.plan<warps = 4> {
  %x = arith.constant dense<1.0> : tensor<64x64xf16, #acc64>
  %staging = tile_gpu.alloc at 0 : !tile_gpu.buffer<2x64x64xf16, #box>
  %map = tile_gpu.tensor_map %p dims[%m, %n] strides[%s] : !tile.ptr<f16>, i32, !map
  tile_gpu.tma_store_wait
  tile_gpu.tma_store %x, %map[%m, %n] via %staging : tensor<64x64xf16, #acc64>, !map, !tile_gpu.buffer<2x64x64xf16, #box>
  tile_gpu.tma_store %x, %map[%n, %m] via %staging : tensor<64x64xf16, #acc64>, !map, !tile_gpu.buffer<2x64x64xf16, #box>
  tile.return
}

// Elements that are no 16 bits go as pairs of neighbours: 16 registers are eight
// stores.
// CHECK-LABEL: llvm.func @words(
// CHECK-COUNT-8: llvm.store %{{.*}}, %{{.*}} {alignment = 8 : i64} : vector<2xf32>, !llvm.ptr<3>
// CHECK-NOT: llvm.store
// CHECK: nvvm.fence.proxy
tile.kernel @words(%p: !tile.ptr<f32>, %m: i32, %n: i32, %s: i64) plan #tile.plan<warps = 4> {
  %x = arith.constant dense<1.0> : tensor<64x32xf32, #acc32>
  %staging = tile_gpu.alloc at 0 : !tile_gpu.buffer<2x64x32xf32, #box32>
  %map = tile_gpu.tensor_map %p dims[%m, %n] strides[%s] : !tile.ptr<f32>, i32, !map32
  tile_gpu.tma_store %x, %map[%m, %n] via %staging : tensor<64x32xf32, #acc32>, !map32, !tile_gpu.buffer<2x64x32xf32, #box32>
  tile.return
}

// At the end the leader waits until its stores have read their slots, which end
// with the block; only where something follows do the others have to know.
// CHECK-LABEL: llvm.func @wait(
// CHECK: nvvm.cp.async.bulk.wait_group 0 {read}
// CHECK: nvvm.barrier id
// CHECK: nvvm.cp.async.bulk.wait_group 0 {read}
// CHECK-NOT: nvvm.barrier
tile.kernel @wait() plan #tile.plan<warps = 4> {
  tile_gpu.tma_store_wait
  tile_gpu.tma_store_wait
  tile.return
}
