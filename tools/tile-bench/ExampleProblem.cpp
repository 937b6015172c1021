//===- ExampleProblem.cpp - Softmax and attention on one device
//---------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExampleProblem.h"

#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace tile::bench;
using namespace tile::runtime;

using Kind = ExampleCase::Kind;

double ExampleCase::flops() const {
  if (kind == Kind::Softmax)
    return 0;
  double keys = double(rows), depth = double(columns);
  return double(batches) * double(rows) * 2 * (2 * keys * depth);
}

double ExampleCase::bytes() const {
  double tensors = kind == Kind::Softmax ? 2 : 4;
  return tensors * double(batches) * double(rows) * double(columns) *
         sizeInBytes(ElementType::F16);
}

ExampleProblem::ExampleProblem(const ExampleCase &example)
    : Problem(ElementType::F16, example.batches * example.rows,
              example.columns),
      theCase(example) {}

Result<std::unique_ptr<ExampleProblem>>
ExampleProblem::create(const Device &device, const ExampleCase &example,
                       uint64_t seed) {
  std::unique_ptr<ExampleProblem> problem(new ExampleProblem(example));
  int numInputs = example.kind == Kind::Softmax ? 1 : 3;
  for (int index = 0; index < numInputs; ++index) {
    HostMatrix &input = problem->inputs.emplace_back(problem->hostOutput());
    input.fillNormal(seed + uint64_t(index));
    Result<Buffer> buffer = Buffer::allocate(device, input.sizeInBytes());
    if (!buffer)
      return buffer.takeError();
    if (Status status = buffer->write(input.data(), input.sizeInBytes());
        !status)
      return status.takeError();
    problem->buffers.push_back(std::move(*buffer));
  }
  problem->sampled = sampleIndices(problem->inputs.front().rows(), seed);
  for (int64_t row : problem->sampled)
    problem->expected.push_back(example.kind == Kind::Softmax
                                    ? problem->softmaxRow(row)
                                    : problem->attentionRow(row));
  return problem;
}

//===----------------------------------------------------------------------===//
// What the kernels take
//===----------------------------------------------------------------------===//

/// What the scores are multiplied by.
static double scaleOf(const ExampleCase &example) {
  return 1 / std::sqrt(double(example.columns));
}

Result<LaunchValue> ExampleProblem::scalar(const Argument &argument) const {
  llvm::StringRef name = argument.name;
  bool isAttention = theCase.kind == Kind::Attention;
  int64_t rows = theCase.rows, columns = theCase.columns;
  std::vector<int64_t> strides = {rows * columns, columns, 1};
  if (!isAttention)
    strides.erase(strides.begin());
  size_t dimension = 0;
  auto [tensor, place] = name.split("_stride");
  if (!place.getAsInteger(10, dimension) && dimension < strides.size())
    return LaunchValue::integerOf(strides[dimension]);
  if (name == "scale")
    return LaunchValue::realOf(scaleOf(theCase));
  if (name == "H")
    return LaunchValue::integerOf(theCase.batches);
  if (name == (isAttention ? "S" : "M"))
    return LaunchValue::integerOf(rows);
  if (name == (isAttention ? "E" : "N"))
    return LaunchValue::integerOf(columns);
  return Error("expected the example's arguments, got '" + argument.name + "'");
}

Result<std::vector<LaunchValue>>
ExampleProblem::values(const Manifest &manifest, const GuardedBuffer &y) const {
  std::vector<LaunchValue> values;
  // Pointers come in the order of the tensors, the output's last.
  size_t numPointers = 0;
  for (const Argument &argument : manifest.arguments) {
    if (argument.type.isPointer) {
      values.push_back(numPointers < buffers.size()
                           ? LaunchValue::pointer(buffers[numPointers])
                           : LaunchValue::pointer(y.address(), y.size()));
      ++numPointers;
      continue;
    }
    Result<LaunchValue> value = scalar(argument);
    if (!value)
      return value.takeError();
    values.push_back(*value);
  }
  return values;
}

//===----------------------------------------------------------------------===//
// What is right
//===----------------------------------------------------------------------===//

/// exp(x - max) / sum of them, in place.
static void applySoftmax(std::vector<double> &values) {
  double greatest = *std::max_element(values.begin(), values.end()), sum = 0;
  for (double &value : values) {
    value = std::exp(value - greatest);
    sum += value;
  }
  for (double &value : values)
    value /= sum;
}

std::vector<double> ExampleProblem::softmaxRow(int64_t row) const {
  std::vector<double> values;
  for (int64_t column = 0; column < theCase.columns; ++column)
    values.push_back(inputs[0].at(row, column));
  applySoftmax(values);
  return values;
}

std::vector<double> ExampleProblem::attentionRow(int64_t row) const {
  const HostMatrix &q = inputs[0], &k = inputs[1], &v = inputs[2];
  int64_t first = row / theCase.rows * theCase.rows;
  std::vector<double> scores(theCase.rows), result(theCase.columns);
  for (int64_t key = 0; key < theCase.rows; ++key) {
    for (int64_t column = 0; column < theCase.columns; ++column)
      scores[key] += q.at(row, column) * k.at(first + key, column);
    scores[key] *= scaleOf(theCase);
  }
  applySoftmax(scores);
  for (int64_t key = 0; key < theCase.rows; ++key)
    for (int64_t column = 0; column < theCase.columns; ++column)
      result[column] += scores[key] * v.at(first + key, column);
  return result;
}

/// Results are rounded to f16, off by at most 2^-11 of their value and, where
/// they are small, by 2^-25.  Softmax adds errors of f32 to that, for which
/// twice as much is room.  Attention rounds the probabilities to f16 too, each
/// by itself, so that in the norm the errors add like their products.
Tolerance ExampleProblem::tolerance() const {
  Tolerance tolerance;
  if (theCase.kind == Kind::Softmax) {
    tolerance.absolute = 0x1p-24;
    tolerance.relative = 0x1p-10;
    tolerance.norm = 0x1p-11;
  } else {
    tolerance.norm = 0x1p-10;
    tolerance.ofRoot = 8 * tolerance.norm;
  }
  return tolerance;
}

/// Root of the mean square.
static double meanOf(const std::vector<double> &values) {
  double sum = 0;
  for (double value : values)
    sum += value * value;
  return std::sqrt(sum / double(values.size()));
}

/// That every element was written and is a number.
static Status checkNumbers(const HostMatrix &output, const std::string &who) {
  std::vector<int64_t> wrong(output.rows(), -1);
  parallelFor(output.rows(), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row)
      for (int64_t column = 0; column < output.columns(); ++column)
        if (!std::isfinite(output.at(row, column)))
          wrong[row] = column;
  });
  for (int64_t row = 0; row < output.rows(); ++row)
    if (wrong[row] >= 0)
      return Error(who + ", element [" + std::to_string(row) + ", " +
                   std::to_string(wrong[row]) + "]: expected a number, got " +
                   std::to_string(output.at(row, wrong[row])));
  return Status::success();
}

Result<double> ExampleProblem::check(const HostMatrix &output, Work work,
                                     const std::string &who) const {
  if (work == Work::Copy) {
    const HostMatrix &source = inputs.front();
    if (std::memcmp(source.data(), output.data(), source.sizeInBytes()) == 0)
      return 0.0;
    return Error(who + ": expected the bits of the input, got others");
  }
  ErrorNorm norm(who);
  Tolerance allowed = tolerance();
  for (size_t index = 0; index < sampled.size(); ++index) {
    double root = meanOf(expected[index]);
    for (int64_t column = 0; column < theCase.columns; ++column) {
      double value = expected[index][column];
      double bound = allowed.absolute + allowed.relative * std::fabs(value) +
                     allowed.ofRoot * root;
      int64_t row = sampled[index];
      if (Status status =
              norm.add(row, column, value, output.at(row, column), bound);
          !status)
        return status.takeError();
    }
  }
  if (Status status = checkNumbers(output, who); !status)
    return status.takeError();
  return norm.finish(allowed.norm);
}
