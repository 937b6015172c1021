// RUN: tile-opt %s --convert-tile-to-nvvm -split-input-file -verify-diagnostics

// All roles of a kernel stand in one op.
tile.kernel @two_parts() {
  // expected-note@+1 {{the first one is here}}
  tile_gpu.roles {
    tile_gpu.role "all" warps 4 {
    }
  }
  // expected-error@+1 {{'tile_gpu.roles' op expected one tile_gpu.roles in a kernel}}
  tile_gpu.roles {
    tile_gpu.role "all" warps 4 {
    }
  }
  tile.return
}

// -----

// A block has no more than 32 warps.
tile.kernel @too_many_warps() {
  // expected-error@+1 {{expected at most 32 warps in all roles, got 36}}
  tile_gpu.roles {
    tile_gpu.role "a" warps 20 {
    }
    tile_gpu.role "b" warps 16 {
    }
  }
  tile.return
}

// -----

// A thread that asks for registers waits until there are as many: more than the
// block has would hang it.
tile.kernel @too_many_registers() {
  // expected-error@+1 {{expected roles with at most 64512 registers together, got 80896}}
  tile_gpu.roles {
    tile_gpu.role "producer" warps 4 {
    }
    tile_gpu.role "consumer" warps 8 registers 232 {
    }
  }
  tile.return
}

// -----

#acc = #tile.layout<lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], sides = [128]>
#plain = #tile.layout<offset = [[1], [2], [4], [8], [16], [32], [64]], sides = [128]>

// A tensor from before the roles is spread over other threads.
tile.kernel @tensor_from_before(%p: !tile.ptr<f32>, %n: i32) {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  %ring = tile_gpu.alloc at 0 : !tile_gpu.buffer<1x128xf32, #plain>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  // expected-note@+1 {{got one from before the roles}}
  %x = tile_gpu.local_load %ring[%c] : !tile_gpu.buffer<1x128xf32, #plain>, !tile_gpu.cursor<1> -> tensor<128xf32, #acc>
  tile_gpu.roles {
    tile_gpu.role "all" warps 4 {
      // expected-error@+1 {{'tile_gpu.store' op expected a tensor of its role or a constant}}
      tile_gpu.store %x, %p[%zero] bounds[%n] strides[%one] plan<registers> : tensor<128xf32, #acc>, !tile.ptr<f32>, i32
    }
  }
  tile.return
}

// -----

// Roles are the end of a kernel.
tile.kernel @work_after() {
  // expected-error@+1 {{expected no work after the roles, got tile_gpu.barrier}}
  tile_gpu.roles {
    tile_gpu.role "all" warps 4 {
    }
  }
  tile_gpu.barrier
  tile.return
}

// -----

// Barriers lie where tile-gpu-allocate-shared has put them.
tile.kernel @no_offset() plan #tile.plan<warps = 4> {
  // expected-error@+1 {{expected tile-gpu-allocate-shared to have run: the barriers have no offset}}
  %full = tile_gpu.barriers arrivals 1 : !tile_gpu.barriers<2>
  tile.return
}

// -----

#plain = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
#swizzled = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
#acc = #tile.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], sides = [64, 64]>

// wgmma reads swizzled slots only.
tile.kernel @not_swizzled() plan #tile.plan<warps = 4> {
  %ra = tile_gpu.alloc at 0 : !tile_gpu.buffer<1x64x64xf16, #plain>
  %rb = tile_gpu.alloc at 8192 : !tile_gpu.buffer<1x64x64xf16, #swizzled>
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  // expected-error@+1 {{expected a to be swizzled by 32, 64 or 128 bytes, got '!tile_gpu.buffer<1x64x64xf16}}
  %d = tile_gpu.wgmma %ra[%c], %rb[%c], %zeros plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]> : !tile_gpu.buffer<1x64x64xf16, #plain>, !tile_gpu.cursor<1>, !tile_gpu.buffer<1x64x64xf16, #swizzled>, !tile_gpu.cursor<1>, tensor<64x64xf32, #acc> -> !tile_gpu.pending<tensor<64x64xf32, #acc>>
  tile.return
}

// -----

#swizzled = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
#acc = #tile.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], sides = [64, 64]>

// The swizzle repeats every 1024 bytes of shared memory.
tile.kernel @misplaced() plan #tile.plan<warps = 4> {
  %ra = tile_gpu.alloc at 0 : !tile_gpu.buffer<1x64x64xf16, #swizzled>
  %rb = tile_gpu.alloc at 8704 : !tile_gpu.buffer<1x64x64xf16, #swizzled>
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  // expected-error@+1 {{expected slots of b at multiples of 1024 bytes, got slots of 8192 bytes at offset 8704}}
  %d = tile_gpu.wgmma %ra[%c], %rb[%c], %zeros plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]> : !tile_gpu.buffer<1x64x64xf16, #swizzled>, !tile_gpu.cursor<1>, !tile_gpu.buffer<1x64x64xf16, #swizzled>, !tile_gpu.cursor<1>, tensor<64x64xf32, #acc> -> !tile_gpu.pending<tensor<64x64xf32, #acc>>
  tile.return
}

// -----

#swizzled = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
#acc = #tile.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], sides = [64, 64]>

// One instruction takes all columns of a warpgroup.
tile.kernel @narrow_instruction() plan #tile.plan<warps = 4> {
  %ra = tile_gpu.alloc at 0 : !tile_gpu.buffer<1x64x64xf16, #swizzled>
  %rb = tile_gpu.alloc at 8192 : !tile_gpu.buffer<1x64x64xf16, #swizzled>
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  // expected-error@+1 {{expected an instruction of n = 64, the columns of a warpgroup, got 32}}
  %d = tile_gpu.wgmma %ra[%c], %rb[%c], %zeros plan<wgmma, m = 64, n = 32, k = 16, warps = [1, 1]> : !tile_gpu.buffer<1x64x64xf16, #swizzled>, !tile_gpu.cursor<1>, !tile_gpu.buffer<1x64x64xf16, #swizzled>, !tile_gpu.cursor<1>, tensor<64x64xf32, #acc> -> !tile_gpu.pending<tensor<64x64xf32, #acc>>
  tile.return
}

// -----

#swizzled = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
#acc = #tile.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [0, 32]], sides = [64, 64]>

// Where n runs along rows, a warpgroup starts with a whole row of the swizzle.
tile.kernel @half_rows() plan #tile.plan<warps = 8> {
  %ra = tile_gpu.alloc at 0 : !tile_gpu.buffer<1x64x64xf16, #swizzled>
  %rb = tile_gpu.alloc at 8192 : !tile_gpu.buffer<1x64x64xf16, #swizzled>
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  // expected-error@+1 {{expected warpgroups to start at whole 128-byte columns of b}}
  %d = tile_gpu.wgmma %ra[%c], %rb[%c], %zeros plan<wgmma, m = 64, n = 32, k = 16, warps = [1, 2]> : !tile_gpu.buffer<1x64x64xf16, #swizzled>, !tile_gpu.cursor<1>, !tile_gpu.buffer<1x64x64xf16, #swizzled>, !tile_gpu.cursor<1>, tensor<64x64xf32, #acc> -> !tile_gpu.pending<tensor<64x64xf32, #acc>>
  tile.return
}

// -----

#rows = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64], [1, 16], [2, 32], [4, 64], [8, 0], [16, 0], [32, 0]], sides = [64, 128]>
#acc = #tile.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], sides = [64, 128]>

// Only 16-bit elements may lie contiguous along n.
tile.kernel @bytes_along_n() plan #tile.plan<warps = 4> {
  %ra = tile_gpu.alloc at 0 : !tile_gpu.buffer<1x64x64xi8, #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>>
  %rb = tile_gpu.alloc at 8192 : !tile_gpu.buffer<1x64x128xi8, #rows>
  %zeros = arith.constant dense<0> : tensor<64x128xi32, #acc>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  // expected-error@+1 {{expected b to be contiguous along k, which elements of 'i8' must be, got '!tile_gpu.buffer<1x64x128xi8}}
  %d = tile_gpu.wgmma %ra[%c], %rb[%c], %zeros plan<wgmma, m = 64, n = 128, k = 32, warps = [1, 1]> : !tile_gpu.buffer<1x64x64xi8, #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>>, !tile_gpu.cursor<1>, !tile_gpu.buffer<1x64x128xi8, #rows>, !tile_gpu.cursor<1>, tensor<64x128xi32, #acc> -> !tile_gpu.pending<tensor<64x128xi32, #acc>>
  tile.return
}

// -----

#b_columns = #tile.layout<offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [16, 1], [32, 2], [64, 4], [0, 8], [0, 16]], sides = [128, 32]>
#acc = #tile.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], sides = [64, 32]>
#a = #tile.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], sides = [64, 128]>

// Only 16-bit elements are taken from registers.
tile.kernel @bytes_in_registers(%x: i8) plan #tile.plan<warps = 4> {
  %a = tile.splat %x : tensor<64x128xi8, #a>
  %rb = tile_gpu.alloc at 0 : !tile_gpu.buffer<1x128x32xi8, #b_columns>
  %zeros = arith.constant dense<0> : tensor<64x32xi32, #acc>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  // expected-error@+1 {{expected a slot for a, or a tensor of f16 or bf16, got 'tensor<64x128xi8}}
  %d = tile_gpu.wgmma %a, %rb[%c], %zeros plan<wgmma, m = 64, n = 32, k = 32, warps = [1, 1]> : tensor<64x128xi8, #a>, !tile_gpu.buffer<1x128x32xi8, #b_columns>, !tile_gpu.cursor<1>, tensor<64x32xi32, #acc> -> !tile_gpu.pending<tensor<64x32xi32, #acc>>
  tile.return
}

// -----

#box = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0]], sides = [32, 64]>
#acc = #tile.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], sides = [64, 64]>

// A warpgroup stores its 64 rows at once.
tile.kernel @low_boxes(%p: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) plan #tile.plan<warps = 4> {
  %x = arith.constant dense<1.0> : tensor<64x64xf16, #acc>
  %staging = tile_gpu.alloc at 0 : !tile_gpu.buffer<2x32x64xf16, #box>
  %map = tile_gpu.tensor_map %p dims[%m, %n] strides[%s] : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<32x64xf16, swizzle = 128>
  // expected-error@+1 {{expected boxes of 64 rows and a multiple of 16 columns that divides 64, got '!tile_gpu.tensor_map<32x64xf16, swizzle = 128>'}}
  tile_gpu.tma_store %x, %map[%m, %n] via %staging : tensor<64x64xf16, #acc>, !tile_gpu.tensor_map<32x64xf16, swizzle = 128>, !tile_gpu.buffer<2x32x64xf16, #box>
  tile.return
}

// -----

#box = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
#acc = #tile.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]], sides = [128, 64]>

// Every warpgroup has as many staging slots.
tile.kernel @uneven_slots(%p: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) plan #tile.plan<warps = 8> {
  %x = arith.constant dense<1.0> : tensor<128x64xf16, #acc>
  %staging = tile_gpu.alloc at 0 : !tile_gpu.buffer<3x64x64xf16, #box>
  %map = tile_gpu.tensor_map %p dims[%m, %n] strides[%s] : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
  // expected-error@+1 {{expected as many slots for each of 2 warpgroups, got 3}}
  tile_gpu.tma_store %x, %map[%m, %n] via %staging : tensor<128x64xf16, #acc>, !tile_gpu.tensor_map<64x64xf16, swizzle = 128>, !tile_gpu.buffer<3x64x64xf16, #box>
  tile.return
}

// -----

#box = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
#blocked = #tile.layout<register = [[0, 1], [0, 2], [0, 4], [8, 0], [16, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [32, 0]], sides = [64, 64]>

// What is stored lies as wgmma leaves it.
tile.kernel @other_layout(%p: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) plan #tile.plan<warps = 4> {
  %x = arith.constant dense<1.0> : tensor<64x64xf16, #blocked>
  %staging = tile_gpu.alloc at 0 : !tile_gpu.buffer<2x64x64xf16, #box>
  %map = tile_gpu.tensor_map %p dims[%m, %n] strides[%s] : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
  // expected-error@+1 {{expected the accumulator layout of wgmma, in whole tiles of 64 rows, got 'tensor<64x64xf16}}
  tile_gpu.tma_store %x, %map[%m, %n] via %staging : tensor<64x64xf16, #blocked>, !tile_gpu.tensor_map<64x64xf16, swizzle = 128>, !tile_gpu.buffer<2x64x64xf16, #box>
  tile.return
}

// -----

#box = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>

// A box is as wide as the swizzle: the engine would put narrower ones elsewhere.
tile.kernel @narrow_box(%p: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64) plan #tile.plan<warps = 4> {
  %ring = tile_gpu.alloc at 0 : !tile_gpu.buffer<1x64x64xf16, #box>
  %full = tile_gpu.barriers arrivals 1 at 8192 : !tile_gpu.barriers<1>
  %map = tile_gpu.tensor_map %p dims[%m, %n] strides[%s] : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<64x32xf16, swizzle = 128>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  // expected-error@+1 {{expected boxes as wide as the swizzle and of a multiple of 8 rows, got '!tile_gpu.tensor_map<64x32xf16, swizzle = 128>'}}
  tile_gpu.tma_load %map[%m, %n] into %ring[%c] signals %full : !tile_gpu.tensor_map<64x32xf16, swizzle = 128>, !tile_gpu.buffer<1x64x64xf16, #box>, !tile_gpu.cursor<1>, !tile_gpu.barriers<1>
  tile.return
}

// -----

#swizzled = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
#tall = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]], sides = [128, 64]>
#acc = #tile.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]], sides = [128, 64]>

// A product is shared by the warps of its role, not by those of the block.
tile.kernel @narrow_role() {
  %ra = tile_gpu.alloc at 0 : !tile_gpu.buffer<1x128x64xf16, #tall>
  %rb = tile_gpu.alloc at 16384 : !tile_gpu.buffer<1x64x64xf16, #swizzled>
  %zeros = arith.constant dense<0.0> : tensor<128x64xf32, #acc>
  tile_gpu.roles {
    tile_gpu.role "other" warps 4 {
    }
    tile_gpu.role "consumer" warps 4 {
      %c = tile_gpu.cursor : !tile_gpu.cursor<1>
      // expected-error@+1 {{expected a layout of at most 4 warps, got 8}}
      %p = tile_gpu.wgmma %ra[%c], %rb[%c], %zeros plan<wgmma, m = 64, n = 64, k = 16, warps = [2, 1]> : !tile_gpu.buffer<1x128x64xf16, #tall>, !tile_gpu.cursor<1>, !tile_gpu.buffer<1x64x64xf16, #swizzled>, !tile_gpu.cursor<1>, tensor<128x64xf32, #acc> -> !tile_gpu.pending<tensor<128x64xf32, #acc>>
    }
  }
  tile.return
}
