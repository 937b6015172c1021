//===- ArithTest.cpp - arith and math on the interpreter ------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterpreterTest.h"
#include <cmath>
#include <limits>

using tile::KernelArgument;

namespace {
class ArithTest : public InterpreterTest {
protected:
  /// Runs `body`, which makes %r of `type` from tiles %x and %y of 8 elements
  /// of `source`, and returns %r.
  template <class From, class To>
  std::vector<To> compute(std::string source, std::string type,
                          std::string body, std::vector<From> x,
                          std::vector<From> y = {}) {
    x.resize(8);
    y.resize(8);
    std::string tile = "tensor<8x" + source + ">",
                result = "tensor<8x" + type + ">";
    std::string text = "tile.kernel @k(%xp: !tile.ptr<" + source +
                       ">, %yp: !tile.ptr<" + source + ">, %rp: !tile.ptr<" +
                       type + ">) {\n" +
                       "%i = tile.iota : tensor<8xi32>\n"
                       "%x = tile.load %xp[%i] : !tile.ptr<" +
                       source + ">, tensor<8xi32> -> " + tile +
                       "\n%y = tile.load %yp[%i] : !tile.ptr<" + source +
                       ">, tensor<8xi32> -> " + tile + "\n" + body +
                       "\ntile.store %rp[%i], %r : !tile.ptr<" + type +
                       ">, tensor<8xi32>, " + result + "\ntile.return\n}\n";
    KernelArgument out = addEmpty<To>("r", 8);
    EXPECT_TRUE(run(text, {add("x", x), add("y", y), out})) << diagnostics;
    return get<To>(out);
  }

  std::vector<int32_t> ints(std::string op, std::vector<int32_t> x,
                            std::vector<int32_t> y) {
    return compute<int32_t, int32_t>(
        "i32", "i32", "%r = arith." + op + " %x, %y : tensor<8xi32>", x, y);
  }
  std::vector<float> floats(std::string op, std::vector<float> x,
                            std::vector<float> y = {}) {
    return compute<float, float>("f32", "f32",
                                 "%r = " + op + " : tensor<8xf32>", x, y);
  }
};

constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
constexpr int32_t kMax = std::numeric_limits<int32_t>::max();
using Ints = std::vector<int32_t>;

/// Equal bits, so that zeros differ by sign and NaN equals itself.
template <class T>
void expectBits(std::vector<T> got, std::vector<T> want) {
  got.resize(want.size());
  for (size_t i = 0; i < want.size(); ++i)
    EXPECT_EQ(std::memcmp(&got[i], &want[i], sizeof(T)), 0)
        << "element " << i << ": got " << got[i] << ", want " << want[i];
}
} // namespace

/// Integers wrap.
TEST_F(ArithTest, integersWrap) {
  expectBits(ints("addi", {kMax, 1, -1}, {1, 2, 1}), Ints{kMin, 3, 0});
  expectBits(ints("subi", {kMin, 1}, {1, 2}), Ints{kMax, -1});
  expectBits(ints("muli", {1 << 30, -3}, {4, 5}), Ints{0, -15});
}

/// Division and remainder truncate as in C; the floor and ceil forms do not.
TEST_F(ArithTest, divisionTruncates) {
  Ints x{7, -7, 7, -7, kMax, 6, -6, 0}, y{2, 2, -2, -2, -1, 3, 3, 5};
  expectBits(ints("divsi", x, y), Ints{3, -3, -3, 3, -kMax, 2, -2, 0});
  expectBits(ints("remsi", x, y), Ints{1, -1, 1, -1, 0, 0, 0, 0});
  expectBits(ints("floordivsi", x, y), Ints{3, -4, -4, 3, -kMax, 2, -2, 0});
  expectBits(ints("ceildivsi", x, y), Ints{4, -3, -3, 4, -kMax, 2, -2, 0});
  Ints positive{2, 2, 2, 2, 2, 2, 2, 2};
  expectBits(ints("divui", {-1, 7}, positive), Ints{kMax, 3});
  expectBits(ints("remui", {-1, 7}, positive), Ints{1, 1});
  expectBits(ints("ceildivui", {-1, 7}, positive), Ints{kMin, 4});
}

/// The op says signed or unsigned.
TEST_F(ArithTest, signednessIsTheOps) {
  Ints x{-1, 3}, y{1, 2};
  expectBits(ints("maxsi", x, y), Ints{1, 3});
  expectBits(ints("maxui", x, y), Ints{-1, 3});
  expectBits(ints("minsi", x, y), Ints{-1, 2});
  expectBits(ints("minui", x, y), Ints{1, 2});
  expectBits(ints("shrsi", {-8}, y), Ints{-4});
  expectBits(ints("shrui", {-8}, y), Ints{kMax - 3});
  expectBits(ints("shli", {3}, y), Ints{6});
}

/// Every integer predicate, on operands whose order depends on the sign.
TEST_F(ArithTest, integerComparisons) {
  std::pair<const char *, std::vector<uint8_t>> cases[] = {
      {"eq", {0, 1, 0}},  {"ne", {1, 0, 1}},  {"slt", {1, 0, 0}},
      {"sle", {1, 1, 0}}, {"sgt", {0, 0, 1}}, {"sge", {0, 1, 1}},
      {"ult", {0, 0, 0}}, {"ule", {0, 1, 0}}, {"ugt", {1, 0, 1}},
      {"uge", {1, 1, 1}}};
  for (auto &[predicate, want] : cases)
    expectBits(compute<int32_t, uint8_t>("i32", "i1",
                                         std::string("%r = arith.cmpi ") +
                                             predicate +
                                             ", %x, %y : tensor<8xi32>",
                                         {-1, 2, 3}, {1, 2, 2}),
               want);
}

/// Every float predicate on less, equal, greater and unordered.
TEST_F(ArithTest, floatComparisons) {
  std::pair<const char *, std::vector<uint8_t>> cases[] = {
      {"false", {0, 0, 0, 0}}, {"oeq", {0, 1, 0, 0}}, {"ogt", {0, 0, 1, 0}},
      {"oge", {0, 1, 1, 0}},   {"olt", {1, 0, 0, 0}}, {"ole", {1, 1, 0, 0}},
      {"one", {1, 0, 1, 0}},   {"ord", {1, 1, 1, 0}}, {"ueq", {0, 1, 0, 1}},
      {"ugt", {0, 0, 1, 1}},   {"uge", {0, 1, 1, 1}}, {"ult", {1, 0, 0, 1}},
      {"ule", {1, 1, 0, 1}},   {"une", {1, 0, 1, 1}}, {"uno", {0, 0, 0, 1}},
      {"true", {1, 1, 1, 1}}};
  for (auto &[predicate, want] : cases)
    expectBits(compute<float, uint8_t>("f32", "i1",
                                       std::string("%r = arith.cmpf ") +
                                           predicate +
                                           ", %x, %y : tensor<8xf32>",
                                       {1, 2, 3, NAN}, {2, 2, 2, 2}),
               want);
}

/// maximumf and minimumf propagate NaN from either side; maxnumf and minnumf
/// ignore it; zeros are ordered by their sign.
TEST_F(ArithTest, maxAndMin) {
  std::vector<float> x{1, NAN, 1, -0.0f}, y{2, 1, NAN, 0.0f};
  auto maximum = floats("arith.maximumf %x, %y", x, y);
  EXPECT_TRUE(std::isnan(maximum[1]) && std::isnan(maximum[2]));
  EXPECT_FALSE(std::signbit(maximum[3]));
  EXPECT_EQ(maximum[0], 2);
  auto minimum = floats("arith.minimumf %x, %y", x, y);
  EXPECT_TRUE(std::isnan(minimum[1]) && std::isnan(minimum[2]));
  EXPECT_TRUE(std::signbit(minimum[3]));
  expectBits(floats("arith.maxnumf %x, %y", x, y),
             std::vector<float>{2, 1, 1, 0.0f});
  expectBits(floats("arith.minnumf %x, %y", x, y),
             std::vector<float>{1, 1, 1, -0.0f});
}

/// mulf and addf round twice; only math.fma rounds once.
TEST_F(ArithTest, multiplyAndAddAreNotFused) {
  std::vector<float> a{1.0f + 1.0f / 4096}, c{-(1.0f + 1.0f / 2048)};
  auto separate =
      compute<float, float>("f32", "f32",
                            "%m = arith.mulf %x, %x : tensor<8xf32>\n"
                            "%r = arith.addf %m, %y : tensor<8xf32>",
                            a, c);
  EXPECT_EQ(separate[0], 0.0f);
  auto fused = floats("math.fma %x, %x, %y", a, c);
  EXPECT_EQ(fused[0], std::ldexp(1.0f, -24));
}

/// -x flips the sign bit, also of zero and NaN.
TEST_F(ArithTest, negationFlipsTheSign) {
  auto result = floats("arith.negf %x", {0.0f, NAN, 1.0f});
  EXPECT_TRUE(std::signbit(result[0]));
  EXPECT_NE(std::signbit(result[1]), std::signbit(float(NAN)));
  EXPECT_EQ(result[2], -1.0f);
}

/// f16 rounds after each op: 2049 + 1 is 2048 + 1 (2048) + ..., not 2050.
TEST_F(ArithTest, f16RoundsAfterEachOp) {
  // 2048, 1 and 60000 in f16.
  auto sum =
      compute<uint16_t, uint16_t>("f16", "f16",
                                  "%s = arith.addf %x, %y : tensor<8xf16>\n"
                                  "%r = arith.addf %s, %y : tensor<8xf16>",
                                  {0x6800, 0x7b53}, {0x3c00, 0x7b53});
  EXPECT_EQ(sum[0], 0x6800);
  EXPECT_EQ(sum[1], 0x7c00);
}

/// bf16 products round to nearest even: 1.25 * 1.0234375 and 1.5 * 1.0078125.
TEST_F(ArithTest, bf16RoundsToNearest) {
  auto product = compute<uint16_t, uint16_t>(
      "bf16", "bf16", "%r = arith.mulf %x, %y : tensor<8xbf16>",
      {0x3fa0, 0x3fc0}, {0x3f83, 0x3f81});
  EXPECT_EQ(product[0], 0x3fa4); // 1.28125
  EXPECT_EQ(product[1], 0x3fc2); // 1.515625
}

/// Integer casts extend by sign or zeros, i1 being 0 and -1 when signed.
TEST_F(ArithTest, integerCasts) {
  expectBits(compute<int8_t, int64_t>(
                 "i8", "i64",
                 "%r = arith.extsi %x : tensor<8xi8> to tensor<8xi64>",
                 {-1, 5}),
             std::vector<int64_t>{-1, 5});
  expectBits(compute<int8_t, int64_t>(
                 "i8", "i64",
                 "%r = arith.extui %x : tensor<8xi8> to tensor<8xi64>",
                 {-1, 5}),
             std::vector<int64_t>{255, 5});
  expectBits(compute<uint8_t, int32_t>(
                 "i1", "i32",
                 "%r = arith.extsi %x : tensor<8xi1> to tensor<8xi32>", {1, 0}),
             Ints{-1, 0});
  expectBits(compute<int32_t, uint8_t>(
                 "i32", "i1",
                 "%r = arith.trunci %x : tensor<8xi32> to tensor<8xi1>",
                 {3, 2}),
             std::vector<uint8_t>{1, 0});
}

/// Floats to integers: towards zero, saturating, NaN to 0.
TEST_F(ArithTest, floatToInteger) {
  expectBits(compute<float, int8_t>(
                 "f32", "i8",
                 "%r = arith.fptosi %x : tensor<8xf32> to tensor<8xi8>",
                 {-1.9f, 1.9f, 300.0f, -300.0f, NAN}),
             std::vector<int8_t>{-1, 1, 127, -128, 0});
  expectBits(compute<float, uint8_t>(
                 "f32", "i8",
                 "%r = arith.fptoui %x : tensor<8xf32> to tensor<8xi8>",
                 {-1.9f, 255.9f, 300.0f, NAN}),
             std::vector<uint8_t>{0, 255, 255, 0});
}

/// Integers to floats round once: 2049 and 2051 in f16 are ties; a tie of bf16
/// that bit 0 of an i64 breaks.
TEST_F(ArithTest, integerToFloat) {
  expectBits(compute<int32_t, uint16_t>(
                 "i32", "f16",
                 "%r = arith.sitofp %x : tensor<8xi32> to tensor<8xf16>",
                 {2049, 2051, -1, 100000}),
             std::vector<uint16_t>{0x6800, 0x6802, 0xbc00, 0x7c00});
  int64_t tie = (int64_t(1) << 62) + (int64_t(1) << 54);
  expectBits(compute<int64_t, uint16_t>(
                 "i64", "bf16",
                 "%r = arith.sitofp %x : tensor<8xi64> to tensor<8xbf16>",
                 {tie, tie + 1}),
             std::vector<uint16_t>{0x5e80, 0x5e81});
  expectBits(compute<int32_t, float>(
                 "i32", "f32",
                 "%r = arith.uitofp %x : tensor<8xi32> to tensor<8xf32>", {-1}),
             std::vector<float>{4294967296.0f});
}

/// f64 to f16 rounds once, not by way of f32.
TEST_F(ArithTest, truncationRoundsOnce) {
  // A little above the middle of 1 and the next f16; f32 would make it a tie.
  double above = 1 + std::ldexp(1.0, -11) + std::ldexp(1.0, -40);
  expectBits(compute<double, uint16_t>(
                 "f64", "f16",
                 "%r = arith.truncf %x : tensor<8xf64> to tensor<8xf16>",
                 {above, 1 + std::ldexp(1.0, -11)}),
             std::vector<uint16_t>{0x3c01, 0x3c00});
}

/// Functions of math agree with the host's in double.
TEST_F(ArithTest, mathFunctions) {
  std::pair<const char *, double (*)(double)> cases[] = {
      {"exp", std::exp},     {"exp2", std::exp2}, {"log", std::log},
      {"log2", std::log2},   {"sqrt", std::sqrt}, {"sin", std::sin},
      {"cos", std::cos},     {"tanh", std::tanh}, {"erf", std::erf},
      {"floor", std::floor}, {"ceil", std::ceil}, {"absf", std::fabs}};
  std::vector<float> x{0.5f, 1.0f, 1.5f, 2.0f, 3.25f, 7.0f, 0.125f, 10.0f};
  for (auto [name, function] : cases) {
    auto result = floats(std::string("math.") + name + " %x", x);
    for (int i = 0; i < 8; ++i)
      EXPECT_EQ(result[i], float(function(x[i]))) << name << " " << x[i];
  }
  EXPECT_EQ(floats("math.rsqrt %x", {4.0f})[0], 0.5f);
  EXPECT_EQ(floats("math.powf %x, %y", {2.0f}, {10.0f})[0], 1024.0f);
  EXPECT_EQ(floats("math.roundeven %x", {2.5f, 3.5f})[0], 2.0f);
  EXPECT_EQ(floats("math.roundeven %x", {2.5f, 3.5f})[1], 4.0f);
}

/// Division by zero is an error at the op, with the lane.
TEST_F(ArithTest, divisionByZeroIsReported) {
  EXPECT_FALSE(run(R"(tile.kernel @k(%n: i32) {
    %i = tile.iota : tensor<4xi32>
    %n4 = tile.splat %n : tensor<4xi32>
    %d = arith.subi %i, %n4 : tensor<4xi32>
    %q = arith.divsi %i, %d : tensor<4xi32>
    tile.return
  })",
                   {KernelArgument::integer(2)}));
  EXPECT_EQ(diagnostics, "5: error: division by zero in lane [2] of program "
                         "(0, 0, 0) of kernel 'k'\n");
}

/// The most negative integer has no quotient and no remainder by -1, whatever
/// its width.
TEST_F(ArithTest, divisionThatOverflowsIsReported) {
  struct Width {
    const char *type;
    const char *least;
  };
  for (Width width :
       {Width{"i8", "-128"}, Width{"i16", "-32768"},
        Width{"i32", "-2147483648"}, Width{"i64", "-9223372036854775808"}})
    for (const char *op : {"divsi", "remsi", "floordivsi", "ceildivsi"}) {
      diagnostics.clear();
      EXPECT_FALSE(run(std::string("tile.kernel @k(%n: ") + width.type +
                           ") {\n%one = arith.constant -1 : " + width.type +
                           "\n%q = arith." + op + " %n, %one : " + width.type +
                           "\ntile.return\n}",
                       {KernelArgument::integer(std::stoll(width.least))}));
      EXPECT_EQ(diagnostics, std::string("3: error: division of ") +
                                 width.least +
                                 " by -1 overflows in program (0, 0, 0) of "
                                 "kernel 'k'\n");
    }
}

/// Where poison is checked, a result that nsw or nuw rules out is an error with
/// its operands, and the last one that the type holds is none.
TEST_F(ArithTest, overflowThatFlagsRuleOutIsReported) {
  struct Case {
    const char *op;
    const char *flag;
    int64_t fits, overflows;
    const char *message;
  };
  // Of the argument and 3.
  const Case cases[] = {
      {"addi", "nsw", 124, 125, "125 + 3 overflows i8"},
      {"addi", "nuw", -4, -3, "253 + 3 overflows i8"},
      {"subi", "nsw", -125, -126, "-126 - 3 overflows i8"},
      {"subi", "nuw", 3, 2, "2 - 3 overflows i8"},
      {"muli", "nsw", -42, -43, "-43 * 3 overflows i8"},
      {"muli", "nuw", 85, 86, "86 * 3 overflows i8"},
      {"shli", "nsw", -16, 16, "16 << 3 overflows i8"},
      {"shli", "nuw", 31, 32, "32 << 3 overflows i8"},
  };
  for (const Case &test : cases) {
    std::string text = std::string("tile.kernel @k(%n: i8) {\n%three = "
                                   "arith.constant 3 : i8\n%r = arith.") +
                       test.op + " %n, %three overflow<" + test.flag +
                       "> : i8\ntile.return\n}";
    diagnostics.clear();
    options.checkPoison = true;
    EXPECT_TRUE(run(text, {KernelArgument::integer(test.fits)})) << test.op;
    EXPECT_FALSE(run(text, {KernelArgument::integer(test.overflows)}));
    EXPECT_EQ(diagnostics, std::string("3: error: ") + test.message +
                               ", which its flag '" + test.flag +
                               "' rules out, in program (0, 0, 0) of kernel "
                               "'k'\n");
    options.checkPoison = false;
    EXPECT_TRUE(run(text, {KernelArgument::integer(test.overflows)}));
  }
}

/// 64 bits overflow as narrower integers do, and so does a truncation.
TEST_F(ArithTest, wideOverflowIsReported) {
  options.checkPoison = true;
  EXPECT_FALSE(run(R"(tile.kernel @k(%n: i64) {
    %r = arith.muli %n, %n overflow<nsw> : i64
    tile.return
  })",
                   {KernelArgument::integer(1ll << 32)}));
  EXPECT_FALSE(run(R"(tile.kernel @k(%n: i64) {
    %r = arith.trunci %n overflow<nsw> : i64 to i8
    tile.return
  })",
                   {KernelArgument::integer(300)}));
  EXPECT_EQ(diagnostics,
            "2: error: 4294967296 * 4294967296 overflows i64, which its flag "
            "'nsw' rules out, in program (0, 0, 0) of kernel 'k'\n"
            "2: error: the truncation of 300 overflows i8, which its flag "
            "'nsw' rules out, in program (0, 0, 0) of kernel 'k'\n");
}

/// Where poison is checked, a float must have an integer part that its integer
/// type holds.
TEST_F(ArithTest, floatThatNoIntegerHoldsIsReported) {
  options.checkPoison = true;
  auto runs = [&](const char *op, float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    return run(std::string("tile.kernel @k(%x: f32) {\n%r = arith.") + op +
                   " %x : f32 to i8\ntile.return\n}",
               {KernelArgument::scalarBits(bits)});
  };
  for (float value : {127.9f, -128.9f, 0.5f})
    EXPECT_TRUE(runs("fptosi", value)) << value;
  for (float value : {255.9f, -0.9f})
    EXPECT_TRUE(runs("fptoui", value)) << value;
  for (float value : {128.0f, -129.0f, NAN, INFINITY})
    EXPECT_FALSE(runs("fptosi", value)) << value;
  diagnostics.clear();
  for (float value : {256.0f, -1.0f})
    EXPECT_FALSE(runs("fptoui", value)) << value;
  EXPECT_EQ(diagnostics,
            "2: error: expected a number whose integer part i8 holds, got 256 "
            "in program (0, 0, 0) of kernel 'k'\n"
            "2: error: expected a number whose integer part i8 holds, got -1 "
            "in program (0, 0, 0) of kernel 'k'\n");
}

/// A shift by the width or more is an error at the op.
TEST_F(ArithTest, longShiftIsReported) {
  EXPECT_FALSE(run(R"(tile.kernel @k(%n: i32) {
    %q = arith.shli %n, %n : i32
    tile.return
  })",
                   {KernelArgument::integer(32)}));
  EXPECT_EQ(diagnostics,
            "2: error: expected a shift by less than 32, got 32 in "
            "program (0, 0, 0) of kernel 'k'\n");
}

/// An op that the interpreter does not know is named.
TEST_F(ArithTest, unknownOpIsReported) {
  EXPECT_FALSE(run(R"(tile.kernel @k() {
    %n = arith.constant 1 : index
    scf.parallel (%i) = (%n) to (%n) step (%n) { scf.reduce }
    tile.return
  })"));
  EXPECT_EQ(diagnostics,
            "3: error: the interpreter does not know the op 'scf.parallel'\n");
}

/// A type that the interpreter has no values for is named.
TEST_F(ArithTest, unknownTypeIsReported) {
  EXPECT_FALSE(run(R"(tile.kernel @k(%n: i32) {
    %x = arith.extsi %n : i32 to i128
    tile.return
  })",
                   {KernelArgument::integer(1)}));
  EXPECT_EQ(diagnostics,
            "2: error: the interpreter has no values of type 'i128'\n");
}
