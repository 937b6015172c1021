//===- Plans.cpp - One program under several plans ------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plans.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace tile::run;
using llvm::StringRef;

/// Replaces each run by one for each item of `list`, as `set` writes it.
template <typename Set>
static void multiply(std::vector<Options> &runs, StringRef list, Set set) {
  llvm::SmallVector<StringRef> items;
  list.split(items, ',');
  std::vector<Options> all;
  for (const Options &run : runs)
    for (StringRef item : items) {
      Options &one = all.emplace_back(run);
      set(one, item);
      if (items.size() == 1)
        continue;
      one.plan += one.plan.empty() ? "" : " ";
      one.plan += item;
    }
  runs = std::move(all);
}

void tile::run::expandPlans(const Options &options,
                            std::vector<Options> &runs) {
  multiply(runs, options.target,
           [](Options &run, StringRef item) { run.target = item; });
  for (auto [index, setting] : llvm::enumerate(options.settings)) {
    auto [key, values] = StringRef(setting).split('=');
    // A run's settings start with those of the command line.
    size_t at = index;
    // The heading says what the value is of.
    std::string list;
    for (StringRef value : llvm::split(values, ','))
      list += (list.empty() ? "" : ",") + (key + "=" + value).str();
    multiply(runs, list, [at](Options &run, StringRef item) {
      run.settings[at] = item.str();
    });
  }
  multiply(runs, options.variant, [](Options &run, StringRef item) {
    run.variant = item == "auto" ? "" : item.str();
  });
}

void tile::run::numberDumps(std::vector<Options> &runs) {
  if (runs.size() == 1)
    return;
  for (auto [index, run] : llvm::enumerate(runs))
    for (auto &[name, file] : run.dumps) {
      llvm::SmallString<64> numbered(file);
      llvm::sys::path::replace_extension(numbered, "");
      numbered +=
          ("-" + llvm::Twine(index + 1) + llvm::sys::path::extension(file))
              .str();
      file = numbered.str().str();
    }
}
