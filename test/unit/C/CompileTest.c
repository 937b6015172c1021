/*===- CompileTest.c - The compiler from plain C -----------------*- C -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===*/

#include "tile-c/Compile.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

static const char *const kScale =
    "tile.kernel @scale(%x: !tile.ptr<f32>, %n: i32)\n"
    "    grid affine_map<()[n] -> (n ceildiv 128)> {\n"
    "  %side = arith.constant 128 : i32\n"
    "  %two = arith.constant dense<2.0> : tensor<128xf32>\n"
    "  %id = tile.program_id x\n"
    "  %first = arith.muli %id, %side overflow<nsw> : i32\n"
    "  %start = tile.splat %first : tensor<128xi32>\n"
    "  %iota = tile.iota : tensor<128xi32>\n"
    "  %i = arith.addi %start, %iota overflow<nsw> : tensor<128xi32>\n"
    "  %bound = tile.splat %n : tensor<128xi32>\n"
    "  %inside = arith.cmpi slt, %i, %bound : tensor<128xi32>\n"
    "  %offsets = arith.extsi %i : tensor<128xi32> to tensor<128xi64>\n"
    "  %old = tile.load %x[%offsets] mask %inside\n"
    "      : !tile.ptr<f32>, tensor<128xi64> -> tensor<128xf32>\n"
    "  %new = arith.mulf %old, %two : tensor<128xf32>\n"
    "  tile.store %x[%offsets], %new mask %inside\n"
    "      : !tile.ptr<f32>, tensor<128xi64>, tensor<128xf32>\n"
    "  tile.return\n"
    "}\n";

/// Line 3 loads fewer elements than it has offsets.
static const char *const kWrongShape =
    "tile.kernel @wrong(%x: !tile.ptr<f32>) {\n"
    "  %offsets = arith.constant dense<0> : tensor<128xi64>\n"
    "  %old = tile.load %x[%offsets] : !tile.ptr<f32>, tensor<128xi64>"
    " -> tensor<64xf32>\n"
    "  tile.return\n"
    "}\n";

static int failures = 0;

/// Counts and says what does not hold.
#define EXPECT(CONDITION)                                                      \
  do {                                                                         \
    if (!(CONDITION)) {                                                        \
      ++failures;                                                              \
      printf("line %d: expected %s\n", __LINE__, #CONDITION);                  \
    }                                                                          \
  } while (false)

/// The first error that a context reported.
typedef struct Report {
  int errors;
  uint32_t line, column;
  char file[64];
  char text[512];
} Report;

static void record(const TileDiagnostic *diagnostic, void *userData) {
  Report *report = userData;
  if (diagnostic->severity != TILE_SEVERITY_ERROR || report->errors++ > 0)
    return;
  report->line = diagnostic->line;
  report->column = diagnostic->column;
  snprintf(report->file, sizeof report->file, "%s", diagnostic->file);
  snprintf(report->text, sizeof report->text, "%s", diagnostic->text);
}

/// Compiles `text` in a context of its own; NULL if that fails.
static TileCompiled *compileText(const char *text,
                                 const TileCompileOptions *options,
                                 Report *report) {
  TileContext *context = tileContextCreate(record, report);
  TileModule *module =
      tileModuleParse(context, text, strlen(text), "given.mlir");
  TileCompiled *compiled = tileModuleCompile(module, options);
  tileModuleDestroy(module);
  tileContextDestroy(context);
  return compiled;
}

/// Each variant of each kernel has its PTX, and the manifest names it.
static void testVariants(void) {
  Report report = {0};
  TileCompileOptions options = {0};
  options.target = "sm_80";
  TileCompiled *compiled = compileText(kScale, &options, &report);
  EXPECT(report.errors == 0);
  EXPECT(tileCompiledNumKernels(compiled) == 1);
  const char *name = tileCompiledKernelName(compiled, 0);
  EXPECT(name && strcmp(name, "scale") == 0);
  const char *manifest = tileCompiledManifest(compiled, 0);
  EXPECT(manifest && strstr(manifest, "\"kernel\": \"scale\""));
  EXPECT(manifest && strstr(manifest, "\"target\": \"sm_80\""));
  size_t numVariants = tileCompiledNumVariants(compiled, 0);
  EXPECT(numVariants > 0);
  for (size_t variant = 0; variant < numVariants; ++variant) {
    const char *ptx = tileCompiledPTX(compiled, 0, variant);
    EXPECT(ptx && strstr(ptx, ".target sm_80"));
    char text[128];
    const char *called = tileCompiledVariantName(compiled, 0, variant);
    snprintf(text, sizeof text, ".entry scale$%s(", called ? called : "?");
    EXPECT(ptx && strstr(ptx, text));
    snprintf(text, sizeof text, "\"name\": \"%s\"", called ? called : "?");
    EXPECT(manifest && strstr(manifest, text));
  }
  tileCompiledDestroy(compiled);
}

/// Options choose one variant, decisions, line tables and the PTX version.
static void testOptions(void) {
  Report report = {0};
  const char *const settings[] = {"warps=2"};
  TileCompileOptions options = {0};
  options.variant = "general";
  options.kernel = "scale";
  options.settings = settings;
  options.numSettings = 1;
  options.ptxVersion = 85;
  options.omitLineInfo = 1;
  TileCompiled *compiled = compileText(kScale, &options, &report);
  EXPECT(report.errors == 0);
  EXPECT(tileCompiledNumVariants(compiled, 0) == 1);
  const char *ptx = tileCompiledPTX(compiled, 0, 0);
  EXPECT(ptx && strstr(ptx, ".entry scale$general("));
  EXPECT(ptx && strstr(ptx, ".version 8.5"));
  EXPECT(ptx && strstr(ptx, ".target sm_90a"));
  EXPECT(ptx && !strstr(ptx, ".loc"));
  const char *manifest = tileCompiledManifest(compiled, 0);
  EXPECT(manifest && strstr(manifest, "\"block\": 64"));
  tileCompiledDestroy(compiled);
}

/// Whether compiling fails and reports `text` at line and column.
static bool failsAt(const char *source, const TileCompileOptions *options,
                    uint32_t line, uint32_t column, const char *text) {
  Report report = {0};
  TileCompiled *compiled = compileText(source, options, &report);
  bool asExpected = !compiled && report.errors > 0 && report.line == line &&
                    report.column == column &&
                    strcmp(report.file, "given.mlir") == 0 &&
                    strstr(report.text, text);
  if (!asExpected)
    printf("got %d errors, %s:%u:%u: %s\n", report.errors, report.file,
           (unsigned)report.line, (unsigned)report.column, report.text);
  tileCompiledDestroy(compiled);
  return asExpected;
}

/// Settings that would do nothing are told: none where some are counted, NULL
/// among them, and a key or a chip that is given twice.
static void testSettings(void) {
  TileCompileOptions none = {0};
  none.numSettings = 3;
  EXPECT(failsAt(kScale, &none, 0, 0, "expected 3 settings, got NULL"));
  const char *const broken[] = {"warps=2", NULL};
  TileCompileOptions options = {0};
  options.settings = broken;
  options.numSettings = 2;
  EXPECT(failsAt(kScale, &options, 0, 0, "got NULL for settings[1]"));
  const char *const twice[] = {"warps=4", "warps=8"};
  options.settings = twice;
  EXPECT(failsAt(kScale, &options, 1, 1,
                 "expected one value for plan key 'warps', got 'warps=4' and "
                 "'warps=8'"));
  const char *const chip[] = {"target=sm_80"};
  options.settings = chip;
  options.numSettings = 1;
  EXPECT(failsAt(kScale, &options, 1, 1,
                 "to be the chip that is compiled for, 'sm_90a'"));
}

/// What is wrong with the text, the program or the options is told with its
/// place.
static void testErrors(void) {
  EXPECT(failsAt("tile.kernel @k(", NULL, 1, 15, "expected"));
  EXPECT(failsAt(kWrongShape, NULL, 3, 10, "'tile.load' op "));
  const char *const settings[] = {"colour=blue"};
  TileCompileOptions options = {0};
  options.settings = settings;
  options.numSettings = 1;
  EXPECT(failsAt(kScale, &options, 1, 1, "colour"));
  testSettings();
  TileCompileOptions other = {0};
  other.kernel = "other";
  EXPECT(failsAt(kScale, &other, 1, 1, "expected a kernel named 'other'"));
  TileCompileOptions chip = {0};
  chip.target = "sm_1";
  EXPECT(failsAt(kScale, &chip, 0, 0, "got 'sm_1'"));
}

/// Text that nests without end is refused where it does.
static void testNesting(void) {
  char text[4000];
  memset(text, '[', sizeof(text));
  memcpy(text, "#a =\n", 5);
  text[sizeof(text) - 1] = 0;
  EXPECT(failsAt(text, NULL, 2, 257, "nests at most 256 deep"));
}

/// Handles that are NULL and indices that are too large are answered.
static void testNothing(void) {
  EXPECT(!tileModuleParse(NULL, "", 0, NULL));
  EXPECT(!tileModuleCompile(NULL, NULL));
  EXPECT(tileCompiledNumKernels(NULL) == 0);
  EXPECT(!tileCompiledManifest(NULL, 0));
  TileContext *silent = tileContextCreate(NULL, NULL);
  EXPECT(!tileModuleParse(silent, NULL, 1, NULL));
  EXPECT(!tileModuleParse(silent, "nonsense", 8, NULL));
  tileContextDestroy(silent);

  Report report = {0};
  TileCompiled *compiled = compileText(kScale, NULL, &report);
  EXPECT(!tileCompiledKernelName(compiled, 1));
  EXPECT(tileCompiledNumVariants(compiled, 1) == 0);
  EXPECT(!tileCompiledPTX(compiled, 0, 99));
  EXPECT(!tileCompiledVariantName(compiled, 1, 0));
  tileCompiledDestroy(compiled);
}

/// The text is read up to its length, where no NUL stands; and a module
/// outlives the handle of its context.
static void testLifetimes(void) {
  Report report = {0};
  size_t length = strlen(kScale);
  char *text = malloc(length);
  memcpy(text, kScale, length);
  TileContext *context = tileContextCreate(record, &report);
  TileModule *module = tileModuleParse(context, text, length, "given.mlir");
  free(text);
  tileContextDestroy(context);
  TileCompiled *first = tileModuleCompile(module, NULL);
  TileCompiled *second = tileModuleCompile(module, NULL);
  tileModuleDestroy(module);
  EXPECT(report.errors == 0);
  const char *one = tileCompiledPTX(first, 0, 0);
  const char *other = tileCompiledPTX(second, 0, 0);
  EXPECT(one && other && strcmp(one, other) == 0);
  tileCompiledDestroy(first);
  tileCompiledDestroy(second);
}

/// What one thread does in testThreads.
typedef struct Work {
  const char *target;
  Report report;
  TileCompiled *compiled;
} Work;

static int compileInThread(void *argument) {
  Work *work = argument;
  TileCompileOptions options = {0};
  options.target = work->target;
  for (int repetition = 0; repetition < 4; ++repetition) {
    tileCompiledDestroy(work->compiled);
    work->compiled = compileText(kScale, &options, &work->report);
  }
  return 0;
}

/// Two threads compile at the same time, each for its own chip.
static void testThreads(void) {
  Work work[2] = {{.target = "sm_80"}, {.target = "sm_90a"}};
  thrd_t threads[2];
  for (int index = 0; index < 2; ++index)
    EXPECT(thrd_create(&threads[index], compileInThread, &work[index]) ==
           thrd_success);
  for (int index = 0; index < 2; ++index) {
    thrd_join(threads[index], NULL);
    EXPECT(work[index].report.errors == 0);
    TileCompileOptions options = {0};
    options.target = work[index].target;
    Report report = {0};
    TileCompiled *alone = compileText(kScale, &options, &report);
    const char *together = tileCompiledPTX(work[index].compiled, 0, 0);
    const char *expected = tileCompiledPTX(alone, 0, 0);
    EXPECT(together && expected && strcmp(together, expected) == 0);
    tileCompiledDestroy(alone);
    tileCompiledDestroy(work[index].compiled);
  }
}

int main(void) {
  // First, so that the threads meet in the initialisation of LLVM as well.
  testThreads();
  testVariants();
  testOptions();
  testErrors();
  testNesting();
  testNothing();
  testLifetimes();
  printf("%d failures\n", failures);
  return failures > 0;
}
