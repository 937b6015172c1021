//===- RunBinder.h - The options of one run block ---------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A run block becomes what one could have typed: NAME=SPEC arguments,
// expectations and compile-time parameters.  Names get their values in the
// order compile-time parameters, sizes, tensors and scalars of the block, then
// what follows from tensors.  Parameters, sizes, sides and grids are computed
// as in kernels (RunNumber.h), and so are scalars of integers and conditions;
// scalars of floats, and what fills take, in f64.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUN_RUNBINDER_H
#define TILE_RUN_RUNBINDER_H

#include "Options.h"
#include "RunNumber.h"

#include "tile/Frontend/RunBlock.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"

namespace tile::run {

class SideChecker;

/// Converts what the program itself gives a meaning, such as a name: returns
/// whether it did, or what was wrong with it.
using LeafConverter = llvm::function_ref<bool(
    const frontend::RunExpr &expr, Expectation &result, BindResult &error)>;

/// Converts an expression of a .tile file, all but its leaves.
BindResult convertExpression(const frontend::RunExpr &expr, LeafConverter leaf,
                             Expectation &result);

/// Makes the options of one run block.
class RunBinder {
public:
  RunBinder(const frontend::RunBlock &block, const Options &options,
            Options &run)
      : block(block), options(options), run(run) {}

  BindResult bind();
  /// Whether NAME=... on the command line says something to this block.
  bool knows(llvm::StringRef name) const;

private:
  BindResult inferSizes();
  BindResult inferFrom(const frontend::RunBinding &binding,
                       const ArgumentSpec &spec);
  BindResult parameterText(const frontend::RunParameter &parameter,
                           const llvm::StringMap<std::string> &given,
                           bool &isDefault, std::string &text);
  const frontend::RunBinding *findSize(llvm::StringRef name) const;
  std::string givenText(llvm::StringRef name) const;
  BindResult wrongParameter(const frontend::RunParameter &parameter,
                            const llvm::Twine &message) const;
  BindResult bindParameter(const frontend::RunParameter &parameter,
                           llvm::StringMap<std::string> &given);
  BindResult bindParameters();
  std::optional<runtime::ElementType> scalarType(llvm::StringRef name) const;
  BindResult bindScalar(const frontend::RunBinding &binding);
  BindResult bindSizes();
  BindResult checkGivenElements(const ArgumentSpec &spec) const;
  BindResult takeTensor(ArgumentSpec spec);
  BindResult bindGivenTensors();
  BindResult checkElements(const frontend::RunBinding &binding,
                           runtime::ElementType type) const;
  BindResult bindTensor(const frontend::RunBinding &binding);
  BindResult fillParameter(const frontend::RunTensor &tensor,
                           const frontend::RunExpr &expr, std::string &text);
  BindResult fillText(const frontend::RunTensor &tensor, std::string &text);
  BindResult bindValues();
  std::optional<RunNumber> saidNumber(llvm::StringRef name) const;
  BindResult addSides(const frontend::RunKernel &kernel,
                      const frontend::RunArgument &argument,
                      SideChecker &checker) const;
  BindResult checkStride(const frontend::RunArgument &argument) const;
  BindResult checkSides() const;
  BindResult bindGrid();
  BindResult checkCalls(const Expectation &value) const;
  BindResult bindExpectations();
  BindResult argumentsOf(const frontend::RunKernel &kernel,
                         std::vector<ArgumentSpec> &specs);
  void makeHeading();

  BindResult convert(const frontend::RunExpr &expr, Expectation &result) const;
  BindResult findProperty(const frontend::RunExpr &expr, int64_t &result) const;
  BindResult convertName(const frontend::RunExpr &expr,
                         Expectation &result) const;
  BindResult evaluateReal(const frontend::RunExpr &expr, double &result) const;
  BindResult evaluateNumber(const frontend::RunExpr &expr,
                            RunNumber &result) const;
  bool findNumber(const frontend::RunExpr &expr, RunNumber &result,
                  BindResult &error) const;
  BindResult evaluateInteger(const frontend::RunExpr &expr,
                             const llvm::Twine &what, int64_t &result) const;
  PlacedError wrongValue(const frontend::RunExpr &expr,
                         const llvm::Twine &message) const;
  BindResult integerList(const std::vector<frontend::RunExpr> &exprs,
                         llvm::StringRef what, std::string &text) const;
  PlacedError wrongTensor(const frontend::RunBinding &binding,
                          const std::string &message) const;
  /// The value of a size or compile-time parameter as text; empty for none.
  std::string valueText(llvm::StringRef name) const;
  const ArgumentSpec *findGiven(llvm::StringRef name) const;
  const ArgumentSpec *givenIn(const frontend::RunExpr &expr) const;
  /// Where the block gives it a value; nowhere where the command line does.
  llvm::SMRange rangeOf(llvm::StringRef name) const;
  bool isSaid(llvm::StringRef name) const;
  bool isParameter(llvm::StringRef name) const;
  BindResult setNumber(llvm::StringRef name, RunNumber value);

  const frontend::RunBlock &block;
  const Options &options;
  Options &run;
  /// Values of sizes, compile-time integers and scalar arguments.
  llvm::StringMap<RunNumber> numbers;
  /// Sizes that follow from tensors on the command line.
  llvm::StringMap<int64_t> inferred;
  /// Compile-time parameters that are types.
  llvm::StringMap<std::string> types;
  llvm::StringMap<ArgumentSpec> tensors;
};

/// What a value of the compile-time parameter is, such as "an integer", where
/// `text` is none; empty where it is one.
llvm::StringRef expectedOf(const frontend::RunParameter &parameter,
                           llvm::StringRef text);

/// "1 side", "2 sides".
std::string sideCount(size_t count);

} // namespace tile::run

#endif // TILE_RUN_RUNBINDER_H
