//===- Report.cpp - What tile-run prints ----------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "Number.h"
#include "timing/Turns.h"

#include "llvm/Support/JSON.h"

#include <cmath>

using namespace tile;
using namespace tile::run;

bool Report::isOk() const {
  return llvm::all_of(
      checks, [](const Check &check) { return check.comparison.isOk(); });
}

BenchFigures run::makeBenchFigures(const Outcome &outcome, double operations,
                                   double bytes) {
  BenchFigures figures;
  timing::Times times = timing::summarise(outcome.repeats);
  figures.numRepeats = times.all.size();
  if (times.all.empty())
    return figures;
  figures.median = times.median;
  figures.min = times.min;
  figures.max = times.max;
  figures.teraflops = operations / figures.median * 1e-6;
  figures.gigabytes = bytes / figures.median * 1e-3;
  return figures;
}

/// Four significant digits, as few characters as they take.
static std::string shortNumber(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.4g", value);
  return text;
}

/// The number, as an integer where it is known as one.
static std::string exactText(const std::optional<int64_t> &integer,
                             double value) {
  return integer ? std::to_string(*integer) : numberText(value);
}

void run::printCheck(llvm::raw_ostream &stream, const Check &check) {
  const Comparison &result = check.comparison;
  stream << check.name << " = " << check.expected << ": max abs "
         << shortNumber(result.maxAbsolute) << ", max rel "
         << shortNumber(result.maxRelative) << ", "
         << shortNumber(result.maxUlp) << " ulp, ";
  if (result.isOk()) {
    stream << "ok (" << result.rule << ")\n";
    return;
  }
  stream << result.numWrong << " of " << result.numElements
         << " wrong, first at " << indexText(check.sides, result.firstWrong)
         << ": expected " << exactText(result.wantInteger, result.want);
  if (!result.narrowType.empty())
    stream << ", which " << result.narrowType << " does not hold";
  stream << ", got " << exactText(result.gotInteger, result.got) << " ("
         << result.rule << ")\n";
}

void Report::printText(llvm::raw_ostream &stream) const {
  if (!heading.empty())
    stream << heading << '\n';
  stream << "device " << outcome.device << '\n';
  if (!outcome.variant.empty())
    stream << "variant " << outcome.variant << '\n';
  stream << "grid " << outcome.grid[0] << 'x' << outcome.grid[1] << 'x'
         << outcome.grid[2] << ", " << shortNumber(outcome.milliseconds)
         << " ms\n";
  if (llvm::is_contained(outcome.grid, 0))
    stream << "a grid of no programs: nothing ran\n";
  for (const VerifiedVariant &variant : outcome.verified)
    stream << "verified variant " << variant.name << ": " << variant.numPasses
           << " passes, " << variant.numChanged
           << " changed the program and none its result\n";
  if (isRunBlock && checks.empty() && outcome.verified.empty())
    stream << "nothing was checked: the run block has no 'expect'\n";
  for (const Check &check : checks) {
    printCheck(stream, check);
    if (check.numerics)
      printNumerics(stream, *check.numerics);
  }
  if (!bench)
    return;
  stream << "median " << shortNumber(bench->median) << " us, min "
         << shortNumber(bench->min) << " us, max " << shortNumber(bench->max)
         << " us of " << bench->numRepeats << " runs";
  if (bench->teraflops > 0)
    stream << ", " << shortNumber(bench->teraflops) << " TFLOP/s";
  stream << ", " << shortNumber(bench->gigabytes) << " GB/s\n";
}

/// JSON has no infinity and no NaN: these become null.
static llvm::json::Value number(double value,
                                std::optional<int64_t> integer = {}) {
  if (integer)
    return *integer;
  if (!std::isfinite(value))
    return nullptr;
  return value;
}

static void printCheckJson(llvm::json::OStream &json, const Check &check) {
  const Comparison &result = check.comparison;
  json.object([&] {
    json.attribute("argument", check.name);
    json.attribute("expected", check.expected);
    json.attribute("rule", result.rule);
    json.attribute("max_abs", number(result.maxAbsolute));
    json.attribute("max_rel", number(result.maxRelative));
    json.attribute("max_ulp", number(result.maxUlp));
    json.attribute("elements", result.numElements);
    json.attribute("wrong", result.numWrong);
    if (!result.isOk()) {
      json.attribute("first_wrong", indexText(check.sides, result.firstWrong));
      json.attribute("want", number(result.want, result.wantInteger));
      json.attribute("got", number(result.got, result.gotInteger));
    }
    if (check.numerics)
      json.attributeObject("numerics",
                           [&] { printNumericsJson(json, *check.numerics); });
    json.attribute("ok", result.isOk());
  });
}

void Report::printJson(llvm::raw_ostream &stream) const {
  llvm::json::OStream json(stream, /*IndentSize=*/2);
  json.object([&] {
    if (!heading.empty())
      json.attribute("run", heading);
    json.attribute("kernel", kernel);
    json.attribute("device", outcome.device);
    if (!outcome.variant.empty())
      json.attribute("variant", outcome.variant);
    json.attribute("grid", llvm::json::Array(outcome.grid));
    json.attribute("milliseconds", outcome.milliseconds);
    if (!outcome.verified.empty())
      json.attributeArray("verified", [&] {
        for (const VerifiedVariant &variant : outcome.verified)
          json.object([&] {
            json.attribute("variant", variant.name);
            json.attribute("passes", variant.numPasses);
            json.attribute("changed", variant.numChanged);
          });
      });
    json.attributeArray("checks", [&] {
      for (const Check &check : checks)
        printCheckJson(json, check);
    });
    if (bench)
      json.attributeObject("bench", [&] {
        json.attribute("runs", bench->numRepeats);
        json.attribute("median_us", bench->median);
        json.attribute("min_us", bench->min);
        json.attribute("max_us", bench->max);
        json.attribute("tflops", bench->teraflops);
        json.attribute("gb_per_s", bench->gigabytes);
      });
    json.attribute("ok", isOk());
  });
  stream << '\n';
}
