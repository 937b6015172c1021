//===- Arrange.cpp - The arrangement of a kernel's tensors ----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `arrange { ... }` says how tensors lie over programs.  Here its text becomes
// an `Arrangement` for each tensor, and their outermost level the grid.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "Runs.h"

#include "tile/Frontend/Vocabulary.h"

using namespace mlir;
using namespace tile;
using namespace tile::frontend;
using llvm::SMRange;

std::string KernelEmitter::symbolName(unsigned symbol) const {
  if (!log)
    return symbolNames[symbol];
  auto size = log->sizes.find(symbolNames[symbol]);
  return size == log->sizes.end() ? symbolNames[symbol]
                                  : std::to_string(size->second);
}

/// With sizes in place of their names, where the log has them.
AffineExpr KernelEmitter::withSizes(AffineExpr expr) const {
  if (!log)
    return expr;
  for (auto [symbol, name] : llvm::enumerate(symbolNames))
    if (auto size = log->sizes.find(name); size != log->sizes.end())
      expr = expr.replace(getAffineSymbolExpr(symbol, builder.getContext()),
                          builder.getAffineConstantExpr(size->second));
  return expr;
}

/// As `withSizes`.
std::string KernelEmitter::arrangementText(const Arrangement &arrangement,
                                           unsigned level) const {
  auto nameOf = [&](unsigned symbol) { return symbolName(symbol); };
  if (!log)
    return arrangement.text(nameOf, level);
  std::vector<std::string> parts;
  for (Arrangement::Level dims :
       llvm::drop_begin(arrangement.levels(), level)) {
    for (Arrangement::Dim &dim : dims)
      dim.size = withSizes(dim.size);
    parts.push_back(levelText(dims, nameOf));
  }
  return llvm::join(parts, " -> ");
}

void KernelEmitter::logArrangement(const Arranged &tensor, StringRef verb) {
  if (log)
    log->lines.push_back(tensor.name + (verb.empty() ? "" : " ") + verb.str() +
                         ": " + arrangementText(tensor.arrangement, 0));
}

/// The symbol of an argument of i32.
AffineExpr KernelEmitter::sizeSymbol(Value value, KernelOp op) {
  for (auto [i, argument] : llvm::enumerate(op.getIntegerArguments()))
    if (argument == value)
      return getAffineSymbolExpr(i, builder.getContext());
  return {};
}

/// The tensor `name` as it is arranged so far; an error if it is none.
KernelEmitter::Arranged *KernelEmitter::findArranged(const Identifier &name,
                                                     KernelOp op) {
  auto known = arranged.find(name.text);
  if (known != arranged.end())
    return &known->second;
  Symbol *symbol = find(name.text);
  if (!symbol || symbol->value.kind != Val::Tensor) {
    if (!symbol || symbol->value)
      errors.error(name.range,
                   "expected a tensor to arrange, got '" + name.text + "'");
    return nullptr;
  }
  SmallVector<AffineExpr, 4> sides;
  for (Value side : symbol->value.sides)
    sides.push_back(sizeSymbol(side, op));
  Arranged &result = arranged[name.text];
  result.name = name.text.str();
  result.tensor = symbol->value;
  result.sides = sides;
  result.arrangement = Arrangement(sides);
  result.range = symbol->range;
  logArrangement(result, "");
  return &result;
}

/// `out.shape[1]`: a size of the outermost level.
AffineExpr KernelEmitter::arrangedSize(const Expr &expr, KernelOp op) {
  const Expr &member = *expr.operands[0];
  const Expr &base = *member.operands[0];
  Arranged *tensor = findArranged({base.text, base.range}, op);
  if (!tensor)
    return {};
  const Arrangement::Level &level = tensor->arrangement.levels()[0];
  std::optional<int64_t> dim = emitInteger(*expr.operands[1], "as a dimension");
  if (!dim)
    return {};
  if (*dim >= 0 && *dim < int64_t(level.size()))
    return level[*dim].size;
  errors.error(expr.operands[1]->range,
               "expected a dimension from 0 to " + Twine(level.size() - 1) +
                   " of the outermost level of '" + tensor->name + "', got " +
                   Twine(*dim));
  return {};
}

/// A size in an operation: -1 is null, a whole dimension or the one there is.
bool KernelEmitter::arrangeSize(const Expr &expr, KernelOp op,
                                AffineExpr &size) {
  bool isMinusOne = expr.kind == Expr::Unary && expr.text == "-" &&
                    expr.operands[0]->kind == Expr::Integer &&
                    expr.operands[0]->text == "1";
  size = {};
  if (isMinusOne)
    return true;
  size = gridExpr(expr, op, "a size");
  bool isWide = false;
  if (size)
    size.walk([&](AffineExpr part) {
      if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
        isWide |=
            !op.getIntegerArguments()[symbol.getPosition()].getType().isInteger(
                32);
    });
  if (isWide)
    errors.error(expr.range, "expected arguments of i32 in a size, got others");
  return size && !isWide;
}

bool KernelEmitter::arrangeSizes(const Expr &call, size_t from, KernelOp op,
                                 SmallVectorImpl<AffineExpr> &sizes) {
  for (size_t i = from; i < call.operands.size(); ++i)
    if (call.names[i].text.empty() &&
        !arrangeSize(*call.operands[i], op, sizes.emplace_back()))
      return false;
  return true;
}

/// `strides = 2` is a stride for each dimension, `strides = [2, 1]` one each.
bool KernelEmitter::arrangeList(const Expr &expr, size_t rank, KernelOp op,
                                SmallVectorImpl<AffineExpr> &sizes) {
  // What -1 means of a side means nothing here.
  auto read = [&](const Expr &part, AffineExpr &size) {
    if (!arrangeSize(part, op, size))
      return false;
    if (!size)
      errors.error(part.range, "expected a number of at least 1, got -1");
    return bool(size);
  };
  if (expr.kind != Expr::List) {
    AffineExpr size;
    if (!read(expr, size))
      return false;
    sizes.assign(rank, size);
    return true;
  }
  for (const ExprPtr &part : expr.operands)
    if (!read(*part, sizes.emplace_back()))
      return false;
  return true;
}

bool KernelEmitter::arrangeDims(const Expr &call, size_t from,
                                SmallVectorImpl<int64_t> &dims) {
  for (size_t i = from; i < call.operands.size(); ++i) {
    std::optional<int64_t> dim =
        emitInteger(*call.operands[i], "as a dimension");
    if (!dim)
      return false;
    dims.push_back(*dim);
  }
  return true;
}

namespace {
/// The operations by name, with what the log says that they did.
struct ArrangeOp {
  StringRef name, verb;
  /// Arguments with names that it takes.
  bool hasWindows = false;
};
} // namespace

static constexpr ArrangeOp kOperations[] = {
    {"tile", "tiled", true}, {"expand", "expanded"},
    {"squeeze", "squeezed"}, {"unsqueeze", "unsqueezed"},
    {"permute", "permuted"}, {"flatten", "flattened"},
};

/// Arguments with names are `strides` and `dilation` of `tile`.
bool KernelEmitter::arrangeNamed(const Expr &call, size_t from, size_t rank,
                                 KernelOp op, bool hasWindows,
                                 SmallVectorImpl<AffineExpr> &strides,
                                 SmallVectorImpl<AffineExpr> &dilations) {
  for (size_t i = from; i < call.operands.size(); ++i) {
    const Identifier &name = call.names[i];
    if (name.text.empty())
      continue;
    bool isStrides = name.text == "strides";
    if (!hasWindows || (!isStrides && name.text != "dilation")) {
      errors.error(name.range,
                   "expected " +
                       Twine(hasWindows ? "the name strides or dilation"
                                        : "arguments without names") +
                       " in '" + call.text + "', got '" + name.text + "'");
      return false;
    }
    if (!arrangeList(*call.operands[i], rank, op,
                     isStrides ? strides : dilations))
      return false;
  }
  return true;
}

/// The operation alone, without what it works on.
static SMRange operationOf(const Expr &call) {
  return {llvm::SMLoc::getFromPointer(call.text.begin()), call.range.End};
}

/// One operation on a level; its arguments begin at `from`.
bool KernelEmitter::arrangeBy(const Expr &call, size_t from, unsigned level,
                              Arranged &tensor, KernelOp op) {
  const auto *known = llvm::find_if(kOperations, [&](const ArrangeOp &entry) {
    return entry.name == call.text;
  });
  if (known == std::end(kOperations)) {
    SmallVector<StringRef> names;
    for (const FunctionInfo &entry : arrangeOperations())
      names.push_back(entry.name);
    errors
        .error(operationOf(call), "expected tile, expand, squeeze, unsqueeze, "
                                  "permute, flatten or inner, got '" +
                                      call.text + "'")
        .help(llvm::is_contained({"ravel", "reshape", "view"}, call.text)
                  ? "write 'flatten()'"
                  : helpForName(call.text, names));
    return false;
  }
  Arrangement &arrangement = tensor.arrangement;
  auto nameOf = [&](unsigned symbol) { return symbolName(symbol); };
  SmallVector<AffineExpr> sizes, strides, dilations;
  SmallVector<int64_t> dims;
  if (!arrangeNamed(call, from, arrangement.levels()[level].size(), op,
                    known->hasWindows, strides, dilations))
    return false;
  bool takesSizes = call.text == "tile" || call.text == "expand";
  if (takesSizes ? !arrangeSizes(call, from, op, sizes)
                 : !arrangeDims(call, from, dims))
    return false;
  bool wasShared = arrangement.isShared();
  Arrangement::Wrong wrong;
  if (call.text == "tile")
    wrong = arrangement.tile(level, sizes, strides, dilations);
  else if (call.text == "expand")
    wrong = arrangement.expand(level, sizes, nameOf);
  else if (call.text == "squeeze")
    wrong = arrangement.squeeze(level, dims, nameOf);
  else if (call.text == "permute")
    wrong = arrangement.permute(level, dims);
  else if (call.text == "unsqueeze" && dims.size() == 1)
    wrong = arrangement.unsqueeze(level, dims[0]);
  else if (call.text == "unsqueeze")
    wrong = "expected one dimension, got " + std::to_string(dims.size());
  else if (dims.empty() || dims.size() == 2)
    wrong = arrangement.flatten(
        level, dims.empty() ? 0 : dims[0],
        dims.empty() ? arrangement.levels()[level].size() - 1 : dims[1]);
  else
    wrong = "expected a first and a last dimension, or none, got " +
            std::to_string(dims.size());
  if (!wrong && arrangement.isTooLarge())
    wrong = "expected sizes and indices of i32 and of at most 2048 operations, "
            "got more";
  if (wrong) {
    errors.error(operationOf(call), *wrong);
    return false;
  }
  if (arrangement.isShared() && !wasShared)
    tensor.shared = call.range;
  logArrangement(tensor, known->verb);
  return true;
}

/// `name.tile(...).inner(squeeze(0))`; within `inner`, what stands first works
/// on the inner level.
bool KernelEmitter::arrangeChain(const Expr &expr, unsigned level,
                                 Arranged &tensor, KernelOp op) {
  bool isInside = expr.kind == Expr::Call && level > 0;
  if (expr.kind == Expr::Name && level == 0) {
    if (expr.text == tensor.name)
      return true;
    errors.error(expr.range, "expected the arrangement of '" + tensor.name +
                                 "' to begin with it, got '" + expr.text + "'");
    return false;
  }
  if (expr.kind != Expr::Method && !isInside) {
    errors.error(expr.range,
                 level ? "expected an operation such as squeeze(0), got "
                         "another expression"
                       : "expected a tensor and operations such as "
                         "a.tile(64, 64), got another expression");
    return false;
  }
  size_t from = isInside ? 0 : 1;
  if (!isInside && !arrangeChain(*expr.operands[0], level, tensor, op))
    return false;
  if (expr.text != "inner")
    return arrangeBy(expr, from, level, tensor, op);
  if (expr.operands.size() != from + 1) {
    errors.error(operationOf(expr), "expected operations in 'inner', got " +
                                        Twine(expr.operands.size() - from) +
                                        " arguments");
    return false;
  }
  if (level + 1 == tensor.arrangement.levels().size()) {
    errors.error(operationOf(expr),
                 "expected an inner level, got '" + tensor.name + "' of " +
                     arrangementText(tensor.arrangement, level) +
                     ", which has none");
    return false;
  }
  return arrangeChain(*expr.operands[from], level + 1, tensor, op);
}

/// Arranges the tensors, sets the grid, and gives the names their new meaning.
void KernelEmitter::emitArrangement(const Kernel &kernel, KernelOp op) {
  for (BlockArgument argument : op.getIntegerArguments()) {
    symbolNames.push_back(op.getArgName(argument.getArgNumber()).str());
    if (log && argument.getType().isInteger(32) &&
        !llvm::is_contained(log->names, symbolNames.back()))
      log->names.push_back(symbolNames.back());
  }
  bool good = true;
  if (!kernel.grid.empty()) {
    errors.error(kernel.grid[0]->range,
                 "expected no 'grid' beside 'arrange', which makes it");
    good = false;
  }
  for (const Arrange &step : kernel.arrangement) {
    Arranged *tensor = findArranged(step.name, op);
    if (tensor)
      tensor->range = step.value->range;
    good &= tensor && arrangeChain(*step.value, /*level=*/0, *tensor, op);
  }
  const Arrangement::Level *outer = good ? outermostLevel(kernel) : nullptr;
  if (!outer) {
    // What follows from a wrong arrangement is of no interest.
    for (const Arrange &step : kernel.arrangement)
      if (Symbol *symbol = find(step.name.text))
        symbol->value = {};
    return;
  }
  setGrid(*outer, op);
  Location loc = location(kernel.name.range);
  SmallVector<Value> programs = programIndices(*outer, loc);
  for (const Arrange &step : kernel.arrangement) {
    Arranged &tensor = arranged[step.name.text];
    Val value;
    value.kind = Val::Arranged;
    value.arranged = &tensor;
    value.level = 1;
    value.indices.resize(tensor.arrangement.numVariables());
    for (auto [dim, program] :
         llvm::zip_equal(tensor.arrangement.levels()[0], programs))
      value.indices[dim.variable] = program;
    if (tensor.arrangement.levels().size() == 1) {
      errors.error(tensor.range,
                   "expected at least two levels, the outermost of which is "
                   "the grid, got " +
                       arrangementText(tensor.arrangement, 0));
      value = {};
    }
    find(step.name.text)->value = value;
  }
}
