//===- Compile.h - The compiler for programs in C -----------------*- C -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler as plain C: handles whose insides are not shown, strings that
// end in NUL, errors through a callback.
//
//   TileContext *context = tileContextCreate(onDiagnostic, userData);
//   TileModule *module = tileModuleParse(context, text, length, "scale.mlir");
//   TileCompileOptions options = {0};
//   options.target = "sm_90a";
//   TileCompiled *compiled = tileModuleCompile(module, &options);
//   puts(tileCompiledPTX(compiled, 0, 0));
//
// Nothing is written to a stream, nothing ends the process, nothing is read
// from the environment.  A function that fails has told the callback why and
// returns NULL.  A handle that is NULL is answered with NULL or 0, so that one
// check at the end of a chain of calls is enough.
//
// Different contexts may be used by different threads at the same time.  One
// context, with its modules, is used by one thread at a time.  A TileCompiled
// is only read and may be shared.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_C_COMPILE_H
#define TILE_C_COMPILE_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define TILE_C_EXPORT
#else
#define TILE_C_EXPORT __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Contexts and diagnostics
//===----------------------------------------------------------------------===//

/// Where programs live and whom errors are told.
typedef struct TileContext TileContext;

/// How serious a diagnostic is.  A note belongs to the diagnostic before it.
typedef enum TileSeverity {
  TILE_SEVERITY_NOTE = 0,
  TILE_SEVERITY_REMARK = 1,
  TILE_SEVERITY_WARNING = 2,
  TILE_SEVERITY_ERROR = 3
} TileSeverity;

/// What the compiler has to say, and about which place.
typedef struct TileDiagnostic {
  TileSeverity severity;
  /// Empty where there is no place.  Lines and columns count from 1; both are 0
  /// where the whole file is meant.
  const char *file;
  uint32_t line;
  uint32_t column;
  const char *text;
} TileDiagnostic;

/// Receives diagnostics, on the thread of the call that causes them.  The
/// diagnostic and its strings are gone when the callback returns.
typedef void (*TileDiagnosticCallback)(const TileDiagnostic *diagnostic,
                                       void *userData);

/// A context.  `callback` may be NULL: diagnostics are dropped then.
TILE_C_EXPORT TileContext *tileContextCreate(TileDiagnosticCallback callback,
                                             void *userData);

/// Frees the handle.  Modules of the context stay usable, and may call the
/// callback until the last of them is destroyed.
TILE_C_EXPORT void tileContextDestroy(TileContext *context);

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// A program of tile IR, parsed and verified.
typedef struct TileModule TileModule;

/// Parses `length` bytes of `text`, which need not end in NUL and are not kept.
/// Diagnostics call them `file`; NULL stands for "-".
TILE_C_EXPORT TileModule *tileModuleParse(TileContext *context,
                                          const char *text, size_t length,
                                          const char *file);

TILE_C_EXPORT void tileModuleDestroy(TileModule *module);

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

/// What the caller decides.  All zero is the default.
typedef struct TileCompileOptions {
  /// "sm_80", "sm_90a"; NULL: "sm_90a".
  const char *target;
  /// Decisions of the plan that are given, each "KEY=VALUE" with a key of its
  /// own; `tilec --help-plan` lists the keys.  NULL, for the list while
  /// `numSettings` is not 0 or in it, is an error.
  const char *const *settings;
  size_t numSettings;
  /// The one kernel to compile; NULL: all.
  const char *kernel;
  /// The one variant to compile; NULL: all.
  const char *variant;
  /// PTX ISA version times ten; 0: the lowest that all chips know.
  uint32_t ptxVersion;
  /// Not 0: no line tables for profilers and debuggers.
  int32_t omitLineInfo;
} TileCompileOptions;

/// Kernels as PTX, each with its contract.  Independent of the context.
typedef struct TileCompiled TileCompiled;

/// Compiles the kernels of the module, which is not changed.  `options` may be
/// NULL: the defaults.
TILE_C_EXPORT TileCompiled *
tileModuleCompile(const TileModule *module, const TileCompileOptions *options);

TILE_C_EXPORT void tileCompiledDestroy(TileCompiled *compiled);

// The strings below live as long as `compiled`.  An index that is too large is
// answered with NULL, or 0.

TILE_C_EXPORT size_t tileCompiledNumKernels(const TileCompiled *compiled);

TILE_C_EXPORT const char *tileCompiledKernelName(const TileCompiled *compiled,
                                                 size_t kernel);

/// The contract as JSON (tile/Runtime/Manifest.h), which the launcher reads.
TILE_C_EXPORT const char *tileCompiledManifest(const TileCompiled *compiled,
                                               size_t kernel);

TILE_C_EXPORT size_t tileCompiledNumVariants(const TileCompiled *compiled,
                                             size_t kernel);

/// Variants come from the most to the least specialised.
TILE_C_EXPORT const char *tileCompiledVariantName(const TileCompiled *compiled,
                                                  size_t kernel,
                                                  size_t variant);

TILE_C_EXPORT const char *tileCompiledPTX(const TileCompiled *compiled,
                                          size_t kernel, size_t variant);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // TILE_C_COMPILE_H
