// RUN: tile-opt %s --split-input-file --verify-diagnostics

// Each numbered constraint of the structural ops, broken once.

// C1: a kernel returns nothing.
// expected-error @+1 {{'tile.kernel' op expected no results, got 'i32'}}
tile.kernel @kernel_c1_results(%a: i32) -> i32 {
  tile.return
}

// -----

// C2: an argument is a scalar or a pointer, not a tile.
// expected-error @+1 {{expected arguments to be scalars or pointers, got 'tensor<4xf32>'}}
tile.kernel @kernel_c2_tile(%a: tensor<4xf32>) {
  tile.return
}

// -----

// C2: nor is it an index, whose width nobody knows.
// expected-error @+1 {{expected arguments to be scalars or pointers, got 'index'}}
tile.kernel @kernel_c2_index(%a: index) {
  tile.return
}

// -----

// C2: integers are signless and of a width that memory holds.
// expected-error @+1 {{expected arguments to be scalars or pointers, got 'i7'}}
tile.kernel @kernel_c2_width(%a: i7) {
  tile.return
}

// -----

// C3: a name is an identifier.
// expected-error @+1 {{expected argument names to be identifiers, got 'a$b'}}
tile.kernel @kernel_c3_identifier(%a$b: i32) {
  tile.return
}

// -----

// C3: names differ, also where one was made up for a number.
// expected-error @+1 {{expected argument names to differ, got 'arg0' twice}}
tile.kernel @kernel_c3_differ(%0: i32, %arg0: i32) {
  tile.return
}

// -----

// C4: a grid has at least one axis.
// expected-error @+1 {{expected a grid of one to three results, got 0}}
tile.kernel @kernel_c4_none(%n: i32) grid affine_map<()[n] -> ()> {
  tile.return
}

// -----

// C4: a grid has at most three axes.
// expected-error @+1 {{expected a grid of one to three results, got 4}}
tile.kernel @kernel_c4_four(%n: i32) grid affine_map<()[n] -> (n, n, n, n)> {
  tile.return
}

// -----

// C4: a grid depends on no more than the integer arguments.
// expected-error @+1 {{expected a grid over at most 1 symbols and no dimensions, got 2 and 0}}
tile.kernel @kernel_c4_symbols(%n: i32, %x: f32)
    grid affine_map<()[n, x] -> (x)> {
  tile.return
}

// -----

// C4: a grid has no dimensions.
// expected-error @+1 {{expected a grid over at most 1 symbols and no dimensions, got 0 and 1}}
tile.kernel @kernel_c4_dimensions(%n: i32) grid affine_map<(n) -> (n)> {
  tile.return
}

// -----

// C5: there is no aliasing of numbers.
// expected-error @+1 {{expected noalias on a pointer, got it on argument 1 of type 'i32'}}
tile.kernel @kernel_c5_noalias(%a: i32, %n: i32 {tile.fact = #tile.fact<noalias>}) {
  tile.return
}

// -----

// C5: an address has no range.
// expected-error @+1 {{expected a range on an integer, got it on argument 0 of type '!tile.ptr<f32>'}}
tile.kernel @kernel_c5_range(%a: !tile.ptr<f32> {tile.fact = #tile.fact<min = 0>}) {
  tile.return
}

// -----

// C5: nothing is said of a float.
// expected-error @+1 {{expected a fact on an integer or a pointer, got it on argument 0 of type 'f32'}}
tile.kernel @kernel_c5_float(%a: f32 {tile.fact = #tile.fact<divisibility = 2>}) {
  tile.return
}

// -----

// C6: a body is one block.
// expected-error @+1 {{region with 1 blocks}}
tile.kernel @kernel_c6_blocks() {
  tile.return
^bb1:
  tile.return
}

// -----

// C6: a body ends in tile.return.
// expected-error @+1 {{expected a body that ends in tile.return}}
tile.kernel @kernel_c6_return(%a: i32) {
  %0 = arith.addi %a, %a : i32
}

// -----

// C6: an empty body has no end.
// expected-error @+1 {{expected a body that ends in tile.return}}
tile.kernel @kernel_c6_empty(%a: i32) {
}

// -----

// Only tile.fact stands on an argument.
// expected-error @+1 {{unknown attribute 'tile.alignment' on an argument}}
tile.kernel @kernel_argument_attribute(%a: i32 {tile.alignment = 16}) {
  tile.return
}

// -----

// tile.fact is a #tile.fact.
// expected-error @+1 {{expected 'tile.fact' to be a #tile.fact, got 16 : i64}}
tile.kernel @kernel_argument_fact(%a: i32 {tile.fact = 16}) {
  tile.return
}

// -----

// The grid is an affine map.
// expected-error @+1 {{invalid kind of attribute specified}}
tile.kernel @kernel_grid_kind(%n: i32) grid 5 {
  tile.return
}

// -----

// What the signature spells is not spelt again among the attributes.
// expected-error @+1 {{expected 'variant' in the kernel's signature, got it among its attributes}}
tile.kernel @kernel_attribute_twice() attributes {variant = "x"} {
  tile.return
}

// -----

// A kernel stands in a symbol table, not in a kernel.
tile.kernel @kernel_nested() {
  // expected-error @+1 {{symbol's parent must have the SymbolTable trait}}
  tile.kernel @inner() {
    tile.return
  }
  tile.return
}

// -----

// Two kernels have two names.
// expected-note @+1 {{see existing symbol definition here}}
tile.kernel @kernel_twice() {
  tile.return
}
// expected-error @+1 {{redefinition of symbol named 'kernel_twice'}}
tile.kernel @kernel_twice() {
  tile.return
}

// -----

// tile.return ends a kernel and nothing else.
// expected-error @+1 {{'tile.return' op expects parent op 'tile.kernel'}}
tile.return

// -----

// A grid has the axes x, y and z.
tile.kernel @program_id_axis() {
  // expected-error @+2 {{expected ::tile::Axis to be one of: x, y, z}}
  // expected-error @+1 {{failed to parse}}
  %0 = tile.program_id w tile.return
}

// -----

// C1: noalias is said of a pointer.
tile.kernel @assume_c1_noalias(%n: i32) {
  // expected-error @+1 {{expected noalias of a pointer, got it of 'i32'}}
  tile.assume %n, <noalias> : i32
  tile.return
}

// -----

// C2: a range is said of an integer.
tile.kernel @assume_c2_range(%p: !tile.ptr<f32>) {
  // expected-error @+1 {{expected a range of an integer, got it of '!tile.ptr<f32>'}}
  tile.assume %p, <max = 3> : !tile.ptr<f32>
  tile.return
}

// -----

// tile.yield stands in a combining region.
tile.kernel @yield_parent(%x: f32) {
  // expected-error @+1 {{'tile.yield' op expects parent op to be one of 'tile.reduce, tile.scan'}}
  tile.yield %x : f32
  tile.return
}

// -----

// tile.pipeline stands on loops only.
tile.kernel @pipeline_place() {
  // expected-error @+1 {{expected 'tile.pipeline' on an scf.for}}
  %0 = arith.constant {tile.pipeline = #tile.pipeline<stages = 2>} 1 : i32
  tile.return
}

// -----

// tile.pipeline is a #tile.pipeline.
tile.kernel @pipeline_kind(%n: i32) {
  // expected-error @+1 {{expected 'tile.pipeline' to be a #tile.pipeline, got 2 : i64}}
  scf.for %i = %n to %n step %n : i32 {
  } {tile.pipeline = 2}
  tile.return
}

// -----

// tile.stage counts from 0.
tile.kernel @stage_negative() {
  // expected-error @+1 {{expected 'tile.stage' to be an i64 of at least 0, got -1 : i64}}
  %0 = arith.constant {tile.stage = -1} 1 : i32
  tile.return
}

// -----

// The dialect has no other attributes for ops of others.
tile.kernel @attribute_unknown() {
  // expected-error @+1 {{unknown attribute 'tile.nope' of dialect 'tile'}}
  %0 = arith.constant {tile.nope} 1 : i32
  tile.return
}
