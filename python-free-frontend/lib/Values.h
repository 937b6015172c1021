//===- Values.h - What expressions of a kernel stand for --------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FRONTEND_VALUES_H
#define TILE_FRONTEND_VALUES_H

#include "Arrangement.h"

#include "mlir/IR/Value.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/SMLoc.h"

#include <vector>

namespace tile::frontend {

struct ArrangedTensor;

/// What an expression stands for.
struct Val {
  enum Kind {
    Error,    ///< wrong, and that has been said
    None,     ///< a call that has no value
    Int,      ///< a number known at compile time; takes the type that is needed
    Float,    ///< the same with a fraction
    Bool,     ///< a condition known at compile time
    Type,     ///< an element type
    Run,      ///< a scalar or a tile
    Pointer,  ///< a base and, unless null, offsets from it
    Tensor,   ///< a base, sides and strides
    Arranged, ///< a level of an arranged tensor
    Tuple     ///< what a function that returns several values gives
  };
  Kind kind = Error;
  int64_t integer = 0;
  double number = 0;
  mlir::Type type;
  /// Run: the value.  Pointer and Tensor: the base.
  mlir::Value value;
  mlir::Value offsets;
  llvm::SmallVector<mlir::Value, 2> sides, strides;
  /// Of a tuple.
  std::vector<Val> parts;
  /// Arranged: the level that the next index goes into, and the values of the
  /// variables of those above it.
  const ArrangedTensor *arranged = nullptr;
  unsigned level = 0;
  llvm::SmallVector<mlir::Value, 4> indices;

  static Val run(mlir::Value value) {
    Val result;
    result.kind = value ? Run : Error;
    result.value = value;
    return result;
  }
  static Val constant(int64_t integer) {
    Val result;
    result.kind = Int;
    result.integer = integer;
    return result;
  }
  static Val condition(bool holds) {
    Val result = constant(holds);
    result.kind = Bool;
    return result;
  }
  static Val none() {
    Val result;
    result.kind = None;
    return result;
  }
  static Val ofType(mlir::Type type) {
    Val result;
    result.kind = type ? Type : Error;
    result.type = type;
    return result;
  }
  static Val tuple(llvm::ArrayRef<Val> parts) {
    Val result;
    result.kind = Tuple;
    result.parts.assign(parts.begin(), parts.end());
    return result;
  }
  explicit operator bool() const { return kind != Error; }
  bool isConstant() const {
    return kind == Int || kind == Float || kind == Bool;
  }
};

/// A tensor that `arrange` arranges.
struct ArrangedTensor {
  std::string name;
  /// The tensor itself, and its sides as sizes.
  Val tensor;
  llvm::SmallVector<mlir::AffineExpr, 4> sides;
  Arrangement arrangement;
  /// Where it is arranged, and where places in it began to share elements.
  llvm::SMRange range, shared;
};

/// What arrangements are, step by step.
struct ArrangementLog {
  /// Values of sides, where they have one.
  llvm::StringMap<int64_t> sizes;
  /// Names that could have one.
  std::vector<std::string> names;
  std::vector<std::string> lines;
};

/// A name that is in scope.
struct Symbol {
  Val value;
  llvm::SMRange range;
  bool isVariable = false;
  /// Of a `let`, which could be a `var`.
  bool isLet = false;
  /// What is wrong of it has been said, and its uses are no errors.
  bool isWrong = false;
};
using Scope = llvm::MapVector<llvm::StringRef, Symbol>;

} // namespace tile::frontend

#endif // TILE_FRONTEND_VALUES_H
