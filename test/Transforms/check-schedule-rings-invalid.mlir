// DEFINE: %{check} = not tile-opt --tile-gpu-check-schedule --mlir-print-op-on-diagnostic=false -o %t 2>&1 | FileCheck %s --check-prefix

// Wrong schedules of two rings: each is the right one below with a small change,
// made by sed.

// A copy signals the barriers of its own ring.
// RUN: sed '/^ .*into %%ring2/s/signals %%full2/signals %%full/' %s | %{check}=WRONG-BARRIERS
// WRONG-BARRIERS: error: 'tile_gpu.tma_load' op expected copies of no more bytes than are announced in turn 0 (slot 0), got 8192 bytes and 0 to come
// WRONG-BARRIERS-NEXT: tile_gpu.tma_load %map[%c0,
// WRONG-BARRIERS: note: they are announced here
// WRONG-BARRIERS-NEXT: tile_gpu.expect %full[%c],
// WRONG-BARRIERS: note: in a run with 1 turn of this loop
// WRONG-BARRIERS-NEXT: scf.for %k = %c0

// A ring that is read in a turn is filled in that turn.
// RUN: sed -e '/^ .*into %%ring2/s/.*/%%later = arith.cmpi sgt, %%k, %%c0 : i32\nscf.if %%later {\n&\n} else {\ntile_gpu.tma_load %%map[%%c0, %%k] into %%ring3[%%c] signals %%full2 : !map, !ring, !cur, !bars\n}/' \
// RUN:   -e '/^ .*%%ring2 =/s/$/\n%%ring3 = tile_gpu.alloc : !ring/' %s \
// RUN:   | %{check}=NOT-FILLED
// NOT-FILLED: error: 'tile_gpu.local_load' op expected a copy into the ring that signals turn 0 (slot 0), got none
// NOT-FILLED-NEXT: %y = tile_gpu.local_load %ring2[%d]
// NOT-FILLED: note: the ring is filled here
// NOT-FILLED-NEXT: tile_gpu.tma_load %map[%c0,
// NOT-FILLED: note: in a run with 1 turn of this loop
// NOT-FILLED-NEXT: scf.for %k = %c0

// A slot is filled again only when the copy before has landed.
// RUN: sed -e '/^tile.kernel/s/min = 1/min = 300/' \
// RUN:   -e '/^ .*wait_full %%full2/d' \
// RUN:   -e '/^ .*%%y =/d' \
// RUN:   -e '/^ .*wait_free %%empty2/d' \
// RUN:   -e '/^ .*wait_free %%empty.%%c/s/$/\ntile_gpu.wait_free %%empty2[%%c] : !bars, !cur/' %s \
// RUN:   | %{check}=NOT-LANDED
// NOT-LANDED: error: 'tile_gpu.tma_load' op expected the copy of turn 0 (slot 0) to be known to have landed before that of turn 2 (slot 0)
// NOT-LANDED-NEXT: tile_gpu.tma_load %map[%c0,
// NOT-LANDED: note: the slot is filled here
// NOT-LANDED: note: in a run with 5 turns of this loop
// NOT-LANDED-NEXT: scf.for %k = %c0

// A slot is overwritten only after a release that follows its reads.
// RUN: sed -e '/^ .*wait_free %%empty2/d' \
// RUN:   -e '/^ .*wait_full %%full2/d' \
// RUN:   -e '/^ .*wait_full %%full.%%d/s/$/\ntile_gpu.wait_full %%full2[%%d] : !bars, !cur/' %s \
// RUN:   | %{check}=NOT-ASKED
// NOT-ASKED: error: 'tile_gpu.tma_load' op expected a wait for the release of turn 0 (slot 0) by role "consumer" before the copy of turn 2 (slot 0)
// NOT-ASKED-NEXT: tile_gpu.tma_load %map[%c0,
// NOT-ASKED: note: it is read here
// NOT-ASKED-NEXT: %y = tile_gpu.local_load %ring2[%d]
// NOT-ASKED: note: in a run with 3 turns of this loop
// NOT-ASKED-NEXT: scf.for %k = %c0

// A wait that no release covers may miss a phase.
// RUN: sed '/^ .*wait_free %%empty2/d' %s | %{check}=MISSED
// MISSED: error: 'tile_gpu.expect' op expected role "consumer" to be known to have waited in turn 0 (slot 0) before this arrival
// MISSED-NEXT: tile_gpu.expect %full2[%c],
// MISSED: note: it has waited here in turn 1 (slot 1)
// MISSED-NEXT: tile_gpu.wait_full %full2[%d]
// MISSED: note: in a run with 3 turns of this loop
// MISSED-NEXT: scf.for %k = %c0

// The release of one ring does not stand for that of the other.
// RUN: sed -e '/^ .*release %%empty.%%d/d' \
// RUN:   -e '/^ .*%%y =/d' \
// RUN:   -e '/^ .*release %%empty2/s/$/\n%%y = tile_gpu.local_load %%ring2[%%d] : !ring, !cur -> !tile/' \
// RUN:   -e '/^ .*release %%empty2/s/^/tile_gpu.release %%empty[%%d] : !bars, !cur\n/' %s \
// RUN:   | %{check}=BETWEEN
// BETWEEN: error: 'tile_gpu.local_load' op expected to read turn 0 (slot 0) before its release
// BETWEEN-NEXT: %y = tile_gpu.local_load %ring2[%d]
// BETWEEN: note: it is released here
// BETWEEN-NEXT: tile_gpu.release %empty2[%d]
// BETWEEN: note: in a run with 1 turn of this loop
// BETWEEN-NEXT: scf.for %k = %c0

#l = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
!ring = !tile_gpu.buffer<2x64x64xf16, #l>
!bars = !tile_gpu.barriers<2>
!cur = !tile_gpu.cursor<2>
!map = !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
!tile = tensor<64x64xf16>

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
