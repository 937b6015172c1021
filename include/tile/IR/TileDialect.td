//===- TileDialect.td - The tile dialect -------------------*- tablegen -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_IR_TILEDIALECT_TD
#define TILE_IR_TILEDIALECT_TD

include "mlir/IR/OpBase.td"

def TileDialect : Dialect {
  let name = "tile";
  let cppNamespace = "::tile";
  let summary = "Programs that compute one output tile each; values only, no hardware";
  let description = [{
    A kernel runs as a grid of independent *programs*.  A program works on
    *tiles*, which are builtin ranked tensors with static shapes, so that
    `arith`, `math` and `scf` apply to them as they stand; `tile` holds what
    those lack: program ids, pointers, masked memory access, dot, reductions.

    Nothing in this dialect names a thread, a warp or shared memory.  How a tile
    is spread over the hardware is decided by the plan attributes
    (`#tile.plan`, `#tile.copy`, `#tile.mma`) and the layout (`#tile.layout`),
    and carried out one level lower, in `tile_gpu`.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"
  ];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
  }];
}

#endif // TILE_IR_TILEDIALECT_TD
