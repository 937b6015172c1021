//===- Reduce.cpp - Reductions inside a warp ------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tree goes over the bits of the axis index, low to high.  A bit that
// registers tell apart joins two registers of a thread, one that lanes tell
// apart joins what a lane has with what its neighbour has: both then have the
// result.  Above the bits of the layout's atom there are only its repetitions,
// which are registers.  Whoever comes in a pair with the lower index is left.
//
// Where the order makes no difference to the bits, or the op frees it,
// registers join first: then as few groups as possible pass through the lanes.
//
//===----------------------------------------------------------------------===//

#include "Combine.h"
#include "tile/Layout/Axis.h"

using namespace mlir;
using namespace tile;

namespace {

/// One level of the tree: groups whose index differs by `width` join.
struct Level {
  int64_t width;
  /// The bit of the lane that tells them apart; registers do if there is none.
  std::optional<unsigned> laneBit;
};

/// Lowers one reduction.
class Reduction {
public:
  Reduction(KernelLowering &kernel, ReduceOp op)
      : kernel(kernel), op(op), axis(op.getAxis()), combiner(kernel, op),
        type(cast<RankedTensorType>(op.getOperands().front().getType())),
        layout(layoutOf(type).getLayout()) {}
  LogicalResult run();

private:
  FailureOr<SmallVector<Level>> levels();
  LogicalResult joinRegisters(int64_t width);
  LogicalResult joinLanes(const Level &level);
  FailureOr<Group> join(const Group &left, const Group &right, int64_t index,
                        int64_t width);
  Value isRightThere(int64_t index, int64_t width);
  SmallVector<int64_t> threadImages(int64_t mask, int64_t shift) const;
  LogicalResult setResults();

  KernelLowering &kernel;
  ReduceOp op;
  unsigned axis;
  Combiner combiner;
  RankedTensorType type;
  TileLayout layout;
  /// What has not been joined to a group with a lower index.
  GroupMap groups;
};

} // namespace

LogicalResult Reduction::run() {
  for (Value operand : op.getOperands())
    if (layoutOf(operand.getType()) != layoutOf(type))
      return KernelLowering::refuse(op,
                                    "expected all operands to have one layout");
  FailureOr<SmallVector<Level>> tree = levels();
  if (failed(tree))
    return failure();
  groups = groupsOf(kernel, op.getOperands());
  for (const Level &level : *tree)
    if (failed(level.laneBit ? joinLanes(level) : joinRegisters(level.width)))
      return failure();
  return setResults();
}

FailureOr<SmallVector<Level>> Reduction::levels() {
  std::optional<SmallVector<PlaceBit>> bits = axisBits(layout, axis);
  bool crossesWarps = !bits || llvm::any_of(*bits, [](PlaceBit holder) {
    return holder.group != LayoutIn::Reg && holder.group != LayoutIn::Lane;
  });
  if (crossesWarps)
    return op.emitOpError() << "expected tile-gpu-lower-exchanges to have run: "
                               "the axis crosses warps";
  SmallVector<Level> tree;
  int64_t width = 1;
  for (PlaceBit holder : *bits) {
    tree.push_back({width, std::nullopt});
    if (holder.group == LayoutIn::Lane)
      tree.back().laneBit = holder.bit;
    width *= 2;
  }
  int64_t side = layout.shape()[axis];
  for (; width < side; width *= 2)
    tree.push_back({width, std::nullopt});
  // A group that is not there passes through, which depends on the order.
  bool isWhole = side == type.getDimSize(axis);
  if (isWhole && (op.getReassoc() || combiner.isOrderFree())) {
    SmallVector<Level> registersFirst;
    for (bool areLanes : {false, true})
      for (const Level &level : tree)
        if (level.laneBit.has_value() == areLanes)
          registersFirst.push_back(level);
    return registersFirst;
  }
  return tree;
}

/// For each bit of the thread, its part of the axis index under `mask`,
/// shifted.
SmallVector<int64_t> Reduction::threadImages(int64_t mask,
                                             int64_t shift) const {
  SmallVector<int64_t> images;
  for (const Coord &bit : threadBits(layout))
    images.push_back((bit[axis] & mask) >> shift);
  return images;
}

/// Whether the right one of two groups, of which thread 0 has the left one at
/// `index`, is inside the tile; null if it is for all threads.
Value Reduction::isRightThere(int64_t index, int64_t width) {
  int64_t side = type.getDimSize(axis);
  if (layout.shape()[axis] == side)
    return {};
  CodeBuilder &code = kernel.code;
  int64_t above = ~(2 * width - 1);
  Value start = code.threadLinear(threadImages(above, 0), index & above);
  return code.compare(LLVM::ICmpPredicate::ult, start,
                      code.constI32(std::max<int64_t>(side - width, 0)));
}

FailureOr<Group> Reduction::join(const Group &left, const Group &right,
                                 int64_t index, int64_t width) {
  FailureOr<Group> joined = combiner.combine(left, right);
  if (failed(joined))
    return failure();
  Value isThere = isRightThere(index, width);
  return isThere ? select(kernel, isThere, *joined, left) : *joined;
}

LogicalResult Reduction::joinRegisters(int64_t width) {
  GroupMap next;
  for (auto &[coord, group] : groups) {
    int64_t index = coord[axis];
    std::vector<int64_t> other = coord;
    // Pairs are counted in steps of the width, since repetitions are any
    // number.
    bool isRight = index / width % 2 == 1;
    other[axis] += isRight ? -width : width;
    auto partner = groups.find(other);
    if (partner == groups.end()) {
      next[coord] = group;
      continue;
    }
    if (isRight)
      continue;
    FailureOr<Group> joined = join(group, partner->second, index, width);
    if (failed(joined))
      return failure();
    next[coord] = *joined;
  }
  groups = std::move(next);
  return success();
}

LogicalResult Reduction::joinLanes(const Level &level) {
  CodeBuilder &code = kernel.code;
  bool isWhole = layout.shape()[axis] == type.getDimSize(axis);
  bool anyOrder = isWhole && combiner.isCommutative();
  int64_t bit = llvm::Log2_64(level.width);
  Value isUpper;
  if (!anyOrder)
    isUpper = code.compare(LLVM::ICmpPredicate::ne,
                           code.threadLinear(threadImages(level.width, bit)),
                           code.constI32(0));
  for (auto &[coord, group] : groups) {
    Group other = shuffleXor(kernel, group, int64_t(1) << *level.laneBit);
    Group left = group, right = other;
    if (!anyOrder) {
      left = select(kernel, isUpper, other, group);
      right = select(kernel, isUpper, group, other);
    }
    FailureOr<Group> joined = join(left, right, coord[axis], level.width);
    if (failed(joined))
      return failure();
    group = *joined;
  }
  return success();
}

LogicalResult Reduction::setResults() {
  if (type.getRank() == 1) {
    for (auto [result, value] :
         llvm::zip_equal(op.getResults(), groups.begin()->second))
      kernel.setParts(result, value);
    return success();
  }
  TileLayout kept = layout.slice(axis);
  for (auto [number, result] : llvm::enumerate(op.getResults())) {
    if (failed(kernel.partTypes(op, result.getType())))
      return failure();
    if (layoutOf(result.getType()).getLayout() != kept)
      return KernelLowering::refuse(
          op,
          "expected a result in the layout of its operand without the axis");
    SmallVector<Value> registers;
    for (int64_t reg = 0; reg < kept.numRegs(); ++reg) {
      Coord coord = kept.apply(reg, 0, 0);
      coord.insert(coord.begin() + axis, 0);
      auto group = groups.find({coord.begin(), coord.end()});
      if (group == groups.end())
        return KernelLowering::refuse(op, "expected a group for each result");
      registers.push_back(group->second[number]);
    }
    kernel.setRegisters(result, registers);
  }
  return success();
}

LogicalResult tile::lower(KernelLowering &kernel, ReduceOp op) {
  return Reduction(kernel, op).run();
}
