//===- ScalarExpr.cpp - Polynomials over scalar values --------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Analysis/ScalarExpr.h"

#include "mlir/IR/Matchers.h"
#include "tile/IR/TileOps.h"

using namespace mlir;
using namespace tile;

using Monomial = ScalarExpr::Monomial;

/// Coefficients wrap, as the polynomial's value does.
static int64_t wrappingAdd(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) +
                              static_cast<uint64_t>(b));
}
static int64_t wrappingMultiply(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) *
                              static_cast<uint64_t>(b));
}

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

/// An order of values that costs nothing and survives changes of the IR, for
/// comparing products.
static bool addressBefore(Value a, Value b) {
  return std::less<const void *>()(a.getAsOpaquePointer(),
                                   b.getAsOpaquePointer());
}
static bool productBefore(ArrayRef<Value> a, ArrayRef<Value> b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                      addressBefore);
}

/// How many ops enclose `block`.
static unsigned depthOf(Block *block) {
  unsigned depth = 0;
  while (Operation *parent = block->getParentOp()) {
    ++depth;
    block = parent->getBlock();
    if (!block)
      break;
  }
  return depth;
}

/// Whether block `a` comes before block `b` of the same depth.
static bool blockBefore(Block *a, Block *b) {
  Region *regionA = a->getParent(), *regionB = b->getParent();
  if (!regionA || !regionB)
    return std::less<Block *>()(a, b);
  if (regionA == regionB) {
    for (Block &block : *regionA)
      if (&block == a || &block == b)
        return &block == a;
    return false;
  }
  Operation *opA = regionA->getParentOp(), *opB = regionB->getParentOp();
  if (opA == opB)
    return regionA->getRegionNumber() < regionB->getRegionNumber();
  if (!opA->getBlock() || !opB->getBlock())
    return std::less<Operation *>()(opA, opB);
  if (opA->getBlock() != opB->getBlock())
    return blockBefore(opA->getBlock(), opB->getBlock());
  return opA->isBeforeInBlock(opB);
}

/// The order of the text, the same in every run.
static bool textBefore(Value a, Value b) {
  Block *blockA = a.getParentBlock(), *blockB = b.getParentBlock();
  if (blockA != blockB) {
    unsigned depthA = depthOf(blockA), depthB = depthOf(blockB);
    return depthA != depthB ? depthA < depthB : blockBefore(blockA, blockB);
  }
  auto argumentA = dyn_cast<BlockArgument>(a);
  auto argumentB = dyn_cast<BlockArgument>(b);
  if (argumentA && argumentB)
    return argumentA.getArgNumber() < argumentB.getArgNumber();
  if (argumentA || argumentB)
    return static_cast<bool>(argumentA);
  if (a.getDefiningOp() == b.getDefiningOp())
    return cast<OpResult>(a).getResultNumber() <
           cast<OpResult>(b).getResultNumber();
  return a.getDefiningOp()->isBeforeInBlock(b.getDefiningOp());
}

//===----------------------------------------------------------------------===//
// Algebra
//===----------------------------------------------------------------------===//

ScalarExpr ScalarExpr::monomial(Monomial term) {
  ScalarExpr result;
  llvm::sort(term.atoms, addressBefore);
  result.addTerm(std::move(term));
  return result;
}

ScalarExpr ScalarExpr::constant(int64_t value) { return monomial({{}, value}); }

ScalarExpr ScalarExpr::value(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)) &&
      number.getSignificantBits() <= 64)
    return constant(number.getSExtValue());
  return monomial({{value}, 1});
}

void ScalarExpr::addTerm(Monomial term) {
  auto *place = llvm::lower_bound(
      terms, term.atoms, [](const Monomial &known, ArrayRef<Value> atoms) {
        return productBefore(known.atoms, atoms);
      });
  if (place == terms.end() || place->atoms != term.atoms) {
    if (term.coefficient != 0)
      terms.insert(place, std::move(term));
    return;
  }
  place->coefficient = wrappingAdd(place->coefficient, term.coefficient);
  if (place->coefficient == 0)
    terms.erase(place);
}

ScalarExpr ScalarExpr::operator+(const ScalarExpr &other) const {
  ScalarExpr result = *this;
  for (const Monomial &term : other.terms)
    result.addTerm(term);
  return result;
}

ScalarExpr ScalarExpr::operator-(const ScalarExpr &other) const {
  ScalarExpr result = *this;
  for (const Monomial &term : other.terms)
    result.addTerm({term.atoms, wrappingMultiply(term.coefficient, -1)});
  return result;
}

ScalarExpr ScalarExpr::operator*(const ScalarExpr &other) const {
  ScalarExpr result;
  for (const Monomial &left : terms) {
    for (const Monomial &right : other.terms) {
      Monomial product = left;
      product.atoms.append(right.atoms);
      llvm::sort(product.atoms, addressBefore);
      product.coefficient =
          wrappingMultiply(left.coefficient, right.coefficient);
      result.addTerm(std::move(product));
    }
  }
  return result;
}

bool ScalarExpr::operator==(const ScalarExpr &other) const {
  return std::equal(
      terms.begin(), terms.end(), other.terms.begin(), other.terms.end(),
      [](const Monomial &a, const Monomial &b) {
        return a.coefficient == b.coefficient && a.atoms == b.atoms;
      });
}

std::optional<int64_t> ScalarExpr::getConstant() const {
  if (terms.empty())
    return 0;
  if (terms.size() == 1 && terms.front().atoms.empty())
    return terms.front().coefficient;
  return std::nullopt;
}

Value ScalarExpr::getSingleValue() const {
  if (terms.size() != 1 || terms.front().atoms.size() != 1 ||
      terms.front().coefficient != 1)
    return {};
  return terms.front().atoms.front();
}

SmallVector<Value> ScalarExpr::values() const {
  SmallVector<Value> result;
  for (const Monomial &term : terms)
    llvm::append_range(result, term.atoms);
  llvm::sort(result, textBefore);
  result.erase(llvm::unique(result), result.end());
  return result;
}

ScalarExpr ScalarExpr::substitute(Value from, const ScalarExpr &to) const {
  ScalarExpr result;
  for (const Monomial &term : terms) {
    Monomial rest{{}, term.coefficient};
    ScalarExpr power = constant(1);
    for (Value atom : term.atoms) {
      if (atom == from)
        power = power * to;
      else
        rest.atoms.push_back(atom);
    }
    result = result + monomial(std::move(rest)) * power;
  }
  return result;
}

/// Removes one occurrence of each atom of `divisor`; whether all were there.
static bool removeAtoms(SmallVectorImpl<Value> &atoms,
                        ArrayRef<Value> divisor) {
  for (Value atom : divisor) {
    auto *place = llvm::find(atoms, atom);
    if (place == atoms.end())
      return false;
    atoms.erase(place);
  }
  return true;
}

std::optional<ScalarExpr>
ScalarExpr::divideExactly(const ScalarExpr &divisor) const {
  if (divisor.terms.size() != 1)
    return std::nullopt;
  const Monomial &by = divisor.terms.front();
  ScalarExpr result;
  for (Monomial term : terms) {
    // INT64_MIN / -1 has no value.
    if (by.coefficient == -1)
      term.coefficient = wrappingMultiply(term.coefficient, -1);
    else if (term.coefficient % by.coefficient == 0)
      term.coefficient /= by.coefficient;
    else
      return std::nullopt;
    if (!removeAtoms(term.atoms, by.atoms))
      return std::nullopt;
    result.addTerm(std::move(term));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Text and arithmetic
//===----------------------------------------------------------------------===//

/// The monomials with atoms, and themselves, in the order of the text; the
/// constant comes last.
static SmallVector<Monomial> inTextOrder(ArrayRef<Monomial> terms) {
  SmallVector<Monomial> result(terms);
  for (Monomial &term : result)
    llvm::sort(term.atoms, textBefore);
  llvm::sort(result, [](const Monomial &a, const Monomial &b) {
    if (a.atoms.empty() || b.atoms.empty())
      return !a.atoms.empty() && b.atoms.empty();
    return std::lexicographical_compare(a.atoms.begin(), a.atoms.end(),
                                        b.atoms.begin(), b.atoms.end(),
                                        textBefore);
  });
  return result;
}

void ScalarExpr::print(raw_ostream &os,
                       function_ref<std::string(Value)> name) const {
  if (terms.empty())
    os << 0;
  bool isFirst = true;
  for (const Monomial &term : inTextOrder(terms)) {
    bool isNegative = term.coefficient < 0;
    // As unsigned, since -INT64_MIN has no value.
    uint64_t size = isNegative ? -static_cast<uint64_t>(term.coefficient)
                               : static_cast<uint64_t>(term.coefficient);
    if (isFirst)
      os << (isNegative ? "-" : "");
    else
      os << (isNegative ? " - " : " + ");
    isFirst = false;
    llvm::interleave(
        term.atoms, os, [&](Value atom) { os << name(atom); }, "*");
    if (term.atoms.empty())
      os << size;
    else if (size != 1)
      os << '*' << size;
  }
}

namespace {
/// Emits one polynomial, factoring out the atom that most monomials share.
class Materializer {
public:
  Materializer(OpBuilder &builder, Location loc, Type type)
      : builder(builder), loc(loc), type(type) {}

  Value sum(ArrayRef<Monomial> terms);

private:
  Value constant(int64_t value);
  Value atom(Value value);
  Value product(const Monomial &term);
  /// Adds `term`, or subtracts its negative.
  Value add(Value partial, ArrayRef<Monomial> terms);

  OpBuilder &builder;
  Location loc;
  Type type;
  /// Atoms in `type`.
  llvm::SmallDenseMap<Value, Value> converted;
};
} // namespace

Value Materializer::constant(int64_t value) {
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  APInt bits = APInt(64, static_cast<uint64_t>(value)).sextOrTrunc(width);
  return arith::ConstantOp::create(builder, loc,
                                   builder.getIntegerAttr(type, bits));
}

Value Materializer::atom(Value value) {
  Value &result = converted[value];
  if (result)
    return result;
  Type from = value.getType();
  if (from == type)
    result = value;
  else if (from.isIndex() || type.isIndex())
    result = arith::IndexCastOp::create(builder, loc, type, value);
  else if (from.getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
    result = arith::ExtSIOp::create(builder, loc, type, value);
  else
    result = arith::TruncIOp::create(builder, loc, type, value);
  return result;
}

Value Materializer::product(const Monomial &term) {
  Value result;
  for (Value factor : term.atoms) {
    Value next = atom(factor);
    result = result ? arith::MulIOp::create(builder, loc, result, next) : next;
  }
  if (!result)
    return constant(term.coefficient);
  if (term.coefficient == 1)
    return result;
  return arith::MulIOp::create(builder, loc, result,
                               constant(term.coefficient));
}

Value Materializer::add(Value partial, ArrayRef<Monomial> terms) {
  if (!partial)
    return sum(terms);
  auto isNegative = [](const Monomial &term) {
    return term.coefficient < 0 && !term.atoms.empty();
  };
  if (!llvm::all_of(terms, isNegative))
    return arith::AddIOp::create(builder, loc, partial, sum(terms));
  SmallVector<Monomial> negated(terms);
  for (Monomial &term : negated)
    term.coefficient = wrappingMultiply(term.coefficient, -1);
  return arith::SubIOp::create(builder, loc, partial, sum(negated));
}

Value Materializer::sum(ArrayRef<Monomial> terms) {
  if (terms.empty())
    return constant(0);
  if (terms.size() == 1)
    return product(terms.front());
  // The first atom, in the order of the text, that most monomials have.
  llvm::MapVector<Value, unsigned> uses;
  for (const Monomial &term : terms)
    for (auto [index, factor] : llvm::enumerate(term.atoms))
      if (index == 0 || term.atoms[index - 1] != factor)
        ++uses[factor];
  auto *best = llvm::max_element(
      uses, [](const auto &a, const auto &b) { return a.second < b.second; });
  // No monomial shares an atom with another: add them one by one.
  if (best->second < 2) {
    Value result;
    for (const Monomial &term : terms)
      result = add(result, term);
    return result;
  }
  Value shared = best->first;
  SmallVector<Monomial> inside, outside;
  for (Monomial term : terms)
    (removeAtoms(term.atoms, shared) ? inside : outside)
        .push_back(std::move(term));
  Value result = arith::MulIOp::create(builder, loc, atom(shared), sum(inside));
  return outside.empty() ? result : add(result, outside);
}

Value ScalarExpr::materialize(OpBuilder &builder, Location loc,
                              Type type) const {
  return Materializer(builder, loc, type).sum(inTextOrder(terms));
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::string tile::valueName(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *owner = argument.getOwner()->getParentOp();
    unsigned number = argument.getArgNumber();
    if (auto kernel = dyn_cast_if_present<KernelOp>(owner))
      if (argument.getOwner()->isEntryBlock())
        return kernel.getArgName(number).str();
    if (auto loop = dyn_cast_if_present<scf::ForOp>(owner))
      if (value == loop.getInductionVar())
        return "iv";
  }
  if (auto name = dyn_cast<NameLoc>(value.getLoc()))
    return name.getName().str();
  if (auto id = value.getDefiningOp<ProgramIdOp>())
    return ("pid_" + stringifyAxis(id.getAxis())).str();
  if (auto programs = value.getDefiningOp<NumProgramsOp>())
    return ("programs_" + stringifyAxis(programs.getAxis())).str();
  if (Operation *op = value.getDefiningOp())
    return op->getName().stripDialect().str();
  return "carried";
}
