//===- ArgumentSpec.cpp - Arguments on the command line -------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArgumentSpec.h"
#include "Number.h"

#include "tile/Frontend/Numbers.h"
#include "tile/Frontend/Vocabulary.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <tuple>

using namespace tile;
using namespace tile::run;
using llvm::StringRef;
using runtime::Error;
using runtime::Result;
using runtime::Status;

bool TensorShape::operator==(const TensorShape &other) const {
  return std::tie(type, sides, strides, offset) ==
         std::tie(other.type, other.sides, other.strides, other.offset);
}

bool Fill::operator==(const Fill &other) const {
  return std::tie(kind, low, high, seed, file) ==
         std::tie(other.kind, other.low, other.high, other.seed, other.file);
}

bool ArgumentSpec::operator==(const ArgumentSpec &other) const {
  return std::tie(name, kind, shape, fill, scalar) ==
         std::tie(other.name, other.kind, other.shape, other.fill,
                  other.scalar);
}

int64_t TensorShape::numElements() const {
  int64_t count = 1;
  for (int64_t side : sides)
    count *= side;
  return count;
}

std::vector<int64_t> run::rowMajorStrides(const std::vector<int64_t> &sides) {
  std::vector<int64_t> strides(sides.size(), 1);
  for (size_t i = sides.size(); i > 1; --i)
    // A side of 0 has no second index; its neighbours keep a stride of use.
    strides[i - 2] = strides[i - 1] * std::max<int64_t>(sides[i - 1], 1);
  return strides;
}

namespace {
/// Reads one spec from left to right.
class SpecParser {
public:
  explicit SpecParser(StringRef text) : rest(text) {}

  Result<ArgumentSpec> parse();

private:
  Error expected(const llvm::Twine &what) const {
    std::string got = rest.empty() ? "the end" : ("'" + rest + "'").str();
    return Error(("argument '" + StringRef(spec.name) + "': expected " + what +
                  ", got " + got)
                     .str());
  }
  Status parseTensor();
  Status parseShape();
  /// Whether `rest` begins with an integer, which is then taken.
  bool takeInteger(int64_t &value);
  Status parseIntegers(std::vector<int64_t> &list);
  Status parseFill();
  Status parseParameters(StringRef form, unsigned count);
  Status readParameters(StringRef form);
  Status checkExtent() const;

  ArgumentSpec spec;
  StringRef rest;
  /// Numbers between the parentheses of a fill.
  std::vector<StringRef> parameters;
};
} // namespace

bool SpecParser::takeInteger(int64_t &value) {
  StringRef after = rest;
  std::optional<int64_t> integer =
      frontend::readInteger(frontend::takeNumber(after));
  if (!integer)
    return false;
  value = *integer;
  rest = after;
  return true;
}

Status SpecParser::parseIntegers(std::vector<int64_t> &list) {
  do {
    rest = rest.ltrim();
    if (!takeInteger(list.emplace_back()))
      return expected("an integer");
    rest = rest.ltrim();
  } while (rest.consume_front(","));
  return Status::success();
}

/// Sides and strides must not reach farther than memory can.
Status SpecParser::checkExtent() const {
  constexpr int64_t kMaxBytes = int64_t(1) << 40;
  int64_t reach = std::abs(spec.shape.offset);
  int64_t count = 1;
  bool overflow = spec.shape.offset == std::numeric_limits<int64_t>::min();
  for (auto [side, stride] : llvm::zip(spec.shape.sides, spec.shape.strides)) {
    int64_t step;
    overflow |= llvm::MulOverflow(count, std::max<int64_t>(side, 1), count);
    overflow |= llvm::MulOverflow(std::max<int64_t>(side - 1, 0), stride, step);
    overflow |= step == std::numeric_limits<int64_t>::min();
    overflow = overflow || llvm::AddOverflow(reach, std::abs(step), reach);
  }
  if (!overflow && reach < kMaxBytes / 8 && count < kMaxBytes / 8)
    return Status::success();
  return Error("argument '" + spec.name +
               "': expected a tensor of less than 2^37 elements, got more");
}

Status SpecParser::parseShape() {
  if (!rest.consume_front("["))
    return expected("'[' and the sides of the tensor");
  if (rest.ltrim().starts_with("]"))
    return Error("argument '" + spec.name +
                 "': expected the sides of the tensor, such as " +
                 std::string(runtime::stringify(spec.shape.type)) +
                 "[64,64], got none");
  if (Status status = parseIntegers(spec.shape.sides); !status)
    return status;
  for (int64_t side : spec.shape.sides)
    if (side < 0)
      return Error("argument '" + spec.name +
                   "': expected sides of at least 0, got " +
                   std::to_string(side));
  if (rest.consume_front(";")) {
    if (Status status = parseIntegers(spec.shape.strides); !status)
      return status;
    if (spec.shape.strides.size() != spec.shape.sides.size())
      return Error("argument '" + spec.name +
                   "': expected a stride for each of " +
                   std::to_string(spec.shape.sides.size()) + " sides, got " +
                   std::to_string(spec.shape.strides.size()));
  } else {
    int64_t bound = 1;
    for (int64_t side : spec.shape.sides)
      if (llvm::MulOverflow(bound, std::max<int64_t>(side, 1), bound))
        return Error("argument '" + spec.name +
                     "': expected a tensor of less than 2^37 elements, got "
                     "more");
    spec.shape.strides = rowMajorStrides(spec.shape.sides);
  }
  if (!rest.consume_front("]"))
    return expected("',', ';' or ']'");
  return Status::success();
}

Status SpecParser::parseParameters(StringRef form, unsigned count) {
  size_t end = rest.find(')');
  if (end == StringRef::npos || !rest.consume_front("("))
    return expected("'(' ... ')' as in " + form);
  StringRef inside = rest.take_front(end - 1);
  llvm::SmallVector<StringRef> pieces;
  inside.split(pieces, ',');
  if (pieces.size() != count)
    return Error(("argument '" + StringRef(spec.name) + "': expected " + form +
                  ", got '(" + inside + ")'")
                     .str());
  for (StringRef piece : pieces)
    parameters.push_back(piece.trim());
  rest = rest.drop_front(end);
  return Status::success();
}

Status SpecParser::parseFill() {
  using Kind = Fill::Kind;
  struct Form {
    StringRef word, form;
    Kind kind;
    unsigned numParameters;
  };
  static constexpr Form kForms[] = {
      {"zeros", "zeros", Kind::Zeros, 0},
      {"ones", "ones", Kind::Ones, 0},
      {"nan", "nan", Kind::NaN, 0},
      {"iota", "iota", Kind::Iota, 0},
      {"randn", "randn(SEED)", Kind::Randn, 1},
      {"uniform", "uniform(LOW,HIGH,SEED)", Kind::Uniform, 3},
      {"int", "int(LOW,HIGH,SEED)", Kind::Int, 3},
  };
  Fill &fill = spec.fill;
  if (rest.consume_front("@")) {
    fill.kind = Kind::File;
    fill.file = rest.str();
    rest = {};
    return fill.file.empty() ? Status(expected("a file after '@'"))
                             : Status::success();
  }
  StringRef word = rest.take_while([](char c) { return llvm::isAlpha(c); });
  const auto *form = llvm::find_if(
      kForms, [&](const Form &entry) { return entry.word == word; });
  if (form == std::end(kForms))
    return expected("zeros, ones, nan, iota, randn(SEED), "
                    "uniform(LOW,HIGH,SEED), int(LOW,HIGH,SEED) or @FILE");
  rest = rest.drop_front(word.size());
  fill.kind = form->kind;
  if (form->numParameters == 0)
    return Status::success();
  if (Status status = parseParameters(form->form, form->numParameters); !status)
    return status;
  return readParameters(form->form);
}

Status SpecParser::readParameters(StringRef form) {
  Fill &fill = spec.fill;
  auto complain = [&](const llvm::Twine &what) {
    return Error(("argument '" + StringRef(spec.name) + "': " + form +
                  ": expected " + what + ", got (" +
                  llvm::join(parameters, ",") + ")")
                     .str());
  };
  std::optional<int64_t> seed = frontend::readInteger(parameters.back());
  if (!seed || *seed < 0)
    return complain("SEED to be an integer from 0 to 2^63 - 1");
  fill.seed = uint64_t(*seed);
  if (parameters.size() == 1)
    return Status::success();
  std::optional<double> low = readNumber(parameters[0]),
                        high = readNumber(parameters[1]);
  fill.low = low.value_or(NAN);
  fill.high = high.value_or(NAN);
  if (!std::isfinite(fill.low) || !std::isfinite(fill.high) ||
      fill.low > fill.high)
    return complain("LOW and HIGH to be numbers with LOW at most HIGH");
  // A larger integer may look like one that f64 has.
  auto isLimit = [](StringRef text, double value) {
    std::optional<int64_t> integer = frontend::readInteger(text);
    return isExactInteger(value) && (!integer || *integer == int64_t(value));
  };
  if (fill.kind == Fill::Kind::Int &&
      !(isLimit(parameters[0], fill.low) && isLimit(parameters[1], fill.high)))
    return complain("LOW and HIGH to be integers of at most 2^53");
  if (!holds(spec.shape.type, fill.low) || !holds(spec.shape.type, fill.high))
    return complain("LOW and HIGH to be numbers that " +
                    std::string(runtime::stringify(spec.shape.type)) +
                    " holds");
  return Status::success();
}

Status SpecParser::parseTensor() {
  size_t open = rest.find('[');
  StringRef type = rest.take_front(open);
  std::optional<runtime::ElementType> element = readElementType(type);
  if (!element)
    return expected("an element type (" +
                    llvm::join(frontend::elementTypeNames(), ", ") +
                    ") before '['");
  spec.kind = ArgumentSpec::Kind::Tensor;
  spec.shape.type = *element;
  rest = rest.drop_front(open);
  if (Status status = parseShape(); !status)
    return status;
  if (rest.consume_front("+") && !takeInteger(spec.shape.offset))
    return expected("an element offset after '+'");
  if (rest.consume_front(":"))
    if (Status status = parseFill(); !status)
      return status;
  if (!rest.empty())
    return expected("the end");
  if (spec.shape.offset < 0)
    return Error("argument '" + spec.name +
                 "': expected an offset of at least 0, got " +
                 std::to_string(spec.shape.offset));
  return checkExtent();
}

Result<ArgumentSpec> SpecParser::parse() {
  auto [name, text] = rest.split('=');
  bool isName =
      !name.empty() && !llvm::isDigit(name.front()) &&
      llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (!isName || name.size() == rest.size())
    return Error(("expected NAME=SPEC, got '" + rest + "'").str());
  spec.name = name.str();
  rest = text;
  if (rest.starts_with("@")) {
    spec.kind = ArgumentSpec::Kind::File;
    if (Status status = parseFill(); !status)
      return status.takeError();
    return spec;
  }
  if (rest.contains('[')) {
    if (Status status = parseTensor(); !status)
      return status.takeError();
    return spec;
  }
  if (rest.empty())
    return expected("a value");
  spec.scalar = frontend::plainInteger(rest);
  return spec;
}

Result<ArgumentSpec> run::parseArgumentSpec(std::string_view text) {
  return SpecParser(StringRef(text.data(), text.size())).parse();
}

Result<uint64_t> run::parseScalar(runtime::ElementType type,
                                  const std::string &text) {
  StringRef ref = text;
  Error wrong("expected a value of " + std::string(runtime::stringify(type)) +
              ", got '" + text + "'");
  if (!runtime::isInteger(type)) {
    std::optional<double> value = readNumber(ref);
    if (!value)
      return wrong;
    if (!holds(type, *value))
      return Error("expected a value that " +
                   std::string(runtime::stringify(type)) + " holds, got '" +
                   text + "'");
    return encode(type, *value);
  }
  if (type == runtime::ElementType::I1) {
    if (ref == "true" || ref == "1")
      return uint64_t(1);
    if (ref == "false" || ref == "0")
      return uint64_t(0);
    return wrong;
  }
  std::optional<int64_t> value = frontend::readInteger(ref);
  unsigned bits = runtime::sizeInBytes(type) * 8;
  if (!value || !llvm::isIntN(bits, *value))
    return wrong;
  return static_cast<uint64_t>(*value);
}
