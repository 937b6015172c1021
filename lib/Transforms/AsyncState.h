//===- AsyncState.h - Slots, barriers and what roles know -------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of an asynchronous schedule while its roles are walked, and the
// rules that each step has to keep.
//
// A turn counts the steps of a cursor: turn t is in slot t mod slots, and it is
// phase t / slots of that slot's barriers.
//
// Roles are walked in one order, but run in any.  What is safe is therefore not
// read off the order of the walk: each role has a clock of what it knows to
// have happened (steps of each role, and phases of each full barrier). Arriving
// on a barrier hands the clock to the barrier, waiting takes it over; a slot
// may be overwritten only by a role whose clock covers the end of all reads.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_ASYNCSTATE_H
#define TILE_TRANSFORMS_ASYNCSTATE_H

#include "AsyncSchedule.h"

#include <deque>

namespace tile {

/// How a step ends: it waits for another role, it is done, or it breaks a rule.
enum class Outcome { Done, Blocked, Fault };

/// A pending accumulator: which one, and after how many products.
struct PendingVersion {
  int64_t accumulator, products;
};

/// All slots, barriers and roles of one walk.
class AsyncState {
public:
  explicit AsyncState(AsyncSchedule &schedule);

  Outcome waitFull(unsigned role, gpu::WaitFullOp op, int64_t turn);
  Outcome waitFree(unsigned role, gpu::WaitFreeOp op, int64_t turn);
  Outcome release(unsigned role, gpu::ReleaseOp op, int64_t turn);
  Outcome expect(unsigned role, gpu::ExpectOp op, int64_t turn);
  Outcome load(unsigned role, gpu::TmaLoadOp op, int64_t turn);
  /// A read that is finished when the op is.
  Outcome read(unsigned role, mlir::Operation *op, mlir::Value ring,
               int64_t turn);
  /// Starts a product of slots, each a ring and a turn; `acc` goes on where
  /// there is one.
  Outcome startProduct(unsigned role, gpu::WgmmaOp op,
                       llvm::ArrayRef<std::pair<mlir::Value, int64_t>> slots,
                       std::optional<PendingVersion> acc,
                       PendingVersion &result);
  void waitProducts(unsigned role, int64_t running);
  Outcome finish(unsigned role, gpu::WgmmaFinishOp op, PendingVersion pending);
  void store(unsigned role, gpu::TmaStoreOp op) { states[role].store = op; }
  void waitStores(unsigned role) { states[role].store = nullptr; }
  /// The role has come to its end.
  Outcome endRole(unsigned role);
  /// All roles have.
  Outcome endAll();
  /// No role can go on: `waits` has the op and turn of each, or null where it
  /// has ended.
  struct Wait {
    mlir::Operation *op;
    int64_t turn;
  };
  void deadlock(llvm::ArrayRef<Wait> waits);

  Outcome fail(mlir::Operation *op, const llvm::Twine &message,
               llvm::ArrayRef<ScheduleFault::Note> notes = {});

  std::optional<ScheduleFault> fault;

private:
  using Clock = llvm::SmallVector<int64_t, 16>;
  enum class Step { Wait, Expect, Release };

  /// One barrier.
  struct BarrierSlot {
    int64_t completed = 0, arrived = 0, announced = 0, landed = 0;
    /// What those know who have arrived, and what they knew when the last
    /// phase ended.
    Clock gathered, known;
  };
  /// A read of a slot, from one time of its role to another.
  struct Read {
    mlir::Operation *op;
    unsigned role;
    int64_t start;
    std::optional<int64_t> end;
  };
  /// One slot of a ring: what fills it, and who reads that.
  struct RingSlot {
    gpu::TmaLoadOp load;
    int64_t turn = -1;
    llvm::SmallVector<size_t, 4> reads;
  };
  /// The last step of a kind that a role has made on barriers.
  struct Last {
    mlir::Operation *op;
    int64_t turn;
    /// When the role waited for each slot.
    llvm::SmallVector<int64_t, 8> times;
  };
  struct Release {
    mlir::Operation *op;
    int64_t turn, slots, time;
  };
  struct Accumulator {
    mlir::Operation *last;
    int64_t products;
  };
  struct RoleState {
    Clock clock;
    llvm::DenseMap<std::pair<unsigned, int>, Last> last;
    /// Groups of wgmma that may be running, each with its reads.
    std::deque<std::pair<mlir::Operation *, llvm::SmallVector<size_t, 2>>>
        running;
    llvm::SmallVector<Release> releases;
    llvm::SmallVector<Accumulator> accumulators;
    mlir::Operation *store = nullptr;
  };

  BarrierUse &use(unsigned number) { return schedule.barriers[number]; }
  BarrierSlot &slotOf(unsigned number, int64_t turn) {
    return slots[number][turn % use(number).slots()];
  }
  std::string place(unsigned number, int64_t turn);
  std::string nameOf(unsigned role);
  int64_t tick(unsigned role) { return ++states[role].clock[role]; }
  int64_t lastTurn(unsigned role, unsigned number, Step step);
  /// Whether the role has waited in this turn on barriers of this kind.
  bool waitedFor(unsigned role, bool full, int64_t slots, int64_t turn,
                 bool paired = false);
  Outcome checkOrder(unsigned role, mlir::Operation *op, unsigned number,
                     Step step, int64_t turn, bool mayRepeat = false);
  void note(unsigned role, mlir::Operation *op, unsigned number, Step step,
            int64_t turn);
  /// Where a role has last waited.
  ScheduleFault::Note noteOfWait(unsigned role, unsigned number);
  Outcome checkWaiters(unsigned role, mlir::Operation *op, unsigned number,
                       int64_t turn);
  Outcome checkFilled(unsigned role, gpu::TmaLoadOp op, unsigned number,
                      int64_t turn);
  /// Whether the turn of a read is released once the read has ended.
  bool isReleasedAfter(const Read &read, unsigned number, int64_t turn);
  Outcome checkReleased(const Read &read, unsigned number, int64_t turn,
                        mlir::Operation *overwrite);
  Outcome checkReaders(unsigned role, gpu::TmaLoadOp op, RingSlot &slot);
  Outcome startRead(unsigned role, mlir::Operation *op, mlir::Value ring,
                    int64_t turn, std::optional<size_t> &read);
  Outcome checkPending(unsigned role, mlir::Operation *op,
                       PendingVersion pending);
  void gather(unsigned role, unsigned number, BarrierSlot &slot);
  void completeIfDone(unsigned number, int64_t turn);
  std::string describe(unsigned role, const Wait &wait);
  bool missesBytes(const Wait &wait);
  Outcome endFull(unsigned number);
  Outcome endFree(unsigned number);

  AsyncSchedule &schedule;
  std::vector<std::vector<BarrierSlot>> slots;
  /// Where the phases of full barriers stand in clocks.
  llvm::SmallVector<size_t> phaseIndex;
  llvm::DenseMap<mlir::Value, std::vector<RingSlot>> rings;
  std::vector<RoleState> states;
  std::vector<Read> reads;
};

} // namespace tile

#endif // TILE_TRANSFORMS_ASYNCSTATE_H
