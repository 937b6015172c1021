//===- tile-bench.cpp - Kernels against cuBLAS ----------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   tile-bench gemm --manifest matmul.json --ptx aligned16=matmul.ptx
//              --shape 4096x4096x4096 --shape 8192x8192x8192 [--json out.json]
//
// Exit code: 0 measured, 1 wrong result, input or option, 2 no GPU or no
// driver.
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;
using namespace tile::bench;
using namespace tile::runtime;

/// Exit code of a machine without a GPU or a driver.
static constexpr int kNoDevice = 2;

static cl::OptionCategory category("tile-bench options");
static cl::opt<std::string> suite(cl::Positional, cl::Required,
                                  cl::desc("gemm"), cl::cat(category));
static cl::list<std::string>
    shapes("shape", cl::OneOrMore, cl::desc("Sides, MxNxK"), cl::cat(category));
static cl::opt<std::string> manifestFile("manifest", cl::Required,
                                         cl::desc("The kernel's manifest"),
                                         cl::cat(category));
static cl::list<std::string>
    images("ptx", cl::OneOrMore,
           cl::desc("PTX or cubin of a variant, VARIANT=FILE"),
           cl::cat(category));
static cl::opt<std::string>
    type("type",
         cl::desc("Element type that A and B must have: f16, bf16 or "
                  "f32"),
         cl::cat(category));
static cl::opt<std::string>
    layout("layout", cl::init("nn"),
           cl::desc("Storage of A and B: n row-major, t column-major"),
           cl::cat(category));
static cl::opt<std::string> variant("variant", cl::desc("Launch this variant"),
                                    cl::cat(category));
static cl::opt<std::string> cublasPath("cublas",
                                       cl::desc("The cuBLAS library to open"),
                                       cl::cat(category));
static cl::opt<std::string>
    jsonFile("json", cl::desc("Write JSON to this file"), cl::cat(category));
static cl::opt<int> repeats("repeats", cl::init(30),
                            cl::desc("Timed launches, at least 20"),
                            cl::cat(category));

static int fail(const std::string &message, int code = 1) {
  llvm::errs() << "tile-bench: error: " << message << '\n';
  return code;
}

static Result<std::string> readFile(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return Error("cannot read '" + path + "': " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

/// The images by variant, as the command line names them.
static Result<std::map<std::string, std::string>>
readImages(const Manifest &manifest) {
  std::map<std::string, std::string> result;
  for (const std::string &option : images) {
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

static Result<GemmOptions> readOptions() {
  GemmOptions options;
  bool isLayout =
      layout == "nn" || layout == "nt" || layout == "tn" || layout == "tt";
  if (!isLayout)
    return Error("option --layout: expected nn, nt, tn or tt, got '" + layout +
                 "'");
  if (repeats < 20)
    return Error("option --repeats: expected at least 20, got " +
                 std::to_string(repeats));
  options.isATransposed = layout[0] == 't';
  options.isBTransposed = layout[1] == 't';
  options.repeats = repeats;
  if (!variant.empty())
    options.variant = variant;
  return options;
}

static Result<std::vector<GemmShape>> readShapes() {
  std::vector<GemmShape> result;
  for (const std::string &text : shapes) {
    std::optional<GemmShape> shape = GemmShape::parse(text);
    if (!shape)
      return Error("option --shape: expected MxNxK like 4096x4096x4096, got '" +
                   text + "'");
    result.push_back(*shape);
  }
  return result;
}

/// Measures all shapes and prints each as soon as it is known.
static int measure(GemmBenchmark &benchmark, const RunFacts &facts,
                   const std::vector<GemmShape> &gemmShapes) {
  llvm::outs() << formatHead(facts);
  llvm::outs().flush();
  std::vector<GemmResult> results;
  for (const GemmShape &shape : gemmShapes) {
    Result<GemmResult> result = benchmark.run(shape);
    if (!result)
      return fail(shape.text() + ": " + result.error().text());
    llvm::outs() << formatRow(*result);
    llvm::outs().flush();
    results.push_back(std::move(*result));
  }
  llvm::outs() << formatMean(results);
  if (jsonFile.empty())
    return 0;
  std::error_code code;
  llvm::raw_fd_ostream file(jsonFile, code);
  if (code)
    return fail("cannot write '" + jsonFile + "': " + code.message());
  file << formatJson(facts, results);
  return 0;
}

/// Everything that needs the device; its context is current throughout, for
/// cuBLAS.
static int runOn(const Device &device, Manifest manifest,
                 std::map<std::string, std::string> code,
                 const GemmOptions &options,
                 const std::vector<GemmShape> &gemmShapes) {
  CurrentContext current(device);
  if (!current.status())
    return fail(current.status().error().text(), kNoDevice);
  Result<Kernel> kernel =
      Kernel::load(device, std::move(manifest), std::move(code));
  if (!kernel)
    return fail(kernel.error().text());
  Result<Stream> stream = Stream::create(device);
  if (!stream)
    return fail(stream.error().text());
  auto cublas = Cublas::open(cublasPath, stream->handle());
  if (!cublas && !cublasPath.empty())
    return fail(cublas.error().text());
  auto benchmark = GemmBenchmark::create(
      device, *kernel, *stream, cublas ? cublas->get() : nullptr, options);
  if (!benchmark)
    return fail(benchmark.error().text());
  RunFacts facts = RunFacts::collect(device);
  facts.hasCublas = bool(cublas);
  facts.cublas = cublas ? (*cublas)->version() : cublas.error().text();
  facts.kernel = kernel->manifest().kernel;
  facts.target = kernel->manifest().target;
  facts.layout = layout;
  facts.inputType = stringify(benchmark->inputType());
  facts.outputType = stringify(benchmark->outputType());
  facts.repeats = options.repeats;
  if (!type.empty() && type != facts.inputType)
    return fail("option --type: expected the kernel's type " + facts.inputType +
                ", got '" + type + "'");
  return measure(*benchmark, facts, gemmShapes);
}

int main(int argc, char **argv) {
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "Measures kernels against cuBLAS\n");
  if (suite != "gemm")
    return fail("expected the suite 'gemm', got '" + suite + "'");
  Result<std::string> text = readFile(manifestFile);
  if (!text)
    return fail(text.error().text());
  Result<Manifest> manifest = parseManifest(*text);
  if (!manifest)
    return fail(manifestFile + ": " + manifest.error().text());
  auto code = readImages(*manifest);
  if (!code)
    return fail(code.error().text());
  Result<GemmOptions> options = readOptions();
  if (!options)
    return fail(options.error().text());
  auto gemmShapes = readShapes();
  if (!gemmShapes)
    return fail(gemmShapes.error().text());
  auto driver = Driver::open();
  if (!driver)
    return fail("expected a GPU, got " + driver.error().text(), kNoDevice);
  auto device = Device::open(*driver);
  if (!device)
    return fail("expected a GPU, got " + device.error().text(), kNoDevice);
  return runOn(*device, std::move(*manifest), std::move(*code), *options,
               *gemmShapes);
}
