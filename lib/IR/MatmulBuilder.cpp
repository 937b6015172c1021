//===- MatmulBuilder.cpp - Builds one matmul, value by value --------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatmulBuilder.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;

/// Indices stay below 2^31 by the facts on M, N and K, which the range of a
/// program id alone does not show.
static constexpr auto kNoWrap = arith::IntegerOverflowFlags::nsw;

Value MatmulBuilder::indices(StringRef name, Value first, int64_t side) {
  auto type = tileOf({side}, builder.getI32Type());
  Value firsts =
      SplatOp::create(builder, named((name + "_first").str()), type, first);
  Value steps = IotaOp::create(builder, named((name + "_iota").str()), type);
  return arith::AddIOp::create(builder, named(name), firsts, steps, kNoWrap);
}

Value MatmulBuilder::scaled(StringRef name, Value indices, StringRef stride) {
  int64_t side = cast<RankedTensorType>(indices.getType()).getDimSize(0);
  auto type = tileOf({side}, builder.getI64Type());
  // Widened before the product: an offset may pass 2^31 where no index does.
  Value wide = arith::ExtSIOp::create(builder, named((name + "_wide").str()),
                                      type, indices);
  Value strides = SplatOp::create(builder, named((stride + "_tile").str()),
                                  type, argument(stride));
  return binary<arith::MulIOp>(name, wide, strides);
}

Value MatmulBuilder::below(StringRef name, Value indices, StringRef bound) {
  Value bounds = SplatOp::create(builder, named((bound + "_tile").str()),
                                 indices.getType(), argument(bound));
  return arith::CmpIOp::create(builder, named(name), arith::CmpIPredicate::slt,
                               indices, bounds);
}

Value MatmulBuilder::spread(StringRef name, Value vector, Dim dim,
                            ArrayRef<int64_t> shape) {
  Type element = cast<RankedTensorType>(vector.getType()).getElementType();
  int64_t side = cast<RankedTensorType>(vector.getType()).getDimSize(0);
  SmallVector<int64_t, 2> narrow = dim == kRow
                                       ? SmallVector<int64_t, 2>{side, 1}
                                       : SmallVector<int64_t, 2>{1, side};
  Value line = ExpandDimsOp::create(builder, named((name + "_line").str()),
                                    tileOf(narrow, element), vector,
                                    /*axis=*/dim == kRow ? 1 : 0);
  return BroadcastOp::create(builder, named((name + "_tile").str()),
                             tileOf(shape, element), line);
}

template <typename OpTy>
Value MatmulBuilder::combine(StringRef name, StringRef prefix, Value rows,
                             Value columns) {
  int64_t shape[] = {cast<RankedTensorType>(rows.getType()).getDimSize(0),
                     cast<RankedTensorType>(columns.getType()).getDimSize(0)};
  Value left = spread((prefix + "_rows").str(), rows, kRow, shape);
  Value right = spread((prefix + "_columns").str(), columns, kColumn, shape);
  return binary<OpTy>(name, left, right);
}

Value MatmulBuilder::like(StringRef name, Value tile, double value) {
  auto type = cast<RankedTensorType>(tile.getType());
  return arith::ConstantOp::create(
      builder, named(name),
      DenseElementsAttr::get(
          type, builder.getFloatAttr(type.getElementType(), value).getValue()));
}

KernelOp MatmulBuilder::buildKernel() {
  auto pointer = PointerType::get(program.elementType);
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  SmallVector<Type> types = {pointer, pointer, PointerType::get(outputType)};
  types.append(3, i32);
  types.append(6, i64);
  SmallVector<StringRef> names = {"a",   "b",   "c",   "M",   "N",   "K",
                                  "sam", "sak", "sbk", "sbn", "scm", "scn"};
  for (auto [isThere, name] :
       {std::pair(program.epilogue.bias, StringRef("bias")),
        std::pair(program.epilogue.residual, StringRef("residual"))})
    if (isThere) {
      types.push_back(PointerType::get(outputType));
      names.push_back(name);
    }
  SmallVector<Attribute> facts(names.size(), builder.getDictionaryAttr({}));
  int64_t sides[] = {program.m, program.n, program.k};
  for (int64_t i : {0, 1, 2}) {
    // The index past the last tile is the largest one formed; it must not wrap.
    auto fact = FactAttr::get(builder.getContext(), std::nullopt, /*min=*/0,
                              /*max=*/(int64_t(1) << 31) - sides[i],
                              /*noalias=*/false);
    facts[3 + i] =
        builder.getDictionaryAttr(builder.getNamedAttr(kFactName, fact));
  }
  auto mark = builder.getDictionaryAttr(
      builder.getNamedAttr(kContiguousName, builder.getUnitAttr()));
  for (auto [isColumnMajor, name] :
       {std::pair(program.isAColumnMajor, StringRef("sam")),
        std::pair(program.isBColumnMajor, StringRef("sbk"))})
    if (isColumnMajor)
      facts[llvm::find(names, name) - names.begin()] = mark;
  AffineExpr tiles = builder.getAffineSymbolExpr(0).ceilDiv(program.m) *
                     builder.getAffineSymbolExpr(1).ceilDiv(program.n);
  auto grid = AffineMapAttr::get(
      AffineMap::get(/*dimCount=*/0, /*symbolCount=*/2, tiles));
  auto op = KernelOp::create(
      builder, loc, builder.getStringAttr(program.name),
      TypeAttr::get(builder.getFunctionType(types, {})),
      builder.getStrArrayAttr(names), grid, /*variant=*/nullptr,
      /*plan=*/nullptr, builder.getArrayAttr(facts), /*res_attrs=*/nullptr);
  Block *body = builder.createBlock(&op.getBody());
  body->addArguments(types, SmallVector<Location>(types.size(), loc));
  return op;
}

void MatmulBuilder::buildConstants() {
  zero = integer("zero", 0);
  sideM = integer("side_m", program.m);
  sideN = integer("side_n", program.n);
  sideK = integer("side_k", program.k);
  group = integer("group", program.group);
  padding = arith::ConstantOp::create(builder, named("padding"),
                                      builder.getZeroAttr(program.elementType));
  auto type = tileOf({program.m, program.n}, accumulatorType);
  zeros = arith::ConstantOp::create(builder, named("zeros"),
                                    builder.getZeroAttr(type));
}

void MatmulBuilder::buildProgramOrder(Value pid) {
  Value tilesM = binary<arith::CeilDivSIOp>("tiles_m", argument("M"), sideM);
  Value tilesN = binary<arith::CeilDivSIOp>("tiles_n", argument("N"), sideN);
  Value inGroup = binary<arith::MulIOp>("programs_in_group", group, tilesN);
  Value groupId = binary<arith::DivSIOp>("group_id", pid, inGroup);
  Value first = binary<arith::MulIOp>("first_row", groupId, group);
  Value left = binary<arith::SubIOp>("rows_left", tilesM, first);
  Value rows = binary<arith::MinSIOp>("rows", left, group);
  Value place = binary<arith::RemSIOp>("place", pid, inGroup);
  Value row = binary<arith::RemSIOp>("row", place, rows);
  Value pidM = binary<arith::AddIOp>("pid_m", first, row);
  Value pidN = binary<arith::DivSIOp>("pid_n", place, rows);
  firstM =
      arith::MulIOp::create(builder, named("first_m"), pidM, sideM, kNoWrap);
  firstN =
      arith::MulIOp::create(builder, named("first_n"), pidN, sideN, kNoWrap);
}

void MatmulBuilder::buildIndices() {
  rm = indices("rm", firstM, program.m);
  rn = indices("rn", firstN, program.n);
  rmInside = below("rm_inside", rm, "M");
  rnInside = below("rn_inside", rn, "N");
  aRows = scaled("a_rows", rm, "sam");
  bColumns = scaled("b_columns", rn, "sbn");
}

Value MatmulBuilder::buildStep(Value k0, Value sum) {
  Value rk = indices("rk", k0, program.k);
  Value rkInside = below("rk_inside", rk, "K");

  Value aOffsets = combine<arith::AddIOp>("a_offsets", "a", aRows,
                                          scaled("a_columns", rk, "sak"));
  Value aInside =
      combine<arith::AndIOp>("a_inside", "a_in", rmInside, rkInside);
  Value x = LoadOp::create(
      builder, named("x"), tileOf({program.m, program.k}, program.elementType),
      argument("a"), aOffsets, aInside, padding, /*plan=*/nullptr,
      /*require=*/nullptr);

  Value bOffsets = combine<arith::AddIOp>(
      "b_offsets", "b", scaled("b_rows", rk, "sbk"), bColumns);
  Value bInside =
      combine<arith::AndIOp>("b_inside", "b_in", rkInside, rnInside);
  Value y = LoadOp::create(
      builder, named("y"), tileOf({program.k, program.n}, program.elementType),
      argument("b"), bOffsets, bInside, padding, /*plan=*/nullptr,
      /*require=*/nullptr);

  IntegerAttr promoteEvery;
  if (program.promoteEvery != 0)
    promoteEvery = builder.getI64IntegerAttr(program.promoteEvery);
  return DotOp::create(builder, named("next"), sum.getType(), x, y, sum,
                       program.precision, promoteEvery, /*plan=*/nullptr,
                       /*require=*/nullptr);
}

/// The sum over the k's from `from` to `to`.
Value MatmulBuilder::buildProduct(Value from, Value to) {
  auto loop = scf::ForOp::create(builder, named("product"), from, to, sideK,
                                 ValueRange{zeros});
  loop.getInductionVar().setLoc(named("k0"));
  loop.getRegionIterArg(0).setLoc(named("sum"));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value next = buildStep(loop.getInductionVar(), loop.getRegionIterArg(0));
  scf::YieldOp::create(builder, loc, next);
  return loop.getResult(0);
}

/// Sums partialSum k's at a time.  The loop carries the program's id from one
/// sum to the next, which turns to another program's after the last one.  None
/// takes it up; but where the place of the tile is the same in all turns,
/// ptxas computes the addresses in C once and keeps them in registers through
/// all products, which have none to spare.
void MatmulBuilder::buildPartialSums(Value pid) {
  Value one = integer("one", 1);
  Value length = integer("length", program.partialSum);
  Value count = binary<arith::MaxSIOp>(
      "count", binary<arith::CeilDivSIOp>("sums", argument("K"), length), one);
  Value programs = NumProgramsOp::create(builder, named("programs"),
                                         builder.getI32Type(), Axis::X);
  auto loop = scf::ForOp::create(builder, named("walk"), zero, count, one,
                                 ValueRange{pid});
  Value index = loop.getInductionVar(), place = loop.getRegionIterArg(0);
  index.setLoc(named("index"));
  place.setLoc(named("id"));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  buildProgramOrder(place);
  buildIndices();
  Value from =
      arith::MulIOp::create(builder, named("from"), index, length, kNoWrap);
  // Not min(from + length, K), which may wrap.
  Value left = arith::SubIOp::create(builder, named("left"), argument("K"),
                                     from, kNoWrap);
  Value steps = binary<arith::MinSIOp>("steps", left, length);
  Value to = arith::AddIOp::create(builder, named("to"), from, steps, kNoWrap);
  Value isFirst = arith::CmpIOp::create(builder, named("is_first"),
                                        arith::CmpIPredicate::eq, index, zero);
  buildStore(buildProduct(from, to), isFirst);
  Value next =
      arith::AddIOp::create(builder, named("next_index"), index, one, kNoWrap);
  Value isLast = arith::CmpIOp::create(builder, named("is_last"),
                                       arith::CmpIPredicate::eq, next, count);
  Value beyond = binary<arith::AddIOp>("beyond", place, programs);
  Value nextPlace =
      arith::SelectOp::create(builder, named("next_id"), isLast, beyond, place);
  scf::YieldOp::create(builder, loc, nextPlace);
}

Value MatmulBuilder::buildBias(Value sum) {
  Value wide =
      arith::ExtSIOp::create(builder, named("bias_columns_wide"),
                             tileOf({program.n}, builder.getI64Type()), rn);
  Value row = buildLoad("bias", wide, rnInside);
  int64_t shape[] = {program.m, program.n};
  Value bias = spread("bias", row, kColumn, shape);
  return contracted<arith::AddFOp>("biased", sum, bias);
}

/// What lies at `offsets` from the argument `name`, in the accumulator's type.
Value MatmulBuilder::buildLoad(StringRef name, Value offsets, Value inside) {
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(offsets.getType()).getShape();
  Value none = arith::ConstantOp::create(
      builder, named((name + "_other").str()), builder.getZeroAttr(outputType));
  Value tile = LoadOp::create(builder, named((name + "_tile").str()),
                              tileOf(shape, outputType), argument(name),
                              offsets, inside, none,
                              /*plan=*/nullptr, /*require=*/nullptr);
  if (outputType == accumulatorType)
    return tile;
  return arith::ExtFOp::create(builder, named((name + "_wide").str()),
                               tileOf(shape, accumulatorType), tile);
}

/// scale * (x + 0.044715 x^3).
Value MatmulBuilder::buildGeluArgument(Value x, double scale) {
  Value square = contracted<arith::MulFOp>("x_square", x, x);
  Value cubic = contracted<arith::MulFOp>(
      "x_cubic", square, like("gelu_cubic", x, scale * 0.044715));
  Value sum = contracted<arith::AddFOp>("gelu_sum", cubic,
                                        like("gelu_linear", x, scale));
  return contracted<arith::MulFOp>("gelu_argument", x, sum);
}

Value MatmulBuilder::buildGelu(Value x) {
  if (outputType.getIntOrFloatBitWidth() == 16) {
    // The chip's tanh, off by 2^-11 of its value, is as good as the output.
    Value argument = buildGeluArgument(x, 0.7978845608028654); // sqrt(2/pi)
    Value half =
        contracted<arith::MulFOp>("gelu_half", x, like("one_half", x, 0.5));
    Value tanh = math::TanhOp::create(builder, named("gelu_tanh"), argument,
                                      arith::FastMathFlags::afn);
    Value part = contracted<arith::MulFOp>("gelu_part", half, tanh);
    return contracted<arith::AddFOp>("gelu", part, half);
  }
  // -2 sqrt(2/pi) log2(e): exp2 has an instruction that is accurate.
  Value exponent = buildGeluArgument(x, -2.302208198144325);
  Value power = math::Exp2Op::create(builder, named("gelu_power"), exponent);
  Value divisor =
      binary<arith::AddFOp>("gelu_divisor", power, like("gelu_one", x, 1));
  // The divisor is at least 1: the approximate quotient is off by 2 ulp.
  return arith::DivFOp::create(builder, named("gelu"), x, divisor,
                               arith::FastMathFlags::afn);
}

/// `offsets` and `inside` are those of the tile of C.
Value MatmulBuilder::buildEpilogue(Value sum, Value offsets, Value inside) {
  Value value = sum;
  if (program.epilogue.bias)
    value = buildBias(value);
  if (program.epilogue.gelu)
    value = buildGelu(value);
  if (!program.epilogue.residual)
    return value;
  Value residual = buildLoad("residual", offsets, inside);
  return contracted<arith::AddFOp>("with_residual", value, residual);
}

Value MatmulBuilder::narrowed(Value sum) {
  if (outputType.getIntOrFloatBitWidth() >=
      accumulatorType.getIntOrFloatBitWidth())
    return sum;
  auto type = tileOf({program.m, program.n}, outputType);
  if (isa<FloatType>(outputType))
    return arith::TruncFOp::create(builder, named("out"), type, sum);
  return arith::TruncIOp::create(builder, named("out"), type, sum);
}

/// The sum and, unless it is the first one, what C holds of the others.
Value MatmulBuilder::addToC(Value sum, Value offsets, Value inside,
                            Value isFirst) {
  auto branch = scf::IfOp::create(builder, named("total"), sum.getType(),
                                  isFirst, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, sum);
  builder.setInsertionPointToStart(branch.elseBlock());
  Value before = buildLoad("c", offsets, inside);
  Value both = isa<FloatType>(accumulatorType)
                   ? binary<arith::AddFOp>("with_c", before, sum)
                   : binary<arith::AddIOp>("with_c", before, sum);
  scf::YieldOp::create(builder, loc, both);
  return branch.getResult(0);
}

/// `isFirst` is null where there is only one sum.
void MatmulBuilder::buildStore(Value sum, Value isFirst) {
  bool isPlain = program.epilogue.isEmpty();
  Value out = isPlain ? narrowed(sum) : sum;
  Value rows = scaled("c_rows", rm, "scm");
  Value columns = scaled("c_columns", rn, "scn");
  Value offsets = combine<arith::AddIOp>("c_offsets", "c", rows, columns);
  Value inside = combine<arith::AndIOp>("c_inside", "c_in", rmInside, rnInside);
  if (isFirst)
    out = addToC(sum, offsets, inside, isFirst);
  if (!isPlain)
    out = narrowed(buildEpilogue(sum, offsets, inside));
  StoreOp::create(builder, loc, argument("c"), offsets, out, inside,
                  /*plan=*/nullptr, /*require=*/nullptr);
}

KernelOp MatmulBuilder::build() {
  OpBuilder::InsertionGuard guard(builder);
  kernel = buildKernel();
  buildConstants();
  Value pid =
      ProgramIdOp::create(builder, named("pid"), builder.getI32Type(), Axis::X);
  if (program.partialSum != 0) {
    buildPartialSums(pid);
  } else {
    buildProgramOrder(pid);
    buildIndices();
    buildStore(buildProduct(zero, argument("K")), /*isFirst=*/nullptr);
  }
  ReturnOp::create(builder, loc);
  return kernel;
}
