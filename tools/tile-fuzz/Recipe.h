//===- Recipe.h - What a random program consists of -------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program is described by plain data.  Build.cpp makes IR from it, and
// Evaluate.cpp, which knows nothing of IR, computes what it must store.
//
// Every value is a tile of m x n; program (p, q) of the grid has rows p*m to
// p*m + m - 1 and columns q*n to q*n + n - 1, of which those below M and N are
// stored.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FUZZ_RECIPE_H
#define TILE_FUZZ_RECIPE_H

#include "Kinds.h"

#include <string>
#include <vector>

namespace tile::fuzz {

/// Which sizes an array has.
enum class Extent { MxN, MxK, KxN };

/// A matrix in global memory.
struct Array {
  Kind kind = Kind::F32;
  Extent extent = Extent::MxN;
  bool isColumnMajor = false;
  /// Elements between the end of a line and the start of the next.
  int64_t pad = 0;
  /// Elements between a multiple of 256 bytes and the first one.
  int64_t misalignment = 0;
  /// Whether the kernel writes it; it holds nothing before.
  bool isOutput = false;
  /// Whether atomic operations update it.
  bool isUpdated = false;
  /// What its elements are drawn from.
  int contents = 0;
  /// Whether they have all the bits that the type has.
  bool isFine = false;
  /// Whether the argument says how it is aligned.
  bool statesAlignment = false;
};

/// What a statement makes.
enum class What {
  Constant, ///< `number`, everywhere
  Index,    ///< the loop's variable, or the row where there is no loop
  Load,     ///< elements of `array`
  Unary,    ///< `code` of a
  Binary,   ///< `code` of a and b
  Select,   ///< a < b ? a : c
  Cast,     ///< a, a value of `from`, in another type
  Reduce,   ///< `code` of a along `axis`, repeated along it
  Extreme,  ///< where a has its first maximum or minimum along `axis`
  Scan,     ///< running `code` of a along `axis`
  Dot,      ///< a + product of `array` and `second`
  For,      ///< a, then b of the body again and again
  While,    ///< the same, until an element of `array`, if any, is large
  If,       ///< b of the body or c of the other body
  Through,  ///< a, stored to `array` and loaded again
  Atomic    ///< a; `array` is updated with `code` of it
};

enum class UnaryCode {
  Negate,
  Absolute,
  Floor,
  Ceil,
  Trunc,
  Round,
  RoundEven,
  Sqrt,
  Rsqrt,
  Exp,
  Exp2,
  Log,
  Log2,
  Log10,
  Sin,
  Cos,
  Tanh,
  Erf
};
/// Of integers, all but Divide; of floats, none behind Divide.
enum class BinaryCode {
  Add,
  Subtract,
  Multiply,
  Max,
  Min,
  Divide,
  Xor,
  And,
  Or
};

/// What a dot of f32 makes of its operands.
enum class Rounding { Ieee, Tf32, Tf32x3 };

/// How an `If` decides.
enum class Decision {
  EvenRow,    ///< this program's row of tiles has an even number
  NotLeft,    ///< its column of tiles is not the first
  LargeM,     ///< M is above 20
  LoadedFirst ///< the element of `array` at its first row and column is above 0
};

/// A `While` goes on where what it loads is no more.
inline constexpr int64_t kMostLoaded = 50;
/// Floats are brought between -kMostInteger and kMostInteger on the way to
/// integers: what an integer cannot hold is poison.
inline constexpr double kMostInteger = 96;

/// Where a load's lanes lie.
enum class LoadForm {
  Plain,
  Transposed, ///< loaded as n x m, then transposed
  Descending, ///< the last row first, with bounds on what is read
  Mirrored,   ///< the last row first, with the bound of the rows' numbers
  Row,        ///< row 0, repeated
  Column,     ///< column 0, repeated
  Gathered    ///< column (3 r + c) mod N: no strided block
};

/// A condition that is the same for all lanes of a tile.
enum class Uniform {
  None,
  EvenRow,    ///< this program's row of tiles has an even number
  FirstBelow, ///< its first column is below K
  OddTurn     ///< the turn of the loop is odd, in steps of k for a dot
};

/// One value.
struct Statement {
  What op = What::Constant;
  Kind kind = Kind::F32;
  /// Number of the value; unique in the program.
  int id = 0;
  /// Numbers of other values.
  int a = -1, b = -1, c = -1;
  int code = 0;
  /// Indices of arrays; -1: none.
  int array = -1, second = -1, third = -1;
  LoadForm form = LoadForm::Plain;
  /// A constant, or what masked lanes read.
  double number = 0;
  /// Whether `number` is given to a load.
  bool hasOther = false;
  /// Whether a load may leave out its mask where sides divide sizes.
  bool wantsNoMask = false;
  /// Added to a load's columns; in loops the loop's variable may be added.
  int64_t shift = 0;
  bool addsLoopVariable = false;
  /// Whether lanes may lie before the first column, so that the mask has a
  /// lower bound too.
  bool mayBeBefore = false;
  /// How a load spells its bounds: x < n, n > x, x <= n - 1 or n - 1 >= x.
  int maskForm = 0;
  /// A term of the mask, of a dot that of its first operand.
  Uniform condition = Uniform::None;
  /// Whether a load's base is advanced to the first row.
  bool advancesBase = false;
  /// Whether a dot's loop carries its offsets.
  bool carriesOffsets = false;
  int axis = 0;
  /// Of a scan, and of a reduction whose order is of no importance.
  bool isReversed = false, isReassociated = false;
  /// The type that a cast is from.
  Kind from = Kind::F32;
  /// Bounds of a loop; they are arguments of the kernel or constants.
  int64_t lower = 0, upper = 0, step = 1;
  bool hasArgumentBounds = false;
  /// Of a dot: whether operands are loaded transposed, and negated.
  bool transposesA = false, transposesB = false, negatesA = false;
  Rounding rounding = Rounding::Ieee;
  /// Of a dot of 8-bit floats; 0: not given.
  int64_t promoteEvery = 0;
  /// Of a while: whether the condition stands behind the body.
  bool isPostTested = false;
  /// Of a dot: one step without a loop.
  bool isUnrolled = false;
  std::vector<Statement> body, otherBody;
};

/// Value `id` goes to output `array`.
struct Output {
  int id = 0, array = 0;
};

/// How a program of a grid with one axis finds its tile: by arithmetic alone;
/// with a branch, odd rows of tiles from right to left; its rows counted by a
/// loop.
enum class Place { Plain, Branch, Loop };

/// A whole program and how it is launched.
struct Recipe {
  uint64_t seed = 0;
  int64_t m = 16, n = 16, k = 16;
  int64_t sizeM = 1, sizeN = 1, sizeK = 1;
  bool hasPlaneGrid = false;
  Place place = Place::Plain;
  std::vector<Array> arrays;
  std::vector<Statement> statements;
  std::vector<Output> outputs;
  /// Plan keys, KEY=VALUE.
  std::vector<std::string> settings;

  int64_t rows(const Array &array) const {
    return array.extent == Extent::KxN ? sizeK : sizeM;
  }
  int64_t columns(const Array &array) const {
    return array.extent == Extent::MxK ? sizeK : sizeN;
  }
  int64_t rowStride(const Array &array) const {
    return array.isColumnMajor ? 1 : columns(array) + array.pad;
  }
  int64_t columnStride(const Array &array) const {
    return array.isColumnMajor ? rows(array) + array.pad : 1;
  }
  /// Elements from the first to the last.
  int64_t span(const Array &array) const;
  /// Whether this load has a mask.
  bool isMasked(const Statement &load) const {
    return !load.wantsNoMask || load.shift != 0 || load.addsLoopVariable ||
           sizeM % m != 0 || sizeN % n != 0;
  }
  /// What `array` holds at a row and column: a small multiple of 1/4, exact in
  /// every type, a small integer, or of fine arrays anything in [-2, 2].
  double element(int array, int64_t row, int64_t column) const;
};

/// Whether this statement or one inside of it is an atomic operation.
bool hasAtomic(const Statement &statement);

/// The random program of this seed.
Recipe generate(uint64_t seed);

} // namespace tile::fuzz

#endif // TILE_FUZZ_RECIPE_H
