//===- TileTypes.td - Types of the tile dialect ------------*- tablegen -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_IR_TILETYPES_TD
#define TILE_IR_TILETYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "tile/IR/TileDialect.td"

/// What memory can hold.  i1 takes one byte, 0 or 1.
def Tile_Element : AnyTypeOf<[F64, F32, F16, BF16, F8E4M3FN, F8E5M2,
                              I64, I32, I16, I8, I1],
    "f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i64, i32, i16, i8 or i1">;

def Tile_PointerType : TypeDef<TileDialect, "Pointer"> {
  let mnemonic = "ptr";
  let summary = "pointer to elements of one type in global memory";
  let description = [{
    An address in global memory, aligned to the size of its element; offsets from
    it count elements, not bytes.

    ```mlir
    !tile.ptr<f16>
    ```

    (C1) the element is f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i64, i32, i16, i8
    or i1.
  }];
  let parameters = (ins "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $elementType `>`";
  let builders = [TypeBuilderWithInferredContext<
      (ins "::mlir::Type":$elementType),
      [{ return $_get(elementType.getContext(), elementType); }]>];
  let skipDefaultBuilders = 1;
  let genVerifyDecl = 1;
}

/// A tile: a ranked tensor of the shapes that `tile::isTileShape` takes.
class Tile_TileOf<Type element, string what> : Type<
    And<[RankedTensorOf<[element]>.predicate,
         CPred<"::tile::isTileShape("
               "::llvm::cast<::mlir::RankedTensorType>($_self).getShape())">]>,
    "tile (ranked tensor with static sides of at least 1 and at most 2^24 "
    "elements) of " # what, "::mlir::RankedTensorType">;

def Tile_Tile : Tile_TileOf<Tile_Element, Tile_Element.summary>;
def Tile_FloatTile : Tile_TileOf<AnyFloat, "floats">;
def Tile_OffsetTile : Tile_TileOf<AnyTypeOf<[I32, I64]>, "i32 or i64">;
def Tile_MaskTile : Tile_TileOf<I1, "i1">;

def Tile_Value : AnyTypeOf<[Tile_Tile, Tile_Element], "tile or scalar">;
def Tile_Offsets : AnyTypeOf<[Tile_OffsetTile, I32, I64],
    "i32 or i64, scalar or tile">;
def Tile_Mask : AnyTypeOf<[Tile_MaskTile, I1], "i1, scalar or tile">;
def Tile_Offset : AnyTypeOf<[I32, I64], "i32 or i64">;

#endif // TILE_IR_TILETYPES_TD
