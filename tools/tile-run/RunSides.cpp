//===- RunSides.cpp - Sides that tensors share ----------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `x: [M, N] f32, y: [N] f32` is a promise that the kernel's masks are made of:
// M and N are one number each.  Wherever the numbers come from, here they are
// compared.
//
//===----------------------------------------------------------------------===//

#include "RunBinder.h"

using namespace tile;
using namespace tile::run;
using frontend::RunArgument;
using frontend::RunBinding;
using frontend::RunKernel;
using llvm::StringRef;

namespace {
/// Who gave a side its length first.
struct FirstSide {
  int64_t length = 0;
  /// "side 0 of 'x'", "the run".
  std::string origin;
  /// Invalid on the command line.
  llvm::SMRange range;
};

} // namespace

/// The sides of one kernel.
class run::SideChecker {
public:
  /// A number that the run gives `name` itself.
  void give(StringRef name, llvm::SMRange range, int64_t length) {
    first.try_emplace(name, FirstSide{length, "the run", range});
  }
  /// A tensor says that `name` is so long; what is wrong with that.
  BindResult add(StringRef name, const llvm::Twine &origin, llvm::SMRange range,
                 int64_t length);

private:
  llvm::StringMap<FirstSide> first;
};

BindResult SideChecker::add(StringRef name, const llvm::Twine &origin,
                            llvm::SMRange range, int64_t length) {
  auto [place, isNew] =
      first.try_emplace(name, FirstSide{length, origin.str(), range});
  const FirstSide &known = place->second;
  if (isNew || known.length == length)
    return {};
  return PlacedError{
      range,
      ("expected " + llvm::Twine(known.length) + " for '" + name + "' as " +
       origin + ", as " + known.origin + " says, got " + llvm::Twine(length))
          .str(),
      known.range,
      ("'" + name + "' is " + llvm::Twine(known.length) + " here").str()};
}

llvm::SMRange RunBinder::rangeOf(StringRef name) const {
  if (findGiven(name))
    return {};
  for (const auto *list : {&block.sizes, &block.bindings})
    for (const RunBinding &binding : *list)
      if (binding.name == name)
        return binding.range;
  return {};
}

/// The sides of the tensor, which has as many as the kernel says.
BindResult RunBinder::addSides(const RunKernel &kernel,
                               const RunArgument &argument,
                               SideChecker &checker) const {
  auto tensor = tensors.find(argument.name);
  if (argument.sides.empty() || tensor == tensors.end())
    return {};
  llvm::SMRange range = rangeOf(argument.name);
  const std::vector<int64_t> &lengths = tensor->second.shape.sides;
  if (lengths.size() != argument.sides.size())
    return PlacedError{range, "argument '" + argument.name + "': expected " +
                                  sideCount(argument.sides.size()) +
                                  ", which '" + kernel.name + "' takes, got " +
                                  std::to_string(lengths.size())};
  for (size_t axis = 0; axis < lengths.size(); ++axis)
    if (BindResult error = checker.add(argument.sides[axis],
                                       "side " + llvm::Twine(axis) + " of '" +
                                           argument.name + "'",
                                       range, lengths[axis]))
      return error;
  return {};
}

/// The number that the command line or the block gives the name itself.
std::optional<RunNumber> RunBinder::saidNumber(StringRef name) const {
  if (const ArgumentSpec *given = findGiven(name))
    return RunNumber::read(given->scalar);
  auto number = numbers.find(name);
  return number == numbers.end() ? std::nullopt : std::optional(number->second);
}

/// A stride that is given is the tensor's, which the kernel is told.
BindResult RunBinder::checkStride(const RunArgument &argument) const {
  using frontend::RunExpr;
  if (!argument.implied || argument.implied->kind != RunExpr::Kind::Stride)
    return {};
  StringRef name = argument.implied->operands[0].text;
  auto tensor = tensors.find(name);
  std::optional<RunNumber> number = saidNumber(argument.name);
  int64_t stride = 0;
  if (tensor == tensors.end() || !number || !number->isInteger() ||
      findProperty(*argument.implied, stride) || number->integer == stride)
    return {};
  return PlacedError{rangeOf(argument.name),
                     ("expected " + llvm::Twine(stride) + " for '" +
                      argument.name + "', as '" + name + "' says, got " +
                      llvm::Twine(number->integer))
                         .str(),
                     rangeOf(name), ("'" + name + "' is given here").str()};
}

BindResult RunBinder::checkSides() const {
  for (const RunKernel &kernel : block.kernels) {
    SideChecker checker;
    for (const RunArgument &argument : kernel.arguments)
      if (std::optional<RunNumber> number = saidNumber(argument.name);
          argument.implied && number && number->isInteger())
        checker.give(argument.name, rangeOf(argument.name), number->integer);
    for (const RunArgument &argument : kernel.arguments)
      if (BindResult error = addSides(kernel, argument, checker))
        return error;
    for (const RunArgument &argument : kernel.arguments)
      if (BindResult error = checkStride(argument))
        return error;
  }
  return {};
}
