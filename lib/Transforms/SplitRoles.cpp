//===- SplitRoles.cpp - Split a kernel into producer and consumers --------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that loads tiles, multiplies them in one loop and stores the result
// becomes two roles over rings of slots:
//
//   producer   for each tile, start bringing what the epilogue reads into the
//              cache; for each k: wait until the slot is free, announce
//              the bytes, start the copies
//   consumer   for each tile: the first product overwrites the accumulator; for
//              each further k: wait for the slot, start the product, wait for
//              the one before and release its slot; then the epilogue.  Where
//              the dot promotes its sums, each product is waited for and added
//
// Each role computes its own addresses from a copy of the scalars before the
// loop.  With a persistent grid both walk the tiles of all programs that fall
// to their CTA, and the cursor runs on across them.  In a cluster of two the
// CTAs walk neighbouring tiles in step; where both read the same tile of the
// second operand, each loads half of it for both.
//
//===----------------------------------------------------------------------===//

#include "SplitRoles.h"
#include "Blocks.h"
#include "PlanChecks.h"
#include "ProgramScalars.h"
#include "Roles.h"
#include "Schedule.h"
#include "TensorMaps.h"
#include "tile/Transforms/Passes.h"

#define DEBUG_TYPE "tile-split-roles"

namespace tile {
#define GEN_PASS_DEF_TILESPLITROLESPASS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

/// Warps of a warpgroup; the producer is one.
static constexpr int64_t kWarpgroup = 4;
/// Registers of producer and consumer threads: what 384 threads share of the
/// 65536, the producer needing few (measured on an H200: more or less makes no
/// difference below 168 for the consumers).
static constexpr int64_t kProducerRegisters = 40;
static constexpr int64_t kConsumerRegisters = 232;

/// The swizzle that wgmma reads, in bytes.
static constexpr int64_t kSwizzle = 128;

/// Elements of a box's side at most.
static constexpr int64_t kMaxBoxSide = 256;

//===----------------------------------------------------------------------===//
// What there is
//===----------------------------------------------------------------------===//

LogicalResult RoleSplitter::run() {
  if (failed(check()) || failed(collectOperand(dot.getA())) ||
      failed(collectOperand(dot.getB())))
    return failure();
  accIndex = cast<BlockArgument>(dot.getAcc()).getArgNumber() - 1;
  hoistProgram(kernel);
  collectPrefetches();
  OpBuilder builder(loop);
  createShared(builder);
  auto roles = RolesOp::create(builder, loop.getLoc());
  roles.getBody().emplaceBlock();
  OpBuilder inside = OpBuilder::atBlockEnd(&roles.getBody().front());
  int64_t warpgroups = 1;
  for (int64_t count : dot.getPlan()->getWarps())
    warpgroups *= count;
  RoleOp producer =
      createRole(inside, "producer", kWarpgroup, kProducerRegisters);
  RoleOp consumer = createRole(inside, "consumer", kWarpgroup * warpgroups,
                               kConsumerRegisters);
  emitProducer(producer);
  emitConsumer(consumer);
  eraseOld(roles);
  return success();
}

/// Checks all that the planner checks, since a plan may be written by hand, and
/// finds the loop and its dot.
LogicalResult RoleSplitter::check() {
  std::string reason = reasonAgainstSplit(kernel, analysis);
  if (reason.empty())
    reason = reasonAgainstPlan();
  if (!reason.empty())
    return kernel.emitOpError() << "cannot be split into roles: " << reason;
  kernel.walk([&](DotOp op) { dot = op; });
  loop = cast<scf::ForOp>(dot->getParentOp());
  stages = numStages(loop);
  if (stages < 2)
    return loop.emitOpError()
           << "cannot be split into roles: expected at least 2 stages between "
              "a producer and its consumers, got "
           << stages;
  std::optional<std::pair<int64_t, int64_t>> grid =
      wgmmaGrid(dot, analysis, reason);
  if (!grid)
    return dot.emitOpError()
           << "cannot be split into roles: it is no wgmma: " << reason;
  if (!dot.getPlan() || dot.getPlan()->getInstruction() != Instruction::Wgmma)
    return dot.emitOpError()
           << "cannot be split into roles: expected a plan of wgmma";
  return checkPlan(dot, warpsOf(kernel));
}

/// Why the grid and the clusters of the plan cannot be had.
std::string RoleSplitter::reasonAgainstPlan() {
  bool isPersistent = kernel.getPlanAttr().getString("grid") == "persistent";
  if (!isPersistent)
    return isCluster ? "clusters of two walk a persistent grid" : "";
  std::string reason = reasonAgainstPersistence(kernel);
  if (reason.empty() && isCluster)
    reason = reasonAgainstCluster(kernel, analysis);
  return reason;
}

/// Whether an operand's tile is no smaller than the other's.
static bool isWide(DotOp dot, Value operand) {
  Value other = operand == dot.getA() ? dot.getB() : dot.getA();
  return cast<RankedTensorType>(operand.getType()).getNumElements() >=
         cast<RankedTensorType>(other.getType()).getNumElements();
}

LogicalResult RoleSplitter::collectOperand(Value value) {
  auto load = value.getDefiningOp<tile::LoadOp>();
  if (!load.getPlan() || load.getPlan()->getSwizzle() != kSwizzle)
    return load.emitOpError() << "cannot be split into roles: expected a plan "
                                 "of tma with a 128-byte swizzle";
  FailureOr<Access> access = analysis.analyze(load, nullptr);
  // wgmma has been found to read this image.
  BufferType type = llvm::cantFail(ringType(load, *access, stages));
  // Rows of the map run along the dimension that is not contiguous.
  int64_t rows =
      std::min(type.getShape()[mapOrder(*access).front()], kMaxBoxSide);
  // Each CTA of a cluster issues half of the boxes: there must be two.  A,
  // where it is as wide as B, is better left whole: sharing it cost 5 % at
  // 4096x11008x4096 with A column-major on an H200.
  bool shares = isCluster && (value == dot.getB() || !isWide(dot, value));
  if (shares && rows % 16 == 0 && type.getSlotBytes() == rows * kSwizzle)
    rows /= 2;
  int64_t boxes = type.getSlotBytes() / (rows * kSwizzle);
  shares &= boxes % 2 == 0;
  operands.push_back({load, *access, type, rows, shares, nullptr, nullptr});
  return success();
}

/// Whether the place of an access is computed before the loop, where the
/// producer has it.
bool RoleSplitter::isKnownBefore(const Access &access) {
  return llvm::all_of(access.dims, [&](const AccessDim &dim) {
    return llvm::all_of(dim.origin.values(), [&](Value atom) {
      Operation *op = atom.getDefiningOp();
      return !op || op->getBlock() != loop->getBlock() ||
             op->isBeforeInBlock(loop);
    });
  });
}

void RoleSplitter::collectPrefetches() {
  for (auto load : kernel.getBody().front().getOps<tile::LoadOp>()) {
    FailureOr<Access> access = analysis.analyze(load, nullptr);
    if (failed(access) || access->dims.size() != 2 ||
        !reasonAgainstTma(*access, analysis, kernel).empty())
      continue;
    // A row that is read again and again is in the cache anyway.
    SmallVector<unsigned> order = mapOrder(*access);
    bool repeats = access->dims[order[0]].stride.isZero();
    if (!repeats && isKnownBefore(*access) &&
        access->dims[order[0]].side <= kMaxBoxSide &&
        access->dims[order[1]].side <= kMaxBoxSide)
      prefetches.push_back({load, *access, nullptr});
  }
}

void RoleSplitter::createShared(OpBuilder &builder) {
  Location loc = loop.getLoc();
  MLIRContext *context = kernel.getContext();
  for (RingOperand &operand : operands) {
    Location at = operand.load.getLoc();
    operand.ring =
        AllocOp::create(builder, at, operand.type, /*offset=*/nullptr);
    // wgmma itself would cut.
    operand.map = materializeTensorMap(
        builder, at, operand.access, operand.boxRows, kSwizzle, kSwizzle,
        /*toTf32=*/dot.getPrecision() == Precision::Tf32);
  }
  for (EpilogueTile &prefetch : prefetches) {
    SmallVector<unsigned> order = mapOrder(prefetch.access);
    int64_t bytes = elementBytes(prefetch.access.elementType);
    prefetch.map = materializeTensorMap(
        builder, prefetch.load.getLoc(), prefetch.access,
        prefetch.access.dims[order[0]].side,
        prefetch.access.dims[order[1]].side * bytes, /*swizzle=*/0);
  }
  int64_t warpgroups = 1;
  for (int64_t count : dot.getPlan()->getWarps())
    warpgroups *= count;
  auto type = BarriersType::get(context, stages);
  full = BarriersOp::create(builder, loc, type, /*arrivals=*/1,
                            /*offset=*/nullptr);
  empty =
      BarriersOp::create(builder, loc, type, warpgroups * (isCluster ? 2 : 1),
                         /*offset=*/nullptr);
}

RoleOp RoleSplitter::createRole(OpBuilder &builder, StringRef name,
                                int64_t warps, int64_t registers) {
  auto role = RoleOp::create(builder, loop.getLoc(), name, warps,
                             builder.getI64IntegerAttr(registers));
  role.getBody().emplaceBlock();
  return role;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Calls `body` with the scalars of a tile and the cursor; it returns the
/// cursor after the tile.
template <typename Fn>
void RoleSplitter::forEachTile(OpBuilder &builder, Fn body) {
  Location loc = loop.getLoc();
  Value start = CursorOp::create(builder, loc,
                                 CursorType::get(kernel.getContext(), stages));
  IRMapping scalars;
  if (kernel.getPlanAttr().getString("grid") != "persistent") {
    cloneScalars(builder, loop, scalars);
    body(builder, scalars, start, ClusterPair());
    return;
  }
  Value cta = CtaOp::create(builder, loc);
  Value ctas = NumCtasOp::create(builder, loc);
  Value tiles = materializeNumPrograms(builder, kernel);
  auto walk = scf::ForOp::create(builder, loc, cta, tiles, ctas, start);
  OpBuilder inside = OpBuilder::atBlockBegin(walk.getBody());
  mapProgram(scalars, kernel, walk.getInductionVar(), tiles);
  cloneScalars(inside, loop, scalars);
  ClusterPair pair;
  if (isCluster)
    pair = emitPair(inside, scalars, walk.getInductionVar(), tiles);
  Value next = body(inside, scalars, walk.getRegionIterArg(0), pair);
  scf::YieldOp::create(inside, loc, next);
}

/// Tiles 2i and 2i + 1 fall to the CTAs of one cluster in the same turn.  What
/// the other one reads is computed here too, and compared: which programs share
/// a tile is the program's business.  Where there is no other tile, that of the
/// last one stands for it: a program's arithmetic may divide by zero for one
/// that does not exist.
ClusterPair RoleSplitter::emitPair(OpBuilder &builder, const IRMapping &scalars,
                                   Value tile, Value tiles) {
  Location loc = loop.getLoc();
  Value one =
      arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(1));
  Value other = arith::XOrIOp::create(builder, loc, tile, one);
  Value last = arith::SubIOp::create(builder, loc, tiles, one);
  Value existing = arith::MinSIOp::create(builder, loc, other, last);
  IRMapping otherScalars;
  mapProgram(otherScalars, kernel, existing, tiles);
  cloneScalars(builder, loop, otherScalars);
  ClusterPair pair;
  pair.paired = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                      other, tiles);
  for (RingOperand &operand : operands) {
    if (!operand.shares) {
      pair.shared.push_back(Value());
      continue;
    }
    Value same = pair.paired;
    for (const AccessDim &dim : operand.access.dims) {
      Value start = loop.getLowerBound();
      Value here = materializeScalar(builder, loop, dim.origin, scalars,
                                     scalars.lookupOrDefault(start));
      Value there = materializeScalar(builder, loop, dim.origin, otherScalars,
                                      otherScalars.lookupOrDefault(start));
      Value equal = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::eq, here, there);
      same = arith::AndIOp::create(builder, loc, same, equal);
    }
    pair.shared.push_back(same);
  }
  return pair;
}

//===----------------------------------------------------------------------===//
// Producer
//===----------------------------------------------------------------------===//

void RoleSplitter::emitProducer(RoleOp role) {
  OpBuilder builder = OpBuilder::atBlockEnd(&role.getBody().front());
  forEachTile(builder, [&](OpBuilder &inside, IRMapping &scalars, Value cursor,
                           const ClusterPair &pair) {
    return produceTile(inside, scalars, cursor, pair);
  });
}

Value RoleSplitter::produceTile(OpBuilder &builder, const IRMapping &scalars,
                                Value cursor, const ClusterPair &pair) {
  Location loc = loop.getLoc();
  for (EpilogueTile &prefetch : prefetches) {
    SmallVector<Value> origin;
    for (unsigned dim : mapOrder(prefetch.access))
      origin.push_back(materializeScalar(
          builder, loop, prefetch.access.dims[dim].origin, scalars, Value()));
    TmaPrefetchOp::create(builder, prefetch.load.getLoc(), prefetch.map,
                          origin);
  }
  auto walk = scf::ForOp::create(
      builder, loc, scalars.lookupOrDefault(loop.getLowerBound()),
      scalars.lookupOrDefault(loop.getUpperBound()),
      scalars.lookupOrDefault(loop.getStep()), cursor);
  OpBuilder inside = OpBuilder::atBlockBegin(walk.getBody());
  Value slot = walk.getRegionIterArg(0);
  WaitFreeOp::create(inside, loc, empty, slot);
  int64_t bytes = 0;
  for (RingOperand &operand : operands)
    bytes += operand.type.getSlotBytes();
  ExpectOp::create(inside, loc, full, slot, bytes);
  for (RingOperand &operand : operands) {
    SmallVector<Value> origin;
    for (unsigned dim : mapOrder(operand.access))
      origin.push_back(materializeScalar(inside, loop,
                                         operand.access.dims[dim].origin,
                                         scalars, walk.getInductionVar()));
    Value shared;
    if (!pair.shared.empty())
      shared = pair.shared[&operand - operands.data()];
    TmaLoadOp::create(inside, operand.load.getLoc(), operand.map, origin,
                      operand.ring, slot, full, shared);
  }
  Value next = AdvanceOp::create(inside, loc, slot.getType(), slot, 1);
  scf::YieldOp::create(inside, loc, next);
  return walk.getResult(0);
}

//===----------------------------------------------------------------------===//
// Consumer
//===----------------------------------------------------------------------===//

bool RoleSplitter::storesByEngine() {
  return llvm::any_of(kernel.getBody().front().getOps<tile::StoreOp>(),
                      [](tile::StoreOp store) {
                        return store.getPlan() &&
                               store.getPlan()->getMechanism() ==
                                   CopyMechanism::Tma;
                      });
}

void RoleSplitter::emitConsumer(RoleOp role) {
  OpBuilder builder = OpBuilder::atBlockEnd(&role.getBody().front());
  forEachTile(builder, [&](OpBuilder &inside, IRMapping &scalars, Value cursor,
                           const ClusterPair &pair) {
    return consumeTile(inside, scalars, cursor, pair);
  });
  builder.setInsertionPointToEnd(&role.getBody().front());
  if (storesByEngine())
    TmaStoreWaitOp::create(builder, loop.getLoc());
}

void RoleSplitter::eraseOld(RolesOp roles) {
  SmallVector<Operation *> old;
  for (Operation *op = loop; !isa<ReturnOp>(op); op = op->getNextNode())
    old.push_back(op);
  for (Operation *op : llvm::reverse(old))
    op->erase();
}

namespace {
struct SplitRoles : public tile::impl::TileSplitRolesPassBase<SplitRoles> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    PlanAttr plan = kernel.getPlanAttr();
    if (!plan || plan.getString("roles") != "split")
      return;
    if (failed(RoleSplitter(kernel).run()))
      signalPassFailure();
  }
};
} // namespace
