//===- RunVocabulary.cpp - Words of run and arrange blocks ----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Frontend/Vocabulary.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace tile::frontend;

ArrayRef<ExpectationFunction> tile::frontend::expectationFunctions() {
  static constexpr ExpectationFunction kFunctions[] = {
      {{"abs", "abs(x)", "The absolute value."}, 1},
      {{"amax", "amax(x, AXIS)",
        "The greatest along an axis, which leaves a side of 1."},
       2},
      {{"cdiv", "cdiv(x, y)", "The quotient of integers, rounded up."}, 2},
      {{"ceil", "ceil(x)", "Rounded up."}, 1},
      {{"cos", "cos(x)", "The cosine."}, 1},
      {{"erf", "erf(x)", "The error function."}, 1},
      {{"exp", "exp(x)", "e to the power x."}, 1},
      {{"exp2", "exp2(x)", "2 to the power x."}, 1},
      {{"floor", "floor(x)", "Rounded down."}, 1},
      {{"gelu", "gelu(x)",
        "x times the share of the normal distribution below x."},
       1},
      {{"indices", "indices(x, AXIS)",
        "The index along an axis, in the shape of x."},
       2},
      {{"log", "log(x)", "The natural logarithm."}, 1},
      {{"log2", "log2(x)", "The logarithm to base 2."}, 1},
      {{"matmul", "matmul(x, y)",
        "The product of matrices, or of stacks of them."},
       2},
      {{"max", "max(x, y)", "The greater of two, NaN where one is."}, 2},
      {{"mean", "mean(x, AXIS)",
        "The mean along an axis, which leaves a side of 1."},
       2},
      {{"min", "min(x, y)", "The lesser of two, NaN where one is."}, 2},
      {{"rsqrt", "rsqrt(x)", "1 over the square root."}, 1},
      {{"sin", "sin(x)", "The sine."}, 1},
      {{"softmax", "softmax(x, AXIS)", "exp(x) over its sum along an axis."},
       2},
      {{"sqrt", "sqrt(x)", "The square root."}, 1},
      {{"sum", "sum(x, AXIS)",
        "The sum along an axis, which leaves a side of 1."},
       2},
      {{"tanh", "tanh(x)", "The hyperbolic tangent."}, 1},
      {{"transpose", "transpose(x)", "The last two sides change places."}, 1},
      {{"where", "where(c, x, y)", "x where c is not 0, else y."}, 3},
  };
  return kFunctions;
}

const ExpectationFunction *
tile::frontend::findExpectationFunction(StringRef name) {
  ArrayRef<ExpectationFunction> all = expectationFunctions();
  const auto *found = find_if(all, [&](const ExpectationFunction &entry) {
    return entry.name == name;
  });
  return found == all.end() ? nullptr : found;
}

ArrayRef<FunctionInfo> tile::frontend::runFills() {
  static constexpr FunctionInfo kFills[] = {
      {"zeros", "zeros<T>[sides]", "A tensor of zeros."},
      {"ones", "ones<T>[sides]", "A tensor of ones."},
      {"nan", "nan<T>[sides]",
       "A tensor of NaN, which shows what is not written."},
      {"iota", "iota<T>[sides]",
       "A tensor that holds 0, 1, 2, ... row by row."},
      {"randn", "randn<T>[sides](SEED)",
       "A tensor of normal numbers; the seed may be left out."},
      {"uniform", "uniform<T>[sides](LOW, HIGH, SEED)",
       "A tensor of numbers between two; the seed may be left out."},
      {"int", "int<T>[sides](LOW, HIGH, SEED)",
       "A tensor of integers from LOW to HIGH; the seed may be left out."},
      {"empty", "empty<T>[sides]",
       "An uninitialised tensor, whose reads the interpreter reports."},
  };
  return kFills;
}

ArrayRef<FunctionInfo> tile::frontend::arrangeOperations() {
  static constexpr FunctionInfo kOperations[] = {
      {"tile", "x.tile(sides, strides =, dilation =)",
       "Windows, and behind them a level of the places in one; -1 is the whole "
       "dimension."},
      {"expand", "x.expand(sides)",
       "Repeats dimensions of size 1; -1 leaves one as it is."},
      {"squeeze", "x.squeeze(d, ...)", "Removes dimensions of size 1."},
      {"unsqueeze", "x.unsqueeze(d)",
       "Puts a dimension of size 1 before dimension d."},
      {"permute", "x.permute(d, ...)", "The dimensions in this order."},
      {"flatten", "x.flatten(first, last)",
       "Makes one dimension of all, or of those from first to last."},
      {"inner", "x.inner(operations)",
       "Does the operations on the next level."},
  };
  return kOperations;
}
