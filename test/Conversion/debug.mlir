// RUN: tile-opt %s --convert-tile-to-nvvm -split-input-file | FileCheck %s

#tile = #tile.layout<register = [[1]], lane = [[2], [4], [0], [0], [0]], sides = [8]>

// Each element is printed by its owner, as one line with program and place.
// CHECK-DAG: llvm.func @vprintf(!llvm.ptr, !llvm.ptr) -> i32
// CHECK-DAG: llvm.mlir.global internal constant @[[SCALAR:data[0-9]*]]("program (%d, %d, %d): n %lld\0A\00")
// CHECK-DAG: llvm.mlir.global internal constant @[[LINE:data[0-9]*]]("program (%d, %d, %d): 50%% x[%d] %.9g\0A\00")
// CHECK-LABEL: llvm.func @print
// CHECK: llvm.cond_br
// CHECK: llvm.fpext %{{.*}} : f16 to f64
// CHECK: llvm.mlir.addressof @[[LINE]] : !llvm.ptr<1>
// CHECK: llvm.call @vprintf(
// CHECK: llvm.mlir.addressof @[[LINE]] : !llvm.ptr<1>
// CHECK: llvm.call @vprintf(
// CHECK: llvm.cond_br
// CHECK: llvm.sext %{{.*}} : i32 to i64
// CHECK: llvm.mlir.addressof @[[SCALAR]] : !llvm.ptr<1>
// CHECK: llvm.call @vprintf(
// CHECK-NOT: llvm.call @vprintf(
tile.kernel @print(%f: f16, %n: i32) plan #tile.plan<warps = 1> {
  %x = tile.splat %f : tensor<8xf16, #tile>
  tile.print "50% x", %x : tensor<8xf16, #tile>
  tile.print "n", %n : i32
  tile.return
}

// -----

#tile = #tile.layout<register = [[1]], lane = [[2], [4], [0], [0], [0]], sides = [8]>

// A thread of whose elements one is false ends the launch, with message and place.
// CHECK-DAG: llvm.func @__assertfail(!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, i64)
// CHECK-DAG: llvm.mlir.global internal constant @{{.*}}("in range\00")
// CHECK-DAG: llvm.mlir.global internal constant @{{.*}}debug.mlir\00")
// CHECK-LABEL: llvm.func @assert
// CHECK: %[[BOTH:.*]] = llvm.and %{{.*}}, %{{.*}} : i1
// CHECK: %[[FAILS:.*]] = llvm.xor %[[BOTH]], %
// CHECK: %[[SPEAKS:.*]] = llvm.and %[[FAILS]], %
// CHECK: llvm.cond_br %[[SPEAKS]]
// CHECK: llvm.call @__assertfail(
tile.kernel @assert(%c: i1) plan #tile.plan<warps = 1> {
  %x = tile.splat %c : tensor<8xi1, #tile>
  tile.assert %x, "in range" : tensor<8xi1, #tile>
  tile.return
}
