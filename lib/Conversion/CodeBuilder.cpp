//===- CodeBuilder.cpp - LLVM arithmetic with folding ---------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeBuilder.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tile;

LLVM::InlineAsmOp tile::createAsm(OpBuilder &builder, Location loc,
                                  TypeRange results, ValueRange operands,
                                  StringRef text, StringRef constraints,
                                  bool hasSideEffects) {
  return LLVM::InlineAsmOp::create(
      builder, loc, results, operands, text, constraints, hasSideEffects,
      /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
      LLVM::AsmDialectAttr(), ArrayAttr());
}

CodeBuilder::CodeBuilder(LLVM::LLVMFuncOp func, int64_t numThreads)
    : builder(func.getContext()), loc(func.getLoc()), numThreads(numThreads),
      func(func) {
  Block *entry = func.addEntryBlock(builder);
  Block *body = builder.createBlock(&func.getBody());
  body->moveBefore(&func.getBody(), func.getBody().end());
  builder.setInsertionPointToEnd(entry);
  auto range = LLVM::ConstantRangeAttr::get(builder.getContext(), APInt(32, 0),
                                            APInt(32, numThreads));
  group.entry = entry;
  group.tid = NVVM::ThreadIdXOp::create(builder, loc, i32(), range);
  group.numThreads = numThreads;
  LLVM::BrOp::create(builder, loc, ValueRange(), body);
  builder.setInsertionPointToStart(body);
}

OpBuilder CodeBuilder::entryBuilder() {
  return OpBuilder(func.getBody().front().getTerminator());
}

OpBuilder CodeBuilder::groupBuilder() {
  return OpBuilder(group.entry->getTerminator());
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Value CodeBuilder::constant(Type type, int64_t value) {
  Value &entry = integers[{type, value}];
  if (!entry) {
    OpBuilder at = entryBuilder();
    entry = LLVM::ConstantOp::create(at, func.getLoc(), type,
                                     at.getIntegerAttr(type, value));
  }
  return entry;
}

Value CodeBuilder::constantOf(Type type, Attribute value) {
  Value &entry = constants[{type, value}];
  if (!entry) {
    OpBuilder at = entryBuilder();
    entry = LLVM::ConstantOp::create(at, func.getLoc(), type, value);
  }
  return entry;
}

Value CodeBuilder::constantData(LLVM::LLVMArrayType type, Attribute value) {
  auto module = func->getParentOfType<ModuleOp>();
  LLVM::GlobalOp global;
  unsigned count = 0;
  for (auto other : module.getOps<LLVM::GlobalOp>()) {
    if (other.getValueAttr() == value && other.getConstant())
      global = other;
    ++count;
  }
  if (!global) {
    std::string name = "data" + std::to_string(count);
    while (module.lookupSymbol(name))
      name += "$";
    OpBuilder at = OpBuilder::atBlockBegin(module.getBody());
    global = LLVM::GlobalOp::create(at, loc, type, /*isConstant=*/true,
                                    LLVM::Linkage::Internal, name, value,
                                    /*alignment=*/0, /*addrSpace=*/1);
  }
  return LLVM::AddressOfOp::create(builder, loc, global);
}

std::optional<int64_t> CodeBuilder::getConstant(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)) &&
      constant.getBitWidth() <= 64)
    return constant.getBitWidth() == 1 ? int64_t(constant.getZExtValue())
                                       : constant.getSExtValue();
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Value CodeBuilder::add(Value lhs, Value rhs) {
  std::optional<int64_t> left = getConstant(lhs), right = getConstant(rhs);
  if (left == 0)
    return rhs;
  if (right == 0)
    return lhs;
  return LLVM::AddOp::create(builder, loc, lhs, rhs);
}

Value CodeBuilder::mul(Value lhs, Value rhs) {
  std::optional<int64_t> left = getConstant(lhs), right = getConstant(rhs);
  if (left == 0 || right == 1)
    return lhs;
  if (right == 0 || left == 1)
    return rhs;
  return LLVM::MulOp::create(builder, loc, lhs, rhs);
}

Value CodeBuilder::bitAnd(Value lhs, Value rhs) {
  std::optional<int64_t> left = getConstant(lhs), right = getConstant(rhs);
  if (lhs.getType() == i1()) {
    if (left)
      return *left ? rhs : lhs;
    if (right)
      return *right ? lhs : rhs;
  }
  return LLVM::AndOp::create(builder, loc, lhs, rhs);
}

Value CodeBuilder::bitXor(Value lhs, Value rhs) {
  if (getConstant(rhs) == 0)
    return lhs;
  return LLVM::XOrOp::create(builder, loc, lhs, rhs);
}

Value CodeBuilder::select(Value condition, Value lhs, Value rhs) {
  if (std::optional<int64_t> known = getConstant(condition))
    return *known ? lhs : rhs;
  return LLVM::SelectOp::create(builder, loc, condition, lhs, rhs);
}

Value CodeBuilder::compare(LLVM::ICmpPredicate predicate, Value lhs,
                           Value rhs) {
  return LLVM::ICmpOp::create(builder, loc, predicate, lhs, rhs);
}

Value CodeBuilder::castInt(Value value, Type type) {
  unsigned from = value.getType().getIntOrFloatBitWidth();
  unsigned to = type.getIntOrFloatBitWidth();
  if (from == to)
    return value;
  if (std::optional<int64_t> known = getConstant(value))
    return constant(type, *known);
  if (from < to)
    return LLVM::SExtOp::create(builder, loc, type, value);
  return LLVM::TruncOp::create(builder, loc, type, value);
}

Value CodeBuilder::gep(Value base, Type element, Value index) {
  if (std::optional<int64_t> known = getConstant(index)) {
    if (*known == 0)
      return base;
    if (llvm::isInt<32>(*known))
      return LLVM::GEPOp::create(builder, loc, base.getType(), element, base,
                                 ArrayRef<LLVM::GEPArg>{int32_t(*known)});
  }
  return LLVM::GEPOp::create(builder, loc, base.getType(), element, base,
                             ValueRange{index});
}

Value CodeBuilder::gepBytes(Value base, int64_t bytes) {
  if (bytes == 0)
    return base;
  return LLVM::GEPOp::create(builder, loc, base.getType(), builder.getI8Type(),
                             base, ArrayRef<LLVM::GEPArg>{int32_t(bytes)});
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

Value CodeBuilder::extract(Value vector, int64_t position) {
  return LLVM::ExtractElementOp::create(builder, loc, vector,
                                        constI32(position));
}

Value CodeBuilder::insert(Value vector, Value element, int64_t position) {
  return LLVM::InsertElementOp::create(builder, loc, vector, element,
                                       constI32(position));
}

Value CodeBuilder::extractValue(Value aggregate, int64_t position) {
  return LLVM::ExtractValueOp::create(builder, loc, aggregate,
                                      ArrayRef<int64_t>{position});
}

Value CodeBuilder::bitcast(Value value, Type type) {
  if (value.getType() == type)
    return value;
  return LLVM::BitcastOp::create(builder, loc, type, value);
}

Value CodeBuilder::poison(Type type) {
  return LLVM::PoisonOp::create(builder, loc, type);
}

//===----------------------------------------------------------------------===//
// Functions of the thread
//===----------------------------------------------------------------------===//

/// `sourceMask` has the bits that the source may have.
Value CodeBuilder::linearAt(OpBuilder &at, Location where, Value source,
                            int64_t sourceMask, ArrayRef<int64_t> images) {
  // Bits that move by the same distance move together.
  std::map<int, int64_t> masks;
  for (auto [bit, image] : llvm::enumerate(images))
    for (int out = 0; out < 31; ++out)
      if (image >> out & 1)
        masks[out - int(bit)] |= int64_t(1) << bit;
  Value sum;
  for (auto [distance, mask] : masks) {
    Value term = source;
    if (mask != sourceMask)
      term = LLVM::AndOp::create(at, where, term, constI32(mask));
    if (distance > 0)
      term = LLVM::ShlOp::create(at, where, term, constI32(distance));
    if (distance < 0)
      term = LLVM::LShrOp::create(at, where, term, constI32(-distance));
    sum = sum ? LLVM::XOrOp::create(at, where, sum, term).getResult() : term;
  }
  return sum ? sum : constI32(0);
}

Value CodeBuilder::linearOf(Value source, ArrayRef<int64_t> images) {
  return linearAt(builder, loc, source, (int64_t(1) << images.size()) - 1,
                  images);
}

Value CodeBuilder::threadLinear(ArrayRef<int64_t> images) {
  std::vector<int64_t> key(images.begin(), images.end());
  auto &linear = group.linear;
  if (auto found = linear.find(key); found != linear.end())
    return found->second;
  OpBuilder at = groupBuilder();
  return linear[key] =
             linearAt(at, func.getLoc(), group.tid,
                      int64_t(llvm::PowerOf2Ceil(numThreads)) - 1, images);
}

Value CodeBuilder::threadLinear(ArrayRef<int64_t> images, int64_t mask) {
  Value base = threadLinear(images);
  if (mask == 0)
    return base;
  if (std::optional<int64_t> known = getConstant(base))
    return constI32(*known ^ mask);
  std::vector<int64_t> key(images.begin(), images.end());
  key.push_back(-1);
  key.push_back(mask);
  Value &entry = group.linear[key];
  if (!entry) {
    Value constant = constI32(mask);
    OpBuilder at = groupBuilder();
    entry = LLVM::XOrOp::create(at, func.getLoc(), base, constant);
  }
  return entry;
}

Value CodeBuilder::warpId() {
  if (group.warp)
    return group.warp;
  OpBuilder at = groupBuilder();
  Value warp =
      LLVM::LShrOp::create(at, func.getLoc(), group.tid, constI32(kLaneBits));
  return group.warp = NVVM::ShflOp::create(
             at, func.getLoc(), i32(), constI32(-1), warp, constI32(0),
             constI32((1 << kLaneBits) - 1), NVVM::ShflKind::idx, UnitAttr());
}

Value CodeBuilder::warpgroupId() {
  if (numThreads <= kWarpgroupThreads)
    return constI32(0);
  std::vector<int64_t> key = {-2};
  Value &entry = group.linear[key];
  if (!entry) {
    Value warp = warpId();
    OpBuilder at = groupBuilder();
    entry = LLVM::LShrOp::create(at, func.getLoc(), warp, constI32(2));
  }
  return entry;
}

Value CodeBuilder::warpgroupLinear(ArrayRef<int64_t> images) {
  if (llvm::all_of(images, [](int64_t image) { return image == 0; }))
    return constI32(0);
  Value id = warpgroupId();
  if (getConstant(id))
    return id;
  int64_t groups = numThreads / kWarpgroupThreads;
  OpBuilder at = groupBuilder();
  return linearAt(at, func.getLoc(), id,
                  int64_t(llvm::PowerOf2Ceil(groups)) - 1, images);
}

void CodeBuilder::enterGroup(Block *entry, int64_t firstWarp,
                             int64_t numWarps) {
  Value programWarp = warpId();
  program = std::move(group);
  group = Group();
  group.entry = entry;
  group.numThreads = numThreads = numWarps << kLaneBits;
  group.tid = program.tid;
  group.warp = programWarp;
  if (firstWarp == 0)
    return;
  Value threads = constI32(firstWarp << kLaneBits), warps = constI32(firstWarp);
  OpBuilder at = groupBuilder();
  group.tid = LLVM::SubOp::create(at, func.getLoc(), program.tid, threads);
  group.warp = LLVM::SubOp::create(at, func.getLoc(), programWarp, warps);
}

void CodeBuilder::leaveGroup() {
  group = std::move(program);
  numThreads = group.numThreads;
}

//===----------------------------------------------------------------------===//
// Branches and loops
//===----------------------------------------------------------------------===//

Block *CodeBuilder::appendBlock() {
  OpBuilder::InsertionGuard guard(builder);
  return builder.createBlock(&func.getBody(), func.getBody().end());
}

void CodeBuilder::continueAt(Block *block) {
  block->moveBefore(block->getParent(), block->getParent()->end());
  builder.setInsertionPointToStart(block);
}

void CodeBuilder::when(Value condition, llvm::function_ref<void()> body) {
  if (getConstant(condition) == 1)
    return body();
  Block *then = appendBlock(), *after = appendBlock();
  LLVM::CondBrOp::create(builder, loc, condition, then, after);
  builder.setInsertionPointToStart(then);
  body();
  LLVM::BrOp::create(builder, loc, ValueRange(), after);
  continueAt(after);
}

LLVM::LoopAnnotationAttr CodeBuilder::unrollForbidden() {
  MLIRContext *context = getContext();
  auto unroll = LLVM::LoopUnrollAttr::get(
      context, /*disable=*/BoolAttr::get(context, true), {}, {}, {}, {}, {},
      {});
  return LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {}, {}, {},
                                       {}, {}, {}, {}, {}, {}, {}, {});
}

SmallVector<Value> CodeBuilder::loop(
    int64_t count, ValueRange inits,
    llvm::function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  if (count == 1)
    return body(constI32(0), inits);
  SmallVector<Type> types = {i32()};
  llvm::append_range(types, inits.getTypes());
  SmallVector<Location> locs(types.size(), loc);
  Block *before = builder.getBlock();
  Region *region = before->getParent();
  Block *round = builder.createBlock(region, region->end(), types, locs);
  builder.setInsertionPointToEnd(before);
  SmallVector<Value> entering = {constI32(0)};
  llvm::append_range(entering, inits);
  LLVM::BrOp::create(builder, loc, entering, round);

  builder.setInsertionPointToStart(round);
  SmallVector<Value> results =
      body(round->getArgument(0), round->getArguments().drop_front());
  SmallVector<Value> again = {add(round->getArgument(0), constI32(1))};
  Value repeats =
      compare(LLVM::ICmpPredicate::slt, again.front(), constI32(count));
  llvm::append_range(again, results);
  Block *last = builder.getBlock();
  Block *exit =
      builder.createBlock(region, region->end(), ArrayRef(types).drop_front(),
                          ArrayRef(locs).drop_front());
  builder.setInsertionPointToEnd(last);
  auto latch = LLVM::CondBrOp::create(builder, loc, repeats, round, again, exit,
                                      results);
  latch.setLoopAnnotationAttr(unrollForbidden());
  builder.setInsertionPointToStart(exit);
  return SmallVector<Value>(exit->getArguments());
}
