//===- PlanChecks.h - Plans that can be carried out -------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plan may have been written by hand.  The planner checks what it keeps, and
// each pass checks what it carries out: a plan that asks for too much is an
// error, never a wrong result.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PLANCHECKS_H
#define TILE_TRANSFORMS_PLANCHECKS_H

#include "tile/Analysis/AccessAnalysis.h"
#include "tile/GPU/Target.h"

namespace tile {

/// Bytes that one access of global memory can move.
inline constexpr int64_t kVectorBytes = 16;
/// cp.async moves 4, 8 or 16 bytes (PTX ISA 9.7.9.25.3.1).
inline constexpr int64_t kMinAsyncBytes = 4;

/// Whether a load's tile is read by wgmma, which sees what threads have written
/// to shared memory only after a fence.
bool feedsWgmma(LoadOp load);

/// Whether the lanes that a load's mask turns off read +0.
bool fillsWithZero(LoadOp load);

/// A kernel's plan; the table's defaults where there is none.
PlanAttr planOf(KernelOp kernel);

/// The warps of that plan, and the chip.
int64_t warpsOf(KernelOp kernel);
const TargetInfo &targetOf(KernelOp kernel);

/// m x n x k of a dot.
std::string describeTile(DotOp dot);

/// The strided block that an access moves, or failure, and why it is none: then
/// its elements are moved one by one.
mlir::FailureOr<Access> blockOf(LoadOp load, const AccessAnalysis &analysis,
                                std::string &reason);
mlir::FailureOr<Access> blockOf(StoreOp store, const AccessAnalysis &analysis,
                                std::string &reason);

/// Checks the plan of an access that is no block, for a reason.
mlir::LogicalResult checkElementPlan(mlir::Operation *op,
                                     std::optional<CopyAttr> plan,
                                     const std::string &reason);

/// Checks that a load has a plan, that its mechanism can do what the load asks
/// for, and that its vectors are known to be contiguous, aligned and valid as a
/// whole.
mlir::LogicalResult checkPlan(LoadOp load, const Access &access,
                              const AccessAnalysis &analysis);

/// Checks a store's plan in the same way.
mlir::LogicalResult checkPlan(StoreOp store, const Access &access,
                              const AccessAnalysis &analysis);

/// Why the sums that wgmma makes of a dot's products are not exact enough for
/// it; empty if they are.
std::string reasonAgainstSums(DotOp dot);

/// Checks that a dot has a plan, and the plan against the table of
/// instructions, the dot's tile and the kernel's warps.
mlir::LogicalResult checkPlan(DotOp dot, int64_t warps);

/// Refuses loops whose constant step is less than 1; before anything is folded,
/// since folding takes such a loop for one that never runs.
mlir::LogicalResult checkSteps(KernelOp kernel);

/// Refuses what no run can carry out: an integer division by the constant 0,
/// and a loop whose constant step is less than 1.  Branches that are never
/// taken are gone before.
mlir::LogicalResult checkConstants(KernelOp kernel);

} // namespace tile

#endif // TILE_TRANSFORMS_PLANCHECKS_H
