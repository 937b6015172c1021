//===- Choices.cpp - What a tune declaration has to try -------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Choices.h"

#include "tile-run/Number.h"
#include "tile-run/RunNumber.h"
#include "tile/IR/PlanKeys.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tile;
using namespace tile::tune;
using frontend::RunExpr;
using frontend::RunParameter;
using frontend::TuneBlock;
using frontend::TuneRange;
using llvm::StringRef;
using run::BindResult;
using run::PlacedError;
using run::RunNumber;

std::string Choice::text() const {
  if (isStanding())
    return "as it stands";
  std::vector<std::string> words = parameters;
  words.insert(words.end(), settings.begin(), settings.end());
  return llvm::join(words, " ");
}

bool tune::hasName(const RunExpr &expr) {
  return expr.kind == RunExpr::Kind::Name ||
         llvm::any_of(expr.operands, hasName);
}

namespace {
/// Gives each name of a declaration its candidates in turn.
class Lister {
public:
  Lister(const TuneBlock &block, const Surroundings &surroundings,
         Choices &choices)
      : block(block), surroundings(surroundings), values(surroundings.values),
        choices(choices) {
    forgetDefaults();
    for (const TuneRange &range : block.ranges)
      values.erase(range.name);
  }

  /// Chooses for the names from number `next` on.
  BindResult choose(size_t next);

private:
  BindResult finish();
  void forgetDefaults();
  void findDefaults();
  BindResult candidates(const TuneRange &range, std::vector<std::string> &list);
  BindResult interval(const TuneRange &range, std::vector<std::string> &list);
  const RunParameter *parameterOf(const TuneRange &range) const;
  BindResult typeCandidate(const TuneRange &range, const RunExpr &expr,
                           std::string &text);
  BindResult candidate(const TuneRange &range, const RunExpr &expr,
                       std::string &text);
  BindResult evaluate(const RunExpr &expr, RunNumber &result);
  BindResult findName(const RunExpr &expr, RunNumber &result);
  BindResult findSizeOf(const RunExpr &expr, RunNumber &result);

  const TuneBlock &block;
  const Surroundings &surroundings;
  /// Of names that have one at the moment.
  llvm::StringMap<std::string> values;
  Choices &choices;
};
} // namespace

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

BindResult Lister::findName(const RunExpr &expr, RunNumber &result) {
  auto known = values.find(expr.text);
  StringRef text =
      known == values.end() ? StringRef(expr.text) : StringRef(known->second);
  std::optional<RunNumber> number = RunNumber::read(text);
  if (number && (known != values.end() || number->isCondition())) {
    result = *number;
    return {};
  }
  return PlacedError{
      expr.range, "expected a name with a number at this place, got '" +
                      expr.text +
                      (known == values.end() ? "', which has no value here"
                                             : "', which is " + known->second)};
}

/// `sizeof(T)`: the bytes of a type, or of a parameter that is one.
BindResult Lister::findSizeOf(const RunExpr &expr, RunNumber &result) {
  std::optional<runtime::ElementType> type;
  if (expr.operands.size() == 1) {
    const std::string &name = expr.operands[0].text;
    auto known = values.find(name);
    type = run::readElementType(known == values.end() ? name : known->second);
  }
  if (!type)
    return PlacedError{expr.range, "expected sizeof of one type, such as "
                                   "sizeof(f16), got something else"};
  result = RunNumber::integerOf(runtime::sizeInBytes(*type));
  return {};
}

BindResult Lister::evaluate(const RunExpr &expr, RunNumber &result) {
  auto lookup = [&](const RunExpr &expr, RunNumber &result, BindResult &error) {
    bool isSizeOf = expr.kind == RunExpr::Kind::Call && expr.text == "sizeof";
    if (!isSizeOf && expr.kind != RunExpr::Kind::Name)
      return false;
    error = isSizeOf ? findSizeOf(expr, result) : findName(expr, result);
    return true;
  };
  return run::evaluateNumber(expr, lookup, result);
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// Choices that one kernel may have, and those that constraints exclude; more
/// is a slip.
static constexpr size_t kMaxChoices = 4096, kMaxExcluded = 1000000;

const RunParameter *Lister::parameterOf(const TuneRange &range) const {
  for (const RunParameter &parameter : surroundings.parameters)
    if (!range.isPlanKey && parameter.name == range.name)
      return &parameter;
  return nullptr;
}

/// A type, or a parameter that is one.
BindResult Lister::typeCandidate(const TuneRange &range, const RunExpr &expr,
                                 std::string &text) {
  bool isName = expr.kind == RunExpr::Kind::Name;
  auto known = values.find(expr.text);
  text = isName && known != values.end() ? known->second : expr.text;
  if (isName && run::readElementType(text))
    return {};
  return PlacedError{
      expr.range,
      "expected a type as a candidate of '" + range.name +
          "', such as f16, got " +
          (expr.text.empty() ? "something else" : "'" + expr.text + "'")};
}

/// The value of one candidate as the front end and the planner take it.
BindResult Lister::candidate(const TuneRange &range, const RunExpr &expr,
                             std::string &text) {
  const PlanKey *key = range.isPlanKey ? findPlanKey(range.name) : nullptr;
  const RunParameter *parameter = parameterOf(range);
  if (parameter && parameter->isType)
    return typeCandidate(range, expr, text);
  if (key && !key->isInteger()) {
    // The front end has checked that it is one of its words.
    text = expr.text;
    return {};
  }
  RunNumber value;
  if (BindResult error = evaluate(expr, value))
    return error;
  bool isBool = parameter && parameter->isBool;
  if (isBool ? !value.isCondition() : !value.isInteger())
    return PlacedError{
        expr.range,
        std::string("expected ") + (isBool ? "true or false" : "an integer") +
            " as a candidate of '" + range.name + "', got " + value.text()};
  text = value.spelling();
  return {};
}

BindResult Lister::interval(const TuneRange &range,
                            std::vector<std::string> &list) {
  int64_t limits[2];
  for (auto [expr, limit] : llvm::zip_equal(range.values, limits)) {
    std::string text;
    if (BindResult error = candidate(range, expr, text))
      return error;
    if (StringRef(text).getAsInteger(10, limit))
      return PlacedError{expr.range, "expected an integer as a limit of '" +
                                         range.name + "', got '" + text + "'"};
  }
  int64_t count = 0;
  bool overflows = llvm::SubOverflow(limits[1], limits[0], count);
  // One that other names make empty is a constraint on them.
  if (limits[0] >= limits[1] && llvm::none_of(range.values, hasName))
    return PlacedError{{range.values[0].range.Start, range.values[1].range.End},
                       "expected limits of '" + range.name +
                           "' with a candidate between them, got " +
                           std::to_string(limits[0]) + ".." +
                           std::to_string(limits[1])};
  if (limits[0] < limits[1] && (overflows || count > int64_t(kMaxChoices)))
    return PlacedError{range.range,
                       "expected at most " + std::to_string(kMaxChoices) +
                           " candidates of '" + range.name + "', got " +
                           (overflows ? "more" : std::to_string(count))};
  for (int64_t value = limits[0]; value < limits[1]; ++value)
    list.push_back(std::to_string(value));
  return {};
}

BindResult Lister::candidates(const TuneRange &range,
                              std::vector<std::string> &list) {
  auto known = surroundings.given.find(range.name);
  if (known != surroundings.given.end()) {
    const RunParameter *parameter = parameterOf(range);
    StringRef expected =
        parameter ? run::expectedOf(*parameter, known->second) : "";
    if (!expected.empty())
      return PlacedError{{},
                         ("expected " + expected + " for '" + range.name +
                          "', got '" + known->second + "'")
                             .str()};
    list.push_back(known->second);
    return {};
  }
  if (range.isInterval)
    return interval(range, list);
  for (const RunExpr &expr : range.values) {
    std::string text;
    if (BindResult error = candidate(range, expr, text))
      return error;
    // `[256, 2 * B]` may be one candidate.
    if (!llvm::is_contained(list, text))
      list.push_back(std::move(text));
  }
  return {};
}

void Lister::forgetDefaults() {
  for (const frontend::RunParameter *parameter : surroundings.defaults)
    values.erase(parameter->name);
}

/// Gives parameters their defaults at this choice.  What cannot be said here,
/// the kernel says.
void Lister::findDefaults() {
  for (const frontend::RunParameter *parameter : surroundings.defaults) {
    RunNumber value;
    if (!evaluate(*parameter->value, value))
      values[parameter->name] = value.text();
  }
}

/// All names have values: keeps the choice if the constraints hold.
BindResult Lister::finish() {
  findDefaults();
  llvm::scope_exit forget([&] { forgetDefaults(); });
  for (const RunExpr &constraint : block.constraints) {
    RunNumber holds;
    if (BindResult error = evaluate(constraint, holds))
      return error;
    if (!holds.isCondition())
      return PlacedError{constraint.range,
                         "expected a condition behind 'where', such as B >= " +
                             ("128, got " + holds.text())};
    if (holds.integer)
      continue;
    if (++choices.numExcluded > kMaxExcluded)
      return PlacedError{constraint.range,
                         "expected constraints on fewer choices for '" +
                             block.kernel + "', got more than " +
                             std::to_string(kMaxExcluded) + " to exclude"};
    return {};
  }
  if (choices.list.size() == kMaxChoices)
    return PlacedError{block.range,
                       "expected at most " + std::to_string(kMaxChoices) +
                           " choices for '" + block.kernel + "', got more"};
  Choice choice;
  for (const TuneRange &range : block.ranges)
    (range.isPlanKey ? choice.settings : choice.parameters)
        .push_back(range.name + "=" + values.lookup(range.name));
  // Two declarations may share choices.
  if (!llvm::is_contained(choices.list, choice))
    choices.list.push_back(std::move(choice));
  return {};
}

BindResult Lister::choose(size_t next) {
  if (next == block.ranges.size())
    return finish();
  const TuneRange &range = block.ranges[next];
  std::vector<std::string> list;
  if (BindResult error = candidates(range, list))
    return error;
  for (std::string &text : list) {
    values[range.name] = std::move(text);
    if (BindResult error = choose(next + 1))
      return error;
  }
  return {};
}

BindResult tune::listChoices(const TuneBlock &block,
                             const Surroundings &surroundings,
                             Choices &choices) {
  return Lister(block, surroundings, choices).choose(0);
}
