// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

!bars = !tile_gpu.barriers<2>
!cursor = !tile_gpu.cursor<2>

// Roles take their warps in order, by a branch on the warp's number that a
// shuffle makes uniform; each sets its registers first; all meet at one return.
// The block has the warps of all roles.
// CHECK-LABEL: llvm.func @branches(
// CHECK-SAME: nvvm.maxntid = array<i32: 384>
// CHECK: %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK: %[[WARP_OF_THREAD:.*]] = llvm.lshr %[[TID]]
// CHECK: %[[WARP:.*]] = nvvm.shfl.sync idx %{{.*}}, %[[WARP_OF_THREAD]]
// CHECK: %[[IN_FIRST:.*]] = llvm.icmp "ult" %[[WARP]], %[[FOUR:.*]] : i32
// CHECK: llvm.cond_br %[[IN_FIRST]], ^[[FIRST:bb[0-9]+]], ^[[OTHERS:bb[0-9]+]]
// CHECK: ^[[FIRST]]:
// CHECK-NEXT: nvvm.setmaxregister decrease 40
// CHECK: ^[[OTHERS]]:
// CHECK: nvvm.setmaxregister increase 232
// CHECK: llvm.return
// CHECK-NOT: llvm.return
tile.kernel @branches() {
  tile_gpu.roles {
    tile_gpu.role "producer" warps 4 registers 40 {
    }
    tile_gpu.role "consumer" warps 8 registers 232 {
    }
  }
  tile.return
}

// What a thread has anyway is not asked for: 512 threads have 128 registers each.
// CHECK-LABEL: llvm.func @same_registers(
// CHECK-NOT: setmaxregister
tile.kernel @same_registers() {
  tile_gpu.roles {
    tile_gpu.role "all" warps 16 registers 128 {
    }
  }
  tile.return
}

// A role that only feeds the copy engine runs on one elected thread of its
// first warp, its loop included: nothing in it is predicated.
// CHECK-LABEL: llvm.func @feeder(
// CHECK: nvvm.barrier0
// CHECK: %[[IS_FIRST:.*]] = llvm.icmp "eq" %{{.*}}, %{{.*}} : i32
// CHECK: llvm.cond_br %[[IS_FIRST]], ^[[WARP:bb[0-9]+]], ^[[EXIT:bb[0-9]+]]
// CHECK: ^[[WARP]]:
// CHECK-NEXT: %[[ELECTED:.*]] = nvvm.elect.sync
// CHECK-NEXT: llvm.cond_br %[[ELECTED]], ^[[BODY:bb[0-9]+]], ^[[EXIT]]
// CHECK: ^[[BODY]]:
// CHECK: llvm.cond_br %{{[0-9]+}}, ^[[LOOP:bb[0-9]+]](
// CHECK: ^[[LOOP]](
// CHECK: nvvm.mbarrier.try_wait
// CHECK-NOT: llvm.icmp "eq"
// CHECK: nvvm.mbarrier.arrive.expect_tx
// CHECK: llvm.cond_br %{{.*}}, ^[[LOOP]](
// CHECK: ^[[EXIT]]:
// CHECK-NEXT: llvm.return
tile.kernel @feeder(%n: i32) {
  %full = tile_gpu.barriers arrivals 1 at 0 : !bars
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  tile_gpu.roles {
    tile_gpu.role "consumer" warps 4 {
    }
    tile_gpu.role "producer" warps 4 {
      %c = tile_gpu.cursor : !cursor
      %end = scf.for %k = %zero to %n step %one iter_args(%at = %c) -> !cursor : i32 {
        tile_gpu.wait_free %full[%at] : !bars, !cursor
        tile_gpu.expect %full[%at], 64 : !bars, !cursor
        %next = tile_gpu.advance %at by 1 : !cursor
        scf.yield %next : !cursor
      }
    }
  }
  tile.return
}

// A role that does more runs on all its threads, and the first of them acts for
// the copy engine: thread 128 of the block, whose number in the role is 0.
// CHECK-LABEL: llvm.func @all_threads(
// CHECK: %[[FIRST_THREAD:.*]] = llvm.mlir.constant(128 : i32)
// CHECK: %[[IN_ROLE:.*]] = llvm.sub %{{.*}}, %[[FIRST_THREAD]] : i32
// CHECK-NOT: nvvm.elect.sync
// CHECK: %[[LEADS:.*]] = llvm.icmp "eq" %[[IN_ROLE]], %{{.*}} : i32
// CHECK: llvm.cond_br %[[LEADS]], ^[[ACT:bb[0-9]+]], ^[[GO_ON:bb[0-9]+]]
// CHECK: ^[[ACT]]:
// CHECK-NEXT: nvvm.mbarrier.arrive.expect_tx
// CHECK-NEXT: llvm.br ^[[GO_ON]]
tile.kernel @all_threads() {
  %full = tile_gpu.barriers arrivals 1 at 0 : !bars
  tile_gpu.roles {
    tile_gpu.role "other" warps 4 {
    }
    tile_gpu.role "producer" warps 4 {
      %c = tile_gpu.cursor : !cursor
      tile_gpu.expect %full[%c], 64 : !bars, !cursor
      tile_gpu.barrier
    }
  }
  tile.return
}

// A barrier in a role is one of its threads: that of the warpgroup where it has
// one, 1 for the first; else one behind those of the three warpgroups.
// CHECK-LABEL: llvm.func @barriers(
// CHECK-DAG: %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
// CHECK-DAG: %[[FOUR:.*]] = llvm.mlir.constant(4 : i32)
// CHECK-DAG: %[[GROUP:.*]] = llvm.mlir.constant(128 : i32)
// CHECK-DAG: %[[GROUPS:.*]] = llvm.mlir.constant(256 : i32)
// CHECK: nvvm.barrier id = %[[ONE]] number_of_threads = %[[GROUP]]
// CHECK: nvvm.barrier id = %[[FOUR]] number_of_threads = %[[GROUPS]]
tile.kernel @barriers() {
  tile_gpu.roles {
    tile_gpu.role "small" warps 4 {
      tile_gpu.barrier
    }
    tile_gpu.role "large" warps 8 {
      tile_gpu.barrier
    }
  }
  tile.return
}

// A persistent kernel walks programs by its CTA's number.
// CHECK-LABEL: llvm.func @persistent(
// CHECK: %[[CTA:.*]] = nvvm.read.ptx.sreg.ctaid.x
// CHECK: %[[CTAS:.*]] = nvvm.read.ptx.sreg.nctaid.x
// CHECK: llvm.icmp "slt" %[[CTA]]
// CHECK: llvm.add %{{.*}}, %[[CTAS]]
tile.kernel @persistent(%n: i32) plan #tile.plan<warps = 4> {
  %cta = tile_gpu.cta
  %ctas = tile_gpu.num_ctas
  scf.for %t = %cta to %n step %ctas : i32 {
  }
  tile.return
}
