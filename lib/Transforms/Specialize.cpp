//===- Specialize.cpp - Variants by facts only a launch knows -------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps: collect what every access would profit from knowing (which strides are
// 1, which pitches, bases and bounds are divisible); for each level from most
// to least, turn it into facts about arguments; clone the kernel for each set
// of facts that differs from the next.
//
//===----------------------------------------------------------------------===//

#include "PlanChecks.h"

#include "tile/Analysis/AccessAnalysis.h"
#include "tile/Transforms/Passes.h"

#include "llvm/ADT/MapVector.h"

#define DEBUG_TYPE "tile-specialize"

namespace tile {
#define GEN_PASS_DEF_TILESPECIALIZEPASS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

/// How much a variant assumes: strides of 1, and this many bytes of alignment.
struct Level {
  StringLiteral name;
  bool contiguous;
  int64_t bytes;
  /// Whether no side of a matrix is empty.
  bool sides;
};
static constexpr Level kLevels[] = {{"aligned16", true, 16, true},
                                    {"aligned4", true, 4, false},
                                    {"contiguous", true, 1, false},
                                    {"general", false, 1, false}};

namespace {
/// What would help, of one argument.
struct Wish {
  /// It is the stride of some access's last dimension.
  bool one = false;
  /// Bytes of what it counts: of an element for a stride or bound, 1 for an
  /// address; 0 where divisibility does not matter.
  int64_t unitBytes = 0;
  /// It is the side of a matrix.
  bool positive = false;

  /// Notes something that it counts; the smallest asks for the most.
  void count(int64_t bytes) {
    unitBytes = unitBytes ? std::min(unitBytes, bytes) : bytes;
  }
};

using Facts = llvm::MapVector<unsigned, FactAttr>;

/// Makes the variants of one kernel.
class Specializer {
public:
  explicit Specializer(KernelOp kernel) : kernel(kernel) {}
  LogicalResult run();

private:
  void collect();
  void collect(const Access &access, bool fillsPartly);
  void collectStart(const ScalarExpr &start, int64_t bytes);
  std::optional<unsigned> argumentOf(const ScalarExpr &expr);
  Wish *wishFor(const ScalarExpr &expr);
  const AccessDim *findInner(const Access &access);
  bool isKnown(unsigned index, FactAttr fact);
  Facts factsFor(const Level &level);
  void makeVariant(StringRef name, const Facts &facts);
  std::string symbolOf(StringRef variant) {
    return (kernel.getSymName() + "$" + variant).str();
  }

  KernelOp kernel;
  llvm::MapVector<unsigned, Wish> wishes;
};
} // namespace

LogicalResult Specializer::run() {
  collect();
  SmallVector<std::pair<StringRef, Facts>> variants;
  for (const Level &level : kLevels) {
    Facts facts = factsFor(level);
    // A level that adds nothing to the next one is left out.
    auto same = [&](const Facts &other) {
      return facts.size() == other.size() && llvm::equal(facts, other);
    };
    if (!variants.empty() && same(variants.back().second))
      variants.pop_back();
    variants.emplace_back(level.name, std::move(facts));
  }
  auto table = SymbolTable(kernel->getParentOp());
  for (auto &[name, facts] : variants)
    if (Operation *other = table.lookup(symbolOf(name))) {
      InFlightDiagnostic error = kernel.emitOpError()
                                 << "expected the name of its variant '"
                                 << symbolOf(name) << "' to be free";
      error.attachNote(other->getLoc()) << "it is taken here";
      return error;
    }
  for (auto &[name, facts] : variants)
    makeVariant(name, facts);
  kernel.erase();
  return success();
}

/// Whether a load is an operand of a dot as it stands: it goes to shared memory
/// then, by copies that fill with zeros where a mask ends inside.  Transposed
/// operands are such loads, too, since tile-transpose-loads.
static bool feedsDot(LoadOp load) {
  return llvm::any_of(load->getUsers(), llvm::IsaPred<DotOp>);
}

void Specializer::collect() {
  AccessAnalysis analysis(kernel);
  kernel.walk([&](Operation *op) {
    FailureOr<Access> access = failure();
    auto load = dyn_cast<LoadOp>(op);
    if (load)
      access = analysis.analyze(load, nullptr);
    else if (auto store = dyn_cast<StoreOp>(op))
      access = analysis.analyze(store, nullptr);
    if (succeeded(access) && !access->dims.empty())
      collect(*access, load && feedsDot(load));
  });
}

/// The number of the kernel's argument that `expr` is, if it is one.
std::optional<unsigned> Specializer::argumentOf(const ScalarExpr &expr) {
  auto argument = dyn_cast_if_present<BlockArgument>(expr.getSingleValue());
  if (!argument || argument.getOwner() != &kernel.getBody().front())
    return std::nullopt;
  return argument.getArgNumber();
}

Wish *Specializer::wishFor(const ScalarExpr &expr) {
  std::optional<unsigned> argument = argumentOf(expr);
  return argument ? &wishes[*argument] : nullptr;
}

/// The dimension whose stride is assumed to be 1: the one that the program
/// marks by `tile.contiguous`, or the last.
const AccessDim *Specializer::findInner(const Access &access) {
  for (const AccessDim &dim : access.dims)
    if (std::optional<unsigned> argument = argumentOf(dim.stride))
      if (kernel.getArgAttr(*argument, kContiguousName))
        return &dim;
  // A side of 1 has no second element for a stride to lead to.
  const AccessDim *inner = &access.dims.back();
  while (inner != access.dims.begin() && inner->side == 1)
    --inner;
  return inner;
}

/// Notes the arguments of which a vector's address is a multiple, such as the
/// pitch of the row that a program works on: of each product one.
void Specializer::collectStart(const ScalarExpr &start, int64_t bytes) {
  llvm::SmallMapVector<unsigned, int64_t, 2> units;
  for (const ScalarExpr::Monomial &term : start.monomials()) {
    std::optional<unsigned> argument;
    for (Value atom : term.atoms)
      argument = std::max(argument, argumentOf(ScalarExpr::value(atom)));
    int64_t factor = term.coefficient & -term.coefficient;
    if (argument && factor < kLevels[0].bytes)
      units.insert({*argument, bytes * factor});
  }
  auto ordered = units.takeVector();
  llvm::sort(ordered);
  for (auto [argument, unit] : ordered)
    wishes[argument].count(unit);
}

/// `fillsPartly`: a mask may end inside what is moved at once.
void Specializer::collect(const Access &access, bool fillsPartly) {
  int64_t bytes = elementBytes(access.elementType);
  if (Wish *wish = wishFor(ScalarExpr::value(access.base)))
    wish->count(1);
  collectStart(access.offset, bytes);
  const AccessDim *inner = findInner(access);
  for (const AccessDim &dim : access.dims) {
    bool last = &dim == inner;
    Wish *stride = wishFor(dim.stride);
    if (stride && last)
      stride->one = true;
    if (stride && !last)
      stride->count(bytes);
    // The copy engine knows no empty side.
    Wish *side = dim.bound ? wishFor(*dim.bound) : nullptr;
    if (side && access.dims.size() == 2)
      side->positive = true;
    if (last)
      collectStart(dim.origin, bytes);
    // Plain loads and stores move whole vectors or none, so that their bound
    // matters too.
    if (!last || fillsPartly || !dim.bound)
      continue;
    if (Wish *bound = wishFor(*dim.bound))
      bound->count(bytes);
  }
}

bool Specializer::isKnown(unsigned index, FactAttr fact) {
  // An address is aligned to its element anyway.
  auto pointer = dyn_cast<PointerType>(kernel.getArgumentTypes()[index]);
  int64_t divisor = fact.getDivisibility().value_or(1);
  if (pointer && elementBytes(pointer.getElementType()) % divisor == 0)
    return true;
  auto stated = kernel.getArgAttrOfType<FactAttr>(index, kFactName);
  if (!stated)
    return false;
  if (fact.getMax() && stated.getMax() != fact.getMax())
    return false;
  if (fact.getMin() && (!stated.getMin() || *stated.getMin() < *fact.getMin()))
    return false;
  return stated.getDivisibility().value_or(1) % divisor == 0;
}

/// What a level assumes of an argument beside that it is 1; null if nothing.
static FactAttr alignedFact(MLIRContext *context, const Wish &wish,
                            const Level &level) {
  std::optional<int64_t> divisor, least;
  if (wish.unitBytes && level.bytes > wish.unitBytes)
    divisor = level.bytes / wish.unitBytes;
  if (wish.positive && level.sides)
    least = 1;
  if (!divisor && !least)
    return nullptr;
  return FactAttr::get(context, divisor, least, std::nullopt, false);
}

Facts Specializer::factsFor(const Level &level) {
  Facts facts;
  MLIRContext *context = kernel.getContext();
  for (auto &[index, wish] : wishes) {
    FactAttr fact;
    if (wish.one && level.contiguous)
      fact = FactAttr::get(context, std::nullopt, 1, 1, false);
    else if (!wish.one)
      fact = alignedFact(context, wish, level);
    if (fact && !isKnown(index, fact))
      facts[index] = fact;
  }
  return facts;
}

void Specializer::makeVariant(StringRef name, const Facts &facts) {
  OpBuilder builder(kernel);
  auto variant = cast<KernelOp>(builder.clone(*kernel));
  variant.setSymName(symbolOf(name));
  variant.setVariant(name);
  Block &body = variant.getBody().front();
  builder.setInsertionPointToStart(&body);
  for (auto [index, fact] : facts) {
    BlockArgument argument = body.getArgument(index);
    Location loc = argument.getLoc();
    auto assume = AssumeOp::create(builder, loc, argument, fact);
    if (fact.getMin() && fact.getMin() == fact.getMax()) {
      Value constant = arith::ConstantOp::create(
          builder, loc,
          builder.getIntegerAttr(argument.getType(), *fact.getMin()));
      argument.replaceAllUsesExcept(constant, assume);
    }
  }
}

namespace {
struct Specialize : public tile::impl::TileSpecializePassBase<Specialize> {
  void runOnOperation() override {
    SmallVector<KernelOp> kernels;
    getOperation().walk([&](KernelOp kernel) {
      if (!kernel.getVariant())
        kernels.push_back(kernel);
    });
    for (KernelOp kernel : kernels)
      if (failed(checkSteps(kernel)) || failed(Specializer(kernel).run()))
        return signalPassFailure();
  }
};
} // namespace
