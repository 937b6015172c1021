// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#rows = #tile.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], sides = [32, 8]>

// What is computed from a load is finished before the next fragment: an
// epilogue holds few registers beside the accumulator.
// CHECK-LABEL: llvm.func @fragments(
// CHECK: llvm.load {{.*}} -> vector<4xf32>
// CHECK: llvm.fmul
// CHECK-NOT: llvm.fmul
// CHECK: llvm.fptrunc
// CHECK: llvm.fmul
// CHECK: llvm.fptrunc
// CHECK: llvm.store
tile.kernel @fragments(%p: !tile.ptr<f32>, %q: !tile.ptr<f16>) plan #tile.plan<warps = 1> {
  %zero = arith.constant 0 : i32
  %none = arith.constant 2147483647 : i32
  %one = arith.constant 1 : i64
  %pitch = arith.constant 8 : i64
  %x = tile_gpu.load %p[%zero, %zero] bounds[%none, %none] strides[%pitch, %one]
      plan<registers, vector = 4> : !tile.ptr<f32>, i32 -> tensor<32x8xf32, #rows>
  %y = arith.mulf %x, %x : tensor<32x8xf32, #rows>
  %z = arith.truncf %y : tensor<32x8xf32, #rows> to tensor<32x8xf16, #rows>
  tile_gpu.store %z, %q[%zero, %zero] bounds[%none, %none] strides[%pitch, %one]
      plan<registers, vector = 4> : tensor<32x8xf16, #rows>, !tile.ptr<f16>, i32
  tile.return
}

// No load passes a barrier, which may order it after another thread's store.
// CHECK-LABEL: llvm.func @barrier(
// CHECK: llvm.load {{.*}} -> vector<4xf32>
// CHECK: llvm.load {{.*}} -> vector<4xf32>
// CHECK: nvvm.barrier
// CHECK: llvm.store
tile.kernel @barrier(%p: !tile.ptr<f32>, %q: !tile.ptr<f16>) plan #tile.plan<warps = 1> {
  %zero = arith.constant 0 : i32
  %none = arith.constant 2147483647 : i32
  %one = arith.constant 1 : i64
  %pitch = arith.constant 8 : i64
  %x = tile_gpu.load %p[%zero, %zero] bounds[%none, %none] strides[%pitch, %one]
      plan<registers, vector = 4> : !tile.ptr<f32>, i32 -> tensor<32x8xf32, #rows>
  tile_gpu.barrier
  %z = arith.truncf %x : tensor<32x8xf32, #rows> to tensor<32x8xf16, #rows>
  tile_gpu.store %z, %q[%zero, %zero] bounds[%none, %none] strides[%pitch, %one]
      plan<registers, vector = 4> : tensor<32x8xf16, #rows>, !tile.ptr<f16>, i32
  tile.return
}

#line = #tile.layout<register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], sides = [32, 128]>

// Beside 128 registers that are held, 96 of 255 are left for loads: what needs
// 128 comes in two rounds, which the assembler keeps apart.
// CHECK-LABEL: llvm.func @rounds(
// CHECK: nvvm.barrier
// CHECK: llvm.inline_asm has_side_effects {{.*}}"pmevent.mask 0;"
// CHECK-COUNT-24: llvm.load
// CHECK-NOT: llvm.load
// CHECK: pmevent.mask
// CHECK-COUNT-8: llvm.load
// CHECK-NOT: {{llvm.load|pmevent}}
// CHECK: llvm.return
tile.kernel @rounds(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>) plan #tile.plan<warps = 1> {
  %zero = arith.constant 0 : i32
  %none = arith.constant 2147483647 : i32
  %one = arith.constant 1 : i64
  %pitch = arith.constant 128 : i64
  %x = tile_gpu.load %p[%zero, %zero] bounds[%none, %none] strides[%pitch, %one]
      plan<registers, vector = 4> : !tile.ptr<f32>, i32 -> tensor<32x128xf32, #line>
  %held = arith.mulf %x, %x : tensor<32x128xf32, #line>
  tile_gpu.barrier
  %y = tile_gpu.load %q[%zero, %zero] bounds[%none, %none] strides[%pitch, %one]
      plan<registers, vector = 4> : !tile.ptr<f32>, i32 -> tensor<32x128xf32, #line>
  %z = arith.addf %held, %y : tensor<32x128xf32, #line>
  tile_gpu.store %z, %q[%zero, %zero] bounds[%none, %none] strides[%pitch, %one]
      plan<registers, vector = 4> : tensor<32x128xf32, #line>, !tile.ptr<f32>, i32
  tile.return
}

// What fits beside the held tile comes at once.
// CHECK-LABEL: llvm.func @fits(
// CHECK-NOT: pmevent
// CHECK: llvm.return
tile.kernel @fits(%p: !tile.ptr<f32>, %q: !tile.ptr<f16>) plan #tile.plan<warps = 1> {
  %zero = arith.constant 0 : i32
  %none = arith.constant 2147483647 : i32
  %one = arith.constant 1 : i64
  %pitch = arith.constant 128 : i64
  %x = tile_gpu.load %p[%zero, %zero] bounds[%none, %none] strides[%pitch, %one]
      plan<registers, vector = 4> : !tile.ptr<f32>, i32 -> tensor<32x128xf32, #line>
  %held = arith.mulf %x, %x : tensor<32x128xf32, #line>
  tile_gpu.barrier
  %y = tile_gpu.load %q[%zero, %zero] bounds[%none, %none] strides[%pitch, %one]
      plan<registers, vector = 4> : !tile.ptr<f16>, i32 -> tensor<32x128xf16, #line>
  %wide = arith.extf %y : tensor<32x128xf16, #line> to tensor<32x128xf32, #line>
  %z = arith.addf %held, %wide : tensor<32x128xf32, #line>
  tile_gpu.store %z, %p[%zero, %zero] bounds[%none, %none] strides[%pitch, %one]
      plan<registers, vector = 4> : tensor<32x128xf32, #line>, !tile.ptr<f32>, i32
  tile.return
}
