//===- GemmCommand.cpp - One compiled kernel against cuBLAS ---------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   tile-bench gemm --manifest matmul.json --ptx aligned16=matmul.ptx
//              --shape 4096x4096x4096 --shape 8192x8192x8192 [--json out.json]
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "Session.h"
#include "Table.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;
using namespace tile::bench;
using namespace tile::runtime;
using tile::ExitCode;

namespace {
/// The command line.
struct Options {
  cl::OptionCategory category{"tile-bench gemm"};
  cl::list<std::string> shapes{"shape", cl::OneOrMore, cl::desc("sides, MxNxK"),
                               cl::cat(category)};
  cl::opt<std::string> manifestFile{"manifest", cl::Required,
                                    cl::desc("the kernel's manifest"),
                                    cl::cat(category)};
  cl::list<std::string> images{"ptx", cl::OneOrMore, cl::cat(category),
                               cl::desc("PTX or cubin of a variant, "
                                        "VARIANT=FILE")};
  cl::opt<std::string> type{"type", cl::cat(category),
                            cl::desc("element type that A and B must have")};
  cl::opt<std::string> layout{
      "layout", cl::init("nn"), cl::cat(category),
      cl::desc("storage of A and B: n row-major, t column-major")};
  cl::opt<std::string> variant{"variant", cl::desc("launch this variant"),
                               cl::cat(category)};
  cl::opt<std::string> cublas{"cublas", cl::desc("the cuBLAS library to open"),
                              cl::cat(category)};
  cl::opt<std::string> jsonFile{"json", cl::desc("write JSON to this file"),
                                cl::cat(category)};
  cl::opt<int> repeats{"repeats", cl::init(30), cl::cat(category),
                       cl::desc("timed launches, at least 20")};
};
} // namespace

/// The images by variant, as the command line names them.
static Result<std::map<std::string, std::string>>
readImages(const Options &options, const Manifest &manifest) {
  std::map<std::string, std::string> result;
  for (const std::string &option : options.images) {
    size_t split = option.find('=');
    std::string name = option.substr(0, split);
    if (split == std::string::npos || !manifest.findVariant(name))
      return Error("option --ptx: expected VARIANT=FILE with a variant of the "
                   "manifest, got '" +
                   option + "'");
    Result<std::string> image = readFile(option.substr(split + 1));
    if (!image)
      return image.takeError();
    result[name] = std::move(*image);
  }
  return result;
}

/// The case that the kernel's arguments and the command line describe, but for
/// the shape.
static Result<GemmCase> readCase(const Options &options,
                                 const Manifest &manifest) {
  const std::string &layout = options.layout;
  if (layout != "nn" && layout != "nt" && layout != "tn" && layout != "tt")
    return Error("option --layout: expected nn, nt, tn or tt, got '" + layout +
                 "'");
  const auto &arguments = manifest.arguments;
  bool fits = arguments.size() == 12;
  for (size_t index = 0; fits && index < arguments.size(); ++index) {
    ArgumentType type = arguments[index].type;
    if (index < 3)
      fits = type.isPointer && (type.element == ElementType::F16 ||
                                type.element == ElementType::BF16 ||
                                type.element == ElementType::F32);
    else
      fits = type == ArgumentType::scalar(index < 6 ? ElementType::I32
                                                    : ElementType::I64);
  }
  if (!fits || !(arguments[0].type == arguments[1].type))
    return Error("expected a kernel with the arguments a b c (pointers to f16, "
                 "bf16 or f32), M N K (i32), sam sak sbk sbn scm scn (i64), "
                 "got others");
  GemmCase gemm;
  gemm.input = arguments[0].type.element;
  gemm.output = arguments[2].type.element;
  gemm.isATransposed = layout[0] == 't';
  gemm.isBTransposed = layout[1] == 't';
  if (!options.type.empty() && options.type != stringify(gemm.input))
    return Error("option --type: expected the kernel's type " +
                 std::string(stringify(gemm.input)) + ", got '" + options.type +
                 "'");
  return gemm;
}

static Result<std::vector<GemmShape>> readShapes(const Options &options) {
  std::vector<GemmShape> result;
  for (const std::string &text : options.shapes) {
    std::optional<GemmShape> shape = GemmShape::parse(text);
    if (!shape)
      return Error("option --shape: expected MxNxK like 4096x4096x4096, got '" +
                   text + "'");
    result.push_back(*shape);
  }
  return result;
}

/// Measures all shapes and prints each as soon as it is known.
static int measure(Session &session, const Options &options, Entry entry,
                   GemmCase gemm, const std::vector<GemmShape> &shapes,
                   RunResult &run) {
  llvm::outs() << formatHead(run.facts);
  for (const GemmShape &shape : shapes) {
    gemm.shape = shape;
    CaseResult &result = run.cases.emplace_back();
    result.name = std::string(stringify(gemm.input)) + " " + gemm.layout() +
                  " " + shape.text();
    result.group = "gemm";
    if (Status status = session.measure(gemm, entry, result); !status)
      return fail(shape.text() + ": " + status.error().text(),
                  ExitCode::Runtime);
    llvm::outs() << formatRow(result);
    llvm::outs().flush();
  }
  llvm::outs() << formatSummary(run);
  if (options.jsonFile.empty())
    return 0;
  if (Status status = writeFile(options.jsonFile, writeResults(run)); !status)
    return fail(status.error().text(), ExitCode::Runtime);
  return 0;
}

int tile::bench::runGemm(int argc, char **argv) {
  Options options;
  cl::HideUnrelatedOptions(options.category);
  if (std::optional<int> code = parseOptions(
          argc, argv, "measures one compiled kernel against cuBLAS\n"))
    return *code;
  if (options.repeats < 20)
    return fail("option --repeats: expected at least 20, got " +
                std::to_string(options.repeats));
  Result<std::string> text = readFile(options.manifestFile);
  if (!text)
    return fail(text.error().text(), ExitCode::Compile);
  Result<Manifest> manifest = parseManifest(*text);
  if (!manifest)
    return fail(options.manifestFile + ": " + manifest.error().text(),
                ExitCode::Compile);
  auto code = readImages(options, *manifest);
  if (!code)
    return fail(code.error().text(), ExitCode::Compile);
  Result<GemmCase> gemm = readCase(options, *manifest);
  if (!gemm)
    return fail(gemm.error().text());
  auto shapes = readShapes(options);
  if (!shapes)
    return fail(shapes.error().text());

  SessionOptions sessionOptions;
  sessionOptions.cublasPath = options.cublas;
  sessionOptions.race.repeats = options.repeats;
  auto session = Session::open(sessionOptions);
  if (!session)
    return fail(session.error().text(), ExitCode::Runtime);
  Result<Kernel> kernel = Kernel::load((*session)->device(),
                                       std::move(*manifest), std::move(*code));
  if (!kernel)
    return fail(kernel.error().text(), ExitCode::Runtime);
  RunResult run;
  run.facts = RunFacts::collect((*session)->device());
  run.facts.library = (*session)->library();
  run.facts.command = commandLine(argc, argv);
  run.facts.repeats = options.repeats;
  Entry entry;
  entry.kernel = &*kernel;
  if (!options.variant.empty())
    entry.variant = options.variant;
  return measure(**session, options, entry, *gemm, *shapes, run);
}
