//===- FuzzFrontend.cpp - Feeds the front end -----------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any text in the .tile language becomes a verified module, or at least one
// error with a place in it.  Inputs change by words of the language, now and
// then by bytes.
//
//===----------------------------------------------------------------------===//

#include "TokenMutator.h"

#include "mlir/IR/Diagnostics.h"
#include "tile/Frontend/Frontend.h"

using namespace mlir;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size);
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.getDiagEngine().registerHandler([](Diagnostic &) {});
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(text, "fuzz.tile"), llvm::SMLoc());
  std::vector<tile::frontend::Diagnostic> errors;
  OwningOpRef<ModuleOp> module =
      tile::frontend::compileSource(sources, {}, context, errors);
  if (!module && errors.empty())
    abort();
  std::string printed;
  llvm::raw_string_ostream stream(printed);
  tile::frontend::printDiagnostics(sources, errors, stream);
  return 0;
}

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

static llvm::StringRef textOf(const uint8_t *data, size_t size) {
  return {reinterpret_cast<const char *>(data), size};
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  constexpr unsigned kBytesOneIn = 10;
  if (seed % kBytesOneIn == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  llvm::StringRef text = textOf(data, size);
  std::string changed = tile::fuzz::mutateWords(text, text, seed);
  if (changed.size() > maxSize)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::copy(changed.begin(), changed.end(), data);
  return changed.size();
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size,
                                            const uint8_t *otherData,
                                            size_t otherSize, uint8_t *out,
                                            size_t maxSize, unsigned seed) {
  std::string changed = tile::fuzz::mutateWords(
      textOf(data, size), textOf(otherData, otherSize), seed);
  size_t length = std::min(changed.size(), maxSize);
  std::copy_n(changed.begin(), length, out);
  return length;
}
