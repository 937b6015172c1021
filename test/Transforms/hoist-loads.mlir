// RUN: tile-opt %s --tile-gpu-hoist-loads | FileCheck %s
// RUN: tile-opt %s --tile-gpu-hoist-loads --remarks-filter=tile-gpu-hoist-loads --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

#s = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
#acc = #tile.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], sides = [64, 64]>
!ring = !tile_gpu.buffer<2x64x64xf16, #s>
!bars = !tile_gpu.barriers<2>
!cur = !tile_gpu.cursor<2>
!tile = tensor<64x64xf16, #acc>
!acc = tensor<64x64xf32, #acc>
!sum = !tile_gpu.pending<tensor<64x64xf32, #acc>>

// A load behind the products starts beside the first, with the arithmetic of its
// address: 16 registers beside 32 of the accumulator.
// CHECK-LABEL: tile.kernel @residual(
// CHECK: tile_gpu.wait_full
// CHECK-NEXT: tile_gpu.wgmma
// CHECK-NEXT: arith.muli
// CHECK-NEXT: tile_gpu.load
// CHECK-NEXT: tile_gpu.wgmma_finish
// CHECK-NOT: tile_gpu.load
// REMARK: the load starts beside the first product and holds 16 registers
tile.kernel @residual(%a: !tile.ptr<f16>, %r: !tile.ptr<f16>, %o: !tile.ptr<f16>, %M: i32, %s: i64) {
  %ring = tile_gpu.alloc : !ring
  %full = tile_gpu.barriers arrivals 1 : !bars
  %empty = tile_gpu.barriers arrivals 1 : !bars
  tile_gpu.roles {
    tile_gpu.role "consumer" warps 4 registers 96 {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i64
      %zero = arith.constant dense<0.0> : !acc
      %c = tile_gpu.cursor : !cur
      %pid = tile.program_id x
      tile_gpu.wait_full %full[%c] : !bars, !cur
      %p = tile_gpu.wgmma %ring[%c], %ring[%c], %zero plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]> : !ring, !cur, !ring, !cur, !acc -> !sum
      %sum = tile_gpu.wgmma_finish %p : !sum
      tile_gpu.release %empty[%c] : !bars, !cur
      %m = arith.muli %pid, %M : i32
      %x = tile_gpu.load %r[%m, %c0] bounds[%M, %M] strides[%s, %c1] plan<registers, vector = 1> : !tile.ptr<f16>, i32 -> !tile
      %e = arith.extf %x : !tile to !acc
      %y = arith.addf %sum, %e : !acc
      %z = arith.truncf %y : !acc to !tile
      tile_gpu.store %z, %o[%m, %c0] bounds[%M, %M] strides[%s, %c1] plan<registers, vector = 1> : !tile, !tile.ptr<f16>, i32
    }
  }
  tile.return
}

// One register less, and it stays.
// CHECK-LABEL: tile.kernel @no_registers(
// CHECK: tile_gpu.wgmma_finish
// CHECK: tile_gpu.load
// REMARK: the load waits for the products: it needs 16 registers, and 8 are free beside them
tile.kernel @no_registers(%a: !tile.ptr<f16>, %r: !tile.ptr<f16>, %o: !tile.ptr<f16>, %M: i32, %s: i64) {
  %ring = tile_gpu.alloc : !ring
  %full = tile_gpu.barriers arrivals 1 : !bars
  %empty = tile_gpu.barriers arrivals 1 : !bars
  tile_gpu.roles {
    tile_gpu.role "consumer" warps 4 registers 80 {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i64
      %zero = arith.constant dense<0.0> : !acc
      %c = tile_gpu.cursor : !cur
      %pid = tile.program_id x
      tile_gpu.wait_full %full[%c] : !bars, !cur
      %p = tile_gpu.wgmma %ring[%c], %ring[%c], %zero plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]> : !ring, !cur, !ring, !cur, !acc -> !sum
      %sum = tile_gpu.wgmma_finish %p : !sum
      tile_gpu.release %empty[%c] : !bars, !cur
      %m = arith.muli %pid, %M : i32
      %x = tile_gpu.load %r[%m, %c0] bounds[%M, %M] strides[%s, %c1] plan<registers, vector = 1> : !tile.ptr<f16>, i32 -> !tile
      %e = arith.extf %x : !tile to !acc
      %y = arith.addf %sum, %e : !acc
      %z = arith.truncf %y : !acc to !tile
      tile_gpu.store %z, %o[%m, %c0] bounds[%M, %M] strides[%s, %c1] plan<registers, vector = 1> : !tile, !tile.ptr<f16>, i32
    }
  }
  tile.return
}

// Nobody said how many registers there are.
// CHECK-LABEL: tile.kernel @unknown_registers(
// CHECK: tile_gpu.wgmma_finish
// CHECK: tile_gpu.load
// REMARK-NOT: the load
tile.kernel @unknown_registers(%a: !tile.ptr<f16>, %r: !tile.ptr<f16>, %o: !tile.ptr<f16>, %M: i32, %s: i64) {
  %ring = tile_gpu.alloc : !ring
  %full = tile_gpu.barriers arrivals 1 : !bars
  %empty = tile_gpu.barriers arrivals 1 : !bars
  tile_gpu.roles {
    tile_gpu.role "consumer" warps 4 {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i64
      %zero = arith.constant dense<0.0> : !acc
      %c = tile_gpu.cursor : !cur
      %pid = tile.program_id x
      tile_gpu.wait_full %full[%c] : !bars, !cur
      %p = tile_gpu.wgmma %ring[%c], %ring[%c], %zero plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]> : !ring, !cur, !ring, !cur, !acc -> !sum
      %sum = tile_gpu.wgmma_finish %p : !sum
      tile_gpu.release %empty[%c] : !bars, !cur
      %m = arith.muli %pid, %M : i32
      %x = tile_gpu.load %r[%m, %c0] bounds[%M, %M] strides[%s, %c1] plan<registers, vector = 1> : !tile.ptr<f16>, i32 -> !tile
      %e = arith.extf %x : !tile to !acc
      %y = arith.addf %sum, %e : !acc
      %z = arith.truncf %y : !acc to !tile
      tile_gpu.store %z, %o[%m, %c0] bounds[%M, %M] strides[%s, %c1] plan<registers, vector = 1> : !tile, !tile.ptr<f16>, i32
    }
  }
  tile.return
}

// It may read what the store in between writes.
// CHECK-LABEL: tile.kernel @store_between(
// CHECK: tile_gpu.wgmma_finish
// CHECK: tile_gpu.store
// CHECK: tile_gpu.load
tile.kernel @store_between(%a: !tile.ptr<f16>, %r: !tile.ptr<f16>, %o: !tile.ptr<f16>, %M: i32, %s: i64) {
  %ring = tile_gpu.alloc : !ring
  %full = tile_gpu.barriers arrivals 1 : !bars
  %empty = tile_gpu.barriers arrivals 1 : !bars
  tile_gpu.roles {
    tile_gpu.role "consumer" warps 4 registers 232 {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i64
      %zero = arith.constant dense<0.0> : !acc
      %c = tile_gpu.cursor : !cur
      %pid = tile.program_id x
      tile_gpu.wait_full %full[%c] : !bars, !cur
      %p = tile_gpu.wgmma %ring[%c], %ring[%c], %zero plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]> : !ring, !cur, !ring, !cur, !acc -> !sum
      %sum = tile_gpu.wgmma_finish %p : !sum
      tile_gpu.release %empty[%c] : !bars, !cur
      %t = arith.truncf %sum : !acc to !tile
      tile_gpu.store %t, %o[%pid, %c0] bounds[%M, %M] strides[%s, %c1] plan<registers, vector = 1> : !tile, !tile.ptr<f16>, i32
      %m = arith.muli %pid, %M : i32
      %x = tile_gpu.load %r[%m, %c0] bounds[%M, %M] strides[%s, %c1] plan<registers, vector = 1> : !tile.ptr<f16>, i32 -> !tile
      %e = arith.extf %x : !tile to !acc
      %y = arith.addf %sum, %e : !acc
      %z = arith.truncf %y : !acc to !tile
      tile_gpu.store %z, %o[%m, %c0] bounds[%M, %M] strides[%s, %c1] plan<registers, vector = 1> : !tile, !tile.ptr<f16>, i32
    }
  }
  tile.return
}

// Its place is known only behind the loop.
// CHECK-LABEL: tile.kernel @address_from_loop(
// CHECK: scf.for
// CHECK: tile_gpu.load
tile.kernel @address_from_loop(%a: !tile.ptr<f16>, %r: !tile.ptr<f16>, %o: !tile.ptr<f16>, %M: i32, %s: i64) {
  %ring = tile_gpu.alloc : !ring
  %full = tile_gpu.barriers arrivals 1 : !bars
  %empty = tile_gpu.barriers arrivals 1 : !bars
  tile_gpu.roles {
    tile_gpu.role "consumer" warps 4 registers 232 {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i64
      %zero = arith.constant dense<0.0> : !acc
      %c = tile_gpu.cursor : !cur
      %pid = tile.program_id x
      tile_gpu.wait_full %full[%c] : !bars, !cur
      %p = tile_gpu.wgmma %ring[%c], %ring[%c], %zero plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]> : !ring, !cur, !ring, !cur, !acc -> !sum
      %sum = tile_gpu.wgmma_finish %p : !sum
      tile_gpu.release %empty[%c] : !bars, !cur
      %place = scf.for %j = %c0 to %M step %M iter_args(%i = %M) -> (i32) : i32 {
        tile_gpu.wait_full %full[%c] : !bars, !cur
        %next = arith.addi %i, %M : i32
        scf.yield %next : i32
      }
      %m = arith.muli %pid, %place : i32
      %x = tile_gpu.load %r[%m, %c0] bounds[%M, %M] strides[%s, %c1] plan<registers, vector = 1> : !tile.ptr<f16>, i32 -> !tile
      %e = arith.extf %x : !tile to !acc
      %y = arith.addf %sum, %e : !acc
      %z = arith.truncf %y : !acc to !tile
      tile_gpu.store %z, %o[%m, %c0] bounds[%M, %M] strides[%s, %c1] plan<registers, vector = 1> : !tile, !tile.ptr<f16>, i32
    }
  }
  tile.return
}

// Two products share the registers.
// CHECK-LABEL: tile.kernel @two_products(
// CHECK-COUNT-2: tile_gpu.wgmma_finish
// CHECK: tile_gpu.load
tile.kernel @two_products(%a: !tile.ptr<f16>, %r: !tile.ptr<f16>, %o: !tile.ptr<f16>, %M: i32, %s: i64) {
  %ring = tile_gpu.alloc : !ring
  %full = tile_gpu.barriers arrivals 1 : !bars
  %empty = tile_gpu.barriers arrivals 1 : !bars
  tile_gpu.roles {
    tile_gpu.role "consumer" warps 4 registers 232 {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i64
      %zero = arith.constant dense<0.0> : !acc
      %c = tile_gpu.cursor : !cur
      %pid = tile.program_id x
      tile_gpu.wait_full %full[%c] : !bars, !cur
      %p = tile_gpu.wgmma %ring[%c], %ring[%c], %zero plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]> : !ring, !cur, !ring, !cur, !acc -> !sum
      %sum = tile_gpu.wgmma_finish %p : !sum
      tile_gpu.release %empty[%c] : !bars, !cur
      %p2 = tile_gpu.wgmma %ring[%c], %ring[%c], %sum plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]> : !ring, !cur, !ring, !cur, !acc -> !sum
      %sum2 = tile_gpu.wgmma_finish %p2 : !sum
      %m = arith.muli %pid, %M : i32
      %x = tile_gpu.load %r[%m, %c0] bounds[%M, %M] strides[%s, %c1] plan<registers, vector = 1> : !tile.ptr<f16>, i32 -> !tile
      %e = arith.extf %x : !tile to !acc
      %y = arith.addf %sum, %e : !acc
      %z = arith.truncf %y : !acc to !tile
      tile_gpu.store %z, %o[%m, %c0] bounds[%M, %M] strides[%s, %c1] plan<registers, vector = 1> : !tile, !tile.ptr<f16>, i32
    }
  }
  tile.return
}
