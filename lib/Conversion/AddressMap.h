//===- AddressMap.h - Layout algebra to addresses ---------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An access is described by a part of the coordinate that depends on the thread
// and a part that is known here, and the coordinate is the XOR of both:
//
//   coordinate[d] = thread[d] ^ constant[d]
//
// That is what a layout is: the thread part is linear in the bits of the thread
// id, the constant part belongs to a register.  Where registers are too many to
// be written out, some of their bits are those of a loop's round and join the
// thread's.  Both classes below turn it into
// few instructions: what depends on the thread once in the entry block, what is
// constant as far as possible into the offset of the instruction.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_CONVERSION_ADDRESSMAP_H
#define TILE_CONVERSION_ADDRESSMAP_H

#include "KernelLowering.h"

namespace tile {

/// The coordinate that each bit of the thread id contributes: five bits of the
/// lane, then the bits of the warp.
using ThreadBits = llvm::SmallVector<Coord>;

/// Those of a distributed layout.  Bits that it lacks contribute nothing.
ThreadBits threadBits(const TileLayout &layout);

/// What an access depends on at run time: the thread, and possibly the round of
/// a loop, whose bits contribute to the coordinate in the same way.
struct RuntimeBits {
  RuntimeBits(ThreadBits thread) : thread(std::move(thread)) {}
  RuntimeBits(ThreadBits thread, mlir::Value round, ThreadBits ofRound)
      : thread(std::move(thread)), round(round), ofRound(std::move(ofRound)) {}

  ThreadBits thread;
  /// An i32, or null.
  mlir::Value round;
  ThreadBits ofRound;
};

/// How the k side of a matrix product is walked: `rounds` rounds of a loop,
/// each with `side` k's written out.
struct KRounds {
  int64_t side, rounds;

  /// At most `widest` k's a round, where that divides `sideK` in any way.
  KRounds(int64_t sideK, int64_t widest);
  /// The k that each bit of the round contributes.
  llvm::SmallVector<int64_t> bits() const;
};

/// Where a thread's elements of one slot lie in shared memory.
class SharedAddresses {
public:
  /// Prepares accesses to a slot.
  SharedAddresses(KernelLowering &kernel, gpu::BufferType type,
                  mlir::Value buffer, mlir::Value cursor,
                  const RuntimeBits &bits);
  /// The same for a slot that starts at a byte of shared memory.
  SharedAddresses(KernelLowering &kernel, gpu::BufferType type,
                  mlir::Value slotOffset, const RuntimeBits &bits);

  /// The address of the element at thread ^ `constant`.
  mlir::Value at(llvm::ArrayRef<int64_t> constant);

  /// Whether all addresses so far are right: in a dimension that the buffer's
  /// layout repeats, where bytes are added up, no two parts of a coordinate may
  /// have a bit in common.
  bool isExact() const { return exact; }

private:
  /// Takes note of a part of the coordinate that is outside the atom, and of
  /// whether it overlaps the run-time parts.
  void checkOutside(llvm::ArrayRef<int64_t> coord, bool isRuntime);
  /// Bytes that a coordinate adds: inside the atom by XOR, outside by +.
  struct Split {
    int64_t inside;
    int64_t outside;
  };
  Split split(llvm::ArrayRef<int64_t> coord) const;
  void setBits(const RuntimeBits &bits);
  void
  addOutside(const ThreadBits &bits,
             llvm::function_ref<mlir::Value(llvm::ArrayRef<int64_t>)> linear);

  KernelLowering &kernel;
  int64_t elementBytes;
  TileLayout layout;
  TileLayoutInverse inverse;
  /// Offset of the slot, without what is constant, and the constant.
  mlir::Value slotOffset;
  int64_t constantOffset;
  /// Bytes inside the atom, for each bit of the thread id, and the bits that
  /// they or the round may set.
  llvm::SmallVector<int64_t> insideImages;
  int64_t insideMask = 0;
  /// Bytes inside the atom that the round chooses.
  mlir::Value insideRound;
  /// Bytes of the repetitions that thread and round choose.
  mlir::Value outsideRuntime;
  /// Bits outside the atom that the run-time parts may set, by dimension.
  llvm::SmallVector<int64_t> outsideMasks;
  bool exact = true;
  /// Addresses by the constant that is XORed to the thread's part.
  llvm::DenseMap<int64_t, mlir::Value> bases;
};

/// When an access touches memory.  The comparisons are left to the access's
/// own instructions: a predicate for each element of a tile would fill the
/// registers from the first access of it to the last.
struct Condition {
  /// Integers that must be greater than a constant.
  llvm::SmallVector<std::pair<mlir::Value, int64_t>, 2> above;
  /// An i1 that must hold, or null.
  mlir::Value holds;
  /// Whether the complements of integer and constant are compared.  ptxas keeps
  /// the result of a comparison for an equal one: from the loads of a tile to
  /// its stores, a register for each access, beside the tile's own.
  bool ofComplements = false;

  /// Whether it is known to hold.
  bool isAlways() const {
    return above.empty() && (!holds || CodeBuilder::getConstant(holds) == 1);
  }
};

/// One block of global memory, as an op of tile_gpu names it, and where a
/// thread's elements lie in it.
class GlobalAddresses {
public:
  /// Where `live`, an i1, is not null and false, nothing is valid.
  template <typename OpT>
  GlobalAddresses(KernelLowering &kernel, OpT op, const RuntimeBits &bits,
                  mlir::Value live = {})
      : GlobalAddresses(kernel, op.getOperation(), op.getBase(), op.getOrigin(),
                        op.getBounds(), op.getStrides(), bits, live) {}

  /// Has LLVM take what follows for addresses of their own, equal to none of
  /// another access and no earlier than here: it would hold them from there to
  /// here.
  void separate();
  /// The same for the assembler too, which unifies them in one block; takes a
  /// shuffle, for which the whole warp has to be here.
  void separateInBlock() { isShuffled = true; }
  /// The address of the element at thread ^ `constant`.
  mlir::Value at(llvm::ArrayRef<int64_t> constant);
  /// Whether all coordinates of that element are inside their bounds, but for
  /// `except`, and the access is live.
  mlir::Value isValid(llvm::ArrayRef<int64_t> constant,
                      std::optional<unsigned> except = std::nullopt);
  /// The same as a condition.
  Condition condition(llvm::ArrayRef<int64_t> constant);
  /// How many elements of [constant, constant + vector) are inside the bound of
  /// `dim`, from 0 to vector; a dimension without bound ignores `live`.
  mlir::Value countValid(unsigned dim, int64_t constant, int64_t vector);
  /// Whether the bound of a dimension bounds nothing.
  bool isUnbounded(unsigned dim) const;
  /// Whether neighbours along a dimension are neighbours in memory.
  bool isContiguous(unsigned dim) const;

private:
  GlobalAddresses(KernelLowering &kernel, mlir::Operation *op, mlir::Value base,
                  mlir::ValueRange origin, mlir::ValueRange bounds,
                  mlir::ValueRange strides, const RuntimeBits &bits,
                  mlir::Value live);

  /// Whether coordinate `dim` is inside its bound.
  mlir::Value isInside(unsigned dim, int64_t constant);
  /// The run-time part of a coordinate XOR `overlap`, an i32.
  mlir::Value runtimeCoord(unsigned dim, int64_t overlap);
  /// Bound minus the first index: an element whose constant part, without
  /// `overlap`, is less is inside.  `live` is part of it, so that the many
  /// comparisons with it are made where they are needed: hoisted out of the
  /// loop they would fill the few predicate registers.
  mlir::Value remaining(unsigned dim, int64_t overlap);
  mlir::Value leadingAddress(llvm::ArrayRef<int64_t> overlap);
  /// The lane's own address, as a shuffle returns it.
  mlir::Value shuffle(mlir::Value address);
  int64_t overlapOf(unsigned dim, int64_t constant) const {
    return constant & masks[dim];
  }

  KernelLowering &kernel;
  mlir::Type element;
  mlir::Value base, live;
  /// Whether leading addresses are shuffled.
  bool isShuffled = false;
  llvm::SmallVector<mlir::Value> origin, bounds, strides;
  /// Dimensions, those whose origin does not change in the innermost loop
  /// first.
  llvm::SmallVector<unsigned> invariantFirst;
  /// Coordinate bits that the thread contributes, for each dimension.
  llvm::SmallVector<llvm::SmallVector<int64_t>> images;
  /// Coordinates that the round contributes.
  llvm::SmallVector<mlir::Value> roundCoords;
  /// Bits that thread or round may set.
  llvm::SmallVector<int64_t> masks;

  std::map<std::vector<int64_t>, mlir::Value> leading;
  std::map<std::pair<unsigned, int64_t>, mlir::Value> remainders, stepValues;
  std::map<std::pair<unsigned, int64_t>, mlir::Value> validity, counts;
  /// The address that was asked for last, to step on from.
  llvm::SmallVector<int64_t> lastConstant;
  mlir::Value lastAddress;
};

} // namespace tile

#endif // TILE_CONVERSION_ADDRESSMAP_H
