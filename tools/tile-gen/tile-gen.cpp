//===- tile-gen.cpp - Print reference programs as tile IR -----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "files/Files.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "options/ExitCode.h"
#include "options/RepeatedOption.h"
#include "tile/Frontend/Vocabulary.h"
#include "tile/IR/MatmulProgram.h"
#include "tile/IR/TileTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir;
namespace cl = llvm::cl;

namespace {
/// The command line.
struct Options {
  cl::OptionCategory category{"tile-gen"};
  cl::opt<std::string> program{cl::Positional, cl::Required,
                               cl::desc("PROGRAM (matmul)"), cl::cat(category)};
  cl::list<int64_t> sides{"sides", cl::CommaSeparated, cl::cat(category),
                          cl::value_desc("m,n,k"),
                          cl::desc("sides of the tiles (default 128,128,64)")};
  cl::opt<std::string> type{
      "type", cl::init("f16"), cl::cat(category), cl::value_desc("type"),
      cl::desc("elements of A and B: f64, f32, f16 (default), bf16, f8e4m3, "
               "f8e5m2 or i8")};
  cl::opt<std::string> outputType{
      "output-type", cl::cat(category), cl::value_desc("type"),
      cl::desc("elements of C (default: those of A and B; i32 for i8)")};
  cl::opt<std::string> precision{
      "precision", cl::init("ieee"), cl::cat(category),
      cl::value_desc("ieee|tf32|tf32x3"),
      cl::desc("how f32 is multiplied (default ieee)")};
  cl::opt<int64_t> promoteEvery{
      "promote-every", cl::init(0), cl::cat(category), cl::value_desc("k"),
      cl::desc("products of 8-bit floats that may be summed inside the tensor "
               "core (default: any number)")};
  cl::opt<int64_t> partialSum{
      "partial-sum", cl::init(0), cl::cat(category), cl::value_desc("k"),
      cl::desc("k's that are summed at a time, each such sum being added to C "
               "(default: all at once)")};
  cl::opt<std::string> a{
      "a", cl::init("row"), cl::cat(category), cl::value_desc("row|col"),
      cl::desc("how A mostly lies in memory: variants assume that (default "
               "row)")};
  cl::opt<std::string> b{"b", cl::init("row"), cl::cat(category),
                         cl::value_desc("row|col"),
                         cl::desc("the same of B (default row)")};
  cl::list<std::string> epilogue{
      "epilogue", cl::CommaSeparated, cl::cat(category),
      cl::value_desc("bias,gelu,residual"),
      cl::desc("work on the product before it is stored, in this order")};
  cl::opt<int64_t> group{
      "group", cl::init(8), cl::cat(category), cl::value_desc("rows"),
      cl::desc("rows of tiles in a group of the program order (default 8)")};
  cl::opt<std::string> name{"name", cl::init("matmul"), cl::cat(category),
                            cl::value_desc("symbol"),
                            cl::desc("name of the kernel (default matmul)")};
  cl::opt<std::string> output{"o", cl::init("-"), cl::cat(category),
                              cl::value_desc("file"),
                              cl::desc("output file (default: - for stdout)")};
};
} // namespace

static int fail(const llvm::Twine &message,
                tile::ExitCode code = tile::ExitCode::Usage) {
  llvm::errs() << "tile-gen: " << message << '\n';
  return static_cast<int>(code);
}

/// The type spelled `text`; null if none.
static Type readType(const std::string &text, MLIRContext &context) {
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
  return parseType(tile::frontend::irTypeName(text), &context);
}

/// Whether PTX and C take `name` as that of a function.
static bool isIdentifier(llvm::StringRef name) {
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// Reads row or col; the exit code if it is neither.
static int readOrder(const cl::opt<std::string> &option, bool &isColumnMajor) {
  if (option != "row" && option != "col")
    return fail("--" + option.ArgStr + ": expected row or col, got '" +
                option.getValue() + "'");
  isColumnMajor = option == "col";
  return 0;
}

static int readEpilogue(const Options &options,
                        tile::MatmulEpilogue &epilogue) {
  llvm::StringSet<> parts;
  for (const std::string &part : options.epilogue) {
    if (!parts.insert(part).second)
      return fail("--epilogue: expected each part once, got '" + part +
                  "' twice");
    if (part == "bias")
      epilogue.bias = true;
    else if (part == "gelu")
      epilogue.gelu = true;
    else if (part == "residual")
      epilogue.residual = true;
    else
      return fail("--epilogue: expected bias, gelu or residual, got '" + part +
                  "'");
  }
  return 0;
}

/// Reads the tiles' sides and the group; the exit code if they are none.
static int readSides(const Options &options, tile::MatmulProgram &program) {
  constexpr int64_t kMaxSide = int64_t(1) << 16;
  if (!options.sides.empty()) {
    if (options.sides.size() != 3)
      return fail("--sides: expected three numbers m,n,k, got " +
                  llvm::Twine(options.sides.size()));
    program.m = options.sides[0];
    program.n = options.sides[1];
    program.k = options.sides[2];
  }
  for (int64_t side : {program.m, program.n, program.k})
    if (side < 1 || side > kMaxSide)
      return fail("--sides: expected numbers from 1 to " +
                  llvm::Twine(kMaxSide) + ", got " + llvm::Twine(side));
  // Of A, B and the product.
  int64_t elements = std::max(
      {program.m * program.n, program.m * program.k, program.k * program.n});
  if (elements > tile::kMaxTileElements)
    return fail("--sides: expected tiles of at most " +
                llvm::Twine(tile::kMaxTileElements) + " elements, got " +
                llvm::Twine(elements));
  program.group = options.group;
  if (program.group < 1 || program.group > kMaxSide)
    return fail("--group: expected a number from 1 to " +
                llvm::Twine(kMaxSide) + ", got " + llvm::Twine(program.group));
  return 0;
}

/// The program that the command line asks for; the exit code if none.
static int readProgram(const Options &options, MLIRContext &context,
                       tile::MatmulProgram &program) {
  if (options.program != "matmul")
    return fail("expected program matmul, got '" + options.program + "'");
  if (int code = readSides(options, program))
    return code;
  if (int code = readOrder(options.a, program.isAColumnMajor))
    return code;
  if (int code = readOrder(options.b, program.isBColumnMajor))
    return code;
  if (int code = readEpilogue(options, program.epilogue))
    return code;
  if (!isIdentifier(options.name))
    return fail("--name: expected an identifier of letters, digits and '_', "
                "got '" +
                options.name + "'");
  program.name = options.name;
  program.elementType = readType(options.type, context);
  if (!program.elementType)
    return fail("--type: expected an element type, got '" + options.type + "'");
  std::optional<tile::Precision> precision =
      tile::symbolizePrecision(options.precision);
  if (!precision)
    return fail("--precision: expected ieee, tf32 or tf32x3, got '" +
                options.precision + "'");
  program.precision = *precision;
  program.promoteEvery = options.promoteEvery;
  if (options.promoteEvery.getNumOccurrences() && options.promoteEvery < 1)
    return fail("--promote-every: expected a positive number, got " +
                llvm::Twine(options.promoteEvery));
  program.partialSum = options.partialSum;
  constexpr int64_t kMaxSum = int64_t(1) << 30;
  if (program.partialSum > kMaxSum)
    return fail("--partial-sum: expected at most " + llvm::Twine(kMaxSum) +
                ", got " + llvm::Twine(program.partialSum));
  if (options.outputType.empty())
    return 0;
  program.outputType = readType(options.outputType, context);
  return program.outputType ? 0
                            : fail("--output-type: expected an element type, "
                                   "got '" +
                                   options.outputType + "'");
}

int main(int argc, char **argv) {
  llvm::InitLLVM initialise(argc, argv);
  Options options;
  cl::HideUnrelatedOptions(options.category);
  if (!cl::ParseCommandLineOptions(argc, argv,
                                   "tile-gen: print reference programs "
                                   "as tile IR\n",
                                   &llvm::errs()))
    return static_cast<int>(tile::ExitCode::Usage);
  if (std::optional<std::string> wrong =
          tile::describeRepeatedOption(options.category))
    return fail(*wrong);
  MLIRContext context;
  context.loadDialect<tile::TileDialect, arith::ArithDialect, math::MathDialect,
                      scf::SCFDialect>();
  tile::MatmulProgram program;
  if (int code = readProgram(options, context, program))
    return code;

  OpBuilder builder(&context);
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToStart(module->getBody());
  if (!tile::buildMatmul(builder, loc, program) || failed(verify(*module)))
    return static_cast<int>(tile::ExitCode::Usage);

  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, OpPrintingFlags().printNameLocAsPrefix());
  stream << '\n';
  tile::runtime::Status written = tile::files::writeFile(options.output, text);
  return written ? 0 : fail(written.error().text(), tile::ExitCode::Runtime);
}
