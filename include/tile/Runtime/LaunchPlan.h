//===- LaunchPlan.h - What a launch will do, or why not ---------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The checks before a launch, as a pure function of the manifest, the arguments
// and the device's limits: no driver is involved, so every rule is testable on
// a machine without a GPU.
//
// The rules, in the order in which they are checked:
//   1. as many values as arguments, each of the argument's kind
//   2. integers within the range of their type and within min and max
//   3. addresses and integers divisible as the argument promises
//   4. a grid: the variant's, or the caller's, or the kernel's formula, which
//      the caller's may not exceed
//   5. an extent of 0 makes an empty launch, which succeeds and does nothing
//   6. no null pointer, unless the argument's `bytes` formula gives 0
//   7. a buffer whose size the caller states holds `bytes`
//   8. the variant: the one forced, or the first whose requirements all hold (a
//      variant with a grid of its own, whose blocks run all programs of the
//      kernel's formula, requires that the caller's grid is no other);
//      if that one states a cost, the one of least cost among all that hold and
//      state one, the first among equals.  A cost that cannot be evaluated (an
//      overflow) counts as the greatest.
//   9. the device: grid limits, shared memory
//  10. the sizes of tensor maps, which can be evaluated
// A variant's own grid is known only once the variant is, so rules 4 and 5 come
// before 8 for the kernel's grid and after it for a variant's.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUNTIME_LAUNCHPLAN_H
#define TILE_RUNTIME_LAUNCHPLAN_H

#include "tile/Runtime/Device.h"
#include "tile/Runtime/Expression.h"
#include "tile/Runtime/Manifest.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace tile::runtime {

/// The value of one argument.
struct LaunchValue {
  enum class Kind : uint8_t { Pointer, Integer, Real };

  Kind kind = Kind::Integer;
  uint64_t address = 0;
  /// Bytes that may be touched from the address on, where the caller knows.
  std::optional<uint64_t> sizeInBytes;
  int64_t integer = 0;
  double real = 0;

  static LaunchValue pointer(uint64_t address,
                             std::optional<uint64_t> sizeInBytes = {});
  static LaunchValue pointer(const Buffer &buffer) {
    return pointer(buffer.address(), buffer.size());
  }
  static LaunchValue integerOf(int64_t value);
  static LaunchValue realOf(double value);
};

/// What the caller may decide instead of the manifest.
struct LaunchOptions {
  std::optional<std::array<int64_t, 3>> grid;
  /// Name of the variant to take, whether or not a more specialised one fits.
  std::optional<std::string> variant;
};

/// Extents in elements of a tensor map, and pitches in bytes of all its
/// dimensions but the innermost.
struct TensorMapSizes {
  std::array<uint64_t, kMaxTensorMapRank> dims = {}, strides = {};
};

/// A launch that may go ahead.
struct LaunchPlan {
  /// Index into the manifest's variants; meaningless for an empty launch.
  size_t variant = 0;
  std::array<int64_t, 3> grid = {0, 0, 0};
  /// The variant's cost by its own formula; none where it states none or it
  /// cannot be evaluated.
  std::optional<int64_t> cost;
  /// One for each tensor map of the variant.
  std::vector<TensorMapSizes> tensorMaps;
  /// Nothing is to be computed: the launch is complete.
  bool isEmpty() const { return grid[0] == 0 || grid[1] == 0 || grid[2] == 0; }
};

/// What rule 8 sees of one variant, for callers that want to know why.
struct VariantEstimate {
  /// Index into the manifest's variants.
  size_t variant = 0;
  /// The requirement that fails, with the values it fails for; empty if all
  /// hold.
  std::string failure;
  /// As in LaunchPlan.
  std::optional<int64_t> cost;

  bool holds() const { return failure.empty(); }
};

/// A manifest made ready for many launches: its expressions parsed, their names
/// resolved to arguments.
class LaunchChecker {
public:
  /// `manifest` is copied.
  static Result<LaunchChecker> create(Manifest manifest);
  LaunchChecker(LaunchChecker &&) noexcept;
  LaunchChecker &operator=(LaunchChecker &&) noexcept;
  ~LaunchChecker();

  const Manifest &manifest() const;

  /// Applies the rules above.
  Result<LaunchPlan> plan(const std::vector<LaunchValue> &values,
                          const DeviceFacts &device,
                          const LaunchOptions &options = {}) const;

  /// How every variant stands, in the manifest's order.  Of the
  /// values only the number is checked.
  Result<std::vector<VariantEstimate>>
  estimate(const std::vector<LaunchValue> &values,
           const DeviceFacts &device) const;

  /// The parsed form, known to the library only.
  struct State;

private:
  explicit LaunchChecker(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

/// Whether code for `target` ("sm_80", "sm_90a", "sm_100f") runs on `device`:
/// plain targets run on their own and every later capability, "f" ones within
/// the major version, "a" ones on exactly their own.
Status checkTarget(const std::string &target, const DeviceFacts &device);

/// The bytes of `value` as a parameter of `type`, little endian, at most 8.
/// Floating-point values are rounded to nearest even.
uint64_t encodeParameter(ArgumentType type, const LaunchValue &value);

} // namespace tile::runtime

#endif // TILE_RUNTIME_LAUNCHPLAN_H
