//===- GlobalHazards.h - Threads that meet in global memory -----*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_INTERPRETER_GLOBALHAZARDS_H
#define TILE_LIB_INTERPRETER_GLOBALHAZARDS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include <cstdint>

namespace tile::interpreter {

/// What the threads of one program did in global memory since their last
/// barrier.  Which thread touches an element depends on layouts, so two
/// accesses of one element, one of them a write, need a barrier between them.
class GlobalHazards {
public:
  void reset() {
    touched.clear();
    execution = 0;
  }
  void barrier() { touched.clear(); }

  /// The start of one op; its own lanes do not conflict.
  void beginOp() { ++execution; }

  /// Records an access of the element at `address`; returns the earlier op that
  /// it conflicts with, or null.
  mlir::Operation *touch(uint64_t address, mlir::Operation *op, bool isWrite) {
    Record &record = touched[address];
    mlir::Operation *earlier = nullptr;
    if (record.writer && record.writtenBy != execution)
      earlier = record.writer;
    else if (isWrite && record.reader && record.readBy != execution)
      earlier = record.reader;
    (isWrite ? record.writer : record.reader) = op;
    (isWrite ? record.writtenBy : record.readBy) = execution;
    return earlier;
  }

private:
  struct Record {
    mlir::Operation *writer = nullptr, *reader = nullptr;
    uint64_t writtenBy = 0, readBy = 0;
  };

  llvm::DenseMap<uint64_t, Record> touched;
  uint64_t execution = 0;
};

} // namespace tile::interpreter

#endif // TILE_LIB_INTERPRETER_GLOBALHAZARDS_H
