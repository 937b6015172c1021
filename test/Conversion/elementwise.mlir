// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#acc = #tile.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], sides = [16, 16]>

// An op on a tile is one op on each fragment of four registers.
// CHECK-LABEL: llvm.func @fragments(
// CHECK-COUNT-2: llvm.fptrunc %{{.*}} : vector<4xf32> to vector<4xf16>
// CHECK-NOT: llvm.fptrunc
tile.kernel @fragments(%p: !tile.ptr<f32>) plan #tile.plan<warps = 1> {
  %zero = arith.constant 0 : i32
  %none = arith.constant 2147483647 : i32
  %one = arith.constant 1 : i64
  %x = tile_gpu.load %p[%zero, %zero] bounds[%none, %none] strides[%one, %one]
      plan<registers> : !tile.ptr<f32>, i32 -> tensor<16x16xf32, #acc>
  %y = arith.truncf %x : tensor<16x16xf32, #acc> to tensor<16x16xf16, #acc>
  tile.return
}

// Flags stay: only what may be contracted is.
// CHECK-LABEL: llvm.func @flags(
// CHECK: llvm.fmul %{{.*}}, %{{.*}} {fastmathFlags = #llvm.fastmath<contract>}
// CHECK: llvm.fadd %{{.*}}, %{{.*}} : vector<4xf32>
tile.kernel @flags(%p: !tile.ptr<f32>) plan #tile.plan<warps = 1> {
  %zero = arith.constant 0 : i32
  %none = arith.constant 2147483647 : i32
  %one = arith.constant 1 : i64
  %x = tile_gpu.load %p[%zero, %zero] bounds[%none, %none] strides[%one, %one]
      plan<registers> : !tile.ptr<f32>, i32 -> tensor<16x16xf32, #acc>
  %y = arith.mulf %x, %x fastmath<contract> : tensor<16x16xf32, #acc>
  %z = arith.addf %y, %x : tensor<16x16xf32, #acc>
  tile.return
}

// Constants keep their bits: minus zero, and the largest i1.
// CHECK-LABEL: llvm.func @constants(
// CHECK-DAG: llvm.mlir.constant(dense<-0.000000e+00> : vector<4xf32>)
// CHECK-DAG: llvm.mlir.constant(dense<true> : vector<4xi1>)
// CHECK-COUNT-2: llvm.select %{{.*}}, %{{.*}}, %{{.*}} : vector<4xi1>, vector<4xf32>
tile.kernel @constants(%p: !tile.ptr<f32>) plan #tile.plan<warps = 1> {
  %zero = arith.constant 0 : i32
  %none = arith.constant 2147483647 : i32
  %one = arith.constant 1 : i64
  %x = tile_gpu.load %p[%zero, %zero] bounds[%none, %none] strides[%one, %one]
      plan<registers> : !tile.ptr<f32>, i32 -> tensor<16x16xf32, #acc>
  %y = arith.constant dense<-0.0> : tensor<16x16xf32, #acc>
  %c = arith.constant dense<true> : tensor<16x16xi1, #acc>
  %d = arith.cmpf olt, %x, %y : tensor<16x16xf32, #acc>
  %e = arith.xori %c, %d : tensor<16x16xi1, #acc>
  %z = arith.select %e, %x, %y : tensor<16x16xi1, #acc>, tensor<16x16xf32, #acc>
  tile.return
}

// A choice between pointers or cursors is one between their parts.
// CHECK-LABEL: llvm.func @select(
// CHECK: llvm.select %{{.*}}, %{{.*}}, %{{.*}} : i1, !llvm.ptr<1>
tile.kernel @select(%c: i1, %p: !tile.ptr<f32>, %q: !tile.ptr<f32>)
    plan #tile.plan<warps = 1> {
  %r = arith.select %c, %p, %q : !tile.ptr<f32>
  tile.return
}

// Scalars: index is i64, and ceiling division is expanded.
// CHECK-LABEL: llvm.func @scalars(
// CHECK: llvm.sext %{{.*}} : i32 to i64
// CHECK: llvm.sdiv
// CHECK-NOT: arith.
tile.kernel @scalars(%n: i32) plan #tile.plan<warps = 1> {
  %i = arith.index_cast %n : i32 to index
  %two = arith.constant 2 : index
  %half = arith.ceildivsi %i, %two : index
  tile.return
}

// max and min propagate NaN; functions with an instruction are kept.
// CHECK-LABEL: llvm.func @math(
// CHECK: llvm.intr.maximum
// CHECK: llvm.intr.sqrt
// CHECK: llvm.intr.exp2
tile.kernel @math(%x: f32, %y: f32) plan #tile.plan<warps = 1> {
  %m = arith.maximumf %x, %y : f32
  %r = math.sqrt %m : f32
  %e = math.exp2 %r : f32
  tile.return
}

#two = #tile.layout<register = [[0, 1], [1, 0]], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], sides = [2, 2]>

// A constant whose elements differ lies in memory, once, i1 as bytes; threads read
// what they hold.
// CHECK-LABEL: llvm.func @table(
// CHECK: llvm.mlir.addressof @[[TABLE:.*]] : !llvm.ptr<1>
// CHECK: llvm.load %{{.*}} : !llvm.ptr<1> -> i16
// CHECK: llvm.bitcast %{{.*}} : i16 to f16
// CHECK: llvm.mlir.addressof @[[TABLE]]
// CHECK: llvm.mlir.addressof @[[FLAGS:.*]] :
// CHECK: llvm.trunc %{{.*}} : i8 to i1
tile.kernel @table() plan #tile.plan<warps = 1> {
  %x = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf16, #two>
  %y = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf16, #two>
  %c = arith.constant dense<[[true, false], [false, false]]> : tensor<2x2xi1, #two>
  %z = arith.select %c, %x, %y : tensor<2x2xi1, #two>, tensor<2x2xf16, #two>
  tile.return
}
