//===- Session.h - The device and who competes on it ------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_BENCH_SESSION_H
#define TILE_TOOLS_BENCH_SESSION_H

#include "CublasLt.h"
#include "ExampleProblem.h"
#include "Gemm.h"
#include "Results.h"

namespace tile::bench {

/// How a session is opened.
struct SessionOptions {
  /// Library to open; empty: the newest of the usual names, if there is one.
  std::string cublasPath;
  /// Let cublasLtMatmul compete too.
  bool withLt = false;
  RaceOptions race;
};

/// What one case is measured with.
struct Entry {
  /// Ours, for the product that the case asks for.
  runtime::Kernel *kernel = nullptr;
  /// The variant to launch; none: the launcher's choice.
  std::optional<std::string> variant;
  /// Ours for the plain product, where the case asks for the fused one.
  runtime::Kernel *plain = nullptr;
  /// Let every variant that holds and states a cost compete too.
  bool withEachVariant = false;
};

/// The library's contender for the plain product: cuBLAS's own where it has
/// one, cuBLASLt's of 8-bit floats, cuBLAS's of f32 beside `tf32x3`.
const char *libraryFor(const GemmCase &gemm);

/// One device, its context current, with a stream and the libraries.
class Session {
public:
  static runtime::Result<std::unique_ptr<Session>>
  open(const SessionOptions &options);

  const runtime::Device &device() const { return theDevice; }
  const runtime::Stream &stream() const { return *theStream; }
  /// "cuBLAS 13.0.2", or why there is none.
  const std::string &library() const { return libraryText; }

  /// Measures `gemm` and notes all that is known in `result`, whose name,
  /// group, floor and aim are the caller's.  A wrong value is an error; a
  /// library that refuses the product is left out, and the error says so.
  runtime::Status measure(const GemmCase &gemm, const Entry &entry,
                          CaseResult &result);

  /// The same of an example, a softmax beside a copy of as many bytes.
  runtime::Status measure(const ExampleCase &example, runtime::Kernel &kernel,
                          CaseResult &result);

private:
  explicit Session(runtime::Device device)
      : theDevice(device), current(theDevice) {}

  runtime::Status describe(runtime::Kernel &kernel,
                           const std::vector<runtime::LaunchValue> &values,
                           const runtime::LaunchOptions &options,
                           CaseResult &result);
  runtime::Status race(const Problem &problem,
                       const std::vector<Contender> &contenders,
                       CaseResult &result);
  Contender ours(std::string name, runtime::Kernel &kernel,
                 std::vector<runtime::LaunchValue> values,
                 runtime::LaunchOptions options) const;
  runtime::Status addCopy(std::vector<Contender> &contenders,
                          const ExampleProblem &problem) const;
  runtime::Result<std::vector<Contender>>
  makeContenders(const Entry &entry, const GemmProblem &problem);
  runtime::Status addOurs(std::vector<Contender> &contenders, std::string name,
                          runtime::Kernel &kernel, bool isFused,
                          std::optional<std::string> variant,
                          const GemmProblem &problem);
  runtime::Status addLibraries(std::vector<Contender> &contenders,
                               const GemmProblem &problem);
  runtime::Status addLibrary(std::vector<Contender> &contenders,
                             const char *name, const GemmProblem &problem);
  runtime::Status prepareLibrary(Contender &contender,
                                 const CublasGemm &gemm) const;

  runtime::Device theDevice;
  runtime::CurrentContext current;
  std::optional<runtime::Stream> theStream;
  std::unique_ptr<Cublas> cublas;
  std::unique_ptr<CublasLt> cublasLt;
  /// Let it compete where cuBLAS does.
  bool withLt = false;
  /// Why there is no cuBLASLt; why libraries were left out of this case.
  std::string ltError, leftOut;
  std::unique_ptr<Race> theRace;
  std::string libraryText;
};

} // namespace tile::bench

#endif // TILE_TOOLS_BENCH_SESSION_H
