// RUN: tile-opt %s --split-input-file --verify-diagnostics

// Each numbered constraint of the ops that make and reshape tiles, broken once.

// A tile has at least one dimension.
tile.kernel @tile_rank_zero(%x: f32) {
  // expected-error @+1 {{must be tile (ranked tensor with static sides of at least 1 and at most 2^24 elements)}}
  %0 = tile.splat %x : tensor<f32>
  tile.return
}

// -----

// A tile has static sides.
tile.kernel @tile_dynamic(%x: f32) {
  // expected-error @+1 {{but got 'tensor<4x?xf32>'}}
  %0 = tile.splat %x : tensor<4x?xf32>
  tile.return
}

// -----

// A tile has no empty side.
tile.kernel @tile_empty(%x: f32) {
  // expected-error @+1 {{but got 'tensor<4x0xf32>'}}
  %0 = tile.splat %x : tensor<4x0xf32>
  tile.return
}

// -----

// A tile has at most 2^24 elements.
tile.kernel @tile_large(%x: f32) {
  %0 = tile.splat %x : tensor<4096x4096xf32>
  // expected-error @+1 {{but got 'tensor<4096x4097xf32>'}}
  %1 = tile.splat %x : tensor<4096x4097xf32>
  tile.return
}

// -----

// Sides whose product overflows are too large like any other.
tile.kernel @tile_overflow(%x: f32) {
  // expected-error @+1 {{but got 'tensor<4294967296x4294967296xf32>'}}
  %0 = tile.splat %x : tensor<4294967296x4294967296xf32>
  tile.return
}

// -----

// A tile's elements are what memory can hold.
tile.kernel @tile_element(%x: f32) {
  // expected-error @+1 {{of f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i64, i32, i16, i8 or i1, but got 'tensor<4xi4>'}}
  %0 = "tile.splat"(%x) : (f32) -> tensor<4xi4>
  tile.return
}

// -----

// C1: iota counts along one dimension.
tile.kernel @iota_c1_rank() {
  // expected-error @+1 {{expected a result of one dimension, got 'tensor<4x4xi32>'}}
  %0 = tile.iota : tensor<4x4xi32>
  tile.return
}

// -----

// iota counts in i32 or i64.
tile.kernel @iota_element() {
  // expected-error @+1 {{of i32 or i64, but got 'tensor<4xi16>'}}
  %0 = tile.iota : tensor<4xi16>
  tile.return
}

// -----

// A splat's scalar is an element of the tile.
tile.kernel @splat_element(%x: f32) {
  // expected-error @+1 {{failed to verify that value has the element type of the tile}}
  %0 = "tile.splat"(%x) : (f32) -> tensor<4xf16>
  tile.return
}

// -----

// C1: the new dimension is at most at the end.
tile.kernel @expand_dims_c1_axis() {
  %i = tile.iota : tensor<4xi32>
  // expected-error @+1 {{expected an axis from 0 to 1, got 2}}
  %0 = tile.expand_dims %i axis 2 : tensor<4xi32> -> tensor<4x1xi32>
  tile.return
}

// -----

// C1: and not before the start.
tile.kernel @expand_dims_c1_negative() {
  %i = tile.iota : tensor<4xi32>
  // expected-error @+1 {{expected an axis from 0 to 1, got -1}}
  %0 = tile.expand_dims %i axis -1 : tensor<4xi32> -> tensor<4x1xi32>
  tile.return
}

// -----

// C2: the 1 stands where axis says.
tile.kernel @expand_dims_c2_shape() {
  %i = tile.iota : tensor<4xi32>
  // expected-error @+1 {{expected a result of shape 1x4, got 4x1}}
  %0 = tile.expand_dims %i axis 0 : tensor<4xi32> -> tensor<4x1xi32>
  tile.return
}

// -----

// C1: broadcast adds no dimension.
tile.kernel @broadcast_c1_rank() {
  %i = tile.iota : tensor<4xi32>
  // expected-error @+1 {{expected source and result of one rank, got 1 and 2}}
  %0 = tile.broadcast %i : tensor<4xi32> -> tensor<4x4xi32>
  tile.return
}

// -----

// C2: only a side of 1 is repeated.
tile.kernel @broadcast_c2_side() {
  %i = tile.iota : tensor<2xi32>
  // expected-error @+1 {{expected side 0 of the source to be 1 or 4, got 2}}
  %0 = tile.broadcast %i : tensor<2xi32> -> tensor<4xi32>
  tile.return
}

// -----

// C1: no element is lost or made up.
tile.kernel @reshape_c1_elements() {
  %i = tile.iota : tensor<6xi32>
  // expected-error @+1 {{expected as many elements as the source's 6, got 8}}
  %0 = tile.reshape %i : tensor<6xi32> -> tensor<2x4xi32>
  tile.return
}

// -----

// A shape op keeps the element type.
tile.kernel @reshape_element() {
  %i = tile.iota : tensor<6xi32>
  // expected-error @+1 {{requires the same element type for all operands and results}}
  %0 = tile.reshape %i : tensor<6xi32> -> tensor<6xf32>
  tile.return
}

// -----

// C1: order names each dimension once.
tile.kernel @transpose_c1_repeated(%x: f32) {
  %t = tile.splat %x : tensor<2x3xf32>
  // expected-error @+1 {{expected order to be a permutation of 2 dimensions, got [0, 0]}}
  %0 = tile.transpose %t order [0, 0] : tensor<2x3xf32> -> tensor<2x2xf32>
  tile.return
}

// -----

// C1: and all of them.
tile.kernel @transpose_c1_missing(%x: f32) {
  %t = tile.splat %x : tensor<2x3xf32>
  // expected-error @+1 {{expected order to be a permutation of 2 dimensions, got [0]}}
  %0 = tile.transpose %t order [0] : tensor<2x3xf32> -> tensor<2xf32>
  tile.return
}

// -----

// C1: and no other.
tile.kernel @transpose_c1_outside(%x: f32) {
  %t = tile.splat %x : tensor<2x3xf32>
  // expected-error @+1 {{expected order to be a permutation of 2 dimensions, got [9223372036854775807, -1]}}
  %0 = tile.transpose %t order [9223372036854775807, -1] : tensor<2x3xf32> -> tensor<3x2xf32>
  tile.return
}

// -----

// C2: the sides move with their dimensions.
tile.kernel @transpose_c2_shape(%x: f32) {
  %t = tile.splat %x : tensor<2x3xf32>
  // expected-error @+1 {{expected a result of shape 3x2, got 2x3}}
  %0 = tile.transpose %t order [1, 0] : tensor<2x3xf32> -> tensor<2x3xf32>
  tile.return
}
