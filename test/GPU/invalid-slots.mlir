// RUN: tile-opt %s --split-input-file --verify-diagnostics

// Each numbered constraint of the ops on slots and layouts broken once.

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 16]>

// C1: rings start where a swizzle does.
tile.kernel @alloc_c1_multiple() {
  // expected-error @+1 {{expected offset to be a multiple of 128 from 0 to 2^30, got 64}}
  %0 = tile_gpu.alloc at 64 : !tile_gpu.buffer<2x16x16xf16, #k>
  tile.return
}

// -----

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 16]>

// C1: rings start in shared memory.
tile.kernel @alloc_c1_negative() {
  // expected-error @+1 {{expected offset to be a multiple of 128 from 0 to 2^30, got -128}}
  %0 = tile_gpu.alloc at -128 : !tile_gpu.buffer<2x16x16xf16, #k>
  tile.return
}

// -----

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 16]>

// C1: offsets can be computed with.
tile.kernel @alloc_c1_large() {
  // expected-error @+1 {{expected offset to be a multiple of 128 from 0 to 2^30, got 9223372036854775680}}
  %0 = tile_gpu.alloc at 9223372036854775680 : !tile_gpu.buffer<2x16x16xf16, #k>
  tile.return
}

// -----

// C1: an advance goes on.
tile.kernel @advance_c1_steps() {
  %0 = tile_gpu.cursor : !tile_gpu.cursor<2>
  // expected-error @+1 {{expected at least 1 step, got 0}}
  %1 = tile_gpu.advance %0 by 0 : !tile_gpu.cursor<2>
  tile.return
}

// -----

// C1: an advance does not go back.
tile.kernel @advance_c1_negative() {
  %0 = tile_gpu.cursor : !tile_gpu.cursor<2>
  // expected-error @+1 {{expected at least 1 step, got -1}}
  %1 = tile_gpu.advance %0 by -1 : !tile_gpu.cursor<2>
  tile.return
}

// -----

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 16]>
#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// C1: the slots share k.
tile.kernel @mma_c1_k() {
  %a = tile_gpu.alloc : !tile_gpu.buffer<2x16x8xf16, #n>
  %b = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf16, #n>
  %ca = tile_gpu.cursor : !tile_gpu.cursor<2>
  %cb = tile_gpu.cursor : !tile_gpu.cursor<1>
  %zero = arith.constant dense<0.0> : tensor<16x8xf32>
  // expected-error @+1 {{expected tiles of m x k and k x n and an m x n accumulator, got 'tensor<16x8xf16>', 'tensor<16x8xf16>' and 'tensor<16x8xf32>'}}
  %0 = tile_gpu.mma %a[%ca], %b[%cb], %zero plan<mma_sync, m = 16, n = 8, k = 16, warps = [1, 1]>
      : !tile_gpu.buffer<2x16x8xf16, #n>, !tile_gpu.cursor<2>,
        !tile_gpu.buffer<1x16x8xf16, #n>, !tile_gpu.cursor<1> -> tensor<16x8xf32>
  tile.return
}

// -----

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 16]>
#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// C1: the accumulator is m x n.
tile.kernel @mma_c1_accumulator() {
  %a = tile_gpu.alloc : !tile_gpu.buffer<2x16x16xf16, #k>
  %b = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf16, #n>
  %ca = tile_gpu.cursor : !tile_gpu.cursor<2>
  %cb = tile_gpu.cursor : !tile_gpu.cursor<1>
  %zero = arith.constant dense<0.0> : tensor<8x16xf32>
  // expected-error @+1 {{expected tiles of m x k and k x n and an m x n accumulator, got 'tensor<16x16xf16>', 'tensor<16x8xf16>' and 'tensor<8x16xf32>'}}
  %0 = tile_gpu.mma %a[%ca], %b[%cb], %zero plan<mma_sync, m = 16, n = 8, k = 16, warps = [1, 1]>
      : !tile_gpu.buffer<2x16x16xf16, #k>, !tile_gpu.cursor<2>,
        !tile_gpu.buffer<1x16x8xf16, #n>, !tile_gpu.cursor<1> -> tensor<8x16xf32>
  tile.return
}

// -----

#v = #tile.layout<offset = [[1], [2], [4], [8]], sides = [16]>
#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 16]>
#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// C1: all are matrices.
tile.kernel @mma_c1_rank() {
  %a = tile_gpu.alloc : !tile_gpu.buffer<2x16xf16, #v>
  %b = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf16, #n>
  %ca = tile_gpu.cursor : !tile_gpu.cursor<2>
  %cb = tile_gpu.cursor : !tile_gpu.cursor<1>
  %zero = arith.constant dense<0.0> : tensor<16x8xf32>
  // expected-error @+1 {{expected tiles of m x k and k x n and an m x n accumulator, got 'tensor<16xf16>', 'tensor<16x8xf16>' and 'tensor<16x8xf32>'}}
  %0 = tile_gpu.mma %a[%ca], %b[%cb], %zero plan<mma_sync, m = 16, n = 8, k = 16, warps = [1, 1]>
      : !tile_gpu.buffer<2x16xf16, #v>, !tile_gpu.cursor<2>,
        !tile_gpu.buffer<1x16x8xf16, #n>, !tile_gpu.cursor<1> -> tensor<16x8xf32>
  tile.return
}

// -----

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 16]>
#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// C1: both slots have one element type.
tile.kernel @mma_c1_elements() {
  %a = tile_gpu.alloc : !tile_gpu.buffer<2x16x16xf16, #k>
  %b = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xbf16, #n>
  %ca = tile_gpu.cursor : !tile_gpu.cursor<2>
  %cb = tile_gpu.cursor : !tile_gpu.cursor<1>
  %zero = arith.constant dense<0.0> : tensor<16x8xf32>
  // expected-error @+1 {{expected tiles of m x k and k x n and an m x n accumulator, got 'tensor<16x16xf16>', 'tensor<16x8xbf16>' and 'tensor<16x8xf32>'}}
  %0 = tile_gpu.mma %a[%ca], %b[%cb], %zero plan<mma_sync, m = 16, n = 8, k = 16, warps = [1, 1]>
      : !tile_gpu.buffer<2x16x16xf16, #k>, !tile_gpu.cursor<2>,
        !tile_gpu.buffer<1x16x8xbf16, #n>, !tile_gpu.cursor<1> -> tensor<16x8xf32>
  tile.return
}

// -----

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 16]>
#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// C2: a cursor walks over the slots of its buffer.
tile.kernel @mma_c2_slots() {
  %a = tile_gpu.alloc : !tile_gpu.buffer<2x16x16xf16, #k>
  %b = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf16, #n>
  %ca = tile_gpu.cursor : !tile_gpu.cursor<4>
  %cb = tile_gpu.cursor : !tile_gpu.cursor<1>
  %zero = arith.constant dense<0.0> : tensor<16x8xf32>
  // expected-error @+1 {{expected a cursor over 2 slots, got 4}}
  %0 = tile_gpu.mma %a[%ca], %b[%cb], %zero plan<mma_sync, m = 16, n = 8, k = 16, warps = [1, 1]>
      : !tile_gpu.buffer<2x16x16xf16, #k>, !tile_gpu.cursor<4>,
        !tile_gpu.buffer<1x16x8xf16, #n>, !tile_gpu.cursor<1> -> tensor<16x8xf32>
  tile.return
}

// -----

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 16]>
#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// C3: wgmma is an op of its own.
tile.kernel @mma_c3_wgmma() {
  %a = tile_gpu.alloc : !tile_gpu.buffer<2x16x16xf16, #k>
  %b = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf16, #n>
  %ca = tile_gpu.cursor : !tile_gpu.cursor<2>
  %cb = tile_gpu.cursor : !tile_gpu.cursor<1>
  %zero = arith.constant dense<0.0> : tensor<16x8xf32>
  // expected-error @+1 {{expected a plan of mma_sync or fma, got #tile.mma<wgmma, m = 64, n = 8, k = 16, warps = [1, 1]>}}
  %0 = tile_gpu.mma %a[%ca], %b[%cb], %zero plan<wgmma, m = 64, n = 8, k = 16, warps = [1, 1]>
      : !tile_gpu.buffer<2x16x16xf16, #k>, !tile_gpu.cursor<2>,
        !tile_gpu.buffer<1x16x8xf16, #n>, !tile_gpu.cursor<1> -> tensor<16x8xf32>
  tile.return
}

// -----

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 16]>
#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// C3: an instruction takes certain elements, in a certain precision.
tile.kernel @mma_c3_elements() {
  %a = tile_gpu.alloc : !tile_gpu.buffer<2x16x16xf32, #k>
  %b = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %ca = tile_gpu.cursor : !tile_gpu.cursor<2>
  %cb = tile_gpu.cursor : !tile_gpu.cursor<1>
  %zero = arith.constant dense<0.0> : tensor<16x8xf32>
  // expected-error @+1 {{expected an instruction of the table for 'f32' into 'f32', got #tile.mma<mma_sync, m = 16, n = 8, k = 8, warps = [1, 1]>}}
  %0 = tile_gpu.mma %a[%ca], %b[%cb], %zero plan<mma_sync, m = 16, n = 8, k = 8, warps = [1, 1]>
      : !tile_gpu.buffer<2x16x16xf32, #k>, !tile_gpu.cursor<2>,
        !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1> -> tensor<16x8xf32>
  tile.return
}

// -----

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 16]>
#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>
#rows = #tile.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// C4: the accumulator's layout is that of its plan.
tile.kernel @mma_c4_layout() {
  %a = tile_gpu.alloc : !tile_gpu.buffer<2x16x16xf16, #k>
  %b = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf16, #n>
  %ca = tile_gpu.cursor : !tile_gpu.cursor<2>
  %cb = tile_gpu.cursor : !tile_gpu.cursor<1>
  %zero = arith.constant dense<0.0> : tensor<16x8xf32, #rows>
  // expected-error @+1 {{expected the accumulator in the layout of its plan, #tile.layout<register = }}
  %0 = tile_gpu.mma %a[%ca], %b[%cb], %zero plan<mma_sync, m = 16, n = 8, k = 16, warps = [1, 1]>
      : !tile_gpu.buffer<2x16x16xf16, #k>, !tile_gpu.cursor<2>,
        !tile_gpu.buffer<1x16x8xf16, #n>, !tile_gpu.cursor<1> -> tensor<16x8xf32, #rows>
  tile.return
}

// -----

#s = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], sides = [8, 8]>

// C5: only sums of 8-bit floats are promoted.
tile.kernel @mma_c5_promote() {
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x8x8xf16, #s>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  %zero = arith.constant dense<0.0> : tensor<8x8xf32>
  // expected-error @+1 {{expected promote_every on 8-bit floats, got it on 'f16'}}
  %0 = tile_gpu.mma %a[%c], %a[%c], %zero promote_every 32 plan<mma_sync, m = 16, n = 8, k = 16, warps = [1, 1]>
      : !tile_gpu.buffer<1x8x8xf16, #s>, !tile_gpu.cursor<1>,
        !tile_gpu.buffer<1x8x8xf16, #s>, !tile_gpu.cursor<1> -> tensor<8x8xf32>
  tile.return
}

// -----

#acc = #tile.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], sides = [16, 8]>

// C1: a conversion goes from a layout.
tile.kernel @convert_layout_c1_source() {
  %x = arith.constant dense<0.0> : tensor<16x8xf32>
  // expected-error @+1 {{expected a layout on both types, got 'tensor<16x8xf32>'}}
  %0 = tile_gpu.convert_layout %x : tensor<16x8xf32> -> tensor<16x8xf32, #acc>
  tile.return
}

// -----

#acc = #tile.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], sides = [16, 8]>

// C1: a conversion goes to a layout.
tile.kernel @convert_layout_c1_result() {
  %x = arith.constant dense<0.0> : tensor<16x8xf32, #acc>
  // expected-error @+1 {{expected a layout on both types, got 'tensor<16x8xf32>'}}
  %0 = tile_gpu.convert_layout %x : tensor<16x8xf32, #acc> -> tensor<16x8xf32>
  tile.return
}

// -----

#acc = #tile.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], sides = [16, 8]>
#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// A tile in registers has no layout of offsets.
tile.kernel @convert_layout_registers() {
  %x = arith.constant dense<0.0> : tensor<16x8xf32, #acc>
  // expected-error @+1 {{must be tile whose layout, where there is one, is of registers, but got 'tensor<16x8xf32, #tile.layout<offset = }}
  %0 = tile_gpu.convert_layout %x : tensor<16x8xf32, #acc> -> tensor<16x8xf32, #n>
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// C1: what is written has as many elements as the buffer.
tile.kernel @local_store_c1_shape() {
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  %x = arith.constant dense<0.0> : tensor<8x8xf32>
  // expected-error @+1 {{expected a tensor of the buffer's 'tensor<16x8xf32>', got 'tensor<8x8xf32>'}}
  tile_gpu.local_store %x, %ring[%c] : tensor<8x8xf32>,
      !tile_gpu.buffer<2x16x8xf32, #n>, !tile_gpu.cursor<2>
  tile.return
}

// -----

#columns = #tile.layout<offset = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], sides = [16, 8]>

// C1: another shape needs a buffer in row-major order.
tile.kernel @local_store_c1_order() {
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x16x8xf32, #columns>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  %x = arith.constant dense<0.0> : tensor<8x16xf32>
  // expected-error @+1 {{expected a tensor of the buffer's 'tensor<16x8xf32>', got 'tensor<8x16xf32>'}}
  tile_gpu.local_store %x, %ring[%c] : tensor<8x16xf32>,
      !tile_gpu.buffer<2x16x8xf32, #columns>, !tile_gpu.cursor<2>
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// C1: what is written has the buffer's elements.
tile.kernel @local_store_c1_element() {
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  %x = arith.constant dense<0.0> : tensor<16x8xf16>
  // expected-error @+1 {{expected a tensor of the buffer's 'tensor<16x8xf32>', got 'tensor<16x8xf16>'}}
  tile_gpu.local_store %x, %ring[%c] : tensor<16x8xf16>,
      !tile_gpu.buffer<2x16x8xf32, #n>, !tile_gpu.cursor<2>
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// C2: the cursor walks over the slots of the buffer.
tile.kernel @local_store_c2_slots() {
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  %x = arith.constant dense<0.0> : tensor<16x8xf32>
  // expected-error @+1 {{expected a cursor over 2 slots, got 1}}
  tile_gpu.local_store %x, %ring[%c] : tensor<16x8xf32>,
      !tile_gpu.buffer<2x16x8xf32, #n>, !tile_gpu.cursor<1>
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// C1: what is read has the buffer's shape and elements.
tile.kernel @local_load_c1_element() {
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  // expected-error @+1 {{expected a tensor of the buffer's 'tensor<16x8xf32>', got 'tensor<16x8xi32>'}}
  %x = tile_gpu.local_load %ring[%c] : !tile_gpu.buffer<2x16x8xf32, #n>,
      !tile_gpu.cursor<2> -> tensor<16x8xi32>
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// C2: the cursor walks over the slots of the buffer.
tile.kernel @local_load_c2_slots() {
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<3>
  // expected-error @+1 {{expected a cursor over 2 slots, got 3}}
  %x = tile_gpu.local_load %ring[%c] : !tile_gpu.buffer<2x16x8xf32, #n>,
      !tile_gpu.cursor<3> -> tensor<16x8xf32>
  tile.return
}
