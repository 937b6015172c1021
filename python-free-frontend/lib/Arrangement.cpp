//===- Arrangement.cpp - A tensor as nested levels ------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arrangement.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cstdlib>
#include <limits>
#include <numeric>

using namespace mlir;
using namespace tile;
using namespace tile::frontend;
using Wrong = Arrangement::Wrong;

static bool isConstant(AffineExpr expr, int64_t value) {
  auto constant = dyn_cast<AffineConstantExpr>(expr);
  return constant && constant.getValue() == value;
}

/// Both are constants and `a <= b`.
static bool isAtMost(AffineExpr a, AffineExpr b) {
  auto left = dyn_cast<AffineConstantExpr>(a);
  auto right = dyn_cast<AffineConstantExpr>(b);
  return left && right && left.getValue() <= right.getValue();
}

/// Whether no two windows have an element in common.  Those that are apart by
/// `stride / g` places, of windows by `dilation / g`, meet, where g is the
/// greatest common divisor: unless windows or their places are too few.
static bool areDisjoint(AffineExpr count, AffineExpr size, AffineExpr stride,
                        AffineExpr dilation) {
  auto step = dyn_cast<AffineConstantExpr>(stride);
  auto gap = dyn_cast<AffineConstantExpr>(dilation);
  if (!step || !gap)
    return false;
  int64_t divisor = std::gcd(step.getValue(), gap.getValue());
  MLIRContext *context = size.getContext();
  return isAtMost(size,
                  getAffineConstantExpr(step.getValue() / divisor, context)) ||
         isAtMost(count,
                  getAffineConstantExpr(gap.getValue() / divisor, context));
}

Arrangement::Arrangement(Sizes sides) {
  Level &level = allLevels.emplace_back();
  for (AffineExpr side : sides) {
    level.push_back(newDim(side, /*isImplied=*/true));
    allCoordinates.push_back(index(level.back()));
  }
}

AffineExpr Arrangement::index(const Dim &dim) const {
  return getAffineDimExpr(dim.variable, dim.size.getContext());
}

/// Gives a variable that is no longer there its meaning.
void Arrangement::replace(unsigned variable, AffineExpr value) {
  AffineExpr old = getAffineDimExpr(variable, value.getContext());
  for (AffineExpr &coordinate : allCoordinates)
    coordinate = coordinate.replace(old, value);
  for (Bound &bound : allBounds)
    bound.index = bound.index.replace(old, value);
}

Wrong Arrangement::checkDim(unsigned level, int64_t dim, int64_t end) const {
  if (dim >= 0 && dim < end)
    return {};
  return "expected a dimension from 0 to " + std::to_string(end - 1) +
         " of a level of " + std::to_string(allLevels[level].size()) +
         ", got " + std::to_string(dim);
}

/// The windows of one dimension, and the places in a window: index
/// window * stride + place * dilation.
std::pair<Arrangement::Dim, Arrangement::Dim>
Arrangement::split(const Dim &dim, AffineExpr size, AffineExpr stride,
                   AffineExpr dilation) {
  AffineExpr one = getAffineConstantExpr(1, dim.size.getContext());
  AffineExpr span = dilation * (size - one) + one;
  bool isWhole = size == dim.size && span == size && stride == size;
  // As many windows as it takes to reach the last index.
  AffineExpr count = isWhole          ? one
                     : span == stride ? dim.size.ceilDiv(stride)
                                      : (dim.size - span).ceilDiv(stride) + one;
  // What is behind the last window is beyond the last index.
  bool isInOrder = span == stride || isAtMost(span, stride);
  Dim window = newDim(count, dim.isImplied && isInOrder);
  Dim place = newDim(size, /*isImplied=*/false);
  AffineExpr whole = index(window) * stride + index(place) * dilation;
  replace(dim.variable, whole);
  AffineExpr last = (count - one) * stride + span;
  bool fits = isWhole || isAtMost(last, dim.size);
  if (!fits && !dim.isImplied)
    allBounds.push_back({whole, dim.size});
  shared |= !isInOrder && !areDisjoint(count, size, stride, dilation);
  return {window, place};
}

/// The largest constant: indices are computed in i32.
static constexpr int64_t kMaxConstant = std::numeric_limits<int32_t>::max();

/// One of these for each dimension, from 1 to what an i32 holds.
static Wrong checkList(Arrangement::Sizes list, size_t count, StringRef what) {
  if (list.size() != count)
    return "expected a " + what.str() + " for each of the " +
           std::to_string(count) + " dimensions of the level, got " +
           std::to_string(list.size());
  for (AffineExpr expr : list)
    if (auto constant = dyn_cast_if_present<AffineConstantExpr>(expr);
        constant &&
        (constant.getValue() < 1 || constant.getValue() > kMaxConstant))
      return "expected a " + what.str() + " from 1 to 2^31 - 1, got " +
             std::to_string(constant.getValue());
  return {};
}

Wrong Arrangement::tile(unsigned level, Sizes sizes, Sizes strides,
                        Sizes dilations) {
  const Level dims = allLevels[level];
  if (Wrong wrong = checkList(sizes, dims.size(), "size"))
    return wrong;
  for (auto [list, what] :
       {std::pair(strides, "stride"), std::pair(dilations, "dilation")})
    if (!list.empty())
      if (Wrong wrong = checkList(list, dims.size(), what))
        return wrong;
  Level windows, places;
  for (size_t i = 0; i < dims.size(); ++i) {
    AffineExpr size = sizes[i] ? sizes[i] : dims[i].size;
    // Windows follow each other unless something else is said.
    AffineExpr stride = size;
    AffineExpr dilation = getAffineConstantExpr(1, size.getContext());
    if (!strides.empty() && strides[i])
      stride = strides[i];
    if (!dilations.empty() && dilations[i])
      dilation = dilations[i];
    auto [window, place] = split(dims[i], size, stride, dilation);
    windows.push_back(window);
    places.push_back(place);
  }
  allLevels[level] = windows;
  allLevels.insert(allLevels.begin() + level + 1, places);
  return {};
}

Wrong Arrangement::expand(unsigned level, Sizes sizes, NameOf nameOf) {
  Level &dims = allLevels[level];
  if (sizes.size() != dims.size())
    return "expected a size for each of the " + std::to_string(dims.size()) +
           " dimensions of the level, got " + std::to_string(sizes.size());
  for (auto [dim, size] : llvm::zip_equal(dims, sizes))
    if (size && size != dim.size && !isConstant(dim.size, 1))
      return "expected a dimension of size 1 to expand, got " +
             sizeText(dim.size, nameOf);
  for (auto [dim, size] : llvm::zip_equal(dims, sizes)) {
    if (!size || size == dim.size)
      continue;
    replace(dim.variable, getAffineConstantExpr(0, size.getContext()));
    dim = newDim(size, /*isImplied=*/false);
    shared = true;
  }
  return {};
}

Wrong Arrangement::squeeze(unsigned level, ArrayRef<int64_t> gone,
                           NameOf nameOf) {
  Level &dims = allLevels[level];
  for (int64_t dim : gone) {
    if (Wrong wrong = checkDim(level, dim, dims.size()))
      return wrong;
    if (!isConstant(dims[dim].size, 1))
      return "expected a dimension of size 1 to squeeze, got " +
             sizeText(dims[dim].size, nameOf);
  }
  Level kept;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (llvm::is_contained(gone, int64_t(i)))
      replace(dim.variable, getAffineConstantExpr(0, dim.size.getContext()));
    else
      kept.push_back(dim);
  }
  dims = kept;
  return {};
}

Wrong Arrangement::unsqueeze(unsigned level, int64_t dim) {
  Level &dims = allLevels[level];
  if (Wrong wrong = checkDim(level, dim, dims.size() + 1))
    return wrong;
  AffineExpr one = getAffineConstantExpr(1, allCoordinates[0].getContext());
  dims.insert(dims.begin() + dim, newDim(one, /*isImplied=*/false));
  return {};
}

Wrong Arrangement::permute(unsigned level, ArrayRef<int64_t> order) {
  Level &dims = allLevels[level];
  SmallVector<bool> seen(dims.size(), false);
  bool good = order.size() == dims.size();
  for (int64_t dim : order) {
    good = good && dim >= 0 && dim < int64_t(dims.size()) && !seen[dim];
    if (good)
      seen[dim] = true;
  }
  if (!good)
    return "expected each dimension from 0 to " +
           std::to_string(int64_t(dims.size()) - 1) +
           " once, got another order";
  Level permuted;
  for (int64_t dim : order)
    permuted.push_back(dims[dim]);
  dims = permuted;
  return {};
}

Wrong Arrangement::flatten(unsigned level, int64_t first, int64_t last) {
  Level &dims = allLevels[level];
  for (int64_t dim : {first, last})
    if (Wrong wrong = checkDim(level, dim, dims.size()))
      return wrong;
  if (first > last)
    return "expected a first dimension before the last one, got " +
           std::to_string(first) + " and " + std::to_string(last);
  if (first == last)
    return {};
  AffineExpr size = dims[first].size;
  for (int64_t dim = first + 1; dim <= last; ++dim)
    size = size * dims[dim].size;
  // The first dimension has what is beyond all of them.
  Dim flat = newDim(size, dims[first].isImplied);
  AffineExpr rest = index(flat);
  for (int64_t dim = last; dim >= first; --dim) {
    replace(dims[dim].variable, dim == first ? rest : rest % dims[dim].size);
    rest = rest.floorDiv(dims[dim].size);
  }
  dims[first] = flat;
  dims.erase(dims.begin() + first + 1, dims.begin() + last + 1);
  flattened = true;
  return {};
}

/// Takes the operations of `expr` from `budget`; false where it has too few, or
/// where a constant is too large.
static bool fitsInto(AffineExpr expr, unsigned &budget) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return std::abs(constant.getValue()) <= kMaxConstant;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return true;
  if (budget == 0)
    return false;
  --budget;
  return fitsInto(binary.getLHS(), budget) && fitsInto(binary.getRHS(), budget);
}

bool Arrangement::isTooLarge() const {
  unsigned budget = 2048;
  for (const Level &level : allLevels)
    for (const Dim &dim : level)
      if (!fitsInto(dim.size, budget))
        return true;
  for (AffineExpr coordinate : allCoordinates)
    if (!fitsInto(coordinate, budget))
      return true;
  return llvm::any_of(allBounds, [&](const Bound &bound) {
    return !fitsInto(bound.index, budget) || !fitsInto(bound.size, budget);
  });
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// How tightly the text of an expression binds.
enum class Binding { Sum, Product, Tight };

static std::string textOf(AffineExpr expr, Arrangement::NameOf nameOf,
                          Binding binding) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return std::to_string(constant.getValue());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return nameOf(symbol.getPosition());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return "d" + std::to_string(dim.getPosition());
  auto binary = cast<AffineBinaryOpExpr>(expr);
  AffineExpr left = binary.getLHS(), right = binary.getRHS();
  auto join = [&](StringRef op, Binding own) {
    std::string text =
        textOf(left, nameOf, own) + op.str() + textOf(right, nameOf, own);
    return binding > own ? "(" + text + ")" : text;
  };
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    if (auto constant = dyn_cast<AffineConstantExpr>(right);
        constant && constant.getValue() < 0) {
      std::string text = textOf(left, nameOf, Binding::Sum) + " - " +
                         std::to_string(-constant.getValue());
      return binding > Binding::Sum ? "(" + text + ")" : text;
    }
    return join(" + ", Binding::Sum);
  case AffineExprKind::Mul:
    return join(" * ", Binding::Product);
  case AffineExprKind::CeilDiv:
    return "cdiv(" + textOf(left, nameOf, Binding::Sum) + ", " +
           textOf(right, nameOf, Binding::Sum) + ")";
  case AffineExprKind::FloorDiv:
    return textOf(left, nameOf, Binding::Tight) + " / " +
           textOf(right, nameOf, Binding::Tight);
  default:
    return textOf(left, nameOf, Binding::Tight) + " % " +
           textOf(right, nameOf, Binding::Tight);
  }
}

std::string frontend::sizeText(AffineExpr size, Arrangement::NameOf nameOf) {
  return textOf(size, nameOf, Binding::Sum);
}

std::string frontend::levelText(ArrayRef<Arrangement::Dim> level,
                                Arrangement::NameOf nameOf) {
  std::vector<std::string> sizes;
  for (const Arrangement::Dim &dim : level)
    sizes.push_back(sizeText(dim.size, nameOf));
  // One size alone would read as a number in parentheses.
  return "(" + llvm::join(sizes, ", ") + (sizes.size() == 1 ? ",)" : ")");
}

std::string Arrangement::text(NameOf nameOf, unsigned level) const {
  std::vector<std::string> parts;
  for (const Level &dims : llvm::drop_begin(allLevels, level))
    parts.push_back(levelText(dims, nameOf));
  return llvm::join(parts, " -> ");
}
