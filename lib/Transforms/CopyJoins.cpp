//===- CopyJoins.cpp - Rings where two ways of a walk meet ----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CopyRings.h"

using namespace mlir;
using namespace tile;

void CopyRings::forget() {
  products.clear();
  for (auto &[ring, entry] : rings)
    for (CopySlot &slot : entry.slots)
      slot.forget();
}

/// The same copy of the same turn among a slot's fills.
static SlotFill *findSame(CopySlot &slot, const SlotFill &fill) {
  SlotFill *found = llvm::find_if(slot.fills, [&](const SlotFill &entry) {
    return entry.op == fill.op && entry.turn == fill.turn;
  });
  return found == slot.fills.end() ? nullptr : found;
}

static bool haveSameCopies(CopySlot &slot, const CopySlot &other) {
  return slot.fills.size() == other.fills.size() &&
         llvm::all_of(other.fills, [&](const SlotFill &fill) {
           return findSame(slot, fill) != nullptr;
         });
}

/// Whether a copy is longer on its way than another.
static bool isLater(const SlotFill &fill, const SlotFill &other) {
  return fill.groupsSince &&
         (!other.groupsSince || *fill.groupsSince < *other.groupsSince);
}

/// Adds what a slot may hold otherwise.  Of the same copy, what is kept is the
/// one that is longer on its way, or the other.
static void addFills(CopySlot &slot, const CopySlot &other, bool keepsLater) {
  for (const SlotFill &fill : other.fills) {
    SlotFill *same = findSame(slot, fill);
    if (!same)
      slot.fills.push_back(fill);
    else if (keepsLater ? isLater(fill, *same) : isLater(*same, fill))
      *same = fill;
  }
}

/// What holds of a slot whichever way was taken, whether it is followed or not.
static bool joinSlot(CopySlot &slot, const CopySlot &other) {
  slot.isRead |= other.isRead;
  slot.isOpen |= other.isOpen;
  if (!slot.fills.empty() && !other.fills.empty())
    return true;
  slot.forget();
  return false;
}

void CopyRings::joinExit(const CopyRings &other) {
  numFills = std::max(numFills, other.numFills);
  for (auto &[ring, entry] : rings) {
    auto found = other.rings.find(ring);
    if (found == other.rings.end())
      continue;
    for (auto [slot, there] : llvm::zip(entry.slots, found->second.slots)) {
      if (!joinSlot(slot, there))
        continue;
      if (!haveSameCopies(slot, there)) {
        slot.isOpen = true;
        slot.depth = depth;
      }
      addFills(slot, there, /*keepsLater=*/true);
    }
  }
  for (const RunningProduct &product : other.products)
    if (!llvm::is_contained(products, product))
      products.push_back(product);
}

void CopyRings::joinSide(const CopyRings &other, const CopyRings &before) {
  // Sides that both copy are expected to copy the same.
  bool bothFill =
      numFills > before.numFills && other.numFills > before.numFills;
  numFills = std::max(numFills, other.numFills);
  for (auto &[ring, entry] : rings) {
    auto found = other.rings.find(ring);
    if (found == other.rings.end())
      continue;
    for (auto [slot, otherSlot] : llvm::zip(entry.slots, found->second.slots)) {
      if (!joinSlot(slot, otherSlot))
        continue;
      if (!haveSameCopies(slot, otherSlot)) {
        slot.depth = depth;
        if (!bothFill)
          slot.forget();
      }
      // What one side has waited for is not refused.
      if (!slot.fills.empty())
        addFills(slot, otherSlot, /*keepsLater=*/false);
    }
  }
  // A product that one side has waited for is not followed.
  llvm::erase_if(products, [&](const RunningProduct &product) {
    return !llvm::is_contained(other.products, product);
  });
}

bool CopyRings::operator==(const CopyRings &other) const {
  if (products != other.products || rings.size() != other.rings.size())
    return false;
  for (auto &[ring, entry] : rings) {
    auto found = other.rings.find(ring);
    if (found == other.rings.end() || entry.slots != found->second.slots)
      return false;
  }
  return true;
}
