//===- Roles.cpp - Warps that do different things -------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A chain of branches on the warp's number, one role behind each; all roles end
// in one block.  A role that only feeds the copy engine runs on one thread of
// its first warp, loops and all: nothing else is ready as early, and no lane
// waits for another.
//
//===----------------------------------------------------------------------===//

#include "KernelLowering.h"

#include "tile/GPU/Target.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

static constexpr int64_t kMaxWarps = 32;

LogicalResult tile::lower(KernelLowering &kernel, CtaOp op) {
  CodeBuilder &code = kernel.code;
  kernel.setParts(
      op,
      NVVM::BlockIdXOp::create(code.builder, code.loc, code.i32()).getResult());
  return success();
}

LogicalResult tile::lower(KernelLowering &kernel, NumCtasOp op) {
  CodeBuilder &code = kernel.code;
  kernel.setParts(
      op,
      NVVM::GridDimXOp::create(code.builder, code.loc, code.i32()).getResult());
  return success();
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Registers of a thread before any role asks for its own: what ptxas gives
/// under maxntid, in steps of 8.
static int64_t initialRegisters(int64_t numThreads) {
  return std::min(kRegistersPerSM / numThreads, kMaxThreadRegisters) &
         ~int64_t(7);
}

/// Whether the roles' registers fit the program's: setmaxnreg waits for free
/// ones, so that the kernel would hang otherwise.
static LogicalResult checkRegisters(RolesOp op, int64_t numThreads) {
  int64_t initial = initialRegisters(numThreads);
  int64_t sum = 0;
  for (RoleOp role : op.getBody().front().getOps<RoleOp>())
    sum += role.getWarps() * role.getRegisters().value_or(initial);
  int64_t budget = op.getNumWarps() * initial;
  if (sum <= budget)
    return success();
  return op.emitOpError() << "expected roles with at most "
                          << (budget << kLaneBits)
                          << " registers together, got " << (sum << kLaneBits);
}

/// Tensors from before the roles belong to other threads than a role's.
static LogicalResult checkTensors(RolesOp op) {
  WalkResult result = op.walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) {
      Operation *def = operand.getDefiningOp();
      bool isInside = op.getBody().isAncestor(operand.getParentRegion());
      if (isInside || !isa<RankedTensorType>(operand.getType()) ||
          isa_and_present<arith::ConstantOp>(def))
        continue;
      InFlightDiagnostic error =
          inner->emitOpError() << "expected a tensor of its role or a constant";
      error.attachNote(operand.getLoc()) << "got one from before the roles";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

static LogicalResult check(RolesOp op) {
  int64_t warps = op.getNumWarps();
  if (warps > kMaxWarps)
    return op.emitOpError() << "expected at most " << kMaxWarps
                            << " warps in all roles, got " << warps;
  for (Operation *next = op->getNextNode(); next; next = next->getNextNode())
    if (!next->hasTrait<OpTrait::IsTerminator>() && !isMemoryEffectFree(next))
      return op.emitOpError()
             << "expected no work after the roles, got " << next->getName();
  if (failed(checkRegisters(op, warps << kLaneBits)))
    return failure();
  return checkTensors(op);
}

/// Whether one thread can do all of a role: it works on scalars, and what it
/// does in memory is done by one thread or is waiting.
static bool needsOneThread(RoleOp role) {
  bool feeds = false;
  WalkResult result = role.getBody().walk([&](Operation *op) {
    if (isa<ExpectOp, TmaLoadOp>(op))
      feeds = true;
    bool isAllowed =
        isa<ExpectOp, TmaLoadOp, TmaPrefetchOp, WaitFreeOp, WaitFullOp>(op) ||
        op->getNumRegions() != 0 || op->hasTrait<OpTrait::IsTerminator>() ||
        isMemoryEffectFree(op);
    bool hasTensors =
        llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
    return WalkResult(success(isAllowed && !hasTensors));
  });
  return feeds && !result.wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

/// Takes or gives away registers.
static void setRegisters(CodeBuilder &code, RoleOp role, int64_t numThreads) {
  if (!role.getRegisters())
    return;
  int64_t want = *role.getRegisters();
  int64_t initial = initialRegisters(numThreads);
  if (want == initial)
    return;
  NVVM::SetMaxRegisterOp::create(code.builder, code.loc, want,
                                 want > initial
                                     ? NVVM::SetMaxRegisterAction::increase
                                     : NVVM::SetMaxRegisterAction::decrease);
}

/// Lowers the body of a role, which begins in `entry` and ends in `exit`.
static LogicalResult lowerRole(KernelLowering &kernel, RoleOp op, Block *entry,
                               Block *exit, RoleScope scope,
                               int64_t numThreads) {
  CodeBuilder &code = kernel.code;
  code.loc = op.getLoc();
  code.continueAt(entry);
  setRegisters(code, op, numThreads);
  Block *body = code.appendBlock();
  if (scope.isOneThread) {
    Block *warp = code.appendBlock();
    Value isFirst = code.compare(LLVM::ICmpPredicate::eq, code.warpId(),
                                 code.constI32(scope.firstWarp));
    LLVM::CondBrOp::create(code.builder, code.loc, isFirst, warp, exit);
    code.continueAt(warp);
    Value elected =
        NVVM::ElectSyncOp::create(code.builder, code.loc, code.i1(), Value());
    LLVM::CondBrOp::create(code.builder, code.loc, elected, body, exit);
  } else {
    LLVM::BrOp::create(code.builder, code.loc, ValueRange(), body);
  }
  code.enterGroup(entry, scope.firstWarp, op.getWarps());
  kernel.role = scope;
  code.continueAt(body);
  LogicalResult result = kernel.lowerBody(op.getBody().front());
  if (succeeded(result))
    LLVM::BrOp::create(code.builder, op.getLoc(), ValueRange(), exit);
  kernel.role = RoleScope();
  code.leaveGroup();
  return result;
}

LogicalResult tile::lower(KernelLowering &kernel, RolesOp op) {
  if (failed(check(op)))
    return failure();
  CodeBuilder &code = kernel.code;
  int64_t numThreads = code.numThreads, firstWarp = 0;
  // Barrier 0 is that of all threads, then come those of the warpgroups.
  int64_t barrierId = 1 + op.getNumWarps() / 4;
  Value warp = code.warpId();
  Block *exit = code.appendBlock();
  for (RoleOp role : op.getBody().front().getOps<RoleOp>()) {
    RoleScope scope;
    scope.firstWarp = firstWarp;
    scope.isOneThread = needsOneThread(role);
    scope.readsSlots = readsSlots(role.getBody());
    // A role of one warpgroup shares the barrier of it.
    scope.barrierId = role.getWarps() == 4 ? 1 + firstWarp / 4 : barrierId++;
    firstWarp += role.getWarps();
    Block *entry = code.appendBlock(), *others = code.appendBlock();
    if (role->getNextNode()) {
      Value isMine = code.compare(LLVM::ICmpPredicate::ult, warp,
                                  code.constI32(firstWarp));
      LLVM::CondBrOp::create(code.builder, code.loc, isMine, entry, others);
    } else {
      LLVM::BrOp::create(code.builder, code.loc, ValueRange(), entry);
      others->erase();
      others = nullptr;
    }
    if (failed(lowerRole(kernel, role, entry, exit, scope, numThreads)))
      return failure();
    if (others)
      code.continueAt(others);
  }
  code.continueAt(exit);
  return success();
}
