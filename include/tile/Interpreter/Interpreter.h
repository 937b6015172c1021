//===- Interpreter.h - Reference interpreter of tile IR ---------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a kernel on the host and defines what it means.  Every access is checked
// against the allocation that its pointer came from.
//
//   Interpreter interpreter;
//   uint64_t a = interpreter.addAllocation("a", bytesOfA);
//   uint64_t c = interpreter.addUninitialised("c", sizeOfC);
//   interpreter.run(kernel, {KernelArgument::pointer(a),
//                            KernelArgument::pointer(c),
//                            KernelArgument::integer(n)}, {4, 1, 1});
//   ArrayRef<uint8_t> result = interpreter.bytes(c);
//
//===----------------------------------------------------------------------===//

#ifndef TILE_INTERPRETER_INTERPRETER_H
#define TILE_INTERPRETER_INTERPRETER_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace tile {
class KernelOp;

/// One piece of global memory.
struct Allocation {
  /// What diagnostics call it; usually the name of the kernel's argument.
  std::string name;
  /// The address of its first byte.  It is no host address.
  uint64_t address = 0;
  std::vector<uint8_t> bytes;
  /// One entry for each byte: 1 where the byte may be read.
  std::vector<uint8_t> initialised;
};

/// What a launch passes for one argument: an address or a scalar's bits, in the
/// low bytes.
struct KernelArgument {
  uint64_t bits = 0;

  static KernelArgument pointer(uint64_t address) { return {address}; }
  static KernelArgument integer(int64_t value) {
    return {static_cast<uint64_t>(value)};
  }
  static KernelArgument scalarBits(uint64_t bits) { return {bits}; }
};

struct InterpreterOptions {
  /// Programs that run at the same time; 0 means one on each core.
  unsigned threads = 0;
  /// Report programs that touch the same memory, one of them writing it.
  bool checkRaces = true;
  /// Report reads of bytes that nobody has written.
  bool checkUninitialised = true;
  /// Report accesses of shared memory without a barrier between them.  If not
  /// set: in kernels that have barriers, that is, after the pass that puts
  /// them.
  std::optional<bool> checkBarriers;
  /// Report poison where it arises, in any lane: results that an op's flags
  /// (nsw, nuw) rule out, and floats that their integer type cannot hold.  For
  /// programs as they were written: passes may compute ahead, or in lanes that
  /// nothing is stored of, what nobody uses.
  bool checkPoison = false;
  /// CTAs of a persistent kernel; 0: half as many as programs.
  unsigned ctas = 0;
  /// Turns of one loop after which it is taken to be endless: an error.
  uint64_t maxIterations = 100'000'000;
  /// Where `tile.print` writes; null means standard output.
  llvm::raw_ostream *printStream = nullptr;
};

/// The interpreter and its global memory, which outlives a run.
class Interpreter {
public:
  /// Copies `contents` into a new allocation and returns its address, which is
  /// `misalignment` past a multiple of 256.  `initialised` has one entry for
  /// each byte; an empty one means that all may be read.
  uint64_t addAllocation(llvm::StringRef name, llvm::ArrayRef<uint8_t> contents,
                         llvm::ArrayRef<uint8_t> initialised = {},
                         uint64_t misalignment = 0);

  /// A new allocation whose bytes must be written before they are read.
  uint64_t addUninitialised(llvm::StringRef name, uint64_t sizeInBytes,
                            uint64_t misalignment = 0);

  /// The allocation in which `address` lies (or at whose end), or null.
  const Allocation *findAllocation(uint64_t address) const;

  /// The contents of the allocation that starts at `address`; empty where none
  /// does.
  llvm::MutableArrayRef<uint8_t> bytes(uint64_t address);

  /// Runs every program of the grid, or reports why not through the diagnostics
  /// of the kernel's context, at the op concerned.  The error of the program
  /// with the lowest id is reported, whatever the number of threads; memory
  /// then holds what the programs had written by the time they stopped.
  mlir::LogicalResult run(KernelOp kernel,
                          llvm::ArrayRef<KernelArgument> arguments,
                          std::array<int64_t, 3> grid,
                          const InterpreterOptions &options = {});

private:
  /// A deque, so that pointers to allocations stay valid.
  std::deque<Allocation> allocations;
  uint64_t nextAddress = 0x100000000;
};
} // namespace tile

#endif // TILE_INTERPRETER_INTERPRETER_H
