//===- Memory.cpp - Loads and stores through pointers ---------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

using namespace mlir;
using namespace tile;
using namespace tile::frontend;
using llvm::SMRange;

/// A mask spreads to the shape of the access, which stays as it is.
bool KernelEmitter::emitMask(const Expr *mask, SMRange pointer, Type offsets,
                             StringRef access, Value &result) {
  if (!mask)
    return true;
  Value value;
  if (!emitRunTime(*mask, builder.getI1Type(), value))
    return false;
  if (!elementOf(value.getType()).isInteger(1)) {
    errors.error(mask->range,
                 "expected a mask of i1, got " + describe(value.getType()));
    return false;
  }
  ArrayRef<int64_t> shape = shapeOf(offsets), own = shapeOf(value.getType());
  bool fits = own.empty() || own.size() == shape.size();
  for (size_t i = 0; fits && i < own.size(); ++i)
    fits = own[i] == shape[i] || own[i] == 1;
  if (!fits) {
    errors.error(mask->range,
                 "mask is " + sidesText(own) + " but the " + access + " is " +
                     sidesText(shape),
                 pointer, "this " + access + " is " + sidesText(shape));
    return false;
  }
  result = spread(location(mask->range), value, shape);
  return true;
}

/// The pointer of an access with its offsets, or an error.
static bool isPointer(const Val &value) { return value.kind == Val::Pointer; }

Val KernelEmitter::emitLoad(const Expr &expr) {
  SmallVector<const Expr *> named;
  if (!matchArguments(expr, 1, {"mask", "other"}, named))
    return {};
  const Expr &place = *expr.operands[0];
  Val pointer = emitExpr(place);
  Location loc = location(expr.range);
  if (pointer && !isPointer(pointer))
    errors.error(place.range,
                 "expected a pointer to load from, got " + describe(pointer));
  if (!isPointer(pointer))
    return {};
  if (!pointer.offsets)
    pointer.offsets =
        constantOf(loc, Val::constant(0), builder.getI64Type(), place.range);
  Type element = cast<PointerType>(pointer.value.getType()).getElementType();
  Type offsets = pointer.offsets.getType();
  Value mask, other;
  if (!emitMask(named[0], place.range, offsets, "load", mask))
    return {};
  if (named[1]) {
    if (!mask) {
      errors.error(named[1]->range, "expected a mask beside 'other', got none");
      return {};
    }
    if (!emitRunTime(*named[1], element, other))
      return {};
    Type own = other.getType();
    if (elementOf(own) != element ||
        (!shapeOf(own).empty() && shapeOf(own) != shapeOf(offsets))) {
      errors.error(named[1]->range, "expected " + describe(element) + " or " +
                                        describe(element) +
                                        sidesText(shapeOf(offsets)) +
                                        " as 'other', got " + describe(own));
      return {};
    }
  }
  Type result = element;
  if (!shapeOf(offsets).empty())
    result = RankedTensorType::get(shapeOf(offsets), element);
  return Val::run(LoadOp::create(builder, loc, result, pointer.value,
                                 pointer.offsets, mask, other,
                                 /*plan=*/nullptr, /*require=*/nullptr));
}

Val KernelEmitter::emitStore(const Expr &expr) {
  SmallVector<const Expr *> named;
  if (!matchArguments(expr, 2, {"mask"}, named))
    return {};
  const Expr &place = *expr.operands[0], &what = *expr.operands[1];
  Val pointer = emitExpr(place);
  Location loc = location(expr.range);
  if (pointer && !isPointer(pointer))
    errors.error(place.range,
                 "expected a pointer to store to, got " + describe(pointer));
  if (!isPointer(pointer)) {
    emitExpr(what);
    return {};
  }
  if (!pointer.offsets)
    pointer.offsets =
        constantOf(loc, Val::constant(0), builder.getI64Type(), place.range);
  Type element = cast<PointerType>(pointer.value.getType()).getElementType();
  Type offsets = pointer.offsets.getType();
  Value value, mask;
  bool hasValue = emitRunTime(what, element, value);
  if (!emitMask(named[0], place.range, offsets, "store", mask) || !hasValue)
    return {};
  Type own = value.getType();
  if (elementOf(own) != element) {
    errors.error(what.range,
                 "expected " + describe(element) + ", got " + describe(own) +
                     ": write 'as " + describe(element) + "' to convert",
                 place.range, "this points to " + describe(element));
    return {};
  }
  if (!shapeOf(own).empty() && shapeOf(own) != shapeOf(offsets)) {
    errors.error(what.range,
                 "value is " + sidesText(shapeOf(own)) + " but the store is " +
                     sidesText(shapeOf(offsets)),
                 place.range, "this store is " + sidesText(shapeOf(offsets)));
    return {};
  }
  StoreOp::create(builder, loc, pointer.value, pointer.offsets,
                  spread(loc, value, shapeOf(offsets)), mask,
                  /*plan=*/nullptr, /*require=*/nullptr);
  Val none;
  none.kind = Val::None;
  return none;
}
