//===- Compare.cpp - A result against its reference -----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compare.h"
#include "Npy.h"
#include "Number.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace tile;
using namespace tile::run;
using runtime::Error;
using runtime::Result;

namespace {
/// Tolerances of one comparison.
struct Rule {
  double absolute = 0, relative = 0;
  /// Times the element's magnitude, added to `absolute`.
  double perMagnitude = 0;
  std::string text;

  double allowed(double want, double magnitude) const {
    return absolute + relative * std::fabs(want) + perMagnitude * magnitude;
  }
};
} // namespace

/// Whether every partial sum is an integer that f32 holds.
static bool isExactInF32(const Reference &reference) {
  return reference.isIntegral &&
         llvm::all_of(reference.magnitudes,
                      [](double magnitude) { return magnitude <= 0x1p24; });
}

/// Whether f64 tells the values from the integers beside them.
static bool isExactInF64(const Reference &reference) {
  return llvm::all_of(reference.values, [](double value) {
    return !(std::fabs(value) >= 0x1p53);
  });
}

static Rule chooseRule(ElementType type, const Reference &reference,
                       const Tolerance &tolerance) {
  Rule rule;
  if (tolerance.absolute || tolerance.relative) {
    rule.absolute = tolerance.absolute.value_or(0);
    rule.relative = tolerance.relative.value_or(0);
  } else if (runtime::isInteger(type) || isExactInF32(reference)) {
    bool isRounded = type == ElementType::I64 && reference.integers.empty() &&
                     !isExactInF64(reference);
    rule.text = isRounded ? "equal once rounded to f64" : "exact";
    return rule;
  } else if (type == ElementType::F32 || type == ElementType::F64) {
    int64_t chain = std::max<int64_t>(reference.chain, 1);
    rule.perMagnitude = 4.0 * double(chain) * unitRoundoff(type);
    rule.text = "4 K u sum|terms| with K = " + std::to_string(chain);
    return rule;
  } else {
    bool isHalf = type == ElementType::F16 || type == ElementType::BF16;
    rule.absolute = rule.relative = isHalf ? 2e-2 : 2 * unitRoundoff(type);
  }
  rule.text = "atol " + numberText(rule.absolute) + ", rtol " +
              numberText(rule.relative);
  return rule;
}

/// Adds one element to the figures.  Returns whether it is right.
static bool compareElement(Comparison &result, const Rule &rule,
                           ElementType type, double got, double want,
                           double magnitude) {
  double rounded =
      runtime::isInteger(type) ? want : decode(type, encode(type, want));
  if (std::isnan(got) || std::isnan(rounded)) {
    if (std::isnan(got) && std::isnan(rounded))
      return true;
    result.maxAbsolute = result.maxRelative = result.maxUlp = INFINITY;
    return false;
  }
  // Of infinities the rounded value is what there can be.
  if (got == rounded && std::isinf(got))
    return true;
  double error = std::fabs(got - want);
  result.maxAbsolute = std::max(result.maxAbsolute, error);
  result.maxUlp = std::max(result.maxUlp, error / ulp(type, want));
  if (error > 0 && want != 0)
    result.maxRelative = std::max(result.maxRelative, error / std::fabs(want));
  // What is infinite allows everything.
  double allowed = rule.allowed(want, magnitude);
  return got == rounded || (std::isfinite(allowed) && error <= allowed);
}

/// Likewise of integers, which are not rounded.
static bool compareInteger(Comparison &result, const Rule &rule, int64_t got,
                           int64_t want) {
  uint64_t distance = got > want ? uint64_t(got) - uint64_t(want)
                                 : uint64_t(want) - uint64_t(got);
  auto error = double(distance);
  result.maxAbsolute = std::max(result.maxAbsolute, error);
  result.maxUlp = std::max(result.maxUlp, error);
  if (error > 0 && want != 0)
    result.maxRelative =
        std::max(result.maxRelative, error / std::fabs(double(want)));
  return error <= rule.allowed(double(want), /*magnitude=*/0);
}

/// Keeps the first wrong element, which is number `i`.
static void keepWrong(Comparison &result, ElementType type, int64_t i,
                      double got, double want) {
  if (result.numWrong++ != 0)
    return;
  result.firstWrong = i;
  result.got = got;
  result.want = want;
  if (!holds(type, want))
    result.narrowType = runtime::stringify(type);
}

Result<Comparison> run::compare(const HostTensor &tensor,
                                const Reference &reference,
                                const Tolerance &tolerance) {
  const TensorShape &shape = tensor.shape();
  if (!reference.sides.empty() && reference.sides != shape.sides)
    return Error("expected sides " + sidesText(reference.sides) + ", got " +
                 sidesText(shape.sides));
  Rule rule = chooseRule(shape.type, reference, tolerance);
  Comparison result;
  result.rule = rule.text;
  result.numElements = shape.numElements();
  int64_t i = 0;
  tensor.forEachElement([&](size_t position) {
    size_t from = reference.sides.empty() ? 0 : size_t(i);
    double got = load(shape.type, &tensor.memory()[position]);
    double want = reference.values[from];
    bool isExact =
        shape.type == ElementType::I64 && !reference.integers.empty();
    int64_t integer = 0;
    if (isExact)
      std::memcpy(&integer, &tensor.memory()[position], sizeof(integer));
    bool isRight = isExact ? compareInteger(result, rule, integer,
                                            reference.integers[from])
                           : compareElement(result, rule, shape.type, got, want,
                                            reference.magnitudes[from]);
    if (!isRight && isExact && result.numWrong == 0) {
      result.gotInteger = integer;
      result.wantInteger = reference.integers[from];
    }
    if (!isRight)
      keepWrong(result, shape.type, i, got, want);
    ++i;
  });
  return result;
}
