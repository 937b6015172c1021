//===- PlanChecks.cpp - Plans that can be carried out ---------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanChecks.h"

#include "mlir/IR/Matchers.h"
#include "tile/GPU/TileGPUOps.h"
#include "tile/IR/MmaShapes.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

bool tile::feedsWgmma(tile::LoadOp load) {
  return llvm::any_of(load->getUsers(), [](Operation *user) {
    auto dot = dyn_cast<DotOp>(user);
    return dot && dot.getPlan() &&
           dot.getPlan()->getInstruction() == Instruction::Wgmma;
  });
}

bool tile::fillsWithZero(tile::LoadOp load) {
  Value other = load.getOther();
  return !other || matchPattern(other, m_PosZeroFloat()) ||
         matchPattern(other, m_Zero());
}

/// The access, unless it is one of a scalar.
template <typename OpT>
static FailureOr<Access> analyzeTile(OpT op, const AccessAnalysis &analysis,
                                     std::string &reason) {
  FailureOr<Access> access = analysis.analyze(op, &reason);
  if (failed(access) || !access->dims.empty())
    return access;
  reason = "it is a scalar";
  return failure();
}

FailureOr<Access> tile::blockOf(tile::LoadOp load,
                                const AccessAnalysis &analysis,
                                std::string &reason) {
  Value other = load.getOther();
  if (other && isa<RankedTensorType>(other.getType())) {
    reason = "other is a tile";
    return failure();
  }
  return analyzeTile(load, analysis, reason);
}

FailureOr<Access> tile::blockOf(tile::StoreOp store,
                                const AccessAnalysis &analysis,
                                std::string &reason) {
  return analyzeTile(store, analysis, reason);
}

LogicalResult tile::checkElementPlan(Operation *op,
                                     std::optional<CopyAttr> plan,
                                     const std::string &reason) {
  if (!plan)
    return op->emitOpError() << "expected a plan, got none";
  if (plan->getMechanism() == CopyMechanism::Registers &&
      plan->getVector() == 1)
    return success();
  return op->emitOpError() << "expected a plan of single elements in "
                              "registers, since it is no strided block: "
                           << reason << "; got " << *plan;
}

/// Checks that the vectors of a plan are no wider than what is known.
static LogicalResult checkVector(Operation *op, CopyAttr plan, int64_t known) {
  if (plan.getVector() <= known)
    return success();
  return op->emitOpError()
         << "expected a plan with vectors of at most " << known
         << (known == 1 ? " element" : " elements")
         << ", since more are not known to be contiguous, aligned and valid "
            "together, got "
         << plan.getVector();
}

LogicalResult tile::checkPlan(tile::LoadOp load, const Access &access,
                              const AccessAnalysis &analysis) {
  if (!load.getPlan())
    return load.emitOpError() << "expected a plan, got none";
  CopyAttr plan = *load.getPlan();
  bool isAsync = plan.getMechanism() == CopyMechanism::CpAsync ||
                 plan.getMechanism() == CopyMechanism::Tma;
  if (isAsync && !fillsWithZero(load))
    return load.emitOpError()
           << "cannot use " << stringifyCopyMechanism(plan.getMechanism())
           << ", which its plan asks for: "
              "it fills with zero, and other is not zero";
  int64_t bytes = plan.getVector() * elementBytes(access.elementType);
  if (isAsync && (bytes < kMinAsyncBytes || bytes > kVectorBytes))
    return load.emitOpError()
           << "expected a cp_async plan with vectors of 4, 8 "
              "or 16 bytes, got "
           << bytes;
  return checkVector(load, plan,
                     analysis.vectorElements(access, kVectorBytes,
                                             /*maskWhole=*/!isAsync));
}

LogicalResult tile::checkPlan(tile::StoreOp store, const Access &access,
                              const AccessAnalysis &analysis) {
  if (!store.getPlan())
    return store.emitOpError() << "expected a plan, got none";
  CopyMechanism mechanism = store.getPlan()->getMechanism();
  if (mechanism != CopyMechanism::Registers && mechanism != CopyMechanism::Tma)
    return store.emitOpError()
           << "by " << stringifyCopyMechanism(store.getPlan()->getMechanism())
           << " is not lowered yet; from registers and by tma are";
  return checkVector(store, *store.getPlan(),
                     analysis.vectorElements(access, kVectorBytes,
                                             /*maskWhole=*/true));
}

//===----------------------------------------------------------------------===//
// Dots
//===----------------------------------------------------------------------===//

PlanAttr tile::planOf(KernelOp kernel) {
  if (PlanAttr plan = kernel.getPlanAttr())
    return plan;
  return PlanAttr::get(kernel.getContext(),
                       DictionaryAttr::get(kernel.getContext()));
}

int64_t tile::warpsOf(KernelOp kernel) {
  return planOf(kernel).getInt("warps");
}

const TargetInfo &tile::targetOf(KernelOp kernel) {
  // The table of keys has no other names.
  return *findTarget(planOf(kernel).getString("target"));
}

std::string tile::describeTile(DotOp dot) {
  auto a = cast<RankedTensorType>(dot.getA().getType());
  auto b = cast<RankedTensorType>(dot.getB().getType());
  return (Twine(a.getDimSize(0)) + "x" + Twine(b.getDimSize(1)) + "x" +
          Twine(a.getDimSize(1)))
      .str();
}

std::string tile::reasonAgainstSums(DotOp dot) {
  auto a = cast<RankedTensorType>(dot.getA().getType());
  int64_t k = a.getDimSize(1);
  // Sums of 8-bit floats keep 13 bits of fraction (seen on an H200).  A product
  // is one tile of k's.
  if (!isa<Float8E4M3FNType, Float8E5M2Type>(a.getElementType()) ||
      int64_t(dot.getPromoteEvery().value_or(0)) >= k)
    return "";
  return ("it sums 8-bit floats in 14 bits, which takes promote_every of the "
          "tile's k, " +
          Twine(k) + ", or more")
      .str();
}

LogicalResult tile::checkPlan(DotOp dot, int64_t warps) {
  if (!dot.getPlan())
    return dot.emitOpError() << "expected a plan, got none";
  MmaAttr plan = *dot.getPlan();
  Type operand = getElementTypeOrSelf(dot.getA());
  Type accumulator = getElementTypeOrSelf(dot.getAcc());
  if (!findMmaShape(plan.getInstruction(), operand, accumulator,
                    dot.getPrecision())) {
    InFlightDiagnostic error = dot.emitOpError();
    error << "expected a plan for " << operand
          << " operands and an accumulator of " << accumulator;
    if (dot.getPrecision() != Precision::Ieee)
      error << " with precision " << stringifyPrecision(dot.getPrecision());
    return error << ", got " << plan;
  }
  ArrayRef<int64_t> grid = plan.getWarps();
  bool isWgmma = plan.getInstruction() == Instruction::Wgmma;
  if (grid[0] * grid[1] * (isWgmma ? 4 : 1) != warps)
    return dot.emitOpError() << "expected a plan over the kernel's " << warps
                             << " warps, got " << grid[0] << "x" << grid[1];
  auto a = cast<RankedTensorType>(dot.getA().getType());
  auto acc = cast<RankedTensorType>(dot.getType());
  llvm::Expected<TileLayout> layout =
      tile::gpu::accumulatorLayout(plan, acc.getShape());
  if (!layout)
    return dot.emitOpError() << "has no layout for its accumulator: "
                             << llvm::toString(layout.takeError());
  if (ArrayRef<int64_t>(layout->shape()) != acc.getShape() ||
      (isWgmma && a.getDimSize(1) % plan.getK() != 0))
    return dot.emitOpError()
           << "of " << describeTile(dot) << " is not lowered yet under " << plan
           << ": its sides are not multiples";
  if (std::string reason = isWgmma ? reasonAgainstSums(dot) : "";
      !reason.empty())
    return dot.emitOpError()
           << "cannot use wgmma, which its plan asks for: " << reason;
  return success();
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static LogicalResult checkStep(scf::ForOp loop) {
  APInt step;
  if (!matchPattern(loop.getStep(), m_ConstantInt(&step)))
    return success();
  bool isPositive =
      loop.getUnsignedCmp() ? !step.isZero() : step.isStrictlyPositive();
  if (isPositive)
    return success();
  return loop.emitOpError()
         << "expected a step of at least 1, got " << step.getSExtValue();
}

LogicalResult tile::checkSteps(KernelOp kernel) {
  WalkResult result = kernel.walk(
      [](scf::ForOp loop) -> WalkResult { return checkStep(loop); });
  return failure(result.wasInterrupted());
}

LogicalResult tile::checkConstants(KernelOp kernel) {
  WalkResult result = kernel.walk([](Operation *op) -> WalkResult {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return checkStep(loop);
    bool divides =
        isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
            arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op);
    if (divides && matchPattern(op->getOperand(1), m_Zero()))
      return op->emitOpError() << "expected a divisor other than 0, got 0";
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
