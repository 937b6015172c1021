//===- SplitTails.cpp - Whole tiles are copied without masks --------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop over k masks each copy, although only its last step may have a tail,
// and only the last programs of a row or column lie on an edge.  Here the
// copies of a step branch on whether all their tiles are whole:
//
//   scf.if %whole {        one uniform branch for all copies of the step
//     copies without bounds, all of them live
//   } else {
//     the copies as they were
//   }
//
// Splitting the loop itself would empty the ring between body and tail, and
// double the code of the products; what the masks concern is the copies alone.
//
// 1. Find runs of copies in loops with nothing but arithmetic between them.
// 2. Compute whether a run is whole: invariant comparisons first, so that they
//    can leave the loop.
// 3. Put the run into the branch, and a copy of it, without bounds, before.
//
//===----------------------------------------------------------------------===//

#include "tile/GPU/Bounds.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

#define DEBUG_TYPE "tile-gpu-split-tails"

namespace tile {
#define GEN_PASS_DEF_TILEGPUSPLITTAILSPASS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

/// Whether a bound bounds nothing.
static bool isUnbounded(Value bound) {
  APInt value;
  return matchPattern(bound, m_ConstantInt(&value)) &&
         isNoBound(value.getSExtValue(), value.getBitWidth());
}

namespace {
/// One dimension of a copy is whole where origin + side <= bound.
struct Extent {
  Value origin, bound;
  int64_t side;

  bool operator==(const Extent &other) const {
    return origin == other.origin && bound == other.bound && side == other.side;
  }
};

/// Copies of one block with nothing but arithmetic between them.
class CopyRun {
public:
  explicit CopyRun(LoopLikeOpInterface loop) : loop(loop) {}

  template <typename CopyT>
  void add(CopyT copy);
  /// Splits the run unless nothing bounds it, and starts a new one; whether it
  /// did.
  bool split();

private:
  Value isWhole(OpBuilder &builder, const Extent &extent);
  Value isWhole(OpBuilder &builder);
  Value unboundedOf(Type type, scf::IfOp branch);

  LoopLikeOpInterface loop;
  SmallVector<Operation *, 2> copies;
  SmallVector<Extent, 4> extents;
  llvm::SmallSetVector<Value, 1> lives;
  llvm::SmallDenseMap<Type, Value, 1> unbounded;
};
} // namespace

template <typename CopyT>
void CopyRun::add(CopyT copy) {
  copies.push_back(copy);
  if (copy.getLive())
    lives.insert(copy.getLive());
  ArrayRef<int64_t> sides = copy.getBuffer().getType().getShape();
  for (auto [origin, bound, side] :
       llvm::zip_equal(copy.getOrigin(), copy.getBounds(), sides)) {
    Extent extent = {origin, bound, side};
    if (!isUnbounded(bound) && !llvm::is_contained(extents, extent))
      extents.push_back(extent);
  }
}

/// origin < bound - (side - 1), where nothing overflows: 32 bits are widened,
/// and 64 bits stop at the least value, which no origin is below.
Value CopyRun::isWhole(OpBuilder &builder, const Extent &extent) {
  Location loc = copies.front()->getLoc();
  Type i64 = builder.getI64Type();
  auto constant = [&](int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(value));
  };
  Value origin = extent.origin, bound = extent.bound;
  if (!origin.getType().isInteger(64)) {
    origin = arith::ExtSIOp::create(builder, loc, i64, origin);
    bound = arith::ExtSIOp::create(builder, loc, i64, bound);
  } else {
    int64_t least = std::numeric_limits<int64_t>::min() + extent.side - 1;
    bound = arith::MaxSIOp::create(builder, loc, bound, constant(least));
  }
  Value end =
      arith::SubIOp::create(builder, loc, bound, constant(extent.side - 1));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, origin,
                               end);
}

Value CopyRun::isWhole(OpBuilder &builder) {
  Location loc = copies.front()->getLoc();
  Value all;
  auto add = [&](Value condition) {
    all = all ? arith::AndIOp::create(builder, loc, all, condition).getResult()
              : condition;
  };
  for (bool isInvariant : {true, false})
    for (const Extent &extent : extents)
      if (isInvariant == (loop.isDefinedOutsideOfLoop(extent.origin) &&
                          loop.isDefinedOutsideOfLoop(extent.bound)))
        add(isWhole(builder, extent));
  for (Value live : lives)
    add(live);
  return all;
}

/// Takes the bounds, and the condition that holds anyway, off a copy.
template <typename CopyT>
static void dropBounds(CopyT copy, Value unbounded) {
  copy.getBoundsMutable().assign(
      SmallVector<Value>(copy.getBounds().size(), unbounded));
  copy.getLiveMutable().clear();
}

/// The bound of a type that bounds nothing, before the branch.
Value CopyRun::unboundedOf(Type type, scf::IfOp branch) {
  Value &value = unbounded[type];
  if (!value) {
    OpBuilder builder(branch);
    int64_t most = noBound(type.getIntOrFloatBitWidth());
    value = arith::ConstantOp::create(builder, branch.getLoc(),
                                      builder.getIntegerAttr(type, most));
  }
  return value;
}

bool CopyRun::split() {
  bool isBounded = !extents.empty();
  if (isBounded) {
    Operation *last = copies.back();
    OpBuilder builder(last);
    auto branch =
        scf::IfOp::create(builder, copies.front()->getLoc(), isWhole(builder),
                          /*withElseRegion=*/true);
    OpBuilder whole = branch.getThenBodyBuilder();
    for (Operation *copy : copies) {
      llvm::TypeSwitch<Operation *>(whole.clone(*copy))
          .Case<CopyAsyncOp, CopyOp>([&](auto typed) {
            dropBounds(typed, unboundedOf(typed.getIndexType(), branch));
          });
      copy->moveBefore(branch.elseBlock()->getTerminator());
    }
  }
  *this = CopyRun(loop);
  return isBounded;
}

/// Splits the runs of a loop's body; how many there were.
static unsigned splitRuns(LoopLikeOpInterface loop, Block &body) {
  CopyRun run(loop);
  unsigned count = 0;
  for (Operation &op : llvm::make_early_inc_range(body)) {
    llvm::TypeSwitch<Operation *>(&op)
        .Case<CopyAsyncOp, CopyOp>([&](auto copy) { run.add(copy); })
        .Default([&](Operation *other) {
          if (!isMemoryEffectFree(other) || other->getNumRegions() != 0)
            count += run.split();
        });
  }
  return count + run.split();
}

namespace {
struct SplitTails : public tile::impl::TileGPUSplitTailsPassBase<SplitTails> {
  void runOnOperation() override {
    PlanAttr plan = getOperation().getPlanAttr();
    if (!plan || plan.getString("tail") != "split")
      return;
    SmallVector<LoopLikeOpInterface> loops;
    getOperation().walk(
        [&](LoopLikeOpInterface loop) { loops.push_back(loop); });
    for (LoopLikeOpInterface loop : loops)
      for (Region *region : loop.getLoopRegions())
        for (Block &block : *region)
          numSplit += splitRuns(loop, block);
  }
};
} // namespace
