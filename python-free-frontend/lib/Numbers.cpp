//===- Numbers.cpp - How numbers are spelled ------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Frontend/Numbers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace llvm;
using namespace tile;

/// The number without `_` and `0x`, and the base of its digits; empty where it
/// does not begin with one.
static std::string plainDigits(StringRef text, unsigned &base) {
  bool isNegative = text.consume_front("-");
  base = text.consume_front("0x") ? 16 : 10;
  if (text.empty() ||
      !(base == 16 ? isHexDigit(text.front()) : isDigit(text.front())))
    return "";
  std::string digits = (isNegative ? "-" : "") + text.str();
  llvm::erase(digits, '_');
  return digits;
}

std::optional<int64_t> frontend::readInteger(StringRef text) {
  unsigned base = 10;
  std::string digits = plainDigits(text, base);
  int64_t value = 0;
  if (StringRef(digits).getAsInteger(base, value))
    return std::nullopt;
  return value;
}

std::optional<double> frontend::readNumber(StringRef text) {
  unsigned base = 10;
  std::string digits = plainDigits(text, base);
  double value = 0;
  if (base == 10) {
    if (StringRef(digits).getAsDouble(value) || !std::isfinite(value))
      return std::nullopt;
    return value;
  }
  APInt integer;
  StringRef rest = digits;
  bool isNegative = rest.consume_front("-");
  if (rest.getAsInteger(base, integer))
    return std::nullopt;
  value = integer.roundToDouble();
  if (!std::isfinite(value))
    return std::nullopt;
  return isNegative ? -value : value;
}

StringRef frontend::takeNumber(StringRef &text) {
  // The sign of an exponent is part of the number; hexadecimal digits have
  // none.
  bool isHex = text.starts_with("0x") || text.starts_with("-0x");
  size_t end = text.starts_with("-") ? 1 : 0;
  for (char last = 0; end < text.size(); ++end) {
    char c = text[end];
    bool isSign = !isHex && (c == '-' || c == '+') && toLower(last) == 'e';
    if (!isAlnum(c) && c != '_' && c != '.' && !isSign)
      break;
    last = c;
  }
  StringRef number = text.take_front(end);
  text = text.drop_front(end);
  return number;
}

std::string frontend::plainInteger(StringRef text) {
  std::optional<int64_t> integer = readInteger(text);
  return integer ? std::to_string(*integer) : text.str();
}

std::string frontend::withPlainIntegers(StringRef text) {
  auto [name, values] = text.split('=');
  if (name.size() == text.size())
    return text.str();
  std::vector<std::string> plain;
  for (StringRef value : llvm::split(values, ','))
    plain.push_back(plainInteger(value));
  return (name + "=" + join(plain, ",")).str();
}
