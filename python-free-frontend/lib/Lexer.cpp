//===- Lexer.cpp - Words of the .tile language ----------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lexer.h"

#include "ForeignWords.h"
#include "Formulas.h"

#include "tile/Frontend/Vocabulary.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace tile::frontend;

static bool isNameStart(char c) { return isAlpha(c) || c == '_'; }
static bool isNamePart(char c) { return isAlnum(c) || c == '_'; }
static bool isAscii(char c) { return uint8_t(c) < 0x80; }

Lexer::Lexer(StringRef source, DiagnosticList &errors)
    : rest(source), errors(errors) {
  // Some editors put a byte order mark in front of UTF-8.
  rest.consume_front("\xef\xbb\xbf");
  // What editors show as lines would be one line, and perhaps a comment.
  for (size_t i = rest.find('\r'); i < rest.size(); i = rest.find('\r', i + 1))
    if (!rest.drop_front(i + 1).starts_with("\n")) {
      const char *at = rest.begin() + i;
      errors
          .error({SMLoc::getFromPointer(at), SMLoc::getFromPointer(at + 1)},
                 "expected a line feed behind a carriage return, got none")
          .help("end each line with a line feed");
      return;
    }
}

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
      trailing.emplace_back(last.text.end(), comment.rtrim());
    rest = rest.drop_front(comment.size());
  }
}

std::vector<StringRef>
Lexer::divisions(const DenseSet<const char *> &undivided) const {
  std::vector<StringRef> found;
  for (auto [end, comment] : trailing)
    if (!undivided.contains(end) && readsLikeDivisor(comment, names))
      found.push_back(comment);
  return found;
}

bool Lexer::hidesCode(StringRef comment) const {
  StringRef text = comment.drop_front(2).trim();
  if (readsLikeDivisor(comment, names))
    return true;
  StringRef word = text.take_while(isNamePart);
  bool isOperand =
      !word.empty() && (all_of(word, isDigit) || names.contains(word));
  int open = 0;
  bool closes = text.ends_with("{");
  for (char c : text) {
    open += c == '(' || c == '[';
    open -= c == ')' || c == ']';
    closes |= open < 0;
  }
  return isOperand && closes;
}

Token Lexer::take(Token::Kind kind, size_t length) {
  Token token;
  token.kind = kind;
  token.text = rest.take_front(length);
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
  bool isForeign = is_contained(
      {"f", "F", "l", "L", "u", "U", "ul", "UL", "ll", "LL", "ull", "ULL", "h"},
      suffix);
  bool isBase = digits == "0" && StringRef("bBoOX").contains(suffix.front());
  Token wrong = take(kind, length + suffix.size());
  errors.error(wrong.range(), "expected a number, got '" + wrong.text + "'")
      .help(isType      ? "write '" + digits + " as " + suffix + "'"
            : isForeign ? "write '" + digits + "'"
            : isBase    ? "numbers are decimal, or hexadecimal as in '0x1f'"
                        : Twine());
  // Enough has been said of it.
  sign = wrong.text.begin();
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
  sign = wrong.text.begin();
  return wrong;
}

/// A text in quotes of other languages, which is an error; nothing where they
/// do not end on the line.
std::optional<Token> Lexer::foreignText() {
  size_t end = rest.find_first_of(rest[0] == '`' ? "`\n" : "'\n", 1);
  if (end >= rest.size() || rest[end] == '\n')
    return std::nullopt;
  Token wrong = take(Token::Text, end + 1);
  StringRef number = foreignNumber(wrong.text);
  errors
      .error(wrong.range(), "expected a word of the language, got a text in "
                            "other quotes")
      .help(number.empty()
                ? "write '\"" + wrong.text.drop_front().drop_back() + "\"'"
                : "write '" + number + "' alone: it is a number");
  sign = wrong.text.begin();
  return wrong;
}

/// The character that a text begins with, and its bytes; 0 where it is ASCII or
/// no UTF-8.
static std::pair<UTF32, size_t> foreignCharacter(StringRef text) {
  size_t length = text.empty() ? 0 : getNumBytesForUTF8(UTF8(text.front()));
  UTF32 character = 0, *end = &character;
  const UTF8 *begin = text.bytes_begin();
  bool isOne = length > 1 && length <= text.size() &&
               ConvertUTF8toUTF32(&begin, begin + length, &end, end + 1,
                                  strictConversion) == conversionOK;
  return isOne ? std::pair(character, length) : std::pair(UTF32(0), size_t(0));
}

static bool isForeignBlank(UTF32 c) {
  return (c >= 0x2000 && c <= 0x200d) || c == 0x2028 || c == 0x2029 ||
         is_contained(
             {0x85, 0xa0, 0x1680, 0x202f, 0x205f, 0x2060, 0x3000, 0xfeff}, c);
}

/// The sign of the language that is meant by this character, a space for one
/// that shows nothing; empty of any other.
static StringRef meantSign(UTF32 c) {
  if (isForeignBlank(c))
    return " ";
  // Signs as wide as an ideograph: U+FF01 is '!', and so on.
  static constexpr StringLiteral kWide =
      "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`"
      "abcdefghijklmnopqrstuvwxyz{|}~";
  if (c >= 0xff01 && c < 0xff01 + kWide.size())
    if (StringRef sign = kWide.substr(c - 0xff01, 1); isPunct(sign[0]))
      return sign == "'" ? "\"" : sign;
  switch (c) {
  case 0xd7:   // multiplication sign
  case 0xb7:   // middle dot
  case 0x2217: // asterisk operator
    return "*";
  case 0x2212: // minus
  case 0x2013: // en dash
  case 0x2014: // em dash
    return "-";
  case 0xf7:   // division sign
  case 0x2215: // division slash
    return "/";
  case 0x2264:
    return "<=";
  case 0x2265:
    return ">=";
  case 0x2260:
    return "!=";
  case 0x2192:
    return "->";
  case 0x2026: // ellipsis
    return "..";
  case 0x3001: // ideographic comma
    return ",";
  case 0x2018:
  case 0x2019:
  case 0x201c:
  case 0x201d:
    return "\"";
  default:
    return "";
  }
}

/// The bytes of the sign that the text begins with; 0 if it is none.
static size_t signLength(StringRef text) {
  auto [character, length] = foreignCharacter(text);
  return length > 0 && !meantSign(character).empty() ? length : 0;
}

/// A sign that is no ASCII: an error, and then the sign that is meant, the text
/// that stands between such quotes, or nothing.
std::optional<Token> Lexer::foreignSign(size_t length) {
  StringRef meant = meantSign(foreignCharacter(rest).first);
  Token wrong = take(Token::Symbol, length);
  errors
      .error(wrong.range(), "expected a word of the language, got " +
                                (meant == " " ? "a blank of another kind"
                                              : "'" + wrong.text + "'"))
      .help(meant == " " ? "write a space" : "write '" + meant + "'");
  if (meant == "\"")
    return foreignQuotes(wrong.text);
  bool isWord = meant != " " && !StringRef("!#$'?@\\`").contains(meant);
  if (!isWord) {
    sign = wrong.text.begin();
    return std::nullopt;
  }
  wrong.meant = meant;
  last = wrong;
  return wrong;
}

/// The text up to a sign that ends it, or up to the end of the line.
Token Lexer::foreignQuotes(StringRef sign) {
  size_t end = rest.take_until([](char c) { return c == '\n'; }).size();
  for (size_t i = 0; i < end; ++i)
    if (auto [c, length] = foreignCharacter(rest.drop_front(i));
        length > 0 && meantSign(c) == "\"")
      end = i + length;
  this->sign = sign.begin();
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

/// A comment of C, which is an error, up to its end.
void Lexer::skipForeignComment() {
  // What is in front of it still is the last word.
  Token before = last;
  Token open = take(Token::Symbol, 2);
  last = before;
  errors.error(open.range(), "expected a word of the language, got '/*'")
      .help("comments begin with '//' and go on to the end of the line");
  size_t end = rest.find("*/");
  rest = end == StringRef::npos ? rest.take_back(0) : rest.drop_front(end + 2);
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
    if (rest[0] == '\'' || rest[0] == '`')
      if (std::optional<Token> text = foreignText())
        return *text;
    if (rest.starts_with("/*")) {
      skipForeignComment();
      continue;
    }
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
    Token::Kind before =
        last.text.end() == rest.begin() ? last.kind : Token::End;
    Token wrong = take(Token::Symbol, 1);
    std::string shown = isPrint(wrong.text[0])
                            ? wrong.text.str()
                            : "byte " + std::to_string(uint8_t(wrong.text[0]));
    bool isMacro = wrong.text == "!" && before == Token::Name &&
                   (rest.starts_with("(") || rest.starts_with("["));
    StringRef help = StringSwitch<StringRef>(wrong.text)
                         .Case("!", isMacro ? "there are no macros: leave the "
                                              "'!' out"
                                            : "write 'not'")
                         .Case(".", "functions stand alone: 'load', not "
                                    "'tl.load'")
                         .Case("#", "comments begin with '//'")
                         .Case("?", "write 'where(condition, a, b)'")
                         .Default("");
    errors
        .error(wrong.range(),
               "expected a word of the language, got '" + shown + "'")
        .help(help);
    sign = wrong.text.begin();
    // What is meant as a comment is none of the program.
    if (wrong.text == "#")
      rest = rest.drop_front(std::min(rest.find('\n'), rest.size()));
    if (errors.isFull())
      rest = rest.take_back(0);
  }
}
