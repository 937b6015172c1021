//===- CodeBuilder.h - LLVM arithmetic with folding -------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every constant and every value that depends on the thread alone is made once,
// in the entry block of the kernel, where it dominates all uses; LLVM then has
// nothing to hoist and little to unify.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_CONVERSION_CODEBUILDER_H
#define TILE_CONVERSION_CODEBUILDER_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

#include <map>
#include <optional>

namespace tile {

/// log2 of the threads of a warp: bits of the thread id below the warp's.
inline constexpr unsigned kLaneBits = 5;
/// Threads of a warpgroup, four warps.
inline constexpr int64_t kWarpgroupThreads = 128;

/// Emits PTX as text.  `hasSideEffects` keeps it in its
/// place, and apart from others that are the same.
mlir::LLVM::InlineAsmOp
createAsm(mlir::OpBuilder &builder, mlir::Location loc, mlir::TypeRange results,
          mlir::ValueRange operands, llvm::StringRef text,
          llvm::StringRef constraints, bool hasSideEffects = true);

/// Builds LLVM ops at a moving insertion point inside one function.
class CodeBuilder {
public:
  /// Gives `func` an entry block, which holds what depends on the thread only,
  /// and a second block, where building starts.
  CodeBuilder(mlir::LLVM::LLVMFuncOp func, int64_t numThreads);

  mlir::OpBuilder builder;
  mlir::Location loc;

  mlir::MLIRContext *getContext() { return builder.getContext(); }
  mlir::Type i1() { return builder.getI1Type(); }
  mlir::Type i32() { return builder.getI32Type(); }
  mlir::Type i64() { return builder.getI64Type(); }
  mlir::Type pointer(unsigned addressSpace) {
    return mlir::LLVM::LLVMPointerType::get(getContext(), addressSpace);
  }

  mlir::Value constant(mlir::Type type, int64_t value);
  mlir::Value constI32(int64_t value) { return constant(i32(), value); }
  mlir::Value constI1(bool value) { return constant(i1(), value); }
  /// A constant of any type that an attribute describes.
  mlir::Value constantOf(mlir::Type type, mlir::Attribute value);
  /// The address, in global memory, of constant data that the module holds
  /// once.
  mlir::Value constantData(mlir::LLVM::LLVMArrayType type,
                           mlir::Attribute value);
  /// The integer that `value` is known to be.
  static std::optional<int64_t> getConstant(mlir::Value value);

  mlir::Value add(mlir::Value lhs, mlir::Value rhs);
  mlir::Value mul(mlir::Value lhs, mlir::Value rhs);
  mlir::Value bitAnd(mlir::Value lhs, mlir::Value rhs);
  mlir::Value bitXor(mlir::Value lhs, mlir::Value rhs);
  mlir::Value select(mlir::Value condition, mlir::Value lhs, mlir::Value rhs);
  mlir::Value compare(mlir::LLVM::ICmpPredicate predicate, mlir::Value lhs,
                      mlir::Value rhs);
  /// Sign-extends or truncates an integer.
  mlir::Value castInt(mlir::Value value, mlir::Type type);
  /// Address `base` moved by `index` elements of `element`.
  mlir::Value gep(mlir::Value base, mlir::Type element, mlir::Value index);
  /// Address `base` moved by a constant number of bytes.
  mlir::Value gepBytes(mlir::Value base, int64_t bytes);

  mlir::Value extract(mlir::Value vector, int64_t position);
  mlir::Value insert(mlir::Value vector, mlir::Value element, int64_t position);
  mlir::Value extractValue(mlir::Value aggregate, int64_t position);
  mlir::Value bitcast(mlir::Value value, mlir::Type type);
  mlir::Value poison(mlir::Type type);

  /// The thread's number in its group: the program, or a role of it.
  mlir::Value threadId() { return group.tid; }
  /// The warp's number in its group, which is the same for all threads of a
  /// warp; said by a shuffle, so that ptxas knows it too and keeps it in a
  /// uniform register.
  mlir::Value warpId();
  /// The warpgroup's number in its group.
  mlir::Value warpgroupId();
  /// The i32 that is the XOR of images[i] over the set bits i of the
  /// warpgroup's number.
  mlir::Value warpgroupLinear(llvm::ArrayRef<int64_t> images);
  /// Makes what is built from here on code of warps [first, first + count)
  /// only, until `leaveGroup`.  `entry` dominates that code, has a terminator,
  /// and takes what depends on the thread alone.
  void enterGroup(mlir::Block *entry, int64_t firstWarp, int64_t numWarps);
  void leaveGroup();
  /// The i32 that is the XOR of images[i] over the set bits i of the thread id.
  mlir::Value threadLinear(llvm::ArrayRef<int64_t> images);
  /// Such a value XORed with a constant, made once.
  mlir::Value threadLinear(llvm::ArrayRef<int64_t> images, int64_t mask);
  /// The i32 that is the XOR of images[i] over the set bits i of `source`.
  mlir::Value linearOf(mlir::Value source, llvm::ArrayRef<int64_t> images);

  /// A new block at the end of the function.
  mlir::Block *appendBlock();
  /// Goes on building at the start of `block`, which moves to the end.
  void continueAt(mlir::Block *block);
  /// Emits `body` for the threads where `condition` holds.
  void when(mlir::Value condition, llvm::function_ref<void()> body);
  /// Emits `body` as a loop of `count` rounds, which is never unrolled.  `body`
  /// gets the round's number, an i32, and what the round before has returned,
  /// at first `inits`; the last round's values are the result.
  llvm::SmallVector<mlir::Value>
  loop(int64_t count, mlir::ValueRange inits,
       llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value,
                                                         mlir::ValueRange)>
           body);
  /// What stands on a latch to forbid unrolling: what is to be unrolled has
  /// been already, and ptxas takes four times as long if it unrolls by itself.
  mlir::LLVM::LoopAnnotationAttr unrollForbidden();

  /// Number of threads of the group.
  int64_t numThreads;

  /// A builder at the end of the entry block.
  mlir::OpBuilder entryBuilder();
  /// A builder at the end of the group's entry block.
  mlir::OpBuilder groupBuilder();

private:
  mlir::Value linearAt(mlir::OpBuilder &at, mlir::Location where,
                       mlir::Value source, int64_t sourceMask,
                       llvm::ArrayRef<int64_t> images);

  /// The threads that run what is built.
  struct Group {
    mlir::Block *entry = nullptr;
    mlir::Value tid, warp;
    int64_t numThreads = 0;
    std::map<std::vector<int64_t>, mlir::Value> linear;
  };

  mlir::LLVM::LLVMFuncOp func;
  Group group;
  /// The group of all threads, while another one is entered.
  Group program;
  llvm::DenseMap<std::pair<mlir::Type, int64_t>, mlir::Value> integers;
  llvm::DenseMap<std::pair<mlir::Type, mlir::Attribute>, mlir::Value> constants;
};

} // namespace tile

#endif // TILE_CONVERSION_CODEBUILDER_H
