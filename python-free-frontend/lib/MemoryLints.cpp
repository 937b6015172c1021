//===- MemoryLints.cpp - Warnings about what a kernel reads and writes ----===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaneStrides.h"
#include "Lints.h"

using namespace mlir;
using namespace tile;
using namespace tile::frontend;

//===----------------------------------------------------------------------===//
// Lanes that are apart
//===----------------------------------------------------------------------===//

/// Of smaller tiles one warp reads all, however they lie.
static constexpr int64_t kMinElements = 32;

namespace {
/// Looks at the accesses of one kernel.
///
/// Layouts follow memory: whichever axis of a tile is contiguous is the one
/// that neighbouring threads take, so that an operand in columns is as good as
/// one in rows.  What no layout helps is a tile without such an axis.
class AccessLinter {
public:
  AccessLinter(KernelOp kernel, const LintPlaces &places,
               DiagnosticList &warnings)
      : kernel(kernel), places(places), warnings(warnings) {}

  void run();

private:
  /// What the axes of a tile tell of it.
  struct Lanes {
    /// An axis is contiguous, or its stride is not known.
    bool canBeContiguous = false;
    /// The least stride that is a number, and one that is not.
    int64_t least = 0;
    Value pitch;
    /// A stride is an argument, which may be 1.
    bool canBeOne = false;
  };

  void check(Operation *access, Value offsets);
  Lanes lanesOf(Value offsets, ArrayRef<int64_t> shape);
  LaneStride inRows(LaneStride stride, bool &isPitch);
  scf::ForOp contiguousLoop(Operation *access, Value offsets);

  KernelOp kernel;
  const LintPlaces &places;
  DiagnosticList &warnings;
  LaneStrides strides;
};
} // namespace

/// Takes tensors to lie in rows: the last stride of each is 1, and the others
/// are pitches, which are more.
LaneStride AccessLinter::inRows(LaneStride stride, bool &isPitch) {
  isPitch = false;
  llvm::erase_if(stride.symbols, [&](Value symbol) {
    std::string name = sourceName(kernel, symbol);
    auto [tensor, dim] = StringRef(name).rsplit("_stride");
    unsigned axis = 0;
    if (!symbol.getType().isInteger(64) || dim.getAsInteger(10, axis) ||
        !kernel.getArgByName(tensor))
      return false;
    bool isLast =
        !kernel.getArgByName((tensor + "_stride" + Twine(axis + 1)).str());
    isPitch |= !isLast;
    return isLast;
  });
  return stride;
}

AccessLinter::Lanes AccessLinter::lanesOf(Value offsets,
                                          ArrayRef<int64_t> shape) {
  Lanes lanes;
  for (auto [axis, side] : llvm::enumerate(shape)) {
    std::optional<LaneStride> known = strides.along(offsets, axis);
    if (side == 1 || (known && known->isZero()))
      continue;
    bool isPitch = false;
    LaneStride stride = known ? inRows(*known, isPitch) : LaneStride();
    if (!known || stride.isContiguous()) {
      lanes.canBeContiguous = true;
      return lanes;
    }
    int64_t size = std::abs(stride.factor);
    if (stride.symbols.empty()) {
      lanes.least = lanes.least ? std::min(lanes.least, size) : size;
      continue;
    }
    lanes.pitch = stride.symbols.front();
    lanes.canBeOne |= size == 1 && !isPitch;
  }
  return lanes;
}

/// The loop around the access whose turns are neighbours in memory.
scf::ForOp AccessLinter::contiguousLoop(Operation *access, Value offsets) {
  for (auto loop = access->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>()) {
    std::optional<LaneStride> turn = strides.perTurn(offsets, loop);
    bool isPitch = false;
    if (turn && inRows(*turn, isPitch).isContiguous())
      return loop;
  }
  return {};
}

void AccessLinter::check(Operation *access, Value offsets) {
  auto type = dyn_cast<RankedTensorType>(offsets.getType());
  if (!type || type.getNumElements() < kMinElements)
    return;
  Lanes lanes = lanesOf(offsets, type.getShape());
  if (lanes.canBeContiguous || (!lanes.least && !lanes.pitch))
    return;
  StringRef what = isa<LoadOp>(access) ? "load" : "store";
  if (scf::ForOp loop = contiguousLoop(access, offsets)) {
    std::string name = lanes.pitch ? sourceName(kernel, lanes.pitch) : "";
    std::string index = sourceName(kernel, loop.getInductionVar());
    std::string apart = lanes.least ? std::to_string(lanes.least) + " elements"
                        : name.empty() ? std::string("a row")
                                       : "'" + name + "' elements";
    warnAt(warnings, Lint::Uncoalesced, access, places,
           "neighbouring lanes of this " + what + " are " + apart +
               " apart, and the loop over '" + index +
               "' goes through neighbours one by one",
           "give the tile an axis of '" + index +
               " + arange(...)', and the loop as long a step");
    return;
  }
  // Whatever is launched, some axis is a number, and no other can be 1.
  if (lanes.least && !lanes.canBeOne)
    warnAt(warnings, Lint::Uncoalesced, access, places,
           "neighbouring lanes of this " + what + " are at least " +
               Twine(lanes.least) + " elements apart",
           "memory moves in lines of 32 bytes: give the tile an axis whose "
           "places are neighbours");
}

void AccessLinter::run() {
  kernel.walk([&](Operation *op) {
    if (auto load = dyn_cast<LoadOp>(op))
      check(op, load.getOffsets());
    else if (auto store = dyn_cast<StoreOp>(op))
      check(op, store.getOffsets());
  });
}

void frontend::lintAccesses(KernelOp kernel, const LintPlaces &places,
                            DiagnosticList &warnings) {
  AccessLinter(kernel, places, warnings).run();
}

//===----------------------------------------------------------------------===//
// Sums that nothing initialises
//===----------------------------------------------------------------------===//

/// The run block's tensor for the argument, if it starts as nothing.
static const RunBinding *findUninitialised(const RunBlock &run,
                                           StringRef argument) {
  for (const RunBinding &binding : run.bindings)
    if (binding.name == argument && binding.tensor &&
        (binding.tensor->fill == "nan" || binding.tensor->fill == "empty"))
      return &binding;
  return nullptr;
}

/// Whether a plain store writes what the base points to.
static bool isStored(Value base) {
  return llvm::any_of(base.getUsers(), [&](Operation *user) {
    auto store = dyn_cast<StoreOp>(user);
    return store && store.getBase() == base;
  });
}

void frontend::lintOutputs(KernelOp kernel, const LintPlaces &places,
                           ArrayRef<RunBlock> runs, DiagnosticList &warnings) {
  kernel.walk([&](AtomicRmwOp update) {
    auto base = dyn_cast<BlockArgument>(update.getBase());
    if (!base || update.getKind() == AtomicKind::Exchange || isStored(base))
      return;
    std::string name = kernel.getArgName(base.getArgNumber()).str();
    for (const RunBlock &run : runs) {
      if (run.kernels.front().name != kernel.getSymName())
        continue;
      if (const RunBinding *fill = findUninitialised(run, name))
        warnAt(warnings, Lint::UninitialisedOutput, update, places,
               "this update needs what is in '" + Twine(name) +
                   "', which nothing initialises",
               "write 'zeros' for '" + Twine(fill->tensor->fill) +
                   "' where a sum begins",
               {{fill->range, "'" + name + "' is '" + fill->tensor->fill +
                                  "' in this run"}});
    }
  });
}
