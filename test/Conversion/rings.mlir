// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#acc = #tile.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], sides = [32, 8]>
#rows = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], sides = [32, 8]>
!ring = !tile_gpu.buffer<3x32x8xf32, #rows>

// A cursor is its slot: it moves on by selection, not by a remainder, and a
// slot's address is the ring's offset plus slot times 1024 bytes.
// CHECK-LABEL: llvm.func @cursor(
// CHECK: ^{{.*}}(%{{.*}}: i32, %[[SLOT:.*]]: i32)
// CHECK-NOT: rem
// CHECK: %[[OFFSET:.*]] = llvm.mul %[[SLOT]], %{{.*}} : i32
// CHECK: %[[ADDRESS:.*]] = llvm.add %[[OFFSET]], %{{.*}} : i32
// CHECK: %[[BASE:.*]] = llvm.getelementptr %{{.*}}[%[[ADDRESS]]] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
// CHECK: llvm.getelementptr %[[BASE]][128]
// CHECK: %[[MOVED:.*]] = llvm.add %[[SLOT]], %[[TWO:.*]] : i32
// CHECK: %[[WRAPPED:.*]] = llvm.add %[[SLOT]], %[[MINUS_ONE:.*]] : i32
// CHECK: %[[INSIDE:.*]] = llvm.icmp "slt" %[[MOVED]], %{{.*}} : i32
// CHECK: llvm.select %[[INSIDE]], %[[MOVED]], %[[WRAPPED]]
tile.kernel @cursor(%n: i32) plan #tile.plan<warps = 1> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %x = arith.constant dense<0.0> : tensor<32x8xf32, #acc>
  %ring = tile_gpu.alloc at 128 : !ring
  %c = tile_gpu.cursor : !tile_gpu.cursor<3>
  %end = scf.for %i = %zero to %n step %one iter_args(%at = %c)
      -> !tile_gpu.cursor<3> : i32 {
    tile_gpu.local_store %x, %ring[%at] : tensor<32x8xf32, #acc>, !ring, !tile_gpu.cursor<3>
    %next = tile_gpu.advance %at by 2 : !tile_gpu.cursor<3>
    scf.yield %next : !tile_gpu.cursor<3>
  }
  tile.return
}

// A cursor that is known costs nothing: two steps from slot 0 is slot 2, the
// offset 128 + 2 * 1024 of the instruction.
// CHECK-LABEL: llvm.func @known_cursor(
// CHECK: llvm.getelementptr %{{.*}}[2176]
tile.kernel @known_cursor() plan #tile.plan<warps = 1> {
  %x = arith.constant dense<0.0> : tensor<32x8xf32, #acc>
  %ring = tile_gpu.alloc at 128 : !ring
  %c = tile_gpu.cursor : !tile_gpu.cursor<3>
  %next = tile_gpu.advance %c by 5 : !tile_gpu.cursor<3>
  tile_gpu.local_store %x, %ring[%next] : tensor<32x8xf32, #acc>, !ring, !tile_gpu.cursor<3>
  tile.return
}

// Order is explicit: groups of copies, and the barrier of all threads.
// CHECK-LABEL: llvm.func @order(
// CHECK: nvvm.cp.async.commit.group
// CHECK-NEXT: nvvm.cp.async.wait.group 2
// CHECK-NEXT: nvvm.barrier0
tile.kernel @order() plan #tile.plan<warps = 4> {
  tile_gpu.commit
  tile_gpu.wait 2
  tile_gpu.barrier
  tile.return
}
