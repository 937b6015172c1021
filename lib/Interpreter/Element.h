//===- Element.h - How the interpreter holds elements -----------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value of the program is a flat array of elements, each in the form that
// memory holds too, so that loads and stores copy bits.  `Element<kind>` says
// how to compute with one: integers as unsigned (they wrap), narrow floats as
// float, rounded when they are put back.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_INTERPRETER_ELEMENT_H
#define TILE_LIB_INTERPRETER_ELEMENT_H

#include "FloatFormat.h"
#include "mlir/IR/BuiltinTypes.h"
#include <optional>

namespace tile::interpreter {

enum class Kind : uint8_t {
  I1,
  I8,
  I16,
  I32,
  I64,
  F8E4M3FN,
  F8E5M2,
  F16,
  BF16,
  F32,
  F64,
  Pointer
};

/// What a `!tile.ptr` holds: an address, and the allocation that it came from.
struct PointerValue {
  uint64_t address;
  /// Index of the allocation; -1 where the address lay in none.
  int64_t allocation;
};

template <class StorageType, class SignedType, unsigned Bits>
struct IntegerElement {
  using Storage = StorageType;
  static constexpr unsigned kBits = Bits;
  static constexpr bool kIsFloat = false;
  static uint64_t get(Storage value) { return value; }
  static int64_t getSigned(Storage value) {
    return Bits == 1 ? -int64_t(value) : int64_t(SignedType(value));
  }
  static Storage put(uint64_t value) {
    return Bits == 1 ? Storage(value & 1) : Storage(value);
  }
};

template <class Format, class StorageType>
struct NarrowFloatElement {
  using Storage = StorageType;
  using Compute = float;
  static constexpr bool kIsFloat = true;
  static constexpr bool kIsNarrow = true;
  static float get(Storage value) { return Format::decode(value); }
  static Storage put(double value) { return Storage(Format::encode(value)); }
};

template <class Float, class Bits>
struct WideFloatElement {
  using Storage = Float;
  using Compute = Float;
  static constexpr bool kIsFloat = true;
  static constexpr bool kIsNarrow = false;
  static Float get(Storage value) { return value; }
  static Storage put(double value) { return Float(value); }
  static Storage put(float value) { return Float(value); }
};

template <Kind kind>
struct Element;
template <>
struct Element<Kind::I1> : IntegerElement<uint8_t, int8_t, 1> {};
template <>
struct Element<Kind::I8> : IntegerElement<uint8_t, int8_t, 8> {};
template <>
struct Element<Kind::I16> : IntegerElement<uint16_t, int16_t, 16> {};
template <>
struct Element<Kind::I32> : IntegerElement<uint32_t, int32_t, 32> {};
template <>
struct Element<Kind::I64> : IntegerElement<uint64_t, int64_t, 64> {};
template <>
struct Element<Kind::F8E4M3FN> : NarrowFloatElement<F8E4M3FNFormat, uint8_t> {};
template <>
struct Element<Kind::F8E5M2> : NarrowFloatElement<F8E5M2Format, uint8_t> {};
template <>
struct Element<Kind::F16> : NarrowFloatElement<F16Format, uint16_t> {};
template <>
struct Element<Kind::BF16> : NarrowFloatElement<BF16Format, uint16_t> {};
template <>
struct Element<Kind::F32> : WideFloatElement<float, uint32_t> {};
template <>
struct Element<Kind::F64> : WideFloatElement<double, uint64_t> {};

/// The kind of a scalar type, an index being an i64; nothing where the
/// interpreter has none.
std::optional<Kind> kindOf(mlir::Type type);

/// Bytes of one element, in memory and in the interpreter's values.
unsigned bytesOf(Kind kind);

inline bool isFloat(Kind kind) {
  return kind >= Kind::F8E4M3FN && kind <= Kind::F64;
}

/// Calls `function` with Element<kind>() for an integer kind.
template <class Function>
auto withInteger(Kind kind, Function function) {
  switch (kind) {
  case Kind::I1:
    return function(Element<Kind::I1>());
  case Kind::I8:
    return function(Element<Kind::I8>());
  case Kind::I16:
    return function(Element<Kind::I16>());
  case Kind::I32:
    return function(Element<Kind::I32>());
  default:
    return function(Element<Kind::I64>());
  }
}

/// Calls `function` with Element<kind>() for a float kind.
template <class Function>
auto withFloat(Kind kind, Function function) {
  switch (kind) {
  case Kind::F8E4M3FN:
    return function(Element<Kind::F8E4M3FN>());
  case Kind::F8E5M2:
    return function(Element<Kind::F8E5M2>());
  case Kind::F16:
    return function(Element<Kind::F16>());
  case Kind::BF16:
    return function(Element<Kind::BF16>());
  case Kind::F32:
    return function(Element<Kind::F32>());
  default:
    return function(Element<Kind::F64>());
  }
}

/// Calls `function` with an unsigned integer as wide as an element of `kind`.
template <class Function>
auto withStorage(Kind kind, Function function) {
  switch (bytesOf(kind)) {
  case 1:
    return function(uint8_t());
  case 2:
    return function(uint16_t());
  case 4:
    return function(uint32_t());
  case 16:
    return function(PointerValue());
  default:
    return function(uint64_t());
  }
}

/// The text of an element for people.
std::string toString(Kind kind, const void *element);

} // namespace tile::interpreter

#endif // TILE_LIB_INTERPRETER_ELEMENT_H
