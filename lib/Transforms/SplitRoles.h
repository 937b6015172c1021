//===- SplitRoles.h - What splits a kernel into roles -----------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SplitRoles.cpp says what becomes of a kernel; SplitConsumer.cpp has the part
// of the warpgroups that multiply.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_SPLITROLES_H
#define TILE_TRANSFORMS_SPLITROLES_H

#include "tile/Analysis/AccessAnalysis.h"
#include "tile/GPU/TileGPUOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace tile {

/// An operand of the dot and the ring that it arrives in.
struct RingOperand {
  LoadOp load;
  Access access;
  gpu::BufferType type;
  /// Rows of one box.
  int64_t boxRows;
  /// Whether the CTAs of a cluster issue half of the boxes each.
  bool shares;
  mlir::Value ring, map;
};

/// A tile that the epilogue reads, and that can be in the cache by then.
struct EpilogueTile {
  LoadOp load;
  Access access;
  mlir::Value map;
};

/// How the tile of a CTA stands to that of the other one of its cluster.
struct ClusterPair {
  /// Whether the other CTA has a tile too; null without clusters.
  mlir::Value paired;
  /// For each operand, whether it reads the same tiles; null where halves of
  /// the tile cannot be told apart.
  llvm::SmallVector<mlir::Value> shared;
};

/// Splits one kernel.
class RoleSplitter {
public:
  explicit RoleSplitter(KernelOp kernel)
      : kernel(kernel), analysis(kernel),
        isCluster(kernel.getPlanAttr().getInt("cluster") == 2) {}
  mlir::LogicalResult run();

private:
  mlir::LogicalResult check();
  std::string reasonAgainstPlan();
  mlir::LogicalResult collectOperand(mlir::Value value);
  bool isKnownBefore(const Access &access);
  void collectPrefetches();
  void createShared(mlir::OpBuilder &builder);
  gpu::RoleOp createRole(mlir::OpBuilder &builder, llvm::StringRef name,
                         int64_t warps, int64_t registers);
  void emitProducer(gpu::RoleOp role);
  void emitConsumer(gpu::RoleOp role);
  mlir::Value produceTile(mlir::OpBuilder &builder,
                          const mlir::IRMapping &scalars, mlir::Value cursor,
                          const ClusterPair &pair);
  /// Whether the copy engine stores results.
  bool storesByEngine();
  void prepareEpilogue(mlir::OpBuilder &builder, mlir::IRMapping &scalars);
  mlir::Value consumeTile(mlir::OpBuilder &builder, mlir::IRMapping &scalars,
                          mlir::Value cursor, const ClusterPair &pair);
  ClusterPair emitPair(mlir::OpBuilder &builder, const mlir::IRMapping &scalars,
                       mlir::Value tile, mlir::Value tiles);
  mlir::Value startProduct(mlir::OpBuilder &builder, mlir::Value cursor,
                           mlir::Value acc);
  mlir::scf::ForOp addProducts(mlir::OpBuilder &builder,
                               const mlir::IRMapping &scalars,
                               mlir::Value cursor, const ClusterPair &pair);
  mlir::scf::ForOp chainProducts(mlir::OpBuilder &builder,
                                 const mlir::IRMapping &scalars,
                                 mlir::Value cursor, const ClusterPair &pair);
  template <typename Fn>
  void forEachTile(mlir::OpBuilder &builder, Fn body);
  void eraseOld(gpu::RolesOp roles);

  KernelOp kernel;
  mlir::scf::ForOp loop;
  int64_t stages = 0;
  AccessAnalysis analysis;
  DotOp dot;
  bool isCluster;
  /// Which value the loop carries is the accumulator.
  unsigned accIndex = 0;
  std::vector<RingOperand> operands;
  std::vector<EpilogueTile> prefetches;
  mlir::Value full, empty;
};

} // namespace tile

#endif // TILE_TRANSFORMS_SPLITROLES_H
