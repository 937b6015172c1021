//===- Element.cpp - How the interpreter holds elements -------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Element.h"
#include "tile/GPU/TileGPUOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tile::interpreter {

std::optional<Kind> kindOf(Type type) {
  if (type.isIndex())
    return Kind::I64;
  if (type.isSignlessInteger()) {
    switch (type.getIntOrFloatBitWidth()) {
    case 1:
      return Kind::I1;
    case 8:
      return Kind::I8;
    case 16:
      return Kind::I16;
    case 32:
      return Kind::I32;
    case 64:
      return Kind::I64;
    default:
      return std::nullopt;
    }
  }
  return llvm::TypeSwitch<Type, std::optional<Kind>>(type)
      .Case<Float8E4M3FNType>([](auto) { return Kind::F8E4M3FN; })
      .Case<Float8E5M2Type>([](auto) { return Kind::F8E5M2; })
      .Case<Float16Type>([](auto) { return Kind::F16; })
      .Case<BFloat16Type>([](auto) { return Kind::BF16; })
      .Case<Float32Type>([](auto) { return Kind::F32; })
      .Case<Float64Type>([](auto) { return Kind::F64; })
      .Case<PointerType>([](auto) { return Kind::Pointer; })
      // How often a cursor has advanced; the numbers of the others.
      .Case<gpu::BufferType, gpu::CursorType, gpu::BarriersType,
            gpu::TensorMapType>([](auto) { return Kind::I64; })
      .Default([](auto) { return std::nullopt; });
}

unsigned bytesOf(Kind kind) {
  switch (kind) {
  case Kind::I1:
  case Kind::I8:
  case Kind::F8E4M3FN:
  case Kind::F8E5M2:
    return 1;
  case Kind::I16:
  case Kind::F16:
  case Kind::BF16:
    return 2;
  case Kind::I32:
  case Kind::F32:
    return 4;
  case Kind::I64:
  case Kind::F64:
    return 8;
  case Kind::Pointer:
    return sizeof(PointerValue);
  }
  return 0;
}

std::string toString(Kind kind, const void *element) {
  char text[40];
  if (kind == Kind::Pointer) {
    auto *pointer = static_cast<const PointerValue *>(element);
    snprintf(text, sizeof(text), "0x%llx",
             static_cast<unsigned long long>(pointer->address));
    return text;
  }
  if (!isFloat(kind))
    return withInteger(kind, [&](auto e) {
      using E = decltype(e);
      auto value = *static_cast<const typename E::Storage *>(element);
      return std::to_string(E::kBits == 1 ? int64_t(value)
                                          : E::getSigned(value));
    });
  return withFloat(kind, [&](auto e) {
    using E = decltype(e);
    double value = E::get(*static_cast<const typename E::Storage *>(element));
    // As many digits as tell two neighbours apart.
    snprintf(text, sizeof(text), "%.*g", kind == Kind::F64 ? 17 : 9, value);
    return std::string(text);
  });
}

} // namespace tile::interpreter
