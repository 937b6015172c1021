//===- PTXTest.cpp - NVVM modules to PTX ----------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Target/PTX.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <thread>

using namespace mlir;
using namespace tile;

namespace {

/// What became of a module: PTX, or diagnostics.
struct Outcome {
  std::string ptx;
  std::string errors;
};

/// Compiles text in a context of its own.
Outcome compile(StringRef text, const PTXOptions &options = PTXOptions()) {
  DialectRegistry registry;
  registerPTXTranslations(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  Outcome outcome;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (auto loc = dyn_cast<FileLineColLoc>(diagnostic.getLocation()))
      outcome.errors += std::to_string(loc.getLine()) + ": ";
    outcome.errors += diagnostic.str() + "\n";
  });
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text.str(), &context, "test.mlir");
  if (!module)
    return outcome;
  FailureOr<std::string> ptx = emitPTX(*module, options);
  if (succeeded(ptx))
    outcome.ptx = *ptx;
  return outcome;
}

bool contains(StringRef text, StringRef part) { return text.contains(part); }

constexpr const char *kKernel = R"(
llvm.func @k(%p: !llvm.ptr<1> {llvm.align = 16 : i64}, %x: f32)
    attributes {nvvm.kernel, nvvm.maxntid = array<i32: 128>} {
  llvm.store %x, %p : f32, !llvm.ptr<1>
  llvm.return
}
)";

// A kernel becomes an entry with its launch bounds and aligned pointers, in the
// lowest PTX version that every chip knows.
TEST(PTX, WritesAnEntry) {
  Outcome outcome = compile(kKernel);
  EXPECT_EQ(outcome.errors, "");
  EXPECT_TRUE(contains(outcome.ptx, ".version 8.0"));
  EXPECT_TRUE(contains(outcome.ptx, ".target sm_80"));
  EXPECT_TRUE(contains(outcome.ptx, ".visible .entry k("));
  EXPECT_TRUE(contains(outcome.ptx, ".ptr .global .align 16"));
  EXPECT_TRUE(contains(outcome.ptx, ".maxntid 128"));
}

// The chip and the version are what the caller says.
TEST(PTX, TakesChipAndVersion) {
  PTXOptions options;
  options.chip = "sm_90a";
  options.ptxVersion = 90;
  Outcome outcome = compile(kKernel, options);
  EXPECT_EQ(outcome.errors, "");
  EXPECT_TRUE(contains(outcome.ptx, ".version 9.0"));
  EXPECT_TRUE(contains(outcome.ptx, ".target sm_90a"));
}

// A chip that is not in the table is an error that names those which are.
TEST(PTX, RefusesUnknownChip) {
  PTXOptions options;
  options.chip = "sm_70";
  Outcome outcome = compile(kKernel, options);
  EXPECT_EQ(outcome.ptx, "");
  EXPECT_TRUE(contains(outcome.errors,
                       "expected a chip among sm_80, sm_86, sm_89, sm_90a, sm_100a, sm_120, got 'sm_70'"))
      << outcome.errors;
}

// A version that the chip or LLVM does not know is an error with the range.
TEST(PTX, RefusesUnknownVersion) {
  PTXOptions options;
  options.chip = "sm_90a";
  for (unsigned version : {78u, 89u, 91u, 990u}) {
    options.ptxVersion = version;
    Outcome outcome = compile(kKernel, options);
    EXPECT_EQ(outcome.ptx, "") << version;
    EXPECT_TRUE(contains(outcome.errors,
                         "expected a PTX version from 8.0 to 9.0 for sm_90a"))
        << outcome.errors;
  }
  options.chip = "sm_80";
  options.ptxVersion = 78;
  EXPECT_EQ(compile(kKernel, options).errors, "");
}

// Lines of the source are named where they are asked for, and only there.
TEST(PTX, NamesLines) {
  PTXOptions options;
  EXPECT_TRUE(contains(compile(kKernel, options).ptx, ".loc\t1 4 3"));
  options.lineInfo = false;
  EXPECT_FALSE(contains(compile(kKernel, options).ptx, ".loc"));
}

// A function without an instruction is found before LLVM would end the process.
TEST(PTX, RefusesFunctionsWithoutInstruction) {
  for (StringRef function : {"exp", "log", "sin", "exp10", "tanh"}) {
    std::string text = ("llvm.func @k(%x: f32) attributes {nvvm.kernel} {\n"
                        "  %y = llvm.intr." +
                        function + "(%x) : (f32) -> f32\n  llvm.return\n}\n")
                           .str();
    Outcome outcome = compile(text);
    EXPECT_EQ(outcome.ptx, "");
    EXPECT_TRUE(contains(
        outcome.errors,
        ("2: 'llvm.intr." + function + "' on 'f32' has no instruction on sm_80")
            .str()))
        << outcome.errors;
  }
}

// Which element types have an instruction is part of the table.
TEST(PTX, KnowsElementTypes) {
  constexpr const char *text = R"(
llvm.func @k(%p: !llvm.ptr<1>, %x: f32, %y: f64) attributes {nvvm.kernel} {
  %a = llvm.intr.exp2(%x) : (f32) -> f32
  llvm.store volatile %a, %p : f32, !llvm.ptr<1>
  %b = llvm.intr.sqrt(%y) : (f64) -> f64
  llvm.store volatile %b, %p : f64, !llvm.ptr<1>
  llvm.return
}
)";
  Outcome outcome = compile(text);
  EXPECT_EQ(outcome.errors, "");
  EXPECT_TRUE(contains(outcome.ptx, "ex2.approx.f32"));
  EXPECT_TRUE(contains(outcome.ptx, "sqrt.rn.f64"));
  Outcome wide = compile("llvm.func @k(%x: f64) attributes {nvvm.kernel} {\n"
                         "  %y = llvm.intr.exp2(%x) : (f64) -> f64\n"
                         "  llvm.return\n}\n");
  EXPECT_TRUE(contains(wide.errors, "'llvm.intr.exp2' on 'f64'"))
      << wide.errors;
}

// An instruction of a later chip is an error that names the chip.
TEST(PTX, RefusesInstructionsOfLaterChips) {
  constexpr const char *text = "llvm.func @k() attributes {nvvm.kernel} {\n"
                               "  nvvm.cluster.arrive\n"
                               "  nvvm.cluster.wait\n"
                               "  llvm.return\n}\n";
  Outcome outcome = compile(text);
  EXPECT_EQ(outcome.ptx, "");
  EXPECT_TRUE(contains(outcome.errors,
                       "2: 'nvvm.cluster.arrive' needs sm_90, got sm_80"))
      << outcome.errors;
  PTXOptions options;
  options.chip = "sm_90a";
  EXPECT_EQ(compile(text, options).errors, "");
}

// What is not of the LLVM or NVVM dialect has not been converted.
TEST(PTX, RefusesOtherDialects) {
  Outcome outcome = compile("llvm.func @k() attributes {nvvm.kernel} {\n"
                            "  \"other.op\"() : () -> ()\n"
                            "  llvm.return\n}\n");
  EXPECT_EQ(outcome.ptx, "");
  EXPECT_TRUE(contains(outcome.errors,
                       "2: expected only llvm and nvvm ops, got 'other.op'"))
      << outcome.errors;
}

// A module without kernels is a module of PTX.
TEST(PTX, TakesAnEmptyModule) {
  Outcome outcome = compile("module {}");
  EXPECT_EQ(outcome.errors, "");
  EXPECT_TRUE(contains(outcome.ptx, ".target sm_80"));
}

// Threads compile at the same time, the first use of the target included.
TEST(PTX, CompilesInThreads) {
  std::vector<std::string> results(8);
  std::vector<std::thread> threads;
  for (std::string &result : results)
    threads.emplace_back([&result] { result = compile(kKernel).ptx; });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &result : results)
    EXPECT_EQ(result, results.front());
  EXPECT_NE(results.front(), "");
}

} // namespace

// A CUDA gets a version that it reads: the chip's own or 8.0, else its newest.
TEST(PTXVersionTest, OfCuda) {
  EXPECT_EQ(choosePTXVersion("sm_80", 13000), 80u);
  EXPECT_EQ(choosePTXVersion("sm_80", 11080), 78u);
  EXPECT_EQ(choosePTXVersion("sm_80", 11000), 70u);
  EXPECT_EQ(choosePTXVersion("sm_100a", 13000), 86u);
  // 12.6 came without a PTX version of its own.
  EXPECT_EQ(choosePTXVersion("sm_100a", 12060), 0u);
  EXPECT_EQ(oldestCudaFor("sm_100a"), "12.7");
  EXPECT_EQ(choosePTXVersion("sm_90a", 11080), 0u);
  EXPECT_EQ(oldestCudaFor("sm_90a"), "12.0");
}
