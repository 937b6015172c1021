//===- PlanSettings.h - Decisions that are given as text --------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one reader of KEY=VALUE, whoever gives it: a command line, the options of
// a pass, or a program through the library.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_PLANSETTINGS_H
#define TILE_TRANSFORMS_PLANSETTINGS_H

#include "tile/IR/TileAttrs.h"

namespace tile {

/// The plan with each setting, KEY=VALUE with a key of PlanKeys.h, instead of
/// what it has under that key.  Fails on what is no setting, an unknown key, a
/// value that the key does not take, and a key that is given twice.
mlir::FailureOr<PlanAttr>
withSettings(PlanAttr plan, llvm::ArrayRef<std::string> settings,
             llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

} // namespace tile

#endif // TILE_TRANSFORMS_PLANSETTINGS_H
