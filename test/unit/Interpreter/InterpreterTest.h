//===- InterpreterTest.h - Running IR text in tests -------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TEST_INTERPRETER_INTERPRETERTEST_H
#define TILE_TEST_INTERPRETER_INTERPRETERTEST_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "tile/GPU/TileGPUOps.h"
#include "tile/Interpreter/Interpreter.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

/// Runs the first kernel of a text and keeps what it reports and prints.
class InterpreterTest : public ::testing::Test {
protected:
  InterpreterTest()
      : handler(&context, [this](mlir::Diagnostic &diagnostic) {
          report(diagnostic);
          for (mlir::Diagnostic &note : diagnostic.getNotes())
            report(note);
        }) {
    context.loadDialect<mlir::arith::ArithDialect, mlir::math::MathDialect,
                        mlir::scf::SCFDialect, tile::TileDialect,
                        tile::gpu::TileGPUDialect>();
    context.printOpOnDiagnostic(false);
    options.printStream = &printedStream;
  }

  /// Whether the kernel ran without an error.
  bool run(llvm::StringRef text,
           llvm::ArrayRef<tile::KernelArgument> arguments = {},
           std::array<int64_t, 3> grid = {1, 1, 1}) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!module)
      return false;
    tile::KernelOp kernel = *module->getOps<tile::KernelOp>().begin();
    return succeeded(interpreter.run(kernel, arguments, grid, options));
  }

  template <class T>
  tile::KernelArgument add(llvm::StringRef name, const std::vector<T> &values) {
    auto *bytes = reinterpret_cast<const uint8_t *>(values.data());
    return tile::KernelArgument::pointer(interpreter.addAllocation(
        name, llvm::ArrayRef(bytes, values.size() * sizeof(T))));
  }

  template <class T>
  tile::KernelArgument addEmpty(llvm::StringRef name, size_t count) {
    return tile::KernelArgument::pointer(
        interpreter.addUninitialised(name, count * sizeof(T)));
  }

  template <class T>
  std::vector<T> get(tile::KernelArgument argument) {
    llvm::ArrayRef<uint8_t> bytes = interpreter.bytes(argument.bits);
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }

  mlir::MLIRContext context;
  std::string diagnostics;
  std::string printed;
  llvm::raw_string_ostream printedStream{printed};
  tile::Interpreter interpreter;
  tile::InterpreterOptions options;

private:
  /// "LINE: error: message\n".
  void report(mlir::Diagnostic &diagnostic) {
    llvm::raw_string_ostream stream(diagnostics);
    if (auto file =
            mlir::dyn_cast<mlir::FileLineColLoc>(diagnostic.getLocation()))
      stream << file.getLine() << ": ";
    bool isNote = diagnostic.getSeverity() == mlir::DiagnosticSeverity::Note;
    stream << (isNote ? "note: " : "error: ") << diagnostic << "\n";
  }

  mlir::ScopedDiagnosticHandler handler;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

#endif // TILE_TEST_INTERPRETER_INTERPRETERTEST_H
