//===- TileAttrs.cpp - Attributes of the tile dialect ---------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/IR/TileAttrs.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "tile/IR/MmaShapes.h"
#include "tile/IR/PlanKeys.h"
#include "tile/IR/TileDialect.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;

#include "tile/IR/TileEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "tile/IR/TileAttrs.cpp.inc"

void TileDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tile/IR/TileAttrs.cpp.inc"
      >();
}

/// Reads the word before `=` (or alone) in a list whose words differ.
static ParseResult parseNewKey(AsmParser &parser, StringRef &key,
                               llvm::StringSet<> &seen) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&key))
    return failure();
  if (seen.insert(key).second)
    return success();
  return parser.emitError(loc) << "expected '" << key << "' once, got it twice";
}

//===----------------------------------------------------------------------===//
// #tile.fact
//===----------------------------------------------------------------------===//

// Written by hand: the declarative struct() has no integers that are absent.
Attribute FactAttr::parse(AsmParser &parser, Type) {
  std::optional<int64_t> divisibility, min, max;
  bool noalias = false;
  llvm::StringSet<> seen;
  auto parseEntry = [&]() -> ParseResult {
    StringRef key;
    SMLoc loc = parser.getCurrentLocation();
    if (parseNewKey(parser, key, seen))
      return failure();
    if (key == "noalias") {
      noalias = true;
      return success();
    }
    auto *slot = llvm::StringSwitch<std::optional<int64_t> *>(key)
                     .Case("divisibility", &divisibility)
                     .Case("min", &min)
                     .Case("max", &max)
                     .Default(nullptr);
    if (!slot)
      return parser.emitError(loc)
             << "expected divisibility, min, max or noalias, got '" << key
             << "'";
    int64_t value;
    if (parser.parseEqual() || parser.parseInteger(value))
      return failure();
    *slot = value;
    return success();
  };
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseEntry))
    return {};
  return parser.getChecked<FactAttr>(loc, parser.getContext(), divisibility,
                                     min, max, noalias);
}

void FactAttr::print(AsmPrinter &printer) const {
  SmallVector<std::string> entries;
  auto add = [&](StringRef key, std::optional<int64_t> value) {
    if (value)
      entries.push_back((key + " = " + Twine(*value)).str());
  };
  add("divisibility", getDivisibility());
  add("min", getMin());
  add("max", getMax());
  if (getNoalias())
    entries.push_back("noalias");
  printer << '<';
  llvm::interleaveComma(entries, printer);
  printer << '>';
}

LogicalResult
FactAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                 std::optional<int64_t> divisibility,
                 std::optional<int64_t> min, std::optional<int64_t> max,
                 bool noalias) {
  // (C1)
  if (divisibility && *divisibility < 1)
    return emitError() << "expected divisibility of at least 1, got "
                       << *divisibility;
  // (C2)
  if (min && max && *min > *max)
    return emitError() << "expected min to be at most max, got min = " << *min
                       << ", max = " << *max;
  return success();
}

//===----------------------------------------------------------------------===//
// #tile.layout
//===----------------------------------------------------------------------===//

/// Parses `[[0, 1], [8, 0]]`.
static ParseResult parseBases(AsmParser &parser, LinearLayout::Bases &bases) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() {
    Coord &image = bases.emplace_back();
    return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() {
      return parser.parseInteger(image.emplace_back());
    });
  });
}

/// Parses `[16, 8]`.
template <typename Number>
static ParseResult parseNumbers(AsmParser &parser, SmallVector<Number> &sides) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() {
    return parser.parseInteger(sides.emplace_back());
  });
}

// Written by hand: the groups of input bits are an open-ended list.
Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  SmallVector<std::pair<LayoutIn, LinearLayout::Bases>> groups;
  SmallVector<int64_t> sides, reps;
  SmallVector<unsigned> order;
  llvm::StringSet<> seen;
  auto parseEntry = [&]() -> ParseResult {
    StringRef key;
    SMLoc loc = parser.getCurrentLocation();
    if (parseNewKey(parser, key, seen) || parser.parseEqual())
      return failure();
    if (key == "sides")
      return parseNumbers(parser, sides);
    if (key == "reps")
      return parseNumbers(parser, reps);
    if (key == "order")
      return parseNumbers(parser, order);
    std::optional<LayoutIn> in = symbolizeLayoutIn(key);
    if (!in)
      return parser.emitError(loc)
             << "expected register, lane, warp, block, offset, sides, reps "
                "or order, got '"
             << key << "'";
    groups.emplace_back(*in, LinearLayout::Bases());
    return parseBases(parser, groups.back().second);
  };
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseEntry))
    return {};
  if (reps.empty())
    reps.assign(sides.size(), 1);
  llvm::Expected<LinearLayout> atom = LinearLayout::create(groups, sides);
  if (!atom) {
    parser.emitError(loc) << llvm::toString(atom.takeError());
    return {};
  }
  llvm::Expected<TileLayout> layout = TileLayout::create(*atom, reps, order);
  if (!layout) {
    parser.emitError(loc) << llvm::toString(layout.takeError());
    return {};
  }
  return LayoutAttr::get(parser.getContext(), *layout);
}

void LayoutAttr::print(AsmPrinter &printer) const {
  printer << '<' << getLayout() << '>';
}

LogicalResult LayoutAttr::verifyEncoding(
    ArrayRef<int64_t> shape, Type,
    llvm::function_ref<InFlightDiagnostic()> emitError) const {
  Coord layoutShape = getLayout().shape();
  // (C1)
  if (layoutShape.size() != shape.size())
    return emitError() << "expected a layout of " << shape.size()
                       << " dimensions, got " << layoutShape.size();
  if (ShapedType::isDynamicShape(shape))
    return emitError() << "expected static sides under a layout, got a dynamic "
                          "one";
  // (C2)
  if (ArrayRef<int64_t>(layoutShape) == shape)
    return success();
  InFlightDiagnostic error = emitError();
  error << "expected a layout of shape ";
  llvm::interleave(shape, error, "x");
  error << ", got ";
  llvm::interleave(layoutShape, error, "x");
  return error;
}

//===----------------------------------------------------------------------===//
// #tile.plan
//===----------------------------------------------------------------------===//

// Written by hand: the keys are those of the table.
Attribute PlanAttr::parse(AsmParser &parser, Type) {
  SmallVector<NamedAttribute> entries;
  Builder builder(parser.getContext());
  llvm::StringSet<> seen;
  auto parseEntry = [&]() -> ParseResult {
    StringRef key;
    Attribute value;
    if (parseNewKey(parser, key, seen) || parser.parseEqual())
      return failure();
    int64_t integer;
    OptionalParseResult isInteger = parser.parseOptionalInteger(integer);
    if (isInteger.has_value()) {
      if (failed(*isInteger))
        return failure();
      value = builder.getI64IntegerAttr(integer);
    } else {
      std::string text;
      if (parser.parseString(&text))
        return failure();
      value = builder.getStringAttr(text);
    }
    entries.push_back(builder.getNamedAttr(key, value));
    return success();
  };
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseEntry))
    return {};
  auto dictionary = DictionaryAttr::get(parser.getContext(), entries);
  return parser.getChecked<PlanAttr>(loc, parser.getContext(), dictionary);
}

void PlanAttr::print(AsmPrinter &printer) const {
  // In the order of the table.
  SmallVector<std::pair<StringRef, Attribute>> entries;
  for (const PlanKey &key : planKeys())
    if (Attribute value = getEntries().get(key.name))
      entries.emplace_back(key.name, value);
  printer << '<';
  llvm::interleaveComma(entries, printer, [&](auto entry) {
    printer << entry.first << " = ";
    if (auto integer = dyn_cast<IntegerAttr>(entry.second))
      printer << integer.getInt();
    else
      printer << entry.second;
  });
  printer << '>';
}

/// Checks one entry against the table.
static LogicalResult
verifyPlanEntry(llvm::function_ref<InFlightDiagnostic()> emitError,
                NamedAttribute entry) {
  StringRef name = entry.getName();
  const PlanKey *key = findPlanKey(name);
  // (C1)
  if (!key)
    return emitError() << describeUnknownPlanKey(name);
  // (C2)
  if (!key->isInteger()) {
    auto word = dyn_cast<StringAttr>(entry.getValue());
    if (word && key->allows(word))
      return success();
    return emitError() << "expected plan key '" << name << "' to be "
                       << key->expectation() << ", got " << entry.getValue();
  }
  auto integer = dyn_cast<IntegerAttr>(entry.getValue());
  if (integer && key->fits(integer.getInt()))
    return success();
  InFlightDiagnostic error = emitError()
                             << "expected plan key '" << name << "' to be "
                             << key->expectation() << ", got ";
  if (integer)
    error << integer.getInt();
  else
    error << entry.getValue();
  return error;
}

LogicalResult
PlanAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                 DictionaryAttr entries) {
  for (NamedAttribute entry : entries)
    if (failed(verifyPlanEntry(emitError, entry)))
      return failure();
  return success();
}

int64_t PlanAttr::getInt(StringRef key) const {
  if (auto value = getEntries().getAs<IntegerAttr>(key))
    return value.getInt();
  int64_t fallback = 0;
  findPlanKey(key)->fallback.getAsInteger(10, fallback);
  return fallback;
}

StringRef PlanAttr::getString(StringRef key) const {
  if (auto value = getEntries().getAs<StringAttr>(key))
    return value;
  return findPlanKey(key)->fallback;
}

PlanAttr PlanAttr::with(StringRef key, Attribute value) const {
  NamedAttrList entries(getEntries());
  entries.set(key, value);
  return get(getContext(), entries.getDictionary(getContext()));
}

//===----------------------------------------------------------------------===//
// #tile.copy, #tile.mma, #tile.pipeline
//===----------------------------------------------------------------------===//

LogicalResult
CopyAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                 CopyMechanism, int64_t vector, int64_t swizzle) {
  // (C1)
  if (vector < 1 || vector > 16 || !llvm::isPowerOf2_64(vector))
    return emitError() << "expected vector to be 1, 2, 4, 8 or 16, got "
                       << vector;
  // (C2)
  if (!llvm::is_contained({0, 32, 64, 128}, swizzle))
    return emitError() << "expected swizzle to be 0, 32, 64 or 128, got "
                       << swizzle;
  return success();
}

LogicalResult
MmaAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                Instruction instruction, int64_t m, int64_t n, int64_t k,
                ArrayRef<int64_t> warps) {
  // (C1)
  if (llvm::none_of(mmaShapes(), [&](const MmaShape &shape) {
        return shape.instruction == instruction && hasSides(shape, m, n, k);
      }))
    return emitError() << "expected an instruction shape of the table, got "
                       << stringifyInstruction(instruction) << " m" << m << "n"
                       << n << "k" << k;
  // (C2)
  bool powers = warps.size() == 2 && llvm::all_of(warps, [](int64_t count) {
                  return count > 0 && llvm::isPowerOf2_64(count);
                });
  if (powers)
    return success();
  InFlightDiagnostic error = emitError()
                             << "expected warps to be two powers of two, got [";
  llvm::interleaveComma(warps, error);
  return error << "]";
}

LogicalResult
PipelineAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                     int64_t stages) {
  // (C1)
  if (stages < 1 || stages > 16)
    return emitError() << "expected stages from 1 to 16, got " << stages;
  return success();
}
