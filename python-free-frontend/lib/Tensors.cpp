//===- Tensors.cpp - Whole tensors as arguments ---------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ForeignWords.h"
#include "KernelEmitter.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace tile;
using namespace tile::frontend;
using llvm::SMRange;

/// A tile has at most 2^24 elements, so that the index past the last one of a
/// side stays an i32.
static constexpr int64_t kMaxSide = (int64_t(1) << 31) - (int64_t(1) << 24);

/// Appends each side that has no argument yet, then the strides.  A side may be
/// an argument that is written.
bool KernelEmitter::addTensors(const Kernel &kernel, Signature &signature) {
  auto fact = FactAttr::get(builder.getContext(), std::nullopt, /*min=*/0,
                            kMaxSide, /*noalias=*/false);
  auto facts = builder.getDictionaryAttr(builder.getNamedAttr(kFactName, fact));
  auto add = [&](std::string name, SMRange range, Type type, Attribute known) {
    signature.names.push_back(std::move(name));
    signature.ranges.push_back(range);
    signature.types.push_back(type);
    signature.facts.push_back(known);
  };
  for (const Argument &argument : kernel.arguments)
    for (const Identifier &side : argument.sides) {
      auto parameter =
          llvm::find_if(kernel.parameters, [&](const Parameter &entry) {
            return entry.name.text == side.text;
          });
      if (parameter != kernel.parameters.end()) {
        errors
            .error(side.range,
                   "expected a side of its own name, got '" + side.text +
                       "', which is a parameter",
                   parameter->name.range, "'" + side.text + "' is defined here")
            .help("a side is known when the kernel is launched: leave the "
                  "parameter out, or call the side something else");
        return false;
      }
      auto *known = llvm::find(signature.names, side.text);
      if (known == signature.names.end()) {
        add(side.text.str(), side.range, builder.getI32Type(), facts);
        continue;
      }
      size_t index = known - signature.names.begin();
      if (signature.types[index].isInteger(32))
        continue;
      errors.error(side.range,
                   "expected a side of i32, got '" + side.text + "' of " +
                       describe(signature.types[index]),
                   signature.ranges[index],
                   "'" + side.text + "' is defined here");
      return false;
    }
  for (const Argument &argument : kernel.arguments)
    for (size_t dim = 0; dim < argument.sides.size(); ++dim) {
      std::string name = (argument.name.text + "_stride" + Twine(dim)).str();
      if (llvm::is_contained(signature.names, name)) {
        errors.error(argument.name.range,
                     "expected no other argument '" + name +
                         "', which is a stride of '" + argument.name.text +
                         "', got one");
        return false;
      }
      add(name, {}, builder.getI64Type(), builder.getDictionaryAttr({}));
    }
  return true;
}

/// An index: an integer or a line of them.
Value KernelEmitter::tensorIndex(const Expr &index) {
  Val value = emitExpr(index);
  if (value.kind == Val::Int && value.integer < 0) {
    errors
        .error(index.range,
               "expected an index of at least 0, got " + Twine(value.integer))
        .help("an index counts from the front: 'M - 1' is the last one of a "
              "side M");
    return {};
  }
  if (value.kind == Val::Int)
    return constantOf(location(index.range), value, builder.getI32Type(),
                      index.range);
  if (value.kind == Val::Run) {
    Type type = value.value.getType(), element = elementOf(type);
    bool isIndex = element.isInteger(32) || element.isInteger(64);
    if (isIndex && shapeOf(type).size() <= 1)
      return value.value;
  }
  if (value)
    errors
        .error(index.range,
               "expected i32 or i64, or a tile of them of one dimension, as "
               "an index, got " +
                   describe(value))
        .help(value.kind == Val::Run &&
                      shapeOf(value.value.getType()).size() > 1
                  ? "each index goes along a side of its own without '[:, "
                    "None]' or '[None, :]', which values need"
                  : "");
  return {};
}

/// Whether the grid has as many programs along the axis that `place` counts as
/// the tensor has indices along `dim`: `program_id(0)` in `grid M` is below M.
static bool isInsideByGrid(Value place, const Val &tensor, unsigned dim) {
  auto id = place.getDefiningOp<ProgramIdOp>();
  KernelOp kernel = id ? id->getParentOfType<KernelOp>() : KernelOp();
  std::optional<AffineMap> grid = kernel ? kernel.getGrid() : std::nullopt;
  auto axis = id ? unsigned(id.getAxis()) : 0u;
  if (!grid || axis >= grid->getNumResults())
    return false;
  auto symbol = dyn_cast<AffineSymbolExpr>(grid->getResult(axis));
  return symbol && kernel.getIntegerArguments()[symbol.getPosition()] ==
                       tensor.sides[dim];
}

/// Adds what the index along `dim` contributes, with a mask unless `isInside`;
/// the tile of the part has a side of 1 along `newAxes`.
void KernelEmitter::addIndex(const Expr &index, Value place, const Val &tensor,
                             unsigned dim, ArrayRef<unsigned> newAxes,
                             bool isInside, Part &part) {
  Location loc = location(index.range);
  constexpr auto kNoWrap = arith::IntegerOverflowFlags::nsw;
  Value side = castElements(loc, tensor.sides[dim], elementOf(place.getType()));
  Part own;
  if (!isInside)
    own.inside = elementwise(
        loc, index.range, {place, side}, [&](ValueRange in) -> Value {
          return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                       in[0], in[1]);
        });
  Value wide = castElements(loc, place, builder.getI64Type());
  own.offsets = elementwise(loc, index.range, {wide, tensor.strides[dim]},
                            [&](ValueRange in) -> Value {
                              return arith::MulIOp::create(builder, loc, in[0],
                                                           in[1], kNoWrap);
                            });
  if (!shapeOf(place.getType()).empty())
    for (Value *value : {&own.inside, &own.offsets})
      for (unsigned axis : newAxes) {
        SmallVector<int64_t> shape(shapeOf(value->getType()));
        shape.insert(shape.begin() + axis, 1);
        auto type = RankedTensorType::get(shape, elementOf(value->getType()));
        *value = ExpandDimsOp::create(builder, loc, type, *value, axis);
      }
  if (!part.offsets) {
    part = own;
    return;
  }
  part.offsets = elementwise(loc, index.range, {part.offsets, own.offsets},
                             [&](ValueRange in) -> Value {
                               return arith::AddIOp::create(builder, loc, in[0],
                                                            in[1], kNoWrap);
                             });
  if (!part.offsets)
    return;
  if (!part.inside || !own.inside) {
    part.inside = part.inside ? part.inside : own.inside;
    return;
  }
  part.inside = elementwise(
      loc, index.range, {part.inside, own.inside}, [&](ValueRange in) -> Value {
        return arith::AndIOp::create(builder, loc, in[0], in[1]);
      });
}

std::optional<KernelEmitter::Part>
KernelEmitter::tensorPart(const Expr &expr, const Val &tensor) {
  size_t count = expr.operands.size() - 1, rank = tensor.sides.size();
  if (count != rank || count != expr.axes.size()) {
    errors
        .error(expr.range,
               "expected an index for " +
                   (rank == 1 ? "the one side"
                              : "each of the " + Twine(rank) + " sides") +
                   " of " + describe(tensor) + ", got " +
                   (count == rank ? "':' or 'None'" : Twine(count).str()))
        .help(llvm::is_contained(expr.axes, ":")
                  ? "a part is as large as its indices: write 'arange(n)' for "
                    "':'"
                  : "");
    return std::nullopt;
  }
  SmallVector<Value> places;
  unsigned tileRank = 0;
  for (size_t dim = 0; dim < rank; ++dim) {
    places.push_back(tensorIndex(*expr.operands[dim + 1]));
    if (!places.back())
      return std::nullopt;
    tileRank += !shapeOf(places.back().getType()).empty();
  }
  Part part;
  unsigned axis = 0;
  for (size_t dim = 0; dim < rank; ++dim) {
    SmallVector<unsigned> newAxes;
    for (unsigned other = 0; other < tileRank; ++other)
      if (other != axis)
        newAxes.push_back(other);
    addIndex(*expr.operands[dim + 1], places[dim], tensor, dim, newAxes,
             isInsideByGrid(places[dim], tensor, dim), part);
    if (!part.offsets)
      return std::nullopt;
    axis += !shapeOf(places[dim].getType()).empty();
  }
  return part;
}

Val KernelEmitter::loadPart(const Expr &expr, const Val &tensor) {
  std::optional<Part> part = tensorPart(expr, tensor);
  return part ? loadFrom(tensor, *part, expr.other.get(), expr) : Val();
}

/// What the part holds; zero, or `otherExpr`, outside of the tensor.
Val KernelEmitter::loadFrom(const Val &tensor, const Part &part,
                            const Expr *otherExpr, const Expr &expr) {
  Type element = cast<PointerType>(tensor.value.getType()).getElementType();
  Location loc = location(expr.range);
  Value other;
  if (!otherExpr)
    other = constantOf(loc, Val::constant(0), element, expr.range);
  else if (!emitRunTime(*otherExpr, element, other))
    return {};
  if (other.getType() != element) {
    errors.error(otherExpr->range, "expected " + describe(element) +
                                       " as 'other', got " +
                                       describe(other.getType()));
    return {};
  }
  // Where all of the part exists, nothing else is read.
  if (!part.inside)
    other = {};
  Type result = element;
  if (ArrayRef<int64_t> shape = shapeOf(part.offsets.getType()); !shape.empty())
    result = RankedTensorType::get(shape, element);
  auto load = LoadOp::create(builder, loc, result, tensor.value, part.offsets,
                             part.inside, other, /*plan=*/nullptr,
                             /*require=*/nullptr);
  return Val::run(placed(load, expr.range));
}

void KernelEmitter::emitTensorStore(const Stmt &stmt) {
  // `a[i] += x` reads what it writes, at a place that is computed once.
  bool isUpdate = !stmt.target;
  const Expr &target = isUpdate ? *stmt.value->operands[0] : *stmt.target;
  llvm::SaveAndRestore<std::optional<Updated>> outside(updated, std::nullopt);
  Val tensor = emitBase(*target.operands[0]);
  if (tensor.kind == Val::Arranged) {
    Val part = indexArranged(target, tensor);
    if (part && isUpdate)
      updated = Updated{&target, loadArranged(target, part)};
    if (part)
      storeArranged(target, part, *stmt.value, stmt.range);
    return;
  }
  if (tensor && tensor.kind != Val::Tensor)
    errors
        .error(target.operands[0]->range,
               "expected a tensor to assign to a part of, got " +
                   describe(tensor))
        .help(tensor.kind == Val::Pointer ? "write 'store(p + i, x)'" : "");
  if (tensor && target.other) {
    errors.error(target.other->range,
                 "expected 'other' where a tensor is read, got an " +
                     Twine(isUpdate ? "update" : "assignment"));
    return;
  }
  std::optional<Part> part;
  if (tensor.kind == Val::Tensor)
    part = tensorPart(target, tensor);
  if (part && isUpdate)
    updated = Updated{&target,
                      loadFrom(tensor, *part, /*otherExpr=*/nullptr, target)};
  if (part)
    storeTo(tensor, *part, target, *stmt.value, stmt.range);
  else
    emitExpr(isUpdate ? *stmt.value->operands[1] : *stmt.value);
}

/// Writes what exists of the part.
void KernelEmitter::storeTo(const Val &tensor, const Part &part,
                            const Expr &target, const Expr &stored,
                            SMRange stmt) {
  Type element = cast<PointerType>(tensor.value.getType()).getElementType();
  Value value;
  if (!emitRunTime(stored, element, value))
    return;
  Type own = value.getType();
  if (elementOf(own) != element) {
    errors.error(stored.range,
                 "expected " + describe(element) + ", got " + describe(own) +
                     ": write 'as " + describe(element) + "' to convert",
                 target.range,
                 "this is part of a tensor of " + describe(element));
    return;
  }
  ArrayRef<int64_t> shape = shapeOf(part.offsets.getType());
  if (!shapeOf(own).empty() && shapeOf(own) != shape) {
    errors
        .error(stored.range,
               "value is " + sidesText(shapeOf(own)) +
                   " but the part assigned to is " + sidesText(shape),
               target.range, "this part is " + sidesText(shape))
        .help(helpToReduce(stored));
    return;
  }
  Location loc = location(stmt);
  auto store = StoreOp::create(builder, loc, tensor.value, part.offsets,
                               spread(loc, value, shape), part.inside,
                               /*plan=*/nullptr, /*require=*/nullptr);
  placed(store, target.range);
}
