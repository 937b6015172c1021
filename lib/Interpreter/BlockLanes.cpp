//===- BlockLanes.cpp - The lanes of a strided block ----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockLanes.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tile::interpreter {

BlockLanes::BlockLanes(Program &program, const StridedBlock &block)
    : program(program), block(block) {
  for (int64_t side : block.shape)
    count *= side;
  size_t maskWords = size_t(count) / 8 + 1;
  if (program.scratch.size() < size_t(count) + maskWords)
    program.scratch.resize(size_t(count) + maskWords);
  offsets = reinterpret_cast<int64_t *>(program.scratch.data());
  mask = reinterpret_cast<uint8_t *>(program.scratch.data() + count);
  fill();
}

void BlockLanes::fill() {
  ArrayRef<int64_t> shape = block.shape;
  llvm::SmallVector<int64_t, 4> index(shape.size(), 0);
  for (int64_t lane = 0; lane < count; ++lane) {
    bool valid = true;
    uint64_t offset = 0;
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      valid &= index[dim] >= block.begin[dim] && index[dim] < block.end[dim];
      offset += (uint64_t(block.origin[dim]) + uint64_t(index[dim])) *
                uint64_t(block.strides[dim]);
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

LogicalResult BlockLanes::checkVector(const Step &step, const Access &access,
                                      int64_t vector, unsigned elementBytes,
                                      bool wholeOnly) const {
  if (vector <= 1)
    return success();
  // The dimension along which elements are neighbours.
  ArrayRef<int64_t> shape = block.shape;
  int64_t dim = int64_t(shape.size()) - 1, inner = 1;
  while (dim >= 0 && (block.strides[dim] != 1 || shape[dim] % vector != 0))
    inner *= shape[dim--];
  if (dim < 0)
    return program.fail(step, "expected a side of stride 1 that vectors of " +
                                  Twine(vector) + " elements divide, in " +
                                  program.describe());
  uint64_t bytes = uint64_t(vector) * elementBytes;
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

} // namespace tile::interpreter
