//===- ThreadRegisters.h - What a thread can hold ---------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ptxas puts in memory what the registers of a thread do not hold.  What it
// takes for anything but elements depends on little things, so that elements
// are counted, and the rest is allowed for.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_GPU_THREADREGISTERS_H
#define TILE_GPU_THREADREGISTERS_H

#include "tile/GPU/Target.h"
#include "tile/IR/TileOps.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <optional>

namespace tile {

/// Registers of a thread for addresses, masks, indices and what the assembler
/// moves about, beside the elements that it holds.
inline constexpr int64_t kSpareRegisters = 31;

/// Registers of a thread where so many warps share a multiprocessor: they come
/// in eights.
inline int64_t threadRegisters(int64_t warps) {
  constexpr int64_t kLanes = 32, kUnit = 8;
  int64_t share = kRegistersPerSM / (kLanes * warps) / kUnit * kUnit;
  return std::min(share, kMaxThreadRegisters);
}

/// Registers of a thread for the elements that it holds.
inline int64_t threadRegistersForElements(int64_t warps) {
  return threadRegisters(warps) - kSpareRegisters;
}

/// Registers of a thread that hold its part of a tile; nothing without a
/// layout.
inline std::optional<int64_t> threadRegistersOf(mlir::RankedTensorType tile) {
  constexpr int64_t kRegisterBits = 32;
  auto layout = mlir::dyn_cast_if_present<LayoutAttr>(tile.getEncoding());
  if (!layout)
    return std::nullopt;
  int64_t bits =
      layout.getLayout().numRegs() * 8 * elementBytes(tile.getElementType());
  return llvm::divideCeil(bits, kRegisterBits);
}

} // namespace tile

#endif // TILE_GPU_THREADREGISTERS_H
