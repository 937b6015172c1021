//===- Overlap.cpp - Whether a loop's copies may run ahead ----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Overlap.h"

#include "AheadScalars.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tile/GPU/TileGPUOps.h"

using namespace mlir;
using namespace tile;

/// Whether the loop may write memory that one of its loads reads.
static bool writesMemory(scf::ForOp loop) {
  WalkResult result = loop.getBody()->walk([](Operation *op) {
    bool writes =
        isa<StoreOp, AtomicRmwOp, AtomicCasOp, tile::gpu::StoreOp>(op);
    return writes ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

/// The scalars that the address of an access is made of.
static llvm::SetVector<Value> addressScalars(const Access &access) {
  llvm::SetVector<Value> scalars;
  auto add = [&](const ScalarExpr &part) {
    scalars.insert_range(part.values());
  };
  add(access.offset);
  for (const AccessDim &dim : access.dims) {
    add(dim.origin);
    add(dim.stride);
    if (dim.bound)
      add(*dim.bound);
  }
  return scalars;
}

/// The scalars that its conditions are made of.
static llvm::SetVector<Value> conditionScalars(const Access &access) {
  llvm::SetVector<Value> scalars;
  for (const AccessCondition &condition : access.conditions) {
    scalars.insert_range(condition.left.values());
    scalars.insert_range(condition.right.values());
  }
  return scalars;
}

SmallVector<Value> tile::scalarsComputedIn(scf::ForOp loop,
                                           const Access &access) {
  llvm::SetVector<Value> all = addressScalars(access);
  all.insert_range(conditionScalars(access));
  return llvm::filter_to_vector(all, [&](Value scalar) {
    return originOf(loop, scalar) == Origin::Computed;
  });
}

std::string tile::reasonAgainstOverlap(scf::ForOp loop,
                                       ArrayRef<LoadAccess> loads) {
  if (loop.getUnsignedCmp())
    return "its bounds are compared unsigned";
  if (writesMemory(loop))
    return "it writes memory that a load of a later iteration may read";
  auto isUnknown = [&](Value scalar) {
    return originOf(loop, scalar) == Origin::Unknown;
  };
  for (const LoadAccess &staged : loads) {
    if (llvm::any_of(addressScalars(staged.access), isUnknown))
      return "the address of a load is computed in the loop";
    if (llvm::any_of(conditionScalars(staged.access), isUnknown))
      return "a condition of a load's mask is computed in the loop";
    if (!loop.isDefinedOutsideOfLoop(staged.access.base))
      return "the pointer of a load is computed in the loop";
    Value other = LoadOp(staged.load).getOther();
    if (other && !loop.isDefinedOutsideOfLoop(other))
      return "what fills masked lanes is computed in the loop";
  }
  return "";
}
