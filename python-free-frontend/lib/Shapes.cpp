//===- Shapes.cpp - Types, shapes and broadcasting ------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

#include "ForeignWords.h"

#include "llvm/Support/Format.h"

#include <cmath>

using namespace mlir;
using namespace tile;
using namespace tile::frontend;
using llvm::SMRange;

Type frontend::elementOf(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile ? tile.getElementType() : type;
}

ArrayRef<int64_t> frontend::shapeOf(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile ? tile.getShape() : ArrayRef<int64_t>();
}

std::string frontend::sidesText(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "[";
  llvm::interleaveComma(shape, os);
  os << "]";
  return text;
}

Type frontend::builtinType(MLIRContext *context, StringRef name) {
  Builder builder(context);
  return llvm::StringSwitch<Type>(name)
      .Case("f64", builder.getF64Type())
      .Case("f32", builder.getF32Type())
      .Case("f16", builder.getF16Type())
      .Case("bf16", builder.getBF16Type())
      .Case("f8e4m3", Float8E4M3FNType::get(context))
      .Case("f8e5m2", Float8E5M2Type::get(context))
      .Case("i64", builder.getI64Type())
      .Case("i32", builder.getI32Type())
      .Case("i16", builder.getI16Type())
      .Case("i8", builder.getI8Type())
      .Case("i1", builder.getI1Type())
      .Default({});
}

std::string KernelEmitter::describe(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto pointer = dyn_cast<PointerType>(type))
    return "*" + describe(pointer.getElementType());
  Type element = elementOf(type);
  if (isa<Float8E4M3FNType>(element))
    os << "f8e4m3";
  else if (isa<Float8E5M2Type>(element))
    os << "f8e5m2";
  else
    os << element;
  if (!shapeOf(type).empty())
    os << sidesText(shapeOf(type));
  return text;
}

std::string KernelEmitter::describe(const Val &value) const {
  switch (value.kind) {
  case Val::Error:
    return "an error";
  case Val::None:
    return "nothing";
  case Val::Int:
    return std::to_string(value.integer);
  case Val::Float:
    return std::isinf(value.number)   ? "inf"
           : std::isnan(value.number) ? "nan"
                                      : "a constant with a fraction";
  case Val::Bool:
    return value.integer ? "true" : "false";
  case Val::Tuple:
    return std::to_string(value.parts.size()) +
           (value.parts.size() == 1 ? " value" : " values");
  case Val::Type:
    return "the type " + describe(value.type);
  case Val::Run:
    return describe(value.value.getType());
  case Val::Tensor:
    return "a tensor of " +
           describe(cast<PointerType>(value.value.getType()).getElementType());
  case Val::Arranged:
    return "'" + value.arranged->name + "' of " +
           arrangementText(value.arranged->arrangement, value.level);
  case Val::Pointer:
    return describe(value.value.getType()) +
           (value.offsets && !shapeOf(value.offsets.getType()).empty()
                ? sidesText(shapeOf(value.offsets.getType()))
                : "");
  }
  llvm_unreachable("all kinds are above");
}

Location KernelEmitter::location(SMRange range) {
  unsigned buffer = sources.getMainFileID();
  auto [line, column] = lineAndColumn(sources, range.Start);
  StringRef file = sources.getMemoryBuffer(buffer)->getBufferIdentifier();
  return FileLineColLoc::get(builder.getContext(), file, line, column);
}

/// What to write instead of the type of another language.
static std::string helpWithType(StringRef name) {
  if (name == "constexpr")
    return "what is known at compile time stands in '<...>' behind the "
           "kernel's name";
  StringRef meant = foreignType(name);
  if (meant.empty())
    return "";
  if (!name.starts_with("u"))
    return ("did you mean '" + meant + "'?").str();
  return ("write '" + meant +
          "': integers are signed; 'lshr', 'udiv', 'urem', 'ult', 'umulhi' and "
          "'wrapping_mul' are the unsigned forms")
      .str();
}

Type KernelEmitter::elementType(const Identifier &name) {
  if (Symbol *symbol = find(name.text)) {
    if (symbol->value.kind == Val::Type)
      return symbol->value.type;
    if (symbol->value)
      errors.error(name.range,
                   "expected a type, got '" + name.text + "', which is " +
                       describe(symbol->value),
                   symbol->range, "'" + name.text + "' is defined here");
    return {};
  }
  Type type = builtinType(builder.getContext(), name.text);
  if (!type) {
    errors
        .error(
            name.range,
            "expected a type: f64, f32, f16, bf16, f8e4m3, f8e5m2, i64, i32, "
            "i16, i8 or i1, got '" +
                name.text + "'")
        .help(helpWithType(name.text));
  }
  return type;
}

/// "1e+30".
static std::string shortText(double number) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", number);
  return text;
}

/// Whether the number, rounded, is one of the type and not infinite.
static bool holds(FloatType type, double number) {
  APFloat rounded(number);
  bool isInexact = false;
  APFloat::opStatus status = rounded.convert(
      type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &isInexact);
  return rounded.isFinite() && !(status & APFloat::opOverflow);
}

Type KernelEmitter::typeAlone(const Val &value) {
  return value.kind == Val::Float  ? Type(builder.getF32Type())
         : value.kind == Val::Bool ? Type(builder.getI1Type())
                                   : Type(builder.getI32Type());
}

/// The value as a constant of this element type, which must hold it.
Value KernelEmitter::constantOf(Location loc, const Val &value, Type element,
                                SMRange range) {
  if (value.kind == Val::Bool && !element.isInteger(1)) {
    errors.error(range, "expected " + describe(element) + ", got " +
                            describe(value) + ": write 'as " +
                            describe(element) + "' to convert");
    return {};
  }
  if (auto type = dyn_cast<FloatType>(element)) {
    double number =
        value.kind == Val::Int ? double(value.integer) : value.number;
    bool isInfinity = std::isinf(number) && isa<Float8E4M3FNType>(type);
    if (isInfinity || (std::isfinite(number) && !holds(type, number))) {
      errors.error(range, "expected a value that " + describe(type) +
                              " holds, got " + shortText(number));
      return {};
    }
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(type, number));
  }
  if (value.kind == Val::Float) {
    errors.error(range,
                 "expected " + describe(element) + ", got " + describe(value));
    return {};
  }
  unsigned bits = element.getIntOrFloatBitWidth();
  bool fits = bits == 1 ? value.integer == 0 || value.integer == 1
                        : llvm::isIntN(bits, value.integer);
  if (!fits) {
    // The bits of an unsigned number are those of a negative one.
    bool isUnsigned =
        bits > 1 && bits < 64 && llvm::isUIntN(bits, uint64_t(value.integer));
    errors
        .error(range, "expected a value that " + describe(element) +
                          " holds, got " + Twine(value.integer))
        .help(isUnsigned
                  ? "the same bits are " +
                        Twine(llvm::SignExtend64(uint64_t(value.integer), bits))
                  : Twine());
    return {};
  }
  return arith::ConstantOp::create(
      builder, loc,
      IntegerAttr::get(element, APInt(bits, uint64_t(value.integer), false,
                                      /*implicitTrunc=*/true)));
}

Value KernelEmitter::constantAlone(const Expr &expr, const Val &value) {
  if (value.kind != Val::Int || llvm::isInt<32>(value.integer))
    return constantOf(location(expr.range), value, typeAlone(value),
                      expr.range);
  errors
      .error(expr.range,
             "expected a value that i32 holds, got " + Twine(value.integer))
      .help(helpToCast(expr, "i64"));
  return {};
}

Value KernelEmitter::spread(Location loc, Value value,
                            ArrayRef<int64_t> shape) {
  if (shapeOf(value.getType()) == shape)
    return value;
  auto type = RankedTensorType::get(shape, elementOf(value.getType()));
  if (!isa<RankedTensorType>(value.getType()))
    return SplatOp::create(builder, loc, type, value);
  return BroadcastOp::create(builder, loc, type, value);
}

/// The shape that both spread to: sides are equal or one of them is 1, scalars
/// fit every shape.
static bool joinShapes(SmallVectorImpl<int64_t> &shape,
                       ArrayRef<int64_t> other) {
  if (other.empty())
    return true;
  if (shape.empty()) {
    shape.assign(other.begin(), other.end());
    return true;
  }
  if (shape.size() != other.size())
    return false;
  for (auto [side, second] : llvm::zip_equal(shape, other)) {
    if (side != second && side != 1 && second != 1)
      return false;
    side = std::max(side, second);
  }
  return true;
}

/// Where every tile is a line of the same direction, the lines' sources: it is
/// cheaper, and clearer to read, to compute before `[:, None]` than after.
static bool takeLines(ValueRange values, SmallVectorImpl<Value> &lines,
                      ExpandDimsOp &example) {
  for (Value value : values) {
    if (!isa<RankedTensorType>(value.getType())) {
      lines.push_back(value);
      continue;
    }
    auto line = value.getDefiningOp<ExpandDimsOp>();
    if (!line)
      return false;
    if (example && (line.getAxis() != example.getAxis() ||
                    shapeOf(line.getType()) != shapeOf(example.getType())))
      return false;
    example = line;
    lines.push_back(line.getSource());
  }
  return bool(example);
}

Value KernelEmitter::elementwise(Location loc, SMRange range, ValueRange values,
                                 llvm::function_ref<Value(ValueRange)> make) {
  SmallVector<Value> lines;
  ExpandDimsOp line;
  if (takeLines(values, lines, line)) {
    Value result = elementwise(loc, range, lines, make);
    if (!result)
      return {};
    auto type = RankedTensorType::get(shapeOf(line.getType()),
                                      elementOf(result.getType()));
    return ExpandDimsOp::create(builder, loc, type, result, line.getAxis());
  }
  SmallVector<int64_t> shape;
  for (Value value : values) {
    SmallVector<int64_t> before = shape;
    if (!joinShapes(shape, shapeOf(value.getType()))) {
      bool isRank = before.size() != shapeOf(value.getType()).size();
      errors
          .error(range, "expected shapes that broadcast to one, got " +
                            sidesText(before) + " and " +
                            sidesText(shapeOf(value.getType())))
          .help(isRank
                    ? "'x[:, None]' and 'x[None, :]' give a tile another side"
                    : "");
      return {};
    }
  }
  if (!shape.empty() && !isTileShape(shape)) {
    errors.error(range,
                 "expected at most 2^24 elements, got " + sidesText(shape));
    return {};
  }
  SmallVector<Value> same;
  for (Value value : values)
    same.push_back(spread(loc, value, shape));
  return make(same);
}
