//===- Number.cpp - Element types as bits and as numbers ------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Number.h"

#include "tile/Frontend/Numbers.h"
#include "tile/Frontend/Vocabulary.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

using namespace tile;
using namespace tile::run;

namespace {
/// A binary floating-point format.
struct Format {
  int exponentBits, mantissaBits;
  /// Whether the largest exponent holds infinity; else only NaN is special.
  bool hasInfinity;

  int minExponent() const { return 2 - (1 << (exponentBits - 1)); }
  uint64_t infinity() const {
    return ((uint64_t(1) << exponentBits) - 1) << mantissaBits;
  }
  uint64_t nan() const {
    return infinity() | (hasInfinity ? uint64_t(1) << (mantissaBits - 1)
                                     : (uint64_t(1) << mantissaBits) - 1);
  }
  uint64_t sign() const { return uint64_t(1) << (exponentBits + mantissaBits); }
};
} // namespace

static Format formatOf(ElementType type) {
  switch (type) {
  case ElementType::F64:
    return {11, 52, true};
  case ElementType::F32:
    return {8, 23, true};
  case ElementType::F16:
    return {5, 10, true};
  case ElementType::BF16:
    return {8, 7, true};
  case ElementType::F8E4M3FN:
    return {4, 3, false};
  default:
    return {5, 2, true};
  }
}

static uint64_t encodeFloat(Format format, double value) {
  uint64_t sign = std::signbit(value) ? format.sign() : 0;
  // Without infinities the largest number is the one below NaN.
  uint64_t beyond = format.hasInfinity ? format.infinity() : format.nan() - 1;
  if (std::isnan(value))
    return sign | format.nan();
  if (std::isinf(value))
    return sign | beyond;
  if (value == 0)
    return sign;
  int exponent = std::max(std::ilogb(value), format.minExponent());
  // In units of the last place; nearbyint rounds to nearest even.
  double units = std::nearbyint(
      std::ldexp(std::fabs(value), format.mantissaBits - exponent));
  // A carry out of the mantissa lands in the exponent, as it should.
  uint64_t bits =
      (uint64_t(exponent - format.minExponent()) << format.mantissaBits) +
      uint64_t(units);
  return sign | std::min(bits, beyond);
}

static double decodeFloat(Format format, uint64_t bits) {
  bool negative = bits & format.sign();
  bits &= format.sign() - 1;
  double value;
  if (format.hasInfinity ? bits > format.infinity() : bits == format.nan()) {
    value = std::numeric_limits<double>::quiet_NaN();
  } else if (format.hasInfinity && bits == format.infinity()) {
    value = std::numeric_limits<double>::infinity();
  } else {
    int exponent = int(bits >> format.mantissaBits);
    uint64_t mantissa = bits & ((uint64_t(1) << format.mantissaBits) - 1);
    if (exponent)
      mantissa |= uint64_t(1) << format.mantissaBits;
    value = std::ldexp(double(mantissa), std::max(exponent - 1, 0) +
                                             format.minExponent() -
                                             format.mantissaBits);
  }
  return negative ? -value : value;
}

/// A double's integer part, modulo 2^64; what is no number is 0.
static uint64_t wrapToInteger(double value) {
  if (!std::isfinite(value))
    return 0;
  double rest = std::fmod(std::trunc(value), 18446744073709551616.0);
  return rest < 0 ? -uint64_t(-rest) : uint64_t(rest);
}

std::optional<ElementType> run::readElementType(llvm::StringRef text) {
  llvm::StringRef name = frontend::irTypeName(text);
  return runtime::symbolizeElementType({name.data(), name.size()});
}

double run::decode(ElementType type, uint64_t bits) {
  switch (type) {
  case ElementType::F64: {
    double value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  }
  case ElementType::F32: {
    float value;
    auto low = uint32_t(bits);
    std::memcpy(&value, &low, sizeof(value));
    return value;
  }
  case ElementType::I64:
    return double(int64_t(bits));
  case ElementType::I32:
    return int32_t(bits);
  case ElementType::I16:
    return int16_t(bits);
  case ElementType::I8:
    return int8_t(bits);
  case ElementType::I1:
    return uint8_t(bits);
  default:
    return decodeFloat(formatOf(type), bits);
  }
}

uint64_t run::encode(ElementType type, double value) {
  switch (type) {
  case ElementType::F64: {
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    return bits;
  }
  case ElementType::F32: {
    uint32_t bits;
    auto rounded = float(value);
    std::memcpy(&bits, &rounded, sizeof(bits));
    return bits;
  }
  case ElementType::I1:
    return value != 0;
  case ElementType::I64:
  case ElementType::I32:
  case ElementType::I16:
  case ElementType::I8:
    return wrapToInteger(value);
  default:
    return encodeFloat(formatOf(type), value);
  }
}

bool run::holds(ElementType type, double value) {
  if (runtime::isInteger(type)) {
    bool isBool = type == ElementType::I1;
    double limit =
        isBool ? 2 : std::ldexp(1.0, runtime::sizeInBytes(type) * 8 - 1);
    return std::trunc(value) == value && value < limit &&
           value >= (isBool ? 0 : -limit);
  }
  double rounded = decode(type, encode(type, value));
  if (!std::isfinite(value))
    return true;
  return std::isfinite(rounded) &&
         std::fabs(value - rounded) <= ulp(type, rounded);
}

double run::load(ElementType type, const uint8_t *address) {
  uint64_t bits = 0;
  std::memcpy(&bits, address, runtime::sizeInBytes(type));
  return decode(type, bits);
}

void run::store(ElementType type, uint8_t *address, double value) {
  uint64_t bits = encode(type, value);
  std::memcpy(address, &bits, runtime::sizeInBytes(type));
}

double run::ulp(ElementType type, double value) {
  if (runtime::isInteger(type))
    return 1;
  Format format = formatOf(type);
  int exponent = format.minExponent();
  if (std::isfinite(value) && value != 0)
    exponent = std::max(exponent, std::ilogb(value));
  return std::ldexp(1.0, exponent - format.mantissaBits);
}

double run::unitRoundoff(ElementType type) {
  if (runtime::isInteger(type))
    return 0;
  return std::ldexp(1.0, -formatOf(type).mantissaBits - 1);
}

bool run::isExactInteger(double value) {
  constexpr double kMaxInteger = 9007199254740992.0;
  return std::trunc(value) == value && std::fabs(value) <= kMaxInteger;
}

std::optional<double> run::readNumber(llvm::StringRef text) {
  if (std::optional<double> number = frontend::readNumber(text))
    return number;
  double value;
  bool isWrong = text.getAsDouble(value);
  // The words `inf` and `nan` have no digits.
  if (isWrong || (!std::isfinite(value) && llvm::any_of(text, llvm::isDigit)))
    return std::nullopt;
  return value;
}

std::string run::numberText(double value) {
  // Its sign says nothing.
  if (std::isnan(value))
    return "nan";
  std::string text;
  for (int digits = 15; digits <= 17; ++digits) {
    char buffer[32];
    std::snprintf(buffer, sizeof(buffer), "%.*g", digits, value);
    text = buffer;
    if (std::strtod(buffer, nullptr) == value)
      break;
  }
  return text;
}
