//===- RingCopiers.cpp - What fills the rings of a loop -------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RingCopiers.h"

#include "PlanChecks.h"
#include "TensorMaps.h"
#include "TmaLoads.h"

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

//===----------------------------------------------------------------------===//
// By threads
//===----------------------------------------------------------------------===//

namespace {
class ThreadCopier : public RingCopier {
public:
  explicit ThreadCopier(ArrayRef<StagedLoad> loads);

  void start(OpBuilder &builder, const Substitution &at, Value cursor,
             Value live) override;
  void wait(OpBuilder &builder, Location loc, Value, int64_t ahead) override {
    if (!isAsync)
      return;
    WaitOp::create(builder, loc, ahead);
    if (feedsWgmma)
      FenceAsyncOp::create(builder, loc);
  }
  void drain(OpBuilder &builder, Location loc) override {
    wait(builder, loc, Value(), 0);
  }
  /// The tensor cores read slots by themselves while threads copy.
  bool startsInside() const override { return feedsWgmma; }

private:
  /// A ring, where its tiles come from, and what fills masked elements.
  struct Source {
    Location loc;
    Access access;
    Value other, ring;
    CopyAttr plan;
  };
  std::vector<Source> sources;
  bool isAsync = false, feedsWgmma = false;
};
} // namespace

ThreadCopier::ThreadCopier(ArrayRef<StagedLoad> loads) {
  for (const StagedLoad &staged : loads) {
    // The load is gone when the last copies are made.
    tile::LoadOp load = staged.load;
    sources.push_back({load.getLoc(), staged.access, load.getOther(),
                       staged.ring, staged.plan});
    isAsync |= staged.plan.getMechanism() == CopyMechanism::CpAsync;
    feedsWgmma |= tile::feedsWgmma(load);
  }
}

void ThreadCopier::start(OpBuilder &builder, const Substitution &at,
                         Value cursor, Value live) {
  Location loc = at.from.getLoc();
  for (const Source &source : sources) {
    loc = source.loc;
    MemoryBlock block = materializeBlock(builder, loc, source.access, at);
    if (source.plan.getMechanism() == CopyMechanism::CpAsync)
      CopyAsyncOp::create(builder, loc, block.base, block.origin, block.bounds,
                          block.strides, source.ring, cursor, live,
                          source.plan);
    else
      CopyOp::create(builder, loc, block.base, block.origin, block.bounds,
                     block.strides, source.ring, cursor, live, source.other,
                     source.plan);
  }
  if (isAsync)
    CommitOp::create(builder, loc);
  else if (feedsWgmma)
    // Behind the writes, wherever the barrier comes to stand.
    FenceAsyncOp::create(builder, loc);
}

std::unique_ptr<RingCopier>
tile::createThreadCopier(ArrayRef<StagedLoad> loads) {
  return std::make_unique<ThreadCopier>(loads);
}

//===----------------------------------------------------------------------===//
// By the copy engine
//===----------------------------------------------------------------------===//

/// Warps of a warpgroup.
static constexpr int64_t kWarpgroup = 4;

namespace {
class TmaCopier : public RingCopier {
public:
  TmaCopier(ArrayRef<StagedLoad> loads, scf::ForOp loop, int64_t stages);

  void start(OpBuilder &builder, const Substitution &at, Value cursor,
             Value live) override;
  void wait(OpBuilder &builder, Location loc, Value cursor, int64_t) override {
    WaitFullOp::create(builder, loc, full, cursor);
  }
  void release(OpBuilder &builder, Location loc, Value cursor) override {
    ReleaseOp::create(builder, loc, empty, cursor, /*paired=*/Value());
  }
  bool startsInside() const override { return true; }

private:
  /// A ring and where its tiles come from.
  struct Source {
    Location loc;
    Access access;
    Value map, ring;
  };
  std::vector<Source> sources;
  /// Bytes of one turn of all rings.
  int64_t bytes = 0;
  Value full, empty;
};
} // namespace

TmaCopier::TmaCopier(ArrayRef<StagedLoad> loads, scf::ForOp loop,
                     int64_t stages) {
  auto kernel = loop->getParentOfType<KernelOp>();
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  auto type = BarriersType::get(loop.getContext(), stages);
  full = BarriersOp::create(builder, loop.getLoc(), type, /*arrivals=*/1,
                            /*offset=*/nullptr);
  empty = BarriersOp::create(builder, loop.getLoc(), type,
                             warpsOf(kernel) / kWarpgroup, /*offset=*/nullptr);
  for (const StagedLoad &staged : loads) {
    // The load is gone when the last copies are made.
    Location loc = tile::LoadOp(staged.load).getLoc();
    int64_t swizzle = staged.plan.getSwizzle();
    Value map = materializeTensorMap(builder, loc, staged.access,
                                     boxRows(staged.access), swizzle, swizzle);
    sources.push_back({loc, staged.access, map, staged.ring});
    bytes += staged.type.getSlotBytes();
  }
}

void TmaCopier::start(OpBuilder &outer, const Substitution &at, Value cursor,
                      Value live) {
  Location loc = at.from.getLoc();
  OpBuilder builder = outer;
  if (live) {
    auto branch = scf::IfOp::create(outer, loc, live, /*withElseRegion=*/false);
    builder = OpBuilder::atBlockBegin(branch.thenBlock());
  }
  WaitFreeOp::create(builder, loc, empty, cursor);
  ExpectOp::create(builder, loc, full, cursor, bytes);
  for (const Source &source : sources) {
    SmallVector<Value> origin;
    for (unsigned dim : mapOrder(source.access))
      origin.push_back(
          at.apply(source.access.dims[dim].origin)
              .materialize(builder, source.loc, builder.getI32Type()));
    TmaLoadOp::create(builder, source.loc, source.map, origin, source.ring,
                      cursor, full, /*shared=*/Value());
  }
}

std::unique_ptr<RingCopier> tile::createTmaCopier(ArrayRef<StagedLoad> loads,
                                                  scf::ForOp loop,
                                                  int64_t stages) {
  return std::make_unique<TmaCopier>(loads, loop, stages);
}
