//===- CopyRings.cpp - What cp.async and wgmma do to slots ----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CopyRings.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

void CopyRings::fail(Operation *op, const Twine &message,
                     ArrayRef<ScheduleFault::Note> notes) {
  if (!fault)
    fault = {op, message.str(), llvm::to_vector<2>(notes)};
}

CopyRings::Ring *CopyRings::find(Value ring) {
  auto found = rings.find(ring);
  return found == rings.end() ? nullptr : &found->second;
}

std::string CopyRings::place(Value ring, int64_t turn) {
  int64_t numSlots = find(ring)->slots.size();
  return ("turn " + Twine(turn) + " (slot " + Twine(turn % numSlots) + ")")
      .str();
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

void CopyRings::begin(AllocOp ring) {
  Ring &fresh = rings[ring];
  fresh = Ring();
  fresh.slots.resize(ring.getType().getSlots());
}

void CopyRings::failPending(Operation *op, const Twine &message,
                            const SlotFill &fill) {
  SmallVector<ScheduleFault::Note, 2> notes;
  if (op != fill.op)
    notes.push_back({fill.op, "the copy starts here"});
  if (fill.wait && fill.groupsAtWait == 0)
    notes.push_back({fill.wait, "no commit closes its group before this wait"});
  else if (fill.wait)
    notes.push_back(
        {fill.wait, "this wait leaves " +
                        counted(cast<WaitOp>(fill.wait).getGroups(), "group") +
                        " on the way, of which it may be one"});
  fail(op, message, notes);
}

void CopyRings::end(AllocOp ring) {
  Ring *entry = find(ring);
  if (!entry)
    return;
  for (CopySlot &slot : entry->slots)
    for (SlotFill &fill : slot.fills)
      if (fill.groupsSince)
        failPending(fill.op,
                    "expected the copy into " + place(ring, fill.turn) +
                        " to be waited for before its ring ends",
                    fill);
  rings.erase(ring);
}

/// Whether a copy overwrites what nobody has read: the place of another turn,
/// or of the same one by another copy, was meant.  The same copy, or one of an
/// earlier turn, starts anew.
static bool losesTurn(const CopySlot &slot, Operation *op, int64_t turn) {
  if (slot.fills.size() != 1 || slot.isRead || !slot.fills[0].op)
    return false;
  const SlotFill &before = slot.fills[0];
  return before.turn < turn || (before.turn == turn && before.op != op);
}

/// Whether the ring is read in the loop that a copy stands in, so that the loop
/// takes its turns one by one.
static bool isReadBeside(Value ring, Operation *copy) {
  auto loop = copy->getParentOfType<LoopLikeOpInterface>();
  return llvm::any_of(ring.getUsers(), [&](Operation *user) {
    return isa<LocalLoadOp, MmaOp, WgmmaOp>(user) &&
           (!loop || loop->isAncestor(user));
  });
}

bool CopyRings::checkFill(Operation *op, Value ring, int64_t turn) {
  Ring *entry = find(ring);
  int64_t numSlots = entry->slots.size();
  for (const RunningProduct &product : products)
    if (product.ring == ring && (product.turn - turn) % numSlots == 0)
      fail(op,
           "expected the product that reads " + place(ring, product.turn) +
               " to be waited for before " + place(ring, turn) +
               " overwrites it",
           {{product.op, "it is read here"}});
  const CopySlot &slot = entry->slots[turn % numSlots];
  for (const SlotFill &before : slot.fills)
    if (before.groupsSince && isCertain(slot))
      failPending(op,
                  "expected the copy into " + place(ring, before.turn) +
                      " to be waited for before " + place(ring, turn) +
                      " overwrites it",
                  before);
  if (numSlots > 1 && losesTurn(slot, op, turn) && isReadBeside(ring, op))
    fail(op,
         "expected " + place(ring, slot.fills[0].turn) + " to be read before " +
             place(ring, turn) + " overwrites it",
         {{slot.fills[0].op, "it is copied here, and not read since"}});
  return !fault;
}

void CopyRings::fill(Operation *op, Value ring, std::optional<int64_t> turn,
                     bool isAsync) {
  Ring *entry = find(ring);
  if (!entry)
    return;
  ++numFills;
  if (!turn) {
    for (CopySlot &slot : entry->slots)
      slot.forget();
    return;
  }
  if (!checkFill(op, ring, *turn))
    return;
  CopySlot slot;
  slot.fills = {{op, *turn, std::nullopt}};
  if (isAsync)
    slot.fills.front().groupsSince = 0;
  entry->slots[*turn % entry->slots.size()] = slot;
}

void CopyRings::commit() {
  for (auto &[ring, entry] : rings)
    for (CopySlot &slot : entry.slots)
      for (SlotFill &fill : slot.fills)
        if (fill.groupsSince)
          ++*fill.groupsSince;
}

void CopyRings::wait(WaitOp op) {
  for (auto &[ring, entry] : rings)
    for (CopySlot &slot : entry.slots)
      for (SlotFill &fill : slot.fills) {
        if (!fill.groupsSince)
          continue;
        fill.wait = op;
        fill.groupsAtWait = *fill.groupsSince;
        if (*fill.groupsSince > int64_t(op.getGroups()))
          fill.groupsSince = std::nullopt;
      }
}

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

void CopyRings::failTurn(Operation *op, Value ring, int64_t turn,
                         const SlotFill &fill) {
  if (!fill.op)
    return fail(op,
                "expected a copy into " + place(ring, turn) +
                    " before it is read, got none",
                {{ring.getDefiningOp(), "the ring is made here"}});
  if (fill.turn < turn)
    return fail(op,
                "expected a copy into " + place(ring, turn) +
                    " before it is read, got " + place(ring, fill.turn),
                {{fill.op, "the slot is filled here last"}});
  fail(op,
       "expected " + place(ring, turn) + " to be kept until it is read, got " +
           place(ring, fill.turn),
       {{fill.op, "it is overwritten here"}});
}

bool CopyRings::isCertain(const CopySlot &slot) const {
  return slot.fills.size() == 1 || depth <= slot.depth;
}

void CopyRings::read(Operation *op, Value ring, std::optional<int64_t> turn) {
  Ring *entry = find(ring);
  if (!entry)
    return;
  if (!turn)
    for (CopySlot &slot : entry->slots)
      slot.isRead = true;
  if (!turn)
    return;
  CopySlot &slot = entry->slots[*turn % entry->slots.size()];
  slot.isRead = true;
  if (!isCertain(slot))
    return;
  bool isOpen = slot.isOpen && slot.fills.size() > 1;
  for (const SlotFill &fill : slot.fills) {
    if (fill.turn != *turn && !isOpen)
      return failTurn(op, ring, *turn, fill);
    if (fill.turn == *turn && fill.groupsSince)
      return failPending(op,
                         "expected the copy into " + place(ring, *turn) +
                             " to be waited for before it is read",
                         fill);
  }
}

void CopyRings::startProduct(
    Operation *op,
    ArrayRef<std::pair<Value, std::optional<int64_t>>> operands) {
  for (auto [ring, turn] : operands)
    read(op, ring, turn);
  for (RunningProduct &product : products)
    ++product.groupsSince;
  for (auto [ring, turn] : operands)
    if (turn && find(ring))
      products.push_back({op, ring, *turn, /*groupsSince=*/1});
}

void CopyRings::waitProducts(int64_t groups) {
  llvm::erase_if(products, [&](const RunningProduct &product) {
    return product.groupsSince > groups;
  });
}
