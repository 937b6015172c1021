//===- Manifest.cpp - Validity of a kernel's contract ---------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Runtime/Manifest.h"

#include "tile/Runtime/Expression.h"

#include <algorithm>
#include <set>

using namespace tile::runtime;

/// Limits of every CUDA device so far: threads of a block, and blocks of a
/// cluster with the non-portable sizes included.
static constexpr int64_t kMaxBlock = 1024;
static constexpr int64_t kMaxCluster = 16;
/// Sides of a tensor map's box (CUDA Driver API, cuTensorMapEncodeTiled).
static constexpr int64_t kMaxBox = 256;

static std::string quote(std::string_view text) {
  return "'" + std::string(text) + "'";
}

const Variant *Manifest::findVariant(std::string_view name) const {
  auto found = std::find_if(
      variants.begin(), variants.end(),
      [&](const Variant &variant) { return variant.name == name; });
  return found == variants.end() ? nullptr : &*found;
}

namespace {
/// Checks one manifest; `failure` keeps the first complaint.
class Validator {
public:
  explicit Validator(const Manifest &manifest) : manifest(manifest) {}

  Status run();

private:
  bool checkArguments();
  bool checkArgument(const Argument &argument);
  bool checkVariant(const Variant &variant);
  bool checkLimits(const Variant &variant, const std::string &where);
  bool checkTensorMap(const TensorMapRecipe &map, const std::string &where);
  bool checkGrid(const std::array<std::string, 3> &grid,
                 const std::string &where);
  bool checkExpression(const std::string &text, const std::string &where);

  const Argument *findArgument(std::string_view name) const {
    for (const Argument &argument : manifest.arguments)
      if (argument.name == name)
        return &argument;
    return nullptr;
  }

  bool fail(const std::string &where, const std::string &message) {
    failure = "manifest of kernel " + quote(manifest.kernel) + ": " + where +
              ": " + message;
    return false;
  }

  const Manifest &manifest;
  std::string failure;
};
} // namespace

bool Validator::checkExpression(const std::string &text,
                                const std::string &where) {
  Result<Expression> expression = Expression::parse(text);
  if (!expression)
    return fail(where, expression.error().message);
  for (const std::string &name : expression->names()) {
    const Argument *argument = findArgument(name);
    if (!argument && name != "sms")
      return fail(where, "expected the name of an argument in expression " +
                             quote(text) + ", got " + quote(name));
    if (argument && !argument->type.isPointer &&
        !isInteger(argument->type.element))
      return fail(where, "expected an integer or pointer argument in "
                         "expression " +
                             quote(text) + ", got " + quote(name) +
                             " of type " + stringify(argument->type));
  }
  return true;
}

bool Validator::checkArgument(const Argument &argument) {
  std::string where = "argument " + quote(argument.name);
  bool isInt = !argument.type.isPointer && isInteger(argument.type.element);
  int64_t divisibility = argument.divisibility;
  if (divisibility < 1 || (divisibility & (divisibility - 1)) != 0)
    return fail(where, "expected a power of two as divisibility, got " +
                           std::to_string(divisibility));
  if (divisibility != 1 && !isInt && !argument.type.isPointer)
    return fail(where, "expected divisibility on an integer or a pointer, got "
                       "it on " +
                           stringify(argument.type));
  if ((argument.min || argument.max) && !isInt)
    return fail(where, "expected min and max on an integer, got them on " +
                           stringify(argument.type));
  if (argument.min && argument.max && *argument.min > *argument.max)
    return fail(where, "expected min <= max, got " +
                           std::to_string(*argument.min) + " and " +
                           std::to_string(*argument.max));
  if (argument.bytes.empty())
    return true;
  if (!argument.type.isPointer)
    return fail(where, "expected bytes on a pointer, got them on " +
                           stringify(argument.type));
  return checkExpression(argument.bytes, where + ", bytes");
}

bool Validator::checkArguments() {
  std::set<std::string_view> seen;
  for (const Argument &argument : manifest.arguments) {
    if (!Expression::isName(argument.name))
      return fail("arguments", "expected a name usable in expressions, got " +
                                   quote(argument.name));
    if (!seen.insert(argument.name).second)
      return fail("arguments", "expected distinct names, got " +
                                   quote(argument.name) + " twice");
  }
  return std::all_of(
      manifest.arguments.begin(), manifest.arguments.end(),
      [&](const Argument &argument) { return checkArgument(argument); });
}

bool Validator::checkGrid(const std::array<std::string, 3> &grid,
                          const std::string &where) {
  bool isAbsent = std::all_of(grid.begin(), grid.end(),
                              [](const std::string &s) { return s.empty(); });
  return isAbsent ||
         std::all_of(grid.begin(), grid.end(), [&](const std::string &extent) {
           return checkExpression(extent, where);
         });
}

bool Validator::checkTensorMap(const TensorMapRecipe &map,
                               const std::string &where) {
  const Argument *argument = findArgument(map.of);
  if (!argument || !argument->type.isPointer)
    return fail(where, "expected the name of a pointer argument, got " +
                           quote(map.of));
  size_t rank = map.dims.size();
  if (rank < 1 || rank > kMaxTensorMapRank)
    return fail(where,
                "expected 1 to 5 dimensions, got " + std::to_string(rank));
  if (map.strides.size() != rank - 1 || map.box.size() != rank)
    return fail(where, "expected " + std::to_string(rank - 1) +
                           " strides and " + std::to_string(rank) +
                           " box sides, got " +
                           std::to_string(map.strides.size()) + " and " +
                           std::to_string(map.box.size()));
  for (int64_t side : map.box)
    if (side < 1 || side > kMaxBox)
      return fail(where, "expected box sides of 1 to 256, got " +
                             std::to_string(side));
  int64_t swizzle = map.swizzle;
  if (swizzle != 0 && swizzle != 32 && swizzle != 64 && swizzle != 128)
    return fail(where, "expected a swizzle of 0, 32, 64 or 128 bytes, got " +
                           std::to_string(swizzle));
  if (map.roundToTf32 && map.type != ElementType::F32)
    return fail(where, "expected rounding to tf32 on f32, got it on " +
                           std::string(stringify(map.type)));
  for (const std::string &extent : map.dims)
    if (!checkExpression(extent, where + ", dims"))
      return false;
  for (const std::string &stride : map.strides)
    if (!checkExpression(stride, where + ", strides"))
      return false;
  return true;
}

bool Validator::checkLimits(const Variant &variant, const std::string &where) {
  if (variant.block < 1 || variant.block > kMaxBlock)
    return fail(where, "expected a block of 1 to 1024 threads, got " +
                           std::to_string(variant.block));
  int64_t blocks = 1;
  for (int64_t side : variant.cluster) {
    if (side < 1 || side > kMaxCluster)
      return fail(where, "expected cluster sides of 1 to 16, got " +
                             std::to_string(side));
    blocks *= side;
  }
  if (blocks > kMaxCluster)
    return fail(where, "expected at most 16 blocks in a cluster, got " +
                           std::to_string(blocks));
  if (variant.shared < 0 || variant.shared > INT32_MAX)
    return fail(where, "expected 0 to 2147483647 bytes of shared memory, got " +
                           std::to_string(variant.shared));
  if (variant.workspace < 0)
    return fail(where, "expected a workspace of 0 or more bytes, got " +
                           std::to_string(variant.workspace));
  return true;
}

bool Validator::checkVariant(const Variant &variant) {
  std::string where = "variant " + quote(variant.name);
  if (variant.symbol.empty())
    return fail(where, "expected a symbol, got none");
  if (!checkLimits(variant, where))
    return false;
  for (const std::string &requirement : variant.requirements)
    if (!checkExpression(requirement, where + ", requires"))
      return false;
  if (!variant.cost.empty() && !checkExpression(variant.cost, where + ", cost"))
    return false;
  for (const TensorMapRecipe &map : variant.tensorMaps)
    if (!checkTensorMap(map, where + ", tensor map of " + quote(map.of)))
      return false;
  return checkGrid(variant.grid, where + ", grid");
}

Status Validator::run() {
  auto check = [&] {
    if (manifest.kernel.empty())
      return fail("kernel", "expected a name, got none");
    if (manifest.target.rfind("sm_", 0) != 0)
      return fail("target",
                  "expected 'sm_' and a number, got " + quote(manifest.target));
    if (manifest.variants.empty())
      return fail("variants", "expected at least one, got none");
    std::set<std::string_view> seen;
    for (const Variant &variant : manifest.variants)
      if (variant.name.empty() || !seen.insert(variant.name).second)
        return fail("variants", "expected distinct, non-empty names, got " +
                                    quote(variant.name));
    return checkArguments() && checkGrid(manifest.grid, "grid") &&
           std::all_of(manifest.variants.begin(), manifest.variants.end(),
                       [&](const Variant &v) { return checkVariant(v); });
  };
  if (check())
    return Status::success();
  return Error(failure);
}

Status tile::runtime::validate(const Manifest &manifest) {
  return Validator(manifest).run();
}
