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
//             there is such an iteration; commit
//   kernel    for each iteration: wait until its own copies have landed; start
//             the copies of iteration i + S-1 into the slot S-1 further on;
//             commit; read slot c; c = next slot
//   epilogue  wait for what is still on its way
//
// The slot that is overwritten was read one iteration before; the barrier that
// the hazard analysis puts after the wait orders the two.  With S = 1 the
// copies of an iteration are started and waited for before it.
//
// What a ring's copies are made with stands behind RingCopier, which other
// mechanisms (TMA, producer warps) join.
//
//===----------------------------------------------------------------------===//

#include "Blocks.h"
#include "Overlap.h"
#include "PlanChecks.h"
#include "Schedule.h"
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

/// A load that became a ring.
struct StagedLoad {
  tile::LoadOp load;
  Access access;
  CopyAttr plan;
  BufferType type;
  Value ring;
};

/// Emits the copies of one iteration and the order around them.
class RingCopier {
public:
  virtual ~RingCopier() = default;
  /// Starts the copies of the iteration whose induction variable is `at.to`
  /// into the slot at `cursor`, if `live` is null or true.
  virtual void start(OpBuilder &builder, const Substitution &at, Value cursor,
                     Value live) = 0;
  /// Waits until all but the last `ahead` iterations' copies have landed.
  virtual void wait(OpBuilder &builder, Location loc, int64_t ahead) = 0;
};

/// Copies that all threads of the program start together: cp.async in groups,
/// plain copies where the plan says so.
class ThreadCopier : public RingCopier {
public:
  explicit ThreadCopier(ArrayRef<StagedLoad> loads) : loads(loads) {
    isAsync = llvm::any_of(loads, [](const StagedLoad &staged) {
      return staged.plan.getMechanism() == CopyMechanism::CpAsync;
    });
    feedsWgmma = llvm::any_of(loads, [](const StagedLoad &staged) {
      return tile::feedsWgmma(staged.load);
    });
  }

  void start(OpBuilder &builder, const Substitution &at, Value cursor,
             Value live) override;
  void wait(OpBuilder &builder, Location loc, int64_t ahead) override {
    if (isAsync)
      WaitOp::create(builder, loc, ahead);
    if (feedsWgmma)
      FenceAsyncOp::create(builder, loc);
  }

private:
  ArrayRef<StagedLoad> loads;
  bool isAsync, feedsWgmma;
};

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
  Value endBefore(OpBuilder &builder, int64_t iterations);
  Value isLive(OpBuilder &builder, Value base, Value end);
  ScalarExpr iterationAfter(Value base, int64_t iterations);

  scf::ForOp loop;
  int64_t stages;
  const AccessAnalysis &analysis;
  std::vector<StagedLoad> loads;
  std::unique_ptr<RingCopier> copier;
};

} // namespace

void ThreadCopier::start(OpBuilder &builder, const Substitution &at,
                         Value cursor, Value live) {
  Location loc = at.from.getLoc();
  for (const StagedLoad &staged : loads) {
    tile::LoadOp load = staged.load;
    loc = load.getLoc();
    MemoryBlock block = materializeBlock(builder, loc, staged.access, at);
    if (staged.plan.getMechanism() == CopyMechanism::CpAsync)
      CopyAsyncOp::create(builder, loc, block.base, block.origin, block.bounds,
                          block.strides, staged.ring, cursor, live,
                          staged.plan);
    else
      CopyOp::create(builder, loc, block.base, block.origin, block.bounds,
                     block.strides, staged.ring, cursor, live, load.getOther(),
                     staged.plan);
  }
  if (isAsync)
    CommitOp::create(builder, loc);
}

LogicalResult Expander::run() {
  if (failed(collect()) || failed(checkOverlap()))
    return failure();
  if (loads.empty()) {
    forgetSchedule(loop);
    return success();
  }
  createRings();
  copier = std::make_unique<ThreadCopier>(loads);
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
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  for (StagedLoad &staged : loads)
    staged.ring = AllocOp::create(builder, staged.load.getLoc(), staged.type,
                                  /*offset=*/nullptr);
}

ScalarExpr Expander::iterationAfter(Value base, int64_t iterations) {
  return ScalarExpr::value(base) +
         ScalarExpr::value(loop.getStep()) * ScalarExpr::constant(iterations);
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
    Value moved = arith::SubIOp::create(builder, loc, end, step);
    Value fits = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                       end, lowest);
    end = arith::SelectOp::create(builder, loc, fits, moved, least);
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
    copier->start(builder,
                  {loop.getInductionVar(), iterationAfter(lower, ahead)}, slot,
                  isLive(builder, lower, endBefore(builder, ahead)));
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
  Substitution at = {loop.getInductionVar(), iterationAfter(iteration, ahead)};
  if (ahead > 0) {
    copier->wait(builder, loc, ahead - 1);
    Value target = AdvanceOp::create(builder, loc, slot.getType(), slot, ahead);
    copier->start(builder, at, target, isLive(builder, iteration, end));
  }
  readSlots(builder, at, slot);
  moveBody(builder, kernel);
  forgetSchedule(kernel);

  builder.setInsertionPointAfter(kernel);
  if (ahead > 0)
    copier->wait(builder, loc, 0);
  loop->replaceAllUsesWith(kernel->getResults().drop_back());
  loop.erase();
}

/// Replaces the staged loads of the old body by reads of their slots.
void Expander::readSlots(OpBuilder &builder, const Substitution &at,
                         Value slot) {
  for (StagedLoad &staged : loads) {
    Location loc = staged.load.getLoc();
    builder.setInsertionPoint(staged.load);
    if (stages == 1) {
      // Where the load stood, since its address may be computed in the loop.
      ThreadCopier own(staged);
      own.start(builder, at, slot, /*live=*/nullptr);
      own.wait(builder, loc, 0);
    }
    auto read = LocalLoadOp::create(builder, loc, staged.load.getType(),
                                    staged.ring, slot);
    staged.load.replaceAllUsesWith(read.getResult());
    staged.load.erase();
  }
}

/// Moves the old body to the end of the new one, and the cursor one slot on.
void Expander::moveBody(OpBuilder &builder, scf::ForOp kernel) {
  Block *body = kernel.getBody();
  body->getOperations().splice(body->end(), loop.getBody()->getOperations());
  for (auto [from, to] : llvm::zip(loop.getBody()->getArguments(),
                                   body->getArguments().drop_back()))
    from.replaceAllUsesWith(to);
  auto yield = cast<scf::YieldOp>(body->getTerminator());
  builder.setInsertionPoint(yield);
  Value slot = kernel.getRegionIterArgs().back();
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
