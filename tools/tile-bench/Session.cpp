//===- Session.cpp - The device and who competes on it --------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Session.h"

#include "DeviceCopy.h"

using namespace tile::bench;
using namespace tile::runtime;
using tile::Precision;

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
  session->theRace = std::move(*race);
  auto cublas = Cublas::open(options.cublasPath, session->theStream->handle());
  if (!cublas) {
    session->libraryText = cublas.error().text();
    return session;
  }
  session->cublas = std::move(*cublas);
  session->libraryText = "cuBLAS " + session->cublas->version();
  session->withLt = options.withLt;
  auto lt = CublasLt::open(options.cublasPath, session->theDevice,
                           session->theStream->handle());
  if (lt)
    session->cublasLt = std::move(*lt);
  else
    session->ltError = lt.error().text();
  return session;
}

/// Without its output.
Contender Session::ours(std::string name, Kernel &kernel,
                        std::vector<LaunchValue> values,
                        LaunchOptions options) const {
  Contender contender;
  contender.name = std::move(name);
  contender.launch = [this, &kernel, options = std::move(options),
                      values = std::move(values)]() -> Status {
    auto done = kernel.launch(theStream->handle(), values, options);
    return done ? Status::success() : Status(done.takeError());
  };
  return contender;
}

Status Session::addOurs(std::vector<Contender> &contenders, std::string name,
                        Kernel &kernel, bool isFused,
                        std::optional<std::string> variant,
                        const GemmProblem &problem) {
  auto output = problem.makeOutput(theDevice);
  if (!output)
    return output.takeError();
  LaunchOptions options;
  options.variant = std::move(variant);
  Contender contender =
      ours(std::move(name), kernel, problem.values(**output, isFused),
           std::move(options));
  contender.work = isFused ? Work::Fused : Work::Plain;
  contender.output = std::move(*output);
  contenders.push_back(std::move(contender));
  return Status::success();
}

const char *tile::bench::libraryFor(const GemmCase &gemm) {
  if (gemm.input == ElementType::F8E4M3FN)
    return kCublasLt;
  return gemm.precision == Precision::Tf32x3 ? kCublasF32 : kCublas;
}

/// Makes the contender's launch, and tries it: what a library does not take it
/// says at the call.
Status Session::prepareLibrary(Contender &contender,
                               const CublasGemm &gemm) const {
  if (contender.name == kCublasLt) {
    if (!cublasLt)
      return Error(ltError);
    auto call = cublasLt->prepare(gemm);
    if (!call)
      return call.takeError();
    contender.launch = std::move(*call);
  } else {
    contender.launch = [this, gemm] { return cublas->run(gemm); };
  }
  return contender.launch();
}

Status Session::addLibrary(std::vector<Contender> &contenders, const char *name,
                           const GemmProblem &problem) {
  Contender contender;
  contender.name = name;
  contender.work = Work::Library;
  auto output = problem.makeOutput(theDevice);
  if (!output)
    return output.takeError();
  contender.output = std::move(*output);
  CublasGemm gemm = problem.cublasGemm(*contender.output);
  if (Status status = prepareLibrary(contender, gemm); !status)
    leftOut += (leftOut.empty() ? "" : "; ") + contender.name +
               " is left out: " + status.error().text();
  else
    contenders.push_back(std::move(contender));
  return Status::success();
}

/// The reference last.
Status Session::addLibraries(std::vector<Contender> &contenders,
                             const GemmProblem &problem) {
  leftOut.clear();
  if (!cublas)
    return Status::success();
  const char *reference = libraryFor(problem.gemm());
  if (withLt && reference == kCublas)
    if (Status status = addLibrary(contenders, kCublasLt, problem); !status)
      return status;
  return addLibrary(contenders, reference, problem);
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
Status Session::describe(Kernel &kernel, const std::vector<LaunchValue> &values,
                         const LaunchOptions &options, CaseResult &result) {
  Result<LaunchPlan> plan = kernel.plan(values, options);
  if (!plan)
    return plan.takeError();
  result.variant = kernel.manifest().variants[plan->variant].name;
  result.cost = plan->cost;
  Result<FunctionFacts> facts = kernel.facts(result.variant);
  if (!facts)
    return facts.takeError();
  result.numRegisters = facts->numRegisters;
  result.localBytes = facts->localBytes;
  return Status::success();
}

Status Session::race(const Problem &problem,
                     const std::vector<Contender> &contenders,
                     CaseResult &result) {
  auto timings = theRace->run(problem, contenders);
  if (!timings)
    return timings.takeError();
  for (size_t index = 0; index < timings->size(); ++index)
    result.timings.emplace_back(contenders[index].name, (*timings)[index]);
  return Status::success();
}

Status Session::measure(const GemmCase &gemm, const Entry &entry,
                        CaseResult &result) {
  result.flops = gemm.shape.flops();
  result.bytes = gemm.bytes();
  auto problem = GemmProblem::create(theDevice, gemm, kSeed);
  if (!problem)
    return problem.takeError();
  auto output = (*problem)->makeOutput(theDevice);
  if (!output)
    return output.takeError();
  LaunchOptions options;
  options.variant = entry.variant;
  if (Status status =
          describe(*entry.kernel, (*problem)->values(**output, gemm.isFused),
                   options, result);
      !status)
    return status;
  auto contenders = makeContenders(entry, **problem);
  if (!contenders)
    return contenders.takeError();
  if (Status status = race(**problem, *contenders, result); !status)
    return status;
  result.error = leftOut;
  return Status::success();
}

Status Session::addCopy(std::vector<Contender> &contenders,
                        const ExampleProblem &problem) const {
  Result<DeviceCopy> copy = DeviceCopy::open();
  if (!copy)
    return copy.takeError();
  auto output = problem.makeOutput(theDevice);
  if (!output)
    return output.takeError();
  Contender &contender = contenders.emplace_back();
  contender.name = kCopy;
  contender.work = Work::Copy;
  contender.output = std::move(*output);
  contender.launch = [this, copy = *copy, &target = *contender.output,
                      source = problem.firstInput().address()] {
    return copy.run(target.address(), source, target.size(),
                    theStream->handle());
  };
  return Status::success();
}

Status Session::measure(const ExampleCase &example, Kernel &kernel,
                        CaseResult &result) {
  result.flops = example.flops();
  result.bytes = example.bytes();
  auto problem = ExampleProblem::create(theDevice, example, kSeed);
  if (!problem)
    return problem.takeError();
  auto output = (*problem)->makeOutput(theDevice);
  if (!output)
    return output.takeError();
  auto values = (*problem)->values(kernel.manifest(), **output);
  if (!values)
    return values.takeError();
  if (Status status = describe(kernel, *values, LaunchOptions(), result);
      !status)
    return status;
  std::vector<Contender> contenders;
  contenders.push_back(ours(kOurs, kernel, *values, LaunchOptions()));
  contenders.back().output = std::move(*output);
  if (example.kind == ExampleCase::Kind::Softmax)
    if (Status status = addCopy(contenders, **problem); !status)
      return status;
  return race(**problem, contenders, result);
}
