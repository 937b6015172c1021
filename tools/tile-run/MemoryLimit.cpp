//===- MemoryLimit.cpp - What the tensors of a run may take ---------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryLimit.h"
#include "Failure.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <limits>
#include <unistd.h>

using namespace tile;

uint64_t run::defaultMemoryLimit() {
  long pages = sysconf(_SC_PHYS_PAGES), pageBytes = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || pageBytes <= 0)
    return std::numeric_limits<uint64_t>::max();
  return uint64_t(pages) / 4 * uint64_t(pageBytes);
}

/// Ends the process where the limit on memory was too high.
static void reportNoMemory(void *tool, const char *, bool) {
  llvm::errs() << static_cast<const char *>(tool)
               << ": expected more memory than there is: make the tensors "
                  "smaller or lower --memory-limit\n";
  std::_Exit(static_cast<int>(run::ExitCode::Runtime));
}

void run::reportMissingMemory(const char *tool) {
  llvm::install_bad_alloc_error_handler(reportNoMemory,
                                        const_cast<char *>(tool));
}
