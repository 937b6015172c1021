//===- TripCounts.h - How often loops run, in every combination -*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Trip counts are seldom known, but that two loops run equally often is: where
// the distance between their bounds is the same and so is their step.
//
// The criterion.  A bound is a polynomial over scalars that nothing is known
// of, with the counter of a loop around it written as lower + turn * step.  Two
// ops without effects give the same scalar where name, attributes and operands
// are the same, in whichever role they stand.  Loops with the same step s whose
// distances differ by n * s, n an integer, run q and max(0, q + n) times with
// one q: so a loop with its first step peeled off belongs to the one that has
// it. Arithmetic on bounds is taken not to wrap.
//
// Each q that is free is tried with every number from 0, or from the least that
// facts allow, to the slots of the longest ring and two more, and one for a
// peeled step; the state of all rings repeats after that.  A loop around other
// such loops runs 0 times, once, and as often as the longest ring has slots and
// two more: fewer turns are the beginning of that.  Conditions are taken both
// ways, the same wherever they are the same.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_TRIPCOUNTS_H
#define TILE_TRANSFORMS_TRIPCOUNTS_H

#include "AsyncSchedule.h"
#include "tile/Analysis/ScalarExpr.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tile {

/// Scalars as one role sees them at one moment.
struct ScalarScope {
  /// The turn that each loop around is in, by its counter.
  llvm::DenseMap<mlir::Value, int64_t> turns;
  /// Scalars that loops and branches hand on.
  llvm::DenseMap<mlir::Value, ScalarExpr> carried;
};

/// Decides how often loops run and where branches go; one combination after the
/// other.
class TripCounts {
public:
  TripCounts(KernelOp kernel, int64_t maxSlots)
      : kernel(kernel), maxSlots(maxSlots) {}

  /// How often the loop runs here in this combination.
  int64_t tripsOf(mlir::scf::ForOp loop, const ScalarScope &scope);
  /// Whether the condition holds here in this combination.
  bool takesThen(mlir::scf::IfOp branch, const ScalarScope &scope);
  ScalarExpr exprOf(mlir::Value value, const ScalarScope &scope);

  /// Goes on to the next combination; false after the last.
  bool next();
  /// Says what was chosen.
  void describe(llvm::SmallVectorImpl<ScheduleFault::Note> &notes) const;

private:
  /// Loops of one step whose distances differ by multiples of it.
  struct Family {
    mlir::Operation *first;
    ScalarExpr distance, step;
    /// Of the first: max(0, quotient) times.
    int64_t quotient;
  };
  /// A condition that holds where its polynomial is positive, or one that is
  /// known by name only.
  struct Condition {
    mlir::Operation *first;
    ScalarExpr expr;
    bool isPositive, holds;
  };
  struct Choice {
    llvm::SmallVector<int64_t> options;
    size_t taken;
  };
  /// An op without effects and what it is computed from.
  struct Known {
    mlir::OpResult result;
    llvm::SmallVector<ScalarExpr, 2> operands;
  };
  using Memo = llvm::DenseMap<mlir::Value, ScalarExpr>;

  ScalarExpr compute(mlir::Value value, const ScalarScope &scope, Memo &memo,
                     unsigned depth);
  ScalarExpr computeOp(mlir::OpResult result, const ScalarScope &scope,
                       Memo &memo, unsigned depth);
  ScalarExpr minuendOf(mlir::Value value, llvm::ArrayRef<ScalarExpr> operands,
                       const ScalarScope &scope, Memo &memo, unsigned depth);
  ScalarExpr sameAsBefore(mlir::OpResult result,
                          llvm::ArrayRef<ScalarExpr> operands);
  int64_t choose(llvm::ArrayRef<int64_t> options);
  llvm::SmallVector<int64_t> optionsFor(mlir::scf::ForOp loop,
                                        const ScalarExpr &distance,
                                        const ScalarExpr &step);
  std::optional<int64_t> signOf(const ScalarExpr &expr);
  std::optional<bool> isPositive(const ScalarExpr &expr);
  bool holds(mlir::Operation *branch, const ScalarExpr &expr, bool isPositive);
  std::optional<int64_t> leastOf(const ScalarExpr &expr) const;

  KernelOp kernel;
  int64_t maxSlots;
  llvm::SmallVector<Family> families;
  llvm::SmallVector<Condition> conditions;
  llvm::SmallVector<Choice> choices;
  size_t numChosen = 0;
  llvm::DenseMap<mlir::StringAttr, llvm::SmallVector<Known>> known;
  /// Steps of all loops, once they are asked for.
  std::optional<llvm::SmallVector<ScalarExpr>> loopSteps;
};

} // namespace tile

#endif // TILE_TRANSFORMS_TRIPCOUNTS_H
