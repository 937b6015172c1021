// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#acc = #tile.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], sides = [32, 8]>
#rows = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], sides = [32, 8]>
!bars = !tile_gpu.barriers<2>
!cursor = !tile_gpu.cursor<2>
!ring = !tile_gpu.buffer<2x32x8xf32, #rows>

// One thread initialises every slot's barrier, 8 bytes each, with its number of
// arrivals, before a barrier of all threads.
// CHECK-LABEL: llvm.func @init(
// CHECK-DAG: %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
// CHECK-DAG: %[[TWO:.*]] = llvm.mlir.constant(2 : i32)
// CHECK: %[[IS_FIRST:.*]] = llvm.icmp "eq"
// CHECK: llvm.cond_br %[[IS_FIRST]], ^[[INIT:bb[0-9]+]], ^[[GO_ON:bb[0-9]+]]
// CHECK: ^[[INIT]]:
// CHECK: %[[FULL0:.*]] = llvm.getelementptr %[[SMEM:.*]][64]
// CHECK: nvvm.mbarrier.init %[[FULL0]], %[[ONE]]
// CHECK: %[[FULL1:.*]] = llvm.getelementptr %[[SMEM]][72]
// CHECK: nvvm.mbarrier.init %[[FULL1]], %[[ONE]]
// CHECK: %[[EMPTY0:.*]] = llvm.getelementptr %[[SMEM]][80]
// CHECK: nvvm.mbarrier.init %[[EMPTY0]], %[[TWO]]
// CHECK: nvvm.mbarrier.init
// CHECK-NEXT: nvvm.fence.mbarrier.init
// CHECK-NEXT: llvm.br ^[[GO_ON]]
// CHECK: ^[[GO_ON]]:
// CHECK-NEXT: nvvm.barrier0
tile.kernel @init() plan #tile.plan<warps = 4> {
  %full = tile_gpu.barriers arrivals 1 at 64 : !bars
  %empty = tile_gpu.barriers arrivals 2 at 80 : !bars
  tile.return
}

// A cursor carries its phase, which flips where the slot wraps; data is awaited
// in the cursor's phase, space in the other one, until try_wait succeeds.
// CHECK-LABEL: llvm.func @phases(
// CHECK: ^{{.*}}(%{{.*}}: i32, %[[SLOT:.*]]: i32, %[[PHASE:.*]]: i32):
// CHECK: %[[SLOT_AT:.*]] = llvm.mul %[[SLOT]], %{{.*}} : i32
// CHECK: %[[BARRIER:.*]] = llvm.getelementptr %{{.*}}[%[[SLOT_AT]]]
// CHECK: llvm.br ^[[SPIN:bb[0-9]+]]
// CHECK: ^[[SPIN]]:
// CHECK-NEXT: %[[IS_FULL:.*]] = nvvm.mbarrier.try_wait %[[BARRIER]], %[[PHASE]]
// CHECK-NEXT: llvm.cond_br %[[IS_FULL]], ^{{.*}}, ^[[SPIN]]
// CHECK: %[[OTHER_PHASE:.*]] = llvm.xor %[[PHASE]], %{{.*}} : i32
// CHECK: nvvm.mbarrier.try_wait %{{.*}}, %[[OTHER_PHASE]]
// CHECK: %[[MOVED:.*]] = llvm.add %[[SLOT]], %{{.*}} : i32
// CHECK: %[[WRAPPED:.*]] = llvm.add %[[SLOT]], %{{.*}} : i32
// CHECK: %[[WRAPS:.*]] = llvm.icmp "sge" %[[MOVED]]
// CHECK: %[[NEXT_SLOT:.*]] = llvm.select %[[WRAPS]], %[[WRAPPED]], %[[MOVED]]
// CHECK: %[[FLIPS:.*]] = llvm.zext %[[WRAPS]] : i1 to i32
// CHECK: %[[NEXT_PHASE:.*]] = llvm.xor %[[PHASE]], %[[FLIPS]] : i32
// CHECK: llvm.cond_br %{{.*}}(%{{.*}}, %[[NEXT_SLOT]], %[[NEXT_PHASE]] : i32, i32, i32)
tile.kernel @phases(%n: i32) plan #tile.plan<warps = 4> {
  %full = tile_gpu.barriers arrivals 1 at 0 : !bars
  %empty = tile_gpu.barriers arrivals 1 at 16 : !bars
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c = tile_gpu.cursor : !cursor
  %end = scf.for %k = %zero to %n step %one iter_args(%at = %c) -> !cursor : i32 {
    tile_gpu.wait_full %full[%at] : !bars, !cursor
    tile_gpu.wait_free %empty[%at] : !bars, !cursor
    %next = tile_gpu.advance %at by 1 : !cursor
    scf.yield %next : !cursor
  }
  tile.return
}

// A cursor that is known costs nothing: five steps from the start are slot 1
// after two turns, phase 0 again; six are slot 0, phase 1.
// CHECK-LABEL: llvm.func @known_phases(
// CHECK-DAG: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
// CHECK-DAG: %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
// CHECK: nvvm.barrier0
// CHECK-NEXT: %[[SLOT1:.*]] = llvm.getelementptr %{{.*}}[8]
// CHECK-NOT: llvm.xor
// CHECK: nvvm.mbarrier.try_wait %[[SLOT1]], %[[ZERO]]
// CHECK: nvvm.mbarrier.try_wait %{{.*}}, %[[ONE]]
tile.kernel @known_phases() plan #tile.plan<warps = 4> {
  %full = tile_gpu.barriers arrivals 1 at 0 : !bars
  %c = tile_gpu.cursor : !cursor
  %five = tile_gpu.advance %c by 5 : !cursor
  tile_gpu.wait_full %full[%five] : !bars, !cursor
  %six = tile_gpu.advance %five by 1 : !cursor
  tile_gpu.wait_full %full[%six] : !bars, !cursor
  tile.return
}

// Each warpgroup releases a slot by one arrival of its first thread.
// CHECK-LABEL: llvm.func @arrive(
// CHECK: %[[MASK:.*]] = llvm.mlir.constant(127 : i32)
// CHECK: %[[IN_GROUP:.*]] = llvm.and %{{.*}}, %[[MASK]] : i32
// CHECK: nvvm.barrier0
// CHECK: %[[LEADS:.*]] = llvm.icmp "eq" %[[IN_GROUP]], %{{.*}} : i32
// CHECK: llvm.cond_br %[[LEADS]], ^[[ARRIVE:bb[0-9]+]]
// CHECK: ^[[ARRIVE]]:
// CHECK-NEXT: nvvm.mbarrier.arrive %{{.*}} : !llvm.ptr<3> -> i64
tile.kernel @arrive() plan #tile.plan<warps = 8> {
  %empty = tile_gpu.barriers arrivals 2 at 0 : !bars
  %c = tile_gpu.cursor : !cursor
  tile_gpu.release %empty[%c] : !bars, !cursor
  tile.return
}

// Where threads read the slot themselves, all of a warpgroup have to be done
// before one of them arrives: they meet at the barrier of their warpgroup.
// CHECK-LABEL: llvm.func @readers(
// CHECK: %[[WARP:.*]] = nvvm.shfl.sync
// CHECK: nvvm.barrier0
// CHECK: %[[GROUP:.*]] = llvm.lshr %[[WARP]], %{{.*}} : i32
// CHECK: llvm.load
// CHECK: %[[ID:.*]] = llvm.add %[[GROUP]], %{{.*}} : i32
// CHECK: nvvm.barrier id = %[[ID]] number_of_threads = %{{.*}}
// CHECK: nvvm.mbarrier.arrive
tile.kernel @readers() {
  %ring = tile_gpu.alloc at 1024 : !ring
  %empty = tile_gpu.barriers arrivals 2 at 0 : !bars
  tile_gpu.roles {
    tile_gpu.role "consumer" warps 8 {
      %c = tile_gpu.cursor : !cursor
      %x = tile_gpu.local_load %ring[%c] : !ring, !cursor -> tensor<32x8xf32, #acc>
      tile_gpu.release %empty[%c] : !bars, !cursor
    }
  }
  tile.return
}
