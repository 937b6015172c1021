//===- TileToNVVM.cpp - Kernels to the LLVM and NVVM dialects -------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Make the function: symbol, arguments with alignment, launch bounds.
// 2. Walk the body (KernelLowering.h), which leaves arith and math behind.
// 3. Convert these with upstream's patterns.
//
//===----------------------------------------------------------------------===//

#include "KernelLowering.h"
#include "Placement.h"
#include "tile/Conversion/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tile;

#define DEBUG_TYPE "convert-tile-to-nvvm"

namespace tile {
#define GEN_PASS_DEF_CONVERTTILETONVVMPASS
#include "tile/Conversion/Passes.h.inc"
} // namespace tile

std::string tile::ptxSymbol(StringRef kernelName) {
  std::string symbol;
  for (unsigned char character : kernelName) {
    bool legal =
        llvm::isAlnum(character) || character == '_' || character == '$';
    if (legal)
      symbol += character;
    else
      symbol += "$" + llvm::utohexstr(character, /*LowerCase=*/true, 2);
  }
  if (symbol.empty() || llvm::isDigit(symbol.front()))
    symbol.insert(0, "_");
  // Neither `_` nor `$` alone is an identifier, and WARP_SZ is a constant.
  if (symbol == "_" || symbol == "$" || symbol == "WARP_SZ")
    symbol += '$';
  return symbol;
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

/// What the kernel knows of an argument: where it states it, and where a
/// variant assumes it before anything else.
static SmallVector<FactAttr> factsOf(KernelOp kernel, unsigned index) {
  SmallVector<FactAttr> facts;
  if (auto fact = kernel.getArgAttrOfType<FactAttr>(index, kFactName))
    facts.push_back(fact);
  for (AssumeOp assume : kernel.getBody().front().getOps<AssumeOp>())
    if (assume.getValue() == kernel.getArgument(index))
      facts.push_back(assume.getFact());
  return facts;
}

/// Copies what is known of a pointer to the function's argument.
static void setPointerFacts(KernelOp kernel, LLVM::LLVMFuncOp func,
                            unsigned index) {
  Builder builder(kernel.getContext());
  auto pointer = cast<PointerType>(kernel.getArgumentTypes()[index]);
  int64_t align = elementBytes(pointer.getElementType());
  bool noalias = false;
  for (FactAttr fact : factsOf(kernel, index)) {
    if (int64_t divisor = fact.getDivisibility().value_or(1))
      align = std::max(align, divisor & -divisor);
    noalias |= fact.getNoalias();
  }
  // LLVM takes alignments up to 2^32.
  align = std::min<int64_t>(align, 4096);
  func.setArgAttr(index, LLVM::LLVMDialect::getAlignAttrName(),
                  builder.getI64IntegerAttr(align));
  if (noalias)
    func.setArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName(),
                    builder.getUnitAttr());
}

/// Makes a parameter a tensor map: 128 bytes that the copy engine reads where
/// the launch has put them.
static void setTensorMapAttributes(LLVM::LLVMFuncOp func, unsigned index) {
  Builder builder(func.getContext());
  auto bytes = LLVM::LLVMArrayType::get(builder.getI8Type(), 128);
  func.setArgAttr(index, LLVM::LLVMDialect::getByValAttrName(),
                  TypeAttr::get(bytes));
  func.setArgAttr(index, LLVM::LLVMDialect::getAlignAttrName(),
                  builder.getI64IntegerAttr(64));
  func.setArgAttr(index, NVVM::NVVMDialect::getGridConstantAttrName(),
                  builder.getUnitAttr());
}

/// Declares the function that takes the kernel's place.
static FailureOr<LLVM::LLVMFuncOp>
declareFunction(OpBuilder &builder, KernelOp kernel, int64_t numThreads) {
  MLIRContext *context = kernel.getContext();
  SmallVector<Type> arguments;
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    bool isByte = isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8;
    if (isa<PointerType>(type))
      arguments.push_back(LLVM::LLVMPointerType::get(context, 1));
    else if (type.isIntOrFloat())
      arguments.push_back(isByte ? builder.getI8Type() : type);
    else
      return kernel.emitOpError() << "expected arguments that are scalars or "
                                     "pointers, got "
                                  << type << " as argument " << index;
  }
  // One parameter for each tensor map, as the manifest lists them.
  unsigned numOwn = arguments.size();
  kernel.walk([&](tile::gpu::TensorMapOp) {
    arguments.push_back(LLVM::LLVMPointerType::get(context));
  });
  auto type =
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), arguments);
  auto func = LLVM::LLVMFuncOp::create(builder, kernel.getLoc(),
                                       ptxSymbol(kernel.getSymName()), type);
  func->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                builder.getUnitAttr());
  func->setAttr(NVVM::NVVMDialect::getMaxntidAttrName(),
                builder.getDenseI32ArrayAttr({int32_t(numThreads)}));
  // Without it ptxas holds to fewer registers for the sake of more programs on
  // a multiprocessor, and spills a few.
  func->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                builder.getI32IntegerAttr(1));
  PlanAttr plan = kernel.getPlanAttr();
  if (plan && plan.getInt("cluster") == 2)
    func->setAttr(NVVM::NVVMDialect::getClusterDimAttrName(),
                  builder.getDenseI32ArrayAttr({2, 1, 1}));
  for (auto [index, argument] : llvm::enumerate(kernel.getArgumentTypes()))
    if (isa<PointerType>(argument))
      setPointerFacts(kernel, func, index);
  for (unsigned index = numOwn; index < arguments.size(); ++index)
    setTensorMapAttributes(func, index);
  return func;
}

/// The module's shared memory: an array without a size, which the launch gives.
static LLVM::GlobalOp declareSharedMemory(ModuleOp module) {
  std::string name = "smem";
  while (module.lookupSymbol(name))
    name += "$";
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto bytes = LLVM::LLVMArrayType::get(builder.getI8Type(), 0);
  // The pattern of a 128-byte swizzle repeats after 1024 bytes.
  return LLVM::GlobalOp::create(builder, module.getLoc(), bytes,
                                /*isConstant=*/false, LLVM::Linkage::External,
                                name, Attribute(), /*alignment=*/1024,
                                /*addrSpace=*/3);
}

//===----------------------------------------------------------------------===//
// Scalars and fragments
//===----------------------------------------------------------------------===//

/// Converts ops of arith and math, which work on scalars and vectors.
static LogicalResult convertLeftovers(LLVM::LLVMFuncOp func,
                                      ArrayRef<Operation *> ops) {
  if (ops.empty())
    return success();
  MLIRContext *context = func.getContext();
  LLVMTypeConverter types(context);
  RewritePatternSet patterns(context);
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  arith::populateArithToLLVMConversionPatterns(types, patterns);
  populateMathToLLVMConversionPatterns(types, patterns);
  ConversionTarget target(*context);
  target.addLegalDialect<LLVM::LLVMDialect, NVVM::NVVMDialect>();
  target.addIllegalDialect<arith::ArithDialect, math::MathDialect>();
  FrozenRewritePatternSet frozen(std::move(patterns));
  return applyPartialConversion(ops, target, frozen);
}

/// Threads of a program: those of its roles, or else those of its plan.
static FailureOr<int64_t> countThreads(KernelOp kernel) {
  SmallVector<tile::gpu::RolesOp> roles;
  kernel.walk([&](tile::gpu::RolesOp op) { roles.push_back(op); });
  if (roles.size() > 1) {
    InFlightDiagnostic error = roles[1].emitOpError()
                               << "expected one tile_gpu.roles in a kernel";
    error.attachNote(roles[0].getLoc()) << "the first one is here";
    return error;
  }
  if (!roles.empty())
    return roles.front().getNumWarps() << kLaneBits;
  if (PlanAttr plan = kernel.getPlanAttr())
    return plan.getInt("warps") << kLaneBits;
  return kernel.emitOpError() << "expected a plan, which says how many warps "
                                 "run a program";
}

static LogicalResult lowerKernel(KernelOp kernel, LLVM::GlobalOp shared) {
  FailureOr<int64_t> numThreads = countThreads(kernel);
  if (failed(numThreads) || failed(checkPlacement(kernel)))
    return failure();
  OpBuilder builder(kernel);
  FailureOr<LLVM::LLVMFuncOp> func =
      declareFunction(builder, kernel, *numThreads);
  if (failed(func))
    return failure();
  KernelLowering lowering(kernel, *func, shared, *numThreads);
  if (failed(lowering.run()) ||
      failed(convertLeftovers(*func, lowering.leftovers)))
    return failure();
  orderByFragment(*func, lowering.globalLoads);
  kernel.erase();
  return success();
}

namespace {

struct ConvertTileToNVVMPass
    : tile::impl::ConvertTileToNVVMPassBase<ConvertTileToNVVMPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<KernelOp> kernels(module.getOps<KernelOp>());
    if (kernels.empty())
      return;
    LLVM::GlobalOp shared = declareSharedMemory(module);
    for (KernelOp kernel : kernels)
      if (failed(lowerKernel(kernel, shared)))
        return signalPassFailure();
  }
};

} // namespace
