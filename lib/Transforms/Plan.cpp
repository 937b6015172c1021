//===- Plan.cpp - Decide instructions, copies, warps and stages
//------------===//
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
#include "Overlap.h"
#include "PlanChecks.h"
#include "Roles.h"
#include "Schedule.h"
#include "WarpGrid.h"
#include "tile/GPU/Target.h"
#include "tile/IR/MmaShapes.h"
#include "tile/IR/PlanKeys.h"
#include "tile/Layout/Constructors.h"
#include "tile/Transforms/Passes.h"

#include "llvm/ADT/TypeSwitch.h"

#define DEBUG_TYPE "tile-plan"

namespace tile {
#define GEN_PASS_DEF_TILEPLANPASS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

/// Stages that the rule gives at most; more bought nothing on an H200.
static constexpr int64_t kMaxStages = 4;
/// Stages of a ring that a producer fills: more than four help small tiles only
/// (golden kernel on an H200: 128x256 4, 128x128 6, 64x64 8).
static constexpr int64_t kMaxSplitStages = 8;
/// Room for transaction barriers.
static constexpr int64_t kBarrierBytes = 1024;
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
  LogicalResult settleWarps(bool isGiven);
  LogicalResult settleWgmma(bool isGiven);
  LogicalResult settleRoles();
  int64_t stagingBytes();
  LogicalResult applySetting(StringRef setting);
  LogicalResult planDot(DotOp dot);
  FailureOr<MmaAttr> chooseMma(DotOp dot);
  FailureOr<const MmaShape *> chooseInstruction(DotOp dot);
  LogicalResult planLoad(LoadOp load);
  FailureOr<CopyAttr> chooseStagedCopy(LoadOp load, const Access &access);
  std::string reasonAgainstAsync(LoadOp load, const Access &access);
  LogicalResult planStore(StoreOp store);
  LogicalResult planLoop(scf::ForOp loop);
  int64_t chooseStages(scf::ForOp loop, ArrayRef<LoadAccess> loads);
  LogicalResult checkShared(scf::ForOp loop, ArrayRef<LoadAccess> loads,
                            int64_t stages);
  template <typename OpT>
  LogicalResult checkRequire(OpT op);
  std::string reasonAgainst(Feature feature, Operation *op);

  KernelOp kernel;
  StringRef targetName;
  ArrayRef<std::string> settings;
  AccessAnalysis analysis;
  DecisionLog log;
  PlanAttr plan;
  const TargetInfo *target = nullptr;
  /// Whether dots are wgmma, and whether a producer loads for them.
  bool useWgmma = false, isSplit = false;
  /// Why not.
  std::string whyNotWgmma, whyNotSplit;
  /// Why a load, or the loop around it, does without a feature.
  llvm::DenseMap<Operation *, std::string> whyNotAsync, whyNotAhead;
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
  result = kernel.walk([&](Operation *op) -> WalkResult {
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case<DotOp, LoadOp, StoreOp>(
            [&](auto typed) { return checkRequire(typed); })
        .Default(success());
  });
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
      failed(applySetting(("target=" + targetName).str())))
    return failure();
  for (const std::string &setting : settings)
    if (failed(applySetting(setting)))
      return failure();
  target = findTarget(plan.getString("target"));
  Builder builder(kernel.getContext());
  plan = plan.with("target", builder.getStringAttr(target->name));
  bool isGiven = plan.getEntries().contains("warps");
  if (failed(settleWgmma(isGiven)))
    return failure();
  if (!useWgmma && failed(settleWarps(isGiven)))
    return failure();
  return settleRoles();
}

LogicalResult Planner::settleWgmma(bool isGiven) {
  StringRef wanted = plan.getString("instruction");
  int64_t warps = 0;
  if (!target->isHopper)
    whyNotWgmma = target->name.str() + " has none";
  else if (wanted != "auto" && wanted != "wgmma")
    whyNotWgmma = "plan.instruction is " + wanted.str();
  else
    kernel.walk([&](DotOp dot) {
      std::string reason;
      std::optional<std::pair<int64_t, int64_t>> grid =
          wgmmaGrid(dot, analysis, reason);
      int64_t needed = grid ? 4 * grid->first * grid->second : 0;
      if (grid && warps != 0 && needed != warps)
        reason = "dots of one kernel want different numbers of warpgroups";
      if (grid && isGiven && needed != plan.getInt("warps"))
        reason = ("it takes " + Twine(needed) + " warps, and plan.warps is " +
                  Twine(plan.getInt("warps")))
                     .str();
      warps = needed;
      if (whyNotWgmma.empty())
        whyNotWgmma = reason;
    });
  useWgmma = whyNotWgmma.empty() && warps > 0;
  if (useWgmma)
    plan = plan.with("warps",
                     Builder(kernel.getContext()).getI64IntegerAttr(warps));
  else if (wanted == "wgmma")
    return kernel.emitOpError()
           << "cannot use wgmma, which plan.instruction asks for: "
           << (whyNotWgmma.empty() ? "there is no dot" : whyNotWgmma);
  return success();
}

LogicalResult Planner::settleRoles() {
  StringRef wanted = plan.getString("roles");
  if (!useWgmma)
    whyNotSplit = "no dot is wgmma";
  else if (wanted == "single")
    whyNotSplit = "plan.roles is single";
  else if (StringRef copy = plan.getString("copy");
           copy != "auto" && copy != "tma")
    whyNotSplit = "plan.copy is " + copy.str();
  else
    whyNotSplit = reasonAgainstSplit(kernel, analysis);
  isSplit = whyNotSplit.empty();
  if (!isSplit && wanted == "split")
    return kernel.emitOpError()
           << "cannot be split into roles, which plan.roles asks for: "
           << whyNotSplit;
  if (!isSplit) {
    if (useWgmma)
      log.rejected(kernel, "producer and consumer roles: " + whyNotSplit);
    return success();
  }
  Builder builder(kernel.getContext());
  plan = plan.with("roles", builder.getStringAttr("split"));
  log.chosen(kernel, "a producer warp loads for " +
                         Twine(plan.getInt("warps") / 4) +
                         (plan.getInt("warps") == 4 ? " warpgroup"
                                                    : " warpgroups"));
  std::string reason = plan.getString("grid") == "program"
                           ? "plan.grid is program"
                           : reasonAgainstPersistence(kernel);
  if (reason.empty()) {
    plan = plan.with("grid", builder.getStringAttr("persistent"));
    log.chosen(kernel, "a CTA walks several programs");
    return success();
  }
  if (plan.getString("grid") == "persistent")
    return kernel.emitOpError()
           << "cannot be persistent, which plan.grid asks for: " << reason;
  log.rejected(kernel, "a persistent grid: " + reason);
  return success();
}

LogicalResult Planner::settleWarps(bool isGiven) {
  // Every dot's tile must feed the warps that all ops share.
  int64_t wanted = plan.getInt("warps"), warps = wanted;
  DotOp narrowest;
  kernel.walk([&](DotOp dot) {
    auto acc = cast<RankedTensorType>(dot.getType());
    for (; warps > 1 && !chooseWarpGrid(acc.getShape(), warps, {16, 16});
         warps /= 2)
      narrowest = dot;
  });
  if (warps != wanted && isGiven)
    return narrowest.emitOpError()
           << "cannot be shared by " << wanted
           << " warps, which plan.warps asks "
           << "for: its tile has too few blocks of 16x16";
  if (warps != wanted)
    log.rejected(kernel, Twine(wanted) + " warps: a dot's tile has too few "
                                         "blocks of 16x16 for them");
  plan =
      plan.with("warps", Builder(kernel.getContext()).getI64IntegerAttr(warps));
  return success();
}

LogicalResult Planner::applySetting(StringRef setting) {
  auto [name, text] = setting.split('=');
  if (name.empty() || name.size() == setting.size())
    return kernel.emitOpError()
           << "expected a setting KEY=VALUE, got '" << setting << "'";
  Builder builder(kernel.getContext());
  Attribute value = builder.getStringAttr(text);
  const PlanKey *key = findPlanKey(name);
  int64_t integer;
  if (key && key->isInteger() && !text.getAsInteger(10, integer))
    value = builder.getI64IntegerAttr(integer);
  NamedAttrList entries(plan.getEntries());
  entries.set(name, value);
  auto emitError = [&] { return kernel.emitOpError(); };
  PlanAttr changed =
      PlanAttr::getChecked(emitError, kernel.getContext(),
                           entries.getDictionary(kernel.getContext()));
  if (!changed)
    return failure();
  plan = changed;
  return success();
}

//===----------------------------------------------------------------------===//
// Requirements
//===----------------------------------------------------------------------===//

std::string Planner::reasonAgainst(Feature feature, Operation *op) {
  auto dot = dyn_cast<DotOp>(op);
  auto load = dyn_cast<LoadOp>(op);
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  switch (feature) {
  case Feature::MmaSync:
    if (!dot)
      return "only a dot has it";
    if (dot.getPlan()->getInstruction() == Instruction::MmaSync)
      return "";
    return "the plan is " +
           stringifyInstruction(dot.getPlan()->getInstruction()).str();
  case Feature::CpAsync:
    if (!load)
      return "only a load has it";
    if (load.getPlan()->getMechanism() == CopyMechanism::CpAsync)
      return "";
    if (auto why = whyNotAsync.find(op); why != whyNotAsync.end())
      return why->second;
    return "the plan is " +
           stringifyCopyMechanism(load.getPlan()->getMechanism()).str();
  case Feature::Pipelined:
    if (!loop || numStages(loop) == 0)
      return "no loop around it is pipelined";
    if (numStages(loop) > 1)
      return "";
    if (auto why = whyNotAhead.find(loop); why != whyNotAhead.end())
      return why->second;
    return "the plan is one stage";
  case Feature::Wgmma:
    if (!dot)
      return "only a dot has it";
    return useWgmma ? "" : whyNotWgmma;
  case Feature::Tma:
    if (auto store = dyn_cast<StoreOp>(op))
      return store.getPlan()->getMechanism() == CopyMechanism::Tma
                 ? ""
                 : "the plan is " + stringifyCopyMechanism(
                                        store.getPlan()->getMechanism())
                                        .str();
    if (!load)
      return "only a load or a store has it";
    return load.getPlan()->getMechanism() == CopyMechanism::Tma ? ""
                                                                : whyNotSplit;
  }
  llvm_unreachable("all features are covered");
}

template <typename OpT>
LogicalResult Planner::checkRequire(OpT op) {
  std::optional<RequireAttr> require = op.getRequire();
  if (!require)
    return success();
  for (Feature feature : require->getFeatures()) {
    std::string reason = reasonAgainst(feature, op);
    if (!reason.empty())
      return op.emitOpError() << "requires " << stringifyFeature(feature)
                              << ", which cannot be had: " << reason;
  }
  return success();
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
  log.chosen(dot, Twine("dot ") + describeTile(dot) + ": " +
                      stringifyInstruction(mma->getInstruction()) + " m" +
                      Twine(mma->getM()) + "n" + Twine(mma->getN()) + "k" +
                      Twine(mma->getK()) + " over " + Twine(warps[0]) + "x" +
                      Twine(warps[1]) +
                      (mma->getInstruction() == Instruction::Wgmma
                           ? " warpgroups"
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

LogicalResult Planner::planLoad(LoadOp load) {
  std::string reason;
  FailureOr<Access> access = analysis.analyze(load, &reason);
  if (failed(access))
    return load.emitOpError()
           << "is not lowered yet: expected a strided block, but " << reason;
  if (!load.getPlan()) {
    FailureOr<CopyAttr> copy = CopyAttr::get(
        load.getContext(), CopyMechanism::Registers,
        analysis.vectorElements(*access, kVectorBytes, /*maskWhole=*/true), 0);
    if (feedsDot(load))
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
  FailureOr<Access> access = analysis.analyze(store, &reason);
  if (failed(access))
    return store.emitOpError()
           << "is not lowered yet: expected a strided block, but " << reason;
  reason = isSplit ? reasonAgainstTmaStore(store, *access, analysis)
                   : whyNotSplit;
  if (isSplit && !reason.empty())
    log.rejected(store, "store by tma: " + reason);
  int64_t vector =
      analysis.vectorElements(*access, kVectorBytes, /*maskWhole=*/true);
  if (!store.getPlan() && reason.empty())
    store.setPlanAttr(CopyAttr::get(store.getContext(), CopyMechanism::Tma,
                                    vector, /*swizzle=*/128));
  else if (!store.getPlan())
    store.setPlanAttr(CopyAttr::get(
        store.getContext(), CopyMechanism::Registers, vector, 0));
  int64_t bytes =
      store.getPlan()->getVector() * elementBytes(access->elementType);
  if (store.getPlan()->getMechanism() == CopyMechanism::Tma)
    log.chosen(store, "store: tma through staging of 64 rows and 128 bytes");
  else
    log.chosen(store, "store: " + Twine(bytes) + " bytes at a time");
  return checkPlan(store, *access, analysis);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The bytes of one tile of a load that has been planned.
static int64_t slotBytes(const LoadAccess &staged) {
  return llvm::cantFail(ringType(staged.load, staged.access, 1)).getSlotBytes();
}

int64_t Planner::stagingBytes() {
  int64_t bytes = 0;
  kernel.walk([&](StoreOp store) {
    if (store.getPlan() &&
        store.getPlan()->getMechanism() == CopyMechanism::Tma)
      bytes += plan.getInt("warps") / 4 * kStagingSlots * kStagingRows *
               store.getPlan()->getSwizzle();
  });
  return bytes;
}

int64_t Planner::chooseStages(scf::ForOp loop, ArrayRef<LoadAccess> loads) {
  std::string reason = reasonAgainstOverlap(loop, loads);
  if (!reason.empty()) {
    log.rejected(loop, "overlap of copies and arithmetic: " + reason);
    whyNotAhead[loop] = reason;
    return 1;
  }
  if (plan.getEntries().contains("stages"))
    return plan.getInt("stages");
  int64_t stageBytes = 0;
  for (const LoadAccess &staged : loads)
    stageBytes += slotBytes(staged);
  if (isSplit) {
    int64_t room = target->sharedBytes - stagingBytes() - kBarrierBytes;
    return std::clamp<int64_t>(room / stageBytes, 1, kMaxSplitStages);
  }
  // Two programs on a multiprocessor hide each other's waits.
  int64_t half = target->sharedBytesPerSM / 2 - kReservedBytes;
  int64_t stages =
      std::min(kMaxStages, std::max<int64_t>(half / stageBytes, 2));
  return std::max<int64_t>(1,
                           std::min(stages, target->sharedBytes / stageBytes));
}

LogicalResult Planner::checkShared(scf::ForOp loop, ArrayRef<LoadAccess> loads,
                                   int64_t stages) {
  int64_t stageBytes = 0;
  for (const LoadAccess &staged : loads)
    stageBytes += slotBytes(staged);
  int64_t beside = isSplit ? stagingBytes() + kBarrierBytes : 0;
  int64_t largest = (target->sharedBytes - beside) / stageBytes;
  if (stages <= largest)
    return success();
  InFlightDiagnostic error = loop.emitOpError()
                             << "needs " << stages * stageBytes + beside
                             << " bytes of shared memory for " << stages
                             << (stages == 1 ? " stage" : " stages") << ", and "
                             << target->name << " has " << target->sharedBytes;
  if (largest > 0)
    error << "; " << largest << (largest == 1 ? " stage fits" : " stages fit");
  else
    error << "; smaller tiles are needed";
  for (const LoadAccess &staged : loads)
    error.attachNote(LoadOp(staged.load).getLoc())
        << "this tile takes " << slotBytes(staged) << " bytes a stage";
  return failure();
}

LogicalResult Planner::planLoop(scf::ForOp loop) {
  std::vector<LoadAccess> loads;
  for (LoadOp load : loop.getBody()->getOps<LoadOp>())
    if (isStaged(load))
      loads.push_back({load, *analysis.analyze(load, nullptr)});
  if (loads.empty())
    return success();
  int64_t stages = numStages(loop);
  if (stages == 0)
    stages = chooseStages(loop, loads);
  if (failed(checkShared(loop, loads, stages)))
    return failure();
  loop->setAttr(kPipelineName, PipelineAttr::get(loop.getContext(), stages));
  int64_t bytes = 0;
  for (const LoadAccess &staged : loads)
    bytes += slotBytes(staged);
  log.chosen(loop, "loop: " + Twine(stages) +
                       (stages == 1 ? " stage of " : " stages of ") +
                       Twine(bytes) + " bytes = " + Twine(stages * bytes) +
                       " of " + Twine(target->sharedBytes));
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
