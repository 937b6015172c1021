//===- Passes.td - Passes from tile to tile_gpu ------------*- tablegen -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the order in which the pipeline runs them (lib/Transforms/Pipeline.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PASSES_TD
#define TILE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def TileLowerArithmeticPass : Pass<"tile-lower-arithmetic", "::tile::KernelOp"> {
  let summary = "Lower arithmetic that no chip has to arithmetic that it has";
  let description = [{
    Arithmetic and functions of 8-bit floats are computed in f32, which holds them,
    and rounded once to nearest: `+ - * /`, remainders and square roots are then
    rounded correctly, since f32 has more than twice their digits.  `math.fma` of
    f8E5M2 goes through f64, where it is exact.  Signs are set on bits.
    `math.sincos` becomes its two functions, and `math.clampf %x to [%low, %high]`
    min(max(x, low), high), where NaN stays NaN.  `math.isnormal` compares.
    `arith.truncf` of another mode than to nearest even rounds so, and takes the
    neighbour where the mode wants it.  A float is cast to i1 by way of i32.

    Before: `%z = arith.addf %x, %y : f8E5M2`
    After: `%a = arith.extf %x : f8E5M2 to f32`,
    `%b = arith.extf %y : f8E5M2 to f32`, `%c = arith.addf %a, %b : f32`,
    `%z = arith.truncf %c : f32 to f8E5M2`

    Requires: nothing.  Guarantees: the same values, but for functions of 8-bit
    floats whose error in f32 another rounding shows.  Leaves alone: other casts,
    choices, constants, and dots.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

def TileTransposeLoadsPass : Pass<"tile-transpose-loads", "::tile::KernelOp"> {
  let summary = "Load operands the way round that dots take them";
  let description = [{
    A load whose one use is a transposition, all of whose uses are dots, becomes a
    load at transposed offsets: copies to shared memory then take it, and the
    tensor cores read either order.  Arithmetic on offsets and masks is done anew
    in that order; only what is none is transposed.

    Before: `%x = tile.load %k[%o] ...`, `%y = tile.transpose %x order [1, 0]`
    After: `%p = tile.transpose %o order [1, 0]`, `%y = tile.load %k[%p] ...`

    Requires: tile IR.  Guarantees: the same values.  Leaves alone: transpositions
    of anything else, which may be how a program reads and writes whole lines.
  }];
  let dependentDialects = ["::tile::TileDialect"];
}

def TileCanonicalizePass : Pass<"tile-canonicalize", "::tile::KernelOp"> {
  let summary = "Canonicalize, to the same bits";
  let description = [{
    `canonicalize` of MLIR without the rewrites of `arith.truncf`: of an integer
    that is rounded to f32 and then to bf16 they make one that is rounded once,
    which may be another number.  Functions of f32 constants are computed in f64
    and rounded, not by the host's functions of f32.

    Before: `%x = arith.addi %i, %c0`, `%f = arith.sitofp %x : i32 to f32`,
    `%b = arith.truncf %f : f32 to bf16`
    After: `%f = arith.sitofp %i : i32 to f32`,
    `%b = arith.truncf %f : f32 to bf16`

    Requires: no arithmetic of f8E4M3FN (`tile-lower-arithmetic`), whose overflow
    MLIR folds to NaN.  Guarantees: the same values.
  }];
}

def TileSpecializePass : Pass<"tile-specialize", "::mlir::ModuleOp"> {
  let summary = "Clone each kernel into variants by facts only a launch knows";
  let description = [{
    Each kernel becomes at most four, from the most to the least specialised; the
    last assumes nothing and can always run.  A variant starts with a
    `tile.assume` for each fact that it relies on, which the launcher checks; an
    argument assumed to be 1 is replaced by the constant.

    The facts that are tried: the stride of every access's last dimension, or of
    the one that `tile.contiguous` marks, is 1; other strides, base pointers, what
    a block's start is a multiple of, and the bounds along it (but of operands of a
    dot, whose copies may end anywhere) are divisible by 16 bytes, and no side of
    a matrix is empty (`aligned16`); by 4 bytes (`aligned4`), or by nothing
    (`contiguous`).  What the author has stated is not assumed again, and a level
    that adds nothing to the next makes no variant.

    Fails where a variant's name is taken.

    Before: `tile.kernel @matmul(... %sak: i64 ...)`
    After: `tile.kernel @matmul$aligned16 ... variant "aligned16" {
    tile.assume %sak, #tile.fact<min = 1, max = 1> ...`, ..., `@matmul$general`.

    Requires: tile IR.  Guarantees: every kernel has a variant.  Leaves alone: a
    kernel that has one already.
  }];
  let dependentDialects = ["::tile::TileDialect"];
}

def TileHoistScalarsPass : Pass<"tile-hoist-scalars", "::tile::KernelOp"> {
  let summary = "Compute scalars before loops that do not change them";
  let description = [{
    Integer arithmetic on scalars whose operands are known before an `scf.for`
    moves there: an index that is written where it is used is then no address
    that the loop computes, and a load at it can run ahead or be a producer's.

    Before: `scf.for ... { %p = tile.program_id x ... %i = arith.muli %p, %c64`
    After: `%p = tile.program_id x`, `%i = arith.muli %p, %c64`, `scf.for ... {`

    Requires: tile IR.  Guarantees: the same values.  Leaves alone: tiles, and
    divisions by other than constants, which may have no result.
  }];
}

def TilePlanPass : Pass<"tile-plan", "::tile::KernelOp"> {
  let summary = "Decide instructions, copies, warps and stages";
  let description = [{
    Reads the analyses and writes down every decision as an attribute:
    `#tile.plan` on the kernel, `#tile.copy` on loads and stores, `#tile.mma` on
    dots, `tile.pipeline` on loops.  On a chip that has wgmma and the copy engine
    it also decides whether the kernel is split into roles, walks its programs
    persistently and pairs its CTAs.  Each decision, and what was rejected, is a
    remark.  A plan that is there already is kept and completed.

    Fails, with the reason, where an op cannot be carried out, where a `require`
    is not met, where a decision that is given cannot be had, and where the rings
    do not fit into shared memory.

    Requires: tile IR.  Guarantees: every dot, load, store and loop with dots has
    a plan.  Leaves alone: everything but attributes.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"\"",
           "chip to plan for; empty: the kernel's plan says, or sm_80">,
    ListOption<"settings", "set", "std::string",
               "decisions that are given, each KEY=VALUE">
  ];
  let dependentDialects = ["::tile::gpu::TileGPUDialect"];
}

def TileScheduleLoopsPass : Pass<"tile-schedule-loops", "::tile::KernelOp"> {
  let summary = "Assign each op of a planned loop to a stage";
  let description = [{
    In a loop with `tile.pipeline`, the loads that travel through shared memory
    get `tile.stage = 0` and everything that depends on them
    `tile.stage = stages - 1`.  What neither is nor needs a load (addresses,
    masks) has no stage: it is computed where it is used.

    Requires: plans.  Guarantees: the schedule verifies (a value is not used in
    an earlier stage than it is made).  Leaves alone: loops without
    `tile.pipeline`.
  }];
}

def TileSplitRolesPass : Pass<"tile-split-roles", "::tile::KernelOp"> {
  let summary = "Split a kernel into a producer warp and consumer warpgroups";
  let description = [{
    Where the plan says `roles = "split"`, the loop's loads become copies by the
    copy engine that one role starts, ring slot after ring slot, and its dot
    becomes wgmma in the other; transaction barriers carry the slots back and
    forth.  The first product is peeled off the loop and overwrites the
    accumulator; each further one is waited for one step later.  The producer
    brings the tiles that the epilogue loads into the cache.  With
    `grid = "persistent"` both roles walk the programs that fall to their CTA, and
    cursors run on across them; with `cluster = 2` two CTAs do so in step, and
    each loads half of a tile that both need.

    Fails, with the reason, where the loop holds other than one dot on two loads
    by tma with an accumulator of its own, and where the rest of the plan cannot
    be followed.

    Requires: plans; a loop that runs at least once.  Guarantees: nothing uses
    `tile.program_id` in a persistent kernel.  Leaves alone: kernels without that
    plan.
  }];
  let dependentDialects = ["::tile::gpu::TileGPUDialect"];
}

def TilePipelineLoopsPass : Pass<"tile-pipeline-loops", "::tile::KernelOp"> {
  let summary = "Expand schedules into rings of slots with copies ahead";
  let description = [{
    Each load of stage 0 becomes a ring in shared memory and a copy that runs
    `stages - 1` iterations ahead of what reads the slot.  All threads start the
    copies together, or one starts those by tma, which have transaction barriers:
    one that says when a slot is full, and one, with an arrival of each
    warpgroup, that says when it is free.  The loop keeps its trip count: copies
    past the end are not live, and touch no memory or are not started.

    What follows from the induction variable by integer arithmetic is computed
    again for the iteration that is copied.

    Fails, with the reason, where copies must not run ahead: a store in the loop,
    an address or a condition of a mask that it loads or carries, bounds that are
    compared unsigned; and where a load that is planned so cannot go through the
    copy engine.

    Requires: a schedule.  Guarantees: no load of stage 0 is left in a loop with a
    schedule, and no schedule.  Leaves alone: loops without a schedule.
  }];
  let dependentDialects = ["::tile::gpu::TileGPUDialect"];
}

def TileLowerMemoryPass : Pass<"tile-lower-memory", "::tile::KernelOp"> {
  let summary = "Lower the loads, stores and dots that no loop pipelines";
  let description = [{
    Loads and stores become `tile_gpu.load` and `tile_gpu.store` on strided
    blocks, stores by tma `tile_gpu.tma_store`; a dot's operand that is a value goes through a slot of its own, and so
    does one whose slot has been written since.  What loops carried for addresses
    only is yielded as it is.

    Requires: plans.  Guarantees: no tile.dot is left.  Leaves alone: what touches
    no memory, atomic updates, and loads and stores of scalars or of elements that
    are no strided block.
  }];
  let dependentDialects = ["::tile::gpu::TileGPUDialect"];
}

def TileAssignLayoutsPass : Pass<"tile-assign-layouts", "::tile::KernelOp"> {
  let summary = "Give every tensor a layout";
  let description = [{
    The accumulator of an mma has the layout of its instruction; elementwise ops
    and control flow of any kind pass a layout on; loads and stores want vectors
    along memory.  Where wishes differ, a `tile_gpu.convert_layout` is put before
    the store, or around the mma; not before a store in a role or in a loop that
    uses rings, nor where shared memory has no room for the tile, nor before any
    with `epilogue = "direct"`.
    Each use has a constant or splat of its own.  The
    result of a reduction has its operand's layout without the axis.

    Fails, with the reason, on tensors that no threads can hold.

    Requires: no tile.dot.  Guarantees: every tensor that
    is computed has a `#tile.layout`.  Leaves alone: layouts that are there.
  }];
  let dependentDialects = ["::tile::gpu::TileGPUDialect"];
}

def TileRemoveLayoutConversionsPass
    : Pass<"tile-remove-layout-conversions", "::tile::KernelOp"> {
  let summary = "Remove conversions that do nothing or can be avoided";
  let description = [{
    Folds a conversion of a conversion, of a constant or splat, and to the same
    layout, puts a truncation before it, and drops values that nothing uses any
    more.

    Requires: layouts.  Guarantees: the same values.  Leaves alone: conversions of
    anything else.
  }];
  let dependentDialects = ["::tile::gpu::TileGPUDialect"];
}

def TileGPULowerExchangesPass
    : Pass<"tile-gpu-lower-exchanges", "::tile::KernelOp"> {
  let summary = "Make what reductions and their like exchange explicit";
  let description = [{
    A `tile.reduce` whose axis crosses warps is split where the first bit of the
    axis index does: what lies below is reduced inside each warp, the partial
    results are converted to a layout in which every warp has them all, and there
    the rest is reduced.  The tree is the same one.

    A `tile.scan` is converted to a layout in which each warp has whole lines, and
    back.  What a `tile.atomic_rmw` or `tile.atomic_cas` returns goes from the
    thread that made the update to those that hold copies, a scalar as a tile of
    one element.  A `tile.reshape` that is no renaming of registers goes through
    a slot in row-major order.

    Requires: layouts.  Guarantees: reductions and scans stay inside a warp.
    Leaves alone: what does so already.
  }];
  let dependentDialects = ["::tile::gpu::TileGPUDialect"];
}

def TileGPULowerConversionsPass
    : Pass<"tile-gpu-lower-conversions", "::tile::KernelOp"> {
  let summary = "Send conversions that cross threads through shared memory";
  let description = [{
    A conversion that only renames registers stays; any other becomes a slot, a
    `local_store` and a `local_load`.

    Requires: layouts.  Guarantees: each remaining conversion renames registers.
    Leaves alone: conversions that do nothing or rename registers.
  }];
  let dependentDialects = ["::tile::gpu::TileGPUDialect"];
}

def TileGPUHoistLoadsPass : Pass<"tile-gpu-hoist-loads", "::tile::KernelOp"> {
  let summary = "Start an epilogue's loads before its products";
  let description = [{
    In a role that multiplies, moves the loads behind the products, with the
    arithmetic of their addresses, behind the first product of the block, in
    program order, as long as their tiles have registers beside the accumulator;
    where the block has no product of its own, ahead of the first op that is more
    than arithmetic.  A remark says which moved and which did not.

    ```mlir
    %p = tile_gpu.wgmma ...                       %p = tile_gpu.wgmma ...
    ... products ...                              %r = tile_gpu.load %residual[...]
    %sum = tile_gpu.wgmma_finish %q          =>   ... products ...
    %r = tile_gpu.load %residual[...]             %sum = tile_gpu.wgmma_finish %q
    ```

    Requires: layouts.  Guarantees: no load moves across a write of global memory,
    or into a block that did not execute it.  Leaves alone: roles without a number
    of registers, or with several products.
  }];
  let statistics = [
    Statistic<"numHoisted", "num-hoisted", "Number of loads moved">
  ];
}

def TileGPUAllocateSharedPass
    : Pass<"tile-gpu-allocate-shared", "::tile::KernelOp"> {
  let summary = "Place the rings in shared memory by liveness";
  let description = [{
    Two rings share bytes where one is last used before the other is first used.
    Sets `offset` on each `tile_gpu.alloc` and `tile_gpu.shared`, the bytes in
    all, on the kernel.

    Fails, listing the rings, where the target has less shared memory.

    Requires: nothing.  Guarantees: rings that live at the same time do not
    overlap; one that is passed on lives to the end.
  }];
}

def TileGPUInsertBarriersPass
    : Pass<"tile-gpu-insert-barriers", "::tile::KernelOp"> {
  let summary = "Put barriers where threads could meet in shared memory";
  let description = [{
    Walks the kernel, loops as many times as their rings have slots and two more,
    and keeps the accesses since the last barrier.  An access that conflicts with
    one of another thread needs a barrier between, outside the loops that need it
    once; barriers that turn out to be implied by others are dropped again.
    Touching what an asynchronous copy that was not waited for reads or writes is
    an error, and so is a product by wgmma of what threads wrote without a fence
    behind it.

    Requires: offsets of rings.  Guarantees: no hazard between threads.  Leaves
    alone: barriers that are there.
  }];
  let statistics = [
    Statistic<"numBarriers", "num-barriers", "Number of barriers inserted">
  ];
  let dependentDialects = ["::tile::gpu::TileGPUDialect"];
}

def TileGPUSplitTailsPass : Pass<"tile-gpu-split-tails", "::tile::KernelOp"> {
  let summary = "Copy whole tiles without masks";
  let description = [{
    Where the plan's `tail` is `split`, the copies of a loop's step branch on
    whether all their tiles are whole; if so they have no bounds.  Tails, edges
    and steps that are not live go on as they were.  The branch is the same for
    all threads, and slots get the same values.

    ```mlir
                                            scf.if %whole {
    tile_gpu.copy_async %a[%m, %k]            tile_gpu.copy_async %a[%m, %k]
      bounds[%M, %K] ... if %live       =>      bounds[%most, %most] ...
                                            } else {
                                              tile_gpu.copy_async %a[%m, %k]
                                                bounds[%M, %K] ... if %live
                                            }
    tile_gpu.commit                         tile_gpu.commit
    ```

    Requires: nothing.  Guarantees: copies with nothing but arithmetic between
    them share one branch.  Leaves alone: copies outside loops, copies that
    nothing bounds, and copies by the copy engine, which clips for free.
  }];
  let statistics = [
    Statistic<"numSplit", "num-split", "Number of branches inserted">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def TileGPUCheckSchedulePass
    : Pass<"tile-gpu-check-schedule", "::tile::KernelOp"> {
  let summary = "Prove that roles, rings, copies and barriers fit together";
  let description = [{
    Walks all roles of a kernel together, through their loops, and fails at the
    first step that breaks a rule, naming turn (steps of the cursor) and slot:

    - every role goes through a ring turn by turn, and the cursor runs on from
      one tile to the next; all roles make the same number of turns
    - a read is preceded by `wait_full` in the same turn, and reads what that
      turn's copies wrote; it comes before the role's `release`
    - a copy is preceded by `wait_free` and `expect` in the same turn; the bytes
      announced are the bytes of the tiles copied
    - a slot is overwritten only when every read of it is known to have ended:
      a product ends where it is waited for, and must before `release`; of its
      own role a thread that fills a slot knows only what has been released
    - arrivals on a barrier are as many as it was made for: one for each warpgroup
      for `release`, two where it is paired, one for `expect`; a copy that is
      shared in a cluster needs releases that are paired
    - a barrier never goes on by two phases while a role has yet to look at it
    - no role waits for ever, and at the end of all roles everything that was
      filled has been waited for and everything that was taken is released
    - accumulators are continued from their newest state; products and stores
      are waited for before a role ends; slots that copies fill are written by
      nothing else, staging slots belong to one role

    Trip counts are not known.  Loops run equally often where the distance of
    their bounds is the same polynomial over the same scalars, and so is the
    step; a first step peeled off counts.  Each number that is free is tried from
    0, or from what facts allow, to the slots of the longest ring and three more;
    conditions are taken both ways.

    A kernel without roles is walked as one.

    Slots that threads fill themselves (`copy_async`, `copy`, `local_store`) are
    followed in a walk of their own, which takes each loop as many turns as its
    rings have slots and two more, and both sides of each branch:

    - a slot that is read was filled for the turn that is read, and no later turn
      has overwritten it
    - the group of a `copy_async` is closed by a `commit` and has landed, by the
      number that a `wait` leaves on the way, before its slot is read or filled
      again, and before the block of its ring ends
    - no product by wgmma reads a slot that is filled again, and no turn of a
      ring is overwritten by a later one, or by another copy of itself, before it
      was read

    Whether threads meet between such an access and the next is no part of the
    schedule: `tile-gpu-insert-barriers` sees to that.  Where rings have offsets,
    barriers and fences are expected to be there already, and one that is missing
    is refused.

    Not followed, and accepted: a cursor that a loop has left behind, unless its
    bounds are constants; a slot that one side alone of a branch fills, where the
    other fills none, until it is filled again; what one side alone waits for; a
    ring that goes through `scf.while` or into roles; rings of more than 64 slots;
    what a hundred thousand steps do not reach.  Which block of memory is copied
    is not looked at, nor whether a copy is live.

    Requires: nothing.  Guarantees: the schedule of each kernel that gets through.
    Leaves alone: everything else.
  }];
}

#endif // TILE_TRANSFORMS_PASSES_TD
