//===- FuzzManifest.cpp - Feeds the reader of manifests -------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any text is refused with an error or becomes a manifest; writing that and
// reading it again changes nothing.
//
//===----------------------------------------------------------------------===//

#include "tile/Runtime/Manifest.h"

#include <cstdint>
#include <cstdlib>

using namespace tile::runtime;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size);
  Result<Manifest> manifest = parseManifest(text);
  if (!manifest)
    return 0;
  Result<std::string> written = writeManifest(*manifest);
  if (!written)
    abort();
  Result<Manifest> again = parseManifest(*written);
  if (!again || *writeManifest(*again) != *written)
    abort();
  return 0;
}
