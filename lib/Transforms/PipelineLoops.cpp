//===- PipelineLoops.cpp - Expand schedules into rings of slots -----------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For a loop of S stages, with its staged loads L:
//
//   rings     one for each load, S slots; a cursor c on the first slot
//   prologue  for s in 0 .. S-2: start copies of iteration s into slot s, if
//             there is such an iteration
//   kernel    for each iteration: wait until its own copies have landed; start
//             the copies of iteration i + S-1 into the slot S-1 further on;
//             read slot c; release it; c = next slot
//   epilogue  wait for what is still on its way
//
// The slot that is overwritten was read one iteration before.  Where threads
// copy, the barrier that the hazard analysis puts after the wait orders the
// two; the copy engine has barriers of its own.  Copies start before the
// iteration reads, unless the tensor cores read by themselves (wgmma): then
// they start while the first product runs, which hides what threads take for
// them.  With S = 1 the copies of an iteration are started and waited for
// before it.
//
// What a ring's copies are made with stands behind RingCopier.
//
//===----------------------------------------------------------------------===//

#include "AheadScalars.h"
#include "Overlap.h"
#include "PlanChecks.h"
#include "RingCopiers.h"
#include "Schedule.h"
#include "TmaLoads.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#define DEBUG_TYPE "tile-pipeline-loops"

namespace tile {
#define GEN_PASS_DEF_TILEPIPELINELOOPSPASS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

namespace {

/// Takes the schedule off a loop that has been expanded.
static void forgetSchedule(scf::ForOp loop) {
  loop->removeAttr(kPipelineName);
  for (Operation &op : *loop.getBody())
    op.removeAttr(kStageName);
}

/// Expands one loop.
class Expander {
public:
  Expander(scf::ForOp loop, const AccessAnalysis &analysis)
      : loop(loop), stages(numStages(loop)), analysis(analysis) {}
  LogicalResult run();

private:
  LogicalResult collect();
  LogicalResult collect(tile::LoadOp load);
  LogicalResult checkOverlap();
  void createRings();
  Value emitPrologue(OpBuilder &builder);
  void emitKernel(OpBuilder &builder, Value cursor);
  void readSlots(OpBuilder &builder, const Substitution &at, Value slot);
  void moveBody(OpBuilder &builder, scf::ForOp kernel);
  void startInside(OpBuilder &builder, scf::ForOp kernel,
                   const Substitution &at, Value slot, Value end);
  Value endBefore(OpBuilder &builder, int64_t iterations);
  Value isLive(OpBuilder &builder, Value base, Value end);
  ScalarExpr iterationAfter(Value base, int64_t iterations);
  Substitution substitutionFor(OpBuilder &builder, Value base,
                               int64_t iterations);

  scf::ForOp loop;
  int64_t stages;
  const AccessAnalysis &analysis;
  std::vector<StagedLoad> loads;
  SmallVector<std::unique_ptr<RingCopier>, 2> copiers;
};

} // namespace

LogicalResult Expander::run() {
  if (failed(collect()) || failed(checkOverlap()))
    return failure();
  if (loads.empty()) {
    forgetSchedule(loop);
    return success();
  }
  createRings();
  OpBuilder builder(loop);
  Value cursor = emitPrologue(builder);
  emitKernel(builder, cursor);
  return success();
}

LogicalResult Expander::collect() {
  for (tile::LoadOp load : loop.getBody()->getOps<tile::LoadOp>())
    if (isStaged(load) && stageOf(load) == 0 && failed(collect(load)))
      return failure();
  return success();
}

LogicalResult Expander::collect(tile::LoadOp load) {
  std::string reason;
  FailureOr<Access> access = analysis.analyze(load, &reason);
  if (failed(access))
    return load.emitOpError()
           << "cannot be staged: expected a strided block, but " << reason;
  if (failed(checkPlan(load, *access, analysis)))
    return failure();
  llvm::Expected<BufferType> type = ringType(load, *access, stages);
  if (!type)
    return load.emitOpError()
           << "cannot be staged: " << llvm::toString(type.takeError());
  if (load.getPlan()->getMechanism() == CopyMechanism::Tma)
    reason = reasonAgainstTmaLoad(load, *access, analysis);
  if (!reason.empty())
    return load.emitOpError()
           << "cannot go through the copy engine, which its plan asks for: "
           << reason;
  loads.push_back({load, *access, *load.getPlan(), *type, nullptr});
  return success();
}

LogicalResult Expander::checkOverlap() {
  if (stages == 1)
    return success();
  std::vector<LoadAccess> ahead;
  for (const StagedLoad &staged : loads)
    ahead.push_back({staged.load, staged.access});
  std::string reason = reasonAgainstOverlap(loop, ahead);
  if (reason.empty() || loads.empty())
    return success();
  return loop.emitOpError() << "cannot have " << stages
                            << " stages, which its plan asks for: " << reason;
}

void Expander::createRings() {
  KernelOp kernel = loop->getParentOfType<KernelOp>();
  // A ring is the loop's, but one that the copy engine fills, and its barriers,
  // are there all the time.
  OpBuilder before(loop);
  OpBuilder entry = OpBuilder::atBlockBegin(&kernel.getBody().front());
  for (StagedLoad &staged : loads) {
    bool isTma = staged.plan.getMechanism() == CopyMechanism::Tma;
    staged.ring = AllocOp::create(isTma ? entry : before, staged.load.getLoc(),
                                  staged.type, /*offset=*/nullptr);
  }
  // With one stage each load is copied where it stood, since its address may be
  // computed in the loop.
  std::vector<StagedLoad> byThreads, byEngine;
  for (StagedLoad &staged : loads) {
    bool isTma = staged.plan.getMechanism() == CopyMechanism::Tma;
    if (stages > 1)
      (isTma ? byEngine : byThreads).push_back(staged);
    else
      copiers.push_back(isTma ? createTmaCopier(staged, loop, stages)
                              : createThreadCopier(staged));
  }
  if (!byThreads.empty())
    copiers.push_back(createThreadCopier(byThreads));
  if (!byEngine.empty())
    copiers.push_back(createTmaCopier(byEngine, loop, stages));
}

ScalarExpr Expander::iterationAfter(Value base, int64_t iterations) {
  return ScalarExpr::value(base) +
         ScalarExpr::value(loop.getStep()) * ScalarExpr::constant(iterations);
}

/// What stands, in copies for the iteration so many after `base`, for what the
/// loop computes; made at the builder's place.
Substitution Expander::substitutionFor(OpBuilder &builder, Value base,
                                       int64_t iterations) {
  Substitution at = {loop.getInductionVar(), iterationAfter(base, iterations)};
  llvm::SetVector<Value> computed;
  // With one stage, copies stand where the loop has computed it.
  if (stages > 1)
    for (const StagedLoad &staged : loads)
      computed.insert_range(scalarsComputedIn(loop, staged.access));
  computeAhead(builder, loop, computed.getArrayRef(), at);
  return at;
}

/// The value that an induction variable must be below for the iteration so many
/// further on to exist.  Nothing overflows: 32 bits are widened, and 64 bits
/// stop at the least value.  It does not change in the loop.
Value Expander::endBefore(OpBuilder &builder, int64_t iterations) {
  Location loc = loop.getLoc();
  Type type = loop.getInductionVar().getType();
  bool isNarrow = type.isInteger() && type.getIntOrFloatBitWidth() <= 32;
  Type wide = isNarrow ? builder.getI64Type() : type;
  if (isNarrow)
    return (ScalarExpr::value(loop.getUpperBound()) -
            ScalarExpr::value(loop.getStep()) *
                ScalarExpr::constant(iterations))
        .materialize(builder, loc, wide);
  Value end = loop.getUpperBound(), step = loop.getStep();
  if (iterations == 0)
    return end;
  Value least = arith::ConstantOp::create(
      builder, loc,
      builder.getIntegerAttr(wide, std::numeric_limits<int64_t>::min()));
  Value lowest = arith::AddIOp::create(builder, loc, least, step);
  for (int64_t iteration = 0; iteration < iterations; ++iteration) {
    Value kept = arith::MaxSIOp::create(builder, loc, end, lowest);
    end = arith::SubIOp::create(builder, loc, kept, step);
  }
  return end;
}

Value Expander::isLive(OpBuilder &builder, Value base, Value end) {
  Location loc = loop.getLoc();
  Value here = ScalarExpr::value(base).materialize(builder, loc, end.getType());
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, here,
                               end);
}

Value Expander::emitPrologue(OpBuilder &builder) {
  Location loc = loop.getLoc();
  Value lower = loop.getLowerBound();
  auto type = CursorType::get(loop.getContext(), stages);
  Value cursor = CursorOp::create(builder, loc, type);
  for (int64_t ahead = 0; ahead < stages - 1; ++ahead) {
    Value slot = cursor;
    if (ahead > 0)
      slot = AdvanceOp::create(builder, loc, type, cursor, ahead);
    Value live = isLive(builder, lower, endBefore(builder, ahead));
    Substitution at = substitutionFor(builder, lower, ahead);
    for (auto &copier : copiers)
      copier->start(builder, at, slot, live);
  }
  return cursor;
}

void Expander::emitKernel(OpBuilder &builder, Value cursor) {
  Location loc = loop.getLoc();
  int64_t ahead = stages - 1;
  Value end = ahead > 0 ? endBefore(builder, ahead) : Value();
  SmallVector<Value> inits(loop.getInitArgs());
  inits.push_back(cursor);
  auto kernel = scf::ForOp::create(
      builder, loc, loop.getLowerBound(), loop.getUpperBound(), loop.getStep(),
      inits, /*bodyBuilder=*/nullptr, loop.getUnsignedCmp());
  kernel->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  Value slot = kernel.getRegionIterArgs().back();
  Value iteration = kernel.getInductionVar();

  builder.setInsertionPointToStart(kernel.getBody());
  Substitution at = substitutionFor(builder, iteration, ahead);
  for (auto &copier : copiers) {
    if (ahead == 0)
      break;
    copier->wait(builder, loc, slot, ahead - 1);
    if (copier->startsInside())
      continue;
    Value target = AdvanceOp::create(builder, loc, slot.getType(), slot, ahead);
    copier->start(builder, at, target, isLive(builder, iteration, end));
  }
  readSlots(builder, at, slot);
  moveBody(builder, kernel);
  if (ahead > 0)
    startInside(builder, kernel, at, slot, end);
  forgetSchedule(kernel);

  builder.setInsertionPointAfter(kernel);
  for (auto &copier : copiers)
    if (ahead > 0)
      copier->drain(builder, loc);
  loop->replaceAllUsesWith(kernel->getResults().drop_back());
  loop.erase();
}

/// Replaces the staged loads of the old body by reads of their slots.
void Expander::readSlots(OpBuilder &builder, const Substitution &at,
                         Value slot) {
  for (auto [index, staged] : llvm::enumerate(loads)) {
    Location loc = staged.load.getLoc();
    builder.setInsertionPoint(staged.load);
    if (stages == 1) {
      copiers[index]->start(builder, at, slot, /*live=*/nullptr);
      copiers[index]->wait(builder, loc, slot, 0);
    }
    auto read = LocalLoadOp::create(builder, loc, staged.load.getType(),
                                    staged.ring, slot);
    staged.load.replaceAllUsesWith(read.getResult());
    staged.load.erase();
  }
}

/// Starts copies behind the first product of the new body, or at its end.
void Expander::startInside(OpBuilder &builder, scf::ForOp kernel,
                           const Substitution &at, Value slot, Value end) {
  auto dots = kernel.getBody()->getOps<DotOp>();
  if (dots.empty())
    builder.setInsertionPoint(kernel.getBody()->getTerminator());
  else
    builder.setInsertionPointAfter(*dots.begin());
  for (auto &copier : copiers) {
    if (!copier->startsInside())
      continue;
    Value target = AdvanceOp::create(builder, loop.getLoc(), slot.getType(),
                                     slot, stages - 1);
    copier->start(builder, at, target,
                  isLive(builder, kernel.getInductionVar(), end));
  }
}

/// Moves the old body to the end of the new one, releases its slot and moves
/// the cursor one slot on.
void Expander::moveBody(OpBuilder &builder, scf::ForOp kernel) {
  Block *body = kernel.getBody();
  body->getOperations().splice(body->end(), loop.getBody()->getOperations());
  for (auto [from, to] : llvm::zip(loop.getBody()->getArguments(),
                                   body->getArguments().drop_back()))
    from.replaceAllUsesWith(to);
  auto yield = cast<scf::YieldOp>(body->getTerminator());
  builder.setInsertionPoint(yield);
  Value slot = kernel.getRegionIterArgs().back();
  for (auto &copier : copiers)
    copier->release(builder, loop.getLoc(), slot);
  Value next =
      AdvanceOp::create(builder, loop.getLoc(), slot.getType(), slot, 1);
  yield.getResultsMutable().append(next);
}

namespace {
struct PipelineLoops
    : public tile::impl::TilePipelineLoopsPassBase<PipelineLoops> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (numStages(loop) > 0)
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops) {
      // Each expansion moves ops, so that the facts are gathered anew.
      AccessAnalysis analysis(getOperation());
      if (failed(verifySchedule(loop)) ||
          failed(Expander(loop, analysis).run()))
        return signalPassFailure();
    }
  }
};
} // namespace
