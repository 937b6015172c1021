// RUN: tile-opt %s --verify-roundtrip | FileCheck %s
// RUN: tile-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD
// RUN: tile-opt %s --canonicalize | tile-opt --verify-roundtrip | FileCheck %s --check-prefix=FOLD
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// The bits of special constants survive printing, reading and folding.

// f32: the sign of zero, infinities, NaNs with sign and payload, the largest
// finite and the smallest subnormal number.
// CHECK-LABEL: @scalars_f32
// CHECK-DAG: arith.constant -0.000000e+00 : f32
// CHECK-DAG: arith.constant 0x7F800000 : f32
// CHECK-DAG: arith.constant 0xFF800000 : f32
// CHECK-DAG: arith.constant 0x7FC00000 : f32
// CHECK-DAG: arith.constant 0xFFC12345 : f32
// CHECK-DAG: arith.constant 3.40282347E+38 : f32
// CHECK-DAG: arith.constant 1.401300e-45 : f32
// FOLD-LABEL: @scalars_f32
// FOLD-DAG: arith.constant dense<-0.000000e+00> : tensor<4xf32>
// FOLD-DAG: arith.constant dense<0x7F800000> : tensor<4xf32>
// FOLD-DAG: arith.constant dense<0xFF800000> : tensor<4xf32>
// FOLD-DAG: arith.constant dense<0x7FC00000> : tensor<4xf32>
// FOLD-DAG: arith.constant dense<0xFFC12345> : tensor<4xf32>
// FOLD-DAG: arith.constant dense<3.40282347E+38> : tensor<4xf32>
// FOLD-DAG: arith.constant dense<1.401300e-45> : tensor<4xf32>
tile.kernel @scalars_f32() {
  %c0 = arith.constant -0.0 : f32
  %c1 = arith.constant 0x7F800000 : f32
  %c2 = arith.constant 0xFF800000 : f32
  %c3 = arith.constant 0x7FC00000 : f32
  %c4 = arith.constant 0xFFC12345 : f32
  %c5 = arith.constant 3.40282347e+38 : f32
  %c6 = arith.constant 1.4e-45 : f32
  %t0 = tile.splat %c0 : tensor<4xf32>
  %t1 = tile.splat %c1 : tensor<4xf32>
  %t2 = tile.splat %c2 : tensor<4xf32>
  %t3 = tile.splat %c3 : tensor<4xf32>
  %t4 = tile.splat %c4 : tensor<4xf32>
  %t5 = tile.splat %c5 : tensor<4xf32>
  %t6 = tile.splat %c6 : tensor<4xf32>
  tile.print "x", %t0, %t1, %t2, %t3, %t4, %t5, %t6 : tensor<4xf32>,
      tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>,
      tensor<4xf32>
  tile.return
}

// f16, as whole tiles: -0.0, infinities, NaN, 65504 and 2^-24.
// CHECK-LABEL: @tiles_f16
// CHECK-DAG: dense<-0.000000e+00> : tensor<4xf16>
// CHECK-DAG: dense<0x7C00> : tensor<4xf16>
// CHECK-DAG: dense<0xFC00> : tensor<4xf16>
// CHECK-DAG: dense<0x7E01> : tensor<4xf16>
// CHECK-DAG: dense<6.550400e+04> : tensor<4xf16>
// CHECK-DAG: dense<5.960460e-08> : tensor<4xf16>
// FOLD-LABEL: @tiles_f16
// FOLD-DAG: dense<-0.000000e+00> : tensor<2x4xf16>
// FOLD-DAG: dense<0x7E01> : tensor<2x4xf16>
tile.kernel @tiles_f16() {
  %t0 = arith.constant dense<-0.0> : tensor<4xf16>
  %t1 = arith.constant dense<0x7C00> : tensor<4xf16>
  %t2 = arith.constant dense<0xFC00> : tensor<4xf16>
  %t3 = arith.constant dense<0x7E01> : tensor<4xf16>
  %t4 = arith.constant dense<65504.0> : tensor<4xf16>
  %t5 = arith.constant dense<5.96046448e-08> : tensor<4xf16>
  %e0 = tile.expand_dims %t0 axis 0 : tensor<4xf16> -> tensor<1x4xf16>
  %b0 = tile.broadcast %e0 : tensor<1x4xf16> -> tensor<2x4xf16>
  %e3 = tile.expand_dims %t3 axis 0 : tensor<4xf16> -> tensor<1x4xf16>
  %b3 = tile.broadcast %e3 : tensor<1x4xf16> -> tensor<2x4xf16>
  tile.print "x", %b0, %t1, %t2, %b3, %t4, %t5 : tensor<2x4xf16>, tensor<4xf16>,
      tensor<4xf16>, tensor<2x4xf16>, tensor<4xf16>, tensor<4xf16>
  tile.return
}

// bf16: the same.
// CHECK-LABEL: @tiles_bf16
// CHECK-DAG: dense<-0.000000e+00> : tensor<4xbf16>
// CHECK-DAG: dense<0x7F80> : tensor<4xbf16>
// CHECK-DAG: dense<0xFF80> : tensor<4xbf16>
// CHECK-DAG: dense<0x7FC1> : tensor<4xbf16>
// CHECK-DAG: dense<3.389530e+38> : tensor<4xbf16>
// FOLD-LABEL: @tiles_bf16
// FOLD-DAG: dense<-0.000000e+00> : tensor<4x1xbf16>
// FOLD-DAG: dense<0x7FC1> : tensor<4x1xbf16>
tile.kernel @tiles_bf16() {
  %t0 = arith.constant dense<-0.0> : tensor<4xbf16>
  %t1 = arith.constant dense<0x7F80> : tensor<4xbf16>
  %t2 = arith.constant dense<0xFF80> : tensor<4xbf16>
  %t3 = arith.constant dense<0x7FC1> : tensor<4xbf16>
  %t4 = arith.constant dense<3.38953139e+38> : tensor<4xbf16>
  %r0 = tile.reshape %t0 : tensor<4xbf16> -> tensor<4x1xbf16>
  %r3 = tile.reshape %t3 : tensor<4xbf16> -> tensor<4x1xbf16>
  tile.print "x", %r0, %t1, %t2, %r3, %t4 : tensor<4x1xbf16>, tensor<4xbf16>,
      tensor<4xbf16>, tensor<4x1xbf16>, tensor<4xbf16>
  tile.return
}

// 8-bit floats: NaN and -0.0, and for f8E5M2 infinity.
// CHECK-LABEL: @tiles_f8
// CHECK-DAG: dense<-0.000000e+00> : tensor<4xf8E4M3FN>
// CHECK-DAG: dense<0x7F> : tensor<4xf8E4M3FN>
// CHECK-DAG: dense<4.480000e+02> : tensor<4xf8E4M3FN>
// CHECK-DAG: dense<0x7C> : tensor<4xf8E5M2>
tile.kernel @tiles_f8() {
  %t0 = arith.constant dense<-0.0> : tensor<4xf8E4M3FN>
  %t1 = arith.constant dense<0x7F> : tensor<4xf8E4M3FN>
  %t2 = arith.constant dense<448.0> : tensor<4xf8E4M3FN>
  %t3 = arith.constant dense<0x7C> : tensor<4xf8E5M2>
  tile.print "x", %t0, %t1, %t2, %t3 : tensor<4xf8E4M3FN>, tensor<4xf8E4M3FN>,
      tensor<4xf8E4M3FN>, tensor<4xf8E5M2>
  tile.return
}

// As what masked lanes read, -0.0 stays -0.0 when the load goes.
// FOLD-LABEL: @other
// FOLD: %[[C:.*]] = arith.constant dense<-0.000000e+00> : tensor<4xf32>
// FOLD: tile.print "x", %[[C]]
tile.kernel @other(%p: !tile.ptr<f32>) {
  %i = tile.iota : tensor<4xi32>
  %m = arith.constant dense<false> : tensor<4xi1>
  %x = arith.constant -0.0 : f32
  %0 = tile.load %p[%i] mask %m other %x
      : !tile.ptr<f32>, tensor<4xi32>, f32 -> tensor<4xf32>
  tile.print "x", %0 : tensor<4xf32>
  tile.return
}
