//===- Generate.cpp - Random programs -------------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recipe.h"

#include <algorithm>
#include <random>

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
  if (arrays[array].kind == Kind::I32)
    return static_cast<double>(x % 201) - 100;
  return (static_cast<double>(x % 17) - 8) / 4;
}

namespace {
/// Makes the program of one seed.
class Generator {
public:
  explicit Generator(uint64_t seed) : random(seed) { recipe.seed = seed; }

  Recipe run();

private:
  /// A value that can be used here.
  struct Visible {
    int id;
    Kind kind;
  };

  int64_t upTo(int64_t last) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(last + 1));
  }
  bool chance(int percent) { return upTo(99) < percent; }
  int64_t oneOf(std::initializer_list<int64_t> values) {
    return values.begin()[upTo(static_cast<int64_t>(values.size()) - 1)];
  }

  void makeProduct();
  void choosePlace();
  void chooseConditions(std::vector<Statement> &body);
  void chooseSizes();
  void chooseSettings();
  int addArray(Kind kind, Extent extent, bool isOutput);
  int pick(Kind kind);
  Statement &start(std::vector<Statement> &body, What op, Kind kind);
  void addStatement(std::vector<Statement> &body, int depth);
  void addConstant(std::vector<Statement> &body, Kind kind);
  void addLoad(std::vector<Statement> &body, int depth);
  void addArithmetic(std::vector<Statement> &body);
  void addCast(std::vector<Statement> &body);
  void addDot(std::vector<Statement> &body);
  void addFor(std::vector<Statement> &body, int depth);
  void addIf(std::vector<Statement> &body, int depth);
  int fillBody(std::vector<Statement> &body, Kind kind, int depth);
  void addOutputs();

  std::mt19937_64 random;
  Recipe recipe;
  std::vector<Visible> visible;
  int nextId = 0, numDots = 0;
  /// Least value of the innermost loop's variable.
  int64_t loopLower = 0;
};
} // namespace

void Generator::chooseSizes() {
  recipe.m =
      chance(88) ? oneOf({16, 32, 64, 64, 128}) : oneOf({8, 24, 48, 20, 1});
  recipe.n = chance(88) ? oneOf({16, 32, 64, 64}) : oneOf({8, 24, 40, 12, 1});
  recipe.k = chance(88) ? oneOf({16, 32, 64}) : oneOf({8, 24, 4});
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

int Generator::addArray(Kind kind, Extent extent, bool isOutput) {
  Array array;
  array.kind = kind;
  array.extent = extent;
  array.isOutput = isOutput;
  array.isColumnMajor = chance(30);
  array.pad = chance(50) ? 0 : oneOf({1, 2, 8, 13});
  // Rows of 16 bytes are what most variants want.
  if (chance(40)) {
    int64_t line =
        array.isColumnMajor ? recipe.rows(array) : recipe.columns(array);
    array.pad = (8 - line % 8) % 8;
  }
  array.misalignment = chance(70) ? 0 : oneOf({1, 2, 4, 8});
  array.statesAlignment = chance(30);
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

Statement &Generator::start(std::vector<Statement> &body, What op, Kind kind) {
  Statement statement;
  statement.op = op;
  statement.kind = kind;
  statement.id = nextId++;
  visible.push_back({statement.id, kind});
  body.push_back(statement);
  return body.back();
}

void Generator::addConstant(std::vector<Statement> &body, Kind kind) {
  Statement &made = start(body, What::Constant, kind);
  made.number = static_cast<double>(upTo(16) - 8);
  if (kind != Kind::I32)
    made.number /= 4;
}

void Generator::addLoad(std::vector<Statement> &body, int depth) {
  Kind kind = static_cast<Kind>(upTo(3));
  int array = addArray(kind, Extent::MxN, /*isOutput=*/false);
  Statement &made = start(body, What::Load, kind);
  made.array = array;
  if (chance(45)) {
    LoadForm forms[] = {LoadForm::Transposed, LoadForm::Mirrored, LoadForm::Row,
                        LoadForm::Column};
    made.form = forms[upTo(3)];
  }
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

void Generator::addArithmetic(std::vector<Statement> &body) {
  Kind kind = static_cast<Kind>(upTo(3));
  int a = pick(kind), b = pick(kind), c = pick(kind);
  if (a < 0)
    return addConstant(body, kind);
  bool isFloat = kind != Kind::I32;
  int64_t choice = upTo(9);
  What op = choice < 2 && isFloat ? What::Unary
            : choice == 2         ? What::Select
                                  : What::Binary;
  if (chance(3))
    op = What::Reduce;
  if (chance(6))
    op = What::Through;
  int scratch =
      op == What::Through ? addArray(kind, Extent::MxN, /*isOutput=*/true) : -1;
  Statement &made = start(body, op, kind);
  made.a = a;
  made.b = b;
  made.c = c;
  made.array = scratch;
  made.axis = static_cast<int>(upTo(1));
  if (op == What::Unary)
    made.code = static_cast<int>(chance(5) && kind == Kind::F32 ? UnaryCode::Exp
                                 : chance(50) ? UnaryCode::Negate
                                              : UnaryCode::Absolute);
  else if (op == What::Reduce)
    made.code =
        static_cast<int>(chance(50) ? BinaryCode::Add : BinaryCode::Max);
  else
    made.code = static_cast<int>(
        upTo(static_cast<int64_t>(BinaryCode::Count) - (isFloat ? 2 : 1)));
}

void Generator::addCast(std::vector<Statement> &body) {
  static constexpr std::pair<Kind, Kind> kCasts[] = {{Kind::F32, Kind::F16},
                                                     {Kind::F32, Kind::BF16},
                                                     {Kind::F16, Kind::F32},
                                                     {Kind::BF16, Kind::F32},
                                                     {Kind::I32, Kind::F32}};
  auto [from, to] = kCasts[upTo(4)];
  int a = pick(from);
  if (a < 0)
    return addConstant(body, from);
  start(body, What::Cast, to).a = a;
}

void Generator::addDot(std::vector<Statement> &body) {
  Kind operand = static_cast<Kind>(chance(15) ? 0 : 1 + upTo(1));
  int acc = pick(Kind::F32);
  if (acc < 0 || chance(50)) {
    addConstant(body, Kind::F32);
    acc = body.back().id;
    if (chance(80))
      body.back().number = 0;
  }
  int a = addArray(operand, Extent::MxK, false);
  int b = addArray(operand, Extent::KxN, false);
  int second = chance(15) ? addArray(operand, Extent::KxN, false) : -1;
  Statement &made = start(body, What::Dot, Kind::F32);
  made.a = acc;
  made.array = a;
  made.second = b;
  made.third = second;
  made.transposesA = chance(8);
  made.transposesB = chance(8);
  made.negatesA = chance(12);
  made.isUnrolled = chance(12);
  made.carriesOffsets = chance(25);
  made.maskForm = chance(70) ? 0 : static_cast<int>(upTo(3));
  made.hasArgumentBounds = chance(60);
  made.lower = chance(85) ? 0 : upTo(2 * recipe.k);
  ++numDots;
}

/// Adds some statements and returns one of this type.
int Generator::fillBody(std::vector<Statement> &body, Kind kind, int depth) {
  size_t outside = visible.size();
  for (int64_t i = 0, count = 1 + upTo(3); i < count; ++i)
    addStatement(body, depth);
  int result = pick(kind);
  if (result < 0) {
    addConstant(body, kind);
    result = body.back().id;
  }
  visible.resize(outside);
  return result;
}

void Generator::addFor(std::vector<Statement> &body, int depth) {
  Statement loop;
  loop.op = What::For;
  loop.kind = static_cast<Kind>(upTo(3));
  loop.a = pick(loop.kind);
  if (loop.a < 0)
    return addConstant(body, loop.kind);
  loop.id = nextId++;
  loop.lower = chance(20) ? upTo(4) - 2 : upTo(2);
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

void Generator::addIf(std::vector<Statement> &body, int depth) {
  Statement branch;
  branch.op = What::If;
  branch.kind = static_cast<Kind>(upTo(3));
  branch.code = static_cast<int>(upTo(2));
  branch.id = nextId++;
  branch.b = fillBody(branch.body, branch.kind, depth);
  branch.c = fillBody(branch.otherBody, branch.kind, depth);
  visible.push_back({branch.id, branch.kind});
  body.push_back(std::move(branch));
}

void Generator::addStatement(std::vector<Statement> &body, int depth) {
  int64_t choice = upTo(99);
  if (choice < 22)
    return addLoad(body, depth);
  if (choice < 27)
    return addConstant(body, static_cast<Kind>(upTo(3)));
  if (choice < 30) {
    start(body, What::Index, Kind::I32);
    return;
  }
  if (choice < 42)
    return addCast(body);
  if (choice < 50 && depth < 2 && nextId < 24)
    return addFor(body, depth);
  if (choice < 56 && depth < 2 && nextId < 24)
    return addIf(body, depth);
  if (choice < 66 && numDots < 2 && (depth == 0 || chance(10)))
    return addDot(body);
  addArithmetic(body);
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

/// A product of matrices with work on the sum, as wgmma, the copy engine and
/// roles want it: they take few of the other programs.
void Generator::makeProduct() {
  recipe.m = oneOf({64, 64, 128});
  recipe.n = oneOf({32, 64, 64, 128});
  recipe.k = chance(80) ? 64 : 32;
  recipe.sizeM = 1 + upTo(2 * recipe.m - 1);
  recipe.sizeN = 1 + upTo(3 * recipe.n - 1);
  recipe.sizeK = chance(5) ? 0 : 1 + upTo(5 * recipe.k);
  // The copy engine wants rows of whole 16 bytes.
  int64_t multiple = chance(70) ? 8 : 1;
  for (int64_t *size : {&recipe.sizeM, &recipe.sizeN, &recipe.sizeK})
    *size = (*size + multiple - 1) / multiple * multiple;
  recipe.hasPlaneGrid = chance(10);
  addConstant(recipe.statements, Kind::F32);
  Statement &zero = recipe.statements.back();
  zero.number = chance(80) ? 0 : zero.number;
  addDot(recipe.statements);
  Statement &dot = recipe.statements.back();
  dot.a = recipe.statements.front().id;
  dot.hasArgumentBounds = dot.isUnrolled = false;
  dot.transposesA = dot.transposesB = dot.negatesA = false;
  dot.lower = 0;
  dot.third = -1;
  Visible product = {dot.id, Kind::F32};
  numDots = chance(90) ? 2 : 1;
  Kind kind = chance(50) ? Kind::F16 : Kind::BF16;
  for (int index : {dot.array, dot.second}) {
    Array &array = recipe.arrays[index];
    array.kind = kind;
    array.misalignment = chance(90) ? 0 : 8;
    int64_t line =
        array.isColumnMajor ? recipe.rows(array) : recipe.columns(array);
    array.pad = (8 - line % 8) % 8 + 8 * upTo(1);
  }
  for (int64_t i = 0, count = upTo(4); i < count; ++i)
    chance(30) ? addCast(recipe.statements)
               : addStatement(recipe.statements, 0);
  // What does not reach memory is removed, the loop with it.
  if (chance(50))
    visible.assign(1, product);
}

/// Drawn last: earlier draws of a seed stay what they were.
void Generator::choosePlace() {
  if (!recipe.hasPlaneGrid && chance(40))
    recipe.place = chance(50) ? Place::Branch : Place::Loop;
}

/// Drawn after all else, for the same reason.
void Generator::chooseConditions(std::vector<Statement> &body) {
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
