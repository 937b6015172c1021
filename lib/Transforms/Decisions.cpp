//===- Decisions.cpp - The log of what was decided and why ----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decisions.h"

#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace tile;

/// "file:line:column", or "unknown".
static std::string describe(Location loc) {
  std::string text = "unknown";
  loc->walk([&](Location part) {
    auto file = dyn_cast<FileLineColLoc>(part);
    if (!file)
      return WalkResult::advance();
    text = (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" +
            Twine(file.getColumn()))
               .str();
    return WalkResult::interrupt();
  });
  return text;
}

void DecisionLog::chosen(Operation *op, const Twine &text) {
  std::string line = text.str();
  remark::passed(op->getLoc(), remark::RemarkOpts::name("plan")
                                   .category("tile-plan")
                                   .function(kernel.getSymName()))
      << line;
  add(op, line);
}

void DecisionLog::rejected(Operation *op, const Twine &text) {
  std::string line = text.str();
  remark::missed(op->getLoc(), remark::RemarkOpts::name("plan")
                                   .category("tile-plan")
                                   .function(kernel.getSymName()))
      << line;
  add(op, line);
}

void DecisionLog::add(Operation *op, StringRef text) {
  Builder builder(kernel.getContext());
  lines.push_back(builder.getStrArrayAttr({describe(op->getLoc()), text}));
}

void DecisionLog::finish() {
  kernel->setAttr(kDecisionsName, ArrayAttr::get(kernel.getContext(), lines));
}
