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

// What f32 does not hold is cut to it and gets an odd last bit where it is inexact,
// so that it is rounded once.
// CHECK-LABEL: llvm.func @narrow_f64(
// CHECK: %[[CUT:.*]] = llvm.inline_asm "cvt.rz.f32.f64 $0, $1;"
// CHECK: %[[BACK:.*]] = llvm.fpext %[[CUT]] : f32 to f64
// CHECK: llvm.fcmp "une" %[[BACK]], %{{.*}} : f64
// CHECK: llvm.or
// CHECK: llvm.trunc %{{.*}} : i32 to i8
tile.kernel @narrow_f64(%f: f64) plan #tile.plan<warps = 1> {
  %x = tile.splat %f : tensor<32xf64, #one>
  %y = arith.truncf %x : tensor<32xf64, #one> to tensor<32xf8E5M2, #one>
  tile.return
}

// So are integers where the chip has no conversion to bf16.
// CHECK-LABEL: llvm.func @integer(
// CHECK: %[[CUT:.*]] = llvm.inline_asm "cvt.rz.f32.u64 $0, $1;"
// CHECK: %[[BACK:.*]] = llvm.fptoui %[[CUT]] : f32 to i64
// CHECK: llvm.icmp "ne" %[[BACK]], %{{.*}} : i64
// CHECK: %[[ODD:.*]] = llvm.or
// CHECK: llvm.bitcast %[[ODD]] : i32 to f32
// CHECK: llvm.fptrunc %{{.*}} : f32 to bf16
tile.kernel @integer(%i: i64) plan #tile.plan<warps = 1, target = "sm_89"> {
  %x = tile.splat %i : tensor<32xi64, #one>
  %y = arith.uitofp %x : tensor<32xi64, #one> to tensor<32xbf16, #one>
  tile.return
}

// From sm_90 on it has.
// CHECK-LABEL: llvm.func @integer_sm_90a(
// CHECK-NOT: inline_asm
// CHECK: llvm.uitofp %{{.*}} : i64 to bf16
tile.kernel @integer_sm_90a(%i: i64) plan #tile.plan<warps = 1, target = "sm_90a"> {
  %x = tile.splat %i : tensor<32xi64, #one>
  %y = arith.uitofp %x : tensor<32xi64, #one> to tensor<32xbf16, #one>
  tile.return
}

// f32 holds small integers, and all 8-bit floats.
// CHECK-LABEL: llvm.func @small_integer(
// CHECK: llvm.sitofp %{{.*}} : i8 to f32
// CHECK: llvm.trunc %{{.*}} : i32 to i8
// CHECK: llvm.fptosi %{{.*}} : f32 to i32
tile.kernel @small_integer(%i: i8) plan #tile.plan<warps = 1> {
  %x = tile.splat %i : tensor<32xi8, #one>
  %y = arith.sitofp %x : tensor<32xi8, #one> to tensor<32xf8E5M2, #one>
  %z = arith.fptosi %y : tensor<32xf8E5M2, #one> to tensor<32xi32, #one>
  tile.return
}
