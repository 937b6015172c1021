//===- DocumentationTest.cpp - Drawn layouts are real ones ----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/Layouts.md and the heads of the public headers draw layouts.  Here each
// drawing is made again from the library and compared: a block of the document
// that starts with "```text NAME" must equal the text under that name below.
//
//===----------------------------------------------------------------------===//

#include "LayoutText.h"
#include "tile/Layout/Constructors.h"
#include "tile/Layout/Queries.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>

using namespace tile;
using llvm::StringRef;

namespace {

std::string readSource(StringRef path) {
  auto buffer =
      llvm::MemoryBuffer::getFile(llvm::Twine(TILE_SOURCE_DIR "/") + path);
  if (!buffer) {
    ADD_FAILURE() << "expected to read " << path.str();
    return "";
  }
  return (*buffer)->getBuffer().str();
}

//===----------------------------------------------------------------------===//
// Drawings
//===----------------------------------------------------------------------===//

/// One line of bits: "name        register ... | lane ... | warp ...".
std::string bitLine(StringRef name, const TileLayout &layout,
                    StringRef dims = "rc") {
  std::string text = name.str() + std::string(22 - name.size(), ' ');
  const char *separator = "";
  for (LayoutIn group : kLayoutIns) {
    if (layout.atom().numBits(group) == 0)
      continue;
    text += separator + stringify(group).str() + " " +
            bitNames(layout.atom(), group, dims);
    separator = " | ";
  }
  if (layout.numReps() != 1) {
    text += " | reps";
    for (int64_t count : layout.reps())
      text += " " + std::to_string(count);
  }
  return text + "\n";
}

std::string drawBits() {
  return bitLine("blocked",
                 must(blocked({32, 64}, {1, 8}, {4, 8}, {4, 1}, {1, 0}))) +
         bitLine("mma D", must(mmaAccumulator({16, 8}, {1, 1}))) +
         bitLine("mma D 64x192, 2x2", must(mmaAccumulator({64, 192}, {2, 2}))) +
         bitLine("mma A 16 bits", must(mmaOperandA({16, 16}, {1, 1}, 16)),
                 "rk") +
         bitLine("mma B 16 bits", must(mmaOperandB({16, 8}, {1, 1}, 16)),
                 "kn") +
         bitLine("mma A tf32", must(mmaOperandA({16, 8}, {1, 1}, 32)), "rk") +
         bitLine("mma B tf32", must(mmaOperandB({8, 8}, {1, 1}, 32)), "kn") +
         bitLine("mma A 8 bits", must(mmaOperandA({16, 32}, {1, 1}, 8)), "rk") +
         bitLine("mma B 8 bits", must(mmaOperandB({32, 8}, {1, 1}, 8)), "kn") +
         bitLine("wgmma D 64x192", must(wgmmaAccumulator({64, 192}, {1, 1}))) +
         bitLine("fma 128x128, 2x2",
                 must(fmaAccumulator({128, 128}, {16, 8}, {4, 8}, {2, 2})));
}

std::string drawThread(const TileLayout &layout, int64_t lane, int64_t numRegs,
                       int64_t perLine) {
  std::string text;
  for (int64_t reg = 0; reg < numRegs; ++reg) {
    Coord coord = layout.apply(reg, lane, 0);
    text += "r" + std::to_string(reg) + " (" + std::to_string(coord[0]) + ", " +
            std::to_string(coord[1]) + ")" +
            (reg % perLine == perLine - 1 ? "\n" : "  ");
  }
  return text;
}

/// Where each 16-byte chunk of 8 rows of `width` bytes lies: its number in the
/// 128-byte lines of shared memory.
std::string drawChunks(int64_t width) {
  TileLayout layout = must(sharedSwizzled(8, width, 8, true));
  TileLayoutInverse inverse = *layout.rightInverse();
  std::string text;
  for (int64_t row = 0; row < 8; ++row) {
    text += "row " + std::to_string(row) + " ";
    for (int64_t col = 0; col < width; col += 16) {
      int64_t chunk = inverse.offset({row, col}) / 16;
      text +=
          "  " + std::to_string(chunk / 8) + "." + std::to_string(chunk % 8);
    }
    text += "\n";
  }
  return text;
}

std::string drawConflicts() {
  TileLayout ldmatrix = must(ldmatrixAccess(16));
  TileLayout store = must(mmaAccumulator({64, 64}, {2, 2}));
  std::string text = "row bytes  access                plain  swizzled\n";
  auto line = [&](int64_t cols, StringRef name, const TileLayout &access,
                  int64_t vector) {
    auto count = [&](llvm::Expected<TileLayout> shared) {
      return std::to_string(
          bankConflicts(must(std::move(shared)), access, vector, 16));
    };
    std::string bytes = std::to_string(2 * cols);
    text += bytes + std::string(11 - bytes.size(), ' ') + name.str() +
            std::string(22 - name.size(), ' ') +
            count(sharedRowMajor(64, cols)) + "      " +
            count(sharedSwizzled(64, cols, 16, true)) + "\n";
  };
  line(64, "ldmatrix.x4", ldmatrix, 8);
  line(32, "ldmatrix.x4", ldmatrix, 8);
  line(16, "ldmatrix.x4", ldmatrix, 8);
  line(64, "4-byte store of mma D", store, 2);
  return text;
}

std::string drawConversions() {
  std::string text;
  auto line = [&](StringRef name, const TileLayout &from,
                  const TileLayout &to) {
    text += name.str() + std::string(44 - name.size(), ' ') +
            stringify(conversionKind(from, to)).str() + "\n";
  };
  auto d = [](int64_t m, std::initializer_list<int64_t> grid) {
    return must(mmaAccumulator({m, 64}, llvm::ArrayRef<int64_t>(grid)));
  };
  auto a = [](int64_t m, std::initializer_list<int64_t> grid) {
    return must(mmaOperandA({m, 64}, llvm::ArrayRef<int64_t>(grid), 16));
  };
  line("D  64x64, warps 4x1 -> A of the next dot", d(64, {4, 1}),
       a(64, {4, 1}));
  line("D 128x64, warps 4x1 -> A of the next dot", d(128, {4, 1}),
       a(128, {4, 1}));
  line("D  64x64, warps 2x2 -> A of the next dot", d(64, {2, 2}),
       a(64, {2, 2}));
  line("D  16x64, one warp  -> blocked, 8 columns", d(16, {1, 1}),
       must(blocked({16, 64}, {1, 8}, {4, 8}, {1, 1}, {1, 0})));
  return text;
}

std::string drawRepetitions() {
  TileLayout layout = must(TileLayout::create(
      must(LinearLayout::create(
          {{LayoutIn::Reg, LinearLayout::Bases{{1}, {2}}}}, {4})),
      {3}));
  std::string text;
  TileLayoutInverse inverse = *layout.rightInverse();
  for (int64_t col = 0; col < 12; ++col)
    text += (col == 0       ? "r"
             : col % 4 == 0 ? " | r"
                            : " r") +
            std::to_string(inverse.apply({col})[LayoutIn::Offset] +
                           inverse.apply({col})[LayoutIn::Reg]);
  return text + "\n";
}

std::map<std::string, std::string> drawings() {
  TileLayout mma = must(mmaAccumulator({16, 8}, {1, 1}));
  TileLayout fma = must(fmaAccumulator({64, 64}, {16, 8}, {4, 8}, {1, 1}));
  return {
      {"bits", drawBits()},
      {"blocked",
       drawOwners(must(blocked({8, 8}, {1, 2}, {8, 4}, {1, 1}, {1, 0})), 8, 8)},
      {"mma-accumulator", drawOwners(mma, 16, 8)},
      {"mma-thread-5", drawThread(mma, 5, 4, 4)},
      {"mma-operand-a",
       drawOwners(must(mmaOperandA({16, 16}, {1, 1}, 16)), 4, 10)},
      {"mma-operand-b",
       drawOwners(must(mmaOperandB({16, 8}, {1, 1}, 16)), 10, 4)},
      {"wgmma-accumulator",
       drawOwners(must(wgmmaAccumulator({64, 16}, {1, 1})), 18, 9)},
      {"fma-accumulator", drawOwners(fma, 5, 9)},
      {"fma-thread-9", drawThread(fma, 9, 16, 4)},
      {"swizzle-128", drawChunks(128)},
      {"swizzle-64", drawChunks(64)},
      {"swizzle-32", drawChunks(32)},
      {"repetitions", drawRepetitions()},
      {"conflicts", drawConflicts()},
      {"conversions", drawConversions()},
  };
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

// Every block of text in the document is a drawing of the library, and every
// drawing above is in the document.
TEST(Documentation, Blocks) {
  std::map<std::string, std::string> expected = drawings();
  std::string document = readSource("docs/Layouts.md");
  StringRef rest = document;
  while (rest.contains("```")) {
    rest = rest.split("```").second;
    auto [head, tail] = rest.split("\n");
    auto [body, after] = tail.split("```");
    rest = after;
    if (head == "cpp" || head == "mlir")
      continue;
    std::string name =
        head.drop_while([](char c) { return c != ' '; }).trim().str();
    auto drawing = expected.find(name);
    if (drawing == expected.end()) {
      ADD_FAILURE() << "expected a known drawing, got \"" << head.str() << '"';
      continue;
    }
    if (body != drawing->second)
      ADD_FAILURE() << "block " << name << " of docs/Layouts.md should be\n"
                    << drawing->second << "end of block";
    expected.erase(drawing);
  }
  for (auto &[name, text] : expected)
    ADD_FAILURE() << "expected docs/Layouts.md to show block " << name;
}

/// Expects the lines of a drawing one after the other in comments of a header.
void expectInComments(StringRef path, const std::string &drawing) {
  std::string header = readSource(path), comments, wanted;
  for (StringRef line : llvm::split(header, '\n'))
    if (line.consume_front("//"))
      comments += line.trim().str() + "\n";
  for (StringRef line : llvm::split(drawing, '\n'))
    wanted += line.trim().empty() ? "" : line.trim().str() + "\n";
  EXPECT_NE(comments.find(wanted), std::string::npos)
      << "expected in " << path.str() << "\n"
      << drawing;
}

// The drawings at the heads of the headers are those of the library.
TEST(Documentation, Headers) {
  expectInComments("include/tile/Layout/LinearLayout.h",
                   drawOwners(must(mmaAccumulator({16, 8}, {1, 1})), 4, 4));
  expectInComments("include/tile/Layout/TileLayout.h", drawRepetitions());
}

} // namespace
