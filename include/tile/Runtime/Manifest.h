//===- Manifest.h - A compiled kernel's contract ----------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a launch of a compiled kernel must know and check.  This header is the
// one definition of the schema: the compiler fills these structures and writes
// them, the launcher reads them back.
//
// Every string called an expression is in the language of Expression.h.  Its
// names are the kernel's integer and pointer arguments, a pointer standing for
// its address, and `sms`, the number of multiprocessors of the device, unless
// an argument has that name.  A floating-point argument has no value there.
//
// The parameters of the compiled function are, in this order: the arguments;
// one 128-byte tensor map for each recipe; the address of the workspace if the
// variant has one.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUNTIME_MANIFEST_H
#define TILE_RUNTIME_MANIFEST_H

#include "tile/Runtime/ArgumentType.h"
#include "tile/Runtime/Result.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tile::runtime {

/// The version of the schema that this library reads and writes.
inline constexpr int64_t kManifestSchema = 1;

/// One argument of the kernel, with what every variant may rely on.
struct Argument {
  std::string name;
  ArgumentType type;
  /// Power of two that divides the address or the value; 1 promises nothing.
  int64_t divisibility = 1;
  /// Least and greatest legal value of an integer, both inclusive.
  std::optional<int64_t> min, max;
  /// Expression: how many bytes behind a pointer the kernel may touch.  Empty:
  /// unknown.
  std::string bytes;
};

/// Dimensions of a tensor map (CUDA Driver API, cuTensorMapEncodeTiled).
inline constexpr size_t kMaxTensorMapRank = 5;

/// How the launcher encodes one TMA tensor map.  All lists run from the
/// innermost dimension outward.
struct TensorMapRecipe {
  /// The pointer argument it describes.
  std::string of;
  /// Element type in memory.
  ElementType type = ElementType::F16;
  /// Expressions: extents in elements.
  std::vector<std::string> dims;
  /// Expressions: pitches in bytes of all dimensions but the innermost.
  std::vector<std::string> strides;
  /// Elements of the box moved by one copy, a number for each dimension.
  std::vector<int64_t> box;
  /// Bytes of the shared-memory swizzle: 0, 32, 64 or 128.
  int64_t swizzle = 0;
  /// Round f32 to tf32 while loading.
  bool roundToTf32 = false;
};

/// One compiled form of the kernel.
struct Variant {
  std::string name;
  /// Entry function of the variant's module.
  std::string symbol;
  /// Expressions that all must hold (be not 0) for this variant to be launched.
  std::vector<std::string> requirements;
  /// Threads of a block, all along x.
  int64_t block = 1;
  /// Blocks of a cluster along x, y, z.
  std::array<int64_t, 3> cluster = {1, 1, 1};
  /// Bytes of dynamic shared memory.
  int64_t shared = 0;
  /// Bytes of device scratch memory that one launch needs.  Zero before the
  /// first launch of the variant on a stream; later what the last one there
  /// left.
  int64_t workspace = 0;
  /// Expressions of the grid where it differs from the kernel's (a persistent
  /// variant); empty strings otherwise.
  std::array<std::string, 3> grid;
  /// Expression: what a launch of this variant is estimated to take, in a unit
  /// of the manifest's own, for choosing among variants (LaunchPlan.h, rule 8).
  /// Empty: no estimate.
  std::string cost;
  std::vector<TensorMapRecipe> tensorMaps;
  /// Text of a JSON object: the plan, key by key.  Not read by the launcher.
  std::string plan = "{}";

  bool hasGrid() const { return !grid[0].empty(); }
};

/// One line of the decision log.
struct Decision {
  /// "file:line:column".
  std::string location;
  std::string text;
};

/// The contract of one kernel.
struct Manifest {
  std::string kernel;
  /// "sm_80", "sm_90a".
  std::string target;
  /// What compiled it, as `tile::compilerVersion()` says, and what from, as
  /// `tile::programHash()` gives it for the kernel before any pass: with them a
  /// launcher asks a tuning table.  Empty where that is not known.
  std::string compiler, program;
  std::vector<Argument> arguments;
  /// Expressions of the grid along x, y, z; empty strings where the kernel
  /// states none and the caller must.
  std::array<std::string, 3> grid;
  /// Text of a JSON object, e.g. {"m": 128, "n": 128, "k": 64}.  Not read by
  /// the launcher.
  std::string tile = "{}";
  /// From the most to the least specialised.  The first whose requirements hold
  /// is launched; if it states a cost, the cheapest of those that do.
  std::vector<Variant> variants;
  std::vector<Decision> decisions;

  bool hasGrid() const { return !grid[0].empty(); }
  /// The variant called `name`, or null.
  const Variant *findVariant(std::string_view name) const;
};

/// Checks everything that can be checked without a launch: names, expressions,
/// limits that hold on every device.
Status validate(const Manifest &manifest);

/// Reads one kernel's manifest from JSON and validates it.  An unknown key is
/// an error, since it may be a condition that this launcher would not honour.
Result<Manifest> parseManifest(std::string_view json);

/// Validates `manifest` and writes it as JSON, two spaces a level, keys in the
/// order of the schema, absent parts left out.
Result<std::string> writeManifest(const Manifest &manifest);

} // namespace tile::runtime

#endif // TILE_RUNTIME_MANIFEST_H
