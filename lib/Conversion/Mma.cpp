//===- Mma.cpp - Matrix products on the tensor core -----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mma.sync.m16n8 (PTX ISA 9.7.14.5) on operands that are read from shared
// memory.  For each step of k: the fragments of all rows of A and all columns
// of B that the warp needs, then every product of them.
//
//===----------------------------------------------------------------------===//

#include "Fragments.h"
#include "MmaProducts.h"
#include "tile/IR/MmaShapes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

/// Steps that are written out; a tile with more walks them in a loop.
static constexpr int64_t kMaxUnrolledSteps = 8;
/// The same where sums begin at zero in each step: ptxas converts operands
/// ahead over all steps, and runs out of registers.
static constexpr int64_t kMaxUnrolledStepsInRuns = 1;
/// Sums of a thread beside which the words of a whole step are made ready.
/// tf32x3 128x128x32 on eight warps, 4096^3, H200: 2755 us, column by column
/// 2879.
static constexpr int64_t kSumsBesideStep = 64;
/// Columns of a fragment of B.
static constexpr int64_t kSideN = 8;

namespace {

/// A fragment of the accumulator: where its tile starts, and its registers.
struct Fragment {
  Coord coord;
  SmallVector<int64_t, kAccRegisters> registers;
};

/// Which tiles of the accumulator a warp owns: rows of 16, columns of 8, which
/// are neighbours or, in pairs of tiles, every second one of 16.
struct WarpTiles {
  /// First coordinate of each row and column of tiles.
  llvm::SmallSetVector<int64_t, 16> m, n;
  SmallVector<Fragment> fragments;
  bool inPairs;

  WarpTiles(const TileLayout &layout, bool inPairs) : inPairs(inPairs) {
    int64_t stride = inPairs ? 2 : 1;
    for (int64_t reg = 0; reg < layout.numRegs(); reg += kAccRegisters * stride)
      for (int64_t first = reg; first < reg + stride; ++first)
        add(layout, first, stride);
  }

  /// The tile of columns beside one, which may come with it.
  int64_t beside(int64_t column) const {
    return column + (inPairs ? 1 : kSideN);
  }

private:
  void add(const TileLayout &layout, int64_t first, int64_t stride) {
    Coord coord = layout.apply(first, 0, 0);
    m.insert(coord[0]);
    n.insert(coord[1]);
    fragments.push_back({coord, {}});
    for (int64_t index = 0; index < kAccRegisters; ++index)
      fragments.back().registers.push_back(first + index * stride);
  }
};

} // namespace

namespace {

/// The fragments of one step of k, by row and by column of tiles.
struct StepFragments {
  llvm::MapVector<int64_t, SmallVector<Value>> a, b;
};

} // namespace

/// Reads the tile of columns that starts at `n`, and the one beside it where
/// that comes with the same ldmatrix.
static void readColumns(StepFragments &step, const WarpTiles &tiles,
                        FragmentReader &reader, int64_t n, int64_t k) {
  // Two neighbouring tiles of columns come with one ldmatrix.
  bool both = tiles.n.contains(tiles.beside(n)) &&
              (tiles.inPairs || n % (2 * kSideN) == 0);
  SmallVector<Value> words = reader.read(n, k, both ? 4 : 2);
  step.b[n] = SmallVector<Value>(ArrayRef(words).take_front(2));
  if (both)
    step.b[tiles.beside(n)] = SmallVector<Value>(ArrayRef(words).drop_front(2));
}

static StepFragments readStep(const WarpTiles &tiles, FragmentReader &readerA,
                              FragmentReader &readerB, int64_t k) {
  StepFragments step;
  for (int64_t m : tiles.m)
    step.a[m] = readerA.read(m, k, 4);
  for (int64_t n : tiles.n)
    if (!step.b.contains(n))
      readColumns(step, tiles, readerB, n, k);
  return step;
}

static void multiplyFragment(MmaProducts &products, const Fragment &fragment,
                             ArrayRef<Value> a, ArrayRef<Value> b,
                             MutableArrayRef<Value> acc) {
  SmallVector<Value> sums;
  for (int64_t reg : fragment.registers)
    sums.push_back(acc[reg]);
  sums = products.multiply(a, b, sums);
  for (auto [reg, sum] : llvm::zip_equal(fragment.registers, sums))
    acc[reg] = sum;
}

/// Multiplies all rows of tiles by one column, whose words are made ready here.
static void multiplyColumn(MmaProducts &products, const WarpTiles &tiles,
                           StepFragments &step, int64_t n,
                           MutableArrayRef<Value> acc) {
  SmallVector<Value> b = products.prepare(step.b[n]);
  for (const Fragment &fragment : tiles.fragments)
    if (fragment.coord[1] == n)
      multiplyFragment(products, fragment, step.a[fragment.coord[0]], b, acc);
}

static void multiplyStep(MmaProducts &products, const WarpTiles &tiles,
                         StepFragments &step, bool byColumn,
                         MutableArrayRef<Value> acc) {
  for (auto &entry : step.a)
    entry.second = products.prepare(entry.second);
  if (byColumn) {
    for (int64_t n : tiles.n)
      multiplyColumn(products, tiles, step, n, acc);
    return;
  }
  for (auto &entry : step.b)
    entry.second = products.prepare(entry.second);
  for (const Fragment &fragment : tiles.fragments)
    multiplyFragment(products, fragment, step.a[fragment.coord[0]],
                     step.b[fragment.coord[1]], acc);
}

/// The same where sums of runs take registers beside the accumulator, too: the
/// words of B are read column by column.
static void multiplyRuns(MmaProducts &products, const WarpTiles &tiles,
                         FragmentReader &readerA, FragmentReader &readerB,
                         int64_t k, MutableArrayRef<Value> acc) {
  StepFragments step;
  for (int64_t m : tiles.m)
    step.a[m] = products.prepare(readerA.read(m, k, 4));
  for (int64_t n : tiles.n) {
    if (!step.b.contains(n))
      readColumns(step, tiles, readerB, n, k);
    multiplyColumn(products, tiles, step, n, acc);
  }
}

LogicalResult tile::lowerMmaSync(KernelLowering &kernel, MmaOp op) {
  BufferType aType = op.getA().getType(), bType = op.getB().getType();
  if (failed(kernel.partTypes(op, op.getType())))
    return failure();
  TileLayout layout = layoutOf(op.getType()).getLayout();
  ThreadBits threads = threadBits(layout);
  ThreadBits warps(threads.begin() + kLaneBits, threads.end());
  bool inPairs = op.getPlan().getN() == kPairN;
  if (inPairs && !FragmentReader::hasPairs(bType))
    return op.emitOpError() << "expected b in runs of 16 bytes along n and "
                               "whole steps of 32 k for a pair of "
                               "instructions, got "
                            << bType;
  WarpTiles tiles(layout, inPairs);
  MmaProducts products(kernel, op);
  // What takes more registers than it had words had better not wait beside many
  // sums; beside few, all that is ready hides more.
  bool byColumn =
      products.wordsGrow() && int64_t(layout.numRegs()) > kSumsBesideStep;
  int64_t step = WordShape(aType.getElementType()).sideK;
  int64_t sideK = aType.getShape()[1];
  // What is no whole number of steps is written out.
  bool inRuns = runOfDot(op.getPrecision(), op.getPromoteEvery()) != 0;
  int64_t widest =
      (inRuns ? kMaxUnrolledStepsInRuns : kMaxUnrolledSteps) * step;
  KRounds rounds(sideK, sideK % step == 0 ? widest : sideK);
  if (rounds.rounds > 1 && failed(kernel.emitWaitingCopies()))
    return failure();
  bool ok = true;
  auto body = [&](Value round, ValueRange carried) {
    SmallVector<Value> acc(carried);
    FragmentReader a(kernel, aType, /*mnDim=*/0, op.getA(), op.getACursor(),
                     warps, round, rounds);
    FragmentReader b(kernel, bType, /*mnDim=*/1, op.getB(), op.getBCursor(),
                     warps, round, rounds, inPairs);
    // The fragments of the next step are on their way during the products, if
    // they do not take too many registers beside those of this step.
    StepFragments next;
    if (!inRuns)
      next = readStep(tiles, a, b, 0);
    for (int64_t k = 0; k < rounds.side; k += step) {
      StepFragments current = std::move(next);
      if (inRuns && !byColumn)
        current = readStep(tiles, a, b, k);
      else if (!inRuns && k + step < rounds.side)
        next = readStep(tiles, a, b, k + step);
      if (inRuns && byColumn)
        multiplyRuns(products, tiles, a, b, k, acc);
      else
        multiplyStep(products, tiles, current, byColumn, acc);
      if (rounds.rounds == 1)
        ok &= succeeded(kernel.emitWaitingCopies(1));
    }
    return acc;
  };
  SmallVector<Value> sums =
      kernel.code.loop(rounds.rounds, kernel.unpack(op.getAcc()), body);
  if (!ok)
    return failure();
  kernel.setRegisters(op, sums);
  return kernel.emitWaitingCopies();
}

LogicalResult tile::lower(KernelLowering &kernel, MmaOp op) {
  switch (op.getPlan().getInstruction()) {
  case Instruction::MmaSync:
    return lowerMmaSync(kernel, op);
  case Instruction::Fma:
    return lowerFma(kernel, op);
  case Instruction::Wgmma:
    break;
  }
  return KernelLowering::refuse(op);
}
