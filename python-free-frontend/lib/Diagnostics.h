//===- Diagnostics.h - Where the front end's errors gather ------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FRONTEND_DIAGNOSTICS_H
#define TILE_FRONTEND_DIAGNOSTICS_H

#include "tile/Frontend/Frontend.h"

#include "llvm/ADT/Twine.h"

namespace tile::frontend {

/// What the source has there.
inline llvm::StringRef textOf(llvm::SMRange range) {
  const char *start = range.Start.getPointer(), *end = range.End.getPointer();
  return start < end ? llvm::StringRef(start, end - start) : "";
}

/// Collects errors and warnings, up to a number that a person would read.
class DiagnosticList {
public:
  static constexpr size_t kMaxErrors = 20;
  explicit DiagnosticList(std::vector<Diagnostic> &list) : list(list) {}

  /// What was added, to say what to write instead; null if it was one too many
  /// or a second time.
  class Added {
  public:
    explicit Added(Diagnostic *diagnostic) : diagnostic(diagnostic) {}
    void help(const llvm::Twine &text) {
      if (diagnostic)
        diagnostic->help = text.str();
    }
    void note(llvm::SMRange range, const llvm::Twine &text) {
      if (diagnostic)
        diagnostic->notes.push_back({range, text.str()});
    }

  private:
    Diagnostic *diagnostic;
  };

  Added error(llvm::SMRange range, const llvm::Twine &message) {
    return add({range, message.str(), {}, {}, {}});
  }
  Added error(llvm::SMRange range, const llvm::Twine &message,
              llvm::SMRange place, const llvm::Twine &note) {
    return add({range, message.str(), {{place, note.str()}}, {}, {}});
  }
  /// Something that is wrong with what the caller asks for, and of what.
  Added optionError(const llvm::Twine &message, llvm::SMRange range = {}) {
    return add({range, message.str(), {}, {}, {}, /*isOfOptions=*/true});
  }
  Added add(Diagnostic diagnostic);

  /// There is no error; there may be warnings.
  bool empty() const { return numErrors == 0; }
  /// No more errors are recorded.
  bool isFull() const { return numErrors >= kMaxErrors; }

  /// While it lives, what is unrolled is wrong once at a place, whatever the
  /// turns say there.
  class Unrolling {
  public:
    explicit Unrolling(DiagnosticList &errors)
        : errors(errors), outer(errors.firstUnrolled) {
      if (!outer)
        errors.firstUnrolled = errors.list.size();
    }
    ~Unrolling() { errors.firstUnrolled = outer; }
    Unrolling(const Unrolling &) = delete;
    Unrolling &operator=(const Unrolling &) = delete;

  private:
    DiagnosticList &errors;
    std::optional<size_t> outer;
  };

  /// While it lives, errors say that they happen in this call.
  class Context {
  public:
    Context(DiagnosticList &errors, llvm::SMRange range, std::string note)
        : errors(errors) {
      errors.calls.push_back({range, std::move(note)});
    }
    ~Context() { errors.calls.pop_back(); }
    Context(const Context &) = delete;
    Context &operator=(const Context &) = delete;

  private:
    DiagnosticList &errors;
  };

private:
  std::vector<Diagnostic> &list;
  size_t numErrors = 0, numWarnings = 0;
  /// The first of those that the outermost loop which is unrolled found.
  std::optional<size_t> firstUnrolled;
  /// Whether one says what an earlier one has said.
  bool isRepeated(const Diagnostic &diagnostic) const;
  /// Calls that are being inlined, the outermost first.
  std::vector<Diagnostic::Note> calls;
};

} // namespace tile::frontend

#endif // TILE_FRONTEND_DIAGNOSTICS_H
