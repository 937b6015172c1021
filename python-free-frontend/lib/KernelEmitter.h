//===- KernelEmitter.h - A kernel's tree to tile IR -------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FRONTEND_KERNELEMITTER_H
#define TILE_FRONTEND_KERNELEMITTER_H

#include "Ast.h"
#include "Diagnostics.h"
#include "Lints.h"
#include "Values.h"

#include "tile/Frontend/SourceIndex.h"
#include "tile/IR/PlanKeys.h"
#include "tile/IR/TileOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

#include <map>
#include <optional>

namespace tile::frontend {

/// The helper functions of a source by their names.
using FunctionMap = llvm::StringMap<const Function *>;

/// An argument of a function of the language; see bindArguments.
struct Slot {
  llvm::StringRef name;
  bool isRequired;
  /// Whether it is given by its name only.
  bool isNamed = false;
};

/// Checks one kernel and builds it, in the order of its text.  After an error
/// it goes on, so that one run finds several; what it builds is then no
/// program.
class KernelEmitter {
public:
  KernelEmitter(mlir::OpBuilder &builder, const llvm::SourceMgr &sources,
                const llvm::StringMap<std::string> &overrides,
                const FunctionMap &functions, LintSet allowed,
                unsigned &numSteps, DiagnosticList &errors,
                ArrangementLog *log = nullptr)
      : builder(builder), sources(sources), overrides(overrides),
        functions(functions), errors(errors), log(log), allowed(allowed),
        numSteps(numSteps) {}

  void emit(const Kernel &kernel);
  /// Checks what of a function does not depend on what a call gives it.
  void checkFunction(const Function &function);

  /// Where to say what each expression is; nowhere if null.
  SourceIndex *index = nullptr;
  /// What lints know of launches.
  llvm::ArrayRef<RunBlock> runs;

  /// Whether the language has a function of this name.
  static bool isBuiltin(llvm::StringRef name) { return findBuiltin(name); }

private:
  /// The arguments as the launcher sees them: those that are written, then the
  /// sides and the strides of tensors.
  struct Signature {
    llvm::SmallVector<mlir::Type> types;
    llvm::SmallVector<std::string> names;
    /// Where each is named; not valid for a stride.
    llvm::SmallVector<llvm::SMRange> ranges;
    llvm::SmallVector<mlir::Attribute> facts;
  };

  // Kernel.cpp
  void declareArguments(const Kernel &kernel, KernelOp op,
                        const Signature &signature);
  void bindParameters(const Kernel &kernel);
  Val parameterValue(const Parameter &parameter);
  mlir::DictionaryAttr factOf(const Argument &argument, mlir::Type type);
  mlir::AffineMapAttr gridMap(const Kernel &kernel, KernelOp op);
  mlir::AffineExpr gridExpr(const Expr &expr, KernelOp op,
                            llvm::StringRef what = "a grid");
  mlir::AffineExpr gridOperator(const Expr &expr, mlir::AffineExpr left,
                                mlir::AffineExpr right, llvm::StringRef what);
  bool checkGridAxis(const Expr &expr, mlir::AffineExpr size, unsigned axis);

  // Hints.cpp
  PlanAttr planOf(const Kernel &kernel);
  mlir::Attribute hintValue(const Hint &hint, const PlanKey &key);
  PipelineAttr pipelineOf(const Stmt &stmt);
  /// Lints that the annotations allow beside those that are.
  LintSet allowedBy(llvm::ArrayRef<Annotation> annotations,
                    bool isStatement = false);
  void emitAnnotated(const Stmt &stmt);
  llvm::SmallVector<std::pair<Feature, llvm::SMRange>>
  featuresOf(const Annotation &annotation);
  void require(const Annotation &annotation,
               llvm::ArrayRef<mlir::Operation *> ops);
  bool requireOne(Feature feature, llvm::ArrayRef<mlir::Operation *> ops);
  /// Keeps where the op stands in the source, for lints.
  template <typename OpT>
  OpT placed(OpT op, llvm::SMRange range) {
    lintPlaces[op] = {range, allowed};
    return op;
  }

  // Tensors.cpp
  /// A part of a tensor: its offsets from the base, and which of it exists;
  /// null where all of it does.
  struct Part {
    mlir::Value offsets, inside;
  };
  std::optional<Part> tensorPart(const Expr &expr, const Val &tensor);
  mlir::Value tensorIndex(const Expr &index);
  void addIndex(const Expr &index, mlir::Value place, const Val &tensor,
                unsigned dim, llvm::ArrayRef<unsigned> newAxes, bool isInside,
                Part &part);
  Val loadPart(const Expr &expr, const Val &tensor);
  void emitTensorStore(const Stmt &stmt);
  bool addTensors(const Kernel &kernel, Signature &signature);

  Val loadFrom(const Val &tensor, const Part &part, const Expr *otherExpr,
               const Expr &expr);
  void storeTo(const Val &tensor, const Part &part, const Expr &target,
               const Expr &stored, llvm::SMRange stmt);

  // Arrange.cpp
  using Arranged = ArrangedTensor;
  std::string symbolName(unsigned symbol) const;
  mlir::AffineExpr withSizes(mlir::AffineExpr expr) const;
  std::string arrangementText(const Arrangement &arrangement,
                              unsigned level) const;
  void logArrangement(const Arranged &tensor, llvm::StringRef verb);
  mlir::AffineExpr sizeSymbol(mlir::Value value, KernelOp op);
  Arranged *findArranged(const Identifier &name, KernelOp op);
  mlir::AffineExpr arrangedSize(const Expr &expr, KernelOp op);
  bool arrangeSize(const Expr &expr, KernelOp op, mlir::AffineExpr &size);
  bool arrangeSizes(const Expr &call, size_t from, KernelOp op,
                    llvm::SmallVectorImpl<mlir::AffineExpr> &sizes);
  bool arrangeList(const Expr &expr, size_t rank, KernelOp op,
                   llvm::SmallVectorImpl<mlir::AffineExpr> &sizes);
  bool arrangeDims(const Expr &call, size_t from,
                   llvm::SmallVectorImpl<int64_t> &dims);
  bool arrangeNamed(const Expr &call, size_t from, size_t rank, KernelOp op,
                    bool hasWindows,
                    llvm::SmallVectorImpl<mlir::AffineExpr> &strides,
                    llvm::SmallVectorImpl<mlir::AffineExpr> &dilations);
  bool arrangeBy(const Expr &call, size_t from, unsigned level,
                 Arranged &tensor, KernelOp op);
  bool arrangeChain(const Expr &expr, unsigned level, Arranged &tensor,
                    KernelOp op);
  const Arrangement::Level *outermostLevel(const Kernel &kernel);
  llvm::SmallVector<mlir::Value> programIndices(const Arrangement::Level &level,
                                                mlir::Location loc);
  void setGrid(const Arrangement::Level &level, KernelOp op);
  void emitArrangement(const Kernel &kernel, KernelOp op);

  // ArrangedAccess.cpp
  mlir::Value affineValue(mlir::AffineExpr expr,
                          llvm::ArrayRef<mlir::Value> variables,
                          mlir::Type element, mlir::Location loc);
  Val arrangedShape(const Val &value, mlir::Location loc);
  Val emitMember(const Expr &expr);
  bool sayForeignMember(const Expr &expr);
  Val emitBase(const Expr &expr);
  Val indexArranged(const Expr &expr, Val value);
  mlir::Value arrangedIndex(const Expr &expr, mlir::AffineExpr size);
  bool arrangedSides(const Val &value, llvm::SMRange range,
                     llvm::SmallVectorImpl<int64_t> &sides);
  mlir::Value arrangedPlace(mlir::AffineExpr expr, const Val &value,
                            llvm::ArrayRef<int64_t> sides, mlir::Location loc);
  mlir::Value alongAxis(mlir::Value line, unsigned axis, size_t rank,
                        mlir::Location loc);
  bool isInsideByProgram(const Arranged &tensor, unsigned dim);
  std::optional<Part> arrangedPart(const Expr &expr, const Val &value);
  Val loadArranged(const Expr &expr, const Val &value);
  void storeArranged(const Expr &target, const Val &value, const Expr &stored,
                     llvm::SMRange stmt);

  // Statements.cpp
  void emitBlock(const Block &block);
  void emitRegion(const Block &block);
  void emitStatement(const Stmt &stmt);
  void emitStatementOfKind(const Stmt &stmt);
  void markCut(const Stmt &binding, const Stmt &unused);
  void emitBinding(const Stmt &stmt);
  std::vector<Val> valuesFor(const Stmt &stmt);
  void bindOne(const Stmt &stmt, const Identifier &name, Val value);
  void emitAssignment(const Stmt &stmt);
  void assign(const Identifier &name, Val value, llvm::SMRange range);
  void declare(const Identifier &name, Val value,
               const Stmt *binding = nullptr);
  void sayUndefined(const Identifier &name);
  void declareWrong(const Stmt &stmt);
  void sayFixed(const Identifier &name, const Symbol &symbol);
  bool fitPointer(const Identifier &name, const Val &old, Val &value,
                  llvm::SMRange range, const Symbol &symbol);
  Symbol *find(llvm::StringRef name);

  // Control.cpp
  void emitFor(const Stmt &stmt);
  void emitIf(const Stmt &stmt);
  void emitWhile(const Stmt &stmt);
  /// The condition of `if` or `while`, of one i1; any other is an error and
  /// becomes true.
  mlir::Value emitCondition(const Expr &expr);
  /// Of `while`, which ends behind `break` without asking again.
  mlir::Value emitWhileCondition(const Stmt &stmt);
  /// Begins a scope with the hidden variable of this name, if the loop has it;
  /// see ParseLoops.cpp.
  void pushLeave(llvm::StringRef name, bool isUsed, llvm::SMRange range);
  /// The variables from outside that the blocks change, and what they are.
  struct Carried {
    llvm::SmallVector<llvm::StringRef> names;
    llvm::SmallVector<mlir::Value> values;
  };
  Carried carriedBy(llvm::ArrayRef<const Block *> blocks);
  void setCarried(const Carried &carried, mlir::ValueRange values);
  llvm::SmallVector<mlir::Value> carriedNow(const Carried &carried);
  void emitBranch(const Block &block, mlir::Block *into, mlir::Location loc,
                  const Carried &carried);
  bool emitLimits(const Stmt &stmt, mlir::Value &low, mlir::Value &high,
                  mlir::Value &step);

  // Functions.cpp
  Val emitFunction(const Expr &call, const Function &function);
  Val applyFunction(const Function &function, std::vector<Val> values,
                    llvm::ArrayRef<llvm::SMRange> places, llvm::SMRange call);
  Val formalValue(const Formal &formal, Val value, llvm::SMRange range);
  Val inlineBody(const Function &function);
  void emitReturn(const Stmt &stmt);
  Val returnedValue(const Function &function);

  // FunctionNames.cpp
  void checkNames(const Expr &expr);
  void checkNames(const Stmt &stmt);
  void checkNames(const Block &block);

  // StaticControl.cpp
  void emitStaticIf(const Stmt &stmt);
  void emitStaticFor(const Stmt &stmt);
  void emitStaticAssert(const Stmt &stmt);
  std::optional<bool> emitStaticCondition(const Expr &expr);
  /// Counts what unrolling and inlining make; an error where it is too much.
  bool isWithinLimits(llvm::SMRange range);

  // Expressions.cpp
  Val emitExpr(const Expr &expr);
  Val emitExprOfKind(const Expr &expr);
  void emitMethod(const Expr &expr);
  std::pair<llvm::StringRef, llvm::SMRange> nearestName(llvm::StringRef text,
                                                        bool isChanged = false);
  Val emitName(const Expr &expr);
  bool sayOutside(const Expr &expr, const llvm::Twine &message);
  void sayTypes(const Expr &left, const Expr &right, mlir::Type leftType,
                mlir::Type rightType, llvm::SMRange range);
  std::optional<Val> findName(llvm::StringRef name);
  Val emitNumber(const Expr &expr, bool isNegative = false);
  Val emitUnary(const Expr &expr);
  Val emitBinary(const Expr &expr);
  bool areConditions(const Expr &expr, const Expr &operand, const Val &value);
  Val advancePointer(const Expr &expr, Val pointer, const Expr &offsetExpr,
                     const Val &offset);
  Val emitIndex(const Expr &expr);
  Val emitPart(const Expr &expr, const Val &tuple);
  /// Brings both to one element type.
  bool unify(const Expr &left, Val &leftValue, const Expr &right,
             Val &rightValue, llvm::SMRange range);
  mlir::Value operation(const Expr &expr, mlir::Value left, mlir::Value right);
  /// A compile-time integer, or an error that says what it is for.
  std::optional<int64_t> emitInteger(const Expr &expr, const llvm::Twine &what);

  // Casts.cpp
  Val emitCast(const Expr &expr);
  mlir::Value cutNumber(const Expr &expr, const Val &value, mlir::Type element);
  mlir::Value castElements(mlir::Location loc, mlir::Value value,
                           mlir::Type element);

  // Folding.cpp
  Val foldUnary(const Expr &expr, Val value);
  Val fold(const Expr &expr, const Val &left, const Val &right);
  Val foldComparison(const Expr &expr, const Val &left, const Val &right);
  Val foldNumbers(const Expr &expr, const Val &left, const Val &right);
  Val foldIntegers(const Expr &expr, int64_t a, int64_t b);
  bool checkShift(const Expr &amount, const Val &value, mlir::Type element);

  // Builtins.cpp
  using Builtin = Val (KernelEmitter::*)(const Expr &);
  struct BuiltinEntry {
    llvm::StringLiteral name;
    Builtin emit;
  };
  static llvm::ArrayRef<BuiltinEntry> builtins();
  static Builtin findBuiltin(llvm::StringRef name);
  std::string helpForFunction(llvm::StringRef name);
  std::string helpToName(const Expr &call, unsigned count,
                         llvm::ArrayRef<llvm::StringRef> named);
  Val emitCall(const Expr &expr);
  void sayUnknownFunction(const Expr &expr);
  Val emitProgramId(const Expr &expr);
  Val emitArange(const Expr &expr);
  /// The two coordinates of a program in grouped order.
  Val emitGrouped(const Expr &expr);
  std::pair<mlir::Value, mlir::Value>
  groupedOrder(mlir::Location loc, mlir::Value pid, mlir::Value rows,
               mlir::Value columns, mlir::Value group);
  /// The arguments by position; names from `named` fill `byName`, which has an
  /// entry for each of them.
  bool matchArguments(const Expr &call, unsigned count,
                      llvm::ArrayRef<llvm::StringRef> named,
                      llvm::SmallVectorImpl<const Expr *> &byName);
  /// The argument for each slot: by position, or by its name.
  bool bindArguments(const Expr &call, llvm::ArrayRef<Slot> slots,
                     llvm::SmallVectorImpl<const Expr *> &given);
  bool unknownName(const Expr &call, llvm::ArrayRef<Slot> slots,
                   const Identifier &name);
  /// A tile; anything else is an error.
  mlir::Value emitTile(const Expr &expr, llvm::StringRef function);
  /// A compile-time condition that may be missing.
  bool emitFlag(const Expr *expr, bool fallback);

  // Fills.cpp
  std::string helpToFill(const Expr &call);
  Val emitFilled(const Expr &expr);

  // Dot.cpp
  Val emitDot(const Expr &expr);
  mlir::Value emitMatrix(const Expr &expr);
  bool checkFactors(const Expr &left, mlir::Type leftType, const Expr &right,
                    mlir::Type rightType);
  bool checkAccumulator(const Expr &expr, mlir::Type accumulator,
                        llvm::ArrayRef<int64_t> sides, mlir::Type element);
  std::optional<Precision> emitPrecision(const Expr *word, mlir::Type element);
  bool emitPromotion(const Expr *expr, mlir::Type element,
                     mlir::IntegerAttr &result);

  // Elementwise.cpp
  Val emitCeilDiv(const Expr &expr);
  mlir::Value makeExtremum(mlir::Location loc, bool isMin, mlir::Value left,
                           mlir::Value right);
  Val emitIntegerAbs(const Expr &expr, mlir::Value value);
  Val emitMinMax(const Expr &expr);
  Val emitClamp(const Expr &expr);
  Val emitWhere(const Expr &expr);
  Val emitMath(const Expr &expr);
  Val emitMathPair(const Expr &expr);
  Val emitFma(const Expr &expr);
  Val emitIntegerFunction(const Expr &expr);
  Val emitBitcast(const Expr &expr);

  // ShapeCalls.cpp
  Val emitTranspose(const Expr &expr);
  Val emitReshape(const Expr &expr);
  Val emitDtype(const Expr &expr);
  Val emitSide(const Expr &expr);
  /// Compile-time integers from argument `from` on.
  bool emitSides(const Expr &call, size_t from,
                 llvm::SmallVectorImpl<int64_t> &sides);

  // Reductions.cpp
  Val emitReduction(const Expr &expr);
  Val emitArgument(const Expr &expr);
  Val emitFold(const Expr &expr);
  using Combine = llvm::function_ref<bool(
      mlir::ValueRange, llvm::SmallVectorImpl<mlir::Value> &)>;
  /// A reduction or a scan of tiles of one shape.
  struct FoldOptions {
    int64_t axis = 0;
    bool isScan = false;
    bool isReverse = false;
    bool reassoc = false;
  };
  llvm::SmallVector<mlir::Value> makeFold(const Expr &expr,
                                          mlir::ValueRange tiles,
                                          FoldOptions options, Combine combine);
  /// The axis, or 0 after the tile has become a line.
  std::optional<int64_t> emitAxis(const Expr *axis, mlir::Value &tile);
  mlir::Value makeCombined(mlir::Location loc, llvm::StringRef name,
                           mlir::Value left, mlir::Value right);
  mlir::Value makeBetter(mlir::Location loc, bool isMin, mlir::Value value,
                         mlir::Value other);
  struct FoldCall {
    llvm::SmallVector<const Expr *> tiles;
    const Expr *axis = nullptr, *function = nullptr, *flag = nullptr;
  };
  bool splitFold(const Expr &expr, FoldCall &call);
  bool combineBy(const Expr &expr, const Expr &name, mlir::ValueRange in,
                 llvm::SmallVectorImpl<mlir::Value> &out);

  // Atomics.cpp
  Val emitAtomic(const Expr &expr);
  bool emitUpdatedPlace(const Expr &expr, Val &pointer, mlir::Value &inside);
  Val emitCompareAndSwap(const Expr &expr);

  // Debug.cpp
  Val emitAssert(const Expr &expr);
  Val emitPrint(const Expr &expr);

  // Memory.cpp
  /// Where an access goes: a pointer with its offsets.
  bool emitPlace(const Expr &expr, const llvm::Twine &what, Val &pointer);
  /// What is written there, of the place's element type and shape.
  bool emitStored(const Expr &expr, const Expr &place, const Val &pointer,
                  llvm::StringRef access, mlir::Value &value);
  Val emitLoad(const Expr &expr);
  Val emitStore(const Expr &expr);
  bool emitMask(const Expr *mask, llvm::SMRange pointer, mlir::Type offsets,
                llvm::StringRef access, mlir::Value &result);
  /// A run-time value; pointers and types are errors.
  bool emitRunTime(const Expr &expr, mlir::Type element, mlir::Value &result) {
    return takeRunTime(expr, emitExpr(expr), element, result);
  }
  bool takeRunTime(const Expr &expr, const Val &value, mlir::Type element,
                   mlir::Value &result);

  // Shapes.cpp
  /// `values` brought to one shape, then `make` on them.
  mlir::Value
  elementwise(mlir::Location loc, llvm::SMRange range, mlir::ValueRange values,
              llvm::function_ref<mlir::Value(mlir::ValueRange)> make);
  mlir::Value spread(mlir::Location loc, mlir::Value value,
                     llvm::ArrayRef<int64_t> shape);
  mlir::Value constantOf(mlir::Location loc, const Val &value,
                         mlir::Type element, llvm::SMRange range);
  /// The value as a constant of the type that it has alone.
  mlir::Value constantAlone(const Expr &expr, const Val &value);
  /// The type of a number or a condition that nothing else gives one.
  mlir::Type typeAlone(const Val &value);
  mlir::Type elementType(const Identifier &name);
  mlir::Type argumentType(const Argument &argument);

  mlir::Location location(llvm::SMRange range);
  static std::string describe(mlir::Type type);
  std::string describe(const Val &value) const;

  mlir::OpBuilder &builder;
  const llvm::SourceMgr &sources;
  const llvm::StringMap<std::string> &overrides;
  const FunctionMap &functions;
  DiagnosticList &errors;
  llvm::SmallVector<Scope> scopes;
  /// Of the kernel, while functions are inlined that do not see them.
  const llvm::SmallVector<Scope> *kernelScopes = nullptr;
  /// Tensors that are arranged; values point to them.
  std::map<llvm::StringRef, ArrangedTensor> arranged;
  /// Integer arguments, which sizes are made of.
  std::vector<std::string> symbolNames;
  ArrangementLog *log;
  /// Lints that are silent here, and where ops stand that they look at.
  LintSet allowed;
  LintPlaces lintPlaces;

  /// The function that is being inlined: what it returns, once it has.
  struct Frame {
    std::optional<Val> result;
    llvm::SMRange returned;
    /// Loops and branches that run around the statement.
    unsigned numRegions = 0;
    /// A statement is a value that nothing uses, and was to be returned.
    bool hasUnused = false;
  };
  /// The last statement that was a value that nothing uses.
  const Stmt *unused = nullptr;
  Frame *frame = nullptr;
  /// The part of a tensor that a statement changes, and what it was.
  struct Updated {
    const Expr *target;
    Val value;
  };
  std::optional<Updated> updated;
  unsigned numCalls = 0;
  /// Levels of expressions and statements on the stack, through calls.
  unsigned numLevels = 0;
  /// Expressions and statements of the source so far.
  unsigned &numSteps;
  bool isTooLarge = false;
};

/// Whether the operator compares.
bool isComparison(llvm::StringRef op);
/// How a conversion is written.
std::string helpToCast(const Expr &value, llvm::StringRef type);
/// The value compared with 0, which makes a condition of it.
std::string helpToCompare(const Expr &value, llvm::StringRef op);
/// The type of a scalar or of a tile's elements.
mlir::Type elementOf(mlir::Type type);
/// The sides; empty for a scalar.
llvm::ArrayRef<int64_t> shapeOf(mlir::Type type);
/// "[128, 64]".
std::string sidesText(llvm::ArrayRef<int64_t> shape);
/// The element type of this name, or null.
mlir::Type builtinType(mlir::MLIRContext *context, llvm::StringRef name);

} // namespace tile::frontend

#endif // TILE_FRONTEND_KERNELEMITTER_H
