//===- Memory.cpp - Loads and stores through pointers ---------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ForeignWords.h"
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
    bool isTransposed = own.size() == 2 && shape.size() == 2 &&
                        own[0] == shape[1] && own[1] == shape[0];
    errors
        .error(mask->range,
               "mask is " + sidesText(own) + " but the " + access + " is " +
                   sidesText(shape),
               pointer, "this " + access + " is " + sidesText(shape))
        .help(isTransposed ? "the mask is transposed: did you mean '[None, :]' "
                             "for '[:, None]', and the other way round?"
                           : "");
    return false;
  }
  result = spread(location(mask->range), value, shape);
  return true;
}

bool KernelEmitter::emitPlace(const Expr &expr, const Twine &what,
                              Val &pointer) {
  pointer = emitExpr(expr);
  if (pointer.kind != Val::Pointer) {
    if (pointer)
      errors
          .error(expr.range,
                 "expected a pointer to " + what + ", got " + describe(pointer))
          .help(pointer.kind == Val::Tensor ? "'a[i, j]' is part of a tensor, "
                                              "to read, assign to or update"
                                            : "");
    return false;
  }
  if (!pointer.offsets)
    pointer.offsets = constantOf(location(expr.range), Val::constant(0),
                                 builder.getI64Type(), expr.range);
  return true;
}

Val KernelEmitter::emitLoad(const Expr &expr) {
  SmallVector<const Expr *> named;
  if (!matchArguments(expr, 1, {"mask", "other"}, named))
    return {};
  const Expr &place = *expr.operands[0];
  Location loc = location(expr.range);
  Val pointer;
  if (!emitPlace(place, "load from", pointer))
    return {};
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
  auto load =
      LoadOp::create(builder, loc, result, pointer.value, pointer.offsets, mask,
                     other, /*plan=*/nullptr, /*require=*/nullptr);
  return Val::run(placed(load, expr.range));
}

bool KernelEmitter::emitStored(const Expr &expr, const Expr &place,
                               const Val &pointer, StringRef access,
                               Value &value) {
  Type element = cast<PointerType>(pointer.value.getType()).getElementType();
  ArrayRef<int64_t> shape = shapeOf(pointer.offsets.getType());
  if (!emitRunTime(expr, element, value))
    return false;
  Type own = value.getType();
  if (elementOf(own) != element) {
    errors.error(expr.range,
                 "expected " + describe(element) + ", got " + describe(own) +
                     ": write 'as " + describe(element) + "' to convert",
                 place.range, "this points to " + describe(element));
    return false;
  }
  if (!shapeOf(own).empty() && shapeOf(own) != shape) {
    errors
        .error(expr.range,
               "value is " + sidesText(shapeOf(own)) + " but the " + access +
                   " is " + sidesText(shape),
               place.range, "this " + access + " is " + sidesText(shape))
        .help(helpToReduce(expr));
    return false;
  }
  value = spread(location(expr.range), value, shape);
  return true;
}

Val KernelEmitter::emitStore(const Expr &expr) {
  SmallVector<const Expr *> named;
  if (!matchArguments(expr, 2, {"mask"}, named))
    return {};
  const Expr &place = *expr.operands[0], &what = *expr.operands[1];
  Val pointer;
  Value value, mask;
  if (!emitPlace(place, "store to", pointer)) {
    emitExpr(what);
    return {};
  }
  bool hasValue = emitStored(what, place, pointer, "store", value);
  if (!emitMask(named[0], place.range, pointer.offsets.getType(), "store",
                mask) ||
      !hasValue)
    return {};
  auto store = StoreOp::create(builder, location(expr.range), pointer.value,
                               pointer.offsets, value, mask, /*plan=*/nullptr,
                               /*require=*/nullptr);
  placed(store, expr.range);
  return Val::none();
}
