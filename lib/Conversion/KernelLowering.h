//===- KernelLowering.h - One kernel on its way to NVVM ---------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lowering is one walk in program order.  A value of the input stands for a
// list of LLVM values, its *parts*:
//   scalar            itself
//   !tile.ptr         a pointer to global memory
//   cursor            its slot, an i32; in a kernel with transaction barriers
//                     also its phase, 0 or 1, another i32
//   buffer, barriers  the offset in shared memory in bytes, an i32
//   tensor map        a pointer to the kernel's parameter
//   tensor            one vector for each fragment of registers
//   pending tensor    one struct for each wgmma instruction
// Each family of ops has a file with its `lower` functions.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_CONVERSION_KERNELLOWERING_H
#define TILE_CONVERSION_KERNELLOWERING_H

#include "CodeBuilder.h"
#include "FragmentOrder.h"
#include "RegisterRoom.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tile/GPU/TileGPUOps.h"

namespace tile {

/// How the registers of a tensor are spread over vectors.
struct FragmentShape {
  int64_t count;
  int64_t width;
};

/// Registers of a vector: at most four, and the same for all element types, so
/// that an elementwise op works on one fragment of each operand.
FragmentShape fragmentShape(const TileLayout &layout);

/// The warps that run what is being lowered: all, or those of one role.
struct RoleScope {
  int64_t firstWarp = 0;
  /// One thread alone runs all of it.
  bool isOneThread = false;
  /// Threads read slots of shared memory themselves, so that a warpgroup has
  /// finished with a slot only when all its threads have.
  bool readsSlots = false;
  /// The role's named barrier, or 0 for all threads.
  int64_t barrierId = 0;
};

/// Lowers the body of one kernel into one function.
class KernelLowering {
public:
  KernelLowering(KernelOp kernel, mlir::LLVM::LLVMFuncOp func,
                 mlir::LLVM::GlobalOp shared, int64_t numThreads);

  mlir::LogicalResult run();

  /// The function that the kernel becomes.
  mlir::LLVM::LLVMFuncOp getFunction() { return func; }

  CodeBuilder code;
  /// The kernel's shared memory.
  mlir::Value sharedMemory;
  RoleScope role;
  /// Whether CTAs run in clusters of two.
  bool isCluster = false;
  /// Reads of global memory for tiles in registers.
  LoadsInFlight globalLoads;
  /// What threads hold.
  RegisterRoom room;
  /// Ops of arith and math that are left for their own conversion.
  llvm::SmallVector<mlir::Operation *> leftovers;

  /// Types of the parts of a value, or a diagnostic at `op`.
  mlir::FailureOr<llvm::SmallVector<mlir::Type>> partTypes(mlir::Operation *op,
                                                           mlir::Type type);

  mlir::ArrayRef<mlir::Value> parts(mlir::Value value) {
    return valueParts.find(value)->second;
  }
  mlir::Value part(mlir::Value value) { return parts(value).front(); }
  llvm::SmallVector<mlir::Value> parts(mlir::ValueRange values);
  void setParts(mlir::Value value, mlir::ValueRange parts);

  /// The single registers of a tensor.
  llvm::SmallVector<mlir::Value> unpack(mlir::Value tensor);
  /// Sets a tensor from its single registers.
  void setRegisters(mlir::Value tensor, mlir::ArrayRef<mlir::Value> registers);
  /// `count` neighbouring registers of a tensor as one value.
  mlir::Value registers(mlir::Value tensor, int64_t first, int64_t count);

  /// The type of an element in memory: i1 and 8-bit floats are bytes there.
  mlir::Type memoryType(mlir::Type element);
  /// A vector, or a scalar for one element.
  static mlir::Type vectorOf(mlir::Type element, int64_t count);

  /// Lowers all ops of a block but its terminator.
  mlir::LogicalResult lowerBody(mlir::Block &block);
  mlir::LogicalResult lowerOp(mlir::Operation *op);
  /// Whether this thread is the one that acts for its role.
  mlir::Value isRoleLeader();
  /// The thread's number in its warpgroup.
  mlir::Value threadInWarpgroup();
  /// Whether this thread is the one that acts for its warpgroup.
  mlir::Value isWarpgroupLeader();
  /// Emits `body` for one thread of the role.
  void whenRoleLeader(llvm::function_ref<void()> body);
  /// Makes the threads of each warpgroup wait for each other.
  void warpgroupBarrier();
  /// The CTA's number in its cluster.
  mlir::Value clusterRank();
  /// Makes the threads of both CTAs of a cluster wait for each other; `aligned`
  /// if the warps are known to be whole.
  void clusterBarrier(bool aligned);
  /// Shared memory, moved by a constant and by `slot` slots.
  mlir::Value slotAddress(int64_t offset, mlir::Value slot, int64_t slotBytes);
  /// Emits the next `count` asynchronous copies that wait to be, each with the
  /// end of its group.  Until something orders them they may stand anywhere,
  /// and between the steps of a product is better than all before it: the
  /// threads start to multiply at once.
  mlir::LogicalResult emitWaitingCopies(unsigned count = ~0u);
  /// Says that an op cannot be lowered, and why.
  static mlir::LogicalResult refuse(mlir::Operation *op,
                                    const llvm::Twine &reason = "");

private:
  mlir::LogicalResult emitOp(mlir::Operation *op);

  KernelOp kernel;
  mlir::LLVM::LLVMFuncOp func;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 1>> valueParts;
  /// Whether cursors have a phase.
  bool hasPhases = false;
  /// Copies and commits in program order, not yet emitted.
  llvm::SmallVector<mlir::Operation *> waitingCopies;
};

/// Whether threads read slots themselves, not only by wgmma.
bool readsSlots(mlir::Region &region);

/// One vector of these elements, or the one element.
mlir::Value packVector(CodeBuilder &, llvm::ArrayRef<mlir::Value> elements);

/// The layout of a tensor type, or null.
LayoutAttr layoutOf(mlir::Type type);

// KernelLowering.cpp
mlir::LogicalResult lower(KernelLowering &, ProgramIdOp);
mlir::LogicalResult lower(KernelLowering &, NumProgramsOp);
mlir::LogicalResult lower(KernelLowering &, OffsetOp);
mlir::LogicalResult lower(KernelLowering &, AssumeOp);

// Control.cpp
mlir::LogicalResult lower(KernelLowering &, mlir::scf::ForOp);
mlir::LogicalResult lower(KernelLowering &, mlir::scf::IfOp);
mlir::LogicalResult lower(KernelLowering &, mlir::scf::WhileOp);

// Rings.cpp
mlir::LogicalResult lower(KernelLowering &, gpu::AllocOp);
mlir::LogicalResult lower(KernelLowering &, gpu::CursorOp);
mlir::LogicalResult lower(KernelLowering &, gpu::AdvanceOp);
mlir::LogicalResult lower(KernelLowering &, gpu::CommitOp);
mlir::LogicalResult lower(KernelLowering &, gpu::WaitOp);
mlir::LogicalResult lower(KernelLowering &, gpu::BarrierOp);

// Copies.cpp
mlir::LogicalResult lower(KernelLowering &, gpu::CopyAsyncOp);
mlir::LogicalResult lower(KernelLowering &, gpu::CopyOp);

// GlobalAccess.cpp
mlir::LogicalResult lower(KernelLowering &, gpu::LoadOp);
mlir::LogicalResult lower(KernelLowering &, gpu::StoreOp);

// ElementAccess.cpp
mlir::LogicalResult lower(KernelLowering &, LoadOp);
mlir::LogicalResult lower(KernelLowering &, StoreOp);
mlir::LogicalResult lower(KernelLowering &, AtomicRmwOp);
mlir::LogicalResult lower(KernelLowering &, AtomicCasOp);

// LocalAccess.cpp
mlir::LogicalResult lower(KernelLowering &, gpu::LocalLoadOp);
mlir::LogicalResult lower(KernelLowering &, gpu::LocalStoreOp);
mlir::LogicalResult lower(KernelLowering &, gpu::ConvertLayoutOp);

// Roles.cpp
mlir::LogicalResult lower(KernelLowering &, gpu::RolesOp);
mlir::LogicalResult lower(KernelLowering &, gpu::CtaOp);
mlir::LogicalResult lower(KernelLowering &, gpu::NumCtasOp);

// TransactionBarriers.cpp
/// What one thread does before all else: initialises the kernel's barriers and
/// fetches its tensor maps.
mlir::LogicalResult emitPrologue(KernelLowering &, KernelOp);
mlir::LogicalResult lower(KernelLowering &, gpu::BarriersOp);
mlir::LogicalResult lower(KernelLowering &, gpu::WaitFullOp);
mlir::LogicalResult lower(KernelLowering &, gpu::WaitFreeOp);
mlir::LogicalResult lower(KernelLowering &, gpu::ReleaseOp);
mlir::LogicalResult lower(KernelLowering &, gpu::ExpectOp);

// Tma.cpp
mlir::LogicalResult lower(KernelLowering &, gpu::TensorMapOp);
mlir::LogicalResult lower(KernelLowering &, gpu::TmaLoadOp);
mlir::LogicalResult lower(KernelLowering &, gpu::TmaPrefetchOp);
mlir::LogicalResult lower(KernelLowering &, gpu::FenceAsyncOp);

// TmaStore.cpp
mlir::LogicalResult lower(KernelLowering &, gpu::TmaStoreOp);
mlir::LogicalResult lower(KernelLowering &, gpu::TmaStoreWaitOp);

// Wgmma.cpp
mlir::LogicalResult lower(KernelLowering &, gpu::WgmmaOp);
mlir::LogicalResult lower(KernelLowering &, gpu::WgmmaWaitOp);
mlir::LogicalResult lower(KernelLowering &, gpu::WgmmaFinishOp);

// Mma.cpp and Fma.cpp
mlir::LogicalResult lower(KernelLowering &, gpu::MmaOp);
mlir::LogicalResult lowerMmaSync(KernelLowering &, gpu::MmaOp);
mlir::LogicalResult lowerFma(KernelLowering &, gpu::MmaOp);

// ShapeOps.cpp
mlir::LogicalResult lower(KernelLowering &, SplatOp);
mlir::LogicalResult lower(KernelLowering &, IotaOp);
mlir::LogicalResult lower(KernelLowering &, ExpandDimsOp);
mlir::LogicalResult lower(KernelLowering &, BroadcastOp);
mlir::LogicalResult lower(KernelLowering &, TransposeOp);
mlir::LogicalResult lower(KernelLowering &, ReshapeOp);

// Reduce.cpp and Scan.cpp
mlir::LogicalResult lower(KernelLowering &, ReduceOp);
mlir::LogicalResult lower(KernelLowering &, ScanOp);

// Debug.cpp
mlir::LogicalResult lower(KernelLowering &, PrintOp);
mlir::LogicalResult lower(KernelLowering &, AssertOp);

// Elementwise.cpp: every op of arith and math.
mlir::LogicalResult lowerElementwise(KernelLowering &, mlir::Operation *);

// NarrowCasts.cpp
/// Whether an op is a conversion from or to an 8-bit float.
bool isNarrowCast(mlir::Operation *);
mlir::LogicalResult lowerNarrowCast(KernelLowering &, mlir::Operation *);

// Math.cpp
/// Whether an op of math is a function that `lowerMath` writes out.
bool isExpandedFunction(mlir::Operation *);
mlir::LogicalResult lowerMath(KernelLowering &, mlir::Operation *);

// DoubleMath.cpp
/// Whether an op of math is a function of f64 that `lowerDoubleMath` writes
/// out.
bool isDoubleFunction(mlir::Operation *);
mlir::LogicalResult lowerDoubleMath(KernelLowering &, mlir::Operation *);

// LoopedFunctions.cpp
/// Whether an op is a power of integers or a remainder of f32 or less.
bool isLoopedFunction(mlir::Operation *);
mlir::LogicalResult lowerLoopedFunction(KernelLowering &, mlir::Operation *);

} // namespace tile

#endif // TILE_CONVERSION_KERNELLOWERING_H
