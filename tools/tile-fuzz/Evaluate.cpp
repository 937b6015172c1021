//===- Evaluate.cpp - What a program must store ---------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluate.h"

#include <cmath>
#include <limits>
#include <map>

using namespace tile::fuzz;

static constexpr double kAnything = std::numeric_limits<double>::infinity();

/// Half a unit in the last place of 1.
static double roundoff(Kind kind) {
  switch (kind) {
  case Kind::F32:
    return std::ldexp(1, -24);
  case Kind::F16:
    return std::ldexp(1, -11);
  case Kind::BF16:
    return std::ldexp(1, -8);
  case Kind::I32:
    return 0;
  }
  return 0;
}

/// The value rounded to `kind` on the way: its bound grows.
static Number rounded(Number x, Kind kind) {
  if (kind == Kind::I32)
    return {static_cast<double>(static_cast<int32_t>(
                static_cast<uint32_t>(static_cast<int64_t>(x.value)))),
            x.bound};
  double largest = kind == Kind::F16 ? 65000 : 1e38;
  if (!(std::fabs(x.value) + x.bound < largest))
    return {0, kAnything};
  // The last term covers numbers below the normal ones.
  double least = std::ldexp(1, kind == Kind::F16 ? -24 : -133);
  x.bound += roundoff(kind) * 1.001 * (std::fabs(x.value) + x.bound) + least;
  return x;
}

/// Whether the value is exact in `kind`; then operations on it that need no
/// rounding keep the bound 0.
static bool isExact(double value, Kind kind) {
  int exponent;
  double fraction = std::frexp(value, &exponent);
  double scaled = std::ldexp(fraction, kind == Kind::F32   ? 24
                                       : kind == Kind::F16 ? 11
                                                           : 8);
  return scaled == std::floor(scaled) &&
         (value == 0 || (exponent > -13 && exponent < 15));
}

/// An exact operation's result, rounded.
static Number finish(double value, double bound, Kind kind) {
  if (kind != Kind::I32 && bound == 0 && isExact(value, kind))
    return {value, 0};
  return rounded({value, bound}, kind);
}

static Number multiply(Number a, Number b, Kind kind) {
  if (kind == Kind::I32) {
    uint32_t product = static_cast<uint32_t>(static_cast<int64_t>(a.value)) *
                       static_cast<uint32_t>(static_cast<int64_t>(b.value));
    return {static_cast<double>(static_cast<int32_t>(product)),
            a.bound + b.bound > 0 ? kAnything : 0};
  }
  double bound = a.bound * b.bound;
  bound += std::fabs(a.value) * b.bound + std::fabs(b.value) * a.bound;
  return finish(a.value * b.value, std::isnan(bound) ? kAnything : bound, kind);
}

static Number combine(int code, Number a, Number b, Kind kind) {
  if (a.bound == kAnything || b.bound == kAnything)
    return {0, kAnything};
  double bound = a.bound + b.bound;
  switch (static_cast<BinaryCode>(code)) {
  case BinaryCode::Add:
    return finish(a.value + b.value, bound, kind);
  case BinaryCode::Subtract:
    return finish(a.value - b.value, bound, kind);
  case BinaryCode::Multiply:
    return multiply(a, b, kind);
  case BinaryCode::Max:
    return {std::fmax(a.value, b.value), std::fmax(a.bound, b.bound)};
  case BinaryCode::Min:
    return {std::fmin(a.value, b.value), std::fmax(a.bound, b.bound)};
  case BinaryCode::Xor:
    return {static_cast<double>(static_cast<int32_t>(a.value) ^
                                static_cast<int32_t>(b.value)),
            bound > 0 ? kAnything : 0};
  case BinaryCode::Count:
    break;
  }
  return {0, kAnything};
}

namespace {
using TileValue = std::vector<Number>;

/// Runs one program of the grid.
class Evaluator {
public:
  Evaluator(const Recipe &recipe, int64_t p, int64_t q, bool onDevice)
      : recipe(recipe), onDevice(onDevice), firstRow(p * recipe.m),
        firstColumn(q * recipe.n) {
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
  TileValue reduce(const Statement &statement);
  TileValue dot(const Statement &statement);
  void addProducts(TileValue &sum, const Statement &dot, int second,
                   int64_t first);
  TileValue loop(const Statement &statement);
  TileValue branch(const Statement &statement);

  const Recipe &recipe;
  bool onDevice;
  int64_t firstRow, firstColumn;
  /// The variable of the innermost loop, and whether there is one.
  int64_t variable = 0;
  bool inLoop = false;
  std::map<int, TileValue> values;
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

static Number unary(int code, Number x, Kind kind, bool onDevice) {
  if (x.bound == kAnything)
    return x;
  switch (static_cast<UnaryCode>(code)) {
  case UnaryCode::Negate:
    return {-x.value, x.bound};
  case UnaryCode::Absolute:
    return {std::fabs(x.value), x.bound};
  default:
    break;
  }
  if (x.bound > 1 || std::fabs(x.value) > 60)
    return {0, kAnything};
  double value = std::exp(x.value);
  // 5 ulp on a device (docs/Numerics.md).
  double error = (onDevice ? 10 : 4) * roundoff(kind);
  return rounded({value, value * (std::expm1(x.bound) + error)}, kind);
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
    return unary(statement.code, values[statement.a][at], statement.kind,
                 onDevice);
  case What::Binary:
    return combine(statement.code, values[statement.a][at],
                   values[statement.b][at], statement.kind);
  case What::Select:
    return select(statement, at);
  case What::Cast: {
    Number x = values[statement.a][at];
    return x.bound == kAnything ? x : finish(x.value, x.bound, statement.kind);
  }
  case What::Through:
    return through(statement, i, j);
  default:
    return {0, kAnything};
  }
}

TileValue Evaluator::reduce(const Statement &statement) {
  int64_t m = recipe.m, n = recipe.n;
  const TileValue &from = values[statement.a];
  TileValue result(m * n);
  bool alongRows = statement.axis == 0;
  int64_t length = alongRows ? m : n;
  for (int64_t line = 0; line < (alongRows ? n : m); ++line) {
    auto at = [&](int64_t step) {
      return alongRows ? step * n + line : line * n + step;
    };
    // The order is the interpreter's business: the bound is for any.
    Number sum = from[at(0)];
    double magnitude = std::fabs(sum.value);
    for (int64_t step = 1; step < length; ++step) {
      Number next = from[at(step)];
      magnitude += std::fabs(next.value);
      sum = combine(statement.code, sum, next, statement.kind);
    }
    if (statement.kind != Kind::I32 &&
        statement.code == static_cast<int>(BinaryCode::Add))
      sum.bound +=
          2 * length * roundoff(statement.kind) * (magnitude + sum.bound);
    if (statement.kind == Kind::F16 && magnitude > 30000)
      sum.bound = kAnything;
    for (int64_t step = 0; step < length; ++step)
      result[at(step)] = sum;
  }
  return result;
}

/// Adds the products of one step of k; what is outside adds nothing.
void Evaluator::addProducts(TileValue &sum, const Statement &dot, int second,
                            int64_t first) {
  bool isRead = holds(dot.condition, first / recipe.k);
  for (int64_t i = 0; i < recipe.m; ++i)
    for (int64_t j = 0; j < recipe.n; ++j) {
      Number &into = sum[i * recipe.n + j];
      double magnitude = std::fabs(into.value);
      bool isWhole = into.bound == 0;
      for (int64_t k = first; k < first + recipe.k; ++k) {
        double a = isRead ? element(dot.array, firstRow + i, k).value : 0;
        double b = element(second, k, firstColumn + j).value;
        double product = dot.negatesA ? -a * b : a * b;
        into.value += product;
        magnitude += std::fabs(product);
      }
      // Operands are multiples of 1/4: with few bits every sum is exact.
      isWhole &=
          magnitude < 65536 && into.value * 64 == std::floor(into.value * 64);
      // What is cut is lost up to a whole unit, rounded to half of one.
      if (!isWhole)
        into.bound += (onDevice ? 4 : 2) * recipe.k * roundoff(Kind::F32) *
                      (magnitude + into.bound);
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

TileValue Evaluator::loop(const Statement &statement) {
  TileValue carried = values[statement.a];
  int64_t outer = variable;
  bool wasInLoop = inLoop;
  inLoop = true;
  for (int64_t at = statement.lower; at < statement.upper;
       at += statement.step) {
    variable = at;
    values[-2 - statement.id] = carried;
    run(statement.body);
    carried = values[statement.b];
  }
  variable = outer;
  inLoop = wasInLoop;
  return carried;
}

TileValue Evaluator::branch(const Statement &statement) {
  int64_t p = firstRow / recipe.m, q = firstColumn / recipe.n;
  bool taken = statement.code == 0   ? p % 2 == 0
               : statement.code == 1 ? q > 0
                                     : recipe.sizeM > 20;
  run(taken ? statement.body : statement.otherBody);
  return values[taken ? statement.b : statement.c];
}

TileValue Evaluator::evaluate(const Statement &statement) {
  switch (statement.op) {
  case What::Reduce:
    return reduce(statement);
  case What::Dot:
    return dot(statement);
  case What::For:
    return loop(statement);
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

std::vector<Number> tile::fuzz::evaluate(const Recipe &recipe, size_t index,
                                         bool onDevice) {
  std::vector<Number> result(recipe.sizeM * recipe.sizeN);
  int id = recipe.outputs[index].id;
  for (int64_t p = 0; p * recipe.m < recipe.sizeM; ++p)
    for (int64_t q = 0; q * recipe.n < recipe.sizeN; ++q) {
      Evaluator program(recipe, p, q, onDevice);
      const TileValue &tile = program.value(id);
      for (int64_t i = 0; i < recipe.m && p * recipe.m + i < recipe.sizeM; ++i)
        for (int64_t j = 0; j < recipe.n && q * recipe.n + j < recipe.sizeN;
             ++j)
          result[(p * recipe.m + i) * recipe.sizeN + q * recipe.n + j] =
              tile[i * recipe.n + j];
    }
  return result;
}
