//===- HoistLoads.cpp - Start an epilogue's loads before its products -----===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an epilogue adds to a product (a bias, a residual) comes from memory,
// and waiting for it there leaves the tensor cores idle.  A role that
// multiplies has more registers than its accumulators take: loads whose results
// fit beside them start when the first product has, and have arrived when they
// are needed.  Before it they would keep it waiting.
//
// 1. Find where a role's products end, and where they start in that block.
// 2. Of the loads behind, move those up that nothing in between forbids and
//    that have registers, in program order.
//
//===----------------------------------------------------------------------===//

#include "tile/GPU/ThreadRegisters.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define DEBUG_TYPE "tile-gpu-hoist-loads"

namespace tile {
#define GEN_PASS_DEF_TILEGPUHOISTLOADSPASS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

/// Registers of a thread that addresses, descriptors and the epilogue's own
/// arithmetic take beside accumulators and loaded tiles.
static constexpr int64_t kReservedRegisters = 40;

/// Whether loads may move across `op`: it writes no memory but slots, which
/// only this kernel's rings use.
static bool letsLoadsPass(Operation &op) {
  if (isMemoryEffectFree(&op) ||
      isa<tile::gpu::LoadOp, WaitFullOp, ReleaseOp, WgmmaOp, WgmmaWaitOp,
          WgmmaFinishOp, TmaStoreWaitOp>(op))
    return true;
  auto loop = dyn_cast<scf::ForOp>(op);
  return loop && llvm::all_of(*loop.getBody(), letsLoadsPass);
}

namespace {
/// The block of a role in which its products end.
class ProductBlock {
public:
  ProductBlock(WgmmaFinishOp finish, int64_t numRegisters)
      : block(*finish->getBlock()), products(finish.getResult()),
        freeRegisters(numRegisters - kReservedRegisters) {}

  /// How many loads moved.
  unsigned run();

private:
  bool collect(Operation *op, SmallVectorImpl<Operation *> &needed) const;
  bool take(tile::gpu::LoadOp load);

  Block &block;
  Value products;
  int64_t freeRegisters;
  /// The op after the first product; without one in this block, the first op
  /// that is more than arithmetic.
  Operation *start = nullptr;
};
} // namespace

/// Adds `op` and what it needs of the block behind `start`, operands first;
/// false if some of it cannot move.
bool ProductBlock::collect(Operation *op,
                           SmallVectorImpl<Operation *> &needed) const {
  for (Value operand : op->getOperands()) {
    Operation *source = operand.getDefiningOp();
    if (!source || source->getBlock() != &block ||
        source->isBeforeInBlock(start) || llvm::is_contained(needed, source))
      continue;
    if (source == start || !isMemoryEffectFree(source) ||
        source->getNumRegions() != 0 || !collect(source, needed))
      return false;
  }
  needed.push_back(op);
  return true;
}

/// Moves a load up if it can be and has registers.
bool ProductBlock::take(tile::gpu::LoadOp load) {
  std::optional<int64_t> registers =
      threadRegistersOf(cast<RankedTensorType>(load.getType()));
  SmallVector<Operation *> needed;
  if (!registers || !collect(load, needed))
    return false;
  auto options = remark::RemarkOpts::name("hoist").category(DEBUG_TYPE);
  if (*registers > freeRegisters) {
    remark::missed(load.getLoc(), options)
        << ("the load waits for the products: it needs " + Twine(*registers) +
            " registers, and " + Twine(std::max<int64_t>(freeRegisters, 0)) +
            " are free beside them")
               .str();
    return false;
  }
  freeRegisters -= *registers;
  for (Operation *op : needed)
    op->moveBefore(start);
  remark::passed(load.getLoc(), options)
      << ("the load starts beside the first product and holds " +
          Twine(*registers) + " registers")
             .str();
  return true;
}

unsigned ProductBlock::run() {
  std::optional<int64_t> accumulators =
      threadRegistersOf(cast<RankedTensorType>(products.getType()));
  auto first = llvm::find_if(
      block, [](Operation &op) { return !isMemoryEffectFree(&op); });
  if (!accumulators || !letsLoadsPass(*first))
    return 0;
  auto product = llvm::find_if(block, llvm::IsaPred<WgmmaOp>);
  start = product == block.end() ? &*first : product->getNextNode();
  freeRegisters -= *accumulators;
  SmallVector<tile::gpu::LoadOp> loads;
  for (Operation &op : llvm::make_range(start->getIterator(), block.end())) {
    if (!letsLoadsPass(op))
      break;
    if (auto load = dyn_cast<tile::gpu::LoadOp>(op))
      loads.push_back(load);
  }
  unsigned count = 0;
  for (tile::gpu::LoadOp load : loads)
    count += load != start && take(load);
  return count;
}

namespace {
struct HoistLoads : public tile::impl::TileGPUHoistLoadsPassBase<HoistLoads> {
  void runOnOperation() override {
    getOperation().walk([&](RoleOp role) {
      std::optional<int64_t> registers = role.getRegisters();
      if (!registers)
        return;
      SmallVector<WgmmaFinishOp> products;
      role.walk([&](WgmmaFinishOp op) { products.push_back(op); });
      // Several products share the registers; which wait for which, nothing
      // here knows.
      if (products.size() == 1)
        numHoisted += ProductBlock(products.front(), *registers).run();
    });
  }
};
} // namespace
