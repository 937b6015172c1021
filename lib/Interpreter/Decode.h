//===- Decode.h - From ops to steps -----------------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_INTERPRETER_DECODE_H
#define TILE_LIB_INTERPRETER_DECODE_H

#include "Program.h"
#include "tile/IR/TileOps.h"
#include "llvm/ADT/DenseMap.h"

namespace tile::interpreter {

/// Gives every value a slot and every op a step.
class Decoder {
public:
  explicit Decoder(Code &code) : code(code) {}

  /// Decodes the kernel; an op that the interpreter does not know is an error.
  mlir::LogicalResult decode(KernelOp kernel);

  /// Decodes a region of one block and returns the block's index.
  mlir::FailureOr<uint32_t> decodeBlock(mlir::Block &block);

  /// The slot of a value, made where it has none yet.
  mlir::FailureOr<SlotIndex> slotOf(mlir::Value value);

  /// Makes `value` another view of the elements of `source`.
  mlir::LogicalResult alias(mlir::Value value, mlir::Value source);

  Code &code;

private:
  mlir::LogicalResult decodeOp(mlir::Operation &op, Block &block);

  llvm::DenseMap<mlir::Value, SlotIndex> slots;
};

/// What a family of ops says to an op.
enum class Decoded { Unknown, Failed, Step, NoStep };

/// Each fills `step` for the ops of its family; operands, results, op and
/// opIndex are set already.  NoStep: nothing is left to do at run time.
Decoded decodeIntegerArith(Decoder &, mlir::Operation *, Step &);
Decoded decodeFloatArith(Decoder &, mlir::Operation *, Step &);
Decoded decodeCast(Decoder &, mlir::Operation *, Step &);
Decoded decodeMath(Decoder &, mlir::Operation *, Step &);
Decoded decodeConstant(Decoder &, mlir::Operation *, Step &);
Decoded decodeShape(Decoder &, mlir::Operation *, Step &);
Decoded decodeControlFlow(Decoder &, mlir::Operation *, Step &);
Decoded decodeMemory(Decoder &, mlir::Operation *, Step &);
Decoded decodeAtomic(Decoder &, mlir::Operation *, Step &);
Decoded decodeDot(Decoder &, mlir::Operation *, Step &);
Decoded decodeReduce(Decoder &, mlir::Operation *, Step &);
Decoded decodeRing(Decoder &, mlir::Operation *, Step &);
Decoded decodeBlockAccess(Decoder &, mlir::Operation *, Step &);
Decoded decodeRole(Decoder &, mlir::Operation *, Step &);
Decoded decodeTransaction(Decoder &, mlir::Operation *, Step &);
Decoded decodeTensorMap(Decoder &, mlir::Operation *, Step &);
Decoded decodeDebug(Decoder &, mlir::Operation *, Step &);

/// Adds steps that fail where the op of `step` has no value.
void addPoisonChecks(const Decoder &, mlir::Operation *, const Step &,
                     std::vector<Step> &steps);

} // namespace tile::interpreter

#endif // TILE_LIB_INTERPRETER_DECODE_H
