//===- TuningTable.cpp - What was measured to be fastest ------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Runtime/TuningTable.h"
#include "tile/Runtime/JsonDepth.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace tile::runtime;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Classes of shapes
//===----------------------------------------------------------------------===//

/// What 16 divides takes the widest vectors, and so another variant.
static constexpr int64_t kAlignment = 16;

/// "4096/16" for 4000.
static std::string integerWord(int64_t value) {
  if (value == 0)
    return "0";
  uint64_t magnitude = value < 0 ? -uint64_t(value) : uint64_t(value);
  std::string word = value < 0 ? "-" : "";
  // The greatest magnitude, 2^63, is out of PowerOf2Ceil's reach.
  if (!llvm::isPowerOf2_64(magnitude))
    word += std::to_string(llvm::PowerOf2Ceil(magnitude));
  else
    word += std::to_string(magnitude);
  if (magnitude % kAlignment == 0)
    word += "/" + std::to_string(kAlignment);
  return word;
}

static std::string argumentWord(const Argument &argument,
                                const LaunchValue &value) {
  std::string type = stringify(argument.type);
  if (argument.type.isPointer && value.address % kAlignment == 0)
    type += "/" + std::to_string(kAlignment);
  bool isInteger = !argument.type.isPointer &&
                   tile::runtime::isInteger(argument.type.element);
  return argument.name + ":" + (isInteger ? integerWord(value.integer) : type);
}

std::string
tile::runtime::shapeClass(const std::vector<Argument> &arguments,
                          const std::vector<LaunchValue> &values,
                          const std::vector<std::string> &parameters) {
  std::vector<std::string> words;
  for (auto [argument, value] : llvm::zip(arguments, values))
    words.push_back(argumentWord(argument, value));
  words.insert(words.end(), parameters.begin(), parameters.end());
  return llvm::join(words, " ");
}

//===----------------------------------------------------------------------===//
// Look-up
//===----------------------------------------------------------------------===//

bool TuningKey::operator==(const TuningKey &other) const {
  return kernel == other.kernel && shape == other.shape && card == other.card &&
         numMultiprocessors == other.numMultiprocessors &&
         target == other.target && compiler == other.compiler &&
         program == other.program;
}

/// A card's name may hold any bytes, and so may what a caller made.
static void repair(std::string &text) {
  if (!json::isUTF8(text))
    text = json::fixUTF8(text);
}

static TuningKey repaired(TuningKey key) {
  for (std::string *text : {&key.kernel, &key.shape, &key.card, &key.target,
                            &key.compiler, &key.program})
    repair(*text);
  return key;
}

const TuningEntry *TuningTable::find(const TuningKey &key) const {
  TuningKey wanted = repaired(key);
  for (const TuningEntry &entry : list)
    if (entry.key == wanted)
      return &entry;
  return nullptr;
}

void TuningTable::set(TuningEntry entry) {
  entry.key = repaired(std::move(entry.key));
  for (std::string &text : entry.parameters)
    repair(text);
  for (std::string &text : entry.settings)
    repair(text);
  repair(entry.run);
  for (TuningEntry &known : list)
    if (known.key == entry.key) {
      known = std::move(entry);
      return;
    }
  list.push_back(std::move(entry));
}

/// "NVIDIA H200 with 132 multiprocessors".
static std::string cardText(const TuningKey &key) {
  return key.card + " with " + std::to_string(key.numMultiprocessors) +
         " multiprocessors";
}

std::string TuningTable::explainMiss(const TuningKey &key) const {
  /// A part of the key: what it is called, and its text.
  struct Part {
    const char *what;
    std::string (*text)(const TuningKey &);
  };
  static constexpr Part kParts[] = {
      {"the kernel", [](const TuningKey &key) { return key.kernel; }},
      {"the card", cardText},
      {"the shapes", [](const TuningKey &key) { return key.shape; }},
      {"the chip", [](const TuningKey &key) { return key.target; }},
      {"the compiler", [](const TuningKey &key) { return key.compiler; }},
      {"the kernel's code", [](const TuningKey &key) { return key.program; }},
  };
  TuningKey asked = repaired(key);
  std::vector<TuningKey> keys;
  for (const TuningEntry &entry : list)
    keys.push_back(entry.key);
  for (const Part &part : kParts) {
    std::string wanted = part.text(asked);
    std::vector<std::string> others;
    for (const TuningKey &known : keys)
      if (std::string text = "'" + part.text(known) + "'";
          !llvm::is_contained(others, text))
        others.push_back(std::move(text));
    llvm::erase_if(keys, [&](const TuningKey &known) {
      return part.text(known) != wanted;
    });
    if (keys.empty())
      return std::string("expected an entry for ") + part.what + " '" + wanted +
             "', got " +
             (others.empty() ? "none"
                             : "those for " + llvm::join(others, ", "));
  }
  return "";
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

namespace tile::runtime {
/// Found by the JSON library where an array of entries is read.
static bool fromJSON(const json::Value &value, TuningEntry &entry,
                     json::Path path) {
  json::ObjectMapper object(value, path);
  TuningKey &key = entry.key;
  return object && object.map("kernel", key.kernel) &&
         object.map("shape", key.shape) && object.map("card", key.card) &&
         object.map("multiprocessors", key.numMultiprocessors) &&
         object.map("target", key.target) &&
         object.map("compiler", key.compiler) &&
         object.map("program", key.program) &&
         object.map("parameters", entry.parameters) &&
         object.map("settings", entry.settings) &&
         object.map("run", entry.run) &&
         object.map("microseconds", entry.microseconds) &&
         object.map("standing_microseconds", entry.standingMicroseconds);
}
} // namespace tile::runtime

/// What is wrong with names and their values; empty if all is well.  `fixed`
/// has the parameters that the class of shapes is about.
static std::string findDefect(const std::vector<std::string> &words,
                              const llvm::StringMap<llvm::StringRef> &fixed) {
  llvm::StringSet<> names;
  for (llvm::StringRef word : words) {
    auto [name, value] = word.split('=');
    if (!word.contains('=') || name.empty() || value.empty())
      return ("expected NAME=VALUE, got '" + word + "'").str();
    if (!names.insert(name).second)
      return ("expected one value of '" + name + "', got a second one, '" +
              word + "'")
          .str();
    auto known = fixed.find(name);
    if (known != fixed.end() && known->second != value)
      return ("expected '" + name + "=" + known->second +
              "', as the class of shapes has it, got '" + word + "'")
          .str();
  }
  return "";
}

static std::string findDefect(const TuningEntry &entry) {
  llvm::StringMap<llvm::StringRef> fixed;
  llvm::SmallVector<llvm::StringRef> words;
  llvm::StringRef(entry.key.shape).split(words, ' ');
  for (llvm::StringRef word : words)
    if (word.contains('='))
      fixed[word.split('=').first] = word.split('=').second;
  if (std::string defect = findDefect(entry.parameters, fixed); !defect.empty())
    return defect;
  if (std::string defect = findDefect(entry.settings, {}); !defect.empty())
    return defect;
  if (!std::isfinite(entry.microseconds) || entry.microseconds <= 0)
    return "expected microseconds above 0, got " +
           std::to_string(entry.microseconds);
  double standing = entry.standingMicroseconds;
  if (!std::isfinite(standing) || standing < 0)
    return "expected standing_microseconds of at least 0, got " +
           std::to_string(standing);
  return "";
}

Result<TuningTable> TuningTable::parse(std::string_view text) {
  if (Status status = checkJsonDepth(text); !status)
    return status.takeError();
  llvm::Expected<json::Value> value =
      json::parse(llvm::StringRef(text.data(), text.size()));
  if (!value)
    return Error("expected a tuning table in JSON: " +
                 llvm::toString(value.takeError()));
  json::Path::Root root("the tuning table");
  int64_t schema = 0;
  std::vector<TuningEntry> entries;
  json::ObjectMapper object(*value, root);
  if (!object || !object.map("schema", schema))
    return Error(llvm::toString(root.getError()));
  if (schema != kTuningSchema)
    return Error("expected a tuning table of schema " +
                 std::to_string(kTuningSchema) + ", got schema " +
                 std::to_string(schema) + ": let tile-tune write a new one");
  if (!object.map("entries", entries))
    return Error(llvm::toString(root.getError()));
  TuningTable table;
  for (auto [index, entry] : llvm::enumerate(entries)) {
    if (std::string defect = findDefect(entry); !defect.empty())
      return Error("the tuning table.entries[" + std::to_string(index) +
                   "], for '" + entry.key.kernel + "': " + defect);
    table.set(std::move(entry));
  }
  return table;
}

static void writeEntry(json::OStream &out, const TuningEntry &entry) {
  out.object([&] {
    out.attribute("kernel", entry.key.kernel);
    out.attribute("shape", entry.key.shape);
    out.attribute("card", entry.key.card);
    out.attribute("multiprocessors", entry.key.numMultiprocessors);
    out.attribute("target", entry.key.target);
    out.attribute("compiler", entry.key.compiler);
    out.attribute("program", entry.key.program);
    out.attribute("parameters", json::Array(entry.parameters));
    out.attribute("settings", json::Array(entry.settings));
    out.attribute("run", entry.run);
    out.attribute("microseconds", entry.microseconds);
    out.attribute("standing_microseconds", entry.standingMicroseconds);
  });
}

std::string TuningTable::write() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  json::OStream out(stream, /*IndentSize=*/2);
  out.object([&] {
    out.attribute("schema", kTuningSchema);
    out.attributeArray("entries", [&] {
      for (const TuningEntry &entry : list)
        writeEntry(out, entry);
    });
  });
  return text + "\n";
}
