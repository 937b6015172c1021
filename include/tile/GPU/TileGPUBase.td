//===- TileGPUBase.td - What all tile_gpu ops share --------*- tablegen -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_GPU_TILEGPUBASE_TD
#define TILE_GPU_TILEGPUBASE_TD

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tile/GPU/TileGPUTypes.td"

class TileGPU_Op<string mnemonic, list<Trait> traits = []>
    : Op<TileGPUDialect, mnemonic, traits>;

/// An effect that keeps an op in place; shared memory is not aliased by
/// anything that generic passes look at.
def TileGPU_Effects : MemoryEffects<[MemRead, MemWrite]>;

def TileGPU_Index : AnyTypeOf<[I32, I64]>;

/// A tile in registers: spread over threads where it has a layout already.
def TileGPU_Tile : Type<
    And<[Tile_Tile.predicate, CPred<"::tile::gpu::isInRegisters($_self)">]>,
    "tile whose layout, where there is one, is of registers",
    "::mlir::RankedTensorType">;

#endif // TILE_GPU_TILEGPUBASE_TD
