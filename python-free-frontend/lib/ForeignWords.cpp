//===- ForeignWords.cpp - What other languages write ----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ForeignWords.h"
#include "Parser.h"

#include "tile/Frontend/Vocabulary.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace tile::frontend;

/// What the table says of the word in this place; empty where it has none.
static StringRef helpFor(Habit::Place place, StringRef word) {
  for (const Habit &habit : habits())
    if (habit.place == place && is_contained(split(habit.words, ' '), word))
      return habit.help;
  return "";
}

StringRef tile::frontend::foreignFunction(StringRef name) {
  return helpFor(Habit::Function, name);
}

std::string tile::frontend::helpToReduce(const Expr &value) {
  bool isPair = value.kind == Expr::Call && value.operands.size() == 2 &&
                (value.text == "max" || value.text == "min");
  if (!isPair || value.operands[1]->kind != Expr::Integer)
    return "";
  return ("write '" + value.text + "(" + textOf(value.operands[0]->range) +
          ", axis = " + value.operands[1]->text +
          ")' to reduce: two values are compared element by element")
      .str();
}

StringRef tile::frontend::foreignStatement(StringRef word) {
  return helpFor(Habit::Statement, word);
}

StringRef tile::frontend::nearestStatementWord(StringRef word) {
  static constexpr StringLiteral kWords[] = {"let", "var",  "for",    "while",
                                             "if",  "else", "return", "static"};
  unsigned most = word.size() < 4 ? 1 : 2;
  for (StringRef known : kWords) {
    std::string sorted = word.str(), other = known.str();
    llvm::sort(sorted);
    llvm::sort(other);
    // Letters that changed places are one slip.
    if (sorted == other ||
        (known.size() > 2 && word.edit_distance(known, true, most) <= most &&
         word.size() > 2))
      return known;
  }
  return "";
}

bool tile::frontend::isElseIf(StringRef word) {
  return is_contained({"elif", "elsif", "elseif", "elsif"}, word);
}

StringRef tile::frontend::foreignArgument(StringRef name, StringRef value) {
  // The value says which of several is meant.
  std::string both = (name + "=" + value.lower()).str();
  StringRef help = helpFor(Habit::Argument, both);
  return help.empty() ? helpFor(Habit::Argument, name) : help;
}

StringRef tile::frontend::foreignName(StringRef name) {
  return helpFor(Habit::Name, name);
}

bool tile::frontend::isForeignModule(StringRef name) {
  return is_contained({"tl", "triton", "libdevice", "math", "np", "numpy",
                       "torch", "gl", "ntl"},
                      name);
}

StringRef tile::frontend::foreignNumber(StringRef text) {
  return StringSwitch<StringRef>(text.trim(" \"'`").lower())
      .Cases({"inf", "+inf", "infinity", "+infinity"}, "inf")
      .Cases({"-inf", "-infinity"}, "-inf")
      .Case("nan", "nan")
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
                       "long", "short", "size_t", "mut", "def", "float2",
                       "float4", "half2", "int2", "int4"},
                      name);
}

StringRef tile::frontend::typeWord(StringRef name) {
  StringRef known = foreignType(name);
  return known.empty() ? name : known;
}

/// For ':', which has a meaning of its own in some places.
static StringRef helpWithColon(StringRef expected, char next) {
  if (next == '=')
    return "write '='";
  if (expected.starts_with("'=' before the value"))
    return "the type follows from the value: write 'let x = ...'";
  if (expected.starts_with("']' after the indices"))
    return "there are no slices: an index is a number, or a tile such as 'low "
           "+ arange(n)'";
  if (expected.starts_with("'..' between the limits of a loop"))
    return "a loop counts from one limit to another, as in 'for i in 0..n'";
  return expected.starts_with("'{'") || expected == "a statement"
             ? "statements stand between '{' and '}'"
             : "";
}

/// At the beginning of a line where a declaration has to stand.
static StringRef helpWithDeclaration(const Token &token) {
  StringRef word = token.text;
  if (word.size() > 4 && word.edit_distance("kernel", true, 2) <= 2)
    return "did you mean 'kernel'?";
  // The source ends with a zero.
  const char *next = word.end();
  while (*next == ' ')
    ++next;
  if (token.kind == Token::Name && *next == '=')
    return "write it in the kernel, or as '<NAME = value>' behind its name";
  return StringSwitch<StringRef>(word)
      .Case("def", "write 'kernel' for what is launched, 'fn' for what it "
                   "calls")
      .Cases({"function", "func", "pub", "void", "inline", "__device__"},
             "write 'fn'")
      .Cases({"__global__", "extern"}, "write 'kernel'")
      .Cases({"import", "from", "use", "#include"},
             "a file is complete: functions of the language need no import")
      .Case("}", "this '}' closes nothing")
      .Cases({"const", "let", "var"},
             "write it in the kernel, or as '<NAME = value>' behind its name")
      .Default("");
}

static StringRef helpWithArgument(StringRef word, char next) {
  if (isAlpha(word.front()))
    return next == ':' ? "',' stands between two arguments"
                       : "what is known of an argument is said by 'in "
                         "0..=100', 'divisible(16)' or 'noalias'";
  return StringSwitch<StringRef>(word)
      .Case("*", "the '*' of a pointer stands in front: 'p: *f32'")
      .Case("[", "the sides of a tensor stand in front: 'a: [M, N] f32'")
      .Case("=",
            "what is known at compile time has a default: '<N = 4>' behind "
            "the kernel's name")
      .Case(".", "types stand alone: 'f32', not 'tl.float32'")
      .Default("");
}

/// Where a list of arguments or indices should go on or end.
static StringRef helpInList(const Token &token, StringRef expected) {
  bool isOperand = token.kind == Token::Name || token.kind == Token::Integer ||
                   token.kind == Token::Float || token.kind == Token::Text;
  if (expected.starts_with("')' after the arguments of") && isOperand)
    return "',' stands between two arguments";
  if (expected.starts_with("']' after the indices") && isOperand)
    return "',' stands between two indices";
  return expected == "')' after the arguments"
             ? helpWithArgument(token.text, token.text.end()[0])
             : "";
}

/// In a run block.
static StringRef helpWithRun(StringRef word, StringRef previous,
                             StringRef expected) {
  if (expected.starts_with("'<' after '") && (word == "[" || word == "("))
    return "the type stands in front of the sides: 'randn<f32>[N]'";
  if (expected.starts_with("'[' before the sides") && word == "(")
    return "sides stand in brackets: 'randn<f32>[N]'";
  if (expected.starts_with("'(' before the sizes"))
    return "sizes stand in parentheses, also where there are none: 'run k() "
           "{ }'";
  if (expected.starts_with("'=' before the value") && previous == "assert")
    return "write 'expect y == x'";
  if (expected.starts_with("'=' before the value") &&
      (previous == "rtol" || previous == "atol"))
    return "a tolerance stands behind what is expected: 'expect y == x within "
           "1e-3'";
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

/// Help where the parser expected something in particular.
static StringRef helpWithExpected(const Token &token, StringRef previous,
                                  StringRef expected) {
  StringRef word = token.text;
  if (word == ":")
    return helpWithColon(expected, token.text.end()[0]);
  if (StringRef help = helpWithRun(word, previous, expected); !help.empty())
    return help;
  if (expected.starts_with("'kernel'"))
    return helpWithDeclaration(token);
  if (expected == "a name" &&
      (token.kind == Token::Integer || token.kind == Token::Float ||
       token.kind == Token::Text))
    return "a name begins with a letter or '_'";
  // `a if c else b`.
  if (word == "if" && expected.starts_with("')' after"))
    return "write 'where(condition, a, b)'";
  if (word == ".." && expected.starts_with("')' after the expression"))
    return "limits stand without parentheses: 'for i in 0..n'";
  bool isInList = expected.starts_with("')' after the arguments") ||
                  expected.starts_with("']' after the indices");
  if (isInList && !word.empty())
    if (StringRef help = helpInList(token, expected); !help.empty())
      return help;
  if (expected.starts_with("'..' between the limits of a loop") &&
      (word == "{" || previous == ")"))
    return "a loop counts from one limit to another, as in 'for i in 0..n'";
  if ((expected.starts_with("the loop's index") && !isKeyword(word)) ||
      expected.starts_with("'in' after the loop's index"))
    return "write 'for i in 0..n'";
  if (expected.starts_with("a hint such as") && previous == "(")
    return "write 'pipeline(stages = 3)'";
  if (expected.starts_with("'=' before the hint's value"))
    return word == "(" || word == "{"
               ? "'grid' stands before the number of programs: 'grid cdiv(n, "
                 "64)'"
               : "write 'warps = 8'";
  if (expected.starts_with("'..=' between the limits of a range"))
    return "both limits belong to the range: write 'in 0..=3'";
  if (expected.starts_with("'type', 'int' or 'bool'") && isTypeWord(word))
    return "write 'N = 4' for an integer, 'T: type = f32' for a type; floats "
           "are arguments";
  if (expected.starts_with("the name of a side") && isDigit(word.front()))
    return "a side is known when the kernel is launched: name it, as in '[M, "
           "N] f32'";
  if (expected.starts_with("'(' before the arguments") && word == "[")
    return "what is known at compile time stands in '<...>'";
  if (expected.starts_with("':' before the argument's type"))
    return "write 'x: f32', or 'x: *f32' for a pointer";
  return "";
}

/// Help with operators and signs of other languages.
static StringRef helpWithSigns(const Token &token, StringRef previous,
                               StringRef expected) {
  StringRef word = token.text;
  bool isValue = expected == "an expression" || expected == "a statement";
  if (word == "*" && previous != "*" && isValue)
    return "'load(p)' reads what a pointer points to, 'store(p, x)' writes it";
  if (word == "*" && previous == "*" && expected.starts_with("a type"))
    return "a pointer is to elements, not to other pointers: write 'x: *f32'";
  if ((word == "*" || word == "*=") && previous == "*")
    return "write 'x * x', or 'pow(x, y)' of floats";
  if (word == "+" && previous == "+")
    return "write 'x += 1'";
  if (word == "+" && expected == "an expression")
    return word.begin()[-1] == '=' ? "write 'x += y'"
                                   : "a number has no '+' in front";
  if ((word == ">" && previous == "<") || (word == "=" && previous == "!="))
    return "write '!='";
  if (word == "=" && previous == "==")
    return "write '=='";
  if (word == "=" && previous == "<" && expected == "an expression")
    return "write '<='";
  if (word == "=" && previous == ">" && expected == "an expression")
    return "write '>='";
  if (word == ">" && previous == ">>")
    return "write 'lshr(x, n)'";
  if (expected.starts_with("'>' after the type"))
    return "the sides stand behind the type: 'zeros<f32>[m, n]'";
  // The source ends with a zero, so that there is a character to look at.
  if (word == "=" && token.text.end()[0] == '>' && expected == "a statement")
    return "write '>='";
  if (word == "=" && token.text.end()[0] == '<' && expected == "a statement")
    return "write '<='";
  if (word == ";" && expected == "a statement")
    return "one ';' is enough";
  if (word == "{" && expected == "an expression")
    return previous == "if" || previous == "while"
               ? "a condition stands in front of the '{'"
               : "tiles are made by 'arange', 'zeros' and 'full'";
  if (word == "None" && expected == "an expression")
    return "'None' stands in indices only, as in 'x[:, None]'";
  if (word == "&" && expected.starts_with("a type"))
    return "a pointer is '*f32'";
  if (previous == "mut")
    return "write 'var x = ...'";
  if (word == "." && token.text.end()[0] >= '0' && token.text.end()[0] <= '9')
    return "a number begins with a digit: '0.5'";
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
      .Case("&", previous == "&" ? "'and' joins two conditions"
                                 : "a value has no address")
      .Case("|", previous == "|" ? "'or' joins two conditions" : "")
      .Case(".", "functions stand alone: 'load(p)', 'side(x, 0)', 'x as f16'")
      .Case("elif", "write 'else if'")
      .Default("");
}

StringRef tile::frontend::foreignSyntax(const Token &token, StringRef previous,
                                        StringRef expected) {
  StringRef help = helpWithExpected(token, previous, expected);
  return help.empty() ? helpWithSigns(token, previous, expected) : help;
}

bool tile::frontend::sayIR(StringRef source, DiagnosticList &errors) {
  source.consume_front("\xEF\xBB\xBF");
  StringRef rest = source.ltrim();
  while (rest.starts_with("//"))
    rest = rest.drop_until([](char c) { return c == '\n'; }).ltrim();
  StringRef line = rest.take_until([](char c) { return c == '\n'; }).rtrim();
  bool isModule =
      line.consume_front("module") &&
      (line.ends_with("{") || line.trim().starts_with("attributes"));
  bool isName = line.starts_with("#") &&
                (line.contains(" = #tile") || line.contains(" = affine_map"));
  if (!isModule && !isName && !line.starts_with("tile.kernel") &&
      !line.starts_with("\"builtin."))
    return false;
  SMLoc start = SMLoc::getFromPointer(rest.begin());
  errors
      .error({start, start}, "expected a source of the .tile language, got IR")
      .help("IR is read from files whose names do not end in .tile");
  return true;
}
