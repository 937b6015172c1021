//===- Atomics.cpp - Atomic updates of memory -----------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

using namespace mlir;
using namespace tile;
using namespace tile::frontend;

/// What the function of this name computes on such elements, if it can.
static std::optional<AtomicKind> atomicKind(StringRef name, Type element) {
  bool isFloat = isa<FloatType>(element);
  if (name == "atomic_add")
    return isFloat ? AtomicKind::AddF : AtomicKind::AddI;
  if (name == "atomic_xchg")
    return AtomicKind::Exchange;
  if (isFloat)
    return std::nullopt;
  return llvm::StringSwitch<AtomicKind>(name)
      .Case("atomic_max", AtomicKind::MaxS)
      .Case("atomic_min", AtomicKind::MinS)
      .Case("atomic_and", AtomicKind::And)
      .Case("atomic_or", AtomicKind::Or)
      .Default(AtomicKind::Xor);
}

/// A pointer, or part of a tensor, of which `inside` says what exists.
bool KernelEmitter::emitUpdatedPlace(const Expr &expr, Val &pointer,
                                     Value &inside) {
  Symbol *symbol =
      expr.kind == Expr::Index && expr.operands[0]->kind == Expr::Name
          ? find(expr.operands[0]->text)
          : nullptr;
  if (!symbol || symbol->value.kind != Val::Tensor)
    return emitPlace(expr, "update", pointer);
  if (expr.other) {
    errors.error(expr.other->range,
                 "expected 'other' where a tensor is read, got an update");
    return false;
  }
  std::optional<Part> part = tensorPart(expr, symbol->value);
  if (!part)
    return false;
  pointer.kind = Val::Pointer;
  pointer.value = symbol->value.value;
  pointer.offsets = part->offsets;
  inside = part->inside;
  return true;
}

/// `atomic_add(p, x, mask = m)`; its value is what was there before.
Val KernelEmitter::emitAtomic(const Expr &expr) {
  SmallVector<const Expr *> named;
  if (!matchArguments(expr, 2, {"mask"}, named))
    return {};
  const Expr &place = *expr.operands[0], &what = *expr.operands[1];
  Val pointer;
  Value value, mask, inside;
  if (!emitUpdatedPlace(place, pointer, inside) ||
      !emitStored(what, place, pointer, "update", value) ||
      !emitMask(named[0], place.range, pointer.offsets.getType(), "update",
                mask))
    return {};
  if (mask && inside)
    mask = arith::AndIOp::create(builder, location(expr.range), mask, inside);
  else if (inside)
    mask = inside;
  Type element = elementOf(value.getType());
  std::optional<AtomicKind> kind = atomicKind(expr.text, element);
  if (!kind || element.isInteger(1)) {
    errors.error(place.range, "expected a pointer to " +
                                  Twine(kind ? "numbers" : "integers") +
                                  " in '" + expr.text + "', got one to " +
                                  describe(element));
    return {};
  }
  auto update =
      AtomicRmwOp::create(builder, location(expr.range), value.getType(), *kind,
                          pointer.value, pointer.offsets, value, mask);
  return Val::run(placed(update, expr.range));
}

/// `atomic_cas(p, expected, x)`: writes x where the bits are those expected.
Val KernelEmitter::emitCompareAndSwap(const Expr &expr) {
  SmallVector<const Expr *> none;
  if (!matchArguments(expr, 3, {}, none))
    return {};
  const Expr &place = *expr.operands[0];
  Val pointer;
  Value expected, value;
  if (!emitPlace(place, "update", pointer) ||
      !emitStored(*expr.operands[1], place, pointer, "update", expected) ||
      !emitStored(*expr.operands[2], place, pointer, "update", value))
    return {};
  Type element = elementOf(value.getType());
  if (element.getIntOrFloatBitWidth() < 16) {
    errors.error(place.range, "expected a pointer to elements of 16, 32 or 64 "
                              "bits in 'atomic_cas', got one to " +
                                  describe(element));
    return {};
  }
  auto swap =
      AtomicCasOp::create(builder, location(expr.range), value.getType(),
                          pointer.value, pointer.offsets, expected, value);
  return Val::run(placed(swap, expr.range));
}
