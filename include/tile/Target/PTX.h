//===- PTX.h - NVVM modules to PTX ------------------------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The last step: a module of the LLVM and NVVM dialects becomes LLVM IR, and
// that becomes PTX, in this process.  Everything that the chip or the PTX
// version lacks is found before LLVM's code generator, which would end the
// process, sees it.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TARGET_PTX_H
#define TILE_TARGET_PTX_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"

#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace tile {

/// What the caller decides about the code.
struct PTXOptions {
  /// A chip of tile/GPU/Target.h.
  std::string chip = "sm_80";
  /// PTX version times ten, at most 90; 0 for 8.0, or for what the chip needs.
  unsigned ptxVersion = 0;
  /// 0: LLVM's IR is left as it comes; otherwise it is simplified.
  unsigned optLevel = 2;
  /// Whether the PTX names the source's lines (`.loc`).
  bool lineInfo = true;
};

/// Registers the translations to LLVM IR that the functions below need.  The
/// context of their module must have been made with such a registry.
void registerPTXTranslations(mlir::DialectRegistry &registry);

/// The PTX version, times ten, of code for `chip` that a driver or an assembler
/// of CUDA `cuda` reads (1000 * major + 10 * minor, as cuDriverGetVersion
/// says): that of PTXOptions or, where it is too new, the newest that this CUDA
/// knows. 0 where it knows none that knows the chip.
unsigned choosePTXVersion(llvm::StringRef chip, int cuda);

/// The oldest CUDA that knows `chip`, for messages: "12.8".
std::string oldestCudaFor(llvm::StringRef chip);

/// Whether the chip is known and the PTX version knows it; else an error at
/// the module.
mlir::LogicalResult checkPTXOptions(mlir::ModuleOp module,
                                    const PTXOptions &options);

/// The module as text of LLVM IR, after the passes of `optLevel`.
mlir::FailureOr<std::string> emitLLVMIR(mlir::ModuleOp module,
                                        const PTXOptions &options);

/// The module as PTX.
mlir::FailureOr<std::string> emitPTX(mlir::ModuleOp module,
                                     const PTXOptions &options);

} // namespace tile

#endif // TILE_TARGET_PTX_H
