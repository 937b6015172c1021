//===- RunBlock.h - How a .tile file runs and checks itself -----*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `run KERNEL(SIZES) { ... }` says, as plain data: whoever runs kernels
// (tile-run does) gives names their values, fills the tensors, launches and
// compares.  The front end has checked that names exist; nothing is evaluated.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FRONTEND_RUNBLOCK_H
#define TILE_FRONTEND_RUNBLOCK_H

#include "llvm/Support/SMLoc.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tile::frontend {

/// An expression of a run block, over numbers or whole tensors.
struct RunExpr {
  enum class Kind : uint8_t {
    Number,
    Name,     ///< a size, a compile-time parameter or an argument
    Shape,    ///< the side of a tensor: operand 0 the tensor, 1 the axis
    Stride,   ///< the stride of a tensor, likewise
    Operator, ///< `text` with one operand or two
    Call,     ///< the function `text`
    Kernel    ///< what the kernel `text` leaves in the argument
  };
  Kind kind = Kind::Number;
  llvm::SMRange range;
  double number = 0;
  std::string text;
  std::vector<RunExpr> operands;
};

/// `randn<f16>[M, K; K, 1](7)`: a tensor and what it holds before the run.
struct RunTensor {
  /// `zeros`, `ones`, `nan`, `iota`, `randn`, `uniform`, `int` or `empty`.
  std::string fill;
  /// An element type, or a compile-time parameter that is one.
  std::string type;
  llvm::SMRange typeRange;
  std::vector<RunExpr> sides;
  /// Empty for those of rows.
  std::vector<RunExpr> strides;
  /// What stands in parentheses.
  std::vector<RunExpr> parameters;
};

/// `NAME = value`.
struct RunBinding {
  std::string name;
  llvm::SMRange range;
  /// Set for a tensor, which `value` then says nothing of.
  std::optional<RunTensor> tensor;
  RunExpr value;
};

/// `expect NAME == value within absolute, relative`.
struct RunExpectation {
  std::string name;
  llvm::SMRange range;
  RunExpr value;
  /// Tolerances; both or none.
  std::optional<double> absolute, relative;
};

/// An argument of a kernel, as the launcher sees it.
struct RunArgument {
  std::string name;
  /// Of what follows from a tensor, its side or stride: that.
  std::optional<RunExpr> implied;
  /// Of a scalar that is written: its type, or a compile-time parameter.
  std::string type;
  /// Of a tensor `[M, N] T`: what its sides are called.
  std::vector<std::string> sides;
  /// Of a tensor or a pointer: the type of its elements, or a compile-time
  /// parameter.
  std::string element = {};
  /// Where it is defined; invalid for what follows from a tensor.
  llvm::SMRange range = {};
};

/// A compile-time parameter of a kernel.
struct RunParameter {
  std::string name;
  llvm::SMRange range;
  bool isType = false;
  bool isBool = false;
  /// The default, if there is one.
  std::optional<RunExpr> value;
};

/// What a run block needs to know of a kernel.
struct RunKernel {
  std::string name;
  std::vector<RunParameter> parameters;
  std::vector<RunArgument> arguments;
};

/// One run of a kernel.
struct RunBlock {
  llvm::SMRange range;
  /// The one that runs, then those that expectations name.
  std::vector<RunKernel> kernels;
  /// What stands in the parentheses: sizes, scalar arguments and compile-time
  /// parameters, in order.
  std::vector<RunBinding> sizes;
  /// What stands in the braces.
  std::vector<RunBinding> bindings;
  /// Programs along each axis; empty for the kernel's formula.
  std::vector<RunExpr> grid;
  std::vector<RunExpectation> expectations;
  /// Functions of the file, which expectations do not call.
  std::vector<std::string> functions;
  /// Part of it did not parse and is missing.
  bool isBroken = false;
};

} // namespace tile::frontend

#endif // TILE_FRONTEND_RUNBLOCK_H
