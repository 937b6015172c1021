//===- BuildMemory.cpp - Loads and stores of a recipe ---------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

Value KernelBuilder::spread(Value vector, int axis, ArrayRef<int64_t> shape) {
  Type element = cast<RankedTensorType>(vector.getType()).getElementType();
  SmallVector<int64_t, 2> narrow = {1, 1};
  narrow[axis] = sideOf(vector);
  Value line = ExpandDimsOp::create(builder, loc, tileOf(narrow, element),
                                    vector, /*axis=*/1 - axis);
  return BroadcastOp::create(builder, loc, tileOf(shape, element), line);
}

Value KernelBuilder::below(Value vector, Value scalar, int form) {
  using Predicate = arith::CmpIPredicate;
  if (form >= 2)
    scalar = index<arith::SubIOp>(scalar, integer(1));
  if (form % 2 == 0)
    return compare(form == 0 ? Predicate::slt : Predicate::sle, vector, scalar);
  return arith::CmpIOp::create(builder, loc,
                               form == 1 ? Predicate::sgt : Predicate::sge,
                               splat(scalar, {sideOf(vector)}), vector);
}

Value KernelBuilder::scaled(Value vector, const std::string &stride) {
  auto wide = tileOf({sideOf(vector)}, builder.getI64Type());
  Value extended = arith::ExtSIOp::create(builder, loc, wide, vector);
  return make<arith::MulIOp>(extended,
                             splat(argument(stride), {sideOf(vector)}));
}

/// Offsets of a tile; of a vector if only rows or only columns are there.
Value KernelBuilder::offsets(int array, const Lanes &lanes) {
  std::string name = nameOf(array);
  Value rows = lanes.rows ? scaled(lanes.rows, name + "r") : Value();
  Value columns = lanes.columns ? scaled(lanes.columns, name + "c") : Value();
  if (!rows || !columns)
    return rows ? rows : columns;
  int64_t shape[] = {sideOf(rows), sideOf(columns)};
  return make<arith::AddIOp>(spread(rows, 0, shape), spread(columns, 1, shape));
}

Value KernelBuilder::mask(const Lanes &lanes) {
  if (!lanes.rowsInside && !lanes.columnsInside)
    return {};
  if (!lanes.rows || !lanes.columns)
    return lanes.rows ? lanes.rowsInside : lanes.columnsInside;
  int64_t shape[] = {sideOf(lanes.rows), sideOf(lanes.columns)};
  return make<arith::AndIOp>(spread(lanes.rowsInside, 0, shape),
                             spread(lanes.columnsInside, 1, shape));
}

Value KernelBuilder::holds(Uniform condition, Value turn, int64_t step) {
  Value number;
  switch (condition) {
  case Uniform::None:
    return {};
  case Uniform::FirstBelow:
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                 firstColumn, argument("K"));
  case Uniform::EvenRow:
    number = make<arith::DivSIOp>(firstRow, integer(recipe.m));
    break;
  case Uniform::OddTurn:
    number = make<arith::DivSIOp>(turn ? turn : integer(0), integer(step));
    break;
  }
  bool isOdd = condition == Uniform::OddTurn;
  return arith::CmpIOp::create(
      builder, loc, isOdd ? arith::CmpIPredicate::ne : arith::CmpIPredicate::eq,
      make<arith::RemSIOp>(number, integer(2)), integer(0));
}

Value KernelBuilder::restricted(Value mask, Value condition,
                                ArrayRef<int64_t> shape) {
  if (!condition)
    return mask;
  Value lanes = splat(condition, shape);
  return mask ? make<arith::AndIOp>(lanes, mask) : lanes;
}

/// This program's rows and columns.
Lanes KernelBuilder::place(bool isMasked) {
  Lanes lanes;
  lanes.rows = iota(firstRow, recipe.m);
  lanes.columns = iota(firstColumn, recipe.n);
  if (isMasked) {
    lanes.rowsInside = below(lanes.rows, argument("M"));
    lanes.columnsInside = below(lanes.columns, argument("N"));
  }
  return lanes;
}

/// The rows and columns of a load, and which of them exist.
Lanes KernelBuilder::loadLanes(const Statement &statement) {
  Value column = firstColumn;
  if (statement.shift != 0)
    column = index<arith::AddIOp>(column, integer(statement.shift));
  if (statement.addsLoopVariable && variable)
    column = index<arith::AddIOp>(column, variable);
  Lanes lanes = place(/*isMasked=*/false);
  lanes.columns = iota(column, recipe.n);
  Value ascending = lanes.rows;
  if (statement.form == LoadForm::Descending ||
      statement.form == LoadForm::Mirrored) {
    Value last = index<arith::SubIOp>(argument("M"), integer(1));
    lanes.rows = index<arith::SubIOp>(splat(last, {recipe.m}), lanes.rows);
  }
  if (recipe.isMasked(statement))
    boundLoad(statement, ascending, lanes);
  if (statement.form == LoadForm::Row)
    lanes.rows = lanes.rowsInside = {};
  if (statement.form == LoadForm::Column)
    lanes.columns = lanes.columnsInside = {};
  return lanes;
}

void KernelBuilder::boundLoad(const Statement &statement, Value ascending,
                              Lanes &lanes) {
  int form = statement.maskForm;
  auto inside = [&](Value vector, StringRef bound) {
    Value notBefore = compare(arith::CmpIPredicate::sge, vector, integer(0));
    return make<arith::AndIOp>(notBefore,
                               below(vector, argument(bound.str()), form));
  };
  lanes.rowsInside = statement.form == LoadForm::Descending
                         ? inside(lanes.rows, "M")
                         : below(ascending, argument("M"), form);
  lanes.columnsInside = statement.mayBeBefore
                            ? inside(lanes.columns, "N")
                            : below(lanes.columns, argument("N"), form);
}

/// row * pitch + ((3 row + column) mod N) * stride.
Value KernelBuilder::gatheredOffsets(const Statement &statement,
                                     const Lanes &lanes) {
  int64_t shape[] = {recipe.m, recipe.n};
  Value three = splat(integer(3), {recipe.m});
  Value sum = index<arith::AddIOp>(
      spread(index<arith::MulIOp>(lanes.rows, three), 0, shape),
      spread(lanes.columns, 1, shape));
  Value columns = make<arith::RemSIOp>(sum, splat(argument("N"), shape));
  auto wide = tileOf(shape, builder.getI64Type());
  std::string name = nameOf(statement.array);
  columns =
      make<arith::MulIOp>(arith::ExtSIOp::create(builder, loc, wide, columns),
                          splat(argument(name + "c"), shape));
  return make<arith::AddIOp>(spread(scaled(lanes.rows, name + "r"), 0, shape),
                             columns);
}

Value KernelBuilder::transposed(Value tile) {
  int64_t order[] = {1, 0};
  auto type = cast<RankedTensorType>(tile.getType());
  int64_t turned[] = {type.getDimSize(1), type.getDimSize(0)};
  return TransposeOp::create(
      builder, loc, tileOf(turned, type.getElementType()), tile, order);
}

Value KernelBuilder::buildLoad(const Statement &statement) {
  Lanes lanes = loadLanes(statement);
  Value in = mask(lanes), base = argument(nameOf(statement.array)), other;
  if (statement.advancesBase && statement.form == LoadForm::Plain) {
    Value first =
        arith::ExtSIOp::create(builder, loc, builder.getI64Type(), firstRow);
    Value stride = argument(nameOf(statement.array) + "r");
    base = OffsetOp::create(builder, loc, base.getType(), base,
                            make<arith::MulIOp>(first, stride));
    lanes.rows = iota(integer(0), recipe.m);
  }
  int64_t whole[] = {recipe.m, recipe.n};
  bool isGathered = statement.form == LoadForm::Gathered;
  Value where = isGathered ? gatheredOffsets(statement, lanes)
                           : offsets(statement.array, lanes);
  // What is read lies in a row that is there; its column always is.
  if (isGathered && in)
    in = spread(lanes.rowsInside, 0, whole);
  in = restricted(in, holds(statement.condition, variable, /*step=*/1),
                  cast<RankedTensorType>(where.getType()).getShape());
  if (in && statement.hasOther)
    other = constant(statement.number, statement.kind);
  bool isTransposed = statement.form == LoadForm::Transposed;
  if (isTransposed) {
    where = transposed(where);
    in = in ? transposed(in) : in;
  }
  auto shape = cast<RankedTensorType>(where.getType()).getShape();
  Value loaded =
      LoadOp::create(builder, loc, tileOf(shape, elementOf(statement.kind)),
                     base, where, in, other, nullptr, nullptr);
  if (isTransposed)
    loaded = transposed(loaded);
  if (statement.form == LoadForm::Row)
    loaded = spread(loaded, 1, whole);
  if (statement.form == LoadForm::Column)
    loaded = spread(loaded, 0, whole);
  return loaded;
}

void KernelBuilder::buildStore(int array, Value value) {
  bool isMasked = recipe.sizeM % recipe.m != 0 || recipe.sizeN % recipe.n != 0;
  Lanes lanes = place(isMasked);
  StoreOp::create(builder, loc, argument(nameOf(array)), offsets(array, lanes),
                  value, mask(lanes), /*plan=*/nullptr, /*require=*/nullptr);
}

Value KernelBuilder::buildThrough(const Statement &statement) {
  buildStore(statement.array, values[statement.a]);
  Lanes lanes = place(/*isMasked=*/true);
  return LoadOp::create(builder, loc, tileOf(statement.kind),
                        argument(nameOf(statement.array)),
                        offsets(statement.array, lanes), mask(lanes),
                        /*other=*/Value(), /*plan=*/nullptr,
                        /*require=*/nullptr);
}

Value KernelBuilder::scalarLoad(int array, Value row, Value column, Value in) {
  std::string name = nameOf(array);
  Type wide = builder.getI64Type();
  auto scaledBy = [&](Value number, const std::string &stride) {
    return make<arith::MulIOp>(
        arith::ExtSIOp::create(builder, loc, wide, number), argument(stride));
  };
  Value offset = make<arith::AddIOp>(scaledBy(row, name + "r"),
                                     scaledBy(column, name + "c"));
  return LoadOp::create(builder, loc, elementOf(recipe.arrays[array].kind),
                        argument(name), offset, in, /*other=*/Value(),
                        /*plan=*/nullptr, /*require=*/nullptr);
}

static AtomicKind atomicKind(BinaryCode code) {
  switch (code) {
  case BinaryCode::Max:
    return AtomicKind::MaxS;
  case BinaryCode::Min:
    return AtomicKind::MinS;
  case BinaryCode::And:
    return AtomicKind::And;
  case BinaryCode::Or:
    return AtomicKind::Or;
  case BinaryCode::Xor:
    return AtomicKind::Xor;
  default:
    return AtomicKind::AddI;
  }
}

void KernelBuilder::buildAtomic(const Statement &statement) {
  Lanes lanes = place(/*isMasked=*/true);
  if (statement.form == LoadForm::Row)
    lanes.rows = splat(integer(0), {recipe.m});
  if (statement.form == LoadForm::Column)
    lanes.columns = splat(integer(0), {recipe.n});
  Value value = values[statement.a];
  AtomicRmwOp::create(builder, loc, value.getType(),
                      atomicKind(static_cast<BinaryCode>(statement.code)),
                      argument(nameOf(statement.array)),
                      offsets(statement.array, lanes), value, mask(lanes));
}
