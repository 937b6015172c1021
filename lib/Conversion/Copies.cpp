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
/// repeat the work of others.
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

//===----------------------------------------------------------------------===//
// Asynchronous
//===----------------------------------------------------------------------===//

LogicalResult tile::lower(KernelLowering &kernel, CopyAsyncOp op) {
  CodeBuilder &code = kernel.code;
  BufferType buffer = op.getBuffer().getType();
  const TileLayout &shared = buffer.getLayout().getLayout();
  int64_t vector = op.getPlan().getVector();
  int64_t elementBytes = tile::elementBytes(buffer.getElementType());
  int64_t bytes = vector * elementBytes;
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

  ThreadBits threads = threadBits(*access);
  Value live = op.getLive() ? kernel.part(op.getLive()) : Value();
  GlobalAddresses global(kernel, op, threads, live);
  if (vector > 1 && !global.isContiguous(run.dim))
    return op.emitOpError() << "expected stride 1 along dimension " << run.dim
                            << ", where the buffer is contiguous";
  SharedAddresses slot(kernel, buffer, op.getBuffer(), op.getCursor(), threads);
  Value zero = code.constI32(0);
  auto cache = bytes == 16 ? NVVM::LoadCacheModifierKind::CG
                           : NVVM::LoadCacheModifierKind::CA;
  // The valid bytes along the contiguous dimension.
  llvm::DenseMap<int64_t, Value> validBytes;
  for (int64_t reg = 0; reg < access->numRegs(); reg += vector) {
    Coord coord = access->apply(reg, 0, 0);
    Value &size = validBytes[coord[run.dim]];
    if (!size) {
      Value count = global.countValid(run.dim, coord[run.dim], vector);
      std::optional<int64_t> known = CodeBuilder::getConstant(count);
      size = known ? code.constI32(*known * elementBytes)
                   : code.mul(count, code.constI32(elementBytes));
    }
    Value source = global.at(coord);
    Value valid = global.isValid(coord, run.dim);
    Value read = code.select(valid, size, zero);
    // Without a size, it reads all bytes.
    if (CodeBuilder::getConstant(read) == bytes)
      read = nullptr;
    NVVM::CpAsyncOp::create(code.builder, code.loc, slot.at(coord), source,
                            bytes, cache, read);
  }
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
  const LinearLayout::Bases &registerBits = access->atom().bases(LayoutIn::Reg);
  unsigned writtenBits = std::min<size_t>(
      registerBits.size(), llvm::Log2_64(std::max(vector, kLoadsInFlight)));
  ThreadBits ofRound(registerBits.begin() + writtenBits, registerBits.end());
  SmallVector<int64_t> written;
  for (int64_t rep = 0; rep < access->numReps(); ++rep)
    for (int64_t reg = 0; reg < int64_t(1) << writtenBits; reg += vector)
      written.push_back((rep << registerBits.size()) + reg);
  code.loop(int64_t(1) << ofRound.size(), {},
            [&](Value round, ValueRange) -> SmallVector<Value> {
              RuntimeBits bits(threadBits(*access), round, ofRound);
              copyRegisters(kernel, op, *access, vector, run.dim, written,
                            bits);
              return {};
            });
  return success();
}
