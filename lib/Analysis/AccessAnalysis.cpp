//===- AccessAnalysis.cpp - Loads and stores as strided blocks ------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Analysis/AccessAnalysis.h"

#include "AffineIndex.h"
#include "Divisors.h"
#include "MaskBounds.h"

using namespace mlir;
using namespace tile;

/// The analyses that all accesses share.
class AccessAnalysis::Impl {
public:
  explicit Impl(KernelOp kernel)
      : divisibility(kernel), ranges(kernel, divisibility),
        index(divisibility, ranges), context(kernel.getContext()) {}

  Explained<Access> analyze(Value base, Value offsets, Value mask,
                            Type elementType, bool isStore);
  int64_t vectorElements(const Access &access, int64_t maxBytes,
                         bool maskWhole) const;

  const Divisibility divisibility;

private:
  void simplifyBound(Access &access, AccessDim &dim) const;

  const ValueRanges ranges;

public:
  AffineIndex index;

private:
  MLIRContext *context;
};

//===----------------------------------------------------------------------===//
// Access
//===----------------------------------------------------------------------===//

bool AccessCondition::operator==(const AccessCondition &other) const {
  return left == other.left && right == other.right &&
         orEqual == other.orEqual && type == other.type;
}

std::optional<unsigned> Access::contiguousDim() const {
  for (unsigned dim = dims.size(); dim-- > 0;)
    if (dims[dim].side > 1 && dims[dim].stride == ScalarExpr::constant(1))
      return dim;
  return std::nullopt;
}

Explained<Access> AccessAnalysis::Impl::analyze(Value base, Value offsets,
                                                Value mask, Type elementType,
                                                bool isStore) {
  auto fail = [](const llvm::Twine &what, const std::string &reason) {
    return Explained<Access>::fail(what + ": " + reason);
  };
  Explained<PointerExpr> pointer = index.pointer(base);
  if (!pointer)
    return fail("pointer", pointer.reason);
  Explained<TileExpr> lanes = index.tile(offsets);
  if (!lanes)
    return fail("offsets", lanes.reason);
  MaskBounds conditions(index);
  SmallVector<Bound> bounds;
  if (mask) {
    Explained<SmallVector<Bound>> found = conditions.of(mask);
    if (!found)
      return fail("mask", found.reason);
    bounds = *found;
  }
  Access access;
  access.base = pointer->base;
  access.offset = pointer->offset + lanes->base;
  llvm::append_range(access.conditions, conditions.uniformConditions());
  access.elementType = elementType;
  access.isStore = isStore;
  for (auto [side, stride] :
       llvm::zip_equal(sidesOf(offsets), lanes->coefficients))
    access.dims.push_back({ScalarExpr(), stride, std::nullopt,
                           IntegerType::get(context, 64), side});
  for (const Bound &bound : bounds) {
    AccessDim &dim = access.dims[bound.dim];
    dim.origin = bound.origin;
    dim.bound = bound.bound;
    dim.indexType = IntegerType::get(context, bound.bits <= 32 ? 32 : 64);
    access.offset = access.offset - dim.origin * dim.stride;
  }
  for (AccessDim &dim : access.dims)
    if (dim.bound)
      simplifyBound(access, dim);
  return access;
}

/// Writes `coord < K - k0` as `k0 + coord < K` where the offset has the k0 that
/// then becomes the origin: a program that advances its pointers or offsets and
/// one that computes them from k0 become the same access.
void AccessAnalysis::Impl::simplifyBound(Access &access, AccessDim &dim) const {
  // Below 64 bits the program's numbers are the polynomials' already.
  unsigned bits = dim.indexType.getIntOrFloatBitWidth();
  if (bits == 64 && !(index.rangeOf(dim.origin).fitsIn(64) &&
                      index.rangeOf(*dim.bound).fitsIn(64)))
    return;
  const ScalarExpr written = *dim.bound;
  for (const ScalarExpr::Monomial &term : written.monomials()) {
    if (term.atoms.empty() || term.coefficient > 0)
      continue;
    ScalarExpr moved = ScalarExpr() - ScalarExpr::monomial(term);
    ScalarExpr offset = access.offset - moved * dim.stride;
    if (offset.monomials().size() >= access.offset.monomials().size())
      continue;
    ScalarExpr origin = dim.origin + moved, bound = *dim.bound + moved;
    IntRange lanes = index.rangeOf(
        TileExpr{origin, {ScalarExpr::constant(1)}, {}}, dim.side);
    IntRange end = index.rangeOf(bound);
    if (bits < 64 && !(lanes.fitsIn(bits) && end.fitsIn(bits)))
      bits = 64;
    if (!lanes.fitsIn(bits) || !end.fitsIn(bits))
      continue;
    dim.origin = origin;
    dim.bound = bound;
    dim.indexType = IntegerType::get(context, bits);
    access.offset = offset;
  }
}

int64_t AccessAnalysis::Impl::vectorElements(const Access &access,
                                             int64_t maxBytes,
                                             bool maskWhole) const {
  std::optional<unsigned> contiguous = access.contiguousDim();
  if (!contiguous)
    return 1;
  const AccessDim &inner = access.dims[*contiguous];
  // In elements: where a group may start, apart from its own coordinate.
  int64_t divisor = inner.side;
  ScalarExpr start = access.offset;
  for (auto [index, dim] : llvm::enumerate(access.dims)) {
    start = start + dim.origin * dim.stride;
    if (index != *contiguous && dim.side > 1)
      divisor = commonDivisor(divisor, divisibility.of(dim.stride));
  }
  divisor = commonDivisor(divisor, divisibility.of(start));
  if (maskWhole && inner.bound)
    divisor =
        commonDivisor(divisor, divisibility.of(*inner.bound - inner.origin));
  int64_t bytes = elementBytes(access.elementType);
  int64_t width = powerOfTwoDivisor(divisor);
  while (width > 1 && (width > maxBytes / bytes ||
                       divisibility.of(access.base) % (width * bytes) != 0))
    width /= 2;
  return width;
}

//===----------------------------------------------------------------------===//
// Interface
//===----------------------------------------------------------------------===//

AccessAnalysis::AccessAnalysis(KernelOp kernel)
    : impl(std::make_unique<Impl>(kernel)) {}
AccessAnalysis::~AccessAnalysis() = default;

/// Splits what was found into result and reason.
static FailureOr<Access> explain(const Explained<Access> &access,
                                 std::string *reason) {
  if (access)
    return *access;
  if (reason)
    *reason = access.reason;
  return failure();
}

FailureOr<Access> AccessAnalysis::analyze(LoadOp op,
                                          std::string *reason) const {
  return explain(impl->analyze(op.getBase(), op.getOffsets(), op.getMask(),
                               op.getBase().getType().getElementType(),
                               /*isStore=*/false),
                 reason);
}

FailureOr<Access> AccessAnalysis::analyze(StoreOp op,
                                          std::string *reason) const {
  return explain(impl->analyze(op.getBase(), op.getOffsets(), op.getMask(),
                               op.getBase().getType().getElementType(),
                               /*isStore=*/true),
                 reason);
}

ScalarExpr AccessAnalysis::scalar(Value value) const {
  return impl->index.scalar(value);
}

int64_t AccessAnalysis::vectorElements(const Access &access, int64_t maxBytes,
                                       bool maskWhole) const {
  return impl->vectorElements(access, maxBytes, maskWhole);
}

const Divisibility &AccessAnalysis::divisibility() const {
  return impl->divisibility;
}
