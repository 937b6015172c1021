//===- MatmulBuilder.h - Builds one matmul, value by value ------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_IR_MATMULBUILDER_H
#define TILE_IR_MATMULBUILDER_H

#include "tile/IR/MatmulProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tile {

/// Builds one kernel, value by value in the order of its text.
class MatmulBuilder {
public:
  MatmulBuilder(mlir::OpBuilder &builder, mlir::Location loc,
                const MatmulProgram &program, mlir::Type outputType)
      : builder(builder), loc(loc), program(program), outputType(outputType),
        accumulatorType(matmulAccumulatorType(program.elementType)) {}

  KernelOp build();

private:
  KernelOp buildKernel();
  void buildConstants();
  void buildProgramOrder(mlir::Value pid);
  void buildIndices();
  mlir::Value buildProduct(mlir::Value from, mlir::Value to);
  void buildPartialSums(mlir::Value pid);
  mlir::Value buildStep(mlir::Value k0, mlir::Value sum);
  mlir::Value buildEpilogue(mlir::Value sum, mlir::Value offsets,
                            mlir::Value inside);
  mlir::Value buildBias(mlir::Value sum);
  mlir::Value buildLoad(llvm::StringRef name, mlir::Value offsets,
                        mlir::Value inside);
  mlir::Value buildGelu(mlir::Value x);
  mlir::Value buildGeluArgument(mlir::Value x, double scale);
  /// The sum in the type of C.
  mlir::Value narrowed(mlir::Value sum);
  mlir::Value addToC(mlir::Value sum, mlir::Value offsets, mlir::Value inside,
                     mlir::Value isFirst);
  void buildStore(mlir::Value sum, mlir::Value isFirst);

  /// Which side of a matrix an index walks along.
  enum Dim { kRow, kColumn };

  mlir::Location named(llvm::StringRef name) const {
    return mlir::NameLoc::get(builder.getStringAttr(name), loc);
  }
  mlir::RankedTensorType tileOf(llvm::ArrayRef<int64_t> shape,
                                mlir::Type element) const {
    return mlir::RankedTensorType::get(shape, element);
  }
  mlir::Value integer(llvm::StringRef name, int64_t value) {
    return mlir::arith::ConstantOp::create(builder, named(name),
                                           builder.getI32IntegerAttr(value));
  }
  mlir::Value argument(llvm::StringRef name) {
    return kernel.getArgByName(name);
  }
  template <typename OpTy>
  mlir::Value binary(llvm::StringRef name, mlir::Value lhs, mlir::Value rhs) {
    return OpTy::create(builder, named(name), lhs, rhs);
  }
  /// The same on floats, where a multiplication may be fused into an addition.
  template <typename OpTy>
  mlir::Value contracted(llvm::StringRef name, mlir::Value lhs,
                         mlir::Value rhs) {
    return OpTy::create(builder, named(name), lhs, rhs,
                        mlir::arith::FastMathFlags::contract);
  }
  /// A tile like `tile`, all of `value`.
  mlir::Value like(llvm::StringRef name, mlir::Value tile, double value);

  /// first + 0, 1, ..., side - 1.
  mlir::Value indices(llvm::StringRef name, mlir::Value first, int64_t side);
  /// indices * the argument `stride`, in 64 bits.
  mlir::Value scaled(llvm::StringRef name, mlir::Value indices,
                     llvm::StringRef stride);
  /// indices < the argument `bound`.
  mlir::Value below(llvm::StringRef name, mlir::Value indices,
                    llvm::StringRef bound);
  /// A vector along one side of a tile of this shape, repeated along the other.
  mlir::Value spread(llvm::StringRef name, mlir::Value vector, Dim dim,
                     llvm::ArrayRef<int64_t> shape);
  /// spread(rows) op spread(columns); `prefix` starts the names of the parts.
  template <typename OpTy>
  mlir::Value combine(llvm::StringRef name, llvm::StringRef prefix,
                      mlir::Value rows, mlir::Value columns);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const MatmulProgram &program;
  mlir::Type outputType, accumulatorType;
  KernelOp kernel;

  mlir::Value zero, sideM, sideN, sideK, group, padding, zeros;
  mlir::Value firstM, firstN;
  /// Row and column indices of the program's tile of C; whether they are
  /// inside.
  mlir::Value rm, rn, rmInside, rnInside;
  /// Their share of the offsets into A and B, the same in each step.
  mlir::Value aRows, bColumns;
};

} // namespace tile

#endif // TILE_IR_MATMULBUILDER_H
