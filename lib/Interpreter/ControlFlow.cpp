//===- ControlFlow.cpp - Loops and branches -------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decode.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tile::interpreter {

/// The value of an integer slot of one element, extended by its sign or by
/// zeros.
static __int128 readInteger(Program &program, SlotIndex slot, bool isUnsigned) {
  return withInteger(program.slot(slot).kind, [&](auto e) -> __int128 {
    using E = decltype(e);
    auto value = *program.data<typename E::Storage>(slot);
    return isUnsigned ? __int128(E::get(value)) : __int128(E::getSigned(value));
  });
}

static void writeInteger(Program &program, SlotIndex slot, __int128 value) {
  withInteger(program.slot(slot).kind, [&](auto e) {
    using E = decltype(e);
    *program.data<typename E::Storage>(slot) = E::put(uint64_t(value));
  });
}

/// The error of a loop that does not seem to end.
static LogicalResult failEndless(Program &program, const Step &step) {
  return program.fail(step, "expected a loop of at most " +
                                Twine(program.launch.maxIterations) +
                                " iterations, got more in " +
                                program.describe());
}

/// The results are the loop's carried arguments: they share their slots.
static LogicalResult runFor(Program &program, const Step &step) {
  bool isUnsigned = step.numbers[0];
  __int128 lower = readInteger(program, step.operands[0], isUnsigned);
  __int128 upper = readInteger(program, step.operands[1], isUnsigned);
  __int128 stride = readInteger(program, step.operands[2], isUnsigned);
  if (stride <= 0)
    return program.fail(step, "expected a positive step, got " +
                                  Twine(int64_t(stride)) + " in " +
                                  program.describe());
  uint32_t bodyIndex = step.blocks[0];
  const Block &body = program.launch.code.blocks[bodyIndex];
  ArrayRef<SlotIndex> carried = ArrayRef(body.arguments).drop_front();
  program.copyAll(ArrayRef(step.operands).drop_front(3), carried);
  uint64_t turns = 0;
  for (__int128 i = lower; i < upper; i += stride) {
    if (turns++ == program.launch.maxIterations)
      return failEndless(program, step);
    writeInteger(program, body.arguments[0], i);
    if (failed(program.runBlock(bodyIndex)))
      return failure();
    program.copyAll(body.yields, carried);
  }
  return success();
}

static LogicalResult runIf(Program &program, const Step &step) {
  bool condition = *program.data<uint8_t>(step.operands[0]);
  if (!condition && step.blocks.size() == 1)
    return success();
  uint32_t taken = step.blocks[condition ? 0 : 1];
  if (failed(program.runBlock(taken)))
    return failure();
  program.copyAll(program.launch.code.blocks[taken].yields, step.results);
  return success();
}

static LogicalResult runWhile(Program &program, const Step &step) {
  const Block &before = program.launch.code.blocks[step.blocks[0]];
  const Block &after = program.launch.code.blocks[step.blocks[1]];
  program.copyAll(step.operands, before.arguments);
  for (uint64_t turns = 0;; ++turns) {
    if (failed(program.runBlock(step.blocks[0])))
      return failure();
    ArrayRef<SlotIndex> handed = ArrayRef(before.yields).drop_front();
    if (!*program.data<uint8_t>(before.yields[0])) {
      program.copyAll(handed, step.results);
      return success();
    }
    if (turns == program.launch.maxIterations)
      return failEndless(program, step);
    program.copyAll(handed, after.arguments);
    if (failed(program.runBlock(step.blocks[1])))
      return failure();
    program.copyAll(after.yields, before.arguments);
  }
}

Decoded decodeControlFlow(Decoder &decoder, Operation *op, Step &step) {
  if (!isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op))
    return Decoded::Unknown;
  for (Region &region : op->getRegions()) {
    if (region.empty())
      continue;
    if (!region.hasOneBlock()) {
      op->emitError() << "the interpreter expected regions of one block, got "
                      << region.getBlocks().size();
      return Decoded::Failed;
    }
    FailureOr<uint32_t> block = decoder.decodeBlock(region.front());
    if (failed(block))
      return Decoded::Failed;
    step.blocks.push_back(*block);
  }
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    step.numbers.push_back(loop.getUnsignedCmp());
    for (auto [result, carried] :
         llvm::zip_equal(loop.getResults(), loop.getRegionIterArgs()))
      if (failed(decoder.alias(result, carried)))
        return Decoded::Failed;
    step.handler = runFor;
  } else {
    step.handler = isa<scf::IfOp>(op) ? runIf : runWhile;
  }
  return Decoded::Step;
}

} // namespace tile::interpreter
