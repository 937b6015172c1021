//===- InterpreterBackend.cpp - Runs a kernel on the interpreter ----------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Backend.h"
#include "DeviceCompiler.h"
#include "Kernels.h"

#include "tile/Interpreter/Interpreter.h"

#include <chrono>
#include <thread>

using namespace mlir;
using namespace tile;
using namespace tile::run;

namespace {
/// A launch whose tensors have been given to an interpreter.
class InterpreterRun {
public:
  explicit InterpreterRun(Launch &launch) : launch(launch) {}

  /// Runs the variant that fits, or `given`.
  StepResult run(KernelOp given, Outcome &outcome);
  /// Whether the arguments keep what `variant` assumes.
  bool allows(KernelOp variant);

private:
  void addTensors();
  StepResult chooseKernel();
  StepResult runOnce(Outcome &outcome, double &milliseconds);
  void readBack();

  Launch &launch;
  Interpreter interpreter;
  InterpreterOptions options;
  KernelOp kernel;
  /// Of each argument: its address (0 for a scalar), and the address of its
  /// allocation.
  SmallVector<uint64_t> addresses, allocations;
  SmallVector<KernelArgument> values;
};
} // namespace

/// One entry for each byte of the extent: 1 where an element lies.
static std::vector<uint8_t> initialisedBytes(const HostTensor &tensor) {
  std::vector<uint8_t> mask(tensor.extentBytes(), 0);
  if (!tensor.isInitialised())
    return mask;
  tensor.forEachElement([&](size_t position) {
    uint8_t *begin = mask.data() + (position - tensor.extentPosition());
    std::fill(begin, begin + tensor.elementBytes(), 1);
  });
  return mask;
}

void InterpreterRun::addTensors() {
  for (LaunchArgument &argument : launch.arguments) {
    if (!argument.tensor) {
      addresses.push_back(0);
      allocations.push_back(0);
      values.push_back(KernelArgument::scalarBits(argument.bits));
      continue;
    }
    // The guards stay here: an access to them is out of bounds.
    const HostTensor &tensor = *argument.tensor;
    ArrayRef<uint8_t> contents(tensor.memory().data() + tensor.extentPosition(),
                               tensor.extentBytes());
    uint64_t allocation = interpreter.addAllocation(
        argument.name, contents, initialisedBytes(tensor),
        /*misalignment=*/tensor.extentPosition() % 256);
    allocations.push_back(allocation);
    addresses.push_back(allocation + tensor.pointerPosition() -
                        tensor.extentPosition());
    values.push_back(KernelArgument::pointer(addresses.back()));
  }
}

StepResult InterpreterRun::chooseKernel() {
  SmallVector<KernelOp> kernels = findKernels(launch.module, launch.kernelName);
  bool hasVariants = llvm::any_of(
      kernels, [](KernelOp op) { return op.getVariant().has_value(); });
  if (!launch.variant.empty() && !hasVariants) {
    if (StepResult failure = specialize(launch.module))
      return failure;
    kernels = findKernels(launch.module, launch.kernelName);
  }
  return chooseVariant(kernels, launch, addresses, kernel);
}

StepResult InterpreterRun::runOnce(Outcome &outcome, double &milliseconds) {
  auto start = std::chrono::steady_clock::now();
  if (failed(interpreter.run(kernel, values, outcome.grid, options)))
    return Failure(ExitCode::Runtime, "'" + kernel.getSymName().str() +
                                          "' stopped with the error above");
  std::chrono::duration<double, std::milli> elapsed =
      std::chrono::steady_clock::now() - start;
  milliseconds = elapsed.count();
  return {};
}

void InterpreterRun::readBack() {
  for (auto [i, argument] : llvm::enumerate(launch.arguments)) {
    if (!argument.tensor)
      continue;
    HostTensor &tensor = *argument.tensor;
    ArrayRef<uint8_t> bytes = interpreter.bytes(allocations[i]);
    llvm::copy(bytes, tensor.memory().begin() + tensor.extentPosition());
  }
}

bool InterpreterRun::allows(KernelOp variant) {
  addTensors();
  return !chooseVariant(variant, launch, addresses, kernel) &&
         !checkFacts(variant, launch.arguments, addresses);
}

StepResult InterpreterRun::run(KernelOp given, Outcome &outcome) {
  if (launch.maxIterations != 0)
    options.maxIterations = launch.maxIterations;
  options.threads = std::max(1u, std::thread::hardware_concurrency());
  outcome.device =
      "interpreter (" + std::to_string(options.threads) + " threads)";
  addTensors();
  kernel = given;
  if (!given)
    if (StepResult failure = chooseKernel())
      return failure;
  // A kernel that is given may have been through passes.
  options.checkPoison = !given;
  outcome.variant = kernel.getVariant().value_or("").str();
  if (StepResult failure = checkFacts(kernel, launch.arguments, addresses))
    return failure;
  if (StepResult failure = computeGrid(kernel, launch, outcome.grid))
    return failure;
  if (llvm::is_contained(outcome.grid, 0))
    return {};
  if (StepResult failure = runOnce(outcome, outcome.milliseconds))
    return failure;
  readBack();
  constexpr unsigned kNumRepeats = 5;
  for (unsigned i = 0; launch.bench && i < kNumRepeats; ++i) {
    double milliseconds;
    if (StepResult failure = runOnce(outcome, milliseconds))
      return failure;
    outcome.repeats.push_back(milliseconds * 1000);
  }
  return {};
}

StepResult run::runOnInterpreter(Launch &launch, Outcome &outcome) {
  return InterpreterRun(launch).run(KernelOp(), outcome);
}

StepResult run::runOnInterpreter(Launch &launch, KernelOp kernel,
                                 Outcome &outcome) {
  return InterpreterRun(launch).run(kernel, outcome);
}

bool run::allowsOnInterpreter(Launch &launch, KernelOp kernel) {
  return InterpreterRun(launch).allows(kernel);
}
