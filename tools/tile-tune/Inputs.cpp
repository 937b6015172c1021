//===- Inputs.cpp - What choices compute from, and expect -----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inputs.h"

#include "tile-run/Report.h"

using namespace tile;
using namespace tile::tune;
using run::StepResult;

/// Whether both runs start from the same values and expect the same.
static bool isSameCase(const run::Options &lhs, const run::Options &rhs) {
  auto sameExpectation = [](const run::ExpectedResult &lhs,
                            const run::ExpectedResult &rhs) {
    return lhs.name == rhs.name && lhs.value.text() == rhs.value.text() &&
           lhs.absolute == rhs.absolute && lhs.relative == rhs.relative &&
           lhs.kernelArguments == rhs.kernelArguments;
  };
  return lhs.kernel == rhs.kernel && lhs.arguments == rhs.arguments &&
         lhs.expectations.size() == rhs.expectations.size() &&
         std::equal(lhs.expectations.begin(), lhs.expectations.end(),
                    rhs.expectations.begin(), sameExpectation);
}

StepResult Inputs::find(const run::Options &options, Input *&input) {
  for (const std::unique_ptr<Input> &known : list)
    if (isSameCase(known->options, options)) {
      input = known.get();
      return {};
    }
  auto made = std::make_unique<Input>(options, context);
  if (StepResult failure = made->theCase.bind())
    return failure;
  if (StepResult failure = made->theCase.evaluateExpectations())
    return failure;
  made->fresh = made->theCase.launch().arguments;
  input = list.emplace_back(std::move(made)).get();
  return {};
}

StepResult Inputs::findFor(Candidate &candidate, Input *&input) {
  input = nullptr;
  StepResult failure = find(candidate.run, input);
  if (!failure || candidate.choice.isStanding())
    return failure;
  candidate.refusal = failure->message;
  return {};
}

/// Whether all tensors hold the same bits, guards included.
static bool haveSameBits(llvm::ArrayRef<run::LaunchArgument> lhs,
                         llvm::ArrayRef<run::LaunchArgument> rhs) {
  return lhs.size() == rhs.size() &&
         std::equal(lhs.begin(), lhs.end(), rhs.begin(),
                    [](const run::LaunchArgument &lhs,
                       const run::LaunchArgument &rhs) {
                      return !lhs.tensor ||
                             lhs.tensor->memory() == rhs.tensor->memory();
                    });
}

StepResult Inputs::check(Input &input, std::string &wrong) {
  std::vector<run::LaunchArgument> &arguments =
      input.theCase.launch().arguments;
  // Most choices add in the same order; comparing bits is much faster.
  if (haveSameBits(arguments, input.right)) {
    arguments = input.fresh;
    return {};
  }
  std::vector<run::Check> checks;
  StepResult failure = input.theCase.compareResults(checks);
  std::vector<run::LaunchArgument> left = std::move(arguments);
  arguments = input.fresh;
  if (failure)
    return failure;
  llvm::raw_string_ostream stream(wrong);
  for (const run::Check &check : checks)
    if (wrong.empty() && !check.comparison.isOk())
      run::printCheck(stream, check);
  wrong = llvm::StringRef(wrong).trim().str();
  if (wrong.empty())
    input.right = std::move(left);
  return {};
}
