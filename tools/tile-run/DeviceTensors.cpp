//===- DeviceTensors.cpp - A launch's tensors on a device -----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceTensors.h"
#include "Number.h"

using namespace tile;
using namespace tile::run;
using namespace tile::runtime;

LaunchValue run::scalarValue(const LaunchArgument &argument) {
  if (runtime::isInteger(argument.type.element))
    return LaunchValue::integerOf(argument.integer());
  return LaunchValue::realOf(decode(argument.type.element, argument.bits));
}

Result<DeviceTensors>
DeviceTensors::create(const Device &device,
                      const std::vector<LaunchArgument> &arguments) {
  DeviceTensors tensors;
  for (const LaunchArgument &argument : arguments) {
    if (!argument.tensor) {
      tensors.list.push_back(scalarValue(argument));
      continue;
    }
    const HostTensor &tensor = *argument.tensor;
    Result<Buffer> buffer = Buffer::allocate(device, tensor.memory().size());
    if (!buffer)
      return buffer.takeError();
    size_t past = tensor.pointerPosition() - tensor.extentPosition();
    tensors.list.push_back(
        LaunchValue::pointer(buffer->address() + tensor.pointerPosition(),
                             tensor.extentBytes() - past));
    tensors.buffers.push_back(std::move(*buffer));
  }
  if (Status status = tensors.write(arguments); !status)
    return status.takeError();
  return tensors;
}

Status
DeviceTensors::write(const std::vector<LaunchArgument> &arguments) const {
  size_t next = 0;
  for (const LaunchArgument &argument : arguments) {
    if (!argument.tensor)
      continue;
    const std::vector<uint8_t> &memory = argument.tensor->memory();
    if (Status status = buffers[next++].write(memory.data(), memory.size());
        !status)
      return status;
  }
  return Status::success();
}

Status DeviceTensors::read(std::vector<LaunchArgument> &arguments) const {
  size_t next = 0;
  for (LaunchArgument &argument : arguments) {
    if (!argument.tensor)
      continue;
    std::vector<uint8_t> &memory = argument.tensor->memory();
    if (Status status = buffers[next++].read(memory.data(), memory.size());
        !status)
      return status;
  }
  return Status::success();
}
