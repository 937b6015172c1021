//===- WgmmaTiles.cpp - The accumulator of wgmma --------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WgmmaTiles.h"

#include "AddressMap.h"

using namespace mlir;
using namespace tile;

/// Rows of one instruction, and bits of the warp's number inside a warpgroup.
static constexpr int64_t kRows = 64;
static constexpr unsigned kWarpBits = 2;

/// Whether lanes and the warps of a warpgroup hold what the instruction gives
/// them: lane c2 c4 r1 r2 r4, warp r16 r32.
static bool hasInstructionThreads(const ThreadBits &bits) {
  ThreadBits want = {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}, {16, 0}, {32, 0}};
  return bits.size() >= want.size() &&
         ArrayRef(bits).take_front(want.size()) == ArrayRef(want);
}

/// Sorts the registers into tiles; false if they are no whole tiles.
static bool collectTiles(const TileLayout &layout, WgmmaTiles &result) {
  int64_t numRegs = layout.numRegs();
  int64_t first = layout.apply(0, 0, 0)[1], last = first;
  llvm::MapVector<int64_t, SmallVector<std::pair<int64_t, int64_t>>> rows;
  for (int64_t reg = 0; reg < numRegs; ++reg) {
    Coord coord = layout.apply(reg, 0, 0);
    first = std::min(first, coord[1]);
    last = std::max(last, coord[1]);
    int64_t inTile = coord[0] % kRows;
    if (inTile != 0 && inTile != 8)
      return false;
    int64_t position = coord[1] / 8 * 4 + inTile / 8 * 2 + coord[1] % 8;
    rows[coord[0] - inTile].push_back({position, reg});
  }
  result.n = last - first + 7;
  if (first != 0 || result.n % 8 != 0)
    return false;
  for (auto &[row, registers] : rows) {
    WgmmaTiles::Tile &tile = result.tiles.emplace_back();
    tile.origin = {row, 0};
    tile.registers.assign(result.n / 2, -1);
    if (int64_t(registers.size()) != result.n / 2)
      return false;
    for (auto [position, reg] : registers)
      tile.registers[position] = reg;
    if (llvm::is_contained(tile.registers, -1))
      return false;
  }
  return true;
}

FailureOr<WgmmaTiles> WgmmaTiles::of(Operation *op, RankedTensorType type) {
  LayoutAttr attribute = layoutOf(type);
  if (!attribute)
    return op->emitOpError() << "expected a layout on " << type;
  const TileLayout &layout = attribute.getLayout();
  WgmmaTiles result;
  ThreadBits bits = threadBits(layout);
  if (type.getRank() != 2 ||
      ArrayRef<int64_t>(layout.shape()) != type.getShape() ||
      !hasInstructionThreads(bits) || !collectTiles(layout, result))
    return op->emitOpError()
           << "expected the accumulator layout of wgmma, in whole tiles of "
           << kRows << " rows, got " << type;
  for (const Coord &bit : ArrayRef(bits).drop_front(kLaneBits + kWarpBits)) {
    result.groupRows.push_back(bit[0]);
    result.groupColumns.push_back(bit[1]);
  }
  return result;
}

Type WgmmaTiles::structType(Type element) const {
  return LLVM::LLVMStructType::getLiteral(element.getContext(),
                                          SmallVector<Type>(n / 2, element));
}
