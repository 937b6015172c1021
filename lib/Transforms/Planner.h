//===- Planner.h - Plans one kernel -----------------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One class, a file for each thing that it decides: PlanKernel.cpp (what
// concerns the whole kernel), PlanWarps.cpp, PlanAccesses.cpp (dots, loads,
// stores), PlanLoops.cpp (stages), PlanShared.cpp (shared memory), Plan.cpp
// (the order, and what ops insist on).
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PLANNER_H
#define TILE_TRANSFORMS_PLANNER_H

#include "Decisions.h"
#include "Overlap.h"
#include "tile/Analysis/AccessAnalysis.h"
#include "tile/GPU/Target.h"
#include "tile/IR/MmaShapes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tile {

class RegisterEstimate;

/// Plans one kernel.
class Planner {
public:
  Planner(KernelOp kernel, llvm::StringRef target,
          llvm::ArrayRef<std::string> settings)
      : kernel(kernel), targetName(target), settings(settings),
        analysis(kernel), log(kernel) {}
  mlir::LogicalResult run();

private:
  mlir::LogicalResult settleKernel();
  void settleWarps(bool isGiven);
  void noteSpills(const RegisterEstimate &estimate, int64_t warps,
                  bool isGiven);
  mlir::LogicalResult settleWgmma(bool isGiven);
  mlir::LogicalResult settleRoles();
  mlir::LogicalResult settleCluster();
  std::string reasonAgainstRoles();
  std::string reasonAgainstTwoStages();
  mlir::LogicalResult checkNoCluster(const llvm::Twine &reason);
  int64_t stagingBytes();
  mlir::LogicalResult applySettings();
  mlir::LogicalResult planDot(DotOp dot);
  mlir::FailureOr<MmaAttr> chooseMma(DotOp dot);
  bool readsBytesAlongN(DotOp dot);
  std::string reasonAgainstMma(DotOp dot, MmaAttr mma);
  mlir::LogicalResult planLoad(LoadOp load);
  mlir::FailureOr<CopyAttr> chooseStagedCopy(LoadOp load, const Access &access,
                                             const std::string &whyNotEngine);
  std::string reasonAgainstEngine(LoadOp load, const Access &access,
                                  bool isStaged);
  std::string reasonAgainstAsync(LoadOp load, const Access &access);
  mlir::LogicalResult planStore(StoreOp store);
  template <typename OpT>
  mlir::LogicalResult planElements(OpT op, const std::string &reason);
  mlir::LogicalResult planLoop(mlir::scf::ForOp loop);
  mlir::LogicalResult settleCopies(mlir::scf::ForOp loop,
                                   llvm::ArrayRef<LoadAccess> loads);
  int64_t roomFor(llvm::ArrayRef<LoadAccess> loads);
  std::vector<LoadAccess> stagedLoads(mlir::scf::ForOp loop);
  int64_t ringBytesInside(mlir::scf::ForOp loop, bool withEngine);
  int64_t besideBytes(mlir::scf::ForOp loop, llvm::ArrayRef<LoadAccess> loads);
  int64_t chooseStages(mlir::scf::ForOp loop, llvm::ArrayRef<LoadAccess> loads);
  mlir::LogicalResult checkShared(mlir::scf::ForOp loop,
                                  llvm::ArrayRef<LoadAccess> loads,
                                  int64_t stages);
  void settleTail();
  template <typename OpT>
  mlir::LogicalResult checkRequire(OpT op);
  std::string reasonAgainst(Feature feature, mlir::Operation *op);

  KernelOp kernel;
  llvm::StringRef targetName;
  llvm::ArrayRef<std::string> settings;
  AccessAnalysis analysis;
  DecisionLog log;
  PlanAttr plan;
  const TargetInfo *target = nullptr;
  /// Whether dots are wgmma, and whether a producer loads for them.
  bool useWgmma = false, isSplit = false;
  /// Why not.
  std::string whyNotWgmma, whyNotSplit;
  /// Why a load, or the loop around it, does without a feature.
  llvm::DenseMap<mlir::Operation *, std::string> whyNotAsync, whyNotAhead,
      whyNotMma, whyNotTma;
  /// Bytes of the rings of the loops planned so far: of all those that the copy
  /// engine fills, and of the largest of the others.
  int64_t engineRingBytes = 0, threadRingBytes = 0;
  /// Bytes that the narrowest copy moves which threads make in a loop under a
  /// mask; 0 while there is none.
  int64_t maskedCopyBytes = 0;
  /// Whether some of these copies go through registers.
  bool hasMaskedLoads = false;
};

} // namespace tile

#endif // TILE_TRANSFORMS_PLANNER_H
