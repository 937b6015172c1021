//===- Failure.h - How a run ends early -------------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUN_FAILURE_H
#define TILE_RUN_FAILURE_H

#include "options/ExitCode.h"
#include "tile/Runtime/Result.h"

#include <optional>
#include <string>

namespace tile::run {

using tile::ExitCode;

/// Why a step did not succeed.
struct Failure {
  ExitCode code = ExitCode::Runtime;
  std::string message;
  /// Which of several runs it is, as "run k(N = 4) at f.tile:2:5"; may be
  /// empty.
  std::string where = {};
  /// All that the message could say has been said of an earlier run.
  bool isSaid = false;

  Failure(ExitCode code, const char *message) : code(code), message(message) {}
  Failure(ExitCode code, std::string message)
      : code(code), message(std::move(message)) {}
  Failure(ExitCode code, const runtime::Error &error)
      : code(code), message(error.text()) {}
};

/// Nothing on success.
using StepResult = std::optional<Failure>;

} // namespace tile::run

#endif // TILE_RUN_FAILURE_H
