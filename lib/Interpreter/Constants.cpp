//===- Constants.cpp - Constants and program ids --------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tile::interpreter {

/// Appends the low bytes of `bits`.
static void append(std::vector<uint8_t> &bytes, const APInt &bits, Kind kind) {
  uint64_t value = bits.getZExtValue();
  for (unsigned i = 0; i < bytesOf(kind); ++i)
    bytes.push_back(uint8_t(value >> (8 * i)));
}

/// The elements of a constant, or nothing where its form is not known.
static std::optional<std::vector<uint8_t>> elementsOf(Attribute value,
                                                      const Slot &slot) {
  std::vector<uint8_t> bytes;
  bytes.reserve(slot.sizeInBytes());
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    append(bytes, integer.getValue(), slot.kind);
    return bytes;
  }
  if (auto number = dyn_cast<FloatAttr>(value)) {
    append(bytes, number.getValue().bitcastToAPInt(), slot.kind);
    return bytes;
  }
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense)
    return std::nullopt;
  if (isFloat(slot.kind)) {
    for (const APFloat &element : dense.getValues<APFloat>())
      append(bytes, element.bitcastToAPInt(), slot.kind);
  } else {
    for (const APInt &element : dense.getValues<APInt>())
      append(bytes, element, slot.kind);
  }
  return bytes;
}

static LogicalResult runProgramId(Program &program, const Step &step) {
  *program.data<uint32_t>(step.results[0]) =
      uint32_t(program.id[step.numbers[0]]);
  return success();
}

static LogicalResult runNumPrograms(Program &program, const Step &step) {
  *program.data<uint32_t>(step.results[0]) =
      uint32_t(program.launch.grid[step.numbers[0]]);
  return success();
}

Decoded decodeConstant(Decoder &decoder, Operation *op, Step &step) {
  if (auto id = dyn_cast<ProgramIdOp>(op)) {
    step.numbers.push_back(int64_t(id.getAxis()));
    step.handler = runProgramId;
    return Decoded::Step;
  }
  if (auto count = dyn_cast<NumProgramsOp>(op)) {
    step.numbers.push_back(int64_t(count.getAxis()));
    step.handler = runNumPrograms;
    return Decoded::Step;
  }
  auto constant = dyn_cast<arith::ConstantOp>(op);
  if (!constant)
    return Decoded::Unknown;
  SlotIndex slot = step.results[0];
  auto bytes = elementsOf(constant.getValue(), decoder.code.slots[slot]);
  if (!bytes) {
    op->emitError() << "the interpreter cannot read the constant "
                    << constant.getValue();
    return Decoded::Failed;
  }
  decoder.code.constants.push_back({slot, std::move(*bytes)});
  return Decoded::NoStep;
}

} // namespace tile::interpreter
