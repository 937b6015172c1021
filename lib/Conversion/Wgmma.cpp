//===- Wgmma.cpp - Matrix products of a warpgroup -------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// wgmma.mma_async (PTX ISA 9.7.15) on operands in shared memory, which 64-bit
// descriptors name; A may be in registers instead.  Instructions are inline
// assembly: their operands are the single registers of the accumulator, and
// NVVM's op, which has no A in registers, would become just that.
//
// Descriptor (PTX ISA 9.7.15.5.1.2), S being the bytes of the swizzle:
//   bits  0-13  address / 16
//   bits 16-29  leading offset / 16
//   bits 32-45  stride offset / 16
//   bits 62-63  swizzle: 1, 2, 3 for S = 128, 64, 32
// K-major: 8 rows of S bytes are a block; stride offset = 8 * S, the next 8
//   rows.  The leading offset is ignored.
// MN-major: 8 k's of S bytes are a block; stride offset = 8 * S, the next 8
//   k's; leading offset = k * S, the next S bytes along m or n.
// Only the low word depends on the slot, and k moves it by a constant.
//
//===----------------------------------------------------------------------===//

#include "WgmmaTiles.h"
#include "tile/Layout/Constructors.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tile;
using namespace tile::gpu;

/// k of one instruction, in bytes.
static constexpr int64_t kBytesOfK = 32;
/// Registers of A that an instruction takes from each thread.
static constexpr int64_t kWords = 4;
/// Addresses and offsets count 16 bytes; an address has 18 bits.
static constexpr int64_t kUnit = 16, kAddressMask = 0x3ffff;

namespace {

/// Makes the descriptors of one operand.
class Operand {
public:
  /// `mnDim` is the dimension of the buffer that is m or n; the other is k.
  Operand(KernelLowering &kernel, Value buffer, Value cursor, unsigned mnDim)
      : kernel(kernel), type(cast<BufferType>(buffer.getType())),
        buffer(buffer), cursor(cursor), mnDim(mnDim),
        bytes(elementBytes(type.getElementType())) {}

  /// Finds out how the operand lies in memory.  `groupImages` is how far each
  /// bit of the warpgroup's number moves along m or n.
  LogicalResult init(Operation *op, StringRef name,
                     ArrayRef<int64_t> groupImages);
  /// The descriptor of what starts at (mn, k), an i64.
  Value at(int64_t mn, int64_t k);
  /// Whether a part of the operand may start at `mn`.
  bool canStartAt(int64_t mn) const {
    return mn % (isMnMajor ? swizzle / bytes : 8) == 0;
  }

  bool isMnMajor = false;

private:
  int64_t offsetOf(int64_t mn, int64_t k) const {
    SmallVector<int64_t, 2> coord = {mn, k};
    if (mnDim == 1)
      std::swap(coord[0], coord[1]);
    return inverse->offset(coord) * bytes;
  }
  /// The low word in slot 0 at (0, 0): made once, where the group begins.
  Value baseWord(ArrayRef<int64_t> groupImages, int64_t ring);

  KernelLowering &kernel;
  BufferType type;
  Value buffer, cursor;
  unsigned mnDim;
  /// Bytes of an element and of the swizzle.
  int64_t bytes, swizzle = 0;
  std::optional<TileLayoutInverse> inverse;
  /// The low word of the slot's first descriptor, and the constant high one.
  Value low;
  int64_t high = 0;
};

} // namespace

/// Whether operands of these elements may lie contiguous along m or n.
static bool canBeMnMajor(Type element) {
  return element.isF16() || element.isBF16();
}

/// Swizzles by their code in the descriptor.
static int64_t swizzleCode(int64_t bytes) {
  return bytes == 128 ? 1 : bytes == 64 ? 2 : 3;
}

LogicalResult Operand::init(Operation *op, StringRef name,
                            ArrayRef<int64_t> groupImages) {
  ArrayRef<int64_t> shape = type.getShape();
  const TileLayout &layout = type.getLayout().getLayout();
  for (bool rowMajor : {true, false}) {
    int64_t contiguous = shape[rowMajor ? 1 : 0];
    llvm::Expected<TileLayout> want =
        sharedSwizzled(shape[0], shape[1], 8 * bytes, rowMajor);
    if (want && *want == layout) {
      swizzle = swizzleBytes(contiguous, 8 * bytes);
      isMnMajor = rowMajor == (mnDim == 1);
    }
    llvm::consumeError(want.takeError());
  }
  std::optional<int64_t> ring = CodeBuilder::getConstant(kernel.part(buffer));
  if (swizzle == 0 || !ring)
    return op->emitOpError()
           << "expected " << name
           << " to be swizzled by 32, 64 or 128 bytes, got " << type;
  if (isMnMajor && !canBeMnMajor(type.getElementType()))
    return op->emitOpError()
           << "expected " << name
           << " to be contiguous along k, which elements of "
           << type.getElementType() << " must be, got " << type;
  if ((*ring | type.getSlotBytes()) % (8 * swizzle) != 0)
    return op->emitOpError()
           << "expected slots of " << name << " at multiples of " << 8 * swizzle
           << " bytes, got slots of " << type.getSlotBytes()
           << " bytes at offset " << *ring;
  if (!llvm::all_of(groupImages,
                    [&](int64_t image) { return canStartAt(image); }))
    return op->emitOpError() << "expected warpgroups to start at whole "
                             << swizzle << "-byte columns of " << name;
  inverse = layout.rightInverse();
  high = (8 * swizzle / kUnit) << 32 | swizzleCode(swizzle) << 62;

  CodeBuilder &code = kernel.code;
  low = baseWord(groupImages, *ring);
  Value slot = kernel.part(cursor);
  int64_t slotUnits = type.getSlotBytes() / kUnit;
  if (std::optional<int64_t> known = CodeBuilder::getConstant(slot))
    low = code.add(low, code.constI32(*known * slotUnits));
  else
    low = code.add(low, code.mul(slot, code.constI32(slotUnits)));
  return success();
}

Value Operand::baseWord(ArrayRef<int64_t> groupImages, int64_t ring) {
  CodeBuilder &code = kernel.code;
  OpBuilder::InsertionGuard guard(code.builder);
  SmallVector<int64_t> groupBytes;
  for (int64_t image : groupImages)
    groupBytes.push_back(offsetOf(image, 0));
  Value group = code.warpgroupLinear(groupBytes);
  int64_t sideK = type.getShape()[1 - mnDim];
  int64_t leading = isMnMajor ? sideK * swizzle : kUnit;
  code.builder = code.groupBuilder();
  Value address = LLVM::PtrToIntOp::create(code.builder, code.loc, code.i32(),
                                           kernel.sharedMemory);
  address = code.add(code.add(address, code.constI32(ring)), group);
  address = code.bitAnd(address, code.constI32(kAddressMask));
  address = LLVM::LShrOp::create(code.builder, code.loc, address,
                                 code.constI32(llvm::Log2_64(kUnit)));
  return LLVM::OrOp::create(code.builder, code.loc, address,
                            code.constI32(leading / kUnit << 16),
                            /*isDisjoint=*/true);
}

Value Operand::at(int64_t mn, int64_t k) {
  CodeBuilder &code = kernel.code;
  Value word = code.add(low, code.constI32(offsetOf(mn, k) / kUnit));
  Value wide = LLVM::ZExtOp::create(code.builder, code.loc, code.i64(), word);
  return LLVM::OrOp::create(code.builder, code.loc, wide,
                            code.constant(code.i64(), high),
                            /*isDisjoint=*/true);
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// Appends `count` times `piece`, separated by commas.
static void repeat(std::string &text, StringRef piece, int64_t count) {
  for (int64_t index = 0; index < count; ++index)
    text += (index ? "," : "") + piece.str();
}

/// `{$first, ..., $last-1}`.
static std::string registerList(int64_t first, int64_t last) {
  std::string text = "{";
  for (int64_t index = first; index < last; ++index)
    text += (index > first ? ", $" : "$") + std::to_string(index);
  return text + "}";
}

/// A struct of these values, all of one type.
static Value packStruct(CodeBuilder &code, ArrayRef<Value> values) {
  Value packed = code.poison(LLVM::LLVMStructType::getLiteral(
      code.getContext(),
      SmallVector<Type>(values.size(), values.front().getType())));
  for (auto [index, value] : llvm::enumerate(values))
    packed = LLVM::InsertValueOp::create(code.builder, code.loc, packed, value,
                                         ArrayRef<int64_t>(index));
  return packed;
}

/// Inline assembly whose results are the registers of `type`; `inputs` are tied
/// to them where there are any, and `others` follow.
static Value registerAsm(CodeBuilder &code, Type type, Value inputs,
                         ValueRange others, StringRef othersConstraints,
                         const std::string &text) {
  ArrayRef<Type> registers = cast<LLVM::LLVMStructType>(type).getBody();
  int64_t count = registers.size();
  std::string constraints;
  repeat(constraints, registers.front().isInteger() ? "=r" : "=f", count);
  SmallVector<Value> operands;
  for (int64_t index = 0; inputs && index < count; ++index) {
    operands.push_back(code.extractValue(inputs, index));
    constraints += "," + std::to_string(index);
  }
  llvm::append_range(operands, others);
  constraints += othersConstraints;
  return createAsm(code.builder, code.loc, type, operands, text, constraints)
      .getResult(0);
}

/// `.f32.f16.f16`: the types of accumulator, A and B.
static std::string typeSuffix(Type element) {
  StringRef name = element.isF16()                  ? "f16"
                   : element.isBF16()               ? "bf16"
                   : element.isF32()                ? "tf32"
                   : element.isInteger()            ? "s8"
                   : isa<Float8E4M3FNType>(element) ? "e4m3"
                                                    : "e5m2";
  StringRef acc = element.isInteger() ? "s32" : "f32";
  return ("." + acc + "." + name + "." + name).str();
}

/// One instruction; without an accumulator the result is the product alone. `a`
/// is a descriptor or four registers, which cannot be transposed.
static Value multiply(CodeBuilder &code, Type type, Type element, ValueRange a,
                      Value b, Value acc, bool transposeA, bool transposeB) {
  int64_t count = cast<LLVM::LLVMStructType>(type).getBody().size();
  bool isSlot = a.size() == 1;
  // Tied inputs have numbers too.
  int64_t next = acc ? 2 * count : count;
  int64_t last = next + a.size();
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "{\n .reg .pred p;\n setp.ne.b32 p, " << (acc ? 1 : 0)
     << ", 0;\n wgmma.mma_async.sync.aligned.m64n" << 2 * count << "k"
     << kBytesOfK / elementBytes(element) << typeSuffix(element) << " "
     << registerList(0, count) << ", "
     << (isSlot ? "$" + std::to_string(next) : registerList(next, last))
     << ", $" << last << ", p";
  // Signs of A and B, and whether they are transposed.
  if (!element.isInteger())
    os << ", 1, 1";
  if (canBeMnMajor(element) && isSlot)
    os << ", " << transposeA;
  if (canBeMnMajor(element))
    os << ", " << transposeB;
  os << ";\n}";
  SmallVector<Value> others(a);
  others.push_back(b);
  return registerAsm(code, type, acc, others, isSlot ? ",l,l" : ",r,r,r,r,l",
                     text);
}

/// Registers that are the same from here on: what computes them stays before
/// this place, and what uses the result after it.
static Value holdRegisters(CodeBuilder &code, Value registers) {
  return registerAsm(code, registers.getType(), registers, {}, "", "");
}

//===----------------------------------------------------------------------===//
// A in registers
//===----------------------------------------------------------------------===//

namespace {

/// Operand A of each instruction: descriptors of a slot, or the registers of a
/// tensor.
class LeftOperand {
public:
  LeftOperand(KernelLowering &kernel, WgmmaOp op) : kernel(kernel), op(op) {}

  LogicalResult init(const WgmmaTiles &acc);
  /// What the instruction at row `m` of the accumulator and at `k` takes.
  SmallVector<Value> at(int64_t m, int64_t k);
  bool isMnMajor() const { return slot && slot->isMnMajor; }

private:
  LogicalResult initTensor();

  KernelLowering &kernel;
  WgmmaOp op;
  std::optional<Operand> slot;
  /// Pairs of neighbouring k's of each tile of rows, in the order of the
  /// instructions.
  llvm::DenseMap<int64_t, SmallVector<Value>> words;
};

} // namespace

LogicalResult LeftOperand::init(const WgmmaTiles &acc) {
  if (!op.getACursor())
    return initTensor();
  slot.emplace(kernel, op.getA(), op.getACursor(), /*mnDim=*/0);
  return slot->init(op, "a", acc.groupRows);
}

/// Thread t of a warp has, of 16 rows and 16 k's, in each of four registers two
/// neighbouring k's (PTX ISA 9.7.15.5.1.1, matrix A): row t / 4, k 2 * (t % 4);
/// 8 rows on; 8 k's on; both.  That is the order of an accumulator's registers,
/// two by two.
LogicalResult LeftOperand::initTensor() {
  auto type = cast<RankedTensorType>(op.getA().getType());
  if (elementBytes(type.getElementType()) != 2)
    return op.emitOpError() << "expected a slot for a, or a tensor of f16 or "
                               "bf16, got "
                            << type;
  FailureOr<WgmmaTiles> tiles = WgmmaTiles::of(op, type);
  if (failed(tiles) || failed(kernel.partTypes(op, type)))
    return failure();
  CodeBuilder &code = kernel.code;
  SmallVector<Value> registers = kernel.unpack(op.getA());
  SmallVector<Value> pairs;
  for (const WgmmaTiles::Tile &tile : tiles->tiles)
    for (size_t at = 0; at < tile.registers.size(); at += 2) {
      int64_t low = tile.registers[at], high = tile.registers[at + 1];
      Value pair = high == low + 1
                       ? kernel.registers(op.getA(), low, 2)
                       : packVector(code, {registers[low], registers[high]});
      pairs.push_back(code.bitcast(pair, code.i32()));
    }
  // All of them before the fence, which orders no write behind it.
  Value held = holdRegisters(code, packStruct(code, pairs));
  size_t next = 0;
  for (const WgmmaTiles::Tile &tile : tiles->tiles)
    for (size_t at = 0; at < tile.registers.size(); at += 2)
      words[tile.origin[0]].push_back(code.extractValue(held, next++));
  return success();
}

SmallVector<Value> LeftOperand::at(int64_t m, int64_t k) {
  if (slot)
    return {slot->at(m, k)};
  return SmallVector<Value>(
      ArrayRef(words.find(m)->second)
          .slice(k / op.getPlan().getK() * kWords, kWords));
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Starts the product and closes it as one group.  `acc` has one value for each
/// tile, or none for zero.
static FailureOr<SmallVector<Value>> startProduct(KernelLowering &kernel,
                                                  WgmmaOp op,
                                                  const WgmmaTiles &tiles,
                                                  SmallVector<Value> acc) {
  RankedTensorType type = op.getType().getTensor();
  // That the group has the layout's warps, partTypes checks.
  if (failed(kernel.partTypes(op, type)))
    return failure();
  if (int64_t n = op.getPlan().getN(); n != tiles.n)
    return op->emitOpError() << "expected an instruction of n = " << tiles.n
                             << ", the columns of a warpgroup, got " << n;
  LeftOperand a(kernel, op);
  Operand b(kernel, op.getB(), op.getBCursor(), /*mnDim=*/1);
  if (failed(a.init(tiles)) || failed(b.init(op, "b", tiles.groupColumns)))
    return failure();
  CodeBuilder &code = kernel.code;
  BufferType buffer = op.getB().getType();
  Type part = tiles.structType(type.getElementType());
  acc.resize(tiles.tiles.size());
  NVVM::WgmmaFenceAlignedOp::create(code.builder, code.loc);
  for (int64_t k = 0; k < buffer.getShape()[0]; k += op.getPlan().getK())
    for (auto [index, tile] : llvm::enumerate(tiles.tiles))
      acc[index] = multiply(code, part, buffer.getElementType(),
                            a.at(tile.origin[0], k), b.at(tile.origin[1], k),
                            acc[index], a.isMnMajor(), b.isMnMajor);
  NVVM::WgmmaGroupSyncAlignedOp::create(code.builder, code.loc);
  return acc;
}

/// Registers of a tensor as the instructions take them.
static SmallVector<Value> toStructs(KernelLowering &kernel,
                                    const WgmmaTiles &tiles, Value tensor) {
  CodeBuilder &code = kernel.code;
  SmallVector<Value> registers = kernel.unpack(tensor), structs;
  for (const WgmmaTiles::Tile &tile : tiles.tiles) {
    SmallVector<Value> ordered;
    for (int64_t reg : tile.registers)
      ordered.push_back(registers[reg]);
    structs.push_back(holdRegisters(code, packStruct(code, ordered)));
  }
  return structs;
}

/// Waits for all groups, and sets a tensor from what they have computed.
static LogicalResult finish(KernelLowering &kernel, Operation *op, Value tensor,
                            ArrayRef<Value> structs) {
  CodeBuilder &code = kernel.code;
  FailureOr<WgmmaTiles> tiles =
      WgmmaTiles::of(op, cast<RankedTensorType>(tensor.getType()));
  if (failed(tiles))
    return failure();
  NVVM::WgmmaWaitGroupSyncOp::create(code.builder, code.loc, 0);
  SmallVector<Value> registers(tiles->n / 2 * tiles->tiles.size());
  for (auto [tile, part] : llvm::zip_equal(tiles->tiles, structs)) {
    // Ties the registers to a place after the wait: they are written behind the
    // compilers' backs until then.
    Value done = holdRegisters(code, part);
    for (auto [index, reg] : llvm::enumerate(tile.registers))
      registers[reg] = code.extractValue(done, index);
  }
  kernel.setRegisters(tensor, registers);
  return success();
}

LogicalResult tile::lower(KernelLowering &kernel, WgmmaOp op) {
  FailureOr<WgmmaTiles> tiles = WgmmaTiles::of(op, op.getType().getTensor());
  if (failed(tiles))
    return failure();
  SmallVector<Value> acc;
  if (isa<PendingType>(op.getAcc().getType()))
    acc = SmallVector<Value>(kernel.parts(op.getAcc()));
  else if (!matchPattern(op.getAcc(), m_AnyZeroFloat()) &&
           !matchPattern(op.getAcc(), m_Zero()))
    acc = toStructs(kernel, *tiles, op.getAcc());
  FailureOr<SmallVector<Value>> sums =
      startProduct(kernel, op, *tiles, std::move(acc));
  if (failed(sums))
    return failure();
  kernel.setParts(op, *sums);
  return success();
}

LogicalResult tile::lower(KernelLowering &kernel, WgmmaWaitOp op) {
  NVVM::WgmmaWaitGroupSyncOp::create(kernel.code.builder, op.getLoc(),
                                     op.getGroups());
  return success();
}

LogicalResult tile::lower(KernelLowering &kernel, WgmmaFinishOp op) {
  return finish(kernel, op, op.getResult(),
                SmallVector<Value>(kernel.parts(op.getPending())));
}
