//===- KernelBuilder.h - Builds the IR of one recipe ------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FUZZ_KERNELBUILDER_H
#define TILE_FUZZ_KERNELBUILDER_H

#include "Build.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "tile/IR/TileOps.h"
#include "llvm/ADT/StringMap.h"

#include <map>

namespace tile::fuzz {

/// Rows and columns that an access names, one vector each.
struct Lanes {
  mlir::Value rows, columns;
  /// Vectors of i1; null where every lane is inside.
  mlir::Value rowsInside, columnsInside;
};

/// Builds one kernel.
class KernelBuilder {
public:
  KernelBuilder(mlir::MLIRContext &context, const Recipe &recipe)
      : builder(&context), loc(builder.getUnknownLoc()), recipe(recipe) {}

  Program run();

private:
  using Statements = std::vector<Statement>;

  void collectArguments();
  void collectBounds(const Statements &body);
  void addArgument(const std::string &name, mlir::Type type, int array,
                   int64_t value, mlir::Attribute fact = {},
                   bool isLine = false);
  void buildKernel();
  void buildPlace();
  /// The column of tiles, from right to left in odd rows.
  mlir::Value buildSnake(mlir::Value tiles);
  /// The first row, counted tile by tile.
  mlir::Value buildCount();
  void buildBody(const Statements &body);
  mlir::Value buildStatement(const Statement &statement);
  mlir::Value buildLoad(const Statement &statement);
  Lanes loadLanes(const Statement &statement);
  void boundLoad(const Statement &statement, mlir::Value ascending,
                 Lanes &lanes);
  mlir::Value gatheredOffsets(const Statement &statement, const Lanes &lanes);
  mlir::Value transposed(mlir::Value tile);
  mlir::Value buildThrough(const Statement &statement);
  mlir::Value buildUnary(const Statement &statement);
  mlir::Value buildBinary(int code, Kind kind, mlir::Value a, mlir::Value b);
  mlir::Value buildFloatBinary(BinaryCode code, mlir::Value a, mlir::Value b);
  mlir::Value buildSelect(const Statement &statement);
  mlir::Value buildCast(const Statement &statement);
  mlir::Value clamped(mlir::Value a, Kind kind);
  mlir::Value buildReduce(const Statement &statement);
  mlir::Value buildExtreme(const Statement &statement);
  mlir::Value buildScan(const Statement &statement);
  void fillCombiner(mlir::Region &region, const Statement &statement);
  mlir::Value repeated(mlir::Value line, int axis);
  mlir::Value buildDot(const Statement &statement);
  mlir::Value buildDotStep(const Statement &statement, mlir::Value sum,
                           mlir::Value first, mlir::ValueRange carried);
  Lanes operandLanes(const Statement &statement, bool isLeft,
                     mlir::Value first);
  llvm::SmallVector<mlir::Value> carriedOffsets(const Statement &statement,
                                                mlir::Value first);
  llvm::SmallVector<mlir::Value> advanced(const Statement &statement,
                                          mlir::ValueRange offsets);
  mlir::Value operand(int array, const Lanes &lanes, mlir::Value where,
                      bool isTransposed, mlir::Value condition = {});
  mlir::Value buildFor(const Statement &statement);
  mlir::Value buildWhile(const Statement &statement);
  llvm::SmallVector<mlir::Value> buildTurn(const Statement &statement,
                                           mlir::ValueRange carried);
  mlir::Value goesOn(const Statement &statement, mlir::Value turn);
  std::pair<mlir::Value, mlir::Value> boundsOf(const Statement &statement);
  mlir::Value buildDecision(const Statement &statement);
  mlir::Value buildIf(const Statement &statement);
  void buildStore(int array, mlir::Value value);
  void buildAtomic(const Statement &statement);
  /// The element of an array at a row and column, zero where `in` does not
  /// hold.
  mlir::Value scalarLoad(int array, mlir::Value row, mlir::Value column,
                         mlir::Value in);

  mlir::Type elementOf(Kind kind);
  mlir::RankedTensorType tileOf(llvm::ArrayRef<int64_t> shape,
                                mlir::Type element) {
    return mlir::RankedTensorType::get(shape, element);
  }
  mlir::RankedTensorType tileOf(Kind kind) {
    return tileOf({recipe.m, recipe.n}, elementOf(kind));
  }
  mlir::Value integer(int64_t value) {
    return mlir::arith::ConstantOp::create(builder, loc,
                                           builder.getI32IntegerAttr(value));
  }
  mlir::Value constant(double number, Kind kind) {
    mlir::Type type = elementOf(kind);
    mlir::TypedAttr value =
        isInteger(kind) ? mlir::TypedAttr(builder.getIntegerAttr(type, number))
                        : mlir::TypedAttr(builder.getFloatAttr(type, number));
    return mlir::arith::ConstantOp::create(builder, loc, value);
  }
  template <typename OpTy>
  mlir::Value make(mlir::Value a, mlir::Value b) {
    return OpTy::create(builder, loc, a, b);
  }
  /// On indices, which do not wrap.
  template <typename OpTy>
  mlir::Value index(mlir::Value a, mlir::Value b) {
    return OpTy::create(builder, loc, a, b,
                        mlir::arith::IntegerOverflowFlags::nsw);
  }
  mlir::Value splat(mlir::Value scalar, llvm::ArrayRef<int64_t> shape) {
    return SplatOp::create(builder, loc, tileOf(shape, scalar.getType()),
                           scalar);
  }
  int64_t sideOf(mlir::Value vector) {
    return llvm::cast<mlir::RankedTensorType>(vector.getType()).getDimSize(0);
  }
  /// first + 0, 1, ..., side - 1.
  mlir::Value iota(mlir::Value first, int64_t side) {
    mlir::Value steps =
        IotaOp::create(builder, loc, tileOf({side}, builder.getI32Type()));
    return index<mlir::arith::AddIOp>(splat(first, {side}), steps);
  }
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value vector,
                      mlir::Value scalar) {
    return mlir::arith::CmpIOp::create(builder, loc, predicate, vector,
                                       splat(scalar, {sideOf(vector)}));
  }
  /// vector < scalar, spelled as Statement::maskForm says.
  mlir::Value below(mlir::Value vector, mlir::Value scalar, int form = 0);
  /// A vector along `axis` of a tile, repeated along the other.
  mlir::Value spread(mlir::Value vector, int axis,
                     llvm::ArrayRef<int64_t> shape);
  mlir::Value offsets(int array, const Lanes &lanes);
  mlir::Value scaled(mlir::Value vector, const std::string &stride);
  mlir::Value mask(const Lanes &lanes);
  /// `mask`, which may be null, and `condition` for all lanes of `shape`.
  mlir::Value restricted(mlir::Value mask, mlir::Value condition,
                         llvm::ArrayRef<int64_t> shape);
  /// A scalar, or null where there is no condition; `turn` counts in steps of
  /// `step`, or is null outside of loops.
  mlir::Value holds(Uniform condition, mlir::Value turn, int64_t step);
  mlir::Value argument(const std::string &name) { return named.lookup(name); }
  std::string nameOf(int array) { return "a" + std::to_string(array); }
  Lanes place(bool isMasked);

  mlir::OpBuilder builder;
  mlir::Location loc;
  const Recipe &recipe;
  Program program;
  llvm::SmallVector<mlir::Type> types;
  llvm::SmallVector<mlir::Attribute> facts;
  llvm::StringMap<mlir::Value> named;
  KernelOp kernel;
  mlir::Value pidM, pidN, firstRow, firstColumn, variable;
  std::map<int, mlir::Value> values;
};

} // namespace tile::fuzz

#endif // TILE_FUZZ_KERNELBUILDER_H
