//===- Table.cpp - Results as text for a terminal -------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Table.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile::bench;

/// Columns of the table: the name of the case, then figures.
static constexpr const char *kHeadFormat =
    "%-34s %-24s %10s %9s %10s %9s %7s %9s %5s %6s %s\n";
static constexpr const char *kRowFormat =
    "%-34s %-24s %10.1f %9s %10.1f %9s %7.3f %9.1e %5d %6d %s\n";

std::string tile::bench::formatHead(const RunFacts &facts) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "date     " << facts.date << "\ncard     " << facts.card << ", "
     << facts.numMultiprocessors << " multiprocessors\ndriver   "
     << facts.driver << "\nlibrary  " << facts.library << "\ncommand  "
     << facts.command << "\nmedians of " << facts.repeats
     << " turns; ratio = their time / ours\n";
  os << llvm::format(kHeadFormat, "case", "variant", "ours us", "speed",
                     "theirs us", "speed", "ratio", "error", "regs", "local",
                     "");
  return text;
}

/// What is wrong with a measured case, in a few words.
static std::string remarksOn(const CaseResult &result, const Timing &ours) {
  std::string text;
  auto add = [&](bool isWrong, const char *what) {
    if (isWrong)
      text += (text.empty() ? "" : ", ") + std::string(what);
  };
  add(!ours.isReproducible, "OTHER BITS");
  add(!ours.areGuardsIntact, "GUARDS WRITTEN");
  add(result.localBytes > 0, "LOCAL MEMORY");
  add(result.floor > 0 && result.ratio() > 0 && result.ratio() < result.floor,
      "below floor");
  return text;
}

std::string tile::bench::formatRow(const CaseResult &result) {
  std::string text;
  llvm::raw_string_ostream os(text);
  const Timing *ours = result.find(kOurs);
  if (!ours) {
    os << llvm::format("%-34s ", result.name.c_str()) << result.error << '\n';
    return text;
  }
  const Timing *theirs = result.find(result.reference);
  double theirTime = theirs ? theirs->median : 0;
  std::string theirSpeed = theirs ? result.speed(*theirs) : "";
  os << llvm::format(kRowFormat, result.name.c_str(), result.variant.c_str(),
                     ours->median, result.speed(*ours).c_str(), theirTime,
                     theirSpeed.c_str(), result.ratio(), ours->relativeError,
                     int(result.numRegisters), int(result.localBytes),
                     remarksOn(result, *ours).c_str());
  if (!result.error.empty())
    os << llvm::format("%-34s %s\n", "", result.error.c_str());
  for (const auto &[name, timing] : result.timings)
    if (name != kOurs && name != result.reference)
      os << llvm::format("%-34s %-24s %10.1f %9s %28.3f\n", "", name.c_str(),
                         timing.median, result.speed(timing).c_str(),
                         result.ratioTo(name));
  return text;
}

std::string tile::bench::formatSummary(const RunResult &run) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const std::string &group : groupsOf(run.cases)) {
    std::vector<double> ratios;
    int numBelow = 0;
    for (const CaseResult &result : run.cases) {
      if (result.group != group || result.ratio() == 0)
        continue;
      ratios.push_back(result.ratio());
      numBelow += result.ratio() < result.floor;
    }
    if (ratios.empty())
      continue;
    os << llvm::format("%-34s geometric mean %.3f of %d, %d below the floor\n",
                       group.c_str(), geometricMean(ratios), int(ratios.size()),
                       numBelow);
  }
  for (const HostFigure &figure : run.host)
    os << llvm::format("%-34s %.2f\n", figure.name.c_str(), figure.value);
  return text;
}
