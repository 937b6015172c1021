//===- Problem.h - What contenders compute, and what is right -------*- C++
//-*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_BENCH_PROBLEM_H
#define TILE_TOOLS_BENCH_PROBLEM_H

#include "GemmCheck.h"
#include "GuardedBuffer.h"
#include "HostMatrix.h"

#include <memory>
#include <string>

namespace tile::bench {

/// What a contender computes of the problem's inputs.
enum class Work {
  /// What the problem is named after.
  Plain,
  /// The same by a library, which may round otherwise than ours has to.
  Library,
  /// A product with everything that follows it.
  Fused,
  /// No more than moving as many bytes: a copy of the first input.
  Copy
};

/// One problem: inputs on the device, and a matrix that each contender writes.
class Problem {
public:
  virtual ~Problem() = default;

  /// Memory for one contender's output, on the device and on the host.
  runtime::Result<std::unique_ptr<GuardedBuffer>>
  makeOutput(const runtime::Device &device) const;
  HostMatrix hostOutput() const { return HostMatrix(type, rows, columns); }

  /// Compares an output with what is right.  Gives the relative error in the
  /// norm; a value out of tolerance is an error that starts with `who`.
  virtual runtime::Result<double> check(const HostMatrix &output, Work work,
                                        const std::string &who) const = 0;
  /// How far two contenders' plain outputs may be from each other.
  virtual Tolerance tolerance() const = 0;

protected:
  Problem(runtime::ElementType type, int64_t rows, int64_t columns)
      : type(type), rows(rows), columns(columns) {}

private:
  runtime::ElementType type;
  int64_t rows, columns;
};

} // namespace tile::bench

#endif // TILE_TOOLS_BENCH_PROBLEM_H
