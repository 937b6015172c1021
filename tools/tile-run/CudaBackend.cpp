//===- CudaBackend.cpp - Runs a kernel on a CUDA device -------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Backend.h"
#include "DeviceCompiler.h"
#include "Number.h"

#include "tile/Runtime/Launcher.h"

using namespace tile;
using namespace tile::run;
using namespace tile::runtime;

namespace {
/// A launch whose tensors have been copied to a device.
class CudaRun {
public:
  CudaRun(Launch &launch, const Device &device)
      : launch(launch), device(device) {}

  StepResult run(Outcome &outcome);

private:
  Status copyToDevice();
  Status copyToHost();
  Status loadVariant(Kernel &kernel, const LaunchPlan &plan);
  Status launchOnce(Kernel &kernel, Outcome &outcome, double &microseconds);
  Status bench(Kernel &kernel, Outcome &outcome);

  Launch &launch;
  Device device;
  /// One for each tensor, guards included.
  std::vector<Buffer> buffers;
  std::vector<LaunchValue> values;
  LaunchOptions options;
};
} // namespace

Status CudaRun::copyToDevice() {
  for (const LaunchArgument &argument : launch.arguments) {
    if (!argument.tensor) {
      bool isReal = !runtime::isInteger(argument.type.element);
      values.push_back(isReal ? LaunchValue::realOf(decode(
                                    argument.type.element, argument.bits))
                              : LaunchValue::integerOf(argument.integer()));
      continue;
    }
    const HostTensor &tensor = *argument.tensor;
    Result<Buffer> buffer = Buffer::allocate(device, tensor.memory().size());
    if (!buffer)
      return buffer.takeError();
    if (Status status =
            buffer->write(tensor.memory().data(), tensor.memory().size());
        !status)
      return status;
    size_t past = tensor.pointerPosition() - tensor.extentPosition();
    values.push_back(
        LaunchValue::pointer(buffer->address() + tensor.pointerPosition(),
                             tensor.extentBytes() - past));
    buffers.push_back(std::move(*buffer));
  }
  return Status::success();
}

Status CudaRun::copyToHost() {
  size_t next = 0;
  for (LaunchArgument &argument : launch.arguments) {
    if (!argument.tensor)
      continue;
    std::vector<uint8_t> &memory = argument.tensor->memory();
    if (Status status = buffers[next++].read(memory.data(), memory.size());
        !status)
      return status;
  }
  return Status::success();
}

/// Has the driver compile the code now, so that no launch is timed with it.
Status CudaRun::loadVariant(Kernel &kernel, const LaunchPlan &plan) {
  if (plan.isEmpty())
    return Status::success();
  Result<FunctionFacts> facts =
      kernel.facts(kernel.manifest().variants[plan.variant].name);
  return facts ? Status::success() : Status(facts.takeError());
}

Status CudaRun::launchOnce(Kernel &kernel, Outcome &outcome,
                           double &microseconds) {
  Result<Event> start = Event::create(device), end = Event::create(device);
  if (!start || !end)
    return start ? end.takeError() : start.takeError();
  if (Status status = start->record(); !status)
    return status;
  Result<LaunchPlan> plan = kernel.launch(nullptr, values, options);
  if (!plan)
    return plan.takeError();
  if (Status status = end->record(); !status)
    return status;
  if (Status status = end->synchronize(); !status)
    return status;
  outcome.grid = plan->grid;
  if (!plan->isEmpty())
    outcome.variant = kernel.manifest().variants[plan->variant].name;
  Result<double> elapsed = end->microsecondsSince(*start);
  if (!elapsed)
    return elapsed.takeError();
  microseconds = *elapsed;
  return Status::success();
}

/// Times launches with a cold L2 cache.
Status CudaRun::bench(Kernel &kernel, Outcome &outcome) {
  constexpr unsigned kNumWarmUps = 3, kNumRepeats = 20;
  Result<Buffer> flush =
      Buffer::allocate(device, size_t(2 * device.facts().l2Bytes));
  if (!flush)
    return flush.takeError();
  for (unsigned i = 0; i < kNumWarmUps + kNumRepeats; ++i) {
    double microseconds;
    if (Status status = flush->fill(uint8_t(i)); !status)
      return status;
    if (Status status = launchOnce(kernel, outcome, microseconds); !status)
      return status;
    if (i >= kNumWarmUps)
      outcome.repeats.push_back(microseconds);
  }
  return Status::success();
}

StepResult CudaRun::run(Outcome &outcome) {
  DeviceCode code;
  if (StepResult failure = compileForDevice(launch, device.facts(), code))
    return failure;
  Result<Kernel> kernel = Kernel::load(device, code.manifest, code.images);
  if (!kernel)
    return Failure(ExitCode::Runtime, kernel.error());
  options.grid = launch.grid;
  if (!launch.variant.empty())
    options.variant = launch.variant;
  if (Status status = copyToDevice(); !status)
    return Failure(ExitCode::Runtime, status.error());
  // What the launcher refuses is the caller's fault, the rest the run's.
  Result<LaunchPlan> plan = kernel->plan(values, options);
  if (!plan)
    return Failure(ExitCode::Usage, plan.error());
  if (Status status = loadVariant(*kernel, *plan); !status)
    return Failure(ExitCode::Runtime, status.error());
  double microseconds = 0;
  if (Status status = launchOnce(*kernel, outcome, microseconds); !status)
    return Failure(ExitCode::Runtime, status.error());
  outcome.milliseconds = microseconds / 1000;
  if (Status status = copyToHost(); !status)
    return Failure(ExitCode::Runtime, status.error());
  if (!launch.bench)
    return {};
  if (Status status = bench(*kernel, outcome); !status)
    return Failure(ExitCode::Runtime, status.error());
  return {};
}

StepResult run::runOnCuda(Launch &launch, std::shared_ptr<const Driver> driver,
                          Outcome &outcome) {
  Result<Device> device = Device::open(std::move(driver));
  if (!device)
    return Failure(ExitCode::Runtime, device.error());
  outcome.device = device->facts().name;
  return CudaRun(launch, *device).run(outcome);
}
