// RUN: tile-opt %s --convert-tile-to-nvvm -split-input-file | FileCheck %s

#tile = #tile.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], sides = [64]>

// Elements at any offsets are loaded and stored one by one; where the mask is off,
// a load reads its element of `other`.
// CHECK-LABEL: llvm.func @gather
// CHECK-SAME: %[[P:[a-z0-9]+]]: !llvm.ptr<1>
// CHECK: %[[FROM:.*]] = llvm.getelementptr %[[P]][%{{.*}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
// CHECK: llvm.inline_asm {{.*}}@p ld.global.b16 $0, [$1]
// CHECK: llvm.inline_asm {{.*}}@p ld.global.b16
// CHECK: llvm.store
// CHECK: llvm.store
// CHECK-NOT: llvm.inline_asm
tile.kernel @gather(%p: !tile.ptr<f16>, %k: i64, %c: i1, %f: f16) plan #tile.plan<warps = 1> {
  %o = tile.splat %k : tensor<64xi64, #tile>
  %m = tile.splat %c : tensor<64xi1, #tile>
  %other = tile.splat %f : tensor<64xf16, #tile>
  %x = tile.load %p[%o] mask %m other %other plan<registers> : !tile.ptr<f16>, tensor<64xi64, #tile>, tensor<64xf16, #tile> -> tensor<64xf16, #tile>
  tile.store %p[%o], %x plan<registers> : !tile.ptr<f16>, tensor<64xi64, #tile>, tensor<64xf16, #tile>
  tile.return
}

// -----

// All threads load a scalar, the first one stores it.
// CHECK-LABEL: llvm.func @scalar
// CHECK-SAME: %[[P:[a-z0-9]+]]: !llvm.ptr<1> {{.*}}, %[[I:[a-z0-9]+]]: i32
// CHECK: %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK: %[[FROM:.*]] = llvm.getelementptr %[[P]][%[[I]]]
// CHECK: %[[X:.*]] = llvm.load %[[FROM]]
// CHECK: %[[IS_FIRST:.*]] = llvm.icmp "eq" %[[TID]], %
// CHECK: %[[FLAG:.*]] = llvm.zext %[[IS_FIRST]] : i1 to i16
// CHECK: llvm.inline_asm {{.*}}@p st.global.b32 {{.*}}, %[[FLAG]]
tile.kernel @scalar(%p: !tile.ptr<i32>, %i: i32) plan #tile.plan<warps = 1> {
  %x = tile.load %p[%i] plan<registers> : !tile.ptr<i32>, i32 -> i32
  tile.store %p[%i], %x plan<registers> : !tile.ptr<i32>, i32, i32
  tile.return
}

// -----

#copies = #tile.layout<lane = [[1], [2], [4], [0], [0]], sides = [8]>

// Of lanes and warps that hold the same element one makes the update, if the mask
// allows; the others, and what is masked off, have zero.
// CHECK-LABEL: llvm.func @update
// CHECK: %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK: %[[COPY:.*]] = llvm.and %[[TID]], %
// CHECK: %[[IS_OWNER:.*]] = llvm.icmp "eq" %[[COPY]], %
// CHECK: %[[ACTS:.*]] = llvm.and %{{.*}}, %[[IS_OWNER]]
// CHECK: llvm.cond_br %[[ACTS]], ^[[ACT:bb[0-9]+]], ^[[AFTER:bb[0-9]+]](%{{.*}} : i32)
// CHECK: ^[[ACT]]:
// CHECK: %[[OLD:.*]] = llvm.atomicrmw umin %{{.*}}, %{{.*}} syncscope("device") monotonic
// CHECK: llvm.br ^[[AFTER]](%[[OLD]] : i32)
tile.kernel @update(%p: !tile.ptr<i32>, %k: i32, %c: i1) plan #tile.plan<warps = 2> {
  %o = tile.splat %k : tensor<8xi32, #copies>
  %m = tile.splat %c : tensor<8xi1, #copies>
  %old = tile.atomic_rmw minu %p[%o], %o mask %m : !tile.ptr<i32>, tensor<8xi32, #copies>, tensor<8xi32, #copies>
  tile.return
}

// -----

#one = #tile.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], sides = [64]>

// Bits of floats are exchanged and compared as integers.
// CHECK-LABEL: llvm.func @bits
// CHECK: llvm.atomicrmw xchg %{{.*}}, %{{.*}} syncscope("device") monotonic : !llvm.ptr<1>, i32
// CHECK: llvm.cmpxchg %{{.*}}, %{{.*}}, %{{.*}} syncscope("device") monotonic monotonic : !llvm.ptr<1>, i32
tile.kernel @bits(%p: !tile.ptr<f32>, %k: i32, %f: f32) plan #tile.plan<warps = 1> {
  %o = tile.splat %k : tensor<64xi32, #one>
  %x = tile.splat %f : tensor<64xf32, #one>
  %old = tile.atomic_rmw exchange %p[%o], %x : !tile.ptr<f32>, tensor<64xi32, #one>, tensor<64xf32, #one>
  %was = tile.atomic_cas %p[%o], %old, %x : !tile.ptr<f32>, tensor<64xi32, #one>, tensor<64xf32, #one>
  tile.return
}
