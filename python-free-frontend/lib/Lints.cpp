//===- Lints.cpp - Warnings about programs that are valid -----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Each lint looks at the finished IR of a kernel, so that it sees through
// helper functions and names.
//
//===----------------------------------------------------------------------===//

#include "Lints.h"

#include "Intervals.h"
#include "LaneStrides.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tile;
using namespace tile::frontend;
using llvm::SMRange;

static constexpr LintInfo kLints[] = {
    {"unmasked_tail", "a load in a loop whose last iteration may read past the "
                      "end"},
    {"f16_accumulator", "a dot that adds up in f16"},
    {"index_overflow", "an i32 product in an offset that may not fit i32"},
    {"tf32", "a dot that cuts f32 to tf32"},
    {"uncoalesced", "an access whose neighbouring lanes are apart in memory"},
    {"uninitialised_output", "a sum in memory that nothing initialises"},
    {"unordered_read", "a read that an update seems to order after writes"},
    {"comment_division", "a comment that may be meant as a division"},
};

ArrayRef<LintInfo> frontend::lints() { return kLints; }

std::optional<Lint> frontend::findLint(StringRef name) {
  for (auto [i, info] : llvm::enumerate(kLints))
    if (info.name == name)
      return Lint(i);
  return std::nullopt;
}

void frontend::warn(DiagnosticList &warnings, Lint lint, SMRange range,
                    const Twine &message, const Twine &help,
                    std::vector<Diagnostic::Note> notes) {
  warnings.add({range, message.str(), std::move(notes), help.str(),
                kLints[unsigned(lint)].name.str()});
}

void frontend::warnAt(DiagnosticList &warnings, Lint lint, Operation *op,
                      const LintPlaces &places, const Twine &message,
                      const Twine &help, std::vector<Diagnostic::Note> notes) {
  auto place = places.find(op);
  if (place != places.end() && !(place->second.allowed & bitOf(lint)))
    warn(warnings, lint, place->second.range, message, help, std::move(notes));
}

std::string frontend::sourceName(KernelOp kernel, Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && argument.getOwner()->getParentOp() == kernel)
    return kernel.getArgName(argument.getArgNumber()).str();
  if (auto named = dyn_cast<NameLoc>(value.getLoc()))
    return named.getName().str();
  return "";
}

/// What an offset is made of, by sums and products and through loops.
static llvm::DenseSet<Value> partsOfOffsets(KernelOp kernel) {
  llvm::DenseSet<Value> parts;
  SmallVector<Value> left;
  auto add = [&](ValueRange values) {
    for (Value value : values)
      if (parts.insert(value).second)
        left.push_back(value);
  };
  kernel.walk([&](Operation *op) {
    if (isa<LoadOp, StoreOp, AtomicRmwOp, AtomicCasOp>(op))
      add(op->getOperand(1));
  });
  while (!left.empty()) {
    Value value = left.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (isa_and_present<arith::AddIOp, arith::SubIOp, arith::MulIOp,
                        arith::ShLIOp, arith::ExtSIOp, SplatOp, BroadcastOp,
                        ExpandDimsOp, ReshapeOp>(op)) {
      add(op->getOperands());
    } else if (auto loop = dyn_cast_if_present<scf::ForOp>(
                   op ? op : value.getParentBlock()->getParentOp())) {
      for (auto [argument, result, next, init] :
           llvm::zip_equal(loop.getRegionIterArgs(), loop.getResults(),
                           loop.getYieldedValues(), loop.getInitArgs()))
        if (value == argument || value == result)
          add({next, init});
    }
  }
  return parts;
}

namespace {
/// Looks at one kernel.
class Linter {
public:
  Linter(KernelOp kernel, const LintPlaces &places, DiagnosticList &warnings)
      : kernel(kernel), places(places), warnings(warnings), intervals(kernel),
        offsetParts(partsOfOffsets(kernel)) {}

  void run();

private:
  void report(Lint lint, Operation *op, const Twine &message,
              const Twine &help) {
    warnAt(warnings, lint, op, places, message, help);
  }
  void checkDot(DotOp dot);
  void checkOffset(Operation *op, StringRef what, Interval range,
                   ArrayRef<Value> factors);
  void checkProduct(arith::MulIOp product);
  void checkShift(arith::ShLIOp shift);
  void checkLoop(scf::ForOp loop);
  bool isRagged(scf::ForOp loop, int64_t &divisor, Value &limit);
  std::string nameOf(Value value) { return sourceName(kernel, value); }

  KernelOp kernel;
  const LintPlaces &places;
  DiagnosticList &warnings;
  Intervals intervals;
  llvm::DenseSet<Value> offsetParts;
};
} // namespace

void Linter::checkDot(DotOp dot) {
  if (cast<RankedTensorType>(dot.getAcc().getType()).getElementType().isF16())
    report(Lint::F16Accumulator, dot,
           "this dot adds up in f16, which keeps 11 bits of a sum",
           "add up in zeros<f32> and write 'as f16' where it is stored");
  if (dot.getPrecision() == Precision::Tf32)
    report(Lint::Tf32, dot,
           "this dot rounds its operands to tf32, which keeps 11 bits of each",
           "'precision = tf32x3' has the error of f32");
}

//===----------------------------------------------------------------------===//
// Products in offsets
//===----------------------------------------------------------------------===//

/// Whether the value is what a launch says, with no computation between that
/// bounds it in ways that intervals do not see.
static bool isOfLaunch(Value value) {
  if (auto id = value.getDefiningOp<ProgramIdOp>())
    return id->getParentOfType<KernelOp>().getGrid().has_value();
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && isa<KernelOp>(argument.getOwner()->getParentOp());
}

/// Says so where the op makes an offset of these and i32 may not hold it.
void Linter::checkOffset(Operation *op, StringRef what, Interval range,
                         ArrayRef<Value> factors) {
  if (range.fits(32) || !offsetParts.contains(op->getResult(0)))
    return;
  std::string name;
  for (Value factor : factors) {
    auto argument = dyn_cast<BlockArgument>(factor);
    if (argument && argument.getOwner()->getParentOp() == kernel)
      name = nameOf(argument);
  }
  report(Lint::IndexOverflow, op,
         "this " + what + " is an offset, and nothing says that i32 holds it",
         name.empty() ? Twine("write 'as i64' after ") +
                            (factors.size() > 1 ? "one of the factors"
                                                : "what is shifted")
                      : "give '" + Twine(name) +
                            "' a range as in 'i32 in 0..=65535', or write 'as "
                            "i64' after " +
                            (factors.size() > 1 ? "a factor" : "it"));
}

/// Products by a constant count where the other factor is a launch's:
/// `program_id(0) * B` fits in `grid cdiv(n, B)`, but not in `grid n`.
void Linter::checkProduct(arith::MulIOp product) {
  if (!getElementTypeOrSelf(product.getType()).isInteger(32))
    return;
  Value left = withoutShape(product.getLhs());
  Value right = withoutShape(product.getRhs());
  bool isByConstant =
      matchPattern(left, m_Constant()) || matchPattern(right, m_Constant());
  if (isByConstant && !isOfLaunch(left) && !isOfLaunch(right))
    return;
  checkOffset(product, "product",
              intervals.of(product.getLhs()) * intervals.of(product.getRhs()),
              {left, right});
}

/// `program_id(0) << 12` is a product by a constant.
void Linter::checkShift(arith::ShLIOp shift) {
  Value left = withoutShape(shift.getLhs());
  Interval by = intervals.of(shift.getRhs());
  bool isKnown = by.low == by.high && by.low >= 0 && by.low < 32;
  if (!isKnown || !isOfLaunch(left) ||
      !getElementTypeOrSelf(shift.getType()).isInteger(32))
    return;
  int64_t factor = int64_t(1) << by.low;
  checkOffset(shift, "shift", intervals.of(left) * Interval{factor, factor},
              {left});
}

//===----------------------------------------------------------------------===//
// Tails of loops
//===----------------------------------------------------------------------===//

/// What changes from one iteration of the loop to the next.
static llvm::DenseSet<Value> varyingIn(scf::ForOp loop) {
  llvm::DenseSet<Value> varying;
  SmallVector<Value> left;
  auto add = [&](ValueRange values) {
    for (Value value : values)
      if (varying.insert(value).second)
        left.push_back(value);
  };
  add(loop.getBody()->getArguments());
  while (!left.empty())
    for (Operation *user : left.pop_back_val().getUsers())
      if (loop->isProperAncestor(user))
        add(user->getResults());
  return varying;
}

/// Whether something around the op inside the loop asks where the loop is.
static bool isGuarded(Operation *op, scf::ForOp loop,
                      const llvm::DenseSet<Value> &varying) {
  for (Operation *parent = op->getParentOp(); parent != loop;
       parent = parent->getParentOp())
    if (auto branch = dyn_cast<scf::IfOp>(parent))
      if (varying.contains(branch.getCondition()))
        return true;
  return false;
}

/// Whether the last iteration may be part of a whole one: the loop goes to
/// `limit` by `divisor`, which nothing says divides it.
bool Linter::isRagged(scf::ForOp loop, int64_t &divisor, Value &limit) {
  APInt step;
  if (!matchPattern(loop.getStep(), m_ConstantInt(&step)))
    return false;
  limit = loop.getUpperBound();
  divisor = step.getSExtValue();
  if (divisor == 1) {
    auto count = limit.getDefiningOp<arith::CeilDivSIOp>();
    if (!count || !matchPattern(count.getRhs(), m_ConstantInt(&step)))
      return false;
    divisor = step.getSExtValue();
    limit = count.getLhs();
  }
  if (divisor <= 1)
    return false;
  return !intervals.isDivisible(limit, divisor) ||
         !intervals.isDivisible(loop.getLowerBound(), divisor);
}

void Linter::checkLoop(scf::ForOp loop) {
  int64_t divisor = 0;
  Value limit;
  if (!isRagged(loop, divisor, limit))
    return;
  std::string index = nameOf(loop.getInductionVar()), name = nameOf(limit);
  llvm::DenseSet<Value> varying = varyingIn(loop);
  loop.walk([&](LoadOp load) {
    bool isTile = isa<RankedTensorType>(load.getOffsets().getType());
    if (!isTile || !varying.contains(load.getOffsets()) ||
        varying.contains(load.getMask()) || isGuarded(load, loop, varying))
      return;
    report(Lint::UnmaskedTail, load, "this load has no mask on '" + index + "'",
           "its last turn may be shorter than " + Twine(divisor) +
               (name.empty()
                    ? Twine(": mask what lies beyond the loop's limit")
                    : ": mask with '< " + Twine(name) + "', or state '" + name +
                          ": i32 divisible(" + Twine(divisor) + ")'"));
  });
}

void Linter::run() {
  kernel.walk([&](Operation *op) {
    if (auto dot = dyn_cast<DotOp>(op))
      checkDot(dot);
    else if (auto product = dyn_cast<arith::MulIOp>(op))
      checkProduct(product);
    else if (auto shift = dyn_cast<arith::ShLIOp>(op))
      checkShift(shift);
    else if (auto loop = dyn_cast<scf::ForOp>(op))
      checkLoop(loop);
  });
}

void frontend::lintKernel(KernelOp kernel, const LintPlaces &places,
                          DiagnosticList &warnings) {
  Linter(kernel, places, warnings).run();
}
