//===- HabitsTest.cpp - What is said of foreign words is the language -----===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ForeignWords.h"
#include "Parser.h"
#include "tile/Frontend/Vocabulary.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace tile::frontend;

namespace {
/// Where text in quotes may stand; '@' is for the text.
constexpr StringLiteral kFrames[] = {"kernel t() { let v = @ }",
                                     "kernel t() { @ }",
                                     "kernel t() { @ { } }",
                                     "kernel t(@) { }",
                                     "kernel t() { let v = sum(x, @) }",
                                     "kernel t() { let v = x @ }",
                                     "kernel t() { while true @ }",
                                     "@"};

/// Functions that a statement or an expression calls.
void addCalls(const Block &block, SmallVectorImpl<StringRef> &calls);
void addCalls(const Expr *expr, SmallVectorImpl<StringRef> &calls) {
  if (!expr)
    return;
  if (expr->kind == Expr::Call || expr->kind == Expr::Method)
    calls.push_back(expr->text);
  for (const ExprPtr &operand : expr->operands)
    addCalls(operand.get(), calls);
  for (const ExprPtr &side : expr->sides)
    addCalls(side.get(), calls);
}
void addCalls(const Block &block, SmallVectorImpl<StringRef> &calls) {
  for (const auto &stmt : block) {
    for (const ExprPtr *expr :
         {&stmt->value, &stmt->target, &stmt->end, &stmt->step})
      addCalls(expr->get(), calls);
    addCalls(stmt->body, calls);
    addCalls(stmt->otherwise, calls);
  }
}

/// Whether the text parses in one of the places, and calls what exists.
bool isLanguage(StringRef text) {
  for (StringRef frame : kFrames) {
    auto [before, behind] = frame.split('@');
    std::string source = (before + text + behind).str();
    // What may be anything is a value, or nothing between braces.
    for (auto [from, to] : {std::pair("{ ... }", "{ }"), std::pair("...", "1")})
      for (size_t at; (at = source.find(from)) != std::string::npos;)
        source.replace(at, StringRef(from).size(), to);
    std::vector<Diagnostic> found;
    DiagnosticList errors(found);
    SourceFile file = Parser(source, errors).parseFile();
    if (!errors.empty())
      continue;
    SmallVector<StringRef> calls;
    for (const Kernel &kernel : file.kernels)
      addCalls(kernel.body, calls);
    return all_of(calls,
                  [](StringRef name) { return !functionForm(name).empty(); });
  }
  return false;
}

/// The parts in quotes.
SmallVector<StringRef> quoted(StringRef help) {
  SmallVector<StringRef> parts, texts;
  help.split(parts, '\'');
  // An apostrophe is none.
  for (size_t i = 0; i + 1 < parts.size(); ++i) {
    bool opens = parts[i].empty() || !isAlnum(parts[i].back());
    if (opens)
      texts.push_back(parts[++i]);
  }
  return texts;
}

// What the table says to write is text of the language, and what it calls
// exists.
TEST(HabitsTest, HelpsAreOfTheLanguage) {
  for (const Habit &habit : habits())
    for (StringRef text : quoted(habit.help))
      EXPECT_TRUE(isLanguage(text)) << habit.words.str() << ": " << text.str();
}

// A word that the language has in a place is not foreign there.
TEST(HabitsTest, WordsAreForeign) {
  for (const Habit &habit : habits())
    if (habit.place == Habit::Function)
      for (StringRef word : split(habit.words, ' '))
        EXPECT_EQ(functionForm(word), "") << word.str();
}

// The rules above refuse what is no text of the language.
TEST(HabitsTest, OtherTextIsRefused) {
  EXPECT_FALSE(isLanguage("rand(1, x)"));
  EXPECT_FALSE(isLanguage("x := 1"));
  EXPECT_TRUE(isLanguage("max(a, b)"));
}
} // namespace
