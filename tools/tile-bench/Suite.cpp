//===- Suite.cpp - The products that are measured -------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Suite.h"

#include "llvm/ADT/ArrayRef.h"

using namespace tile::bench;
using tile::runtime::ElementType;

namespace {
/// Cases that share everything but type and shape.
struct Group {
  const char *name;
  double floor, aim;
  bool isATransposed, isBTransposed, isFused;
  llvm::ArrayRef<ElementType> types;
  /// The first is the quick form's.
  llvm::ArrayRef<GemmShape> shapes;
};
} // namespace

std::string SuiteCase::name() const {
  return std::string(runtime::stringify(gemm.input)) + " " + gemm.layout() +
         " " + gemm.shape.text() + (gemm.isFused ? " bias+gelu+residual" : "");
}

/// Sizes that fill the card many times over.
static constexpr GemmShape kLarge[] = {{8192, 8192, 8192},
                                       {4096, 4096, 4096},
                                       {16384, 16384, 4096},
                                       {8192, 1024, 8192},
                                       {4096, 11008, 4096}};
/// Sizes at which tile sides and waves decide.
static constexpr GemmShape kSmall[] = {{1024, 1024, 1024},
                                       {2048, 2048, 2048},
                                       {512, 512, 512},
                                       {3072, 3072, 3072},
                                       {4096, 4096, 512}};
/// Sides that no tile divides; pitches of 16 bytes that are not of 32.
static constexpr GemmShape kRagged[] = {
    {4104, 4088, 4136}, {4096, 4088, 4096}, {4096, 4096, 4136}};
/// Pitches of 2 bytes; a pitch of 16 bytes and a small size.
static constexpr GemmShape kOdd[] = {{4097, 4095, 4103}, {1000, 1000, 1000}};
/// Few rows.
static constexpr GemmShape kSkinny[] = {
    {256, 8192, 8192}, {128, 4096, 14336}, {64, 8192, 8192}, {16, 8192, 8192},
    {1, 4096, 4096},   {1, 14336, 8192},   {1, 8192, 28672}};
static constexpr GemmShape kF32[] = {{4096, 4096, 4096},
                                     {8192, 4096, 6144},
                                     {1024, 1024, 1024},
                                     {4097, 4095, 4103}};

static constexpr GemmShape kFused[] = {{8192, 8192, 8192}};
static constexpr ElementType kHalves[] = {ElementType::F16, ElementType::BF16};
static constexpr ElementType kFloat[] = {ElementType::F32};

static std::vector<Group> groups() {
  llvm::ArrayRef<ElementType> halves(kHalves), f16 = halves.take_front();
  return {
      {"row-major", 0.97, 1.05, false, false, false, halves, kLarge},
      {"B column-major", 0.97, 1.03, false, true, false, halves, kLarge},
      {"A column-major", 0.97, 1.03, true, false, false, halves, kLarge},
      {"small", 0.95, 1.05, false, false, false, halves, kSmall},
      {"ragged", 1.00, 1.05, false, false, false, halves, kRagged},
      {"odd", 0, 0, false, false, false, f16, kOdd},
      {"skinny", 0, 0, false, false, false, f16, kSkinny},
      // The ratio is to the plain product of our own.
      {"fused", 0.95, 0.98, false, false, true, f16, kFused},
      {"f32", 0.80, 0, false, false, false, kFloat, kF32},
  };
}

std::vector<SuiteCase> tile::bench::suiteCases() {
  std::vector<SuiteCase> cases;
  for (const Group &group : groups())
    for (ElementType type : group.types)
      for (const GemmShape &shape : group.shapes) {
        SuiteCase &entry = cases.emplace_back();
        entry.group = group.name;
        entry.gemm = {
            shape,        type, type, group.isATransposed, group.isBTransposed,
            group.isFused};
        entry.floor = group.floor;
        entry.aim = group.aim;
        entry.isQuick =
            type == group.types.front() && &shape == &group.shapes.front();
      }
  return cases;
}
