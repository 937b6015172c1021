//===- Reference.cpp - Values of expectations in f64 ----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reference.h"
#include "Npy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

using namespace tile;
using namespace tile::run;
using runtime::Error;
using runtime::Result;

Reference run::makeInput(std::vector<int64_t> sides,
                         std::vector<double> values) {
  Reference input;
  input.sides = std::move(sides);
  input.values = std::move(values);
  input.magnitudes.reserve(input.values.size());
  for (double value : input.values) {
    input.magnitudes.push_back(std::fabs(value));
    input.isIntegral &= std::isfinite(value) && std::trunc(value) == value;
  }
  return input;
}

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
static std::vector<double> multiply(const std::vector<double> &a,
                                    const std::vector<double> &b, int64_t m,
                                    int64_t n, int64_t k) {
  // Rows that share a piece of a row of b while it is in the L1 cache.
  constexpr int64_t kRows = 8, kColumns = 512;
  std::vector<double> result(size_t(m * n), 0.0);
  parallelFor((m + kRows - 1) / kRows, [&](int64_t block) {
    int64_t begin = block * kRows, end = std::min(begin + kRows, m);
    for (int64_t j = 0; j < n; j += kColumns)
      for (int64_t i = 0; i < k; ++i)
        for (int64_t row = begin; row < end; ++row)
          addScaled(&result[row * n + j], a[row * k + i], &b[i * n + j],
                    std::min(kColumns, n - j));
  });
  return result;
}

static Result<Reference> matmul(const std::vector<Reference> &operands) {
  const Reference &a = operands[0], &b = operands[1];
  if (a.sides.size() != 2 || b.sides.size() != 2 || a.sides[1] != b.sides[0])
    return Error("matmul: expected m x k and k x n, got " + sidesText(a.sides) +
                 " and " + sidesText(b.sides));
  int64_t m = a.sides[0], k = a.sides[1], n = b.sides[1];
  Reference result;
  result.sides = {m, n};
  result.values = multiply(a.values, b.values, m, n, k);
  result.magnitudes = multiply(a.magnitudes, b.magnitudes, m, n, k);
  result.chain = a.chain + b.chain + k;
  result.isIntegral = a.isIntegral && b.isIntegral;
  result.operations = a.operations + b.operations + 2.0 * m * n * k;
  return result;
}

static Result<Reference> transpose(const std::vector<Reference> &operands) {
  Reference result = operands[0];
  if (result.sides.size() != 2)
    return Error("transpose: expected two sides, got " +
                 sidesText(result.sides));
  int64_t rows = result.sides[0], columns = result.sides[1];
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) {
      result.values[j * rows + i] = operands[0].values[i * columns + j];
      result.magnitudes[j * rows + i] = operands[0].magnitudes[i * columns + j];
    }
  std::swap(result.sides[0], result.sides[1]);
  return result;
}

namespace {
/// A function that expectations may call.
struct Function {
  llvm::StringRef name;
  unsigned numOperands;
  Result<Reference> (*evaluate)(const std::vector<Reference> &);
};
} // namespace

static constexpr Function kFunctions[] = {
    {"matmul", 2, matmul},
    {"transpose", 1, transpose},
};

static Result<Reference> call(const Expectation &node,
                              const std::vector<Reference> &operands) {
  const auto *function = llvm::find_if(kFunctions, [&](const Function &entry) {
    return entry.name == node.name;
  });
  if (function == std::end(kFunctions))
    return Error("expected a function (matmul or transpose), got '" +
                 node.name + "'");
  if (operands.size() != function->numOperands)
    return Error(node.name + ": expected " +
                 std::to_string(function->numOperands) + " operands, got " +
                 std::to_string(operands.size()));
  return function->evaluate(operands);
}

/// lhs op rhs element by element; a scalar side is repeated.
static Result<Reference> combine(Expectation::Kind kind, const Reference &lhs,
                                 const Reference &rhs) {
  bool isMultiply = kind == Expectation::Kind::Multiply;
  bool lhsScalar = lhs.sides.empty(), rhsScalar = rhs.sides.empty();
  if (!lhsScalar && !rhsScalar && lhs.sides != rhs.sides)
    return Error("expected operands with equal sides, got " +
                 sidesText(lhs.sides) + " and " + sidesText(rhs.sides));
  Reference result;
  result.sides = lhsScalar ? rhs.sides : lhs.sides;
  size_t count = lhsScalar ? rhs.values.size() : lhs.values.size();
  for (size_t i = 0; i < count; ++i) {
    size_t l = lhsScalar ? 0 : i, r = rhsScalar ? 0 : i;
    double left = lhs.values[l], right = rhs.values[r];
    result.values.push_back(isMultiply                       ? left * right
                            : kind == Expectation::Kind::Add ? left + right
                                                             : left - right);
    result.magnitudes.push_back(isMultiply
                                    ? lhs.magnitudes[l] * rhs.magnitudes[r]
                                    : lhs.magnitudes[l] + rhs.magnitudes[r]);
  }
  result.chain = isMultiply ? lhs.chain + rhs.chain + 1
                            : std::max(lhs.chain, rhs.chain) + 1;
  result.isIntegral = lhs.isIntegral && rhs.isIntegral;
  result.operations = lhs.operations + rhs.operations + double(count);
  return result;
}

Result<Reference> run::evaluate(const Expectation &expectation,
                                const ArgumentLookup &lookup) {
  std::vector<Reference> operands;
  for (const Expectation &operand : expectation.operands) {
    Result<Reference> value = evaluate(operand, lookup);
    if (!value)
      return value;
    operands.push_back(std::move(*value));
  }
  switch (expectation.kind) {
  case Expectation::Kind::Number:
    return makeInput({}, {expectation.number});
  case Expectation::Kind::Name:
    return lookup(expectation.name);
  case Expectation::Kind::Negate: {
    Reference result = std::move(operands[0]);
    for (double &value : result.values)
      value = -value;
    return result;
  }
  case Expectation::Kind::Call:
    return call(expectation, operands);
  default:
    return combine(expectation.kind, operands[0], operands[1]);
  }
}
