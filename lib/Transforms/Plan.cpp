//===- Plan.cpp - Decide instructions, copies, warps and stages ------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps: settle the kernel's own decisions (what the plan says, then what the
// command line says); choose the instruction of each dot and how warps share
// it; choose how each load and store travels; choose how deep each loop runs
// ahead, within the shared memory of the chip.  Nothing but attributes changes.
//
//===----------------------------------------------------------------------===//

#include "Blocks.h"
#include "Decisions.h"
#include "WarpGrid.h"
#include "tile/GPU/Target.h"
#include "tile/IR/MmaShapes.h"
#include "tile/IR/PlanKeys.h"
#include "tile/Layout/Constructors.h"
#include "tile/Transforms/Passes.h"

#define DEBUG_TYPE "tile-plan"

namespace tile {
#define GEN_PASS_DEF_TILEPLANPASS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

/// Bytes that one access of global memory can move.
static constexpr int64_t kVectorBytes = 16;
/// cp.async moves 4, 8 or 16 bytes.
static constexpr int64_t kMinAsyncBytes = 4;
/// Stages that the rule gives at most; more bought nothing on an H200.
static constexpr int64_t kMaxStages = 4;
/// What the hardware keeps of each block's shared memory.
static constexpr int64_t kReservedBytes = 1024;

namespace {

/// Plans one kernel.
class Planner {
public:
  Planner(KernelOp kernel, StringRef target, ArrayRef<std::string> settings)
      : kernel(kernel), targetName(target), settings(settings),
        analysis(kernel), log(kernel) {}
  LogicalResult run();

private:
  LogicalResult settleKernel();
  LogicalResult applySetting(StringRef setting, PlanAttr &plan);
  LogicalResult planDot(DotOp dot);
  FailureOr<const MmaShape *> chooseInstruction(DotOp dot);
  LogicalResult planLoad(LoadOp load);
  LogicalResult planStagedLoad(LoadOp load, const Access &access);
  LogicalResult planStore(StoreOp store);
  LogicalResult planLoop(scf::ForOp loop);
  FailureOr<int64_t> chooseStages(scf::ForOp loop,
                                  ArrayRef<tile::gpu::BufferType> slots);
  std::string reasonAgainstOverlap(scf::ForOp loop);
  LogicalResult checkRequire(Operation *op, std::optional<RequireAttr> require,
                             Feature feature, bool met, const Twine &reason);

  KernelOp kernel;
  StringRef targetName;
  ArrayRef<std::string> settings;
  AccessAnalysis analysis;
  DecisionLog log;
  PlanAttr plan;
  const TargetInfo *target = nullptr;
};

} // namespace

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

LogicalResult Planner::run() {
  if (failed(settleKernel()))
    return failure();
  // Loops after the loads that they stage.
  WalkResult result = kernel.walk([&](Operation *op) -> WalkResult {
    if (auto dot = dyn_cast<DotOp>(op))
      return planDot(dot);
    if (auto load = dyn_cast<LoadOp>(op))
      return planLoad(load);
    if (auto store = dyn_cast<StoreOp>(op))
      return planStore(store);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  result = kernel.walk(
      [&](scf::ForOp loop) -> WalkResult { return planLoop(loop); });
  if (result.wasInterrupted())
    return failure();
  kernel.setPlanAttr(plan);
  log.finish();
  return success();
}

LogicalResult Planner::settleKernel() {
  plan = kernel.getPlanAttr();
  if (!plan)
    plan = PlanAttr::get(kernel.getContext(),
                         DictionaryAttr::get(kernel.getContext()));
  if (!targetName.empty() &&
      failed(applySetting(("target=" + targetName).str(), plan)))
    return failure();
  for (const std::string &setting : settings)
    if (failed(applySetting(setting, plan)))
      return failure();
  target = findTarget(plan.getString("target"));
  Builder builder(kernel.getContext());
  plan = plan.with("target", builder.getStringAttr(target->name));

  // Every dot's tile must feed the warps that all ops share.
  int64_t wanted = plan.getInt("warps"), warps = wanted;
  kernel.walk([&](DotOp dot) {
    auto acc = cast<RankedTensorType>(dot.getType());
    while (warps > 1 && !chooseWarpGrid(acc.getShape(), warps, {16, 16}))
      warps /= 2;
  });
  if (warps != wanted)
    log.rejected(kernel, Twine(wanted) + " warps: a dot's tile has too few "
                         "blocks of 16x16 for them");
  plan = plan.with("warps", builder.getI64IntegerAttr(warps));
  return success();
}

LogicalResult Planner::applySetting(StringRef setting, PlanAttr &plan) {
  auto [name, text] = setting.split('=');
  Builder builder(kernel.getContext());
  Attribute value = builder.getStringAttr(text);
  const PlanKey *key = findPlanKey(name);
  int64_t integer;
  if (key && key->isInteger() && !text.getAsInteger(10, integer))
    value = builder.getI64IntegerAttr(integer);
  NamedAttrList entries(plan.getEntries());
  entries.set(name, value);
  auto emitError = [&] { return kernel.emitOpError(); };
  plan = PlanAttr::getChecked(emitError, kernel.getContext(),
                              entries.getDictionary(kernel.getContext()));
  return success(plan != nullptr);
}

LogicalResult Planner::checkRequire(Operation *op,
                                    std::optional<RequireAttr> require,
                                    Feature feature, bool met,
                                    const Twine &reason) {
  if (met || !require || !llvm::is_contained(require->getFeatures(), feature))
    return success();
  return op->emitOpError() << "requires " << stringifyFeature(feature)
                           << ", which cannot be had: " << reason;
}

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
  InFlightDiagnostic error = dot.emitOpError()
                             << "has no instruction for " << operand
                             << " operands and an accumulator of "
                             << accumulator;
  if (forced != "auto")
    error << " under plan.instruction=" << forced;
  error << "; there is";
  for (const MmaShape &shape : mmaShapes())
    error << " " << stringifyInstruction(shape.instruction) << " for "
          << shape.operand << " into " << shape.accumulator << ";";
  return failure();
}

LogicalResult Planner::planDot(DotOp dot) {
  FailureOr<const MmaShape *> shape = chooseInstruction(dot);
  if (failed(shape))
    return failure();
  auto a = cast<RankedTensorType>(dot.getA().getType());
  auto acc = cast<RankedTensorType>(dot.getType());
  bool tensorCore = (*shape)->instruction == Instruction::MmaSync;
  // ldmatrix reads operands 16 elements at a time in both dimensions.
  int64_t unit = tensorCore ? 16 : 4;
  std::string tile = (Twine(acc.getDimSize(0)) + "x" +
                      Twine(acc.getDimSize(1)) + "x" + Twine(a.getDimSize(1)))
                         .str();
  int64_t warps = plan.getInt("warps");
  SmallVector<int64_t> blocks =
      tensorCore ? SmallVector<int64_t>{16, 16} : SmallVector<int64_t>{4, 8};
  std::optional<std::pair<int64_t, int64_t>> grid =
      chooseWarpGrid(acc.getShape(), warps, blocks);
  if (!grid || a.getDimSize(1) % unit != 0)
    return dot.emitOpError()
           << "of " << tile << " is not lowered yet: expected sides of m and n "
           << "that are powers of two and multiples of " << blocks[0] << " and "
           << blocks[1] << ", and of k that are multiples of " << unit;
  dot.setPlanAttr(MmaAttr::get(dot.getContext(), (*shape)->instruction,
                               (*shape)->m, (*shape)->n, (*shape)->k,
                               {grid->first, grid->second}));
  log.chosen(dot, Twine("dot ") + tile + ": " +
                      stringifyInstruction((*shape)->instruction) + " m" +
                      Twine((*shape)->m) + "n" + Twine((*shape)->n) + "k" +
                      Twine((*shape)->k) + " over " + Twine(grid->first) + "x" +
                      Twine(grid->second) + " warps");
  if (tensorCore && plan.getString("target") == "sm_90a")
    log.rejected(dot, "wgmma: not lowered yet");
  if (failed(checkRequire(dot, dot.getRequire(), Feature::MmaSync, tensorCore,
                          "the operands are " +
                              Twine((*shape)->operand.str()))))
    return failure();
  return checkRequire(dot, dot.getRequire(), Feature::Wgmma, false,
                      "wgmma is not lowered yet");
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// Whether a load's tile is an operand of a dot and so goes to shared memory.
static bool isStaged(LoadOp load) {
  return llvm::any_of(load->getUses(), [](OpOperand &use) {
    return isa<DotOp>(use.getOwner()) && use.getOperandNumber() < 2;
  });
}

LogicalResult Planner::planLoad(LoadOp load) {
  std::string reason;
  FailureOr<Access> access = analysis.analyze(load, &reason);
  if (failed(access))
    return load.emitOpError()
           << "is not lowered yet: expected a strided block, but " << reason;
  if (isStaged(load))
    return planStagedLoad(load, *access);
  int64_t vector = analysis.vectorElements(*access, kVectorBytes,
                                           /*maskWhole=*/true);
  load.setPlanAttr(
      CopyAttr::get(load.getContext(), CopyMechanism::Registers, vector, 0));
  log.chosen(load, "load to registers, " + Twine(vector) +
                       (vector == 1 ? " element" : " elements") +
                       " at a time");
  return checkRequire(load, load.getRequire(), Feature::CpAsync, false,
                      "the tile goes to registers");
}

/// Whether masked lanes read zero.
static bool fillsWithZero(LoadOp load) {
  Value other = load.getOther();
  return !other || matchPattern(other, m_AnyZeroFloat()) ||
         matchPattern(other, m_Zero());
}

LogicalResult Planner::planStagedLoad(LoadOp load, const Access &access) {
  auto tile = cast<RankedTensorType>(load.getType());
  if (Value other = load.getOther(); other && isa<RankedTensorType>(other.getType()))
    return load.emitOpError() << "into shared memory is not lowered yet where "
                                 "other is a tile; a scalar is";
  int64_t bytes = elementBytes(access.elementType);
  int64_t vector = analysis.vectorElements(access, kVectorBytes,
                                           /*maskWhole=*/false);
  std::string reason;
  if (vector * bytes < kMinAsyncBytes)
    reason = (Twine(vector * bytes) + " bytes are known to be contiguous and "
              "aligned, and it takes " + Twine(kMinAsyncBytes)).str();
  else if (!fillsWithZero(load))
    reason = "it fills with zero, and other is not zero";
  else if (plan.getString("copy") == "plain")
    reason = "plan.copy is plain";
  bool async = reason.empty();
  if (!async && plan.getString("copy") == "cp_async")
    return load.emitOpError() << "cannot use cp_async, which plan.copy asks for: "
                              << reason;
  if (!async)
    vector = analysis.vectorElements(access, kVectorBytes, /*maskWhole=*/true);

  llvm::Expected<tile::gpu::BufferType> ring = ringType(load, access, 1);
  if (!ring)
    return load.emitOpError()
           << "into shared memory is not lowered yet: "
           << llvm::toString(ring.takeError());
  unsigned contiguous = access.contiguousDim().value_or(tile.getRank() - 1);
  int64_t swizzle =
      swizzleBytes(tile.getDimSize(contiguous), static_cast<unsigned>(8 * bytes));
  load.setPlanAttr(CopyAttr::get(
      load.getContext(), async ? CopyMechanism::CpAsync : CopyMechanism::Plain,
      vector, swizzle));
  if (!async)
    log.rejected(load, "cp_async: " + reason);
  log.chosen(load, Twine("load: ") + (async ? "cp_async" : "plain") + " of " +
                       Twine(vector * bytes) + " bytes, " + Twine(swizzle) +
                       "-byte swizzle");
  if (failed(checkRequire(load, load.getRequire(), Feature::CpAsync, async,
                          reason)))
    return failure();
  return checkRequire(load, load.getRequire(), Feature::Tma, false,
                      "tma is not lowered yet");
}

LogicalResult Planner::planStore(StoreOp store) {
  std::string reason;
  FailureOr<Access> access = analysis.analyze(store, &reason);
  if (failed(access))
    return store.emitOpError()
           << "is not lowered yet: expected a strided block, but " << reason;
  int64_t vector = analysis.vectorElements(*access, kVectorBytes,
                                           /*maskWhole=*/true);
  store.setPlanAttr(
      CopyAttr::get(store.getContext(), CopyMechanism::Registers, vector, 0));
  log.chosen(store, "store: " +
                        Twine(vector * elementBytes(access->elementType)) +
                        " bytes at a time");
  return checkRequire(store, store.getRequire(), Feature::Tma, false,
                      "tma is not lowered yet");
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The loads of a loop's own body that go through shared memory.
static SmallVector<LoadOp> stagedLoads(scf::ForOp loop) {
  SmallVector<LoadOp> loads;
  for (LoadOp load : loop.getBody()->getOps<LoadOp>())
    if (isStaged(load))
      loads.push_back(load);
  return loads;
}

std::string Planner::reasonAgainstOverlap(scf::ForOp loop) {
  if (loop.getUnsignedCmp())
    return "its bounds are compared unsigned";
  // A copy that runs ahead must not pass a write that it may have to see.
  std::string reason;
  loop.getBody()->walk([&](Operation *op) {
    if (isa<StoreOp, AtomicRmwOp, AtomicCasOp>(op))
      reason = "it writes memory that a load of a later iteration may read";
  });
  if (!reason.empty())
    return reason;
  for (LoadOp load : stagedLoads(loop)) {
    FailureOr<Access> access = analysis.analyze(load, nullptr);
    SmallVector<ScalarExpr> parts = {access->offset};
    for (const AccessDim &dim : access->dims) {
      parts.append({dim.origin, dim.stride});
      if (dim.bound)
        parts.push_back(*dim.bound);
    }
    auto isKnownAhead = [&](Value value) {
      return value == loop.getInductionVar() || loop.isDefinedOutsideOfLoop(value);
    };
    for (const ScalarExpr &part : parts)
      if (!llvm::all_of(part.values(), isKnownAhead))
        return "the address of a load is computed in the loop";
    if (!loop.isDefinedOutsideOfLoop(access->base))
      return "the pointer of a load is computed in the loop";
    if (Value other = load.getOther();
        other && !loop.isDefinedOutsideOfLoop(other))
      return "what fills masked lanes is computed in the loop";
  }
  return "";
}

FailureOr<int64_t> Planner::chooseStages(scf::ForOp loop,
                                         ArrayRef<tile::gpu::BufferType> slots) {
  int64_t stageBytes = 0;
  for (tile::gpu::BufferType slot : slots)
    stageBytes += slot.getSlotBytes();
  int64_t largest = target->sharedBytes / stageBytes;
  bool isGiven = plan.getEntries().contains("stages");
  int64_t stages = isGiven ? plan.getInt("stages") : kMaxStages;
  if (!isGiven) {
    // Two programs on a multiprocessor hide each other's waits.
    int64_t half = target->sharedBytesPerSM / 2 - kReservedBytes;
    stages = std::min(kMaxStages, std::max<int64_t>(half / stageBytes, 2));
    stages = std::max<int64_t>(1, std::min(stages, largest));
  }
  if (stages <= largest)
    return stages;
  InFlightDiagnostic error =
      loop.emitOpError() << "needs " << stages * stageBytes
                         << " bytes of shared memory for " << stages
                         << (stages == 1 ? " stage" : " stages") << ", and "
                         << target->name << " has " << target->sharedBytes;
  if (largest > 0)
    error << "; " << largest << (largest == 1 ? " stage fits" : " stages fit");
  else
    error << "; smaller tiles are needed";
  for (auto [load, slot] : llvm::zip(stagedLoads(loop), slots))
    error.attachNote(load.getLoc())
        << "this tile takes " << slot.getSlotBytes() << " bytes a stage";
  return failure();
}

LogicalResult Planner::planLoop(scf::ForOp loop) {
  SmallVector<LoadOp> loads = stagedLoads(loop);
  if (loads.empty())
    return success();
  SmallVector<tile::gpu::BufferType> slots;
  for (LoadOp load : loads) {
    FailureOr<Access> access = analysis.analyze(load, nullptr);
    slots.push_back(llvm::cantFail(ringType(load, *access, 1)));
  }
  FailureOr<int64_t> stages = chooseStages(loop, slots);
  if (failed(stages))
    return failure();
  std::string reason = reasonAgainstOverlap(loop);
  if (!reason.empty()) {
    log.rejected(loop, "overlap of copies and arithmetic: " + reason);
    stages = 1;
  }
  loop->setAttr(kPipelineName, PipelineAttr::get(loop.getContext(), *stages));
  int64_t bytes = 0;
  for (tile::gpu::BufferType slot : slots)
    bytes += slot.getSlotBytes();
  log.chosen(loop, "loop: " + Twine(*stages) +
                       (*stages == 1 ? " stage of " : " stages of ") +
                       Twine(bytes) + " bytes = " + Twine(*stages * bytes) +
                       " of " + Twine(target->sharedBytes));
  for (LoadOp load : loads)
    if (failed(checkRequire(load, load.getRequire(), Feature::Pipelined,
                            *stages > 1,
                            reason.empty() ? "one stage was chosen" : reason)))
      return failure();
  return success();
}

namespace {
struct Plan : public tile::impl::TilePlanPassBase<Plan> {
  using TilePlanPassBase::TilePlanPassBase;

  void runOnOperation() override {
    SmallVector<std::string> given(settings.begin(), settings.end());
    if (failed(Planner(getOperation(), target, given).run()))
      signalPassFailure();
  }
};
} // namespace
