//===- Report.cpp - Tables and JSON ---------------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstdio>
#include <ctime>

using namespace tile::bench;
using namespace tile::runtime;

static std::string versionText(int version) {
  return std::to_string(version / 1000) + "." +
         std::to_string(version % 1000 / 10);
}

/// The kernel module's version, e.g. "580.159"; the API does not tell it.
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
  Result<int> version = device.driverVersion();
  facts.driver = version ? versionText(*version) + moduleVersion() : "unknown";
  return facts;
}

static double teraflops(const GemmResult &result, const GemmTiming &timing) {
  return result.shape.flops() / timing.median * 1e-6;
}

/// Speed of ours over speed of cuBLAS.
static double ratio(const GemmResult &result) {
  return result.cublas->median / result.ours.median;
}

std::string tile::bench::formatHead(const RunFacts &facts) {
  std::string text;
  text += "date    " + facts.date + "\n";
  text += "card    " + facts.card + "\n";
  text += "driver  CUDA " + facts.driver + "\n";
  text += "cuBLAS  " + facts.cublas + "\n";
  text += "kernel  " + facts.kernel + " for " + facts.target + ", " +
          facts.inputType + " to " + facts.outputType + ", layout " +
          facts.layout + ", median of " + std::to_string(facts.repeats) + "\n";
  char line[256];
  std::snprintf(line, sizeof(line),
                "%-20s %-12s %10s %8s %10s %8s %7s %10s %10s %5s %6s %s\n",
                "MxNxK", "variant", "ours us", "TF", "cuBLAS us", "TF", "ratio",
                "error", "cuBLAS err", "regs", "local", "same bits");
  return text + line;
}

std::string tile::bench::formatRow(const GemmResult &result) {
  char line[512];
  int used = std::snprintf(line, sizeof(line), "%-20s %-12s %10.1f %8.1f ",
                           result.shape.text().c_str(), result.variant.c_str(),
                           result.ours.median, teraflops(result, result.ours));
  if (result.cublas)
    used += std::snprintf(
        line + used, sizeof(line) - used, "%10.1f %8.1f %7.3f %10.2e %10.2e ",
        result.cublas->median, teraflops(result, *result.cublas), ratio(result),
        result.ours.relativeError, result.cublas->relativeError);
  else
    used += std::snprintf(line + used, sizeof(line) - used,
                          "%10s %8s %7s %10.2e %10s ", "-", "-", "-",
                          result.ours.relativeError, "-");
  std::snprintf(line + used, sizeof(line) - used, "%5d %6d %s\n",
                result.facts.numRegisters, result.facts.localBytes,
                result.isReproducible ? "yes" : "NO");
  return line;
}

static double geometricMean(const std::vector<GemmResult> &results) {
  double sum = 0;
  for (const GemmResult &result : results)
    sum += std::log(ratio(result));
  return std::exp(sum / double(results.size()));
}

std::string tile::bench::formatMean(const std::vector<GemmResult> &results) {
  if (results.empty() || !results.front().cublas)
    return "";
  char line[64];
  std::snprintf(line, sizeof(line), "geometric mean of the ratios: %.3f\n",
                geometricMean(results));
  return line;
}

static llvm::json::Object timingJson(const GemmResult &result,
                                     const GemmTiming &timing) {
  return llvm::json::Object{{"median_us", timing.median},
                            {"min_us", timing.min},
                            {"max_us", timing.max},
                            {"teraflops", teraflops(result, timing)},
                            {"relative_error", timing.relativeError}};
}

static llvm::json::Object resultJson(const GemmResult &result) {
  llvm::json::Object object{{"m", result.shape.m},
                            {"n", result.shape.n},
                            {"k", result.shape.k},
                            {"variant", result.variant},
                            {"registers", result.facts.numRegisters},
                            {"local_bytes", result.facts.localBytes},
                            {"same_bits", result.isReproducible},
                            {"ours", timingJson(result, result.ours)}};
  if (result.cublas) {
    object["cublas"] = timingJson(result, *result.cublas);
    object["ratio"] = ratio(result);
  }
  return object;
}

std::string tile::bench::formatJson(const RunFacts &facts,
                                    const std::vector<GemmResult> &results) {
  llvm::json::Array rows;
  for (const GemmResult &result : results)
    rows.push_back(resultJson(result));
  llvm::json::Object object{{"date", facts.date},
                            {"card", facts.card},
                            {"driver", facts.driver},
                            {"cublas", facts.cublas},
                            {"kernel", facts.kernel},
                            {"target", facts.target},
                            {"layout", facts.layout},
                            {"input_type", facts.inputType},
                            {"output_type", facts.outputType},
                            {"repeats", facts.repeats},
                            {"results", std::move(rows)}};
  if (facts.hasCublas && !results.empty())
    object["geometric_mean"] = geometricMean(results);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::formatv("{0:2}\n", llvm::json::Value(std::move(object)));
  return text;
}
