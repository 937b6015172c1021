//===- TileGPUOps.td - Ops of the tile_gpu dialect ---------*- tablegen -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_GPU_TILEGPUOPS_TD
#define TILE_GPU_TILEGPUOPS_TD

include "tile/GPU/TileGPUAsyncOps.td"
include "tile/GPU/TileGPUBase.td"

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

def TileGPU_AllocOp : TileGPU_Op<"alloc", [MemoryEffects<[MemAlloc]>]> {
  let summary = "A ring in shared memory";
  let description = [{
    The ring is there for the block that it stands in.  What is in it is lost when
    the op is reached again: what a loop carries from turn to turn stands outside.

    `offset`, in bytes from the start of the kernel's shared memory, is set by
    `tile-gpu-allocate-shared`; two rings may overlap where they do not live at
    the same time.

    (C1) offset is a multiple of 128 from 0 to 2^30.

    ```mlir
    %ring = tile_gpu.alloc : !tile_gpu.buffer<3x128x64xf16, #layout>
    ```
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$offset);
  let results = (outs TileGPU_BufferType:$result);
  let assemblyFormat = "(`at` $offset^)? attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def TileGPU_CursorOp : TileGPU_Op<"cursor", [Pure]> {
  let summary = "The first slot of a ring, in its first turn";
  let description = [{
    ```mlir
    %c = tile_gpu.cursor : !tile_gpu.cursor<3>
    ```
  }];
  let results = (outs TileGPU_CursorType:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

def TileGPU_AdvanceOp : TileGPU_Op<"advance", [Pure, SameOperandsAndResultType]> {
  let summary = "The slot some steps further on";
  let description = [{
    (C1) steps is at least 1.

    ```mlir
    %next = tile_gpu.advance %c by 1 : !tile_gpu.cursor<3>
    ```
  }];
  let arguments = (ins TileGPU_CursorType:$cursor, I64Attr:$steps);
  let results = (outs TileGPU_CursorType:$result);
  let assemblyFormat = "$cursor `by` $steps attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Blocks of global memory
//===----------------------------------------------------------------------===//

/// Operands that name a strided block of global memory: element `coord` of the
/// tile lies at base + sum over d of (origin[d] + coord[d]) * strides[d]
/// elements and is valid where origin[d] + coord[d] < bounds[d] for every d
/// (signed; the largest value of the index type bounds nothing).
defvar TileGPU_BlockArguments = (ins
  Tile_PointerType:$base,
  Variadic<TileGPU_Index>:$origin,
  Variadic<TileGPU_Index>:$bounds,
  Variadic<I64>:$strides);

defvar TileGPU_BlockFormat = [{
  $base `[` $origin `]` `bounds` `[` $bounds `]` `strides` `[` $strides `]`
}];

class TileGPU_CopyToShared<string mnemonic> : TileGPU_Op<mnemonic, [
    AttrSizedOperandSegments, TileGPU_Effects]> {
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The type of origins and bounds.
    ::mlir::Type getIndexType() { return getOrigin().front().getType(); }
  }];
}

def TileGPU_CopyAsyncOp : TileGPU_CopyToShared<"copy_async"> {
  let summary = "Start copying a block of global memory into a slot";
  let description = [{
    Invalid elements, and all of them where `live` is false, become zero and
    touch no global memory.  Executed by all threads, `plan.vector` elements in
    one cp.async (PTX ISA 9.7.9.25.3.1), whose source size expresses the mask of
    a partly valid vector.  The slot may be read after the group that holds the
    copy has been waited for and a barrier has been passed.

    (C1) origin, bounds and strides have one entry a dimension of the buffer;
    origin and bounds are all i32 or all i64; (C2) the pointer's element type is
    the buffer's; (C3) the cursor walks as many slots as the buffer has; (C4)
    the plan's mechanism is cp_async and its vector 4, 8 or 16 bytes.

    ```mlir
    tile_gpu.copy_async %a[%m0, %k0] bounds[%M, %K] strides[%sam, %one]
        into %ring[%c] if %live plan<cp_async, vector = 8>
        : !tile.ptr<f16>, i32, !tile_gpu.buffer<3x128x64xf16, #layout>,
          !tile_gpu.cursor<3>
    ```
  }];
  let arguments = !con(TileGPU_BlockArguments, (ins
    TileGPU_BufferType:$buffer, TileGPU_CursorType:$cursor,
    Optional<I1>:$live, Tile_CopyAttr:$plan));
  let assemblyFormat = TileGPU_BlockFormat # [{
    `into` $buffer `[` $cursor `]` (`if` $live^)? `plan` `` $plan attr-dict `:`
    qualified(type($base)) `,`
    custom<IndexTypes>(ref($origin), ref($bounds), ref($strides), type($origin), type($bounds), type($strides))
    `,` qualified(type($buffer)) `,` qualified(type($cursor))
  }];
}

def TileGPU_CopyOp : TileGPU_CopyToShared<"copy"> {
  let summary = "Copy a block of global memory into a slot";
  let description = [{
    As `tile_gpu.copy_async`, through registers and finished when the op is:
    other threads see it after a barrier.  Invalid elements become `other`, or
    zero.

    (C1), (C2), (C3) as `tile_gpu.copy_async`; (C4) the plan's mechanism is
    plain; (C5) other has the element type.

    ```mlir
    tile_gpu.copy %a[%m0, %k0] bounds[%M, %K] strides[%sam, %sak]
        into %ring[%c] plan<plain> : !tile.ptr<f16>, i32,
        !tile_gpu.buffer<3x128x64xf16, #layout>, !tile_gpu.cursor<3>
    ```
  }];
  let arguments = !con(TileGPU_BlockArguments, (ins
    TileGPU_BufferType:$buffer, TileGPU_CursorType:$cursor,
    Optional<I1>:$live, Optional<Tile_Element>:$other, Tile_CopyAttr:$plan));
  let assemblyFormat = TileGPU_BlockFormat # [{
    `into` $buffer `[` $cursor `]` (`if` $live^)? (`other` $other^)?
    `plan` `` $plan attr-dict `:`
    qualified(type($base)) `,`
    custom<IndexTypes>(ref($origin), ref($bounds), ref($strides), type($origin), type($bounds), type($strides))
    `,` qualified(type($buffer)) `,` qualified(type($cursor))
    custom<ElementOf>(ref(type($base)), ref($other), type($other))
  }];
}

def TileGPU_LoadOp : TileGPU_Op<"load", [
    AttrSizedOperandSegments, TileGPU_Effects]> {
  let summary = "Load a block of global memory into registers";
  let description = [{
    `plan.vector` elements in one ld.global where the layout holds them in
    neighbouring registers.  Invalid elements become `other`, or zero.

    (C1), (C2) as `tile_gpu.copy_async`, with the result for the buffer; (C3)
    other has the element type; (C4) the plan's mechanism is registers.

    ```mlir
    %x = tile_gpu.load %a[%m0, %n0] bounds[%M, %N] strides[%sam, %one]
        plan<registers, vector = 8> : !tile.ptr<f16>, i32
        -> tensor<128x64xf16, #layout>
    ```
  }];
  let arguments = !con(TileGPU_BlockArguments, (ins
    Optional<Tile_Element>:$other, Tile_CopyAttr:$plan));
  let results = (outs TileGPU_Tile:$result);
  let assemblyFormat = TileGPU_BlockFormat # [{
    (`other` $other^)? `plan` `` $plan attr-dict `:`
    qualified(type($base)) `,`
    custom<IndexTypes>(ref($origin), ref($bounds), ref($strides), type($origin), type($bounds), type($strides))
    `->` type($result)
    custom<ElementOf>(ref(type($base)), ref($other), type($other))
  }];
  let hasVerifier = 1;
}

def TileGPU_StoreOp : TileGPU_Op<"store", [
    AttrSizedOperandSegments, TileGPU_Effects]> {
  let summary = "Store a tensor to a block of global memory";
  let description = [{
    `plan.vector` elements in one st.global where the layout holds them in
    neighbouring registers; such a vector is valid as a whole or not at all,
    which the planner has proved.  Of threads that hold the same element, one
    stores it.

    (C1), (C2) as `tile_gpu.copy_async`, with the value for the buffer; (C3) the
    plan's mechanism is registers.

    ```mlir
    tile_gpu.store %x, %c[%m0, %n0] bounds[%M, %N] strides[%scm, %one]
        plan<registers, vector = 8> : tensor<128x64xf16, #layout>,
        !tile.ptr<f16>, i32
    ```
  }];
  let arguments = !con((ins TileGPU_Tile:$value), TileGPU_BlockArguments,
                       (ins Tile_CopyAttr:$plan));
  let assemblyFormat = !strconcat("$value `,`", TileGPU_BlockFormat, [{
    `plan` `` $plan attr-dict `:` type($value) `,`
    qualified(type($base)) `,`
    custom<IndexTypes>(ref($origin), ref($bounds), ref($strides), type($origin), type($bounds), type($strides))
  }]);
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

def TileGPU_CommitOp : TileGPU_Op<"commit", [TileGPU_Effects]> {
  let summary = "Close a group of asynchronous copies";
  let description = [{
    Every `copy_async` since the last commit belongs to the group, which may be
    empty (cp.async.commit_group, per thread).

    ```mlir
    tile_gpu.commit
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def TileGPU_WaitOp : TileGPU_Op<"wait", [TileGPU_Effects]> {
  let summary = "Wait until at most so many groups are still on their way";
  let description = [{
    Each thread waits for its own copies (cp.async.wait_group); a barrier makes
    them visible to the others.

    (C1) groups is at least 0.

    ```mlir
    tile_gpu.wait 1
    ```
  }];
  let arguments = (ins I64Attr:$groups);
  let assemblyFormat = "$groups attr-dict";
  let hasVerifier = 1;
}

def TileGPU_BarrierOp : TileGPU_Op<"barrier", [TileGPU_Effects]> {
  let summary = "All threads of the program meet; shared memory is in order";
  let description = [{
    bar.sync 0 (PTX ISA 9.7.13.1).

    ```mlir
    tile_gpu.barrier
    ```
  }];
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// Compute
//===----------------------------------------------------------------------===//

def TileGPU_MmaOp : TileGPU_Op<"mma", [
    TileGPU_Effects, AllTypesMatch<["acc", "result"]>]> {
  let summary = "Matrix product of two slots, added to an accumulator";
  let description = [{
    Formula and numerics as `tile.dot`; the operands are read from shared memory
    as the instruction wants them (ldmatrix for mma_sync, vectors for fma), the
    accumulator stays in registers, in the layout of the plan.  What k lacks of
    a whole step of mma_sync is taken as zero.

    (C1) the buffers hold m x k and k x n tiles of one element type, the
    accumulator is m x n; (C2) each cursor walks as many slots as its buffer has;
    (C3) the table of `tile/IR/MmaShapes.h` has the plan's instruction for these
    element types and this precision, and it is not wgmma, which
    `tile_gpu.wgmma` starts; (C4) the accumulator's encoding, where there is one,
    is the plan's accumulator layout; (C5) promote_every is positive and stands
    on 8-bit floats only.

    ```mlir
    %d = tile_gpu.mma %a[%c], %b[%c], %acc
        plan<mma_sync, m = 16, n = 8, k = 16, warps = [2, 2]>
        : !tile_gpu.buffer<3x128x64xf16, #la>, !tile_gpu.cursor<3>,
          !tile_gpu.buffer<3x64x128xf16, #lb>, !tile_gpu.cursor<3>
          -> tensor<128x128xf32, #acc>
    ```
  }];
  let arguments = (ins
    TileGPU_BufferType:$a, TileGPU_CursorType:$aCursor,
    TileGPU_BufferType:$b, TileGPU_CursorType:$bCursor,
    TileGPU_Tile:$acc, Tile_MmaAttr:$plan,
    DefaultValuedAttr<Tile_PrecisionAttr, "::tile::Precision::Ieee">:$precision,
    OptionalAttr<I64Attr>:$promote_every);
  let results = (outs TileGPU_Tile:$result);
  let assemblyFormat = [{
    $a `[` $aCursor `]` `,` $b `[` $bCursor `]` `,` $acc
    (`precision` `` $precision^)? (`promote_every` $promote_every^)?
    `plan` `` $plan attr-dict `:` qualified(type($a)) `,` qualified(type($aCursor)) `,`
    qualified(type($b)) `,` qualified(type($bCursor))
    `->` type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

def TileGPU_ConvertLayoutOp : TileGPU_Op<"convert_layout", [
    Pure, SameOperandsAndResultShape, SameOperandsAndResultElementType]> {
  let summary = "The same tile spread differently over the threads";
  let description = [{
    How it is done (renaming, shuffle, shared memory) follows from the two
    layouts; `tile-gpu-lower-conversions` makes what crosses warps explicit.

    (C1) both types have a layout.

    ```mlir
    %y = tile_gpu.convert_layout %x
        : tensor<16x8xf32, #mma> -> tensor<16x8xf32, #blocked>
    ```
  }];
  let arguments = (ins TileGPU_Tile:$source);
  let results = (outs TileGPU_Tile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TileGPU_LocalStoreOp : TileGPU_Op<"local_store", [TileGPU_Effects]> {
  let summary = "Write a tensor from registers into a slot";
  let description = [{
    Of the threads that hold the same element one writes it, its owner: what an
    atomic update returns is known to that one only.

    (C1) the element type is the buffer's, and so is the shape, or the buffer is
    row-major and has as many elements, which are then in the same order; (C2) the
    cursor walks as many slots as the buffer has.

    ```mlir
    tile_gpu.local_store %x, %scratch[%c] : tensor<128x64xf16, #mma>,
        !tile_gpu.buffer<1x128x64xf16, #layout>, !tile_gpu.cursor<1>
    ```
  }];
  let arguments = (ins TileGPU_Tile:$value, TileGPU_BufferType:$buffer,
                       TileGPU_CursorType:$cursor);
  let assemblyFormat = [{
    $value `,` $buffer `[` $cursor `]` attr-dict
    `:` type($value) `,` qualified(type($buffer)) `,` qualified(type($cursor))
  }];
  let hasVerifier = 1;
}

def TileGPU_LocalLoadOp : TileGPU_Op<"local_load", [TileGPU_Effects]> {
  let summary = "Read a slot into registers";
  let description = [{
    (C1), (C2) as `tile_gpu.local_store`, with the result for the value.

    ```mlir
    %x = tile_gpu.local_load %scratch[%c] :
        !tile_gpu.buffer<1x128x64xf16, #layout>, !tile_gpu.cursor<1>
        -> tensor<128x64xf16, #blocked>
    ```
  }];
  let arguments = (ins TileGPU_BufferType:$buffer, TileGPU_CursorType:$cursor);
  let results = (outs TileGPU_Tile:$result);
  let assemblyFormat = [{
    $buffer `[` $cursor `]` attr-dict `:` qualified(type($buffer)) `,`
    qualified(type($cursor)) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif // TILE_GPU_TILEGPUOPS_TD
