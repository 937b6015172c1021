//===- Header.cpp - A compiled kernel as a C header -----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Target/Header.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tile;

/// A name that C takes.
static std::string identifierOf(StringRef kernelName) {
  std::string name;
  for (char character : kernelName)
    name += llvm::isAlnum(character) ? character : '_';
  if (name.empty() || llvm::isDigit(name.front()))
    name.insert(0, "_");
  return name;
}

/// Writes `text` as adjacent literals, one for each line of it.
static void printLiteral(llvm::raw_ostream &os, StringRef text) {
  while (!text.empty()) {
    size_t size = std::min(text.find('\n'), text.size() - 1) + 1;
    os << "\n    \"";
    for (unsigned char character : text.take_front(size)) {
      // Three octal digits end an escape, whatever follows; C99 6.4.4.4.
      if (character == '"' || character == '\\')
        os << '\\' << character;
      else if (character == '\n')
        os << "\\n";
      else if (llvm::isPrint(character) && character != '?')
        os << character;
      else
        os << '\\' << char('0' + (character >> 6))
           << char('0' + (character >> 3 & 7)) << char('0' + (character & 7));
    }
    os << '"';
    text = text.drop_front(size);
  }
}

FailureOr<std::string> tile::emitHeader(Location loc,
                                        const CompiledKernel &kernel) {
  runtime::Result<std::string> manifest =
      runtime::writeManifest(kernel.manifest);
  if (!manifest)
    return emitError(loc, manifest.error().text());
  std::string name = identifierOf(kernel.manifest.kernel);
  std::string guard = "TILE_KERNEL_" + StringRef(name).upper() + "_H";
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "/* A kernel for " << kernel.manifest.target
     << ", written by tilec: its manifest, and the PTX of each variant. */\n"
     << "#ifndef " << guard << "\n#define " << guard << "\n\n"
     << "static const char " << name << "_manifest[] =";
  printLiteral(os, *manifest + "\n");
  os << ";\n\nstatic const struct {\n  const char *name, *ptx;\n} " << name
     << "_variants[] = {";
  for (const CompiledVariant &variant : kernel.variants) {
    os << "\n  {\"" << variant.name << "\",";
    printLiteral(os, variant.ptx);
    os << "},";
  }
  os << "\n};\n\n#endif\n";
  return text;
}
