//===- Copies.cpp - Global to shared memory -------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AddressMap.h"
#include "MemoryAccess.h"
#include "tile/Layout/Constructors.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

/// Elements that a thread loads before it stores any, where it loads one by
/// one.
static constexpr int64_t kLoadsInFlight = 16;

/// Asynchronous copies that a thread starts one after the other where they are
/// written out.
static constexpr int64_t kCopiesWrittenOut = 16;

/// Elements that lie next to each other in a slot, along the dimension of which
/// they are neighbours.
struct ContiguousRun {
  unsigned dim = 0;
  int64_t elements = 1;
};

static ContiguousRun contiguousRun(const TileLayout &shared) {
  const LinearLayout::Bases &bases = shared.atom().bases(LayoutIn::Offset);
  ContiguousRun run;
  run.dim = shared.rank() - 1;
  for (const Coord &image : bases) {
    for (auto [dim, entry] : llvm::enumerate(image))
      if (run.elements == 1 && entry == 1)
        run.dim = dim;
    bool continues = true;
    for (auto [dim, entry] : llvm::enumerate(image))
      continues &= entry == (dim == run.dim ? run.elements : 0);
    if (!continues)
      break;
    run.elements *= 2;
  }
  // Whatever else the offset moves must leave runs whole.
  auto keepsRuns = [&](const Coord &image) {
    return image[run.dim] % run.elements == 0;
  };
  while (!llvm::all_of(
      ArrayRef<Coord>(bases).drop_front(llvm::Log2_64(run.elements)),
      keepsRuns))
    run.elements /= 2;
  return run;
}

/// How the threads share a copy: each moves `vector` elements along `dim`, and
/// neighbouring threads are neighbours along `dim`, so that a warp reads whole
/// rows.  No thread gets anything outside the shape; threads that are left over
/// own nothing.
static llvm::Expected<TileLayout> copyLayout(ArrayRef<int64_t> shape,
                                             unsigned dim, int64_t vector,
                                             int64_t numWarps) {
  unsigned rank = shape.size();
  SmallVector<unsigned> order = {dim};
  for (unsigned other = rank; other-- > 0;)
    if (other != dim)
      order.push_back(other);
  SmallVector<int64_t> elements(rank, 1), lanes(rank, 1), warps(rank, 1);
  elements[dim] = vector;
  SmallVector<int64_t> left;
  for (auto [side, own] : llvm::zip_equal(shape, elements))
    left.push_back((side & -side) / own);
  auto share = [&](int64_t count, SmallVectorImpl<int64_t> &counts) {
    for (unsigned other : order) {
      counts[other] = std::min(count, left[other]);
      left[other] /= counts[other];
      count /= counts[other];
    }
  };
  share(int64_t(1) << kLaneBits, lanes);
  share(numWarps, warps);
  return blocked(shape, elements, lanes, warps, order);
}

namespace {

/// A thread's part of a copy: the registers of a round that is written out, and
/// the coordinates that the bits of a loop's round contribute.
struct CopyRounds {
  SmallVector<int64_t> written;
  ThreadBits ofRound;

  /// Rounds of up to `most` registers of each repetition, a vector at a time.
  CopyRounds(const TileLayout &access, int64_t vector, int64_t most);
};

} // namespace

CopyRounds::CopyRounds(const TileLayout &access, int64_t vector, int64_t most) {
  const LinearLayout::Bases &bits = access.atom().bases(LayoutIn::Reg);
  unsigned writtenBits =
      std::min<size_t>(bits.size(), llvm::Log2_64(std::max(vector, most)));
  ofRound.assign(bits.begin() + writtenBits, bits.end());
  for (int64_t rep = 0; rep < access.numReps(); ++rep)
    for (int64_t reg = 0; reg < int64_t(1) << writtenBits; reg += vector)
      written.push_back((rep << bits.size()) + reg);
}

//===----------------------------------------------------------------------===//
// Asynchronous
//===----------------------------------------------------------------------===//

/// Has the owners of the access do each of its rounds, with the coordinates of
/// the thread and the round: two threads never write the same bytes.
static void forEachRound(CodeBuilder &code, const TileLayout &access,
                         const CopyRounds &rounds,
                         llvm::function_ref<void(const RuntimeBits &)> body) {
  code.when(isOwner(code, access), [&] {
    code.loop(int64_t(1) << rounds.ofRound.size(), {},
              [&](Value round, ValueRange) -> SmallVector<Value> {
                body(RuntimeBits(threadBits(access), round, rounds.ofRound));
                return {};
              });
  });
}

/// Starts the copies of the vectors that begin at `registers` of the access, of
/// one round.
static void startCopies(KernelLowering &kernel, CopyAsyncOp op,
                        const TileLayout &access, unsigned dim,
                        ArrayRef<int64_t> registers, const RuntimeBits &bits) {
  CodeBuilder &code = kernel.code;
  BufferType buffer = op.getBuffer().getType();
  int64_t vector = op.getPlan().getVector();
  int64_t elementBytes = tile::elementBytes(buffer.getElementType());
  int64_t bytes = vector * elementBytes;
  Value live = op.getLive() ? kernel.part(op.getLive()) : Value();
  GlobalAddresses global(kernel, op, bits, live);
  SharedAddresses slot(kernel, buffer, op.getBuffer(), op.getCursor(), bits);
  Value zero = code.constI32(0);
  auto cache = bytes == 16 ? NVVM::LoadCacheModifierKind::CG
                           : NVVM::LoadCacheModifierKind::CA;
  // The valid bytes along the contiguous dimension.
  llvm::DenseMap<int64_t, Value> validBytes;
  for (int64_t reg : registers) {
    Coord coord = access.apply(reg, 0, 0);
    Value &size = validBytes[coord[dim]];
    if (!size) {
      Value count = global.countValid(dim, coord[dim], vector);
      std::optional<int64_t> known = CodeBuilder::getConstant(count);
      size = known ? code.constI32(*known * elementBytes)
                   : code.mul(count, code.constI32(elementBytes));
    }
    Value source = global.at(coord);
    Value valid = global.isValid(coord, dim);
    Value read = code.select(valid, size, zero);
    // Without a size, it reads all bytes.
    if (CodeBuilder::getConstant(read) == bytes)
      read = nullptr;
    NVVM::CpAsyncOp::create(code.builder, code.loc, slot.at(coord), source,
                            bytes, cache, read);
  }
}

LogicalResult tile::lower(KernelLowering &kernel, CopyAsyncOp op) {
  CodeBuilder &code = kernel.code;
  BufferType buffer = op.getBuffer().getType();
  const TileLayout &shared = buffer.getLayout().getLayout();
  int64_t vector = op.getPlan().getVector();
  ContiguousRun run = contiguousRun(shared);
  if (run.elements < vector)
    return op.emitOpError() << "expected at least " << vector
                            << " contiguous elements in the buffer's layout, "
                               "got "
                            << run.elements;
  llvm::Expected<TileLayout> access = copyLayout(
      buffer.getShape(), run.dim, vector, code.numThreads >> kLaneBits);
  if (!access)
    return op.emitOpError() << llvm::toString(access.takeError());

  // Whether the contiguous dimension is contiguous in memory, too.
  if (vector > 1 &&
      CodeBuilder::getConstant(kernel.part(op.getStrides()[run.dim])) != 1)
    return op.emitOpError() << "expected stride 1 along dimension " << run.dim
                            << ", where the buffer is contiguous";
  // In a loop, copies are written out, to be mixed with the products; before
  // one there is nothing to mix them with, and the addresses of many would take
  // the registers of sums.
  bool isInLoop = bool(op->getParentOfType<LoopLikeOpInterface>());
  CopyRounds rounds(*access, vector,
                    isInLoop ? access->numRegs() : kCopiesWrittenOut * vector);
  forEachRound(code, *access, rounds, [&](const RuntimeBits &bits) {
    startCopies(kernel, op, *access, run.dim, rounds.written, bits);
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Through registers
//===----------------------------------------------------------------------===//

/// Copies the vectors that start at `registers` of the access, of one round.
static void copyRegisters(KernelLowering &kernel, CopyOp op,
                          const TileLayout &access, int64_t vector,
                          unsigned dim, ArrayRef<int64_t> registers,
                          const RuntimeBits &bits) {
  BufferType buffer = op.getBuffer().getType();
  Type element = kernel.memoryType(buffer.getElementType());
  Value live = op.getLive() ? kernel.part(op.getLive()) : Value();
  GlobalAddresses global(kernel, op, bits, live);
  SharedAddresses slot(kernel, buffer, op.getBuffer(), op.getCursor(), bits);
  int64_t perLoad =
      global.isContiguous(dim) ? std::min(op.getPlan().getVector(), vector) : 1;
  Value other = op.getOther()
                    ? toMemory(kernel, kernel.part(op.getOther()), element)
                    : Value();
  for (int64_t reg : registers) {
    SmallVector<Value> pieces;
    for (int64_t piece = 0; piece < vector; piece += perLoad) {
      Coord coord = access.apply(reg + piece, 0, 0);
      pieces.push_back(loadGlobal(kernel, global.at(coord),
                                  {{}, global.isValid(coord)}, element, perLoad,
                                  other));
    }
    storeShared(kernel, concatenate(kernel, pieces),
                slot.at(access.apply(reg, 0, 0)));
  }
}

LogicalResult tile::lower(KernelLowering &kernel, CopyOp op) {
  CodeBuilder &code = kernel.code;
  BufferType buffer = op.getBuffer().getType();
  const TileLayout &shared = buffer.getLayout().getLayout();
  ContiguousRun run = contiguousRun(shared);
  // A thread stores up to 16 bytes at once, whatever it loads.
  int64_t widest = 16 / tile::elementBytes(buffer.getElementType());
  int64_t vector = std::min(run.elements, widest);
  llvm::Expected<TileLayout> access = copyLayout(
      buffer.getShape(), run.dim, vector, code.numThreads >> kLaneBits);
  if (!access)
    return op.emitOpError() << llvm::toString(access.takeError());

  // Up to 16 loads of a thread are written out; the others are rounds of a
  // loop, which the highest bits of the register index count.
  CopyRounds rounds(*access, vector, kLoadsInFlight);
  forEachRound(code, *access, rounds, [&](const RuntimeBits &bits) {
    copyRegisters(kernel, op, *access, vector, run.dim, rounds.written, bits);
  });
  return success();
}
