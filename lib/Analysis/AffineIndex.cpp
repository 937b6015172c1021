//===- AffineIndex.cpp - Indices as functions of coordinates --------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AffineIndex.h"

using namespace mlir;
using namespace tile;

/// Beyond these a polynomial is no longer an index, and costs time.
static constexpr size_t kMaxMonomials = 64;
static constexpr size_t kMaxDegree = 8;
/// Ops that the recursion follows at most.
static constexpr unsigned kMaxDepth = 400;

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

bool TileExpr::isUniform() const {
  return llvm::all_of(coefficients,
                      [](const ScalarExpr &expr) { return expr.isZero(); });
}

TileExpr TileExpr::operator+(const TileExpr &other) const {
  TileExpr result{base + other.base, {}, range + other.range};
  for (auto [a, b] : llvm::zip_equal(coefficients, other.coefficients))
    result.coefficients.push_back(a + b);
  return result;
}

TileExpr TileExpr::operator-(const TileExpr &other) const {
  TileExpr result{base - other.base, {}, range - other.range};
  for (auto [a, b] : llvm::zip_equal(coefficients, other.coefficients))
    result.coefficients.push_back(a - b);
  return result;
}

/// `expr` with everything multiplied by a uniform one.
static TileExpr scaled(const TileExpr &expr, const TileExpr &factor) {
  TileExpr result{expr.base * factor.base, {}, expr.range * factor.range};
  for (const ScalarExpr &coefficient : expr.coefficients)
    result.coefficients.push_back(coefficient * factor.base);
  return result;
}

static bool isTooLarge(const ScalarExpr &expr) {
  return expr.monomials().size() > kMaxMonomials ||
         llvm::any_of(expr.monomials(), [](const auto &term) {
           return term.atoms.size() > kMaxDegree;
         });
}
static bool isTooLarge(const TileExpr &expr) {
  return isTooLarge(expr.base) ||
         llvm::any_of(expr.coefficients, [](const ScalarExpr &coefficient) {
           return isTooLarge(coefficient);
         });
}

/// The result of add, subtract, multiply and shift over the integers.
static std::optional<TileExpr> combine(Operation *op, const TileExpr &left,
                                       const TileExpr &right) {
  if (isa<arith::AddIOp>(op))
    return left + right;
  if (isa<arith::SubIOp>(op))
    return left - right;
  if (isa<arith::MulIOp>(op)) {
    if (right.isUniform())
      return scaled(left, right);
    if (left.isUniform())
      return scaled(right, left);
    return std::nullopt;
  }
  std::optional<int64_t> by = right.base.getConstant();
  if (!isa<arith::ShLIOp>(op) || !right.isUniform() || !by || *by < 0 ||
      *by > 62)
    return std::nullopt;
  ScalarExpr factor = ScalarExpr::constant(int64_t(1) << *by);
  llvm::DynamicAPInt number(int64_t(1) << *by);
  return scaled(left, TileExpr{factor, {}, {number, number}});
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

std::string tile::describe(Value value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  Operation *op = value.getDefiningOp();
  if (op)
    os << op->getName();
  else if (isa_and_present<KernelOp>(value.getParentBlock()->getParentOp()))
    os << "argument " << valueName(value);
  else if (Operation *owner = value.getParentBlock()->getParentOp())
    os << "carried value of " << owner->getName();
  Location loc = value.getLoc();
  if (auto name = dyn_cast<NameLoc>(loc))
    loc = name.getChildLoc();
  if (auto place = dyn_cast<FileLineColLoc>(loc))
    os << " at " << place.getLine() << ':' << place.getColumn();
  return text;
}

ArrayRef<int64_t> tile::sidesOf(Value value) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  return tensor ? tensor.getShape() : ArrayRef<int64_t>();
}

unsigned tile::integerBits(Type type) {
  type = getElementTypeOrSelf(type);
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

/// Whether signed overflow of `op` is undefined.
static bool isNoSignedWrap(Operation *op) {
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  return flags && flags.hasNoSignedWrap();
}

/// Whether `op` casts between integers; if so, whether it fills up with zeros.
static std::optional<bool> integerCast(Operation *op) {
  if (isa<arith::ExtSIOp, arith::TruncIOp, arith::IndexCastOp>(op))
    return false;
  if (isa<arith::ExtUIOp, arith::IndexCastUIOp>(op))
    return true;
  return std::nullopt;
}

TileExpr AffineIndex::bounded(TileExpr expr, ArrayRef<int64_t> sides) const {
  IntRange sum = ranges.of(expr.base);
  for (auto [coefficient, side] : llvm::zip_equal(expr.coefficients, sides)) {
    llvm::DynamicAPInt zero(0), last(side - 1);
    sum = sum + ranges.of(coefficient) * IntRange{zero, last};
  }
  expr.range = sum;
  return expr;
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

ScalarExpr AffineIndex::scalar(Value value) {
  auto it = scalars.find(value);
  if (it != scalars.end())
    return it->second;
  if (depth >= kMaxDepth || !value.getType().isSignlessIntOrIndex() ||
      integerBits(value.getType()) > 64)
    return ScalarExpr::value(value);
  ++depth;
  ScalarExpr result = computeScalar(value);
  --depth;
  scalars.try_emplace(value, result);
  return result;
}

ScalarExpr AffineIndex::computeScalar(Value value) {
  IntRange range = ranges.of(value);
  if (range.min == range.max)
    return ScalarExpr::constant(static_cast<int64_t>(range.min));
  std::optional<ScalarExpr> result;
  if (auto argument = dyn_cast<BlockArgument>(value))
    result = scalarRecurrence(argument);
  else if (integerCast(value.getDefiningOp()))
    result = scalarCast(value.getDefiningOp());
  else
    result = scalarArithmetic(value.getDefiningOp());
  return result && !isTooLarge(*result) ? *result : ScalarExpr::value(value);
}

TileExpr AffineIndex::splat(Value value, size_t rank) {
  TileExpr result{scalar(value), SmallVector<ScalarExpr, 2>(rank), {}};
  result.range = ranges.of(result.base);
  // What is known of the SSA value holds of the polynomial where both are the
  // same number.
  if (integerBits(value.getType()) < 64 || result.range.fitsIn(64))
    result.range = result.range & ranges.of(value);
  return result;
}

/// Whether `op` is what is left of its loop, upper bound minus counter: at
/// least 1 in the loop's body, and no more than the bound if the counter is not
/// negative.
static bool isLeftOfLoop(Operation *op, const ValueRanges &ranges) {
  auto subtract = dyn_cast<arith::SubIOp>(op);
  auto counter =
      subtract ? dyn_cast<BlockArgument>(subtract.getRhs()) : BlockArgument();
  if (!counter)
    return false;
  auto loop = dyn_cast<scf::ForOp>(counter.getOwner()->getParentOp());
  return loop && counter == loop.getInductionVar() && !loop.getUnsignedCmp() &&
         subtract.getLhs() == loop.getUpperBound() &&
         ranges.of(loop.getLowerBound()).min >= 0;
}

std::optional<ScalarExpr> AffineIndex::scalarArithmetic(Operation *op) {
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ShLIOp>(op))
    return std::nullopt;
  std::optional<TileExpr> exact =
      combine(op, splat(op->getOperand(0)), splat(op->getOperand(1)));
  if (!exact)
    return std::nullopt;
  unsigned bits = integerBits(op->getResult(0).getType());
  IntRange range = exact->range & ranges.of(exact->base);
  if (bits < 64 && !isNoSignedWrap(op) && !range.fitsIn(bits) &&
      !isLeftOfLoop(op, ranges))
    return std::nullopt;
  return exact->base;
}

std::optional<ScalarExpr> AffineIndex::scalarCast(Operation *op) {
  Value from = op->getOperand(0);
  TileExpr expr = splat(from);
  unsigned fromBits = integerBits(from.getType());
  unsigned toBits = integerBits(op->getResult(0).getType());
  bool isNatural = expr.range.min >= 0 && expr.range.fitsIn(fromBits);
  if (*integerCast(op) && !isNatural)
    return std::nullopt;
  if (toBits < fromBits && !expr.range.fitsIn(toBits))
    return std::nullopt;
  return expr.base;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

Explained<TileExpr> AffineIndex::tile(Value value) {
  if (!isa<RankedTensorType>(value.getType()))
    return splat(value);
  auto it = tiles.find(value);
  if (it != tiles.end())
    return it->second;
  if (depth >= kMaxDepth)
    return Explained<TileExpr>::fail(describe(value) +
                                     " is at the end of too long a chain");
  ++depth;
  Explained<TileExpr> result = computeTile(value);
  --depth;
  if (result && isTooLarge(*result))
    result = Explained<TileExpr>::fail(describe(value) + " has too many terms");
  tiles.try_emplace(value, result);
  return result;
}

/// A constant tile whose elements grow evenly along every dimension.
static Explained<TileExpr> tileConstant(arith::ConstantOp op) {
  auto failure = [&] {
    return Explained<TileExpr>::fail(
        describe(op.getResult()) +
        " does not grow evenly along its dimensions");
  };
  auto elements = dyn_cast<DenseIntElementsAttr>(op.getValue());
  if (!elements)
    return failure();
  ArrayRef<int64_t> sides = elements.getType().getShape();
  auto values = elements.getValues<APInt>();
  int64_t first = values[0].getSExtValue();
  SmallVector<int64_t> slopes(sides.size(), 0);
  int64_t pitch = 1;
  for (size_t dim = sides.size(); dim-- > 0; pitch *= sides[dim])
    if (sides[dim] > 1 && !elements.isSplat())
      slopes[dim] = values[pitch].getSExtValue() - first;
  for (int64_t index = 0; !elements.isSplat() && index < pitch; ++index) {
    int64_t expected = first, rest = index;
    for (size_t dim = sides.size(); dim-- > 0; rest /= sides[dim])
      expected += rest % sides[dim] * slopes[dim];
    if (values[index].getSExtValue() != expected)
      return failure();
  }
  TileExpr result{ScalarExpr::constant(first), {}, {}};
  for (int64_t slope : slopes)
    result.coefficients.push_back(ScalarExpr::constant(slope));
  return result;
}

Explained<TileExpr> AffineIndex::computeTile(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return tileRecurrence(argument);
  Operation *op = value.getDefiningOp();
  ArrayRef<int64_t> sides = sidesOf(value);
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    Explained<TileExpr> result = tileConstant(constant);
    return result ? bounded(*result, sides) : result;
  }
  if (auto repeat = dyn_cast<SplatOp>(op))
    return splat(repeat.getValue(), sides.size());
  if (isa<IotaOp>(op))
    return bounded({ScalarExpr(), {ScalarExpr::constant(1)}, {}}, sides);
  if (isa<ExpandDimsOp, BroadcastOp, ReshapeOp, TransposeOp>(op))
    return tileShape(op);
  if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ShLIOp>(op))
    return tileArithmetic(op);
  if (integerCast(op))
    return tileCast(op);
  return Explained<TileExpr>::fail(
      describe(value) + " is not an affine function of the coordinates");
}

Explained<TileExpr> AffineIndex::tileArithmetic(Operation *op) {
  Value value = op->getResult(0);
  Explained<TileExpr> left = tile(op->getOperand(0));
  if (!left)
    return left;
  Explained<TileExpr> right = tile(op->getOperand(1));
  if (!right)
    return right;
  std::optional<TileExpr> exact = combine(op, *left, *right);
  if (!exact)
    return Explained<TileExpr>::fail(
        describe(value) + " is not an affine function of the coordinates");
  unsigned bits = integerBits(value.getType());
  exact->range = exact->range & bounded(*exact, sidesOf(value)).range;
  if (bits == 64)
    return *exact;
  if (!isNoSignedWrap(op) && !exact->range.fitsIn(bits))
    return Explained<TileExpr>::fail(describe(value) + " may wrap in " +
                                     llvm::Twine(bits) + " bits");
  exact->range = exact->range & IntRange::ofBits(bits);
  return *exact;
}

Explained<TileExpr> AffineIndex::tileCast(Operation *op) {
  Value from = op->getOperand(0), to = op->getResult(0);
  Explained<TileExpr> expr = tile(from);
  if (!expr)
    return expr;
  const IntRange &range = expr->range;
  unsigned fromBits = integerBits(from.getType());
  unsigned toBits = integerBits(to.getType());
  if (*integerCast(op) && !(range.fitsIn(fromBits) && range.min >= 0))
    return Explained<TileExpr>::fail(describe(to) +
                                     " extends what may be negative");
  if (toBits < fromBits && !range.fitsIn(toBits))
    return Explained<TileExpr>::fail(describe(to) + " may cut off bits");
  return expr;
}

std::optional<unsigned> tile::reshapedDim(ArrayRef<int64_t> from,
                                          ArrayRef<int64_t> to, unsigned dim) {
  auto isWide = [](int64_t side) { return side != 1; };
  if (!llvm::equal(llvm::make_filter_range(from, isWide),
                   llvm::make_filter_range(to, isWide)) ||
      from[dim] == 1)
    return std::nullopt;
  int64_t place = llvm::count_if(from.take_front(dim), isWide);
  for (auto [target, side] : llvm::enumerate(to))
    if (isWide(side) && place-- == 0)
      return target;
  return std::nullopt;
}

Explained<TileExpr> AffineIndex::tileShape(Operation *op) {
  Value from = op->getOperand(0), to = op->getResult(0);
  Explained<TileExpr> source = tile(from);
  if (!source)
    return source;
  ArrayRef<int64_t> sides = sidesOf(to), fromSides = sidesOf(from);
  TileExpr result = *source;
  if (auto expand = dyn_cast<ExpandDimsOp>(op)) {
    result.coefficients.insert(result.coefficients.begin() + expand.getAxis(),
                               ScalarExpr());
    return result;
  }
  if (isa<BroadcastOp>(op)) {
    for (auto [dim, side] : llvm::enumerate(sides))
      if (side != fromSides[dim])
        result.coefficients[dim] = ScalarExpr();
    return result;
  }
  result.coefficients.assign(sides.size(), ScalarExpr());
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    for (auto [dim, sourceDim] : llvm::enumerate(transpose.getOrder()))
      result.coefficients[dim] = source->coefficients[sourceDim];
    return result;
  }
  for (auto [dim, slope] : llvm::enumerate(source->coefficients)) {
    if (slope.isZero() || fromSides[dim] == 1)
      continue;
    std::optional<unsigned> target = reshapedDim(fromSides, sides, dim);
    if (!target)
      return Explained<TileExpr>::fail(describe(to) +
                                       " mixes dimensions of its source");
    result.coefficients[*target] = slope;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

Explained<PointerExpr> AffineIndex::pointer(Value value) {
  ScalarExpr offset;
  while (auto advance = value.getDefiningOp<OffsetOp>()) {
    offset = offset + scalar(advance.getElements());
    value = advance.getPointer();
  }
  if (isTooLarge(offset))
    return Explained<PointerExpr>::fail(describe(value) +
                                        " is advanced by too many terms");
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument ||
      !isa_and_present<scf::ForOp>(argument.getOwner()->getParentOp()))
    return PointerExpr{value, offset};
  Explained<PointerExpr> start = pointerRecurrence(argument);
  if (!start)
    return start;
  return PointerExpr{start->base, start->offset + offset};
}
