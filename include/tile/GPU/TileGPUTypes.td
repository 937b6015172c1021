//===- TileGPUTypes.td - Types of the tile_gpu dialect --------*- tablegen -*-===//
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
  }];
  let parameters = (ins "int64_t":$slots);
  let assemblyFormat = "`<` $slots `>`";
  let genVerifyDecl = 1;
}

#endif // TILE_GPU_TILEGPUTYPES_TD
