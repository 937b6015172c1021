//===- Generate.cpp - Random programs -------------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"

#include <algorithm>
#include <cmath>

using namespace tile::fuzz;

int64_t Recipe::span(const Array &array) const {
  if (rows(array) == 0 || columns(array) == 0)
    return 0;
  return (rows(array) - 1) * rowStride(array) +
         (columns(array) - 1) * columnStride(array) + 1;
}

double Recipe::element(int array, int64_t row, int64_t column) const {
  uint64_t x = seed * 0x9e3779b97f4a7c15u +
               arrays[array].contents * 0xbf58476d1ce4e5b9u +
               row * 0x94d049bb133111ebu + column * 0xd6e8feb86659fd93u;
  x ^= x >> 31;
  x *= 0x94d049bb133111ebu;
  x ^= x >> 29;
  Kind kind = arrays[array].kind;
  if (isInteger(kind))
    return static_cast<double>(x % 201) - 100;
  if (arrays[array].isFine)
    return roundTo(4 * std::ldexp(static_cast<double>(x >> 11), -53) - 2, kind);
  return (static_cast<double>(x % 17) - 8) / 4;
}

bool tile::fuzz::hasAtomic(const Statement &statement) {
  auto hasOne = [](const std::vector<Statement> &body) {
    return std::any_of(body.begin(), body.end(), hasAtomic);
  };
  return statement.op == What::Atomic || hasOne(statement.body) ||
         hasOne(statement.otherBody);
}

//===----------------------------------------------------------------------===//
// How often what is drawn
//===----------------------------------------------------------------------===//

const Generator::Weighted<Generator::Adder> Generator::kStatements[16] = {
    {20, &Generator::addLoad},   {5, &Generator::addConstant},
    {3, &Generator::addIndex},   {13, &Generator::addCast},
    {6, &Generator::addFor},     {4, &Generator::addWhile},
    {6, &Generator::addIf},      {10, &Generator::addDotAnywhere},
    {10, &Generator::addUnary},  {15, &Generator::addBinary},
    {4, &Generator::addSelect},  {5, &Generator::addReduce},
    {2, &Generator::addExtreme}, {5, &Generator::addScan},
    {3, &Generator::addThrough}, {4, &Generator::addAtomic},
};
/// Of loads, constants, and what loops carry.
const Generator::Weighted<Kind> Generator::kAnyKind[8] = {
    {28, Kind::F32}, {17, Kind::F16}, {14, Kind::BF16},  {18, Kind::I32},
    {9, Kind::F64},  {8, Kind::I8},   {3, Kind::F8E4M3}, {3, Kind::F8E5M2},
};
const Generator::Weighted<Kind> Generator::kOperandKinds[7] = {
    {22, Kind::F32}, {22, Kind::F16},   {20, Kind::BF16},  {14, Kind::I8},
    {8, Kind::F64},  {7, Kind::F8E4M3}, {7, Kind::F8E5M2},
};
/// Of products as wgmma wants them.
const Generator::Weighted<Kind> Generator::kProductKinds[6] = {
    {30, Kind::F16}, {30, Kind::BF16},  {12, Kind::F32},
    {12, Kind::I8},  {8, Kind::F8E4M3}, {8, Kind::F8E5M2},
};
const Generator::Weighted<UnaryCode> Generator::kFunctions[18] = {
    {14, UnaryCode::Negate},   {14, UnaryCode::Absolute}, {3, UnaryCode::Floor},
    {3, UnaryCode::Ceil},      {3, UnaryCode::Trunc},     {3, UnaryCode::Round},
    {3, UnaryCode::RoundEven}, {6, UnaryCode::Sqrt},      {5, UnaryCode::Rsqrt},
    {8, UnaryCode::Exp},       {5, UnaryCode::Exp2},      {5, UnaryCode::Log},
    {4, UnaryCode::Log2},      {4, UnaryCode::Log10},     {5, UnaryCode::Sin},
    {5, UnaryCode::Cos},       {5, UnaryCode::Tanh},      {5, UnaryCode::Erf},
};

void Generator::addStatement(Body &body, int depth) {
  (this->*draw(kStatements))(body, depth);
}

//===----------------------------------------------------------------------===//
// Whole programs
//===----------------------------------------------------------------------===//

void Generator::chooseSizes() {
  recipe.m = chance(88) ? oneOf<int64_t>({16, 32, 64, 64, 128})
                        : oneOf<int64_t>({8, 24, 48, 20, 1});
  recipe.n = chance(88) ? oneOf<int64_t>({16, 32, 64, 64})
                        : oneOf<int64_t>({8, 24, 40, 12, 1});
  recipe.k =
      chance(88) ? oneOf<int64_t>({16, 32, 64}) : oneOf<int64_t>({8, 24, 4});
  auto size = [&](int64_t side) {
    return chance(30) ? side * (1 + upTo(1)) : 1 + upTo(2 * side - 1);
  };
  recipe.sizeM = size(recipe.m);
  recipe.sizeN = size(recipe.n);
  recipe.sizeK = chance(30) ? recipe.k * upTo(4) : upTo(4 * recipe.k);
  recipe.hasPlaneGrid = chance(25);
}

void Generator::chooseSettings() {
  auto set = [&](const char *key, const std::string &value) {
    recipe.settings.push_back(std::string(key) + "=" + value);
  };
  if (chance(40))
    set("warps", std::to_string(oneOf({1, 2, 4, 4, 8})));
  if (chance(40))
    set("stages", std::to_string(1 + upTo(3)));
  if (chance(6))
    set("instruction", chance(60) ? "mma_sync" : "fma");
  if (chance(6))
    set("copy", "plain");
  if (chance(10))
    set("roles", "single");
  if (chance(8))
    set("grid", "program");
  if (chance(8))
    set("epilogue", "direct");
  if (chance(15))
    set("tail", chance(60) ? "split" : "masked");
}

void Generator::addOutputs() {
  for (int64_t i = 0, count = 1 + chance(20); i < count; ++i) {
    Output output;
    const Visible &value =
        visible[visible.size() - 1 -
                upTo(std::min<int64_t>(2, visible.size() - 1))];
    output.id = value.id;
    output.array = addArray(value.kind, Extent::MxN, /*isOutput=*/true);
    recipe.outputs.push_back(output);
  }
}

/// Rows of whole 16 bytes, as the copy engine wants them; operands of other
/// than 16 bits go to wgmma only with the axis that is summed innermost.
void Generator::alignOperand(Array &array, Kind kind, bool isRight) {
  array.kind = kind;
  array.isFine = array.isFine && !isInteger(kind) && !isFloat8(kind);
  if (bytesOf(kind) != 2 && chance(80))
    array.isColumnMajor = isRight;
  int64_t unit = 16 / bytesOf(kind);
  array.misalignment = chance(90) ? 0 : unit;
  int64_t line =
      array.isColumnMajor ? recipe.rows(array) : recipe.columns(array);
  array.pad = (unit - line % unit) % unit + unit * upTo(1);
}

/// A product of matrices with work on the sum, as wgmma, the copy engine and
/// roles want it: they take few of the other programs.
void Generator::makeProduct() {
  Kind kind = draw(kProductKinds);
  recipe.m = oneOf<int64_t>({64, 64, 128});
  recipe.n = oneOf<int64_t>({32, 64, 64, 128});
  // wgmma wants rows of 128 bytes.
  int64_t whole = 128 / bytesOf(kind);
  recipe.k = chance(80) ? whole : whole / 2;
  recipe.sizeM = 1 + upTo(2 * recipe.m - 1);
  recipe.sizeN = 1 + upTo(3 * recipe.n - 1);
  recipe.sizeK = chance(5) ? 0 : 1 + upTo(5 * recipe.k);
  int64_t multiple = chance(70) ? std::max<int64_t>(8, whole / 8) : 1;
  for (int64_t *size : {&recipe.sizeM, &recipe.sizeN, &recipe.sizeK})
    *size = (*size + multiple - 1) / multiple * multiple;
  recipe.hasPlaneGrid = chance(10);
  addDot(recipe.statements, kind);
  Statement &dot = recipe.statements.back();
  if (kind == Kind::F32 && chance(80))
    dot.rounding = Rounding::Tf32;
  if (isFloat8(kind) && chance(80))
    dot.promoteEvery = recipe.k;
  dot.hasArgumentBounds = dot.isUnrolled = false;
  dot.transposesA = dot.transposesB = dot.negatesA = false;
  dot.lower = 0;
  dot.third = -1;
  Visible product = {dot.id, dot.kind};
  numDots = chance(90) ? 2 : 1;
  alignOperand(recipe.arrays[dot.array], kind, /*isRight=*/false);
  alignOperand(recipe.arrays[dot.second], kind, /*isRight=*/true);
  for (int64_t i = 0, count = upTo(4); i < count; ++i)
    chance(30) ? addCast(recipe.statements, 0)
               : addStatement(recipe.statements, 0);
  // What does not reach memory is removed, the loop with it.
  if (chance(50))
    visible.assign(1, product);
}

void Generator::choosePlace() {
  if (!recipe.hasPlaneGrid && chance(40))
    recipe.place = chance(50) ? Place::Branch : Place::Loop;
}

void Generator::chooseConditions(Body &body) {
  for (Statement &statement : body) {
    bool hasMask = statement.op == What::Load || statement.op == What::Dot;
    if (hasMask && chance(15))
      statement.condition = static_cast<Uniform>(1 + upTo(2));
    chooseConditions(statement.body);
    chooseConditions(statement.otherBody);
  }
}

Recipe Generator::run() {
  if (recipe.seed % 4 == 3) {
    if (chance(60))
      chooseSettings();
    makeProduct();
    addOutputs();
    choosePlace();
    chooseConditions(recipe.statements);
    return std::move(recipe);
  }
  chooseSizes();
  chooseSettings();
  addLoad(recipe.statements, 0);
  for (int64_t i = 0, count = 2 + upTo(7); i < count; ++i)
    addStatement(recipe.statements, 0);
  addOutputs();
  choosePlace();
  chooseConditions(recipe.statements);
  return std::move(recipe);
}

Recipe tile::fuzz::generate(uint64_t seed) { return Generator(seed).run(); }
