//===- KernelLowering.cpp - One kernel on its way to NVVM -----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelLowering.h"
#include "WgmmaTiles.h"

#include "tile/GPU/ThreadElements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;

FragmentShape tile::fragmentShape(const TileLayout &layout) {
  int64_t numRegs = layout.numRegs();
  int64_t width = std::min<int64_t>(numRegs & -numRegs, 4);
  return {numRegs / width, width};
}

LayoutAttr tile::layoutOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? dyn_cast_if_present<LayoutAttr>(tensor.getEncoding())
                : LayoutAttr();
}

KernelLowering::KernelLowering(KernelOp kernel, LLVM::LLVMFuncOp func,
                               LLVM::GlobalOp shared, int64_t numThreads)
    : code(func, numThreads), room(kernel, numThreads), kernel(kernel),
      func(func) {
  kernel.walk([&](gpu::BarriersOp) { hasPhases = true; });
  role.readsSlots = readsSlots(kernel.getBody());
  if (PlanAttr plan = kernel.getPlanAttr())
    isCluster = plan.getInt("cluster") == 2;
  OpBuilder at = code.entryBuilder();
  sharedMemory = LLVM::AddressOfOp::create(at, func.getLoc(), shared);
}

bool tile::readsSlots(Region &region) {
  // What threads write themselves, barriers order.
  auto isFilled = [](Value buffer) {
    return llvm::none_of(buffer.getUsers(), llvm::IsaPred<gpu::LocalStoreOp>);
  };
  return region
      .walk([&](Operation *op) {
        auto load = dyn_cast<gpu::LocalLoadOp>(op);
        bool reads =
            isa<gpu::MmaOp>(op) || (load && isFilled(load.getBuffer()));
        return WalkResult(failure(reads));
      })
      .wasInterrupted();
}

LogicalResult KernelLowering::refuse(Operation *op, const llvm::Twine &reason) {
  InFlightDiagnostic error = op->emitOpError() << "is not lowered to NVVM yet";
  if (!reason.isTriviallyEmpty())
    error << ": " << reason;
  return error;
}

//===----------------------------------------------------------------------===//
// Types and values
//===----------------------------------------------------------------------===//

Type KernelLowering::memoryType(Type element) {
  bool isByte = element.getIntOrFloatBitWidth() <= 8;
  return isByte ? code.builder.getI8Type() : element;
}

Type KernelLowering::vectorOf(Type element, int64_t count) {
  return count == 1 ? element : VectorType::get(count, element);
}

/// One struct for each instruction of a warpgroup.
static FailureOr<SmallVector<Type>> pendingTypes(Operation *op,
                                                 tile::gpu::PendingType type) {
  FailureOr<WgmmaTiles> tiles = WgmmaTiles::of(op, type.getTensor());
  if (failed(tiles))
    return failure();
  Type part = tiles->structType(type.getTensor().getElementType());
  return SmallVector<Type>(tiles->tiles.size(), part);
}

FailureOr<SmallVector<Type>> KernelLowering::partTypes(Operation *op,
                                                       Type type) {
  auto inRegister = [&](Type element) -> Type {
    if (isa<IndexType>(element))
      return code.i64();
    // LLVM has no 8-bit floats: they travel as bytes.
    if (isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 8)
      return code.builder.getI8Type();
    return element;
  };
  if (isa<PointerType>(type))
    return SmallVector<Type>{code.pointer(1)};
  if (isa<gpu::CursorType>(type))
    return SmallVector<Type>(hasPhases ? 2 : 1, code.i32());
  if (isa<gpu::BufferType, gpu::BarriersType>(type))
    return SmallVector<Type>{code.i32()};
  if (isa<gpu::TensorMapType>(type))
    return SmallVector<Type>{code.pointer(0)};
  if (auto pending = dyn_cast<gpu::PendingType>(type))
    return pendingTypes(op, pending);
  if (type.isIntOrIndexOrFloat())
    return SmallVector<Type>{inRegister(type)};
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    LayoutAttr layout = layoutOf(type);
    if (!layout)
      return op->emitOpError() << "expected a layout on " << type;
    if (layout.getLayout().numWarps() << kLaneBits > code.numThreads)
      return op->emitOpError()
             << "expected a layout of at most "
             << (code.numThreads >> kLaneBits) << " warps, got "
             << layout.getLayout().numWarps();
    if (layout.getLayout().numRegs() > kMaxThreadElements)
      return op->emitOpError()
             << "expected at most " << kMaxThreadElements
             << " elements a thread, got " << layout.getLayout().numRegs()
             << " of " << tensor.getElementType() << " on "
             << (code.numThreads >> kLaneBits)
             << (code.numThreads >> kLaneBits == 1 ? " warp" : " warps")
             << "; a smaller tile, or more warps, leaves fewer";
    FragmentShape shape = fragmentShape(layout.getLayout());
    Type part = vectorOf(inRegister(tensor.getElementType()), shape.width);
    return SmallVector<Type>(shape.count, part);
  }
  return refuse(op, "it has a value of a type without a counterpart");
}

SmallVector<Value> KernelLowering::parts(ValueRange values) {
  SmallVector<Value> all;
  for (Value value : values)
    llvm::append_range(all, parts(value));
  return all;
}

void KernelLowering::setParts(Value value, ValueRange parts) {
  valueParts[value] = llvm::to_vector<1>(parts);
}

SmallVector<Value> KernelLowering::unpack(Value tensor) {
  SmallVector<Value> registers;
  for (Value fragment : SmallVector<Value>(parts(tensor))) {
    auto vector = dyn_cast<VectorType>(fragment.getType());
    if (!vector) {
      registers.push_back(fragment);
      continue;
    }
    for (int64_t position = 0; position < vector.getNumElements(); ++position)
      registers.push_back(code.extract(fragment, position));
  }
  return registers;
}

Value tile::packVector(CodeBuilder &code, ArrayRef<Value> elements) {
  if (elements.size() == 1)
    return elements.front();
  Value vector =
      code.poison(VectorType::get(elements.size(), elements.front().getType()));
  for (auto [position, element] : llvm::enumerate(elements))
    vector = code.insert(vector, element, position);
  return vector;
}

void KernelLowering::setRegisters(Value tensor, ArrayRef<Value> registers) {
  FragmentShape shape = fragmentShape(layoutOf(tensor.getType()).getLayout());
  SmallVector<Value> fragments;
  for (int64_t index = 0; index < shape.count; ++index)
    fragments.push_back(
        packVector(code, registers.slice(index * shape.width, shape.width)));
  setParts(tensor, fragments);
}

Value KernelLowering::registers(Value tensor, int64_t first, int64_t count) {
  FragmentShape shape = fragmentShape(layoutOf(tensor.getType()).getLayout());
  ArrayRef<Value> fragments = parts(tensor);
  Value fragment = fragments[first / shape.width];
  int64_t inside = first % shape.width;
  if (count == shape.width)
    return fragment;
  if (count == 1)
    return code.extract(fragment, inside);
  SmallVector<int32_t> mask;
  if (count < shape.width) {
    for (int64_t position = 0; position < count; ++position)
      mask.push_back(inside + position);
    return LLVM::ShuffleVectorOp::create(code.builder, code.loc, fragment,
                                         fragment, mask);
  }
  SmallVector<Value> elements;
  for (int64_t reg = first; reg < first + count; ++reg) {
    Value source = fragments[reg / shape.width];
    elements.push_back(
        shape.width == 1 ? source : code.extract(source, reg % shape.width));
  }
  return packVector(code, elements);
}

//===----------------------------------------------------------------------===//
// Threads and slots
//===----------------------------------------------------------------------===//

Value KernelLowering::isRoleLeader() {
  return code.compare(LLVM::ICmpPredicate::eq, code.threadId(),
                      code.constI32(0));
}

Value KernelLowering::threadInWarpgroup() {
  return code.threadLinear({1, 2, 4, 8, 16, 32, 64});
}

Value KernelLowering::isWarpgroupLeader() {
  return code.compare(LLVM::ICmpPredicate::eq, threadInWarpgroup(),
                      code.constI32(0));
}

void KernelLowering::whenRoleLeader(llvm::function_ref<void()> body) {
  if (role.isOneThread)
    return body();
  code.when(isRoleLeader(), body);
}

void KernelLowering::warpgroupBarrier() {
  // Barrier 0 is that of all threads; those of the warpgroups follow.
  int64_t first = 1 + role.firstWarp / 4;
  Value id = code.add(code.warpgroupId(), code.constI32(first));
  NVVM::BarrierOp::create(code.builder, code.loc, Type(), id,
                          code.constI32(kWarpgroupThreads), nullptr, Value());
}

Value KernelLowering::clusterRank() {
  return NVVM::ClusterId::create(code.builder, code.loc, code.i32());
}

void KernelLowering::clusterBarrier(bool aligned) {
  auto isAligned = aligned ? code.builder.getUnitAttr() : UnitAttr();
  NVVM::ClusterArriveRelaxedOp::create(code.builder, code.loc, isAligned);
  NVVM::ClusterWaitOp::create(code.builder, code.loc, isAligned);
}

Value KernelLowering::slotAddress(int64_t offset, Value slot,
                                  int64_t slotBytes) {
  if (std::optional<int64_t> known = CodeBuilder::getConstant(slot))
    return code.gepBytes(sharedMemory, offset + *known * slotBytes);
  Value moved = code.gep(sharedMemory, code.builder.getI8Type(),
                         code.mul(slot, code.constI32(slotBytes)));
  return code.gepBytes(moved, offset);
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

/// Reads the grid: `tile.program_id` and `tile.num_programs`.
template <typename X, typename Y, typename Z>
static Value readGrid(CodeBuilder &code, Axis axis) {
  switch (axis) {
  case Axis::X:
    return X::create(code.builder, code.loc, code.i32());
  case Axis::Y:
    return Y::create(code.builder, code.loc, code.i32());
  case Axis::Z:
    return Z::create(code.builder, code.loc, code.i32());
  }
  return {};
}

LogicalResult tile::lower(KernelLowering &kernel, ProgramIdOp op) {
  kernel.setParts(
      op, readGrid<NVVM::BlockIdXOp, NVVM::BlockIdYOp, NVVM::BlockIdZOp>(
              kernel.code, op.getAxis()));
  return success();
}

LogicalResult tile::lower(KernelLowering &kernel, NumProgramsOp op) {
  kernel.setParts(
      op, readGrid<NVVM::GridDimXOp, NVVM::GridDimYOp, NVVM::GridDimZOp>(
              kernel.code, op.getAxis()));
  return success();
}

LogicalResult tile::lower(KernelLowering &kernel, OffsetOp op) {
  Type element = kernel.memoryType(op.getPointer().getType().getElementType());
  kernel.setParts(op, kernel.code.gep(kernel.part(op.getPointer()), element,
                                      kernel.part(op.getElements())));
  return success();
}

/// What is assumed has been used by the planner.
LogicalResult tile::lower(KernelLowering &, AssumeOp) { return success(); }

LogicalResult KernelLowering::run() {
  Block &body = kernel.getBody().front();
  // Tensor maps follow the kernel's own arguments.
  unsigned next = body.getNumArguments();
  for (auto [from, to] : llvm::zip(body.getArguments(), func.getArguments()))
    setParts(from, to);
  kernel.walk(
      [&](gpu::TensorMapOp map) { setParts(map, func.getArgument(next++)); });
  if (failed(emitPrologue(*this, kernel)) || failed(lowerBody(body)))
    return failure();
  // No CTA leaves while the other one may still write to it or signal it.
  if (isCluster)
    clusterBarrier(/*aligned=*/false);
  LLVM::ReturnOp::create(code.builder, body.getTerminator()->getLoc(),
                         ValueRange());
  return success();
}

LogicalResult KernelLowering::lowerBody(Block &block) {
  for (Operation &op : block)
    if (!op.hasTrait<OpTrait::IsTerminator>() && failed(lowerOp(&op)))
      return failure();
  return emitWaitingCopies();
}

LogicalResult KernelLowering::emitWaitingCopies(unsigned count) {
  Location before = code.loc;
  for (; count > 0 && !waitingCopies.empty(); --count) {
    do {
      Operation *op = waitingCopies.front();
      waitingCopies.erase(waitingCopies.begin());
      if (failed(emitOp(op)))
        return failure();
    } while (!waitingCopies.empty() &&
             isa<gpu::CommitOp>(waitingCopies.front()));
  }
  code.loc = before;
  return success();
}

LogicalResult KernelLowering::lowerOp(Operation *op) {
  if (isa<gpu::CopyAsyncOp, gpu::CommitOp>(op)) {
    waitingCopies.push_back(op);
    return success();
  }
  bool ordersNothing = isa<gpu::MmaOp, gpu::WgmmaOp>(op) ||
                       (op->getNumRegions() == 0 && isMemoryEffectFree(op));
  if (!ordersNothing && failed(emitWaitingCopies()))
    return failure();
  return emitOp(op);
}

LogicalResult KernelLowering::emitOp(Operation *op) {
  code.loc = op->getLoc();
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case<ProgramIdOp, NumProgramsOp, OffsetOp, AssumeOp, SplatOp, IotaOp,
            ExpandDimsOp, BroadcastOp, TransposeOp, ReshapeOp, ReduceOp, ScanOp,
            LoadOp, StoreOp, AtomicRmwOp, AtomicCasOp, PrintOp, AssertOp,
            scf::ForOp, scf::IfOp, scf::WhileOp, gpu::AllocOp, gpu::CursorOp,
            gpu::AdvanceOp, gpu::CommitOp, gpu::WaitOp, gpu::BarrierOp,
            gpu::CopyAsyncOp, gpu::CopyOp, gpu::LoadOp, gpu::StoreOp,
            gpu::LocalLoadOp, gpu::LocalStoreOp, gpu::ConvertLayoutOp,
            gpu::MmaOp, gpu::RolesOp, gpu::CtaOp, gpu::NumCtasOp,
            gpu::BarriersOp, gpu::WaitFullOp, gpu::WaitFreeOp, gpu::ReleaseOp,
            gpu::ExpectOp, gpu::TensorMapOp, gpu::TmaLoadOp, gpu::FenceAsyncOp,
            gpu::TmaPrefetchOp, gpu::TmaStoreOp, gpu::TmaStoreWaitOp,
            gpu::WgmmaOp, gpu::WgmmaWaitOp, gpu::WgmmaFinishOp>(
          [&](auto typed) { return lower(*this, typed); })
      .Default([&](Operation *other) {
        if (isa_and_present<arith::ArithDialect, math::MathDialect>(
                other->getDialect()))
          return lowerElementwise(*this, other);
        return refuse(other);
      });
}
