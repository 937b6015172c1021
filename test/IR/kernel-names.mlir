// RUN: tile-opt %s --verify-roundtrip | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic --mlir-print-local-scope | FileCheck %s --check-prefix=GENERIC

// Argument names are kept by the text, and a grid formula uses them.

// Names come from the signature; a number gets a name that a launcher can pass.
// CHECK-LABEL: tile.kernel @from_text(%x: i32, %arg1: f32, %_: i1)
// GENERIC: arg_names = ["x", "arg1", "_"]
tile.kernel @from_text(%x: i32, %1: f32, %_: i1) {
  tile.return
}

// Symbol i of the grid is the i-th integer argument, whatever stands between.
// CHECK-LABEL: @positions
// CHECK-SAME: grid affine_map<()[M, N] -> (M ceildiv 64, N mod 8)>
// GENERIC: grid = affine_map<()[s0, s1] -> (s0 ceildiv 64, s1 mod 8)>
tile.kernel @positions(%a: !tile.ptr<f16>, %M: i32, %x: f32, %N: i64, %K: i32)
    grid affine_map<()[first, second] -> (first ceildiv 64, second mod 8)> {
  tile.return
}

// Names that look like symbols of the map are not confused with them.
// CHECK-LABEL: @symbols
// CHECK-SAME: (%s1: i32, %s0: i32) grid affine_map<()[s1, s0] -> (s1 ceildiv 2, s0 + 7)>
// GENERIC: grid = affine_map<()[s0, s1] -> (s0 ceildiv 2, s1 + 7)>
tile.kernel @symbols(%s1: i32, %s0: i32)
    grid affine_map<()[a, b] -> (a ceildiv 2, b + 7)> {
  tile.return
}

// A name that contains a symbol's is renamed as a whole.
// CHECK-LABEL: @words
// CHECK-SAME: grid affine_map<()[as0, s00] -> (as0, s00, as0 * 2)>
tile.kernel @words(%as0: i32, %s00: i32)
    grid affine_map<()[x, y] -> (x, y, x * 2)> {
  tile.return
}

// More than ten symbols are told apart.
// CHECK-LABEL: @many
// CHECK-SAME: -> (b * 100 + k * 10 + l)>
tile.kernel @many(%a: i32, %b: i32, %c: i32, %d: i32, %e: i32, %f: i32, %g: i32,
                  %h: i32, %i: i32, %j: i32, %k: i32, %l: i32)
    grid affine_map<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11]
                    -> (s1 * 100 + s10 * 10 + s11)> {
  tile.return
}

// Names that the grammar of maps does not take leave the map as it is.
// CHECK-LABEL: @operators
// CHECK-SAME: (%mod: i32, %n: i32) grid affine_map<()[s0, s1] -> (s0 ceildiv 2, s1)>
tile.kernel @operators(%mod: i32, %n: i32)
    grid affine_map<()[a, b] -> (a ceildiv 2, b)> {
  tile.return
}

// So do names that read as types.
// CHECK-LABEL: @types
// CHECK-SAME: (%i32: i32) grid affine_map<()[s0] -> (s0)>
tile.kernel @types(%i32: i32) grid affine_map<()[a] -> (a)> {
  tile.return
}

// Other words of the language may be names.
// CHECK-LABEL: @keywords
// CHECK-SAME: grid affine_map<()[dense, f32, index, loc, attributes] -> (dense + f32 + index + loc + attributes)>
tile.kernel @keywords(%dense: i32, %f32: i32, %index: i32, %loc: i32, %attributes: i32)
    grid affine_map<()[a, b, c, d, e] -> (a + b + c + d + e)> {
  tile.return
}

// A grid of constants depends on no argument.
// CHECK-LABEL: @constant
// CHECK-SAME: grid affine_map<() -> (4, 2, 1)>
tile.kernel @constant() grid affine_map<() -> (4, 2, 1)> {
  tile.return
}

// A value of the body does not take an argument's name away.
// CHECK-LABEL: @clash
// CHECK-SAME: (%pid_x: i32)
// CHECK-NEXT: %pid_x_0 = tile.program_id x
// CHECK-NEXT: arith.addi %pid_x_0, %pid_x
tile.kernel @clash(%pid_x: i32) {
  %0 = tile.program_id x
  %1 = arith.addi %0, %pid_x : i32
  tile.print "x", %1 : i32
  tile.return
}
