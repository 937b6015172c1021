//===- Roles.h - Roles that take turns --------------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_LIB_INTERPRETER_ROLES_H
#define TILE_LIB_INTERPRETER_ROLES_H

#include "Program.h"
#include "llvm/ADT/STLExtras.h"
#include <condition_variable>
#include <mutex>

namespace tile::interpreter {

/// Runs the roles of a program, each on a thread of its own, but only one at a
/// time: a role runs until it must wait for another one.  So the order is the
/// same in every run.
class RoleScheduler {
public:
  RoleScheduler(Program &program, const Step &step);

  /// Runs all roles to their ends, or until one fails.
  llvm::LogicalResult run();

  /// Lets other roles run until `isReady` holds.  Where that can never be,
  /// since all roles wait, that is an error, and `message` says what this one
  /// waits for.
  llvm::LogicalResult waitUntil(const Step &step,
                                llvm::function_ref<bool()> isReady,
                                llvm::function_ref<std::string()> message);

private:
  void runRole(size_t role);
  /// Hands the turn to the next role that has not ended, from `role` on.
  void passTurn(size_t role);
  llvm::LogicalResult reportDeadlock();
  void awaitTurn(size_t role, std::unique_lock<std::mutex> &lock);

  Program &program;
  const Step &step;
  std::mutex mutex;
  std::condition_variable turnChanged;
  size_t turn = 0;
  std::vector<bool> ended;
  /// What each role waits for.
  struct Waiting {
    const Step *step = nullptr;
    std::string message;
  };
  std::vector<Waiting> waiting;
  /// Roles in a row that could only wait.
  size_t stalled = 0;
  bool hasFailed = false;
};

} // namespace tile::interpreter

#endif // TILE_LIB_INTERPRETER_ROLES_H
