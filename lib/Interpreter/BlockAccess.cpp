//===- BlockAccess.cpp - Strided blocks of global memory -------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ops of tile_gpu that name a block by origin, bounds and strides.  A
// plan's vector is a promise about addresses, which is checked: the first
// element of each vector is aligned to the vector, and a stored vector is valid
// as a whole or not at all.
//
//===----------------------------------------------------------------------===//

#include "Decode.h"
#include "LaneAccess.h"
#include "Rings.h"

using namespace mlir;

namespace tile::interpreter {

/// Where things stand among an op's operands; -1: absent.  In step.numbers,
/// before the shape of the tile.
enum Number { kRank, kBase, kBuffer, kLive, kOther, kVector, kKind, kShape };

namespace {
/// The lanes of a block: their offsets from the base and which are valid.
class BlockLanes {
public:
  BlockLanes(Program &program, const Step &step)
      : program(program), step(step) {
    shape = ArrayRef(step.numbers).drop_front(kShape);
    for (int64_t side : shape)
      count *= side;
    size_t maskWords = size_t(count) / 8 + 1;
    if (program.scratch.size() < size_t(count) + maskWords)
      program.scratch.resize(size_t(count) + maskWords);
    offsets = reinterpret_cast<int64_t *>(program.scratch.data());
    mask = reinterpret_cast<uint8_t *>(program.scratch.data() + count);
    readOperands();
    fill();
  }

  /// Checks the promise of the plan's vector.
  LogicalResult checkVector(const Access &access, bool wholeOnly) const;

  LaneOffsets laneOffsets() const { return {nullptr, offsets, shape}; }

  ArrayRef<int64_t> shape;
  int64_t count = 1;
  int64_t *offsets;
  uint8_t *mask;

private:
  void readOperands();
  void fill();
  int64_t integer(int64_t operand) const {
    SlotIndex slot = step.operands[operand];
    return program.slot(slot).kind == Kind::I32 ? *program.data<int32_t>(slot)
                                                : *program.data<int64_t>(slot);
  }

  Program &program;
  const Step &step;
  llvm::SmallVector<int64_t, 4> origin, strides;
  /// Coordinates from here on are not valid; may be negative.
  llvm::SmallVector<int64_t, 4> limits;
};
} // namespace

void BlockLanes::readOperands() {
  int64_t rank = step.numbers[kRank], first = step.numbers[kBase] + 1;
  int64_t live = step.numbers[kLive];
  bool isLive = live < 0 || *program.data<uint8_t>(step.operands[live]);
  for (int64_t dim = 0; dim < rank; ++dim) {
    SlotIndex boundSlot = step.operands[first + rank + dim];
    int64_t bound = integer(first + rank + dim);
    bool isLargest =
        bound == (program.slot(boundSlot).kind == Kind::I32 ? int64_t(INT32_MAX)
                                                            : INT64_MAX);
    origin.push_back(integer(first + dim));
    strides.push_back(integer(first + 2 * rank + dim));
    int64_t limit;
    // The largest value bounds nothing; a difference that overflows is far
    // beyond every tile's side.
    if (isLargest || llvm::SubOverflow(bound, origin.back(), limit))
      limit = isLargest || origin.back() < 0 ? INT64_MAX : INT64_MIN;
    limits.push_back(isLive ? limit : INT64_MIN);
  }
}

void BlockLanes::fill() {
  llvm::SmallVector<int64_t, 4> index(shape.size(), 0);
  for (int64_t lane = 0; lane < count; ++lane) {
    bool valid = true;
    uint64_t offset = 0;
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      valid &= index[dim] < limits[dim];
      offset += (uint64_t(origin[dim]) + uint64_t(index[dim])) *
                uint64_t(strides[dim]);
    }
    offsets[lane] = int64_t(offset);
    mask[lane] = valid;
    for (size_t dim = shape.size(); dim-- > 0;) {
      if (++index[dim] < shape[dim])
        break;
      index[dim] = 0;
    }
  }
}

LogicalResult BlockLanes::checkVector(const Access &access,
                                      bool wholeOnly) const {
  int64_t vector = step.numbers[kVector];
  if (vector <= 1)
    return success();
  // The dimension along which elements are neighbours.
  int64_t dim = int64_t(shape.size()) - 1, inner = 1;
  while (dim >= 0 && (strides[dim] != 1 || shape[dim] % vector != 0))
    inner *= shape[dim--];
  if (dim < 0)
    return program.fail(step, "expected a side of stride 1 that vectors of " +
                                  Twine(vector) + " elements divide, in " +
                                  program.describe());
  uint64_t bytes = uint64_t(vector) * bytesOf(Kind(step.numbers[kKind]));
  for (int64_t lane = 0; lane < count; ++lane) {
    if (lane / inner % vector != 0 || !mask[lane])
      continue;
    if (access.address(lane) % bytes != 0)
      return program.fail(step,
                          "misaligned vector of " + Twine(vector) +
                              " elements: expected an address divisible by " +
                              Twine(bytes) + ", got 0x" +
                              llvm::utohexstr(access.address(lane), true) +
                              " in " + access.describeLane(lane));
    if (wholeOnly && !mask[lane + (vector - 1) * inner])
      return program.fail(step, "expected a vector of " + Twine(vector) +
                                    " elements to be valid as a whole, got a "
                                    "part from " +
                                    access.describeLane(lane));
  }
  return success();
}

/// Checks that a barrier is between this access and those that it conflicts
/// with.
static LogicalResult checkHazards(Program &program, const Step &step,
                                  const BlockLanes &block, const Access &access,
                                  bool isWrite) {
  if (!access.needsBarriers())
    return success();
  program.hazards.beginOp();
  for (int64_t lane = 0; lane < block.count; ++lane) {
    if (!block.mask[lane])
      continue;
    Operation *earlier =
        program.hazards.touch(access.address(lane), step.op, isWrite);
    if (earlier)
      return program.fail(step,
                          "expected a barrier between this access of global "
                          "memory and the one before it, in " +
                              access.describeLane(lane),
                          earlier, "the access before it");
  }
  return success();
}

/// Loads a block into `result`.
template <class Bits>
static LogicalResult loadBlock(Program &program, const Step &step,
                               char *result) {
  BlockLanes block(program, step);
  Access access(program, step, step.operands[step.numbers[kBase]],
                block.laneOffsets(), sizeof(Bits));
  if (failed(block.checkVector(access, /*wholeOnly=*/false)) ||
      failed(checkHazards(program, step, block, access, /*isWrite=*/false)))
    return failure();
  LoadLanes<Bits> lanes;
  lanes.mask = block.mask;
  if (step.numbers[kOther] >= 0)
    lanes.other = program.data<Bits>(step.operands[step.numbers[kOther]]);
  lanes.isBool = Kind(step.numbers[kKind]) == Kind::I1;
  lanes.result = reinterpret_cast<Bits *>(result);
  lanes.count = block.count;
  return loadLanes(program, step, access, lanes);
}

/// What a copy reads is what memory holds when it starts; it lands in its slot
/// when it has been waited for, and nobody may look there before.
template <class Bits, bool isAsync>
static LogicalResult runCopy(Program &program, const Step &step) {
  char *slot = writeSlot(program, step, step.operands[step.numbers[kBuffer]],
                         step.operands[step.numbers[kBuffer] + 1], isAsync);
  if (!slot)
    return failure();
  return loadBlock<Bits>(program, step, slot);
}

template <class Bits>
static LogicalResult runBlockLoad(Program &program, const Step &step) {
  return loadBlock<Bits>(program, step, program.data<char>(step.results[0]));
}

template <class Bits>
static LogicalResult runBlockStore(Program &program, const Step &step) {
  BlockLanes block(program, step);
  Access access(program, step, step.operands[step.numbers[kBase]],
                block.laneOffsets(), sizeof(Bits));
  if (failed(block.checkVector(access, /*wholeOnly=*/true)) ||
      failed(checkHazards(program, step, block, access, /*isWrite=*/true)))
    return failure();
  return storeLanes<Bits>(program, step, access, step.operands[0], block.mask);
}

namespace {
template <class Bits>
struct CopyAsync {
  static constexpr Handler run = runCopy<Bits, true>;
};
template <class Bits>
struct CopyPlain {
  static constexpr Handler run = runCopy<Bits, false>;
};
template <class Bits>
struct BlockLoad {
  static constexpr Handler run = runBlockLoad<Bits>;
};
template <class Bits>
struct BlockStore {
  static constexpr Handler run = runBlockStore<Bits>;
};
} // namespace

/// The numbers of an op whose block starts at operand `base`.
static void setNumbers(Step &step, int64_t rank, int64_t base, CopyAttr plan,
                       Kind kind, ArrayRef<int64_t> shape) {
  step.numbers = {rank, base, -1, -1, -1, plan.getVector(), int64_t(kind)};
  step.numbers.append(shape.begin(), shape.end());
}

/// The numbers of a copy: after the block come the buffer, its cursor and
/// `live`.
template <class Copy>
static Kind setCopyNumbers(Copy copy, Step &step) {
  gpu::BufferType type = copy.getBuffer().getType();
  Kind kind = *kindOf(type.getElementType());
  int64_t rank = type.getShape().size();
  setNumbers(step, rank, 0, copy.getPlan(), kind, type.getShape());
  step.numbers[kBuffer] = 1 + 3 * rank;
  if (copy.getLive())
    step.numbers[kLive] = 3 + 3 * rank;
  return kind;
}

/// Remembers which argument a store's pointer was made of.
static void noteStored(Code &code, Value base) {
  while (auto offset = base.getDefiningOp<OffsetOp>())
    base = offset.getPointer();
  auto argument = dyn_cast<BlockArgument>(base);
  if (argument && isa<KernelOp>(argument.getOwner()->getParentOp()))
    code.storedArguments.push_back(argument.getArgNumber());
  else
    code.storesAnywhere = true;
}

Decoded decodeBlockAccess(Decoder &decoder, Operation *op, Step &step) {
  if (auto copy = dyn_cast<gpu::CopyAsyncOp>(op)) {
    step.handler = byWidth<CopyAsync>(setCopyNumbers(copy, step));
    return Decoded::Step;
  }
  if (auto copy = dyn_cast<gpu::CopyOp>(op)) {
    step.handler = byWidth<CopyPlain>(setCopyNumbers(copy, step));
    if (copy.getOther())
      step.numbers[kOther] = int64_t(step.operands.size()) - 1;
    return Decoded::Step;
  }
  if (auto load = dyn_cast<gpu::LoadOp>(op)) {
    const Slot &result = decoder.code.slots[step.results[0]];
    setNumbers(step, result.shape.size(), 0, load.getPlan(), result.kind,
               result.shape);
    if (load.getOther())
      step.numbers[kOther] = int64_t(step.operands.size()) - 1;
    step.handler = byWidth<BlockLoad>(result.kind);
    return Decoded::Step;
  }
  if (auto store = dyn_cast<gpu::StoreOp>(op)) {
    const Slot &value = decoder.code.slots[step.operands[0]];
    setNumbers(step, value.shape.size(), 1, store.getPlan(), value.kind,
               value.shape);
    step.handler = byWidth<BlockStore>(value.kind);
    noteStored(decoder.code, store.getBase());
    return Decoded::Step;
  }
  return Decoded::Unknown;
}

} // namespace tile::interpreter
