//===- Markdown.cpp - Merged runs as a page -------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile::bench;

/// `text` within a cell of a table.
static std::string cell(const std::string &text) {
  std::string result;
  for (char character : text) {
    if (character == '|')
      result += '\\';
    result += character == '\n' ? ' ' : character;
  }
  return result;
}

/// The runs' facts, each once.
static void writeFacts(llvm::raw_ostream &os, const MergedRun &run) {
  os << "| run | date | card | driver | library | turns | command |\n"
     << "|---|---|---|---|---|---|---|\n";
  for (const auto &[index, facts] : llvm::enumerate(run.facts))
    os << "| " << index + 1 << " | " << facts.date << " | " << facts.card
       << " | " << facts.driver << " | " << facts.library << " | "
       << facts.repeats << " | `" << cell(facts.command) << "` |\n";
  os << '\n';
}

/// "1.021 (1.015..1.024)".
static void writeSpread(llvm::raw_ostream &os, const Spread &spread) {
  if (!spread.isKnown())
    return;
  os << llvm::format("%.3f", spread.median);
  if (spread.count > 1)
    os << llvm::format(" (%.3f..%.3f)", spread.min, spread.max);
}

/// "200.0 us, 687 TF"; nothing if it is not known.
static void writeTime(llvm::raw_ostream &os, const MergedCase &entry,
                      const Spread &time) {
  if (!time.isKnown())
    return;
  os << llvm::format("%.1f us, ", time.median);
  if (entry.flops > 0)
    os << llvm::format("%.0f TF", entry.teraflops(time));
  else
    os << speedText(entry.flops, entry.bytes, time.median);
}

static void writeCase(llvm::raw_ostream &os, const MergedCase &entry) {
  os << "| " << entry.name << " | " << entry.variant << " | ";
  if (!entry.ours.isKnown()) {
    os << "| | | | | | | ";
    for (const std::string &error : entry.errors)
      os << cell(error) << ' ';
    os << "|\n";
    return;
  }
  writeTime(os, entry, entry.ours);
  os << " | ";
  writeTime(os, entry, entry.peer);
  if (entry.peer.isKnown() && entry.peerName != kCublas)
    os << " (" << entry.peerName << ")";
  os << " | ";
  bool isBelow = entry.ratio.isKnown() && entry.ratio.median < entry.floor;
  writeSpread(os, entry.ratio);
  os << (isBelow ? " **below**" : "") << " | ";
  if (entry.floor > 0)
    os << llvm::format("%.2f", entry.floor);
  os << " | ";
  if (entry.otherRatio > 0)
    os << llvm::format("%.3f (%s)", entry.otherRatio, entry.otherName.c_str());
  os << llvm::format(" | %.1e | %d, %d B | ", entry.relativeError,
                     int(entry.numRegisters), int(entry.localBytes));
  os << (entry.isClean ? "yes" : "NO") << " |\n";
}

/// How many runs measured our kernels: others may be of a peer's alone.
static size_t countRuns(const MergedRun &run) {
  size_t count = 0;
  for (const MergedCase &entry : run.cases)
    count = std::max<size_t>(count, entry.ours.count);
  return count;
}

std::string tile::bench::writePage(const MergedRun &run) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "# Kernels against cuBLAS\n\n"
     << "Medians of " << countRuns(run)
     << " runs, each a process of its own; in brackets the least and the "
        "greatest.\nA ratio is their time over ours in the same run: above 1, "
        "ours is faster.  L2 is\nflushed before every launch, contenders take "
        "turns, inputs are random and normal.\nClean: the same bits before and "
        "after all turns, guards around the output\nintact.\n\n";
  writeFacts(os, run);
  if (double mean = meanTritonRatio(run, /*group=*/""))
    os << llvm::format("Against the best of Triton's kernels, by way of cuBLAS "
                       "in the same process, over all\nproducts that it ran: "
                       "geometric mean **%.3f**.\n\n",
                       mean);
  os << "![Ratios](ratios.svg)\n\n![Roofline](roofline.svg)\n";
  std::vector<std::string> groups;
  for (const MergedCase &entry : run.cases)
    if (!llvm::is_contained(groups, entry.group))
      groups.push_back(entry.group);
  for (const std::string &group : groups) {
    os << "\n## " << group << "\n\n";
    if (double mean = meanRatio(run, group))
      os << llvm::format("Geometric mean of the ratios: **%.3f**", mean);
    if (double mean = meanTritonRatio(run, group))
      os << llvm::format("; against Triton %.3f", mean);
    os << "\n\n";
    os << "| case | variant | ours | cuBLAS | ratio | floor | against others | "
          "error | registers, local | clean |\n"
       << "|---|---|---|---|---|---|---|---|---|---|\n";
    for (const MergedCase &entry : run.cases)
      if (entry.group == group)
        writeCase(os, entry);
  }
  if (!run.host.empty())
    os << "\n## Host\n\n| what | median |\n|---|---|\n";
  for (const auto &[name, spread] : run.host) {
    os << "| " << name << " | ";
    writeSpread(os, spread);
    os << " |\n";
  }
  return text;
}
