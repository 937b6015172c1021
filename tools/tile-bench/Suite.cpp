//===- Suite.cpp - What is measured ---------------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Suite.h"

#include "llvm/ADT/ArrayRef.h"

using namespace tile::bench;
using tile::Precision;
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
  Precision precision = Precision::Ieee;
};
} // namespace

std::string SuiteCase::name() const {
  if (example)
    return example->name;
  return gemm.kind() + " " + gemm.layout() + " " + gemm.shape.text() +
         (gemm.isFused ? " bias+gelu+residual" : "") +
         (form.empty() ? "" : " " + form);
}

const char *SuiteCase::reference() const {
  if (example)
    return example->kind == ExampleCase::Kind::Softmax ? kCopy : "";
  if (gemm.isFused)
    return kOursPlain;
  return libraryFor(gemm);
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

/// As kF32; 1024^3 is where tile sides decide.
static constexpr GemmShape kTf32[] = {{8192, 4096, 6144}, {1024, 1024, 1024}};
static constexpr GemmShape kTf32x3[] = {{1024, 1024, 1024}};
static constexpr GemmShape kNarrow[] = {{8192, 8192, 8192}};

static constexpr GemmShape kFused[] = {{8192, 8192, 8192}};
static constexpr ElementType kHalves[] = {ElementType::F16, ElementType::BF16};
static constexpr ElementType kFloat[] = {ElementType::F32};
static constexpr ElementType kNarrows[] = {ElementType::F8E4M3FN,
                                           ElementType::I8};

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
      // wgmma reads what has not 16 bits along k only: B by columns.
      {"tf32", 0, 0, false, true, false, kFloat, kTf32, Precision::Tf32},
      {"tf32, row-major", 0, 0, false, false, false, kFloat, kTf32,
       Precision::Tf32},
      {"tf32x3", 0, 0, false, false, false, kFloat, kTf32x3, Precision::Tf32x3},
      {"8 bits", 0, 0, false, true, false, kNarrows, kNarrow},
  };
}

/// Elements of C where A and B are of `input`.
static ElementType outputOf(ElementType input) {
  switch (input) {
  case ElementType::F8E4M3FN:
    return ElementType::F16;
  case ElementType::I8:
    return ElementType::I32;
  default:
    return input;
  }
}

/// The examples by group, each with the sides that are best for its size.
static std::vector<std::pair<const char *, ExampleCase>> exampleCases() {
  ExampleCase softmax;
  softmax.name = "softmax f16 8192x8192";
  softmax.rows = softmax.columns = 8192;
  softmax.parameters = {"B=8192"};
  softmax.settings = {"warps=4"};
  ExampleCase attention;
  attention.name = "attention f16 b4 h32 s4096 d128";
  attention.kind = ExampleCase::Kind::Attention;
  attention.batches = 4 * 32;
  attention.rows = 4096;
  attention.columns = 128;
  attention.parameters = {"BM=128", "BN=128", "D=128"};
  attention.settings = {"warps=8", "stages=3"};
  return {{"softmax", softmax}, {"attention", attention}};
}

std::vector<SuiteCase> tile::bench::suiteCases() {
  std::vector<SuiteCase> cases;
  for (const Group &group : groups())
    for (ElementType type : group.types)
      for (const GemmShape &shape : group.shapes) {
        SuiteCase &entry = cases.emplace_back();
        entry.group = group.name;
        entry.gemm = {shape,
                      type,
                      outputOf(type),
                      group.isATransposed,
                      group.isBTransposed,
                      group.isFused,
                      group.precision};
        entry.floor = group.floor;
        entry.aim = group.aim;
        entry.isQuick =
            type == group.types.front() && &shape == &group.shapes.front();
      }
  for (auto &[group, example] : exampleCases()) {
    SuiteCase &entry = cases.emplace_back();
    entry.group = group;
    entry.example = example;
    entry.isQuick = true;
  }
  return cases;
}

std::vector<SuiteCase> tile::bench::squareCases() {
  constexpr int64_t kLeast = 8, kGreatest = 16384;
  std::vector<SuiteCase> cases;
  for (bool isArranged : {false, true})
    for (int64_t side = kLeast; side <= kGreatest; side *= 2) {
      SuiteCase &entry = cases.emplace_back();
      entry.group = isArranged ? "squares, arranged" : "squares, pointers";
      entry.form = isArranged ? "arranged" : "pointers";
      entry.gemm.shape = {side, side, side};
      entry.gemm.isArranged = isArranged;
      entry.isQuick = side == kLeast;
    }
  return cases;
}
