//===- Mma.cpp - Matrix products on the tensor core -----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mma.sync.m16n8k16 (PTX ISA 9.7.14.5) on operands that ldmatrix reads from
// shared memory.  For each step of 16 k: the fragments of all rows of A and all
// columns of B that the warp needs, then every product of them.
//
//===----------------------------------------------------------------------===//

#include "AddressMap.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

/// k's that are written out; a tile with more walks them in a loop.
static constexpr int64_t kMaxUnrolledK = 128;
/// Sides of the instruction, and registers of a thread for each operand.
static constexpr int64_t kSideM = 16, kSideN = 8, kSideK = 16;
static constexpr int64_t kAccRegs = 4;
/// A row of an 8x8 matrix of ldmatrix: 16 bytes.
static constexpr int64_t kRow = 8;

namespace {

/// Reads fragments of one operand with ldmatrix.
class FragmentReader {
public:
  /// `mnDim` is the dimension of the buffer that is m or n; the other is k.
  FragmentReader(KernelLowering &kernel, BufferType type, unsigned mnDim)
      : kernel(kernel), type(type), mnDim(mnDim) {}

  /// Finds out how the operand lies in memory.
  LogicalResult init(Operation *op, StringRef name, Value buffer, Value cursor,
                     const ThreadBits &warps, Value round,
                     const KRounds &rounds);

  /// The fragments at (mn, k), `count` of 8x8 matrices of 16-bit elements.
  SmallVector<Value> read(int64_t mn, int64_t k, unsigned count);

private:
  Coord coord(int64_t mn, int64_t k) const {
    return mnDim == 0 ? Coord{mn, k} : Coord{k, mn};
  }
  /// Whether 8 elements along a dimension are one aligned row in memory.
  bool isRow(unsigned dim) const;

  KernelLowering &kernel;
  BufferType type;
  unsigned mnDim;
  /// Whether rows in memory run along m or n: ldmatrix transposes then.
  bool transposed = false;
  std::unique_ptr<SharedAddresses> addresses;
};

} // namespace

bool FragmentReader::isRow(unsigned dim) const {
  ArrayRef<Coord> bases =
      type.getLayout().getLayout().atom().bases(LayoutIn::Offset);
  if (bases.size() < 3)
    return false;
  for (auto [bit, image] : llvm::enumerate(bases.take_front(3)))
    if (image[dim] != int64_t(1) << bit || image[1 - dim] != 0)
      return false;
  // Whatever else moves a coordinate keeps rows whole.
  return llvm::all_of(bases.drop_front(3), [&](const Coord &image) {
    return image[dim] % kRow == 0;
  });
}

LogicalResult FragmentReader::init(Operation *op, StringRef name, Value buffer,
                                   Value cursor, const ThreadBits &warps,
                                   Value round, const KRounds &rounds) {
  bool alongK = isRow(1 - mnDim);
  transposed = !alongK;
  if (!alongK && !isRow(mnDim))
    return op->emitOpError()
           << "expected rows of " << kRow << " contiguous elements in operand "
           << name << " for ldmatrix, got " << type;
  // The lane's matrix: for A, row half then k half; for B, k half then column
  // half.  The lane's row in it runs across the direction of memory.
  ThreadBits threads;
  for (int64_t row = 1; row < kRow; row *= 2)
    threads.push_back(alongK ? coord(row, 0) : coord(0, row));
  threads.push_back(mnDim == 0 ? coord(kRow, 0) : coord(0, kRow));
  // Where B has one tile of columns only, the last lanes' addresses are not
  // used.
  bool pairs = type.getShape()[mnDim] > kRow;
  threads.push_back(mnDim == 0 ? coord(0, kRow) : coord(pairs ? kRow : 0, 0));
  for (const Coord &warp : warps)
    threads.push_back(coord(warp[mnDim], 0));
  ThreadBits ofRound;
  for (int64_t k : rounds.bits())
    ofRound.push_back(coord(0, k));
  addresses = std::make_unique<SharedAddresses>(
      kernel, type, buffer, cursor, RuntimeBits(threads, round, ofRound));
  return success();
}

SmallVector<Value> FragmentReader::read(int64_t mn, int64_t k, unsigned count) {
  CodeBuilder &code = kernel.code;
  Type i32 = code.i32();
  Type result = i32;
  if (count > 1)
    result = LLVM::LLVMStructType::getLiteral(code.getContext(),
                                              SmallVector<Type>(count, i32));
  auto layout = transposed ? NVVM::MMALayout::col : NVVM::MMALayout::row;
  auto shape = NVVM::LdStMatrixShapeAttr::get(code.getContext(), kRow, kRow);
  Value loaded = NVVM::LdMatrixOp::create(
      code.builder, code.loc, result, addresses->at(coord(mn, k)), count,
      layout, shape, NVVM::LdStMatrixEltType::B16);
  SmallVector<Value> words;
  Type pair = type.getElementType().isF16()
                  ? Type(VectorType::get(2, type.getElementType()))
                  : i32;
  for (unsigned index = 0; index < count; ++index) {
    Value word = count == 1 ? loaded : code.extractValue(loaded, index);
    words.push_back(code.bitcast(word, pair));
  }
  return words;
}

namespace {

/// Which tiles of the accumulator a warp owns: rows of 16, columns of 8.
struct WarpTiles {
  /// First coordinate of each row and column of tiles.
  llvm::SmallSetVector<int64_t, 16> m, n;
  /// Coordinates of each fragment of the accumulator.
  SmallVector<Coord> fragments;

  explicit WarpTiles(const TileLayout &layout) {
    for (int64_t reg = 0; reg < layout.numRegs(); reg += kAccRegs) {
      Coord coord = layout.apply(reg, 0, 0);
      m.insert(coord[0]);
      n.insert(coord[1]);
      fragments.push_back(coord);
    }
  }
};

} // namespace

/// One mma.sync on the registers of a thread.
static SmallVector<Value> multiply(CodeBuilder &code, Type element,
                                   ValueRange a, ValueRange b, ValueRange acc) {
  std::optional<std::array<NVVM::MMATypes, 2>> types;
  if (element.isBF16())
    types = {NVVM::MMATypes::bf16, NVVM::MMATypes::bf16};
  else
    types = {NVVM::MMATypes::f16, NVVM::MMATypes::f16};
  Type result = LLVM::LLVMStructType::getLiteral(
      code.getContext(),
      SmallVector<Type>(kAccRegs, code.builder.getF32Type()));
  Value product = NVVM::MmaOp::create(
      code.builder, code.loc, result, a, b, acc, {kSideM, kSideN, kSideK},
      std::nullopt, std::nullopt, types,
      std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                     NVVM::MMALayout::col});
  SmallVector<Value> registers;
  for (int64_t index = 0; index < kAccRegs; ++index)
    registers.push_back(code.extractValue(product, index));
  return registers;
}

namespace {

/// The fragments of one step of k, by row and by column of tiles.
struct StepFragments {
  llvm::DenseMap<int64_t, SmallVector<Value>> a, b;
};

} // namespace

static StepFragments readStep(const WarpTiles &tiles, FragmentReader &readerA,
                              FragmentReader &readerB, int64_t k) {
  StepFragments step;
  for (int64_t m : tiles.m)
    step.a[m] = readerA.read(m, k, 4);
  for (int64_t n : tiles.n) {
    if (step.b.contains(n))
      continue;
    // Two neighbouring tiles of columns come with one ldmatrix.
    bool both = tiles.n.contains(n + kSideN) && n % (2 * kSideN) == 0;
    SmallVector<Value> words = readerB.read(n, k, both ? 4 : 2);
    step.b[n] = SmallVector<Value>(ArrayRef(words).take_front(2));
    if (both)
      step.b[n + kSideN] = SmallVector<Value>(ArrayRef(words).drop_front(2));
  }
  return step;
}

static void multiplyStep(CodeBuilder &code, const WarpTiles &tiles,
                         StepFragments &step, Type element,
                         MutableArrayRef<Value> acc) {
  for (auto [index, coord] : llvm::enumerate(tiles.fragments)) {
    MutableArrayRef<Value> registers = acc.slice(index * kAccRegs, kAccRegs);
    llvm::copy(
        multiply(code, element, step.a[coord[0]], step.b[coord[1]], registers),
        registers.begin());
  }
}

LogicalResult tile::lowerMmaSync(KernelLowering &kernel, MmaOp op) {
  BufferType aType = op.getA().getType(), bType = op.getB().getType();
  int64_t sideK = aType.getShape()[1];
  if (failed(kernel.partTypes(op, op.getType())))
    return failure();
  TileLayout layout = layoutOf(op.getType()).getLayout();
  ThreadBits threads = threadBits(layout);
  ThreadBits warps(threads.begin() + kLaneBits, threads.end());
  WarpTiles tiles(layout);
  KRounds rounds(sideK, kMaxUnrolledK);
  if (rounds.rounds > 1 && failed(kernel.emitWaitingCopies()))
    return failure();
  bool ok = true;
  auto body = [&](Value round, ValueRange carried) {
    SmallVector<Value> acc(carried);
    FragmentReader a(kernel, aType, /*mnDim=*/0), b(kernel, bType, 1);
    ok = succeeded(a.init(op, "a", op.getA(), op.getACursor(), warps, round,
                          rounds)) &&
         succeeded(
             b.init(op, "b", op.getB(), op.getBCursor(), warps, round, rounds));
    if (!ok)
      return acc;
    // The fragments of the next step are on their way during the products.
    StepFragments next = readStep(tiles, a, b, 0);
    for (int64_t k = kSideK; k <= rounds.side; k += kSideK) {
      StepFragments current = std::move(next);
      if (k < rounds.side)
        next = readStep(tiles, a, b, k);
      multiplyStep(kernel.code, tiles, current, aType.getElementType(), acc);
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
