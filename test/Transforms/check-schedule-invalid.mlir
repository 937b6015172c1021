// DEFINE: %{check} = not tile-opt --tile-gpu-check-schedule --mlir-print-op-on-diagnostic=false -o %t 2>&1 | FileCheck %s --check-prefix

// Wrong schedules of one ring: each is the right one below with a small change,
// made by sed.

// A slot is read only after its turn has been waited for.
// RUN: sed '/^ .*wait_full/d' %s | %{check}=NO-WAIT-FULL
// NO-WAIT-FULL: error: 'tile_gpu.local_load' op expected a wait_full for turn 0 (slot 0) before the read, got none
// NO-WAIT-FULL-NEXT: %x = tile_gpu.local_load %ring[%d]
// NO-WAIT-FULL: note: the slot is filled here
// NO-WAIT-FULL-NEXT: tile_gpu.tma_load %map[%c0,
// NO-WAIT-FULL: note: in a run with 1 turn of this loop
// NO-WAIT-FULL-NEXT: scf.for %k = %c0

// Waiting in one turn does not allow to read in another.
// RUN: sed '/^ .*advance %%d/s/$/\n%%y = tile_gpu.local_load %%ring[%%then] : !ring, !cur -> !tile/' %s | %{check}=OTHER-TURN
// OTHER-TURN: error: 'tile_gpu.local_load' op expected a wait_full for turn 1 (slot 1) before the read, got none
// OTHER-TURN-NEXT: %y = tile_gpu.local_load %ring[%then]
// OTHER-TURN: note: the slot is filled here
// OTHER-TURN-NEXT: tile_gpu.tma_load %map[%c0,
// OTHER-TURN: note: in a run with 1 turn of this loop
// OTHER-TURN-NEXT: scf.for %k = %c0

// A copy starts only after its slot is known to be free, in the first turn too.
// RUN: sed '/^ .*wait_free/d' %s | %{check}=NO-WAIT-FREE
// NO-WAIT-FREE: error: 'tile_gpu.tma_load' op expected a wait_free for turn 0 (slot 0) before the copy, got none
// NO-WAIT-FREE-NEXT: tile_gpu.tma_load %map[%c0,
// NO-WAIT-FREE: note: in a run with 1 turn of this loop
// NO-WAIT-FREE-NEXT: scf.for %k = %c0

// Waiting for the slot after the copy is too late.
// RUN: sed -e '/^ .*wait_free/d' \
// RUN:   -e '/^ .*tma_load/s/$/\ntile_gpu.wait_free %%empty[%%c] : !bars, !cur/' %s \
// RUN:   | %{check}=LATE-WAIT-FREE
// LATE-WAIT-FREE: error: 'tile_gpu.tma_load' op expected a wait_free for turn 0 (slot 0) before the copy, got none
// LATE-WAIT-FREE-NEXT: tile_gpu.tma_load %map[%c0,
// LATE-WAIT-FREE: note: in a run with 1 turn of this loop
// LATE-WAIT-FREE-NEXT: scf.for %k = %c0

// A copy starts only after its bytes have been announced.
// RUN: sed '/^ .*expect/d' %s | %{check}=NO-EXPECT
// NO-EXPECT: error: 'tile_gpu.tma_load' op expected an expect for turn 0 (slot 0) before the copy, got none
// NO-EXPECT-NEXT: tile_gpu.tma_load %map[%c0,
// NO-EXPECT: note: in a run with 1 turn of this loop
// NO-EXPECT-NEXT: scf.for %k = %c0

// No more bytes are copied than are announced.
// RUN: sed '/^ .*expect/s/8192/4096/' %s | %{check}=FEW-BYTES
// FEW-BYTES: error: 'tile_gpu.tma_load' op expected copies of no more bytes than are announced in turn 0 (slot 0), got 8192 bytes and 4096 to come
// FEW-BYTES-NEXT: tile_gpu.tma_load %map[%c0,
// FEW-BYTES: note: they are announced here
// FEW-BYTES-NEXT: tile_gpu.expect %full[%c],
// FEW-BYTES: note: in a run with 1 turn of this loop
// FEW-BYTES-NEXT: scf.for %k = %c0

// No fewer bytes are copied than are announced.
// RUN: sed '/^ .*expect/s/8192/16384/' %s | %{check}=MANY-BYTES
// MANY-BYTES: error: 'tile_gpu.expect' op expected copies of 16384 bytes in turn 0 (slot 0), as announced, got 8192
// MANY-BYTES-NEXT: tile_gpu.expect %full[%c],
// MANY-BYTES: note: they are waited for here
// MANY-BYTES-NEXT: tile_gpu.wait_full %full[%d]
// MANY-BYTES: note: in a run with 1 turn of this loop
// MANY-BYTES-NEXT: scf.for %k = %c0

// A barrier counts less than 2^20 bytes.
// RUN: sed '/^ .*expect/s/8192/1048576/' %s | %{check}=MILLION-BYTES
// MILLION-BYTES: error: 'tile_gpu.expect' op expected at most 1048575 bytes to be announced in turn 0 (slot 0), got 1048576 more than 0
// MILLION-BYTES-NEXT: tile_gpu.expect %full[%c],
// MILLION-BYTES: note: in a run with 1 turn of this loop
// MILLION-BYTES-NEXT: scf.for %k = %c0

// A slot is filled once in a turn.
// RUN: sed -e '/^ .*expect/s/8192/16384/' \
// RUN:   -e '/^ .*tma_load/p' %s \
// RUN:   | %{check}=COPIED-TWICE
// COPIED-TWICE: error: 'tile_gpu.tma_load' op expected one copy into the ring in turn 0 (slot 0), got another
// COPIED-TWICE-NEXT: tile_gpu.tma_load %map[%c0,
// COPIED-TWICE: note: the slot is filled here
// COPIED-TWICE-NEXT: tile_gpu.tma_load %map[%c0,
// COPIED-TWICE: note: in a run with 1 turn of this loop
// COPIED-TWICE-NEXT: scf.for %k = %c0

// A role goes through the ring one turn at a time.
// RUN: sed '/^ .*%%then =/s/by 1/by 2/' %s | %{check}=TWO-STEPS
// TWO-STEPS: error: 'tile_gpu.wait_full' op expected to go on with turn 1 (slot 1), got turn 2 (slot 0)
// TWO-STEPS-NEXT: tile_gpu.wait_full %full[%d]
// TWO-STEPS: note: turn 0 (slot 0) is here
// TWO-STEPS: note: in a run with 2 turns of this loop
// TWO-STEPS-NEXT: scf.for %k = %c0

// A cursor that is not advanced waits for the same turn again.
// RUN: sed '/^ .*yield %%then/s/%%then/%%d/' %s | %{check}=STANDS
// STANDS: error: 'tile_gpu.wait_full' op expected to go on with turn 1 (slot 1), got turn 0 (slot 0)
// STANDS-NEXT: tile_gpu.wait_full %full[%d]
// STANDS: note: turn 0 (slot 0) is here
// STANDS: note: in a run with 2 turns of this loop
// STANDS-NEXT: scf.for %k = %c0

// The producer fills as many turns as the consumer reads.
// RUN: sed '/^ .*for %%k/s/%%c0/%%c64/' %s | %{check}=PRODUCER-SHORT
// PRODUCER-SHORT: error: 'tile_gpu.wait_full' op waits for ever: role "consumer" waits here in turn 0 (slot 0) for the data, expected 1 arrival, got 0
// PRODUCER-SHORT-NEXT: tile_gpu.wait_full %full[%d]
// PRODUCER-SHORT: note: role "producer" has ended
// PRODUCER-SHORT-NEXT: tile_gpu.role "producer" warps 4 {
// PRODUCER-SHORT: note: in a run with 0 turns of this loop
// PRODUCER-SHORT-NEXT: scf.for %k = %c64

// The consumer waits for all that is filled.
// RUN: sed '/^ .*for %%j/s/%%c0/%%c64/' %s | %{check}=CONSUMER-SHORT
// CONSUMER-SHORT: error: 'tile_gpu.expect' op expected role "consumer" to wait for turn 0 (slot 0), which is filled, before it ends
// CONSUMER-SHORT-NEXT: tile_gpu.expect %full[%c],
// CONSUMER-SHORT: note: it has not waited at all
// CONSUMER-SHORT-NEXT: tile_gpu.role "consumer" warps 4 {
// CONSUMER-SHORT: note: in a run with 1 turn of this loop
// CONSUMER-SHORT-NEXT: scf.for %k = %c0

// Loops whose bounds have nothing to do with each other may run differently
// often.
// RUN: sed -e '/^tile.kernel/s/%%s: i64/%%s: i64, %%L: i32/' \
// RUN:   -e '/^ .*for %%j/s/%%K/%%L/' %s \
// RUN:   | %{check}=OTHER-BOUND
// OTHER-BOUND: error: 'tile_gpu.expect' op expected role "consumer" to wait for turn 0 (slot 0), which is filled, before it ends
// OTHER-BOUND-NEXT: tile_gpu.expect %full[%c],
// OTHER-BOUND: note: it has not waited at all
// OTHER-BOUND-NEXT: tile_gpu.role "consumer" warps 4 {
// OTHER-BOUND: note: in a run with 1 turn of this loop
// OTHER-BOUND-NEXT: scf.for %k = %c0
// OTHER-BOUND: note: in a run with 0 turns of this loop
// OTHER-BOUND-NEXT: scf.for %j = %c0

// So may loops with different steps.
// RUN: sed '/^ .*for %%j/s/step %%c64/step %%K/' %s | %{check}=OTHER-STEP
// OTHER-STEP: error: 'tile_gpu.wait_full' op waits for ever: role "consumer" waits here in turn 1 (slot 1) for the data, expected 1 arrival, got 0
// OTHER-STEP-NEXT: tile_gpu.wait_full %full[%d]
// OTHER-STEP: note: role "producer" has ended
// OTHER-STEP-NEXT: tile_gpu.role "producer" warps 4 {
// OTHER-STEP: note: in a run with 1 turn of this loop
// OTHER-STEP-NEXT: scf.for %k = %c0
// OTHER-STEP: note: in a run with 2 turns of this loop
// OTHER-STEP-NEXT: scf.for %j = %c0

// A condition that only one role looks at may keep it from waiting.
// RUN: sed -e '/^tile.kernel/s/%%s: i64/%%s: i64, %%go: i1/' \
// RUN:   -e '/^ .*release/s/$/\n}/' \
// RUN:   -e '/^ .*wait_full/s/^/scf.if %%go {\n/' %s \
// RUN:   | %{check}=GOES-IN
// GOES-IN: error: 'tile_gpu.expect' op expected role "consumer" to wait for turn 0 (slot 0), which is filled, before it ends
// GOES-IN-NEXT: tile_gpu.expect %full[%c],
// GOES-IN: note: it has not waited at all
// GOES-IN-NEXT: tile_gpu.role "consumer" warps 4 {
// GOES-IN: note: in a run with 1 turn of this loop
// GOES-IN-NEXT: scf.for %k = %c0
// GOES-IN: note: in a run where this does not hold
// GOES-IN-NEXT: scf.if %go {

// A slot is read before its release.
// RUN: sed -e '/^ .*local_load/d' \
// RUN:   -e '/^ .*release/s/$/\n%%y = tile_gpu.local_load %%ring[%%d] : !ring, !cur -> !tile/' %s \
// RUN:   | %{check}=READ-AFTER-RELEASE
// READ-AFTER-RELEASE: error: 'tile_gpu.local_load' op expected to read turn 0 (slot 0) before its release
// READ-AFTER-RELEASE-NEXT: %y = tile_gpu.local_load %ring[%d]
// READ-AFTER-RELEASE: note: it is released here
// READ-AFTER-RELEASE-NEXT: tile_gpu.release %empty[%d]
// READ-AFTER-RELEASE: note: in a run with 1 turn of this loop
// READ-AFTER-RELEASE-NEXT: scf.for %k = %c0

// Two turns later it has been overwritten.
// RUN: sed -e '/^tile.kernel/s/min = 1/min = 300/' \
// RUN:   -e '/^ .*local_load/d' \
// RUN:   -e '/^ .*for %%j/s/(%%d = %%start) -> (!cur)/(%%d = %%start, %%b = %%start, %%e = %%start) -> (!cur, !cur, !cur)/' \
// RUN:   -e '/^ .*wait_full/s/$/\n%%late = arith.cmpi sgt, %%j, %%c64 : i32\nscf.if %%late {\n%%y = tile_gpu.local_load %%ring[%%e] : !ring, !cur -> !tile\n}/' \
// RUN:   -e '/^ .*yield %%then/s/%%then : !cur/%%then, %%d, %%b : !cur, !cur, !cur/' %s \
// RUN:   | %{check}=READ-TOO-LATE
// READ-TOO-LATE: error: 'tile_gpu.local_load' op expected turn 0 (slot 0) to be kept until it is read, got turn 2 (slot 0)
// READ-TOO-LATE-NEXT: %y = tile_gpu.local_load %ring[%e]
// READ-TOO-LATE: note: it is released here
// READ-TOO-LATE-NEXT: tile_gpu.release %empty[%d]
// READ-TOO-LATE: note: it is overwritten here
// READ-TOO-LATE-NEXT: tile_gpu.tma_load %map[%c0,
// READ-TOO-LATE: note: in a run with 5 turns of this loop
// READ-TOO-LATE-NEXT: scf.for %k = %c0

// A role releases turns that it has waited for.
// RUN: sed -e '/^ .*release/d' \
// RUN:   -e '/^ .*wait_full/s/^/tile_gpu.release %%empty[%%d] : !bars, !cur\n/' %s \
// RUN:   | %{check}=RELEASED-UNSEEN
// RELEASED-UNSEEN: error: 'tile_gpu.release' op expected a wait_full for turn 0 (slot 0) before its release, got none
// RELEASED-UNSEEN-NEXT: tile_gpu.release %empty[%d]
// RELEASED-UNSEEN: note: in a run with 1 turn of this loop
// RELEASED-UNSEEN-NEXT: scf.for %k = %c0

// A turn is released once.
// RUN: sed '/^ .*release/p' %s | %{check}=RELEASED-TWICE
// RELEASED-TWICE: error: 'tile_gpu.release' op expected to go on with turn 1 (slot 1), got turn 0 (slot 0)
// RELEASED-TWICE-NEXT: tile_gpu.release %empty[%d]
// RELEASED-TWICE: note: turn 0 (slot 0) is here
// RELEASED-TWICE-NEXT: tile_gpu.release %empty[%d]
// RELEASED-TWICE: note: in a run with 1 turn of this loop
// RELEASED-TWICE-NEXT: scf.for %k = %c0

// Every turn is released.
// RUN: sed '/^ .*release/d' %s | %{check}=NEVER-RELEASED
// NEVER-RELEASED: error: 'tile_gpu.barriers' op expected 0 arrivals, one for each warpgroup that releases the slots, got 1
// NEVER-RELEASED-NEXT: %empty = tile_gpu.barriers arrivals
// NEVER-RELEASED: note: they say when slots are free: used here
// NEVER-RELEASED-NEXT: tile_gpu.wait_free %empty[%c]

// Every turn is released, whatever a condition says.
// RUN: sed -e '/^tile.kernel/s/%%s: i64/%%s: i64, %%go: i1/' \
// RUN:   -e '/^ .*release/s/$/\n}/' \
// RUN:   -e '/^ .*release/s/^/scf.if %%go {\n/' %s \
// RUN:   | %{check}=RELEASED-SOMETIMES
// RELEASED-SOMETIMES: error: 'tile_gpu.wait_free' op expected turn 0 (slot 0) to be released by 1 warpgroup before the roles end, got 0
// RELEASED-SOMETIMES-NEXT: tile_gpu.wait_free %empty[%c]
// RELEASED-SOMETIMES: note: the barriers are made here
// RELEASED-SOMETIMES-NEXT: %empty = tile_gpu.barriers arrivals
// RELEASED-SOMETIMES: note: in a run with 1 turn of this loop
// RELEASED-SOMETIMES-NEXT: scf.for %k = %c0
// RELEASED-SOMETIMES: note: in a run where this does not hold
// RELEASED-SOMETIMES-NEXT: scf.if %go {

// A barrier of free slots is made for one arrival of each warpgroup.
// RUN: sed '/^ .*"consumer"/s/warps 4/warps 8/' %s | %{check}=ONE-OF-TWO
// ONE-OF-TWO: error: 'tile_gpu.barriers' op expected 2 arrivals, one for each warpgroup that releases the slots, got 1
// ONE-OF-TWO-NEXT: %empty = tile_gpu.barriers arrivals
// ONE-OF-TWO: note: they say when slots are free: used here
// ONE-OF-TWO-NEXT: tile_gpu.wait_free %empty[%c]

// A barrier of full slots gets as many arrivals as it is made for.
// RUN: sed '/^ .*expect/p' %s | %{check}=EXPECT-TWICE
// EXPECT-TWICE: error: 'tile_gpu.expect' op expected 1 arrival in turn 0 (slot 0), got one more
// EXPECT-TWICE-NEXT: tile_gpu.expect %full[%c],
// EXPECT-TWICE: note: the barriers are made here
// EXPECT-TWICE-NEXT: %full = tile_gpu.barriers arrivals
// EXPECT-TWICE: note: in a run with 1 turn of this loop
// EXPECT-TWICE-NEXT: scf.for %k = %c0

// One arrival of two leaves the role waiting.
// RUN: sed '/^ .*%%full =/s/arrivals 1/arrivals 2/' %s | %{check}=EXPECT-ONCE
// EXPECT-ONCE: error: 'tile_gpu.wait_full' op waits for ever: role "consumer" waits here in turn 0 (slot 0) for the data, expected 2 arrivals, got 1
// EXPECT-ONCE-NEXT: tile_gpu.wait_full %full[%d]
// EXPECT-ONCE: note: role "producer" has ended
// EXPECT-ONCE-NEXT: tile_gpu.role "producer" warps 4 {
// EXPECT-ONCE: note: in a run with 1 turn of this loop
// EXPECT-ONCE-NEXT: scf.for %k = %c0

// A role that waits without releasing may miss a phase.
// RUN: sed '/^ .*"consumer"/s/^/tile_gpu.role "onlooker" warps 4 {\n%%o = tile_gpu.cursor : !cur\nscf.for %%i = %%c0 to %%K step %%c64 iter_args(%%e = %%o) -> (!cur) : i32 {\ntile_gpu.wait_full %%full[%%e] : !bars, !cur\n%%f = tile_gpu.advance %%e by 1 : !cur\nscf.yield %%f : !cur\n}\n}\n/' %s | %{check}=ONLOOKER
// ONLOOKER: error: 'tile_gpu.expect' op expected role "onlooker" to be known to have waited in turn 0 (slot 0) before this arrival
// ONLOOKER-NEXT: tile_gpu.expect %full[%c],
// ONLOOKER: note: it has waited here in turn 1 (slot 1)
// ONLOOKER-NEXT: tile_gpu.wait_full %full[%e]
// ONLOOKER: note: in a run with 3 turns of this loop
// ONLOOKER-NEXT: scf.for %k = %c0

#l = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
!ring = !tile_gpu.buffer<2x64x64xf16, #l>
!bars = !tile_gpu.barriers<2>
!cur = !tile_gpu.cursor<2>
!map = !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
!tile = tensor<64x64xf16>

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
