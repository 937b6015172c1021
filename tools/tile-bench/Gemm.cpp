//===- Gemm.cpp - Matrix products on one device ---------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gemm.h"

#include <charconv>
#include <limits>

using namespace tile::bench;
using namespace tile::runtime;
using tile::Precision;

std::optional<GemmShape> GemmShape::parse(std::string_view text) {
  GemmShape shape;
  const char *at = text.data(), *end = at + text.size();
  int64_t *sides[] = {&shape.m, &shape.n, &shape.k};
  for (int side = 0; side < 3; ++side) {
    auto [rest, code] = std::from_chars(at, end, *sides[side]);
    bool isLast = side == 2;
    if (code != std::errc() || *sides[side] < 1 || *sides[side] > INT32_MAX ||
        (isLast ? rest != end : rest == end || *rest != 'x'))
      return std::nullopt;
    at = rest + 1;
  }
  return shape;
}

std::string GemmShape::text() const {
  return std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k);
}

std::string GemmCase::layout() const {
  return std::string(isATransposed ? "t" : "n") + (isBTransposed ? "t" : "n");
}

std::string GemmCase::kind() const {
  return precision == Precision::Ieee
             ? std::string(stringify(input))
             : tile::stringifyPrecision(precision).str();
}

Tolerance GemmCase::tolerance() const {
  Tolerance tolerance;
  // Integers are exact.
  tolerance.norm = 0;
  if (input == ElementType::I8)
    return tolerance;
  // Errors of single products that are independent add like the products: the
  // bound of one, relative to it, is then the bound in the norm.
  //   tf32: both factors are rounded to 11 bits, which makes 2^-12 of a product
  //     in the mean; cutting them instead would make 2^-10.5, and is refused.
  //   tf32x3: the factors keep 22 bits; 2^-19 leaves room for sums in f32.
  //   f8: products are exact, but the unit keeps 13 bits of fraction below the
  //     largest addend of a step, which is up to 16 times a usual one.
  double bound = 0;
  if (precision == Precision::Tf32)
    bound = 0x1p-11;
  if (precision == Precision::Tf32x3)
    bound = 0x1p-19;
  if (input == ElementType::F8E4M3FN)
    bound = 0x1p-9;
  if (bound > 0) {
    // Of millions of normal errors none is six times their deviation.
    tolerance.norm = bound;
    tolerance.ofRoot = 8 * bound;
    tolerance.others = 16 * bound;
    return tolerance;
  }
  tolerance.norm = std::numeric_limits<double>::infinity();
  if (input == ElementType::F32) {
    tolerance.ofSum = 4 * double(shape.k) * 0x1p-24;
    tolerance.others = 1e-4;
    return tolerance;
  }
  tolerance.absolute = tolerance.relative = tolerance.others = 2e-2;
  return tolerance;
}

double GemmCase::bytes() const {
  double m = double(shape.m), n = double(shape.n), k = double(shape.k);
  double outputs = m * n + (isFused ? m * n + n : 0);
  return (m * k + k * n) * sizeInBytes(input) + outputs * sizeInBytes(output);
}

GemmProblem::GemmProblem(const GemmCase &gemm)
    : Problem(gemm.output, gemm.shape.m, gemm.shape.n), theCase(gemm),
      a(gemm.input, gemm.shape.m, gemm.shape.k, gemm.isATransposed),
      b(gemm.input, gemm.shape.k, gemm.shape.n, gemm.isBTransposed),
      bias(gemm.output, gemm.isFused ? 1 : 0, gemm.shape.n),
      residual(gemm.output, gemm.isFused ? gemm.shape.m : 0, gemm.shape.n) {}

Status GemmProblem::upload(const Device &device) {
  for (const HostMatrix *matrix : {&a, &b, &bias, &residual}) {
    Result<Buffer> buffer = Buffer::allocate(device, matrix->sizeInBytes());
    if (!buffer)
      return buffer.takeError();
    if (matrix->sizeInBytes() > 0)
      if (Status status = buffer->write(matrix->data(), matrix->sizeInBytes());
          !status)
        return status;
    buffers.push_back(std::move(*buffer));
  }
  return Status::success();
}

Result<std::unique_ptr<GemmProblem>>
GemmProblem::create(const Device &device, const GemmCase &gemm, uint64_t seed) {
  std::unique_ptr<GemmProblem> problem(new GemmProblem(gemm));
  uint64_t next = seed;
  for (HostMatrix *matrix :
       {&problem->a, &problem->b, &problem->bias, &problem->residual})
    matrix->fillNormal(next++);
  problem->plainReference.emplace(problem->a, problem->b, next);
  if (gemm.isFused) {
    problem->fusedReference = problem->plainReference;
    problem->fusedReference->applyEpilogue(problem->bias, problem->residual);
  }
  if (Status status = problem->upload(device); !status)
    return status.takeError();
  return problem;
}

Result<double> GemmProblem::check(const HostMatrix &output, Work work,
                                  const std::string &who) const {
  const auto &reference = work == Work::Fused ? fusedReference : plainReference;
  Tolerance allowed = tolerance();
  // It may cut factors to tf32, which makes less than twice the error.
  if (work == Work::Library) {
    allowed.norm *= 2;
    allowed.ofRoot *= 2;
  }
  return reference->compare(output, allowed, who);
}

std::vector<LaunchValue> GemmProblem::values(const GuardedBuffer &c,
                                             bool isFused) const {
  auto integer = [](int64_t value) { return LaunchValue::integerOf(value); };
  const GemmShape &shape = theCase.shape;
  // An arrangement takes the sides in the order in which its tensors name them.
  bool isArranged = theCase.isArranged;
  std::vector<LaunchValue> values = {
      LaunchValue::pointer(buffers[0]),
      LaunchValue::pointer(buffers[1]),
      LaunchValue::pointer(c.address(), c.size()),
      integer(shape.m),
      integer(isArranged ? shape.k : shape.n),
      integer(isArranged ? shape.n : shape.k),
      integer(a.rowStride()),
      integer(a.columnStride()),
      integer(b.rowStride()),
      integer(b.columnStride()),
      integer(shape.n),
      integer(1)};
  if (isFused) {
    values.push_back(LaunchValue::pointer(buffers[2]));
    values.push_back(LaunchValue::pointer(buffers[3]));
  }
  return values;
}

CublasGemm GemmProblem::cublasGemm(const GuardedBuffer &c) const {
  const GemmShape &shape = theCase.shape;
  int compute = kComputeF32;
  if (theCase.precision == Precision::Tf32)
    compute = kComputeTf32;
  if (theCase.input == ElementType::I8)
    compute = kComputeI32;
  return {shape.m,
          shape.n,
          shape.k,
          theCase.input,
          theCase.output,
          theCase.isATransposed,
          theCase.isBTransposed,
          buffers[0].address(),
          buffers[1].address(),
          c.address(),
          compute};
}
