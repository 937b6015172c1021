//===- TileTypes.cpp - Types of the tile dialect --------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/IR/TileTypes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "tile/IR/TileDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;

#define GET_TYPEDEF_CLASSES
#include "tile/IR/TileTypes.cpp.inc"

bool tile::isElementType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless() &&
           llvm::is_contained({1u, 8u, 16u, 32u, 64u}, integer.getWidth());
  return isa<Float64Type, Float32Type, Float16Type, BFloat16Type,
             Float8E4M3FNType, Float8E5M2Type>(type);
}

bool tile::isFloat8(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(getElementTypeOrSelf(type));
}

bool tile::isTileShape(ArrayRef<int64_t> shape) {
  int64_t elements = 1;
  for (int64_t side : shape) {
    // Dynamic sides are negative.  The product can't overflow: both factors are
    // at most kMaxTileElements.
    if (side < 1 || side > kMaxTileElements)
      return false;
    elements *= side;
    if (elements > kMaxTileElements)
      return false;
  }
  return !shape.empty();
}

Type tile::getMaskType(Type moved) {
  Type i1 = IntegerType::get(moved.getContext(), 1);
  if (auto tensor = dyn_cast<RankedTensorType>(moved))
    return RankedTensorType::get(tensor.getShape(), i1, tensor.getEncoding());
  return i1;
}

int64_t tile::elementBytes(Type type) {
  if (type.isIndex())
    return 8;
  return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

// (C1)
LogicalResult
PointerType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                    Type elementType) {
  if (isElementType(elementType))
    return success();
  return emitError() << "expected an element of f64, f32, f16, bf16, "
                        "f8E4M3FN, f8E5M2, i64, i32, i16, i8 or i1, got "
                     << elementType;
}

void TileDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tile/IR/TileTypes.cpp.inc"
      >();
}
