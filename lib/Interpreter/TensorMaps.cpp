//===- TensorMaps.cpp - The copy engine -----------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockLanes.h"
#include "Decode.h"
#include "FloatFormat.h"
#include "LaneAccess.h"
#include "Rings.h"

#include "tile/Layout/Constructors.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tile::interpreter {

/// The copy engine wants addresses and pitches of this many bytes (PTX ISA
/// 5.5.2).
static constexpr uint64_t kMapAlignment = 16;

static int64_t readInteger(Program &program, SlotIndex slot) {
  return program.slot(slot).kind == Kind::I32 ? *program.data<int32_t>(slot)
                                              : *program.data<int64_t>(slot);
}

/// numbers: [the map's number, dimensions, bytes of an element].
static LogicalResult runTensorMap(Program &program, const Step &step) {
  TensorMap &map = program.tensorMaps[step.numbers[0]];
  int64_t rank = step.numbers[1];
  map = {};
  map.base = step.operands[0];
  uint64_t address = program.data<PointerValue>(map.base)->address;
  if (address % kMapAlignment != 0)
    return program.fail(step, "expected a matrix at an address divisible by " +
                                  Twine(kMapAlignment) + ", got 0x" +
                                  llvm::utohexstr(address, true) + " in " +
                                  program.describe());
  for (int64_t dim = 0; dim < rank; ++dim) {
    map.sides.push_back(readInteger(program, step.operands[1 + dim]));
    map.strides.push_back(
        dim + 1 < rank ? readInteger(program, step.operands[1 + rank + dim])
                       : 1);
    uint64_t bytes = uint64_t(map.strides.back()) * uint64_t(step.numbers[2]);
    if (dim + 1 < rank && bytes % kMapAlignment != 0)
      return program.fail(step, "expected pitches of a multiple of " +
                                    Twine(kMapAlignment) + " bytes, got " +
                                    Twine(bytes) + " in " + program.describe());
  }
  *program.data<int64_t>(step.results[0]) = step.numbers[0];
  return success();
}

/// The block of a tile of this shape whose origin stands at operand `first`.
/// Origin and map name the contiguous dimension last; the tile has it first
/// where it is `transposed`.
static StridedBlock blockOf(Program &program, const Step &step,
                            const TensorMap &map, unsigned first,
                            ArrayRef<int64_t> shape, bool transposed) {
  StridedBlock block;
  block.shape = shape;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    size_t side = transposed ? shape.size() - 1 - dim : dim;
    int64_t origin = readInteger(program, step.operands[first + side]);
    block.strides.push_back(map.strides[side]);
    block.origin.push_back(origin);
    block.begin.push_back(-origin);
    block.end.push_back(map.sides[side] - origin);
  }
  return block;
}

/// To tf32 as the copy engine does it: there is one NaN (seen on an H200).
static float roundAsEngine(float value) {
  return std::isnan(value) ? bitsAs<float>(0x7fffe000u) : roundToTf32(value);
}

/// numbers: [bytes of the slot, whether i1, whether transposed, whether rounded
/// to tf32, shape...]; operands: the map, its coordinates, the ring, the
/// cursor, the barriers.
template <class Bits>
static LogicalResult runTmaLoad(Program &program, const Step &step) {
  ArrayRef<int64_t> shape = ArrayRef(step.numbers).drop_front(4);
  const TensorMap &map =
      program.tensorMaps[*program.data<int64_t>(step.operands[0])];
  unsigned rank = shape.size();
  SlotIndex ring = step.operands[1 + rank], cursor = step.operands[2 + rank];
  char *slot = writeSlot(program, step, ring, cursor, Writer::CopyEngine);
  if (!slot)
    return failure();
  StridedBlock block =
      blockOf(program, step, map, 1, shape, /*transposed=*/step.numbers[2]);
  BlockLanes lanes(program, block);
  Access access(program, step, map.base, lanes.laneOffsets(), sizeof(Bits));
  LoadLanes<Bits> load;
  load.mask = lanes.validity();
  load.isBool = step.numbers[1];
  load.result = reinterpret_cast<Bits *>(slot);
  load.count = lanes.size();
  if (failed(loadLanes(program, step, access, load)))
    return failure();
  if (step.numbers[3]) {
    auto *values = reinterpret_cast<float *>(slot);
    std::transform(values, values + load.count, values, roundAsEngine);
  }
  SharedMemory &shared = program.shared;
  int64_t position = *program.data<int64_t>(cursor);
  size_t index = *program.data<int64_t>(ring);
  size_t set = *program.data<int64_t>(step.operands[3 + rank]);
  shared.barriers.addCopy(
      set, shared.barriers.slotAt(set, position),
      {index, shared.slotAt(index, position), step.numbers[0]});
  return success();
}

/// Operands: the value, the map, its coordinates, the staging ring.
template <class Bits>
static LogicalResult runTmaStore(Program &program, const Step &step) {
  // The op itself waits for the store before it.
  program.shared.waitForStores();
  size_t staging = *program.data<int64_t>(step.operands.back());
  for (int64_t i = 0; i < program.shared.numSlots(staging); ++i)
    if (auto problem =
            program.shared.write(step.op, staging, i, Writer::Threads))
      return report(program, step, *problem);
  program.shared.startStore(step.op, staging);
  const TensorMap &map =
      program.tensorMaps[*program.data<int64_t>(step.operands[1])];
  StridedBlock block =
      blockOf(program, step, map, 2, program.slot(step.operands[0]).shape,
              /*transposed=*/false);
  BlockLanes lanes(program, block);
  Access access(program, step, map.base, lanes.laneOffsets(), sizeof(Bits));
  return storeLanes<Bits>(program, step, access, step.operands[0],
                          lanes.validity());
}

static LogicalResult runTmaStoreWait(Program &program, const Step &) {
  program.shared.waitForStores();
  return success();
}

namespace {
template <class Bits>
struct TmaLoad {
  static constexpr Handler run = runTmaLoad<Bits>;
};
template <class Bits>
struct TmaStore {
  static constexpr Handler run = runTmaStore<Bits>;
};
} // namespace

/// Whether a slot's first dimension is the contiguous one: it has the image of
/// boxes (C4), and not that of row-major ones.
static bool isColumnMajor(gpu::BufferType type) {
  ArrayRef<int64_t> shape = type.getShape();
  llvm::Expected<TileLayout> rows = sharedSwizzled(
      shape[0], shape[1], 8 * elementBytes(type.getElementType()),
      /*rowMajor=*/true);
  bool isRowMajor = rows && *rows == type.getLayout().getLayout();
  llvm::consumeError(rows.takeError());
  return !isRowMajor;
}

Decoded decodeTensorMap(Decoder &decoder, Operation *op, Step &step) {
  if (auto map = dyn_cast<gpu::TensorMapOp>(op)) {
    step.numbers = {int64_t(decoder.code.numTensorMaps++),
                    int64_t(map.getDims().size()),
                    elementBytes(map.getType().getMemoryType())};
    step.handler = runTensorMap;
    return Decoded::Step;
  }
  if (auto load = dyn_cast<gpu::TmaLoadOp>(op)) {
    gpu::BufferType type = load.getBuffer().getType();
    Kind kind = *kindOf(type.getElementType());
    gpu::TensorMapType map = load.getMap().getType();
    step.numbers = {type.getSlotBytes(), kind == Kind::I1, isColumnMajor(type),
                    map.getElementType() != map.getMemoryType()};
    step.numbers.append(type.getShape().begin(), type.getShape().end());
    step.handler = byWidth<TmaLoad>(kind);
    return Decoded::Step;
  }
  if (isa<gpu::TmaStoreOp>(op)) {
    step.handler = byWidth<TmaStore>(decoder.code.slots[step.operands[0]].kind);
    return Decoded::Step;
  }
  if (isa<gpu::TmaPrefetchOp>(op))
    return Decoded::NoStep;
  if (isa<gpu::TmaStoreWaitOp>(op)) {
    step.handler = runTmaStoreWait;
    return Decoded::Step;
  }
  return Decoded::Unknown;
}

} // namespace tile::interpreter
