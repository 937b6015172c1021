//===- ExampleProblem.h - Softmax and attention on one device ------*- C++
//-*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the suite measures besides products: kernels of the examples, their
// inputs, and what is right.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_BENCH_EXAMPLEPROBLEM_H
#define TILE_TOOLS_BENCH_EXAMPLEPROBLEM_H

#include "Problem.h"

#include "tile/Runtime/Launcher.h"

#include <memory>
#include <string>
#include <vector>

namespace tile::bench {

/// One kernel of the examples on f16 tensors of one size.
struct ExampleCase {
  enum class Kind { Softmax, Attention };

  /// "softmax f16 8192x8192".
  std::string name;
  Kind kind = Kind::Softmax;
  /// Rows of the output in each batch, and their length.
  int64_t batches = 1, rows = 0, columns = 0;
  /// Compile-time parameters, and decisions of the plan, NAME=VALUE.
  std::vector<std::string> parameters, settings;

  /// Operations of the products; 0 where memory is what counts.
  double flops() const;
  /// Bytes that must be read or written at least.
  double bytes() const;
};

/// The data of one case: x, or q, k and v, each as large as the output.
class ExampleProblem : public Problem {
public:
  static runtime::Result<std::unique_ptr<ExampleProblem>>
  create(const runtime::Device &device, const ExampleCase &example,
         uint64_t seed);

  const ExampleCase &example() const { return theCase; }
  const runtime::Buffer &firstInput() const { return buffers.front(); }
  /// What the kernel of this manifest takes, with the output in `y`.
  runtime::Result<std::vector<runtime::LaunchValue>>
  values(const runtime::Manifest &manifest, const GuardedBuffer &y) const;

  /// Sampled rows against f64, and that no other element is NaN; of a copy all
  /// bits.
  runtime::Result<double> check(const HostMatrix &output, Work work,
                                const std::string &who) const override;
  Tolerance tolerance() const override;

private:
  explicit ExampleProblem(const ExampleCase &example);
  std::vector<double> softmaxRow(int64_t row) const;
  std::vector<double> attentionRow(int64_t row) const;
  /// The value of a scalar argument or of a stride, by its name.
  runtime::Result<runtime::LaunchValue>
  scalar(const runtime::Argument &argument) const;

  ExampleCase theCase;
  std::vector<HostMatrix> inputs;
  std::vector<runtime::Buffer> buffers;
  /// Rows of the sample, and what is right in them.
  std::vector<int64_t> sampled;
  std::vector<std::vector<double>> expected;
};

} // namespace tile::bench

#endif // TILE_TOOLS_BENCH_EXAMPLEPROBLEM_H
