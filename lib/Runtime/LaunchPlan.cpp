//===- LaunchPlan.cpp - Checks before a launch ----------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BoundManifest.h"

#include <algorithm>

using namespace tile::runtime;

static std::string quote(std::string_view text) {
  return "'" + std::string(text) + "'";
}

static constexpr char kAxes[] = {'x', 'y', 'z'};

namespace {
/// Applies the rules of LaunchPlan.h to one launch.
class LaunchCheck {
public:
  LaunchCheck(const LaunchChecker::State &bound,
              const std::vector<LaunchValue> &values, const DeviceFacts &device,
              const LaunchOptions &options)
      : bound(bound), manifest(bound.manifest), values(values), device(device),
        options(options) {}

  Result<LaunchPlan> run();
  Result<std::vector<VariantEstimate>> estimate();

private:
  Status checkCount();
  Status checkArguments();
  Status checkArgument(const Argument &argument, const LaunchValue &value);
  Status checkInteger(const Argument &argument, int64_t value);
  Status checkPointers();
  Status findKernelGrid(bool &isKnown);
  Status findVariantGrid(bool isKnown);
  Status evaluateGrid(const BoundGrid &grid);
  Status setGrid(const std::array<int64_t, 3> &grid);
  Status chooseVariant();
  void bindValues();
  /// Finds the value; false if there is none.  Every launch asks for dozens.
  bool evaluate(const BoundExpression &expression, int64_t &value) const {
    value = nodes.values[expression.node];
    return nodes.isKnown[expression.node] || evaluateAlone(expression, value);
  }
  bool evaluateAlone(const BoundExpression &expression, int64_t &value) const;
  /// Why there is none.
  std::string explain(const BoundExpression &expression) const;
  bool holds(size_t variant) const;
  /// The cheapest of the variants from `first` on, the first that holds.
  size_t findCheapest(size_t first);
  std::optional<int64_t> costOf(size_t variant) const;
  /// The error where no variant can be taken.
  Error explainRefusal() const;
  /// Whether a variant's blocks run all programs of the kernel's grid, and the
  /// caller wants another.
  bool runsOtherGrid(size_t variant) const {
    return isOtherGrid && !bound.variants[variant].grid.empty();
  }
  /// The first requirement that does not hold, as text; empty if all do.
  std::string findFailure(size_t variant) const;
  Status checkDevice();
  Status sizeTensorMaps();

  /// The error with the kernel's name in front.
  Error complain(const std::string &message) const {
    return Error("kernel " + quote(manifest.kernel) + ": " + message);
  }

  const LaunchChecker::State &bound;
  const Manifest &manifest;
  const std::vector<LaunchValue> &values;
  const DeviceFacts &device;
  const LaunchOptions &options;
  std::vector<int64_t> slots;
  /// The manifest's graph under `slots`.
  ExpressionGraph::Values nodes;
  /// Whether the caller's grid is not the one that the kernel states.
  bool isOtherGrid = false;
  LaunchPlan plan;
};
} // namespace

/// Least and greatest signed value of an integer type; i1 is 0 or 1.
static std::pair<int64_t, int64_t> rangeOf(ElementType type) {
  if (type == ElementType::I1)
    return {0, 1};
  unsigned shift = 64 - 8 * sizeInBytes(type);
  return {INT64_MIN >> shift, INT64_MAX >> shift};
}

static const char *describe(LaunchValue::Kind kind) {
  switch (kind) {
  case LaunchValue::Kind::Pointer:
    return "a pointer";
  case LaunchValue::Kind::Integer:
    return "an integer";
  case LaunchValue::Kind::Real:
    return "a floating-point value";
  }
  return "nothing";
}

static LaunchValue::Kind kindOf(ArgumentType type) {
  if (type.isPointer)
    return LaunchValue::Kind::Pointer;
  return isInteger(type.element) ? LaunchValue::Kind::Integer
                                 : LaunchValue::Kind::Real;
}

Status LaunchCheck::checkInteger(const Argument &argument, int64_t value) {
  auto [least, greatest] = rangeOf(argument.type.element);
  least = std::max(least, argument.min.value_or(least));
  greatest = std::min(greatest, argument.max.value_or(greatest));
  if (value < least || value > greatest)
    return complain("argument " + quote(argument.name) + ": expected " +
                    stringify(argument.type) + " from " +
                    std::to_string(least) + " to " + std::to_string(greatest) +
                    ", got " + std::to_string(value));
  if (value % argument.divisibility != 0)
    return complain("argument " + quote(argument.name) +
                    ": expected a multiple of " +
                    std::to_string(argument.divisibility) + ", got " +
                    std::to_string(value));
  return Status::success();
}

Status LaunchCheck::checkArgument(const Argument &argument,
                                  const LaunchValue &value) {
  LaunchValue::Kind expected = kindOf(argument.type);
  if (value.kind != expected)
    return complain("argument " + quote(argument.name) + ": expected " +
                    describe(expected) + " for type " +
                    stringify(argument.type) + ", got " + describe(value.kind));
  if (expected == LaunchValue::Kind::Integer)
    return checkInteger(argument, value.integer);
  if (expected == LaunchValue::Kind::Pointer &&
      value.address % argument.divisibility != 0)
    return complain("argument " + quote(argument.name) +
                    ": expected an address that is a multiple of " +
                    std::to_string(argument.divisibility) + ", got " +
                    std::to_string(value.address));
  return Status::success();
}

Status LaunchCheck::checkCount() {
  if (values.size() == manifest.arguments.size())
    return Status::success();
  return complain("expected " + std::to_string(manifest.arguments.size()) +
                  " arguments, got " + std::to_string(values.size()));
}

Status LaunchCheck::checkArguments() {
  const auto &arguments = manifest.arguments;
  if (Status status = checkCount(); !status)
    return status;
  for (size_t index = 0; index < values.size(); ++index)
    if (Status status = checkArgument(arguments[index], values[index]); !status)
      return status;
  return Status::success();
}

void LaunchCheck::bindValues() {
  slots = bound.slotsOf(values, device);
  nodes = bound.graph.evaluate(slots);
}

bool LaunchCheck::evaluateAlone(const BoundExpression &expression,
                                int64_t &value) const {
  Result<int64_t> result = expression.evaluate(slots);
  if (result)
    value = *result;
  return static_cast<bool>(result);
}

std::string LaunchCheck::explain(const BoundExpression &expression) const {
  return expression.evaluate(slots).error().message;
}

Status LaunchCheck::checkPointers() {
  for (size_t index = 0; index < values.size(); ++index) {
    const Argument &argument = manifest.arguments[index];
    const LaunchValue &value = values[index];
    if (value.kind != LaunchValue::Kind::Pointer)
      continue;
    int64_t needed = 0;
    if (bound.bytes[index]) {
      if (!evaluate(*bound.bytes[index], needed))
        return complain("argument " + quote(argument.name) +
                        ", bytes: " + explain(*bound.bytes[index]));
      needed = std::max<int64_t>(needed, 0);
    }
    bool isUntouched = bound.bytes[index] && needed == 0;
    if (value.address == 0 && !isUntouched)
      return complain("argument " + quote(argument.name) +
                      ": expected an address, got null");
    if (value.sizeInBytes && *value.sizeInBytes < uint64_t(needed))
      return complain("argument " + quote(argument.name) +
                      ": expected a buffer of at least " +
                      std::to_string(needed) + " bytes (" + argument.bytes +
                      "), got " + std::to_string(*value.sizeInBytes));
  }
  return Status::success();
}

Status LaunchCheck::setGrid(const std::array<int64_t, 3> &grid) {
  for (int64_t extent : grid)
    if (extent < 0)
      return complain("expected grid extents of 0 or more, got " +
                      std::to_string(extent));
  plan.grid = grid;
  return Status::success();
}

Status LaunchCheck::evaluateGrid(const BoundGrid &grid) {
  std::array<int64_t, 3> extents = {1, 1, 1};
  for (size_t axis = 0; axis < grid.size(); ++axis)
    if (!evaluate(grid[axis], extents[axis]))
      return complain("grid: " + explain(grid[axis]));
  return setGrid(extents);
}

std::string LaunchCheck::findFailure(size_t variant) const {
  if (runsOtherGrid(variant))
    return "its blocks run all programs of the kernel's grid, which the "
           "caller's is not";
  for (const BoundExpression &requirement :
       bound.variants[variant].requirements) {
    int64_t value;
    if (!evaluate(requirement, value))
      return explain(requirement);
    if (value != 0)
      continue;
    std::string failure = quote(requirement.expression.text()) + " with ";
    for (size_t i = 0; i < requirement.slots.size(); ++i)
      failure += (i ? ", " : "") + requirement.expression.names()[i] + " = " +
                 std::to_string(slots[requirement.slots[i]]);
    return failure;
  }
  return "";
}

bool LaunchCheck::holds(size_t variant) const {
  if (runsOtherGrid(variant))
    return false;
  for (const BoundExpression &requirement :
       bound.variants[variant].requirements) {
    int64_t value;
    if (!evaluate(requirement, value) || value == 0)
      return false;
  }
  return true;
}

std::optional<int64_t> LaunchCheck::costOf(size_t variant) const {
  const std::optional<BoundExpression> &cost = bound.variants[variant].cost;
  int64_t value;
  if (!cost || !evaluate(*cost, value))
    return std::nullopt;
  return value;
}

size_t LaunchCheck::findCheapest(size_t first) {
  size_t cheapest = first;
  int64_t least = costOf(first).value_or(INT64_MAX);
  for (size_t index = first + 1; index < bound.variants.size(); ++index) {
    if (!bound.variants[index].cost || !holds(index))
      continue;
    int64_t cost = costOf(index).value_or(INT64_MAX);
    if (cost >= least)
      continue;
    cheapest = index;
    least = cost;
  }
  return cheapest;
}

Error LaunchCheck::explainRefusal() const {
  std::string failures, names;
  for (size_t index = 0; index < bound.variants.size(); ++index) {
    const Variant &variant = manifest.variants[index];
    names += (names.empty() ? "" : ", ") + variant.name;
    if (options.variant && variant.name != *options.variant)
      continue;
    failures += (failures.empty() ? "" : "; ") + variant.name + ": " +
                findFailure(index);
  }
  if (failures.empty())
    return complain("expected one of the variants " + names + ", got " +
                    quote(*options.variant));
  if (options.variant)
    return complain("expected arguments that satisfy variant " +
                    quote(*options.variant) + ", got a failed precondition: " +
                    failures.substr(options.variant->size() + 2));
  return complain("expected arguments that satisfy one of the variants, got "
                  "failed preconditions: " +
                  failures);
}

Status LaunchCheck::chooseVariant() {
  size_t first = 0, count = bound.variants.size();
  while (first < count && ((options.variant && manifest.variants[first].name !=
                                                   *options.variant) ||
                           !holds(first)))
    ++first;
  if (first == count)
    return explainRefusal();
  bool isOpen = !options.variant && bound.variants[first].cost;
  plan.variant = isOpen ? findCheapest(first) : first;
  plan.cost = costOf(plan.variant);
  return Status::success();
}

Result<std::vector<VariantEstimate>> LaunchCheck::estimate() {
  if (Status status = checkCount(); !status)
    return status.takeError();
  bindValues();
  std::vector<VariantEstimate> estimates;
  for (size_t index = 0; index < bound.variants.size(); ++index)
    estimates.push_back({index, findFailure(index), costOf(index)});
  return estimates;
}

Status LaunchCheck::checkDevice() {
  const Variant &variant = manifest.variants[plan.variant];
  for (int axis = 0; axis < 3; ++axis) {
    if (plan.grid[axis] > device.maxGrid[axis])
      return complain(std::string("expected at most ") +
                      std::to_string(device.maxGrid[axis]) + " blocks along " +
                      kAxes[axis] + ", got " + std::to_string(plan.grid[axis]));
    if (plan.grid[axis] % variant.cluster[axis] != 0)
      return complain("variant " + quote(variant.name) +
                      ": expected a multiple of " +
                      std::to_string(variant.cluster[axis]) + " blocks along " +
                      kAxes[axis] + ", got " + std::to_string(plan.grid[axis]));
  }
  if (variant.shared > device.maxShared)
    return complain("variant " + quote(variant.name) + ": expected at most " +
                    std::to_string(device.maxShared) +
                    " bytes of shared memory on " + quote(device.name) +
                    ", got " + std::to_string(variant.shared));
  return Status::success();
}

Status LaunchCheck::sizeTensorMaps() {
  auto evaluateAll = [&](const std::vector<BoundExpression> &expressions,
                         uint64_t *results) {
    for (const BoundExpression &expression : expressions) {
      int64_t value;
      if (!evaluate(expression, value))
        return Status(Error(explain(expression)));
      *results++ = static_cast<uint64_t>(value);
    }
    return Status::success();
  };
  const auto &maps = bound.variants[plan.variant].tensorMaps;
  plan.tensorMaps.resize(maps.size());
  for (size_t index = 0; index < maps.size(); ++index) {
    TensorMapSizes &sizes = plan.tensorMaps[index];
    Status status = evaluateAll(maps[index].dims, sizes.dims.data());
    if (status)
      status = evaluateAll(maps[index].strides, sizes.strides.data());
    if (!status)
      return complain("variant " + quote(manifest.variants[plan.variant].name) +
                      ": " + status.error().message);
  }
  return Status::success();
}

/// Rules 4 and 5 for the kernel's grid; `isKnown` tells whether there is one.
Status LaunchCheck::findKernelGrid(bool &isKnown) {
  isKnown = options.grid || !bound.grid.empty();
  plan.grid = {1, 1, 1};
  if (!bound.grid.empty())
    if (Status status = evaluateGrid(bound.grid); !status)
      return status;
  if (!options.grid)
    return Status::success();
  isOtherGrid = bound.grid.empty() || *options.grid != plan.grid;
  // Masks that the formula makes superfluous are not in the code.
  for (size_t axis = 0; axis < 3; ++axis)
    if (!bound.grid.empty() && (*options.grid)[axis] > plan.grid[axis])
      return complain(std::string("expected at most ") +
                      std::to_string(plan.grid[axis]) + " programs along " +
                      kAxes[axis] + ", as the kernel's grid says, got " +
                      std::to_string((*options.grid)[axis]));
  return setGrid(*options.grid);
}

/// Rules 4 and 5 for the chosen variant's grid.
Status LaunchCheck::findVariantGrid(bool isKnown) {
  const BoundGrid &grid = bound.variants[plan.variant].grid;
  if (!grid.empty())
    return evaluateGrid(grid);
  if (!isKnown)
    return complain("expected a grid from the caller, since the kernel states "
                    "none, got none");
  return Status::success();
}

Result<LaunchPlan> LaunchCheck::run() {
  if (Status status = checkArguments(); !status)
    return status.takeError();
  bindValues();
  bool isKnown;
  if (Status status = findKernelGrid(isKnown); !status)
    return status.takeError();
  if (plan.isEmpty())
    return plan;
  if (Status status = checkPointers(); !status)
    return status.takeError();
  if (Status status = chooseVariant(); !status)
    return status.takeError();
  if (Status status = findVariantGrid(isKnown); !status)
    return status.takeError();
  if (plan.isEmpty())
    return plan;
  if (Status status = checkDevice(); !status)
    return status.takeError();
  if (Status status = sizeTensorMaps(); !status)
    return status.takeError();
  return plan;
}

Result<LaunchPlan> LaunchChecker::plan(const std::vector<LaunchValue> &values,
                                       const DeviceFacts &device,
                                       const LaunchOptions &options) const {
  return LaunchCheck(*state, values, device, options).run();
}

Result<std::vector<VariantEstimate>>
LaunchChecker::estimate(const std::vector<LaunchValue> &values,
                        const DeviceFacts &device) const {
  return LaunchCheck(*state, values, device, LaunchOptions()).estimate();
}
