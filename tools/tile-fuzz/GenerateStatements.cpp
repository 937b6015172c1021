//===- GenerateStatements.cpp - Random statements -------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"

#include <algorithm>

using namespace tile::fuzz;

//===----------------------------------------------------------------------===//
// Values and arrays
//===----------------------------------------------------------------------===//

int Generator::addArray(Kind kind, Extent extent, bool isOutput) {
  Array array;
  array.kind = kind;
  array.extent = extent;
  array.isOutput = isOutput;
  array.isColumnMajor = chance(30);
  array.pad = chance(50) ? 0 : oneOf<int64_t>({1, 2, 8, 13});
  // Rows of 16 bytes are what most variants want.
  if (chance(40)) {
    int64_t unit = std::max<int64_t>(8, 16 / bytesOf(kind));
    int64_t line =
        array.isColumnMajor ? recipe.rows(array) : recipe.columns(array);
    array.pad = (unit - line % unit) % unit;
  }
  array.misalignment = chance(70) ? 0 : oneOf<int64_t>({1, 2, 4, 8});
  array.statesAlignment = chance(30);
  array.isFine = !isInteger(kind) && !isFloat8(kind) && chance(40);
  array.contents = static_cast<int>(recipe.arrays.size());
  recipe.arrays.push_back(array);
  return static_cast<int>(recipe.arrays.size()) - 1;
}

/// A visible value of this type, preferably a late one; -1: none.
int Generator::pick(Kind kind) {
  std::vector<int> found;
  for (const Visible &value : visible)
    if (value.kind == kind)
      found.push_back(value.id);
  if (found.empty())
    return -1;
  int64_t last = static_cast<int64_t>(found.size()) - 1;
  return found[std::max(upTo(last), upTo(last))];
}

/// A visible value of any type, preferably a late one; null: none.
const Generator::Visible *Generator::pickAny() {
  if (visible.empty())
    return nullptr;
  int64_t last = static_cast<int64_t>(visible.size()) - 1;
  return &visible[std::max(upTo(last), upTo(last))];
}

Statement &Generator::start(Body &body, What op, Kind kind) {
  Statement statement;
  statement.op = op;
  statement.kind = kind;
  statement.id = nextId++;
  visible.push_back({statement.id, kind});
  body.push_back(statement);
  return body.back();
}

/// A statement on some value, whose type it has.  Null if there is none that
/// will do, and something else is added: a constant, or a cast of an 8-bit
/// float, since nothing computes with those.
Statement *Generator::startOn(Body &body, What op, bool wantsInteger) {
  const Visible *value = pickAny();
  if (!value || (wantsInteger && !isInteger(value->kind))) {
    addConstantOf(body, wantsInteger ? Kind::I32 : Kind::F32);
    return nullptr;
  }
  Visible operand = *value;
  bool needsCast = isFloat8(operand.kind) && op != What::Through;
  Statement &made = start(body, needsCast ? What::Cast : op,
                          needsCast ? Kind::F32 : operand.kind);
  made.a = operand.id;
  made.from = operand.kind;
  return needsCast ? nullptr : &made;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void Generator::addConstantOf(Body &body, Kind kind) {
  Statement &made = start(body, What::Constant, kind);
  made.number = static_cast<double>(upTo(16) - 8);
  if (!isInteger(kind))
    made.number /= 4;
}

void Generator::addConstant(Body &body, int) {
  addConstantOf(body, draw(kAnyKind));
}

void Generator::addIndex(Body &body, int) {
  start(body, What::Index, Kind::I32);
}

void Generator::addLoad(Body &body, int depth) {
  Kind kind = draw(kAnyKind);
  int array = addArray(kind, Extent::MxN, /*isOutput=*/false);
  Statement &made = start(body, What::Load, kind);
  made.array = array;
  if (chance(45))
    made.form = oneOf({LoadForm::Transposed, LoadForm::Mirrored, LoadForm::Row,
                       LoadForm::Column});
  if (chance(3))
    made.form = LoadForm::Descending;
  if (chance(2))
    made.form = LoadForm::Gathered;
  made.wantsNoMask = chance(50);
  made.maskForm = chance(60) ? 0 : static_cast<int>(upTo(3));
  made.advancesBase = chance(20);
  made.hasOther = chance(50);
  made.number = chance(50) ? 0 : static_cast<double>(upTo(8)) - 4;
  bool shifts =
      made.form == LoadForm::Plain || made.form == LoadForm::Descending;
  if (shifts && chance(20))
    made.shift = chance(15) ? -upTo(3) : upTo(5);
  made.addsLoopVariable = shifts && depth > 0 && chance(60);
  made.mayBeBefore = made.shift + (made.addsLoopVariable ? loopLower : 0) < 0;
}

void Generator::addThrough(Body &body, int) {
  if (Statement *made = startOn(body, What::Through)) {
    int array = addArray(made->kind, Extent::MxN, /*isOutput=*/true);
    made->array = array;
  }
}

void Generator::addAtomic(Body &body, int) {
  Statement *made = startOn(body, What::Atomic, /*wantsInteger=*/true);
  if (!made)
    return;
  made->array = addArray(made->kind, Extent::MxN, /*isOutput=*/false);
  recipe.arrays[made->array].isUpdated = true;
  made->form = oneOf({LoadForm::Plain, LoadForm::Row, LoadForm::Column});
  made->code = static_cast<int>(
      oneOf({BinaryCode::Add, BinaryCode::Add, BinaryCode::Max, BinaryCode::Min,
             BinaryCode::Xor, BinaryCode::And, BinaryCode::Or}));
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

void Generator::addUnary(Body &body, int) {
  Statement *made = startOn(body, What::Unary);
  if (!made)
    return;
  if (isInteger(made->kind)) {
    made->op = What::Binary;
    made->b = made->a;
    made->code = static_cast<int>(BinaryCode::Add);
    return;
  }
  made->code = static_cast<int>(draw(kFunctions));
}

void Generator::addBinary(Body &body, int) {
  Statement *made = startOn(body, What::Binary);
  if (!made)
    return;
  visible.pop_back();
  made->b = pick(made->kind);
  visible.push_back({made->id, made->kind});
  bool isWhole = isInteger(made->kind);
  int64_t code =
      upTo(static_cast<int64_t>(isWhole ? BinaryCode::Or : BinaryCode::Divide));
  if (isWhole && code == static_cast<int64_t>(BinaryCode::Divide))
    code = static_cast<int64_t>(BinaryCode::Add);
  made->code = static_cast<int>(code);
}

void Generator::addSelect(Body &body, int) {
  Statement *made = startOn(body, What::Select);
  if (!made)
    return;
  // Its own value is the last that is visible.
  visible.pop_back();
  made->b = pick(made->kind);
  made->c = pick(made->kind);
  visible.push_back({made->id, made->kind});
}

void Generator::addReduce(Body &body, int) {
  Statement *made = startOn(body, What::Reduce);
  if (!made)
    return;
  made->axis = static_cast<int>(upTo(1));
  made->code = static_cast<int>(oneOf(
      {BinaryCode::Add, BinaryCode::Add, BinaryCode::Max, BinaryCode::Min}));
  // The order of exact operations changes no bit.
  made->isReassociated = isInteger(made->kind) && chance(50);
}

void Generator::addExtreme(Body &body, int) {
  Statement *made = startOn(body, What::Extreme);
  if (!made)
    return;
  made->axis = static_cast<int>(upTo(1));
  made->code = static_cast<int>(oneOf({BinaryCode::Max, BinaryCode::Min}));
  made->kind = visible.back().kind = Kind::I32;
}

void Generator::addScan(Body &body, int) {
  Statement *made = startOn(body, What::Scan);
  if (!made)
    return;
  made->axis = static_cast<int>(upTo(1));
  made->code = static_cast<int>(oneOf(
      {BinaryCode::Add, BinaryCode::Add, BinaryCode::Max, BinaryCode::Min}));
  made->isReversed = chance(30);
}

void Generator::addCast(Body &body, int) {
  const Visible *value = pickAny();
  if (!value)
    return addConstantOf(body, Kind::F32);
  int a = value->id;
  Kind from = value->kind, to = draw(kAnyKind);
  // There is no cast between floats of one width.
  bool isAlike = isInteger(from) == isInteger(to);
  if (isFloat8(from) && isInteger(to))
    to = Kind::F32;
  if (to == from || (isAlike && bytesOf(to) == bytesOf(from)))
    to = from == Kind::F32 ? Kind::F16 : Kind::F32;
  Statement &made = start(body, What::Cast, to);
  made.a = a;
  made.from = from;
}

//===----------------------------------------------------------------------===//
// Dots
//===----------------------------------------------------------------------===//

void Generator::addDotAnywhere(Body &body, int depth) {
  if (numDots < 2 && (depth == 0 || chance(10)))
    return addDot(body, draw(kOperandKinds));
  addBinary(body, depth);
}

/// The accumulator's type, and what goes with the operands'.
void Generator::chooseProduct(Statement &dot, Kind operand) {
  dot.kind = Kind::F32;
  if (operand == Kind::I8)
    dot.kind = Kind::I32;
  if (operand == Kind::F64)
    dot.kind = Kind::F64;
  if (operand == Kind::F16 && chance(12))
    dot.kind = Kind::F16;
  if (operand == Kind::F32)
    dot.rounding = oneOf({Rounding::Ieee, Rounding::Tf32, Rounding::Tf32x3});
  if (isFloat8(operand) && chance(50))
    dot.promoteEvery = oneOf<int64_t>({16, 32, 32, 64, 128, recipe.k});
}

void Generator::addDot(Body &body, Kind operand) {
  Statement dot;
  dot.op = What::Dot;
  chooseProduct(dot, operand);
  dot.a = pick(dot.kind);
  if (dot.a < 0 || chance(50)) {
    addConstantOf(body, dot.kind);
    dot.a = body.back().id;
    if (chance(80))
      body.back().number = 0;
  }
  dot.array = addArray(operand, Extent::MxK, false);
  dot.second = addArray(operand, Extent::KxN, false);
  if (chance(15))
    dot.third = addArray(operand, Extent::KxN, false);
  dot.transposesA = chance(12);
  dot.transposesB = chance(12);
  dot.negatesA = !isInteger(operand) && !isFloat8(operand) && chance(12);
  dot.isUnrolled = chance(12);
  dot.carriesOffsets = chance(25);
  dot.maskForm = chance(70) ? 0 : static_cast<int>(upTo(3));
  dot.hasArgumentBounds = chance(60);
  dot.lower = chance(85) ? 0 : upTo(2 * recipe.k);
  dot.id = nextId++;
  visible.push_back({dot.id, dot.kind});
  body.push_back(dot);
  ++numDots;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// Adds some statements and returns one of this type.
int Generator::fillBody(Body &body, Kind kind, int depth) {
  size_t outside = visible.size();
  for (int64_t i = 0, count = 1 + upTo(3); i < count; ++i)
    addStatement(body, depth);
  int result = pick(kind);
  if (result < 0) {
    addConstantOf(body, kind);
    result = body.back().id;
  }
  visible.resize(outside);
  return result;
}

void Generator::addLoop(Body &body, int depth, Statement loop) {
  loop.kind = draw(kAnyKind);
  loop.a = pick(loop.kind);
  if (loop.a < 0)
    return addConstantOf(body, loop.kind);
  loop.id = nextId++;
  loop.step = 1 + upTo(2);
  loop.upper = loop.lower + upTo(6) - 1;
  loop.hasArgumentBounds = chance(60);
  // The carried value is called -2 - id inside.
  visible.push_back({-2 - loop.id, loop.kind});
  int64_t outer = loopLower;
  loopLower = loop.lower;
  loop.b = fillBody(loop.body, loop.kind, depth + 1);
  loopLower = outer;
  visible.pop_back();
  visible.push_back({loop.id, loop.kind});
  body.push_back(std::move(loop));
}

void Generator::addFor(Body &body, int depth) {
  if (depth >= 2 || nextId >= 24)
    return addBinary(body, depth);
  Statement loop;
  loop.op = What::For;
  loop.lower = chance(20) ? upTo(4) - 2 : upTo(2);
  addLoop(body, depth, std::move(loop));
}

void Generator::addWhile(Body &body, int depth) {
  if (depth >= 2 || nextId >= 24)
    return addBinary(body, depth);
  Statement loop;
  loop.op = What::While;
  loop.lower = upTo(2);
  loop.isPostTested = chance(40);
  if (chance(70))
    loop.array = addArray(Kind::I32, Extent::MxN, /*isOutput=*/false);
  addLoop(body, depth, std::move(loop));
}

void Generator::addIf(Body &body, int depth) {
  if (depth >= 2 || nextId >= 24)
    return addBinary(body, depth);
  Statement branch;
  branch.op = What::If;
  branch.kind = draw(kAnyKind);
  branch.code = static_cast<int>(upTo(3));
  if (branch.code == static_cast<int>(Decision::LoadedFirst))
    branch.array = addArray(Kind::I32, Extent::MxN, /*isOutput=*/false);
  branch.id = nextId++;
  branch.b = fillBody(branch.body, branch.kind, depth);
  branch.c = fillBody(branch.otherBody, branch.kind, depth);
  visible.push_back({branch.id, branch.kind});
  body.push_back(std::move(branch));
}
