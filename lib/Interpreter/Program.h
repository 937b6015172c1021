//===- Program.h - Decoded kernels and running programs ---------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel is decoded once: each value becomes a slot in a frame, each op a
// step with the function that carries it out.  A thread owns one frame and runs
// one program after the other in it.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_INTERPRETER_PROGRAM_H
#define TILE_LIB_INTERPRETER_PROGRAM_H

#include "Element.h"
#include "GlobalHazards.h"
#include "SharedMemory.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <memory>
#include <string>
#include <vector>

namespace tile {
class KernelOp;
}

namespace tile::interpreter {

class GlobalMemory;
class Program;
struct Step;

/// Carries out one step; failure means that the program has an error.
using Handler = llvm::LogicalResult (*)(Program &, const Step &);

using SlotIndex = uint32_t;

/// Where a value lies in the frame.  Values that are other views of the same
/// elements share their bytes.
struct Slot {
  Kind kind = Kind::I1;
  int64_t count = 1;
  llvm::SmallVector<int64_t, 4> shape;
  size_t frameOffset = 0;

  size_t sizeInBytes() const { return size_t(count) * bytesOf(kind); }
};

/// One op.
struct Step {
  Handler handler = nullptr;
  mlir::Operation *op = nullptr;
  llvm::SmallVector<SlotIndex, 4> operands;
  llvm::SmallVector<SlotIndex, 2> results;
  /// Indices of the blocks of its regions.
  llvm::SmallVector<uint32_t, 2> blocks;
  /// What the handler needs of the attributes.
  llvm::SmallVector<int64_t, 4> numbers;
  /// The number of this op in the kernel.
  uint32_t opIndex = 0;
};

/// A block: its arguments, its steps and what its terminator hands on.
struct Block {
  llvm::SmallVector<SlotIndex, 4> arguments;
  std::vector<Step> steps;
  llvm::SmallVector<SlotIndex, 4> yields;
};

/// A slot that holds the same elements in every program.
struct Constant {
  SlotIndex slot;
  std::vector<uint8_t> bytes;
};

/// A decoded kernel; constant while programs run.
struct Code {
  KernelOp *kernel = nullptr;
  std::vector<Slot> slots;
  std::vector<Block> blocks;
  std::vector<Constant> constants;
  std::vector<mlir::Operation *> ops;
  size_t frameBytes = 0;
  /// The width of the narrowest element that the kernel's pointers reach.
  unsigned granuleBytes = 8;
  /// Whether poison is reported where it arises; set before decoding.
  bool checksPoison = false;
  /// Whether memory is updated atomically.
  bool hasAtomics = false;
  /// Whether there are barriers, so that missing ones can be told.
  bool hasBarriers = false;
  /// The kernel's arguments whose memory blocks are stored to; all of them
  /// where a pointer's origin is not known.
  std::vector<unsigned> storedArguments;
  bool storesAnywhere = false;
  /// How many rings the kernel has in shared memory.
  size_t numRings = 0;
  /// How many sets of transaction barriers and how many tensor maps.
  size_t numBarrierSets = 0;
  size_t numTensorMaps = 0;
  /// Whether the kernel distributes its programs over the CTAs by itself.
  bool isPersistent = false;
};

/// What a whole launch shares.
struct Launch {
  const Code &code;
  GlobalMemory &memory;
  /// The programs, and what runs: programs or, in a persistent kernel, CTAs.
  std::array<int64_t, 3> grid, runGrid;
  /// The kernel's arguments.
  std::vector<Constant> arguments;
  /// Whether accesses of shared memory need barriers between them.
  bool checkBarriers = false;
  /// By the number of an allocation: whether blocks are stored to it.
  std::vector<bool> isStored;
  /// Turns that a loop may take.
  uint64_t maxIterations = 0;
};

/// A matrix as the copy engine knows it.
struct TensorMap {
  SlotIndex base = 0;
  llvm::SmallVector<int64_t, 5> sides, strides;
};

class RoleScheduler;

/// An error of a program, kept until it is known to be the first one.
struct Failure {
  mlir::Operation *op = nullptr;
  std::string message;
  /// A second place, where there is one, and what is to be said of it.
  mlir::Operation *noteOp = nullptr;
  std::string note;
};

/// One thread's frame, and the program that runs in it.
class Program {
public:
  explicit Program(const Launch &launch);

  /// Runs the program with this number, x fastest.
  llvm::LogicalResult run(int64_t number);

  llvm::LogicalResult runBlock(uint32_t block);

  template <class T>
  T *data(SlotIndex slot) {
    return reinterpret_cast<T *>(frame + launch.code.slots[slot].frameOffset);
  }
  const Slot &slot(SlotIndex index) const { return launch.code.slots[index]; }
  void copy(SlotIndex from, SlotIndex to) {
    if (slot(from).frameOffset != slot(to).frameOffset)
      std::memcpy(data<char>(to), data<char>(from), slot(from).sizeInBytes());
  }
  /// Copies as if all at once: no copy sees what another one wrote.
  void copyAll(llvm::ArrayRef<SlotIndex> from, llvm::ArrayRef<SlotIndex> to);

  /// Records the error of this program.
  llvm::LogicalResult fail(const Step &step, const llvm::Twine &message,
                           mlir::Operation *noteOp = nullptr,
                           llvm::StringRef note = "");

  /// "lane [3, 5] of program (1, 0, 0)", for a lane of a value in `slot`.
  std::string describeLane(SlotIndex slot, int64_t lane) const {
    return describeLane(llvm::ArrayRef<int64_t>(this->slot(slot).shape), lane);
  }
  std::string describeLane(llvm::ArrayRef<int64_t> shape, int64_t lane) const;
  /// "program (1, 0, 0)".
  std::string describe() const;

  const Launch &launch;
  int64_t number = 0;
  std::array<int64_t, 3> id{};
  Failure failure;
  /// What this program has printed.
  std::string printed;
  SharedMemory shared;
  GlobalHazards hazards;
  std::vector<TensorMap> tensorMaps;
  /// Runs the roles; null where there are none.
  RoleScheduler *roles = nullptr;
  /// Space for handlers that need some; its contents last for one step.
  std::vector<uint64_t> scratch;

private:
  std::unique_ptr<char[]> storage;
  char *frame = nullptr;
};

/// The three ids of a program with this number.
std::array<int64_t, 3> programId(int64_t number,
                                 const std::array<int64_t, 3> &grid);
/// "(1, 0, 0)".
std::string describeId(const std::array<int64_t, 3> &id);
/// "[3, 5]", the coordinates of an element; "" for a scalar.
std::string describeIndex(llvm::ArrayRef<int64_t> shape, int64_t element);

} // namespace tile::interpreter

#endif // TILE_LIB_INTERPRETER_PROGRAM_H
