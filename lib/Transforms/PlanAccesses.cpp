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
#include "TmaLoads.h"
#include "WarpGrid.h"
#include "tile/GPU/TileGPUOps.h"
#include "tile/Layout/Constructors.h"
#include "tile/Layout/Queries.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Dots
//===----------------------------------------------------------------------===//

/// The longest k of mma.sync that is not walked in whole steps, and so written
/// out.
static constexpr int64_t kMaxRaggedK = 512;
/// Registers of a repeated accumulator beyond which it is spread thinner.
static constexpr int64_t kMaxRepeatedRegisters = 256;
/// k's that mma.sync adds at least between two promotions.
static constexpr int64_t kPromotionStep = 32;

std::string Planner::reasonAgainstMma(DotOp dot, MmaAttr mma) {
  if (mma.getInstruction() != Instruction::MmaSync)
    return "";
  auto a = cast<RankedTensorType>(dot.getA().getType());
  int64_t k = a.getDimSize(1);
  if (k % (2 * mma.getK()) != 0 && k > kMaxRaggedK)
    return ("its k of " + Twine(k) + " is no multiple of " +
            Twine(2 * mma.getK()) + " and longer than " + Twine(kMaxRaggedK))
        .str();
  if (dot.getPromoteEvery().value_or(kPromotionStep) < kPromotionStep)
    return ("it adds " + Twine(kPromotionStep) +
            " k at least before it promotes the sum")
        .str();
  auto acc = cast<RankedTensorType>(dot.getType());
  llvm::Expected<TileLayout> layout =
      tile::gpu::accumulatorLayout(mma, acc.getShape());
  if (!layout) {
    llvm::consumeError(layout.takeError());
    return "";
  }
  if (ownerMask(*layout).reg != 0 && layout->numRegs() > kMaxRepeatedRegisters)
    return "sides far from multiples of 16 and 8 take too many registers";
  return "";
}

/// The types of a dot, and its precision where there is a choice.
static std::string describeTypes(DotOp dot) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << getElementTypeOrSelf(dot.getA())
         << " operands and an accumulator of "
         << getElementTypeOrSelf(dot.getAcc());
  if (getElementTypeOrSelf(dot.getA()).isF32())
    stream << " with precision " << stringifyPrecision(dot.getPrecision());
  return text;
}

/// Says which instruction there is for which types.
static LogicalResult reportNoInstruction(DotOp dot, StringRef forced,
                                         StringRef reason) {
  InFlightDiagnostic error = dot.emitOpError();
  error << "has no instruction for " << describeTypes(dot);
  if (forced != "auto")
    error << " under plan.instruction=" << forced;
  if (!reason.empty())
    return error << ": " << reason;
  error << "; there is";
  bool isFirst = true;
  for (const MmaShape &shape : mmaShapes()) {
    if (forced != "auto" && forced != stringifyInstruction(shape.instruction))
      continue;
    // It is for the types of the entry before.
    if (shape.instruction == Instruction::MmaSync && shape.n == kPairN)
      continue;
    error << (isFirst ? " " : ", ") << stringifyInstruction(shape.instruction)
          << " for " << shape.operand << " into " << shape.accumulator;
    if (shape.precision != Precision::Ieee)
      error << " with precision " << stringifyPrecision(shape.precision);
    isFirst = false;
  }
  return error;
}

bool Planner::readsBytesAlongN(DotOp dot) {
  auto b = cast<RankedTensorType>(dot.getB().getType());
  // Whole rows of 16 bytes, and whole steps.
  if (elementBytes(b.getElementType()) != 1 || b.getDimSize(1) % 16 != 0 ||
      b.getDimSize(0) % 32 != 0)
    return false;
  auto load = dot.getB().getDefiningOp<LoadOp>();
  std::string reason;
  FailureOr<Access> access =
      load ? blockOf(load, analysis, reason) : FailureOr<Access>();
  // What is computed or moved by element is written row by row.
  return failed(access) || access->contiguousDim().value_or(1) == 1;
}

FailureOr<MmaAttr> Planner::chooseMma(DotOp dot) {
  auto acc = cast<RankedTensorType>(dot.getType());
  if (useWgmma) {
    std::string reason;
    std::pair<int64_t, int64_t> grid = *wgmmaGrid(dot, analysis, reason);
    const MmaShape *shape =
        findMmaShape(Instruction::Wgmma, getElementTypeOrSelf(dot.getA()),
                     acc.getElementType(), dot.getPrecision());
    return MmaAttr::get(dot.getContext(), Instruction::Wgmma, shape->m,
                        acc.getDimSize(1) / grid.second, shape->k,
                        {grid.first, grid.second});
  }
  StringRef forced = plan.getString("instruction");
  std::string reason;
  auto reject = [&](const std::string &why) {
    whyNotMma[dot] = why;
    if (forced == "auto")
      log.rejected(dot, "mma_sync: " + why);
  };
  for (Instruction instruction : {Instruction::MmaSync, Instruction::Fma}) {
    if (forced != "auto" && forced != stringifyInstruction(instruction))
      continue;
    const MmaShape *shape =
        findMmaShape(instruction, getElementTypeOrSelf(dot.getA()),
                     acc.getElementType(), dot.getPrecision());
    if (!shape && instruction == Instruction::MmaSync)
      reject("there is none for " + describeTypes(dot));
    if (!shape)
      continue;
    // What one warp has at least: a fragment of the tensor core, or an element
    // for each lane.
    SmallVector<int64_t> block = {4, 8};
    if (instruction == Instruction::MmaSync)
      block = {16, 8};
    WarpGrid grid = chooseWarpGrid(acc.getShape(), plan.getInt("warps"), block);
    int64_t n = shape->n;
    if (instruction == Instruction::MmaSync && grid.idle == 0 &&
        readsBytesAlongN(dot)) {
      WarpGrid ofPairs =
          chooseWarpGrid(acc.getShape(), plan.getInt("warps"), {16, kPairN});
      if (ofPairs.idle == 0) {
        grid = ofPairs;
        n = kPairN;
      }
    }
    MmaAttr mma = MmaAttr::get(dot.getContext(), instruction, shape->m, n,
                               shape->k, {grid.rows, grid.columns});
    reason = reasonAgainstMma(dot, mma);
    if (reason.empty())
      return mma;
    reject(reason);
  }
  return reportNoInstruction(dot, forced, reason);
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

/// Whether a load's tile, in a loop, is what operand A of a wgmma is computed
/// of element by element: it is read from a slot into the operand's registers.
static bool feedsComputedOperand(LoadOp load) {
  if (!isa<scf::ForOp>(load->getParentOp()))
    return false;
  SmallVector<Value> tiles = {load.getResult()};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!tiles.empty())
    for (OpOperand &use : tiles.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (isa<DotOp>(user) && use.getOperandNumber() < 2)
        return true;
      bool goesOn = user->getBlock() == load->getBlock() &&
                    user->hasTrait<OpTrait::Elementwise>();
      if (goesOn && seen.insert(user).second)
        llvm::append_range(tiles, user->getResults());
    }
  return false;
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

/// Says of an access through registers where a side is no power of two: lanes
/// and warps are, so that each thread holds what is left of such a side whole.
static void noteOddSides(Operation *op, Type offsets, DecisionLog &log) {
  auto tile = dyn_cast<RankedTensorType>(offsets);
  if (!tile)
    return;
  // A few repetitions cost nothing.
  constexpr int64_t kFew = 8;
  int64_t held = 1, odd = 1;
  for (int64_t side : tile.getShape()) {
    int64_t left = side / (side & -side);
    held *= left;
    odd = left > 1 ? side : odd;
  }
  if (held > kFew)
    log.rejected(op, "threads that share a side: each holds at least " +
                         Twine(held) + " of " + Twine(tile.getNumElements()) +
                         " elements, since " + Twine(odd) +
                         " is not a power of two");
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
  noteOddSides(op, op.getOffsets().getType(), log);
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
  bool isOperand = feedsDot(load);
  bool isStaged = isOperand || (useWgmma && feedsComputedOperand(load));
  reason = reasonAgainstEngine(load, *access, isStaged);
  if (!reason.empty() && failed(checkNoTma(load, reason)))
    return failure();
  if (!load.getPlan()) {
    FailureOr<CopyAttr> copy = CopyAttr::get(
        load.getContext(), CopyMechanism::Registers,
        analysis.vectorElements(*access, kVectorBytes, /*maskWhole=*/true), 0);
    // What is not copied asynchronously had better go where it is computed
    // with.
    if (isOperand || (isStaged && (reason.empty() ||
                                   reasonAgainstAsync(load, *access).empty())))
      copy = chooseStagedCopy(load, *access, reason);
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
    noteOddSides(load, load.getOffsets().getType(), log);
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

std::string Planner::reasonAgainstEngine(LoadOp load, const Access &access,
                                         bool isStaged) {
  std::string reason;
  if (isSplit)
    reason = isStaged ? "" : "it is no operand of the dot";
  else if (!useWgmma)
    reason = whyNotSplit;
  else if (!isStaged)
    reason = "it does not go through shared memory";
  else if (StringRef copy = plan.getString("copy");
           copy != "auto" && copy != "tma")
    reason = "plan.copy is " + copy.str();
  else
    reason = reasonAgainstTmaLoad(load, access, analysis);
  if (!reason.empty())
    whyNotTma[load] = reason;
  return reason;
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

FailureOr<CopyAttr> Planner::chooseStagedCopy(LoadOp load, const Access &access,
                                              const std::string &whyNotEngine) {
  auto tile = cast<RankedTensorType>(load.getType());
  unsigned contiguous = access.contiguousDim().value_or(tile.getRank() - 1);
  int64_t swizzle = swizzleBytes(tile.getDimSize(contiguous),
                                 8 * elementBytes(access.elementType));
  if (whyNotEngine.empty())
    return CopyAttr::get(
        load.getContext(), CopyMechanism::Tma,
        analysis.vectorElements(access, kVectorBytes, /*maskWhole=*/false),
        swizzle);
  if (plan.getString("copy") == "tma")
    return load.emitOpError()
           << "cannot use tma, which plan.copy asks for: " << whyNotEngine;
  if (useWgmma)
    log.rejected(load, "tma: " + whyNotEngine);
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
  if (store.getPlan()->getMechanism() == CopyMechanism::Registers)
    noteOddSides(store, store.getOffsets().getType(), log);
  if (store.getPlan()->getMechanism() == CopyMechanism::Tma)
    log.chosen(store, "store: tma through staging of 64 rows and 128 bytes");
  else
    log.chosen(store, "store: " + Twine(bytes) + " bytes at a time");
  return checkPlan(store, *access, analysis);
}
