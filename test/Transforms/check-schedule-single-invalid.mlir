// RUN: tile-opt %s --tile-gpu-check-schedule -o /dev/null
// DEFINE: %{check} = not tile-opt --tile-gpu-check-schedule --mlir-print-op-on-diagnostic=false -o %t 2>&1 | FileCheck %s --check-prefix

// A kernel without roles, one thread of which fills the ring two turns ahead: it
// is right below, for every number of turns.  Wrong schedules: each is that one
// with a small change, made by sed.

// Each turn is released.
// RUN: sed '/^ .*tile_gpu.release/d' %s | %{check}=NOT-RELEASED
// NOT-RELEASED: error: 'tile_gpu.barriers' op expected 0 arrivals, one for each warpgroup that releases the slots, got 2

// Before its slot is filled anew: a ring of two slots cannot be filled two turns
// ahead of the release.
// RUN: sed -e 's/<3x/<2x/' -e 's/<3>/<2>/' %s | %{check}=TOO-FAR
// TOO-FAR: error: 'tile_gpu.wait_free' op waits for ever: the kernel waits here in turn 2 (slot 0) for the release of turn 0 (slot 0), expected 2 arrivals, got 0
// TOO-FAR: note: in a run with 3 turns of this loop

// The copy waits for the release of what its slot holds.
// RUN: sed '/^      tile_gpu.wait_free/d' %s | %{check}=NO-FREE
// NO-FREE: error: 'tile_gpu.tma_load' op expected a wait_free for turn 2 (slot 2) before the copy, got none

// Data is waited for before it is read.
// RUN: sed '/^    tile_gpu.wait_full/d' %s | %{check}=NO-FULL
// NO-FULL: error: 'tile_gpu.local_load' op expected a wait_full for turn 0 (slot 0) before the read, got none

// A product ends before its slot is released.
// RUN: sed -e '/^    tile_gpu.release/d' \
// RUN:   -e '/^    %%sum =/s/^/tile_gpu.release %%empty[%%d] : !bars, !cur\n/' %s | %{check}=RUNNING
// RUNNING: error: 'tile_gpu.release' op expected the product that reads turn 0 (slot 0) to be waited for before its release
// RUNNING: note: it is read here

// The thread that fills a slot knows of reads by the others only what they have
// released: a read behind it may be late.
// RUN: sed -e '/^    %%[xy] = /d' \
// RUN:   -e '/^    tile_gpu.release/s/$/\n%%x = tile_gpu.local_load %%a[%%d] : !ring, !cur -> !tile/' \
// RUN:   -e 's/tile_gpu.wgmma %%y/tile_gpu.wgmma %%zeros/' %s | %{check}=READ-LATE
// READ-LATE: error: 'tile_gpu.local_load' op expected to read turn 0 (slot 0) before its release
// READ-LATE: note: it is released here

// A copy for a turn that never comes skips one that does not come either.
// RUN: sed -e '/^    scf.if/d' -e '/^    }/d' %s | %{check}=UNCONDITIONAL
// UNCONDITIONAL: error: 'tile_gpu.wait_free' op expected to go on with turn 1 (slot 1), got turn 2 (slot 2)
// UNCONDITIONAL: note: in a run with 1 turn of this loop

// And is never waited for.
// RUN: sed 's/^    %%has = arith.cmpi slt/    %%has = arith.cmpi sle/' %s | %{check}=ONE-MORE
// ONE-MORE: error: 'tile_gpu.expect' op expected the kernel to wait for turn {{[0-9]}} (slot {{[0-9]}}), which is filled, before it ends

// Without the first copies nothing is there to wait for.
// RUN: sed -e '/^  scf.if %%has_first/,/^  }/d' %s | %{check}=NO-FIRST
// NO-FIRST: error: 'tile_gpu.wait_full' op waits for ever: the kernel waits here in turn 0 (slot 0) for the data, expected 1 arrival, got 0

// All tiles of a turn are announced.
// RUN: sed -e '/^      tile_gpu.expect/s/16384/8192/' %s | %{check}=BYTES
// BYTES: error: 'tile_gpu.tma_load' op expected copies of no more bytes than are announced in turn 2 (slot 2), got 8192 bytes and 0 to come

// Each warpgroup of the kernel releases.
// RUN: sed -e 's/barriers arrivals 2/barriers arrivals 1/' %s | %{check}=ARRIVALS
// ARRIVALS: error: 'tile_gpu.barriers' op expected 2 arrivals, one for each warpgroup that releases the slots, got 1

#l = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
!ring = !tile_gpu.buffer<3x64x64xf16, #l>
!bars = !tile_gpu.barriers<3>
!cur = !tile_gpu.cursor<3>
!map = !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
!tile = tensor<64x64xf16>
!acc = tensor<64x64xf32>
!sum = !tile_gpu.pending<tensor<64x64xf32>>

tile.kernel @single(%p: !tile.ptr<f16>, %K: i32, %s: i64, %step: i32) plan #tile.plan<warps = 8> {
  %full = tile_gpu.barriers arrivals 1 : !bars
  %empty = tile_gpu.barriers arrivals 2 : !bars
  %map = tile_gpu.tensor_map %p dims[%K, %K] strides[%s] : !tile.ptr<f16>, i32, !map
  %a = tile_gpu.alloc : !ring
  %b = tile_gpu.alloc : !ring
  %c0 = arith.constant 0 : i32
  %c0_i64 = arith.constant 0 : i64
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %c-64 = arith.constant -64 : i64
  %c-128 = arith.constant -128 : i64
  %zero = arith.constant dense<0.0> : !acc
  %zeros = arith.constant dense<0.0> : !tile
  %first = tile_gpu.cursor : !cur
  %end = arith.extsi %K : i32 to i64
  %has_first = arith.cmpi sgt, %end, %c0_i64 : i64
  scf.if %has_first {
    tile_gpu.wait_free %empty[%first] : !bars, !cur
    tile_gpu.expect %full[%first], 16384 : !bars, !cur
    tile_gpu.tma_load %map[%c0, %c0] into %a[%first] signals %full : !map, !ring, !cur, !bars
    tile_gpu.tma_load %map[%c0, %c0] into %b[%first] signals %full : !map, !ring, !cur, !bars
  }
  %ahead = tile_gpu.advance %first by 1 : !cur
  %left = arith.addi %end, %c-64 : i64
  %has_second = arith.cmpi sgt, %left, %c0_i64 : i64
  scf.if %has_second {
    tile_gpu.wait_free %empty[%ahead] : !bars, !cur
    tile_gpu.expect %full[%ahead], 16384 : !bars, !cur
    tile_gpu.tma_load %map[%c0, %c64] into %a[%ahead] signals %full : !map, !ring, !cur, !bars
    tile_gpu.tma_load %map[%c64, %c0] into %b[%ahead] signals %full : !map, !ring, !cur, !bars
  }
  %last = arith.addi %end, %c-128 : i64
  %r:2 = scf.for %k = %c0 to %K step %c64 iter_args(%acc = %zero, %d = %first) -> (!acc, !cur) : i32 {
    tile_gpu.wait_full %full[%d] : !bars, !cur
    %x = tile_gpu.local_load %a[%d] : !ring, !cur -> !tile
    %y = arith.negf %x : !tile
    %q = tile_gpu.wgmma %y, %b[%d], %acc plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]> : !tile, !ring, !cur, !acc -> !sum
    %then = tile_gpu.advance %d by 2 : !cur
    %wide = arith.extsi %k : i32 to i64
    %has = arith.cmpi slt, %wide, %last : i64
    scf.if %has {
      tile_gpu.wait_free %empty[%then] : !bars, !cur
      %third = arith.addi %k, %c128 : i32
      tile_gpu.expect %full[%then], 16384 : !bars, !cur
      tile_gpu.tma_load %map[%c0, %third] into %a[%then] signals %full : !map, !ring, !cur, !bars
      tile_gpu.tma_load %map[%third, %c0] into %b[%then] signals %full : !map, !ring, !cur, !bars
    }
    %sum = tile_gpu.wgmma_finish %q : !sum
    tile_gpu.release %empty[%d] : !bars, !cur
    %next = tile_gpu.advance %d by 1 : !cur
    scf.yield %sum, %next : !acc, !cur
  }
  tile.return
}
