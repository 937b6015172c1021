//===- Reduce.cpp - Reductions and scans ----------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decode.h"

using namespace mlir;

namespace tile::interpreter {

namespace {
/// A tile seen as outer x axis x inner, the axis in the middle.
struct AxisView {
  int64_t outer = 1, side = 1, inner = 1;

  AxisView(ArrayRef<int64_t> shape, int64_t axis) : side(shape[axis]) {
    for (int64_t extent : shape.take_front(axis))
      outer *= extent;
    for (int64_t extent : shape.drop_front(axis + 1))
      inner *= extent;
  }
};

/// Runs the region on pairs of elements of the operands.
class Combiner {
public:
  Combiner(Program &program, const Step &step)
      : program(program), block(step.blocks[0]),
        body(program.launch.code.blocks[block]), step(step) {
    for (SlotIndex operand : step.operands) {
      bytes.push_back(bytesOf(program.slot(operand).kind));
      const char *source = program.data<char>(operand);
      copies.emplace_back(source, source + program.slot(operand).sizeInBytes());
    }
  }

  /// Element `target` of each operand becomes combine(left, right).
  LogicalResult combine(int64_t left, int64_t right, int64_t target) {
    size_t count = copies.size();
    for (size_t i = 0; i < count; ++i) {
      std::memcpy(program.data<char>(body.arguments[i]), at(i, left), bytes[i]);
      std::memcpy(program.data<char>(body.arguments[count + i]), at(i, right),
                  bytes[i]);
    }
    if (failed(program.runBlock(block)))
      return failure();
    for (size_t i = 0; i < count; ++i)
      std::memcpy(at(i, target), program.data<char>(body.yields[i]), bytes[i]);
    return success();
  }

  /// Element `to` of each result becomes element `from` of the combination.
  void write(int64_t from, int64_t to) {
    for (size_t i = 0; i < copies.size(); ++i)
      std::memcpy(program.data<char>(step.results[i]) + to * bytes[i],
                  at(i, from), bytes[i]);
  }

private:
  char *at(size_t operand, int64_t element) {
    return copies[operand].data() + element * bytes[operand];
  }

  Program &program;
  uint32_t block;
  const Block &body;
  const Step &step;
  llvm::SmallVector<unsigned, 2> bytes;
  llvm::SmallVector<std::vector<char>, 2> copies;
};
} // namespace

/// A tree over the bits of the axis index, low to high: at each level groups
/// that differ in one bit join; a group without a partner passes through.
static LogicalResult runReduce(Program &program, const Step &step) {
  AxisView view(program.slot(step.operands[0]).shape, step.numbers[0]);
  Combiner combiner(program, step);
  for (int64_t outer = 0; outer < view.outer; ++outer)
    for (int64_t inner = 0; inner < view.inner; ++inner) {
      auto element = [&](int64_t i) {
        return (outer * view.side + i) * view.inner + inner;
      };
      for (int64_t width = 1; width < view.side; width *= 2)
        for (int64_t i = 0; i + width < view.side; i += 2 * width)
          if (failed(
                  combiner.combine(element(i), element(i + width), element(i))))
            return failure();
      combiner.write(element(0), outer * view.inner + inner);
    }
  return success();
}

static LogicalResult runScan(Program &program, const Step &step) {
  AxisView view(program.slot(step.operands[0]).shape, step.numbers[0]);
  bool reverse = step.numbers[1];
  Combiner combiner(program, step);
  for (int64_t outer = 0; outer < view.outer; ++outer)
    for (int64_t inner = 0; inner < view.inner; ++inner)
      for (int64_t i = 0; i < view.side; ++i) {
        auto element = [&](int64_t place) {
          int64_t along = reverse ? view.side - 1 - place : place;
          return (outer * view.side + along) * view.inner + inner;
        };
        if (i > 0 &&
            failed(combiner.combine(element(i - 1), element(i), element(i))))
          return failure();
        combiner.write(element(i), element(i));
      }
  return success();
}

Decoded decodeReduce(Decoder &decoder, Operation *op, Step &step) {
  if (auto reduce = dyn_cast<ReduceOp>(op)) {
    step.numbers.push_back(reduce.getAxis());
    step.handler = runReduce;
  } else if (auto scan = dyn_cast<ScanOp>(op)) {
    step.numbers.push_back(scan.getAxis());
    step.numbers.push_back(scan.getReverse());
    step.handler = runScan;
  } else {
    return Decoded::Unknown;
  }
  if (step.operands.empty()) {
    op->emitError() << "the interpreter expected something to reduce";
    return Decoded::Failed;
  }
  FailureOr<uint32_t> block = decoder.decodeBlock(op->getRegion(0).front());
  if (failed(block))
    return Decoded::Failed;
  step.blocks.push_back(*block);
  return Decoded::Step;
}

} // namespace tile::interpreter
