//===- KernelFacts.cpp - What is stated of a kernel's values --------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelFacts.h"

#include "Divisors.h"

using namespace mlir;
using namespace tile;

KernelFacts::KernelFacts(Operation *kernel) {
  auto function = dyn_cast<FunctionOpInterface>(kernel);
  if (function && !function.isExternal())
    for (BlockArgument argument : function.getArguments())
      if (auto fact = function.getArgAttrOfType<FactAttr>(
              argument.getArgNumber(), kFactName))
        add(argument, fact);
  kernel->walk([&](AssumeOp op) {
    Block *block = op->getBlock();
    bool isEntry = block->getParentOp() == kernel && block->isEntryBlock();
    if (isEntry || op.getValue().getParentBlock() == block)
      add(op.getValue(), op.getFact());
  });
}

void KernelFacts::add(Value value, FactAttr stated) {
  Fact &fact = facts[value];
  if (std::optional<int64_t> divisor = stated.getDivisibility())
    fact.divisor = commonMultiple(fact.divisor, *divisor);
  if (std::optional<int64_t> min = stated.getMin())
    fact.min = std::max(fact.min, *min);
  if (std::optional<int64_t> max = stated.getMax())
    fact.max = std::min(fact.max, *max);
}

const Fact *KernelFacts::find(Value value) const {
  auto it = facts.find(value);
  return it == facts.end() ? nullptr : &it->second;
}
