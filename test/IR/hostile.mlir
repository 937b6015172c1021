// RUN: tile-opt %s --split-input-file --verify-diagnostics

// The generic form can say what the pretty form can't.  Whatever it says, the
// answer is a diagnostic.

// A kernel without anything.
// expected-error @+1 {{'tile.kernel' op requires attribute 'arg_names'}}
"tile.kernel"() ({
  tile.return
}) : () -> ()

// -----

// A kernel without a region.
// expected-error @+1 {{'tile.kernel' op requires one region}}
"tile.kernel"() <{sym_name = "k", function_type = () -> (), arg_names = []}> : () -> ()

// -----

// A kernel with two.
// expected-error @+1 {{'tile.kernel' op requires one region}}
"tile.kernel"() <{sym_name = "k", function_type = () -> (), arg_names = []}> ({
  tile.return
}, {
  tile.return
}) : () -> ()

// -----

// A kernel whose region has no block.
// expected-error @+1 {{failed to verify constraint: region with 1 blocks}}
"tile.kernel"() <{sym_name = "k", function_type = () -> (), arg_names = []}> ({
}) : () -> ()

// -----

// A kernel whose type is no function's.
// expected-error @+1 {{'function_type' failed to satisfy constraint: type attribute of function type}}
"tile.kernel"() <{sym_name = "k", function_type = i32, arg_names = []}> ({
  tile.return
}) : () -> ()

// -----

// A kernel whose body has other arguments than its type.
// expected-error @+1 {{entry block must have 1 arguments to match function signature}}
"tile.kernel"() <{sym_name = "k", function_type = (i32) -> (), arg_names = ["a"]}> ({
  tile.return
}) : () -> ()

// -----

// Fewer names than arguments, one of which has a wrong fact.
// expected-error @+1 {{expected noalias on a pointer, got it on argument 0 of type 'i32'}}
"tile.kernel"() <{sym_name = "k", function_type = (i32) -> (), arg_names = [],
                  arg_attrs = [{tile.fact = #tile.fact<noalias>}]}> ({
^bb0(%a: i32):
  tile.return
}) : () -> ()

// -----

// C3: fewer names than arguments.
// expected-error @+1 {{expected a name for each of 1 arguments, got 0}}
"tile.kernel"() <{sym_name = "k", function_type = (i32) -> (), arg_names = []}> ({
^bb0(%a: i32):
  tile.return
}) : () -> ()

// -----

// C3: a name that no C program could hold.
// expected-error @+1 {{expected argument names to be identifiers, got 'a b\%'}}
"tile.kernel"() <{sym_name = "k", function_type = (i32) -> (), arg_names = ["a b\5C%"]}> ({
^bb0(%a: i32):
  tile.return
}) : () -> ()

// -----

// C3: no name at all.
// expected-error @+1 {{expected argument names to be identifiers, got ''}}
"tile.kernel"() <{sym_name = "k", function_type = (i32) -> (), arg_names = [""]}> ({
^bb0(%a: i32):
  tile.return
}) : () -> ()

// -----

// C3: a letter that is not ASCII.
// expected-error @+1 {{expected argument names to be identifiers, got}}
"tile.kernel"() <{sym_name = "k", function_type = (i32) -> (), arg_names = ["\C3\A9"]}> ({
^bb0(%a: i32):
  tile.return
}) : () -> ()

// -----

// C3: one name for two.
// expected-error @+1 {{expected argument names to differ, got 'a' twice}}
"tile.kernel"() <{sym_name = "k", function_type = (i32, i32) -> (), arg_names = ["a", "a"]}> ({
^bb0(%a: i32, %b: i32):
  tile.return
}) : () -> ()

// -----

// Names that are no text.
// expected-error @+1 {{'arg_names' failed to satisfy constraint: string array attribute}}
"tile.kernel"() <{sym_name = "k", function_type = (i32) -> (), arg_names = [3]}> ({
^bb0(%a: i32):
  tile.return
}) : () -> ()

// -----

// More facts than arguments.
// expected-error @+1 {{expects argument attribute array to have the same number of elements}}
"tile.kernel"() <{sym_name = "k", function_type = () -> (), arg_names = [],
                  arg_attrs = [{tile.fact = #tile.fact<noalias>}]}> ({
  tile.return
}) : () -> ()

// -----

// A grid that is no map.
// expected-error @+1 {{Invalid attribute `grid` in property conversion: 3 : i64}}
"tile.kernel"() <{sym_name = "k", function_type = () -> (), arg_names = [], grid = 3}> ({
  tile.return
}) : () -> ()

// -----

// An axis of the grid that is none.
tile.kernel @program_id_missing() {
  // expected-error @+1 {{'tile.program_id' op requires attribute 'axis'}}
  %0 = "tile.program_id"() : () -> i32
  tile.return
}

// -----

// An axis that is a number.
tile.kernel @program_id_number() {
  // expected-error @+1 {{Invalid attribute `axis` in property conversion: -1 : i32}}
  %0 = "tile.program_id"() <{axis = -1 : i32}> : () -> i32
  tile.return
}

// -----

// An id of another width.
tile.kernel @program_id_type() {
  // expected-error @+1 {{result #0 must be 32-bit signless integer, but got 'i64'}}
  %0 = "tile.program_id"() <{axis = #tile<axis x>}> : () -> i64
  tile.return
}

// -----

// An axis far outside.
tile.kernel @expand_dims_axis() {
  %i = tile.iota : tensor<4xi32>
  // expected-error @+1 {{expected an axis from 0 to 1, got 2147483647}}
  %0 = "tile.expand_dims"(%i) <{axis = 2147483647 : i32}> : (tensor<4xi32>) -> tensor<4x1xi32>
  tile.return
}

// -----

// An axis of another width.
tile.kernel @expand_dims_width() {
  %i = tile.iota : tensor<4xi32>
  // expected-error @+1 {{'axis' failed to satisfy constraint: 32-bit signless integer attribute}}
  %0 = "tile.expand_dims"(%i) <{axis = 1 : i64}> : (tensor<4xi32>) -> tensor<4x1xi32>
  tile.return
}

// -----

// A side of 2^63 - 1.
tile.kernel @iota_huge() {
  // expected-error @+1 {{but got 'tensor<9223372036854775807xi64>'}}
  %0 = tile.iota : tensor<9223372036854775807xi64>
  tile.return
}

// -----

// A tile that is a vector.
tile.kernel @iota_vector() {
  // expected-error @+1 {{but got 'vector<4xi32>'}}
  %0 = "tile.iota"() : () -> vector<4xi32>
  tile.return
}

// -----

// A tile without a rank.
tile.kernel @splat_unranked(%x: f32) {
  // expected-error @+1 {{but got 'tensor<*xf32>'}}
  %0 = "tile.splat"(%x) : (f32) -> tensor<*xf32>
  tile.return
}

// -----

// A splat to a scalar.
tile.kernel @splat_scalar(%x: f32) {
  // expected-error @+1 {{but got 'f32'}}
  %0 = "tile.splat"(%x) : (f32) -> f32
  tile.return
}

// -----

// A splat of nothing.
tile.kernel @splat_nothing() {
  // expected-error @+1 {{requires a single operand}}
  %0 = "tile.splat"() : () -> tensor<4xf32>
  tile.return
}

// -----

// An order of another width.
tile.kernel @transpose_order() {
  %i = tile.iota : tensor<4xi32>
  // expected-error @+1 {{Invalid attribute `order` in property conversion: array<i32: 0>}}
  %0 = "tile.transpose"(%i) <{order = array<i32: 0>}> : (tensor<4xi32>) -> tensor<4xi32>
  tile.return
}

// -----

// Operands that nobody counted.
tile.kernel @load_segments(%p: !tile.ptr<f32>, %i: i32) {
  // expected-error @+1 {{operand count (2) does not match with the total size (0)}}
  %0 = "tile.load"(%p, %i) : (!tile.ptr<f32>, i32) -> f32
  tile.return
}

// -----

// Operands of which there are less than none.
tile.kernel @load_negative(%p: !tile.ptr<f32>, %i: i32) {
  // expected-error @+1 {{cannot have negative elements}}
  %0 = "tile.load"(%p, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, -1>}>
      : (!tile.ptr<f32>, i32) -> f32
  tile.return
}

// -----

// Two base pointers.
tile.kernel @load_bases(%p: !tile.ptr<f32>, %i: i32) {
  // expected-error @+1 {{must be pointer to elements of one type in global memory, but got 'i32'}}
  %0 = "tile.load"(%p, %i) <{operandSegmentSizes = array<i32: 2, 0, 0, 0>}>
      : (!tile.ptr<f32>, i32) -> f32
  tile.return
}

// -----

// A store of nothing.
tile.kernel @store_nothing(%p: !tile.ptr<f32>, %i: i32) {
  // expected-error @+1 {{expected 3 or more operands, but found 2}}
  "tile.store"(%p, %i) : (!tile.ptr<f32>, i32) -> ()
  tile.return
}

// -----

// A store with two masks.
tile.kernel @store_masks(%p: !tile.ptr<f32>, %i: i32, %x: f32, %m: i1) {
  // expected-error @+1 {{operand group starting at #3 requires 0 or 1 element, but found 2}}
  "tile.store"(%p, %i, %x, %m, %m) : (!tile.ptr<f32>, i32, f32, i1, i1) -> ()
  tile.return
}

// -----

// A dot of scalars.
tile.kernel @dot_scalars(%x: f32) {
  // expected-error @+1 {{but got 'f32'}}
  %0 = "tile.dot"(%x, %x, %x) : (f32, f32, f32) -> f32
  tile.return
}

// -----

// A reduction without a region.
tile.kernel @reduce_region() {
  %i = tile.iota : tensor<4xi32>
  // expected-error @+1 {{'tile.reduce' op requires one region}}
  %0 = "tile.reduce"(%i) <{axis = 0 : i32}> : (tensor<4xi32>) -> i32
  tile.return
}

// -----

// A reduction whose region has no block.
tile.kernel @reduce_block() {
  %i = tile.iota : tensor<4xi32>
  // expected-error @+1 {{region with 1 blocks}}
  %0 = "tile.reduce"(%i) <{axis = 0 : i32}> ({
  }) : (tensor<4xi32>) -> i32
  tile.return
}

// -----

// A reduction whose block is empty.
tile.kernel @reduce_empty() {
  %i = tile.iota : tensor<4xi32>
  // expected-error @+1 {{expects a non-empty block}}
  %0 = "tile.reduce"(%i) <{axis = 0 : i32}> ({
  ^bb0(%l: i32, %r: i32):
  }) : (tensor<4xi32>) -> i32
  tile.return
}

// -----

// A scan with two blocks.
tile.kernel @scan_blocks() {
  %i = tile.iota : tensor<4xi32>
  // expected-error @+1 {{expects region #0 to have 0 or 1 blocks}}
  %0 = "tile.scan"(%i) <{axis = 0 : i32}> ({
  ^bb0(%l: i32, %r: i32):
    tile.yield %l : i32
  ^bb1:
    tile.yield %l : i32
  }) : (tensor<4xi32>) -> tensor<4xi32>
  tile.return
}

// -----

// A reduction to a tensor of no dimensions.
tile.kernel @reduce_rank_zero() {
  %i = tile.iota : tensor<4xi32>
  // expected-error @+1 {{must be variadic of tile or scalar, but got 'tensor<i32>'}}
  %0 = "tile.reduce"(%i) <{axis = 0 : i32}> ({
  ^bb0(%l: i32, %r: i32):
    tile.yield %l : i32
  }) : (tensor<4xi32>) -> tensor<i32>
  tile.return
}

// -----

// A kind of update that is a number.
tile.kernel @atomic_kind(%p: !tile.ptr<i32>, %i: i32) {
  // expected-error @+1 {{Invalid attribute `kind` in property conversion: 77 : i32}}
  %0 = "tile.atomic_rmw"(%p, %i, %i) <{kind = 77 : i32}> : (!tile.ptr<i32>, i32, i32) -> i32
  tile.return
}

// -----

// An assumption without a fact.
tile.kernel @assume_nothing(%n: i32) {
  // expected-error @+1 {{requires attribute 'fact'}}
  "tile.assume"(%n) : (i32) -> ()
  tile.return
}

// -----

// An assumption of an integer that memory can't hold.
tile.kernel @assume_wide(%n: i32) {
  %w = arith.extsi %n : i32 to i128
  // expected-error @+1 {{must be pointer, i64, i32, i16, i8 or i1, but got 'i128'}}
  "tile.assume"(%w) <{fact = #tile.fact<min = 0>}> : (i128) -> ()
  tile.return
}

// -----

// An op that the dialect does not have.
tile.kernel @unknown_op() {
  // expected-error @+1 {{unregistered operation 'tile.nope'}}
  "tile.nope"() : () -> ()
  tile.return
}
