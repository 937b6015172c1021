//===- RegisterRoom.cpp - Registers beside what is held -------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegisterRoom.h"
#include "KernelLowering.h"
#include "tile/GPU/ThreadRegisters.h"
#include "tile/GPU/TileGPUOps.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tile;

/// Registers that a load has at least at a time, so that it hides a part of
/// its own latency.
static constexpr int64_t kLeastRoom = 16;

/// Registers of a thread that hold a value: none for a constant, which is where
/// it is used.
static int64_t registersOf(Value value) {
  Type type = value.getType();
  if (auto pending = dyn_cast<tile::gpu::PendingType>(type))
    type = pending.getTensor();
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || matchPattern(value, m_Constant()) ||
      isa_and_present<tile::gpu::LoadOp, SplatOp>(value.getDefiningOp()))
    return 0;
  return threadRegistersOf(tensor).value_or(0);
}

int64_t RegisterRoom::beside(Operation *load) {
  if (!liveness)
    liveness = std::make_unique<Liveness>(kernel);
  int64_t held = 0;
  for (Value value :
       liveness->getLiveness(load->getBlock())->currentlyLiveValues(load))
    held += registersOf(value);
  int64_t all = threadRegistersForElements(numThreads >> kLaneBits);
  if (auto role = load->getParentOfType<tile::gpu::RoleOp>())
    if (std::optional<int64_t> ofRole = role.getRegisters())
      all = *ofRole - kSpareRegisters;
  return std::max(all - held, kLeastRoom);
}
