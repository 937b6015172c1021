//===- LanguageTerms.h - What passes say, in the language -------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FRONTEND_LANGUAGETERMS_H
#define TILE_FRONTEND_LANGUAGETERMS_H

#include "mlir/IR/Diagnostics.h"

#include <string>

namespace tile::frontend {

/// The message of a pass, which names an op of IR, with what a .tile source
/// calls it: `'math.exp' op expected ...` becomes `'exp' expected ...`.
std::string inLanguageTerms(llvm::StringRef message);

/// While it lives, the context's errors come in the language's terms; of a
/// program that is a .tile source.
class LanguageTerms {
public:
  explicit LanguageTerms(mlir::MLIRContext &context);

private:
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace tile::frontend

#endif // TILE_FRONTEND_LANGUAGETERMS_H
