//===- Kernels.cpp - Kernels and their arguments --------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "Npy.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tile;
using namespace tile::run;
using runtime::ArgumentType;
using runtime::Result;

SmallVector<KernelOp> run::findKernels(ModuleOp module, StringRef name) {
  SmallVector<KernelOp> found;
  for (auto kernel : module.getOps<KernelOp>()) {
    StringRef symbol = kernel.getSymName();
    if (symbol == name ||
        (symbol.consume_front(name) && symbol.starts_with("$")))
      found.push_back(kernel);
  }
  return found;
}

/// A kernel's argument type in the runtime's terms.
static ArgumentType argumentType(Type type) {
  bool isPointer = false;
  if (auto pointer = dyn_cast<PointerType>(type)) {
    isPointer = true;
    type = pointer.getElementType();
  }
  std::string text;
  llvm::raw_string_ostream(text) << type;
  // The verifier admits no other types than the runtime knows.
  auto element = runtime::symbolizeElementType(text);
  return {element.value_or(runtime::ElementType::I64), isPointer};
}

static Failure wrongArgument(StringRef name, const llvm::Twine &message) {
  return Failure(ExitCode::Usage,
                 ("argument '" + name + "': " + message).str());
}

/// Reads an @FILE spec: the file gives the shape, and the type as far as it is
/// one of NumPy's.
static StepResult takeShapeFromFile(ArgumentSpec &spec, ArgumentType type) {
  Result<NpyArray> array = readNpy(spec.fill.file);
  if (!array)
    return wrongArgument(spec.name, array.error().text());
  spec.shape.sides = array->sides;
  spec.shape.strides = rowMajorStrides(array->sides);
  spec.shape.type = array->type;
  // bf16 and the 8-bit floats travel in files of f4.
  bool isStranger = type.element == runtime::ElementType::BF16 ||
                    type.element == runtime::ElementType::F8E4M3FN ||
                    type.element == runtime::ElementType::F8E5M2;
  if (isStranger && array->type == runtime::ElementType::F32)
    spec.shape.type = type.element;
  return {};
}

static StepResult bindPointer(ArgumentSpec spec, LaunchArgument &argument) {
  StringRef expected = runtime::stringify(argument.type.element);
  if (spec.kind == ArgumentSpec::Kind::Scalar)
    return wrongArgument(
        spec.name, "expected a tensor of " + expected + " such as " + expected +
                       "[64,64]:ones, got '" + spec.scalar + "'");
  if (spec.kind == ArgumentSpec::Kind::File)
    if (StepResult failure = takeShapeFromFile(spec, argument.type))
      return failure;
  if (spec.shape.type != argument.type.element)
    return wrongArgument(spec.name,
                         "expected elements of " + expected + ", got " +
                             StringRef(runtime::stringify(spec.shape.type)) +
                             (spec.kind == ArgumentSpec::Kind::File
                                  ? " in '" + spec.fill.file + "'"
                                  : ""));
  argument.shape = std::move(spec.shape);
  argument.fill = std::move(spec.fill);
  return {};
}

static StepResult bindScalar(const ArgumentSpec &spec,
                             LaunchArgument &argument) {
  StringRef expected = runtime::stringify(argument.type.element);
  if (spec.kind != ArgumentSpec::Kind::Scalar)
    return wrongArgument(spec.name,
                         "expected a value of " + expected + ", got a tensor");
  Result<uint64_t> bits = parseScalar(argument.type.element, spec.scalar);
  if (!bits)
    return wrongArgument(spec.name, bits.error().text());
  argument.bits = *bits;
  return {};
}

/// Every spec must name an argument.
static StepResult checkNames(KernelOp kernel,
                             const std::vector<ArgumentSpec> &specs) {
  for (const ArgumentSpec &spec : specs) {
    if (kernel.getArgByName(spec.name))
      continue;
    SmallVector<StringRef> names;
    for (unsigned i = 0, e = kernel.getNumArguments(); i < e; ++i)
      names.push_back(kernel.getArgName(i));
    return wrongArgument(spec.name, "expected one of " +
                                        llvm::join(names, ", ") +
                                        ", which are the arguments of '" +
                                        kernel.getSymName() + "'");
  }
  return {};
}

StepResult run::bindArguments(KernelOp kernel,
                              const std::vector<ArgumentSpec> &specs,
                              std::vector<LaunchArgument> &arguments) {
  if (StepResult failure = checkNames(kernel, specs))
    return failure;
  for (BlockArgument value : kernel.getArguments()) {
    LaunchArgument argument;
    argument.name = kernel.getArgName(value.getArgNumber()).str();
    argument.type = argumentType(value.getType());
    auto spec = llvm::find_if(specs, [&](const ArgumentSpec &entry) {
      return entry.name == argument.name;
    });
    if (spec == specs.end())
      return wrongArgument(
          argument.name, "expected a value of " +
                             runtime::stringify(argument.type) + ", got none");
    StepResult failure = argument.type.isPointer ? bindPointer(*spec, argument)
                                                 : bindScalar(*spec, argument);
    if (failure)
      return failure;
    arguments.push_back(std::move(argument));
  }
  return {};
}

/// Fails where the tensors take more than `memoryLimit` bytes together.
static StepResult checkMemory(ArrayRef<LaunchArgument> arguments,
                              uint64_t memoryLimit) {
  uint64_t sum = 0;
  SmallVector<std::string> parts;
  for (const LaunchArgument &argument : arguments) {
    if (!argument.type.isPointer)
      continue;
    Result<uint64_t> bytes = HostTensor::memoryBytes(argument.shape);
    if (!bytes)
      return wrongArgument(argument.name, bytes.error().text());
    sum += *bytes;
    parts.push_back("'" + argument.name + "' takes " + std::to_string(*bytes));
  }
  if (sum <= memoryLimit)
    return {};
  return Failure(ExitCode::Usage,
                 "expected tensors of at most " + std::to_string(memoryLimit) +
                     " bytes together, got " + std::to_string(sum) + ": " +
                     llvm::join(parts, ", ") +
                     "; make them smaller or raise --memory-limit");
}

StepResult run::makeTensors(uint64_t memoryLimit,
                            std::vector<LaunchArgument> &arguments) {
  if (StepResult failure = checkMemory(arguments, memoryLimit))
    return failure;
  for (LaunchArgument &argument : arguments) {
    if (!argument.type.isPointer)
      continue;
    Result<HostTensor> tensor =
        HostTensor::create(argument.shape, argument.fill);
    if (!tensor)
      return wrongArgument(argument.name, tensor.error().text());
    argument.tensor = std::move(*tensor);
  }
  return {};
}

/// The range of the sides of tensors in the .tile language.
static constexpr int64_t kMaxSide = (int64_t(1) << 31) - kMaxTileElements;

/// What does not hold of a value, in words; empty if all does.
static std::string findViolation(FactAttr fact, int64_t value, bool isAddress) {
  bool isLow = fact.getMin() && value < *fact.getMin();
  if (isLow || (fact.getMax() && value > *fact.getMax())) {
    int64_t limit = isLow ? *fact.getMin() : *fact.getMax();
    return std::string(isLow ? "expected at least " : "expected at most ") +
           std::to_string(limit) + ", got " + std::to_string(value) +
           (limit == kMaxSide ? ": a side of a tensor is at most 2^31 - 2^24, "
                                "so that i32 holds it with a tile's side added"
                              : "");
  }
  if (fact.getDivisibility() && value % *fact.getDivisibility() != 0)
    return (isAddress ? "expected an address that is a multiple of "
                      : "expected a multiple of ") +
           std::to_string(*fact.getDivisibility()) + ", got " +
           std::to_string(value);
  return {};
}

/// An integer's value, or a pointer's address.
static std::optional<int64_t> factValue(const LaunchArgument &argument,
                                        uint64_t address) {
  if (argument.type.isPointer)
    return int64_t(address);
  if (runtime::isInteger(argument.type.element))
    return argument.integer();
  return std::nullopt;
}

StepResult run::checkFacts(KernelOp kernel,
                           const std::vector<LaunchArgument> &arguments,
                           ArrayRef<uint64_t> addresses) {
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    auto fact = kernel.getArgAttrOfType<FactAttr>(i, kFactName);
    if (!fact || (argument.type.isPointer && addresses.empty()))
      continue;
    std::optional<int64_t> value =
        factValue(argument, argument.type.isPointer ? addresses[i] : 0);
    if (!value)
      continue;
    if (std::string why = findViolation(fact, *value, argument.type.isPointer);
        !why.empty())
      return wrongArgument(argument.name, why);
  }
  return {};
}

/// The first assumption about an argument that does not hold; empty if all do.
static std::string findBrokenAssumption(KernelOp kernel, const Launch &launch,
                                        ArrayRef<uint64_t> addresses) {
  for (auto assume : kernel.getBody().front().getOps<AssumeOp>()) {
    auto value = dyn_cast<BlockArgument>(assume.getValue());
    if (!value)
      continue;
    unsigned i = value.getArgNumber();
    const LaunchArgument &argument = launch.arguments[i];
    std::optional<int64_t> number = factValue(argument, addresses[i]);
    if (!number)
      continue;
    std::string why =
        findViolation(assume.getFact(), *number, argument.type.isPointer);
    if (!why.empty())
      return "argument '" + argument.name + "': " + why;
  }
  return {};
}

StepResult run::chooseVariant(ArrayRef<KernelOp> kernels, const Launch &launch,
                              ArrayRef<uint64_t> addresses, KernelOp &chosen) {
  SmallVector<StringRef> names;
  std::string why;
  for (KernelOp kernel : kernels) {
    StringRef variant = kernel.getVariant().value_or("");
    names.push_back(variant);
    if (!launch.variant.empty() && variant != launch.variant)
      continue;
    why = findBrokenAssumption(kernel, launch, addresses);
    if (why.empty()) {
      chosen = kernel;
      return {};
    }
  }
  if (launch.variant.empty())
    return Failure(ExitCode::Usage,
                   "expected a variant whose assumptions hold, got none: " +
                       why);
  if (llvm::is_contained(names, launch.variant))
    return Failure(ExitCode::Usage, "variant '" + launch.variant + "': " + why);
  return Failure(ExitCode::Usage, "variant '" + launch.variant +
                                      "': expected one of " +
                                      llvm::join(names, ", "));
}

/// What the kernel's formula gives at these arguments; nothing without one.
static StepResult evaluateGrid(KernelOp kernel, const Launch &launch,
                               std::optional<Grid> &grid) {
  std::optional<AffineMap> map = kernel.getGrid();
  if (!map)
    return {};
  SmallVector<Attribute> symbols, results;
  for (BlockArgument value : kernel.getIntegerArguments()) {
    if (symbols.size() == map->getNumSymbols())
      break;
    const LaunchArgument &argument = launch.arguments[value.getArgNumber()];
    symbols.push_back(IntegerAttr::get(IndexType::get(map->getContext()),
                                       argument.integer()));
  }
  if (failed(map->constantFold(symbols, results)))
    return Failure(ExitCode::Usage,
                   "the grid of '" + kernel.getSymName().str() +
                       "' overflows or divides by 0 at these arguments");
  grid = {1, 1, 1};
  for (auto [i, result] : llvm::enumerate(results))
    (*grid)[i] = cast<IntegerAttr>(result).getInt();
  return {};
}

/// "4x1x1".
static std::string spell(const Grid &grid) {
  return std::to_string(grid[0]) + "x" + std::to_string(grid[1]) + "x" +
         std::to_string(grid[2]);
}

StepResult run::computeGrid(KernelOp kernel, const Launch &launch, Grid &grid) {
  // Limits of CUDA, which hold on every device.
  constexpr int64_t kMaxPrograms[] = {(int64_t(1) << 31) - 1, 65535, 65535};
  std::optional<Grid> formula;
  if (StepResult failure = evaluateGrid(kernel, launch, formula))
    return failure;
  if (!launch.grid && !formula)
    return Failure(ExitCode::Usage,
                   std::string("expected -g X,Y,Z") +
                       (launch.isRunBlock ? ", or 'grid X, Y, Z' before the "
                                            "'{' of the run block"
                                          : "") +
                       ", since '" + kernel.getSymName().str() +
                       "' states no grid");
  grid = launch.grid ? *launch.grid : *formula;
  std::string who = launch.grid
                        ? launch.gridOrigin
                        : "the grid of '" + kernel.getSymName().str() + "'";
  for (auto [i, count] : llvm::enumerate(grid)) {
    std::string along = std::string(" programs along ") + "xyz"[i];
    std::string got = ", got " + std::to_string(count);
    if (count < 0 || count > kMaxPrograms[i])
      return Failure(ExitCode::Usage, who + ": expected 0 to " +
                                          std::to_string(kMaxPrograms[i]) +
                                          along + got);
    // Masks that the formula makes superfluous may be left out.
    if (formula && count > (*formula)[i])
      return Failure(ExitCode::Usage, who + ": expected at most " +
                                          std::to_string((*formula)[i]) +
                                          along +
                                          ", as the kernel's grid says" + got);
  }
  bool walksFormula = formula && kernel.getPlanAttr() &&
                      kernel.getPlanAttr().getString("grid") == "persistent";
  if (walksFormula && grid != *formula && !llvm::is_contained(grid, 0))
    return Failure(ExitCode::Usage,
                   who + ": expected the " + spell(*formula) +
                       " programs of the kernel's grid, all of which the CTAs "
                       "of a persistent variant walk, got " +
                       spell(grid) +
                       "; --set=plan.grid=program gives each program a CTA");
  return {};
}
