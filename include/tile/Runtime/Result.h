//===- Result.h - Values or errors without exceptions -----------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the runtime library reports failure.  The library depends on the standard
// library only and throws nothing: a function that can fail returns a Status or
// a Result, both of which must be looked at.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_RUNTIME_RESULT_H
#define TILE_RUNTIME_RESULT_H

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace tile::runtime {

/// What went wrong: our sentence, and the CUDA driver's code, name and text
/// where the driver refused something.
struct Error {
  Error() = default;
  Error(std::string message) : message(std::move(message)) {}
  Error(const char *message) : message(message) {}

  /// Our sentence: lower-case, no full stop, what was expected and what was
  /// got.
  std::string message;
  /// The CUresult, 0 where the driver was not involved.
  int driverCode = 0;
  /// The driver's name of the code, e.g. "CUDA_ERROR_INVALID_PTX".
  std::string driverName;
  /// The driver's own words.
  std::string driverText;

  /// Everything in one string.
  std::string text() const {
    if (driverCode == 0)
      return message;
    return message + ": " + driverName + " (" + std::to_string(driverCode) +
           "): " + driverText;
  }
};

/// Success, or an error.
class [[nodiscard]] Status {
public:
  Status() = default;
  Status(Error error) : failure(std::move(error)) {}

  static Status success() { return Status(); }

  /// True on success.
  explicit operator bool() const { return !failure; }
  /// The error; only on failure.
  const Error &error() const { return *failure; }
  Error takeError() { return std::move(*failure); }

private:
  std::optional<Error> failure;
};

/// A value, or the error that kept it from being made.
template <typename T>
class [[nodiscard]] Result {
public:
  Result(T value) : content(std::in_place_index<1>, std::move(value)) {}
  Result(Error error) : content(std::in_place_index<0>, std::move(error)) {}

  /// True when there is a value.
  explicit operator bool() const { return content.index() == 1; }
  /// The value; only on success.
  T &operator*() { return *std::get_if<1>(&content); }
  const T &operator*() const { return *std::get_if<1>(&content); }
  T *operator->() { return std::get_if<1>(&content); }
  const T *operator->() const { return std::get_if<1>(&content); }
  /// The error; only on failure.
  const Error &error() const { return *std::get_if<0>(&content); }
  Error takeError() { return std::move(*std::get_if<0>(&content)); }

private:
  std::variant<Error, T> content;
};

} // namespace tile::runtime

#endif // TILE_RUNTIME_RESULT_H
