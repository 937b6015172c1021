//===- Scan.cpp - Scans inside a warp -------------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scan is one chain along each line, and no two of its steps may change
// places.  A thread's neighbours are a chain of registers; where lanes follow,
// they take turns: in each turn all lanes run their chains, that of the lane
// whose turn it is counts, and its last element goes to all others.  The turns
// are a loop, so that the code is as long as one thread's part of a line.
//
//===----------------------------------------------------------------------===//

#include "Combine.h"
#include "tile/Layout/Axis.h"

using namespace mlir;
using namespace tile;

namespace {

/// A thread's part of one line inside one repetition, in the order of the scan.
using Run = SmallVector<std::vector<int64_t>>;

/// Lowers one scan.
class Scan {
public:
  Scan(KernelLowering &kernel, ScanOp op)
      : kernel(kernel), op(op), axis(op.getAxis()), combiner(kernel, op),
        layout(layoutOf(op.getOperands().front().getType()).getLayout()) {}
  LogicalResult run();

private:
  LogicalResult findLanes();
  std::map<std::vector<int64_t>, SmallVector<Run>> findLines();
  LogicalResult scanLine(ArrayRef<Run> runs);
  LogicalResult scanInTurns(const Run &run, std::optional<Group> &carry);
  FailureOr<Group> scanRegisters(const Run &run, std::optional<Group> carry);
  Value laneOfTurn(Value turn);
  void setResults();

  KernelLowering &kernel;
  ScanOp op;
  unsigned axis;
  Combiner combiner;
  TileLayout layout;
  GroupMap groups;
  /// The bits of the lane that tell elements of a line apart, low to high.
  SmallVector<unsigned> lanes;
};

} // namespace

LogicalResult Scan::run() {
  for (auto [operand, result] :
       llvm::zip_equal(op.getOperands(), op.getResults())) {
    if (failed(kernel.partTypes(op, result.getType())))
      return failure();
    if (layoutOf(operand.getType()).getLayout() != layout)
      return KernelLowering::refuse(op,
                                    "expected all operands to have one layout");
  }
  if (failed(findLanes()))
    return failure();
  groups = groupsOf(kernel, op.getOperands());
  for (const auto &[line, runs] : findLines())
    if (failed(scanLine(runs)))
      return failure();
  setResults();
  return success();
}

LogicalResult Scan::findLanes() {
  std::optional<SmallVector<PlaceBit>> bits = axisBits(layout, axis);
  bool inOrder = bits.has_value();
  for (PlaceBit holder : bits.value_or(SmallVector<PlaceBit>())) {
    bool isLane = holder.group == LayoutIn::Lane;
    inOrder &= isLane || (holder.group == LayoutIn::Reg && lanes.empty());
    if (isLane)
      lanes.push_back(holder.bit);
  }
  if (!inOrder)
    return op.emitOpError() << "expected tile-gpu-lower-exchanges to have run: "
                               "the axis is not in order in a warp";
  return success();
}

/// The runs of each line, by the coordinate without the axis.
std::map<std::vector<int64_t>, SmallVector<Run>> Scan::findLines() {
  int64_t side = layout.atom().sides()[axis];
  std::map<std::vector<int64_t>, SmallVector<Run>> lines;
  // Coordinates come in order: those of a repetition, then the next one's.
  for (const auto &[coord, group] : groups) {
    std::vector<int64_t> line = coord;
    line.erase(line.begin() + axis);
    SmallVector<Run> &runs = lines[line];
    size_t repetition = coord[axis] / side;
    if (runs.size() <= repetition)
      runs.resize(repetition + 1);
    runs[repetition].push_back(coord);
  }
  for (auto &[line, runs] : lines) {
    if (!op.getReverse())
      continue;
    std::reverse(runs.begin(), runs.end());
    for (Run &run : runs)
      std::reverse(run.begin(), run.end());
  }
  return lines;
}

LogicalResult Scan::scanLine(ArrayRef<Run> runs) {
  std::optional<Group> carry;
  for (const Run &run : runs) {
    if (!lanes.empty()) {
      if (failed(scanInTurns(run, carry)))
        return failure();
      continue;
    }
    FailureOr<Group> last = scanRegisters(run, carry);
    if (failed(last))
      return failure();
    carry = *last;
  }
  return success();
}

/// Scans a thread's neighbours on from `carry`; returns the last one.
FailureOr<Group> Scan::scanRegisters(const Run &run,
                                     std::optional<Group> carry) {
  for (const std::vector<int64_t> &coord : run) {
    Group &group = groups.find(coord)->second;
    if (carry) {
      FailureOr<Group> joined = combiner.combine(*carry, group);
      if (failed(joined))
        return failure();
      group = *joined;
    }
    carry = group;
  }
  return *carry;
}

/// The lane in this thread's line whose turn it is.
Value Scan::laneOfTurn(Value turn) {
  CodeBuilder &code = kernel.code;
  SmallVector<int64_t> own, ofTurn;
  int64_t mask = 0;
  for (unsigned lane : lanes) {
    ofTurn.push_back(int64_t(1) << lane);
    mask |= int64_t(1) << lane;
  }
  for (unsigned bit = 0; bit < kLaneBits; ++bit)
    own.push_back(~mask & (int64_t(1) << bit));
  return code.bitXor(code.linearOf(turn, ofTurn), code.threadLinear(own));
}

/// Scans a run lane by lane on from `carry`, which becomes the last element.
LogicalResult Scan::scanInTurns(const Run &run, std::optional<Group> &carry) {
  CodeBuilder &code = kernel.code;
  size_t width = op.getNumOperands();
  SmallVector<Group> elements;
  for (const std::vector<int64_t> &coord : run)
    elements.push_back(groups.find(coord)->second);
  // What goes round: the carry, then the results so far.
  SmallVector<Value> inits;
  llvm::append_range(inits, carry ? *carry : elements.front());
  for (const Group &element : elements)
    llvm::append_range(inits, element);
  SmallVector<int64_t> position(kLaneBits, 0);
  for (auto [index, lane] : llvm::enumerate(lanes))
    position[lane] = int64_t(1) << index;
  int64_t turns = int64_t(1) << lanes.size();
  Value own = code.threadLinear(position);
  LogicalResult status = success();

  auto body = [&](Value round, ValueRange state) -> SmallVector<Value> {
    Value turn = round;
    if (op.getReverse())
      turn = code.bitXor(round, code.constI32(turns - 1));
    Value isOurs = code.compare(LLVM::ICmpPredicate::eq, own, turn);
    Group last(state.take_front(width));
    SmallVector<Value> next(width);
    for (auto [index, element] : llvm::enumerate(elements)) {
      FailureOr<Group> joined = combiner.combine(last, element);
      if (failed(joined)) {
        status = failure();
        return SmallVector<Value>(state);
      }
      // The first element of a line has nothing before it.
      if (index == 0 && !carry) {
        Value isFirst =
            code.compare(LLVM::ICmpPredicate::eq, round, code.constI32(0));
        joined = tile::select(kernel, isFirst, element, *joined);
      }
      last = *joined;
      Group before(state.slice(width * (index + 1), width));
      llvm::append_range(next, tile::select(kernel, isOurs, last, before));
    }
    Group sent = shuffleFrom(kernel, last, laneOfTurn(turn));
    llvm::copy(sent, next.begin());
    return next;
  };
  SmallVector<Value> results = code.loop(turns, inits, body);
  if (failed(status))
    return failure();
  ArrayRef<Value> rest(results);
  carry = Group(rest.take_front(width));
  for (const std::vector<int64_t> &coord : run) {
    rest = rest.drop_front(width);
    groups.find(coord)->second = Group(rest.take_front(width));
  }
  return success();
}

void Scan::setResults() {
  for (auto [number, result] : llvm::enumerate(op.getResults())) {
    SmallVector<Value> registers;
    for (int64_t reg = 0; reg < layout.numRegs(); ++reg) {
      Coord coord = layout.apply(reg, 0, 0);
      registers.push_back(
          groups.find({coord.begin(), coord.end()})->second[number]);
    }
    kernel.setRegisters(result, registers);
  }
}

LogicalResult tile::lower(KernelLowering &kernel, ScanOp op) {
  return Scan(kernel, op).run();
}
