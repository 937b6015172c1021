//===- Generator.h - Makes the program of one seed --------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FUZZ_GENERATOR_H
#define TILE_FUZZ_GENERATOR_H

#include "Recipe.h"

#include <initializer_list>
#include <random>

namespace tile::fuzz {

/// Makes the program of one seed.
class Generator {
public:
  explicit Generator(uint64_t seed) : random(seed) { recipe.seed = seed; }

  Recipe run();

private:
  /// A value that can be used here.
  struct Visible {
    int id;
    Kind kind;
  };
  using Body = std::vector<Statement>;
  /// Something to draw, and how often among the others of its table.
  template <class T>
  struct Weighted {
    int weight;
    T what;
  };
  /// Adds a statement to a body that stands in `depth` loops.
  using Adder = void (Generator::*)(Body &body, int depth);

  static const Weighted<Adder> kStatements[16];
  static const Weighted<Kind> kAnyKind[8];
  static const Weighted<Kind> kOperandKinds[7];
  static const Weighted<Kind> kProductKinds[6];
  static const Weighted<UnaryCode> kFunctions[18];

  int64_t upTo(int64_t last) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(last + 1));
  }
  bool chance(int percent) { return upTo(99) < percent; }
  template <class T>
  T oneOf(std::initializer_list<T> values) {
    return values.begin()[upTo(static_cast<int64_t>(values.size()) - 1)];
  }
  template <class T, size_t size>
  T draw(const Weighted<T> (&table)[size]) {
    int64_t sum = 0;
    for (const Weighted<T> &entry : table)
      sum += entry.weight;
    int64_t left = upTo(sum - 1);
    for (const Weighted<T> &entry : table)
      if ((left -= entry.weight) < 0)
        return entry.what;
    return table[0].what;
  }

  void makeProduct();
  void alignOperand(Array &array, Kind kind, bool isRight);
  void choosePlace();
  void chooseConditions(Body &body);
  void chooseSizes();
  void chooseSettings();
  int addArray(Kind kind, Extent extent, bool isOutput);
  int pick(Kind kind);
  const Visible *pickAny();
  Statement &start(Body &body, What op, Kind kind);
  Statement *startOn(Body &body, What op, bool wantsInteger = false);
  void addStatement(Body &body, int depth);
  void addConstantOf(Body &body, Kind kind);
  void addConstant(Body &body, int depth);
  void addIndex(Body &body, int depth);
  void addLoad(Body &body, int depth);
  void addUnary(Body &body, int depth);
  void addBinary(Body &body, int depth);
  void addSelect(Body &body, int depth);
  void addThrough(Body &body, int depth);
  void addReduce(Body &body, int depth);
  void addExtreme(Body &body, int depth);
  void addScan(Body &body, int depth);
  void addAtomic(Body &body, int depth);
  void addCast(Body &body, int depth);
  void addDotAnywhere(Body &body, int depth);
  void addDot(Body &body, Kind operand);
  void chooseProduct(Statement &dot, Kind operand);
  void addFor(Body &body, int depth);
  void addWhile(Body &body, int depth);
  void addLoop(Body &body, int depth, Statement loop);
  void addIf(Body &body, int depth);
  int fillBody(Body &body, Kind kind, int depth);
  void addOutputs();

  std::mt19937_64 random;
  Recipe recipe;
  std::vector<Visible> visible;
  int nextId = 0, numDots = 0;
  /// Least value of the innermost loop's variable.
  int64_t loopLower = 0;
};

} // namespace tile::fuzz

#endif // TILE_FUZZ_GENERATOR_H
