// RUN: tile-opt %s --convert-tile-to-nvvm -split-input-file | FileCheck %s

#acc = #tile.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], sides = [16, 16]>
#renamed = #tile.layout<register = [[0, 8], [0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], sides = [16, 16]>
#blocked = #tile.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 16]>
#swizzled = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]], sides = [16, 16]>
!f16s = !tile_gpu.buffer<1x16x16xf16, #swizzled>
!bits = !tile_gpu.buffer<1x16x16xi1, #swizzled>
!f32s = !tile_gpu.buffer<1x16x16xf32, #swizzled>
!c = !tile_gpu.cursor<1>

// What a thread holds next to each other in both layouts travels together: two
// f16 of a fragment out, eight back.  The second half of the columns lies where
// the swizzle's XOR has put it.
// CHECK-LABEL: llvm.func @through_shared(
// CHECK-COUNT-4: llvm.store %{{.*}}, %{{.*}} {alignment = 4 : i64} : vector<2xf16>, !llvm.ptr<3>
// CHECK-NOT: llvm.store
// CHECK: nvvm.barrier0
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<8xf16>
// CHECK-NOT: llvm.load
tile.kernel @through_shared() plan #tile.plan<warps = 1> {
  %x = arith.constant dense<0.0> : tensor<16x16xf16, #acc>
  %buffer = tile_gpu.alloc at 0 : !f16s
  %c = tile_gpu.cursor : !c
  tile_gpu.local_store %x, %buffer[%c] : tensor<16x16xf16, #acc>, !f16s, !c
  tile_gpu.barrier
  %y = tile_gpu.local_load %buffer[%c] : !f16s, !c -> tensor<16x16xf16, #blocked>
  tile.return
}

// i1 is a byte in memory, 0 or 1.
// CHECK-LABEL: llvm.func @bits(
// CHECK: llvm.zext %{{.*}} : vector<2xi1> to vector<2xi8>
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> vector<8xi8>
// CHECK: llvm.trunc %{{.*}} : vector<8xi8> to vector<8xi1>
tile.kernel @bits() plan #tile.plan<warps = 1> {
  %x = arith.constant dense<true> : tensor<16x16xi1, #acc>
  %buffer = tile_gpu.alloc at 0 : !bits
  %c = tile_gpu.cursor : !c
  tile_gpu.local_store %x, %buffer[%c] : tensor<16x16xi1, #acc>, !bits, !c
  tile_gpu.barrier
  %y = tile_gpu.local_load %buffer[%c] : !bits, !c -> tensor<16x16xi1, #blocked>
  tile.return
}

// A conversion that only renames registers moves nothing: register 1 of the
// result is register 4 of the source.
// CHECK-LABEL: llvm.func @rename(
// CHECK: %[[LOW:.*]] = llvm.fneg
// CHECK: %[[HIGH:.*]] = llvm.fneg
// CHECK: llvm.extractelement %[[LOW]][%[[ZERO:.*]] : i32]
// CHECK: %[[FOUR:.*]] = llvm.extractelement %[[HIGH]][%[[ZERO]] : i32]
// CHECK: llvm.insertelement %[[FOUR]], %{{.*}}[%[[ONE:.*]] : i32]
tile.kernel @rename() plan #tile.plan<warps = 1> {
  %buffer = tile_gpu.alloc at 0 : !f32s
  %c = tile_gpu.cursor : !c
  %z = tile_gpu.local_load %buffer[%c] : !f32s, !c -> tensor<16x16xf32, #acc>
  %x = arith.negf %z : tensor<16x16xf32, #acc>
  %y = tile_gpu.convert_layout %x : tensor<16x16xf32, #acc> -> tensor<16x16xf32, #renamed>
  tile.return
}

// -----

#line = #tile.layout<lane = [[1], [2], [4], [0], [0]], sides = [8]>
#places = #tile.layout<offset = [[1], [2], [4]], sides = [8]>
!b = !tile_gpu.buffer<1x8xf32, #places>

// Of the threads that hold an element one stores it, its owner.
// CHECK-LABEL: llvm.func @owners
// CHECK: %[[IS_OWNER:.*]] = llvm.icmp "eq" %{{.*}}, %
// CHECK: llvm.cond_br %[[IS_OWNER]], ^[[STORES:bb[0-9]+]]
// CHECK: ^[[STORES]]:
// CHECK: llvm.store {{.*}} : f32, !llvm.ptr<3>
tile.kernel @owners(%f: f32) plan #tile.plan<warps = 1> {
  %x = tile.splat %f : tensor<8xf32, #line>
  %b = tile_gpu.alloc at 0 : !b
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  tile_gpu.local_store %x, %b[%c] : tensor<8xf32, #line>, !b, !tile_gpu.cursor<1>
  tile.return
}

// -----

#rows = #tile.layout<lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 0]], sides = [16, 1], reps = [1, 3]>
#line = #tile.layout<lane = [[1], [2], [4], [8], [0]], sides = [16], reps = [3]>
#rowmajor = #tile.layout<sides = [1, 1], reps = [16, 3]>
!b = !tile_gpu.buffer<1x16x3xf32, #rowmajor>

// A slot in row-major order is read in another shape: rows are 12 bytes apart when
// they are written, and elements of the line 4 when it is read.
// CHECK-LABEL: llvm.func @reshaped
// CHECK: llvm.store
// CHECK: llvm.store
// CHECK: llvm.store
// CHECK: %[[BYTES:.*]] = llvm.getelementptr %{{.*}}[64] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
// CHECK: llvm.load %[[BYTES]]
tile.kernel @reshaped(%f: f32) plan #tile.plan<warps = 1> {
  %x = tile.splat %f : tensor<16x3xf32, #rows>
  %b = tile_gpu.alloc at 0 : !b
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  tile_gpu.local_store %x, %b[%c] : tensor<16x3xf32, #rows>, !b, !tile_gpu.cursor<1>
  tile_gpu.barrier
  %y = tile_gpu.local_load %b[%c] : !b, !tile_gpu.cursor<1> -> tensor<48xf32, #line>
  tile.return
}
