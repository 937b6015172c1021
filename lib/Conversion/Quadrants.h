//===- Quadrants.h - Functions of angles, near and far ----------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_CONVERSION_QUADRANTS_H
#define TILE_CONVERSION_QUADRANTS_H

#include "CodeBuilder.h"

namespace tile {

/// A function of the quadrant of x.  Where an element is far out, all elements
/// of the fragment take the dear way beside the other, in a block of its own.
/// What the blocks hand on is the function's value: LLVM moves all that it can
/// behind them, where the quadrants of all fragments would be alive at once.
template <typename Ops, typename Functions>
typename Ops::F emitOfQuadrant(
    CodeBuilder &code, Ops &ops, Functions &functions, typename Ops::F x,
    llvm::function_ref<typename Ops::F(const typename Functions::Quadrant &)>
        function) {
  typename Ops::F near = function(functions.quadrantOfNear(x));
  typename Ops::B isFar =
      ops.notAtMost(ops.abs(x), ops.number(Functions::kFarLimit));
  mlir::Value anyFar = ops.any(isFar);
  mlir::Block *farBlock = code.appendBlock(), *after = code.appendBlock();
  mlir::Value result = after->addArgument(near.value.getType(), code.loc);
  mlir::LLVM::CondBrOp::create(code.builder, code.loc, anyFar, farBlock,
                               mlir::ValueRange(), after, near.value);
  code.builder.setInsertionPointToStart(farBlock);
  typename Ops::F far = function(functions.quadrantOfFar(x));
  mlir::LLVM::BrOp::create(code.builder, code.loc,
                           ops.select(isFar, far, near).value, after);
  code.continueAt(after);
  return {result};
}

} // namespace tile

#endif // TILE_CONVERSION_QUADRANTS_H
