//===- RandomProgram.h - Random index arithmetic, and its runs --*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TEST_UNIT_ANALYSIS_RANDOMPROGRAM_H
#define TILE_TEST_UNIT_ANALYSIS_RANDOMPROGRAM_H

#include "mlir/IR/BuiltinOps.h"
#include "tile/IR/TileOps.h"

#include <functional>
#include <random>

namespace tile::test {

using Lanes = llvm::SmallVector<int64_t>;

/// A kernel of scalar and tile arithmetic with loops, whose loads have random
/// offsets and masks.
class RandomProgram {
public:
  RandomProgram(mlir::MLIRContext &context, unsigned seed);

  KernelOp kernel() { return kernelOp; }
  /// Values of the arguments that fulfil their facts.
  llvm::DenseMap<mlir::Value, Lanes> arguments(unsigned trial);

private:
  using Pool = llvm::SmallVector<mlir::Value>;

  int64_t pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }
  mlir::Value from(const Pool &pool) {
    return pool[pick(0, static_cast<int64_t>(pool.size()) - 1)];
  }
  Pool &scalars(unsigned bits) { return bits == 32 ? scalars32 : scalars64; }
  Pool &tiles(unsigned bits) { return bits == 32 ? tiles32 : tiles64; }
  mlir::Type tileOf(mlir::Type element) const;
  mlir::Value constant(mlir::Type type, int64_t value);
  mlir::Value arithmetic(mlir::Value left, mlir::Value right);

  void addArguments();
  void addScalar();
  void addTile();
  void addCoordinate(unsigned bits);
  void addMask();
  void addLoad();
  void addOps(int64_t count);
  void addLoop(int64_t depth);

  std::mt19937 random;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  KernelOp kernelOp;
  mlir::OpBuilder builder;
  mlir::Location loc;
  llvm::SmallVector<int64_t> sides;
  Pool pointers, scalars32, scalars64, tiles32, tiles64, masks;
};

/// Runs a kernel, one lane after the other.
class Evaluator {
public:
  explicit Evaluator(llvm::DenseMap<mlir::Value, Lanes> arguments)
      : known(std::move(arguments)) {}

  /// Runs until the end, or until a result is poison.
  void run(KernelOp kernel);
  const Lanes &at(mlir::Value value) const { return known.find(value)->second; }
  const llvm::DenseMap<mlir::Value, Lanes> &values() const { return known; }

  std::function<void(LoadOp)> onLoad;

private:
  bool runBlock(mlir::Block &block);
  bool runLoop(mlir::scf::ForOp loop);
  bool runOp(mlir::Operation *op);
  bool runArithmetic(mlir::Operation *op);
  bool runShape(mlir::Operation *op);

  llvm::DenseMap<mlir::Value, Lanes> known;
};

} // namespace tile::test

#endif // TILE_TEST_UNIT_ANALYSIS_RANDOMPROGRAM_H
