//===- Merge.cpp - Several runs as one ------------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Merge.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <map>

using namespace tile::bench;

Spread Spread::of(const std::vector<double> &values) {
  Spread spread;
  spread.count = values.size();
  if (values.empty())
    return spread;
  spread.median = tile::bench::median(values);
  spread.min = *std::min_element(values.begin(), values.end());
  spread.max = *std::max_element(values.begin(), values.end());
  return spread;
}

/// The results of one case in all runs.
using Group = std::vector<const CaseResult *>;

bool MergedCase::isOtherTriton() const {
  return llvm::StringRef(otherName).starts_with("Triton");
}

/// The contender that all processes have in common: cuBLAS where it took part,
/// else the reference.
static std::string commonContender(const Group &results) {
  for (const CaseResult *result : results)
    if (result->find(kOurs) && !result->find(kCublas))
      return result->reference;
  return kCublas;
}

/// The best of Triton and PyTorch, each over the peer in its own process.
static void mergeOthers(const Group &results, double oursToPeer,
                        MergedCase &merged) {
  std::map<std::string, std::vector<double>> toPeer, times;
  for (const CaseResult *result : results) {
    const Timing *peer = result->find(merged.peerName);
    for (const auto &[name, timing] : result->timings) {
      llvm::StringRef who = name;
      if (!who.starts_with("Triton") && !who.starts_with("PyTorch"))
        continue;
      times[name].push_back(timing.median);
      if (peer)
        toPeer[name].push_back(peer->median / timing.median);
    }
  }
  for (const auto &[name, own] : times) {
    double ratio = 0;
    if (oursToPeer > 0 && !toPeer[name].empty())
      ratio = oursToPeer / median(toPeer[name]);
    else if (!merged.peer.isKnown() && merged.ours.isKnown())
      ratio = median(own) / merged.ours.median;
    if (ratio > 0 && (merged.otherRatio == 0 || ratio < merged.otherRatio)) {
      merged.otherRatio = ratio;
      merged.otherName = name;
    }
  }
}

static MergedCase mergeCase(const Group &results) {
  MergedCase merged;
  std::vector<double> ours, peer, ratios, toPeer;
  merged.peerName = commonContender(results);
  merged.name = results.front()->name;
  merged.group = results.front()->group;
  for (const CaseResult *result : results) {
    if (!result->error.empty()) {
      merged.errors.push_back(result->error);
      merged.isClean = false;
    }
    const Timing *timing = result->find(kOurs);
    if (!timing)
      continue;
    // Its times beside Triton are of another process, perhaps another day.
    if (const Timing *beside = result->find(merged.peerName))
      peer.push_back(beside->median);
    // A file without us knows neither floors nor variants.
    merged.group = result->group;
    merged.variant = result->variant;
    merged.reference = result->reference;
    merged.floor = result->floor;
    merged.aim = result->aim;
    merged.flops = result->flops;
    merged.bytes = result->bytes;
    merged.numRegisters = result->numRegisters;
    merged.localBytes = result->localBytes;
    merged.relativeError =
        std::max(merged.relativeError, timing->relativeError);
    merged.isClean &= timing->isClean();
    ours.push_back(timing->median);
    if (result->ratio() > 0)
      ratios.push_back(result->ratio());
    if (result->ratioTo(merged.peerName) > 0)
      toPeer.push_back(result->ratioTo(merged.peerName));
  }
  merged.ours = Spread::of(ours);
  merged.peer = Spread::of(peer);
  merged.ratio = Spread::of(ratios);
  mergeOthers(results, median(toPeer), merged);
  return merged;
}

MergedRun tile::bench::mergeRuns(const std::vector<RunResult> &runs) {
  MergedRun merged;
  std::vector<std::string> order, hostOrder;
  std::map<std::string, Group> groups;
  std::map<std::string, std::vector<double>> host;
  for (const RunResult &run : runs) {
    merged.facts.push_back(run.facts);
    for (const CaseResult &result : run.cases) {
      Group &group = groups[result.name];
      if (group.empty())
        order.push_back(result.name);
      group.push_back(&result);
    }
    for (const HostFigure &figure : run.host) {
      if (host[figure.name].empty())
        hostOrder.push_back(figure.name);
      host[figure.name].push_back(figure.value);
    }
  }
  std::vector<MergedCase> cases;
  std::vector<std::string> places;
  for (const std::string &name : order) {
    cases.push_back(mergeCase(groups[name]));
    if (!llvm::is_contained(places, cases.back().group))
      places.push_back(cases.back().group);
  }
  // Together what belongs together, where runs measured different cases.
  for (const std::string &place : places)
    for (const MergedCase &entry : cases)
      if (entry.group == place)
        merged.cases.push_back(entry);
  for (const std::string &name : hostOrder)
    merged.host.emplace_back(name, Spread::of(host[name]));
  return merged;
}

double tile::bench::meanRatio(const MergedRun &run, const std::string &group) {
  std::vector<double> ratios;
  for (const MergedCase &entry : run.cases)
    if (entry.group == group && entry.ratio.isKnown())
      ratios.push_back(entry.ratio.median);
  return geometricMean(ratios);
}

double tile::bench::meanTritonRatio(const MergedRun &run,
                                    const std::string &group) {
  std::vector<double> ratios;
  for (const MergedCase &entry : run.cases)
    if ((group.empty() || entry.group == group) && entry.isOtherTriton())
      ratios.push_back(entry.otherRatio);
  return geometricMean(ratios);
}
