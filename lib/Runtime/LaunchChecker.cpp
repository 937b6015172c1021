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
BoundExpression LaunchChecker::State::bind(const std::string &text) {
  BoundExpression bound{std::move(*Expression::parse(text)), {}};
  const auto &arguments = manifest.arguments;
  for (const std::string &name : bound.expression.names()) {
    auto found = std::find_if(
        arguments.begin(), arguments.end(),
        [&](const Argument &argument) { return argument.name == name; });
    bound.slots.push_back(found - arguments.begin());
  }
  bound.node = graph.add(bound.expression, bound.slots);
  return bound;
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
    bound.requirements = state->bindAll(variant.requirements);
    if (!variant.cost.empty())
      bound.cost = state->bind(variant.cost);
    if (variant.hasGrid())
      bound.grid = state->bindAll(variant.grid);
    for (const TensorMapRecipe &map : variant.tensorMaps)
      bound.tensorMaps.push_back(
          {state->bindAll(map.dims), state->bindAll(map.strides)});
  }
  state->graph.schedule();
  return LaunchChecker(std::move(state));
}
