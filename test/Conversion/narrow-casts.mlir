// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#four = #tile.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], sides = [128]>
#one = #tile.layout<lane = [[1], [2], [4], [8], [16]], sides = [32]>

// Four bytes become four floats by two conversions of pairs; from sm_90 on by the
// chip's.
// CHECK-LABEL: llvm.func @widen(
// CHECK: %[[WORD:.*]] = llvm.bitcast %{{.*}} : vector<4xi8> to i32
// CHECK-COUNT-2: nvvm.convert.f8x2.to.f16x2 %{{.*}} : vector<2xi8>(f8E5M2) -> vector<2xf16>
// CHECK-COUNT-4: llvm.fpext %{{.*}} : f16 to f32
tile.kernel @widen(%f: f8E5M2) plan #tile.plan<warps = 1, target = "sm_90a"> {
  %x = tile.splat %f : tensor<128xf8E5M2, #four>
  %y = arith.extf %x : tensor<128xf8E5M2, #four> to tensor<128xf32, #four>
  tile.return
}

// A single byte is one of a pair.
// CHECK-LABEL: llvm.func @widen_one(
// CHECK: llvm.zext %{{.*}} : i8 to i32
// CHECK: nvvm.prmt
// CHECK: llvm.intr.fma
// CHECK-NOT: llvm.fpext
tile.kernel @widen_one(%f: f8E4M3FN) plan #tile.plan<warps = 1> {
  %x = tile.splat %f : tensor<32xf8E4M3FN, #one>
  %y = arith.extf %x : tensor<32xf8E4M3FN, #one> to tensor<32xf16, #one>
  tile.return
}

// A float is rounded to nearest even by an addition to its bits, or to a number
// of the unit of subnormal results; f8E4M3FN saturates at 448, 126 in bits.
// CHECK-LABEL: llvm.func @narrow(
// CHECK-DAG: %[[LARGEST:.*]] = llvm.mlir.constant(126 : i32)
// CHECK: llvm.fadd %{{.*}} : f32
// CHECK: llvm.intr.umin(%{{.*}}, %[[LARGEST]])
// CHECK: llvm.trunc %{{.*}} : i32 to i8
tile.kernel @narrow(%f: f32) plan #tile.plan<warps = 1> {
  %x = tile.splat %f : tensor<32xf32, #one>
  %y = arith.truncf %x : tensor<32xf32, #one> to tensor<32xf8E4M3FN, #one>
  tile.return
}

// bf16 is widened first, which is exact.
// CHECK-LABEL: llvm.func @narrow_bf16(
// CHECK: llvm.fpext %{{.*}} : bf16 to f32
// CHECK: llvm.trunc %{{.*}} : i32 to i8
tile.kernel @narrow_bf16(%f: bf16) plan #tile.plan<warps = 1> {
  %x = tile.splat %f : tensor<32xbf16, #one>
  %y = arith.truncf %x : tensor<32xbf16, #one> to tensor<32xf8E5M2, #one>
  tile.return
}
