//===- Build.cpp - A recipe as tile IR ------------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Build.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "tile/IR/TileOps.h"
#include "llvm/ADT/StringMap.h"

#include <map>

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

namespace {
/// Rows and columns that an access names, one vector each.
struct Lanes {
  Value rows, columns;
  /// Vectors of i1; null where every lane is inside.
  Value rowsInside, columnsInside;
};

/// Builds one kernel.
class KernelBuilder {
public:
  KernelBuilder(MLIRContext &context, const Recipe &recipe)
      : builder(&context), loc(builder.getUnknownLoc()), recipe(recipe) {}

  Program run();

private:
  using Statements = std::vector<Statement>;

  void collectArguments();
  void collectBounds(const Statements &body);
  void addArgument(const std::string &name, Type type, int array, int64_t value,
                   Attribute fact = {}, bool isLine = false);
  void buildKernel();
  void buildPlace();
  void buildBody(const Statements &body);
  Value buildStatement(const Statement &statement);
  Value buildLoad(const Statement &statement);
  Value buildThrough(const Statement &statement);
  Value buildUnary(const Statement &statement);
  Value buildBinary(int code, Kind kind, Value a, Value b);
  Value buildSelect(const Statement &statement);
  Value buildCast(const Statement &statement);
  Value buildReduce(const Statement &statement);
  Value buildDot(const Statement &statement);
  Value buildDotStep(const Statement &statement, Value sum, Value first,
                     ValueRange carried);
  Lanes operandLanes(const Statement &statement, bool isLeft, Value first);
  SmallVector<Value> carriedOffsets(const Statement &statement, Value first);
  SmallVector<Value> advanced(const Statement &statement, ValueRange offsets);
  Value operand(int array, const Lanes &lanes, Value where, bool isTransposed);
  Value buildFor(const Statement &statement);
  Value buildIf(const Statement &statement);
  void buildStore(int array, Value value);

  Type elementOf(Kind kind) {
    switch (kind) {
    case Kind::F32:
      return builder.getF32Type();
    case Kind::F16:
      return builder.getF16Type();
    case Kind::BF16:
      return builder.getBF16Type();
    case Kind::I32:
      return builder.getI32Type();
    }
    return {};
  }
  RankedTensorType tileOf(ArrayRef<int64_t> shape, Type element) {
    return RankedTensorType::get(shape, element);
  }
  RankedTensorType tileOf(Kind kind) {
    return tileOf({recipe.m, recipe.n}, elementOf(kind));
  }
  Value integer(int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI32IntegerAttr(value));
  }
  Value constant(double number, Kind kind) {
    Type type = elementOf(kind);
    TypedAttr value = kind == Kind::I32
                          ? TypedAttr(builder.getI32IntegerAttr(number))
                          : TypedAttr(builder.getFloatAttr(type, number));
    return arith::ConstantOp::create(builder, loc, value);
  }
  template <typename OpTy>
  Value make(Value a, Value b) {
    return OpTy::create(builder, loc, a, b);
  }
  /// On indices, which do not wrap.
  template <typename OpTy>
  Value index(Value a, Value b) {
    return OpTy::create(builder, loc, a, b, arith::IntegerOverflowFlags::nsw);
  }
  Value splat(Value scalar, ArrayRef<int64_t> shape) {
    return SplatOp::create(builder, loc, tileOf(shape, scalar.getType()),
                           scalar);
  }
  int64_t sideOf(Value vector) {
    return cast<RankedTensorType>(vector.getType()).getDimSize(0);
  }
  /// first + 0, 1, ..., side - 1.
  Value iota(Value first, int64_t side) {
    Value steps =
        IotaOp::create(builder, loc, tileOf({side}, builder.getI32Type()));
    return index<arith::AddIOp>(splat(first, {side}), steps);
  }
  Value compare(arith::CmpIPredicate predicate, Value vector, Value scalar) {
    return arith::CmpIOp::create(builder, loc, predicate, vector,
                                 splat(scalar, {sideOf(vector)}));
  }
  /// vector < scalar, spelled as Statement::maskForm says.
  Value below(Value vector, Value scalar, int form = 0);
  /// A vector along `axis` of a tile, repeated along the other.
  Value spread(Value vector, int axis, ArrayRef<int64_t> shape);
  Value offsets(int array, const Lanes &lanes);
  Value scaled(Value vector, const std::string &stride);
  Value mask(const Lanes &lanes);
  Value argument(const std::string &name) { return named.lookup(name); }
  std::string nameOf(int array) { return "a" + std::to_string(array); }
  Lanes place(bool isMasked);

  OpBuilder builder;
  Location loc;
  const Recipe &recipe;
  Program program;
  SmallVector<Type> types;
  SmallVector<Attribute> facts;
  llvm::StringMap<Value> named;
  KernelOp kernel;
  Value pidM, pidN, firstRow, firstColumn, variable;
  std::map<int, Value> values;
};
} // namespace

//===----------------------------------------------------------------------===//
// The kernel around the statements
//===----------------------------------------------------------------------===//

void KernelBuilder::addArgument(const std::string &name, Type type, int array,
                                int64_t value, Attribute fact, bool isLine) {
  program.arguments.push_back({name, array, value});
  types.push_back(type);
  NamedAttrList entries;
  if (fact)
    entries.set(kFactName, fact);
  if (isLine)
    entries.set(kContiguousName, builder.getUnitAttr());
  facts.push_back(entries.getDictionary(builder.getContext()));
}

void KernelBuilder::collectBounds(const Statements &body) {
  for (const Statement &statement : body) {
    bool isLoop = statement.op == What::For || statement.op == What::Dot;
    if (isLoop && statement.hasArgumentBounds) {
      std::string id = std::to_string(statement.id);
      auto fact =
          FactAttr::get(builder.getContext(), std::nullopt, -4096, 4096, false);
      addArgument("lower" + id, builder.getI32Type(), -1, statement.lower,
                  fact);
      if (statement.op == What::For)
        addArgument("upper" + id, builder.getI32Type(), -1, statement.upper,
                    fact);
    }
    collectBounds(statement.body);
    collectBounds(statement.otherBody);
  }
}

void KernelBuilder::collectArguments() {
  MLIRContext *context = builder.getContext();
  auto size = FactAttr::get(context, std::nullopt, 0, 1 << 30, false);
  addArgument("M", builder.getI32Type(), -1, recipe.sizeM, size);
  addArgument("N", builder.getI32Type(), -1, recipe.sizeN, size);
  addArgument("K", builder.getI32Type(), -1, recipe.sizeK, size);
  for (size_t i = 0; i < recipe.arrays.size(); ++i) {
    const Array &array = recipe.arrays[i];
    std::string name = nameOf(static_cast<int>(i));
    int64_t bytes = array.misalignment * bytesOf(array.kind);
    FactAttr aligned;
    if (array.statesAlignment && bytes % 16 == 0)
      aligned = FactAttr::get(context, 16, std::nullopt, std::nullopt, false);
    addArgument(name, PointerType::get(elementOf(array.kind)),
                static_cast<int>(i), 0, aligned);
    addArgument(name + "r", builder.getI64Type(), -1, recipe.rowStride(array),
                {}, array.isColumnMajor);
    addArgument(name + "c", builder.getI64Type(), -1,
                recipe.columnStride(array));
  }
  collectBounds(recipe.statements);
}

void KernelBuilder::buildKernel() {
  AffineExpr rows = builder.getAffineSymbolExpr(0).ceilDiv(recipe.m);
  AffineExpr columns = builder.getAffineSymbolExpr(1).ceilDiv(recipe.n);
  SmallVector<AffineExpr> grid = {rows * columns};
  if (recipe.hasPlaneGrid)
    grid = {columns, rows};
  SmallVector<StringRef> names;
  for (const Argument &argument : program.arguments)
    names.push_back(argument.name);
  kernel = KernelOp::create(
      builder, loc, builder.getStringAttr("fuzz"),
      TypeAttr::get(builder.getFunctionType(types, {})),
      builder.getStrArrayAttr(names),
      AffineMapAttr::get(AffineMap::get(0, 2, grid, builder.getContext())),
      /*variant=*/nullptr, /*plan=*/nullptr, builder.getArrayAttr(facts),
      /*res_attrs=*/nullptr);
  Block *body = builder.createBlock(&kernel.getBody());
  body->addArguments(types, SmallVector<Location>(types.size(), loc));
  for (auto [name, value] : llvm::zip(names, body->getArguments()))
    named[name] = value;
}

void KernelBuilder::buildPlace() {
  Type i32 = builder.getI32Type();
  Value x = ProgramIdOp::create(builder, loc, i32, Axis::X);
  if (recipe.hasPlaneGrid) {
    pidN = x;
    pidM = ProgramIdOp::create(builder, loc, i32, Axis::Y);
  } else {
    Value tiles = make<arith::CeilDivSIOp>(argument("N"), integer(recipe.n));
    pidM = make<arith::DivSIOp>(x, tiles);
    pidN = make<arith::RemSIOp>(x, tiles);
  }
  firstRow = index<arith::MulIOp>(pidM, integer(recipe.m));
  firstColumn = index<arith::MulIOp>(pidN, integer(recipe.n));
}

Program KernelBuilder::run() {
  program.module = ModuleOp::create(loc);
  builder.setInsertionPointToStart(program.module->getBody());
  collectArguments();
  buildKernel();
  buildPlace();
  buildBody(recipe.statements);
  for (const fuzz::Output &output : recipe.outputs)
    buildStore(output.array, values[output.id]);
  ReturnOp::create(builder, loc);
  return std::move(program);
}

Program tile::fuzz::build(MLIRContext &context, const Recipe &recipe) {
  return KernelBuilder(context, recipe).run();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

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

Value KernelBuilder::buildLoad(const Statement &statement) {
  bool isMasked = recipe.isMasked(statement);
  Value column = firstColumn;
  if (statement.shift != 0)
    column = index<arith::AddIOp>(column, integer(statement.shift));
  if (statement.addsLoopVariable && variable)
    column = index<arith::AddIOp>(column, variable);
  Lanes lanes = place(/*isMasked=*/false);
  lanes.columns = iota(column, recipe.n);
  Value ascending = lanes.rows;
  int form = statement.maskForm;
  if (statement.form == LoadForm::Descending ||
      statement.form == LoadForm::Mirrored) {
    Value last = index<arith::SubIOp>(argument("M"), integer(1));
    lanes.rows = index<arith::SubIOp>(splat(last, {recipe.m}), lanes.rows);
  }
  // Both ends of both: shifted and descending lanes may lie before the first.
  auto inside = [&](Value vector, StringRef bound) {
    Value notBefore = compare(arith::CmpIPredicate::sge, vector, integer(0));
    return make<arith::AndIOp>(notBefore,
                               below(vector, argument(bound.str()), form));
  };
  if (isMasked && statement.form == LoadForm::Descending)
    lanes.rowsInside = inside(lanes.rows, "M");
  else if (isMasked)
    lanes.rowsInside = below(ascending, argument("M"), form);
  if (isMasked)
    lanes.columnsInside = statement.mayBeBefore
                              ? inside(lanes.columns, "N")
                              : below(lanes.columns, argument("N"), form);
  if (statement.form == LoadForm::Row)
    lanes.rows = lanes.rowsInside = {};
  if (statement.form == LoadForm::Column)
    lanes.columns = lanes.columnsInside = {};
  Value where, in = mask(lanes), base = argument(nameOf(statement.array));
  if (statement.advancesBase && statement.form == LoadForm::Plain) {
    auto wide = builder.getI64Type();
    Value first = arith::ExtSIOp::create(builder, loc, wide, firstRow);
    Value stride = argument(nameOf(statement.array) + "r");
    base = OffsetOp::create(builder, loc, base.getType(), base,
                            make<arith::MulIOp>(first, stride));
    lanes.rows = iota(integer(0), recipe.m);
  }
  if (statement.form == LoadForm::Gathered) {
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
    where = make<arith::AddIOp>(
        spread(scaled(lanes.rows, name + "r"), 0, shape), columns);
    in = isMasked ? spread(lanes.rowsInside, 0, shape) : Value();
  } else {
    where = offsets(statement.array, lanes);
  }
  Value other;
  if (in && statement.hasOther)
    other = constant(statement.number, statement.kind);
  Type element = elementOf(statement.kind);
  bool isTransposed = statement.form == LoadForm::Transposed;
  auto permuted = [&](Value tile) -> Value {
    int64_t order[] = {1, 0};
    auto type = cast<RankedTensorType>(tile.getType());
    return TransposeOp::create(
        builder, loc,
        tileOf({type.getDimSize(1), type.getDimSize(0)}, type.getElementType()),
        tile, order);
  };
  if (isTransposed) {
    where = permuted(where);
    in = in ? permuted(in) : in;
  }
  auto shape = cast<RankedTensorType>(where.getType()).getShape();
  Value loaded =
      LoadOp::create(builder, loc, tileOf(shape, element), base, where, in,
                     other, /*plan=*/nullptr, /*require=*/nullptr);
  if (isTransposed)
    loaded = permuted(loaded);
  int64_t whole[] = {recipe.m, recipe.n};
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

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Value KernelBuilder::buildUnary(const Statement &statement) {
  Value a = values[statement.a];
  switch (static_cast<UnaryCode>(statement.code)) {
  case UnaryCode::Negate:
    return arith::NegFOp::create(builder, loc, a);
  case UnaryCode::Absolute:
    return math::AbsFOp::create(builder, loc, a);
  default:
    return math::ExpOp::create(builder, loc, a);
  }
}

Value KernelBuilder::buildBinary(int code, Kind kind, Value a, Value b) {
  bool isInteger = kind == Kind::I32;
  switch (static_cast<BinaryCode>(code)) {
  case BinaryCode::Add:
    return isInteger ? make<arith::AddIOp>(a, b) : make<arith::AddFOp>(a, b);
  case BinaryCode::Subtract:
    return isInteger ? make<arith::SubIOp>(a, b) : make<arith::SubFOp>(a, b);
  case BinaryCode::Multiply:
    return isInteger ? make<arith::MulIOp>(a, b) : make<arith::MulFOp>(a, b);
  case BinaryCode::Max:
    return isInteger ? make<arith::MaxSIOp>(a, b)
                     : make<arith::MaximumFOp>(a, b);
  case BinaryCode::Min:
    return isInteger ? make<arith::MinSIOp>(a, b)
                     : make<arith::MinimumFOp>(a, b);
  default:
    return make<arith::XOrIOp>(a, b);
  }
}

Value KernelBuilder::buildSelect(const Statement &statement) {
  Value a = values[statement.a], b = values[statement.b];
  Value less = statement.kind == Kind::I32
                   ? Value(arith::CmpIOp::create(
                         builder, loc, arith::CmpIPredicate::slt, a, b))
                   : Value(arith::CmpFOp::create(
                         builder, loc, arith::CmpFPredicate::OLT, a, b));
  return arith::SelectOp::create(builder, loc, less, a, values[statement.c]);
}

Value KernelBuilder::buildCast(const Statement &statement) {
  Value a = values[statement.a];
  auto to = tileOf(statement.kind);
  auto from = cast<RankedTensorType>(a.getType()).getElementType();
  if (from.isInteger())
    return arith::SIToFPOp::create(builder, loc, to, a);
  if (statement.kind == Kind::F32)
    return arith::ExtFOp::create(builder, loc, to, a);
  return arith::TruncFOp::create(builder, loc, to, a);
}

Value KernelBuilder::buildReduce(const Statement &statement) {
  int64_t side = statement.axis == 0 ? recipe.n : recipe.m;
  Type element = elementOf(statement.kind);
  auto op = ReduceOp::create(builder, loc, TypeRange{tileOf({side}, element)},
                             ValueRange{values[statement.a]},
                             static_cast<uint32_t>(statement.axis),
                             /*reassoc=*/false);
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *body = builder.createBlock(&op.getCombine(), {}, {element, element},
                                      {loc, loc});
    Value combined = buildBinary(statement.code, statement.kind,
                                 body->getArgument(0), body->getArgument(1));
    tile::YieldOp::create(builder, loc, ValueRange{combined});
  }
  int64_t whole[] = {recipe.m, recipe.n};
  return spread(op->getResult(0), 1 - statement.axis, whole);
}

/// A dot's operand; where asked for, loaded the other way round and transposed.
/// `where` are its offsets, if they are there already.
Value KernelBuilder::operand(int array, const Lanes &lanes, Value where,
                             bool isTransposed) {
  int64_t order[] = {1, 0};
  Value in = mask(lanes);
  if (!where)
    where = offsets(array, lanes);
  auto type = cast<RankedTensorType>(where.getType());
  int64_t turned[] = {type.getDimSize(1), type.getDimSize(0)};
  Type element = elementOf(recipe.arrays[array].kind);
  ArrayRef<int64_t> shape = type.getShape();
  if (isTransposed) {
    where = TransposeOp::create(
        builder, loc, tileOf(turned, builder.getI64Type()), where, order);
    in = TransposeOp::create(builder, loc, tileOf(turned, builder.getI1Type()),
                             in, order);
    shape = turned;
  }
  Value loaded = LoadOp::create(builder, loc, tileOf(shape, element),
                                argument(nameOf(array)), where, in,
                                /*other=*/Value(), nullptr, nullptr);
  if (!isTransposed)
    return loaded;
  return TransposeOp::create(builder, loc, tileOf(type.getShape(), element),
                             loaded, order);
}

/// Rows and columns of an operand in the step that starts at k = `first`.
Lanes KernelBuilder::operandLanes(const Statement &statement, bool isLeft,
                                  Value first) {
  Lanes lanes = place(/*isMasked=*/true);
  Value ks = iota(first, recipe.k);
  (isLeft ? lanes.columns : lanes.rows) = ks;
  (isLeft ? lanes.columnsInside : lanes.rowsInside) =
      below(ks, argument("K"), statement.maskForm);
  return lanes;
}

Value KernelBuilder::buildDotStep(const Statement &statement, Value sum,
                                  Value first, ValueRange carried) {
  Lanes left = operandLanes(statement, /*isLeft=*/true, first);
  Lanes right = operandLanes(statement, /*isLeft=*/false, first);
  Value a =
      operand(statement.array, left, carried.empty() ? Value() : carried[0],
              statement.transposesA);
  if (statement.negatesA)
    a = arith::NegFOp::create(builder, loc, a);
  for (auto [i, array] :
       llvm::enumerate(std::array<int, 2>{statement.second, statement.third})) {
    if (array < 0)
      continue;
    Value b = operand(array, right, carried.empty() ? Value() : carried[i + 1],
                      statement.transposesB);
    sum = DotOp::create(builder, loc, sum.getType(), a, b, sum, Precision::Ieee,
                        nullptr, nullptr, nullptr);
  }
  return sum;
}

/// The offsets of all operands in the step at `first`, for a loop to carry.
SmallVector<Value> KernelBuilder::carriedOffsets(const Statement &statement,
                                                 Value first) {
  if (!statement.carriesOffsets)
    return {};
  SmallVector<Value> result;
  for (int array : {statement.array, statement.second, statement.third})
    if (array >= 0)
      result.push_back(offsets(
          array, operandLanes(statement, array == statement.array, first)));
  return result;
}

/// The same, one step on.
SmallVector<Value> KernelBuilder::advanced(const Statement &statement,
                                           ValueRange carried) {
  SmallVector<Value> result;
  for (int array : {statement.array, statement.second, statement.third}) {
    if (array < 0 || carried.empty())
      continue;
    Value from = carried[result.size()];
    Value side = arith::ConstantOp::create(builder, loc,
                                           builder.getI64IntegerAttr(recipe.k));
    Value stride =
        argument(nameOf(array) + (array == statement.array ? "c" : "r"));
    Value step = splat(make<arith::MulIOp>(side, stride),
                       cast<RankedTensorType>(from.getType()).getShape());
    result.push_back(make<arith::AddIOp>(from, step));
  }
  return result;
}

Value KernelBuilder::buildDot(const Statement &statement) {
  Value lower = statement.hasArgumentBounds
                    ? argument("lower" + std::to_string(statement.id))
                    : integer(statement.lower);
  Value start = values[statement.a];
  if (statement.isUnrolled)
    return buildDotStep(statement, start, lower, {});
  SmallVector<Value> initial = {start};
  initial.append(carriedOffsets(statement, lower));
  auto loop = scf::ForOp::create(builder, loc, lower, argument("K"),
                                 integer(recipe.k), initial);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  ValueRange carried = loop.getRegionIterArgs();
  SmallVector<Value> next = {buildDotStep(statement, carried.front(),
                                          loop.getInductionVar(),
                                          carried.drop_front())};
  next.append(advanced(statement, carried.drop_front()));
  scf::YieldOp::create(builder, loc, next);
  return loop.getResult(0);
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

Value KernelBuilder::buildFor(const Statement &statement) {
  std::string id = std::to_string(statement.id);
  bool isGiven = statement.hasArgumentBounds;
  Value lower = isGiven ? argument("lower" + id) : integer(statement.lower);
  Value upper = isGiven ? argument("upper" + id) : integer(statement.upper);
  auto loop =
      scf::ForOp::create(builder, loc, lower, upper, integer(statement.step),
                         ValueRange{values[statement.a]});
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value outer = variable;
  variable = loop.getInductionVar();
  values[-2 - statement.id] = loop.getRegionIterArg(0);
  buildBody(statement.body);
  scf::YieldOp::create(builder, loc, ValueRange{values[statement.b]});
  variable = outer;
  return loop.getResult(0);
}

Value KernelBuilder::buildIf(const Statement &statement) {
  Value condition;
  auto compareScalars = [&](arith::CmpIPredicate predicate, Value a, Value b) {
    condition = arith::CmpIOp::create(builder, loc, predicate, a, b);
  };
  if (statement.code == 0)
    compareScalars(arith::CmpIPredicate::eq,
                   make<arith::RemSIOp>(pidM, integer(2)), integer(0));
  else if (statement.code == 1)
    compareScalars(arith::CmpIPredicate::sgt, pidN, integer(0));
  else
    compareScalars(arith::CmpIPredicate::sgt, argument("M"), integer(20));
  auto branch =
      scf::IfOp::create(builder, loc, TypeRange{tileOf(statement.kind)},
                        condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  buildBody(statement.body);
  scf::YieldOp::create(builder, loc, ValueRange{values[statement.b]});
  builder.setInsertionPointToStart(branch.elseBlock());
  buildBody(statement.otherBody);
  scf::YieldOp::create(builder, loc, ValueRange{values[statement.c]});
  return branch.getResult(0);
}

Value KernelBuilder::buildStatement(const Statement &statement) {
  int64_t whole[] = {recipe.m, recipe.n};
  switch (statement.op) {
  case What::Constant:
    return splat(constant(statement.number, statement.kind), whole);
  case What::Index:
    return variable ? splat(variable, whole)
                    : spread(iota(firstRow, recipe.m), 0, whole);
  case What::Load:
    return buildLoad(statement);
  case What::Unary:
    return buildUnary(statement);
  case What::Binary:
    return buildBinary(statement.code, statement.kind, values[statement.a],
                       values[statement.b]);
  case What::Select:
    return buildSelect(statement);
  case What::Cast:
    return buildCast(statement);
  case What::Reduce:
    return buildReduce(statement);
  case What::Dot:
    return buildDot(statement);
  case What::For:
    return buildFor(statement);
  case What::If:
    return buildIf(statement);
  case What::Through:
    return buildThrough(statement);
  }
  return {};
}

void KernelBuilder::buildBody(const Statements &body) {
  for (const Statement &statement : body)
    values[statement.id] = buildStatement(statement);
}
