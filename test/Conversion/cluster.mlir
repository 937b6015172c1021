// RUN: tile-opt %s --convert-tile-to-nvvm -split-input-file | FileCheck %s

!bars = !tile_gpu.barriers<2>

// CTAs of a cluster of two wait for each other when the barriers are made, which
// the other one signals, and before one ends to which the other may still write.
// CHECK-LABEL: llvm.func @pair(
// CHECK-SAME: nvvm.cluster_dim = array<i32: 2, 1, 1>
// CHECK: nvvm.fence.mbarrier.init
// CHECK: nvvm.cluster.arrive.relaxed {aligned}
// CHECK-NEXT: nvvm.cluster.wait {aligned}
// CHECK-NOT: nvvm.barrier
// CHECK: nvvm.cluster.arrive.relaxed
// CHECK-NEXT: nvvm.cluster.wait
// CHECK-NEXT: llvm.return
tile.kernel @pair() plan #tile.plan<warps = 4, cluster = 2> {
  %full = tile_gpu.barriers arrivals 1 at 0 : !bars
  tile.return
}

// -----

#lb = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [0, 64]], sides = [64, 128]>
!bars = !tile_gpu.barriers<2>
!cursor = !tile_gpu.cursor<2>
!b = !tile_gpu.buffer<2x64x128xf16, #lb>
!map = !tile_gpu.tensor_map<64x64xf16, swizzle = 128>

// A shared tile: CTA 1 loads the second of two boxes, 64 columns and 8192 bytes
// on, and both write to both; a tile of one CTA takes both boxes itself.
// CHECK-LABEL: llvm.func @shared_load(
// CHECK-SAME: %[[M:[a-z0-9]+]]: i32, %[[N:[a-z0-9]+]]: i32, %{{[a-z0-9]+}}: i64, %[[SHARED:[a-z0-9]+]]: i1
// CHECK-DAG: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
// CHECK-DAG: %[[BOX_BYTES:.*]] = llvm.mlir.constant(8192 : i32)
// CHECK-DAG: %[[BOX_COLUMNS:.*]] = llvm.mlir.constant(64 : i32)
// CHECK-DAG: %[[BOTH:.*]] = llvm.mlir.constant(3 : i32)
// CHECK: %[[RANK:.*]] = nvvm.read.ptx.sreg.cluster.ctarank
// CHECK: %[[HALF:.*]] = llvm.select %[[SHARED]], %[[RANK]], %[[ZERO]]
// CHECK: %[[BYTES:.*]] = llvm.mul %[[HALF]], %[[BOX_BYTES]]
// CHECK: %[[COLUMNS:.*]] = llvm.mul %[[HALF]], %[[BOX_COLUMNS]]
// CHECK: %[[SELF:.*]] = llvm.shl %{{.*}}, %[[RANK]]
// CHECK: %[[WHO:.*]] = llvm.select %[[SHARED]], %[[BOTH]], %[[SELF]]
// CHECK: %[[MASK:.*]] = llvm.trunc %[[WHO]] : i32 to i16
// CHECK: %[[FROM:.*]] = llvm.add %[[N]], %[[COLUMNS]]
// CHECK: %[[TO:.*]] = llvm.getelementptr %{{.*}}[%[[BYTES]]]
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}} box[%[[FROM]], %[[M]]] multicast_mask = %[[MASK]]
// CHECK: %[[ALONE:.*]] = llvm.xor %[[SHARED]]
// CHECK: llvm.cond_br %[[ALONE]], ^[[SECOND:bb[0-9]+]]
// CHECK: ^[[SECOND]]:
// CHECK: %[[NEXT:.*]] = llvm.add %[[N]], %[[BOX_COLUMNS]]
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}} box[%[[NEXT]], %[[M]]] :
tile.kernel @shared_load(%p: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64, %shared: i1)
    plan #tile.plan<cluster = 2> {
  %ring = tile_gpu.alloc at 0 : !b
  %full = tile_gpu.barriers arrivals 1 at 32768 : !bars
  %map = tile_gpu.tensor_map %p dims[%m, %n] strides[%s] : !tile.ptr<f16>, i32, !map
  tile_gpu.roles {
    tile_gpu.role "producer" warps 4 {
      %c = tile_gpu.cursor : !cursor
      tile_gpu.tma_load %map[%m, %n] into %ring[%c] signals %full shared %shared : !map, !b, !cursor, !bars
    }
  }
  tile.return
}

// -----

!bars = !tile_gpu.barriers<2>
!cursor = !tile_gpu.cursor<2>

// Threads 0 and 1 of a warpgroup release a slot in CTA 0 and 1, or both in their
// own; not as a release at the scope of the cluster, which flushes.
// CHECK-LABEL: llvm.func @paired_release(
// CHECK-SAME: %[[PAIRED:[a-z0-9]+]]: i1
// CHECK: %[[THREAD:.*]] = llvm.and
// CHECK: %[[RANK:.*]] = nvvm.read.ptx.sreg.cluster.ctarank
// CHECK: %[[PEER:.*]] = llvm.select %[[PAIRED]], %[[THREAD]], %[[RANK]]
// CHECK: %[[THERE:.*]] = nvvm.mapa %{{.*}}, %[[PEER]] : !llvm.ptr<3> -> !llvm.ptr<7>
// CHECK: %[[SIGNALS:.*]] = llvm.icmp "ult" %[[THREAD]]
// CHECK: llvm.cond_br %[[SIGNALS]], ^[[ARRIVE:bb[0-9]+]]
// CHECK: ^[[ARRIVE]]:
// CHECK-NEXT: nvvm.mbarrier.arrive %[[THERE]] : !llvm.ptr<7>
tile.kernel @paired_release(%paired: i1) plan #tile.plan<warps = 8, cluster = 2> {
  %empty = tile_gpu.barriers arrivals 4 at 0 : !bars
  %c = tile_gpu.cursor : !cursor
  tile_gpu.release %empty[%c] paired %paired : !bars, !cursor
  tile.return
}
