// RUN: tile-opt %s --split-input-file --verify-diagnostics

// Each numbered constraint of the types, and of the attribute on kernels,
// broken once.

#m = #tile.layout<offset = [[0, 1], [1, 0]], sides = [2, 2]>

// C1: a ring has a slot.
tile.kernel @buffer_c1_none() {
  // expected-error @+1 {{expected 1 to 1024 slots, got 0}}
  %0 = tile_gpu.alloc : !tile_gpu.buffer<0x2x2xf32, #m>
  tile.return
}

// -----

#m = #tile.layout<offset = [[0, 1], [1, 0]], sides = [2, 2]>

// C1: a ring has no more slots than any memory has.
tile.kernel @buffer_c1_many() {
  // expected-error @+1 {{expected 1 to 1024 slots, got 1025}}
  %0 = tile_gpu.alloc : !tile_gpu.buffer<1025x2x2xf32, #m>
  tile.return
}

// -----

// C1: a slot holds a tile of at least one dimension.
tile.kernel @buffer_c1_rank() {
  // expected-error @+1 {{expected slots and at least one dimension, got 1 numbers}}
  %0 = tile_gpu.alloc : !tile_gpu.buffer<2xf32, #tile.layout<offset = [[1]], sides = [2]>>
  tile.return
}

// -----

#m = #tile.layout<offset = [[0, 1], [1, 0]], sides = [2, 2]>

// C1: a tile has no empty side.
tile.kernel @buffer_c1_empty() {
  // expected-error @+1 {{expected a tile of at most 2^24 elements, got 0x2}}
  %0 = tile_gpu.alloc : !tile_gpu.buffer<1x0x2xf32, #m>
  tile.return
}

// -----

#m = #tile.layout<offset = [[0, 1], [1, 0]], sides = [2, 2]>

// C1: a tile has a size that can be computed with.
tile.kernel @buffer_c1_size() {
  // expected-error @+1 {{expected a tile of at most 2^24 elements, got 4611686018427387904x4611686018427387904}}
  %0 = tile_gpu.alloc : !tile_gpu.buffer<1x4611686018427387904x4611686018427387904xf32, #m>
  tile.return
}

// -----

#r = #tile.layout<register = [[0, 1], [1, 0]], sides = [2, 2]>

// C2: a slot is laid out by offsets.
tile.kernel @buffer_c2_registers() {
  // expected-error @+1 {{expected a layout of shared-memory offsets, got #tile.layout<register = }}
  %0 = tile_gpu.alloc : !tile_gpu.buffer<1x2x2xf32, #r>
  tile.return
}

// -----

#m = #tile.layout<offset = [[0, 1], [1, 0]], sides = [2, 2]>

// C2: the layout has the tile's shape.
tile.kernel @buffer_c2_shape() {
  // expected-error @+1 {{expected a layout of the buffer's shape, got #tile.layout<offset = }}
  %0 = tile_gpu.alloc : !tile_gpu.buffer<1x2x4xf32, #m>
  tile.return
}

// -----

#twice = #tile.layout<offset = [[1], [1]], sides = [2]>

// C2: no element lies in two places.
tile.kernel @buffer_c2_twice() {
  // expected-error @+1 {{expected a layout that holds each element once, got #tile.layout<offset = }}
  %0 = tile_gpu.alloc : !tile_gpu.buffer<1x2xf32, #twice>
  tile.return
}

// -----

#missing = #tile.layout<offset = [[1]], sides = [4]>

// C2: no element is missing.
tile.kernel @buffer_c2_missing() {
  // expected-error @+1 {{expected a layout that holds each element once, got #tile.layout<offset = }}
  %0 = tile_gpu.alloc : !tile_gpu.buffer<1x4xf32, #missing>
  tile.return
}

// -----

#m = #tile.layout<offset = [[0, 1], [1, 0]], sides = [2, 2]>

// C3: memory holds the elements of tile.
tile.kernel @buffer_c3_element() {
  // expected-error @+1 {{expected an element type that memory can hold, got 'i7'}}
  %0 = tile_gpu.alloc : !tile_gpu.buffer<1x2x2xi7, #m>
  tile.return
}

// -----

// C1: a cursor walks over slots.
tile.kernel @cursor_c1_none() {
  // expected-error @+1 {{expected 1 to 1024 slots, got 0}}
  %0 = tile_gpu.cursor : !tile_gpu.cursor<0>
  tile.return
}

// -----

// C1: a cursor walks over no more slots than a ring has.
tile.kernel @cursor_c1_many() {
  // expected-error @+1 {{expected 1 to 1024 slots, got 1025}}
  %0 = tile_gpu.cursor : !tile_gpu.cursor<1025>
  tile.return
}

// -----

// The bytes of shared memory are a number.
// expected-error @+1 {{expected 'tile_gpu.shared' to be an i64 of at least 0, got "much"}}
tile.kernel @shared_type() attributes {tile_gpu.shared = "much"} {
  tile.return
}

// -----

// The bytes of shared memory are not negative.
// expected-error @+1 {{expected 'tile_gpu.shared' to be an i64 of at least 0, got -1 : i64}}
tile.kernel @shared_negative() attributes {tile_gpu.shared = -1 : i64} {
  tile.return
}

// -----

// The bytes of shared memory stand on a kernel.
tile.kernel @shared_place() {
  // expected-error @+1 {{expected 'tile_gpu.shared' on a tile.kernel}}
  tile_gpu.barrier {tile_gpu.shared = 1 : i64}
  tile.return
}

// -----

// No other attribute of the dialect exists.
// expected-error @+1 {{unknown attribute 'tile_gpu.share' of dialect 'tile_gpu'}}
tile.kernel @attribute_name() attributes {tile_gpu.share = 1 : i64} {
  tile.return
}
