//===- DeviceTensors.h - A launch's tensors on a device ---------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUN_DEVICETENSORS_H
#define TILE_RUN_DEVICETENSORS_H

#include "Launch.h"

#include "tile/Runtime/LaunchPlan.h"

namespace tile::run {

/// A scalar as a launch gets it.
runtime::LaunchValue scalarValue(const LaunchArgument &argument);

/// Device memory for each tensor of a launch, guards included.
class DeviceTensors {
public:
  /// Allocates memory for the tensors and copies them there.
  static runtime::Result<DeviceTensors>
  create(const runtime::Device &device,
         const std::vector<LaunchArgument> &arguments);

  /// The arguments of the launch, pointers into this memory.
  const std::vector<runtime::LaunchValue> &values() const { return list; }

  /// Copies the tensors of `arguments`, which are those of `create`, to the
  /// device, or from there.
  runtime::Status write(const std::vector<LaunchArgument> &arguments) const;
  runtime::Status read(std::vector<LaunchArgument> &arguments) const;

private:
  /// One for each tensor.
  std::vector<runtime::Buffer> buffers;
  std::vector<runtime::LaunchValue> list;
};

} // namespace tile::run

#endif // TILE_RUN_DEVICETENSORS_H
