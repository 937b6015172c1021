//===- LanguageTerms.cpp - What passes say, in the language ---------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Frontend/LanguageTerms.h"

#include "tile/Frontend/Vocabulary.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace tile::frontend;

/// What the language calls the op; empty where it has no word for it.
static std::string termOf(StringRef op) {
  auto [dialect, name] = op.split('.');
  if (dialect == "math")
    return ("'" +
            StringSwitch<StringRef>(name)
                .Cases({"absf", "absi"}, "abs")
                .Default(name) +
            "'")
        .str();
  return StringSwitch<std::string>(op)
      .Case("arith.constant", "a tile of constants")
      .Case("tile.splat", "'full'")
      .Case("tile.iota", "'arange'")
      .Cases({"tile.load", "tile_gpu.load"}, "a load")
      .Cases({"tile.store", "tile_gpu.store"}, "a store")
      .Cases({"tile.dot", "tile_gpu.mma"}, "'dot'")
      .Case("tile.reduce", "a reduction")
      .Case("tile.scan", "a scan")
      .Case("tile.reshape", "'reshape'")
      .Case("tile.broadcast", "a broadcast")
      .Case("tile.transpose", "'trans'")
      .Cases({"tile.atomic_rmw", "tile_gpu.atomic_rmw"}, "an atomic update")
      .Cases({"tile.atomic_cas", "tile_gpu.atomic_cas"}, "'atomic_cas'")
      .Case("tile.print", "'print'")
      .Case("tile.assert", "'assert'")
      .Cases({"arith.addf", "arith.addi"}, "'+'")
      .Cases({"arith.subf", "arith.subi", "arith.negf"}, "'-'")
      .Cases({"arith.mulf", "arith.muli"}, "'*'")
      .Cases({"arith.divf", "arith.divsi"}, "'/'")
      .Case("arith.remsi", "'%'")
      .Case("arith.andi", "'&'")
      .Case("arith.ori", "'|'")
      .Case("arith.xori", "'^'")
      .Case("arith.shli", "'<<'")
      .Case("arith.shrsi", "'>>'")
      .Case("arith.shrui", "'lshr'")
      .Case("arith.divui", "'udiv'")
      .Case("arith.remui", "'urem'")
      .Case("arith.mului_extended", "'umulhi'")
      .Case("arith.floordivsi", "'floordiv'")
      .Case("arith.ceildivsi", "'cdiv'")
      .Case("arith.bitcast", "'bitcast'")
      .Case("tile.expand_dims", "an index with None")
      .Case("tile.program_id", "'program_id'")
      .Case("tile.num_programs", "'num_programs'")
      .Cases({"arith.maximumf", "arith.maxsi"}, "'max'")
      .Cases({"arith.minimumf", "arith.minsi"}, "'min'")
      .Cases({"arith.cmpf", "arith.cmpi"}, "a comparison")
      .Case("arith.select", "'where'")
      .Cases({"arith.extf", "arith.truncf", "arith.sitofp", "arith.fptosi",
              "arith.extsi", "arith.trunci", "arith.extui", "arith.uitofp"},
             "a conversion")
      .Cases({"scf.for", "scf.while"}, "a loop")
      .Case("tile.kernel", "the kernel")
      .Default("");
}

/// The message with what the language calls the types of IR.
static std::string withTypes(StringRef message) {
  std::string text = message.str();
  for (StringRef term : elementTypeNames())
    if (StringRef type = irTypeName(term); type != term)
      for (size_t at; (at = text.find(type.str())) != std::string::npos;)
        text.replace(at, type.size(), term.str());
  return text;
}

/// The message with what the language calls the op at its beginning.
static std::string withOp(StringRef message) {
  if (message == "expected a tile.kernel, got none")
    return "expected a kernel, got none: write 'kernel name(...) grid n { ... "
           "}', which is what a launch runs";
  StringRef rest = message;
  if (!rest.consume_front("'"))
    return message.str();
  auto [op, said] = rest.split("' op ");
  bool isOp = !said.empty() && op.contains('.') && !op.contains(' ');
  std::string term = isOp ? termOf(op) : "";
  if (term.empty())
    return message.str();
  if (!said.consume_front("is not lowered to NVVM yet"))
    return (term + (said.starts_with("expected") ? ": " : " ") + said).str();
  return term + " has no instructions on the GPU" + said.str();
}

std::string tile::frontend::inLanguageTerms(StringRef message) {
  return withTypes(withOp(message));
}

/// The same severity, place and notes with another text.
static void replaceText(mlir::Diagnostic &diagnostic) {
  std::string before = diagnostic.str(), after = inLanguageTerms(before);
  if (before == after)
    return;
  mlir::Diagnostic changed(diagnostic.getLocation(), diagnostic.getSeverity());
  changed << after;
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    changed.attachNote(note.getLocation()) << note.str();
  diagnostic = std::move(changed);
}

LanguageTerms::LanguageTerms(mlir::MLIRContext &context)
    : handler(&context, [](mlir::Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
          replaceText(diagnostic);
        // The handlers before this one print it.
        return mlir::failure();
      }) {}
