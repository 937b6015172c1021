// DEFINE: %{check} = not tile-opt --tile-gpu-check-schedule --mlir-print-op-on-diagnostic=false -o %t 2>&1 | FileCheck %s --check-prefix

// Schedules that break a rule beside their ring, or that cannot be followed:
// each is the right one below with a small change, made by sed.

// Stores are waited for before a role ends.
// RUN: sed -e '/^ .*%%ring =/s/$/\n%%staging = tile_gpu.alloc : !ring\n%%x16 = arith.constant dense<0.0> : !tile/' \
// RUN:   -e '/^ .*%%start =/s/$/\ntile_gpu.tma_store %%x16, %%map[%%c0, %%c0] via %%staging : !tile, !map, !ring/' %s \
// RUN:   | %{check}=STORE
// STORE: error: 'tile_gpu.tma_store' op expected a tma_store_wait before the role ends, got none
// STORE-NEXT: tile_gpu.tma_store %x16,
// STORE: note: the role is here
// STORE-NEXT: tile_gpu.role "consumer" warps 4 {
// STORE: note: in a run with 1 turn of this loop
// STORE-NEXT: scf.for %k = %c0

// Staging slots belong to one role.
// RUN: sed -e '/^ .*%%ring =/s/$/\n%%staging = tile_gpu.alloc : !ring\n%%x16 = arith.constant dense<0.0> : !tile/' \
// RUN:   -e '/^ .*%%start =/s/$/\ntile_gpu.tma_store %%x16, %%map[%%c0, %%c0] via %%staging : !tile, !map, !ring\ntile_gpu.tma_store_wait/' \
// RUN:   -e '/^ .*%%first =/s/$/\ntile_gpu.tma_store %%x16, %%map[%%c0, %%c0] via %%staging : !tile, !map, !ring\ntile_gpu.tma_store_wait/' %s \
// RUN:   | %{check}=SHARED-STAGING
// SHARED-STAGING: error: 'tile_gpu.tma_store' op expected staging slots of the role's own
// SHARED-STAGING-NEXT: tile_gpu.tma_store %x16,
// SHARED-STAGING: note: another role stages here
// SHARED-STAGING-NEXT: tile_gpu.tma_store %x16,

// Nothing reads afterwards what the copy engine stores, whenever it does.
// RUN: sed -e '/^ .*%%ring =/s/$/\n%%staging = tile_gpu.alloc : !ring\n%%x16 = arith.constant dense<0.0> : !tile\n%%one = arith.constant 1 : i64/' \
// RUN:   -e '/^ .*%%start =/s/$/\ntile_gpu.tma_store %%x16, %%map[%%c0, %%c0] via %%staging : !tile, !map, !ring\n%%again = tile_gpu.load %%a[%%c0, %%c0] bounds[%%K, %%K] strides[%%s, %%one] plan<registers> : !tile.ptr<f16>, i32 -> !tile\ntile_gpu.tma_store_wait/' %s \
// RUN:   | %{check}=WATCHED
// WATCHED: error: 'tile_gpu.tma_store' op expected no other access that may touch what it stores, since the copy engine keeps no order
// WATCHED-NEXT: tile_gpu.tma_store %x16,
// WATCHED: note: it may be touched here
// WATCHED-NEXT: %again = tile_gpu.load %a

// Staging slots are not those that copies fill.
// RUN: sed -e '/^ .*%%ring =/s/$/\n%%staging = tile_gpu.alloc : !ring\n%%x16 = arith.constant dense<0.0> : !tile/' \
// RUN:   -e '/^ .*%%start =/s/$/\ntile_gpu.tma_store %%x16, %%map[%%c0, %%c0] via %%ring : !tile, !map, !ring/' %s \
// RUN:   | %{check}=RING-STAGING
// RING-STAGING: error: 'tile_gpu.tma_store' op expected slots that no tma_load fills, since nothing else may write those
// RING-STAGING-NEXT: tile_gpu.tma_store %x16,
// RING-STAGING: note: it is filled here
// RING-STAGING-NEXT: tile_gpu.tma_load %map[%c0,

// Slots that copies fill are written by nothing else.
// RUN: sed '/^ .*release/s/^/tile_gpu.local_store %%x, %%ring[%%d] : !tile, !ring, !cur\n/' %s | %{check}=WRITTEN
// WRITTEN: error: 'tile_gpu.local_store' op expected slots that no tma_load fills, since nothing else may write those
// WRITTEN-NEXT: tile_gpu.local_store %x,
// WRITTEN: note: it is filled here
// WRITTEN-NEXT: tile_gpu.tma_load %map[%c0,

// Barriers say either when slots are full or when they are free.
// RUN: sed '/^ .*release/s/%%empty/%%full/' %s | %{check}=FULL-AS-FREE
// FULL-AS-FREE: error: 'tile_gpu.release' op expected barriers that say when slots are free, got barriers that say when they are full
// FULL-AS-FREE-NEXT: tile_gpu.release %full[%d]
// FULL-AS-FREE: note: they are used so here
// FULL-AS-FREE-NEXT: tile_gpu.expect %full[%c],

// The other way round.
// RUN: sed '/^ .*expect/s/%%full/%%empty/' %s | %{check}=FREE-AS-FULL
// FREE-AS-FULL: error: 'tile_gpu.expect' op expected barriers that say when slots are full, got barriers that say when they are free
// FREE-AS-FULL-NEXT: tile_gpu.expect %empty[%c],
// FREE-AS-FULL: note: they are used so here
// FREE-AS-FULL-NEXT: tile_gpu.wait_free %empty[%c]

// All copies into a ring signal the same barriers.
// RUN: sed -e '/^ .*%%ring =/s/$/\n%%more = tile_gpu.barriers arrivals 1 : !bars/' \
// RUN:   -e '/^ .*tma_load/s/$/\ntile_gpu.expect %%more[%%c], 8192 : !bars, !cur\ntile_gpu.tma_load %%map[%%c0, %%k] into %%ring[%%c] signals %%more : !map, !ring, !cur, !bars/' %s \
// RUN:   | %{check}=TWO-BARRIERS
// TWO-BARRIERS: error: 'tile_gpu.tma_load' op expected all copies into a ring to signal the same barriers
// TWO-BARRIERS-NEXT: tile_gpu.tma_load %map[%c0,
// TWO-BARRIERS: note: this one signals others
// TWO-BARRIERS-NEXT: tile_gpu.tma_load %map[%c0,

// It is known which barriers are meant.
// RUN: sed -e '/^ .*wait_full/s/%%full/%%which/' \
// RUN:   -e '/^ .*tile_gpu.roles/s/^/%%true = arith.constant true\n%%which = arith.select %%true, %%full, %%empty : !bars\n/' %s \
// RUN:   | %{check}=WHICH-BARRIERS
// WHICH-BARRIERS: error: 'tile_gpu.wait_full' op expected barriers that are the result of tile_gpu.barriers
// WHICH-BARRIERS-NEXT: tile_gpu.wait_full %which[%d]

// And which ring.
// RUN: sed -e '/^ .*tile_gpu.roles/s/^/%%true = arith.constant true\n%%which = arith.select %%true, %%ring, %%ring : !ring\n/' \
// RUN:   -e '/^ .*tma_load/s/into %%ring/into %%which/' %s \
// RUN:   | %{check}=WHICH-RING
// WHICH-RING: error: 'tile_gpu.tma_load' op expected a ring that is the result of tile_gpu.alloc
// WHICH-RING-NEXT: tile_gpu.tma_load %map[%c0,

// And which turn.
// RUN: sed -e '/^ .*wait_full/s/%%d/%%which/' \
// RUN:   -e '/^ .*wait_full/s/^/%%true = arith.constant true\n%%which = arith.select %%true, %%d, %%d : !cur\n/' %s \
// RUN:   | %{check}=WHICH-TURN
// WHICH-TURN: error: 'tile_gpu.wait_full' op expected a cursor whose turn is known
// WHICH-TURN-NEXT: tile_gpu.wait_full %full[%which]
// WHICH-TURN: note: in a run with 1 turn of this loop
// WHICH-TURN-NEXT: scf.for %k = %c0

// Steps stand in scf.for and scf.if only.
// RUN: sed -e '/^ .*wait_full/s/$/\nscf.yield\n}/' \
// RUN:   -e '/^ .*wait_full/s/^/scf.execute_region {\n/' %s \
// RUN:   | %{check}=CONTROL-FLOW
// CONTROL-FLOW: error: 'scf.execute_region' op expected scf.for and scf.if alone around steps of an asynchronous schedule
// CONTROL-FLOW-NEXT: scf.execute_region {
// CONTROL-FLOW: note: this is one
// CONTROL-FLOW-NEXT: tile_gpu.wait_full %full[%d]

// Where a kernel has roles, they do the waiting.
// RUN: sed '/^ .*tile_gpu.roles/s/^/%%z = tile_gpu.cursor : !cur\ntile_gpu.wait_full %%full[%%z] : !bars, !cur\n/' %s | %{check}=OUTSIDE
// OUTSIDE: error: 'tile_gpu.wait_full' op expected to stand in a role, since the kernel has some
// OUTSIDE-NEXT: tile_gpu.wait_full %full[%z]

// The roles of a kernel part once.
// RUN: sed '/^ .*tile.return/s/^/tile_gpu.roles {\ntile_gpu.role "more" warps 4 {\n}\n}\n/' %s | %{check}=ROLES-TWICE
// ROLES-TWICE: error: 'tile_gpu.roles' op expected one tile_gpu.roles in a kernel
// ROLES-TWICE-NEXT: tile_gpu.roles {
// ROLES-TWICE: note: the other stands here
// ROLES-TWICE-NEXT: tile_gpu.roles {

// What is filled is waited for by some role.
// RUN: sed -e '/^ .*wait_full/d' \
// RUN:   -e '/^ .*local_load/d' \
// RUN:   -e '/^ .*release/d' \
// RUN:   -e '/^ .*%%start =/s/$/\nscf.if %%go {\ntile_gpu.release %%empty[%%start] : !bars, !cur\n}/' \
// RUN:   -e '/^tile.kernel/s/%%s: i64/%%s: i64, %%go: i1/' \
// RUN:   -e '/^ .*for %%j/s/%%c0/%%K/' \
// RUN:   -e '/^ .*for %%k/s/%%c0 to %%K/%%c0 to %%c64/' %s \
// RUN:   | %{check}=NOBODY-WAITS
// NOBODY-WAITS: error: 'tile_gpu.expect' op expected a role to wait for turn 0 (slot 0), got none
// NOBODY-WAITS-NEXT: tile_gpu.expect %full[%c],
// NOBODY-WAITS: note: in a run where this does not hold
// NOBODY-WAITS-NEXT: scf.if %go {

// A copy to both CTAs of a cluster waits for the release by both.
// RUN: sed -e '/^tile.kernel/s/%%s: i64/%%s: i64, %%go: i1/' \
// RUN:   -e '/^ .*tma_load/s/signals %%full/signals %%full shared %%go/' %s \
// RUN:   | %{check}=NOT-PAIRED
// NOT-PAIRED: error: 'tile_gpu.tma_load' op expected paired releases of turn 0 (slot 0), since the copy goes to both CTAs, got others
// NOT-PAIRED-NEXT: tile_gpu.tma_load %map[%c0,
// NOT-PAIRED: note: in a run with 1 turn of this loop
// NOT-PAIRED-NEXT: scf.for %k = %c0

// Of which each warpgroup makes two.
// RUN: sed -e '/^tile.kernel/s/%%s: i64/%%s: i64, %%go: i1/' \
// RUN:   -e '/^ .*release/s/%%empty.%%d./%%empty[%%d] paired %%go/' %s \
// RUN:   | %{check}=PAIRED-ARRIVALS
// PAIRED-ARRIVALS: error: 'tile_gpu.barriers' op expected 2 arrivals, one for each warpgroup that releases the slots, got 1
// PAIRED-ARRIVALS-NEXT: %empty = tile_gpu.barriers arrivals
// PAIRED-ARRIVALS: note: they say when slots are free: used here
// PAIRED-ARRIVALS-NEXT: tile_gpu.wait_free %empty[%c]

// Constant loops are walked as they are, if they end in time.
// RUN: sed -e '/^ .*%%c64 =/s/$/\n%%many = arith.constant 1000000000 : i32/' \
// RUN:   -e '/^ .*for/s/%%K/%%many/' %s \
// RUN:   | %{check}=ENDLESS
// ENDLESS: error: 'tile_gpu.role' op expected a schedule that can be walked in a few million steps
// ENDLESS-NEXT: tile_gpu.role "consumer" warps 4 {

#l = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
!ring = !tile_gpu.buffer<2x64x64xf16, #l>
!bars = !tile_gpu.barriers<2>
!cur = !tile_gpu.cursor<2>
!map = !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
!tile = tensor<64x64xf16>

tile.kernel @roles(%a: !tile.ptr<f16>, %K: i32 {tile.fact = #tile.fact<min = 1>}, %s: i64) {
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
