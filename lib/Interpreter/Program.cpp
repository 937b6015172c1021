//===- Program.cpp - Running one program of a grid ------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tile::interpreter {

Program::Program(const Launch &launch)
    : launch(launch), storage(new char[launch.code.frameBytes + 64]) {
  auto address = reinterpret_cast<uintptr_t>(storage.get());
  frame = storage.get() + (64 - address % 64);
  for (const std::vector<Constant> *list :
       {&launch.code.constants, &launch.arguments})
    for (const Constant &constant : *list)
      std::memcpy(data<char>(constant.slot), constant.bytes.data(),
                  constant.bytes.size());
}

LogicalResult Program::run(int64_t newNumber) {
  number = newNumber;
  id = programId(number, launch.runGrid);
  failure = {};
  printed.clear();
  hazards.reset();
  shared.reset(launch.code.numRings, launch.code.numBarrierSets,
               launch.checkBarriers);
  tensorMaps.resize(launch.code.numTensorMaps);
  return runBlock(0);
}

LogicalResult Program::runBlock(uint32_t block) {
  for (const Step &step : launch.code.blocks[block].steps)
    if (failed(step.handler(*this, step)))
      return mlir::failure();
  return success();
}

void Program::copyAll(ArrayRef<SlotIndex> from, ArrayRef<SlotIndex> to) {
  // Sources that another copy of this group overwrites are saved first.
  llvm::SmallVector<std::pair<size_t, std::vector<char>>, 0> saved;
  for (size_t i = 0; i < from.size(); ++i) {
    size_t offset = slot(from[i]).frameOffset;
    bool overwritten = false;
    for (size_t j = 0; j < i; ++j)
      overwritten |= slot(to[j]).frameOffset == offset && from[j] != to[j];
    if (overwritten) {
      char *bytes = data<char>(from[i]);
      saved.emplace_back(
          i, std::vector<char>(bytes, bytes + slot(from[i]).sizeInBytes()));
    }
  }
  auto *next = saved.begin();
  for (size_t i = 0; i < from.size(); ++i) {
    if (next != saved.end() && next->first == i) {
      std::memcpy(data<char>(to[i]), next->second.data(), next->second.size());
      ++next;
    } else {
      copy(from[i], to[i]);
    }
  }
}

LogicalResult Program::fail(const Step &step, const Twine &message,
                            Operation *noteOp, StringRef note) {
  failure = {step.op, message.str(), noteOp, note.str()};
  return mlir::failure();
}

std::string Program::describe() const { return "program " + describeId(id); }

std::string Program::describeLane(ArrayRef<int64_t> shape, int64_t lane) const {
  std::string where = describeIndex(shape, lane);
  return (where.empty() ? "" : "lane " + where + " of ") + describe();
}

std::array<int64_t, 3> programId(int64_t number,
                                 const std::array<int64_t, 3> &grid) {
  return {number % grid[0], number / grid[0] % grid[1],
          number / grid[0] / grid[1]};
}

std::string describeId(const std::array<int64_t, 3> &id) {
  return ("(" + Twine(id[0]) + ", " + Twine(id[1]) + ", " + Twine(id[2]) + ")")
      .str();
}

std::string describeIndex(ArrayRef<int64_t> shape, int64_t element) {
  if (shape.empty())
    return "";
  llvm::SmallVector<int64_t> index(shape.size());
  for (size_t i = shape.size(); i-- > 0; element /= shape[i])
    index[i] = element % shape[i];
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "[";
  llvm::interleaveComma(index, stream);
  stream << "]";
  return text;
}

} // namespace tile::interpreter
