// RUN: tile-opt %s --tile-gpu-allocate-shared --split-input-file | FileCheck %s

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// Rings that live at the same time lie one behind the other, each where a
// swizzle starts; the kernel says how many bytes they take.
// CHECK-LABEL: @together
// CHECK-SAME: attributes {tile_gpu.shared = 1536 : i64}
// CHECK: tile_gpu.alloc at 0 :
// CHECK: tile_gpu.alloc at 1024 :
tile.kernel @together(%f: f32) {
  %x = tile.splat %f : tensor<16x8xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %b = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  tile_gpu.local_store %x, %a[%c] : tensor<16x8xf32>, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  tile_gpu.local_store %x, %b[%c] : tensor<16x8xf32>, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  %y = tile_gpu.local_load %a[%c] : !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1> -> tensor<16x8xf32>
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// A ring that is last used before another is first used shares its bytes.
// CHECK-LABEL: @one_after_other
// CHECK-SAME: tile_gpu.shared = 1024 : i64
// CHECK: tile_gpu.alloc at 0 : !tile_gpu.buffer<2x16x8xf32
// CHECK: tile_gpu.alloc at 0 : !tile_gpu.buffer<1x16x8xf32
tile.kernel @one_after_other(%f: f32) {
  %x = tile.splat %f : tensor<16x8xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<2x16x8xf32, #n>
  %b = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  %d = tile_gpu.cursor : !tile_gpu.cursor<1>
  tile_gpu.local_store %x, %a[%c] : tensor<16x8xf32>, !tile_gpu.buffer<2x16x8xf32, #n>, !tile_gpu.cursor<2>
  tile_gpu.local_store %x, %b[%d] : tensor<16x8xf32>, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// In a loop, rings live from its first iteration to its last: what is used one
// after the other there lies apart.
// CHECK-LABEL: @in_loop
// CHECK-SAME: tile_gpu.shared = 1536 : i64
// CHECK-DAG: tile_gpu.alloc at 0 :
// CHECK-DAG: tile_gpu.alloc at 1024 :
tile.kernel @in_loop(%f: f32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = tile.splat %f : tensor<16x8xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %b = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  scf.for %k = %c0 to %n step %c1 : i32 {
    tile_gpu.local_store %x, %a[%c] : tensor<16x8xf32>, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
    tile_gpu.local_store %x, %b[%c] : tensor<16x8xf32>, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  }
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// Rings that stand in a loop live for a turn: they share bytes with each other,
// and with none that lives through the loop.
// CHECK-LABEL: @inside_loop
// CHECK-SAME: tile_gpu.shared = 1536 : i64
// CHECK: tile_gpu.alloc at 0 :
// CHECK: scf.for
// CHECK: tile_gpu.alloc at 1024 :
// CHECK: tile_gpu.alloc at 1024 :
tile.kernel @inside_loop(%f: f32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = tile.splat %f : tensor<16x8xf32>
  %o = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  scf.for %k = %c0 to %n step %c1 : i32 {
    tile_gpu.local_store %x, %o[%c] : tensor<16x8xf32>, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
    %a = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
    tile_gpu.local_store %x, %a[%c] : tensor<16x8xf32>, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
    %b = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
    tile_gpu.local_store %x, %b[%c] : tensor<16x8xf32>, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  }
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// A branch keeps no ring alive: what is used one after the other in it shares.
// CHECK-LABEL: @in_branch
// CHECK-SAME: tile_gpu.shared = 512 : i64
// CHECK: tile_gpu.alloc at 0 :
// CHECK: tile_gpu.alloc at 0 :
tile.kernel @in_branch(%f: f32, %p: i1) {
  %x = tile.splat %f : tensor<16x8xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %b = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  scf.if %p {
    tile_gpu.local_store %x, %a[%c] : tensor<16x8xf32>, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
    tile_gpu.local_store %x, %b[%c] : tensor<16x8xf32>, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  }
  tile.return
}

// -----

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>

// The tensor cores read a slot until the product is waited for.
// CHECK-LABEL: @product
// CHECK: tile_gpu.alloc at 0 :
// CHECK: tile_gpu.alloc at 8192 :
// CHECK: tile_gpu.alloc at 0 :
tile.kernel @product(%h: f16) plan #tile.plan<warps = 4> {
  %x = tile.splat %h : tensor<64x64xf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x64x64xf16, #k>
  tile_gpu.local_store %x, %a[%c] : tensor<64x64xf16>, !tile_gpu.buffer<1x64x64xf16, #k>, !tile_gpu.cursor<1>
  %d = tile_gpu.wgmma %a[%c], %a[%c], %zero plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]> : !tile_gpu.buffer<1x64x64xf16, #k>, !tile_gpu.cursor<1>, !tile_gpu.buffer<1x64x64xf16, #k>, !tile_gpu.cursor<1>, tensor<64x64xf32> -> !tile_gpu.pending<tensor<64x64xf32>>
  %b = tile_gpu.alloc : !tile_gpu.buffer<1x64x64xf16, #k>
  tile_gpu.local_store %x, %b[%c] : tensor<64x64xf16>, !tile_gpu.buffer<1x64x64xf16, #k>, !tile_gpu.cursor<1>
  %e = tile_gpu.wgmma_finish %d : !tile_gpu.pending<tensor<64x64xf32>>
  %f = tile_gpu.alloc : !tile_gpu.buffer<1x64x64xf16, #k>
  tile_gpu.local_store %x, %f[%c] : tensor<64x64xf16>, !tile_gpu.buffer<1x64x64xf16, #k>, !tile_gpu.cursor<1>
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// A ring that is passed on lives to the end of the kernel.
// CHECK-LABEL: @passed_on
// CHECK-SAME: tile_gpu.shared = 2560 : i64
tile.kernel @passed_on(%f: f32, %p: i1) {
  %x = tile.splat %f : tensor<16x8xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %b = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %d = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  %e = arith.select %p, %a, %b : !tile_gpu.buffer<1x16x8xf32, #n>
  tile_gpu.local_store %x, %d[%c] : tensor<16x8xf32>, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  tile_gpu.local_store %x, %e[%c] : tensor<16x8xf32>, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  tile.return
}

// -----

#n = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// The largest ring is placed first, and a gap is filled before the end grows.
// CHECK-LABEL: @largest_first
// CHECK-SAME: tile_gpu.shared = 2560 : i64
// CHECK: tile_gpu.alloc at 2048 : !tile_gpu.buffer<1x16x8xf32
// CHECK: tile_gpu.alloc at 0 : !tile_gpu.buffer<4x16x8xf32
// CHECK: tile_gpu.alloc at 0 : !tile_gpu.buffer<1x16x8xf16
tile.kernel @largest_first(%f: f32, %h: f16) {
  %x = tile.splat %f : tensor<16x8xf32>
  %y = tile.splat %h : tensor<16x8xf16>
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #n>
  %b = tile_gpu.alloc : !tile_gpu.buffer<4x16x8xf32, #n>
  %d = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf16, #n>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  %e = tile_gpu.cursor : !tile_gpu.cursor<4>
  tile_gpu.local_store %x, %a[%c] : tensor<16x8xf32>, !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1>
  tile_gpu.local_store %x, %b[%e] : tensor<16x8xf32>, !tile_gpu.buffer<4x16x8xf32, #n>, !tile_gpu.cursor<4>
  tile_gpu.local_store %y, %d[%c] : tensor<16x8xf16>, !tile_gpu.buffer<1x16x8xf16, #n>, !tile_gpu.cursor<1>
  %z = tile_gpu.local_load %a[%c] : !tile_gpu.buffer<1x16x8xf32, #n>, !tile_gpu.cursor<1> -> tensor<16x8xf32>
  tile.return
}

// -----

// A kernel without rings takes no shared memory.
// CHECK-LABEL: @none() attributes {tile_gpu.shared = 0 : i64}
tile.kernel @none() {
  tile.return
}
