//===- Session.cpp - The device and who competes on it --------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Session.h"

using namespace tile::bench;
using namespace tile::runtime;

static constexpr uint64_t kSeed = 7;

Result<std::unique_ptr<Session>> Session::open(const SessionOptions &options) {
  auto driver = Driver::open();
  if (!driver)
    return Error("expected a GPU, got " + driver.error().text());
  Result<Device> device = Device::open(*driver);
  if (!device)
    return Error("expected a GPU, got " + device.error().text());
  std::unique_ptr<Session> session(new Session(std::move(*device)));
  if (!session->current.status())
    return session->current.status().error();
  Result<Stream> stream = Stream::create(session->theDevice);
  if (!stream)
    return stream.takeError();
  session->theStream.emplace(std::move(*stream));
  auto race =
      Race::create(session->theDevice, *session->theStream, options.race);
  if (!race)
    return race.takeError();
  session->race = std::move(*race);
  auto cublas = Cublas::open(options.cublasPath, session->theStream->handle());
  if (!cublas) {
    session->libraryText = cublas.error().text();
    return session;
  }
  session->cublas = std::move(*cublas);
  session->libraryText = "cuBLAS " + session->cublas->version();
  if (!options.withLt)
    return session;
  auto lt = CublasLt::open(options.cublasPath, session->theDevice,
                           session->theStream->handle());
  if (!lt)
    return lt.takeError();
  session->cublasLt = std::move(*lt);
  return session;
}

Status Session::addOurs(std::vector<Contender> &contenders, std::string name,
                        Kernel &kernel, bool isFused,
                        std::optional<std::string> variant,
                        const GemmProblem &problem) {
  Contender &contender = contenders.emplace_back();
  contender.name = std::move(name);
  contender.isFused = isFused;
  auto output = problem.makeOutput(theDevice);
  if (!output)
    return output.takeError();
  contender.output = std::move(*output);
  LaunchOptions options;
  options.variant = std::move(variant);
  contender.launch =
      [this, &kernel, options,
       values = problem.values(*contender.output, isFused)]() -> Status {
    auto done = kernel.launch(theStream->handle(), values, options);
    return done ? Status::success() : Status(done.takeError());
  };
  return Status::success();
}

Status Session::addLibraries(std::vector<Contender> &contenders,
                             const GemmProblem &problem) {
  auto add = [&](const char *name) -> Result<CublasGemm> {
    Contender &contender = contenders.emplace_back();
    contender.name = name;
    auto output = problem.makeOutput(theDevice);
    if (!output)
      return output.takeError();
    contender.output = std::move(*output);
    return problem.cublasGemm(*contender.output);
  };
  if (cublasLt) {
    Result<CublasGemm> gemm = add(kCublasLt);
    if (!gemm)
      return gemm.takeError();
    auto call = cublasLt->prepare(*gemm);
    if (!call)
      return call.takeError();
    contenders.back().launch = std::move(*call);
  }
  if (!cublas)
    return Status::success();
  Result<CublasGemm> gemm = add(kCublas);
  if (!gemm)
    return gemm.takeError();
  contenders.back().launch = [this, gemm = *gemm] { return cublas->run(gemm); };
  return Status::success();
}

/// Ours first, cuBLAS last.
Result<std::vector<Contender>>
Session::makeContenders(const Entry &entry, const GemmProblem &problem) {
  std::vector<Contender> contenders;
  bool isFused = problem.gemm().isFused;
  if (Status status = addOurs(contenders, kOurs, *entry.kernel, isFused,
                              entry.variant, problem);
      !status)
    return status.takeError();
  if (entry.plain)
    if (Status status = addOurs(contenders, kOursPlain, *entry.plain,
                                /*isFused=*/false, std::nullopt, problem);
        !status)
      return status.takeError();
  if (entry.withEachVariant) {
    auto estimates = entry.kernel->estimate(
        problem.values(*contenders.front().output, isFused));
    if (!estimates)
      return estimates.takeError();
    for (const VariantEstimate &estimate : *estimates) {
      const Variant &variant =
          entry.kernel->manifest().variants[estimate.variant];
      if (!estimate.holds() || variant.cost.empty())
        continue;
      if (Status status =
              addOurs(contenders,
                      variant.name + ", cost " +
                          std::to_string(estimate.cost.value_or(0)),
                      *entry.kernel, isFused, variant.name, problem);
          !status)
        return status.takeError();
    }
  }
  if (Status status = addLibraries(contenders, problem); !status)
    return status.takeError();
  return contenders;
}

/// Which variant is launched, at what cost, and what its code takes.
Status Session::describe(const Entry &entry, const GemmProblem &problem,
                         CaseResult &result) {
  const GemmCase &gemm = problem.gemm();
  auto output = problem.makeOutput(theDevice);
  if (!output)
    return output.takeError();
  LaunchOptions options;
  options.variant = entry.variant;
  Result<LaunchPlan> plan =
      entry.kernel->plan(problem.values(**output, gemm.isFused), options);
  if (!plan)
    return plan.takeError();
  result.variant = entry.kernel->manifest().variants[plan->variant].name;
  result.cost = plan->cost;
  Result<FunctionFacts> facts = entry.kernel->facts(result.variant);
  if (!facts)
    return facts.takeError();
  result.numRegisters = facts->numRegisters;
  result.localBytes = facts->localBytes;
  return Status::success();
}

Status Session::measure(const GemmCase &gemm, const Entry &entry,
                        CaseResult &result) {
  result.flops = gemm.shape.flops();
  result.bytes = gemm.bytes();
  auto problem = GemmProblem::create(theDevice, gemm, kSeed);
  if (!problem)
    return problem.takeError();
  if (Status status = describe(entry, **problem, result); !status)
    return status;
  auto contenders = makeContenders(entry, **problem);
  if (!contenders)
    return contenders.takeError();
  auto timings = race->run(**problem, *contenders);
  if (!timings)
    return timings.takeError();
  for (size_t index = 0; index < timings->size(); ++index)
    result.timings.emplace_back((*contenders)[index].name, (*timings)[index]);
  return Status::success();
}
