//===- TileMemoryOps.td - Access to global memory ----------*- tablegen -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_IR_TILEMEMORYOPS_TD
#define TILE_IR_TILEMEMORYOPS_TD

include "tile/IR/TileBase.td"

def Tile_OffsetOp : Tile_Op<"offset", [
    Pure, TypesMatchWith<"result is a pointer of the same type", "pointer",
                         "result", "$_self">]> {
  let summary = "Advance a pointer by a number of elements";
  let description = [{
    ```mlir
    %q = tile.offset %p, %n : !tile.ptr<f16>, i64
    ```
  }];
  let arguments = (ins Tile_PointerType:$pointer, Tile_Offset:$elements);
  let results = (outs Tile_PointerType:$result);
  let assemblyFormat =
      "$pointer `,` $elements attr-dict `:` qualified(type($pointer)) `,` "
      "type($elements)";
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_LoadOp : Tile_Op<"load", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Read a tile, or a scalar, from global memory";
  let description = [{
    Formula: `result[i] = mask[i] ? memory[base + offsets[i]] : other[i]`.
    Offsets count elements, are signed, and are 64-bit in meaning whatever their
    type.  A lane whose mask is false touches no memory and reads `other`, or
    zero where there is none; without a mask every lane is read.

    Effect: reads global memory.  Never speculated.

    (C1) the element type of the result is the pointer's; (C2) offsets, mask and
    result have one shape, or all are scalars, and the mask has the result's
    layout; (C3) other is a scalar of the
    element type or has the result's type; (C4) other needs a mask.

    ```mlir
    %x = tile.load %a[%offsets] mask %in other %zero
        : !tile.ptr<f16>, tensor<128x64xi64>, f16 -> tensor<128x64xf16>
    ```
  }];
  let arguments = (ins
    Tile_PointerType:$base, Tile_Offsets:$offsets, Optional<Tile_Mask>:$mask,
    Optional<Tile_Value>:$other, OptionalAttr<Tile_CopyAttr>:$plan,
    OptionalAttr<Tile_RequireAttr>:$require);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = [{
    $base `[` $offsets `]` (`mask` $mask^)? (`other` $other^)?
    (`plan` `` $plan^)? (`require` custom<Require>($require)^)? attr-dict
    `:` qualified(type($base)) `,` type($offsets) (`,` type($other)^)? `->` type($result)
    `` custom<MaskType>(ref(type($result)), ref($mask), type($mask))
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def Tile_StoreOp : Tile_Op<"store", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Write a tile, or a scalar, to global memory";
  let description = [{
    Formula: `if mask[i]: memory[base + offsets[i]] = value[i]`.  Where two
    lanes name one address, which of them remains is not defined, and the
    interpreter reports it if the values differ.

    Effect: writes global memory; a later load of the same program sees it.

    (C1) the element type of the value is the pointer's; (C2) offsets, mask and
    value have one shape, or all are scalars, and the mask has the value's layout.

    ```mlir
    tile.store %c[%offsets], %x mask %in
        : !tile.ptr<f16>, tensor<128x64xi64>, tensor<128x64xf16>
    ```
  }];
  let arguments = (ins
    Tile_PointerType:$base, Tile_Offsets:$offsets, Tile_Value:$value,
    Optional<Tile_Mask>:$mask, OptionalAttr<Tile_CopyAttr>:$plan,
    OptionalAttr<Tile_RequireAttr>:$require);
  let assemblyFormat = [{
    $base `[` $offsets `]` `,` $value (`mask` $mask^)?
    (`plan` `` $plan^)? (`require` custom<Require>($require)^)? attr-dict
    `:` qualified(type($base)) `,` type($offsets) `,` type($value)
    `` custom<MaskType>(ref(type($value)), ref($mask), type($mask))
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def Tile_AtomicRmwOp : Tile_Op<"atomic_rmw", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Update memory and return what was there, one lane at a time";
  let description = [{
    Formula: `old[i] = memory[base + offsets[i]]; memory[...] = kind(old[i],
    value[i])`, each lane once and indivisibly, in no particular order; relaxed,
    at the scope of the GPU.  A lane whose mask is false does nothing and
    returns zero.

    (C1) the element type is the pointer's; (C2) offsets, value and mask have one
    shape, or all are scalars, and the mask has the value's layout; (C3) addf is for floats, the kinds
    addi to xor for integers wider than i1, exchange for both; (C4) the result has
    the value's type.

    ```mlir
    %old = tile.atomic_rmw addf %c[%offsets], %x mask %in
        : !tile.ptr<f32>, tensor<64xi64>, tensor<64xf32>
    ```
  }];
  let arguments = (ins
    Tile_AtomicKindAttr:$kind, Tile_PointerType:$base, Tile_Offsets:$offsets,
    Tile_Value:$value, Optional<Tile_Mask>:$mask);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = [{
    `` $kind $base `[` $offsets `]` `,` $value (`mask` $mask^)? attr-dict
    `:` qualified(type($base)) `,` type($offsets) `,` type($value)
    `` custom<MaskType>(ref(type($value)), ref($mask), type($mask))
    `` custom<SameType>(ref(type($value)), type($result))
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def Tile_AtomicCasOp : Tile_Op<"atomic_cas", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Compare and swap, one lane at a time";
  let description = [{
    Formula: `old[i] = memory[base + offsets[i]]; if old[i] == expected[i]:
    memory[...] = value[i]`; bits are compared.  Relaxed, at the scope of the
    GPU.

    (C1) the element type is the pointer's; (C2) offsets and value have one
    shape, or both are scalars; (C3) elements have 16, 32 or 64 bits; (C4)
    expected and the result have the value's type.

    ```mlir
    %old = tile.atomic_cas %p[%i], %expected, %value : !tile.ptr<i32>, i64, i32
    ```
  }];
  let arguments = (ins
    Tile_PointerType:$base, Tile_Offsets:$offsets, Tile_Value:$expected,
    Tile_Value:$value);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = [{
    $base `[` $offsets `]` `,` $expected `,` $value attr-dict
    `:` qualified(type($base)) `,` type($offsets) `,` type($value)
    `` custom<SameType>(ref(type($value)), type($expected))
    `` custom<SameType>(ref(type($value)), type($result))
  }];
  let hasVerifier = 1;
}

#endif // TILE_IR_TILEMEMORYOPS_TD
