//===- FragmentOrder.cpp - Fragment by fragment ---------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lowering goes op by op, each over all fragments: an epilogue would load a
// whole tile before it adds the first element of it, and run out of registers
// beside the accumulator.  Here the same ops are put in the order of the
// fragments: load, compute, narrow, then the next one.  ptxas moves loads up as
// far as registers allow.
//
//===----------------------------------------------------------------------===//

#include "FragmentOrder.h"

#include "CodeBuilder.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tile;

namespace {

/// The new order of one block.
class BlockOrder {
public:
  BlockOrder(Block &block, const LoadsInFlight &loads)
      : block(block), loads(loads) {}

  void run();

private:
  bool isFree(Operation *op) const;
  void emit(Operation *op);
  void emitUsers(Operation *load, int64_t limit);
  void emitLoads(ArrayRef<Operation *> run, int64_t limit);

  Block &block;
  const LoadsInFlight &loads;
  /// Ops by their place in the old order.
  llvm::DenseMap<Operation *, int64_t> places;
  /// The new order so far.
  llvm::SetVector<Operation *> order;
};

} // namespace

/// Whether an op writes to shared memory and nothing else.
static bool writesOnlyShared(Operation *op) {
  auto store = dyn_cast<LLVM::StoreOp>(op);
  bool isShared =
      store && cast<LLVM::LLVMPointerType>(store.getAddr().getType())
                       .getAddressSpace() == 3;
  return isShared || isa<NVVM::StMatrixOp>(op);
}

/// Whether an op may stand anywhere between its operands and its users.
bool BlockOrder::isFree(Operation *op) const {
  if (op->getNumRegions() != 0 || op->hasTrait<OpTrait::IsTerminator>())
    return false;
  // Math.cpp calls no intrinsics but those that compute.
  return isa<LLVM::CallIntrinsicOp>(op) || isMemoryEffectFree(op);
}

/// Appends an op after what it needs of the block and has not been appended.
void BlockOrder::emit(Operation *op) {
  SmallVector<std::pair<Operation *, unsigned>> stack = {{op, 0}};
  while (!stack.empty()) {
    auto &[top, next] = stack.back();
    if (next == top->getNumOperands()) {
      order.insert(top);
      stack.pop_back();
      continue;
    }
    Operation *needed = top->getOperand(next++).getDefiningOp();
    if (needed && needed->getBlock() == &block && !order.contains(needed))
      stack.push_back({needed, 0});
  }
}

/// Appends what is computed from a load, as far as it stood before `limit`.
void BlockOrder::emitUsers(Operation *load, int64_t limit) {
  SmallVector<Operation *> worklist = {load};
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    SmallVector<Operation *> users;
    for (Operation *user : op->getUsers())
      if (user->getBlock() == &block && places.lookup(user) < limit &&
          isFree(user) && !order.contains(user))
        users.push_back(user);
    llvm::sort(users, [&](Operation *lhs, Operation *rhs) {
      return places.lookup(lhs) < places.lookup(rhs);
    });
    for (Operation *user : users)
      emit(user);
    worklist.append(users.rbegin(), users.rend());
  }
}

/// Emits an instruction past which the assembler moves nothing, so that it
/// starts no load behind it before those in front of it are used up.  It counts
/// no event of the performance monitor (PTX ISA 9.7.19.3, mask 0).
static Operation *createParting(Operation *before) {
  OpBuilder builder(before);
  return createAsm(builder, before->getLoc(), TypeRange(), ValueRange(),
                   "pmevent.mask 0;", "~{memory}");
}

/// Appends loads that nothing parts, and what is computed from them, as far as
/// it stood before `limit`.
void BlockOrder::emitLoads(ArrayRef<Operation *> run, int64_t limit) {
  int64_t filled = 0, room = std::numeric_limits<int64_t>::max();
  for (Operation *load : run) {
    LoadRegisters registers = loads.lookup(load);
    filled += registers.filled;
    room = std::min(room, registers.room);
  }
  bool inRounds = filled > room;
  filled = room;
  for (Operation *load : run) {
    int64_t more = loads.lookup(load).filled;
    if (inRounds && filled + more > room) {
      order.insert(createParting(load));
      filled = 0;
    }
    filled += more;
    emit(load);
    emitUsers(load, limit);
  }
}

void BlockOrder::run() {
  for (Operation &op : block)
    places[&op] = int64_t(places.size());
  SmallVector<Operation *> pending;
  for (Operation &op : block) {
    if (loads.contains(&op)) {
      pending.push_back(&op);
      continue;
    }
    if (isFree(&op))
      continue;
    if (!writesOnlyShared(&op)) {
      emitLoads(pending, places.lookup(&op));
      pending.clear();
    }
    if (!op.hasTrait<OpTrait::IsTerminator>())
      emit(&op);
  }
  // What other blocks use, and the terminator.
  for (Operation &op : block)
    emit(&op);
  for (Operation *op : order)
    op->moveBefore(&block, block.end());
}

void tile::orderByFragment(LLVM::LLVMFuncOp func, const LoadsInFlight &loads) {
  llvm::SetVector<Block *> blocks;
  for (Block &block : func.getBody())
    if (llvm::any_of(block, [&](Operation &op) { return loads.contains(&op); }))
      blocks.insert(&block);
  for (Block *block : blocks)
    BlockOrder(*block, loads).run();
}
