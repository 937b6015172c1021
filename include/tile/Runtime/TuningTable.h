//===- TuningTable.h - What was measured to be fastest ----------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table that tile-tune writes: for a kernel and its program, a class of
// shapes, a card, a chip to compile for and a version of the compiler, the
// compile-time parameters and decisions of the plan that were fastest.  This
// header is the one definition of the schema and of what a class of shapes is.
//
// The class of a launch is a word for each argument, in order, joined by
// spaces, and behind them the compile-time parameters that are not tuned:
//
//   pointer   NAME:*TYPE, and /16 where 16 divides the address
//   integer   NAME:N, N rounded up to a power of two (away from 0; 0 stays),
//             and /16 where 16 divides a value that is not 0
//   float     NAME:TYPE
//   parameter NAME=VALUE
//
// So "a:*f16/16 M:4096/16 sam:4096/16 sak:1 T=f16" is the class of all M from
// 2049 to 4096 that 16 divides, with rows of such a length that are contiguous.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUNTIME_TUNINGTABLE_H
#define TILE_RUNTIME_TUNINGTABLE_H

#include "tile/Runtime/LaunchPlan.h"

namespace tile::runtime {

/// The version of the schema that this library reads and writes.
inline constexpr int64_t kTuningSchema = 3;

/// The class of a launch with these values.  Of an argument its name and type
/// count.  `parameters` are the compile-time parameters that are not tuned,
/// each NAME=VALUE.
std::string shapeClass(const std::vector<Argument> &arguments,
                       const std::vector<LaunchValue> &values,
                       const std::vector<std::string> &parameters = {});

/// What an entry is about.
struct TuningKey {
  /// Symbol of the kernel.
  std::string kernel;
  /// As `shapeClass` gives it.
  std::string shape;
  /// The card by the driver's name, and its multiprocessors.
  std::string card;
  int64_t numMultiprocessors = 0;
  /// The chip that was compiled for, "sm_90a": a card runs code for older ones,
  /// too.
  std::string target;
  /// As `tile::compilerVersion()` gives it.  It does not tell two builds of one
  /// version apart: whoever changes the compiler measures anew.
  std::string compiler;
  /// As `tile::programHash()` gives it for the program as it stands: what was
  /// measured holds for no kernel that has changed since.
  std::string program;

  bool operator==(const TuningKey &other) const;
};

/// What was fastest.
struct TuningEntry {
  TuningKey key;
  /// Compile-time parameters, and decisions of the plan, each NAME=VALUE as
  /// the front end and CompileOptions take them.  Both empty: nothing was
  /// faster than the program as it stands.
  std::vector<std::string> parameters, settings;
  /// The launch that was measured, "matmul(M = 4096, N = 4096)": times of one
  /// class of shapes compare where this is the same.
  std::string run;
  /// Medians of one launch in microseconds: of this choice, and of the program
  /// as it stands (0 where that could not run).
  double microseconds = 0, standingMicroseconds = 0;
};

/// Entries, one for each key.
class TuningTable {
public:
  /// Reads a table's text.  An error says where it is no table of this schema,
  /// and which entry cannot be what was measured: names without a value or
  /// with two, parameters that are not those of its class, times that are none.
  static Result<TuningTable> parse(std::string_view json);
  /// The text, two spaces a level, an entry for each key in the order of
  /// addition.
  std::string write() const;

  const std::vector<TuningEntry> &entries() const { return list; }
  /// The entry of this very key, or null.
  const TuningEntry *find(const TuningKey &key) const;
  /// Why there is no such entry, in words: the first part of the key that no
  /// entry shares, and what there is instead.
  std::string explainMiss(const TuningKey &key) const;
  /// Adds an entry, in place of the one with the same key.
  void set(TuningEntry entry);

private:
  /// Of what is kept all text is UTF-8, as JSON has it.
  std::vector<TuningEntry> list;
};

} // namespace tile::runtime

#endif // TILE_RUNTIME_TUNINGTABLE_H
