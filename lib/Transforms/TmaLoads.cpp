//===- TmaLoads.cpp - Loads by the copy engine without roles --------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TmaLoads.h"

#include "PlanChecks.h"
#include "TensorMaps.h"
#include "tile/Layout/Constructors.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;

/// Elements of a box's side at most (PTX ISA 5.5.2).
static constexpr int64_t kMaxBoxSide = 256;

int64_t tile::boxRows(const Access &access) {
  int64_t side = access.dims[mapOrder(access).front()].side;
  int64_t rows = std::min(side, kMaxBoxSide);
  return side % rows == 0 && rows % 8 == 0 ? rows : 0;
}

/// Whether an op, or one inside it, may write global memory.
static bool writesMemory(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        bool writes =
            isa<StoreOp, AtomicRmwOp, AtomicCasOp, tile::gpu::StoreOp>(inner);
        return writes ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Why the phases of a ring's barriers could not be followed.
static std::string reasonAgainstPlace(LoadOp load, KernelOp kernel) {
  auto loop = dyn_cast<scf::ForOp>(load->getParentOp());
  if (!loop || loop->getParentOp() != kernel)
    return "it is not in a loop of the kernel itself";
  // The copy engine does not see what threads have written without a fence.
  for (Operation *op = loop->getPrevNode(); op; op = op->getPrevNode())
    if (writesMemory(op))
      return "the kernel writes memory before the loop";
  WalkResult result = kernel.walk([](DotOp dot) {
    for (Operation *outer = dot->getParentOp(); !isa<KernelOp>(outer);
         outer = outer->getParentOp())
      if (!isa<scf::ForOp, scf::IfOp>(outer))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return "a dot stands in control flow other than scf.for and scf.if";
  return "";
}

std::string tile::reasonAgainstTmaLoad(LoadOp load, const Access &access,
                                       const AccessAnalysis &analysis) {
  auto kernel = load->getParentOfType<KernelOp>();
  if (std::string reason = reasonAgainstPlace(load, kernel); !reason.empty())
    return reason;
  if (!fillsWithZero(load))
    return "it fills with other than zero";
  std::string reason = reasonAgainstTma(access, analysis, kernel);
  if (!reason.empty())
    return reason;
  unsigned bits = 8 * elementBytes(access.elementType);
  if (swizzleBytes(access.dims[*access.contiguousDim()].side, bits) == 0)
    return "its rows have no swizzle";
  if (boxRows(access) == 0)
    return "its tile is not made of whole boxes";
  return "";
}
