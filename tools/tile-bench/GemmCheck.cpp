//===- GemmCheck.cpp - Is the product right? ------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GemmCheck.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>
#include <random>

using namespace tile::bench;
using namespace tile::runtime;

/// Rows and columns of the sample.
static constexpr int64_t kSampleSide = 64;

std::vector<int64_t> tile::bench::sampleIndices(int64_t size, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<int64_t> indices;
  if (size <= kSampleSide) {
    for (int64_t index = 0; index < size; ++index)
      indices.push_back(index);
    return indices;
  }
  indices = {0, size - 1};
  while (int64_t(indices.size()) < kSampleSide)
    indices.push_back(int64_t(random() % uint64_t(size)));
  return indices;
}

GemmReference::GemmReference(const HostMatrix &a, const HostMatrix &b,
                             uint64_t seed) {
  int64_t depth = a.columns();
  rows = sampleIndices(a.rows(), seed);
  columns = sampleIndices(b.columns(), seed + 1);
  values.resize(rows.size() * columns.size());
  magnitudes.resize(values.size());
  squares.resize(values.size());
  parallelFor(int64_t(values.size()), [&](int64_t begin, int64_t end) {
    for (int64_t index = begin; index < end; ++index) {
      int64_t row = rows[index / columns.size()];
      int64_t column = columns[index % columns.size()];
      for (int64_t k = 0; k < depth; ++k) {
        double product = a.at(row, k) * b.at(k, column);
        values[index] += product;
        magnitudes[index] += std::fabs(product);
        squares[index] += product * product;
      }
    }
  });
}

void GemmReference::applyEpilogue(const HostMatrix &bias,
                                  const HostMatrix &residual) {
  constexpr double kRootTwoOverPi = 0.7978845608028654;
  for (size_t index = 0; index < values.size(); ++index) {
    int64_t row = rows[index / columns.size()];
    int64_t column = columns[index % columns.size()];
    double x = values[index] + bias.at(0, column);
    double inner = kRootTwoOverPi * (x + 0.044715 * x * x * x);
    values[index] = 0.5 * x * (1 + std::tanh(inner)) + residual.at(row, column);
    magnitudes[index] += std::fabs(residual.at(row, column)) + 1;
  }
}

static Error wrongValue(const std::string &who, int64_t row, int64_t column,
                        double expected, double got) {
  return Error(who + ", element [" + std::to_string(row) + ", " +
               std::to_string(column) + "]: expected " +
               std::to_string(expected) + ", got " + std::to_string(got));
}

Status ErrorNorm::add(int64_t row, int64_t column, double expected, double got,
                      double allowed) {
  double error = got - expected;
  // Negated, so that NaN is wrong.
  if (!(std::fabs(error) <= allowed))
    return wrongValue(who, row, column, expected, got);
  errorSquares += error * error;
  valueSquares += expected * expected;
  return Status::success();
}

Result<double> ErrorNorm::finish(double greatest) const {
  double norm =
      std::sqrt(valueSquares == 0 ? errorSquares : errorSquares / valueSquares);
  if (norm > greatest)
    return Error(who + ": expected a relative error of at most " +
                 llvm::formatv("{0:E2}", greatest).str() +
                 " in the norm, got " + llvm::formatv("{0:E2}", norm).str());
  return norm;
}

Result<double> GemmReference::compare(const HostMatrix &c,
                                      const Tolerance &tolerance,
                                      const std::string &who) const {
  ErrorNorm norm(who);
  for (size_t index = 0; index < values.size(); ++index) {
    int64_t row = rows[index / columns.size()];
    int64_t column = columns[index % columns.size()];
    double allowed = tolerance.absolute +
                     tolerance.relative * std::fabs(values[index]) +
                     tolerance.ofSum * magnitudes[index] +
                     tolerance.ofRoot * std::sqrt(squares[index]);
    if (Status status =
            norm.add(row, column, values[index], c.at(row, column), allowed);
        !status)
      return status.takeError();
  }
  return norm.finish(tolerance.norm);
}

Status tile::bench::compareAll(const HostMatrix &ours, const HostMatrix &theirs,
                               double tolerance, const std::string &who) {
  int64_t rows = ours.rows(), columns = ours.columns();
  if (rows == 0 || columns == 0)
    return Status::success();
  std::vector<double> squares(rows);
  parallelFor(rows, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row)
      for (int64_t column = 0; column < columns; ++column)
        squares[row] += theirs.at(row, column) * theirs.at(row, column);
  });
  double sum = 0;
  for (double square : squares)
    sum += square;
  double scale = std::sqrt(sum / double(rows) / double(columns));
  std::vector<int64_t> wrongColumns(rows, -1);
  parallelFor(rows, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row)
      for (int64_t column = columns - 1; column >= 0; --column) {
        double expected = theirs.at(row, column);
        double error = std::fabs(ours.at(row, column) - expected);
        if (!(error <= tolerance * (std::fabs(expected) + scale)))
          wrongColumns[row] = column;
      }
  });
  for (int64_t row = 0; row < rows; ++row)
    if (int64_t column = wrongColumns[row]; column >= 0)
      return wrongValue(who, row, column, theirs.at(row, column),
                        ours.at(row, column));
  return Status::success();
}
