//===- TileBase.td - What ops of the tile dialect share ----*- tablegen -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_IR_TILEBASE_TD
#define TILE_IR_TILEBASE_TD

include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tile/IR/TileAttrs.td"
include "tile/IR/TileTypes.td"

class Tile_Op<string mnemonic, list<Trait> traits = []>
    : Op<TileDialect, mnemonic, traits>;

#endif // TILE_IR_TILEBASE_TD
