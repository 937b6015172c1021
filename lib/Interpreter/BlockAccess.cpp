//===- BlockAccess.cpp - Strided blocks of global memory ------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ops of tile_gpu that name a block by origin, bounds and strides.
//
//===----------------------------------------------------------------------===//

#include "BlockLanes.h"
#include "Decode.h"
#include "LaneAccess.h"
#include "Rings.h"
#include "tile/GPU/Bounds.h"

using namespace mlir;

namespace tile::interpreter {

/// Where things stand among an op's operands; -1: absent.  In step.numbers,
/// before the shape of the tile.
enum Number { kRank, kBase, kBuffer, kLive, kOther, kVector, kKind, kShape };

static int64_t readInteger(Program &program, SlotIndex slot) {
  return program.slot(slot).kind == Kind::I32 ? *program.data<int32_t>(slot)
                                              : *program.data<int64_t>(slot);
}

/// The block that an op's operands name; empty where it is not live.
static StridedBlock blockOf(Program &program, const Step &step) {
  StridedBlock block;
  block.shape = ArrayRef(step.numbers).drop_front(kShape);
  int64_t rank = step.numbers[kRank], first = step.numbers[kBase] + 1;
  int64_t live = step.numbers[kLive];
  bool isLive = live < 0 || *program.data<uint8_t>(step.operands[live]);
  for (int64_t dim = 0; dim < rank; ++dim) {
    SlotIndex boundSlot = step.operands[first + rank + dim];
    int64_t origin = readInteger(program, step.operands[first + dim]);
    int64_t bound = readInteger(program, boundSlot);
    unsigned bits = program.slot(boundSlot).kind == Kind::I32 ? 32 : 64;
    bool isUnbounded = gpu::isNoBound(bound, bits);
    int64_t end;
    // A difference that overflows is far beyond every tile's side.
    if (isUnbounded || llvm::SubOverflow(bound, origin, end))
      end = isUnbounded || origin < 0 ? INT64_MAX : INT64_MIN;
    block.origin.push_back(origin);
    block.strides.push_back(
        readInteger(program, step.operands[first + 2 * rank + dim]));
    block.begin.push_back(INT64_MIN);
    block.end.push_back(isLive ? end : INT64_MIN);
  }
  return block;
}

/// Checks that a barrier is between this access and those that it conflicts
/// with.
static LogicalResult checkHazards(Program &program, const Step &step,
                                  const BlockLanes &lanes, const Access &access,
                                  bool isWrite) {
  if (!access.needsBarriers())
    return success();
  program.hazards.beginOp();
  for (int64_t lane = 0; lane < lanes.size(); ++lane) {
    if (!lanes.validity()[lane])
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
  StridedBlock block = blockOf(program, step);
  BlockLanes lanes(program, block);
  Access access(program, step, step.operands[step.numbers[kBase]],
                lanes.laneOffsets(), sizeof(Bits));
  if (failed(lanes.checkVector(step, access, step.numbers[kVector],
                               sizeof(Bits), /*wholeOnly=*/false)) ||
      failed(checkHazards(program, step, lanes, access, /*isWrite=*/false)))
    return failure();
  LoadLanes<Bits> load;
  load.mask = lanes.validity();
  if (step.numbers[kOther] >= 0)
    load.other = program.data<Bits>(step.operands[step.numbers[kOther]]);
  load.isBool = Kind(step.numbers[kKind]) == Kind::I1;
  load.result = reinterpret_cast<Bits *>(result);
  load.count = lanes.size();
  return loadLanes(program, step, access, load);
}

/// What a copy reads is what memory holds when it starts; it lands in its slot
/// when it has been waited for, and nobody may look there before.
template <class Bits, bool isAsync>
static LogicalResult runCopy(Program &program, const Step &step) {
  char *slot = writeSlot(program, step, step.operands[step.numbers[kBuffer]],
                         step.operands[step.numbers[kBuffer] + 1],
                         isAsync ? Writer::AsyncThreads : Writer::Threads);
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
  StridedBlock block = blockOf(program, step);
  BlockLanes lanes(program, block);
  Access access(program, step, step.operands[step.numbers[kBase]],
                lanes.laneOffsets(), sizeof(Bits));
  if (failed(lanes.checkVector(step, access, step.numbers[kVector],
                               sizeof(Bits), /*wholeOnly=*/true)) ||
      failed(checkHazards(program, step, lanes, access, /*isWrite=*/true)))
    return failure();
  return storeLanes<Bits>(program, step, access, step.operands[0],
                          lanes.validity());
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
