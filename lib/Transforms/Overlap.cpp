//===- Overlap.cpp - Whether a loop's copies may run ahead ----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Overlap.h"

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

/// Whether the address of an access follows from the induction variable and
/// from what is known before the loop.
static bool isAddressKnownAhead(scf::ForOp loop, const Access &access) {
  SmallVector<ScalarExpr> parts = {access.offset};
  for (const AccessDim &dim : access.dims) {
    parts.append({dim.origin, dim.stride});
    if (dim.bound)
      parts.push_back(*dim.bound);
  }
  auto isKnownAhead = [&](Value value) {
    return value == loop.getInductionVar() ||
           loop.isDefinedOutsideOfLoop(value);
  };
  return llvm::all_of(parts, [&](const ScalarExpr &part) {
    return llvm::all_of(part.values(), isKnownAhead);
  });
}

std::string tile::reasonAgainstOverlap(scf::ForOp loop,
                                       ArrayRef<LoadAccess> loads) {
  if (loop.getUnsignedCmp())
    return "its bounds are compared unsigned";
  if (writesMemory(loop))
    return "it writes memory that a load of a later iteration may read";
  for (const LoadAccess &staged : loads) {
    if (!isAddressKnownAhead(loop, staged.access))
      return "the address of a load is computed in the loop";
    if (!loop.isDefinedOutsideOfLoop(staged.access.base))
      return "the pointer of a load is computed in the loop";
    Value other = LoadOp(staged.load).getOther();
    if (other && !loop.isDefinedOutsideOfLoop(other))
      return "what fills masked lanes is computed in the loop";
  }
  return "";
}
