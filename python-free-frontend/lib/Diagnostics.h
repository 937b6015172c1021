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

/// Collects errors and warnings, up to a number that a person would read.
class DiagnosticList {
public:
  explicit DiagnosticList(std::vector<Diagnostic> &list) : list(list) {}

  void error(llvm::SMRange range, const llvm::Twine &message) {
    add({range, message.str(), {}, {}, {}});
  }
  void error(llvm::SMRange range, const llvm::Twine &message,
             llvm::SMRange place, const llvm::Twine &note) {
    add({range, message.str(), {{place, note.str()}}, {}, {}});
  }
  /// An error and what to write instead.
  void errorWithHelp(llvm::SMRange range, const llvm::Twine &message,
                     const llvm::Twine &help) {
    add({range, message.str(), {}, help.str(), {}});
  }
  void add(Diagnostic diagnostic);

  /// There is no error; there may be warnings.
  bool empty() const { return numErrors == 0; }
  /// No more errors are recorded.
  bool isFull() const { return numErrors >= kMaxErrors; }

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
  static constexpr size_t kMaxErrors = 20;
  std::vector<Diagnostic> &list;
  size_t numErrors = 0, numWarnings = 0;
  /// Calls that are being inlined, the outermost first.
  std::vector<Diagnostic::Note> calls;
};

} // namespace tile::frontend

#endif // TILE_FRONTEND_DIAGNOSTICS_H
