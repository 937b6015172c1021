// RUN: tile-opt %s --split-input-file --verify-diagnostics

// Each numbered constraint of wgmma, broken once.

#a = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>

// C1: the accumulator has the type of the result.
tile.kernel @wgmma_c1_result() {
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<2x64x64xf16, #a>
  %b = tile_gpu.alloc : !tile_gpu.buffer<2x64x64xf16, #a>
  %ca = tile_gpu.cursor : !tile_gpu.cursor<2>
  %cb = tile_gpu.cursor : !tile_gpu.cursor<2>
  // expected-error @+1 {{expected an accumulator of 'tensor<64x64xf32>', got 'tensor<64x32xf32>'}}
  %p = tile_gpu.wgmma %a[%ca], %b[%cb], %zero plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]>
      : !tile_gpu.buffer<2x64x64xf16, #a>, !tile_gpu.cursor<2>, !tile_gpu.buffer<2x64x64xf16, #a>, !tile_gpu.cursor<2>,
        tensor<64x32xf32> -> !tile_gpu.pending<tensor<64x64xf32>>
  tile.return
}

// -----

#a = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>

// C1: the slots share k, and make the accumulator.
tile.kernel @wgmma_c1_shape() {
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<2x64x64xf16, #a>
  %b = tile_gpu.alloc : !tile_gpu.buffer<2x64x64xf16, #a>
  %ca = tile_gpu.cursor : !tile_gpu.cursor<2>
  %cb = tile_gpu.cursor : !tile_gpu.cursor<2>
  // expected-error @+1 {{expected tiles of m x k and k x n and an m x n accumulator, got 'tensor<64x64xf16>', 'tensor<64x64xf16>' and 'tensor<64x32xf32>'}}
  %p = tile_gpu.wgmma %a[%ca], %b[%cb], %zero plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]>
      : !tile_gpu.buffer<2x64x64xf16, #a>, !tile_gpu.cursor<2>, !tile_gpu.buffer<2x64x64xf16, #a>, !tile_gpu.cursor<2>,
        tensor<64x32xf32> -> !tile_gpu.pending<tensor<64x32xf32>>
  tile.return
}

// -----

#a = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>

// C2: a cursor walks over the slots of its buffer.
tile.kernel @wgmma_c2_slots() {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<2x64x64xf16, #a>
  %b = tile_gpu.alloc : !tile_gpu.buffer<2x64x64xf16, #a>
  %ca = tile_gpu.cursor : !tile_gpu.cursor<2>
  %cb = tile_gpu.cursor : !tile_gpu.cursor<4>
  // expected-error @+1 {{expected a cursor over 2 slots, got 4}}
  %p = tile_gpu.wgmma %a[%ca], %b[%cb], %zero plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]>
      : !tile_gpu.buffer<2x64x64xf16, #a>, !tile_gpu.cursor<2>, !tile_gpu.buffer<2x64x64xf16, #a>, !tile_gpu.cursor<4>,
        tensor<64x64xf32> -> !tile_gpu.pending<tensor<64x64xf32>>
  tile.return
}

// -----

#a = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>

// C3: the plan is of a wgmma.
tile.kernel @wgmma_c3_instruction() {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<2x64x64xf16, #a>
  %b = tile_gpu.alloc : !tile_gpu.buffer<2x64x64xf16, #a>
  %ca = tile_gpu.cursor : !tile_gpu.cursor<2>
  %cb = tile_gpu.cursor : !tile_gpu.cursor<2>
  // expected-error @+1 {{expected a wgmma plan, got #tile.mma<mma_sync}}
  %p = tile_gpu.wgmma %a[%ca], %b[%cb], %zero plan<mma_sync, m = 16, n = 8, k = 16, warps = [1, 1]>
      : !tile_gpu.buffer<2x64x64xf16, #a>, !tile_gpu.cursor<2>, !tile_gpu.buffer<2x64x64xf16, #a>, !tile_gpu.cursor<2>,
        tensor<64x64xf32> -> !tile_gpu.pending<tensor<64x64xf32>>
  tile.return
}

// -----

#a = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>

// C3: an instruction takes certain elements.
tile.kernel @wgmma_c3_elements() {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<2x64x64xf32, #a>
  %b = tile_gpu.alloc : !tile_gpu.buffer<2x64x64xf32, #a>
  %ca = tile_gpu.cursor : !tile_gpu.cursor<2>
  %cb = tile_gpu.cursor : !tile_gpu.cursor<2>
  // expected-error @+1 {{expected an instruction of the table for 'f32' into 'f32', got #tile.mma<wgmma}}
  %p = tile_gpu.wgmma %a[%ca], %b[%cb], %zero plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]>
      : !tile_gpu.buffer<2x64x64xf32, #a>, !tile_gpu.cursor<2>, !tile_gpu.buffer<2x64x64xf32, #a>, !tile_gpu.cursor<2>,
        tensor<64x64xf32> -> !tile_gpu.pending<tensor<64x64xf32>>
  tile.return
}

// -----

#a = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
#r = #tile.layout<register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[0, 32], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], sides = [64, 64]>

// C4: the accumulator's layout is that of its plan.
tile.kernel @wgmma_c4_layout() {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #r>
  %a = tile_gpu.alloc : !tile_gpu.buffer<2x64x64xf16, #a>
  %b = tile_gpu.alloc : !tile_gpu.buffer<2x64x64xf16, #a>
  %ca = tile_gpu.cursor : !tile_gpu.cursor<2>
  %cb = tile_gpu.cursor : !tile_gpu.cursor<2>
  // expected-error @+1 {{expected the accumulator in the layout of its plan, }}
  %p = tile_gpu.wgmma %a[%ca], %b[%cb], %zero plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]>
      : !tile_gpu.buffer<2x64x64xf16, #a>, !tile_gpu.cursor<2>, !tile_gpu.buffer<2x64x64xf16, #a>, !tile_gpu.cursor<2>,
        tensor<64x64xf32, #r> -> !tile_gpu.pending<tensor<64x64xf32, #r>>
  tile.return
}

// -----

#h = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], sides = [64, 8]>
#g = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0]], sides = [8, 64]>

// C5: the instruction goes through k in whole steps.
tile.kernel @wgmma_c5_k() {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<2x64x8xf16, #h>
  %b = tile_gpu.alloc : !tile_gpu.buffer<2x8x64xf16, #g>
  %ca = tile_gpu.cursor : !tile_gpu.cursor<2>
  %cb = tile_gpu.cursor : !tile_gpu.cursor<2>
  // expected-error @+1 {{expected k to be a multiple of the instruction's 16, got 8}}
  %p = tile_gpu.wgmma %a[%ca], %b[%cb], %zero plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]>
      : !tile_gpu.buffer<2x64x8xf16, #h>, !tile_gpu.cursor<2>, !tile_gpu.buffer<2x8x64xf16, #g>, !tile_gpu.cursor<2>,
        tensor<64x64xf32> -> !tile_gpu.pending<tensor<64x64xf32>>
  tile.return
}

// -----

// C1: no fewer than zero groups are waited for.
tile.kernel @wgmma_wait_c1_negative() {
  // expected-error @+1 {{expected at least 0 groups, got -1}}
  tile_gpu.wgmma_wait -1
  tile.return
}

// -----

#a = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>

// C1: the result is what was pending.
tile.kernel @wgmma_finish_c1_type() {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<2x64x64xf16, #a>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  %p = tile_gpu.wgmma %a[%c], %a[%c], %zero plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]>
      : !tile_gpu.buffer<2x64x64xf16, #a>, !tile_gpu.cursor<2>, !tile_gpu.buffer<2x64x64xf16, #a>, !tile_gpu.cursor<2>,
        tensor<64x64xf32> -> !tile_gpu.pending<tensor<64x64xf32>>
  // expected-error @+1 {{expected a result of 'tensor<64x64xf32>', got 'tensor<64x64xf16>'}}
  %r = "tile_gpu.wgmma_finish"(%p) : (!tile_gpu.pending<tensor<64x64xf32>>) -> tensor<64x64xf16>
  tile.return
}

// -----

#a = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>

// C2: a slot has a cursor.
tile.kernel @wgmma_c2_cursor() {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<2x64x64xf16, #a>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  // expected-error @+1 {{expected a cursor for a slot and none for a tensor, got '!tile_gpu.buffer<2x64x64xf16}}
  %p = "tile_gpu.wgmma"(%a, %a, %c, %zero) <{plan = #tile.mma<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]>}>
      : (!tile_gpu.buffer<2x64x64xf16, #a>, !tile_gpu.buffer<2x64x64xf16, #a>, !tile_gpu.cursor<2>, tensor<64x64xf32>) -> !tile_gpu.pending<tensor<64x64xf32>>
  tile.return
}

// -----

#a = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
#rows = #tile.layout<register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[0, 32], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], sides = [64, 64]>

// C4: a tensor is in the layout that the instructions take.
tile.kernel @wgmma_c4_operand() {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = arith.constant dense<0.0> : tensor<64x64xf16, #rows>
  %b = tile_gpu.alloc : !tile_gpu.buffer<2x64x64xf16, #a>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  // expected-error @+1 {{expected a in the layout of an m x k accumulator, #tile.layout<register = }}
  %p = tile_gpu.wgmma %x, %b[%c], %zero plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]>
      : tensor<64x64xf16, #rows>, !tile_gpu.buffer<2x64x64xf16, #a>, !tile_gpu.cursor<2>,
        tensor<64x64xf32> -> !tile_gpu.pending<tensor<64x64xf32>>
  tile.return
}

// -----

#a = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
#acc = #tile.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], sides = [64, 64]>

// C4: warpgroups that share rows have no registers of their own for them.
tile.kernel @wgmma_c4_shared_rows() {
  %zero = arith.constant dense<0.0> : tensor<64x128xf32>
  %x = arith.constant dense<0.0> : tensor<64x64xf16, #acc>
  %b = tile_gpu.alloc : !tile_gpu.buffer<1x64x128xf16, #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [0, 64]], sides = [64, 128]>>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  // expected-error @+1 {{has no layout for a: expected warpgroups that do not share rows, got 2 along n}}
  %p = tile_gpu.wgmma %x, %b[%c], %zero plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 2]>
      : tensor<64x64xf16, #acc>, !tile_gpu.buffer<1x64x128xf16, #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [0, 64]], sides = [64, 128]>>, !tile_gpu.cursor<1>,
        tensor<64x128xf32> -> !tile_gpu.pending<tensor<64x128xf32>>
  tile.return
}
