//===- Results.cpp - What a run has measured ------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Results.h"
#include "tile/Runtime/JsonDepth.h"
#include "timing/Turns.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cmath>
#include <ctime>

using namespace tile::bench;
using namespace tile::runtime;
using tile::timing::summarise;
namespace json = llvm::json;

/// The version of the format.
static constexpr int64_t kResultSchema = 1;

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

/// The kernel module's version, e.g. " (580.159)"; the API does not tell it.
static std::string moduleVersion() {
  auto file =
      llvm::MemoryBuffer::getFileAsStream("/proc/driver/nvidia/version");
  if (!file)
    return "";
  // "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159  ..."
  llvm::SmallVector<llvm::StringRef> words;
  (*file)->getBuffer().split(words, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (llvm::StringRef word : words)
    if (llvm::isDigit(word.front()) && word.contains('.'))
      return " (" + word.str() + ")";
  return "";
}

RunFacts RunFacts::collect(const Device &device) {
  RunFacts facts;
  char date[32];
  std::time_t now = std::time(nullptr);
  std::tm utc = {};
  gmtime_r(&now, &utc);
  std::strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &utc);
  facts.date = date;
  facts.card = device.facts().name;
  facts.numMultiprocessors = device.facts().numMultiprocessors;
  int version = device.facts().driverVersion;
  facts.driver = "CUDA " + std::to_string(version / 1000) + "." +
                 std::to_string(version % 1000 / 10) + moduleVersion();
  return facts;
}

//===----------------------------------------------------------------------===//
// Figures
//===----------------------------------------------------------------------===//

const Timing *CaseResult::find(std::string_view contender) const {
  for (const auto &[name, timing] : timings)
    if (name == contender)
      return &timing;
  return nullptr;
}

double CaseResult::ratioTo(std::string_view contender) const {
  const Timing *ours = find(kOurs), *theirs = find(contender);
  return ours && theirs ? theirs->median / ours->median : 0;
}

std::string tile::bench::speedText(double flops, double bytes,
                                   double microseconds) {
  bool areCounted = flops > 0;
  double perSecond = (areCounted ? flops * 1e-6 : bytes * 1e-3) / microseconds;
  return llvm::formatv(areCounted ? "{0:F1} TF" : "{0:F0} GB/s", perSecond)
      .str();
}

double tile::bench::geometricMean(const std::vector<double> &values) {
  if (values.empty())
    return 0;
  double sum = 0;
  for (double value : values)
    sum += std::log(value);
  return std::exp(sum / double(values.size()));
}

double tile::bench::median(std::vector<double> values) {
  return summarise(std::move(values)).median;
}

std::vector<std::string>
tile::bench::groupsOf(const std::vector<CaseResult> &cases) {
  std::vector<std::string> groups;
  for (const CaseResult &result : cases)
    if (!llvm::is_contained(groups, result.group))
      groups.push_back(result.group);
  return groups;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static json::Object toJson(const CaseResult &result) {
  json::Object contenders;
  for (const auto &[name, timing] : result.timings)
    contenders[name] = json::Object{{"median_us", timing.median},
                                    {"min_us", timing.min},
                                    {"max_us", timing.max},
                                    {"teraflops", result.teraflops(timing)},
                                    {"relative_error", timing.relativeError},
                                    {"same_bits", timing.isReproducible},
                                    {"guards_intact", timing.areGuardsIntact}};
  json::Object object{{"name", result.name},
                      {"group", result.group},
                      {"flops", result.flops},
                      {"bytes", result.bytes},
                      {"floor", result.floor},
                      {"aim", result.aim},
                      {"reference", result.reference},
                      {"variant", result.variant},
                      {"registers", result.numRegisters},
                      {"local_bytes", result.localBytes},
                      {"contenders", std::move(contenders)}};
  if (result.cost)
    object["cost"] = *result.cost;
  if (result.ratio() > 0)
    object["ratio"] = result.ratio();
  if (!result.error.empty())
    object["error"] = json::fixUTF8(result.error);
  return object;
}

std::string tile::bench::writeResults(const RunResult &run) {
  json::Array cases, host;
  for (const CaseResult &result : run.cases)
    cases.push_back(toJson(result));
  for (const HostFigure &figure : run.host)
    host.push_back(
        json::Object{{"name", figure.name}, {"value", figure.value}});
  json::Object object{{"schema", kResultSchema},
                      {"date", run.facts.date},
                      {"card", run.facts.card},
                      {"driver", run.facts.driver},
                      {"library", run.facts.library},
                      {"command", run.facts.command},
                      {"multiprocessors", run.facts.numMultiprocessors},
                      {"repeats", run.facts.repeats},
                      {"cases", std::move(cases)},
                      {"host", std::move(host)}};
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::formatv("{0:2}\n", json::Value(std::move(object)));
  return text;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static bool fromJson(const json::Value &value, Timing &timing,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("median_us", timing.median) &&
         map.mapOptional("min_us", timing.min) &&
         map.mapOptional("max_us", timing.max) &&
         map.mapOptional("relative_error", timing.relativeError) &&
         map.mapOptional("same_bits", timing.isReproducible) &&
         map.mapOptional("guards_intact", timing.areGuardsIntact);
}

/// Reads the contenders, ours first and the others by name.
static bool readTimings(const json::Value &value, CaseResult &result,
                        json::Path path) {
  const json::Object *object = value.getAsObject();
  if (!object) {
    path.report("expected object");
    return false;
  }
  for (const auto &[name, timing] : *object) {
    auto &entry = result.timings.emplace_back(name.str(), Timing());
    if (!fromJson(timing, entry.second, path.field(name)))
      return false;
  }
  llvm::sort(result.timings, [](const auto &left, const auto &right) {
    return std::make_pair(left.first != kOurs, left.first) <
           std::make_pair(right.first != kOurs, right.first);
  });
  return true;
}

namespace tile::bench {
static bool fromJSON(const json::Value &value, CaseResult &result,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  bool isRead = map && map.map("name", result.name) &&
                map.mapOptional("group", result.group) &&
                map.mapOptional("flops", result.flops) &&
                map.mapOptional("bytes", result.bytes) &&
                map.mapOptional("floor", result.floor) &&
                map.mapOptional("aim", result.aim) &&
                map.mapOptional("reference", result.reference) &&
                map.mapOptional("variant", result.variant) &&
                map.mapOptional("cost", result.cost) &&
                map.mapOptional("registers", result.numRegisters) &&
                map.mapOptional("local_bytes", result.localBytes) &&
                map.mapOptional("error", result.error);
  const json::Value *contenders =
      isRead ? value.getAsObject()->get("contenders") : nullptr;
  return isRead && (!contenders ||
                    readTimings(*contenders, result, path.field("contenders")));
}

static bool fromJSON(const json::Value &value, HostFigure &figure,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("name", figure.name) && map.map("value", figure.value);
}
} // namespace tile::bench

Result<RunResult> tile::bench::parseResults(std::string_view text) {
  if (runtime::Status status = runtime::checkJsonDepth(text); !status)
    return status.takeError();
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value)
    return Error("expected JSON, got " + llvm::toString(value.takeError()));
  json::Path::Root root("results");
  json::ObjectMapper map(*value, root);
  RunResult run;
  int64_t schema = 0;
  bool isRead =
      map && map.map("schema", schema) &&
      map.mapOptional("date", run.facts.date) &&
      map.mapOptional("card", run.facts.card) &&
      map.mapOptional("driver", run.facts.driver) &&
      map.mapOptional("library", run.facts.library) &&
      map.mapOptional("command", run.facts.command) &&
      map.mapOptional("multiprocessors", run.facts.numMultiprocessors) &&
      map.mapOptional("repeats", run.facts.repeats) &&
      map.map("cases", run.cases) && map.mapOptional("host", run.host);
  if (!isRead)
    return Error(llvm::toString(root.getError()));
  if (schema != kResultSchema)
    return Error("expected results of schema " + std::to_string(kResultSchema) +
                 ", got " + std::to_string(schema));
  return run;
}
