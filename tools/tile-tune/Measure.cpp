//===- Measure.cpp - Choices on the GPU, checked and timed ----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Measure.h"

#include "tile-run/DeviceTensors.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace tile;
using namespace tile::tune;
using namespace tile::runtime;
using run::DeviceTensors;
using run::ExitCode;
using run::Failure;
using run::StepResult;

size_t tune::findFastest(llvm::ArrayRef<Measurement> measurements) {
  const auto *fastest = llvm::min_element(
      measurements, [](const Measurement &lhs, const Measurement &rhs) {
        return lhs.times.median < rhs.times.median;
      });
  return size_t(fastest - measurements.begin());
}

Result<Bench> Bench::open() {
  auto driver = Driver::open();
  if (!driver)
    return driver.takeError();
  Result<Device> device = Device::open(*driver);
  if (!device)
    return device.takeError();
  Result<Buffer> flush = timing::makeFlush(*device);
  if (!flush)
    return flush.takeError();
  return Bench(std::move(*device), std::move(*flush));
}

namespace {
/// A candidate that is loaded.
struct Entrant {
  size_t candidate = 0;
  Kernel kernel;
  LaunchOptions options;
  Input *input = nullptr;
  const DeviceTensors *tensors = nullptr;
  std::string variant;

  Status launch() {
    Result<LaunchPlan> plan =
        kernel.launch(nullptr, tensors->values(), options);
    return plan ? Status::success() : Status(plan.takeError());
  }
};

/// The steps of `Bench::measure`, in the order of their definitions.
class Measuring {
public:
  Measuring(const Device &device, std::vector<Candidate> &candidates,
            Inputs &inputs)
      : device(device), candidates(candidates), inputs(inputs) {}

  StepResult enterAll();
  StepResult checkAll();
  Result<std::vector<timing::Times>> time(const Buffer &flush,
                                          timing::TurnOptions turns);

  std::vector<Entrant> entrants;

private:
  StepResult enter(size_t index);
  StepResult copyInput(Input *input);
  void refuseSpills(Candidate &candidate, int localBytes);
  StepResult check(Entrant &entrant);

  const Device &device;
  std::vector<Candidate> &candidates;
  Inputs &inputs;
  std::map<const Input *, DeviceTensors> tensors;
  /// Bytes of local memory of the program as it stands.
  int standingLocalBytes = 0;
};
} // namespace

StepResult Measuring::copyInput(Input *input) {
  if (tensors.count(input))
    return {};
  Result<DeviceTensors> copied = DeviceTensors::create(device, input->fresh);
  if (!copied)
    return Failure(ExitCode::Runtime, copied.error());
  tensors.emplace(input, std::move(*copied));
  return {};
}

/// What a thread keeps in local memory did not fit into registers; what the
/// program as it stands keeps there may be arrays.
void Measuring::refuseSpills(Candidate &candidate, int localBytes) {
  if (candidate.choice.isStanding())
    standingLocalBytes = localBytes;
  else if (localBytes > standingLocalBytes)
    candidate.refusal = "expected at most " +
                        std::to_string(standingLocalBytes) +
                        " bytes of local memory a thread, got " +
                        std::to_string(localBytes) + ": registers spill";
}

StepResult Measuring::enter(size_t index) {
  Candidate &candidate = candidates[index];
  Input *input = nullptr;
  if (StepResult failure = inputs.findFor(candidate, input))
    return failure;
  if (!candidate.isIn())
    return {};
  if (StepResult failure = copyInput(input))
    return failure;
  std::map<std::string, std::string> images;
  for (CompiledVariant &variant : candidate.code->variants)
    images[variant.name] = std::move(variant.ptx);
  Result<Kernel> kernel =
      Kernel::load(device, candidate.code->manifest, images);
  if (!kernel) {
    candidate.refusal = kernel.error().text();
    return {};
  }
  LaunchOptions options;
  options.grid = candidate.run.grid;
  const DeviceTensors &own = tensors.at(input);
  Result<LaunchPlan> plan = kernel->plan(own.values(), options);
  if (!plan || plan->isEmpty()) {
    candidate.refusal = plan ? "expected a grid of at least one program, got "
                               "none"
                             : plan.error().text();
    return {};
  }
  std::string variant = kernel->manifest().variants[plan->variant].name;
  Result<FunctionFacts> facts = kernel->facts(variant);
  if (!facts) {
    candidate.refusal = facts.error().text();
    return {};
  }
  refuseSpills(candidate, facts->localBytes);
  if (candidate.isIn())
    entrants.push_back(
        {index, std::move(*kernel), options, input, &own, variant});
  return {};
}

StepResult Measuring::enterAll() {
  for (size_t index = 0; index < candidates.size(); ++index)
    if (candidates[index].isIn())
      if (StepResult failure = enter(index))
        return failure;
  return {};
}

StepResult Measuring::check(Entrant &entrant) {
  Input &input = *entrant.input;
  if (Status status = entrant.tensors->write(input.fresh); !status)
    return Failure(ExitCode::Runtime, status.error());
  if (Status status = entrant.launch(); !status) {
    candidates[entrant.candidate].refusal = status.error().text();
    return {};
  }
  // What is wrong from here on is wrong with the device for all that follow.
  if (Status status = device.synchronize(); !status)
    return Failure(ExitCode::Runtime, status.error());
  if (Status status = entrant.tensors->read(input.theCase.launch().arguments);
      !status)
    return Failure(ExitCode::Runtime, status.error());
  std::string wrong;
  if (StepResult failure = Inputs::check(input, wrong))
    return failure;
  if (!wrong.empty())
    return Failure(ExitCode::Mismatch, wrong);
  return {};
}

StepResult Measuring::checkAll() {
  for (Entrant &entrant : entrants)
    if (StepResult failure = check(entrant)) {
      failure->message =
          candidates[entrant.candidate].choice.text() + ": " + failure->message;
      return failure;
    }
  std::vector<Entrant> all = std::exchange(entrants, {});
  for (Entrant &entrant : all)
    if (candidates[entrant.candidate].isIn())
      entrants.push_back(std::move(entrant));
  return {};
}

Result<std::vector<timing::Times>> Measuring::time(const Buffer &flush,
                                                   timing::TurnOptions turns) {
  std::vector<timing::Contender> contenders;
  for (Entrant &entrant : entrants)
    contenders.push_back([&entrant] { return entrant.launch(); });
  return timing::takeTurns(device, nullptr, flush, contenders, turns);
}

StepResult Bench::measure(std::vector<Candidate> &candidates, Inputs &inputs,
                          timing::TurnOptions turns,
                          std::vector<Measurement> &measurements) {
  Measuring measuring(theDevice, candidates, inputs);
  if (StepResult failure = measuring.enterAll())
    return failure;
  if (StepResult failure = measuring.checkAll())
    return failure;
  if (measuring.entrants.empty())
    return {};
  Result<std::vector<timing::Times>> times = measuring.time(flush, turns);
  if (!times)
    return Failure(ExitCode::Runtime, times.error());
  for (auto [entrant, own] : llvm::zip_equal(measuring.entrants, *times))
    measurements.push_back(
        {entrant.candidate, std::move(entrant.variant), std::move(own)});
  return {};
}
