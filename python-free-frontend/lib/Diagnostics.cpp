//===- Diagnostics.cpp - Gathers and prints the front end's errors --------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Unicode.h"
#include "llvm/Support/WithColor.h"

#include <algorithm>

using namespace llvm;
using namespace tile::frontend;

/// More calls than the innermost of so many, and the outermost, are no help.
static constexpr size_t kMaxCallNotes = 3;

bool DiagnosticList::isRepeated(const Diagnostic &diagnostic) const {
  if (!diagnostic.range.isValid())
    return false;
  for (auto [index, earlier] : llvm::enumerate(list)) {
    if (earlier.range.Start != diagnostic.range.Start)
      continue;
    // A function that is called twice is wrong once.
    if (earlier.message == diagnostic.message)
      return true;
    // The turns of a loop may name other types and values.
    if (firstUnrolled && index >= *firstUnrolled &&
        earlier.range.End == diagnostic.range.End &&
        earlier.lint == diagnostic.lint)
      return true;
  }
  return false;
}

DiagnosticList::Added DiagnosticList::add(Diagnostic diagnostic) {
  size_t &count = diagnostic.isWarning() ? numWarnings : numErrors;
  if (count >= kMaxErrors)
    return Added(nullptr);
  if (isRepeated(diagnostic))
    return Added(nullptr);
  size_t shown = std::min(calls.size(), kMaxCallNotes);
  for (const Diagnostic::Note &call :
       llvm::reverse(ArrayRef(calls).take_back(shown)))
    diagnostic.notes.push_back(call);
  if (shown < calls.size())
    diagnostic.notes.push_back(calls.front());
  ++count;
  list.push_back(std::move(diagnostic));
  return Added(&list.back());
}

/// The mark that editors put in front of UTF-8.
static constexpr StringLiteral kByteOrderMark = "\xef\xbb\xbf";

std::pair<unsigned, unsigned>
tile::frontend::lineAndColumn(const SourceMgr &sources, SMLoc place) {
  unsigned buffer = sources.getMainFileID();
  const auto &source = sources.getBufferInfo(buffer);
  // LLVM looks for the beginning of the line in its text, which may be long,
  // and counts columns also from a carriage return, which ends no line.
  unsigned line = source.getLineNumber(place.getPointer());
  const char *begin = source.getPointerForLineNumber(line);
  unsigned column = place.getPointer() - begin + 1;
  StringRef text = source.Buffer->getBuffer();
  bool hasMark = text.starts_with(kByteOrderMark);
  unsigned skipped = line == 1 && hasMark ? kByteOrderMark.size() : 0;
  return {line, column > skipped ? column - skipped : 1};
}

/// The bytes as "\x1b\x07".
static std::string escaped(StringRef bytes) {
  std::string text;
  for (char byte : bytes)
    text += "\\x" + utohexstr(uint8_t(byte), /*LowerCase=*/true, /*Width=*/2);
  return text;
}

/// Whether a terminal would obey a byte of the line.
static bool hasControls(StringRef line) {
  return any_of(line, [](char byte) {
    return byte != '\t' && (uint8_t(byte) < ' ' || byte == 0x7f);
  });
}

/// The columns that a terminal shows the text in; `os`, if it is given, gets
/// the text with spaces for tabs, and bytes of no character in hexadecimal.
static unsigned showText(StringRef text, unsigned column, raw_ostream *os) {
  while (!text.empty()) {
    unsigned bytes = std::min<size_t>(
        std::max(1u, getNumBytesForUTF8(UTF8(text.front()))), text.size());
    // A byte that begins no character stands alone.
    if (!isLegalUTF8Sequence(text.bytes_begin(), text.bytes_begin() + bytes))
      bytes = 1;
    StringRef character = text.take_front(bytes);
    text = text.drop_front(bytes);
    if (character == "\r")
      character = " ";
    if (character == "\t") {
      unsigned width = 8 - column % 8;
      column += width;
      if (os)
        os->indent(width);
      continue;
    }
    int width = sys::unicode::columnWidthUTF8(character);
    // A terminal must not obey what a source holds.
    std::string shown = width < 0 ? escaped(character) : character.str();
    column += width < 0 ? shown.size() : width;
    if (os)
      *os << shown;
  }
  return column;
}

/// The longest line, in bytes, that is shown as a whole.
static constexpr size_t kMaxShown = 240;

/// The part of the line around the place that a person would read, at most
/// `kMaxShown` bytes of it.
static StringRef excerptOf(StringRef line, const char *place) {
  if (line.size() <= kMaxShown)
    return line;
  size_t at = std::clamp(place, line.begin(), line.end()) - line.begin();
  size_t begin =
      std::min(at - std::min(at, kMaxShown / 3), line.size() - kMaxShown);
  size_t end = begin + kMaxShown;
  // Bytes that go on with a character of UTF-8 stay with the first of it.
  auto isInside = [&](size_t i) {
    return i < line.size() && (uint8_t(line[i]) & 0xc0) == 0x80;
  };
  while (begin < at && isInside(begin))
    ++begin;
  while (end > at && isInside(end))
    --end;
  return line.slice(begin, end);
}

/// As LLVM prints it, which marks no place in a line that is not all ASCII or
/// has a carriage return, shows the whole of a long one, and any control byte
/// as it is.
static void printMarked(const SourceMgr &sources, SMRange range,
                        SourceMgr::DiagKind kind, StringRef message,
                        StringRef line, raw_ostream &os) {
  const MemoryBuffer &buffer =
      *sources.getMemoryBuffer(sources.getMainFileID());
  auto [number, column] = lineAndColumn(sources, range.Start);
  WithColor(os, raw_ostream::SAVEDCOLOR, /*Bold=*/true)
      << buffer.getBufferIdentifier() << ':' << number << ':' << column << ": ";
  if (kind == SourceMgr::DK_Error)
    WithColor::error(os);
  else if (kind == SourceMgr::DK_Warning)
    WithColor::warning(os);
  else
    WithColor::note(os);
  WithColor(os, raw_ostream::SAVEDCOLOR, /*Bold=*/true) << message << '\n';
  // The mark of the file and a carriage return are not shown.
  StringRef shown = excerptOf(line, range.Start.getPointer());
  StringRef before = shown.begin() > line.begin() ? "..." : "";
  StringRef behind = shown.end() < line.end() ? "..." : "";
  const char *start =
      std::clamp(range.Start.getPointer(), shown.begin(), shown.end());
  const char *end = std::clamp(range.End.getPointer(), start, shown.end());
  unsigned from = showText({shown.begin(), size_t(start - shown.begin())},
                           before.size(), /*os=*/nullptr);
  unsigned to = showText({start, size_t(end - start)}, from, /*os=*/nullptr);
  os << before;
  showText(shown, before.size(), &os);
  os << behind << '\n';
  WithColor(os, raw_ostream::GREEN, /*Bold=*/true)
      << std::string(from, ' ') << '^'
      << std::string(to > from + 1 ? to - from - 1 : 0, '~') << '\n';
}

/// The line that the place is in, without a mark of the file.
static StringRef lineAt(const SourceMgr &sources, SMLoc place) {
  StringRef text =
      sources.getMemoryBuffer(sources.getMainFileID())->getBuffer();
  size_t offset = place.getPointer() - text.begin();
  size_t begin = text.take_front(offset).rfind('\n') + 1;
  StringRef line = text.slice(begin, text.find('\n', offset)).rtrim('\r');
  if (begin == 0)
    line.consume_front(kByteOrderMark);
  return line;
}

void tile::frontend::printDiagnostics(const SourceMgr &sources,
                                      ArrayRef<Diagnostic> diagnostics,
                                      raw_ostream &os) {
  auto print = [&](SMRange range, SourceMgr::DiagKind kind, StringRef message) {
    // What is wrong outside of the text, such as an option, names the file.
    if (!range.isValid()) {
      os << sources.getMemoryBuffer(sources.getMainFileID())
                ->getBufferIdentifier()
         << ": error: " << message << "\n";
      return;
    }
    StringRef line = lineAt(sources, range.Start);
    bool isMarked = lineAndColumn(sources, range.Start) !=
                    sources.getLineAndColumn(range.Start);
    if (isMarked || line.size() > kMaxShown || !llvm::isASCII(line) ||
        hasControls(line))
      return printMarked(sources, range, kind, message, line, os);
    SmallVector<SMRange, 1> ranges;
    // What is missing has no characters; LLVM would mark less than none.
    if (range.isValid() && range.Start.getPointer() < range.End.getPointer())
      ranges.push_back(range);
    sources.PrintMessage(os, range.Start, kind, message, ranges);
  };
  for (const Diagnostic &diagnostic : diagnostics) {
    bool isWarning = diagnostic.isWarning();
    print(diagnostic.range,
          isWarning ? SourceMgr::DK_Warning : SourceMgr::DK_Error,
          isWarning ? diagnostic.message + " [" + diagnostic.lint + "]"
                    : diagnostic.message);
    for (const Diagnostic::Note &note : diagnostic.notes)
      print(note.range, SourceMgr::DK_Note, note.message);
    if (!diagnostic.help.empty())
      os << "  = help: " << diagnostic.help << "\n";
  }
}

/// Where it begins and ends, counted from 1; nothing where there is no place.
static void addPlace(const SourceMgr &sources, SMRange range,
                     json::Object &object) {
  unsigned buffer = sources.getMainFileID();
  StringRef file = sources.getMemoryBuffer(buffer)->getBufferIdentifier();
  object["file"] = json::fixUTF8(file);
  if (!range.isValid())
    return;
  auto [line, column] = lineAndColumn(sources, range.Start);
  object["line"] = line;
  object["column"] = column;
  // An expression that is missing ends before it begins.
  SMLoc last = range.Start.getPointer() < range.End.getPointer() ? range.End
                                                                 : range.Start;
  auto [endLine, endColumn] = lineAndColumn(sources, last);
  object["endLine"] = endLine;
  object["endColumn"] = endColumn;
}

void tile::frontend::printDiagnosticsAsJson(const SourceMgr &sources,
                                            ArrayRef<Diagnostic> diagnostics,
                                            raw_ostream &os) {
  for (const Diagnostic &diagnostic : diagnostics) {
    json::Object object;
    addPlace(sources, diagnostic.range, object);
    object["severity"] = diagnostic.isWarning() ? "warning" : "error";
    object["message"] = json::fixUTF8(diagnostic.message);
    if (diagnostic.isWarning())
      object["lint"] = diagnostic.lint;
    if (!diagnostic.help.empty())
      object["help"] = json::fixUTF8(diagnostic.help);
    json::Array notes;
    for (const Diagnostic::Note &note : diagnostic.notes) {
      json::Object place;
      addPlace(sources, note.range, place);
      place["message"] = json::fixUTF8(note.message);
      notes.push_back(std::move(place));
    }
    if (!notes.empty())
      object["notes"] = std::move(notes);
    os << json::Value(std::move(object)) << "\n";
  }
}
