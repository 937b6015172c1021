//===- ReferenceFunctions.cpp - Functions of expectations -----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReferenceFunctions.h"
#include "Npy.h"
#include "Number.h"

#include "tile/Frontend/Vocabulary.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

using namespace tile;
using namespace tile::run;
using runtime::Error;
using runtime::Result;
using Operands = std::vector<Reference>;

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

/// Calls body(i) for 0 <= i < count on all cores.
static void parallelFor(int64_t count,
                        const std::function<void(int64_t)> &body) {
  std::atomic<int64_t> next{0};
  auto work = [&] {
    for (int64_t i = next++; i < count; i = next++)
      body(i);
  };
  std::vector<std::thread> threads;
  int64_t numThreads = std::min<int64_t>(
      count, std::max(1u, std::thread::hardware_concurrency()));
  for (int64_t i = 1; i < numThreads; ++i)
    threads.emplace_back(work);
  work();
  for (std::thread &thread : threads)
    thread.join();
}

/// sum[j] += factor * row[j].  The one loop that the time goes into.
#if defined(__x86_64__)
__attribute__((target_clones("avx512f", "avx2", "default")))
#endif
static void addScaled(double *sum, double factor, const double *row,
                      int64_t count) {
  for (int64_t j = 0; j < count; ++j)
    sum[j] += factor * row[j];
}

/// One product of row-major arrays: m x k times k x n.  Blocks only reorder
/// which elements are worked on; each one's sum runs in ascending k.
static void multiply(const double *a, const double *b, double *result,
                     int64_t m, int64_t n, int64_t k) {
  // Rows that share a piece of a row of b while it is in the L1 cache.
  constexpr int64_t kRows = 8, kColumns = 512;
  parallelFor((m + kRows - 1) / kRows, [&](int64_t block) {
    int64_t begin = block * kRows, end = std::min(begin + kRows, m);
    for (int64_t j = 0; j < n; j += kColumns)
      for (int64_t i = 0; i < k; ++i)
        for (int64_t row = begin; row < end; ++row)
          addScaled(&result[row * n + j], a[row * k + i], &b[i * n + j],
                    std::min(kColumns, n - j));
  });
}

/// Of matrices, or of stacks of them: sides before the last two are equal.
static Result<Reference> matmul(const Operands &operands) {
  const Reference &a = operands[0], &b = operands[1];
  size_t rank = a.sides.size();
  bool fits = rank >= 2 && b.sides.size() == rank &&
              a.sides[rank - 1] == b.sides[rank - 2] &&
              std::equal(a.sides.begin(), a.sides.end() - 2, b.sides.begin());
  if (!fits)
    return Error("matmul: expected m x k and k x n, got " + sidesText(a.sides) +
                 " and " + sidesText(b.sides));
  int64_t m = a.sides[rank - 2], k = a.sides[rank - 1], n = b.sides[rank - 1];
  Reference result;
  result.sides = a.sides;
  result.sides[rank - 1] = n;
  int64_t count = 1;
  for (int64_t side : llvm::ArrayRef(a.sides).drop_back(2))
    count *= side;
  result.values.assign(size_t(count * m * n), 0.0);
  result.magnitudes.assign(size_t(count * m * n), 0.0);
  for (int64_t i = 0; i < count; ++i) {
    multiply(a.values.data() + i * m * k, b.values.data() + i * k * n,
             result.values.data() + i * m * n, m, n, k);
    multiply(a.magnitudes.data() + i * m * k, b.magnitudes.data() + i * k * n,
             result.magnitudes.data() + i * m * n, m, n, k);
  }
  result.chain = a.chain + b.chain + k;
  result.isIntegral = a.isIntegral && b.isIntegral;
  result.operations =
      a.operations + b.operations + 2.0 * double(count * m) * n * k;
  return result;
}

/// The last two sides change places.
static Result<Reference> transpose(const Operands &operands) {
  Reference result = operands[0];
  size_t rank = result.sides.size();
  if (rank < 2)
    return Error("transpose: expected two sides, got " +
                 sidesText(result.sides));
  int64_t rows = result.sides[rank - 2], columns = result.sides[rank - 1];
  int64_t plane = rows * columns, total = result.numElements();
  for (int64_t base = 0; base < total; base += plane)
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j) {
        int64_t to = base + j * rows + i, from = base + i * columns + j;
        result.values[to] = operands[0].values[from];
        result.magnitudes[to] = operands[0].magnitudes[from];
      }
  std::swap(result.sides[rank - 2], result.sides[rank - 1]);
  return result;
}

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

/// Roundings that a function of ours may add, as ulps of its result.
static constexpr int64_t kFunctionChain = 4;

/// `value` of each element; an error e of the element becomes slope * e.
static Reference mapWithSlope(Reference result,
                              llvm::function_ref<double(double)> value,
                              llvm::function_ref<double(double)> slope) {
  for (auto [element, magnitude] :
       llvm::zip_equal(result.values, result.magnitudes)) {
    double mapped = value(element);
    // Where nothing is wrong, no slope makes something of it.
    if (magnitude != 0)
      magnitude *= std::fabs(slope(element));
    magnitude += std::fabs(mapped);
    element = mapped;
  }
  result.chain += kFunctionChain;
  result.isIntegral = false;
  result.operations += double(result.values.size());
  return result;
}

static Result<Reference> exponential(const Operands &operands) {
  auto exp = [](double x) { return std::exp(x); };
  return mapWithSlope(operands[0], exp, exp);
}

static Result<Reference> logarithm(const Operands &operands) {
  return mapWithSlope(
      operands[0], [](double x) { return std::log(x); },
      [](double x) { return 1 / x; });
}

static Result<Reference> exponential2(const Operands &operands) {
  return mapWithSlope(
      operands[0], [](double x) { return std::exp2(x); },
      [](double x) { return M_LN2 * std::exp2(x); });
}

static Result<Reference> logarithm2(const Operands &operands) {
  return mapWithSlope(
      operands[0], [](double x) { return std::log2(x); },
      [](double x) { return M_LOG2E / x; });
}

static Result<Reference> squareRoot(const Operands &operands) {
  return mapWithSlope(
      operands[0], [](double x) { return std::sqrt(x); },
      [](double x) { return 0.5 / std::sqrt(x); });
}

static Result<Reference> inverseRoot(const Operands &operands) {
  return mapWithSlope(
      operands[0], [](double x) { return 1 / std::sqrt(x); },
      [](double x) { return 0.5 / (x * std::sqrt(x)); });
}

static Result<Reference> tangent(const Operands &operands) {
  return mapWithSlope(
      operands[0], [](double x) { return std::tanh(x); },
      [](double x) { return 1 - std::tanh(x) * std::tanh(x); });
}

static Result<Reference> errorFunction(const Operands &operands) {
  return mapWithSlope(
      operands[0], [](double x) { return std::erf(x); },
      [](double x) { return M_2_SQRTPI * std::exp(-x * x); });
}

static Result<Reference> sine(const Operands &operands) {
  return mapWithSlope(
      operands[0], [](double x) { return std::sin(x); },
      [](double x) { return std::cos(x); });
}

static Result<Reference> cosine(const Operands &operands) {
  return mapWithSlope(
      operands[0], [](double x) { return std::cos(x); },
      [](double x) { return std::sin(x); });
}

/// x times the share of the normal distribution below x.
static Result<Reference> gelu(const Operands &operands) {
  auto below = [](double x) { return 0.5 * std::erfc(-x * M_SQRT1_2); };
  return mapWithSlope(
      operands[0], [&](double x) { return x * below(x); },
      [&](double x) {
        double density = std::exp(-x * x / 2) * M_2_SQRTPI * M_SQRT1_2 / 2;
        return below(x) + x * density;
      });
}

/// Exact: nothing is rounded that was not before.
static Reference mapExactly(Reference result, double (*map)(double)) {
  for (double &element : result.values)
    element = map(element);
  return result;
}

static Result<Reference> absolute(const Operands &operands) {
  return mapExactly(operands[0], [](double x) { return std::fabs(x); });
}

static Result<Reference> roundDown(const Operands &operands) {
  Reference result =
      mapExactly(operands[0], [](double x) { return std::floor(x); });
  result.isIntegral = true;
  return result;
}

static Result<Reference> roundUp(const Operands &operands) {
  Reference result =
      mapExactly(operands[0], [](double x) { return std::ceil(x); });
  result.isIntegral = true;
  return result;
}

/// Both repeated to one shape, or an error.
static Result<Reference> align(llvm::StringRef name, Operands &operands) {
  std::vector<int64_t> sides;
  for (const Reference &operand : operands) {
    std::optional<std::vector<int64_t>> joint =
        broadcastSides(sides, operand.sides);
    if (!joint)
      return Error(name.str() + ": expected operands with equal sides, got " +
                   sidesText(sides) + " and " + sidesText(operand.sides));
    sides = *joint;
  }
  Reference result;
  result.sides = sides;
  for (Reference &operand : operands) {
    operand = broadcastTo(operand, sides);
    result.chain = std::max(result.chain, operand.chain);
    result.isIntegral &= operand.isIntegral;
    result.operations += operand.operations;
  }
  result.values.resize(operands[0].values.size());
  result.magnitudes = result.values;
  return result;
}

/// The smaller or the larger; NaN where one is.
static Result<Reference> extremum(llvm::StringRef name, Operands operands,
                                  bool isMin) {
  Result<Reference> result = align(name, operands);
  if (!result)
    return result;
  for (size_t i = 0; i < result->values.size(); ++i) {
    double a = operands[0].values[i], b = operands[1].values[i];
    bool takesFirst = std::isnan(a) || (!std::isnan(b) && (a < b) == isMin);
    result->values[i] = takesFirst ? a : b;
    result->magnitudes[i] =
        std::max(operands[0].magnitudes[i], operands[1].magnitudes[i]);
  }
  return result;
}

static Result<Reference> minimum(const Operands &operands) {
  return extremum("min", operands, /*isMin=*/true);
}

static Result<Reference> maximum(const Operands &operands) {
  return extremum("max", operands, /*isMin=*/false);
}

static Result<Reference> select(const Operands &given) {
  Operands operands = given;
  Result<Reference> result = align("where", operands);
  if (!result)
    return result;
  for (size_t i = 0; i < result->values.size(); ++i) {
    const Reference &from = operands[operands[0].values[i] != 0 ? 1 : 2];
    result->values[i] = from.values[i];
    result->magnitudes[i] = from.magnitudes[i];
  }
  return result;
}

/// Of integers: the quotient rounded up.
static Result<Reference> ceilDivide(const Operands &given) {
  Operands operands = given;
  Result<Reference> result = align("cdiv", operands);
  if (!result)
    return result;
  for (size_t i = 0; i < result->values.size(); ++i) {
    double value = std::ceil(operands[0].values[i] / operands[1].values[i]);
    result->values[i] = value;
    result->magnitudes[i] = std::fabs(value);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Along an axis
//===----------------------------------------------------------------------===//

namespace {
/// Lines of an array along one axis: `outer` x `side` x `inner` elements.
struct Lines {
  int64_t outer = 1, side = 1, inner = 1;
};
} // namespace

/// The lines of operand 0 along the axis that operand 1 is.
static Result<Lines> linesOf(llvm::StringRef name, const Operands &operands) {
  const std::vector<int64_t> &sides = operands[0].sides;
  const Reference &axis = operands[1];
  if (sides.empty())
    return Error(name.str() + ": expected a tensor, got a number");
  if (!axis.sides.empty())
    return Error(name.str() + ": expected an axis, got a tensor of " +
                 sidesText(axis.sides));
  double number = axis.values[0];
  if (!(number >= 0 && number < double(sides.size())) ||
      number != std::floor(number))
    return Error(name.str() + ": expected an axis from 0 to " +
                 std::to_string(int64_t(sides.size()) - 1) + " of " +
                 sidesText(sides) + ", got " + numberText(number));
  Lines lines;
  for (auto [dim, side] : llvm::enumerate(sides))
    (double(dim) < number    ? lines.outer
     : double(dim) == number ? lines.side
                             : lines.inner) *= side;
  return lines;
}

/// One element for each line, whose side becomes 1; `visit` gets the place of
/// the result, then that of each element.
static Result<Reference>
reduceLines(llvm::StringRef name, const Operands &operands, double start,
            llvm::function_ref<void(Reference &, int64_t, int64_t)> visit) {
  Result<Lines> lines = linesOf(name, operands);
  if (!lines)
    return lines.takeError();
  Reference result = operands[0];
  result.sides[size_t(operands[1].values[0])] = 1;
  result.values.assign(size_t(lines->outer * lines->inner), start);
  result.magnitudes.assign(result.values.size(), 0.0);
  result.chain += lines->side;
  result.operations += double(operands[0].values.size());
  for (int64_t i = 0; i < lines->outer; ++i)
    for (int64_t k = 0; k < lines->side; ++k)
      for (int64_t j = 0; j < lines->inner; ++j)
        visit(result, i * lines->inner + j,
              (i * lines->side + k) * lines->inner + j);
  return result;
}

static Result<Reference> sum(const Operands &operands) {
  const Reference &input = operands[0];
  return reduceLines("sum", operands, 0,
                     [&](Reference &result, int64_t to, int64_t from) {
                       result.values[to] += input.values[from];
                       result.magnitudes[to] += input.magnitudes[from];
                     });
}

static Result<Reference> mean(const Operands &operands) {
  Result<Reference> result = sum(operands);
  if (!result)
    return result;
  double side = double(operands[0].sides[size_t(operands[1].values[0])]);
  for (auto *list : {&result->values, &result->magnitudes})
    for (double &value : *list)
      value /= side;
  result->isIntegral = false;
  return result;
}

static Result<Reference> largest(const Operands &operands) {
  const Reference &input = operands[0];
  return reduceLines("amax", operands, -INFINITY,
                     [&](Reference &result, int64_t to, int64_t from) {
                       double &best = result.values[to];
                       double value = input.values[from];
                       if (std::isnan(value) || value > best)
                         best = value;
                       result.magnitudes[to] = std::max(result.magnitudes[to],
                                                        input.magnitudes[from]);
                     });
}

/// The index along the axis, in the shape of operand 0.
static Result<Reference> indices(const Operands &operands) {
  Result<Lines> lines = linesOf("indices", operands);
  if (!lines)
    return lines.takeError();
  Reference result = operands[0];
  for (int64_t i = 0; i < result.numElements(); ++i) {
    result.values[i] = double(i / lines->inner % lines->side);
    result.magnitudes[i] = result.values[i];
  }
  result.isIntegral = true;
  result.chain = 0;
  return result;
}

/// exp(x) over its sum along the axis.
static Result<Reference> softmax(const Operands &operands) {
  Result<Lines> lines = linesOf("softmax", operands);
  if (!lines)
    return lines.takeError();
  Reference result = operands[0];
  for (int64_t line = 0; line < lines->outer * lines->inner; ++line) {
    int64_t first =
        line / lines->inner * lines->side * lines->inner + line % lines->inner;
    auto at = [&](int64_t k) { return first + k * lines->inner; };
    double best = -INFINITY, total = 0;
    for (int64_t k = 0; k < lines->side; ++k)
      best = std::max(best, operands[0].values[at(k)]);
    for (int64_t k = 0; k < lines->side; ++k)
      total += std::exp(operands[0].values[at(k)] - best);
    for (int64_t k = 0; k < lines->side; ++k) {
      double share = std::exp(operands[0].values[at(k)] - best) / total;
      result.values[at(k)] = share;
      // An error e of x changes exp(x) by the factor 1 + e.
      result.magnitudes[at(k)] = share * (1 + operands[0].magnitudes[at(k)]);
    }
  }
  result.chain += lines->side + kFunctionChain;
  result.isIntegral = false;
  result.operations += 3.0 * double(result.values.size());
  return result;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

namespace {
/// What a function of frontend::expectationFunctions() does.
struct Function {
  llvm::StringRef name;
  Result<Reference> (*evaluate)(const Operands &);
};
} // namespace

static constexpr Function kFunctions[] = {
    {"abs", absolute},    {"amax", largest},      {"cdiv", ceilDivide},
    {"ceil", roundUp},    {"cos", cosine},        {"erf", errorFunction},
    {"exp", exponential}, {"exp2", exponential2}, {"floor", roundDown},
    {"gelu", gelu},       {"indices", indices},   {"log", logarithm},
    {"log2", logarithm2}, {"matmul", matmul},     {"max", maximum},
    {"mean", mean},       {"min", minimum},       {"rsqrt", inverseRoot},
    {"sin", sine},        {"softmax", softmax},   {"sqrt", squareRoot},
    {"sum", sum},         {"tanh", tangent},      {"transpose", transpose},
    {"where", select},
};

Result<Reference> run::callFunction(const std::string &name,
                                    const Operands &operands) {
  const auto *function = llvm::find_if(
      kFunctions, [&](const Function &entry) { return entry.name == name; });
  const frontend::ExpectationFunction *info =
      frontend::findExpectationFunction(name);
  if (function == std::end(kFunctions) || !info) {
    std::vector<llvm::StringRef> names;
    for (const Function &entry : kFunctions)
      names.push_back(entry.name);
    return Error("expected a function (" + llvm::join(names, ", ") +
                 "), got '" + name + "'");
  }
  if (operands.size() != info->numOperands)
    return Error(name + ": expected " + std::to_string(info->numOperands) +
                 (info->numOperands == 1 ? " operand" : " operands") +
                 ", got " + std::to_string(operands.size()));
  return function->evaluate(operands);
}
