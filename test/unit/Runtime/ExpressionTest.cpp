//===- ExpressionTest.cpp - Tests of manifest expressions -----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Runtime/Expression.h"

#include "gtest/gtest.h"

using namespace tile::runtime;

namespace {

/// The value of `text`, or the message of whatever failed.
std::string valueOf(std::string_view text, const Bindings &bindings = {}) {
  Result<Expression> expression = Expression::parse(text);
  if (!expression)
    return expression.error().message;
  Result<int64_t> value = expression->evaluate(bindings);
  return value ? std::to_string(*value) : value.error().message;
}

// Products bind tighter than sums, both associate to the left.
TEST(ExpressionTest, ArithmeticPrecedence) {
  EXPECT_EQ(valueOf("2 + 3 * 4"), "14");
  EXPECT_EQ(valueOf("(2 + 3) * 4"), "20");
  EXPECT_EQ(valueOf("10 - 3 - 4"), "3");
  EXPECT_EQ(valueOf("100 / 5 / 2"), "10");
  EXPECT_EQ(valueOf("2 * -3"), "-6");
  EXPECT_EQ(valueOf("--3"), "3");
}

// "/" and "%" truncate as in C; the other forms say how they round.
TEST(ExpressionTest, DivisionRounding) {
  EXPECT_EQ(valueOf("-7 / 2"), "-3");
  EXPECT_EQ(valueOf("-7 % 2"), "-1");
  EXPECT_EQ(valueOf("floordiv(-7, 2)"), "-4");
  EXPECT_EQ(valueOf("mod(-7, 2)"), "1");
  EXPECT_EQ(valueOf("mod(7, -2)"), "-1");
  EXPECT_EQ(valueOf("cdiv(-7, 2)"), "-3");
  EXPECT_EQ(valueOf("cdiv(7, 2)"), "4");
  EXPECT_EQ(valueOf("cdiv(8, 2)"), "4");
}

// Comparisons give 0 or 1 and bind looser than sums, tighter than "not".
TEST(ExpressionTest, ComparisonsAndLogic) {
  EXPECT_EQ(valueOf("1 + 1 == 2"), "1");
  EXPECT_EQ(valueOf("not 1 == 2"), "1");
  EXPECT_EQ(valueOf("1 < 2 and 2 >= 3"), "0");
  EXPECT_EQ(valueOf("0 and 0 or 5"), "1");
  EXPECT_EQ(valueOf("1 or 0 and 0"), "1");
  EXPECT_EQ(valueOf("not not 7"), "1");
  EXPECT_EQ(valueOf("min(3, max(1, 2)) != 2"), "0");
  EXPECT_EQ(valueOf("3 > 2 and 2 <= 2"), "1");
}

// The right side of "and" and "or" is evaluated only where it decides.
TEST(ExpressionTest, LogicShortCircuits) {
  EXPECT_EQ(valueOf("n == 0 or 8 % n == 0", {{"n", 0}}), "1");
  EXPECT_EQ(valueOf("n != 0 and 8 % n == 0", {{"n", 0}}), "0");
  EXPECT_EQ(valueOf("n == 0 or 8 % n == 0", {{"n", 3}}), "0");
}

// A name stands for its value wherever it occurs, and is listed once.
TEST(ExpressionTest, Names) {
  Bindings bindings = {{"M", 4097}, {"_x.y$1", 2}};
  EXPECT_EQ(valueOf("cdiv(M, 128) * _x.y$1 + M", bindings), "4163");
  Result<Expression> expression = Expression::parse("b + a * b");
  ASSERT_TRUE(expression);
  EXPECT_EQ(expression->names(), (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(valueOf("min + mod", {{"min", 1}, {"mod", 2}}), "3");
  EXPECT_EQ(valueOf("N + 1"),
            "expression 'N + 1': expected a value for 'N', got none");
}

// A result that needs more than 64 bits is an error for every operator.
TEST(ExpressionTest, OverflowIsAnError) {
  Bindings limits = {{"hi", INT64_MAX}, {"lo", INT64_MIN}};
  for (const char *text : {"hi + 1", "lo - 1", "hi * 2", "-lo", "lo / -1",
                           "cdiv(lo, -1)", "floordiv(lo, -1)"})
    EXPECT_NE(valueOf(text, limits).find("got overflow"), std::string::npos)
        << text;
  EXPECT_EQ(valueOf("lo % -1", limits), "0");
  EXPECT_EQ(valueOf("hi + 1", limits),
            "expression 'hi + 1': expected a 64-bit result, got overflow in "
            "9223372036854775807 + 1");
}

// Division by zero is an error for every operator that divides.
TEST(ExpressionTest, DivisionByZeroIsAnError) {
  for (const char *text :
       {"1 / 0", "1 % 0", "cdiv(1, 0)", "floordiv(1, 0)", "mod(1, 0)"})
    EXPECT_NE(valueOf(text).find("expected a divisor other than 0"),
              std::string::npos)
        << text;
}

// Each syntax error names its column, what was expected and what was got.
TEST(ExpressionTest, SyntaxErrors) {
  EXPECT_EQ(valueOf(""), "expression '', column 1: expected a number, a name "
                         "or '(', got the end");
  EXPECT_EQ(valueOf("1 +"), "expression '1 +', column 4: expected a number, a "
                            "name or '(', got the end");
  EXPECT_EQ(valueOf("(1"), "expression '(1', column 3: expected ')', got the "
                           "end");
  EXPECT_EQ(valueOf("a b"), "expression 'a b', column 3: expected an operator, "
                            "got 'b'");
  EXPECT_EQ(valueOf("1 < 2 < 3"), "expression '1 < 2 < 3', column 7: expected "
                                  "'and' between comparisons, got '<'");
  EXPECT_EQ(valueOf("min(1)"), "expression 'min(1)', column 6: expected ',' "
                               "before the second of two operands, got ')'");
  EXPECT_EQ(valueOf("pow(1, 2)"),
            "expression 'pow(1, 2)', column 1: expected one of cdiv, floordiv, "
            "mod, min, max, got 'pow'");
  EXPECT_EQ(valueOf("9223372036854775808"),
            "expression '9223372036854775808', column 1: expected an integer "
            "of at most 63 bits, got '9223372036854775808'");
  EXPECT_EQ(valueOf("2x"), "expression '2x', column 2: expected an operator "
                           "after the number, got 'x'");
  EXPECT_EQ(valueOf("1 & 2"),
            "expression '1 & 2', column 3: expected an operator, got '&'");
}

// Depth is bounded in every form that nests, and width is not.
TEST(ExpressionTest, DepthIsBounded) {
  std::string parentheses(100000, '(');
  std::string minuses = std::string(100000, '-') + "1";
  std::string sum = "1";
  for (int i = 0; i < 300; ++i)
    sum += " + 1";
  std::string nots;
  for (int i = 0; i < 300; ++i)
    nots += "not ";
  for (const std::string &text : {parentheses, minuses, sum, nots + "1"})
    EXPECT_NE(valueOf(text).find("at most 200 nested operations"),
              std::string::npos);
  std::string row = "1";
  for (int i = 0; i < 150; ++i)
    row += " + 1";
  EXPECT_EQ(valueOf(row), "151");
}

// A name is usable exactly if the parser takes it for a name.
TEST(ExpressionTest, IsName) {
  EXPECT_TRUE(Expression::isName("sam"));
  EXPECT_TRUE(Expression::isName("min"));
  for (const char *text : {"", "1a", "a-b", "and", "or", "not", "a b", "%a"})
    EXPECT_FALSE(Expression::isName(text)) << text;
}

} // namespace
