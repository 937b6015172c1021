//===- LayoutText.h - Layouts as short text for tests -----------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TEST_UNIT_LAYOUT_LAYOUTTEXT_H
#define TILE_TEST_UNIT_LAYOUT_LAYOUTTEXT_H

#include "tile/Layout/TileLayout.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <string>

namespace tile {

/// The value of a result that the test knows to be good.
template <typename T>
T must(llvm::Expected<T> value) {
  if (!value) {
    ADD_FAILURE() << llvm::toString(value.takeError());
    return T();
  }
  return std::move(*value);
}

/// The message of a result that the test knows to be bad.
template <typename T>
std::string messageOf(llvm::Expected<T> value) {
  if (!value)
    return llvm::toString(value.takeError());
  return "no error";
}

template <typename T>
std::string print(const T &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

/// The images of a group's bits in the notation of the documentation: "c1 r8",
/// "r1+c8" for an image in two dimensions, "free" for none.  `names` has one
/// letter for each dimension.
inline std::string bitNames(const LinearLayout &layout, LayoutIn group,
                            llvm::StringRef names = "rc") {
  std::string text;
  for (const Coord &basis : layout.bases(group)) {
    std::string image;
    for (unsigned dim = 0; dim < layout.rank(); ++dim)
      if (basis[dim] != 0)
        image += (image.empty() ? "" : "+") + names.substr(dim, 1).str() +
                 std::to_string(basis[dim]);
    text += (text.empty() ? "" : " ") + (image.empty() ? "free" : image);
  }
  return text;
}

/// A table of the owners of rows x cols elements from the top left, as
/// "l<lane>:r<register>", or offsets for a layout of shared memory.
inline std::string drawOwners(const TileLayout &layout, int64_t rows,
                              int64_t cols) {
  TileLayoutInverse inverse = *layout.rightInverse();
  auto cell = [&](int64_t row, int64_t col) {
    Place place = inverse.apply({row, col});
    if (layout.isShared())
      return std::to_string(place[LayoutIn::Offset]);
    std::string text = "l" + std::to_string(place[LayoutIn::Lane]) + ":r" +
                       std::to_string(place[LayoutIn::Reg]);
    if (place[LayoutIn::Warp] != 0)
      text = "w" + std::to_string(place[LayoutIn::Warp]) + ":" + text;
    return text;
  };
  std::vector<std::vector<std::string>> lines(rows + 1);
  lines[0].push_back("");
  for (int64_t col = 0; col < cols; ++col)
    lines[0].push_back("col " + std::to_string(col));
  for (int64_t row = 0; row < rows; ++row) {
    lines[row + 1].push_back("row " + std::to_string(row));
    for (int64_t col = 0; col < cols; ++col)
      lines[row + 1].push_back(cell(row, col));
  }
  std::vector<size_t> widths(cols + 1, 0);
  for (const auto &line : lines)
    for (size_t index = 0; index < line.size(); ++index)
      widths[index] = std::max(widths[index], line[index].size() + 2);
  std::string text;
  for (const auto &line : lines) {
    std::string row;
    for (size_t index = 0; index < line.size(); ++index)
      row += line[index] + std::string(widths[index] - line[index].size(), ' ');
    text += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

} // namespace tile

#endif // TILE_TEST_UNIT_LAYOUT_LAYOUTTEXT_H
