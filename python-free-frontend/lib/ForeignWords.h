//===- ForeignWords.h - What other languages write --------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What to write instead of the words of Triton, Python, C and Rust.  Each
// answer is a help to an error, and empty where none is known.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FRONTEND_FOREIGNWORDS_H
#define TILE_FRONTEND_FOREIGNWORDS_H

#include "Ast.h"
#include "Lexer.h"

namespace tile::frontend {

/// What to write instead of a word in some place.  What stands in quotes is
/// text of the language, '...' in it for anything.
struct Habit {
  enum Place {
    Function,  ///< a function that is called
    Statement, ///< the word that a statement begins with
    Argument,  ///< the name of an argument, or 'name=value'
    Name       ///< a value
  };
  Place place;
  /// The words, with a space between two.
  llvm::StringLiteral words;
  llvm::StringLiteral help;
};
/// All of them; a test parses what they say to write.
llvm::ArrayRef<Habit> habits();

/// For a function that the language does not have.
llvm::StringRef foreignFunction(llvm::StringRef name);

/// For `max(x, 0)` where the axis of a reduction is meant; empty of others.
std::string helpToReduce(const Expr &value);

/// For a word that begins a statement elsewhere, such as `loop`.
llvm::StringRef foreignStatement(llvm::StringRef word);
/// The word of the language that is meant where this one begins a statement;
/// empty where none is near.
llvm::StringRef nearestStatementWord(llvm::StringRef word);
/// Whether it is `elif` or the like.
bool isElseIf(llvm::StringRef word);

/// For the name of an argument that a function does not have, with this value
/// where it is a word or a text.
llvm::StringRef foreignArgument(llvm::StringRef name, llvm::StringRef value);

/// For a name that is not defined.
llvm::StringRef foreignName(llvm::StringRef name);
/// Whether functions of another language stand behind this name and a point.
bool isForeignModule(llvm::StringRef name);
/// The number that a text such as "-inf" means to Python; empty of others.
llvm::StringRef foreignNumber(llvm::StringRef text);

/// The type of the language that is meant, such as f32 for float32.
llvm::StringRef foreignType(llvm::StringRef name);

/// Whether the word is a type, here or elsewhere.
bool isTypeWord(llvm::StringRef name);
/// Whether C and its kin declare a name behind this word.
bool isDeclarationWord(llvm::StringRef name);
/// The type of the language, or the word itself.
llvm::StringRef typeWord(llvm::StringRef name);

/// For a word where `expected` had to stand, behind the word `previous`.
llvm::StringRef foreignSyntax(const Token &token, llvm::StringRef previous,
                              llvm::StringRef expected);

/// Whether the source is IR: one error, instead of one for each of its words.
bool sayIR(llvm::StringRef source, DiagnosticList &errors);

} // namespace tile::frontend

#endif // TILE_FRONTEND_FOREIGNWORDS_H
