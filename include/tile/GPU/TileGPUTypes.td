//===- TileGPUTypes.td - Types of the tile_gpu dialect -----*- tablegen -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_GPU_TILEGPUTYPES_TD
#define TILE_GPU_TILEGPUTYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "tile/GPU/TileGPUDialect.td"
include "tile/IR/TileAttrs.td"
include "tile/IR/TileTypes.td"

def TileGPU_BufferType : TypeDef<TileGPUDialect, "Buffer"> {
  let mnemonic = "buffer";
  let summary = "A ring of slots in shared memory, each holding one tile";
  let description = [{
    `!tile_gpu.buffer<3x128x64xf16, #layout>`: three slots of a 128x64 tile each;
    the layout maps an offset in elements inside a slot to the tile's
    coordinates.  Slots follow each other without a gap.

    (C1) 1 to 1024 slots of at least one dimension, with at most 2^24 elements;
    (C2) the layout is one of offsets, of the tile's shape, and holds each
    element once; (C3) elements are what memory can hold.

    ```mlir
    !tile_gpu.buffer<3x128x64xf16, #layout>
    ```
  }];
  let parameters = (ins
    "int64_t":$slots, ArrayRefParameter<"int64_t">:$shape,
    "::mlir::Type":$elementType, "::tile::LayoutAttr":$layout);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Bytes of one slot.
    int64_t getSlotBytes() const;
    /// Bytes of the whole ring.
    int64_t getBytes() const { return getSlots() * getSlotBytes(); }
    /// The tile of one slot as a tensor without a layout.
    ::mlir::RankedTensorType getTileType() const;
  }];
}

def TileGPU_CursorType : TypeDef<TileGPUDialect, "Cursor"> {
  let mnemonic = "cursor";
  let summary = "A slot of a ring, and how often the ring has been walked";
  let description = [{
    `!tile_gpu.cursor<3>` walks rings of three slots.  Slot and phase are one
    value, so that neither can be used without the other.

    (C1) 1 to 1024 slots.

    ```mlir
    !tile_gpu.cursor<3>
    ```
  }];
  let parameters = (ins "int64_t":$slots);
  let assemblyFormat = "`<` $slots `>`";
  let genVerifyDecl = 1;
}

def TileGPU_BarriersType : TypeDef<TileGPUDialect, "Barriers"> {
  let mnemonic = "barriers";
  let summary = "Transaction barriers, one for each slot of a ring";
  let description = [{
    (C1) at least one slot.

    ```mlir
    !tile_gpu.barriers<4>
    ```
  }];
  let parameters = (ins "int64_t":$slots);
  let assemblyFormat = "`<` $slots `>`";
  let genVerifyDecl = 1;
}

def TileGPU_TensorMapType : TypeDef<TileGPUDialect, "TensorMap"> {
  let mnemonic = "tensor_map";
  let summary = "A matrix in global memory as the copy engine knows it";
  let description = [{
    `!tile_gpu.tensor_map<128x64xf16, swizzle = 128>`: the box of one copy, its
    last dimension contiguous, and the swizzle, in bytes, of its image in shared
    memory (PTX ISA 5.5.2).  Elements of `tf32` are f32 in both memories, and are
    rounded to tf32, to nearest even, on the way.

    (C1) the box has one to five sides from 1 to 256; (C2) swizzle is 0, 32, 64 or
    128; (C3) elements are what memory can hold; (C4) the contiguous side takes a
    multiple of 16 bytes, and no more than the swizzle where there is one.

    ```mlir
    !tile_gpu.tensor_map<128x64xf16, swizzle = 128>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$box,
                        "::mlir::Type":$elementType, "int64_t":$swizzle);
  let extraClassDeclaration = [{
    /// What an element is in memory: f32 for tf32.
    ::mlir::Type getMemoryType() const;
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TileGPU_PendingType : TypeDef<TileGPUDialect, "Pending"> {
  let mnemonic = "pending";
  let summary = "A tensor that the tensor cores are still computing";
  let description = [{
    `!tile_gpu.pending<tensor<128x256xf32>>` can be passed on as an accumulator
    and waited for, and nothing else: its type forbids an early use.

    ```mlir
    !tile_gpu.pending<tensor<128x256xf32>>
    ```
  }];
  let parameters = (ins "::mlir::RankedTensorType":$tensor);
  let assemblyFormat = "`<` $tensor `>`";
}

#endif // TILE_GPU_TILEGPUTYPES_TD
