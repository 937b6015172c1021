//===- Vocabulary.h - Words of the language and what they mean --*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FRONTEND_VOCABULARY_H
#define TILE_FRONTEND_VOCABULARY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tile::frontend {

/// A function of the language, for people.
struct FunctionInfo {
  llvm::StringLiteral name;
  /// How it is called.
  llvm::StringLiteral form;
  /// One sentence.
  llvm::StringLiteral summary;
};

/// All functions of the language, those of one kind together.
llvm::ArrayRef<FunctionInfo> functionInfos();

/// How the function is called; empty where the language has none of the name.
llvm::StringRef functionForm(llvm::StringRef name);

/// A function that `expect` may call, for people and for who checks calls.
struct ExpectationFunction : FunctionInfo {
  unsigned numOperands;
};

/// All functions of expectations, in the order of their names.
llvm::ArrayRef<ExpectationFunction> expectationFunctions();

/// The function of expectations of this name; null for none.
const ExpectationFunction *findExpectationFunction(llvm::StringRef name);

/// What the tensors of a run block hold at first: `zeros<f32>[N]`.
llvm::ArrayRef<FunctionInfo> runFills();

/// The operations of arrangements.
llvm::ArrayRef<FunctionInfo> arrangeOperations();

/// The language's name of a type that command lines spell as it or IR does:
/// "f8e4m3" for "f8E4M3FN"; other words stay.
llvm::StringRef languageTypeName(llvm::StringRef name);

/// The words that cannot be names.
llvm::ArrayRef<llvm::StringLiteral> keywords();

/// Words that mean something in their place and are names elsewhere.
llvm::ArrayRef<llvm::StringLiteral> contextualWords();

/// The names of element types.
llvm::ArrayRef<llvm::StringLiteral> elementTypeNames();

/// What IR calls the element type of the language; of other words themselves.
llvm::StringRef irTypeName(llvm::StringRef name);

} // namespace tile::frontend

#endif // TILE_FRONTEND_VOCABULARY_H
