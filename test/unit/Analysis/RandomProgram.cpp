//===- RandomProgram.cpp - Random index arithmetic ------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomProgram.h"

using namespace mlir;
using namespace tile;
using namespace tile::test;

RandomProgram::RandomProgram(MLIRContext &context, unsigned seed)
    : random(seed), builder(&context), loc(builder.getUnknownLoc()) {
  sides = pick(0, 1) ? SmallVector<int64_t>{pick(1, 4), 8}
                     : SmallVector<int64_t>{16};
  module = ModuleOp::create(loc);
  addArguments();
  addOps(12);
  addLoop(/*depth=*/0);
  addLoad();
  ReturnOp::create(builder, loc);
}

Type RandomProgram::tileOf(Type element) const {
  return RankedTensorType::get(sides, element);
}

Value RandomProgram::constant(Type type, int64_t value) {
  auto element = cast<IntegerType>(getElementTypeOrSelf(type));
  TypedAttr attribute = builder.getIntegerAttr(element, value);
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    attribute = DenseElementsAttr::get(tensor, Attribute(attribute));
  return arith::ConstantOp::create(builder, loc, attribute);
}

/// Three pointers, scalars of both widths, some with facts.
void RandomProgram::addArguments() {
  Type pointer = PointerType::get(builder.getF32Type());
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  SmallVector<Type> types{pointer, pointer, i32, i32, i32, i64, i64, i64};
  SmallVector<Attribute> names, facts;
  for (auto [index, type] : llvm::enumerate(types)) {
    names.push_back(builder.getStringAttr("x" + std::to_string(index)));
    std::optional<int64_t> divisor, min, max;
    if (pick(0, 1))
      divisor = std::array<int64_t, 5>{2, 4, 8, 12, 16}[pick(0, 4)];
    if (type != pointer && pick(0, 1)) {
      // A multiple of every divisor.
      min = pick(-2, 2) * 48;
      max = *min + pick(0, 3) * 48;
    }
    NamedAttribute fact(
        builder.getStringAttr(kFactName),
        FactAttr::get(builder.getContext(), divisor, min, max, false));
    facts.push_back(builder.getDictionaryAttr(fact));
  }
  builder.setInsertionPointToEnd(module->getBody());
  OperationState state(loc, KernelOp::getOperationName());
  state.addRegion();
  state.addAttribute("sym_name", builder.getStringAttr("random"));
  state.addAttribute("function_type",
                     TypeAttr::get(builder.getFunctionType(types, {})));
  state.addAttribute("arg_names", builder.getArrayAttr(names));
  state.addAttribute("arg_attrs", builder.getArrayAttr(facts));
  kernelOp = cast<KernelOp>(builder.create(state));
  Block &body = kernelOp.getBody().emplaceBlock();
  for (Type type : types) {
    Value argument = body.addArgument(type, loc);
    if (type == pointer)
      pointers.push_back(argument);
    else
      scalars(type.getIntOrFloatBitWidth()).push_back(argument);
  }
  builder.setInsertionPointToEnd(&body);
}

DenseMap<Value, Lanes> RandomProgram::arguments(unsigned trial) {
  random.seed(trial + 77);
  DenseMap<Value, Lanes> result;
  for (BlockArgument argument : kernelOp.getArguments()) {
    auto fact =
        kernelOp.getArgAttrOfType<FactAttr>(argument.getArgNumber(), kFactName);
    int64_t divisor = fact.getDivisibility().value_or(1);
    if (isa<PointerType>(argument.getType())) {
      // Aligned to its element and not more than is stated.
      result[argument] = {(48 << 16) + std::lcm(divisor, int64_t(4)) *
                                           (pick(0, 20) * 2 + 1)};
      continue;
    }
    bool isNarrow = argument.getType().isInteger(32);
    int64_t all = isNarrow ? INT32_MAX : INT64_MAX;
    int64_t most = trial % 2 ? all : 200;
    int64_t min = fact.getMin().value_or(-most - trial % 2);
    int64_t max = fact.getMax().value_or(most);
    // The ends of a range are where arithmetic wraps.
    int64_t value = pick(min, max);
    if (int64_t end = pick(0, 5); end < 2)
      value = end == 0 ? std::max(min, max - pick(0, 20))
                       : std::min(max, min + pick(0, 20));
    value -= value % divisor;
    result[argument] = {value < min || value > max ? min : value};
  }
  return result;
}

Value RandomProgram::arithmetic(Value left, Value right) {
  auto flags = pick(0, 3) ? arith::IntegerOverflowFlags::none
                          : arith::IntegerOverflowFlags::nsw;
  switch (pick(0, 5)) {
  case 0:
    return arith::SubIOp::create(builder, loc, left, right, flags);
  case 1:
  case 2:
    return arith::MulIOp::create(builder, loc, left, right, flags);
  default:
    return arith::AddIOp::create(builder, loc, left, right, flags);
  }
}

void RandomProgram::addScalar() {
  unsigned bits = pick(0, 1) ? 32 : 64;
  Type type = builder.getIntegerType(bits);
  Value some = from(scalars(bits)), result;
  switch (pick(0, 9)) {
  case 0:
    result = arith::DivSIOp::create(
        builder, loc, some, constant(type, std::array{2, 3, 8}[pick(0, 2)]));
    break;
  case 1:
    result = arith::RemSIOp::create(builder, loc, some, constant(type, 16));
    break;
  case 2:
    result = arith::MinSIOp::create(builder, loc, some, from(scalars(bits)));
    break;
  case 3:
    result =
        arith::ShLIOp::create(builder, loc, some, constant(type, pick(0, 4)));
    break;
  case 4:
    result = constant(type, pick(-3, 3) * 8);
    break;
  case 5:
    bits = 64;
    some = from(scalars32);
    result = pick(0, 1)
                 ? Value(arith::ExtSIOp::create(builder, loc,
                                                builder.getI64Type(), some))
                 : Value(arith::ExtUIOp::create(builder, loc,
                                                builder.getI64Type(), some));
    break;
  case 6:
    bits = 32;
    result = arith::TruncIOp::create(builder, loc, builder.getI32Type(),
                                     from(scalars64));
    break;
  default:
    result = arithmetic(some, from(scalars(bits)));
  }
  scalars(bits).push_back(result);
}

/// A coordinate, spread over the tile.
void RandomProgram::addCoordinate(unsigned bits) {
  int64_t dim = pick(0, static_cast<int64_t>(sides.size()) - 1);
  Type element = builder.getIntegerType(bits);
  auto line = RankedTensorType::get({sides[dim]}, element);
  Value result = IotaOp::create(builder, loc, line);
  if (sides.size() == 2) {
    SmallVector<int64_t> spread{1, 1};
    spread[dim] = sides[dim];
    result = ExpandDimsOp::create(builder, loc,
                                  RankedTensorType::get(spread, element),
                                  result, builder.getI32IntegerAttr(1 - dim));
    result = BroadcastOp::create(builder, loc, tileOf(element), result);
  }
  tiles(bits).push_back(result);
}

void RandomProgram::addTile() {
  unsigned bits = pick(0, 1) ? 32 : 64;
  Type element = builder.getIntegerType(bits), type = tileOf(element);
  Value some = from(tiles(bits)), result;
  switch (pick(0, 9)) {
  case 0:
    return addCoordinate(bits);
  case 1:
    result = SplatOp::create(builder, loc, type, from(scalars(bits)));
    break;
  case 2:
    result = constant(type, pick(-2, 4));
    break;
  case 3:
    bits = 64;
    type = tileOf(builder.getI64Type());
    some = from(tiles32);
    result = pick(0, 3)
                 ? Value(arith::ExtSIOp::create(builder, loc, type, some))
                 : Value(arith::ExtUIOp::create(builder, loc, type, some));
    break;
  case 4:
    result =
        arith::ShLIOp::create(builder, loc, some, constant(type, pick(0, 3)));
    break;
  case 5:
    bits = 32;
    result = arith::TruncIOp::create(builder, loc, tileOf(builder.getI32Type()),
                                     from(tiles64));
    break;
  case 6:
    addCoordinate(bits);
    some = SplatOp::create(builder, loc, type, from(scalars(bits)));
    result = arith::AddIOp::create(builder, loc, some, tiles(bits).back());
    break;
  default:
    result = arithmetic(some, from(tiles(bits)));
  }
  tiles(bits).push_back(result);
}

void RandomProgram::addMask() {
  if (masks.size() > 1 && pick(0, 2) == 0) {
    masks.push_back(
        arith::AndIOp::create(builder, loc, from(masks), from(masks)));
    return;
  }
  unsigned bits = pick(0, 1) ? 32 : 64;
  Type type = tileOf(builder.getIntegerType(bits));
  // The same for all lanes.
  if (pick(0, 3) == 0) {
    Value holds = arith::CmpIOp::create(
        builder, loc, static_cast<arith::CmpIPredicate>(pick(0, 9)),
        from(scalars(bits)), from(scalars(bits)));
    masks.push_back(
        SplatOp::create(builder, loc, tileOf(builder.getI1Type()), holds));
    return;
  }
  addCoordinate(bits);
  Value coordinate = tiles(bits).back();
  if (pick(0, 1))
    coordinate = arith::AddIOp::create(
        builder, loc, SplatOp::create(builder, loc, type, from(scalars(bits))),
        coordinate);
  Value bound = SplatOp::create(builder, loc, type, from(scalars(bits)));
  if (pick(0, 1))
    std::swap(coordinate, bound);
  auto predicate = static_cast<arith::CmpIPredicate>(pick(2, 9));
  masks.push_back(
      arith::CmpIOp::create(builder, loc, predicate, coordinate, bound));
}

void RandomProgram::addLoad() {
  unsigned bits = pick(0, 1) ? 32 : 64;
  Value base = from(pointers);
  if (pick(0, 1))
    base = OffsetOp::create(builder, loc, base, from(scalars(bits)));
  pointers.push_back(base);
  OperationState state(loc, LoadOp::getOperationName());
  Value offsets = from(tiles(pick(0, 3) ? 64 : 32));
  Value mask = !masks.empty() && pick(0, 3) ? from(masks) : Value();
  state.addOperands({base, offsets});
  if (mask)
    state.addOperands(mask);
  state.addTypes(tileOf(builder.getF32Type()));
  state.addAttribute("operandSegmentSizes",
                     builder.getDenseI32ArrayAttr({1, 1, mask ? 1 : 0, 0}));
  builder.create(state);
}

void RandomProgram::addOps(int64_t count) {
  for (unsigned bits : {32, 64})
    addCoordinate(bits);
  for (; count > 0; --count) {
    int64_t kind = pick(0, 9);
    if (kind < 4)
      addScalar();
    else if (kind < 8)
      addTile();
    else
      addMask();
  }
}

/// A loop that carries a pointer, a tile and a scalar, and may hold another.
void RandomProgram::addLoop(int64_t depth) {
  // What the body makes is gone after it.
  std::array<Pool, 6> before{pointers, scalars32, scalars64,
                             tiles32,  tiles64,   masks};
  Type i32 = builder.getI32Type();
  Value lower = constant(i32, pick(-1, 1) * 3);
  Value upper = pick(0, 1) ? constant(i32, 9) : from(scalars32);
  Value step = constant(i32, std::array{1, 2, 4}[pick(0, 2)]);
  unsigned bits = pick(0, 1) ? 32 : 64;
  SmallVector<Value> start{from(pointers), from(tiles(bits)),
                           from(scalars(bits))};
  Value growth = pick(0, 1)
                     ? from(scalars(bits))
                     : constant(builder.getIntegerType(bits), pick(-2, 2) * 4);
  auto loop = scf::ForOp::create(builder, loc, lower, upper, step, start);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(loop.getBody());
  SmallVector<Value> carried(loop.getRegionIterArgs());
  scalars32.push_back(loop.getInductionVar());
  pointers.push_back(carried[0]);
  tiles(bits).push_back(carried[1]);
  scalars(bits).push_back(carried[2]);
  addOps(10);
  addLoad();
  if (depth == 0 && pick(0, 1))
    addLoop(depth + 1);
  addLoad();
  if (pick(0, 2) == 0)
    growth = from(scalars(bits));
  Value grow = SplatOp::create(builder, loc, carried[1].getType(), growth);
  SmallVector<Value> next{
      OffsetOp::create(builder, loc, carried[0], growth),
      pick(0, 3) ? Value(arith::AddIOp::create(builder, loc, carried[1], grow))
                 : from(tiles(bits)),
      pick(0, 1)
          ? Value(arith::AddIOp::create(builder, loc, growth, carried[2]))
          : Value(arith::SubIOp::create(builder, loc, carried[2], growth))};
  scf::YieldOp::create(builder, loc, next);
  std::tie(pointers, scalars32, scalars64, tiles32, tiles64, masks) = std::tie(
      before[0], before[1], before[2], before[3], before[4], before[5]);
}
