// RUN: tile-opt %s --convert-tile-to-nvvm -split-input-file -verify-diagnostics

// A plan says how many warps run a program.
// expected-error@+1 {{expected a plan, which says how many warps run a program}}
tile.kernel @no_plan() {
  tile.return
}

// -----

// Ops of tile have been lowered to tile_gpu before.
#regs = #tile.layout<register = [[0, 1], [0, 2], [1, 0], [2, 0]], sides = [4, 4]>
tile.kernel @not_lowered() plan #tile.plan<warps = 1> {
  %x = arith.constant dense<0.0> : tensor<4x4xf32, #regs>
  // expected-error@+1 {{'tile.dot' op is not lowered to NVVM yet}}
  %d = tile.dot %x, %x, %x : tensor<4x4xf32, #regs>, tensor<4x4xf32, #regs> -> tensor<4x4xf32, #regs>
  tile.return
}

// -----

#warps = #tile.layout<lane = [[1], [2], [4], [8], [16]], warp = [[32]], sides = [64]>

// What a reduction exchanges between warps is explicit before.
tile.kernel @reduce_across_warps() plan #tile.plan<warps = 2> {
  %x = arith.constant dense<0.0> : tensor<64xf32, #warps>
  // expected-error@+1 {{expected tile-gpu-lower-exchanges to have run: the axis crosses warps}}
  %s = tile.reduce %x axis 0 {
    ^bb0(%l: f32, %r: f32):
      tile.yield %l : f32
  } : tensor<64xf32, #warps> -> f32
  tile.return
}

// -----

#lanes = #tile.layout<lane = [[2], [4], [8], [16], [32]], register = [[1], [64]], sides = [128]>

// A scan wants neighbours in registers and then lanes.
tile.kernel @scan_out_of_order() plan #tile.plan<warps = 1> {
  %x = arith.constant dense<0.0> : tensor<128xf32, #lanes>
  // expected-error@+1 {{expected tile-gpu-lower-exchanges to have run: the axis is not in order in a warp}}
  %s = tile.scan %x axis 0 {
    ^bb0(%l: f32, %r: f32):
      tile.yield %l : f32
  } : tensor<128xf32, #lanes> -> tensor<128xf32, #lanes>
  tile.return
}

// -----

// One thread makes an update: what it returns is shared before.
tile.kernel @atomic_scalar(%p: !tile.ptr<i32>, %i: i32) plan #tile.plan<warps = 1> {
  // expected-error@+1 {{expected tile-gpu-lower-exchanges to have run: its result is a scalar}}
  %old = tile.atomic_rmw addi %p[%i], %i : !tile.ptr<i32>, i32, i32
  %next = arith.addi %old, %i : i32
  tile.return
}

// -----

#rows = #tile.layout<lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 0]], sides = [16, 1], reps = [1, 3]>
#line = #tile.layout<lane = [[1], [2], [4], [8], [0]], sides = [16], reps = [3]>

// A reshape that carries between bits crosses threads.
tile.kernel @reshape_across_threads() plan #tile.plan<warps = 1> {
  %x = arith.constant dense<0.0> : tensor<16x3xf32, #rows>
  // expected-error@+1 {{expected tile-gpu-lower-exchanges to have run: elements cross threads}}
  %y = tile.reshape %x : tensor<16x3xf32, #rows> -> tensor<48xf32, #line>
  tile.return
}

// -----

#pair = #tile.layout<lane = [[1], [0], [0], [0], [0]], sides = [2]>

// 8-bit floats are moved, not added.
tile.kernel @atomic_f8(%p: !tile.ptr<f8E5M2>, %x: f8E5M2, %i: i32) plan #tile.plan<warps = 1> {
  // expected-error@+1 {{is not lowered to NVVM yet: it computes with 8-bit floats}}
  %old = tile.atomic_rmw addf %p[%i], %x : !tile.ptr<f8E5M2>, i32, f8E5M2
  tile.return
}

// -----

// Every tensor needs a layout.
tile.kernel @no_layout() plan #tile.plan<warps = 1> {
  // expected-error@+1 {{expected a layout on 'tensor<4xf32>'}}
  %x = arith.constant dense<0.0> : tensor<4xf32>
  tile.return
}

// -----

#two_warps = #tile.layout<lane = [[1], [2], [4], [8], [16]], warp = [[32]], sides = [64]>

// A layout has no more warps than the program.
tile.kernel @too_many_warps() plan #tile.plan<warps = 1> {
  // expected-error@+1 {{expected a layout of at most 1 warps, got 2}}
  %x = arith.constant dense<0.0> : tensor<64xf32, #two_warps>
  tile.return
}

// -----

#rows = #tile.layout<offset = [[0, 1], [0, 2], [1, 0]], sides = [2, 4]>

// Shared memory has been allocated before.
tile.kernel @no_offset() plan #tile.plan<warps = 1> {
  // expected-error@+1 {{expected tile-gpu-allocate-shared to have run: the ring has no offset}}
  %r = tile_gpu.alloc : !tile_gpu.buffer<1x2x4xf32, #rows>
  tile.return
}

// -----

#across = #tile.layout<lane = [[1], [2], [4], [8], [16]], sides = [32]>
#turned = #tile.layout<lane = [[2], [1], [4], [8], [16]], sides = [32]>

// What crosses threads has been made explicit before.
tile.kernel @conversion() plan #tile.plan<warps = 1> {
  %x = arith.constant dense<0.0> : tensor<32xf32, #across>
  // expected-error@+1 {{expected tile-gpu-lower-conversions to have run: a shuffle conversion crosses threads}}
  %y = tile_gpu.convert_layout %x : tensor<32xf32, #across> -> tensor<32xf32, #turned>
  tile.return
}

// -----

// What is made of other ops has been replaced before.
tile.kernel @waves(%x: f32) plan #tile.plan<warps = 1> {
  // expected-error@+1 {{'math.sincos' op expected tile-lower-arithmetic to have run: the chip has no instruction for it}}
  %e, %f = math.sincos %x : f32
  tile.return
}

// -----

// So is arithmetic of 8-bit floats, which are moved and converted.
tile.kernel @fp8(%x: f8E4M3FN) plan #tile.plan<warps = 1> {
  // expected-error@+1 {{'arith.negf' op expected tile-lower-arithmetic to have run: it computes with 8-bit floats}}
  %y = arith.negf %x : f8E4M3FN
  tile.return
}

// -----

tile.kernel @function_of_float8(%x: f8E5M2) plan #tile.plan<warps = 1> {
  // expected-error@+1 {{'math.exp' op expected tile-lower-arithmetic to have run: it computes with 8-bit floats}}
  %y = math.exp %x : f8E5M2
  tile.return
}

// -----

#rows = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], sides = [8, 8]>
!ring = !tile_gpu.buffer<1x8x8xf16, #rows>

// A vector needs neighbours in global memory, too.
tile.kernel @stride(%p: !tile.ptr<f16>, %M: i32, %sm: i64, %sn: i64) plan #tile.plan<warps = 1> {
  %zero = arith.constant 0 : i32
  %ring = tile_gpu.alloc at 0 : !ring
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  // expected-error@+1 {{expected stride 1 along dimension 1, where the buffer is contiguous}}
  tile_gpu.copy_async %p[%zero, %zero] bounds[%M, %M] strides[%sm, %sn]
      into %ring[%c] plan<cp_async, vector = 8> : !tile.ptr<f16>, i32, !ring,
      !tile_gpu.cursor<1>
  tile.return
}

// -----

#rows = #tile.layout<offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [0, 4]], sides = [8, 8]>
!ring = !tile_gpu.buffer<1x8x8xf16, #rows>

// And in shared memory.
tile.kernel @run(%p: !tile.ptr<f16>, %M: i32, %sm: i64) plan #tile.plan<warps = 1> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %ring = tile_gpu.alloc at 0 : !ring
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  // expected-error@+1 {{expected at least 8 contiguous elements in the buffer's layout, got 4}}
  tile_gpu.copy_async %p[%zero, %zero] bounds[%M, %M] strides[%sm, %one]
      into %ring[%c] plan<cp_async, vector = 8> : !tile.ptr<f16>, i32, !ring,
      !tile_gpu.cursor<1>
  tile.return
}

// -----

#long = #tile.layout<register = [[1], [2], [4], [8], [16], [32], [64], [128], [256], [512], [1024]], lane = [[2048], [4096], [8192], [16384], [32768]], sides = [65536]>

// A thread has 255 registers: a tile far beyond them is an early error.
tile.kernel @too_long() plan #tile.plan<warps = 1> {
  // expected-error@+1 {{expected at most 1024 elements a thread, got 2048 of 'f32' on 1 warp; a smaller tile, or more warps, leaves fewer}}
  %x = arith.constant dense<0.0> : tensor<65536xf32, #long>
  tile.return
}

// -----

#regs = #tile.layout<register = [[2, 0]], lane = [[3, 0], [0, 1], [0, 2], [4, 0], [8, 0]], sides = [16, 4], reps = [1, 3]>
#rows = #tile.layout<offset = [[0, 1], [0, 2], [1, 0]], sides = [2, 4], reps = [8, 3]>
!b = !tile_gpu.buffer<1x16x12xf32, #rows>

// Row 2 is register 1 and row 3 is lane 1, so row 1 is both: a sum of their
// offsets would be wrong where the rows are repetitions.
tile.kernel @overlap() plan #tile.plan<warps = 1> {
  %b = tile_gpu.alloc at 0 : !b
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  // expected-error@+1 {{threads and registers share bits of a coordinate in a dimension that the buffer's layout repeats}}
  %x = tile_gpu.local_load %b[%c] : !b, !tile_gpu.cursor<1> -> tensor<16x12xf32, #regs>
  tile.return
}

// -----

#pairs = #tile.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [0, 0], [0, 0]], sides = [1, 16]>
#line = #tile.layout<lane = [[1], [2], [4], [8]], sides = [16]>

// A tile is repeated where its elements are, without crossing threads.
tile.kernel @expand_elsewhere() plan #tile.plan<warps = 1> {
  %x = arith.constant dense<0.0> : tensor<16xf32, #line>
  // expected-error@+1 {{expected each element of the result in a thread that holds it in the operand}}
  %y = tile.expand_dims %x axis 0 : tensor<16xf32, #line> -> tensor<1x16xf32, #pairs>
  tile.return
}

// -----

// There is no arithmetic of floats that no memory holds.
tile.kernel @wide_floats(%x: f64) plan #tile.plan<warps = 1> {
  // expected-error@+1 {{'arith.extf' op is not lowered to NVVM yet: expected floats of f64, f32, f16, bf16, f8E4M3FN or f8E5M2, got f128}}
  %y = arith.extf %x : f64 to f128
  tile.return
}

// -----

// Floats become integers as wide as f64 at most, and are made of such.
tile.kernel @wide_integers(%x: f64) plan #tile.plan<warps = 1> {
  // expected-error@+1 {{'arith.fptosi' op is not lowered to NVVM yet: expected an integer of at most 64 bits, got i128}}
  %y = arith.fptosi %x : f64 to i128
  tile.return
}

// -----

// Casts round to nearest even; what rounds otherwise has been made of such.
tile.kernel @upward(%x: f32) plan #tile.plan<warps = 1> {
  // expected-error@+1 {{'arith.truncf' op expected tile-lower-arithmetic to have run: it rounds otherwise than casts do}}
  %y = arith.truncf %x upward : f32 to f16
  tile.return
}

// -----

// Casts that scale have no meaning for scales that a tile can hold.
tile.kernel @scaled(%x: f16, %scale: f16) plan #tile.plan<warps = 1> {
  // expected-error@+1 {{'arith.scaling_extf' op is not lowered to NVVM yet: it scales: write arith.mulf beside a cast that does not}}
  %y = arith.scaling_extf %x, %scale : f16, f16 to f32
  tile.return
}

// -----

#acc = #tile.layout<register = [[0, 1], [0, 2], [8, 0]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], sides = [16, 16]>
#rows = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 32]>
#columns = #tile.layout<offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 1], [0, 2], [0, 4], [0, 8]], sides = [32, 16]>

// Pairs of instructions read bytes that lie along n.
tile.kernel @pairs_along_k() plan #tile.plan<warps = 1> {
  %zeros = arith.constant dense<0> : tensor<16x16xi32, #acc>
  %a = tile_gpu.alloc at 0 : !tile_gpu.buffer<1x16x32xi8, #rows>
  %b = tile_gpu.alloc at 1024 : !tile_gpu.buffer<1x32x16xi8, #columns>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  // expected-error@+1 {{expected b in runs of 16 bytes along n and whole steps of 32 k for a pair of instructions, got '!tile_gpu.buffer<1x32x16xi8}}
  %d = tile_gpu.mma %a[%c], %b[%c], %zeros plan<mma_sync, m = 16, n = 16, k = 32, warps = [1, 1]> : !tile_gpu.buffer<1x16x32xi8, #rows>, !tile_gpu.cursor<1>, !tile_gpu.buffer<1x32x16xi8, #columns>, !tile_gpu.cursor<1> -> tensor<16x16xi32, #acc>
  tile.return
}
