//===- Diagnostics.cpp - Gathers and prints the front end's errors --------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace tile::frontend;

/// More calls than the innermost of so many, and the outermost, are no help.
static constexpr size_t kMaxCallNotes = 3;

DiagnosticList::Added DiagnosticList::add(Diagnostic diagnostic) {
  size_t &count = diagnostic.isWarning() ? numWarnings : numErrors;
  if (count >= kMaxErrors)
    return Added(nullptr);
  // A function that is called twice is wrong once.
  for (const Diagnostic &earlier : list)
    if (diagnostic.range.isValid() &&
        earlier.range.Start == diagnostic.range.Start &&
        earlier.message == diagnostic.message)
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
  auto [line, column] = sources.getLineAndColumn(range.Start, buffer);
  object["line"] = line;
  object["column"] = column;
  // An expression that is missing ends before it begins.
  SMLoc last = range.Start.getPointer() < range.End.getPointer() ? range.End
                                                                 : range.Start;
  auto [endLine, endColumn] = sources.getLineAndColumn(last, buffer);
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
