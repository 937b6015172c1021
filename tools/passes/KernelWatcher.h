//===- KernelWatcher.h - What each pass did to a kernel ---------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_PASSES_KERNELWATCHER_H
#define TILE_TOOLS_PASSES_KERNELWATCHER_H

#include "mlir/IR/OperationSupport.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "tile/IR/TileOps.h"

#include <map>

namespace tile {

/// Follows a pipeline without threads, kernel by kernel.  Passes are named by
/// their arguments; an adaptor that only nests others has none and is left out.
class KernelWatcher : public mlir::PassInstrumentation {
protected:
  /// After every pass that succeeded; it may still change the kernel.
  virtual void ranPass(llvm::StringRef pass, KernelOp kernel) {}
  /// After a pass that left the kernel other than it was when it was last seen.
  virtual void changedKernel(llvm::StringRef pass, KernelOp kernel) = 0;
  /// A pass gave up.
  virtual void failedPass(llvm::StringRef pass) {}

  /// Takes the kernel as seen: a pass that leaves it so has not changed it.
  void see(KernelOp kernel) {
    seen.insert_or_assign(kernel, mlir::OperationFingerPrint(kernel));
  }

private:
  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) final {
    auto kernel = mlir::dyn_cast<KernelOp>(op);
    if (!kernel || pass->getArgument().empty())
      return;
    ranPass(pass->getArgument(), kernel);
    auto found = seen.find(op);
    if (found != seen.end() &&
        found->second == mlir::OperationFingerPrint(kernel))
      return;
    see(kernel);
    changedKernel(pass->getArgument(), kernel);
  }
  void runAfterPassFailed(mlir::Pass *pass, mlir::Operation *op) final {
    if (!pass->getArgument().empty())
      failedPass(pass->getArgument());
  }

  std::map<mlir::Operation *, mlir::OperationFingerPrint> seen;
};

} // namespace tile

#endif // TILE_TOOLS_PASSES_KERNELWATCHER_H
