//===- ManifestReader.cpp - JSON to manifest ------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Runtime/JsonDepth.h"
#include "tile/Runtime/Manifest.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace tile::runtime;
namespace json = llvm::json;

/// What `value` is, for messages.
static const char *describe(const json::Value &value) {
  switch (value.kind()) {
  case json::Value::Null:
    return "null";
  case json::Value::Boolean:
    return "a boolean";
  case json::Value::Number:
    return "a number";
  case json::Value::String:
    return "a string";
  case json::Value::Array:
    return "an array";
  case json::Value::Object:
    return "an object";
  }
  return "nothing";
}

namespace {
/// Reads a JSON object key by key and remembers which keys were known.  After
/// the first error all reads do nothing.
class ObjectReader {
public:
  ObjectReader(const json::Value &value, std::string path, std::string &failure)
      : path(std::move(path)), failure(failure) {
    object = value.getAsObject();
    if (!object)
      complain(this->path.empty() ? "top level" : this->path, "an object",
               describe(value));
  }

  void read(llvm::StringRef key, std::string &field, bool isRequired) {
    if (const json::Value *value = find(key, isRequired))
      readString(*value, pathOf(key), field);
  }
  void read(llvm::StringRef key, int64_t &field, bool isRequired) {
    if (const json::Value *value = find(key, isRequired))
      readInteger(*value, pathOf(key), field);
  }
  void read(llvm::StringRef key, std::optional<int64_t> &field) {
    if (const json::Value *value = find(key, /*isRequired=*/false))
      readInteger(*value, pathOf(key), field.emplace());
  }
  void read(llvm::StringRef key, bool &field) {
    if (const json::Value *value = find(key, /*isRequired=*/false)) {
      if (std::optional<bool> flag = value->getAsBoolean())
        field = *flag;
      else
        complain(pathOf(key), "a boolean", describe(*value));
    }
  }
  void read(llvm::StringRef key, std::vector<std::string> &field,
            bool isRequired);
  void read(llvm::StringRef key, std::vector<int64_t> &field, bool isRequired);
  /// A grid: one to three expressions, those left out are "1".
  void readGrid(std::array<std::string, 3> &field);
  void readCluster(std::array<int64_t, 3> &field);
  /// A free-form object, kept as its text.
  void readFreeForm(llvm::StringRef key, std::string &field);
  /// Calls `readElement(value, path)` for each element of an array.
  template <typename Function>
  void readEach(llvm::StringRef key, bool isRequired, Function readElement);

  void complain(const std::string &where, const std::string &expected,
                const std::string &got) {
    if (failure.empty())
      failure =
          "manifest, " + where + ": expected " + expected + ", got " + got;
  }
  std::string pathOf(llvm::StringRef key) const {
    return path.empty() ? key.str() : path + "." + key.str();
  }
  /// Complains about keys that no call has asked for.
  void finish();

private:
  const json::Value *find(llvm::StringRef key, bool isRequired);
  void readString(const json::Value &value, const std::string &where,
                  std::string &field);
  void readInteger(const json::Value &value, const std::string &where,
                   int64_t &field);

  const json::Object *object;
  std::string path;
  std::string &failure;
  std::vector<llvm::StringRef> known;
};
} // namespace

const json::Value *ObjectReader::find(llvm::StringRef key, bool isRequired) {
  if (!failure.empty())
    return nullptr;
  known.push_back(key);
  const json::Value *value = object->get(key);
  if (!value && isRequired)
    complain(path.empty() ? "top level" : path, "key '" + key.str() + "'",
             "none");
  return value;
}

void ObjectReader::finish() {
  if (!failure.empty())
    return;
  std::vector<llvm::StringRef> unknown;
  for (const auto &entry : *object)
    if (std::find(known.begin(), known.end(), llvm::StringRef(entry.first)) ==
        known.end())
      unknown.push_back(entry.first);
  if (unknown.empty())
    return;
  // The object is a hash table; name the first by spelling for stable messages.
  std::string list;
  for (llvm::StringRef key : known)
    list += (list.empty() ? "" : ", ") + key.str();
  complain(path.empty() ? "top level" : path, "one of the keys " + list,
           "'" + std::min_element(unknown.begin(), unknown.end())->str() + "'");
}

void ObjectReader::readString(const json::Value &value,
                              const std::string &where, std::string &field) {
  if (std::optional<llvm::StringRef> text = value.getAsString())
    field = text->str();
  else
    complain(where, "a string", describe(value));
}

void ObjectReader::readInteger(const json::Value &value,
                               const std::string &where, int64_t &field) {
  if (std::optional<int64_t> number = value.getAsInteger())
    field = *number;
  else
    complain(where, "an integer",
             value.getAsNumber() ? "another number" : describe(value));
}

template <typename Function>
void ObjectReader::readEach(llvm::StringRef key, bool isRequired,
                            Function readElement) {
  const json::Value *value = find(key, isRequired);
  if (!value)
    return;
  const json::Array *array = value->getAsArray();
  if (!array)
    return complain(pathOf(key), "an array", describe(*value));
  for (size_t index = 0; index < array->size() && failure.empty(); ++index)
    readElement((*array)[index],
                pathOf(key) + "[" + std::to_string(index) + "]");
}

void ObjectReader::read(llvm::StringRef key, std::vector<std::string> &field,
                        bool isRequired) {
  readEach(key, isRequired, [&](const json::Value &v, const std::string &at) {
    readString(v, at, field.emplace_back());
  });
}

void ObjectReader::read(llvm::StringRef key, std::vector<int64_t> &field,
                        bool isRequired) {
  readEach(key, isRequired, [&](const json::Value &v, const std::string &at) {
    readInteger(v, at, field.emplace_back());
  });
}

void ObjectReader::readGrid(std::array<std::string, 3> &field) {
  std::vector<std::string> extents;
  read("grid", extents, /*isRequired=*/false);
  if (!failure.empty() || !object->get("grid"))
    return;
  if (extents.empty() || extents.size() > field.size())
    return complain(pathOf("grid"), "1 to 3 expressions",
                    std::to_string(extents.size()));
  field.fill("1");
  std::copy(extents.begin(), extents.end(), field.begin());
}

void ObjectReader::readCluster(std::array<int64_t, 3> &field) {
  std::vector<int64_t> sides;
  read("cluster", sides, /*isRequired=*/false);
  if (!failure.empty() || !object->get("cluster"))
    return;
  if (sides.size() != field.size())
    return complain(pathOf("cluster"), "3 integers",
                    std::to_string(sides.size()));
  std::copy(sides.begin(), sides.end(), field.begin());
}

void ObjectReader::readFreeForm(llvm::StringRef key, std::string &field) {
  const json::Value *value = find(key, /*isRequired=*/false);
  if (!value)
    return;
  if (!value->getAsObject())
    return complain(pathOf(key), "an object", describe(*value));
  field.clear();
  llvm::raw_string_ostream(field) << *value;
}

static Argument readArgument(const json::Value &value, const std::string &path,
                             std::string &failure) {
  Argument argument;
  ObjectReader reader(value, path, failure);
  std::string type;
  reader.read("name", argument.name, /*isRequired=*/true);
  reader.read("type", type, /*isRequired=*/true);
  reader.read("divisibility", argument.divisibility, /*isRequired=*/false);
  reader.read("min", argument.min);
  reader.read("max", argument.max);
  reader.read("bytes", argument.bytes, /*isRequired=*/false);
  reader.finish();
  if (std::optional<ArgumentType> parsed = symbolizeArgumentType(type))
    argument.type = *parsed;
  else
    reader.complain(reader.pathOf("type"),
                    "an argument type like 'i32' or '*f16'", "'" + type + "'");
  return argument;
}

static TensorMapRecipe readTensorMap(const json::Value &value,
                                     const std::string &path,
                                     std::string &failure) {
  TensorMapRecipe map;
  ObjectReader reader(value, path, failure);
  std::string type;
  reader.read("of", map.of, /*isRequired=*/true);
  reader.read("type", type, /*isRequired=*/true);
  reader.read("dims", map.dims, /*isRequired=*/true);
  reader.read("strides", map.strides, /*isRequired=*/true);
  reader.read("box", map.box, /*isRequired=*/true);
  reader.read("swizzle", map.swizzle, /*isRequired=*/false);
  reader.read("round_to_tf32", map.roundToTf32);
  reader.finish();
  if (std::optional<ElementType> parsed = symbolizeElementType(type))
    map.type = *parsed;
  else
    reader.complain(reader.pathOf("type"), "an element type like 'f16'",
                    "'" + type + "'");
  return map;
}

static Variant readVariant(const json::Value &value, const std::string &path,
                           std::string &failure) {
  Variant variant;
  ObjectReader reader(value, path, failure);
  reader.read("name", variant.name, /*isRequired=*/true);
  reader.read("symbol", variant.symbol, /*isRequired=*/true);
  reader.read("requires", variant.requirements, /*isRequired=*/true);
  reader.read("block", variant.block, /*isRequired=*/true);
  reader.readCluster(variant.cluster);
  reader.read("shared", variant.shared, /*isRequired=*/true);
  reader.read("workspace", variant.workspace, /*isRequired=*/false);
  reader.readGrid(variant.grid);
  reader.read("cost", variant.cost, /*isRequired=*/false);
  reader.readEach("tensor_maps", /*isRequired=*/false,
                  [&](const json::Value &element, const std::string &at) {
                    variant.tensorMaps.push_back(
                        readTensorMap(element, at, failure));
                  });
  reader.readFreeForm("plan", variant.plan);
  reader.finish();
  return variant;
}

static Decision readDecision(const json::Value &value, const std::string &path,
                             std::string &failure) {
  Decision decision;
  ObjectReader reader(value, path, failure);
  reader.read("location", decision.location, /*isRequired=*/true);
  reader.read("text", decision.text, /*isRequired=*/true);
  reader.finish();
  return decision;
}

/// The whole manifest; meaningful only where `failure` stays empty.
static Manifest readManifest(const json::Value &value, std::string &failure) {
  Manifest manifest;
  ObjectReader reader(value, /*path=*/"", failure);
  int64_t schema = 0;
  reader.read("schema", schema, /*isRequired=*/true);
  if (schema != kManifestSchema)
    reader.complain("schema", "version " + std::to_string(kManifestSchema),
                    std::to_string(schema));
  reader.read("kernel", manifest.kernel, /*isRequired=*/true);
  reader.read("target", manifest.target, /*isRequired=*/true);
  reader.read("compiler", manifest.compiler, /*isRequired=*/false);
  reader.read("program", manifest.program, /*isRequired=*/false);
  reader.readEach("arguments", /*isRequired=*/true,
                  [&](const json::Value &element, const std::string &at) {
                    manifest.arguments.push_back(
                        readArgument(element, at, failure));
                  });
  reader.readGrid(manifest.grid);
  reader.readFreeForm("tile", manifest.tile);
  reader.readEach("variants", /*isRequired=*/true,
                  [&](const json::Value &element, const std::string &at) {
                    manifest.variants.push_back(
                        readVariant(element, at, failure));
                  });
  reader.readEach("decisions", /*isRequired=*/false,
                  [&](const json::Value &element, const std::string &at) {
                    manifest.decisions.push_back(
                        readDecision(element, at, failure));
                  });
  reader.finish();
  return manifest;
}

Result<Manifest> tile::runtime::parseManifest(std::string_view json) {
  if (Status status = checkJsonDepth(json); !status)
    return Error("manifest: " + status.error().text());
  llvm::Expected<json::Value> value = json::parse(json);
  if (!value)
    return Error("manifest: expected JSON, got " +
                 llvm::toString(value.takeError()));
  std::string failure;
  Manifest manifest = readManifest(*value, failure);
  if (!failure.empty())
    return Error(std::move(failure));
  if (Status status = validate(manifest); !status)
    return status.takeError();
  return manifest;
}
