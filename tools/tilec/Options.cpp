//===- Options.cpp - tilec's command line ---------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "files/Files.h"
#include "options/PlanSetting.h"
#include "options/RepeatedName.h"
#include "options/RepeatedOption.h"
#include "options/WordParser.h"
#include "tile/Frontend/Numbers.h"
#include "tile/GPU/Target.h"
#include "tile/IR/PlanKeys.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <functional>

using namespace tile;
using namespace tile::tilec;
namespace cl = llvm::cl;

static constexpr llvm::StringLiteral kOverview =
    "tilec: compile tile IR, or a .tile file, to PTX\n\n"
    "Exit codes: 0 done; 2 the command line is wrong; 3 the file cannot be "
    "read\n"
    "or does not compile; 4 the result cannot be written or assembled.\n";

/// The table of plan keys.
static std::string describePlanKeys() {
  std::string table;
  llvm::raw_string_ostream stream(table);
  for (const PlanKey &key : planKeys()) {
    std::string values =
        key.isInteger()
            ? llvm::formatv("{0} to {1}{2}", key.min, key.max,
                            key.powerOfTwo ? ", a power of two" : "")
                  .str()
            : key.words.str();
    stream << llvm::formatv(
        "plan.{0,-12} {1,-26} {2,-6} {3}\n", key.name, values,
        key.fallback.empty() ? "rule" : key.fallback.str(), key.summary);
  }
  return table;
}

/// Strips `plan.` from each setting; an error names the one that is none.
static bool readSettings(llvm::ArrayRef<std::string> settings,
                         std::vector<std::string> &result) {
  for (llvm::StringRef text : settings) {
    std::string plain = frontend::withPlainIntegers(text);
    if (std::optional<std::string> wrong = describeWrongSetting(plain)) {
      llvm::errs() << "tilec: --set: " << *wrong << "\n";
      return false;
    }
    result.push_back(readPlanSetting(plain)->str());
  }
  return true;
}

/// Compiles for the target that a setting names, unless --arch names another.
static bool settleArch(llvm::ArrayRef<std::string> settings, bool isGiven,
                       std::string &arch) {
  for (llvm::StringRef setting : settings) {
    auto [name, value] = setting.split('=');
    if (name != "target" || value == arch)
      continue;
    if (isGiven) {
      llvm::errs() << "tilec: expected --arch and plan.target to agree, got '"
                   << arch << "' and '" << value << "'\n";
      return false;
    }
    arch = value.str();
    isGiven = true;
  }
  return true;
}

namespace {
/// The command line as LLVM parses it.
struct CommandLine {
  cl::OptionCategory category{"tilec options"};
  cl::opt<std::string> input{cl::Positional, cl::desc("FILE (- for stdin)"),
                             cl::init("-"), cl::cat(category)};
  cl::opt<std::string> output{"o", cl::desc("where to write; - for stdout"),
                              cl::init("-"), cl::cat(category)};
  cl::opt<std::string> arch{
      "arch",
      cl::desc("chip: sm_80, sm_86, sm_89, sm_90a (default), sm_100a or "
               "sm_120"),
      cl::init(kDefaultTarget.str()), cl::cat(category)};
  cl::opt<Emit, false, WordParser<Emit>> emit{
      "emit", cl::desc("what to write (default: ptx)"), cl::init(Emit::PTX),
      cl::values(clEnumValN(Emit::Arrangement, "arrangement",
                            "the tensors of a .tile file, level by level"),
                 clEnumValN(Emit::Tile, "tile", "the input, checked"),
                 clEnumValN(Emit::Planned, "planned", "variants with plans"),
                 clEnumValN(Emit::GPU, "gpu", "tile_gpu"),
                 clEnumValN(Emit::LLVM, "llvm", "LLVM IR"),
                 clEnumValN(Emit::PTX, "ptx", "PTX"),
                 clEnumValN(Emit::Cubin, "cubin", "a cubin, by ptxas"),
                 clEnumValN(Emit::Manifest, "manifest", "the contract, JSON"),
                 clEnumValN(Emit::Header, "header",
                            "contract and PTX of all variants, a C header")),
      cl::cat(category)};
  cl::opt<std::string> kernel{"kernel", cl::desc("the kernel to compile"),
                              cl::cat(category)};
  cl::alias kernelShort{"k", cl::desc("--kernel"), cl::aliasopt(kernel)};
  cl::opt<std::string> variant{"variant",
                               cl::desc("the variant to compile (default: the "
                                        "most specialised)"),
                               cl::cat(category)};
  cl::list<std::string> settings{
      "set", cl::desc("a decision of the plan: plan.KEY=VALUE"),
      cl::cat(category)};
  cl::list<std::string> parameters{
      "param", cl::desc("a compile-time parameter of a .tile file: NAME=VALUE"),
      cl::cat(category)};
  cl::list<std::string> allowedLints{
      "allow", cl::desc("a lint of a .tile file that is not to be reported"),
      cl::value_desc("LINT"), cl::cat(category)};
  cl::list<std::string> sizes{
      "size", cl::desc("a side in --emit=arrangement: NAME=VALUE"),
      cl::cat(category)};
  cl::opt<bool> jsonDiagnostics{
      "json-diagnostics",
      cl::desc("errors and warnings of a .tile file as JSON, one a line"),
      cl::cat(category)};
  cl::opt<unsigned> ptxVersion{"ptx-version",
                               cl::desc("PTX ISA version times ten"),
                               cl::init(0), cl::cat(category)};
  cl::opt<bool> lineInfo{"line-info", cl::desc("emit line tables"),
                         cl::init(true), cl::cat(category)};
  cl::opt<std::string> ptxas{"ptxas", cl::desc("the assembler for cubins"),
                             cl::init("ptxas"), cl::cat(category)};
  cl::opt<bool> census{"census",
                       cl::desc("count the instructions of the PTX; with "
                                "--emit=ptx or cubin, on standard error"),
                       cl::cat(category)};
  cl::opt<bool> helpPlan{"help-plan", cl::desc("list the plan keys"),
                         cl::cat(category)};
};
} // namespace

/// Writes the table of plan keys, which ends the process.
static ExitCode writePlanKeys() {
  runtime::Status written = files::writeFile("-", describePlanKeys());
  if (written)
    return ExitCode::Ok;
  llvm::errs() << "tilec: " << written.error().text() << "\n";
  return ExitCode::Runtime;
}

/// Whether the options that are for some levels only come with one of them; an
/// error says which does not.
static bool checkLevel(const CommandLine &line) {
  if (line.census && line.emit != Emit::PTX && line.emit != Emit::Cubin) {
    llvm::errs() << "tilec: expected --census with --emit=ptx or "
                    "--emit=cubin, got another level\n";
    return false;
  }
  if (!line.sizes.empty() && line.emit != Emit::Arrangement) {
    llvm::errs() << "tilec: expected --size with --emit=arrangement, got "
                    "another level\n";
    return false;
  }
  return true;
}

/// Whether no setting, parameter or side is given twice; an error says which
/// is.
static bool checkRepeats(const CommandLine &line) {
  for (const cl::list<std::string> &list :
       {std::cref(line.settings), std::cref(line.parameters),
        std::cref(line.sizes)})
    if (std::optional<std::string> wrong = describeRepeatedName(list)) {
      llvm::errs() << "tilec: --" << list.ArgStr << ": " << *wrong << "\n";
      return false;
    }
  return true;
}

/// Whether the input is of the language where an option asks for that, and not
/// what is written; an error says what is wrong.
static bool checkFiles(const CommandLine &line) {
  bool isLanguage = llvm::StringRef(line.input).ends_with(".tile");
  for (const cl::Option &option : {std::cref<cl::Option>(line.parameters),
                                   std::cref<cl::Option>(line.allowedLints),
                                   std::cref<cl::Option>(line.jsonDiagnostics)})
    if (option.getNumOccurrences() && !isLanguage) {
      llvm::errs() << "tilec: --" << option.ArgStr
                   << ": expected a .tile file, got '" << line.input << "'\n";
      return false;
    }
  if (line.output != "-" &&
      llvm::sys::fs::equivalent(line.input, line.output)) {
    llvm::errs() << "tilec: -o: expected another file than the input, got '"
                 << line.output << "'\n";
    return false;
  }
  return true;
}

/// Reads how to compile; an error says what is wrong.
static bool readCompilation(const CommandLine &line, CompileOptions &compile) {
  if (!findTarget(line.arch)) {
    llvm::errs() << "tilec: expected --arch to be one of";
    for (const TargetInfo &target : targets())
      llvm::errs() << " " << target.name;
    llvm::errs() << ", got '" << line.arch << "'\n";
    return false;
  }
  compile.target = line.arch;
  compile.kernel = line.kernel;
  compile.variant = line.variant;
  compile.ptxVersion = line.ptxVersion;
  compile.lineInfo = line.lineInfo;
  return settleArch(compile.settings, line.arch.getNumOccurrences() > 0,
                    compile.target);
}

std::optional<ExitCode> tilec::parseOptions(int argc, char **argv,
                                            Options &options) {
  CommandLine line;
  cl::HideUnrelatedOptions(line.category);
  if (!cl::ParseCommandLineOptions(argc, argv, kOverview, &llvm::errs()))
    return ExitCode::Usage;
  if (line.helpPlan)
    return writePlanKeys();
  if (std::optional<std::string> wrong =
          describeRepeatedOption(line.category)) {
    llvm::errs() << "tilec: " << *wrong << "\n";
    return ExitCode::Usage;
  }
  if (!readSettings(line.settings, options.compile.settings) ||
      !checkRepeats(line) || !checkLevel(line) || !checkFiles(line) ||
      !readCompilation(line, options.compile))
    return ExitCode::Usage;
  options.input = line.input;
  options.output = line.output;
  options.emit = line.emit;
  options.emitIsGiven = line.emit.getNumOccurrences() != 0;
  options.parameters = line.parameters;
  options.sizes = line.sizes;
  options.allowedLints = line.allowedLints;
  options.jsonDiagnostics = line.jsonDiagnostics;
  options.ptxas = line.ptxas;
  options.census = line.census;
  return std::nullopt;
}
