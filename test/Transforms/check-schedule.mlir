// RUN: tile-opt %s --tile-gpu-check-schedule | FileCheck %s

// Right schedules get through; check-schedule-*invalid.mlir has small changes of
// some of them.

#l = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
!ring = !tile_gpu.buffer<2x64x64xf16, #l>
!bars = !tile_gpu.barriers<2>
!cur = !tile_gpu.cursor<2>
!map = !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
!tile = tensor<64x64xf16>
!acc = tensor<64x64xf32>
!sum = !tile_gpu.pending<tensor<64x64xf32>>

// Producer and consumer take turns on a ring.
// CHECK-LABEL: tile.kernel @ring(
tile.kernel @ring(%a: !tile.ptr<f16>, %K: i32 {tile.fact = #tile.fact<min = 1>}, %s: i64) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %ring = tile_gpu.alloc : !ring
  %full = tile_gpu.barriers arrivals 1 : !bars
  %empty = tile_gpu.barriers arrivals 1 : !bars
  %map = tile_gpu.tensor_map %a dims[%K, %K] strides[%s] : !tile.ptr<f16>, i32, !map
  tile_gpu.roles {
    tile_gpu.role "producer" warps 4 {
      %first = tile_gpu.cursor : !cur
      scf.for %k = %c0 to %K step %c64 iter_args(%c = %first) -> (!cur) : i32 {
        tile_gpu.wait_free %empty[%c] : !bars, !cur
        tile_gpu.expect %full[%c], 8192 : !bars, !cur
        tile_gpu.tma_load %map[%c0, %k] into %ring[%c] signals %full : !map, !ring, !cur, !bars
        %next = tile_gpu.advance %c by 1 : !cur
        scf.yield %next : !cur
      }
    }
    tile_gpu.role "consumer" warps 4 {
      %start = tile_gpu.cursor : !cur
      scf.for %j = %c0 to %K step %c64 iter_args(%d = %start) -> (!cur) : i32 {
        tile_gpu.wait_full %full[%d] : !bars, !cur
        %x = tile_gpu.local_load %ring[%d] : !ring, !cur -> !tile
        tile_gpu.release %empty[%d] : !bars, !cur
        %then = tile_gpu.advance %d by 1 : !cur
        scf.yield %then : !cur
      }
    }
  }
  tile.return
}

// Products run one step behind, the first is peeled off the loop.
// CHECK-LABEL: tile.kernel @products(
tile.kernel @products(%a: !tile.ptr<f16>, %K: i32 {tile.fact = #tile.fact<min = 1>}, %s: i64) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %ring = tile_gpu.alloc : !ring
  %full = tile_gpu.barriers arrivals 1 : !bars
  %empty = tile_gpu.barriers arrivals 1 : !bars
  %map = tile_gpu.tensor_map %a dims[%K, %K] strides[%s] : !tile.ptr<f16>, i32, !map
  %zero = arith.constant dense<0.0> : !acc
  tile_gpu.roles {
    tile_gpu.role "producer" warps 4 {
      %first = tile_gpu.cursor : !cur
      scf.for %k = %c0 to %K step %c64 iter_args(%c = %first) -> (!cur) : i32 {
        tile_gpu.wait_free %empty[%c] : !bars, !cur
        tile_gpu.expect %full[%c], 8192 : !bars, !cur
        tile_gpu.tma_load %map[%c0, %k] into %ring[%c] signals %full : !map, !ring, !cur, !bars
        %next = tile_gpu.advance %c by 1 : !cur
        scf.yield %next : !cur
      }
    }
    tile_gpu.role "consumer" warps 4 {
      %start = tile_gpu.cursor : !cur
      tile_gpu.wait_full %full[%start] : !bars, !cur
      %p = tile_gpu.wgmma %ring[%start], %ring[%start], %zero plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]> : !ring, !cur, !ring, !cur, !acc -> !sum
      %second = tile_gpu.advance %start by 1 : !cur
      %r:3 = scf.for %j = %c64 to %K step %c64 iter_args(%acc = %p, %d = %second, %before = %start) -> (!sum, !cur, !cur) : i32 {
        tile_gpu.wait_full %full[%d] : !bars, !cur
        %q = tile_gpu.wgmma %ring[%d], %ring[%d], %acc plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]> : !ring, !cur, !ring, !cur, !sum -> !sum
        tile_gpu.wgmma_wait 1
        tile_gpu.release %empty[%before] : !bars, !cur
        %then = tile_gpu.advance %d by 1 : !cur
        scf.yield %q, %then, %d : !sum, !cur, !cur
      }
      %sum = tile_gpu.wgmma_finish %r#0 : !sum
      tile_gpu.release %empty[%r#2] : !bars, !cur
    }
  }
  tile.return
}

// The cursor runs on over the tiles of a persistent grid, whose bounds each role
// computes for itself.
// CHECK-LABEL: tile.kernel @tiles(
tile.kernel @tiles(%a: !tile.ptr<f16>, %K: i32 {tile.fact = #tile.fact<min = 1>}, %s: i64, %tiles: i32) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %ring = tile_gpu.alloc : !ring
  %full = tile_gpu.barriers arrivals 1 : !bars
  %empty = tile_gpu.barriers arrivals 1 : !bars
  %map = tile_gpu.tensor_map %a dims[%K, %K] strides[%s] : !tile.ptr<f16>, i32, !map
  tile_gpu.roles {
    tile_gpu.role "producer" warps 4 {
      %cta = tile_gpu.cta
      %ctas = tile_gpu.num_ctas
      %first = tile_gpu.cursor : !cur
      scf.for %t = %cta to %tiles step %ctas iter_args(%from = %first) -> (!cur) : i32 {
        %to = scf.for %k = %c0 to %K step %c64 iter_args(%c = %from) -> (!cur) : i32 {
          tile_gpu.wait_free %empty[%c] : !bars, !cur
          tile_gpu.expect %full[%c], 8192 : !bars, !cur
          tile_gpu.tma_load %map[%t, %k] into %ring[%c] signals %full : !map, !ring, !cur, !bars
          %next = tile_gpu.advance %c by 1 : !cur
          scf.yield %next : !cur
        }
        scf.yield %to : !cur
      }
    }
    tile_gpu.role "consumer" warps 4 {
      %cta = tile_gpu.cta
      %ctas = tile_gpu.num_ctas
      %start = tile_gpu.cursor : !cur
      scf.for %u = %cta to %tiles step %ctas iter_args(%begin = %start) -> (!cur) : i32 {
        %end = scf.for %j = %c0 to %K step %c64 iter_args(%d = %begin) -> (!cur) : i32 {
          tile_gpu.wait_full %full[%d] : !bars, !cur
          %x = tile_gpu.local_load %ring[%d] : !ring, !cur -> !tile
          tile_gpu.release %empty[%d] : !bars, !cur
          %then = tile_gpu.advance %d by 1 : !cur
          scf.yield %then : !cur
        }
        scf.yield %end : !cur
      }
    }
  }
  tile.return
}

// Two rings with barriers of their own may share a cursor.
// CHECK-LABEL: tile.kernel @rings(
tile.kernel @rings(%a: !tile.ptr<f16>, %K: i32 {tile.fact = #tile.fact<min = 1>}, %s: i64) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %ring = tile_gpu.alloc : !ring
  %full = tile_gpu.barriers arrivals 1 : !bars
  %empty = tile_gpu.barriers arrivals 1 : !bars
  %ring2 = tile_gpu.alloc : !ring
  %full2 = tile_gpu.barriers arrivals 1 : !bars
  %empty2 = tile_gpu.barriers arrivals 1 : !bars
  %map = tile_gpu.tensor_map %a dims[%K, %K] strides[%s] : !tile.ptr<f16>, i32, !map
  tile_gpu.roles {
    tile_gpu.role "producer" warps 4 {
      %first = tile_gpu.cursor : !cur
      scf.for %k = %c0 to %K step %c64 iter_args(%c = %first) -> (!cur) : i32 {
        tile_gpu.wait_free %empty[%c] : !bars, !cur
        tile_gpu.expect %full[%c], 8192 : !bars, !cur
        tile_gpu.tma_load %map[%c0, %k] into %ring[%c] signals %full : !map, !ring, !cur, !bars
        tile_gpu.wait_free %empty2[%c] : !bars, !cur
        tile_gpu.expect %full2[%c], 8192 : !bars, !cur
        tile_gpu.tma_load %map[%c0, %k] into %ring2[%c] signals %full2 : !map, !ring, !cur, !bars
        %next = tile_gpu.advance %c by 1 : !cur
        scf.yield %next : !cur
      }
    }
    tile_gpu.role "consumer" warps 4 {
      %start = tile_gpu.cursor : !cur
      scf.for %j = %c0 to %K step %c64 iter_args(%d = %start) -> (!cur) : i32 {
        tile_gpu.wait_full %full[%d] : !bars, !cur
        %x = tile_gpu.local_load %ring[%d] : !ring, !cur -> !tile
        tile_gpu.release %empty[%d] : !bars, !cur
        tile_gpu.wait_full %full2[%d] : !bars, !cur
        %y = tile_gpu.local_load %ring2[%d] : !ring, !cur -> !tile
        tile_gpu.release %empty2[%d] : !bars, !cur
        %then = tile_gpu.advance %d by 1 : !cur
        scf.yield %then : !cur
      }
    }
  }
  tile.return
}

// A slot that two roles read is free when all warpgroups of both have released
// it.
// CHECK-LABEL: tile.kernel @two_consumers(
tile.kernel @two_consumers(%a: !tile.ptr<f16>, %K: i32 {tile.fact = #tile.fact<min = 1>}, %s: i64) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %ring = tile_gpu.alloc : !ring
  %full = tile_gpu.barriers arrivals 1 : !bars
  %empty = tile_gpu.barriers arrivals 3 : !bars
  %map = tile_gpu.tensor_map %a dims[%K, %K] strides[%s] : !tile.ptr<f16>, i32, !map
  tile_gpu.roles {
    tile_gpu.role "producer" warps 4 {
      %first = tile_gpu.cursor : !cur
      scf.for %k = %c0 to %K step %c64 iter_args(%c = %first) -> (!cur) : i32 {
        tile_gpu.wait_free %empty[%c] : !bars, !cur
        tile_gpu.expect %full[%c], 8192 : !bars, !cur
        tile_gpu.tma_load %map[%c0, %k] into %ring[%c] signals %full : !map, !ring, !cur, !bars
        %next = tile_gpu.advance %c by 1 : !cur
        scf.yield %next : !cur
      }
    }
    tile_gpu.role "second" warps 8 {
      %start = tile_gpu.cursor : !cur
      scf.for %j = %c0 to %K step %c64 iter_args(%d = %start) -> (!cur) : i32 {
        tile_gpu.wait_full %full[%d] : !bars, !cur
        %x = tile_gpu.local_load %ring[%d] : !ring, !cur -> !tile
        tile_gpu.release %empty[%d] : !bars, !cur
        %then = tile_gpu.advance %d by 1 : !cur
        scf.yield %then : !cur
      }
    }
    tile_gpu.role "consumer" warps 4 {
      %start = tile_gpu.cursor : !cur
      scf.for %j = %c0 to %K step %c64 iter_args(%d = %start) -> (!cur) : i32 {
        tile_gpu.wait_full %full[%d] : !bars, !cur
        %x = tile_gpu.local_load %ring[%d] : !ring, !cur -> !tile
        tile_gpu.release %empty[%d] : !bars, !cur
        %then = tile_gpu.advance %d by 1 : !cur
        scf.yield %then : !cur
      }
    }
  }
  tile.return
}

// Two copies may announce their bytes each for itself.
// CHECK-LABEL: tile.kernel @two_arrivals(
tile.kernel @two_arrivals(%a: !tile.ptr<f16>, %K: i32 {tile.fact = #tile.fact<min = 1>}, %s: i64) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %ring = tile_gpu.alloc : !ring
  %full = tile_gpu.barriers arrivals 2 : !bars
  %empty = tile_gpu.barriers arrivals 1 : !bars
  %other = tile_gpu.alloc : !ring
  %map = tile_gpu.tensor_map %a dims[%K, %K] strides[%s] : !tile.ptr<f16>, i32, !map
  tile_gpu.roles {
    tile_gpu.role "producer" warps 4 {
      %first = tile_gpu.cursor : !cur
      scf.for %k = %c0 to %K step %c64 iter_args(%c = %first) -> (!cur) : i32 {
        tile_gpu.wait_free %empty[%c] : !bars, !cur
        tile_gpu.expect %full[%c], 8192 : !bars, !cur
        tile_gpu.tma_load %map[%c0, %k] into %ring[%c] signals %full : !map, !ring, !cur, !bars
        tile_gpu.expect %full[%c], 8192 : !bars, !cur
        tile_gpu.tma_load %map[%c0, %k] into %other[%c] signals %full : !map, !ring, !cur, !bars
        %next = tile_gpu.advance %c by 1 : !cur
        scf.yield %next : !cur
      }
    }
    tile_gpu.role "consumer" warps 4 {
      %start = tile_gpu.cursor : !cur
      scf.for %j = %c0 to %K step %c64 iter_args(%d = %start) -> (!cur) : i32 {
        tile_gpu.wait_full %full[%d] : !bars, !cur
        %x = tile_gpu.local_load %ring[%d] : !ring, !cur -> !tile
        tile_gpu.release %empty[%d] : !bars, !cur
        %then = tile_gpu.advance %d by 1 : !cur
        scf.yield %then : !cur
      }
    }
  }
  tile.return
}

// In a cluster, a copy to both CTAs waits for both; the other CTA arrives as
// often here as this one there.
// CHECK-LABEL: tile.kernel @cluster(
tile.kernel @cluster(%a: !tile.ptr<f16>, %K: i32 {tile.fact = #tile.fact<min = 1>}, %s: i64, %go: i1) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %ring = tile_gpu.alloc : !ring
  %full = tile_gpu.barriers arrivals 1 : !bars
  %empty = tile_gpu.barriers arrivals 2 : !bars
  %map = tile_gpu.tensor_map %a dims[%K, %K] strides[%s] : !tile.ptr<f16>, i32, !map
  tile_gpu.roles {
    tile_gpu.role "producer" warps 4 {
      %first = tile_gpu.cursor : !cur
      scf.for %k = %c0 to %K step %c64 iter_args(%c = %first) -> (!cur) : i32 {
        tile_gpu.wait_free %empty[%c] : !bars, !cur
        tile_gpu.expect %full[%c], 8192 : !bars, !cur
        tile_gpu.tma_load %map[%c0, %k] into %ring[%c] signals %full shared %go : !map, !ring, !cur, !bars
        %next = tile_gpu.advance %c by 1 : !cur
        scf.yield %next : !cur
      }
    }
    tile_gpu.role "consumer" warps 4 {
      %start = tile_gpu.cursor : !cur
      scf.for %j = %c0 to %K step %c64 iter_args(%d = %start) -> (!cur) : i32 {
        tile_gpu.wait_full %full[%d] : !bars, !cur
        %x = tile_gpu.local_load %ring[%d] : !ring, !cur -> !tile
        tile_gpu.release %empty[%d] paired %go : !bars, !cur
        %then = tile_gpu.advance %d by 1 : !cur
        scf.yield %then : !cur
      }
    }
  }
  tile.return
}

// One role may do both.
// CHECK-LABEL: tile.kernel @one_role(
tile.kernel @one_role(%a: !tile.ptr<f16>, %K: i32 {tile.fact = #tile.fact<min = 1>}, %s: i64) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %ring = tile_gpu.alloc : !ring
  %full = tile_gpu.barriers arrivals 1 : !bars
  %empty = tile_gpu.barriers arrivals 1 : !bars
  %map = tile_gpu.tensor_map %a dims[%K, %K] strides[%s] : !tile.ptr<f16>, i32, !map
  tile_gpu.roles {
    tile_gpu.role "both" warps 4 {
      %first = tile_gpu.cursor : !cur
      scf.for %k = %c0 to %K step %c64 iter_args(%c = %first) -> (!cur) : i32 {
        tile_gpu.wait_free %empty[%c] : !bars, !cur
        tile_gpu.expect %full[%c], 8192 : !bars, !cur
        tile_gpu.tma_load %map[%c0, %k] into %ring[%c] signals %full : !map, !ring, !cur, !bars
        tile_gpu.wait_full %full[%c] : !bars, !cur
        %x = tile_gpu.local_load %ring[%c] : !ring, !cur -> !tile
        tile_gpu.release %empty[%c] : !bars, !cur
        %next = tile_gpu.advance %c by 1 : !cur
        scf.yield %next : !cur
      }
    }
  }
  tile.return
}

// A kernel whose barriers nobody uses is left alone.
// CHECK-LABEL: tile.kernel @no_steps(
tile.kernel @no_steps() {
  %full = tile_gpu.barriers arrivals 1 : !bars
  %empty = tile_gpu.barriers arrivals 2 : !bars
  tile.return
}

// Copies of a kernel without roles run ahead by a step that is not known: turns
// that exist, exist in their order.  Other rings may be walked in any loop.
// CHECK-LABEL: tile.kernel @single(
tile.kernel @single(%p: !tile.ptr<f16>, %K: i32, %s: i64, %step: i32) plan #tile.plan<warps = 4> {
  %full = tile_gpu.barriers arrivals 1 : !tile_gpu.barriers<3>
  %empty = tile_gpu.barriers arrivals 1 : !tile_gpu.barriers<3>
  %map = tile_gpu.tensor_map %p dims[%K, %K] strides[%s] : !tile.ptr<f16>, i32, !map
  %ring = tile_gpu.alloc : !tile_gpu.buffer<3x64x64xf16, #l>
  %other = tile_gpu.alloc : !ring
  %c0 = arith.constant 0 : i32
  %c0_i64 = arith.constant 0 : i64
  %c2 = arith.constant 2 : i64
  %x = arith.constant dense<0.0> : !tile
  %true = arith.constant true
  %start = tile_gpu.cursor : !cur
  %left = scf.while (%at = %start) : (!cur) -> !cur {
    tile_gpu.local_store %x, %other[%at] : !tile, !ring, !cur
    %y = tile_gpu.local_load %other[%at] : !ring, !cur -> !tile
    %on = tile_gpu.advance %at by 1 : !cur
    scf.condition(%true) %on : !cur
  } do {
  ^bb0(%at: !cur):
    scf.yield %at : !cur
  }
  %first = tile_gpu.cursor : !tile_gpu.cursor<3>
  %end = arith.extsi %K : i32 to i64
  %has_first = arith.cmpi sgt, %end, %c0_i64 : i64
  scf.if %has_first {
    tile_gpu.wait_free %empty[%first] : !tile_gpu.barriers<3>, !tile_gpu.cursor<3>
    tile_gpu.expect %full[%first], 8192 : !tile_gpu.barriers<3>, !tile_gpu.cursor<3>
    tile_gpu.tma_load %map[%c0, %c0] into %ring[%first] signals %full : !map, !tile_gpu.buffer<3x64x64xf16, #l>, !tile_gpu.cursor<3>, !tile_gpu.barriers<3>
  }
  %ahead = tile_gpu.advance %first by 1 : !tile_gpu.cursor<3>
  %wide_step = arith.extsi %step : i32 to i64
  %less = arith.subi %end, %wide_step : i64
  %has_second = arith.cmpi sgt, %less, %c0_i64 : i64
  scf.if %has_second {
    tile_gpu.wait_free %empty[%ahead] : !tile_gpu.barriers<3>, !tile_gpu.cursor<3>
    tile_gpu.expect %full[%ahead], 8192 : !tile_gpu.barriers<3>, !tile_gpu.cursor<3>
    tile_gpu.tma_load %map[%c0, %step] into %ring[%ahead] signals %full : !map, !tile_gpu.buffer<3x64x64xf16, #l>, !tile_gpu.cursor<3>, !tile_gpu.barriers<3>
  }
  %two = arith.muli %wide_step, %c2 : i64
  %last = arith.subi %end, %two : i64
  %r = scf.for %k = %c0 to %K step %step iter_args(%d = %first) -> !tile_gpu.cursor<3> : i32 {
    tile_gpu.wait_full %full[%d] : !tile_gpu.barriers<3>, !tile_gpu.cursor<3>
    %z = tile_gpu.local_load %ring[%d] : !tile_gpu.buffer<3x64x64xf16, #l>, !tile_gpu.cursor<3> -> !tile
    %then = tile_gpu.advance %d by 2 : !tile_gpu.cursor<3>
    %wide = arith.extsi %k : i32 to i64
    %has = arith.cmpi slt, %wide, %last : i64
    scf.if %has {
      tile_gpu.wait_free %empty[%then] : !tile_gpu.barriers<3>, !tile_gpu.cursor<3>
      tile_gpu.expect %full[%then], 8192 : !tile_gpu.barriers<3>, !tile_gpu.cursor<3>
      tile_gpu.tma_load %map[%c0, %k] into %ring[%then] signals %full : !map, !tile_gpu.buffer<3x64x64xf16, #l>, !tile_gpu.cursor<3>, !tile_gpu.barriers<3>
    }
    tile_gpu.release %empty[%d] : !tile_gpu.barriers<3>, !tile_gpu.cursor<3>
    %next = tile_gpu.advance %d by 1 : !tile_gpu.cursor<3>
    scf.yield %next : !tile_gpu.cursor<3>
  }
  tile.return
}
