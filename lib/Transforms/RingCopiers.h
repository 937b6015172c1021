//===- RingCopiers.h - What fills the rings of a loop -----------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_RINGCOPIERS_H
#define TILE_TRANSFORMS_RINGCOPIERS_H

#include "Blocks.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tile {

/// A load that became a ring.
struct StagedLoad {
  LoadOp load;
  Access access;
  CopyAttr plan;
  gpu::BufferType type;
  mlir::Value ring;
};

/// Emits the copies of one iteration and the order around them.
class RingCopier {
public:
  virtual ~RingCopier() = default;
  /// Starts the copies of the iteration whose induction variable is `at.to`
  /// into the slot at `cursor`, if `live` is null or true.
  virtual void start(mlir::OpBuilder &builder, const Substitution &at,
                     mlir::Value cursor, mlir::Value live) = 0;
  /// Waits until the copies into the slot at `cursor` have landed, those of so
  /// many newer iterations being still on their way.
  virtual void wait(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value cursor, int64_t ahead) = 0;
  /// The slot at `cursor` has been read.
  virtual void release(mlir::OpBuilder &, mlir::Location, mlir::Value) {}
  /// Waits, after the loop, for what is still on its way.
  virtual void drain(mlir::OpBuilder &, mlir::Location) {}
  /// Whether copies start while the iteration's first product runs; the slot
  /// that they overwrite was last read an iteration before.
  virtual bool startsInside() const { return false; }
};

/// Copies that all threads of the program start together: cp.async in groups,
/// plain copies where the plan says so.  The hazard analysis adds barriers.
std::unique_ptr<RingCopier>
createThreadCopier(llvm::ArrayRef<StagedLoad> loads);

/// Copies by the copy engine, which one thread starts, with transaction
/// barriers of `stages` slots.
std::unique_ptr<RingCopier> createTmaCopier(llvm::ArrayRef<StagedLoad> loads,
                                            mlir::scf::ForOp loop,
                                            int64_t stages);

} // namespace tile

#endif // TILE_TRANSFORMS_RINGCOPIERS_H
