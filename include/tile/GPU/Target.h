//===- Target.h - What the chips have ---------------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of chips, read by the planner, the allocator and the back end.
// Shared memory per block: CUDA C++ programming guide, compute capabilities.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_GPU_TARGET_H
#define TILE_GPU_TARGET_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace tile {

/// One chip.
struct TargetInfo {
  llvm::StringLiteral name;
  /// Compute capability times ten.
  unsigned capability;
  /// Shared memory that one block may ask for, in bytes.
  int64_t sharedBytes;
  /// Shared memory of a multiprocessor, in bytes.
  int64_t sharedBytesPerSM;
  /// Whether kernels for it use wgmma, the copy engine and setmaxnreg; others
  /// take the portable path.
  bool isHopper;
  /// The lowest PTX version that knows the chip, times ten.
  unsigned minPTXVersion;
};

/// 32-bit registers that the threads of a multiprocessor share, and the most of
/// one thread, on all chips (CUDA C++ Programming Guide, compute capabilities;
/// PTX ISA 9.7.19.5).
inline constexpr int64_t kRegistersPerSM = 65536, kMaxThreadRegisters = 255;

/// The chip that is compiled for where nobody says.
inline constexpr llvm::StringLiteral kDefaultTarget = "sm_90a";

/// All chips that kernels can be compiled for.
llvm::ArrayRef<TargetInfo> targets();

/// The chip of this name, or null.
const TargetInfo *findTarget(llvm::StringRef name);

/// `tile_gpu.shared` (i64) on a kernel: bytes of shared memory in all.
inline constexpr llvm::StringLiteral kSharedName = "tile_gpu.shared";

} // namespace tile

#endif // TILE_GPU_TARGET_H
