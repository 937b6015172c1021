//===- KernelEmitter.h - A kernel's tree to tile IR -------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FRONTEND_KERNELEMITTER_H
#define TILE_FRONTEND_KERNELEMITTER_H

#include "Ast.h"
#include "Diagnostics.h"

#include "tile/IR/TileOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"

#include <optional>

namespace tile::frontend {

/// What an expression stands for.
struct Val {
  enum Kind {
    Error,   ///< wrong, and that has been said
    None,    ///< a call that has no value
    Int,     ///< a number known at compile time; takes the type that is needed
    Float,   ///< the same with a fraction
    Type,    ///< an element type
    Run,     ///< a scalar or a tile
    Pointer, ///< a base and, unless null, offsets from it
    Tensor   ///< a base, sides and strides
  };
  Kind kind = Error;
  int64_t integer = 0;
  double number = 0;
  mlir::Type type;
  /// Run: the value.  Pointer and Tensor: the base.
  mlir::Value value;
  mlir::Value offsets;
  llvm::SmallVector<mlir::Value, 2> sides, strides;

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
  explicit operator bool() const { return kind != Error; }
  bool isConstant() const { return kind == Int || kind == Float; }
};

/// Checks one kernel and builds it, in the order of its text.  After an error
/// it goes on, so that one run finds several; what it builds is then no
/// program.
class KernelEmitter {
public:
  KernelEmitter(mlir::OpBuilder &builder, const llvm::SourceMgr &sources,
                const llvm::StringMap<std::string> &overrides,
                DiagnosticList &errors)
      : builder(builder), sources(sources), overrides(overrides),
        errors(errors) {}

  void emit(const Kernel &kernel);

private:
  /// A name that is in scope.
  struct Symbol {
    Val value;
    llvm::SMRange range;
    bool isVariable = false;
  };
  using Scope = llvm::MapVector<llvm::StringRef, Symbol>;

  /// The arguments as the launcher sees them: those that are written, then the
  /// sides and the strides of tensors.
  struct Signature {
    llvm::SmallVector<mlir::Type> types;
    llvm::SmallVector<std::string> names;
    /// Where each is named; not valid for a stride.
    llvm::SmallVector<llvm::SMRange> ranges;
    llvm::SmallVector<mlir::Attribute> facts;
  };

  // Kernel.cpp
  void declareArguments(const Kernel &kernel, KernelOp op,
                        const Signature &signature);
  void bindParameters(const Kernel &kernel);
  Val parameterValue(const Parameter &parameter);
  mlir::DictionaryAttr factOf(const Argument &argument, mlir::Type type);
  mlir::AffineMapAttr gridMap(const Kernel &kernel, KernelOp op);
  mlir::AffineExpr gridExpr(const Expr &expr, KernelOp op);

  // Tensors.cpp
  /// A part of a tensor: its offsets from the base, and which of it exists.
  struct Part {
    mlir::Value offsets, inside;
  };
  std::optional<Part> tensorPart(const Expr &expr, const Val &tensor);
  mlir::Value tensorIndex(const Expr &index);
  void addIndex(const Expr &index, mlir::Value place, const Val &tensor,
                unsigned dim, llvm::ArrayRef<unsigned> newAxes, Part &part);
  Val loadPart(const Expr &expr, const Val &tensor);
  void emitTensorStore(const Stmt &stmt);
  bool addTensors(const Kernel &kernel, Signature &signature);

  // Statements.cpp
  void emitBlock(const Block &block);
  void emitStatement(const Stmt &stmt);
  void emitBinding(const Stmt &stmt);
  void bindOne(const Stmt &stmt, const Identifier &name, Val value);
  void emitAssignment(const Stmt &stmt);
  void emitFor(const Stmt &stmt);
  void emitIf(const Stmt &stmt);
  void emitBranch(const Block &block, mlir::Block *into, mlir::Location loc,
                  llvm::ArrayRef<llvm::StringRef> variables);
  llvm::SmallVector<llvm::StringRef>
  carriedNames(llvm::ArrayRef<const Block *> blocks);
  bool emitLimits(const Stmt &stmt, mlir::Value &low, mlir::Value &high,
                  mlir::Value &step);
  void declare(const Identifier &name, Val value, bool isVariable = false);
  Symbol *find(llvm::StringRef name);

  // Expressions.cpp
  Val emitExpr(const Expr &expr);
  Val emitName(const Expr &expr);
  Val emitNumber(const Expr &expr);
  Val emitUnary(const Expr &expr);
  Val emitBinary(const Expr &expr);
  Val foldBinary(const Expr &expr, const Val &left, const Val &right);
  Val advancePointer(const Expr &expr, Val pointer, const Expr &offsetExpr,
                     const Val &offset);
  Val emitIndex(const Expr &expr);
  Val emitCast(const Expr &expr);
  /// Brings both to one element type.
  bool unify(const Expr &left, Val &leftValue, const Expr &right,
             Val &rightValue, llvm::SMRange range);
  mlir::Value operation(const Expr &expr, mlir::Value left, mlir::Value right);
  mlir::Value castElements(mlir::Location loc, mlir::Value value,
                           mlir::Type element);
  /// A compile-time integer, or an error that says what it is for.
  std::optional<int64_t> emitInteger(const Expr &expr, const llvm::Twine &what);

  // Builtins.cpp
  Val emitCall(const Expr &expr);
  Val emitProgramId(const Expr &expr);
  Val emitArange(const Expr &expr);
  Val emitFilled(const Expr &expr);
  Val emitDot(const Expr &expr);
  Val emitCeilDiv(const Expr &expr);
  Val emitMinMax(const Expr &expr);
  Val emitWhere(const Expr &expr);
  Val emitMath(const Expr &expr);
  /// The two coordinates of a program in grouped order.
  bool emitGrouped(const Expr &expr, Val &row, Val &column);
  /// The arguments by position; names from `named` fill `byName`, which has an
  /// entry for each of them.
  bool matchArguments(const Expr &call, unsigned count,
                      llvm::ArrayRef<llvm::StringRef> named,
                      llvm::SmallVectorImpl<const Expr *> &byName);
  // Memory.cpp
  Val emitLoad(const Expr &expr);
  Val emitStore(const Expr &expr);
  bool emitMask(const Expr *mask, llvm::SMRange pointer, mlir::Type offsets,
                llvm::StringRef access, mlir::Value &result);
  /// A run-time value; pointers and types are errors.
  bool emitRunTime(const Expr &expr, mlir::Type element, mlir::Value &result);

  // Shapes.cpp
  /// `values` brought to one shape, then `make` on them.
  mlir::Value
  elementwise(mlir::Location loc, llvm::SMRange range, mlir::ValueRange values,
              llvm::function_ref<mlir::Value(mlir::ValueRange)> make);
  mlir::Value spread(mlir::Location loc, mlir::Value value,
                     llvm::ArrayRef<int64_t> shape);
  mlir::Value constantOf(mlir::Location loc, const Val &value,
                         mlir::Type element, llvm::SMRange range);
  mlir::Type elementType(const Identifier &name);

  mlir::Location location(llvm::SMRange range);
  static std::string describe(mlir::Type type);
  static std::string describe(const Val &value);

  mlir::OpBuilder &builder;
  const llvm::SourceMgr &sources;
  const llvm::StringMap<std::string> &overrides;
  DiagnosticList &errors;
  llvm::SmallVector<Scope> scopes;
};

/// The type of a scalar or of a tile's elements.
mlir::Type elementOf(mlir::Type type);
/// The sides; empty for a scalar.
llvm::ArrayRef<int64_t> shapeOf(mlir::Type type);
/// "[128, 64]".
std::string sidesText(llvm::ArrayRef<int64_t> shape);
/// The element type of this name, or null.
mlir::Type builtinType(mlir::MLIRContext *context, llvm::StringRef name);

} // namespace tile::frontend

#endif // TILE_FRONTEND_KERNELEMITTER_H
