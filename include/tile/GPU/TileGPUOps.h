//===- TileGPUOps.h - Ops of the tile_gpu dialect ---------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_GPU_TILEGPUOPS_H
#define TILE_GPU_TILEGPUOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tile/IR/TileOps.h"

namespace tile::gpu {
/// Whether a tile has no layout yet, or one that spreads it over threads; not
/// one of offsets in shared memory.
bool isInRegisters(mlir::Type type);
} // namespace tile::gpu

#include "tile/GPU/TileGPUDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "tile/GPU/TileGPUTypes.h.inc"

#define GET_OP_CLASSES
#include "tile/GPU/TileGPUOps.h.inc"

namespace tile::gpu {

/// The layout of the accumulator of a dot under this plan, or why there is
/// none.
llvm::Expected<TileLayout> accumulatorLayout(MmaAttr plan,
                                             llvm::ArrayRef<int64_t> shape);

/// The layout in which the registers of a warpgroup are operand A of wgmma, m x
/// k.  Pairs of neighbouring k's are one register, and so it is that of an
/// accumulator: a product can be the operand of the next one as it stands.
llvm::Expected<TileLayout> wgmmaOperandLayout(MmaAttr plan,
                                              llvm::ArrayRef<int64_t> shape);

} // namespace tile::gpu

#endif // TILE_GPU_TILEGPUOPS_H
