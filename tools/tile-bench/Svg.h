//===- Svg.h - A drawing ----------------------------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_BENCH_SVG_H
#define TILE_TOOLS_BENCH_SVG_H

#include <string>

namespace tile::bench {

/// Collects shapes, in pixels from the upper left corner.
class Svg {
public:
  Svg(double width, double height);

  void rectangle(double x, double y, double width, double height,
                 const std::string &color);
  void line(double fromX, double fromY, double toX, double toY,
            const std::string &color, double width = 1, bool isDashed = false);
  /// `title` shows where the pointer rests.
  void dot(double x, double y, double radius, const std::string &color,
           const std::string &title);
  enum class Anchor { Start, Middle, End };
  void text(double x, double y, const std::string &text,
            Anchor anchor = Anchor::Start, double size = 12,
            const std::string &color = "#222");

  /// The whole document.
  std::string finish() const;

private:
  std::string body;
};

} // namespace tile::bench

#endif // TILE_TOOLS_BENCH_SVG_H
