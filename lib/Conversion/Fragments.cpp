//===- Fragments.cpp - Operands of mma.sync in registers ------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fragments.h"
#include "MemoryAccess.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

/// Bytes of a row of an 8x8 matrix of ldmatrix.
static constexpr int64_t kRowBytes = 16;
/// Words of k that the lanes of a row hold side by side.
static constexpr int64_t kLaneWords = 4;

WordShape::WordShape(Type element)
    : elementBits(8 * elementBytes(element)),
      elements(std::max<int64_t>(1, 32 / elementBits)), sideK(8 * elements) {}

FragmentReader::FragmentReader(KernelLowering &kernel, BufferType type,
                               unsigned mnDim, Value buffer, Value cursor,
                               const ThreadBits &warps, Value round,
                               const KRounds &rounds, bool inPairs)
    : kernel(kernel), type(type), mnDim(mnDim), words(type.getElementType()),
      rowPower(type.getShape()[mnDim] & -type.getShape()[mnDim]),
      inPairs(inPairs) {
  int64_t row = 8 * kRowBytes / words.elementBits;
  bool alongK = words.elementBits <= 32 && isRun(type, 1 - mnDim, row);
  // Only halves of words can be transposed.
  transposed = inPairs ||
               (!alongK && words.elementBits == 16 && isRun(type, mnDim, row));
  usesLdmatrix = (alongK || transposed) && sideOfK() % words.sideK == 0;
  if (!usesLdmatrix && isRun(type, 1 - mnDim, words.elements))
    width = words.elements;
  ThreadBits ofRound;
  for (int64_t k : rounds.bits())
    ofRound.push_back(coord(0, k));
  auto prepare = [&](ThreadBits threads) {
    for (const Coord &warp : warps)
      threads.push_back(coord(warp[mnDim], 0));
    return std::make_unique<SharedAddresses>(
        kernel, type, buffer, cursor, RuntimeBits(threads, round, ofRound));
  };
  if (usesLdmatrix) {
    addresses = prepare(inPairs ? pairThreads() : matrixThreads());
    return;
  }
  addresses = prepare(elementThreads(/*withK=*/true));
  if (sideOfK() % words.sideK == 0)
    return;
  inside = prepare(elementThreads(/*withK=*/false));
  laneK = kernel.code.threadLinear({words.elements, 2 * words.elements});
}

/// Whether so many elements along a dimension are one aligned run in memory.
bool FragmentReader::isRun(BufferType type, unsigned dim, int64_t elements) {
  ArrayRef<Coord> bases =
      type.getLayout().getLayout().atom().bases(LayoutIn::Offset);
  unsigned bits = llvm::Log2_64(elements);
  if (bases.size() < bits)
    return false;
  for (auto [bit, image] : llvm::enumerate(bases.take_front(bits)))
    if (image[dim] != int64_t(1) << bit || image[1 - dim] != 0)
      return false;
  // Whatever else moves a coordinate keeps runs whole.
  return llvm::all_of(bases.drop_front(bits), [&](const Coord &image) {
    return image[dim] % elements == 0;
  });
}

bool FragmentReader::hasPairs(BufferType type) {
  WordShape words(type.getElementType());
  return words.elementBits == 8 && isRun(type, /*dim=*/1, kRowBytes) &&
         type.getShape()[0] % words.sideK == 0;
}

/// The row of which a lane says the address, of matrices in pairs.  Lanes 4g +
/// j want k's 4j to 4j + 3, of which a matrix brings two, from its rows 2j and
/// 2j + 1: the first two for j < 2 and the last two for the others, so that its
/// rows lie in different banks; another matrix has the opposite.
ThreadBits FragmentReader::pairThreads() const {
  return {coord(0, 1),     // row
          coord(0, 4),     // j
          coord(0, 8 ^ 2), // j
          coord(0, 2),     // matrix
          coord(0, 16)};   // half of k
}

/// The row of which a lane says the address.
ThreadBits FragmentReader::matrixThreads() const {
  // The lane's matrix: for A, row half then k half; for B, k half then column
  // half.  The lane's row in it runs across the direction of memory.
  ThreadBits threads;
  for (int64_t row = 1; row < kMatrixRows; row *= 2)
    threads.push_back(transposed ? coord(0, row) : coord(rowBit(row), 0));
  // Where B has one tile of columns only, the last lanes' addresses are not
  // used.
  bool pairs = type.getShape()[mnDim] > kMatrixRows;
  Coord kHalf = coord(0, words.sideK / 2);
  Coord rowHalf =
      coord(mnDim == 0 ? rowBit(kMatrixRows) : (pairs ? kMatrixRows : 0), 0);
  threads.push_back(mnDim == 0 ? rowHalf : kHalf);
  threads.push_back(mnDim == 0 ? kHalf : rowHalf);
  return threads;
}

/// The element at which a lane's first word starts.
ThreadBits FragmentReader::elementThreads(bool withK) const {
  ThreadBits threads;
  for (int64_t word = 1; word < kLaneWords; word *= 2) {
    int64_t k = word * words.elements;
    threads.push_back(coord(0, withK && k < sideOfK() ? k : 0));
  }
  for (int64_t row = 1; row < kMatrixRows; row *= 2)
    threads.push_back(coord(rowBit(row), 0));
  return threads;
}

SmallVector<Value> FragmentReader::read(int64_t mn, int64_t k, unsigned count) {
  if (inPairs)
    return readPair(mn, k);
  if (usesLdmatrix)
    return readMatrices(mn, k, count);
  SmallVector<Value> result;
  for (unsigned word = 0; word < count; ++word) {
    bool lowBit = word & 1, highBit = word & 2;
    bool rowHalf = mnDim == 0 ? lowBit : highBit;
    bool kHalf = mnDim == 0 ? highBit : lowBit;
    // A has no such rows of its own.
    if (mnDim == 0 && rowHalf && rowPower <= kMatrixRows)
      result.push_back(result.back());
    else
      result.push_back(readWord(mn + (rowHalf ? kMatrixRows : 0),
                                k + (kHalf ? words.sideK / 2 : 0)));
  }
  return result;
}

SmallVector<Value> FragmentReader::readMatrices(int64_t mn, int64_t k,
                                                unsigned count) {
  CodeBuilder &code = kernel.code;
  Type i32 = code.i32();
  Type result = i32;
  if (count > 1)
    result = LLVM::LLVMStructType::getLiteral(code.getContext(),
                                              SmallVector<Type>(count, i32));
  auto layout = transposed ? NVVM::MMALayout::col : NVVM::MMALayout::row;
  auto shape = NVVM::LdStMatrixShapeAttr::get(code.getContext(), kMatrixRows,
                                              kMatrixRows);
  Value loaded = NVVM::LdMatrixOp::create(
      code.builder, code.loc, result, addresses->at(coord(mn, k)), count,
      layout, shape, NVVM::LdStMatrixEltType::B16);
  if (count == 1)
    return {loaded};
  SmallVector<Value> matrices;
  for (unsigned index = 0; index < count; ++index)
    matrices.push_back(code.extractValue(loaded, index));
  return matrices;
}

SmallVector<Value> FragmentReader::readPair(int64_t mn, int64_t k) {
  CodeBuilder &code = kernel.code;
  SmallVector<Value> matrices = readMatrices(mn, k, 4), result;
  // Every second byte of both, those of lower k's first: in lanes with j >= 2
  // the second matrix has them.
  for (int64_t bytes : {0x6420, 0x7531})
    for (unsigned half : {0, 2})
      result.push_back(NVVM::PermuteOp::create(
          code.builder, code.loc, code.i32(), matrices[half],
          matrices[half + 1], code.threadLinear({0, 0x4444}, bytes),
          NVVM::PermuteMode::DEFAULT));
  return result;
}

Value FragmentReader::readWord(int64_t mn, int64_t k) {
  SmallVector<Value> pieces;
  for (int64_t element = 0; element < words.elements; element += width)
    pieces.push_back(readElements(mn, k + element, width));
  Type word = kernel.code.builder.getIntegerType(
      std::max<int64_t>(32, words.elementBits));
  return kernel.code.bitcast(concatenate(kernel, pieces), word);
}

/// Elements along k, zero where there are none.
Value FragmentReader::readElements(int64_t mn, int64_t k, int64_t width) {
  CodeBuilder &code = kernel.code;
  Type element = code.builder.getIntegerType(words.elementBits);
  Type type = KernelLowering::vectorOf(element, width);
  int64_t lastLane = (kLaneWords - 1) * words.elements;
  bool isWhole = !inside || k + lastLane + width <= sideOfK();
  if (isWhole)
    return loadShared(kernel, addresses->at(coord(mn, k)), element, width);
  Value zero = code.constantOf(type, code.builder.getZeroAttr(type));
  if (k >= sideOfK())
    return zero;
  Value isThere = code.compare(LLVM::ICmpPredicate::slt, laneK,
                               code.constI32(sideOfK() - k));
  Value address = code.select(isThere, addresses->at(coord(mn, k)),
                              inside->at(coord(mn, k)));
  return code.select(isThere, loadShared(kernel, address, element, width),
                     zero);
}
