//===- Lexer.cpp - Words of the .tile language ----------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lexer.h"

#include "tile/Frontend/Vocabulary.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace tile::frontend;

static bool isNameStart(char c) { return isAlpha(c) || c == '_'; }
static bool isNamePart(char c) { return isAlnum(c) || c == '_'; }
static bool isAscii(char c) { return uint8_t(c) < 0x80; }

void Lexer::skipBlanks() {
  for (;;) {
    rest = rest.ltrim(" \t\r\n");
    if (!rest.starts_with("//"))
      return;
    StringRef comment = rest.take_front(std::min(rest.find('\n'), rest.size()));
    StringRef between(last.text.end(), comment.begin() - last.text.end());
    bool isOperand = last.kind == Token::Name || last.kind == Token::Integer ||
                     last.is(")") || last.is("]");
    if (isOperand && !between.contains('\n'))
      trailing.push_back(comment.rtrim());
    rest = rest.drop_front(comment.size());
  }
}

/// Whether the text is a name of these or a number, or some with operators
/// between them.
static bool isFormula(StringRef text, const StringSet<> &names) {
  bool wantsOperand = true;
  for (text = text.trim(); !text.empty(); text = text.ltrim()) {
    StringRef word = text.take_while(isNamePart);
    if (word.empty() == wantsOperand)
      return false;
    if (wantsOperand && !isDigit(word[0]) && !names.contains(word))
      return false;
    if (!wantsOperand && !StringRef("+-*%)").contains(text[0]))
      return false;
    // After a ')' comes an operator again.
    bool isClose = text[0] == ')';
    text = text.drop_front(wantsOperand ? word.size() : 1);
    wantsOperand = !wantsOperand && !isClose;
  }
  return !wantsOperand;
}

std::vector<StringRef> Lexer::divisions() const {
  std::vector<StringRef> found;
  for (StringRef comment : trailing)
    if (isFormula(comment.drop_front(2), names))
      found.push_back(comment);
  return found;
}

Token Lexer::take(Token::Kind kind, size_t length) {
  Token token{kind, rest.take_front(length)};
  last = token;
  rest = rest.drop_front(length);
  return token;
}

/// Digits, with a fraction and an exponent for a float.  `0..4` is a range: a
/// point that another one follows belongs to no number.
Token Lexer::number() {
  auto digits = [&](size_t from) {
    while (from < rest.size() && (isDigit(rest[from]) || rest[from] == '_'))
      ++from;
    return from;
  };
  Token::Kind kind = Token::Integer;
  if (rest.starts_with("0x")) {
    size_t end = 2;
    while (end < rest.size() && (isHexDigit(rest[end]) || rest[end] == '_'))
      ++end;
    return wholeNumber(kind, end);
  }
  size_t end = digits(0);
  if (end + 1 < rest.size() && rest[end] == '.' && isDigit(rest[end + 1])) {
    kind = Token::Float;
    end = digits(end + 1);
  }
  if (end < rest.size() && (rest[end] == 'e' || rest[end] == 'E')) {
    size_t sign = end + 1;
    if (sign < rest.size() && (rest[sign] == '-' || rest[sign] == '+'))
      ++sign;
    if (sign < rest.size() && isDigit(rest[sign])) {
      kind = Token::Float;
      end = digits(sign);
    }
  }
  return wholeNumber(kind, end);
}

/// The number of this length; letters that follow it are an error.
Token Lexer::wholeNumber(Token::Kind kind, size_t length) {
  StringRef suffix = rest.drop_front(length).take_while(isNamePart);
  StringRef digits = rest.take_front(length);
  if (suffix.empty() && digits != "0x")
    return take(kind, length);
  bool isType = is_contained(elementTypeNames(), suffix);
  Token wrong = take(kind, length + suffix.size());
  errors.error(wrong.range(), "expected a number, got '" + wrong.text + "'")
      .help(isType ? "write '" + digits + " as " + suffix + "'" : Twine());
  // Enough has been said of it.
  wrong.text = wrong.text.take_front(digits == "0x" ? 1 : length);
  return wrong;
}

/// A text in quotes, which ends on its line.
Token Lexer::quoted() {
  size_t end = rest.find_first_of("\"\n", 1);
  if (end < rest.size() && rest[end] == '"')
    return take(Token::Text, end + 1);
  Token wrong = take(Token::Text, std::min(end, rest.size()));
  errors.error(wrong.range(), "expected '\"' to end the text on its line");
  return wrong;
}

/// What to write instead of a sign that is no ASCII; empty of any other word.
static StringRef helpWithSign(StringRef word) {
  return StringSwitch<StringRef>(word)
      .Cases({"\u00d7", "\u00b7", "\u2217"}, "write '*'")
      .Cases({"\u2212", "\u2013", "\u2014"}, "write '-'")
      .Cases({"\u00f7", "\u2215"}, "write '/'")
      .Case("\u2264", "write '<='")
      .Case("\u2265", "write '>='")
      .Case("\u2260", "write '!='")
      .Cases({"\u201c", "\u201d", "\u2018", "\u2019"}, "write '\"'")
      .Case("\u2192", "write '->'")
      .Cases({"\u00a0", "\u200b", "\u2003", "\ufeff"}, "write a space")
      .Default("");
}

/// The bytes of the sign that the text begins with; 0 if it is none.
static size_t signLength(StringRef text) {
  for (size_t length : {2, 3})
    if (!helpWithSign(text.take_front(length)).empty())
      return length;
  return 0;
}

/// A sign that is no ASCII: an error, and then nothing, or the text that stands
/// between such quotes.
std::optional<Token> Lexer::foreignSign(size_t length) {
  StringRef help = helpWithSign(rest.take_front(length));
  Token wrong = take(Token::Symbol, length);
  std::string shown = "'" + wrong.text.str() + "'";
  if (help.ends_with("space"))
    shown = "a blank of another kind";
  errors.error(wrong.range(), "expected a word of the language, got " + shown)
      .help(help);
  sign = wrong.text.begin();
  if (!help.ends_with("\"'"))
    return std::nullopt;
  size_t end = rest.take_until([](char c) { return c == '\n'; }).size();
  for (size_t i = 0; i < end; ++i)
    if (StringRef at = rest.drop_front(i);
        helpWithSign(at.take_front(3)) == help)
      end = i + 3;
  return take(Token::Text, end);
}

/// A word with characters that are no ASCII, the first of them at `start`: an
/// error, and then a name, or nothing where it is no UTF-8.
std::optional<Token> Lexer::foreignWord(size_t start) {
  size_t end = start;
  while (end < rest.size() && (!isAscii(rest[end]) || isNamePart(rest[end])) &&
         signLength(rest.drop_front(end)) == 0)
    ++end;
  Token wrong = take(Token::Name, end);
  bool isText = json::isUTF8(wrong.text);
  std::string shown =
      isText ? "'" + wrong.text.str() + "'"
             : "'byte " + std::to_string(uint8_t(wrong.text[start])) + "'";
  errors.error(wrong.range(), "expected a word of the language, got " + shown)
      .help(isText ? "names have letters from a to z, digits and '_'"
                   : "a source is UTF-8");
  if (isText)
    return wrong;
  sign = wrong.text.begin();
  return std::nullopt;
}

Token Lexer::next() {
  for (;;) {
    skipBlanks();
    if (rest.empty())
      return take(Token::End, 0);
    if (isNameStart(rest[0])) {
      size_t end = 1;
      while (end < rest.size() && isNamePart(rest[end]))
        ++end;
      bool isForeign = end < rest.size() && !isAscii(rest[end]);
      if (isForeign && signLength(rest.drop_front(end)) == 0) {
        if (std::optional<Token> word = foreignWord(end))
          return *word;
        continue;
      }
      names.insert(rest.take_front(end));
      return take(Token::Name, end);
    }
    if (isDigit(rest[0]))
      return number();
    if (rest[0] == '"')
      return quoted();
    // Longest first.
    for (StringRef symbol :
         {"..=", "<<=", ">>=", "..", "==", "!=", "<=", ">=", "<<", ">>",
          "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "->"})
      if (rest.starts_with(symbol))
        return take(Token::Symbol, symbol.size());
    if (StringRef("()[]{}<>,:;=+-*/%&|^~@.").contains(rest[0]))
      return take(Token::Symbol, 1);
    if (!isAscii(rest[0])) {
      size_t length = signLength(rest);
      std::optional<Token> word = length ? foreignSign(length) : foreignWord(0);
      if (word && !errors.isFull())
        return *word;
      if (errors.isFull())
        rest = rest.take_back(0);
      continue;
    }
    Token wrong = take(Token::Symbol, 1);
    std::string shown = isPrint(wrong.text[0])
                            ? wrong.text.str()
                            : "byte " + std::to_string(uint8_t(wrong.text[0]));
    StringRef help = StringSwitch<StringRef>(wrong.text)
                         .Case("!", "write 'not'")
                         .Case(".", "functions stand alone: 'load', not "
                                    "'tl.load'")
                         .Case("#", "comments begin with '//'")
                         .Case("?", "write 'where(condition, a, b)'")
                         .Default("");
    errors
        .error(wrong.range(),
               "expected a word of the language, got '" + shown + "'")
        .help(help);
    // What is meant as a comment is none of the program.
    if (wrong.text == "#")
      rest = rest.drop_front(std::min(rest.find('\n'), rest.size()));
    if (errors.isFull())
      rest = rest.take_back(0);
  }
}
