// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#rows = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32]], sides = [8, 64]>
#many = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
#mixed = #tile.layout<offset = [[0, 1], [0, 2], [1, 1], [2, 0], [4, 0]], sides = [8, 4]>
!mixed = !tile_gpu.buffer<1x8x4xf32, #mixed>
!one = !tile_gpu.buffer<1x8x64xf16, #rows>
!big = !tile_gpu.buffer<1x64x64xf16, #many>

// Eight predicated loads of two bytes fill a vector of 16 for shared memory; a
// masked lane takes `other` and touches no memory.
// CHECK-LABEL: llvm.func @elements(
// CHECK-SAME: %[[OTHER:[a-z0-9]+]]: f16
// CHECK-COUNT-8: llvm.inline_asm has_side_effects "{{.*}}mov.b16 $0, $3;{{.*}}@p ld.global.b16 $0, [$1];
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<3>
// CHECK-NOT: llvm.inline_asm
tile.kernel @elements(%p: !tile.ptr<f16>, %M: i32, %K: i32, %other: f16, %sm: i64, %sk: i64)
    plan #tile.plan<warps = 2> {
  %zero = arith.constant 0 : i32
  %ring = tile_gpu.alloc at 0 : !one
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  tile_gpu.copy %p[%zero, %zero] bounds[%M, %K] strides[%sm, %sk]
      into %ring[%c] other %other plan<plain> : !tile.ptr<f16>, i32, !one,
      !tile_gpu.cursor<1>
  tile.return
}

// A vector that is proved whole is one load; without bounds it is an ordinary
// one.
// CHECK-LABEL: llvm.func @vectors(
// CHECK-NOT: llvm.inline_asm
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xf16>
// CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<3>
tile.kernel @vectors(%p: !tile.ptr<f16>, %sm: i64) plan #tile.plan<warps = 2> {
  %zero = arith.constant 0 : i32
  %none = arith.constant 2147483647 : i32
  %unit = arith.constant 1 : i64
  %ring = tile_gpu.alloc at 0 : !one
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  tile_gpu.copy %p[%zero, %zero] bounds[%none, %none] strides[%sm, %unit]
      into %ring[%c] plan<plain, vector = 8> : !tile.ptr<f16>, i32, !one,
      !tile_gpu.cursor<1>
  tile.return
}

// At most 16 loads are written out: 64 of a thread are four rounds of a loop.
// CHECK-LABEL: llvm.func @rounds(
// CHECK: %[[FOUR:.*]] = llvm.mlir.constant(4 : i32)
// CHECK: llvm.br ^[[ROUND:bb[0-9]+]](
// CHECK-COUNT-16: ld.global
// CHECK-NOT: ld.global
// CHECK: %[[AGAIN:.*]] = llvm.icmp "slt" %{{.*}}, %[[FOUR]]
// CHECK: llvm.cond_br %[[AGAIN]], ^[[ROUND]](
tile.kernel @rounds(%p: !tile.ptr<f16>, %M: i32, %K: i32, %sm: i64, %sk: i64)
    plan #tile.plan<warps = 2> {
  %zero = arith.constant 0 : i32
  %ring = tile_gpu.alloc at 0 : !big
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  tile_gpu.copy %p[%zero, %zero] bounds[%M, %K] strides[%sm, %sk]
      into %ring[%c] plan<plain> : !tile.ptr<f16>, i32, !big, !tile_gpu.cursor<1>
  tile.return
}

// A run that another bit of the offset breaks up is no vector: row 1 begins with
// columns 1 and 0.
// CHECK-LABEL: llvm.func @broken_run(
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 4 : i64} : f32, !llvm.ptr<3>
tile.kernel @broken_run(%p: !tile.ptr<f32>, %sm: i64) plan #tile.plan<warps = 1> {
  %zero = arith.constant 0 : i32
  %none = arith.constant 2147483647 : i32
  %unit = arith.constant 1 : i64
  %ring = tile_gpu.alloc at 0 : !mixed
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  tile_gpu.copy %p[%zero, %zero] bounds[%none, %none] strides[%sm, %unit]
      into %ring[%c] plan<plain> : !tile.ptr<f32>, i32, !mixed,
      !tile_gpu.cursor<1>
  tile.return
}

// What 64 threads copy, the other 64 would write again.
// CHECK-LABEL: llvm.func @left_over(
// CHECK: %[[BIT:.*]] = llvm.mlir.constant(64 : i32)
// CHECK: %[[HAS:.*]] = llvm.and %{{.*}}, %[[BIT]]
// CHECK: %[[IS_OWNER:.*]] = llvm.icmp "eq" %[[HAS]], %{{.*}}
// CHECK: llvm.cond_br %[[IS_OWNER]], ^[[COPIES:bb[0-9]+]]
// CHECK: ^[[COPIES]]:
// CHECK: llvm.store {{.*}} : {{.*}}, !llvm.ptr<3>
tile.kernel @left_over(%p: !tile.ptr<f16>, %sm: i64) plan #tile.plan<warps = 4> {
  %zero = arith.constant 0 : i32
  %none = arith.constant 2147483647 : i32
  %unit = arith.constant 1 : i64
  %ring = tile_gpu.alloc at 0 : !one
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  tile_gpu.copy %p[%zero, %zero] bounds[%none, %none] strides[%sm, %unit]
      into %ring[%c] plan<plain> : !tile.ptr<f16>, i32, !one, !tile_gpu.cursor<1>
  tile.return
}
