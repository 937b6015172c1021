//===- OrderLints.cpp - Warnings about what updates do not order ----------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each program writes its part, counts itself by an update, and the last one
// reads all parts: that needs updates which release and acquire, and ours are
// relaxed.  The interpreter reports such a read as a race when it runs into
// one; here the pattern alone is looked for.
//
//===----------------------------------------------------------------------===//

#include "Lints.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tile;
using namespace tile::frontend;

/// The kernel's argument that an access goes through; null if none is known.
static Value argumentOf(Value pointer) {
  while (auto offset = pointer.getDefiningOp<OffsetOp>())
    pointer = offset.getPointer();
  auto argument = dyn_cast<BlockArgument>(pointer);
  bool isOfKernel =
      argument && isa<KernelOp>(argument.getOwner()->getParentOp());
  return isOfKernel ? pointer : Value();
}

/// The argument through which an op writes memory, or null.
static Value writtenBy(Operation *op) {
  Value pointer;
  if (auto store = dyn_cast<StoreOp>(op))
    pointer = store.getBase();
  else if (auto update = dyn_cast<AtomicRmwOp>(op))
    pointer = update.getBase();
  else if (auto swap = dyn_cast<AtomicCasOp>(op))
    pointer = swap.getBase();
  return pointer ? argumentOf(pointer) : Value();
}

/// The branches that a value decides, by computation alone: what is loaded from
/// a place that it names says nothing of who has come.
static llvm::SetVector<Operation *> branchesOn(Value value) {
  llvm::SetVector<Operation *> branches;
  llvm::SetVector<Value> reached;
  reached.insert(value);
  for (size_t next = 0; next < reached.size(); ++next)
    for (OpOperand &use : reached[next].getUses()) {
      Operation *user = use.getOwner();
      auto yield = dyn_cast<scf::YieldOp>(user);
      if (isa<scf::IfOp>(user))
        branches.insert(user);
      else if (yield && isa<scf::IfOp>(yield->getParentOp()))
        reached.insert(yield->getParentOp()->getResult(use.getOperandNumber()));
      else if (isMemoryEffectFree(user))
        reached.insert(user->result_begin(), user->result_end());
    }
  return branches;
}

namespace {
/// Looks at one kernel, in the order of its source.
class OrderLinter {
public:
  OrderLinter(const LintPlaces &places, DiagnosticList &warnings)
      : places(places), warnings(warnings) {}

  void look(Operation *op);

private:
  void check(LoadOp load, Operation *update);

  const LintPlaces &places;
  DiagnosticList &warnings;
  /// The first write through each argument so far.
  llvm::DenseMap<Value, Operation *> writers;
  llvm::DenseSet<Operation *> reported;
};
} // namespace

void OrderLinter::check(LoadOp load, Operation *update) {
  Value argument = argumentOf(load.getBase());
  // Of its own place an update tells enough.
  if (argument == writtenBy(update))
    return;
  auto writer = writers.find(argument);
  if (writer == writers.end() || !reported.insert(load).second)
    return;
  auto kernel = load->getParentOfType<KernelOp>();
  std::string name = sourceName(kernel, writer->first);
  std::vector<frontend::Diagnostic::Note> notes;
  auto addNote = [&](Operation *op, std::string text) {
    if (auto place = places.find(op); place != places.end())
      notes.push_back({place->second.range, std::move(text)});
  };
  addNote(writer->second, "each program writes '" + name + "' here");
  addNote(update, "this update decides whether it is read");
  warnAt(warnings, Lint::UnorderedRead, load, places,
         "this read of '" + name +
             "' may not see what other programs have written: updates are "
             "relaxed, and order no other memory",
         "read '" + Twine(name) + "' in a kernel that is launched after this",
         std::move(notes));
}

void OrderLinter::look(Operation *op) {
  bool isUpdate = isa<AtomicRmwOp, AtomicCasOp>(op);
  if (isUpdate)
    for (Operation *branch : branchesOn(op->getResult(0)))
      branch->walk([&](LoadOp load) { check(load, op); });
  if (Value argument = writtenBy(op))
    writers.try_emplace(argument, op);
}

void frontend::lintOrder(KernelOp kernel, const LintPlaces &places,
                         DiagnosticList &warnings) {
  OrderLinter linter(places, warnings);
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) { linter.look(op); });
}
