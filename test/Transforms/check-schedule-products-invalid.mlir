// DEFINE: %{check} = not tile-opt --tile-gpu-check-schedule --mlir-print-op-on-diagnostic=false -o %t 2>&1 | FileCheck %s --check-prefix

// Wrong schedules of products: each is the right one below with a small change,
// made by sed.

// A slot is not released while the product that reads it runs.
// RUN: sed -e '/^ .*empty.%%r#2/d' \
// RUN:   -e '/^ .*empty.%%before/s/%%before/%%d/' \
// RUN:   -e '/^ .*%%p =/s/$/\ntile_gpu.wgmma_wait 0\ntile_gpu.release %%empty[%%start] : !bars, !cur/' %s \
// RUN:   | %{check}=RELEASED-EARLY
// RELEASED-EARLY: error: 'tile_gpu.release' op expected the product that reads turn 1 (slot 1) to be waited for before its release
// RELEASED-EARLY-NEXT: tile_gpu.release %empty[%d]
// RELEASED-EARLY: note: it is read here
// RELEASED-EARLY-NEXT: %q = tile_gpu.wgmma %ring[%d],
// RELEASED-EARLY: note: in a run with 2 turns of this loop
// RELEASED-EARLY-NEXT: scf.for %k = %c0

// Without a wait, the product before this one still reads its slot.
// RUN: sed '/^ .*wgmma_wait/d' %s | %{check}=NO-WAIT
// NO-WAIT: error: 'tile_gpu.release' op expected the product that reads turn 0 (slot 0) to be waited for before its release
// NO-WAIT-NEXT: tile_gpu.release %empty[%before]
// NO-WAIT: note: it is read here
// NO-WAIT-NEXT: %p = tile_gpu.wgmma %ring[%start],
// NO-WAIT: note: in a run with 2 turns of this loop
// NO-WAIT-NEXT: scf.for %k = %c0

// Waiting until two products run leaves the one before this one running.
// RUN: sed '/^ .*wgmma_wait/s/1/2/' %s | %{check}=WAITS-FOR-FEWER
// WAITS-FOR-FEWER: error: 'tile_gpu.release' op expected the product that reads turn 0 (slot 0) to be waited for before its release
// WAITS-FOR-FEWER-NEXT: tile_gpu.release %empty[%before]
// WAITS-FOR-FEWER: note: it is read here
// WAITS-FOR-FEWER-NEXT: %p = tile_gpu.wgmma %ring[%start],
// WAITS-FOR-FEWER: note: in a run with 2 turns of this loop
// WAITS-FOR-FEWER-NEXT: scf.for %k = %c0

// The last slot is released after the last product has been waited for.
// RUN: sed -e '/^ .*empty.%%r#2/d' \
// RUN:   -e '/^ .*%%sum =/s/^/tile_gpu.release %%empty[%%r#2] : !bars, !cur\n/' %s \
// RUN:   | %{check}=LAST-EARLY
// LAST-EARLY: error: 'tile_gpu.release' op expected the product that reads turn 0 (slot 0) to be waited for before its release
// LAST-EARLY-NEXT: tile_gpu.release %empty[%r#2]
// LAST-EARLY: note: it is read here
// LAST-EARLY-NEXT: %p = tile_gpu.wgmma %ring[%start],
// LAST-EARLY: note: in a run with 1 turn of this loop
// LAST-EARLY-NEXT: scf.for %k = %c0

// The last turn is released as well.
// RUN: sed '/^ .*empty.%%r#2/d' %s | %{check}=LAST-NOT-RELEASED
// LAST-NOT-RELEASED: error: 'tile_gpu.wait_free' op expected turn 0 (slot 0) to be released by 1 warpgroup before the roles end, got 0
// LAST-NOT-RELEASED-NEXT: tile_gpu.wait_free %empty[%c]
// LAST-NOT-RELEASED: note: the barriers are made here
// LAST-NOT-RELEASED-NEXT: %empty = tile_gpu.barriers arrivals
// LAST-NOT-RELEASED: note: in a run with 1 turn of this loop
// LAST-NOT-RELEASED-NEXT: scf.for %k = %c0

// The first step cannot be peeled off a loop that may have none.
// RUN: sed '/^tile.kernel/s/ {tile.fact = [^}]*}//' %s | %{check}=NO-TURN
// NO-TURN: error: 'tile_gpu.wait_full' op waits for ever: role "consumer" waits here in turn 0 (slot 0) for the data, expected 1 arrival, got 0
// NO-TURN-NEXT: tile_gpu.wait_full %full[%start]
// NO-TURN: note: role "producer" has ended
// NO-TURN-NEXT: tile_gpu.role "producer" warps 4 {
// NO-TURN: note: in a run with 0 turns of this loop
// NO-TURN-NEXT: scf.for %k = %c0

// A step that is peeled off is left out of the loop.
// RUN: sed '/^ .*for %%j/s/%%c64 to/%%c0 to/' %s | %{check}=PEELED-TWO
// PEELED-TWO: error: 'tile_gpu.wait_full' op waits for ever: role "consumer" waits here in turn 1 (slot 1) for the data, expected 1 arrival, got 0
// PEELED-TWO-NEXT: tile_gpu.wait_full %full[%d]
// PEELED-TWO: note: role "producer" has ended
// PEELED-TWO-NEXT: tile_gpu.role "producer" warps 4 {
// PEELED-TWO: note: in a run with 1 turn of this loop
// PEELED-TWO-NEXT: scf.for %k = %c0

// An accumulator is continued from its newest state.
// RUN: sed '/^ .*%%q =/s/$/\n%%o = tile_gpu.wgmma %%ring[%%d], %%ring[%%d], %%acc plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]> : !ring, !cur, !ring, !cur, !sum -> !sum/' %s | %{check}=OLD-ACCUMULATOR
// OLD-ACCUMULATOR: error: 'tile_gpu.wgmma' op expected the newest state of the accumulator
// OLD-ACCUMULATOR-NEXT: %o = tile_gpu.wgmma %ring[%d],
// OLD-ACCUMULATOR: note: it has been added to here
// OLD-ACCUMULATOR-NEXT: %q = tile_gpu.wgmma %ring[%d],
// OLD-ACCUMULATOR: note: in a run with 2 turns of this loop
// OLD-ACCUMULATOR-NEXT: scf.for %k = %c0

// The result is the newest state of the accumulator.
// RUN: sed '/^ .*%%sum =/s/%%r#0/%%p/' %s | %{check}=OLD-RESULT
// OLD-RESULT: error: 'tile_gpu.wgmma_finish' op expected the newest state of the accumulator
// OLD-RESULT-NEXT: %sum = tile_gpu.wgmma_finish %p : !sum
// OLD-RESULT: note: it has been added to here
// OLD-RESULT-NEXT: %q = tile_gpu.wgmma %ring[%d],
// OLD-RESULT: note: in a run with 2 turns of this loop
// OLD-RESULT-NEXT: scf.for %k = %c0

// No product runs when its role ends.
// RUN: sed -e '/^ .*%%sum =/d' \
// RUN:   -e '/^ .*empty.%%r#2/d' %s \
// RUN:   | %{check}=NOT-WAITED-FOR
// NOT-WAITED-FOR: error: 'tile_gpu.wgmma' op expected the product to be waited for before the role ends
// NOT-WAITED-FOR-NEXT: %p = tile_gpu.wgmma %ring[%start],
// NOT-WAITED-FOR: note: the role is here
// NOT-WAITED-FOR-NEXT: tile_gpu.role "consumer" warps 4 {
// NOT-WAITED-FOR: note: in a run with 1 turn of this loop
// NOT-WAITED-FOR-NEXT: scf.for %k = %c0

// Both operands are read in turns that have been waited for.
// RUN: sed -e '/^ .*%%q =/s/%%ring.%%d., %%acc/%%ring[%%ahead], %%acc/' \
// RUN:   -e '/^ .*wait_full %%full.%%d/s/^/%%ahead = tile_gpu.advance %%d by 1 : !cur\n/' %s \
// RUN:   | %{check}=WRONG-SLOT
// WRONG-SLOT: error: 'tile_gpu.wgmma' op expected a wait_full for turn 2 (slot 0) before the read, got none
// WRONG-SLOT-NEXT: %q = tile_gpu.wgmma %ring[%d],
// WRONG-SLOT: note: the slot is filled here
// WRONG-SLOT-NEXT: tile_gpu.tma_load %map[%c0,
// WRONG-SLOT: note: in a run with 2 turns of this loop
// WRONG-SLOT-NEXT: scf.for %k = %c0

// The turn of a product is known.
// RUN: sed -e '/^ .*%%p =/s/%%ring.%%start., %%zero/%%ring[%%which], %%zero/' \
// RUN:   -e '/^ .*%%p =/s/^/%%true = arith.constant true\n%%which = arith.select %%true, %%start, %%start : !cur\n/' %s \
// RUN:   | %{check}=WHICH-TURN
// WHICH-TURN: error: 'tile_gpu.wgmma' op expected cursors whose turn is known
// WHICH-TURN-NEXT: %p = tile_gpu.wgmma %ring[%start],
// WHICH-TURN: note: in a run with 1 turn of this loop
// WHICH-TURN-NEXT: scf.for %k = %c0

// So is the accumulator that it continues.
// RUN: sed -e '/^ .*%%q =/s/%%acc/%%which/' \
// RUN:   -e '/^ .*%%q =/s/^/%%true = arith.constant true\n%%which = arith.select %%true, %%acc, %%acc : !sum\n/' %s \
// RUN:   | %{check}=WHICH-ACCUMULATOR
// WHICH-ACCUMULATOR: error: 'tile_gpu.wgmma' op expected an accumulator of this role
// WHICH-ACCUMULATOR-NEXT: %q = tile_gpu.wgmma %ring[%d],
// WHICH-ACCUMULATOR: note: in a run with 2 turns of this loop
// WHICH-ACCUMULATOR-NEXT: scf.for %k = %c0

// And the one whose result is taken.
// RUN: sed -e '/^ .*%%sum =/s/%%r#0/%%which/' \
// RUN:   -e '/^ .*%%sum =/s/^/%%true = arith.constant true\n%%which = arith.select %%true, %%p, %%r#0 : !sum\n/' %s \
// RUN:   | %{check}=WHICH-RESULT
// WHICH-RESULT: error: 'tile_gpu.wgmma_finish' op expected an accumulator of this role
// WHICH-RESULT-NEXT: %sum = tile_gpu.wgmma_finish %which
// WHICH-RESULT: note: in a run with 1 turn of this loop
// WHICH-RESULT-NEXT: scf.for %k = %c0

#l = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
!ring = !tile_gpu.buffer<2x64x64xf16, #l>
!bars = !tile_gpu.barriers<2>
!cur = !tile_gpu.cursor<2>
!map = !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
!tile = tensor<64x64xf16>
!acc = tensor<64x64xf32>
!sum = !tile_gpu.pending<tensor<64x64xf32>>

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
