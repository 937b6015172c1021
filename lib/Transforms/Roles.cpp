//===- Roles.cpp - Which kernels split into roles -------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Roles.h"

#include "Blocks.h"
#include "Footprints.h"
#include "LeastValue.h"
#include "Overlap.h"
#include "PlanChecks.h"
#include "TensorMaps.h"
#include "tile/IR/MmaShapes.h"
#include "tile/Layout/Constructors.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;

/// Rows of one wgmma.
static constexpr int64_t kWgmmaRows = 64;
/// Accumulators that a thread can hold beside what else it needs.
static constexpr int64_t kMaxAccumulators = 192;
/// The one swizzle whose descriptors are lowered.
static constexpr unsigned kSwizzle = 128;

/// Why a computed operand cannot be read by wgmma: A from registers, B from
/// where it is written row by row.
static std::string reasonAgainstComputed(DotOp dot, Value value) {
  auto tile = cast<RankedTensorType>(value.getType());
  unsigned bits = 8 * elementBytes(tile.getElementType());
  if (bits != 16)
    return "a computed operand has other than 16 bits";
  if (value == dot.getA())
    return "";
  if (swizzleBytes(tile.getDimSize(1), bits) != kSwizzle)
    return "a row of a computed operand is shorter than a swizzle of 128 bytes";
  llvm::Expected<TileLayout> layout = sharedSwizzled(
      tile.getDimSize(0), tile.getDimSize(1), bits, /*rowMajor=*/true);
  if (!layout)
    return "a computed operand has no swizzled image: " +
           llvm::toString(layout.takeError());
  return "";
}

/// Why an operand cannot be read by wgmma from where it is or its load puts it.
static std::string reasonAgainstOperand(DotOp dot, Value value,
                                        const AccessAnalysis &analysis) {
  auto load = value.getDefiningOp<LoadOp>();
  if (!load)
    return reasonAgainstComputed(dot, value);
  FailureOr<Access> access = analysis.analyze(load, nullptr);
  if (failed(access) || access->dims.size() != 2)
    return "an operand is not a strided block";
  auto tile = cast<RankedTensorType>(load.getType());
  unsigned bits = 8 * elementBytes(tile.getElementType());
  unsigned contiguous = access->contiguousDim().value_or(1);
  unsigned dimOfK = value == dot.getA() ? 1 : 0;
  if (bits != 16 && contiguous != dimOfK)
    return "operands of other than 16 bits must be contiguous along k";
  if (swizzleBytes(tile.getDimSize(contiguous), bits) != kSwizzle)
    return "a row of an operand is shorter than a swizzle of 128 bytes";
  llvm::Expected<tile::gpu::BufferType> ring = ringType(load, *access, 1);
  if (!ring)
    return "an operand has no swizzled image: " +
           llvm::toString(ring.takeError());
  return "";
}

std::optional<std::pair<int64_t, int64_t>>
tile::wgmmaGrid(DotOp dot, const AccessAnalysis &analysis,
                std::string &reason) {
  auto a = cast<RankedTensorType>(dot.getA().getType());
  auto acc = cast<RankedTensorType>(dot.getType());
  const MmaShape *shape =
      findMmaShape(Instruction::Wgmma, a.getElementType(), acc.getElementType(),
                   dot.getPrecision());
  int64_t m = acc.getDimSize(0), n = acc.getDimSize(1);
  if (!shape) {
    reason = "there is none for these types";
    return std::nullopt;
  }
  if (m % kWgmmaRows != 0 || !hasSides(*shape, kWgmmaRows, n, shape->k) ||
      a.getDimSize(1) % shape->k != 0) {
    reason = ("it takes rows in multiples of 64, " +
              describeWgmmaWidths(a.getElementType().isInteger()) +
              ", and k in multiples of " + Twine(shape->k))
                 .str();
    return std::nullopt;
  }
  if (reason = reasonAgainstSums(dot); !reason.empty())
    return std::nullopt;
  for (Value operand : {dot.getA(), dot.getB()})
    if (reason = reasonAgainstOperand(dot, operand, analysis); !reason.empty())
      return std::nullopt;
  // Two warpgroups where there are rows for them.
  int64_t groups = m % (2 * kWgmmaRows) == 0 ? 2 : 1;
  // Two elements of a computed A are one register.
  bool isComputed = !dot.getA().getDefiningOp<LoadOp>();
  int64_t columns = n + (isComputed ? a.getDimSize(1) / 2 : 0);
  // A product that is summed up on its own has registers of its own.
  if (dot.getPromoteEvery())
    columns += n;
  if (m * columns / (groups * 128) > kMaxAccumulators) {
    reason = isComputed ? "the accumulator and the first operand take more "
                          "than 192 registers a thread"
                        : "the accumulator takes more than 192 registers a "
                          "thread";
    return std::nullopt;
  }
  return std::pair<int64_t, int64_t>(groups, 1);
}

/// The kernel's loop with a dot, if there is one at its top level and no dot
/// elsewhere.
static scf::ForOp dotLoop(KernelOp kernel) {
  scf::ForOp loop;
  unsigned dots = 0;
  kernel.walk([&](DotOp dot) {
    ++dots;
    loop = dyn_cast<scf::ForOp>(dot->getParentOp());
  });
  bool alone =
      dots == 1 && loop && loop->getBlock() == &kernel.getBody().front();
  return alone ? loop : nullptr;
}

/// Why the accumulator is not the dot's alone.
static std::string reasonAgainstCarried(scf::ForOp loop, DotOp dot) {
  auto acc = dyn_cast<BlockArgument>(dot.getAcc());
  if (!acc || acc.getOwner() != loop.getBody() || !acc.hasOneUse() ||
      !dot->hasOneUse() ||
      loop.getYieldedValues()[acc.getArgNumber() - 1] != dot.getResult())
    return "the loop does not carry the accumulator for the dot alone";
  for (auto [index, result] : llvm::enumerate(loop.getResults()))
    if (index + 1 != acc.getArgNumber() && !result.use_empty())
      return "the loop carries more than the accumulator";
  return "";
}

/// Why the loop may not run at all, which the peeled first product excludes.
static std::string reasonAgainstFirst(scf::ForOp loop, KernelOp kernel) {
  std::optional<int64_t> lower =
      ScalarExpr::value(loop.getLowerBound()).getConstant();
  std::optional<int64_t> least = leastValue(loop.getUpperBound(), kernel);
  if (!lower || !least || *least <= *lower || loop.getUnsignedCmp())
    return "the loop is not known to run at least once";
  return "";
}

/// Why the producer cannot bring an operand.
static std::string reasonAgainstProduced(Value operand, KernelOp kernel,
                                         const AccessAnalysis &analysis) {
  auto load = operand.getDefiningOp<LoadOp>();
  if (!load)
    return "an operand is computed, not loaded";
  if (load.getPlan() && load.getPlan()->getMechanism() != CopyMechanism::Tma)
    return ("a load's own plan is " +
            stringifyCopyMechanism(load.getPlan()->getMechanism()))
        .str();
  if (!fillsWithZero(load))
    return "a load fills with other than zero";
  FailureOr<Access> access = analysis.analyze(load, nullptr);
  if (failed(access))
    return "an operand is not a strided block";
  std::string reason = reasonAgainstTma(*access, analysis, kernel);
  return reason.empty() ? reason
                        : "a load cannot go through the copy engine: " + reason;
}

/// Why the producer cannot run ahead of the products.
static std::string reasonAgainstAhead(scf::ForOp loop, DotOp dot,
                                      const AccessAnalysis &analysis) {
  SmallVector<LoadAccess, 2> loads;
  for (Value operand : {dot.getA(), dot.getB()}) {
    auto load = operand.getDefiningOp<LoadOp>();
    loads.push_back({load, *analysis.analyze(load, nullptr)});
  }
  if (llvm::any_of(loads, [&](const LoadAccess &staged) {
        return !scalarsComputedIn(loop, staged.access).empty();
      }))
    return "the address of a load is computed in the loop";
  return reasonAgainstOverlap(loop, loads);
}

/// Whether a value is computed from an op that `visit` looks for: it returns
/// whether this is one, or nothing to have those behind it visited.
static bool
comesFrom(Value value,
          llvm::function_ref<std::optional<bool>(Operation *)> visit) {
  SmallVector<Value> pending = {value};
  llvm::SmallDenseSet<Value> seen;
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val().getDefiningOp();
    std::optional<bool> found = op ? visit(op) : false;
    if (found.value_or(false))
      return true;
    if (!found)
      for (Value operand : op->getOperands())
        if (seen.insert(operand).second)
          pending.push_back(operand);
  }
  return false;
}

/// Whether a tile is data, and not arithmetic on indices, or is made of some.
static bool holdsData(Value value) {
  return comesFrom(value, [](Operation *op) -> std::optional<bool> {
    if (!isMemoryEffectFree(op) || op->getNumRegions() != 0)
      return true;
    return std::nullopt;
  });
}

/// Whether an op before or after the loop can be copied into a role.  What
/// exchanges elements between warps needs shared memory, of which roles that
/// run ahead leave none.
static bool staysAround(Operation &op) {
  if (isa<ReduceOp, ScanOp, ReshapeOp>(op))
    return false;
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return !holdsData(transpose.getOperand());
  return isMemoryEffectFree(&op) || isa<AssumeOp, ReturnOp>(op) ||
         isa<LoadOp, StoreOp>(op);
}

std::string tile::reasonAgainstSplit(KernelOp kernel,
                                     const AccessAnalysis &analysis) {
  scf::ForOp loop = dotLoop(kernel);
  if (!loop)
    return "there is not just one dot, in a loop of the kernel itself";
  DotOp dot = *loop.getBody()->getOps<DotOp>().begin();
  if (std::string reason = reasonAgainstCarried(loop, dot); !reason.empty())
    return reason;
  if (std::string reason = reasonAgainstFirst(loop, kernel); !reason.empty())
    return reason;
  for (Operation &op : *loop.getBody())
    if (!isMemoryEffectFree(&op) && !isa<LoadOp>(op))
      return "the loop does more than load and multiply";
  if (!llvm::hasNItems(loop.getBody()->getOps<LoadOp>(), 2))
    return "the loop loads more than the dot's operands";
  for (Value operand : {dot.getA(), dot.getB()})
    if (std::string reason = reasonAgainstProduced(operand, kernel, analysis);
        !reason.empty())
      return reason;
  if (std::string reason = reasonAgainstAhead(loop, dot, analysis);
      !reason.empty())
    return reason;
  bool before = true;
  for (Operation &op : kernel.getBody().front()) {
    if (&op == loop) {
      before = false;
      continue;
    }
    if (!staysAround(op) || (before && isa<LoadOp, StoreOp>(op)))
      return ("'" + op.getName().getStringRef() + "' stands beside the loop")
          .str();
  }
  return "";
}

std::string tile::reasonAgainstPersistence(KernelOp kernel) {
  std::optional<AffineMap> grid = kernel.getGrid();
  if (!grid)
    return "the kernel states no grid";
  if (grid->getNumResults() != 1)
    return "the grid has more than one axis";
  return "";
}

/// Whether every atom is an argument of the kernel, or arithmetic on arguments:
/// the same for all programs.
static bool isSameForAll(const ScalarExpr &expr, KernelOp kernel) {
  SmallVector<Value> pending(expr.values());
  llvm::SmallDenseSet<Value> seen;
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (argument.getOwner() != &kernel.getBody().front())
        return false;
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (!isa_and_present<arith::ArithDialect>(op->getDialect()))
      return false;
    llvm::append_range(pending, op->getOperands());
  }
  return true;
}

std::string tile::reasonAgainstCluster(KernelOp kernel,
                                       const AccessAnalysis &analysis) {
  scf::ForOp loop = dotLoop(kernel);
  DotOp dot = *loop.getBody()->getOps<DotOp>().begin();
  for (Value bound :
       {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
    if (!isSameForAll(analysis.scalar(bound), kernel))
      return "programs may take different numbers of steps";
  // Sharing pays for the second operand, the wide one of the tiles that are
  // known to be fast.
  auto load = dot.getB().getDefiningOp<LoadOp>();
  FailureOr<Access> access = analysis.analyze(load, nullptr);
  auto tile = cast<RankedTensorType>(load.getType());
  int64_t width = kSwizzle / elementBytes(tile.getElementType());
  unsigned inner = *access->contiguousDim();
  int64_t boxes = tile.getDimSize(inner) / width;
  if (boxes % 2 != 0 && (boxes != 1 || tile.getDimSize(1 - inner) % 16 != 0))
    return "the second operand's tile does not come in two halves";
  // Where an origin moves with the loop, it must move alike for both CTAs.
  Value step = loop.getInductionVar();
  ScalarExpr next = ScalarExpr::value(step) + ScalarExpr::constant(1);
  for (Value operand : {dot.getA(), dot.getB()}) {
    FailureOr<Access> moving =
        analysis.analyze(operand.getDefiningOp<LoadOp>(), nullptr);
    for (const AccessDim &dim : moving->dims)
      if (!(dim.origin.substitute(step, next) - dim.origin).getConstant())
        return "an operand's tiles move in steps that are not constant";
  }
  return "";
}

/// Whether an op's result is sums of products, in or behind a loop.
static bool isProduct(Operation &op) {
  return isa<DotOp, tile::gpu::WgmmaFinishOp>(op);
}

/// Whether a tile is made of a product's sums element by element, and so lies
/// in registers as they do.
static bool isOfSums(Value value) {
  return comesFrom(value, [](Operation *op) -> std::optional<bool> {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return llvm::any_of(*loop.getBody(), isProduct);
    if (isProduct(*op))
      return true;
    if (!OpTrait::hasElementwiseMappableTraits(op))
      return false;
    return std::nullopt;
  });
}

std::string tile::reasonAgainstTmaStore(StoreOp store, const Access &access,
                                        const AccessAnalysis &analysis) {
  auto kernel = store->getParentOfType<KernelOp>();
  auto value = dyn_cast<RankedTensorType>(store.getValue().getType());
  if (!value || value.getRank() != 2)
    return "the value is not a matrix";
  if (!isOfSums(store.getValue()))
    return "the value is not made of the product's sums element by element";
  int64_t bytes = elementBytes(value.getElementType());
  if (bytes != 2)
    return "only 16-bit elements are staged yet";
  if (access.contiguousDim() != 1)
    return "its rows are not known to be contiguous";
  if (value.getDimSize(0) % kStagingRows != 0 ||
      value.getDimSize(1) % (kSwizzle / bytes) != 0)
    return "its tile is not made of slots of 64 rows and 128 bytes";
  if (findWatcher(store, store.getBase()))
    return "the program accesses memory that may be the same, and the copy "
           "engine keeps no order";
  return reasonAgainstTma(access, analysis, kernel);
}
