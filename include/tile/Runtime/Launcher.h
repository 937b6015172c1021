//===- Launcher.h - Checked launches of compiled kernels --------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Brings a manifest, its variants' code and a device together.  Every launch
// goes through the rules of LaunchPlan.h first; what they refuse never reaches
// the device.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUNTIME_LAUNCHER_H
#define TILE_RUNTIME_LAUNCHER_H

#include "tile/Runtime/LaunchPlan.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tile::runtime {

/// A kernel on a device.  Modules are loaded when their variant is first
/// launched.  Not to be used by two threads at once.
class Kernel {
public:
  /// Gives the PTX text or the cubin of a variant, when it is first needed.
  using ImageSource = std::function<Result<std::string>(const Variant &)>;

  /// Checks that the kernel's target runs on `device`.
  static Result<Kernel> load(const Device &device, Manifest manifest,
                             ImageSource images);
  /// The same with all images at hand, by variant name.
  static Result<Kernel> load(const Device &device, Manifest manifest,
                             std::map<std::string, std::string> images);
  Kernel(Kernel &&) noexcept;
  ~Kernel();

  const Manifest &manifest() const;

  /// What `launch` would do with these values.
  Result<LaunchPlan> plan(const std::vector<LaunchValue> &values,
                          const LaunchOptions &options = {}) const;

  /// How every variant stands with these values: holds or why not, and cost.
  Result<std::vector<VariantEstimate>>
  estimate(const std::vector<LaunchValue> &values) const;

  /// Launches on `stream` (null: the default stream) and does not wait. Returns
  /// what was done.
  Result<LaunchPlan> launch(cuda::StreamHandle stream,
                            const std::vector<LaunchValue> &values,
                            const LaunchOptions &options = {});

  /// Loads a variant without launching it: its registers and memory, and what
  /// the driver's compiler said.
  Result<FunctionFacts> facts(const std::string &variant);
  Result<std::string> log(const std::string &variant);

private:
  struct State;
  explicit Kernel(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

} // namespace tile::runtime

#endif // TILE_RUNTIME_LAUNCHER_H
