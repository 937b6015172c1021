//===- ArrangedGrid.cpp - The grid that an arrangement makes --------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

#include <set>

using namespace mlir;
using namespace tile;
using namespace tile::frontend;

/// Neighbouring programs take so many rows of tiles, as in `grouped`.
static constexpr int64_t kGroupRows = 8;

/// Whether a launch can compute the size: divisors are constants.
static bool isLaunchable(AffineExpr size) {
  bool good = true;
  size.walk([&](AffineExpr part) {
    bool divides = part.getKind() == AffineExprKind::CeilDiv ||
                   part.getKind() == AffineExprKind::FloorDiv ||
                   part.getKind() == AffineExprKind::Mod;
    if (divides)
      good &= isa<AffineConstantExpr>(cast<AffineBinaryOpExpr>(part).getRHS());
  });
  return good;
}

/// All tensors have one outermost level; null if they do not.
const Arrangement::Level *KernelEmitter::outermostLevel(const Kernel &kernel) {
  const Arranged *first = nullptr;
  for (const Arrange &step : kernel.arrangement) {
    const Arranged &tensor = arranged[step.name.text];
    if (!first)
      first = &tensor;
    auto sizes = [&](const Arranged &entry) {
      return llvm::map_to_vector(entry.arrangement.levels()[0], [&](auto &dim) {
        return withSizes(dim.size);
      });
    };
    if (sizes(tensor) == sizes(*first))
      continue;
    auto nameOf = [&](unsigned symbol) { return symbolName(symbol); };
    auto usesSymbols = [](const Arranged &entry) {
      std::set<unsigned> symbols;
      for (const Arrangement::Dim &dim : entry.arrangement.levels()[0])
        dim.size.walk([&](AffineExpr part) {
          if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
            symbols.insert(symbol.getPosition());
        });
      return symbols;
    };
    auto text = [&](const Arranged &entry) {
      Arrangement::Level dims = entry.arrangement.levels()[0];
      for (Arrangement::Dim &dim : dims)
        dim.size = withSizes(dim.size);
      return levelText(dims, nameOf);
    };
    auto error = errors.error(
        tensor.range,
        "expected the outermost level " + text(*first) + " of '" + first->name +
            "', got " + text(tensor) + " of '" + tensor.name + "'",
        first->range, "'" + first->name + "' is arranged here");
    if (usesSymbols(tensor) != usesSymbols(*first))
      error.help("sides are equal where they have one name, and nothing says "
                 "more of them, such as P = N - 2: there, write 'grid' and "
                 "index with 'program_id' in place of 'arrange'");
    return nullptr;
  }
  for (const Arrangement::Dim &dim : first->arrangement.levels()[0])
    if (!isLaunchable(dim.size)) {
      errors.error(first->range,
                   "expected compile-time integers as divisors of the sizes of "
                   "the outermost level, got " +
                       arrangementText(first->arrangement, 0));
      return nullptr;
    }
  return &first->arrangement.levels()[0];
}

/// The indices of a program in the outermost level, from its id.  The last two
/// are in grouped order, which shares the L2 cache.
SmallVector<Value>
KernelEmitter::programIndices(const Arrangement::Level &level, Location loc) {
  Type type = builder.getI32Type();
  SmallVector<Value> sizes;
  SmallVector<unsigned> kept;
  for (auto [i, dim] : llvm::enumerate(level))
    if (dim.size != builder.getAffineConstantExpr(1)) {
      kept.push_back(i);
      sizes.push_back(affineValue(dim.size, {}, type, loc));
    }
  auto zero = constantOf(loc, Val::constant(0), type, {});
  SmallVector<Value> indices(level.size(), zero);
  if (kept.empty())
    return indices;
  Value rest = ProgramIdOp::create(builder, loc, type, Axis::X);
  if (kept.size() == 1) {
    indices[kept[0]] = rest;
    return indices;
  }
  Value rows = sizes[kept.size() - 2], columns = sizes[kept.size() - 1];
  if (kept.size() > 2) {
    Value plane = arith::MulIOp::create(builder, loc, rows, columns);
    Value id = rest;
    rest = arith::RemSIOp::create(builder, loc, id, plane);
    id = arith::DivSIOp::create(builder, loc, id, plane);
    for (size_t i = kept.size() - 2; i-- > 1;) {
      indices[kept[i]] = arith::RemSIOp::create(builder, loc, id, sizes[i]);
      id = arith::DivSIOp::create(builder, loc, id, sizes[i]);
    }
    indices[kept[0]] = id;
  }
  Value group = constantOf(loc, Val::constant(kGroupRows), type, {});
  auto [row, column] = groupedOrder(loc, rest, rows, columns, group);
  indices[kept[kept.size() - 2]] = row;
  indices[kept[kept.size() - 1]] = column;
  return indices;
}

void KernelEmitter::setGrid(const Arrangement::Level &level, KernelOp op) {
  AffineExpr programs = builder.getAffineConstantExpr(1);
  for (const Arrangement::Dim &dim : level)
    programs = programs * dim.size;
  unsigned symbols = 0;
  programs.walk([&](AffineExpr part) {
    if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
      symbols = std::max(symbols, symbol.getPosition() + 1);
  });
  op.setGridAttr(
      AffineMapAttr::get(AffineMap::get(/*dimCount=*/0, symbols, programs)));
}
