//===- ManifestTest.cpp - Tests of the manifest's schema ------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Runtime/Manifest.h"

#include "gtest/gtest.h"

using namespace tile::runtime;

namespace {

constexpr const char *kMatmul = R"json({
  "schema": 1,
  "kernel": "matmul",
  "target": "sm_90a",
  "compiler": "0.1.0 with LLVM 22.1.0",
  "program": "0123456789abcdef",
  "arguments": [
    {
      "name": "a",
      "type": "*f16",
      "divisibility": 16,
      "bytes": "M * sam * 2"
    },
    {
      "name": "M",
      "type": "i32",
      "min": 0,
      "max": 2147483647
    },
    {
      "name": "sam",
      "type": "i64"
    },
    {
      "name": "alpha",
      "type": "f32"
    }
  ],
  "grid": [
    "cdiv(M, 128)",
    "1",
    "1"
  ],
  "tile": {
    "k": 64,
    "m": 128
  },
  "variants": [
    {
      "name": "tma",
      "symbol": "matmul$tma",
      "requires": [
        "a % 16 == 0",
        "sam % 8 == 0"
      ],
      "block": 384,
      "cluster": [
        2,
        1,
        1
      ],
      "shared": 229440,
      "workspace": 4096,
      "grid": [
        "min(sms, cdiv(M, 128))",
        "1",
        "1"
      ],
      "cost": "cdiv(cdiv(M, 128), sms) * 1000",
      "tensor_maps": [
        {
          "of": "a",
          "type": "f16",
          "dims": [
            "64",
            "M"
          ],
          "strides": [
            "sam * 2"
          ],
          "box": [
            64,
            128
          ],
          "swizzle": 128
        }
      ],
      "plan": {
        "stages": 4
      }
    },
    {
      "name": "plain",
      "symbol": "matmul$plain",
      "requires": [],
      "block": 128,
      "cluster": [
        1,
        1,
        1
      ],
      "shared": 0,
      "workspace": 0
    }
  ],
  "decisions": [
    {
      "location": "matmul.mlir:14:8",
      "text": "load of %a: TMA"
    }
  ]
}
)json";

/// The matmul manifest with the first `from` replaced by `to`.
std::string with(std::string_view from, std::string_view to) {
  std::string text = kMatmul;
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

/// The message of a manifest that must be refused.
std::string refusal(const std::string &json) {
  Result<Manifest> manifest = parseManifest(json);
  return manifest ? "accepted" : manifest.error().message;
}

// Reading and writing gives back the same text, every key of the schema in it.
TEST(ManifestTest, RoundTrip) {
  Result<Manifest> manifest = parseManifest(kMatmul);
  ASSERT_TRUE(manifest) << manifest.error().message;
  Result<std::string> text = writeManifest(*manifest);
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(*text, kMatmul);
}

// Every field arrives where the structures say.
TEST(ManifestTest, Fields) {
  Result<Manifest> manifest = parseManifest(kMatmul);
  ASSERT_TRUE(manifest) << manifest.error().message;
  EXPECT_EQ(manifest->arguments[0].type,
            ArgumentType::pointer(ElementType::F16));
  EXPECT_EQ(manifest->arguments[0].divisibility, 16);
  EXPECT_EQ(manifest->arguments[1].max, 2147483647);
  EXPECT_FALSE(manifest->arguments[2].min);
  EXPECT_EQ(manifest->grid[0], "cdiv(M, 128)");
  const Variant *tma = manifest->findVariant("tma");
  ASSERT_NE(tma, nullptr);
  EXPECT_EQ(tma->cluster[0], 2);
  EXPECT_EQ(tma->shared, 229440);
  EXPECT_EQ(tma->workspace, 4096);
  EXPECT_EQ(tma->cost, "cdiv(cdiv(M, 128), sms) * 1000");
  EXPECT_EQ(manifest->findVariant("plain")->cost, "");
  EXPECT_EQ(tma->tensorMaps[0].box, (std::vector<int64_t>{64, 128}));
  EXPECT_FALSE(manifest->findVariant("plain")->hasGrid());
  EXPECT_EQ(manifest->findVariant("none"), nullptr);
}

// A grid may leave out its last extents; they are 1.
TEST(ManifestTest, ShortGrid) {
  Result<Manifest> manifest =
      parseManifest(with("\"cdiv(M, 128)\",\n    \"1\",\n    \"1\"", "\"M\""));
  ASSERT_TRUE(manifest) << manifest.error().message;
  EXPECT_EQ(manifest->grid, (std::array<std::string, 3>{"M", "1", "1"}));
}

// Another schema version is refused whatever else is in the file.
TEST(ManifestTest, SchemaVersion) {
  EXPECT_EQ(refusal(with("\"schema\": 1", "\"schema\": 2")),
            "manifest, schema: expected version 1, got 2");
  EXPECT_EQ(refusal(with("\"schema\": 1,", "")),
            "manifest, top level: expected key 'schema', got none");
}

// Text that is not a JSON object ends in a message.
TEST(ManifestTest, NotJson) {
  EXPECT_NE(refusal("{").find("manifest: expected JSON, got "),
            std::string::npos);
  EXPECT_EQ(refusal("[]"),
            "manifest, top level: expected an object, got an array");
}

// Wrong JSON types and unknown keys are refused with the path to the place.
TEST(ManifestTest, ReaderErrors) {
  EXPECT_EQ(refusal(with("\"block\": 384", "\"block\": \"384\"")),
            "manifest, variants[0].block: expected an integer, got a string");
  EXPECT_EQ(refusal(with("\"block\": 384", "\"block\": 1.5")),
            "manifest, variants[0].block: expected an integer, got another "
            "number");
  EXPECT_EQ(refusal(with("\"text\"", "\"txt\"")),
            "manifest, decisions[0]: expected key 'text', got none");
  EXPECT_EQ(refusal(with("\"min\": 0", "\"least\": 0")),
            "manifest, arguments[1]: expected one of the keys name, type, "
            "divisibility, min, max, bytes, got 'least'");
  EXPECT_EQ(refusal(with("\"*f16\"", "\"*f15\"")),
            "manifest, arguments[0].type: expected an argument type like 'i32' "
            "or '*f16', got '*f15'");
}

/// A defect in the text and the message that it must give, without the prefix
/// that names the kernel.
struct Defect {
  const char *from, *to, *message;
};

// Contents that no launch could honour are refused.
TEST(ManifestTest, ValidationErrors) {
  const Defect defects[] = {
      {"\"sm_90a\"", "\"gfx942\"",
       "target: expected 'sm_' and a number, got 'gfx942'"},
      {"\"name\": \"M\"", "\"name\": \"a\"",
       "arguments: expected distinct names, got 'a' twice"},
      {"\"name\": \"sam\"", "\"name\": \"not\"",
       "arguments: expected a name usable in expressions, got 'not'"},
      {"\"divisibility\": 16", "\"divisibility\": 12",
       "argument 'a': expected a power of two as divisibility, got 12"},
      {"\"min\": 0", "\"min\": 2147483648",
       "argument 'M': expected min <= max, got 2147483648 and 2147483647"},
      {"sam % 8 == 0", "alpha == 0",
       "variant 'tma', requires: expected an integer or pointer argument in "
       "expression 'alpha == 0', got 'alpha' of type f32"},
      {"sam % 8 == 0", "san % 8 == 0",
       "variant 'tma', requires: expected the name of an argument in "
       "expression 'san % 8 == 0', got 'san'"},
      {"sam % 8 == 0", "sam %",
       "variant 'tma', requires: expression 'sam %', column 6: expected a "
       "number, a name or '(', got the end"},
      {"M, 128), sms)", "m, 128), sms)",
       "variant 'tma', cost: expected the name of an argument in expression "
       "'cdiv(cdiv(m, 128), sms) * 1000', got 'm'"},
      {"\"plain\"", "\"tma\"",
       "variants: expected distinct, non-empty names, got 'tma'"},
      {"\"block\": 384", "\"block\": 2048",
       "variant 'tma': expected a block of 1 to 1024 threads, got 2048"},
      {"        2,\n        1,", "        8,\n        4,",
       "variant 'tma': expected at most 16 blocks in a cluster, got 32"},
      {"\"of\": \"a\"", "\"of\": \"M\"",
       "variant 'tma', tensor map of 'M': expected the name of a pointer "
       "argument, got 'M'"},
      {"\"swizzle\": 128", "\"swizzle\": 16",
       "variant 'tma', tensor map of 'a': expected a swizzle of 0, 32, 64 or "
       "128 bytes, got 16"},
      {"            64,\n            128", "            64",
       "variant 'tma', tensor map of 'a': expected 1 strides and 2 box sides, "
       "got 1 and 1"},
  };
  for (const Defect &defect : defects)
    EXPECT_EQ(refusal(with(defect.from, defect.to)),
              std::string("manifest of kernel 'matmul': ") + defect.message);
}

// The writer refuses what the reader would refuse, free-form parts included.
TEST(ManifestTest, WriterErrors) {
  Result<Manifest> manifest = parseManifest(kMatmul);
  ASSERT_TRUE(manifest);
  manifest->variants[0].plan = "[1]";
  Result<std::string> text = writeManifest(*manifest);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().message,
            "manifest of kernel 'matmul': plan of variant 'tma': expected a "
            "JSON object, got '[1]'");
  manifest->variants.clear();
  EXPECT_FALSE(writeManifest(*manifest));
}

// JSON that nests too deep for a parser that calls itself is refused, by the
// reader and by the writer.
TEST(ManifestTest, DeepJson) {
  std::string deep = "{\"schema\": " + std::string(100000, '[');
  EXPECT_EQ(refusal(deep), "manifest: expected JSON that nests at most 256 "
                           "deep, got more at 1:267");
  Result<Manifest> manifest = parseManifest(kMatmul);
  ASSERT_TRUE(manifest);
  manifest->variants[0].plan = deep;
  Result<std::string> text = writeManifest(*manifest);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().message,
            "manifest of kernel 'matmul': plan of variant 'tma': expected JSON "
            "that nests at most 256 deep, got more at 1:267");
}

// Types are spelled as in the IR, and a scalar of an 8-bit float is no
// argument.
TEST(ManifestTest, ArgumentTypes) {
  for (const char *text :
       {"*f64", "*f32", "*f16", "*bf16", "*f8E4M3FN", "*f8E5M2", "*i64",
        "*i32", "*i16", "*i8",  "*i1",   "i1",        "i8",      "i16",
        "i32",  "i64",  "f16",  "bf16",  "f32",       "f64"}) {
    std::optional<ArgumentType> type = symbolizeArgumentType(text);
    ASSERT_TRUE(type) << text;
    EXPECT_EQ(stringify(*type), text);
  }
  for (const char *text : {"", "*", "**f16", "f8E5M2", "u32", "F16"})
    EXPECT_FALSE(symbolizeArgumentType(text)) << text;
}

} // namespace
