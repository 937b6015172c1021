// RUN: tile-opt %s --tile-gpu-check-schedule | FileCheck %s

// Loops and branches of different roles that are known to go together, though it
// is not known how often and where.

#l = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
!ring = !tile_gpu.buffer<2x64x64xf16, #l>
!bars = !tile_gpu.barriers<2>
!cur = !tile_gpu.cursor<2>
!map = !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
!tile = tensor<64x64xf16>
!acc = tensor<64x64xf32>
!sum = !tile_gpu.pending<tensor<64x64xf32>>

// Where there may be no step at all, the first is peeled off behind a condition.
// CHECK-LABEL: tile.kernel @guarded(
tile.kernel @guarded(%a: !tile.ptr<f16>, %K: i32, %s: i64) {
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
      %any = arith.cmpi sgt, %K, %c0 : i32
      scf.if %any {
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
  }
  tile.return
}

// A condition on the counter is decided in each turn: all but the first release
// the slot before.
// CHECK-LABEL: tile.kernel @all_but_first(
tile.kernel @all_but_first(%a: !tile.ptr<f16>, %K: i32 {tile.fact = #tile.fact<min = 1>}, %s: i64) {
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
      %r:2 = scf.for %j = %c0 to %K step %c64 iter_args(%d = %start, %before = %start) -> (!cur, !cur) : i32 {
        tile_gpu.wait_full %full[%d] : !bars, !cur
        %x = tile_gpu.local_load %ring[%d] : !ring, !cur -> !tile
        %later = arith.cmpi sgt, %j, %c0 : i32
        scf.if %later {
          tile_gpu.release %empty[%before] : !bars, !cur
        }
        %then = tile_gpu.advance %d by 1 : !cur
        scf.yield %then, %d : !cur, !cur
      }
      tile_gpu.release %empty[%r#1] : !bars, !cur
    }
  }
  tile.return
}

// Each role may compute how many steps there are, by the same ops.
// CHECK-LABEL: tile.kernel @number_of_steps(
tile.kernel @number_of_steps(%a: !tile.ptr<f16>, %K: i32 {tile.fact = #tile.fact<min = 1>}, %s: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %ring = tile_gpu.alloc : !ring
  %full = tile_gpu.barriers arrivals 1 : !bars
  %empty = tile_gpu.barriers arrivals 1 : !bars
  %map = tile_gpu.tensor_map %a dims[%K, %K] strides[%s] : !tile.ptr<f16>, i32, !map
  tile_gpu.roles {
    tile_gpu.role "producer" warps 4 {
      %first = tile_gpu.cursor : !cur
      %n = arith.ceildivsi %K, %c64 : i32
      scf.for %k = %c0 to %n step %c1 iter_args(%c = %first) -> (!cur) : i32 {
        tile_gpu.wait_free %empty[%c] : !bars, !cur
        tile_gpu.expect %full[%c], 8192 : !bars, !cur
        tile_gpu.tma_load %map[%c0, %k] into %ring[%c] signals %full : !map, !ring, !cur, !bars
        %next = tile_gpu.advance %c by 1 : !cur
        scf.yield %next : !cur
      }
    }
    tile_gpu.role "consumer" warps 4 {
      %start = tile_gpu.cursor : !cur
      %n = arith.ceildivsi %K, %c64 : i32
      scf.for %j = %c0 to %n step %c1 iter_args(%d = %start) -> (!cur) : i32 {
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

// The end of the inner loop may depend on the tile.
// CHECK-LABEL: tile.kernel @triangle(
tile.kernel @triangle(%a: !tile.ptr<f16>, %K: i32 {tile.fact = #tile.fact<min = 1>}, %s: i64, %tiles: i32) {
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
        %last = arith.addi %t, %c64 : i32
        %to = scf.for %k = %c0 to %last step %c64 iter_args(%c = %from) -> (!cur) : i32 {
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
        %last = arith.addi %u, %c64 : i32
        %end = scf.for %j = %c0 to %last step %c64 iter_args(%d = %begin) -> (!cur) : i32 {
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

// Constant bounds are walked as they are.
// CHECK-LABEL: tile.kernel @constant(
tile.kernel @constant(%a: !tile.ptr<f16>, %K: i32 {tile.fact = #tile.fact<min = 1>}, %s: i64) {
  %c0 = arith.constant 0 : i32
  %c256 = arith.constant 256 : i32
  %c64 = arith.constant 64 : i32
  %ring = tile_gpu.alloc : !ring
  %full = tile_gpu.barriers arrivals 1 : !bars
  %empty = tile_gpu.barriers arrivals 1 : !bars
  %map = tile_gpu.tensor_map %a dims[%K, %K] strides[%s] : !tile.ptr<f16>, i32, !map
  tile_gpu.roles {
    tile_gpu.role "producer" warps 4 {
      %first = tile_gpu.cursor : !cur
      scf.for %k = %c0 to %c256 step %c64 iter_args(%c = %first) -> (!cur) : i32 {
        tile_gpu.wait_free %empty[%c] : !bars, !cur
        tile_gpu.expect %full[%c], 8192 : !bars, !cur
        tile_gpu.tma_load %map[%c0, %k] into %ring[%c] signals %full : !map, !ring, !cur, !bars
        %next = tile_gpu.advance %c by 1 : !cur
        scf.yield %next : !cur
      }
    }
    tile_gpu.role "consumer" warps 4 {
      %start = tile_gpu.cursor : !cur
      scf.for %j = %c0 to %c256 step %c64 iter_args(%d = %start) -> (!cur) : i32 {
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
