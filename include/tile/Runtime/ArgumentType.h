//===- ArgumentType.h - Types of kernel arguments ---------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The types that a kernel argument can have, and how the manifest spells them:
// an element type ("f16"), or a pointer to one ("*f16").
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUNTIME_ARGUMENTTYPE_H
#define TILE_RUNTIME_ARGUMENTTYPE_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tile::runtime {

/// Element types of the tile dialect.
enum class ElementType : uint8_t {
  F64,
  F32,
  F16,
  BF16,
  F8E4M3FN,
  F8E5M2,
  I64,
  I32,
  I16,
  I8,
  I1,
};

/// Spelling of `type`, as in the IR: "f16", "f8E4M3FN", "i1".
std::string_view stringify(ElementType type);
/// The element type spelled `text`.
std::optional<ElementType> symbolizeElementType(std::string_view text);
/// Bytes of one element in memory; i1 takes one.
unsigned sizeInBytes(ElementType type);
/// Whether `type` is one of the integer types.
bool isInteger(ElementType type);

/// Type of a kernel argument.
struct ArgumentType {
  ElementType element = ElementType::I32;
  bool isPointer = false;

  static ArgumentType pointer(ElementType element) { return {element, true}; }
  static ArgumentType scalar(ElementType element) { return {element, false}; }
  bool operator==(const ArgumentType &other) const {
    return element == other.element && isPointer == other.isPointer;
  }
};

/// Spelling of `type`: "*f16", "i32".
std::string stringify(ArgumentType type);
/// The argument type spelled `text`.  A scalar of an 8-bit float type is none.
std::optional<ArgumentType> symbolizeArgumentType(std::string_view text);

} // namespace tile::runtime

#endif // TILE_RUNTIME_ARGUMENTTYPE_H
