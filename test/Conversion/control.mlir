// RUN: tile-opt %s --convert-tile-to-nvvm -split-input-file | FileCheck %s

#lane = #tile.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], sides = [128]>

// A loop tests at its bottom, and once before; its latch forbids unrolling.
// Tensors and cursors are carried as their parts.
// CHECK: #[[UNROLL:.*]] = #llvm.loop_unroll<disable = true>
// CHECK: #[[LOOP:.*]] = #llvm.loop_annotation<unroll = #[[UNROLL]]>
// CHECK-LABEL: llvm.func @loop(
// CHECK-SAME: %[[N:[a-z0-9]+]]: i32)
// CHECK: %[[ENTERS:.*]] = llvm.icmp "slt" %[[LB:.*]], %[[N]]
// CHECK: llvm.cond_br %[[ENTERS]], ^[[BODY:bb[0-9]+]](%[[LB]], %{{.*}}, %{{.*}} : i32, vector<4xf32>, i32), ^[[EXIT:bb[0-9]+]](
// CHECK: ^[[BODY]](%[[IV:.*]]: i32, %[[SUM:.*]]: vector<4xf32>, %[[SLOT:.*]]: i32)
// CHECK: llvm.fadd %[[SUM]], %[[SUM]]
// CHECK: %[[NEXT:.*]] = llvm.add %[[IV]]
// CHECK: %[[REPEATS:.*]] = llvm.icmp "slt" %[[NEXT]], %[[N]]
// CHECK: llvm.cond_br %[[REPEATS]], ^[[BODY]]({{.*}}), ^[[EXIT]]({{.*}}) {loop_annotation = #[[LOOP]]}
tile.kernel @loop(%n: i32) plan #tile.plan<warps = 1> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %ones = arith.constant dense<1.0> : tensor<128xf32, #lane>
  %c = tile_gpu.cursor : !tile_gpu.cursor<3>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%sum = %ones, %at = %c)
      -> (tensor<128xf32, #lane>, !tile_gpu.cursor<3>) : i32 {
    %s = arith.addf %sum, %sum : tensor<128xf32, #lane>
    %next = tile_gpu.advance %at by 1 : !tile_gpu.cursor<3>
    scf.yield %s, %next : tensor<128xf32, #lane>, !tile_gpu.cursor<3>
  }
  tile.return
}

// -----

// Both branches of a condition meet in a block that takes the results.
// CHECK-LABEL: llvm.func @branch(
// CHECK-SAME: %[[C:[a-z0-9]+]]: i1, %[[X:[a-z0-9]+]]: i32, %[[Y:[a-z0-9]+]]: i32)
// CHECK: llvm.cond_br %[[C]], ^[[THEN:bb[0-9]+]], ^[[ELSE:bb[0-9]+]]
// CHECK: ^[[THEN]]:
// CHECK: llvm.br ^[[EXIT:bb[0-9]+]](%[[X]] : i32)
// CHECK: ^[[ELSE]]:
// CHECK: llvm.br ^[[EXIT]](%[[Y]] : i32)
// CHECK: ^[[EXIT]](%{{.*}}: i32)
tile.kernel @branch(%c: i1, %x: i32, %y: i32) plan #tile.plan<warps = 1> {
  %r = scf.if %c -> i32 {
    scf.yield %x : i32
  } else {
    scf.yield %y : i32
  }
  tile.return
}

// -----

// A while loop goes from its test to its body and back.
// CHECK-LABEL: llvm.func @while(
// CHECK: llvm.br ^[[BEFORE:bb[0-9]+]](
// CHECK: ^[[BEFORE]](%[[X:.*]]: i32):
// CHECK: llvm.cond_br %{{.*}}, ^[[AFTER:bb[0-9]+]](%[[X]] : i32), ^[[EXIT:bb[0-9]+]](%[[X]] : i32)
// CHECK: ^[[AFTER]](
// CHECK: llvm.br ^[[BEFORE]](%{{.*}} : i32) {loop_annotation
// CHECK: ^[[EXIT]](
tile.kernel @while(%n: i32) plan #tile.plan<warps = 1> {
  %one = arith.constant 1 : i32
  %r = scf.while (%x = %one) : (i32) -> i32 {
    %c = arith.cmpi slt, %x, %n : i32
    scf.condition(%c) %x : i32
  } do {
  ^bb0(%y: i32):
    %twice = arith.addi %y, %y : i32
    scf.yield %twice : i32
  }
  tile.return
}
