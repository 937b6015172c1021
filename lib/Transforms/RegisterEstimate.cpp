//===- RegisterEstimate.cpp - What products hold in registers -------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegisterEstimate.h"
#include "PlanChecks.h"
#include "WarpGrid.h"
#include "tile/IR/MmaShapes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Sums and loads
//===----------------------------------------------------------------------===//

/// Registers of all threads for a tile.
static int64_t registersOf(RankedTensorType tile) {
  return llvm::divideCeil(tile.getNumElements() * tile.getElementTypeBitWidth(),
                          32);
}

/// Registers of all threads for what a loop leaves that is used in or behind a
/// later loop of its block.
static int64_t registersAcross(scf::ForOp earlier, scf::ForOp later) {
  if (earlier->getBlock() != later->getBlock() ||
      !earlier->isBeforeInBlock(later))
    return 0;
  int64_t registers = 0;
  for (Value result : earlier.getResults()) {
    auto tile = dyn_cast<RankedTensorType>(result.getType());
    bool isLive = llvm::any_of(result.getUsers(), [&](Operation *user) {
      Operation *place = later->getBlock()->findAncestorOpInBlock(*user);
      return !place->isBeforeInBlock(later);
    });
    if (tile && isLive)
      registers += registersOf(tile);
  }
  return registers;
}

/// Registers of all threads for the tiles that the loops around an op carry and
/// that something behind it uses: it is not the op that turns them into others.
static int64_t registersAround(Operation *op) {
  int64_t registers = 0;
  for (; !isa<KernelOp>(op); op = op->getParentOp())
    for (BlockArgument argument : op->getBlock()->getArguments()) {
      auto tile = dyn_cast<RankedTensorType>(argument.getType());
      bool isLive = llvm::any_of(argument.getUsers(), [&](Operation *user) {
        return op->isBeforeInBlock(
            op->getBlock()->findAncestorOpInBlock(*user));
      });
      if (tile && isLive)
        registers += registersOf(tile);
    }
  return registers;
}

/// The registers that the results of a kernel's dots take at the same time:
/// those of one block, but for results that another one only adds to, those of
/// loops before it that are not used up, and what is carried around it.
static int64_t registersOfSums(KernelOp kernel) {
  llvm::MapVector<Block *, int64_t> ofBlocks;
  llvm::DenseMap<Block *, DotOp> lastDots;
  kernel.walk([&](DotOp dot) {
    lastDots[dot->getBlock()] = dot;
    bool isAddedTo =
        !dot->use_empty() && llvm::all_of(dot->getUses(), [&](OpOperand &use) {
          auto user = dyn_cast<DotOp>(use.getOwner());
          return user && user->getBlock() == dot->getBlock() &&
                 use.get() == user.getAcc();
        });
    if (!isAddedTo)
      ofBlocks[dot->getBlock()] +=
          registersOf(cast<RankedTensorType>(dot.getType()));
  });
  int64_t most = 0;
  for (auto [block, registers] : ofBlocks) {
    auto later = dyn_cast<scf::ForOp>(block->getParentOp());
    for (auto [other, ofOther] : ofBlocks)
      if (auto earlier = dyn_cast<scf::ForOp>(other->getParentOp());
          earlier && later)
        registers += registersAcross(earlier, later);
    registers += registersAround(lastDots[block]);
    most = std::max(most, registers);
  }
  return most;
}

/// Whether what is loaded once is stored to the same memory: a thread may hold
/// the addresses from one to the other.  In a loop they are computed anew
/// (GlobalAddresses::separate).
static bool isInPlace(LoadOp load) {
  if (load->getParentOfType<LoopLikeOpInterface>())
    return false;
  return llvm::any_of(load.getBase().getUsers(), [&](Operation *user) {
    auto store = dyn_cast<StoreOp>(user);
    return store && store.getBase() == load.getBase();
  });
}

/// The registers of the largest tile that is loaded beside the sums, not for a
/// dot, by accesses too narrow for one to fill a register, or in place by those
/// of single elements.
static int64_t registersOfNarrowLoads(KernelOp kernel,
                                      const AccessAnalysis &analysis) {
  int64_t most = 0;
  kernel.walk([&](LoadOp load) {
    std::string reason;
    FailureOr<Access> access = blockOf(load, analysis, reason);
    auto tile = dyn_cast<RankedTensorType>(load.getType());
    if (failed(access) || !tile ||
        llvm::any_of(load->getUsers(), [](auto *op) { return isa<DotOp>(op); }))
      return;
    int64_t vector =
        analysis.vectorElements(*access, kVectorBytes, /*maskWhole=*/true);
    bool isNarrow = vector * elementBytes(access->elementType) < 4;
    if (isNarrow || (vector == 1 && isInPlace(load)))
      most = std::max(most, tile.getNumElements());
  });
  return most;
}

/// Columns that the lanes of a warp read side by side.
static constexpr int64_t kLaneElements = 32;

/// The registers of a load of single elements: the elements, and as many for
/// offsets and masks, or those of the rows where they take more.  What depends
/// on the row alone is held from before the loop.
static int64_t registersOfGather(LoadOp load, RankedTensorType tile) {
  int64_t elements = tile.getNumElements();
  auto words = [](Type type) {
    return int64_t(
        llvm::divideCeil(elementBytes(getElementTypeOrSelf(type)), 4));
  };
  int64_t columns = llvm::divideCeil(tile.getShape().back(), kLaneElements);
  int64_t ofRow = words(load.getOffsets().getType()) + bool(load.getMask());
  return elements * words(tile) +
         std::max(elements, elements / columns * ofRow);
}

/// The registers of what is loaded for dots, or beside them, by loads of single
/// elements, all of a block.
static int64_t registersOfGathers(KernelOp kernel,
                                  const AccessAnalysis &analysis) {
  llvm::SmallPtrSet<Block *, 4> blocks;
  kernel.walk([&](DotOp dot) { blocks.insert(dot->getBlock()); });
  int64_t most = 0;
  for (Block *block : blocks) {
    int64_t registers = 0;
    for (auto load : block->getOps<LoadOp>()) {
      std::string reason;
      auto tile = dyn_cast<RankedTensorType>(load.getType());
      if (tile && tile.getRank() > 0 && failed(blockOf(load, analysis, reason)))
        registers += registersOfGather(load, tile);
    }
    most = std::max(most, registers);
  }
  return most;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Rows of a fragment of A and columns of one of B, of mma.sync; words of them
/// that a thread has for a step.
static constexpr int64_t kFragmentRows = 16, kFragmentColumns = 8;
static constexpr int64_t kWordsOfA = 4, kWordsOfB = 2;
/// Steps of k that are written out at most, and those whose words are held: one
/// that is multiplied and one that is read.
static constexpr int64_t kWrittenSteps = 8, kHeldSteps = 2;
/// Fragments of sums of runs that are held beside the accumulator.
static constexpr int64_t kRunsInFlight = 4, kFragmentSums = 4;
/// Lanes along m and n, and k's of a vector, of products by fma.
static constexpr int64_t kLaneRows = 4, kLaneColumns = 8, kVectorK = 4;

/// Whether another dot of the block reads the same operand: what one has read
/// the other need not read again, so that it is held.
static bool isShared(DotOp dot, Value operand) {
  return llvm::any_of(operand.getUsers(), [&](Operation *user) {
    return user != dot && isa<DotOp>(user) &&
           user->getBlock() == dot->getBlock();
  });
}

/// Registers that a word becomes before it is multiplied.
static int64_t registersOfWord(DotOp dot) {
  if (dot.getPrecision() == Precision::Tf32x3)
    return 3;
  return isFloat8(dot.getA().getType()) ? 2 : 1;
}

/// Registers of a thread for operands of fma: the outer product of its rows and
/// columns for the k's of a vector.
static int64_t operandsOfFma(ArrayRef<int64_t> sides, int64_t registers,
                             int64_t warps) {
  WarpGrid grid = chooseWarpGrid(sides, warps, {kLaneRows, kLaneColumns});
  int64_t rows = llvm::divideCeil(sides[0], grid.rows * kLaneRows);
  int64_t columns = llvm::divideCeil(sides[1], grid.columns * kLaneColumns);
  return (rows + columns) * kVectorK * registers;
}

int64_t RegisterEstimate::operandsOf(DotOp dot, ArrayRef<int64_t> sides,
                                     int64_t warps) const {
  Type element = getElementTypeOrSelf(dot.getA());
  int64_t bytes = elementBytes(element);
  int64_t registers = llvm::divideCeil(bytes, 4);
  if (byFma ||
      !findMmaShape(Instruction::MmaSync, element,
                    getElementTypeOrSelf(dot.getAcc()), dot.getPrecision()))
    return operandsOfFma(sides, registers, warps);
  WarpGrid grid =
      chooseWarpGrid(sides, warps, {kFragmentRows, kFragmentColumns});
  int64_t rows = llvm::divideCeil(sides[0], grid.rows * kFragmentRows);
  int64_t columns = llvm::divideCeil(sides[1], grid.columns * kFragmentColumns);
  int64_t a = rows * kWordsOfA * registers, b = columns * kWordsOfB * registers;
  int64_t grown = registersOfWord(dot);
  // Column by column: see lib/Conversion/Mma.cpp.
  if (runOfDot(dot.getPrecision(), dot.getPromoteEvery()) != 0)
    return a * grown + 2 * kWordsOfB + kWordsOfB * grown +
           kRunsInFlight * kFragmentSums;
  int64_t depth = dot.getA().getType().getShape().back();
  int64_t stepDepth = 8 * std::max<int64_t>(1, 4 / bytes);
  int64_t steps =
      std::min(llvm::divideCeil(depth, stepDepth), uint64_t(kWrittenSteps));
  auto heldSteps = [&](Value operand) {
    return std::min(steps, isShared(dot, operand) ? steps : kHeldSteps);
  };
  return a * (heldSteps(dot.getA()) + grown - 1) + b * heldSteps(dot.getB());
}

//===----------------------------------------------------------------------===//
// The estimate
//===----------------------------------------------------------------------===//

RegisterEstimate::RegisterEstimate(KernelOp kernel,
                                   const AccessAnalysis &analysis, bool byFma)
    : allSums(registersOfSums(kernel)),
      allLoaded(registersOfNarrowLoads(kernel, analysis)),
      allGathered(registersOfGathers(kernel, analysis)), byFma(byFma) {
  kernel.walk([&](DotOp dot) {
    dots.push_back(dot);
    if (!largest || largest.getAcc().getType().getNumElements() <
                        dot.getAcc().getType().getNumElements())
      largest = dot;
  });
}

int64_t RegisterEstimate::operands(int64_t warps) const {
  int64_t most = 0;
  for (DotOp dot : dots) {
    auto acc = cast<RankedTensorType>(dot->getResult(0).getType());
    most = std::max(most, operandsOf(dot, acc.getShape(), warps));
  }
  return most;
}

SmallVector<int64_t> RegisterEstimate::sidesThatFit(int64_t warps,
                                                    int64_t room) const {
  auto acc = cast<RankedTensorType>(largest->getResult(0).getType());
  SmallVector<int64_t> sides(acc.getShape());
  int64_t halvings = 0;
  while (sides[0] * sides[1] > 1 &&
         (sums(warps) >> halvings) + operandsOf(largest, sides, warps) > room) {
    int64_t &longer = sides[0] >= sides[1] ? sides[0] : sides[1];
    longer = llvm::divideCeil(longer, 2);
    ++halvings;
  }
  return sides;
}
