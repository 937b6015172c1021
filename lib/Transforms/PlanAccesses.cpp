//===- PlanAccesses.cpp - Decisions about dots, loads and stores ----------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Blocks.h"
#include "PlanChecks.h"
#include "Planner.h"
#include "Roles.h"
#include "WarpGrid.h"
#include "tile/Layout/Constructors.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Dots
//===----------------------------------------------------------------------===//

FailureOr<const MmaShape *> Planner::chooseInstruction(DotOp dot) {
  Type operand = getElementTypeOrSelf(dot.getA());
  Type accumulator = getElementTypeOrSelf(dot.getAcc());
  if (dot.getPrecision() != Precision::Ieee) {
    dot.emitOpError() << "with precision "
                      << stringifyPrecision(dot.getPrecision())
                      << " is not lowered yet; ieee is";
    return failure();
  }
  StringRef forced = plan.getString("instruction");
  for (Instruction instruction : {Instruction::MmaSync, Instruction::Fma}) {
    if (forced != "auto" && forced != stringifyInstruction(instruction))
      continue;
    if (const MmaShape *shape = findMmaShape(instruction, operand, accumulator))
      return shape;
  }
  InFlightDiagnostic error =
      dot.emitOpError() << "has no instruction for " << operand
                        << " operands and an accumulator of " << accumulator;
  if (forced != "auto")
    error << " under plan.instruction=" << forced;
  error << "; there is";
  for (const MmaShape &shape : mmaShapes())
    error << " " << stringifyInstruction(shape.instruction) << " for "
          << shape.operand << " into " << shape.accumulator << ";";
  return failure();
}

FailureOr<MmaAttr> Planner::chooseMma(DotOp dot) {
  if (useWgmma) {
    std::string reason;
    std::pair<int64_t, int64_t> grid = *wgmmaGrid(dot, analysis, reason);
    auto acc = cast<RankedTensorType>(dot.getType());
    return MmaAttr::get(dot.getContext(), Instruction::Wgmma, /*m=*/64,
                        acc.getDimSize(1) / grid.second, /*k=*/16,
                        {grid.first, grid.second});
  }
  FailureOr<const MmaShape *> shape = chooseInstruction(dot);
  if (failed(shape))
    return failure();
  auto a = cast<RankedTensorType>(dot.getA().getType());
  auto acc = cast<RankedTensorType>(dot.getType());
  bool tensorCore = (*shape)->instruction == Instruction::MmaSync;
  // ldmatrix reads operands 16 elements at a time in both dimensions.
  int64_t unit = tensorCore ? 16 : 4;
  SmallVector<int64_t> blocks =
      tensorCore ? SmallVector<int64_t>{16, 16} : SmallVector<int64_t>{4, 8};
  std::optional<std::pair<int64_t, int64_t>> grid =
      chooseWarpGrid(acc.getShape(), plan.getInt("warps"), blocks);
  if (!grid || a.getDimSize(1) % unit != 0)
    return dot.emitOpError()
           << "of " << describeTile(dot)
           << " is not lowered yet: expected sides "
           << "of m and n that are powers of two and multiples of " << blocks[0]
           << " and " << blocks[1] << ", and of k that are multiples of "
           << unit;
  return MmaAttr::get(dot.getContext(), (*shape)->instruction, (*shape)->m,
                      (*shape)->n, (*shape)->k, {grid->first, grid->second});
}

LogicalResult Planner::planDot(DotOp dot) {
  FailureOr<MmaAttr> mma = failure();
  if (dot.getPlan())
    mma = *dot.getPlan();
  else
    mma = chooseMma(dot);
  if (failed(mma))
    return failure();
  dot.setPlanAttr(*mma);
  ArrayRef<int64_t> warps = mma->getWarps();
  log.chosen(dot,
             Twine("dot ") + describeTile(dot) + ": " +
                 stringifyInstruction(mma->getInstruction()) + " m" +
                 Twine(mma->getM()) + "n" + Twine(mma->getN()) + "k" +
                 Twine(mma->getK()) + " over " + Twine(warps[0]) + "x" +
                 Twine(warps[1]) +
                 (mma->getInstruction() == Instruction::Wgmma ? " warpgroups"
                                                              : " warps"));
  if (mma->getInstruction() == Instruction::MmaSync && target->isHopper)
    log.rejected(dot, "wgmma: " + whyNotWgmma);
  return checkPlan(dot, plan.getInt("warps"));
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// Whether a load's tile is an operand of a dot and so goes to shared memory.
static bool feedsDot(LoadOp load) {
  return llvm::any_of(load->getUses(), [](OpOperand &use) {
    return isa<DotOp>(use.getOwner()) && use.getOperandNumber() < 2;
  });
}

/// Fails where an op asks for tma, in its plan or as a requirement, and cannot
/// have it.
template <typename OpT>
static LogicalResult checkNoTma(OpT op, const std::string &reason) {
  if (op.getPlan() && op.getPlan()->getMechanism() == CopyMechanism::Tma)
    return op.emitOpError()
           << "cannot use tma, which its plan asks for: " << reason;
  if (op.getRequire() &&
      llvm::is_contained(op.getRequire()->getFeatures(), Feature::Tma))
    return op.emitOpError() << "requires tma, which cannot be had: " << reason;
  return success();
}

/// Plans an access whose elements have to be moved one by one, for a reason.
template <typename OpT>
LogicalResult Planner::planElements(OpT op, const std::string &reason) {
  if (failed(checkNoTma(op, reason)))
    return failure();
  if (!op.getPlan())
    op.setPlanAttr(
        CopyAttr::get(op.getContext(), CopyMechanism::Registers, 1, 0));
  whyNotAsync[op] = reason;
  bool isScalar = !isa<RankedTensorType>(op.getOffsets().getType());
  if (!isScalar)
    log.rejected(op, "a strided block: " + reason);
  log.chosen(op, Twine(op->getNumResults() ? "load" : "store") +
                     (isScalar ? " of a scalar" : " of single elements"));
  return checkElementPlan(op, op.getPlan(), reason);
}

LogicalResult Planner::planLoad(LoadOp load) {
  std::string reason;
  FailureOr<Access> access = blockOf(load, analysis, reason);
  if (failed(access) && feedsDot(load) && plan.getString("copy") == "cp_async")
    return load.emitOpError()
           << "cannot use cp_async, which plan.copy asks for: " << reason;
  if (failed(access))
    return planElements(load, reason);
  bool isStaged = feedsDot(load);
  reason = isStaged || !isSplit ? whyNotSplit : "it is no operand of the dot";
  if (!reason.empty() && failed(checkNoTma(load, reason)))
    return failure();
  if (!load.getPlan()) {
    FailureOr<CopyAttr> copy = CopyAttr::get(
        load.getContext(), CopyMechanism::Registers,
        analysis.vectorElements(*access, kVectorBytes, /*maskWhole=*/true), 0);
    if (isStaged)
      copy = chooseStagedCopy(load, *access);
    if (failed(copy))
      return failure();
    load.setPlanAttr(*copy);
  }
  CopyAttr copy = *load.getPlan();
  if (copy.getMechanism() != CopyMechanism::Registers) {
    llvm::Expected<tile::gpu::BufferType> ring = ringType(load, *access, 1);
    if (!ring)
      return load.emitOpError() << "into shared memory is not lowered yet: "
                                << llvm::toString(ring.takeError());
  }
  int64_t vector = copy.getVector();
  if (copy.getMechanism() == CopyMechanism::Registers)
    log.chosen(load, "load to registers, " + Twine(vector) +
                         (vector == 1 ? " element" : " elements") +
                         " at a time");
  else
    log.chosen(load,
               Twine("load: ") + stringifyCopyMechanism(copy.getMechanism()) +
                   " of " + Twine(vector * elementBytes(access->elementType)) +
                   " bytes, " + Twine(copy.getSwizzle()) + "-byte swizzle");
  return checkPlan(load, *access, analysis);
}

std::string Planner::reasonAgainstAsync(LoadOp load, const Access &access) {
  int64_t vector =
      analysis.vectorElements(access, kVectorBytes, /*maskWhole=*/false);
  int64_t bytes = vector * elementBytes(access.elementType);
  if (bytes < kMinAsyncBytes)
    return (Twine(bytes) +
            " bytes are known to be contiguous and aligned, and "
            "it takes " +
            Twine(kMinAsyncBytes))
        .str();
  if (!fillsWithZero(load))
    return "it fills with zero, and other is not zero";
  if (plan.getString("copy") == "plain")
    return "plan.copy is plain";
  return "";
}

FailureOr<CopyAttr> Planner::chooseStagedCopy(LoadOp load,
                                              const Access &access) {
  auto tile = cast<RankedTensorType>(load.getType());
  unsigned contiguous = access.contiguousDim().value_or(tile.getRank() - 1);
  int64_t swizzle = swizzleBytes(tile.getDimSize(contiguous),
                                 8 * elementBytes(access.elementType));
  if (isSplit)
    return CopyAttr::get(
        load.getContext(), CopyMechanism::Tma,
        analysis.vectorElements(access, kVectorBytes, /*maskWhole=*/false),
        swizzle);
  std::string reason = reasonAgainstAsync(load, access);
  bool isAsync = reason.empty();
  if (!isAsync && plan.getString("copy") == "cp_async")
    return load.emitOpError()
           << "cannot use cp_async, which plan.copy asks for: " << reason;
  if (!isAsync) {
    log.rejected(load, "cp_async: " + reason);
    whyNotAsync[load] = reason;
  }
  return CopyAttr::get(
      load.getContext(),
      isAsync ? CopyMechanism::CpAsync : CopyMechanism::Plain,
      analysis.vectorElements(access, kVectorBytes, /*maskWhole=*/!isAsync),
      swizzle);
}

LogicalResult Planner::planStore(StoreOp store) {
  std::string reason;
  FailureOr<Access> access = blockOf(store, analysis, reason);
  if (failed(access))
    return planElements(store, reason);
  reason =
      isSplit ? reasonAgainstTmaStore(store, *access, analysis) : whyNotSplit;
  StringRef epilogue = plan.getString("epilogue");
  if (isSplit && epilogue == "staged" && !reason.empty())
    return store.emitOpError()
           << "cannot be staged, which plan.epilogue asks for: " << reason;
  if (isSplit && epilogue == "direct")
    reason = "plan.epilogue is direct";
  if (!reason.empty() && failed(checkNoTma(store, reason)))
    return failure();
  if (isSplit && !reason.empty())
    log.rejected(store, "store by tma: " + reason);
  int64_t vector =
      analysis.vectorElements(*access, kVectorBytes, /*maskWhole=*/true);
  if (!store.getPlan() && reason.empty())
    store.setPlanAttr(CopyAttr::get(store.getContext(), CopyMechanism::Tma,
                                    vector, /*swizzle=*/128));
  else if (!store.getPlan())
    store.setPlanAttr(
        CopyAttr::get(store.getContext(), CopyMechanism::Registers, vector, 0));
  int64_t bytes =
      store.getPlan()->getVector() * elementBytes(access->elementType);
  if (store.getPlan()->getMechanism() == CopyMechanism::Tma)
    log.chosen(store, "store: tma through staging of 64 rows and 128 bytes");
  else
    log.chosen(store, "store: " + Twine(bytes) + " bytes at a time");
  return checkPlan(store, *access, analysis);
}
