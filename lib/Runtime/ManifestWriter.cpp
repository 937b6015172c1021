//===- ManifestWriter.cpp - Manifest to JSON ------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Runtime/JsonDepth.h"
#include "tile/Runtime/Manifest.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile::runtime;
namespace json = llvm::json;

namespace {
/// Writes one manifest, keys in the order of the schema.
class ManifestWriter {
public:
  explicit ManifestWriter(llvm::raw_ostream &os) : out(os, /*IndentSize=*/2) {}

  Status write(const Manifest &manifest);

private:
  void writeArgument(const Argument &argument);
  void writeVariant(const Variant &variant);
  void writeTensorMap(const TensorMapRecipe &map);
  void writeGrid(const std::array<std::string, 3> &grid);
  void writeFreeForm(llvm::StringRef key, const std::string &text,
                     const std::string &where);
  template <typename Range>
  void writeList(llvm::StringRef key, const Range &range);

  /// Text from outside may hold any bytes; JSON is UTF-8.
  void writeText(llvm::StringRef key, const std::string &text) {
    out.attribute(key, json::isUTF8(text) ? text : json::fixUTF8(text));
  }

  json::OStream out;
  std::string failure;
};
} // namespace

template <typename Range>
void ManifestWriter::writeList(llvm::StringRef key, const Range &range) {
  out.attributeArray(key, [&] {
    for (const auto &element : range)
      out.value(element);
  });
}

void ManifestWriter::writeGrid(const std::array<std::string, 3> &grid) {
  if (!grid[0].empty())
    writeList("grid", grid);
}

void ManifestWriter::writeFreeForm(llvm::StringRef key, const std::string &text,
                                   const std::string &where) {
  if (Status status = checkJsonDepth(text); !status) {
    failure = where + ": " + status.error().text();
    return;
  }
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value) {
    failure = where + ": expected a JSON object, got " +
              llvm::toString(value.takeError());
    return;
  }
  const json::Object *object = value->getAsObject();
  if (!object)
    failure = where + ": expected a JSON object, got '" + text + "'";
  else if (!object->empty())
    out.attribute(key, *value);
}

void ManifestWriter::writeArgument(const Argument &argument) {
  out.object([&] {
    out.attribute("name", argument.name);
    out.attribute("type", stringify(argument.type));
    if (argument.divisibility != 1)
      out.attribute("divisibility", argument.divisibility);
    if (argument.min)
      out.attribute("min", *argument.min);
    if (argument.max)
      out.attribute("max", *argument.max);
    if (!argument.bytes.empty())
      out.attribute("bytes", argument.bytes);
  });
}

void ManifestWriter::writeTensorMap(const TensorMapRecipe &map) {
  out.object([&] {
    out.attribute("of", map.of);
    out.attribute("type", std::string(stringify(map.type)));
    writeList("dims", map.dims);
    writeList("strides", map.strides);
    writeList("box", map.box);
    out.attribute("swizzle", map.swizzle);
    if (map.roundToTf32)
      out.attribute("round_to_tf32", true);
  });
}

void ManifestWriter::writeVariant(const Variant &variant) {
  out.object([&] {
    out.attribute("name", variant.name);
    writeText("symbol", variant.symbol);
    writeList("requires", variant.requirements);
    out.attribute("block", variant.block);
    writeList("cluster", variant.cluster);
    out.attribute("shared", variant.shared);
    out.attribute("workspace", variant.workspace);
    writeGrid(variant.grid);
    if (!variant.cost.empty())
      writeText("cost", variant.cost);
    if (!variant.tensorMaps.empty())
      out.attributeArray("tensor_maps", [&] {
        for (const TensorMapRecipe &map : variant.tensorMaps)
          writeTensorMap(map);
      });
    writeFreeForm("plan", variant.plan,
                  "plan of variant '" + variant.name + "'");
  });
}

Status ManifestWriter::write(const Manifest &manifest) {
  out.object([&] {
    out.attribute("schema", kManifestSchema);
    writeText("kernel", manifest.kernel);
    writeText("target", manifest.target);
    if (!manifest.compiler.empty())
      writeText("compiler", manifest.compiler);
    if (!manifest.program.empty())
      writeText("program", manifest.program);
    out.attributeArray("arguments", [&] {
      for (const Argument &argument : manifest.arguments)
        writeArgument(argument);
    });
    writeGrid(manifest.grid);
    writeFreeForm("tile", manifest.tile, "tile");
    out.attributeArray("variants", [&] {
      for (const Variant &variant : manifest.variants)
        writeVariant(variant);
    });
    out.attributeArray("decisions", [&] {
      for (const Decision &decision : manifest.decisions)
        out.object([&] {
          writeText("location", decision.location);
          writeText("text", decision.text);
        });
    });
  });
  if (failure.empty())
    return Status::success();
  return Error("manifest of kernel '" + manifest.kernel + "': " + failure);
}

Result<std::string> tile::runtime::writeManifest(const Manifest &manifest) {
  if (Status status = validate(manifest); !status)
    return status.takeError();
  std::string text;
  llvm::raw_string_ostream os(text);
  if (Status status = ManifestWriter(os).write(manifest); !status)
    return status.takeError();
  os << '\n';
  return text;
}
