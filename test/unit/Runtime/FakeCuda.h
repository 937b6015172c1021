//===- FakeCuda.h - What the fake driver remembers --------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The test opens the fake library a second time, gets this state from
// `fakeCudaState`, tells the fake what to refuse and reads what it was asked.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TEST_UNIT_RUNTIME_FAKECUDA_H
#define TILE_TEST_UNIT_RUNTIME_FAKECUDA_H

#include <cstdint>

/// Plain data only: the library and the test have their own C++ runtimes.
struct FakeCudaState {
  /// Entry point that fails, and with what code; empty for none.
  char failing[64];
  int failingCode;
  /// Static shared memory that every function claims to have.
  int staticShared;
  /// Calls worth testing, one a line.
  char log[8192];
  /// First 8 bytes of the parameters of the last launch.
  uint64_t parameters[16];
  int numParameters;
  /// Objects that were made and not yet freed.
  int numLive;
  /// Contexts that were pushed and not yet popped.
  int numPushed;
};

#endif // TILE_TEST_UNIT_RUNTIME_FAKECUDA_H
