//===- ForeignWords.cpp - What other languages write ----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ForeignWords.h"

#include "tile/Frontend/Vocabulary.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace tile::frontend;

StringRef tile::frontend::foreignFunction(StringRef name) {
  return StringSwitch<StringRef>(name)
      .Case("maximum", "write 'max(a, b)'")
      .Case("minimum", "write 'min(a, b)'")
      .Cases({"expand_dims", "unsqueeze"}, "write 'x[:, None]'")
      .Cases({"permute", "transpose"}, "write 'trans(x, 1, 0)'")
      .Cases({"ravel", "view"}, "write 'reshape(x, n)'")
      .Cases({"multiple_of", "max_contiguous", "assume"},
             "state facts at the argument, as in 'n: i32 divisible(16)'")
      .Cases({"zeros_like", "full_like"},
             "write 'zeros<f32>[side(x, 0), side(x, 1)]'")
      .Cases({"ones", "ones_like"}, "write 'full<f32>[m, n](1)'")
      .Case("sigmoid", "write '1 / (1 + exp(-x))'")
      .Case("relu", "write 'max(x, 0)'")
      .Cases({"rcp", "reciprocal"}, "write '1 / x'")
      .Case("isnan", "write 'x != x'")
      .Case("softmax", "write 'let e = exp(x - max(x, axis = 1)[:, None])' and "
                       "divide by its sum")
      .Cases({"cast", "to"}, "write 'x as f16'")
      .Case("range", "write 'for i in 0..n'")
      .Cases({"static_range", "tl_static_range"},
             "write 'static for i in 0..n'")
      .Case("static_assert", "write 'static assert(condition, \"message\")'")
      .Cases({"device_print", "printf"}, "write 'print(\"label\", x)'")
      .Case("device_assert", "write 'assert(condition, \"message\")'")
      .Cases({"pow", "powf"}, "write 'exp2(y * log2(x))' for x above 0")
      .Cases({"fdiv", "div_rn"}, "write 'a / b', which rounds to nearest")
      .Case("sqrt_rn", "write 'sqrt(x)', which rounds to nearest")
      .Cases({"make_block_ptr", "make_tensor_descriptor"},
             "take the tensor as an argument, 'a: [M, N] f16', and index it: "
             "'a[i, j]'")
      .Case("debug_barrier", "leave it out: barriers are the compiler's")
      .Case("len", "write 'side(x, 0)'")
      .Default("");
}

StringRef tile::frontend::foreignArgument(StringRef name) {
  return StringSwitch<StringRef>(name)
      .Case("keep_dims", "write '[:, None]' behind the call")
      .Case("return_indices", "write 'argmax(x, axis = 1)' beside it")
      .Case("dtype", "write 'as f32' behind the value")
      .Cases({"input_precision", "allow_tf32"}, "write 'precision = tf32'")
      .Case("out_dtype", "the result has the accumulator's type: 'dot(a, b, "
                         "zeros<f16>[m, n])'")
      .Case("max_num_imprecise_acc", "write 'promote_every = n'")
      .Cases({"cache_modifier", "eviction_policy", "volatile"},
             "leave it out: how memory is cached is the compiler's")
      .Cases({"boundary_check", "padding_option"},
             "parts of a tensor, 'a[i, j, other = 0]', end at its sides")
      .Cases({"sem", "scope"}, "leave it out: updates are relaxed, and hold on "
                               "the whole GPU")
      .Default("");
}

StringRef tile::frontend::foreignName(StringRef name) {
  return StringSwitch<StringRef>(name)
      .Case("True", "write 'true'")
      .Case("False", "write 'false'")
      .Case("pass", "an empty block is '{ }'")
      .Case("loop", "write 'while true'")
      .Cases({"int", "float", "double", "auto", "const", "unsigned"},
             "write 'let x = ...', or 'var x = ...' if it changes")
      .Cases({"match", "switch"}, "write 'if ... else if'")
      .Cases({"tl", "triton", "libdevice", "math"},
             "functions stand alone: 'load', not 'tl.load'")
      .Default("");
}

StringRef tile::frontend::foreignType(StringRef name) {
  return StringSwitch<StringRef>(name)
      .Cases({"float64", "double", "fp64"}, "f64")
      .Cases({"float32", "float", "fp32"}, "f32")
      .Cases({"float16", "half", "fp16"}, "f16")
      .Case("bfloat16", "bf16")
      .Cases({"float8e4nv", "float8_e4m3fn", "fp8"}, "f8e4m3")
      .Cases({"float8e5", "float8_e5m2"}, "f8e5m2")
      .Cases({"int64", "u64", "uint64"}, "i64")
      .Cases({"int32", "int", "u32", "uint32"}, "i32")
      .Cases({"int16", "u16", "uint16"}, "i16")
      .Cases({"int8", "u8", "uint8", "char"}, "i8")
      .Cases({"int1", "bool"}, "i1")
      .Default("");
}

bool tile::frontend::isTypeWord(StringRef name) {
  return is_contained(elementTypeNames(), name) || !foreignType(name).empty();
}

bool tile::frontend::isDeclarationWord(StringRef name) {
  return isTypeWord(name) ||
         is_contained({"auto", "const", "constexpr", "unsigned", "signed",
                       "long", "short", "size_t", "mut", "def"},
                      name);
}

StringRef tile::frontend::typeWord(StringRef name) {
  StringRef known = foreignType(name);
  return known.empty() ? name : known;
}

/// For ':', which has a meaning of its own in four places.
static StringRef helpWithColon(StringRef expected) {
  if (expected.starts_with("'=' before the value"))
    return "the type follows from the value: write 'let x = ...'";
  if (expected.starts_with("the number of programs"))
    return "";
  if (expected.starts_with("']' after the indices"))
    return "there are no slices: an index is a number, or a tile such as 'low "
           "+ arange(n)'";
  return "statements stand between '{' and '}'";
}

/// At the beginning of a line where a declaration has to stand.
static StringRef helpWithDeclaration(StringRef word) {
  return StringSwitch<StringRef>(word)
      .Case("def", "write 'kernel' for what is launched, 'fn' for what it "
                   "calls")
      .Cases({"function", "func", "pub", "void", "inline", "__device__"},
             "write 'fn'")
      .Cases({"__global__", "extern"}, "write 'kernel'")
      .Cases({"import", "from", "use", "#include"},
             "a file is complete: functions of the language need no import")
      .Cases({"const", "let", "var"},
             "write it in the kernel, or as '<NAME = value>' behind its name")
      .Default("");
}

static StringRef helpWithArgument(StringRef word) {
  return StringSwitch<StringRef>(word)
      .Case("*", "the '*' of a pointer stands in front: 'p: *f32'")
      .Case("[", "the sides of a tensor stand in front: 'a: [M, N] f32'")
      .Case("=",
            "what is known at compile time has a default: '<N = 4>' behind "
            "the kernel's name")
      .Case(".", "types stand alone: 'f32', not 'tl.float32'")
      .Default("");
}

/// In a run block.
static StringRef helpWithRun(StringRef word, StringRef previous,
                             StringRef expected) {
  if (expected.starts_with("'<' after '") && word == "[")
    return "the type stands in front of the sides: 'randn<f32>[N]'";
  if (expected.starts_with("'[' before the sides") && word == "(")
    return "sides stand in brackets: 'randn<f32>[N]'";
  if (expected.starts_with("'(' before the sizes"))
    return "sizes stand in parentheses, also where there are none: 'run k() "
           "{ }'";
  if (expected.starts_with("'=' before the value") && previous == "assert")
    return "write 'expect y == x'";
  if (expected.starts_with("a size") && isDigit(word.front()))
    return "a size has a name, as in 'N = 100'";
  if (!expected.starts_with("a name, or 'expect'") || word.empty())
    return "";
  if (word == ",")
    return "nothing, or ';', stands between two values";
  bool isBinding = word == "let" || word == "var";
  return isBinding ? "names of the kernel stand alone: 'x = randn<f32>[N]'"
                   : "";
}

StringRef tile::frontend::foreignSyntax(const Token &token, StringRef previous,
                                        StringRef expected) {
  StringRef word = token.text;
  if (word == ":")
    return helpWithColon(expected);
  if (StringRef help = helpWithRun(word, previous, expected); !help.empty())
    return help;
  if (expected.starts_with("'kernel'"))
    return helpWithDeclaration(word);
  if (expected.starts_with("')' after the arguments") && !word.empty())
    if (StringRef help = helpWithArgument(word); !help.empty())
      return help;
  if (expected.starts_with("'..'") && previous == ")")
    return "a loop counts from one limit to another, as in 'for i in 0..n'";
  if (expected.starts_with("the loop's index") ||
      expected.starts_with("'in' after the loop's index"))
    return "write 'for i in 0..n'";
  if (expected.starts_with("the name of a side") && isDigit(word.front()))
    return "a side is known when the kernel is launched: name it, as in '[M, "
           "N] f32'";
  if (expected.starts_with("'(' before the arguments") && word == "[")
    return "what is known at compile time stands in '<...>'";
  if (expected.starts_with("':' before the argument's type"))
    return "write 'x: f32', or 'x: *f32' for a pointer";
  bool isValue = expected == "an expression" || expected == "a statement";
  if (word == "*" && previous != "*" && isValue)
    return "'load(p)' reads what a pointer points to, 'store(p, x)' writes it";
  if (word == "*" && previous == "*" && expected.starts_with("a type"))
    return "a pointer is to elements, not to other pointers: write 'x: *f32'";
  if (word == "*" && previous == "*")
    return "write 'x * x', or 'exp2(y * log2(x))' for x above 0";
  if (word == "+" && previous == "+")
    return "write 'x += 1'";
  if (word == "&" && expected.starts_with("a type"))
    return "a pointer is '*f32'";
  if (previous == "mut")
    return "write 'var x = ...'";
  if (word == "." && token.text.end()[0] >= '0' && token.text.end()[0] <= '9')
    return "a number begins with a digit: '0.5'";
  // The source ends with a zero, so that there is a character to look at.
  if (word == "/" && (token.text.end()[0] == '*'))
    return "comments begin with '//'";
  bool isConditional = (word == "if" && expected == "an expression") ||
                       (word == "else" && expected.starts_with("'{'"));
  if (isConditional)
    return "write 'where(condition, a, b)'";
  bool mayCompare = expected.starts_with("'{' before") ||
                    expected.starts_with("')' after") ||
                    expected.starts_with("'==' after");
  if (word == "=")
    return mayCompare ? "'==' compares" : "";
  return StringSwitch<StringRef>(word)
      .Case("&", "'and' joins two conditions")
      .Case("|", "'or' joins two conditions")
      .Case(".", "functions stand alone: 'load(p)', 'side(x, 0)', 'x as f16'")
      .Case("elif", "write 'else if'")
      .Default("");
}
