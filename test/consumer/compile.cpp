// Another compiler's view of tile: a kernel as a string goes in, PTX comes out,
// and errors arrive in the caller's own handler, with their places.

#include "tile/Target/Compile.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <fstream>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

static const char *const kScale = R"(
tile.kernel @scale(%x: !tile.ptr<f32>, %n: i32)
    grid affine_map<()[n] -> (n ceildiv 128)> {
  %side = arith.constant 128 : i32
  %two = arith.constant dense<2.0> : tensor<128xf32>
  %id = tile.program_id x
  %first = arith.muli %id, %side overflow<nsw> : i32
  %start = tile.splat %first : tensor<128xi32>
  %iota = tile.iota : tensor<128xi32>
  %i = arith.addi %start, %iota overflow<nsw> : tensor<128xi32>
  %bound = tile.splat %n : tensor<128xi32>
  %inside = arith.cmpi slt, %i, %bound : tensor<128xi32>
  %offsets = arith.extsi %i : tensor<128xi32> to tensor<128xi64>
  %old = tile.load %x[%offsets] mask %inside
      : !tile.ptr<f32>, tensor<128xi64> -> tensor<128xf32>
  %new = arith.mulf %old, %two : tensor<128xf32>
  tile.store %x[%offsets], %new mask %inside
      : !tile.ptr<f32>, tensor<128xi64>, tensor<128xf32>
  tile.return
}
)";

/// Line 4 loads as many elements as it has not offsets.
static const char *const kWrongShape = R"(
tile.kernel @wrong(%x: !tile.ptr<f32>) {
  %offsets = arith.constant dense<0> : tensor<128xi64>
  %old = tile.load %x[%offsets] : !tile.ptr<f32>, tensor<128xi64> -> tensor<64xf32>
  tile.return
}
)";

namespace {
/// One error as the handler saw it.
struct Report {
  std::string file;
  unsigned line = 0, column = 0;
  std::string text;
};

/// A context of ours whose errors go into a list.
class Compiler {
public:
  explicit Compiler(const mlir::DialectRegistry &registry)
      : context(registry, mlir::MLIRContext::Threading::DISABLED) {
    context.getDiagEngine().registerHandler(
        [this](mlir::Diagnostic &diagnostic) { return record(diagnostic); });
  }

  /// Compiles the kernels of `text`, which errors will call `file`.
  mlir::FailureOr<std::vector<tile::CompiledKernel>>
  compile(const char *text, const char *file,
          const tile::CompileOptions &options) {
    mlir::OwningOpRef<mlir::ModuleOp> module =
        mlir::parseSourceString<mlir::ModuleOp>(
            text, mlir::ParserConfig(&context), file);
    if (!module)
      return mlir::failure();
    return tile::compile(*module, options);
  }

  std::vector<Report> errors;

private:
  mlir::LogicalResult record(mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error)
      return mlir::success();
    Report report;
    report.text = diagnostic.str();
    if (auto place =
            diagnostic.getLocation()->findInstanceOf<mlir::FileLineColLoc>()) {
      report.file = place.getFilename().str();
      report.line = place.getLine();
      report.column = place.getColumn();
    }
    errors.push_back(report);
    return mlir::success();
  }

  mlir::MLIRContext context;
};
} // namespace

/// Prints what the compiler made of kScale and writes its contract to
/// `manifestFile`; whether it is what was expected.
static bool compileGood(const mlir::DialectRegistry &registry,
                        const char *manifestFile) {
  Compiler compiler(registry);
  tile::CompileOptions options;
  options.target = "sm_80";
  auto kernels = compiler.compile(kScale, "scale.mlir", options);
  for (const Report &error : compiler.errors)
    std::cout << "unexpected error: " << error.text << '\n';
  if (mlir::failed(kernels) || kernels->size() != 1)
    return false;

  const tile::CompiledKernel &kernel = kernels->front();
  std::cout << "kernel " << kernel.manifest.kernel << ", grid "
            << kernel.manifest.grid[0] << '\n';
  for (const tile::CompiledVariant &variant : kernel.variants) {
    const tile::runtime::Variant *contract =
        kernel.manifest.findVariant(variant.name);
    if (!contract)
      return false;
    std::cout << "variant " << variant.name << ": entry " << contract->symbol
              << ", " << variant.ptx.size() << " bytes of PTX\n";
    if (variant.ptx.find(".target sm_80") == std::string::npos ||
        variant.ptx.find(".entry " + contract->symbol + "(") ==
            std::string::npos)
      return false;
  }
  auto json = tile::runtime::writeManifest(kernel.manifest);
  if (!json)
    return false;
  std::ofstream(manifestFile) << *json;
  return !kernel.variants.empty();
}

/// Whether compiling `text` fails with an error at the given place.
static bool failsAt(const mlir::DialectRegistry &registry, const char *text,
                    const tile::CompileOptions &options, unsigned line,
                    unsigned column) {
  Compiler compiler(registry);
  if (mlir::succeeded(compiler.compile(text, "given.mlir", options)) ||
      compiler.errors.empty())
    return false;
  const Report &error = compiler.errors.front();
  std::cout << "caught " << error.file << ':' << error.line << ':'
            << error.column << ": " << error.text << '\n';
  return error.file == "given.mlir" && error.line == line &&
         error.column == column;
}

/// Whether two contexts that compile kScale at the same time make the same PTX.
static bool compileInTwoThreads(const mlir::DialectRegistry &registry) {
  std::string texts[2];
  auto compileInto = [&](std::string &text) {
    Compiler compiler(registry);
    auto kernels = compiler.compile(kScale, "scale.mlir", {});
    if (mlir::succeeded(kernels))
      for (const tile::CompiledVariant &variant : kernels->front().variants)
        text += variant.ptx;
  };
  std::thread first(compileInto, std::ref(texts[0]));
  std::thread second(compileInto, std::ref(texts[1]));
  first.join();
  second.join();
  return !texts[0].empty() && texts[0] == texts[1];
}

int main(int argc, char **argv) {
  if (argc != 2) {
    std::cout << "usage: compile MANIFEST\n";
    return 2;
  }
  mlir::DialectRegistry registry;
  tile::registerCompileDialects(registry);

  tile::CompileOptions options, unknownKey;
  unknownKey.settings = {"colour=blue"};
  // First, so that the threads meet in the initialisation of LLVM as well.
  bool together = compileInTwoThreads(registry);
  bool good = compileGood(registry, argv[1]);
  bool wrongShape = failsAt(registry, kWrongShape, options, 4, 10);
  bool wrongText = failsAt(registry, "tile.kernel @k(", options, 1, 15);
  bool wrongKey = failsAt(registry, kScale, unknownKey, 2, 1);
  std::cout << "compiled " << good << together << ", refused " << wrongShape
            << wrongText << wrongKey << '\n';
  return good && together && wrongShape && wrongText && wrongKey ? 0 : 1;
}
