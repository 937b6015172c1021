// RUN: tile-opt %s --split-input-file --verify-diagnostics

// Each numbered constraint of tensor maps and of the copy engine's ops, broken once.

// C1: a box has sides that the hardware can count.
tile.kernel @tensor_map_type_c1_side(%p: !tile.ptr<f16>, %m: i32, %s: i64) {
  %map = tile_gpu.tensor_map %p dims[%m, %m] strides[%s]
      // expected-error @+1 {{expected a box of one to five sides from 1 to 256}}
      : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<512x64xf16, swizzle = 128>
  tile.return
}

// -----

// C2: a swizzle is one of the hardware.
tile.kernel @tensor_map_type_c2_swizzle(%p: !tile.ptr<f16>, %m: i32, %s: i64) {
  %map = tile_gpu.tensor_map %p dims[%m, %m] strides[%s]
      // expected-error @+1 {{expected swizzle to be 0, 32, 64 or 128, got 256}}
      : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<64x64xf16, swizzle = 256>
  tile.return
}

// -----

// C3: memory holds the elements.
tile.kernel @tensor_map_type_c3_element(%p: !tile.ptr<f16>, %m: i32, %s: i64) {
  %map = tile_gpu.tensor_map %p dims[%m, %m] strides[%s]
      // expected-error @+1 {{expected tf32 or an element type that memory can hold, got 'i7'}}
      : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<64x64xi7, swizzle = 128>
  tile.return
}

// -----

// C4: an element of tf32 has four bytes.
tile.kernel @tensor_map_type_c4_tf32(%p: !tile.ptr<f32>, %m: i32, %s: i64) {
  %map = tile_gpu.tensor_map %p dims[%m, %m] strides[%s]
      // expected-error @+1 {{expected a contiguous side of a multiple of 16 bytes within the swizzle, got 256 bytes}}
      : !tile.ptr<f32>, i32, !tile_gpu.tensor_map<64x64xtf32, swizzle = 128>
  tile.return
}

// -----

// C3: a map of tf32 is one of f32 in memory.
tile.kernel @tensor_map_c3_tf32(%p: !tile.ptr<f16>, %m: i32, %s: i64) {
  // expected-error @+1 {{expected a pointer to 'f32', got '!tile.ptr<f16>'}}
  %map = tile_gpu.tensor_map %p dims[%m, %m] strides[%s]
      : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<64x32xtf32, swizzle = 128>
  tile.return
}

// -----

// C4: a row of a box is no longer than the swizzle.
tile.kernel @tensor_map_type_c4_wide(%p: !tile.ptr<f16>, %m: i32, %s: i64) {
  %map = tile_gpu.tensor_map %p dims[%m, %m] strides[%s]
      // expected-error @+1 {{expected a contiguous side of a multiple of 16 bytes within the swizzle, got 256 bytes}}
      : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<64x128xf16, swizzle = 128>
  tile.return
}

// -----

// C4: and takes whole chunks of 16 bytes.
tile.kernel @tensor_map_type_c4_chunk(%p: !tile.ptr<f16>, %m: i32, %s: i64) {
  %map = tile_gpu.tensor_map %p dims[%m, %m] strides[%s]
      // expected-error @+1 {{expected a contiguous side of a multiple of 16 bytes within the swizzle, got 8 bytes}}
      : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<64x4xf16, swizzle = 0>
  tile.return
}

// -----

// C1: the launcher knows the base.
tile.kernel @tensor_map_c1_base(%p: !tile.ptr<f16>, %m: i32, %s: i64) {
  %q = tile.offset %p, %m : !tile.ptr<f16>, i32
  // expected-error @+1 {{expected base to be an argument of the kernel}}
  %map = tile_gpu.tensor_map %q dims[%m, %m] strides[%s]
      : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
  tile.return
}

// -----

// C2: a dim for each side of the box.
tile.kernel @tensor_map_c2_dims(%p: !tile.ptr<f16>, %m: i32, %s: i64) {
  // expected-error @+1 {{expected 2 dims and one stride fewer, got 1 and 1}}
  %map = tile_gpu.tensor_map %p dims[%m] strides[%s]
      : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
  tile.return
}

// -----

// C2: one stride fewer.
tile.kernel @tensor_map_c2_strides(%p: !tile.ptr<f16>, %m: i32, %s: i64) {
  // expected-error @+1 {{expected 2 dims and one stride fewer, got 2 and 2}}
  %map = tile_gpu.tensor_map %p dims[%m, %m] strides[%s, %s]
      : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
  tile.return
}

// -----

// C3: the map has the pointer's elements.
tile.kernel @tensor_map_c3_element(%p: !tile.ptr<bf16>, %m: i32, %s: i64) {
  // expected-error @+1 {{expected a pointer to 'f16', got '!tile.ptr<bf16>'}}
  %map = tile_gpu.tensor_map %p dims[%m, %m] strides[%s]
      : !tile.ptr<bf16>, i32, !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
  tile.return
}

// -----

// C4: the launcher knows the dims.
tile.kernel @tensor_map_c4_dims(%p: !tile.ptr<f16>, %m: i32, %s: i64) {
  %d = arith.addi %m, %m : i32
  // expected-error @+1 {{expected dims and strides to be arguments of the kernel or constants, got }}
  %map = tile_gpu.tensor_map %p dims[%d, %m] strides[%s]
      : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
  tile.return
}

// -----

#a = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>

// C1: a coordinate for each dimension.
tile.kernel @tma_load_c1_origin(%p: !tile.ptr<f16>, %m: i32, %s: i64) {
  %map = tile_gpu.tensor_map %p dims[%m, %m] strides[%s]
      : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
  %full = tile_gpu.barriers arrivals 1 : !tile_gpu.barriers<2>
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x64x64xf16, #a>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  // expected-error @+1 {{expected 2 coordinates, got 1}}
  tile_gpu.tma_load %map[%m] into %ring[%c] signals %full
      : !tile_gpu.tensor_map<64x64xf16, swizzle = 128>, !tile_gpu.buffer<2x64x64xf16, #a>,
        !tile_gpu.cursor<2>, !tile_gpu.barriers<2>
  tile.return
}

// -----

#a = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>

// C2: the cursor walks over the slots of the ring.
tile.kernel @tma_load_c2_ring(%p: !tile.ptr<f16>, %m: i32, %s: i64) {
  %map = tile_gpu.tensor_map %p dims[%m, %m] strides[%s]
      : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
  %full = tile_gpu.barriers arrivals 1 : !tile_gpu.barriers<2>
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x64x64xf16, #a>
  %c = tile_gpu.cursor : !tile_gpu.cursor<3>
  // expected-error @+1 {{expected a cursor over 2 slots, got 3}}
  tile_gpu.tma_load %map[%m, %m] into %ring[%c] signals %full
      : !tile_gpu.tensor_map<64x64xf16, swizzle = 128>, !tile_gpu.buffer<2x64x64xf16, #a>,
        !tile_gpu.cursor<3>, !tile_gpu.barriers<2>
  tile.return
}

// -----

#a = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>

// C2: and over those of the barriers.
tile.kernel @tma_load_c2_barriers(%p: !tile.ptr<f16>, %m: i32, %s: i64) {
  %map = tile_gpu.tensor_map %p dims[%m, %m] strides[%s]
      : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
  %full = tile_gpu.barriers arrivals 1 : !tile_gpu.barriers<4>
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x64x64xf16, #a>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  // expected-error @+1 {{expected a cursor over 4 slots, got 2}}
  tile_gpu.tma_load %map[%m, %m] into %ring[%c] signals %full
      : !tile_gpu.tensor_map<64x64xf16, swizzle = 128>, !tile_gpu.buffer<2x64x64xf16, #a>,
        !tile_gpu.cursor<2>, !tile_gpu.barriers<4>
  tile.return
}

// -----

#a = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>

// C3: the slots have the elements of the map.
tile.kernel @tma_load_c3_element(%p: !tile.ptr<f16>, %m: i32, %s: i64) {
  %map = tile_gpu.tensor_map %p dims[%m, %m] strides[%s]
      : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
  %full = tile_gpu.barriers arrivals 1 : !tile_gpu.barriers<2>
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x64x64xbf16, #a>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  // expected-error @+1 {{expected slots of 'f16', got 'bf16'}}
  tile_gpu.tma_load %map[%m, %m] into %ring[%c] signals %full
      : !tile_gpu.tensor_map<64x64xf16, swizzle = 128>, !tile_gpu.buffer<2x64x64xbf16, #a>,
        !tile_gpu.cursor<2>, !tile_gpu.barriers<2>
  tile.return
}

// -----

#m = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>

// C4: a slot's layout is the map's swizzle.
tile.kernel @tma_load_c4_swizzle(%p: !tile.ptr<f16>, %m: i32, %s: i64) {
  %map = tile_gpu.tensor_map %p dims[%m, %m] strides[%s]
      : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
  %full = tile_gpu.barriers arrivals 1 : !tile_gpu.barriers<2>
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x64x64xf16, #m>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  // expected-error @+1 {{expected slots that whole boxes fill, in the map's swizzle, got }}
  tile_gpu.tma_load %map[%m, %m] into %ring[%c] signals %full
      : !tile_gpu.tensor_map<64x64xf16, swizzle = 128>, !tile_gpu.buffer<2x64x64xf16, #m>,
        !tile_gpu.cursor<2>, !tile_gpu.barriers<2>
  tile.return
}

// -----

#a = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>

// C4: whole boxes fill a slot.
tile.kernel @tma_load_c4_boxes(%p: !tile.ptr<f16>, %m: i32, %s: i64) {
  %map = tile_gpu.tensor_map %p dims[%m, %m] strides[%s]
      : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<128x64xf16, swizzle = 128>
  %full = tile_gpu.barriers arrivals 1 : !tile_gpu.barriers<2>
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x64x64xf16, #a>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  // expected-error @+1 {{expected slots that whole boxes fill, in the map's swizzle, got }}
  tile_gpu.tma_load %map[%m, %m] into %ring[%c] signals %full
      : !tile_gpu.tensor_map<128x64xf16, swizzle = 128>, !tile_gpu.buffer<2x64x64xf16, #a>,
        !tile_gpu.cursor<2>, !tile_gpu.barriers<2>
  tile.return
}

// -----

#a = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>

// C1: a coordinate for each dimension.
tile.kernel @tma_store_c1_origin(%p: !tile.ptr<f16>, %m: i32, %s: i64) {
  %x = arith.constant dense<0.0> : tensor<64x64xf16>
  %map = tile_gpu.tensor_map %p dims[%m, %m] strides[%s]
      : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x64x64xf16, #a>
  // expected-error @+1 {{expected 2 coordinates, got 3}}
  tile_gpu.tma_store %x, %map[%m, %m, %m] via %ring : tensor<64x64xf16>,
      !tile_gpu.tensor_map<64x64xf16, swizzle = 128>, !tile_gpu.buffer<2x64x64xf16, #a>
  tile.return
}

// -----

#a = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>

// C2: the value has the elements of the map.
tile.kernel @tma_store_c2_value(%p: !tile.ptr<f16>, %m: i32, %s: i64) {
  %x = arith.constant dense<0.0> : tensor<64x64xf32>
  %map = tile_gpu.tensor_map %p dims[%m, %m] strides[%s]
      : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x64x64xf16, #a>
  // expected-error @+1 {{expected a value and slots of 'f16', got 'f32' and 'f16'}}
  tile_gpu.tma_store %x, %map[%m, %m] via %ring : tensor<64x64xf32>,
      !tile_gpu.tensor_map<64x64xf16, swizzle = 128>, !tile_gpu.buffer<2x64x64xf16, #a>
  tile.return
}

// -----

#a = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>

// C2: so have the slots.
tile.kernel @tma_store_c2_slots(%p: !tile.ptr<f16>, %m: i32, %s: i64) {
  %x = arith.constant dense<0.0> : tensor<64x64xf16>
  %map = tile_gpu.tensor_map %p dims[%m, %m] strides[%s]
      : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x64x64xbf16, #a>
  // expected-error @+1 {{expected a value and slots of 'f16', got 'f16' and 'bf16'}}
  tile_gpu.tma_store %x, %map[%m, %m] via %ring : tensor<64x64xf16>,
      !tile_gpu.tensor_map<64x64xf16, swizzle = 128>, !tile_gpu.buffer<2x64x64xbf16, #a>
  tile.return
}

// -----

#a = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>

// C3: a slot is a box.
tile.kernel @tma_store_c3_box(%p: !tile.ptr<f16>, %m: i32, %s: i64) {
  %x = arith.constant dense<0.0> : tensor<64x64xf16>
  %map = tile_gpu.tensor_map %p dims[%m, %m] strides[%s]
      : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<32x64xf16, swizzle = 128>
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x64x64xf16, #a>
  // expected-error @+1 {{expected slots of the map's box, got }}
  tile_gpu.tma_store %x, %map[%m, %m] via %ring : tensor<64x64xf16>,
      !tile_gpu.tensor_map<32x64xf16, swizzle = 128>, !tile_gpu.buffer<2x64x64xf16, #a>
  tile.return
}

// -----

#m = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>

// C3: in the map's swizzle.
tile.kernel @tma_store_c3_swizzle(%p: !tile.ptr<f16>, %m: i32, %s: i64) {
  %x = arith.constant dense<0.0> : tensor<64x64xf16>
  %map = tile_gpu.tensor_map %p dims[%m, %m] strides[%s]
      : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x64x64xf16, #m>
  // expected-error @+1 {{expected slots that whole boxes fill, in the map's swizzle, got }}
  tile_gpu.tma_store %x, %map[%m, %m] via %ring : tensor<64x64xf16>,
      !tile_gpu.tensor_map<64x64xf16, swizzle = 128>, !tile_gpu.buffer<2x64x64xf16, #m>
  tile.return
}

// -----

#a = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>

// C4: whole boxes fill the value.
tile.kernel @tma_store_c4_value(%p: !tile.ptr<f16>, %m: i32, %s: i64) {
  %x = arith.constant dense<0.0> : tensor<64x96xf16>
  %map = tile_gpu.tensor_map %p dims[%m, %m] strides[%s]
      : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x64x64xf16, #a>
  // expected-error @+1 {{expected a matrix that whole boxes fill, got }}
  tile_gpu.tma_store %x, %map[%m, %m] via %ring : tensor<64x96xf16>,
      !tile_gpu.tensor_map<64x64xf16, swizzle = 128>, !tile_gpu.buffer<2x64x64xf16, #a>
  tile.return
}

// -----

// C1: a coordinate for each dimension.
tile.kernel @tma_prefetch_c1_origin(%p: !tile.ptr<f16>, %m: i32, %s: i64) {
  %map = tile_gpu.tensor_map %p dims[%m, %m] strides[%s]
      : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
  // expected-error @+1 {{expected 2 coordinates, got 1}}
  tile_gpu.tma_prefetch %map[%m] : !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
  tile.return
}
