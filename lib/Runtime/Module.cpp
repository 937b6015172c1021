//===- Module.cpp - Loading code onto a device ----------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Runtime/Device.h"

#include <utility>

using namespace tile::runtime;

/// Room for the driver's compilation log; what is longer is cut by the driver.
static constexpr size_t kLogBytes = 16384;

Result<Module> Module::load(const Device &device, std::string_view image) {
  CurrentContext current(device);
  if (!current.status())
    return current.status().error();
  // PTX must end in a zero byte; a cubin does not mind one more.
  std::string terminated(image);
  std::string info(kLogBytes, '\0'), errors(kLogBytes, '\0');
  int options[] = {cuda::kInfoLogBuffer, cuda::kInfoLogBufferBytes,
                   cuda::kErrorLogBuffer, cuda::kErrorLogBufferBytes,
                   cuda::kLogVerbose};
  void *values[] = {info.data(), reinterpret_cast<void *>(kLogBytes),
                    errors.data(), reinterpret_cast<void *>(kLogBytes),
                    reinterpret_cast<void *>(uintptr_t(1))};
  cuda::ModuleHandle raw = nullptr;
  cuda::Code code = device.driver().moduleLoadDataEx(
      &raw, terminated.c_str(), /*numOptions=*/5, options, values);
  if (code != 0) {
    std::string log = errors.c_str();
    return device.driver().error(
        "cannot load a module" + (log.empty() ? "" : ", log: " + log), code);
  }
  return Module(device, raw, info.c_str());
}

Module::Module(Module &&other) noexcept
    : device(other.device), raw(std::exchange(other.raw, nullptr)),
      compilationLog(std::move(other.compilationLog)) {}

Module::~Module() {
  if (!raw)
    return;
  CurrentContext current(device);
  device.driver().moduleUnload(raw);
}

Result<cuda::Function> Module::function(const std::string &symbol) const {
  CurrentContext current(device);
  if (!current.status())
    return current.status().error();
  cuda::Function function = nullptr;
  if (cuda::Code code =
          device.driver().moduleGetFunction(&function, raw, symbol.c_str()))
    return device.driver().error(
        "expected function '" + symbol + "' in the module, got none", code);
  return function;
}

Result<FunctionFacts> Module::facts(cuda::Function function) const {
  CurrentContext current(device);
  if (!current.status())
    return current.status().error();
  cuda::Code code = 0;
  auto read = [&](cuda::FunctionAttribute attribute) {
    int value = 0;
    if (code == 0)
      code = device.driver().funcGetAttribute(&value, attribute, function);
    return value;
  };
  FunctionFacts facts;
  facts.numRegisters = read(cuda::kNumRegisters);
  facts.localBytes = read(cuda::kLocalBytes);
  facts.staticSharedBytes = read(cuda::kStaticSharedBytes);
  if (code != 0)
    return device.driver().error("cannot read a function's attributes", code);
  return facts;
}
