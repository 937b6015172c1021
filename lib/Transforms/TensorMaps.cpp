//===- TensorMaps.cpp - Accesses for the copy engine ----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorMaps.h"

#include "LeastValue.h"

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

/// Pitches, addresses and the start of each row of a box are multiples of this
/// (PTX ISA 5.5.2; a start that is not traps, seen on an H200).
static constexpr int64_t kTmaAlignment = 16;

/// Whether an expression is what the launcher can read off: an argument of one
/// of these widths, or a constant.
static bool isLaunchValue(const ScalarExpr &expr, ArrayRef<unsigned> widths,
                          KernelOp kernel) {
  if (expr.getConstant())
    return true;
  auto argument = dyn_cast_if_present<BlockArgument>(expr.getSingleValue());
  return argument && argument.getOwner() == &kernel.getBody().front() &&
         argument.getType().isInteger() &&
         llvm::is_contained(widths, argument.getType().getIntOrFloatBitWidth());
}

/// Why the sides cannot be those of a tensor map.
static std::string reasonAgainstBounds(const Access &access, KernelOp kernel) {
  Type i32 = IntegerType::get(kernel.getContext(), 32);
  for (const AccessDim &dim : access.dims) {
    if (!dim.bound)
      return "a dimension has no bound in the mask";
    if (dim.indexType != i32 || !isLaunchValue(*dim.bound, 32, kernel))
      return "a bound of the mask is not an i32 argument or a constant";
    Value bound = dim.bound->getSingleValue();
    std::optional<int64_t> least =
        bound ? leastValue(bound, kernel) : dim.bound->getConstant();
    if (!least || *least < 1)
      return "a bound of the mask may be 0, and a tensor map has no empty side";
  }
  return "";
}

std::string tile::reasonAgainstTma(const Access &access,
                                   const AccessAnalysis &analysis,
                                   KernelOp kernel) {
  if (access.dims.size() != 2)
    return "the tile is not a matrix";
  std::optional<unsigned> contiguous = access.contiguousDim();
  if (!contiguous)
    return "no stride is known to be 1";
  if (!access.offset.isZero() || !isa<BlockArgument>(access.base) ||
      cast<BlockArgument>(access.base).getOwner() != &kernel.getBody().front())
    return "the pointer is not an argument";
  if (!access.conditions.empty())
    return "a condition of the mask is the same for the whole tile, and a "
           "tensor map has none";
  if (std::string reason = reasonAgainstBounds(access, kernel); !reason.empty())
    return reason;

  int64_t bytes = elementBytes(access.elementType);
  auto isAligned = [&](int64_t divisor) {
    return divisor * bytes % kTmaAlignment == 0;
  };
  const Divisibility &divisibility = analysis.divisibility();
  const AccessDim &inner = access.dims[*contiguous];
  const AccessDim &outer = access.dims[1 - *contiguous];
  if (!isLaunchValue(outer.stride, {32, 64}, kernel))
    return "the pitch is not an argument or a constant";
  if (divisibility.of(access.base) % kTmaAlignment != 0)
    return "the pointer is not known to be 16-byte aligned";
  if (!isAligned(divisibility.of(outer.stride)))
    return "the pitch is not known to be a multiple of 16 bytes";
  if (!isAligned(divisibility.of(inner.origin)))
    return "the tile's rows are not known to start at multiples of 16 bytes";
  // A store clips its rows to 16 bytes only, and would write past the end.
  if (access.isStore && !isAligned(divisibility.of(*inner.bound)))
    return "the rows of the result are not known to end at a multiple of 16 "
           "bytes";
  return "";
}

SmallVector<unsigned> tile::mapOrder(const Access &access) {
  unsigned inner = *access.contiguousDim();
  return {1 - inner, inner};
}

TensorMapOp tile::materializeTensorMap(OpBuilder &builder, Location loc,
                                       const Access &access, int64_t rows,
                                       int64_t rowBytes, int64_t swizzle,
                                       bool toTf32) {
  SmallVector<unsigned> order = mapOrder(access);
  SmallVector<Value> dims;
  for (unsigned dim : order)
    dims.push_back(access.dims[dim].bound->materialize(builder, loc,
                                                       builder.getI32Type()));
  Value pitch = access.dims[order.front()].stride.materialize(
      builder, loc, builder.getI64Type());
  int64_t width = rowBytes / elementBytes(access.elementType);
  Type element = access.elementType;
  if (toTf32)
    element = FloatTF32Type::get(builder.getContext());
  auto type = TensorMapType::get(
      builder.getContext(), ArrayRef<int64_t>{rows, width}, element, swizzle);
  return TensorMapOp::create(builder, loc, type, access.base, dims, pitch);
}
