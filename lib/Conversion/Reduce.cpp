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
// Where two registers wait for a level above, lanes share the work: of each
// pair of lanes one goes on with the first register, the other one with the
// second, and the level above joins lanes.  So n groups take n - 1 shuffles and
// a few more, not five each.
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
  LogicalResult shareLanes(const Level &level, Level &above);
  FailureOr<Group> joinAcross(const Group &own, const Group &other,
                              Value upper);
  Level *registersIn(MutableArrayRef<Level> levels);
  Value isUpper(const Level &level);
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
  MutableArrayRef<Level> rest = *tree;
  while (!rest.empty()) {
    const Level &level = rest.front();
    rest = rest.drop_front();
    Level *above = level.laneBit ? registersIn(rest) : nullptr;
    LogicalResult joined = above           ? shareLanes(level, *above)
                           : level.laneBit ? joinLanes(level)
                                           : joinRegisters(level.width);
    if (failed(joined))
      return failure();
  }
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
  if (op.getReassoc() || combiner.isOrderFree()) {
    SmallVector<Level> registersFirst;
    for (bool areLanes : {false, true})
      for (const Level &level : tree)
        if (level.laneBit.has_value() == areLanes)
          registersFirst.push_back(level);
    return registersFirst;
  }
  return tree;
}

/// The first of some levels that joins registers inside the atom: there each
/// has a partner.
Level *Reduction::registersIn(MutableArrayRef<Level> levels) {
  for (Level &level : levels)
    if (!level.laneBit && level.width < layout.atom().sides()[axis])
      return &level;
  return nullptr;
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
    FailureOr<Group> joined = combiner.combine(group, partner->second);
    if (failed(joined))
      return failure();
    next[coord] = *joined;
  }
  groups = std::move(next);
  return success();
}

/// Whether this lane is the upper one of its pair.
Value Reduction::isUpper(const Level &level) {
  SmallVector<int64_t> images(kLaneBits, 0);
  images[*level.laneBit] = 1;
  return kernel.code.compare(LLVM::ICmpPredicate::ne,
                             kernel.code.threadLinear(images),
                             kernel.code.constI32(0));
}

/// Joins what this lane has with what the other one of its pair has.
FailureOr<Group> Reduction::joinAcross(const Group &own, const Group &other,
                                       Value upper) {
  if (combiner.isCommutative())
    return combiner.combine(own, other);
  return combiner.combine(select(kernel, upper, other, own),
                          select(kernel, upper, own, other));
}

LogicalResult Reduction::joinLanes(const Level &level) {
  Value upper = combiner.isCommutative() ? Value() : isUpper(level);
  for (auto &[coord, group] : groups) {
    Group other = shuffleXor(kernel, group, int64_t(1) << *level.laneBit);
    FailureOr<Group> joined = joinAcross(group, other, upper);
    if (failed(joined))
      return failure();
    group = *joined;
  }
  return success();
}

/// Joins pairs of lanes, of which the lower one then has what the first of two
/// registers held and the upper one what the second did, so that the level
/// above, where the registers would have joined, joins the same lanes.
LogicalResult Reduction::shareLanes(const Level &level, Level &above) {
  Value upper = isUpper(level);
  GroupMap next;
  for (auto &[coord, first] : groups) {
    if (coord[axis] / above.width % 2 == 1)
      continue;
    std::vector<int64_t> partner = coord;
    partner[axis] += above.width;
    const Group &second = groups.find(partner)->second;
    Group own = select(kernel, upper, second, first);
    Group sent = select(kernel, upper, first, second);
    Group other = shuffleXor(kernel, sent, int64_t(1) << *level.laneBit);
    FailureOr<Group> joined = joinAcross(own, other, upper);
    if (failed(joined))
      return failure();
    next[coord] = *joined;
  }
  above.laneBit = level.laneBit;
  groups = std::move(next);
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
