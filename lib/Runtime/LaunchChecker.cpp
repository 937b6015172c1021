//===- LaunchChecker.cpp - A manifest made ready for launches -------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BoundManifest.h"

#include <algorithm>
#include <charconv>

using namespace tile::runtime;

LaunchValue LaunchValue::pointer(uint64_t address,
                                 std::optional<uint64_t> sizeInBytes) {
  LaunchValue value;
  value.kind = Kind::Pointer;
  value.address = address;
  value.sizeInBytes = sizeInBytes;
  return value;
}

LaunchValue LaunchValue::integerOf(int64_t integer) {
  LaunchValue value;
  value.kind = Kind::Integer;
  value.integer = integer;
  return value;
}

LaunchValue LaunchValue::realOf(double real) {
  LaunchValue value;
  value.kind = Kind::Real;
  value.real = real;
  return value;
}

static std::string quote(std::string_view text) {
  return "'" + std::string(text) + "'";
}

Status tile::runtime::checkTarget(const std::string &target,
                                  const DeviceFacts &device) {
  int number = 0;
  const char *begin = target.data() + std::min<size_t>(3, target.size());
  const char *end = target.data() + target.size();
  auto [rest, code] = std::from_chars(begin, end, number);
  std::string_view suffix(rest, end - rest);
  bool isSpelled = target.rfind("sm_", 0) == 0 && code == std::errc() &&
                   (suffix.empty() || suffix == "a" || suffix == "f");
  if (!isSpelled)
    return Error("expected a target like 'sm_80' or 'sm_90a', got " +
                 quote(target));
  int capability = device.capability;
  bool runs = capability >= number;
  if (suffix == "a")
    runs = capability == number;
  else if (suffix == "f")
    runs = runs && capability / 10 == number / 10;
  if (runs)
    return Status::success();
  return Error("expected a device that runs " + target + ", got " +
               quote(device.name) + " of capability " +
               std::to_string(capability / 10) + "." +
               std::to_string(capability % 10));
}

/// The manifest is valid, so the text parses and its names are known.
BoundExpression LaunchChecker::State::bind(const std::string &text) const {
  BoundExpression bound{std::move(*Expression::parse(text)), {}};
  const auto &arguments = manifest.arguments;
  for (const std::string &name : bound.expression.names()) {
    auto found = std::find_if(
        arguments.begin(), arguments.end(),
        [&](const Argument &argument) { return argument.name == name; });
    bound.slots.push_back(found - arguments.begin());
  }
  return bound;
}

size_t LaunchChecker::State::conditionFor(const std::string &text) {
  auto found = std::find_if(conditions.begin(), conditions.end(),
                            [&](const BoundExpression &condition) {
                              return condition.expression.text() == text;
                            });
  size_t index = found - conditions.begin();
  if (found == conditions.end())
    conditions.push_back(bind(text));
  return index;
}

std::vector<int64_t>
LaunchChecker::State::slotsOf(const std::vector<LaunchValue> &values,
                              const DeviceFacts &device) const {
  std::vector<int64_t> slots;
  slots.reserve(values.size() + 1);
  for (const LaunchValue &value : values)
    slots.push_back(value.kind == LaunchValue::Kind::Pointer
                        ? static_cast<int64_t>(value.address)
                        : value.integer);
  slots.push_back(device.numMultiprocessors);
  return slots;
}

LaunchChecker::LaunchChecker(std::unique_ptr<State> state)
    : state(std::move(state)) {}
LaunchChecker::LaunchChecker(LaunchChecker &&) noexcept = default;
LaunchChecker &LaunchChecker::operator=(LaunchChecker &&) noexcept = default;
LaunchChecker::~LaunchChecker() = default;

const Manifest &LaunchChecker::manifest() const { return state->manifest; }

Result<LaunchChecker> LaunchChecker::create(Manifest manifest) {
  if (Status status = validate(manifest); !status)
    return status.takeError();
  auto state = std::make_unique<State>();
  state->manifest = std::move(manifest);
  if (state->manifest.hasGrid())
    state->grid = state->bindAll(state->manifest.grid);
  for (const Argument &argument : state->manifest.arguments) {
    auto &bytes = state->bytes.emplace_back();
    if (!argument.bytes.empty())
      bytes = state->bind(argument.bytes);
  }
  for (const Variant &variant : state->manifest.variants) {
    BoundVariant &bound = state->variants.emplace_back();
    for (const std::string &requirement : variant.requirements)
      bound.requirements.push_back(state->conditionFor(requirement));
    if (!variant.cost.empty())
      bound.cost = state->bind(variant.cost);
    if (variant.hasGrid())
      bound.grid = state->bindAll(variant.grid);
    for (const TensorMapRecipe &map : variant.tensorMaps)
      bound.tensorMaps.push_back(
          {state->bindAll(map.dims), state->bindAll(map.strides)});
  }
  return LaunchChecker(std::move(state));
}

/// The values of all `expressions`, appended to `results`.
static Status evaluateAll(const std::vector<BoundExpression> &expressions,
                          const std::vector<int64_t> &slots,
                          std::vector<int64_t> &results) {
  for (const BoundExpression &expression : expressions) {
    Result<int64_t> value = expression.evaluate(slots);
    if (!value)
      return value.takeError();
    results.push_back(*value);
  }
  return Status::success();
}

Result<std::vector<LaunchChecker::TensorMapSizes>>
LaunchChecker::tensorMapSizes(size_t variant,
                              const std::vector<LaunchValue> &values,
                              const DeviceFacts &device) const {
  std::vector<int64_t> slots = state->slotsOf(values, device);
  std::vector<TensorMapSizes> all;
  for (const BoundTensorMap &map : state->variants[variant].tensorMaps) {
    TensorMapSizes &sizes = all.emplace_back();
    if (Status status = evaluateAll(map.dims, slots, sizes.dims); !status)
      return status.takeError();
    if (Status status = evaluateAll(map.strides, slots, sizes.strides); !status)
      return status.takeError();
  }
  return all;
}
