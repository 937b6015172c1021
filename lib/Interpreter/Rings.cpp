//===- Rings.cpp - Rings in shared memory ---------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rings.h"

#include "Decode.h"

using namespace mlir;

namespace tile::interpreter {

LogicalResult report(Program &program, const Step &step,
                     const SlotProblem &problem) {
  return program.fail(step, problem.message + " in " + program.describe(),
                      problem.earlier, problem.note);
}

const char *readSlot(Program &program, const Step &step, SlotIndex ring,
                     SlotIndex cursor, Reader reader) {
  size_t index = *program.data<int64_t>(ring);
  int64_t slot = program.shared.slotAt(index, *program.data<int64_t>(cursor));
  if (auto problem = program.shared.read(step.op, index, slot, reader)) {
    (void)report(program, step, *problem);
    return nullptr;
  }
  return program.shared.data(index, slot);
}

char *writeSlot(Program &program, const Step &step, SlotIndex ring,
                SlotIndex cursor, Writer writer) {
  size_t index = *program.data<int64_t>(ring);
  int64_t slot = program.shared.slotAt(index, *program.data<int64_t>(cursor));
  if (auto problem = program.shared.write(step.op, index, slot, writer)) {
    (void)report(program, step, *problem);
    return nullptr;
  }
  return program.shared.data(index, slot);
}

/// numbers: [the ring's number, slots, bytes of a slot, offset or -1].
static LogicalResult runAlloc(Program &program, const Step &step) {
  RingPlace place{step.numbers[1], size_t(step.numbers[2]), std::nullopt};
  if (step.numbers[3] >= 0)
    place.offset = step.numbers[3];
  program.shared.allocate(step.numbers[0], place);
  *program.data<int64_t>(step.results[0]) = step.numbers[0];
  return success();
}

static LogicalResult runCursor(Program &program, const Step &step) {
  *program.data<int64_t>(step.results[0]) = 0;
  return success();
}

static LogicalResult runAdvance(Program &program, const Step &step) {
  *program.data<int64_t>(step.results[0]) =
      *program.data<int64_t>(step.operands[0]) + step.numbers[0];
  return success();
}

static LogicalResult runCommit(Program &program, const Step &) {
  program.shared.commit();
  return success();
}

static LogicalResult runWait(Program &program, const Step &step) {
  program.shared.wait(step.numbers[0]);
  return success();
}

static LogicalResult runBarrier(Program &program, const Step &) {
  program.shared.barrier();
  program.hazards.barrier();
  return success();
}

static LogicalResult runFence(Program &program, const Step &) {
  program.shared.fence();
  return success();
}

static LogicalResult runLocalStore(Program &program, const Step &step) {
  char *slot = writeSlot(program, step, step.operands[1], step.operands[2],
                         Writer::Threads);
  if (!slot)
    return failure();
  std::memcpy(slot, program.data<char>(step.operands[0]),
              program.slot(step.operands[0]).sizeInBytes());
  return success();
}

static LogicalResult runLocalLoad(Program &program, const Step &step) {
  const char *slot =
      readSlot(program, step, step.operands[0], step.operands[1]);
  if (!slot)
    return failure();
  std::memcpy(program.data<char>(step.results[0]), slot,
              program.slot(step.results[0]).sizeInBytes());
  return success();
}

/// Far above what any chip has.
static constexpr int64_t kMaxRingBytes = int64_t(1) << 28;

Decoded decodeRing(Decoder &decoder, Operation *op, Step &step) {
  auto alloc = dyn_cast<gpu::AllocOp>(op);
  if (alloc && alloc.getType().getSlotBytes() >
                   kMaxRingBytes / alloc.getType().getSlots()) {
    op->emitError() << "the interpreter expected a ring of at most "
                    << kMaxRingBytes << " bytes, got " << alloc.getType();
    return Decoded::Failed;
  }
  if (auto convert = dyn_cast<gpu::ConvertLayoutOp>(op)) {
    // Which thread holds an element makes no difference here.
    if (failed(decoder.alias(convert.getResult(), convert.getSource())))
      return Decoded::Failed;
    return Decoded::NoStep;
  }
  step.handler = llvm::TypeSwitch<Operation *, Handler>(op)
                     .Case([&](gpu::AllocOp alloc) {
                       gpu::BufferType type = alloc.getType();
                       step.numbers = {int64_t(decoder.code.numRings++),
                                       type.getSlots(), type.getSlotBytes(),
                                       int64_t(alloc.getOffset().value_or(-1))};
                       return runAlloc;
                     })
                     .Case([](gpu::CursorOp) { return runCursor; })
                     .Case([&](gpu::AdvanceOp advance) {
                       step.numbers.push_back(advance.getSteps());
                       return runAdvance;
                     })
                     .Case([](gpu::CommitOp) { return runCommit; })
                     .Case([&](gpu::WaitOp wait) {
                       step.numbers.push_back(wait.getGroups());
                       return runWait;
                     })
                     .Case([&](gpu::BarrierOp) {
                       decoder.code.hasBarriers = true;
                       return runBarrier;
                     })
                     .Case([](gpu::FenceAsyncOp) { return runFence; })
                     .Case([](gpu::LocalStoreOp) { return runLocalStore; })
                     .Case([](gpu::LocalLoadOp) { return runLocalLoad; })
                     .Default([](Operation *) -> Handler { return nullptr; });
  return step.handler ? Decoded::Step : Decoded::Unknown;
}

} // namespace tile::interpreter
