//===- CopyRings.h - What cp.async and wgmma do to slots --------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rings of a kernel that its threads fill by copies, and the rules that
// copies, commits, waits and reads keep.
//
// A turn counts the steps of a cursor: turn t is in slot t mod slots.  A slot
// remembers which turn was copied into it last, and how many groups have been
// committed since, as long as the copy may be on its way.  What is not known is
// not refused: a slot is followed again from its next copy on.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TRANSFORMS_COPYRINGS_H
#define TILE_TRANSFORMS_COPYRINGS_H

#include "AsyncSchedule.h"

namespace tile {

/// A copy into a slot.
struct SlotFill {
  /// Null where nothing has been copied yet.
  mlir::Operation *op = nullptr;
  int64_t turn = -1;
  /// While it may be on its way: groups committed since, its own included.
  std::optional<int64_t> groupsSince = {};
  /// The last wait that may have left it on its way, and `groupsSince` there.
  mlir::Operation *wait = nullptr;
  int64_t groupsAtWait = 0;

  bool operator==(const SlotFill &other) const {
    return op == other.op && turn == other.turn &&
           groupsSince == other.groupsSince;
  }
};

/// One slot: what it holds is one of its fills, or unknown where there is none.
struct CopySlot {
  llvm::SmallVector<SlotFill, 2> fills = {SlotFill()};
  /// Whether a read may know more than its fills say: which way a loop or a
  /// branch went.  A turn is then no error, a copy on its way is.
  bool isOpen = false;
  /// Whether it may have been read since it was filled.
  bool isRead = false;
  /// Below more branches than these, a step may know which way earlier ones
  /// went.
  unsigned depth = 0;

  void forget() { fills.clear(); }
  bool operator==(const CopySlot &other) const {
    return fills == other.fills && isOpen == other.isOpen &&
           isRead == other.isRead && depth == other.depth;
  }
};

/// A product by wgmma that may be running.
struct RunningProduct {
  mlir::Operation *op;
  mlir::Value ring;
  int64_t turn;
  /// Groups of products started since, its own included.
  int64_t groupsSince;

  bool operator==(const RunningProduct &other) const {
    return op == other.op && ring == other.ring && turn == other.turn &&
           groupsSince == other.groupsSince;
  }
};

/// All rings at one place of a walk.
class CopyRings {
public:
  /// The ring is there, with nothing in it.
  void begin(gpu::AllocOp ring);
  /// The ring is gone; what is copied into it has landed.
  void end(gpu::AllocOp ring);
  /// Starts a copy, or copies where it is not `isAsync`; no turn where the
  /// cursor is not known.
  void fill(mlir::Operation *op, mlir::Value ring, std::optional<int64_t> turn,
            bool isAsync);
  void read(mlir::Operation *op, mlir::Value ring, std::optional<int64_t> turn);
  void startProduct(
      mlir::Operation *op,
      llvm::ArrayRef<std::pair<mlir::Value, std::optional<int64_t>>> operands);
  void commit();
  void wait(gpu::WaitOp op);
  void waitProducts(int64_t groups);
  /// Nothing is known of any ring.
  void forget();

  /// Any of the two may have happened: a loop ended here or there.
  void joinExit(const CopyRings &other);
  /// Either may have happened since `before`: a branch.
  void joinSide(const CopyRings &other, const CopyRings &before);

  bool operator==(const CopyRings &other) const;

  /// The first rule that was broken.
  std::optional<ScheduleFault> fault;
  /// Number of branches around the walk.
  unsigned depth = 0;

private:
  struct Ring {
    llvm::SmallVector<CopySlot, 4> slots;
  };

  void fail(mlir::Operation *op, const llvm::Twine &message,
            llvm::ArrayRef<ScheduleFault::Note> notes);
  std::string place(mlir::Value ring, int64_t turn);
  void failTurn(mlir::Operation *op, mlir::Value ring, int64_t turn,
                const SlotFill &fill);
  void failPending(mlir::Operation *op, const llvm::Twine &message,
                   const SlotFill &fill);
  /// Whether a step here can meet each of the slot's fills.
  bool isCertain(const CopySlot &slot) const;
  bool checkFill(mlir::Operation *op, mlir::Value ring, int64_t turn);
  Ring *find(mlir::Value ring);

  llvm::MapVector<mlir::Value, Ring> rings;
  llvm::SmallVector<RunningProduct> products;
  /// Number of copies so far.
  int64_t numFills = 0;
};

} // namespace tile

#endif // TILE_TRANSFORMS_COPYRINGS_H
