//===- Shrink.cpp - Makes failing programs small --------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"

#include <functional>
#include <set>

using namespace tile::fuzz;

using Edit = std::function<void(Recipe &)>;

//===----------------------------------------------------------------------===//
// What nothing needs any more
//===----------------------------------------------------------------------===//

/// Adds what the statements of `body` that are needed use, last first, and
/// drops the others.  What updates memory is needed.
static void dropUnused(std::vector<Statement> &body, std::set<int> &used) {
  for (size_t i = body.size(); i-- > 0;) {
    Statement &statement = body[i];
    if (!used.count(statement.id) && !hasAtomic(statement)) {
      body.erase(body.begin() + static_cast<std::ptrdiff_t>(i));
      continue;
    }
    used.insert({statement.a, statement.b, statement.c});
    dropUnused(statement.body, used);
    dropUnused(statement.otherBody, used);
  }
}

static void forEach(std::vector<Statement> &body,
                    const std::function<void(Statement &)> &visit) {
  for (Statement &statement : body) {
    visit(statement);
    forEach(statement.body, visit);
    forEach(statement.otherBody, visit);
  }
}

/// Calls `visit` with every place that names an array.
static void forEachArray(Recipe &recipe,
                         const std::function<void(int &)> &visit) {
  forEach(recipe.statements, [&](Statement &statement) {
    for (int *array : {&statement.array, &statement.second, &statement.third})
      if (*array >= 0)
        visit(*array);
  });
  for (Output &output : recipe.outputs)
    visit(output.array);
}

static void prune(Recipe &recipe) {
  std::set<int> used;
  for (const Output &output : recipe.outputs)
    used.insert(output.id);
  dropUnused(recipe.statements, used);
  std::set<int> arrays;
  forEachArray(recipe, [&](int &array) { arrays.insert(array); });
  for (size_t i = recipe.arrays.size(); i-- > 0;) {
    if (arrays.count(static_cast<int>(i)))
      continue;
    recipe.arrays.erase(recipe.arrays.begin() + static_cast<std::ptrdiff_t>(i));
    forEachArray(recipe, [&](int &array) {
      array -= array > static_cast<int>(i) ? 1 : 0;
    });
  }
}

//===----------------------------------------------------------------------===//
// Edits
//===----------------------------------------------------------------------===//

/// Runs `edit` on the statement with this number.
static Edit onStatement(int id, std::function<void(Statement &)> edit) {
  return [=](Recipe &recipe) {
    forEach(recipe.statements, [&](Statement &statement) {
      if (statement.id == id)
        edit(statement);
    });
  };
}

static void makeConstant(Statement &statement) {
  Statement constant;
  constant.id = statement.id;
  constant.kind = statement.kind;
  statement = constant;
}

static void addStatementEdits(const Statement &statement,
                              std::vector<Edit> &edits) {
  auto add = [&](std::function<void(Statement &)> edit) {
    edits.push_back(onStatement(statement.id, std::move(edit)));
  };
  if (statement.op != What::Constant)
    add(makeConstant);
  if (statement.condition != Uniform::None)
    add([](Statement &edited) { edited.condition = Uniform::None; });
  if (statement.op == What::Load) {
    add([](Statement &load) { load.form = LoadForm::Plain; });
    add([](Statement &load) { load.hasOther = false; });
    add([](Statement &load) { load.shift = 0; });
    add([](Statement &load) { load.maskForm = 0; });
    add([](Statement &load) { load.advancesBase = false; });
    add([](Statement &load) { load.addsLoopVariable = false; });
  }
  bool isLoop = statement.op == What::For || statement.op == What::While;
  if (isLoop)
    add([](Statement &loop) { loop.upper = loop.lower + 1; });
  if (statement.op == What::While) {
    add([](Statement &loop) { loop.array = -1; });
    add([](Statement &loop) { loop.isPostTested = false; });
  }
  if (isLoop || statement.op == What::Dot)
    add([](Statement &loop) { loop.hasArgumentBounds = false; });
  if (statement.op == What::Dot) {
    add([](Statement &dot) { dot.third = -1; });
    add([](Statement &dot) { dot.transposesA = dot.transposesB = false; });
    add([](Statement &dot) { dot.negatesA = dot.carriesOffsets = false; });
    add([](Statement &dot) { dot.lower = 0; });
    add([](Statement &dot) { dot.promoteEvery = 0; });
    add([](Statement &dot) { dot.rounding = Rounding::Ieee; });
  }
}

static void addSizeEdits(const Recipe &recipe, std::vector<Edit> &edits) {
  for (int64_t Recipe::*side : {&Recipe::m, &Recipe::n, &Recipe::k})
    for (int64_t smaller : {int64_t(16), recipe.*side / 2})
      if (smaller > 0 && smaller < recipe.*side)
        edits.push_back([=](Recipe &edited) { edited.*side = smaller; });
  for (int64_t Recipe::*size : {&Recipe::sizeM, &Recipe::sizeN, &Recipe::sizeK})
    for (int64_t smaller : {int64_t(1), recipe.*size / 2, recipe.*size - 1})
      if (smaller > 0 && smaller < recipe.*size)
        edits.push_back([=](Recipe &edited) { edited.*size = smaller; });
}

static std::vector<Edit> edits(Recipe recipe) {
  std::vector<Edit> result;
  for (size_t i = 0; i < recipe.outputs.size() && recipe.outputs.size() > 1;
       ++i)
    result.push_back([=](Recipe &edited) {
      edited.outputs.erase(edited.outputs.begin() +
                           static_cast<std::ptrdiff_t>(i));
    });
  for (size_t i = 0; i < recipe.settings.size(); ++i)
    result.push_back([=](Recipe &edited) {
      edited.settings.erase(edited.settings.begin() +
                            static_cast<std::ptrdiff_t>(i));
    });
  forEach(recipe.statements,
          [&](Statement &statement) { addStatementEdits(statement, result); });
  addSizeEdits(recipe, result);
  for (size_t i = 0; i < recipe.arrays.size(); ++i) {
    result.push_back([=](Recipe &edited) { edited.arrays[i].pad = 0; });
    result.push_back([=](Recipe &edited) { edited.arrays[i].isFine = false; });
    result.push_back(
        [=](Recipe &edited) { edited.arrays[i].misalignment = 0; });
    result.push_back(
        [=](Recipe &edited) { edited.arrays[i].isColumnMajor = false; });
    result.push_back(
        [=](Recipe &edited) { edited.arrays[i].statesAlignment = false; });
  }
  result.push_back([](Recipe &edited) { edited.hasPlaneGrid = false; });
  result.push_back([](Recipe &edited) { edited.place = Place::Plain; });
  return result;
}

/// Whether the two describe the same program; what is edited is compared by
/// what an edit can change.
static bool isSame(mlir::MLIRContext &context, const Recipe &left,
                   const Recipe &right) {
  auto spell = [&](const Recipe &recipe) {
    Program program = build(context, recipe);
    std::string text;
    llvm::raw_string_ostream stream(text);
    program.module->print(stream);
    for (const Argument &argument : program.arguments)
      text += " " + std::to_string(argument.value);
    for (const Array &array : recipe.arrays)
      text += " " + std::to_string(array.misalignment) +
              (array.isFine ? " fine" : "");
    for (const std::string &setting : recipe.settings)
      text += " " + setting;
    return text;
  };
  return spell(left) == spell(right);
}

Recipe tile::fuzz::shrink(Checker &checker, Recipe recipe,
                          const std::string &stage) {
  constexpr int kMaxChecks = 600;
  int numChecks = 0;
  for (bool hasChanged = true; hasChanged && numChecks < kMaxChecks;) {
    hasChanged = false;
    for (const Edit &edit : edits(recipe)) {
      Recipe smaller = recipe;
      edit(smaller);
      prune(smaller);
      if (isSame(checker.getContext(), smaller, recipe))
        continue;
      Verdict verdict = checker.check(smaller);
      if (++numChecks == kMaxChecks)
        break;
      if (verdict.kind != Verdict::Fails || verdict.stage != stage)
        continue;
      recipe = std::move(smaller);
      hasChanged = true;
      break;
    }
  }
  return recipe;
}
