//===- TileOps.td - Ops of the tile dialect ----------------*- tablegen -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_IR_TILEOPS_TD
#define TILE_IR_TILEOPS_TD

include "tile/IR/TileBase.td"
include "tile/IR/TileMemoryOps.td"

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

def Tile_KernelOp : Tile_Op<"kernel", [
    FunctionOpInterface, IsolatedFromAbove, AutomaticAllocationScope,
    OpAsmOpInterface]> {
  let summary = "A kernel: the program that every point of the grid runs";
  let description = [{
    Arguments are scalars and `!tile.ptr`s and have names, which the launcher,
    the manifest and diagnostics use.  A `tile.fact` on an argument states what
    every launch must fulfil.  `tile.contiguous` on a stride is a hint: launches
    mostly pass 1 there, so that variants should assume it (by default they
    assume it of the stride of an access's last dimension).

    `grid` gives the number of programs along x, y and z as a function of the
    integer arguments: symbol i of the map is the i-th integer argument.

    `variant` is set by specialisation: this kernel is the variant of that name.

    (C1) it returns nothing; (C2) arguments are scalars or pointers; (C3) names
    are identifiers, all different, one for each argument; (C4) the grid map has
    one to three results, no dimensions and at most as many symbols as there are
    integer arguments; (C5) a `tile.fact` stands on an integer or a pointer, its
    range on an integer, its noalias on a pointer, `tile.contiguous` on an
    integer; (C6) the body is one block that ends in `tile.return`.

    ```mlir
    tile.kernel @fill(%p: !tile.ptr<f32> {tile.fact = #tile.fact<noalias>},
                      %n: i32) grid affine_map<()[n] -> (n ceildiv 128)> {
      tile.return
    }
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<FunctionType>:$function_type,
    StrArrayAttr:$arg_names,
    OptionalAttr<AffineMapAttr>:$grid,
    OptionalAttr<StrAttr>:$variant,
    OptionalAttr<Tile_PlanAttr>:$plan,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// FunctionOpInterface.
    ::mlir::ArrayRef<::mlir::Type> getArgumentTypes() {
      return getFunctionType().getInputs();
    }
    ::mlir::ArrayRef<::mlir::Type> getResultTypes() {
      return getFunctionType().getResults();
    }
    ::mlir::Region *getCallableRegion() { return &getBody(); }

    /// The name of argument `index`.
    ::llvm::StringRef getArgName(unsigned index);
    /// The argument with this name, or null.
    ::mlir::BlockArgument getArgByName(::llvm::StringRef name);
    /// The integer arguments in order: what the symbols of `grid` stand for.
    ::llvm::SmallVector<::mlir::BlockArgument> getIntegerArguments();

    /// OpAsmOpInterface: arguments keep their names in the text.
    void getAsmBlockArgumentNames(::mlir::Region &region,
                                  ::mlir::OpAsmSetValueNameFn setName);
  }];
}

def Tile_ReturnOp : Tile_Op<"return", [
    Pure, Terminator, ReturnLike, HasParent<"KernelOp">]> {
  let summary = "End of a program";
  let description = [{
    ```mlir
    tile.return
    ```
  }];
  let assemblyFormat = "attr-dict";
}

class Tile_GridOp<string mnemonic> : Tile_Op<mnemonic, [
    Pure, DeclareOpInterfaceMethods<InferIntRangeInterface,
                                    ["inferResultRanges"]>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let arguments = (ins Tile_AxisAttr:$axis);
  let results = (outs I32:$result);
  // `` here and below: an enum attribute prints a space of its own.
  let assemblyFormat = "`` $axis attr-dict";
}

def Tile_ProgramIdOp : Tile_GridOp<"program_id"> {
  let summary = "This program's place in the grid";
  let description = [{
    From 0 to `tile.num_programs` - 1 along the axis.  An id is data: the
    compiler may run any program on any multiprocessor in any order.

    ```mlir
    %pid = tile.program_id x
    ```
  }];
}

def Tile_NumProgramsOp : Tile_GridOp<"num_programs"> {
  let summary = "The number of programs along an axis of the grid";
  let description = [{
    ```mlir
    %n = tile.num_programs x
    ```
  }];
}

def Tile_AssumeOp : Tile_Op<"assume", [
    MemoryEffects<[MemWrite]>]> {
  let summary = "State a fact that holds whenever this point is reached";
  let description = [{
    Specialisation puts one at the start of a variant for every fact that the
    launcher checks; analyses read it.  Running a program in which it does not
    hold is an error that the interpreter reports.  It is modelled as a write so
    that it is not removed as dead.

    (C1) noalias is said of a pointer only; (C2) a range of an integer only.

    ```mlir
    tile.assume %stride, <min = 1, max = 1> : i64
    ```
  }];
  let arguments = (ins
    AnyTypeOf<[Tile_PointerType, I64, I32, I16, I8, I1],
              "pointer, i64, i32, i16, i8 or i1">:$value,
    Tile_FactAttr:$fact);
  let assemblyFormat =
      "$value `,` $fact attr-dict `:` qualified(type($value))";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_YieldOp : Tile_Op<"yield", [
    Pure, Terminator, ReturnLike, ParentOneOf<["ReduceOp", "ScanOp"]>]> {
  let summary = "Result of a reduction's region";
  let description = [{
    ```mlir
    tile.yield %sum : f32
    ```
  }];
  let arguments = (ins Variadic<Tile_Element>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

//===----------------------------------------------------------------------===//
// Make and reshape
//===----------------------------------------------------------------------===//

def Tile_IotaOp : Tile_Op<"iota", [
    Pure, DeclareOpInterfaceMethods<InferIntRangeInterface,
                                    ["inferResultRanges"]>]> {
  let summary = "0, 1, 2, ... along one dimension";
  let description = [{
    Formula: `result[i] = i`.

    (C1) the result has one dimension.

    ```mlir
    %r = tile.iota : tensor<128xi32>
    ```
  }];
  let results = (outs Tile_OffsetTile:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_SplatOp : Tile_Op<"splat", [
    Pure, TypesMatchWith<"value has the element type of the tile", "result",
        "value", "::llvm::cast<::mlir::RankedTensorType>($_self).getElementType()">,
    DeclareOpInterfaceMethods<InferIntRangeInterface,
                              ["inferResultRanges"]>]> {
  let summary = "A tile whose elements are all one scalar";
  let description = [{
    ```mlir
    %t = tile.splat %x : tensor<128x64xf32>
    ```
  }];
  let arguments = (ins Tile_Element:$value);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
  let hasFolder = 1;
}

/// A reshaping of one tile that leaves the elements' values alone.
class Tile_ShapeOp<string mnemonic, list<Trait> traits = []>
    : Tile_Op<mnemonic, traits # [Pure, SameOperandsAndResultElementType,
        DeclareOpInterfaceMethods<InferIntRangeInterface,
                                  ["inferResultRanges"]>]> {
  let results = (outs Tile_Tile:$result);
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Tile_ExpandDimsOp : Tile_ShapeOp<"expand_dims"> {
  let summary = "Insert a dimension of side 1";
  let description = [{
    (C1) axis is from 0 to the rank of the source; (C2) the result has the
    source's shape with a 1 inserted at axis.

    ```mlir
    %c = tile.expand_dims %r axis 1 : tensor<128xi32> -> tensor<128x1xi32>
    ```
  }];
  let arguments = (ins Tile_Tile:$source, I32Attr:$axis);
  let assemblyFormat =
      "$source `axis` $axis attr-dict `:` type($source) `->` type($result)";
  let hasCanonicalizer = 1;
}

def Tile_BroadcastOp : Tile_ShapeOp<"broadcast"> {
  let summary = "Repeat a tile along its sides of 1";
  let description = [{
    (C1) source and result have the same rank; (C2) each side of the source is 1
    or the result's.

    ```mlir
    %b = tile.broadcast %c : tensor<128x1xi32> -> tensor<128x64xi32>
    ```
  }];
  let arguments = (ins Tile_Tile:$source);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasCanonicalizer = 1;
}

def Tile_ReshapeOp : Tile_ShapeOp<"reshape"> {
  let summary = "The same elements in row-major order under another shape";
  let description = [{
    (C1) source and result have the same number of elements.

    ```mlir
    %f = tile.reshape %t : tensor<16x8xf32> -> tensor<128xf32>
    ```
  }];
  let arguments = (ins Tile_Tile:$source);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasCanonicalizer = 1;
}

def Tile_TransposeOp : Tile_ShapeOp<"transpose"> {
  let summary = "Permute the dimensions";
  let description = [{
    Dimension i of the result is dimension `order[i]` of the source.

    (C1) order is a permutation of the source's dimensions; (C2) the result's
    shape is the source's permuted.

    ```mlir
    %t = tile.transpose %x order [1, 0] : tensor<64x32xf16> -> tensor<32x64xf16>
    ```
  }];
  let arguments = (ins Tile_Tile:$source, DenseI64ArrayAttr:$order);
  let assemblyFormat =
      "$source `order` $order attr-dict `:` type($source) `->` type($result)";
  let hasCanonicalizer = 1;
}

//===----------------------------------------------------------------------===//
// Compute
//===----------------------------------------------------------------------===//

def Tile_DotOp : Tile_Op<"dot", [
    Pure, AllTypesMatch<["acc", "result"]>]> {
  let summary = "Matrix product of two tiles, added to a third";
  let description = [{
    Formula: `result[m, n] = acc[m, n] + sum over ascending k of a[m, k] *
    b[k, n]`, one chain in the accumulator's type.  For f32, `ieee` rounds after
    each fused multiply-add; `tf32` rounds both operands to tf32, to nearest
    even, first.  Narrower floats are exact in the products.  i8 is signed, i32
    wraps.

    `tf32x3` splits each operand into its rounding to tf32, the large part, and
    the rounding of what that leaves, the small part, and takes three products
    for each k: small * large, large * small, large * large.  The products of each
    8 k's, counted from the tile's first, are one chain from zero, whose sum is
    then added to the accumulator: that is rounded once for 8 k's.  A large part
    that is infinite or NaN leaves no small part, and counts as 0 beside one, so
    that infinity stays where it is.

    `promote_every` bounds, for 8-bit floats, how many k may be added inside the
    tensor core: each so many k's, counted from the tile's first, are one chain
    from zero, whose sum is then added to the accumulator.

    (C1) a, b and acc are matrices with sides m x k, k x n and m x n; (C2) a and
    b have one element type; (C3) the accumulator is f32 or f16 for f16, f32
    for bf16, f8 and f32, f64 for f64, i32 for i8; (C4) precision is ieee unless
    the operands are f32; (C5) promote_every is positive and stands on 8-bit
    floats only.

    ```mlir
    %d = tile.dot %x, %y, %acc
        : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    ```
  }];
  let arguments = (ins
    Tile_Tile:$a, Tile_Tile:$b, Tile_Tile:$acc,
    DefaultValuedAttr<Tile_PrecisionAttr, "::tile::Precision::Ieee">:$precision,
    OptionalAttr<I64Attr>:$promote_every,
    OptionalAttr<Tile_MmaAttr>:$plan, OptionalAttr<Tile_RequireAttr>:$require);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $acc (`precision` `` $precision^)?
    (`promote_every` $promote_every^)?
    (`plan` `` $plan^)? (`require` custom<Require>($require)^)? attr-dict
    `:` type($a) `,` type($b) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_ReduceOp : Tile_Op<"reduce", [
    RecursiveMemoryEffects, SameVariadicOperandSize,
    SingleBlock]> {
  let summary = "Combine the elements along one dimension";
  let description = [{
    The region combines two groups of elements, one for each operand.  The order
    is a fixed tree over the axis index's bits, low to high: neighbours 2i and
    2i + 1 first; a group that has no partner passes through.  With `reassoc`
    any order is allowed.  What a NaN does is what the region's op says
    (`arith.maximumf` propagates, `arith.maxnumf` ignores).

    (C1) there is an operand, and all have one shape; (C2) axis is a dimension of
    it; (C3) there is a result for each operand, of its type without the axis, a
    scalar if nothing is left; (C4) the region takes two groups of the operands' element types, left then
    right, and yields one.

    ```mlir
    %s = tile.reduce %x axis 1 {
      ^bb0(%l: f32, %r: f32):
        %sum = arith.addf %l, %r : f32
        tile.yield %sum : f32
    } : tensor<128x64xf32> -> tensor<128xf32>
    ```
  }];
  let arguments = (ins Variadic<Tile_Tile>:$operands, I32Attr:$axis,
                       UnitAttr:$reassoc);
  let results = (outs Variadic<Tile_Value>:$results);
  let regions = (region SizedRegion<1>:$combine);
  let assemblyFormat = [{
    $operands `axis` $axis (`reassoc` $reassoc^)? $combine attr-dict
    `:` type($operands) `->` type($results)
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_ScanOp : Tile_Op<"scan", [
    RecursiveMemoryEffects, SameVariadicOperandSize,
    SingleBlock]> {
  let summary = "Running combination along one dimension, inclusive";
  let description = [{
    Formula: `result[0] = x[0]; result[i] = combine(result[i-1], x[i])`, from the
    other end with `reverse`.

    (C1) there is an operand, and all have one shape; (C2) axis is a dimension of
    it; (C3) there is a result for each operand, of its type; (C4) the region as in `tile.reduce`.

    ```mlir
    %s = tile.scan %x axis 0 {
      ^bb0(%l: i32, %r: i32):
        %sum = arith.addi %l, %r : i32
        tile.yield %sum : i32
    } : tensor<128xi32> -> tensor<128xi32>
    ```
  }];
  let arguments = (ins Variadic<Tile_Tile>:$operands, I32Attr:$axis,
                       UnitAttr:$reverse);
  let results = (outs Variadic<Tile_Tile>:$results);
  let regions = (region SizedRegion<1>:$combine);
  let assemblyFormat = [{
    $operands `axis` $axis (`reverse` $reverse^)? $combine attr-dict
    `:` type($operands) `->` type($results)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Debug
//===----------------------------------------------------------------------===//

def Tile_AssertOp : Tile_Op<"assert", [MemoryEffects<[MemWrite]>]> {
  let summary = "Stop the launch with a message where a condition is false";
  let description = [{
    ```mlir
    tile.assert %ok, "index out of range" : tensor<128xi1>
    ```
  }];
  let arguments = (ins Tile_Mask:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` type($condition)";
}

def Tile_PrintOp : Tile_Op<"print", [MemoryEffects<[MemWrite]>]> {
  let summary = "Print values with a label";
  let description = [{
    ```mlir
    tile.print "acc", %x : tensor<4xf32>
    ```
  }];
  let arguments = (ins StrAttr:$label, Variadic<Tile_Value>:$values);
  let assemblyFormat = "$label (`,` $values^ `:` type($values))? attr-dict";
}

#endif // TILE_IR_TILEOPS_TD
