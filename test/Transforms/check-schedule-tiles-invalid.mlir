// DEFINE: %{check} = not tile-opt --tile-gpu-check-schedule --mlir-print-op-on-diagnostic=false -o %t 2>&1 | FileCheck %s --check-prefix

// Wrong schedules of a persistent grid: each is the right one below with a small
// change, made by sed.

// The cursor runs on from one tile to the next.
// RUN: sed '/^ .*yield %%to/s/%%to/%%first/' %s | %{check}=PRODUCER-RESTARTS
// PRODUCER-RESTARTS: error: 'tile_gpu.wait_free' op expected to go on with turn 1 (slot 1), got turn 0 (slot 0)
// PRODUCER-RESTARTS-NEXT: tile_gpu.wait_free %empty[%c]
// PRODUCER-RESTARTS: note: turn 0 (slot 0) is here
// PRODUCER-RESTARTS: note: in a run with 4 turns of this loop
// PRODUCER-RESTARTS-NEXT: scf.for %t = %cta
// PRODUCER-RESTARTS: note: in a run with 1 turn of this loop
// PRODUCER-RESTARTS-NEXT: %to = scf.for %k

// In each role.
// RUN: sed '/^ .*yield %%end/s/%%end/%%start/' %s | %{check}=CONSUMER-RESTARTS
// CONSUMER-RESTARTS: error: 'tile_gpu.wait_full' op expected to go on with turn 1 (slot 1), got turn 0 (slot 0)
// CONSUMER-RESTARTS-NEXT: tile_gpu.wait_full %full[%d]
// CONSUMER-RESTARTS: note: turn 0 (slot 0) is here
// CONSUMER-RESTARTS: note: in a run with 4 turns of this loop
// CONSUMER-RESTARTS-NEXT: scf.for %t = %cta
// CONSUMER-RESTARTS: note: in a run with 1 turn of this loop
// CONSUMER-RESTARTS-NEXT: %to = scf.for %k

// In each role, even where all start anew: the barriers do not.
// RUN: sed -e '/^ .*yield %%to/s/%%to/%%first/' \
// RUN:   -e '/^ .*yield %%end/s/%%end/%%start/' %s \
// RUN:   | %{check}=BOTH-RESTART
// BOTH-RESTART: error: 'tile_gpu.wait_free' op expected to go on with turn 1 (slot 1), got turn 0 (slot 0)
// BOTH-RESTART-NEXT: tile_gpu.wait_free %empty[%c]
// BOTH-RESTART: note: turn 0 (slot 0) is here
// BOTH-RESTART: note: in a run with 4 turns of this loop
// BOTH-RESTART-NEXT: scf.for %t = %cta
// BOTH-RESTART: note: in a run with 1 turn of this loop
// BOTH-RESTART-NEXT: %to = scf.for %k

// All roles walk the same tiles.
// RUN: sed '/^ .*for %%u/s/%%cta to/%%c64 to/' %s | %{check}=FEWER-TILES
// FEWER-TILES: error: 'tile_gpu.wait_full' op waits for ever: role "consumer" waits here in turn 0 (slot 0) for the data, expected 1 arrival, got 0
// FEWER-TILES-NEXT: tile_gpu.wait_full %full[%d]
// FEWER-TILES: note: role "producer" has ended
// FEWER-TILES-NEXT: tile_gpu.role "producer" warps 4 {
// FEWER-TILES: note: in a run with 0 turns of this loop
// FEWER-TILES-NEXT: scf.for %t = %cta
// FEWER-TILES: note: in a run with 1 turn of this loop
// FEWER-TILES-NEXT: scf.for %u = %c64
// FEWER-TILES: note: in a run with 1 turn of this loop
// FEWER-TILES-NEXT: %end = scf.for %j

// All make the same steps for each tile.
// RUN: sed '/^ .*for %%j/s/%%c0 to/%%c64 to/' %s | %{check}=FEWER-STEPS
// FEWER-STEPS: error: 'tile_gpu.expect' op expected role "consumer" to wait for turn 0 (slot 0), which is filled, before it ends
// FEWER-STEPS-NEXT: tile_gpu.expect %full[%c],
// FEWER-STEPS: note: it has not waited at all
// FEWER-STEPS-NEXT: tile_gpu.role "consumer" warps 4 {
// FEWER-STEPS: note: in a run with 1 turn of this loop
// FEWER-STEPS-NEXT: scf.for %t = %cta
// FEWER-STEPS: note: in a run with 1 turn of this loop
// FEWER-STEPS-NEXT: %to = scf.for %k

// A step between the tiles is one too many.
// RUN: sed '/^ .*yield %%end/s/.*/%%more = tile_gpu.advance %%end by 1 : !cur\nscf.yield %%more : !cur/' %s | %{check}=STEP-MORE
// STEP-MORE: error: 'tile_gpu.wait_full' op expected to go on with turn 1 (slot 1), got turn 2 (slot 0)
// STEP-MORE-NEXT: tile_gpu.wait_full %full[%d]
// STEP-MORE: note: turn 0 (slot 0) is here
// STEP-MORE: note: in a run with 4 turns of this loop
// STEP-MORE-NEXT: scf.for %t = %cta
// STEP-MORE: note: in a run with 1 turn of this loop
// STEP-MORE-NEXT: %to = scf.for %k

#l = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
!ring = !tile_gpu.buffer<2x64x64xf16, #l>
!bars = !tile_gpu.barriers<2>
!cur = !tile_gpu.cursor<2>
!map = !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
!tile = tensor<64x64xf16>

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
