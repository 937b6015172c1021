//===- Numerics.cpp - How a sum was rounded -------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Numerics.h"
#include "Number.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

#include <algorithm>
#include <cmath>

using namespace tile;
using namespace tile::run;
using runtime::Error;
using runtime::Result;

namespace {
/// Adds up the figures element by element.
class Analysis {
public:
  Analysis(ElementType type, const Reference &reference);

  void add(double got, double want, double magnitude);
  Numerics finish();

private:
  ElementType type;
  /// Of the sum, and of the rounding to an output that is narrower; 0 if it is
  /// not.
  double sumRoundoff, outputRoundoff;
  Numerics result;
  std::vector<double> conditions;
  double sumUlp = 0, sumMagnitude = 0, sum = 0, sumSquares = 0;
  /// Elements that have a standard deviation.
  int64_t numFinite = 0;
};
} // namespace

Analysis::Analysis(ElementType type, const Reference &reference) : type(type) {
  sumRoundoff = std::min(unitRoundoff(ElementType::F32), unitRoundoff(type));
  bool isNarrow = unitRoundoff(type) > sumRoundoff;
  outputRoundoff = isNarrow ? unitRoundoff(type) : 0;
  result.chain = std::max<int64_t>(reference.chain, 1);
  double product = double(result.chain) * sumRoundoff;
  result.gamma = product < 1 ? product / (1 - product) : INFINITY;
}

void Analysis::add(double got, double want, double magnitude) {
  int64_t i = result.numElements++;
  // One that is no number is infinitely wrong, unless it should be none, or is
  // what the type makes of the number.
  bool bothNaN = std::isnan(got) && std::isnan(want);
  bool isRight = got == want || bothNaN ||
                 (std::isinf(got) && got == decode(type, encode(type, want)));
  double error = isRight ? 0 : std::fabs(got - want);
  if (std::isnan(error))
    error = INFINITY;
  double errorUlp = error == 0              ? 0
                    : !std::isfinite(error) ? INFINITY
                                            : error / ulp(type, want);
  sumUlp += errorUlp;
  if (errorUlp > result.maxUlp) {
    result.maxUlp = errorUlp;
    result.maxUlpAt = i;
  }
  // No terms, or zeros only: nothing is magnified.  What is no number, or
  // infinite, has no condition.
  double condition = !std::isfinite(want) ? INFINITY
                     : magnitude == 0     ? 1
                                          : magnitude / std::fabs(want);
  if (std::isnan(condition))
    condition = INFINITY;
  conditions.push_back(condition);
  if (condition > result.maxCondition) {
    result.maxCondition = condition;
    result.maxConditionAt = i;
  }
  double bound = magnitude == 0 ? 0 : result.gamma * magnitude;
  // The rounding to the output meets the sum as computed; below the smallest
  // normal number it is half an ulp.
  if (outputRoundoff > 0 && std::isfinite(want))
    bound += std::max(outputRoundoff * (std::fabs(want) + bound),
                      0.5 * ulp(type, want));
  // No bound, however large, is one for what is infinitely wrong.
  result.numInside += error == 0 || (std::isfinite(error) && error <= bound);
  if (error > 0)
    result.maxShare =
        std::max(result.maxShare,
                 std::isfinite(error) ? error / bound : double(INFINITY));
  sumMagnitude += magnitude;
  if (!std::isfinite(want))
    return;
  ++numFinite;
  sum += want;
  sumSquares += want * want;
}

Numerics Analysis::finish() {
  if (result.numElements == 0)
    return std::move(result);
  auto count = double(result.numElements);
  result.meanUlp = sumUlp / count;
  result.meanMagnitude = sumMagnitude / count;
  double finite = double(std::max<int64_t>(numFinite, 1));
  double mean = sum / finite;
  double variance = sumSquares / finite - mean * mean;
  // Of equal results it may round to less than 0.
  result.deviation = variance < 0 ? 0 : std::sqrt(variance);
  auto middle = conditions.begin() + std::ptrdiff_t(conditions.size() / 2);
  std::nth_element(conditions.begin(), middle, conditions.end());
  result.medianCondition = *middle;
  return std::move(result);
}

Result<Numerics> run::analyseNumerics(const HostTensor &tensor,
                                      const Reference &reference) {
  const TensorShape &shape = tensor.shape();
  if (runtime::isInteger(shape.type))
    return Error("expected elements of a float type for --numerics, got " +
                 std::string(runtime::stringify(shape.type)));
  Analysis analysis(shape.type, reference);
  int64_t i = 0;
  tensor.forEachElement([&](size_t position) {
    size_t from = reference.sides.empty() ? 0 : size_t(i++);
    analysis.add(load(shape.type, &tensor.memory()[position]),
                 reference.values[from], reference.magnitudes[from]);
  });
  Numerics result = analysis.finish();
  result.sides = shape.sides;
  return result;
}

void run::printNumerics(llvm::raw_ostream &stream, const Numerics &numerics) {
  if (numerics.numElements == 0) {
    stream << "  no elements\n";
    return;
  }
  stream << llvm::format("  error against f64: mean %.4g ulp, max %.4g ulp at ",
                         numerics.meanUlp, numerics.maxUlp)
         << indexText(numerics.sides, numerics.maxUlpAt) << '\n'
         << llvm::format("  condition sum|p| / |sum p|: median %.4g, max %.4g "
                         "at ",
                         numerics.medianCondition, numerics.maxCondition)
         << indexText(numerics.sides, numerics.maxConditionAt) << '\n'
         << llvm::format("  sum|p|: mean %.4g; sum p: standard deviation "
                         "%.4g\n",
                         numerics.meanMagnitude, numerics.deviation)
         << "  bound gamma_K sum|p|, K = " << numerics.chain
         << llvm::format(", gamma_K = %.4g: ", numerics.gamma)
         << numerics.numInside << " of " << numerics.numElements
         << llvm::format(" inside, largest error %.4g of its bound\n",
                         numerics.maxShare);
}

void run::printNumericsJson(llvm::json::OStream &json,
                            const Numerics &numerics) {
  auto number = [&](llvm::StringRef name, double value) {
    json.attribute(name, std::isfinite(value) ? llvm::json::Value(value)
                                              : llvm::json::Value(nullptr));
  };
  number("mean_ulp", numerics.meanUlp);
  number("max_ulp", numerics.maxUlp);
  json.attribute("max_ulp_at", indexText(numerics.sides, numerics.maxUlpAt));
  number("median_condition", numerics.medianCondition);
  number("max_condition", numerics.maxCondition);
  json.attribute("max_condition_at",
                 indexText(numerics.sides, numerics.maxConditionAt));
  number("mean_magnitude", numerics.meanMagnitude);
  number("deviation", numerics.deviation);
  json.attribute("terms", numerics.chain);
  number("gamma", numerics.gamma);
  json.attribute("inside", numerics.numInside);
  number("max_share_of_bound", numerics.maxShare);
}
