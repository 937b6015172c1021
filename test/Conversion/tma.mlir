// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#la = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
#lb = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [0, 64]], sides = [64, 128]>
#lk = #tile.layout<offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [8, 1], [16, 2], [32, 4], [0, 8], [0, 16], [0, 32], [0, 64]], sides = [64, 128]>
!bars = !tile_gpu.barriers<2>
!cursor = !tile_gpu.cursor<2>
!a = !tile_gpu.buffer<2x64x64xf16, #la>
!b = !tile_gpu.buffer<2x64x128xf16, #lb>
!map = !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
!half = !tile_gpu.tensor_map<32x64xf16, swizzle = 128>

// Maps are parameters behind the kernel's own, in their order, 128 bytes by
// value, and one thread fetches them.
// CHECK-LABEL: llvm.func @parameters(
// CHECK-SAME: %{{[a-z0-9]+}}: i32, %{{[a-z0-9]+}}: i64,
// CHECK-SAME: %[[FIRST:[a-z0-9]+]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}
// CHECK-SAME: %[[SECOND:[a-z0-9]+]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}
// CHECK: llvm.cond_br
// CHECK: nvvm.prefetch tensormap, %[[FIRST]]
// CHECK: nvvm.prefetch tensormap, %[[SECOND]]
// CHECK-NOT: nvvm.barrier
tile.kernel @parameters(%p: !tile.ptr<f16>, %M: i32, %s: i64) plan #tile.plan<warps = 4> {
  %first = tile_gpu.tensor_map %p dims[%M, %M] strides[%s] : !tile.ptr<f16>, i32, !map
  %second = tile_gpu.tensor_map %p dims[%M, %M] strides[%s] : !tile.ptr<f16>, i32, !map
  tile.return
}

// A tile of 64x128 is two boxes of 64 columns, 8192 bytes apart in the slot,
// with the innermost coordinate first; both count against the slot's barrier.
// CHECK-LABEL: llvm.func @two_boxes(
// CHECK-SAME: %[[M:[a-z0-9]+]]: i32, %[[N:[a-z0-9]+]]: i32
// CHECK-SAME: %[[MAP:[a-z0-9]+]]: !llvm.ptr {
// CHECK: %[[SIXTY_FOUR:.*]] = llvm.mlir.constant(64 : i32)
// CHECK: ^{{.*}}(%{{.*}}: i32, %[[SLOT:.*]]: i32, %{{.*}}: i32):
// CHECK: %[[BARRIER_AT:.*]] = llvm.mul %[[SLOT]]
// CHECK: %[[BARRIER_MOVED:.*]] = llvm.getelementptr %{{.*}}[%[[BARRIER_AT]]]
// CHECK: %[[BARRIER:.*]] = llvm.getelementptr %[[BARRIER_MOVED]][32768]
// CHECK: %[[SLOT0:.*]] = llvm.getelementptr
// CHECK: %[[TO0:.*]] = llvm.addrspacecast %[[SLOT0]] : !llvm.ptr<3> to !llvm.ptr<7>
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %[[TO0]], %[[MAP]], %[[BARRIER]], box[%[[N]], %[[M]]]
// CHECK: %[[N1:.*]] = llvm.add %[[N]], %[[SIXTY_FOUR]]
// CHECK: %[[SLOT1:.*]] = llvm.getelementptr %{{.*}}[8192]
// CHECK: %[[TO1:.*]] = llvm.addrspacecast %[[SLOT1]]
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %[[TO1]], %[[MAP]], %[[BARRIER]], box[%[[N1]], %[[M]]]
// CHECK-NOT: nvvm.cp.async
tile.kernel @two_boxes(%p: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) {
  %ring = tile_gpu.alloc at 0 : !b
  %full = tile_gpu.barriers arrivals 1 at 32768 : !bars
  %map = tile_gpu.tensor_map %p dims[%m, %n] strides[%s] : !tile.ptr<f16>, i32, !map
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  tile_gpu.roles {
    tile_gpu.role "producer" warps 4 {
      %c = tile_gpu.cursor : !cursor
      %end = scf.for %k = %zero to %n step %one iter_args(%at = %c) -> !cursor : i32 {
        tile_gpu.tma_load %map[%m, %n] into %ring[%at] signals %full : !map, !b, !cursor, !bars
        %next = tile_gpu.advance %at by 1 : !cursor
        scf.yield %next : !cursor
      }
    }
  }
  tile.return
}

// Boxes of fewer rows lie below each other: 32 rows of 128 bytes are 4096.
// CHECK-LABEL: llvm.func @half_boxes(
// CHECK: llvm.getelementptr %{{.*}}[20480]
// CHECK: nvvm.cp.async.bulk.tensor
// CHECK: llvm.getelementptr %{{.*}}[24576]
// CHECK: nvvm.cp.async.bulk.tensor
tile.kernel @half_boxes(%p: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) {
  %ring = tile_gpu.alloc at 20480 : !a
  %full = tile_gpu.barriers arrivals 1 at 0 : !bars
  %map = tile_gpu.tensor_map %p dims[%m, %n] strides[%s] : !tile.ptr<f16>, i32, !half
  tile_gpu.roles {
    tile_gpu.role "producer" warps 4 {
      %c = tile_gpu.cursor : !cursor
      tile_gpu.tma_load %map[%m, %n] into %ring[%c] signals %full : !half, !a, !cursor, !bars
    }
  }
  tile.return
}

// Where a role does more, its first thread alone starts the copies.
// CHECK-LABEL: llvm.func @one_thread_of_all(
// CHECK: nvvm.barrier0
// CHECK: %[[LEADS:.*]] = llvm.icmp "eq"
// CHECK: llvm.cond_br %[[LEADS]], ^[[COPY:bb[0-9]+]]
// CHECK: ^[[COPY]]:
// CHECK: nvvm.cp.async.bulk.tensor
// CHECK-NEXT: llvm.br
tile.kernel @one_thread_of_all(%p: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) plan #tile.plan<warps = 4> {
  %ring = tile_gpu.alloc at 0 : !a
  %full = tile_gpu.barriers arrivals 1 at 16384 : !bars
  %map = tile_gpu.tensor_map %p dims[%m, %n] strides[%s] : !tile.ptr<f16>, i32, !map
  %c = tile_gpu.cursor : !cursor
  tile_gpu.tma_load %map[%m, %n] into %ring[%c] signals %full : !map, !a, !cursor, !bars
  tile.return
}

// Ordinary writes become visible to wgmma and the copy engine by a fence.
// CHECK-LABEL: llvm.func @fence(
// CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
tile.kernel @fence() plan #tile.plan<warps = 4> {
  tile_gpu.fence_async
  tile.return
}

// A column-major slot is filled along its first dimension: the map's contiguous
// dimension is k, and 128 columns are two boxes of 64 rows.
// CHECK-LABEL: llvm.func @column_major(
// CHECK-SAME: %[[N:[a-z0-9]+]]: i32, %[[K:[a-z0-9]+]]: i32
// CHECK: nvvm.cp.async.bulk.tensor{{.*}} box[%[[K]], %[[N]]]
// CHECK: %[[N1:.*]] = llvm.add %[[N]], %{{.*}} : i32
// CHECK: llvm.getelementptr %{{.*}}[8192]
// CHECK: nvvm.cp.async.bulk.tensor{{.*}} box[%[[K]], %[[N1]]]
tile.kernel @column_major(%p: !tile.ptr<f16>, %n: i32, %k: i32, %s: i64) {
  %ring = tile_gpu.alloc at 0 : !tile_gpu.buffer<2x64x128xf16, #lk>
  %full = tile_gpu.barriers arrivals 1 at 32768 : !bars
  %map = tile_gpu.tensor_map %p dims[%n, %k] strides[%s] : !tile.ptr<f16>, i32, !map
  tile_gpu.roles {
    tile_gpu.role "producer" warps 4 {
      %c = tile_gpu.cursor : !cursor
      tile_gpu.tma_load %map[%n, %k] into %ring[%c] signals %full : !map, !tile_gpu.buffer<2x64x128xf16, #lk>, !cursor, !bars
    }
  }
  tile.return
}
