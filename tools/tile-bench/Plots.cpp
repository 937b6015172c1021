//===- Plots.cpp - Merged runs as drawings --------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pages.h"
#include "Svg.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cmath>

using namespace tile::bench;

static constexpr const char *kOursColor = "#2f6db5", *kBelowColor = "#c8553d",
                            *kPeerColor = "#9a9a9a", *kGridColor = "#ddd",
                            *kInkColor = "#222";

static std::string decimal(const char *pattern, double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format(pattern, value);
  return text;
}

//===----------------------------------------------------------------------===//
// Ratios
//===----------------------------------------------------------------------===//

namespace {
/// Places of the plot of ratios.
struct RatioFrame {
  static constexpr double kLeft = 330, kRowHeight = 18, kTop = 46, kWidth = 420,
                          kRight = 90;
  double greatest;

  double x(double ratio) const {
    return kLeft + std::min(ratio, greatest) / greatest * kWidth;
  }
};
} // namespace

static void drawRatioGrid(Svg &svg, const RatioFrame &frame, double bottom) {
  for (double ratio = 0; ratio <= frame.greatest + 1e-9; ratio += 0.2) {
    svg.line(frame.x(ratio), frame.kTop - 6, frame.x(ratio), bottom,
             kGridColor);
    svg.text(frame.x(ratio), frame.kTop - 10, decimal("%.1f", ratio),
             Svg::Anchor::Middle, 11);
  }
}

static void drawRatio(Svg &svg, const RatioFrame &frame,
                      const MergedCase &entry, double y) {
  double ratio = entry.ratio.median;
  bool isBelow = ratio < entry.floor;
  double middle = y + frame.kRowHeight / 2;
  svg.rectangle(frame.kLeft, y + 3, frame.x(ratio) - frame.kLeft,
                frame.kRowHeight - 6, isBelow ? kBelowColor : kOursColor);
  svg.line(frame.x(entry.ratio.min), middle, frame.x(entry.ratio.max), middle,
           kInkColor, 1.5);
  if (entry.floor > 0)
    svg.line(frame.x(entry.floor), y + 1, frame.x(entry.floor),
             y + frame.kRowHeight - 1, kInkColor, 1.5);
  svg.text(frame.kLeft - 8, middle + 4, entry.name, Svg::Anchor::End);
  // Right of the line at 1 where the two would meet.
  double end = std::max({ratio, entry.ratio.max, entry.floor});
  svg.text(frame.x(end > 0.85 ? std::max(end, 1.0) : end) + 6, middle + 4,
           decimal("%.3f", ratio), Svg::Anchor::Start, 11);
}

std::string tile::bench::plotRatios(const MergedRun &run) {
  std::vector<const MergedCase *> entries;
  double greatest = 1.2;
  for (const MergedCase &entry : run.cases)
    if (entry.ratio.isKnown()) {
      entries.push_back(&entry);
      greatest = std::max(greatest, entry.ratio.max);
    }
  RatioFrame frame{std::min(std::ceil(greatest * 5) / 5, 3.0)};
  double bottom = frame.kTop + frame.kRowHeight * double(entries.size());
  Svg svg(frame.kLeft + frame.kWidth + frame.kRight, bottom + 34);
  std::string card = run.facts.empty() ? "" : run.facts.front().card;
  svg.text(12, 20,
           "Speed relative to cuBLAS (fused: to ours, plain; softmax: to a "
           "copy), " +
               card,
           Svg::Anchor::Start, 14);
  drawRatioGrid(svg, frame, bottom);
  double y = frame.kTop;
  for (const MergedCase *entry : entries) {
    drawRatio(svg, frame, *entry, y);
    y += frame.kRowHeight;
  }
  svg.line(frame.x(1), frame.kTop - 6, frame.x(1), bottom, kInkColor, 1.5,
           /*isDashed=*/true);
  svg.text(12, bottom + 22,
           "median of the runs, thin line: least to greatest; upright mark: "
           "floor; red: below it",
           Svg::Anchor::Start, 11);
  return svg.finish();
}

//===----------------------------------------------------------------------===//
// Roofline
//===----------------------------------------------------------------------===//

namespace {
/// What a card can do at most, by its data sheet: 1e12 operations of 16-bit
/// floats a second, dense, and 1e9 bytes a second.
struct Roof {
  const char *card;
  double teraflops, gigabytes;
};
constexpr Roof kRoofs[] = {
    {"H200", 989, 4800}, {"H100 80GB HBM3", 989, 3350}, {"A100", 312, 2039}};

/// Places of the roofline, both axes logarithmic.
struct RoofFrame {
  static constexpr double kLeft = 60, kTop = 56, kWidth = 640, kHeight = 400;
  static constexpr double kLeastX = 0.5, kGreatestX = 8192, kLeastY = 0.5,
                          kGreatestY = 2000;

  static double x(double intensity) {
    return kLeft + std::log(intensity / kLeastX) /
                       std::log(kGreatestX / kLeastX) * kWidth;
  }
  static double y(double teraflops) {
    return kTop + kHeight -
           std::log(teraflops / kLeastY) / std::log(kGreatestY / kLeastY) *
               kHeight;
  }
  static bool holds(double intensity, double teraflops) {
    return intensity >= kLeastX && intensity <= kGreatestX &&
           teraflops >= kLeastY && teraflops <= kGreatestY;
  }
};
} // namespace

static const Roof *findRoof(const MergedRun &run) {
  for (const Roof &roof : kRoofs)
    if (!run.facts.empty() &&
        llvm::StringRef(run.facts.front().card).contains(roof.card))
      return &roof;
  return nullptr;
}

static void drawAxes(Svg &svg) {
  using Frame = RoofFrame;
  double bottom = Frame::kTop + Frame::kHeight;
  for (double x = 1; x <= Frame::kGreatestX; x *= 4) {
    svg.line(Frame::x(x), Frame::kTop, Frame::x(x), bottom, kGridColor);
    svg.text(Frame::x(x), bottom + 16, decimal("%.0f", x), Svg::Anchor::Middle,
             11);
  }
  for (double y = 1; y <= Frame::kGreatestY; y *= 10) {
    svg.line(Frame::kLeft, Frame::y(y), Frame::kLeft + Frame::kWidth,
             Frame::y(y), kGridColor);
    svg.text(Frame::kLeft - 6, Frame::y(y) + 4, decimal("%.0f", y),
             Svg::Anchor::End, 11);
  }
  svg.text(Frame::kLeft + Frame::kWidth / 2, bottom + 34,
           "operations per byte that must move", Svg::Anchor::Middle);
  svg.text(Frame::kLeft, Frame::kTop - 8, "10^12 operations a second");
}

static void drawRoof(Svg &svg, const Roof &roof) {
  using Frame = RoofFrame;
  double ridge = roof.teraflops * 1e3 / roof.gigabytes;
  double left = Frame::kLeastX;
  svg.line(Frame::x(left), Frame::y(left * roof.gigabytes * 1e-3),
           Frame::x(ridge), Frame::y(roof.teraflops), kInkColor, 1.5);
  svg.line(Frame::x(ridge), Frame::y(roof.teraflops),
           Frame::x(Frame::kGreatestX), Frame::y(roof.teraflops), kInkColor,
           1.5);
  svg.text(Frame::x(Frame::kGreatestX), Frame::y(roof.teraflops) - 6,
           decimal("%.0f TFLOP/s (16 bits, dense)", roof.teraflops),
           Svg::Anchor::End, 11);
}

std::string tile::bench::plotRoofline(const MergedRun &run) {
  using Frame = RoofFrame;
  Svg svg(Frame::kLeft + Frame::kWidth + 30, Frame::kTop + Frame::kHeight + 50);
  std::string card = run.facts.empty() ? "" : run.facts.front().card;
  svg.text(Frame::kLeft + Frame::kWidth, 18, card, Svg::Anchor::End, 14);
  drawAxes(svg);
  if (const Roof *roof = findRoof(run))
    drawRoof(svg, *roof);
  for (const MergedCase &entry : run.cases) {
    if (entry.bytes == 0)
      continue;
    double intensity = entry.flops / entry.bytes;
    auto draw = [&](const Spread &time, const char *color,
                    const std::string &who) {
      if (!time.isKnown() || !Frame::holds(intensity, entry.teraflops(time)))
        return;
      double speed = entry.teraflops(time);
      svg.dot(Frame::x(intensity), Frame::y(speed), 3.5, color,
              who + ", " + entry.name + decimal(": %.0f TFLOP/s", speed));
    };
    draw(entry.peer, kPeerColor, entry.peerName);
    draw(entry.ours, kOursColor, kOurs);
  }
  svg.dot(Frame::kLeft + 12, 18, 3.5, kOursColor, "");
  svg.text(Frame::kLeft + 20, 22, kOurs);
  svg.dot(Frame::kLeft + 72, 18, 3.5, kPeerColor, "");
  svg.text(Frame::kLeft + 80, 22, kCublas);
  return svg.finish();
}
