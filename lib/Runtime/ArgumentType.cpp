//===- ArgumentType.cpp - Types of kernel arguments -----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Runtime/ArgumentType.h"

using namespace tile::runtime;

namespace {
/// What there is to know about an element type.
struct ElementFacts {
  ElementType type;
  std::string_view spelling;
  unsigned sizeInBytes;
  bool isInteger;
};

constexpr ElementFacts kElements[] = {
    {ElementType::F64, "f64", 8, false},
    {ElementType::F32, "f32", 4, false},
    {ElementType::F16, "f16", 2, false},
    {ElementType::BF16, "bf16", 2, false},
    {ElementType::F8E4M3FN, "f8E4M3FN", 1, false},
    {ElementType::F8E5M2, "f8E5M2", 1, false},
    {ElementType::I64, "i64", 8, true},
    {ElementType::I32, "i32", 4, true},
    {ElementType::I16, "i16", 2, true},
    {ElementType::I8, "i8", 1, true},
    {ElementType::I1, "i1", 1, true},
};
} // namespace

static const ElementFacts &factsOf(ElementType type) {
  return kElements[static_cast<unsigned>(type)];
}

std::string_view tile::runtime::stringify(ElementType type) {
  return factsOf(type).spelling;
}

std::optional<ElementType>
tile::runtime::symbolizeElementType(std::string_view text) {
  for (const ElementFacts &facts : kElements)
    if (facts.spelling == text)
      return facts.type;
  return std::nullopt;
}

unsigned tile::runtime::sizeInBytes(ElementType type) {
  return factsOf(type).sizeInBytes;
}

bool tile::runtime::isInteger(ElementType type) {
  return factsOf(type).isInteger;
}

std::string tile::runtime::stringify(ArgumentType type) {
  return (type.isPointer ? "*" : "") + std::string(stringify(type.element));
}

std::optional<ArgumentType>
tile::runtime::symbolizeArgumentType(std::string_view text) {
  bool isPointer = !text.empty() && text.front() == '*';
  if (isPointer)
    text.remove_prefix(1);
  std::optional<ElementType> element = symbolizeElementType(text);
  if (!element)
    return std::nullopt;
  bool isNarrowFloat =
      *element == ElementType::F8E4M3FN || *element == ElementType::F8E5M2;
  if (!isPointer && isNarrowFloat)
    return std::nullopt;
  return ArgumentType{*element, isPointer};
}
