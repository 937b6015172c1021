//===- Launcher.cpp - Checked launches ------------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Runtime/Launcher.h"

#include <algorithm>
#include <cstring>

using namespace tile::runtime;

/// Dynamic shared memory that needs no opting in (CUDA C Programming Guide,
/// compute capabilities).
static constexpr int64_t kSharedWithoutOptIn = 48 * 1024;
/// Blocks in a cluster that every device with clusters has.
static constexpr int64_t kPortableCluster = 8;
/// CU_TENSOR_MAP_L2_PROMOTION_L2_128B: a box's row is at most as wide.  With
/// 256 bytes rows that start beside a sector of 32 cost L2 more requests.
static constexpr int kPromoteTo128Bytes = 2;

namespace {
/// A variant whose module is on the device.
struct LoadedVariant {
  Module module;
  cuda::Function function;
};

/// The parameters of one launch: storage, and the addresses that the driver
/// reads.
struct Parameters {
  std::vector<uint64_t> scalars;
  std::vector<cuda::TensorMap> maps;
  uint64_t workspace = 0;
  std::vector<void *> addresses;
};

/// A launch that has been made, so that the same one needs no checks again:
/// they look at nothing but what is compared here.  The next one to be
/// remembered in this place finds its memory there.
struct PastLaunch {
  bool isReady = false;
  cuda::StreamHandle stream;
  std::vector<LaunchValue> values;
  LaunchOptions options;

  LaunchPlan plan;
  cuda::Function function = nullptr;
  Parameters parameters;
};
} // namespace

/// Launches that are remembered: a few kernels' worth of buffers in turn.
static constexpr size_t kNumPastLaunches = 4;

static bool isSame(const LaunchValue &left, const LaunchValue &right) {
  // Bits, not values: -0.0 and NaN are parameters like others.
  return left.kind == right.kind && left.address == right.address &&
         left.sizeInBytes == right.sizeInBytes &&
         left.integer == right.integer &&
         std::memcmp(&left.real, &right.real, sizeof(left.real)) == 0;
}

struct Kernel::State {
  State(const Device &device, LaunchChecker checker, ImageSource images)
      : device(device), checker(std::move(checker)), images(std::move(images)) {
    loaded.resize(this->checker.manifest().variants.size());
  }

  Result<LoadedVariant *> load(size_t index);
  Result<LoadedVariant *> load(const std::string &variant);
  Status prepare(const LoadedVariant &loadedVariant, const Variant &variant);
  Result<uint64_t> workspaceFor(size_t index, cuda::StreamHandle stream);
  Status encodeTensorMaps(const LaunchPlan &plan,
                          const std::vector<LaunchValue> &values,
                          std::vector<cuda::TensorMap> &maps);
  Status fillParameters(const LaunchPlan &plan, cuda::StreamHandle stream,
                        const std::vector<LaunchValue> &values,
                        Parameters &parameters);
  Status submit(const LaunchPlan &plan, cuda::Function function,
                cuda::StreamHandle stream, void **parameters);
  /// The remembered launch that is the same; null if there is none.
  PastLaunch *recall(cuda::StreamHandle stream,
                     const std::vector<LaunchValue> &values,
                     const LaunchOptions &options);
  /// Makes ready what `plan` says, and remembers it.
  Result<PastLaunch *> prepareLaunch(cuda::StreamHandle stream,
                                     const std::vector<LaunchValue> &values,
                                     const LaunchOptions &options,
                                     LaunchPlan plan);

  const Variant &variant(size_t index) const {
    return checker.manifest().variants[index];
  }
  /// `error` with the kernel's and the variant's name in front.
  Error complain(const Variant &variant, Error error) const {
    error.message = "kernel '" + checker.manifest().kernel + "', variant '" +
                    variant.name + "': " + error.message;
    return error;
  }

  Device device;
  LaunchChecker checker;
  ImageSource images;
  std::vector<std::unique_ptr<LoadedVariant>> loaded;
  /// Scratch memory by stream and variant: launches on two streams overlap.
  std::map<std::pair<cuda::StreamHandle, size_t>, Buffer> workspaces;
  /// The oldest is replaced; `nextPast` says which that is.
  PastLaunch pastLaunches[kNumPastLaunches];
  size_t nextPast = 0;
};

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

/// Opts in to what the function needs beyond the defaults.
Status Kernel::State::prepare(const LoadedVariant &loadedVariant,
                              const Variant &variant) {
  const Driver &driver = device.driver();
  Result<FunctionFacts> facts =
      loadedVariant.module.facts(loadedVariant.function);
  if (!facts)
    return facts.takeError();
  int64_t shared = variant.shared + facts->staticSharedBytes;
  if (shared > device.facts().maxShared)
    return Error(
        "expected at most " + std::to_string(device.facts().maxShared) +
        " bytes of shared memory, got " + std::to_string(variant.shared) +
        " dynamic and " + std::to_string(facts->staticSharedBytes) + " static");
  if (shared > kSharedWithoutOptIn)
    if (Status status = driver.check(
            driver.funcSetAttribute(loadedVariant.function,
                                    cuda::kMaxDynamicSharedBytes,
                                    static_cast<int>(variant.shared)),
            "cannot reserve shared memory");
        !status)
      return status;
  const auto &cluster = variant.cluster;
  if (cluster[0] * cluster[1] * cluster[2] <= kPortableCluster)
    return Status::success();
  return driver.check(driver.funcSetAttribute(loadedVariant.function,
                                              cuda::kNonPortableClusterAllowed,
                                              1),
                      "cannot allow a cluster of more than 8 blocks");
}

Result<LoadedVariant *> Kernel::State::load(size_t index) {
  if (loaded[index])
    return loaded[index].get();
  const Variant &wanted = variant(index);
  Result<std::string> image = images(wanted);
  if (!image)
    return complain(wanted, image.takeError());
  Result<Module> module = Module::load(device, *image);
  if (!module)
    return complain(wanted, module.takeError());
  Result<cuda::Function> function = module->function(wanted.symbol);
  if (!function)
    return complain(wanted, function.takeError());
  auto fresh = std::unique_ptr<LoadedVariant>(
      new LoadedVariant{std::move(*module), *function});
  if (Status status = prepare(*fresh, wanted); !status)
    return complain(wanted, status.takeError());
  loaded[index] = std::move(fresh);
  return loaded[index].get();
}

Result<LoadedVariant *> Kernel::State::load(const std::string &name) {
  const Variant *found = checker.manifest().findVariant(name);
  if (!found)
    return Error("kernel '" + checker.manifest().kernel +
                 "': expected the name of a variant, got '" + name + "'");
  CurrentContext current(device);
  if (!current.status())
    return current.status().error();
  return load(found - checker.manifest().variants.data());
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

Result<uint64_t> Kernel::State::workspaceFor(size_t index,
                                             cuda::StreamHandle stream) {
  auto key = std::make_pair(stream, index);
  auto found = workspaces.find(key);
  if (found != workspaces.end())
    return found->second.address();
  Result<Buffer> buffer = Buffer::allocate(device, variant(index).workspace);
  if (!buffer)
    return buffer.takeError();
  if (Status status = buffer->fill(0, stream); !status)
    return status.takeError();
  return workspaces.emplace(key, std::move(*buffer)).first->second.address();
}

/// CUtensorMapDataType.
static int tensorMapType(const TensorMapRecipe &map) {
  switch (map.type) {
  case ElementType::F64:
    return 8;
  case ElementType::F32:
    return map.roundToTf32 ? 11 : 7;
  case ElementType::F16:
    return 6;
  case ElementType::BF16:
    return 9;
  case ElementType::I64:
    return 5;
  case ElementType::I32:
    return 3;
  case ElementType::I16:
    return 1;
  default:
    return 0; // bytes
  }
}

/// CUtensorMapSwizzle.
static int tensorMapSwizzle(int64_t bytes) {
  return bytes == 128 ? 3 : bytes == 64 ? 2 : bytes == 32 ? 1 : 0;
}

Status Kernel::State::encodeTensorMaps(const LaunchPlan &plan,
                                       const std::vector<LaunchValue> &values,
                                       std::vector<cuda::TensorMap> &maps) {
  const Variant &wanted = variant(plan.variant);
  maps.resize(wanted.tensorMaps.size());
  if (maps.empty())
    return Status::success();
  const Driver &driver = device.driver();
  if (!driver.tensorMapEncodeTiled)
    return Error("expected a CUDA driver with tensor maps (12.0), got an older "
                 "one");
  for (size_t i = 0; i < wanted.tensorMaps.size(); ++i) {
    const TensorMapRecipe &recipe = wanted.tensorMaps[i];
    const auto &arguments = checker.manifest().arguments;
    auto argument = std::find_if(
        arguments.begin(), arguments.end(),
        [&](const Argument &candidate) { return candidate.name == recipe.of; });
    uint64_t address = values[argument - arguments.begin()].address;
    uint32_t box[kMaxTensorMapRank], steps[kMaxTensorMapRank];
    std::copy(recipe.box.begin(), recipe.box.end(), box);
    std::fill(std::begin(steps), std::end(steps), 1);
    cuda::Code code = driver.tensorMapEncodeTiled(
        &maps[i], tensorMapType(recipe), unsigned(recipe.box.size()),
        reinterpret_cast<void *>(address), plan.tensorMaps[i].dims.data(),
        plan.tensorMaps[i].strides.data(), box, steps, /*interleave=*/0,
        tensorMapSwizzle(recipe.swizzle), kPromoteTo128Bytes, /*oobFill=*/0);
    if (code != 0)
      return driver.error("cannot encode the tensor map of '" + recipe.of + "'",
                          code);
  }
  return Status::success();
}

Status Kernel::State::fillParameters(const LaunchPlan &plan,
                                     cuda::StreamHandle stream,
                                     const std::vector<LaunchValue> &values,
                                     Parameters &parameters) {
  const auto &arguments = checker.manifest().arguments;
  parameters.scalars.clear();
  parameters.addresses.clear();
  for (size_t i = 0; i < values.size(); ++i)
    parameters.scalars.push_back(encodeParameter(arguments[i].type, values[i]));
  if (Status status = encodeTensorMaps(plan, values, parameters.maps); !status)
    return status;
  // Only now: the vectors no longer move.
  for (uint64_t &scalar : parameters.scalars)
    parameters.addresses.push_back(&scalar);
  for (cuda::TensorMap &map : parameters.maps)
    parameters.addresses.push_back(&map);
  if (variant(plan.variant).workspace == 0)
    return Status::success();
  Result<uint64_t> workspace = workspaceFor(plan.variant, stream);
  if (!workspace)
    return workspace.takeError();
  parameters.workspace = *workspace;
  parameters.addresses.push_back(&parameters.workspace);
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Launching
//===----------------------------------------------------------------------===//

Status Kernel::State::submit(const LaunchPlan &plan, cuda::Function function,
                             cuda::StreamHandle stream, void **parameters) {
  const Driver &driver = device.driver();
  const Variant &wanted = variant(plan.variant);
  const char *what = "cannot launch";
  const auto &cluster = wanted.cluster;
  unsigned grid[3] = {unsigned(plan.grid[0]), unsigned(plan.grid[1]),
                      unsigned(plan.grid[2])};
  if (cluster[0] * cluster[1] * cluster[2] == 1)
    return driver.check(driver.launchKernel(function, grid[0], grid[1], grid[2],
                                            wanted.block, 1, 1, wanted.shared,
                                            stream, parameters,
                                            /*extra=*/nullptr),
                        what);
  if (!driver.launchKernelEx)
    return Error("expected a CUDA driver with clusters (11.8), got an older "
                 "one");
  cuda::LaunchAttribute attribute = {};
  attribute.id = cuda::kClusterDimension;
  for (int axis = 0; axis < 3; ++axis)
    attribute.value.cluster[axis] = unsigned(cluster[axis]);
  cuda::LaunchConfig config = {grid[0],
                               grid[1],
                               grid[2],
                               unsigned(wanted.block),
                               1,
                               1,
                               unsigned(wanted.shared),
                               stream,
                               &attribute,
                               1};
  return driver.check(driver.launchKernelEx(&config, function, parameters,
                                            /*extra=*/nullptr),
                      what);
}

Kernel::Kernel(std::unique_ptr<State> state) : state(std::move(state)) {}
Kernel::Kernel(Kernel &&) noexcept = default;
Kernel::~Kernel() = default;

Result<Kernel> Kernel::load(const Device &device, Manifest manifest,
                            ImageSource images) {
  std::string target = manifest.target, name = manifest.kernel;
  Result<LaunchChecker> checker = LaunchChecker::create(std::move(manifest));
  if (!checker)
    return checker.takeError();
  if (Status status = checkTarget(target, device.facts()); !status)
    return Error("kernel '" + name + "': " + status.error().message);
  return Kernel(
      std::make_unique<State>(device, std::move(*checker), std::move(images)));
}

Result<Kernel> Kernel::load(const Device &device, Manifest manifest,
                            std::map<std::string, std::string> images) {
  auto source = [images = std::move(images)](
                    const Variant &variant) -> Result<std::string> {
    auto found = images.find(variant.name);
    if (found == images.end())
      return Error("expected its PTX or cubin, got none");
    return found->second;
  };
  return load(device, std::move(manifest), ImageSource(std::move(source)));
}

const Manifest &Kernel::manifest() const { return state->checker.manifest(); }

Result<LaunchPlan> Kernel::plan(const std::vector<LaunchValue> &values,
                                const LaunchOptions &options) const {
  return state->checker.plan(values, state->device.facts(), options);
}

Result<std::vector<VariantEstimate>>
Kernel::estimate(const std::vector<LaunchValue> &values) const {
  return state->checker.estimate(values, state->device.facts());
}

PastLaunch *Kernel::State::recall(cuda::StreamHandle stream,
                                  const std::vector<LaunchValue> &values,
                                  const LaunchOptions &options) {
  for (PastLaunch &past : pastLaunches)
    if (past.isReady && past.stream == stream &&
        past.options.grid == options.grid &&
        past.options.variant == options.variant &&
        std::equal(past.values.begin(), past.values.end(), values.begin(),
                   values.end(), isSame))
      return &past;
  return nullptr;
}

Result<PastLaunch *>
Kernel::State::prepareLaunch(cuda::StreamHandle stream,
                             const std::vector<LaunchValue> &values,
                             const LaunchOptions &options, LaunchPlan plan) {
  Result<LoadedVariant *> ready = load(plan.variant);
  if (!ready)
    return ready.takeError();
  PastLaunch &place = pastLaunches[nextPast];
  place.isReady = false;
  if (Status status = fillParameters(plan, stream, values, place.parameters);
      !status)
    return complain(variant(plan.variant), status.takeError());
  place.stream = stream;
  place.values = values;
  place.options = options;
  place.plan = std::move(plan);
  place.function = (*ready)->function;
  place.isReady = true;
  nextPast = (nextPast + 1) % kNumPastLaunches;
  return &place;
}

Result<LaunchPlan> Kernel::launch(cuda::StreamHandle stream,
                                  const std::vector<LaunchValue> &values,
                                  const LaunchOptions &options) {
  PastLaunch *launch = state->recall(stream, values, options);
  LaunchPlan fresh;
  if (!launch) {
    Result<LaunchPlan> checked = plan(values, options);
    if (!checked || checked->isEmpty())
      return checked;
    fresh = std::move(*checked);
  }
  CurrentContext current(state->device);
  if (!current.status())
    return current.status().error();
  if (!launch) {
    Result<PastLaunch *> prepared =
        state->prepareLaunch(stream, values, options, std::move(fresh));
    if (!prepared)
      return prepared.takeError();
    launch = *prepared;
  }
  if (Status status = state->submit(launch->plan, launch->function, stream,
                                    launch->parameters.addresses.data());
      !status)
    return state->complain(state->variant(launch->plan.variant),
                           status.takeError());
  return launch->plan;
}

Result<FunctionFacts> Kernel::facts(const std::string &variant) {
  Result<LoadedVariant *> ready = state->load(variant);
  if (!ready)
    return ready.takeError();
  return (*ready)->module.facts((*ready)->function);
}

Result<std::string> Kernel::log(const std::string &variant) {
  Result<LoadedVariant *> ready = state->load(variant);
  if (!ready)
    return ready.takeError();
  return (*ready)->module.log();
}
