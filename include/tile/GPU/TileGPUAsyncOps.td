//===- TileGPUAsyncOps.td - Roles, TMA and wgmma -----------*- tablegen -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_GPU_TILEGPUASYNCOPS_TD
#define TILE_GPU_TILEGPUASYNCOPS_TD

include "tile/GPU/TileGPUBase.td"

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

def TileGPU_RolesOp : TileGPU_Op<"roles", [
    SingleBlock, NoTerminator, RecursiveMemoryEffects,
    ParentOneOf<["::tile::KernelOp"]>]> {
  let summary = "Warps part here: each runs the region of its role";
  let description = [{
    The roles run at the same time, on different warps, in the order of the text;
    they meet only through barriers.  What was computed before is visible to all.

    (C1) the body holds `tile_gpu.role` ops only, at least one.

    ```mlir
    tile_gpu.roles {
      tile_gpu.role "producer" warps 4 registers 40 {
      }
      tile_gpu.role "consumer" warps 8 registers 232 {
      }
    }
    ```
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$body attr-dict";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Warps of all roles together.
    int64_t getNumWarps();
  }];
}

def TileGPU_RoleOp : TileGPU_Op<"role", [
    SingleBlock, NoTerminator, RecursiveMemoryEffects, HasParent<"RolesOp">]> {
  let summary = "What one group of warps does";
  let description = [{
    `registers` is what each thread may use from here on (setmaxnreg, PTX ISA
    9.7.19.5); without it the kernel's number stays.

    (C1) warps is a positive multiple of 4, whole warpgroups; (C2) registers is a
    multiple of 8 from 24 to 256.

    ```mlir
    tile_gpu.roles {
      tile_gpu.role "all" warps 4 {
      }
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, I64Attr:$warps,
                       OptionalAttr<I64Attr>:$registers);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $name `warps` $warps (`registers` $registers^)? $body attr-dict
  }];
  let hasVerifier = 1;
}

def TileGPU_CtaOp : TileGPU_Op<"cta", [Pure]> {
  let summary = "Which CTA of the launch this is, along x";
  let description = [{
    In a persistent kernel a CTA runs several programs, one after the other.

    ```mlir
    %cta = tile_gpu.cta
    ```
  }];
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

def TileGPU_NumCtasOp : TileGPU_Op<"num_ctas", [Pure]> {
  let summary = "How many CTAs were launched along x";
  let description = [{
    ```mlir
    %ctas = tile_gpu.num_ctas
    ```
  }];
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// Transaction barriers
//===----------------------------------------------------------------------===//

def TileGPU_BarriersOp : TileGPU_Op<"barriers", [MemoryEffects<[MemAlloc]>]> {
  let summary = "One transaction barrier for each slot of a ring";
  let description = [{
    mbarriers in shared memory (PTX ISA 9.7.13.15), initialised before any role
    starts.  A phase of a barrier is over when `arrivals` threads have arrived
    and the bytes that were announced have landed.  8 bytes each, at `offset`
    bytes of the kernel's shared memory, set by `tile-gpu-allocate-shared`.

    (C1) arrivals is at least 1; (C2) offset is a multiple of 8.

    ```mlir
    %full = tile_gpu.barriers arrivals 1 : !tile_gpu.barriers<4>
    ```
  }];
  let arguments = (ins I64Attr:$arrivals, OptionalAttr<I64Attr>:$offset);
  let results = (outs TileGPU_BarriersType:$result);
  let assemblyFormat = [{
    `arrivals` $arrivals (`at` $offset^)? attr-dict `:`
    qualified(type($result))
  }];
  let hasVerifier = 1;
}

class TileGPU_BarrierOfSlotOp<string mnemonic> : TileGPU_Op<mnemonic,
    [TileGPU_Effects]> {
  let arguments = (ins TileGPU_BarriersType:$barriers,
                       TileGPU_CursorType:$cursor);
  let assemblyFormat = [{
    $barriers `[` $cursor `]` attr-dict `:` qualified(type($barriers)) `,`
    qualified(type($cursor))
  }];
  let hasVerifier = 1;
}

def TileGPU_WaitFullOp : TileGPU_BarrierOfSlotOp<"wait_full"> {
  let summary = "Wait until the slot's data has landed";
  let description = [{
    All threads of the role wait for the phase that the cursor is in.  After it
    the slot may be read by wgmma and by ordinary loads.

    (C1) the cursor walks as many slots as there are barriers.

    ```mlir
    tile_gpu.wait_full %full[%c] : !tile_gpu.barriers<4>, !tile_gpu.cursor<4>
    ```
  }];
}

def TileGPU_WaitFreeOp : TileGPU_BarrierOfSlotOp<"wait_free"> {
  let summary = "Wait until the slot's readers have finished with its last turn";
  let description = [{
    The thread that fills the slot waits; the first turn of the ring passes at
    once.

    (C1) the cursor walks as many slots as there are barriers.

    ```mlir
    tile_gpu.wait_free %empty[%c] : !tile_gpu.barriers<4>, !tile_gpu.cursor<4>
    ```
  }];
}

def TileGPU_ReleaseOp : TileGPU_Op<"release", [TileGPU_Effects]> {
  let summary = "This warpgroup has finished reading the slot";
  let description = [{
    One arrival for each warpgroup of the role, or of the kernel where it has no
    roles.  What it read must have been waited for.

    With `paired`, in a cluster of two CTAs, each warpgroup arrives twice: where
    the condition is true once here and once at the other CTA's barrier of the
    same slot, else both times here.  The other CTA then walks the same slots.

    (C1) the cursor walks as many slots as there are barriers.

    ```mlir
    tile_gpu.release %empty[%c] : !tile_gpu.barriers<4>, !tile_gpu.cursor<4>
    ```
  }];
  let arguments = (ins TileGPU_BarriersType:$barriers,
                       TileGPU_CursorType:$cursor, Optional<I1>:$paired);
  let assemblyFormat = [{
    $barriers `[` $cursor `]` (`paired` $paired^)? attr-dict `:`
    qualified(type($barriers)) `,` qualified(type($cursor))
  }];
  let hasVerifier = 1;
}

def TileGPU_ExpectOp : TileGPU_Op<"expect", [TileGPU_Effects]> {
  let summary = "Arrive, and announce how many bytes will land";
  let description = [{
    One thread of the role arrives for all (mbarrier.arrive.expect_tx).

    (C1) the cursor walks as many slots as there are barriers; (C2) bytes is
    positive.

    ```mlir
    tile_gpu.expect %full[%c], 49152
        : !tile_gpu.barriers<4>, !tile_gpu.cursor<4>
    ```
  }];
  let arguments = (ins TileGPU_BarriersType:$barriers,
                       TileGPU_CursorType:$cursor, I64Attr:$bytes);
  let assemblyFormat = [{
    $barriers `[` $cursor `]` `,` $bytes attr-dict `:`
    qualified(type($barriers)) `,` qualified(type($cursor))
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Tensor maps and TMA
//===----------------------------------------------------------------------===//

def TileGPU_TensorMapOp : TileGPU_Op<"tensor_map", [
    Pure, AttrSizedOperandSegments]> {
  let summary = "How the launcher describes a matrix to the copy engine";
  let description = [{
    The matrix at `base` with sides `dims`, the last one contiguous, and pitches
    `strides`, in elements, of all others.  The launcher encodes it (the
    manifest's recipe); it becomes a parameter of the compiled kernel.  The type
    has the box that one copy moves and its swizzle.

    (C1) base is an argument of the kernel; (C2) as many dims as the box has,
    one stride fewer; (C3) the pointer's elements are what the map has in memory; (C4) dims
    and strides are integer arguments of the kernel, as they are or widened, or
    constants.

    ```mlir
    tile.kernel @map(%a: !tile.ptr<f16>, %M: i32, %K: i32, %sam: i64) {
      %map = tile_gpu.tensor_map %a dims[%M, %K] strides[%sam]
          : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<128x64xf16, swizzle = 128>
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_PointerType:$base, Variadic<TileGPU_Index>:$dims,
                       Variadic<I64>:$strides);
  let results = (outs TileGPU_TensorMapType:$result);
  let assemblyFormat = [{
    $base `dims` `[` $dims `]` `strides` `[` $strides `]` attr-dict `:`
    qualified(type($base)) `,`
    custom<DimTypes>(ref($dims), ref($strides), type($dims), type($strides))
    `,` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def TileGPU_TmaLoadOp : TileGPU_Op<"tma_load", [
    AttrSizedOperandSegments, TileGPU_Effects]> {
  let summary = "Start copying a tile into a slot by the copy engine";
  let description = [{
    One thread of the role issues as many boxes as the tile has
    (cp.async.bulk.tensor, PTX ISA 9.7.9.27.1); what lies outside the matrix
    becomes zero.  The bytes of the whole tile count against the slot's barrier.

    With `shared`, in a cluster of two CTAs, and where the condition is true,
    both CTAs load the same tile into the same slot at the same time: each issues
    half of the boxes, to both.  Each CTA's barrier still counts the whole tile.
    The condition has the same value in both.

    (C1) as many i32 coordinates as the map has dimensions, outermost first; (C2)
    the cursor walks as many slots as ring and barriers have; (C3) the slot's
    elements are what the map has in memory; (C4) boxes fill the tile, and the slot's layout is the map's swizzle; the
    map's contiguous dimension is the tile's last, or its first where the slot is
    column-major.

    ```mlir
    tile_gpu.tma_load %map[%m0, %k0] into %ring[%c] signals %full
        : !tile_gpu.tensor_map<128x64xf16, swizzle = 128>,
          !tile_gpu.buffer<4x128x64xf16, #swizzled128>, !tile_gpu.cursor<4>,
          !tile_gpu.barriers<4>
    ```
  }];
  let arguments = (ins
    TileGPU_TensorMapType:$map, Variadic<I32>:$origin,
    TileGPU_BufferType:$buffer, TileGPU_CursorType:$cursor,
    TileGPU_BarriersType:$barriers, Optional<I1>:$shared);
  let assemblyFormat = [{
    $map `[` $origin `]` `into` $buffer `[` $cursor `]` `signals` $barriers
    (`shared` $shared^)? attr-dict `:` qualified(type($map)) `,`
    qualified(type($buffer)) `,` qualified(type($cursor)) `,`
    qualified(type($barriers))
  }];
  let hasVerifier = 1;
}

def TileGPU_TmaPrefetchOp : TileGPU_Op<"tma_prefetch", [TileGPU_Effects]> {
  let summary = "Bring one box of a matrix into the L2 cache";
  let description = [{
    A hint (cp.async.bulk.prefetch.tensor, PTX ISA 9.7.9.27.3) that one thread of
    the role gives; no value depends on it, and what lies outside the matrix is
    not read.

    (C1) as many i32 coordinates as the map has dimensions, outermost first.

    ```mlir
    tile_gpu.tma_prefetch %map[%m0, %n0]
        : !tile_gpu.tensor_map<128x192xf16, swizzle = 0>
    ```
  }];
  let arguments = (ins TileGPU_TensorMapType:$map, Variadic<I32>:$origin);
  let assemblyFormat = "$map `[` $origin `]` attr-dict `:` type($map)";
  let hasVerifier = 1;
}

def TileGPU_TmaStoreOp : TileGPU_Op<"tma_store", [TileGPU_Effects]> {
  let summary = "Store a tensor through staging slots by the copy engine";
  let description = [{
    Each warpgroup of the role writes its rows to staging slots of its own, a few
    columns at a time (stmatrix where the layout allows), and one thread stores
    each slot (PTX ISA 9.7.9.27.1); what lies outside the matrix is not
    written.  The staging ring has the same number of slots for each warpgroup,
    each of the map's box.  The value may be overwritten after it; the slots are
    free once a later `tma_store` or `tma_store_wait` has passed.  Global memory is
    written at some time before the kernel ends: nothing else of the program may
    write the same place, nor read it afterwards (`tile-gpu-check-schedule`).

    (C1) as many i32 coordinates as the map has dimensions; (C2) element types
    agree; (C3) staging slots have the shape of the map's box and its swizzle;
    (C4) the box's columns divide the value's.

    ```mlir
    tile_gpu.tma_store %x, %map[%m0, %n0] via %staging
        : tensor<128x256xf16, #wgmma>,
          !tile_gpu.tensor_map<64x64xf16, swizzle = 128>,
          !tile_gpu.buffer<4x64x64xf16, #swizzled64>
    ```
  }];
  let arguments = (ins
    Tile_Tile:$value, TileGPU_TensorMapType:$map, Variadic<I32>:$origin,
    TileGPU_BufferType:$staging);
  let assemblyFormat = [{
    $value `,` $map `[` $origin `]` `via` $staging attr-dict `:` type($value)
    `,` qualified(type($map)) `,` qualified(type($staging))
  }];
  let hasVerifier = 1;
}

def TileGPU_TmaStoreWaitOp : TileGPU_Op<"tma_store_wait", [TileGPU_Effects]> {
  let summary = "Wait until no store reads a staging slot any more";
  let description = [{
    Before a role ends, and before its staging slots are used for anything else.
    A `tma_store` that follows in the block takes the slots without waiting.

    ```mlir
    tile_gpu.tma_store_wait
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def TileGPU_FenceAsyncOp : TileGPU_Op<"fence_async", [TileGPU_Effects]> {
  let summary = "Make this thread's writes to shared memory visible to wgmma";
  let description = [{
    fence.proxy.async (PTX ISA 9.7.13.4): between writing a slot with ordinary or
    cp.async copies and the barrier after which wgmma or the copy engine reads
    it.

    ```mlir
    tile_gpu.fence_async
    ```
  }];
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// wgmma
//===----------------------------------------------------------------------===//

def TileGPU_WgmmaOp : TileGPU_Op<"wgmma", [TileGPU_Effects]> {
  let summary = "Start a matrix product on the tensor cores";
  let description = [{
    Formula and numerics as `tile.dot`, with precision tf32 for f32: the unit cuts
    off what tf32 lacks, so that slots must hold rounded elements.  B is a slot; A
    is a slot or a tensor in registers.  Each warpgroup of the role starts the instructions of its rows
    and closes them as one group; the result is pending until `wgmma_finish`, and
    so is an accumulator that is passed on.  Where the accumulator is the constant
    zero the first instruction overwrites it.

    (C1) a and b are m x k and k x n tiles of one element type, the accumulator
    is m x n; (C2) each cursor walks as many slots as its buffer has, and a tensor
    has none; (C3) the plan is a wgmma of the table for these element types; (C4)
    the accumulator's encoding, where there is one, is the plan's, and that of a
    tensor A is that of an m x k accumulator; (C5) k is a multiple of the
    instruction's.

    ```mlir
    %p = tile_gpu.wgmma %a[%c], %b[%c], %acc
        plan<wgmma, m = 64, n = 256, k = 16, warps = [2, 1]>
        : !tile_gpu.buffer<4x128x64xf16, #la>, !tile_gpu.cursor<4>,
          !tile_gpu.buffer<4x64x256xf16, #lb>, !tile_gpu.cursor<4>,
          tensor<128x256xf32> -> !tile_gpu.pending<tensor<128x256xf32>>
    %q = tile_gpu.wgmma %x, %b[%c], %p
        plan<wgmma, m = 64, n = 256, k = 16, warps = [2, 1]>
        : tensor<128x64xf16>, !tile_gpu.buffer<4x64x256xf16, #lb>,
          !tile_gpu.cursor<4>, !tile_gpu.pending<tensor<128x256xf32>>
          -> !tile_gpu.pending<tensor<128x256xf32>>
    ```
  }];
  let arguments = (ins
    AnyTypeOf<[TileGPU_BufferType, TileGPU_Tile]>:$a,
    Optional<TileGPU_CursorType>:$aCursor,
    TileGPU_BufferType:$b, TileGPU_CursorType:$bCursor,
    AnyTypeOf<[Tile_Tile, TileGPU_PendingType]>:$acc, Tile_MmaAttr:$plan);
  let results = (outs TileGPU_PendingType:$result);
  let assemblyFormat = [{
    $a (`[` $aCursor^ `]`)? `,` $b `[` $bCursor `]` `,` $acc `plan` `` $plan
    attr-dict `:` custom<SlotOrTile>(type($a), type($aCursor)) `,`
    qualified(type($b)) `,` qualified(type($bCursor)) `,` type($acc) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def TileGPU_WgmmaWaitOp : TileGPU_Op<"wgmma_wait", [TileGPU_Effects]> {
  let summary = "Wait until at most so many groups of wgmma are still running";
  let description = [{
    The slots that older groups read may be released after it.

    (C1) groups is at least 0.

    ```mlir
    tile_gpu.wgmma_wait 1
    ```
  }];
  let arguments = (ins I64Attr:$groups);
  let assemblyFormat = "$groups attr-dict";
  let hasVerifier = 1;
}

def TileGPU_WgmmaFinishOp : TileGPU_Op<"wgmma_finish", [TileGPU_Effects]> {
  let summary = "Wait for all wgmma and take the result";
  let description = [{
    (C1) the result is what was pending.

    ```mlir
    %sum = tile_gpu.wgmma_finish %p : !tile_gpu.pending<tensor<128x256xf32>>
    ```
  }];
  let arguments = (ins TileGPU_PendingType:$pending);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $pending attr-dict `:` qualified(type($pending))
    custom<PendingTile>(ref(type($pending)), type($result))
  }];
  let hasVerifier = 1;
}

#endif // TILE_GPU_TILEGPUASYNCOPS_TD
