//===- ScalarExprTest.cpp - Rules of polynomials over scalars -------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Analysis/ScalarExpr.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "tile/IR/TileOps.h"

#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace tile;

namespace {

/// A kernel with the scalar arguments M, K (i32), s (i64) and an index.
class ScalarExprTest : public testing::Test {
protected:
  ScalarExprTest() {
    context.loadDialect<TileDialect>();
    module = parseSourceString<ModuleOp>(R"(
      tile.kernel @k(%M: i32, %K: i32, %s: i64) {
        %seven = arith.constant 7 : i32
        %i = arith.index_cast %M : i32 to index
        tile.return
      })",
                                         &context);
    kernel = *module->getOps<KernelOp>().begin();
    Block &body = kernel.getBody().front();
    seven = body.front().getResult(0);
    index = std::next(body.begin())->getResult(0);
    builder.setInsertionPoint(body.getTerminator());
    M = kernel.getArgument(0);
    K = kernel.getArgument(1);
    s = kernel.getArgument(2);
  }

  std::string text(const ScalarExpr &expr) {
    std::string result;
    llvm::raw_string_ostream os(result);
    expr.print(os, valueName);
    return result;
  }

  MLIRContext context;
  OpBuilder builder{&context};
  OwningOpRef<ModuleOp> module;
  KernelOp kernel;
  Value M, K, s, seven, index;
};

ScalarExpr number(int64_t value) { return ScalarExpr::constant(value); }
ScalarExpr atom(Value value) { return ScalarExpr::value(value); }

// Two ways to write one polynomial are equal, whatever the order of additions.
TEST_F(ScalarExprTest, Canonical) {
  ScalarExpr left = (atom(M) + number(3)) * (atom(K) - number(2));
  ScalarExpr right =
      atom(K) * number(3) - number(6) + atom(K) * atom(M) - number(2) * atom(M);
  EXPECT_EQ(left, right);
  EXPECT_NE(left, right + number(1));
  EXPECT_TRUE((left - right).isZero());
}

// A constant op's value is its number, not an atom.
TEST_F(ScalarExprTest, ConstantValue) {
  EXPECT_EQ(atom(seven).getConstant(), 7);
  EXPECT_EQ(ScalarExpr().getConstant(), 0);
  EXPECT_EQ(atom(M).getConstant(), std::nullopt);
}

// Exactly 1 * v is a single value; a multiple, a sum or a constant is not.
TEST_F(ScalarExprTest, SingleValue) {
  EXPECT_EQ(atom(M).getSingleValue(), M);
  EXPECT_FALSE((atom(M) * number(2)).getSingleValue());
  EXPECT_FALSE((atom(M) + number(1)).getSingleValue());
  EXPECT_FALSE((atom(M) * atom(M)).getSingleValue());
  EXPECT_FALSE(number(1).getSingleValue());
}

// Text and list of atoms follow the order of the program; constants come last.
TEST_F(ScalarExprTest, Text) {
  ScalarExpr expr =
      number(-1) + atom(s) * atom(M) * number(128) - atom(M) + atom(s);
  EXPECT_EQ(text(expr), "-M + M*s*128 + s - 1");
  EXPECT_EQ(text(ScalarExpr()), "0");
  EXPECT_EQ(text(number(INT64_MIN)), "-9223372036854775808");
  EXPECT_EQ(expr.values(), (SmallVector<Value>{M, s}));
}

// Every occurrence of a value is replaced, powers included.
TEST_F(ScalarExprTest, Substitute) {
  ScalarExpr expr = atom(M) * atom(M) + atom(M) * atom(s) + number(1);
  EXPECT_EQ(expr.substitute(M, number(3)), atom(s) * number(3) + number(10));
  EXPECT_EQ(text(expr.substitute(M, atom(K) + number(1))),
            "K*2 + K*K + K*s + s + 2");
  EXPECT_EQ(expr.substitute(K, number(0)), expr);
}

// Division comes out exactly or not at all.
TEST_F(ScalarExprTest, DivideExactly) {
  ScalarExpr expr = atom(s) * atom(M) * number(64) + atom(s) * number(128);
  EXPECT_EQ(expr.divideExactly(atom(s) * number(64)), atom(M) + number(2));
  EXPECT_EQ(expr.divideExactly(number(-1)), ScalarExpr() - expr);
  EXPECT_EQ(expr.divideExactly(number(128)), std::nullopt);
  EXPECT_EQ(expr.divideExactly(atom(M)), std::nullopt);
  EXPECT_EQ(expr.divideExactly(number(0)), std::nullopt);
  EXPECT_EQ(expr.divideExactly(atom(M) + number(1)), std::nullopt);
  EXPECT_EQ(ScalarExpr().divideExactly(number(3)), ScalarExpr());
}

/// What `value` is in its own width, where arguments are as given.
int64_t evaluate(Value value, const DenseMap<Value, int64_t> &arguments) {
  auto it = arguments.find(value);
  if (it != arguments.end())
    return it->second;
  Operation *op = value.getDefiningOp();
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return cast<IntegerAttr>(constant.getValue()).getValue().getSExtValue();
  uint64_t a = evaluate(op->getOperand(0), arguments), b = 0;
  if (op->getNumOperands() == 2)
    b = evaluate(op->getOperand(1), arguments);
  if (isa<arith::AddIOp>(op))
    a += b;
  else if (isa<arith::SubIOp>(op))
    a -= b;
  else if (isa<arith::MulIOp>(op))
    a *= b;
  else
    EXPECT_TRUE((isa<arith::ExtSIOp, arith::TruncIOp, arith::IndexCastOp>(op)));
  return value.getType().isInteger(32) ? int64_t(int32_t(a)) : int64_t(a);
}

/// The polynomial modulo 2^64, term by term.
int64_t evaluate(const ScalarExpr &expr,
                 const DenseMap<Value, int64_t> &arguments) {
  uint64_t sum = 0;
  for (const ScalarExpr::Monomial &term : expr.monomials()) {
    uint64_t product = term.coefficient;
    for (Value factor : term.atoms)
      product *= arguments.lookup(factor);
    sum += product;
  }
  return sum;
}

// Materialized ops compute the polynomial, modulo 2^64 or 2^32 as asked.
TEST_F(ScalarExprTest, MaterializeAgrees) {
  std::mt19937 random(7);
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  Value atoms[] = {M, K, s, index};
  for (int trial = 0; trial < 300; ++trial) {
    ScalarExpr expr;
    for (int64_t terms = pick(0, 5); terms > 0; --terms) {
      ScalarExpr product = number(pick(-4, 4));
      for (int64_t degree = pick(0, 3); degree > 0; --degree)
        product = product * atom(atoms[pick(0, 3)]);
      expr = expr + product;
    }
    DenseMap<Value, int64_t> arguments;
    for (Value value : {M, K, index})
      arguments[value] = pick(INT32_MIN, INT32_MAX);
    arguments[s] = pick(INT64_MIN, INT64_MAX);
    int64_t expected = evaluate(expr, arguments);
    Location loc = builder.getUnknownLoc();
    Value wide = expr.materialize(builder, loc, builder.getI64Type());
    Value narrow = expr.materialize(builder, loc, builder.getI32Type());
    ASSERT_TRUE(wide.getType().isInteger(64));
    ASSERT_TRUE(narrow.getType().isInteger(32));
    EXPECT_EQ(evaluate(wide, arguments), expected) << text(expr);
    EXPECT_EQ(evaluate(narrow, arguments), int32_t(expected)) << text(expr);
  }
}

// A shared factor is multiplied once: M*s + K*s is (M + K)*s.
TEST_F(ScalarExprTest, MaterializeFactors) {
  ScalarExpr expr = atom(M) * atom(s) + atom(K) * atom(s);
  Block *body = builder.getInsertionBlock();
  size_t before = body->getOperations().size();
  expr.materialize(builder, builder.getUnknownLoc(), builder.getI64Type());
  // Two extensions, one addition, one multiplication.
  EXPECT_EQ(body->getOperations().size() - before, 4u);
}

} // namespace
