//===- SuiteCommand.cpp - The whole suite against cuBLAS ------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the reference program in its forms, compiles, checks and times it.  A
// case that fails is reported, and the others go on; the exit code is 1 then.
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "HostCosts.h"
#include "Session.h"
#include "Suite.h"
#include "Table.h"
#include "options/RepeatedName.h"
#include "tile/IR/PlanKeys.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;
using namespace tile;
using namespace tile::bench;
using tile::runtime::Error;
using tile::runtime::Kernel;
using tile::runtime::Result;
using tile::runtime::Status;

namespace {
/// The command line.
struct Options {
  cl::OptionCategory category{"tile-bench suite"};
  cl::opt<std::string> filter{
      "filter", cl::value_desc("regex"), cl::cat(category),
      cl::desc("measure the cases whose 'GROUP: NAME' it matches")};
  cl::opt<bool> quick{"quick", cl::cat(category),
                      cl::desc("one case of each group, 20 turns")};
  cl::opt<bool> list{"list", cl::cat(category),
                     cl::desc("print the cases and stop; needs no GPU")};
  cl::list<std::string> shapes{
      "shape", cl::value_desc("MxNxK"), cl::cat(category),
      cl::desc("measure these sizes, f16, instead of the suite's")};
  cl::opt<bool> squares{
      "squares", cl::cat(category),
      cl::desc(
          "measure squares of 8, 16, ..., 16384 in f16, by pointers and as "
          "an arrangement, instead of the suite's cases")};
  cl::opt<int> repeats{"repeats", cl::init(30), cl::cat(category),
                       cl::desc("timed turns, at least 20 (default 30)")};
  cl::opt<std::string> jsonFile{"json", cl::value_desc("file"),
                                cl::cat(category),
                                cl::desc("write the results there")};
  cl::opt<std::string> cublas{"cublas", cl::value_desc("file"),
                              cl::cat(category),
                              cl::desc("the cuBLAS library to open")};
  cl::opt<bool> withLt{"lt", cl::cat(category),
                       cl::desc("let cublasLtMatmul compete too")};
  cl::opt<bool> each{"each", cl::cat(category),
                     cl::desc("time every configuration, not the chosen one "
                              "alone")};
  cl::opt<bool> host{"host", cl::cat(category),
                     cl::desc("measure launching and cold compilation too")};
  cl::opt<std::string> target{
      "arch", cl::value_desc("sm_..."), cl::cat(category),
      cl::desc("chip to compile for (default: the device's)")};
  cl::list<std::string> sides{
      "sides", cl::CommaSeparated, cl::value_desc("MxNxK"), cl::cat(category),
      cl::desc("compile these tile sides instead of the known ones")};
  cl::list<std::string> settings{
      "set", cl::value_desc("plan.KEY=VALUE"), cl::cat(category),
      cl::desc("decisions that are given, as for tilec")};
};
} // namespace

/// The cases that the command line asks for.
static Result<std::vector<SuiteCase>> selectCases(const Options &options) {
  // An empty expression is none in this library.
  llvm::Regex filter(options.filter.empty() ? "." : options.filter.getValue());
  std::string reason;
  if (!filter.isValid(reason))
    return Error("option --filter: expected a regular expression, got '" +
                 options.filter + "': " + reason);
  std::vector<SuiteCase> cases = options.squares ? squareCases() : suiteCases();
  if (!options.shapes.empty())
    cases.clear();
  for (const std::string &text : options.shapes) {
    std::optional<GemmShape> shape = GemmShape::parse(text);
    if (!shape)
      return Error("option --shape: expected MxNxK like 4096x4096x4096, got '" +
                   text + "'");
    SuiteCase &entry = cases.emplace_back();
    entry.group = "given";
    entry.gemm.shape = *shape;
    entry.isQuick = true;
  }
  std::vector<SuiteCase> chosen;
  for (const SuiteCase &entry : cases)
    if ((!options.quick || entry.isQuick) &&
        filter.match(entry.group + ": " + entry.name()))
      chosen.push_back(entry);
  if (chosen.empty())
    return Error("option --filter: expected it to match a case, got '" +
                 options.filter + "'");
  return chosen;
}

static Status checkOptions(const Options &options) {
  if (options.squares && !options.shapes.empty())
    return Error("option --squares: expected no --shape beside it, got one");
  if (options.repeats < 20)
    return Error("option --repeats: expected at least 20, got " +
                 std::to_string(options.repeats));
  if (std::optional<std::string> wrong = describeRepeatedName(options.settings))
    return Error("option --set: " + *wrong);
  for (const std::string &setting : options.settings)
    if (!readPlanSetting(setting))
      return Error("option --set: expected plan.KEY=VALUE, got '" + setting +
                   "'");
  for (const std::string &sides : options.sides)
    if (!GemmShape::parse(sides))
      return Error("option --sides: expected MxNxK like 128x256x64, got '" +
                   sides + "'");
  return Status::success();
}

/// Measures a product.
static Status measureGemm(Session &session, Programs &programs,
                          const Options &options, const GemmCase &gemm,
                          CaseResult &result) {
  Entry contender;
  contender.withEachVariant = options.each;
  Result<Kernel *> kernel = programs.get(gemm);
  if (!kernel)
    return kernel.takeError();
  contender.kernel = *kernel;
  if (gemm.isFused) {
    GemmCase plain = gemm;
    plain.isFused = false;
    Result<Kernel *> other = programs.get(plain);
    if (!other)
      return other.takeError();
    contender.plain = *other;
  }
  return session.measure(gemm, contender, result);
}

static Status measureExample(Session &session, Programs &programs,
                             const ExampleCase &example, CaseResult &result) {
  Result<Kernel *> kernel = programs.get(example);
  if (!kernel)
    return kernel.takeError();
  return session.measure(example, **kernel, result);
}

/// Measures one case into `result`; an error is noted there.
static void measureCase(Session &session, Programs &programs,
                        const Options &options, const SuiteCase &entry,
                        CaseResult &result) {
  result.name = entry.name();
  result.group = entry.group;
  result.floor = entry.floor;
  result.aim = entry.aim;
  result.reference = entry.reference();
  Status status =
      entry.example
          ? measureExample(session, programs, *entry.example, result)
          : measureGemm(session, programs, options, entry.gemm, result);
  if (!status)
    result.error = status.error().text();
}

/// Adds the figures of the host.
static Status measureHost(Session &session, Programs &programs,
                          const std::string &target, RunResult &run) {
  GemmCase gemm;
  gemm.shape = {512, 512, 512};
  Result<Kernel *> kernel = programs.get(gemm);
  if (!kernel)
    return kernel.takeError();
  Result<LaunchTime> launch =
      measureLaunch(session.device(), session.stream(), **kernel, gemm);
  if (!launch)
    return launch.takeError();
  run.host.push_back({"warm launch, same arguments again, us", launch->again});
  run.host.push_back({"warm launch, other arguments, us", launch->fresh});
  Result<double> cold =
      measureCold(session.device(), session.stream(), target, gemm);
  if (!cold)
    return cold.takeError();
  run.host.push_back({"text to first launch finished, ms", *cold});
  return Status::success();
}

/// Writes what there is so far, so that a run that is cut off leaves it.
static Status save(const Options &options, const RunResult &run) {
  if (options.jsonFile.empty())
    return Status::success();
  return writeFile(options.jsonFile, writeResults(run));
}

/// Everything that needs the device; the exit code.
static int runOn(Session &session, const Options &options,
                 const std::vector<SuiteCase> &cases, RunResult &run) {
  std::string target = options.target.empty()
                           ? chooseTarget(session.device().facts())
                           : options.target.getValue();
  std::vector<std::string> settings;
  for (const std::string &setting : options.settings)
    settings.push_back(readPlanSetting(setting)->str());
  Programs programs(session.device(),
                    {target,
                     {options.sides.begin(), options.sides.end()},
                     std::move(settings)});
  int code = 0;
  llvm::outs() << formatHead(run.facts);
  for (const SuiteCase &entry : cases) {
    llvm::outs().flush();
    CaseResult &result = run.cases.emplace_back();
    measureCase(session, programs, options, entry, result);
    llvm::outs() << formatRow(result);
    bool isWrong = !result.error.empty();
    for (const auto &[name, timing] : result.timings)
      isWrong |= !timing.isClean();
    if (isWrong)
      code = 1;
    if (Status status = save(options, run); !status)
      return fail(status.error().text(), ExitCode::Runtime);
  }
  if (options.host)
    if (Status status = measureHost(session, programs, target, run); !status)
      code = fail(status.error().text(), ExitCode::Runtime);
  llvm::outs() << formatSummary(run);
  llvm::outs().flush();
  return code;
}

int tile::bench::runSuite(int argc, char **argv) {
  Options options;
  cl::HideUnrelatedOptions(options.category);
  if (std::optional<int> code =
          parseOptions(argc, argv, "measures the suite against cuBLAS\n"))
    return *code;
  if (Status status = checkOptions(options); !status)
    return fail(status.error().text());
  auto cases = selectCases(options);
  if (!cases)
    return fail(cases.error().text());
  if (options.list) {
    for (const SuiteCase &entry : *cases)
      llvm::outs() << entry.group << ": " << entry.name() << '\n';
    return 0;
  }
  SessionOptions sessionOptions;
  sessionOptions.cublasPath = options.cublas;
  sessionOptions.withLt = options.withLt;
  sessionOptions.race.repeats = options.quick ? 20 : options.repeats;
  auto session = Session::open(sessionOptions);
  if (!session)
    return fail(session.error().text(), ExitCode::Runtime);
  RunResult run;
  run.facts = RunFacts::collect((*session)->device());
  run.facts.library = (*session)->library();
  run.facts.command = commandLine(argc, argv);
  run.facts.repeats = sessionOptions.race.repeats;
  int code = runOn(**session, options, *cases, run);
  if (Status status = save(options, run); !status)
    return fail(status.error().text(), ExitCode::Runtime);
  return code;
}
