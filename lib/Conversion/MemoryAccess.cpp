//===- MemoryAccess.cpp - Single accesses to memory -----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A masked access is one predicated PTX instruction, written as inline
// assembly.  A branch for each would make hundreds of blocks, and a load from a
// safe address instead has no address to take.  ptxas schedules the instruction
// like any other.
//
//===----------------------------------------------------------------------===//

#include "MemoryAccess.h"

using namespace mlir;
using namespace tile;

Value tile::toMemory(KernelLowering &kernel, Value value, Type element) {
  Type type = value.getType();
  Type from = getElementTypeOrSelf(type);
  if (from == element)
    return value;
  Type to = element;
  if (auto vector = dyn_cast<VectorType>(type))
    to = VectorType::get(vector.getShape(), element);
  return LLVM::ZExtOp::create(kernel.code.builder, kernel.code.loc, to, value);
}

Value tile::fromMemory(KernelLowering &kernel, Value value, Type element) {
  Type type = value.getType();
  if (getElementTypeOrSelf(type) == element)
    return value;
  Type to = element;
  if (auto vector = dyn_cast<VectorType>(type))
    to = VectorType::get(vector.getShape(), element);
  return LLVM::TruncOp::create(kernel.code.builder, kernel.code.loc, to, value);
}

/// Bytes of a scalar or vector.
static int64_t bytesOf(Type type) {
  int64_t count = 1;
  if (auto vector = dyn_cast<VectorType>(type))
    count = vector.getNumElements();
  return count * getElementTypeOrSelf(type).getIntOrFloatBitWidth() / 8;
}

namespace {

/// How an access of some bytes is written in PTX.
struct PtxWords {
  /// Registers, each of type `word`.
  int64_t count;
  Type word;
  /// Type suffix of ld and st, with the vector's.
  std::string access;
  /// Type suffix of mov.
  StringRef move;
  StringRef constraint;

  PtxWords(CodeBuilder &code, int64_t bytes) {
    count = std::max<int64_t>(bytes / 4, 1);
    bool narrow = bytes < 4;
    word = narrow ? Type(code.builder.getIntegerType(16)) : code.i32();
    access = count == 1 ? "" : count == 2 ? ".v2" : ".v4";
    access += bytes == 1 ? ".u8" : narrow ? ".b16" : ".b32";
    move = narrow ? "b16" : "b32";
    constraint = narrow ? "h" : "r";
  }

  /// `$first` or `{$first, ...}`.
  std::string operands(int64_t first) const {
    std::string text = count == 1 ? "" : "{";
    for (int64_t index = 0; index < count; ++index)
      text += (index ? ", $" : "$") + std::to_string(first + index);
    return text + (count == 1 ? "" : "}");
  }
};

} // namespace

/// A value as the words that PTX moves.
static SmallVector<Value> toWords(CodeBuilder &code, Value value,
                                  const PtxWords &words) {
  if (bytesOf(value.getType()) == 1) {
    Value byte = code.bitcast(value, code.builder.getI8Type());
    return {LLVM::ZExtOp::create(code.builder, code.loc, words.word, byte)};
  }
  if (words.count == 1)
    return {code.bitcast(value, words.word)};
  Value vector = code.bitcast(value, VectorType::get(words.count, words.word));
  SmallVector<Value> result;
  for (int64_t index = 0; index < words.count; ++index)
    result.push_back(code.extract(vector, index));
  return result;
}

static Value fromWords(CodeBuilder &code, ArrayRef<Value> values, Type type) {
  if (bytesOf(type) == 1) {
    Value byte = LLVM::TruncOp::create(code.builder, code.loc,
                                       code.builder.getI8Type(), values[0]);
    return code.bitcast(byte, type);
  }
  if (values.size() == 1)
    return code.bitcast(values[0], type);
  Value vector =
      code.poison(VectorType::get(values.size(), values[0].getType()));
  for (auto [position, word] : llvm::enumerate(values))
    vector = code.insert(vector, word, position);
  return code.bitcast(vector, type);
}

namespace {

/// One predicated PTX instruction in the making.
struct PredicatedAccess {
  explicit PredicatedAccess(CodeBuilder &code) : code(code) {}

  CodeBuilder &code;
  SmallVector<Value> operands;
  /// Constraints of results, then of operands.
  std::string constraints;
  int64_t numResults = 0;

  void addResult(StringRef constraint) {
    constraints += ("=&" + constraint + ",").str();
    ++numResults;
  }
  /// Adds an operand; returns its name in the text.
  std::string addOperand(StringRef constraint, Value value) {
    constraints += (constraint + ",").str();
    operands.push_back(value);
    return "$" + std::to_string(numResults + int64_t(operands.size()) - 1);
  }
  std::string setPredicate(const Condition &condition);
  LLVM::InlineAsmOp create(TypeRange results, StringRef text);
};

} // namespace

/// Text that sets p to the condition.
std::string PredicatedAccess::setPredicate(const Condition &condition) {
  std::string text = " .reg .pred p;\n";
  bool isFirst = true;
  auto set = [&](StringRef comparison, StringRef type, StringRef constraint,
                 Value value, int64_t bound) {
    text += (" setp." + comparison + (isFirst ? "" : ".and") + "." + type +
             " p, " + addOperand(constraint, value) + ", ")
                .str() +
            std::to_string(bound) + (isFirst ? ";\n" : ", p;\n");
    isFirst = false;
  };
  for (auto [value, bound] : condition.above) {
    bool isWide = value.getType().getIntOrFloatBitWidth() > 32;
    value = code.castInt(value, isWide ? code.i64() : code.i32());
    if (condition.ofComplements)
      value = code.bitXor(value, code.constant(value.getType(), -1));
    set(condition.ofComplements ? "lt" : "gt", isWide ? "s64" : "s32",
        isWide ? "l" : "r", value, condition.ofComplements ? ~bound : bound);
  }
  if (condition.holds && CodeBuilder::getConstant(condition.holds) != 1) {
    Type half = code.builder.getIntegerType(16);
    Value flag =
        LLVM::ZExtOp::create(code.builder, code.loc, half, condition.holds);
    set("ne", "b16", "h", flag, 0);
  }
  return text;
}

LLVM::InlineAsmOp PredicatedAccess::create(TypeRange results, StringRef text) {
  return createAsm(code.builder, code.loc, results, operands, text,
                   StringRef(constraints).drop_back());
}

Value tile::loadGlobal(KernelLowering &kernel, Value address,
                       const Condition &valid, Type element, int64_t count,
                       Value other) {
  CodeBuilder &code = kernel.code;
  Type type = KernelLowering::vectorOf(element, count);
  int64_t bytes = bytesOf(type);
  if (valid.isAlways())
    return LLVM::LoadOp::create(code.builder, code.loc, type, address, bytes);

  PtxWords words(code, bytes);
  SmallVector<Value> fill;
  if (other) {
    SmallVector<Value> copies(count, other);
    fill = toWords(code, concatenate(kernel, copies), words);
  }
  PredicatedAccess access(code);
  for (int64_t index = 0; index < words.count; ++index)
    access.addResult(words.constraint);
  std::string from = access.addOperand("l", address);
  std::string text = "{\n" + access.setPredicate(valid);
  for (int64_t index = 0; index < words.count; ++index) {
    std::string source =
        other ? access.addOperand(words.constraint, fill[index]) : "0";
    text += (" mov." + words.move + " $").str() + std::to_string(index) + ", " +
            source + ";\n";
  }
  text += " @p ld.global" + words.access + " " + words.operands(0) + ", [" +
          from + "];\n}";

  Type result = words.word;
  if (words.count > 1)
    result = LLVM::LLVMStructType::getLiteral(
        code.getContext(), SmallVector<Type>(words.count, words.word));
  Value loaded = access.create(result, text).getResult(0);
  SmallVector<Value> values = {loaded};
  if (words.count > 1) {
    values.clear();
    for (int64_t index = 0; index < words.count; ++index)
      values.push_back(code.extractValue(loaded, index));
  }
  return fromWords(code, values, type);
}

void tile::storeGlobal(KernelLowering &kernel, Value value, Value address,
                       const Condition &valid) {
  CodeBuilder &code = kernel.code;
  int64_t bytes = bytesOf(value.getType());
  if (valid.isAlways()) {
    LLVM::StoreOp::create(code.builder, code.loc, value, address, bytes);
    return;
  }
  PtxWords words(code, bytes);
  PredicatedAccess access(code);
  std::string to = access.addOperand("l", address);
  for (Value word : toWords(code, value, words))
    access.addOperand(words.constraint, word);
  std::string text = "{\n" + access.setPredicate(valid);
  text += " @p st.global" + words.access + " [" + to + "], " +
          words.operands(1) + ";\n}";
  access.create(TypeRange(), text);
}

Value tile::loadShared(KernelLowering &kernel, Value address, Type element,
                       int64_t count) {
  Type type = KernelLowering::vectorOf(element, count);
  return LLVM::LoadOp::create(kernel.code.builder, kernel.code.loc, type,
                              address, bytesOf(type));
}

void tile::storeShared(KernelLowering &kernel, Value value, Value address) {
  LLVM::StoreOp::create(kernel.code.builder, kernel.code.loc, value, address,
                        bytesOf(value.getType()));
}

Value tile::concatenate(KernelLowering &kernel, ArrayRef<Value> pieces) {
  CodeBuilder &code = kernel.code;
  if (pieces.size() == 1)
    return pieces.front();
  Type element = getElementTypeOrSelf(pieces.front().getType());
  auto vector = dyn_cast<VectorType>(pieces.front().getType());
  int64_t width = vector ? vector.getNumElements() : 1;
  Value result = code.poison(VectorType::get(width * pieces.size(), element));
  for (auto [index, piece] : llvm::enumerate(pieces))
    for (int64_t position = 0; position < width; ++position) {
      Value value = vector ? code.extract(piece, position) : piece;
      result = code.insert(result, value, index * width + position);
    }
  return result;
}
