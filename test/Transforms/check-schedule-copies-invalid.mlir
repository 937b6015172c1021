// RUN: tile-opt %s --tile-gpu-check-schedule -o /dev/null
// DEFINE: %{check} = not tile-opt --tile-gpu-check-schedule --mlir-print-op-on-diagnostic=false -o %t 2>&1 | FileCheck %s --implicit-check-not=error: --check-prefix

// A ring of three slots that all threads fill by cp.async, two turns ahead, and
// one of two slots that wgmma reads: both are right below.  Wrong schedules: each
// is that one with a small change, made by sed.

// A wait that lets one group more run leaves the copy on its way that is read.
// RUN: sed '/^ .*loc("wait")/s/wait 1/wait 2/' %s | %{check}=COUNT
// COUNT: error: loc("read"): 'tile_gpu.local_load' op expected the copy into turn 0 (slot 0) to be waited for before it is read
// COUNT-NEXT: {{.*}}note: loc("first"): the copy starts here
// COUNT-NEXT: {{.*}}note: loc("wait"): this wait leaves 2 groups on the way, of which it may be one
// COUNT-NEXT: {{.*}}note: loc("loop"): in turn 0 of this loop

// No wait at all.
// RUN: sed '/^ .*loc("wait")/d' %s | %{check}=NO-WAIT
// NO-WAIT: error: loc("read"): 'tile_gpu.local_load' op expected the copy into turn 0 (slot 0) to be waited for before it is read
// NO-WAIT-NEXT: {{.*}}note: loc("first"): the copy starts here
// NO-WAIT-NEXT: {{.*}}note: loc("loop"): in turn 0 of this loop

// A wait behind the read.
// RUN: sed -e '/^ .*loc("wait")/d' -e '/^ .*loc("read")/s/$/\ntile_gpu.wait 0/' %s | %{check}=LATE-WAIT
// LATE-WAIT: error: loc("read"): 'tile_gpu.local_load' op expected the copy into turn 0 (slot 0) to be waited for before it is read
// LATE-WAIT-NEXT: {{.*}}note: loc("first"): the copy starts here

// Copies of the loop that no commit closes are in no group that is waited for.
// RUN: sed '/^ .*loc("commit")/d' %s | %{check}=NO-COMMIT
// NO-COMMIT: error: loc("read"): 'tile_gpu.local_load' op expected the copy into turn 1 (slot 1) to be waited for before it is read
// NO-COMMIT-NEXT: {{.*}}note: loc("second"): the copy starts here
// NO-COMMIT-NEXT: {{.*}}note: loc("wait"): this wait leaves 1 group on the way, of which it may be one
// NO-COMMIT-NEXT: {{.*}}note: loc("loop"): in turn 1 of this loop

// A commit before its copy closes the group of the turn before.
// RUN: sed -e '/^ .*loc("commit")/d' -e '/^ .*%%2 = tile_gpu.advance/s/^/tile_gpu.commit loc("early")\n/' %s | %{check}=EARLY
// EARLY: error: loc("read"): 'tile_gpu.local_load' op expected the copy into turn 2 (slot 2) to be waited for before it is read
// EARLY-NEXT: {{.*}}note: loc("copy"): the copy starts here
// EARLY-NEXT: {{.*}}note: loc("wait"): this wait leaves 1 group on the way, of which it may be one
// EARLY-NEXT: {{.*}}note: loc("loop"): in turn 2 of this loop

// One group for both first copies: with one group on its way there is none left
// to wait for.
// RUN: sed '/^ .*loc("commit of first")/d' %s | %{check}=ONE-GROUP
// ONE-GROUP: error: loc("read"): 'tile_gpu.local_load' op expected the copy into turn 0 (slot 0) to be waited for before it is read
// ONE-GROUP-NEXT: {{.*}}note: loc("first"): the copy starts here
// ONE-GROUP-NEXT: {{.*}}note: loc("wait"): this wait leaves 1 group on the way, of which it may be one

// The first copies in the other order: the newer group is the one that is read.
// RUN: sed -e '/^ .*loc("first")/s/\[%%0\]/[%%1]/' -e '/^ .*loc("second")/s/\[%%1\]/[%%0]/' %s | %{check}=SWAPPED
// SWAPPED: error: loc("read"): 'tile_gpu.local_load' op expected the copy into turn 0 (slot 0) to be waited for before it is read
// SWAPPED-NEXT: {{.*}}note: loc("second"): the copy starts here

// A copy one turn too far ahead overwrites the slot that is read next.
// RUN: sed '/^ .*%%2 = tile_gpu.advance/s/by 2/by 3/' %s | %{check}=TOO-FAR
// TOO-FAR: error: loc("copy"): 'tile_gpu.copy_async' op expected turn 0 (slot 0) to be read before turn 3 (slot 0) overwrites it
// TOO-FAR-NEXT: {{.*}}note: loc("first"): it is copied here, and not read since
// TOO-FAR-NEXT: {{.*}}note: loc("loop"): in turn 0 of this loop

// A read that stays in its slot finds another turn there.
// RUN: sed '/^ .*loc("read")/s/\[%%c\]/[%%0]/' %s | %{check}=STAYS
// STAYS: error: loc("read"): 'tile_gpu.local_load' op expected turn 0 (slot 0) to be kept until it is read, got turn 3 (slot 0)
// STAYS-NEXT: {{.*}}note: loc("copy"): it is overwritten here
// STAYS-NEXT: {{.*}}note: loc("loop"): in turn 1 of this loop

// A copy one turn too near goes where another one is still on its way.
// RUN: sed '/^ .*%%2 = tile_gpu.advance/s/by 2/by 1/' %s | %{check}=TOO-NEAR
// TOO-NEAR: error: loc("copy"): 'tile_gpu.copy_async' op expected the copy into turn 1 (slot 1) to be waited for before turn 1 (slot 1) overwrites it
// TOO-NEAR-NEXT: {{.*}}note: loc("second"): the copy starts here

// And where that has landed, copies the same turn twice.
// RUN: sed -e '/^ .*%%2 = tile_gpu.advance/s/by 2/by 1/' -e '/^ .*loc("wait")/s/wait 1/wait 0/' %s | %{check}=TWICE
// TWICE: error: loc("copy"): 'tile_gpu.copy_async' op expected turn 1 (slot 1) to be read before turn 1 (slot 1) overwrites it
// TWICE-NEXT: {{.*}}note: loc("second"): it is copied here, and not read since

// A slot of which the first copy is missing.
// RUN: sed '/^ .*loc("second")/d' %s | %{check}=NO-SECOND
// NO-SECOND: error: loc("read"): 'tile_gpu.local_load' op expected a copy into turn 1 (slot 1) before it is read, got none
// NO-SECOND-NEXT: {{.*}}note: loc("ring"): the ring is made here
// NO-SECOND-NEXT: {{.*}}note: loc("loop"): in turn 1 of this loop

// Copies that end with the first ones.
// RUN: sed '/^ .*loc("copy")/d' %s | %{check}=NO-COPY
// NO-COPY: error: loc("read"): 'tile_gpu.local_load' op expected a copy into turn 2 (slot 2) before it is read, got none

// A copy that is always for the same slot: the turn after is not there.
// RUN: sed -e '/^ .*loc("copy")/s/\[%%2\]/[%%3]/' -e '/^ .*loc("wait")/s/wait 1/wait 0/' \
// RUN:   -e '/^ .*loc("read")/s/^/tile_gpu.wait 0\n/' %s | %{check}=ONE-SLOT
// ONE-SLOT: error: loc("read"): 'tile_gpu.local_load' op expected a copy into turn 3 (slot 0) before it is read, got turn 0 (slot 0)
// ONE-SLOT-NEXT: {{.*}}note: loc("first"): the slot is filled here last
// ONE-SLOT-NEXT: {{.*}}note: loc("loop"): in turn 3 of this loop

// A read one slot further on meets a copy that was not waited for.
// RUN: sed '/^ .*loc("read")/s/\[%%c\]/[%%n]/' %s | %{check}=OFF-BY-ONE
// OFF-BY-ONE: error: loc("read"): 'tile_gpu.local_load' op expected the copy into turn 1 (slot 1) to be waited for before it is read
// OFF-BY-ONE-NEXT: {{.*}}note: loc("second"): the copy starts here

// And where all are, skips a turn.
// RUN: sed -e '/^ .*loc("read")/s/\[%%c\]/[%%n]/' -e '/^ .*loc("wait")/s/wait 1/wait 0/' %s | %{check}=SKIPS
// SKIPS: error: loc("copy"): 'tile_gpu.copy_async' op expected turn 0 (slot 0) to be read before turn 3 (slot 0) overwrites it
// SKIPS-NEXT: {{.*}}note: loc("first"): it is copied here, and not read since
// SKIPS-NEXT: {{.*}}note: loc("loop"): in turn 1 of this loop

// Both sides of a branch copy, one of them another turn.
// RUN: sed '/^ .*loc("copy")/{h;s/.*/%%some = arith.cmpi sgt, %%n0, %%i : i32\nscf.if %%some {/p;g;p;s/.*/} else {\n%%5 = tile_gpu.advance %%c by 5 : !cur/p;g;s/%%2/%%5/;p;s/.*/}/}' \
// RUN:   %s | %{check}=BRANCH
// BRANCH: error: loc("read"): 'tile_gpu.local_load' op expected turn 2 (slot 2) to be kept until it is read, got turn 5 (slot 2)
// BRANCH-NEXT: {{.*}}note: loc("copy"): it is overwritten here
// BRANCH-NEXT: {{.*}}note: loc("loop"): in turn 2 of this loop

// Copies for turns that never come are on their way when the ring ends.
// RUN: sed '/^ .*loc("drain")/d' %s | %{check}=NO-DRAIN
// NO-DRAIN: error: loc("first"): 'tile_gpu.copy_async' op expected the copy into turn 0 (slot 0) to be waited for before its ring ends

// And some are where that wait is not for all.
// RUN: sed '/^ .*loc("drain")/s/wait 0/wait 1/' %s | %{check}=HALF-DRAIN
// HALF-DRAIN: error: loc("copy"): 'tile_gpu.copy_async' op expected the copy into turn 3 (slot 0) to be waited for before its ring ends
// HALF-DRAIN-NEXT: {{.*}}note: loc("drain"): this wait leaves 1 group on the way, of which it may be one

// A product that still reads the slot of a copy.
// RUN: sed -e '/^ .*loc("finish")/d' -e '/^ .*loc("next")/s/$/\n%%sum = tile_gpu.wgmma_finish %%r : !pending loc("finish")/' %s | %{check}=RUNNING
// RUNNING: error: loc("next"): 'tile_gpu.copy_async' op expected the product that reads turn 0 (slot 0) to be waited for before turn 2 (slot 0) overwrites it
// RUNNING-NEXT: {{.*}}note: loc("product"): it is read here
// RUNNING-NEXT: {{.*}}note: loc("products"): in turn 0 of this loop

// A product that is started before its operand has landed.
// RUN: sed '/^ .*loc("wait for operands")/s/wait 1/wait 2/' %s | %{check}=PRODUCT
// PRODUCT: error: loc("product"): 'tile_gpu.wgmma' op expected the copy into turn 0 (slot 0) to be waited for before it is read
// PRODUCT-NEXT: {{.*}}note: loc("zeroth"): the copy starts here

// Once rings have places, barriers are in place, too.
// RUN: tile-opt %s --tile-gpu-allocate-shared --tile-gpu-insert-barriers -o %t.placed
// RUN: tile-opt %t.placed --tile-gpu-check-schedule -o /dev/null
// RUN: sed '1,/@products/{/^ .*tile_gpu.barrier/d}' %t.placed | %{check}=NO-BARRIER
// NO-BARRIER: error: 'tile_gpu.local_load' op expected a tile_gpu.barrier between another thread's access and this one, got none
// NO-BARRIER: note: the other thread may still be here

#l = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], sides = [32, 32]>
!ring = !tile_gpu.buffer<3x32x32xf16, #l>
!cur = !tile_gpu.cursor<3>
!tile = tensor<32x32xf16>
tile.kernel @copies(%p: !tile.ptr<f16> {tile.fact = #tile.fact<noalias>}, %q: !tile.ptr<f16> {tile.fact = #tile.fact<noalias>}, %n0: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %one = arith.constant 1 : i64
  %ring = tile_gpu.alloc : !ring loc("ring")
  %0 = tile_gpu.cursor : !cur
  %1 = tile_gpu.advance %0 by 1 : !cur
  tile_gpu.copy_async %p[%c0, %c0] bounds[%n0, %c32] strides[%one, %one] into %ring[%0] plan<cp_async, vector = 8> : !tile.ptr<f16>, i32, !ring, !cur loc("first")
  tile_gpu.commit loc("commit of first")
  tile_gpu.copy_async %p[%c1, %c0] bounds[%n0, %c32] strides[%one, %one] into %ring[%1] plan<cp_async, vector = 8> : !tile.ptr<f16>, i32, !ring, !cur loc("second")
  tile_gpu.commit
  %3 = tile_gpu.advance %0 by 2 : !cur
  %end = scf.for %i = %c0 to %n0 step %c1 iter_args(%c = %0) -> !cur : i32 {
    tile_gpu.wait 1 loc("wait")
    %n = tile_gpu.advance %c by 1 : !cur
    %2 = tile_gpu.advance %c by 2 : !cur
    tile_gpu.copy_async %p[%i, %c0] bounds[%n0, %c32] strides[%one, %one] into %ring[%2] plan<cp_async, vector = 8> : !tile.ptr<f16>, i32, !ring, !cur loc("copy")
    tile_gpu.commit loc("commit")
    %x = tile_gpu.local_load %ring[%c] : !ring, !cur -> !tile loc("read")
    tile_gpu.store %x, %q[%i, %c0] bounds[%n0, %c32] strides[%one, %one] plan<registers> : !tile, !tile.ptr<f16>, i32
    scf.yield %n : !cur
  } loc("loop")
  tile_gpu.wait 0 loc("drain")
  tile.return
}

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
!two = !tile_gpu.buffer<2x64x64xf16, #k>
!slot = !tile_gpu.cursor<2>
!acc = tensor<64x64xf32>
!pending = !tile_gpu.pending<tensor<64x64xf32>>
tile.kernel @products(%p: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : !acc
  %b = tile_gpu.alloc : !two
  %0 = tile_gpu.cursor : !slot
  tile_gpu.copy_async %p[%c0, %c0] bounds[%n, %n] strides[%one, %one] into %b[%0] plan<cp_async, vector = 8> : !tile.ptr<f16>, i32, !two, !slot loc("zeroth")
  tile_gpu.commit
  %1 = tile_gpu.advance %0 by 1 : !slot
  tile_gpu.copy_async %p[%c1, %c0] bounds[%n, %n] strides[%one, %one] into %b[%1] plan<cp_async, vector = 8> : !tile.ptr<f16>, i32, !two, !slot loc("oneth")
  tile_gpu.commit
  %end:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero, %c = %0) -> (!acc, !slot) : i32 {
    tile_gpu.wait 1 loc("wait for operands")
    tile_gpu.fence_async
    %r = tile_gpu.wgmma %b[%c], %b[%c], %a plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]> : !two, !slot, !two, !slot, !acc -> !pending loc("product")
    %sum = tile_gpu.wgmma_finish %r : !pending loc("finish")
    %3 = tile_gpu.advance %c by 2 : !slot
    tile_gpu.copy_async %p[%i, %c0] bounds[%n, %n] strides[%one, %one] into %b[%3] plan<cp_async, vector = 8> : !tile.ptr<f16>, i32, !two, !slot loc("next")
    tile_gpu.commit
    %next = tile_gpu.advance %c by 1 : !slot
    scf.yield %sum, %next : !acc, !slot
  } loc("products")
  tile_gpu.wait 0
  tile.return
}
