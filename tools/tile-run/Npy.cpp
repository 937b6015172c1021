//===- Npy.cpp - NumPy's file format --------------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Npy.h"
#include "Number.h"
#include "files/Files.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cstring>

using namespace tile;
using namespace tile::run;
using llvm::StringRef;
using runtime::Error;
using runtime::Result;
using runtime::Status;

namespace {
/// An element type as NumPy spells it.
struct Descriptor {
  StringRef text;
  ElementType type;
};
} // namespace

static constexpr Descriptor kDescriptors[] = {
    {"<f8", ElementType::F64}, {"<f4", ElementType::F32},
    {"<f2", ElementType::F16}, {"<i8", ElementType::I64},
    {"<i4", ElementType::I32}, {"<i2", ElementType::I16},
    {"|i1", ElementType::I8},  {"|b1", ElementType::I1},
};
static constexpr StringRef kMagic("\x93NUMPY", 6);

const uint8_t *NpyArray::address(int64_t i) const {
  if (fortranOrder) {
    int64_t position = 0, stride = 1;
    std::vector<int64_t> index(sides.size());
    for (size_t dim = sides.size(); dim-- > 0; i /= sides[dim])
      index[dim] = i % sides[dim];
    for (size_t dim = 0; dim < sides.size(); stride *= sides[dim++])
      position += index[dim] * stride;
    i = position;
  }
  return reinterpret_cast<const uint8_t *>(data.data()) +
         i * runtime::sizeInBytes(type);
}

double NpyArray::value(int64_t i) const { return load(type, address(i)); }

void NpyArray::copyElement(int64_t i, uint8_t *target) const {
  std::memcpy(target, address(i), runtime::sizeInBytes(type));
}

std::string run::sidesText(const std::vector<int64_t> &sides) {
  std::string text;
  for (int64_t side : sides)
    text += (text.empty() ? "" : ", ") + std::to_string(side);
  return "[" + text + "]";
}

/// What follows `'key':` in the header's dictionary.
static StringRef valueAfter(StringRef header, StringRef key) {
  size_t start = header.find(("'" + key + "'").str());
  if (start == StringRef::npos)
    return {};
  StringRef rest = header.drop_front(start + key.size() + 2).ltrim();
  rest.consume_front(":");
  return rest.ltrim();
}

/// Reads the dictionary; says what was expected if it is none that we know.
static Status readHeader(StringRef header, NpyArray &array) {
  header = header.trim();
  if (!header.starts_with("{") || !header.ends_with("}"))
    return Error("expected a header of 'descr', 'fortran_order' and 'shape' in "
                 "braces");
  StringRef descriptor = valueAfter(header, "descr");
  const auto *known = llvm::find_if(kDescriptors, [&](const Descriptor &entry) {
    return descriptor.starts_with(("'" + entry.text + "'").str());
  });
  if (known == std::end(kDescriptors))
    return Error(
        ("expected a descr of f8, f4, f2, i8, i4, i2, i1 or b1, "
         "little endian, got " +
         (descriptor.empty() ? "none" : descriptor.take_until([](char c) {
           return c == ',' || c == '}';
         })))
            .str());
  array.type = known->type;
  StringRef order = valueAfter(header, "fortran_order");
  array.fortranOrder = order.starts_with("True");
  if (!array.fortranOrder && !order.starts_with("False"))
    return Error("expected a fortran_order of True or False");
  StringRef shape = valueAfter(header, "shape");
  Error wrongShape("expected a shape such as (64, 64)");
  if (!shape.consume_front("("))
    return wrongShape;
  for (shape = shape.ltrim(); !shape.consume_front(")");
       shape = shape.ltrim()) {
    int64_t side;
    if (shape.consumeInteger(10, side) || side < 0)
      return wrongShape;
    array.sides.push_back(side);
    shape = shape.ltrim();
    shape.consume_front(",");
  }
  return Status::success();
}

/// Bytes that the elements take, or nothing if they are too many.
static std::optional<size_t> dataBytes(const NpyArray &array) {
  int64_t bytes = runtime::sizeInBytes(array.type);
  for (int64_t side : array.sides)
    if (llvm::MulOverflow(bytes, side, bytes))
      return std::nullopt;
  return size_t(bytes);
}

Result<NpyArray> run::readNpy(const std::string &file) {
  Result<std::unique_ptr<llvm::MemoryBuffer>> buffer = files::readFile(file);
  if (!buffer)
    return buffer.takeError();
  StringRef text = (*buffer)->getBuffer();
  if (!text.consume_front(kMagic) || text.size() < 6)
    return Error("expected '" + file + "' to be a .npy file");
  if (text[0] < 1 || text[0] > 3)
    return Error("expected '" + file +
                 "' to be a .npy file of version 1, 2 or 3, got " +
                 std::to_string(uint8_t(text[0])));
  // Version 1 has two bytes for the length, later ones four.
  unsigned lengthBytes = text[0] == 1 ? 2 : 4;
  uint32_t length = 0;
  std::memcpy(&length, text.data() + 2, lengthBytes);
  text = text.drop_front(2 + lengthBytes);
  NpyArray array;
  if (text.size() < length)
    return Error("expected '" + file + "' to hold a header of " +
                 std::to_string(length) + " bytes, got " +
                 std::to_string(text.size()));
  if (Status status = readHeader(text.take_front(length), array); !status)
    return Error("'" + file + "': " + status.error().text());
  text = text.drop_front(length);
  std::optional<size_t> expected = dataBytes(array);
  if (!expected || text.size() != *expected)
    return Error("expected '" + file + "' to hold " + sidesText(array.sides) +
                 " elements, got " + std::to_string(text.size()) + " bytes");
  array.data = text.str();
  return array;
}

Status run::writeNpy(const std::string &file, const HostTensor &tensor) {
  const TensorShape &shape = tensor.shape();
  const auto *known = llvm::find_if(kDescriptors, [&](const Descriptor &entry) {
    return entry.type == shape.type;
  });
  if (known == std::end(kDescriptors))
    known = &kDescriptors[1]; // f4 holds every narrower float
  std::string sides;
  for (int64_t side : shape.sides)
    sides += std::to_string(side) + ",";
  std::string header =
      ("{'descr': '" + known->text + "', 'fortran_order': False, 'shape': (" +
       sides + "), }")
          .str();
  // The data starts at a multiple of 64 bytes.
  header.resize((header.size() + 11 + 63) / 64 * 64 - 11, ' ');
  header += '\n';
  std::error_code code;
  llvm::raw_fd_ostream stream(file, code, llvm::sys::fs::OF_None);
  if (code)
    return Error("expected a writable file '" + file + "': " + code.message());
  auto length = uint16_t(header.size());
  stream << kMagic << StringRef("\x01\x00", 2);
  stream.write(reinterpret_cast<const char *>(&length), 2);
  stream << header;
  tensor.forEachElement([&](size_t position) {
    const uint8_t *element = &tensor.memory()[position];
    uint8_t bytes[8];
    std::memcpy(bytes, element, tensor.elementBytes());
    if (known->type != shape.type)
      store(known->type, bytes, load(shape.type, element));
    stream.write(reinterpret_cast<const char *>(bytes),
                 runtime::sizeInBytes(known->type));
  });
  stream.close();
  if (stream.has_error()) {
    Error error("expected a writable file '" + file +
                "': " + stream.error().message());
    stream.clear_error();
    return error;
  }
  return Status::success();
}
