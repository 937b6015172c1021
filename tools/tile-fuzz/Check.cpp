//===- Check.cpp - Runs a program at every stage --------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"

#include "Evaluate.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "tile/Interpreter/Interpreter.h"
#include "tile/Transforms/Passes.h"
#include "llvm/ADT/APFloat.h"

#include <cmath>
#include <map>

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

namespace {
/// What a run left in the arrays.
struct Memory {
  std::vector<std::vector<uint8_t>> bytes, initialised;
};

/// A program and the launches of it.
class Launch {
public:
  Launch(const Recipe &recipe, const std::vector<Argument> &arguments)
      : recipe(recipe), arguments(arguments) {
    for (size_t i = 0; i < recipe.arrays.size(); ++i)
      addContents(static_cast<int>(i));
  }

  /// Runs `kernel`; nothing if the interpreter reports an error.
  std::optional<Memory> run(KernelOp kernel) const;
  /// Whether the launch fulfils what the kernel assumes.
  bool fulfils(KernelOp kernel) const;

private:
  void addContents(int index);

  const Recipe &recipe;
  const std::vector<Argument> &arguments;
  /// Before a run.
  Memory start;
};
} // namespace

static const llvm::fltSemantics &semanticsOf(Kind kind) {
  return kind == Kind::F32   ? APFloat::IEEEsingle()
         : kind == Kind::F16 ? APFloat::IEEEhalf()
                             : APFloat::BFloat();
}

static void writeElement(uint8_t *to, double value, Kind kind) {
  uint64_t bits = static_cast<uint32_t>(static_cast<int64_t>(value));
  if (kind != Kind::I32) {
    APFloat number(value);
    bool loses;
    number.convert(semanticsOf(kind), APFloat::rmNearestTiesToEven, &loses);
    bits = number.bitcastToAPInt().getZExtValue();
  }
  std::memcpy(to, &bits, bytesOf(kind));
}

static double readElement(const uint8_t *from, Kind kind) {
  uint32_t bits = 0;
  std::memcpy(&bits, from, bytesOf(kind));
  if (kind == Kind::I32)
    return static_cast<int32_t>(bits);
  APFloat number(semanticsOf(kind), APInt(bytesOf(kind) * 8, bits));
  bool loses;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
  return number.convertToDouble();
}

/// What an array holds before a run: bytes between its lines may not be read.
void Launch::addContents(int index) {
  const Array &array = recipe.arrays[index];
  int64_t size = bytesOf(array.kind), bytes = recipe.span(array) * size;
  std::vector<uint8_t> contents(bytes, 0xcd), initialised(bytes, 0);
  for (int64_t row = 0; row < recipe.rows(array) && !array.isOutput; ++row)
    for (int64_t column = 0; column < recipe.columns(array); ++column) {
      int64_t at = (row * recipe.rowStride(array) +
                    column * recipe.columnStride(array)) *
                   size;
      writeElement(&contents[at], recipe.element(index, row, column),
                   array.kind);
      std::fill_n(&initialised[at], size, 1);
    }
  start.bytes.push_back(std::move(contents));
  start.initialised.push_back(std::move(initialised));
}

std::optional<Memory> Launch::run(KernelOp kernel) const {
  Interpreter interpreter;
  std::vector<uint64_t> addresses;
  for (size_t i = 0; i < recipe.arrays.size(); ++i) {
    const Array &array = recipe.arrays[i];
    addresses.push_back(interpreter.addAllocation(
        "a" + std::to_string(i), start.bytes[i], start.initialised[i],
        array.misalignment * bytesOf(array.kind)));
  }
  std::vector<KernelArgument> values;
  for (const Argument &argument : arguments)
    values.push_back(argument.array < 0
                         ? KernelArgument::integer(argument.value)
                         : KernelArgument::pointer(addresses[argument.array]));
  int64_t rows = (recipe.sizeM + recipe.m - 1) / recipe.m;
  int64_t columns = (recipe.sizeN + recipe.n - 1) / recipe.n;
  std::array<int64_t, 3> grid = {rows * columns, 1, 1};
  if (recipe.hasPlaneGrid)
    grid = {columns, rows, 1};
  InterpreterOptions options;
  options.threads = 1;
  if (failed(interpreter.run(kernel, values, grid, options)))
    return std::nullopt;
  Memory memory;
  for (uint64_t address : addresses) {
    const Allocation *allocation = interpreter.findAllocation(address);
    memory.bytes.push_back(allocation->bytes);
    memory.initialised.push_back(allocation->initialised);
  }
  return memory;
}

bool Launch::fulfils(KernelOp kernel) const {
  for (auto assume : kernel.getBody().front().getOps<AssumeOp>()) {
    auto value = dyn_cast<BlockArgument>(assume.getValue());
    if (!value)
      continue;
    const Argument &argument = arguments[value.getArgNumber()];
    int64_t number = argument.value;
    if (argument.array >= 0) {
      // Allocations start at multiples of 256 bytes.
      const Array &array = recipe.arrays[argument.array];
      number = 256 + array.misalignment * bytesOf(array.kind);
    }
    FactAttr fact = assume.getFact();
    if (number % fact.getDivisibility().value_or(1) != 0 ||
        (fact.getMin() && number < *fact.getMin()) ||
        (fact.getMax() && number > *fact.getMax()))
      return false;
  }
  return true;
}

/// Where the two differ; empty if nowhere.
static std::string compare(const Recipe &recipe, const Memory &expected,
                           const Memory &got) {
  for (size_t i = 0; i < recipe.arrays.size(); ++i) {
    const Array &array = recipe.arrays[i];
    for (size_t at = 0; at < expected.bytes[i].size(); ++at) {
      bool isWritten = expected.initialised[i][at];
      if (isWritten == static_cast<bool>(got.initialised[i][at]) &&
          expected.bytes[i][at] == got.bytes[i][at])
        continue;
      size_t size = bytesOf(array.kind), element = at / size;
      std::string text = "a" + std::to_string(i) + ", element " +
                         std::to_string(element) + ": expected ";
      auto spell = [&](const Memory &memory) {
        return memory.initialised[i][at]
                   ? std::to_string(readElement(
                         &memory.bytes[i][element * size], array.kind))
                   : std::string("nothing written");
      };
      return text + spell(expected) + ", got " + spell(got);
    }
  }
  return "";
}

/// Compares what was stored with the evaluation in f64.
static std::string compareWithEvaluation(const Recipe &recipe,
                                         const Memory &got) {
  for (size_t i = 0; i < recipe.outputs.size(); ++i) {
    int index = recipe.outputs[i].array;
    const Array &array = recipe.arrays[index];
    std::vector<Number> expected = evaluate(recipe, i);
    for (int64_t row = 0; row < recipe.sizeM; ++row)
      for (int64_t column = 0; column < recipe.sizeN; ++column) {
        Number number = expected[row * recipe.sizeN + column];
        int64_t at =
            row * recipe.rowStride(array) + column * recipe.columnStride(array);
        double value = readElement(&got.bytes[index][at * bytesOf(array.kind)],
                                   array.kind);
        if (std::isinf(number.bound) ||
            std::fabs(value - number.value) <= number.bound)
          continue;
        return "a" + std::to_string(index) + "[" + std::to_string(row) + ", " +
               std::to_string(column) + "]: expected " +
               std::to_string(number.value) + " to within " +
               std::to_string(number.bound) + ", got " + std::to_string(value);
      }
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Between passes
//===----------------------------------------------------------------------===//

namespace {
/// What the watcher of a pipeline found, shared with who runs it.
struct Watched {
  const Recipe &recipe;
  const Launch &launch;
  const Memory &expected;
  std::string &diagnostics;
  uint64_t &numRuns;
  const std::string &spoiledPass;
  /// The pass that failed by itself.
  std::string refusedBy;
  /// The first pass after which something was wrong, and what.
  std::string stage, text;
};

/// Runs each kernel after each pass that changed it.
class Watcher : public PassInstrumentation {
public:
  explicit Watcher(Watched &watched) : watched(watched) {}

  void runAfterPass(Pass *pass, Operation *op) override {
    auto kernel = dyn_cast<KernelOp>(op);
    if (!kernel || !watched.stage.empty())
      return;
    OperationFingerPrint print(op);
    auto [place, isNew] = prints.try_emplace(op, print);
    if (!isNew && place->second == print)
      return;
    place->second = print;
    check(pass->getArgument(), kernel);
  }
  void runAfterPassFailed(Pass *pass, Operation *op) override {
    if (isa<KernelOp>(op) && watched.refusedBy.empty())
      watched.refusedBy = pass->getArgument().str();
  }

private:
  void check(StringRef pass, KernelOp kernel) {
    // What an earlier variant was refused for is still to be said.
    std::string before = std::move(watched.diagnostics);
    watched.diagnostics.clear();
    ++watched.numRuns;
    std::string wrong;
    if (failed(verify(kernel))) {
      wrong = "does not verify: " + watched.diagnostics;
    } else if (std::optional<Memory> got = watched.launch.run(kernel)) {
      if (pass == watched.spoiledPass)
        got->bytes.back().front() ^= 1;
      wrong = compare(watched.recipe, watched.expected, *got);
    } else {
      wrong = watched.diagnostics;
    }
    watched.diagnostics = std::move(before);
    if (wrong.empty())
      return;
    watched.stage = pass.str();
    watched.text = kernel.getVariant().value_or("").str() + ": " + wrong;
  }

  Watched &watched;
  std::map<Operation *, OperationFingerPrint> prints;
};
} // namespace

/// A refusal by these means that an earlier pass made something wrong.
static bool isCheck(StringRef pass) {
  return pass == "tile-gpu-check-schedule" ||
         pass == "tile-gpu-insert-barriers";
}

/// Runs the pipeline for one target on the variants in `module`.
static Verdict checkTarget(StringRef target, ModuleOp module, Watched watched) {
  PassManager manager(module.getContext());
  manager.enableVerifier(false);
  manager.addInstrumentation(std::make_unique<Watcher>(watched));
  PipelineOptions options;
  options.target = target.str();
  options.settings.assign(watched.recipe.settings.begin(),
                          watched.recipe.settings.end());
  buildPlanPipeline(manager, options);
  buildTileGPUPipeline(manager);
  watched.diagnostics.clear();
  bool hasFailed = failed(manager.run(module));
  std::string prefix = target.str() + ", ";
  if (!watched.stage.empty())
    return {Verdict::Fails, watched.stage, prefix + watched.text};
  if (!hasFailed)
    return {};
  bool isWrong = isCheck(watched.refusedBy) || watched.diagnostics.empty();
  return {isWrong ? Verdict::Fails : Verdict::Refused, watched.refusedBy,
          prefix + (watched.diagnostics.empty() ? "fails without a diagnostic"
                                                : watched.diagnostics)};
}

Verdict Checker::check(const Recipe &recipe) {
  std::string diagnostics;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      diagnostics += diagnostic.str() + "\n";
  });
  Program program = build(context, recipe);
  if (failed(verify(*program.module)))
    return {Verdict::Fails, "generator", diagnostics};
  Launch launch(recipe, program.arguments);
  auto kernel = *program.module->getOps<KernelOp>().begin();
  ++numRuns;
  std::optional<Memory> expected = launch.run(kernel);
  if (!expected)
    return {Verdict::Fails, "as written", diagnostics};
  std::string wrong = compareWithEvaluation(recipe, *expected);
  if (!wrong.empty())
    return {Verdict::Fails, "f64", wrong};

  PassManager specialise(&context);
  buildVariantPipeline(specialise);
  if (failed(specialise.run(*program.module)))
    return {Verdict::Fails, "tile-specialize", diagnostics};
  for (KernelOp variant :
       llvm::make_early_inc_range(program.module->getOps<KernelOp>()))
    if (!launch.fulfils(variant))
      variant.erase();
  Verdict result;
  for (StringRef target : {"sm_80", "sm_90a"}) {
    OwningOpRef<ModuleOp> copy = program.module->clone();
    Watched watched{recipe,      launch, *expected, diagnostics, numRuns,
                    spoiledPass, {},     {},        {}};
    Verdict verdict = checkTarget(target, *copy, watched);
    if (verdict.kind == Verdict::Fails)
      return verdict;
    if (verdict.kind == Verdict::Agrees)
      ++numPipelines;
    else
      result = verdict;
  }
  return result;
}
