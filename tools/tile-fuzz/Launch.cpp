//===- Launch.cpp - A program, its arguments and its memory ---------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch.h"

#include "Evaluate.h"
#include "tile/Interpreter/Interpreter.h"
#include "llvm/ADT/APFloat.h"

#include <cmath>

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

static const llvm::fltSemantics &semanticsOf(Kind kind) {
  switch (kind) {
  case Kind::F16:
    return APFloat::IEEEhalf();
  case Kind::BF16:
    return APFloat::BFloat();
  case Kind::F64:
    return APFloat::IEEEdouble();
  case Kind::F8E4M3:
    return APFloat::Float8E4M3FN();
  case Kind::F8E5M2:
    return APFloat::Float8E5M2();
  default:
    return APFloat::IEEEsingle();
  }
}

static void writeElement(uint8_t *to, double value, Kind kind) {
  auto bits = static_cast<uint64_t>(static_cast<int64_t>(value));
  if (!isInteger(kind)) {
    APFloat number(value);
    bool loses;
    number.convert(semanticsOf(kind), APFloat::rmNearestTiesToEven, &loses);
    bits = number.bitcastToAPInt().getZExtValue();
  }
  std::memcpy(to, &bits, bytesOf(kind));
}

static double readElement(const uint8_t *from, Kind kind) {
  uint64_t bits = 0;
  std::memcpy(&bits, from, bytesOf(kind));
  APInt raw(bytesOf(kind) * 8, bits);
  if (isInteger(kind))
    return static_cast<double>(raw.getSExtValue());
  APFloat number(semanticsOf(kind), raw);
  bool loses;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
  return number.convertToDouble();
}

/// What an array holds before a run: bytes between its lines may not be read.
void Launch::addContents(int index) {
  const Array &array = recipe.arrays[index];
  int64_t size = bytesOf(array.kind), bytes = recipe.span(array) * size;
  std::vector<uint8_t> contents(bytes, 0xcd), initialised(bytes, 0);
  for (int64_t row = 0; row < recipe.rows(array) && !array.isOutput; ++row)
    for (int64_t column = 0; column < recipe.columns(array); ++column) {
      int64_t at = (row * recipe.rowStride(array) +
                    column * recipe.columnStride(array)) *
                   size;
      writeElement(&contents[at], recipe.element(index, row, column),
                   array.kind);
      std::fill_n(&initialised[at], size, 1);
    }
  start.bytes.push_back(std::move(contents));
  start.initialised.push_back(std::move(initialised));
}

std::optional<Memory> Launch::run(KernelOp kernel, bool asWritten) const {
  Interpreter interpreter;
  std::vector<uint64_t> addresses;
  for (size_t i = 0; i < recipe.arrays.size(); ++i) {
    const Array &array = recipe.arrays[i];
    addresses.push_back(interpreter.addAllocation(
        "a" + std::to_string(i), start.bytes[i], start.initialised[i],
        array.misalignment * bytesOf(array.kind)));
  }
  std::vector<KernelArgument> values;
  for (const Argument &argument : arguments)
    values.push_back(argument.array < 0
                         ? KernelArgument::integer(argument.value)
                         : KernelArgument::pointer(addresses[argument.array]));
  int64_t rows = (recipe.sizeM + recipe.m - 1) / recipe.m;
  int64_t columns = (recipe.sizeN + recipe.n - 1) / recipe.n;
  std::array<int64_t, 3> grid = {rows * columns, 1, 1};
  if (recipe.hasPlaneGrid)
    grid = {columns, rows, 1};
  InterpreterOptions options;
  options.threads = 1;
  options.checkPoison = asWritten;
  if (failed(interpreter.run(kernel, values, grid, options)))
    return std::nullopt;
  Memory memory;
  for (uint64_t address : addresses) {
    const Allocation *allocation = interpreter.findAllocation(address);
    memory.bytes.push_back(allocation->bytes);
    memory.initialised.push_back(allocation->initialised);
  }
  return memory;
}

bool Launch::fulfils(KernelOp kernel) const {
  for (auto assume : kernel.getBody().front().getOps<AssumeOp>()) {
    auto value = dyn_cast<BlockArgument>(assume.getValue());
    if (!value)
      continue;
    const Argument &argument = arguments[value.getArgNumber()];
    int64_t number = argument.value;
    if (argument.array >= 0) {
      // Allocations start at multiples of 256 bytes.
      const Array &array = recipe.arrays[argument.array];
      number = 256 + array.misalignment * bytesOf(array.kind);
    }
    FactAttr fact = assume.getFact();
    if (number % fact.getDivisibility().value_or(1) != 0 ||
        (fact.getMin() && number < *fact.getMin()) ||
        (fact.getMax() && number > *fact.getMax()))
      return false;
  }
  return true;
}

/// Whether both hold NaN there: which of them an operation gives is not fixed.
static bool areNaN(Kind kind, const uint8_t *left, const uint8_t *right) {
  return !isInteger(kind) && std::isnan(readElement(left, kind)) &&
         std::isnan(readElement(right, kind));
}

std::string fuzz::findDifference(const Recipe &recipe, const Memory &expected,
                                 const Memory &got) {
  for (size_t i = 0; i < recipe.arrays.size(); ++i) {
    const Array &array = recipe.arrays[i];
    for (size_t at = 0; at < expected.bytes[i].size(); ++at) {
      bool isWritten = expected.initialised[i][at];
      bool isSame = !isWritten || expected.bytes[i][at] == got.bytes[i][at];
      if (isWritten == static_cast<bool>(got.initialised[i][at]) && isSame)
        continue;
      size_t size = bytesOf(array.kind), element = at / size;
      if (isWritten && got.initialised[i][at] &&
          areNaN(array.kind, &expected.bytes[i][element * size],
                 &got.bytes[i][element * size]))
        continue;
      std::string text = "a" + std::to_string(i) + ", element " +
                         std::to_string(element) + ": expected ";
      auto spell = [&](const Memory &memory) {
        return memory.initialised[i][at]
                   ? std::to_string(readElement(
                         &memory.bytes[i][element * size], array.kind))
                   : std::string("nothing written");
      };
      return text + spell(expected) + ", got " + spell(got);
    }
  }
  return "";
}

std::string fuzz::findError(const Recipe &recipe, const Memory &got,
                            bool onDevice) {
  for (const auto &[index, expected] : evaluate(recipe, onDevice)) {
    const Array &array = recipe.arrays[index];
    for (int64_t row = 0; row < recipe.sizeM; ++row)
      for (int64_t column = 0; column < recipe.sizeN; ++column) {
        Number number = expected[row * recipe.sizeN + column];
        int64_t at =
            row * recipe.rowStride(array) + column * recipe.columnStride(array);
        double value = readElement(&got.bytes[index][at * bytesOf(array.kind)],
                                   array.kind);
        if (std::isinf(number.bound) ||
            std::fabs(value - number.value) <= number.bound)
          continue;
        return "a" + std::to_string(index) + "[" + std::to_string(row) + ", " +
               std::to_string(column) + "]: expected " +
               std::to_string(number.value) + " to within " +
               std::to_string(number.bound) + ", got " + std::to_string(value);
      }
  }
  return "";
}
