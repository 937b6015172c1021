//===- Fma.cpp - Matrix products on plain FMAs ----------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each element of the accumulator is one chain of fused multiply-adds in
// ascending k, in the accumulator's type, or the sum of such chains over runs
// of k's: the bits are the interpreter's.  A thread reads its rows of A in
// vectors along k and its columns of B in vectors along n, and adds their outer
// products for the k's of a vector row by row: consecutive FMAs share the
// element of A, and what bounds the loop is how many different registers the
// FMAs read.
//
//===----------------------------------------------------------------------===//

#include "AddressMap.h"
#include "MemoryAccess.h"
#include "NarrowFloats.h"
#include "tile/IR/MmaShapes.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

/// k's that are written out; beyond that they are rounds of a loop, since ptxas
/// loads ahead over all of them and runs out of registers: the earlier the more
/// where B, too, comes in vectors along k.
static constexpr int64_t kMaxUnrolledK = 16;
static constexpr int64_t kMaxUnrolledKOfColumns = 8;
/// Elements that one access reads at most.
static constexpr int64_t kVector = 4;

namespace {

/// An element of an operand as the accumulator's type; tf32x3 has two parts.
using Factor = NarrowFloats::Parts;

/// How two elements are multiplied.
class Multiplier {
public:
  Multiplier(CodeBuilder &code, MmaOp op)
      : code(code), narrow(code, op),
        element(op.getA().getType().getElementType()),
        sum(getElementTypeOrSelf(op.getType())), precision(op.getPrecision()) {}

  /// An element as it lies in memory, made ready for products.
  Factor prepare(Value raw);
  /// acc + a * b.
  Value multiplyAdd(const Factor &a, const Factor &b, Value acc);

private:
  Value widen(Value raw);
  Value step(Value a, Value b, Value acc);

  CodeBuilder &code;
  NarrowFloats narrow;
  Type element, sum;
  Precision precision;
};

} // namespace

Value Multiplier::widen(Value raw) {
  OpBuilder &builder = code.builder;
  if (element.isInteger(8))
    return code.castInt(raw, sum);
  if (isa<Float8E4M3FNType, Float8E5M2Type>(element)) {
    Value word = LLVM::ZExtOp::create(builder, code.loc, code.i32(), raw);
    raw = code.extract(narrow.widenPair(word, /*high=*/false, element), 0);
  }
  if (raw.getType() == sum)
    return raw;
  return LLVM::FPExtOp::create(builder, code.loc, sum, raw);
}

Factor Multiplier::prepare(Value raw) {
  if (precision == Precision::Tf32)
    return {narrow.roundToTf32(raw), nullptr, nullptr};
  if (precision == Precision::Ieee)
    return {widen(raw), nullptr, nullptr};
  return narrow.splitTf32(raw);
}

Value Multiplier::step(Value a, Value b, Value acc) {
  if (sum.isInteger())
    return LLVM::AddOp::create(
        code.builder, code.loc, acc,
        LLVM::MulOp::create(code.builder, code.loc, a, b));
  return LLVM::FMAOp::create(code.builder, code.loc, a, b, acc);
}

Value Multiplier::multiplyAdd(const Factor &a, const Factor &b, Value acc) {
  if (a.small) {
    // The smallest first.
    acc = step(a.small, b.largeBesideSmall, acc);
    acc = step(a.largeBesideSmall, b.small, acc);
  }
  return step(a.large, b.large, acc);
}

namespace {

/// Reads one operand in vectors along m (n) or along k, as it lies in memory.
class OperandReader {
public:
  /// `mnDim` is the dimension of the buffer that is m or n; the other is k.
  OperandReader(KernelLowering &kernel, Multiplier &multiplier, BufferType type,
                unsigned mnDim, Value buffer, Value cursor,
                const ThreadBits &accThreads, ArrayRef<int64_t> positions,
                Value round, const KRounds &rounds);

  /// Reads the elements of all positions for `count` k's from `k`.
  void load(int64_t k, int64_t count);
  /// The element at a position, for a k that is loaded.
  Factor get(int64_t position, int64_t k) const {
    return values.lookup({position, k});
  }
  /// k's that come with one access.
  int64_t kWidth() const { return alongK; }

private:
  Coord coord(int64_t mn, int64_t k) const {
    return mnDim == 0 ? Coord{mn, k} : Coord{k, mn};
  }
  void read(int64_t mn, int64_t k);

  KernelLowering &kernel;
  Multiplier &multiplier;
  BufferType type;
  unsigned mnDim;
  SmallVector<int64_t> positions;
  /// Elements of one access along k and along m (n); one of them is 1.
  int64_t alongK = 1, alongMN = 1;
  std::unique_ptr<SharedAddresses> addresses;
  llvm::DenseMap<std::pair<int64_t, int64_t>, Factor> values;
};

} // namespace

/// How many elements along `dim` lie next to each other in an aligned run.
static int64_t runAlong(BufferType type, unsigned dim) {
  const LinearLayout &atom = type.getLayout().getLayout().atom();
  int64_t run = 1;
  for (const Coord &image : atom.bases(LayoutIn::Offset)) {
    if (run == kVector || image[dim] != run || image[1 - dim] != 0)
      break;
    run *= 2;
  }
  // Everything else must move whole runs.
  while (run > 1 && !llvm::all_of(ArrayRef<Coord>(atom.bases(LayoutIn::Offset))
                                      .drop_front(llvm::Log2_64(run)),
                                  [&](const Coord &image) {
                                    return image[dim] % run == 0;
                                  }))
    run /= 2;
  return run;
}

OperandReader::OperandReader(KernelLowering &kernel, Multiplier &multiplier,
                             BufferType type, unsigned mnDim, Value buffer,
                             Value cursor, const ThreadBits &accThreads,
                             ArrayRef<int64_t> positions, Value round,
                             const KRounds &rounds)
    : kernel(kernel), multiplier(multiplier), type(type), mnDim(mnDim),
      positions(positions) {
  alongK = runAlong(type, 1 - mnDim);
  ThreadBits threads;
  for (const Coord &bit : accThreads)
    threads.push_back(coord(bit[mnDim], 0));
  if (alongK == 1) {
    // A vector along m (n) must be a run of positions, for every thread.
    llvm::SmallDenseSet<int64_t> known(positions.begin(), positions.end());
    auto fits = [&](int64_t width) {
      return llvm::all_of(
                 positions,
                 [&](int64_t position) {
                   for (int64_t step = 0; step < width; ++step)
                     if (!known.contains(position / width * width + step))
                       return false;
                   return true;
                 }) &&
             llvm::all_of(threads, [&](const Coord &bit) {
               return bit[mnDim] % width == 0;
             });
    };
    alongMN = runAlong(type, mnDim);
    while (alongMN > 1 && !fits(alongMN))
      alongMN /= 2;
  }
  ThreadBits ofRound;
  for (int64_t k : rounds.bits())
    ofRound.push_back(coord(0, k));
  addresses = std::make_unique<SharedAddresses>(
      kernel, type, buffer, cursor, RuntimeBits(threads, round, ofRound));
}

void OperandReader::read(int64_t mn, int64_t k) {
  CodeBuilder &code = kernel.code;
  int64_t width = std::max(alongK, alongMN);
  Value loaded = loadShared(kernel, addresses->at(coord(mn, k)),
                            kernel.memoryType(type.getElementType()), width);
  for (int64_t step = 0; step < width; ++step) {
    Value element = width == 1 ? loaded : code.extract(loaded, step);
    std::pair<int64_t, int64_t> key =
        alongK > 1 ? std::pair(mn, k + step) : std::pair(mn + step, k);
    values[key] = multiplier.prepare(element);
  }
}

void OperandReader::load(int64_t k, int64_t count) {
  values.clear();
  for (int64_t first = k; first < k + count; first += alongK)
    for (int64_t position : positions)
      if (position % alongMN == 0)
        read(position, first);
}

namespace {

/// The accumulator of a thread: which rows and columns, and the register of
/// each element.
struct ThreadTile {
  llvm::SmallSetVector<int64_t, 16> rows, columns;
  llvm::DenseMap<std::pair<int64_t, int64_t>, int64_t> registerOf;

  explicit ThreadTile(const TileLayout &layout) {
    for (int64_t reg = 0; reg < layout.numRegs(); ++reg) {
      Coord coord = layout.apply(reg, 0, 0);
      rows.insert(coord[0]);
      columns.insert(coord[1]);
      registerOf[{coord[0], coord[1]}] = reg;
    }
  }
};

} // namespace

/// Adds the outer products for `count` k's from `first`: a row of the
/// accumulator is finished before the next begins.
static void addOuterProducts(Multiplier &multiplier, const ThreadTile &tile,
                             const OperandReader &a, const OperandReader &b,
                             int64_t first, int64_t count,
                             MutableArrayRef<Value> acc) {
  for (int64_t row : tile.rows)
    for (int64_t k = first; k < first + count; ++k)
      for (int64_t column : tile.columns) {
        Value &sum = acc[tile.registerOf.lookup({row, column})];
        sum = multiplier.multiplyAdd(a.get(row, k), b.get(column, k), sum);
      }
}

namespace {

/// Lowers one dot.  Where its k's are summed up in runs, each run has sums of
/// its own, from zero, which are then added to the accumulator.
class FmaLowering {
public:
  FmaLowering(KernelLowering &kernel, MmaOp op)
      : kernel(kernel), code(kernel.code), op(op), multiplier(code, op),
        layout(layoutOf(op.getType()).getLayout()), tile(layout),
        threads(threadBits(layout)), sideK(op.getA().getType().getShape()[1]),
        run(runOfDot(op.getPrecision(), op.getPromoteEvery())) {}

  void lower();

private:
  int64_t widestRound();
  SmallVector<Value> addRound(Value round, const KRounds &rounds,
                              SmallVector<Value> acc);
  SmallVector<Value> zeros();
  void addTo(SmallVector<Value> &acc, ArrayRef<Value> sums);

  KernelLowering &kernel;
  CodeBuilder &code;
  MmaOp op;
  Multiplier multiplier;
  TileLayout layout;
  ThreadTile tile;
  ThreadBits threads;
  int64_t sideK, run;
};

} // namespace

/// k's that one round writes out, whole runs and whole vectors along k: the
/// vectors of a later round are aligned, too.
int64_t FmaLowering::widestRound() {
  int64_t columnsAlongK = runAlong(op.getB().getType(), 0);
  int64_t widest = columnsAlongK > 1 ? kMaxUnrolledKOfColumns : kMaxUnrolledK;
  if (run == 0 || run >= sideK)
    return widest;
  if (!llvm::isPowerOf2_64(run) || sideK % run != 0)
    return sideK;
  return std::max({run, runAlong(op.getA().getType(), 1), columnsAlongK});
}

SmallVector<Value> FmaLowering::zeros() {
  Type sum = getElementTypeOrSelf(op.getType());
  return SmallVector<Value>(
      layout.numRegs(), code.constantOf(sum, code.builder.getZeroAttr(sum)));
}

void FmaLowering::addTo(SmallVector<Value> &acc, ArrayRef<Value> sums) {
  for (auto [element, sum] : llvm::zip_equal(acc, sums))
    element = LLVM::FAddOp::create(code.builder, code.loc, element, sum);
}

SmallVector<Value> FmaLowering::addRound(Value round, const KRounds &rounds,
                                         SmallVector<Value> acc) {
  OperandReader a(kernel, multiplier, op.getA().getType(), 0, op.getA(),
                  op.getACursor(), threads, tile.rows.getArrayRef(), round,
                  rounds);
  OperandReader b(kernel, multiplier, op.getB().getType(), 1, op.getB(),
                  op.getBCursor(), threads, tile.columns.getArrayRef(), round,
                  rounds);
  int64_t group = std::max(a.kWidth(), b.kWidth());
  bool inRuns = run != 0 && run < sideK;
  SmallVector<Value> sums = inRuns ? zeros() : acc;
  for (int64_t k = 0, next = 0; k < rounds.side; k = next) {
    if (k % group == 0) {
      a.load(k, group);
      b.load(k, group);
    }
    next = (k / group + 1) * group;
    if (inRuns)
      next = std::min(next, (k / run + 1) * run);
    addOuterProducts(multiplier, tile, a, b, k, next - k, sums);
    if (inRuns && (next % run == 0 || next == rounds.side)) {
      addTo(acc, sums);
      sums = zeros();
    }
  }
  return inRuns ? acc : sums;
}

void FmaLowering::lower() {
  KRounds rounds(sideK, widestRound());
  bool isOneRun = run >= sideK;
  SmallVector<Value> acc = kernel.unpack(op.getAcc());
  auto body = [&](Value round, ValueRange carried) {
    return addRound(round, rounds, SmallVector<Value>(carried));
  };
  SmallVector<Value> sums =
      code.loop(rounds.rounds, isOneRun ? zeros() : acc, body);
  if (isOneRun) {
    addTo(acc, sums);
    sums = acc;
  }
  kernel.setRegisters(op, sums);
}

LogicalResult tile::lowerFma(KernelLowering &kernel, MmaOp op) {
  if (failed(kernel.partTypes(op, op.getType())))
    return failure();
  // The accumulator leaves no registers to hold addresses for later.
  if (failed(kernel.emitWaitingCopies()))
    return failure();
  FmaLowering(kernel, op).lower();
  return success();
}
