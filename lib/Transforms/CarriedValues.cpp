//===- CarriedValues.cpp - What loops carry for nothing -------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CarriedValues.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace tile;

/// Whether what is computed of a carried value ends in carried values of
/// `unused`.
static bool feedsOnly(scf::ForOp loop, Value carried,
                      const llvm::DenseSet<unsigned> &unused) {
  llvm::DenseSet<Value> seen = {carried};
  SmallVector<Value> worklist = {carried};
  while (!worklist.empty()) {
    for (OpOperand &use : worklist.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (user == loop.getBody()->getTerminator()) {
        if (!unused.contains(use.getOperandNumber()))
          return false;
        continue;
      }
      if (user->hasTrait<OpTrait::IsTerminator>() ||
          user->getNumRegions() != 0 || !isMemoryEffectFree(user))
        return false;
      for (Value result : user->getResults())
        if (seen.insert(result).second)
          worklist.push_back(result);
    }
  }
  return true;
}

/// The values that a loop carries, by number, and that nothing uses.
static llvm::DenseSet<unsigned> unusedCarriedValues(scf::ForOp loop) {
  llvm::DenseSet<unsigned> unused;
  for (OpResult result : loop.getResults())
    if (result.use_empty())
      unused.insert(result.getResultNumber());
  bool changed = true;
  while (changed) {
    changed = false;
    for (unsigned number = 0; number < loop.getNumResults(); ++number)
      if (unused.contains(number) &&
          !feedsOnly(loop, loop.getRegionIterArg(number), unused))
        changed = unused.erase(number);
  }
  return unused;
}

void tile::dropUnusedCarriedValues(KernelOp kernel) {
  kernel.walk([](scf::ForOp loop) {
    Operation *yield = loop.getBody()->getTerminator();
    for (unsigned number : unusedCarriedValues(loop))
      yield->setOperand(number, loop.getRegionIterArg(number));
  });
}
