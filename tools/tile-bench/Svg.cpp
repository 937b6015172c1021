//===- Svg.cpp - A drawing ------------------------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Svg.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile::bench;

/// A coordinate with one decimal.
static llvm::format_object<double> at(double value) {
  return llvm::format("%.1f", value);
}

static std::string escape(const std::string &text) {
  std::string result;
  for (char character : text) {
    if (character == '&')
      result += "&amp;";
    else if (character == '<')
      result += "&lt;";
    else if (character == '>')
      result += "&gt;";
    else
      result += character;
  }
  return result;
}

Svg::Svg(double width, double height) {
  llvm::raw_string_ostream os(body);
  os << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << at(width)
     << "\" height=\"" << at(height) << "\" viewBox=\"0 0 " << at(width) << ' '
     << at(height) << "\" font-family=\"sans-serif\">\n";
  rectangle(0, 0, width, height, "#fff");
}

void Svg::rectangle(double x, double y, double width, double height,
                    const std::string &color) {
  llvm::raw_string_ostream os(body);
  os << "<rect x=\"" << at(x) << "\" y=\"" << at(y) << "\" width=\""
     << at(width) << "\" height=\"" << at(height) << "\" fill=\"" << color
     << "\"/>\n";
}

void Svg::line(double fromX, double fromY, double toX, double toY,
               const std::string &color, double width, bool isDashed) {
  llvm::raw_string_ostream os(body);
  os << "<line x1=\"" << at(fromX) << "\" y1=\"" << at(fromY) << "\" x2=\""
     << at(toX) << "\" y2=\"" << at(toY) << "\" stroke=\"" << color
     << "\" stroke-width=\"" << at(width) << '"'
     << (isDashed ? " stroke-dasharray=\"4 3\"" : "") << "/>\n";
}

void Svg::dot(double x, double y, double radius, const std::string &color,
              const std::string &title) {
  llvm::raw_string_ostream os(body);
  os << "<circle cx=\"" << at(x) << "\" cy=\"" << at(y) << "\" r=\""
     << at(radius) << "\" fill=\"" << color << "\"><title>" << escape(title)
     << "</title></circle>\n";
}

void Svg::text(double x, double y, const std::string &text, Anchor anchor,
               double size, const std::string &color) {
  const char *name = anchor == Anchor::Start    ? "start"
                     : anchor == Anchor::Middle ? "middle"
                                                : "end";
  llvm::raw_string_ostream os(body);
  os << "<text x=\"" << at(x) << "\" y=\"" << at(y) << "\" text-anchor=\""
     << name << "\" font-size=\"" << at(size) << "\" fill=\"" << color << "\">"
     << escape(text) << "</text>\n";
}

std::string Svg::finish() const { return body + "</svg>\n"; }
