//===- Evaluate.cpp - What a program must store ---------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluate.h"

#include <algorithm>
#include <cmath>

using namespace tile::fuzz;

namespace {
using TileValue = std::vector<Number>;
/// What arrays hold, by their numbers, row by row.
using Arrays = std::map<int, std::vector<Number>>;

/// Runs one program of the grid.
class Evaluator {
public:
  Evaluator(const Recipe &recipe, int64_t p, int64_t q, bool onDevice,
            Arrays &arrays)
      : recipe(recipe), onDevice(onDevice), firstRow(p * recipe.m),
        firstColumn(q * recipe.n), arrays(arrays) {
    run(recipe.statements);
  }

  const TileValue &value(int id) { return values[id]; }

private:
  void run(const std::vector<Statement> &body) {
    for (const Statement &statement : body)
      values[statement.id] = evaluate(statement);
  }
  TileValue evaluate(const Statement &statement);
  Number lane(const Statement &statement, int64_t i, int64_t j);
  Number load(const Statement &statement, int64_t i, int64_t j);
  Number element(int array, int64_t row, int64_t column);
  bool holds(Uniform condition, int64_t turn) const;
  Number select(const Statement &statement, size_t at);
  Number through(const Statement &statement, int64_t i, int64_t j);
  TileValue alongLines(const Statement &statement);
  TileValue dot(const Statement &statement);
  void addProducts(TileValue &sums, const Statement &dot, int second,
                   int64_t first);
  void update(const Statement &statement);
  bool goesOn(const Statement &statement, int64_t turn);
  TileValue loop(const Statement &statement);
  TileValue branch(const Statement &statement);

  const Recipe &recipe;
  bool onDevice;
  int64_t firstRow, firstColumn;
  /// The variable of the innermost loop, and whether there is one.
  int64_t variable = 0;
  bool inLoop = false;
  std::map<int, TileValue> values;
  /// Of the whole launch: what atomic operations update.
  Arrays &arrays;
};
} // namespace

/// What an array holds, zero outside.
Number Evaluator::element(int index, int64_t row, int64_t column) {
  const Array &array = recipe.arrays[index];
  if (row < 0 || column < 0 || row >= recipe.rows(array) ||
      column >= recipe.columns(array))
    return {};
  return {recipe.element(index, row, column), 0};
}

/// Whether a condition holds, in turn `turn` of a loop.
bool Evaluator::holds(Uniform condition, int64_t turn) const {
  switch (condition) {
  case Uniform::None:
    return true;
  case Uniform::EvenRow:
    return firstRow / recipe.m % 2 == 0;
  case Uniform::FirstBelow:
    return firstColumn < recipe.sizeK;
  case Uniform::OddTurn:
    return turn % 2 != 0;
  }
  return false;
}

Number Evaluator::load(const Statement &statement, int64_t i, int64_t j) {
  int64_t row = firstRow + i, column = firstColumn + j + statement.shift;
  if (statement.addsLoopVariable)
    column += variable;
  int64_t M = recipe.sizeM, N = recipe.sizeN;
  switch (statement.form) {
  case LoadForm::Descending:
  case LoadForm::Mirrored:
    row = M - 1 - row;
    break;
  case LoadForm::Row:
    row = 0;
    break;
  case LoadForm::Column:
    column = 0;
    break;
  case LoadForm::Gathered:
    column = (3 * row + column) % N;
    break;
  default:
    break;
  }
  if (row < 0 || row >= M || column < 0 || column >= N ||
      !holds(statement.condition, inLoop ? variable : 0))
    return {statement.hasOther ? statement.number : 0, 0};
  return element(statement.array, row, column);
}

Number Evaluator::select(const Statement &statement, size_t at) {
  Number a = values[statement.a][at], b = values[statement.b][at];
  Number c = values[statement.c][at];
  // Too close to say which of them is less.
  if (a.bound + b.bound > 0 &&
      !(std::fabs(a.value - b.value) > a.bound + b.bound))
    return {0, kAnything};
  return a.value < b.value ? a : c;
}

/// Only lanes inside the matrix reach memory; the others read zero.
Number Evaluator::through(const Statement &statement, int64_t i, int64_t j) {
  if (firstRow + i >= recipe.sizeM || firstColumn + j >= recipe.sizeN)
    return {};
  return values[statement.a][i * recipe.n + j];
}

Number Evaluator::lane(const Statement &statement, int64_t i, int64_t j) {
  size_t at = i * recipe.n + j;
  switch (statement.op) {
  case What::Constant:
    return {statement.number, 0};
  case What::Index:
    return {static_cast<double>(inLoop ? variable : firstRow + i), 0};
  case What::Load:
    return load(statement, i, j);
  case What::Unary:
    return apply(static_cast<UnaryCode>(statement.code),
                 values[statement.a][at], statement.kind, onDevice);
  case What::Binary:
    return combine(static_cast<BinaryCode>(statement.code),
                   values[statement.a][at], values[statement.b][at],
                   statement.kind);
  case What::Select:
    return select(statement, at);
  case What::Cast:
    return convert(values[statement.a][at], statement.from, statement.kind);
  case What::Through:
    return through(statement, i, j);
  default:
    return {0, kAnything};
  }
}

//===----------------------------------------------------------------------===//
// Reductions and scans
//===----------------------------------------------------------------------===//

/// The one order that there is: neighbours first, without a partner later.
static Number reduceLine(const Statement &statement, TileValue line) {
  auto code = static_cast<BinaryCode>(statement.code);
  while (line.size() > 1) {
    TileValue half;
    for (size_t i = 0; i + 1 < line.size(); i += 2)
      half.push_back(combine(code, line[i], line[i + 1], statement.kind));
    if (line.size() % 2 != 0)
      half.push_back(line.back());
    line = std::move(half);
  }
  return line.front();
}

static TileValue scanLine(const Statement &statement, TileValue line) {
  auto code = static_cast<BinaryCode>(statement.code);
  if (statement.isReversed)
    std::reverse(line.begin(), line.end());
  for (size_t i = 1; i < line.size(); ++i)
    line[i] = combine(code, line[i - 1], line[i], statement.kind);
  if (statement.isReversed)
    std::reverse(line.begin(), line.end());
  return line;
}

/// Where the line's first extreme is; anything if two are too close.
static Number findExtreme(const Statement &statement, const TileValue &line) {
  bool isMax = statement.code == static_cast<int>(BinaryCode::Max);
  size_t best = 0;
  for (size_t i = 1; i < line.size(); ++i)
    if (isMax ? line[i].value > line[best].value
              : line[i].value < line[best].value)
      best = i;
  for (size_t i = 0; i < line.size(); ++i) {
    double bound = line[i].bound + line[best].bound;
    double apart = std::fabs(line[i].value - line[best].value);
    if (i != best && bound > 0 && !(apart > bound))
      return {0, kAnything};
  }
  return {static_cast<double>(best), 0};
}

/// What is made of each row or column by itself.
TileValue Evaluator::alongLines(const Statement &statement) {
  int64_t m = recipe.m, n = recipe.n;
  const TileValue &from = values[statement.a];
  TileValue result(m * n);
  bool alongRows = statement.axis == 0;
  int64_t length = alongRows ? m : n;
  for (int64_t number = 0; number < (alongRows ? n : m); ++number) {
    auto at = [&](int64_t step) {
      return alongRows ? step * n + number : number * n + step;
    };
    TileValue line;
    for (int64_t step = 0; step < length; ++step)
      line.push_back(from[at(step)]);
    if (statement.op == What::Scan)
      line = scanLine(statement, std::move(line));
    else
      line.assign(length, statement.op == What::Reduce
                              ? reduceLine(statement, line)
                              : findExtreme(statement, line));
    for (int64_t step = 0; step < length; ++step)
      result[at(step)] = line[step];
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Dots
//===----------------------------------------------------------------------===//

static double toTf32(double value) { return roundToBits(value, 11, -1000); }

/// The terms that a product of operands consists of, and their magnitude.
static Number termsOf(double a, double b, Rounding rounding) {
  if (rounding == Rounding::Ieee)
    return {a * b, std::fabs(a * b)};
  double largeA = toTf32(a), largeB = toTf32(b);
  double large = largeA * largeB;
  if (rounding == Rounding::Tf32)
    return {large, std::fabs(large)};
  double left = toTf32(a - largeA) * largeB;
  double right = largeA * toTf32(b - largeB);
  return {left + right + large,
          std::fabs(left) + std::fabs(right) + std::fabs(large)};
}

/// How many k's are summed on their own before they are added; 0: none are.
static int64_t runOf(const Statement &dot) {
  return dot.rounding == Rounding::Tf32x3 ? 8 : dot.promoteEvery;
}

namespace {
/// One element of a dot, while terms are added in the order that the dot has.
struct Sum {
  double total, run = 0;
  /// Of all terms, and of all partial sums that are rounded.
  double magnitude, partials = 0;
};
} // namespace

/// Adds the terms of one k; `isLast` of its run.
static void addTerms(Sum &sum, Number terms, const Statement &dot,
                     bool isLast) {
  double &into = runOf(dot) > 0 ? sum.run : sum.total;
  // Three roundings on the way past the small terms.
  if (dot.rounding == Rounding::Tf32x3)
    sum.partials += 2 * (std::fabs(into) + terms.bound);
  into += terms.value;
  sum.partials += std::fabs(into);
  sum.magnitude += terms.bound;
  if (runOf(dot) == 0 || !isLast)
    return;
  sum.total += sum.run;
  sum.partials += std::fabs(sum.total);
  sum.run = 0;
}

/// Adds to `into`'s bound what rounding may do to a sum over `k` that began
/// with its value.
static void roundSum(Number &into, const Sum &sum, const Statement &dot,
                     int64_t k, bool isFine, bool onDevice) {
  int bits = factsOf(dot.kind).bits;
  // wgmma, which may sum up a tile's k, keeps 13 bits of fraction of sums of
  // 8-bit floats.
  if (onDevice && dot.promoteEvery >= k)
    bits = 14;
  into.value = sum.total;
  // Operands that are multiples of 1/4 make sums of multiples of 1/64: with few
  // bits each of them is exact.
  double scaled = into.value * 64;
  if (into.bound == 0 && !isFine && scaled == std::floor(scaled) &&
      sum.magnitude < std::ldexp(1, bits - 8))
    return;
  // A device may add in any order, and cuts: a whole unit of what is largest.
  // Otherwise each rounding loses half a unit of one partial sum.  In f64 this
  // evaluation rounds as well.
  double unit = std::ldexp(1.01, (dot.kind == Kind::F64 ? 1 : 0) - bits);
  double depth = static_cast<double>(3 * k + 1);
  double lost = unit * (sum.partials + depth * into.bound);
  if (onDevice)
    lost = 4 * unit * static_cast<double>(k + 1) * (sum.magnitude + into.bound);
  // Partial sums are themselves as wrong as what was lost before.
  into.bound += lost / (1 - unit * depth);
}

/// Adds the products of one step of k; what is outside adds nothing.
void Evaluator::addProducts(TileValue &sums, const Statement &dot, int second,
                            int64_t first) {
  bool isRead = holds(dot.condition, first / recipe.k);
  bool isFine = recipe.arrays[dot.array].isFine || recipe.arrays[second].isFine;
  int64_t run = runOf(dot);
  for (int64_t i = 0; i < recipe.m; ++i)
    for (int64_t j = 0; j < recipe.n; ++j) {
      Number &into = sums[i * recipe.n + j];
      Sum sum{into.value, 0, std::fabs(into.value)};
      for (int64_t k = 0; k < recipe.k; ++k) {
        double a =
            isRead ? element(dot.array, firstRow + i, first + k).value : 0;
        double b = element(second, first + k, firstColumn + j).value;
        bool isLast = k + 1 == recipe.k || (run > 0 && (k + 1) % run == 0);
        addTerms(sum, termsOf(dot.negatesA ? -a : a, b, dot.rounding), dot,
                 isLast);
      }
      if (isInteger(dot.kind))
        into.value = roundTo(sum.total, dot.kind);
      else
        roundSum(into, sum, dot, recipe.k, isFine, onDevice);
    }
}

TileValue Evaluator::dot(const Statement &statement) {
  TileValue sum = values[statement.a];
  int64_t end = statement.isUnrolled ? statement.lower + 1 : recipe.sizeK;
  for (int64_t k = statement.lower; k < end; k += recipe.k) {
    addProducts(sum, statement, statement.second, k);
    if (statement.third >= 0)
      addProducts(sum, statement, statement.third, k);
  }
  return sum;
}

//===----------------------------------------------------------------------===//
// Control flow and atomic operations
//===----------------------------------------------------------------------===//

/// Whether a loop that would be in turn `turn` next has it.
bool Evaluator::goesOn(const Statement &statement, int64_t turn) {
  if (turn >= statement.upper)
    return false;
  return statement.op == What::For || statement.array < 0 ||
         element(statement.array, 0, turn).value <= kMostLoaded;
}

TileValue Evaluator::loop(const Statement &statement) {
  TileValue carried = values[statement.a];
  int64_t outer = variable;
  bool wasInLoop = inLoop;
  inLoop = true;
  bool isGivenTurn = statement.isPostTested;
  for (int64_t at = statement.lower; isGivenTurn || goesOn(statement, at);
       at += statement.step) {
    isGivenTurn = false;
    variable = at;
    values[-2 - statement.id] = carried;
    run(statement.body);
    carried = values[statement.b];
  }
  variable = outer;
  inLoop = wasInLoop;
  return carried;
}

/// Each lane inside the matrix updates its element, or that of the first row or
/// column.
void Evaluator::update(const Statement &statement) {
  std::vector<Number> &array = arrays[statement.array];
  const TileValue &from = values[statement.a];
  for (int64_t i = 0; i < recipe.m; ++i)
    for (int64_t j = 0; j < recipe.n; ++j) {
      int64_t row = firstRow + i, column = firstColumn + j;
      if (row >= recipe.sizeM || column >= recipe.sizeN)
        continue;
      row = statement.form == LoadForm::Row ? 0 : row;
      column = statement.form == LoadForm::Column ? 0 : column;
      Number &element = array[row * recipe.sizeN + column];
      element = combine(static_cast<BinaryCode>(statement.code), element,
                        from[i * recipe.n + j], statement.kind);
    }
}

TileValue Evaluator::branch(const Statement &statement) {
  int64_t p = firstRow / recipe.m, q = firstColumn / recipe.n;
  bool taken = false;
  switch (static_cast<Decision>(statement.code)) {
  case Decision::EvenRow:
    taken = p % 2 == 0;
    break;
  case Decision::NotLeft:
    taken = q > 0;
    break;
  case Decision::LargeM:
    taken = recipe.sizeM > 20;
    break;
  case Decision::LoadedFirst:
    taken = element(statement.array, firstRow, firstColumn).value > 0;
    break;
  }
  run(taken ? statement.body : statement.otherBody);
  return values[taken ? statement.b : statement.c];
}

TileValue Evaluator::evaluate(const Statement &statement) {
  switch (statement.op) {
  case What::Reduce:
  case What::Extreme:
  case What::Scan:
    return alongLines(statement);
  case What::Dot:
    return dot(statement);
  case What::For:
  case What::While:
    return loop(statement);
  case What::Atomic:
    update(statement);
    return values[statement.a];
  case What::If:
    return branch(statement);
  default:
    break;
  }
  TileValue result(recipe.m * recipe.n);
  for (int64_t i = 0; i < recipe.m; ++i)
    for (int64_t j = 0; j < recipe.n; ++j)
      result[i * recipe.n + j] = lane(statement, i, j);
  return result;
}

std::map<int, std::vector<Number>> tile::fuzz::evaluate(const Recipe &recipe,
                                                        bool onDevice) {
  Arrays arrays;
  int64_t M = recipe.sizeM, N = recipe.sizeN;
  for (size_t index = 0; index < recipe.arrays.size(); ++index) {
    if (!recipe.arrays[index].isUpdated)
      continue;
    std::vector<Number> &array = arrays[static_cast<int>(index)];
    for (int64_t at = 0; at < M * N; ++at)
      array.push_back(
          {recipe.element(static_cast<int>(index), at / N, at % N), 0});
  }
  for (const Output &output : recipe.outputs)
    arrays[output.array].resize(M * N);
  for (int64_t p = 0; p * recipe.m < M; ++p)
    for (int64_t q = 0; q * recipe.n < N; ++q) {
      Evaluator program(recipe, p, q, onDevice, arrays);
      for (const Output &output : recipe.outputs) {
        const TileValue &tile = program.value(output.id);
        std::vector<Number> &array = arrays[output.array];
        for (int64_t i = p * recipe.m; i < std::min(M, (p + 1) * recipe.m); ++i)
          for (int64_t j = q * recipe.n; j < std::min(N, (q + 1) * recipe.n);
               ++j)
            array[i * N + j] =
                tile[(i - p * recipe.m) * recipe.n + j - q * recipe.n];
      }
    }
  return arrays;
}
