//===- PipelineLoops.cpp - Expand schedules into rings of slots ------------===//
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
// the hazard analysis puts after the wait orders the two.  With S = 1 the copies
// of an iteration are started and waited for before it.
//
// What a ring's copies are made with stands behind RingCopier, which other
// mechanisms (TMA, producer warps) join.
//
//===----------------------------------------------------------------------===//

#include "Blocks.h"
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
  }

  void start(OpBuilder &builder, const Substitution &at, Value cursor,
             Value live) override;
  void wait(OpBuilder &builder, Location loc, int64_t ahead) override {
    if (isAsync)
      WaitOp::create(builder, loc, ahead);
  }

private:
  ArrayRef<StagedLoad> loads;
  bool isAsync;
};

/// Expands one loop.
class Expander {
public:
  Expander(scf::ForOp loop, const AccessAnalysis &analysis)
      : loop(loop), stages(numStages(loop)), analysis(analysis) {}
  LogicalResult run();

private:
  LogicalResult collect();
  void createRings();
  Value emitPrologue(OpBuilder &builder);
  void emitKernel(OpBuilder &builder, Value cursor);
  Value isLive(OpBuilder &builder, Value base, int64_t iterations);
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
                          block.strides, staged.ring, cursor, live, staged.plan);
    else
      CopyOp::create(builder, loc, block.base, block.origin, block.bounds,
                     block.strides, staged.ring, cursor, live, load.getOther(),
                     staged.plan);
  }
  if (isAsync)
    CommitOp::create(builder, loc);
}

LogicalResult Expander::run() {
  if (failed(collect()))
    return failure();
  if (loads.empty())
    return success();
  createRings();
  copier = std::make_unique<ThreadCopier>(loads);
  OpBuilder builder(loop);
  Value cursor = emitPrologue(builder);
  emitKernel(builder, cursor);
  return success();
}

LogicalResult Expander::collect() {
  for (tile::LoadOp load : loop.getBody()->getOps<tile::LoadOp>()) {
    if (stageOf(load) != 0 || !load.getPlan() ||
        load.getPlan()->getMechanism() == CopyMechanism::Registers)
      continue;
    std::string reason;
    FailureOr<Access> access = analysis.analyze(load, &reason);
    if (failed(access))
      return load.emitOpError()
             << "cannot be staged: expected a strided block, but " << reason;
    if (Value other = load.getOther();
        other && isa<RankedTensorType>(other.getType()))
      return load.emitOpError() << "cannot be staged: expected other to be a "
                                   "scalar, got "
                                << other.getType();
    loads.push_back({load, *access, *load.getPlan(), nullptr});
  }
  return success();
}

void Expander::createRings() {
  KernelOp kernel = loop->getParentOfType<KernelOp>();
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  for (StagedLoad &staged : loads)
    staged.ring = AllocOp::create(
        builder, staged.load.getLoc(),
        llvm::cantFail(ringType(staged.load, staged.access, stages)),
        /*offset=*/nullptr);
}

ScalarExpr Expander::iterationAfter(Value base, int64_t iterations) {
  return ScalarExpr::value(base) + ScalarExpr::value(loop.getStep()) *
                                       ScalarExpr::constant(iterations);
}

Value Expander::isLive(OpBuilder &builder, Value base, int64_t iterations) {
  // In 64 bits: the induction variable may be close to its type's maximum.
  Location loc = loop.getLoc();
  Type type = base.getType().isIndex() ? base.getType() : builder.getI64Type();
  Value here = iterationAfter(base, iterations).materialize(builder, loc, type);
  Value end = ScalarExpr::value(loop.getUpperBound())
                  .materialize(builder, loc, type);
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
                  isLive(builder, lower, ahead));
  }
  return cursor;
}

void Expander::emitKernel(OpBuilder &builder, Value cursor) {
  Location loc = loop.getLoc();
  SmallVector<Value> inits(loop.getInitArgs());
  inits.push_back(cursor);
  auto kernel = scf::ForOp::create(builder, loc, loop.getLowerBound(),
                                   loop.getUpperBound(), loop.getStep(), inits);
  Block *body = kernel.getBody();
  Value slot = kernel.getRegionIterArgs().back();
  Value iteration = kernel.getInductionVar();

  builder.setInsertionPointToStart(body);
  int64_t ahead = stages - 1;
  Substitution at = {loop.getInductionVar(), iterationAfter(iteration, ahead)};
  if (ahead > 0) {
    copier->wait(builder, loc, ahead - 1);
    Value target =
        AdvanceOp::create(builder, loc, slot.getType(), slot, ahead);
    copier->start(builder, at, target, isLive(builder, iteration, ahead));
  }

  // The old body follows; its loads read their slots.
  for (StagedLoad &staged : loads) {
    builder.setInsertionPoint(staged.load);
    if (ahead == 0) {
      // Where the load stood, since its address may be computed in the loop.
      ThreadCopier own(staged);
      own.start(builder, at, slot, /*live=*/nullptr);
      own.wait(builder, loc, 0);
    }
    auto read = LocalLoadOp::create(builder, staged.load.getLoc(),
                                    staged.load.getType(), staged.ring, slot);
    staged.load.replaceAllUsesWith(read.getResult());
    staged.load.erase();
  }
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  SmallVector<Value> yielded(yield.getOperands());
  Location yieldLoc = yield.getLoc();
  yield.erase();
  body->getOperations().splice(body->end(), loop.getBody()->getOperations());
  loop.getInductionVar().replaceAllUsesWith(iteration);
  for (auto [from, to] :
       llvm::zip(loop.getRegionIterArgs(), kernel.getRegionIterArgs()))
    from.replaceAllUsesWith(to);
  for (Operation &op : *body)
    op.removeAttr(kStageName);
  builder.setInsertionPointToEnd(body);
  yielded.push_back(
      AdvanceOp::create(builder, loc, slot.getType(), slot, 1));
  for (Value &value : yielded)
    if (auto argument = dyn_cast<BlockArgument>(value);
        argument && argument.getOwner() == loop.getBody())
      value = argument.getArgNumber() == 0
                  ? iteration
                  : kernel.getRegionIterArg(argument.getArgNumber() - 1);
  scf::YieldOp::create(builder, yieldLoc, yielded);

  builder.setInsertionPointAfter(kernel);
  if (ahead > 0)
    copier->wait(builder, loc, 0);
  loop->replaceAllUsesWith(kernel->getResults().drop_back());
  loop.erase();
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
