// RUN: tile-opt %s --convert-tile-to-nvvm -split-input-file | FileCheck %s

#rows = #tile.layout<register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], sides = [32, 4]>

// A line in the registers of a thread is one chain.
// CHECK-LABEL: llvm.func @registers
// CHECK: %[[A:.*]] = llvm.fadd
// CHECK: %[[B:.*]] = llvm.fadd %[[A]], %
// CHECK: llvm.fadd %[[B]], %
// CHECK-NOT: nvvm.shfl.sync
// CHECK-NOT: llvm.fadd
tile.kernel @registers(%f: f32) plan #tile.plan<warps = 1> {
  %x = tile.splat %f : tensor<32x4xf32, #rows>
  %s = tile.scan %x axis 1 {
    ^bb0(%l: f32, %r: f32):
      %d = arith.addf %l, %r : f32
      tile.yield %d : f32
  } : tensor<32x4xf32, #rows> -> tensor<32x4xf32, #rows>
  tile.return
}

// -----

#line = #tile.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], sides = [64]>

// Lanes take turns in a loop: each runs its chain on from the last element before,
// the one whose turn it is keeps the results, and its last element goes to all.
// CHECK-LABEL: llvm.func @lanes
// CHECK: llvm.br ^[[LOOP:bb[0-9]+]](
// CHECK: ^[[LOOP]](%[[TURN:.*]]: i32, %[[CARRY:.*]]: f32, %[[Y0:.*]]: f32, %[[Y1:.*]]: f32):
// CHECK: %[[OURS:.*]] = llvm.icmp "eq" %{{.*}}, %[[TURN]]
// CHECK: %[[JOINED:.*]] = llvm.fadd %[[CARRY]], %[[X0:.*]] :
// CHECK: %[[IS_FIRST:.*]] = llvm.icmp "eq" %[[TURN]], %
// CHECK: %[[A:.*]] = llvm.select %[[IS_FIRST]], %[[X0]], %[[JOINED]]
// CHECK: llvm.select %[[OURS]], %[[A]], %[[Y0]]
// CHECK: %[[B:.*]] = llvm.fadd %[[A]], %
// CHECK: llvm.select %[[OURS]], %[[B]], %[[Y1]]
// CHECK: nvvm.shfl.sync  idx
// CHECK: llvm.cond_br %{{.*}}, ^[[LOOP]](
tile.kernel @lanes(%f: f32) plan #tile.plan<warps = 1> {
  %x = tile.splat %f : tensor<64xf32, #line>
  %s = tile.scan %x axis 0 {
    ^bb0(%l: f32, %r: f32):
      %d = arith.addf %l, %r : f32
      tile.yield %d : f32
  } : tensor<64xf32, #line> -> tensor<64xf32, #line>
  tile.return
}

// -----

#line = #tile.layout<lane = [[1], [2], [4], [8], [0]], sides = [16], reps = [3]>

// Repetitions follow each other, from the other end if that is asked for; only the
// first has nothing before it.
// CHECK-LABEL: llvm.func @repetitions
// CHECK: llvm.xor %{{.*}}, %{{.*}} : i32
// CHECK: llvm.icmp "eq"
// CHECK: llvm.icmp "eq"
// CHECK: nvvm.shfl.sync  idx
// CHECK: nvvm.shfl.sync  idx
// CHECK: nvvm.shfl.sync  idx
// CHECK-NOT: nvvm.shfl.sync
tile.kernel @repetitions(%k: i32) plan #tile.plan<warps = 1> {
  %x = tile.splat %k : tensor<48xi32, #line>
  %s = tile.scan %x axis 0 reverse {
    ^bb0(%l: i32, %r: i32):
      %d = arith.addi %l, %r : i32
      tile.yield %d : i32
  } : tensor<48xi32, #line> -> tensor<48xi32, #line>
  tile.return
}
