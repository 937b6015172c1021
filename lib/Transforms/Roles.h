//===- Roles.h - Which kernels split into roles -----------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_ROLES_H
#define TILE_TRANSFORMS_ROLES_H

#include "tile/Analysis/AccessAnalysis.h"
#include "tile/GPU/Target.h"

namespace tile {

/// The warpgroups that share a dot computed by wgmma, rows and columns; nothing
/// where its tile, its types or its operands do not suit, and then why.
std::optional<std::pair<int64_t, int64_t>>
wgmmaGrid(DotOp dot, const AccessAnalysis &analysis, std::string &reason);

/// Why the kernel's loop cannot be split into a producer, that loads by the
/// copy engine, and consumers; empty if it can.
std::string reasonAgainstSplit(KernelOp kernel, const AccessAnalysis &analysis);

/// Why the programs of a kernel cannot be walked by fewer CTAs.
std::string reasonAgainstPersistence(KernelOp kernel);

/// Why CTAs of a split persistent kernel cannot share loads in pairs.
std::string reasonAgainstCluster(KernelOp kernel,
                                 const AccessAnalysis &analysis);

/// Columns of the slots through which the copy engine stores a value: as a
/// 128-byte swizzle is wide.  Each warpgroup owns kStagingSlots of 64 rows.
inline constexpr int64_t kStagingRows = 64;
inline constexpr int64_t kStagingSlots = 2;

/// Why a store of a split kernel cannot go through the copy engine.
std::string reasonAgainstTmaStore(StoreOp store, const Access &access,
                                  const AccessAnalysis &analysis);

} // namespace tile

#endif // TILE_TRANSFORMS_ROLES_H
