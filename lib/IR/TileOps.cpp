//===- TileOps.cpp - Kernels and the grid ---------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/IR/TileOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Types that follow from others
//===----------------------------------------------------------------------===//

/// The mask of an access: i1 in the shape of what is moved.  Nothing to read.
static ParseResult
parseMaskType(OpAsmParser &, Type moved,
              std::optional<OpAsmParser::UnresolvedOperand> mask,
              Type &maskType) {
  if (mask)
    maskType = getMaskType(moved);
  return success();
}
static void printMaskType(OpAsmPrinter &, Operation *, Type, Value, Type) {}

/// A type that is the same as one already read.
static ParseResult parseSameType(OpAsmParser &, Type known, Type &same) {
  same = known;
  return success();
}
static void printSameType(OpAsmPrinter &, Operation *, Type, Type) {}

/// What an op insists on, `[wgmma, tma]`.
static ParseResult parseRequire(OpAsmParser &parser, RequireAttr &require) {
  SmallVector<Feature> features;
  auto parseFeature = [&]() -> ParseResult {
    StringRef word;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return failure();
    std::optional<Feature> feature = symbolizeFeature(word);
    if (!feature)
      return parser.emitError(loc)
             << "expected mma_sync, wgmma, cp_async, tma or pipelined, got '"
             << word << "'";
    features.push_back(*feature);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     parseFeature))
    return failure();
  if (features.empty())
    return parser.emitError(parser.getNameLoc())
           << "expected require to name a feature, got none";
  require = RequireAttr::get(parser.getContext(), features);
  return success();
}
static void printRequire(OpAsmPrinter &printer, Operation *,
                         RequireAttr require) {
  printer << '[';
  llvm::interleaveComma(require.getFeatures(), printer, [&](Feature feature) {
    printer << stringifyFeature(feature);
  });
  printer << ']';
}

#define GET_OP_CLASSES
#include "tile/IR/TileOps.cpp.inc"

//===----------------------------------------------------------------------===//
// kernel
//===----------------------------------------------------------------------===//

/// The name of an argument as it stands in the text: `%M` is "M", and `%0`,
/// which no launcher could pass, is "arg0".
static std::string argNameFromText(StringRef text) {
  text.consume_front("%");
  if (text.empty() || llvm::isDigit(text.front()))
    return ("arg" + text).str();
  return text.str();
}

/// Parses `keyword attribute`, if the keyword is there.
template <typename AttrT>
static ParseResult parseClause(OpAsmParser &parser, StringRef keyword,
                               StringAttr name, OperationState &result) {
  AttrT value;
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  return parser.parseAttribute(value, name, result.attributes);
}

/// Parses `attributes {...}`, which may not hold what the op spells itself.
static ParseResult parseKernelAttributes(OpAsmParser &parser,
                                         OperationState &result) {
  NamedAttrList extra;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDictWithKeyword(extra))
    return failure();
  for (NamedAttribute attribute : extra)
    if (llvm::is_contained(KernelOp::getAttributeNames(),
                           attribute.getName().strref()))
      return parser.emitError(loc)
             << "expected '" << attribute.getName().strref()
             << "' in the kernel's signature, got it among its attributes";
  result.attributes.append(extra);
  return success();
}

// Written by hand: argument names are read from the signature.
ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments;
  bool isVariadic = false;
  SmallVector<Type> resultTypes;
  SmallVector<DictionaryAttr> resultAttrs;
  if (parser.parseSymbolName(name, getSymNameAttrName(result.name),
                             result.attributes) ||
      function_interface_impl::parseFunctionSignatureWithArguments(
          parser, /*allowVariadic=*/false, arguments, isVariadic, resultTypes,
          resultAttrs))
    return failure();
  SmallVector<Type> inputs;
  SmallVector<Attribute> names;
  for (OpAsmParser::Argument &argument : arguments) {
    inputs.push_back(argument.type);
    names.push_back(
        builder.getStringAttr(argNameFromText(argument.ssaName.name)));
  }
  result.addAttribute(
      getFunctionTypeAttrName(result.name),
      TypeAttr::get(builder.getFunctionType(inputs, resultTypes)));
  result.addAttribute(getArgNamesAttrName(result.name),
                      builder.getArrayAttr(names));
  if (parseClause<AffineMapAttr>(parser, "grid", getGridAttrName(result.name),
                                 result) ||
      parseClause<StringAttr>(parser, "variant",
                              getVariantAttrName(result.name), result) ||
      parseClause<PlanAttr>(parser, "plan", getPlanAttrName(result.name),
                            result) ||
      parseKernelAttributes(parser, result))
    return failure();
  call_interface_impl::addArgAndResultAttrs(
      builder, result, arguments, resultAttrs, getArgAttrsAttrName(result.name),
      getResAttrsAttrName(result.name));
  return parser.parseRegion(*result.addRegion(), arguments,
                            /*enableNameShadowing=*/false);
}

/// Whether an affine map may name a symbol so.  Its grammar takes identifiers,
/// except its own operators and what reads as an integer type (`i32`, `si8`).
static bool isSymbolName(StringRef name) {
  if (llvm::is_contained({"mod", "floordiv", "ceildiv", "symbol"}, name))
    return false;
  if (!name.consume_front("si") && !name.consume_front("ui") &&
      !name.consume_front("i"))
    return true;
  return name.empty() || !llvm::all_of(name, llvm::isDigit);
}

/// Prints a grid map with the kernel's argument names for its symbols, or,
/// where a name can't stand in a map, as it is.
static void printGrid(OpAsmPrinter &printer, KernelOp op, AffineMap map) {
  SmallVector<BlockArgument> integers = op.getIntegerArguments();
  std::string text;
  llvm::raw_string_ostream(text) << AffineMapAttr::get(map);
  printer << " grid ";
  for (unsigned symbol = 0; symbol < map.getNumSymbols(); ++symbol)
    if (!isSymbolName(op.getArgName(integers[symbol].getArgNumber()))) {
      printer << text;
      return;
    }
  // Symbols print as s0, s1, ...; rename whole words only.
  StringRef rest = text;
  while (!rest.empty()) {
    size_t start = 0;
    while (start < rest.size() &&
           !(rest[start] == 's' && start + 1 < rest.size() &&
             llvm::isDigit(rest[start + 1]) &&
             (start == 0 || !llvm::isAlnum(rest[start - 1]))))
      ++start;
    printer << rest.take_front(start);
    rest = rest.drop_front(start);
    if (rest.empty())
      break;
    unsigned index;
    rest = rest.drop_front(1);
    rest.consumeInteger(10, index);
    printer << op.getArgName(integers[index].getArgNumber());
  }
}

void KernelOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  call_interface_impl::printFunctionSignature(
      printer, getArgumentTypes(), getArgAttrsAttr(), /*isVariadic=*/false,
      getResultTypes(), getResAttrsAttr(), &getBody(),
      /*printEmptyResult=*/false);
  if (std::optional<AffineMap> grid = getGrid())
    printGrid(printer, *this, *grid);
  if (StringAttr variant = getVariantAttr())
    printer << " variant " << variant;
  if (PlanAttr plan = getPlanAttr())
    printer << " plan " << plan;
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {getSymNameAttrName(), getFunctionTypeAttrName(), getArgNamesAttrName(),
       getGridAttrName(), getVariantAttrName(), getPlanAttrName(),
       getArgAttrsAttrName(), getResAttrsAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/true);
}

/// Whether `name` is a C identifier, which every consumer of names accepts.
static bool isIdentifier(StringRef name) {
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name, isWord);
}

/// (C3): names are identifiers, all different, one for each argument.
static LogicalResult verifyArgNames(KernelOp op) {
  if (op.getArgNames().size() != op.getNumArguments())
    return op.emitOpError()
           << "expected a name for each of " << op.getNumArguments()
           << " arguments, got " << op.getArgNames().size();
  llvm::StringSet<> seen;
  for (Attribute attribute : op.getArgNames()) {
    StringRef name = cast<StringAttr>(attribute);
    if (!isIdentifier(name))
      return op.emitOpError() << "expected argument names to be identifiers, "
                                 "got '"
                              << name << "'";
    if (!seen.insert(name).second)
      return op.emitOpError()
             << "expected argument names to differ, got '" << name << "' twice";
  }
  return success();
}

/// A constant below 1 by which `map` divides; nothing if there is none.
static std::optional<int64_t> findBadDivisor(AffineMap map) {
  std::optional<int64_t> found;
  map.walkExprs([&](AffineExpr expr) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!binary || binary.getKind() == AffineExprKind::Add ||
        binary.getKind() == AffineExprKind::Mul)
      return;
    auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
    if (divisor && divisor.getValue() < 1)
      found = divisor.getValue();
  });
  return found;
}

LogicalResult KernelOp::verify() {
  // (C1)
  if (!getResultTypes().empty())
    return emitOpError() << "expected no results, got " << getResultTypes();
  // (C2)
  for (Type type : getArgumentTypes())
    if (!isElementType(type) && !isa<PointerType>(type))
      return emitOpError()
             << "expected arguments to be scalars or pointers, got " << type;
  if (failed(verifyArgNames(*this)))
    return failure();
  // (C6)
  Block &body = getBody().front();
  if (body.empty() || !isa<ReturnOp>(body.back()))
    return emitOpError() << "expected a body that ends in tile.return";
  // (C4)
  std::optional<AffineMap> grid = getGrid();
  if (!grid)
    return success();
  if (grid->getNumResults() < 1 || grid->getNumResults() > 3)
    return emitOpError() << "expected a grid of one to three results, got "
                         << grid->getNumResults();
  if (grid->getNumDims() != 0 ||
      grid->getNumSymbols() > getIntegerArguments().size())
    return emitOpError() << "expected a grid over at most "
                         << getIntegerArguments().size()
                         << " symbols and no dimensions, got "
                         << grid->getNumSymbols() << " and "
                         << grid->getNumDims();
  if (std::optional<int64_t> divisor = findBadDivisor(*grid))
    return emitOpError() << "expected a grid whose divisors are at least 1, "
                            "got "
                         << *divisor;
  return success();
}

StringRef KernelOp::getArgName(unsigned index) {
  return cast<StringAttr>(getArgNames()[index]);
}

BlockArgument KernelOp::getArgByName(StringRef name) {
  for (BlockArgument argument : getArguments())
    if (getArgName(argument.getArgNumber()) == name)
      return argument;
  return {};
}

SmallVector<BlockArgument> KernelOp::getIntegerArguments() {
  return llvm::to_vector(
      llvm::make_filter_range(getArguments(), [](BlockArgument argument) {
        return argument.getType().isInteger();
      }));
}

void KernelOp::getAsmBlockArgumentNames(Region &region,
                                        OpAsmSetValueNameFn setName) {
  if (region.empty() || getArgNames().size() != region.getNumArguments())
    return;
  for (BlockArgument argument : region.getArguments())
    setName(argument, getArgName(argument.getArgNumber()));
}

//===----------------------------------------------------------------------===//
// program_id, num_programs, assume
//===----------------------------------------------------------------------===//

/// The grid has at most 2^31 - 1 programs along x, 65535 along y and z (CUDA
/// C++ programming guide, compute capabilities).
static int64_t maxPrograms(Axis axis) {
  return axis == Axis::X ? std::numeric_limits<int32_t>::max() : 65535;
}

static void setRange(Value result, int64_t min, int64_t max,
                     SetIntRangeFn setResultRange) {
  setResultRange(
      result, ConstantIntRanges::fromSigned(APInt(32, min, /*isSigned=*/true),
                                            APInt(32, max, /*isSigned=*/true)));
}

void ProgramIdOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                    SetIntRangeFn setResultRange) {
  setRange(getResult(), 0, maxPrograms(getAxis()) - 1, setResultRange);
}

void NumProgramsOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                      SetIntRangeFn setResultRange) {
  setRange(getResult(), 1, maxPrograms(getAxis()), setResultRange);
}

void ProgramIdOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), ("pid_" + stringifyAxis(getAxis())).str());
}

void NumProgramsOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), ("programs_" + stringifyAxis(getAxis())).str());
}

LogicalResult AssumeOp::verify() {
  Type type = getValue().getType();
  // (C1)
  if (getFact().getNoalias() && !isa<PointerType>(type))
    return emitOpError() << "expected noalias of a pointer, got it of " << type;
  // (C2)
  if ((getFact().getMin() || getFact().getMax()) && isa<PointerType>(type))
    return emitOpError() << "expected a range of an integer, got it of "
                         << type;
  return success();
}

/// Drops what says nothing: an empty fact, or one that holds of a constant. One
/// that a constant breaks stays, so that it is still reported where it runs.
LogicalResult AssumeOp::canonicalize(AssumeOp op, PatternRewriter &rewriter) {
  FactAttr fact = op.getFact();
  APInt constant;
  if (fact.getDivisibility().value_or(1) == 1 && !fact.getMin() &&
      !fact.getMax() && !fact.getNoalias()) {
    rewriter.eraseOp(op);
    return success();
  }
  // i1 is left alone: whether its 1 is 1 or -1 is not for this pattern to say.
  if (!matchPattern(op.getValue(), m_ConstantInt(&constant)) ||
      constant.getBitWidth() == 1)
    return rewriter.notifyMatchFailure(op, "value is not a constant");
  int64_t value = constant.getSExtValue();
  if (value % fact.getDivisibility().value_or(1) != 0 ||
      value < fact.getMin().value_or(value) ||
      value > fact.getMax().value_or(value))
    return rewriter.notifyMatchFailure(op, "fact does not hold");
  rewriter.eraseOp(op);
  return success();
}
