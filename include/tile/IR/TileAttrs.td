//===- TileAttrs.td - Attributes of the tile dialect -------*- tablegen -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_IR_TILEATTRS_TD
#define TILE_IR_TILEATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/TensorEncoding.td"
include "tile/IR/TileDialect.td"

class Tile_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tile";
  let genSpecializedAttr = 0;
}

class Tile_EnumAttr<I32EnumAttr enum, string mnemonic>
    : EnumAttr<TileDialect, enum, mnemonic>;

class Tile_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<TileDialect, name, traits> {
  let mnemonic = attrMnemonic;
}

//===----------------------------------------------------------------------===//
// Numerics
//===----------------------------------------------------------------------===//

def Tile_Precision : Tile_Enum<"Precision", "how dot multiplies f32", [
  I32EnumAttrCase<"Ieee", 0, "ieee">,     // one fma chain, ascending k
  I32EnumAttrCase<"Tf32", 1, "tf32">,     // operands rounded to nearest
  I32EnumAttrCase<"Tf32x3", 2, "tf32x3">  // three tf32 products, error of ieee
]>;
def Tile_PrecisionAttr : Tile_EnumAttr<Tile_Precision, "precision">;

def Tile_AtomicKind : Tile_Enum<"AtomicKind", "what an atomic update computes", [
  I32EnumAttrCase<"AddI", 0, "addi">, I32EnumAttrCase<"AddF", 1, "addf">,
  I32EnumAttrCase<"MaxS", 2, "maxs">, I32EnumAttrCase<"MinS", 3, "mins">,
  I32EnumAttrCase<"MaxU", 4, "maxu">, I32EnumAttrCase<"MinU", 5, "minu">,
  I32EnumAttrCase<"And", 6, "and">, I32EnumAttrCase<"Or", 7, "or">,
  I32EnumAttrCase<"Xor", 8, "xor">, I32EnumAttrCase<"Exchange", 9, "exchange">
]>;
def Tile_AtomicKindAttr : Tile_EnumAttr<Tile_AtomicKind, "atomic_kind">;

def Tile_Axis : Tile_Enum<"Axis", "axis of the program grid", [
  I32EnumAttrCase<"X", 0, "x">, I32EnumAttrCase<"Y", 1, "y">,
  I32EnumAttrCase<"Z", 2, "z">
]>;
def Tile_AxisAttr : Tile_EnumAttr<Tile_Axis, "axis">;

//===----------------------------------------------------------------------===//
// Facts and requirements
//===----------------------------------------------------------------------===//

def Tile_FactAttr : Tile_Attr<"Fact", "fact"> {
  let summary = "What is known of a scalar or a pointer before the kernel runs";
  let description = [{
    A conjunction: the value is divisible by `divisibility` (a pointer: its
    address in bytes), it lies in [`min`, `max`] (signed), and, for a pointer,
    memory reached through it is reached through no other argument (`noalias`).

    The attribute stands on a kernel's argument under the name `tile.fact`, where
    the author states it, and in `tile.assume`, where specialisation states it.
    Both become launch preconditions in the manifest.

    ```mlir
    #tile.fact<divisibility = 16, noalias>
    #tile.fact<min = 1, max = 1>
    ```
    (C1) divisibility is at least 1; (C2) min is at most max.
  }];
  let parameters = (ins
    OptionalParameter<"std::optional<int64_t>">:$divisibility,
    OptionalParameter<"std::optional<int64_t>">:$min,
    OptionalParameter<"std::optional<int64_t>">:$max,
    DefaultValuedParameter<"bool", "false">:$noalias);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Tile_Feature : Tile_Enum<"Feature", "what an op may insist on", [
  I32EnumAttrCase<"MmaSync", 0, "mma_sync">,
  I32EnumAttrCase<"Wgmma", 1, "wgmma">,
  I32EnumAttrCase<"CpAsync", 2, "cp_async">,
  I32EnumAttrCase<"Tma", 3, "tma">,
  I32EnumAttrCase<"Pipelined", 4, "pipelined">
]>;

def Tile_RequireAttr : Tile_Attr<"Require", "require"> {
  let summary = "Features without which the compilation of an op fails";
  let description = [{
    An op's `require [mma_sync, pipelined]` turns a silent fall-back into an error
    with the reason.  The planner checks it.

    ```mlir
    #tile.require<mma_sync, pipelined>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"::tile::Feature">:$features);
  let assemblyFormat = "`<` $features `>`";
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

class Tile_ParameterByReference<string type, string what>
    : AttrParameter<type, what> {
  let cppAccessorType = "const " # type # " &";
}
def Tile_LayoutParameter
    : Tile_ParameterByReference<"::tile::TileLayout", "the map">;

def Tile_LayoutAttr : Tile_Attr<"Layout", "layout",
    [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "Where each element of a tile lives: an F2-linear map";
  let description = [{
    The one layout attribute: an F2-linear map from the bits of (register, lane,
    warp, block), or of a shared-memory offset, to the coordinates of a
    power-of-two atom, times integer repetitions per dimension.  See
    docs/Layouts.md and `tile/Layout/TileLayout.h`.

    ```mlir
    // the 16x8 f32 accumulator of mma.sync: 4 registers, 32 lanes
    #tile.layout<register = [[0, 1], [8, 0]],
                 lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]],
                 sides = [16, 8]>
    ```
    `sides` are the atom's; `reps = [...]` follows where a repetition is not 1.
    As the encoding of a tensor: (C1) its rank is the layout's; (C2) its shape is
    atom sides times repetitions.
  }];
  let parameters = (ins Tile_LayoutParameter:$layout);
  let hasCustomAssemblyFormat = 1;
  // IR stays readable: a layout is written once, as #layout, #layout1, ...
  let genMnemonicAlias = 1;
}

//===----------------------------------------------------------------------===//
// Plan: what the planner decided, and every later pass carries out
//===----------------------------------------------------------------------===//

def Tile_PlanAttr : Tile_Attr<"Plan", "plan"> {
  let summary = "Decisions that concern a whole kernel";
  let description = [{
    Keys and their meaning stand in one table, `tile/IR/PlanKeys.h`, which feeds
    this attribute, `--set plan.KEY=VALUE`, the manifest and the documentation.

    ```mlir
    #tile.plan<target = "sm_80", warps = 4, stages = 3>
    ```
    (C1) every key is in the table; (C2) every value has the key's type and is
    among the values that it allows.
  }];
  let parameters = (ins "::mlir::DictionaryAttr":$entries);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The integer under `key`, or the table's default where it is absent.
    int64_t getInt(::llvm::StringRef key) const;
    /// The text under `key`, or the table's default where it is absent.
    ::llvm::StringRef getString(::llvm::StringRef key) const;
    /// This plan with `key` set to `value`.
    PlanAttr with(::llvm::StringRef key, ::mlir::Attribute value) const;
  }];
}

def Tile_CopyMechanism : Tile_Enum<"CopyMechanism",
    "how a tile travels between global memory and the program", [
  I32EnumAttrCase<"Registers", 0, "registers">,  // to registers, and stays
  I32EnumAttrCase<"Plain", 1, "plain">,          // ld.global, st.shared
  I32EnumAttrCase<"CpAsync", 2, "cp_async">,     // cp.async, PTX ISA 9.7.9.25
  I32EnumAttrCase<"Tma", 3, "tma">               // cp.async.bulk.tensor
]>;

def Tile_CopyAttr : Tile_Attr<"Copy", "copy"> {
  let summary = "How a load or a store moves its tile";
  let description = [{
    `vector` elements travel in one access.  `swizzle` is the width in bytes of
    the shared-memory swizzle (0: none).

    ```mlir
    #tile.copy<cp_async, vector = 8, swizzle = 128>
    ```
    (C1) vector is a power of two from 1 to 16; (C2) swizzle is 0, 32, 64 or 128.
  }];
  let parameters = (ins
    EnumParameter<Tile_CopyMechanism>:$mechanism,
    DefaultValuedParameter<"int64_t", "1">:$vector,
    DefaultValuedParameter<"int64_t", "0">:$swizzle);
  let assemblyFormat = "`<` $mechanism (`,` struct($vector, $swizzle)^)? `>`";
  let genVerifyDecl = 1;
}

def Tile_Instruction : Tile_Enum<"Instruction",
    "what a dot is made of", [
  I32EnumAttrCase<"Fma", 0, "fma">,          // register-blocked fma
  I32EnumAttrCase<"MmaSync", 1, "mma_sync">, // mma.sync, PTX ISA 9.7.14.5
  I32EnumAttrCase<"Wgmma", 2, "wgmma">       // wgmma.mma_async
]>;

def Tile_MmaAttr : Tile_Attr<"Mma", "mma"> {
  let summary = "How a dot is computed and its accumulator is spread";
  let description = [{
    `m` x `n` x `k` is the instruction's shape; `warps` is how many warps, or for
    wgmma warpgroups, share
    the accumulator's rows and columns.

    ```mlir
    #tile.mma<mma_sync, m = 16, n = 8, k = 16, warps = [2, 2]>
    ```
    (C1) the instruction shape is in the table of `tile/IR/MmaShapes.h`;
    (C2) warps has two entries, powers of two.
  }];
  let parameters = (ins
    EnumParameter<Tile_Instruction>:$instruction,
    "int64_t":$m, "int64_t":$n, "int64_t":$k,
    ArrayRefParameter<"int64_t">:$warps);
  let assemblyFormat = [{
    `<` $instruction `,` `m` `=` $m `,` `n` `=` $n `,` `k` `=` $k `,`
    `warps` `=` `[` $warps `]` `>`
  }];
  let genVerifyDecl = 1;
}

def Tile_PipelineAttr : Tile_Attr<"Pipeline", "pipeline"> {
  let summary = "How deep a loop's loads run ahead of its arithmetic";
  let description = [{
    Stands on an `scf.for` under the name `tile.pipeline`: loads run `stages - 1`
    iterations ahead; 1 means no overlap.  Loads of the loop carry a copy plan.

    ```mlir
    #tile.pipeline<stages = 3>
    ```
    (C1) stages is from 1 to 16.
  }];
  let parameters = (ins "int64_t":$stages);
  let assemblyFormat = "`<` `stages` `=` $stages `>`";
  let genVerifyDecl = 1;
}

#endif // TILE_IR_TILEATTRS_TD
