//===- Device.cpp - Runs a program on a CUDA device -----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include "Numbers.h"

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;
using runtime::Result;
using runtime::Status;

/// Bytes on either side of an array, a multiple of 256.
static constexpr size_t kGuardBytes = 4096;
/// What guards hold, and what an array holds where it has no contents: NaN in
/// every type of floats, so that what is read by mistake shows.
static constexpr uint8_t kGuard = 0xa5, kNothing = 0xff;

namespace {
/// One array in device memory, between guards.
class DeviceArray {
public:
  /// Copies an array there; `past` is from a multiple of 256 to its start.
  static Result<DeviceArray> create(const runtime::Device &device,
                                    ArrayRef<uint8_t> bytes,
                                    ArrayRef<uint8_t> initialised, size_t past);

  uint64_t address() const { return buffer.address() + begin; }
  size_t size() const { return sizeInBytes; }
  /// Copies the array back; says which byte of the guards is another.
  Status read(std::vector<uint8_t> &bytes, std::string &damage) const;

private:
  DeviceArray(runtime::Buffer buffer, size_t begin, size_t sizeInBytes)
      : buffer(std::move(buffer)), begin(begin), sizeInBytes(sizeInBytes) {}

  runtime::Buffer buffer;
  size_t begin, sizeInBytes;
};
} // namespace

Result<DeviceArray> DeviceArray::create(const runtime::Device &device,
                                        ArrayRef<uint8_t> bytes,
                                        ArrayRef<uint8_t> initialised,
                                        size_t past) {
  size_t begin = kGuardBytes + past;
  std::vector<uint8_t> image(begin + bytes.size() + kGuardBytes, kGuard);
  for (size_t i = 0; i < bytes.size(); ++i)
    image[begin + i] = initialised[i] ? bytes[i] : kNothing;
  Result<runtime::Buffer> buffer =
      runtime::Buffer::allocate(device, image.size());
  if (!buffer)
    return buffer.takeError();
  if (Status status = buffer->write(image.data(), image.size()); !status)
    return status.takeError();
  return DeviceArray(std::move(*buffer), begin, bytes.size());
}

Status DeviceArray::read(std::vector<uint8_t> &bytes,
                         std::string &damage) const {
  std::vector<uint8_t> image(buffer.size());
  if (Status status = buffer.read(image.data(), image.size()); !status)
    return status;
  for (size_t i = 0; i < image.size(); ++i) {
    bool isInside = i >= begin && i < begin + sizeInBytes;
    if (!isInside && image[i] != kGuard && damage.empty())
      damage = "byte " + std::to_string(int64_t(i) - int64_t(begin)) + " of " +
               std::to_string(sizeInBytes) + " was overwritten";
  }
  bytes.assign(image.begin() + begin, image.begin() + begin + sizeInBytes);
  return Status::success();
}

/// Whether results may have other bits than on the interpreter.
static bool mayDiffer(const std::vector<Statement> &body) {
  return llvm::any_of(body, [](const Statement &statement) {
    bool isApproximate = statement.op == What::Unary &&
                         isApproximated(static_cast<UnaryCode>(statement.code));
    return statement.op == What::Dot || isApproximate ||
           mayDiffer(statement.body) || mayDiffer(statement.otherBody);
  });
}

/// What an array holds where neither the launch nor the kernel wrote.
static std::string findStray(const Memory &expected, const Memory &got) {
  for (size_t i = 0; i < got.bytes.size(); ++i)
    for (size_t at = 0; at < got.bytes[i].size(); ++at)
      if (!expected.initialised[i][at] && got.bytes[i][at] != kNothing)
        return "a" + std::to_string(i) + ": byte " + std::to_string(at) +
               ", between its elements, was overwritten";
  return "";
}

Result<std::unique_ptr<DeviceRunner>> DeviceRunner::open() {
  Result<std::shared_ptr<const runtime::Driver>> driver =
      runtime::Driver::open();
  if (!driver)
    return driver.takeError();
  Result<runtime::Device> device = runtime::Device::open(*driver);
  if (!device)
    return device.takeError();
  return std::unique_ptr<DeviceRunner>(new DeviceRunner(*device));
}

Status DeviceRunner::runVariant(runtime::Kernel &kernel, const Launch &launch,
                                const runtime::LaunchOptions &options,
                                const Memory &expected, Memory &got,
                                std::string &damage) {
  std::vector<DeviceArray> arrays;
  for (size_t i = 0; i < launch.start.bytes.size(); ++i) {
    const Array &array = launch.recipe.arrays[i];
    Result<DeviceArray> made = DeviceArray::create(
        device, launch.start.bytes[i], launch.start.initialised[i],
        array.misalignment * bytesOf(array.kind));
    if (!made)
      return made.takeError();
    arrays.push_back(std::move(*made));
  }
  std::vector<runtime::LaunchValue> values;
  for (const Argument &argument : launch.arguments)
    values.push_back(
        argument.array < 0
            ? runtime::LaunchValue::integerOf(argument.value)
            : runtime::LaunchValue::pointer(arrays[argument.array].address(),
                                            arrays[argument.array].size()));
  Result<runtime::LaunchPlan> plan = kernel.launch(nullptr, values, options);
  if (!plan)
    return plan.takeError();
  if (Status status = device.synchronize(); !status)
    return status;
  got.initialised = expected.initialised;
  got.bytes.resize(arrays.size());
  for (size_t i = 0; i < arrays.size(); ++i) {
    std::string where;
    if (Status status = arrays[i].read(got.bytes[i], where); !status)
      return status;
    if (!where.empty() && damage.empty())
      damage = "a" + std::to_string(i) + ": " + where;
  }
  return Status::success();
}

/// What of a variant's code is worth counting.
void DeviceRunner::countFeatures(const std::string &variant,
                                 const std::string &ptx) {
  static constexpr std::pair<const char *, const char *> kFeatures[] = {
      {"wgmma", "wgmma.mma_async"},
      {"tma", "cp.async.bulk.tensor"},
      {"roles", "setmaxnreg"},
      {"cp.async", "cp.async.c"},
      {"mma.sync", "mma.sync"}};
  ++numLaunches;
  ++byVariant[variant];
  for (auto [name, text] : kFeatures)
    byFeature[name] += ptx.find(text) != std::string::npos;
}

DeviceVerdict DeviceRunner::check(const Launch &launch,
                                  const CompiledKernel &code,
                                  const Memory &expected) {
  if (!runtime::checkTarget(code.manifest.target, device.facts()))
    return {};
  ++numPrograms;
  std::map<std::string, std::string> images;
  for (const CompiledVariant &variant : code.variants)
    images[variant.name] = variant.ptx;
  Result<runtime::Kernel> kernel =
      runtime::Kernel::load(device, code.manifest, images);
  if (!kernel)
    return {kernel.error().text(), /*isBroken=*/true};
  std::string refused = "no variant";
  bool hasRun = false;
  for (const runtime::Variant &variant : code.manifest.variants) {
    runtime::LaunchOptions forced;
    forced.variant = variant.name;
    Memory first, second;
    std::string wrong;
    Status status = runVariant(*kernel, launch, forced, expected, first, wrong);
    // The launcher refuses variants whose assumptions do not hold.
    if (!status && status.error().driverCode == 0) {
      refused = status.error().text();
      continue;
    }
    if (status)
      status = runVariant(*kernel, launch, forced, expected, second, wrong);
    if (!status)
      return {variant.name + ": " + status.error().text(), /*isBroken=*/true};
    hasRun = true;
    countFeatures(variant.name, images[variant.name]);
    if (wrong.empty())
      wrong = findStray(expected, first);
    if (wrong.empty())
      wrong = findError(launch.recipe, first, /*onDevice=*/true);
    if (wrong.empty() && !mayDiffer(launch.recipe.statements))
      wrong = findDifference(launch.recipe, expected, first);
    if (wrong.empty() && first.bytes != second.bytes)
      wrong =
          "two runs differ: " + findDifference(launch.recipe, first, second);
    if (!wrong.empty())
      return {variant.name + ": " + wrong};
  }
  return {hasRun ? "" : "expected a variant that runs, got none: " + refused};
}

void DeviceRunner::print(llvm::raw_ostream &stream) const {
  stream << "on " << device.facts().name << ": " << numPrograms << " programs, "
         << numLaunches << " variants run twice";
  for (const auto &counts : {byVariant, byFeature}) {
    stream << ";";
    for (const auto &[name, count] : counts)
      stream << ' ' << name << ' ' << count;
  }
  stream << '\n';
}
