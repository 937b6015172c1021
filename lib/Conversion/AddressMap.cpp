//===- AddressMap.cpp - Layout algebra to addresses -----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AddressMap.h"
#include "tile/GPU/Bounds.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace tile;

ThreadBits tile::threadBits(const TileLayout &layout) {
  ThreadBits bits;
  for (const Coord &image : layout.atom().bases(LayoutIn::Lane))
    bits.push_back(image);
  bits.resize(kLaneBits, Coord(layout.rank(), 0));
  for (const Coord &image : layout.atom().bases(LayoutIn::Warp))
    bits.push_back(image);
  return bits;
}

KRounds::KRounds(int64_t sideK, int64_t widest)
    : side(sideK <= widest ? sideK : std::min(widest, sideK & -sideK)),
      rounds(sideK / side) {}

SmallVector<int64_t> KRounds::bits() const {
  SmallVector<int64_t> bits;
  for (int64_t round = 1; round < rounds; round *= 2)
    bits.push_back(round * side);
  return bits;
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

SharedAddresses::SharedAddresses(KernelLowering &kernel, gpu::BufferType type,
                                 Value buffer, Value cursor,
                                 const RuntimeBits &bits)
    : kernel(kernel), elementBytes(tile::elementBytes(type.getElementType())),
      layout(type.getLayout().getLayout()), inverse(*layout.rightInverse()) {
  CodeBuilder &code = kernel.code;
  Value ring = kernel.part(buffer);
  constantOffset = 0;
  if (std::optional<int64_t> known = CodeBuilder::getConstant(ring)) {
    constantOffset = *known;
    ring = code.constI32(0);
  }
  Value slot = kernel.part(cursor);
  if (std::optional<int64_t> known = CodeBuilder::getConstant(slot)) {
    constantOffset += *known * type.getSlotBytes();
    slotOffset = ring;
  } else {
    slotOffset =
        code.add(ring, code.mul(slot, code.constI32(type.getSlotBytes())));
  }
  setBits(bits);
}

SharedAddresses::SharedAddresses(KernelLowering &kernel, gpu::BufferType type,
                                 Value slotOffset, const RuntimeBits &bits)
    : kernel(kernel), elementBytes(tile::elementBytes(type.getElementType())),
      layout(type.getLayout().getLayout()), inverse(*layout.rightInverse()),
      slotOffset(slotOffset), constantOffset(0) {
  setBits(bits);
}

void SharedAddresses::setBits(const RuntimeBits &bits) {
  CodeBuilder &code = kernel.code;
  outsideRuntime = code.constI32(0);
  for (const Coord &image : bits.thread)
    insideImages.push_back(split(image).inside);
  addOutside(bits.thread,
             [&](ArrayRef<int64_t> bit) { return code.threadLinear(bit); });
  SmallVector<int64_t> roundImages;
  for (const Coord &image : bits.ofRound)
    roundImages.push_back(split(image).inside);
  for (int64_t image : llvm::concat<int64_t>(insideImages, roundImages))
    insideMask |= image;
  insideRound = code.constI32(0);
  if (!bits.round)
    return;
  insideRound = code.linearOf(bits.round, roundImages);
  addOutside(bits.ofRound, [&](ArrayRef<int64_t> bit) {
    return code.linearOf(bits.round, bit);
  });
}

/// Repetitions do not overlap bit by bit, so their bytes are summed up.
void SharedAddresses::addOutside(
    const ThreadBits &bits,
    llvm::function_ref<Value(ArrayRef<int64_t>)> linear) {
  CodeBuilder &code = kernel.code;
  for (auto [bit, image] : llvm::enumerate(bits)) {
    checkOutside(image, /*isRuntime=*/true);
    int64_t bytes = split(image).outside;
    if (bytes == 0)
      continue;
    SmallVector<int64_t> only(bits.size(), 0);
    only[bit] = 1;
    outsideRuntime =
        code.add(outsideRuntime, code.mul(linear(only), code.constI32(bytes)));
  }
}

SharedAddresses::Split SharedAddresses::split(ArrayRef<int64_t> coord) const {
  ArrayRef<int64_t> sides = layout.atom().sides();
  Coord low, high;
  for (auto [entry, side] : llvm::zip_equal(coord, sides)) {
    low.push_back(entry % side);
    high.push_back(entry - entry % side);
  }
  return {inverse.offset(low) * elementBytes,
          inverse.offset(high) * elementBytes};
}

void SharedAddresses::checkOutside(ArrayRef<int64_t> coord, bool isRuntime) {
  outsideMasks.resize(coord.size(), 0);
  for (auto [entry, side, mask] :
       llvm::zip_equal(coord, layout.atom().sides(), outsideMasks)) {
    int64_t high = entry - entry % side;
    exact &= (high & mask) == 0;
    if (isRuntime)
      mask |= high;
  }
}

Value SharedAddresses::at(ArrayRef<int64_t> constant) {
  CodeBuilder &code = kernel.code;
  checkOutside(constant, /*isRuntime=*/false);
  Split bytes = split(constant);
  int64_t overlap = bytes.inside & insideMask;
  Value &address = bases[overlap];
  if (!address) {
    Value inside =
        code.bitXor(code.threadLinear(insideImages, overlap), insideRound);
    Value offset = code.add(code.add(slotOffset, inside), outsideRuntime);
    address = code.gep(kernel.sharedMemory, code.builder.getI8Type(), offset);
  }
  return code.gepBytes(address, constantOffset + (bytes.inside ^ overlap) +
                                    bytes.outside);
}

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

GlobalAddresses::GlobalAddresses(KernelLowering &kernel, Operation *op,
                                 Value base, ValueRange origin,
                                 ValueRange bounds, ValueRange strides,
                                 const RuntimeBits &bits, Value live)
    : kernel(kernel), element(kernel.memoryType(
                          cast<PointerType>(base.getType()).getElementType())),
      base(kernel.part(base)), live(live) {
  auto loop = op->getParentOfType<LoopLikeOpInterface>();
  SmallVector<unsigned> changing;
  for (unsigned dim = 0; dim < origin.size(); ++dim) {
    this->origin.push_back(kernel.part(origin[dim]));
    this->bounds.push_back(kernel.part(bounds[dim]));
    this->strides.push_back(kernel.part(strides[dim]));
    SmallVector<int64_t> image;
    int64_t mask = 0;
    for (const Coord &bit : bits.thread)
      image.push_back(bit[dim]);
    SmallVector<int64_t> roundImage;
    for (const Coord &bit : bits.ofRound)
      roundImage.push_back(bit[dim]);
    for (int64_t bit : llvm::concat<int64_t>(image, roundImage))
      mask |= bit;
    images.push_back(image);
    masks.push_back(mask);
    roundCoords.push_back(bits.round
                              ? kernel.code.linearOf(bits.round, roundImage)
                              : kernel.code.constI32(0));
    bool changes = loop && !loop.isDefinedOutsideOfLoop(origin[dim]);
    (changes ? changing : invariantFirst).push_back(dim);
  }
  llvm::append_range(invariantFirst, changing);
}

void GlobalAddresses::separate() {
  // An empty statement that the base passes through: with side effects, so that
  // it is neither unified with another one nor hoisted.
  CodeBuilder &code = kernel.code;
  base = createAsm(code.builder, code.loc, base.getType(), base, /*text=*/"",
                   "=l,0")
             .getResult(0);
}

Value GlobalAddresses::shuffle(Value address) {
  CodeBuilder &code = kernel.code;
  auto words = VectorType::get(2, code.i32());
  Value bits =
      LLVM::PtrToIntOp::create(code.builder, code.loc, code.i64(), address);
  Value halves = code.bitcast(bits, words), result = code.poison(words);
  constexpr int64_t kLastLane = (1 << kLaneBits) - 1;
  Value lane = code.bitAnd(code.threadId(), code.constI32(kLastLane));
  for (int64_t half : {0, 1}) {
    Value shuffled = NVVM::ShflOp::create(
        code.builder, code.loc, code.i32(), code.constI32(-1),
        code.extract(halves, half), lane, code.constI32(kLastLane),
        NVVM::ShflKind::idx, UnitAttr());
    result = code.insert(result, shuffled, half);
  }
  return LLVM::IntToPtrOp::create(code.builder, code.loc, address.getType(),
                                  code.bitcast(result, code.i64()));
}

bool GlobalAddresses::isUnbounded(unsigned dim) const {
  std::optional<int64_t> bound = CodeBuilder::getConstant(bounds[dim]);
  unsigned bits = bounds[dim].getType().getIntOrFloatBitWidth();
  return bound && gpu::isNoBound(*bound, bits);
}

bool GlobalAddresses::isContiguous(unsigned dim) const {
  return CodeBuilder::getConstant(strides[dim]) == 1;
}

Value GlobalAddresses::runtimeCoord(unsigned dim, int64_t overlap) {
  return kernel.code.bitXor(kernel.code.threadLinear(images[dim], overlap),
                            roundCoords[dim]);
}

Value GlobalAddresses::leadingAddress(ArrayRef<int64_t> overlap) {
  CodeBuilder &code = kernel.code;
  Value &address = leading[overlap.vec()];
  if (address)
    return address;
  address = base;
  for (unsigned dim : invariantFirst) {
    Value index =
        code.add(code.castInt(origin[dim], code.i64()),
                 code.castInt(runtimeCoord(dim, overlap[dim]), code.i64()));
    address = code.gep(address, element, code.mul(index, strides[dim]));
  }
  if (isShuffled)
    address = shuffle(address);
  return address;
}

Value GlobalAddresses::at(ArrayRef<int64_t> constant) {
  CodeBuilder &code = kernel.code;
  SmallVector<int64_t> overlap;
  for (auto [dim, entry] : llvm::enumerate(constant))
    overlap.push_back(overlapOf(dim, entry));
  // Step on from the last address where that is possible, so that a row of
  // accesses takes one addition each and one step in registers.
  bool steps = lastAddress &&
               llvm::none_of(overlap, [](int64_t part) { return part != 0; });
  Value address = steps ? lastAddress : leadingAddress(overlap);
  int64_t elements = 0;
  for (unsigned dim = 0; dim < constant.size(); ++dim) {
    int64_t distance =
        constant[dim] - overlap[dim] - (steps ? lastConstant[dim] : 0);
    if (distance == 0)
      continue;
    if (std::optional<int64_t> stride =
            CodeBuilder::getConstant(strides[dim])) {
      elements += distance * *stride;
      continue;
    }
    Value &step = stepValues[{dim, distance}];
    if (!step)
      step = code.mul(strides[dim], code.constant(code.i64(), distance));
    address = code.gep(address, element, step);
  }
  address = code.gep(address, element, code.constant(code.i64(), elements));
  if (llvm::none_of(overlap, [](int64_t part) { return part != 0; })) {
    lastAddress = address;
    lastConstant.assign(constant.begin(), constant.end());
  }
  return address;
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

Value GlobalAddresses::remaining(unsigned dim, int64_t overlap) {
  CodeBuilder &code = kernel.code;
  Value &value = remainders[{dim, overlap}];
  if (!value) {
    Type type = bounds[dim].getType();
    Value first =
        code.add(origin[dim], code.castInt(runtimeCoord(dim, overlap), type));
    // Saturating, since a bound may be anything.
    value = LLVM::SSubSat::create(code.builder, code.loc, bounds[dim], first);
    unsigned bits = type.getIntOrFloatBitWidth();
    if (live)
      value = code.select(
          live, value,
          code.constant(type, APInt::getSignedMinValue(bits).getSExtValue()));
  }
  return value;
}

Value GlobalAddresses::isInside(unsigned dim, int64_t constant) {
  CodeBuilder &code = kernel.code;
  Value &value = validity[{dim, constant}];
  if (!value) {
    int64_t overlap = overlapOf(dim, constant);
    value =
        code.compare(LLVM::ICmpPredicate::sgt, remaining(dim, overlap),
                     code.constant(bounds[dim].getType(), constant - overlap));
  }
  return value;
}

Value GlobalAddresses::isValid(ArrayRef<int64_t> constant,
                               std::optional<unsigned> except) {
  Value all;
  for (auto [dim, entry] : llvm::enumerate(constant)) {
    if (dim == except || isUnbounded(dim))
      continue;
    Value inside = isInside(dim, entry);
    all = all ? kernel.code.bitAnd(all, inside) : inside;
  }
  if (all)
    return all;
  return live ? live : kernel.code.constI1(true);
}

Condition GlobalAddresses::condition(ArrayRef<int64_t> constant) {
  Condition result;
  for (auto [dim, entry] : llvm::enumerate(constant)) {
    if (isUnbounded(dim))
      continue;
    int64_t overlap = overlapOf(dim, entry);
    result.above.push_back({remaining(dim, overlap), entry - overlap});
  }
  if (result.above.empty())
    result.holds = live;
  return result;
}

Value GlobalAddresses::countValid(unsigned dim, int64_t constant,
                                  int64_t vector) {
  CodeBuilder &code = kernel.code;
  if (isUnbounded(dim))
    return code.constI32(vector);
  Value &value = counts[{dim, constant}];
  if (value)
    return value;
  Type type = bounds[dim].getType();
  int64_t overlap = overlapOf(dim, constant);
  Value left = remaining(dim, overlap);
  if (constant != overlap)
    left = LLVM::SSubSat::create(code.builder, code.loc, left,
                                 code.constant(type, constant - overlap));
  left = LLVM::SMinOp::create(code.builder, code.loc, left,
                              code.constant(type, vector));
  left = LLVM::SMaxOp::create(code.builder, code.loc, left,
                              code.constant(type, 0));
  return value = code.castInt(left, code.i32());
}
