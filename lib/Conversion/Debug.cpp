//===- Debug.cpp - print and assert ---------------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both call what the driver links into every module: vprintf, whose text comes
// out when the launch has ended, and __assertfail, which prints where and ends
// the launch with an error (CUDA C++ Programming Guide, "Formatted Output" and
// "Assertion").  Of threads that hold the same element, one speaks.
//
//===----------------------------------------------------------------------===//

#include "MemoryAccess.h"
#include "tile/Layout/Queries.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tile;

namespace {

/// The functions that the driver links, and texts for them.
class DeviceLibrary {
public:
  explicit DeviceLibrary(KernelLowering &kernel)
      : code(kernel.code),
        module(kernel.getFunction()->getParentOfType<ModuleOp>()) {}

  /// A generic pointer to a text.
  Value text(StringRef text);
  void call(StringRef name, Type result, ValueRange operands);

private:
  CodeBuilder &code;
  ModuleOp module;
};

} // namespace

Value DeviceLibrary::text(StringRef text) {
  std::string bytes = text.str() + '\0';
  auto type = LLVM::LLVMArrayType::get(code.builder.getI8Type(), bytes.size());
  Value address = code.constantData(type, code.builder.getStringAttr(bytes));
  return LLVM::AddrSpaceCastOp::create(code.builder, code.loc, code.pointer(0),
                                       address);
}

void DeviceLibrary::call(StringRef name, Type result, ValueRange operands) {
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function) {
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    function = LLVM::LLVMFuncOp::create(
        builder, module.getLoc(), name,
        LLVM::LLVMFunctionType::get(result,
                                    SmallVector<Type>(operands.getTypes())));
  }
  LLVM::CallOp::create(code.builder, code.loc, function, operands);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Whether this thread is the one that speaks for its elements of a value.
static Value isSpeaker(KernelLowering &kernel, Value value) {
  if (LayoutAttr layout = layoutOf(value.getType()))
    return isOwner(kernel.code, layout.getLayout());
  return kernel.role.isOneThread ? kernel.code.constI1(true)
                                 : kernel.isRoleLeader();
}

/// Calls `visit` with each register of a value that is no copy of another one,
/// and the coordinate of its element.
static void
forEachElement(KernelLowering &kernel, Value value,
               function_ref<void(Value element, ArrayRef<Value> coord)> visit) {
  CodeBuilder &code = kernel.code;
  SmallVector<Value> registers = kernel.unpack(value);
  LayoutAttr attr = layoutOf(value.getType());
  if (!attr)
    return visit(registers.front(), {});
  TileLayout layout = attr.getLayout();
  uint64_t redundant = ownerMask(layout).reg;
  ThreadBits thread = threadBits(layout);
  for (auto [reg, element] : llvm::enumerate(registers)) {
    if (reg & redundant)
      continue;
    SmallVector<Value> coord;
    for (auto [dim, constant] : llvm::enumerate(layout.apply(reg, 0, 0))) {
      SmallVector<int64_t> images;
      for (const Coord &bit : thread)
        images.push_back(bit[dim]);
      coord.push_back(code.threadLinear(images, constant));
    }
    visit(element, coord);
  }
}

//===----------------------------------------------------------------------===//
// print
//===----------------------------------------------------------------------===//

/// An element as printf takes it.
static Value toVariadic(CodeBuilder &code, Value value, bool isByteFloat) {
  Type type = value.getType(), f64 = code.builder.getF64Type();
  if (isa<FloatType>(type))
    return type == f64
               ? value
               : LLVM::FPExtOp::create(code.builder, code.loc, f64, value);
  if (type.isInteger(64))
    return value;
  if (type.isInteger(1) || isByteFloat)
    return LLVM::ZExtOp::create(code.builder, code.loc, code.i64(), value);
  return LLVM::SExtOp::create(code.builder, code.loc, code.i64(), value);
}

/// How printf writes an element: floats with as many digits as tell neighbours
/// apart, 8-bit floats as their bits.
static StringRef formatOf(Type element) {
  if (!isa<FloatType>(element))
    return "%lld";
  unsigned width = element.getIntOrFloatBitWidth();
  return width == 8 ? "0x%02llx" : width == 64 ? "%.17g" : "%.9g";
}

/// The numbers of a call of vprintf, eight bytes each but for the coordinates.
static Value packVariadic(KernelLowering &kernel, ArrayRef<Value> numbers) {
  CodeBuilder &code = kernel.code;
  SmallVector<Type> types;
  for (Value number : numbers)
    types.push_back(number.getType());
  auto type = LLVM::LLVMStructType::getLiteral(code.getContext(), types);
  OpBuilder entry = code.entryBuilder();
  Value one = code.constI32(1);
  Value buffer =
      LLVM::AllocaOp::create(entry, code.loc, code.pointer(0), type, one);
  for (auto [index, number] : llvm::enumerate(numbers)) {
    Value place =
        LLVM::GEPOp::create(code.builder, code.loc, code.pointer(0), type,
                            buffer, ArrayRef<LLVM::GEPArg>{0, int32_t(index)});
    LLVM::StoreOp::create(code.builder, code.loc, number, place);
  }
  return buffer;
}

/// `text` as printf prints it unchanged.
static std::string escapePercent(StringRef text) {
  std::string escaped;
  for (char character : text)
    escaped += character == '%' ? "%%" : std::string(1, character);
  return escaped;
}

static void printElement(KernelLowering &kernel, StringRef label, Type type,
                         Value element, ArrayRef<Value> coord) {
  CodeBuilder &code = kernel.code;
  std::string format = "program (%d, %d, %d): " + escapePercent(label);
  SmallVector<Value> numbers = {
      NVVM::BlockIdXOp::create(code.builder, code.loc, code.i32()),
      NVVM::BlockIdYOp::create(code.builder, code.loc, code.i32()),
      NVVM::BlockIdZOp::create(code.builder, code.loc, code.i32())};
  for (auto [dim, entry] : llvm::enumerate(coord)) {
    format += dim == 0 ? "[%d" : ", %d";
    numbers.push_back(entry);
  }
  format += coord.empty() ? " " : "] ";
  if (element) {
    format += formatOf(type);
    bool isByteFloat =
        isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8;
    numbers.push_back(toVariadic(code, element, isByteFloat));
  }
  DeviceLibrary library(kernel);
  Value text = library.text(format + "\n");
  library.call("vprintf", code.i32(), {text, packVariadic(kernel, numbers)});
}

LogicalResult tile::lower(KernelLowering &kernel, PrintOp op) {
  CodeBuilder &code = kernel.code;
  if (op.getValues().empty())
    kernel.whenRoleLeader(
        [&] { printElement(kernel, op.getLabel(), Type(), Value(), {}); });
  for (Value value : op.getValues()) {
    Type element = getElementTypeOrSelf(value);
    code.when(isSpeaker(kernel, value), [&] {
      forEachElement(kernel, value, [&](Value part, ArrayRef<Value> coord) {
        printElement(kernel, op.getLabel(), element, part, coord);
      });
    });
  }
  return success();
}

//===----------------------------------------------------------------------===//
// assert
//===----------------------------------------------------------------------===//

/// The file and line that a location stands for.
static std::pair<std::string, int64_t> placeOf(Location loc) {
  std::pair<std::string, int64_t> place = {"?", 0};
  loc->walk([&](Location part) {
    auto file = dyn_cast<FileLineColLoc>(part);
    if (!file)
      return WalkResult::advance();
    place = {file.getFilename().str(), file.getLine()};
    return WalkResult::interrupt();
  });
  return place;
}

LogicalResult tile::lower(KernelLowering &kernel, AssertOp op) {
  CodeBuilder &code = kernel.code;
  Value holds = code.constI1(true);
  for (Value element : kernel.unpack(op.getCondition()))
    holds = code.bitAnd(holds, element);
  Value fails = code.bitXor(holds, code.constI1(true));
  fails = code.bitAnd(fails, isSpeaker(kernel, op.getCondition()));
  code.when(fails, [&] {
    DeviceLibrary library(kernel);
    auto [file, line] = placeOf(op.getLoc());
    StringRef name = op->getParentOfType<KernelOp>().getSymName();
    library.call("__assertfail", LLVM::LLVMVoidType::get(code.getContext()),
                 {library.text(op.getMessage()), library.text(file),
                  code.constI32(line), library.text(name),
                  code.constant(code.i64(), 1)});
  });
  return success();
}
