//===- CudaBackend.cpp - Runs a kernel on a CUDA device -------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Backend.h"
#include "DeviceCompiler.h"
#include "DeviceTensors.h"
#include "timing/Turns.h"

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
  Status loadVariant(Kernel &kernel, const LaunchPlan &plan);
  Status launchOnce(Kernel &kernel, Outcome &outcome, double &microseconds);
  Status bench(Kernel &kernel, Outcome &outcome);

  Launch &launch;
  Device device;
  std::optional<DeviceTensors> tensors;
  LaunchOptions options;
};
} // namespace

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
  Result<LaunchPlan> plan = kernel.launch(nullptr, tensors->values(), options);
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

Status CudaRun::bench(Kernel &kernel, Outcome &outcome) {
  constexpr timing::TurnOptions kTurns = {/*repeats=*/20, /*warmUps=*/3};
  Result<Buffer> flush = timing::makeFlush(device);
  if (!flush)
    return flush.takeError();
  auto again = [&]() -> Status {
    Result<LaunchPlan> plan =
        kernel.launch(nullptr, tensors->values(), options);
    return plan ? Status::success() : Status(plan.takeError());
  };
  Result<std::vector<timing::Times>> times = timing::takeTurns(
      device, nullptr, *flush, {timing::Contender(again)}, kTurns);
  if (!times)
    return times.takeError();
  outcome.repeats = std::move(times->front().all);
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
  Result<DeviceTensors> copied =
      DeviceTensors::create(device, launch.arguments);
  if (!copied)
    return Failure(ExitCode::Runtime, copied.error());
  tensors.emplace(std::move(*copied));
  // What the launcher refuses is the caller's fault, the rest the run's.
  Result<LaunchPlan> plan = kernel->plan(tensors->values(), options);
  if (!plan)
    return Failure(ExitCode::Usage, plan.error());
  if (Status status = loadVariant(*kernel, *plan); !status)
    return Failure(ExitCode::Runtime, status.error());
  double microseconds = 0;
  if (Status status = launchOnce(*kernel, outcome, microseconds); !status)
    return Failure(ExitCode::Runtime, status.error());
  outcome.milliseconds = microseconds / 1000;
  if (Status status = tensors->read(launch.arguments); !status)
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
