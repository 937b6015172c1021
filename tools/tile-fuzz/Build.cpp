//===- Build.cpp - A recipe as tile IR ------------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

//===----------------------------------------------------------------------===//
// The kernel around the statements
//===----------------------------------------------------------------------===//

Type KernelBuilder::elementOf(Kind kind) {
  switch (kind) {
  case Kind::F32:
    return builder.getF32Type();
  case Kind::F16:
    return builder.getF16Type();
  case Kind::BF16:
    return builder.getBF16Type();
  case Kind::I32:
    return builder.getI32Type();
  case Kind::F64:
    return builder.getF64Type();
  case Kind::I8:
    return builder.getI8Type();
  case Kind::F8E4M3:
    return Float8E4M3FNType::get(builder.getContext());
  case Kind::F8E5M2:
    return Float8E5M2Type::get(builder.getContext());
  }
  return {};
}

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
    bool isDot = statement.op == What::Dot;
    bool isLoop =
        isDot || statement.op == What::For || statement.op == What::While;
    if (isLoop && statement.hasArgumentBounds) {
      std::string id = std::to_string(statement.id);
      auto fact =
          FactAttr::get(builder.getContext(), std::nullopt, -4096, 4096, false);
      addArgument("lower" + id, builder.getI32Type(), -1, statement.lower,
                  fact);
      if (!isDot)
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

Value KernelBuilder::buildSnake(Value tiles) {
  Value isOdd =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                            make<arith::RemSIOp>(pidM, integer(2)), integer(1));
  auto branch = scf::IfOp::create(builder, loc, TypeRange{pidN.getType()},
                                  isOdd, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  Value last = make<arith::SubIOp>(tiles, integer(1));
  scf::YieldOp::create(builder, loc, make<arith::SubIOp>(last, pidN));
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, pidN);
  return branch.getResult(0);
}

Value KernelBuilder::buildCount() {
  Value zero = integer(0);
  auto loop = scf::ForOp::create(builder, loc, zero, pidM, integer(1), zero);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value next =
      index<arith::AddIOp>(loop.getRegionIterArg(0), integer(recipe.m));
  scf::YieldOp::create(builder, loc, next);
  return loop.getResult(0);
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
    if (recipe.place == Place::Branch)
      pidN = buildSnake(tiles);
  }
  firstRow = recipe.place == Place::Loop
                 ? buildCount()
                 : index<arith::MulIOp>(pidM, integer(recipe.m));
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
// Statements
//===----------------------------------------------------------------------===//

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
  case What::Extreme:
    return buildExtreme(statement);
  case What::Scan:
    return buildScan(statement);
  case What::Dot:
    return buildDot(statement);
  case What::For:
    return buildFor(statement);
  case What::While:
    return buildWhile(statement);
  case What::If:
    return buildIf(statement);
  case What::Through:
    return buildThrough(statement);
  case What::Atomic:
    buildAtomic(statement);
    return values[statement.a];
  }
  return {};
}

void KernelBuilder::buildBody(const Statements &body) {
  for (const Statement &statement : body)
    values[statement.id] = buildStatement(statement);
}
