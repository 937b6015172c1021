// RUN: tile-opt %s --tile-lower-arithmetic | FileCheck %s

// Arithmetic of 8-bit floats is that of f32 between two conversions, which no
// flag lets be folded away.
// CHECK-LABEL: tile.kernel @sums(
// CHECK: %[[A:.*]] = arith.extf %x : f8E4M3FN to f32
// CHECK: %[[B:.*]] = arith.extf %y : f8E4M3FN to f32
// CHECK: %[[C:.*]] = arith.addf %[[A]], %[[B]] fastmath<contract> : f32
// CHECK: %[[D:.*]] = arith.truncf %[[C]] : f32 to f8E4M3FN
// CHECK: %[[E:.*]] = arith.extf %[[D]] : f8E4M3FN to f32
// CHECK: %[[F:.*]] = arith.mulf %[[E]], %[[E]] : f32
// CHECK: arith.truncf %[[F]] : f32 to f8E4M3FN
tile.kernel @sums(%p: !tile.ptr<f8E4M3FN>, %i: i32, %x: f8E4M3FN, %y: f8E4M3FN) {
  %sum = arith.addf %x, %y fastmath<contract> : f8E4M3FN
  %square = arith.mulf %sum, %sum : f8E4M3FN
  tile.store %p[%i], %square : !tile.ptr<f8E4M3FN>, i32, f8E4M3FN
  tile.return
}

// f32 holds what decides a product and sum of f8E4M3FN, and f64 of f8E5M2.
// CHECK-LABEL: tile.kernel @fused(
// CHECK: math.fma {{.*}} : f32
// CHECK: math.fma {{.*}} : f64
// CHECK: arith.truncf {{.*}} : f64 to f8E5M2
tile.kernel @fused(%p: !tile.ptr<f8E4M3FN>, %q: !tile.ptr<f8E5M2>, %i: i32, %x: f8E4M3FN, %y: f8E5M2) {
  %a = math.fma %x, %x, %x : f8E4M3FN
  tile.store %p[%i], %a : !tile.ptr<f8E4M3FN>, i32, f8E4M3FN
  %b = math.fma %y, %y, %y : f8E5M2
  tile.store %q[%i], %b : !tile.ptr<f8E5M2>, i32, f8E5M2
  tile.return
}

// Signs are bits, of a NaN as well; layouts stay.
// CHECK-LABEL: tile.kernel @signs(
// CHECK: arith.bitcast {{.*}} : tensor<4xf8E5M2, #[[LAYOUT:.*]]> to tensor<4xi8, #[[LAYOUT]]>
// CHECK: arith.xori {{.*}} : tensor<4xi8, #[[LAYOUT]]>
// CHECK: arith.bitcast {{.*}} : tensor<4xi8, #[[LAYOUT]]> to tensor<4xf8E5M2, #[[LAYOUT]]>
// CHECK: arith.andi {{.*}}, %{{.*}} : tensor<4xi8, #[[LAYOUT]]>
// CHECK-NOT: arith.extf
// CHECK: arith.ori {{.*}} : tensor<4xi8, #[[LAYOUT]]>
#lanes = #tile.layout<lane = [[1], [2], [0], [0], [0]], sides = [4]>
tile.kernel @signs(%x: f8E5M2) {
  %t = tile.splat %x : tensor<4xf8E5M2, #lanes>
  %n = arith.negf %t : tensor<4xf8E5M2, #lanes>
  %a = math.absf %n : tensor<4xf8E5M2, #lanes>
  %c = math.copysign %a, %n : tensor<4xf8E5M2, #lanes>
  tile.print "c", %c : tensor<4xf8E5M2, #lanes>
  tile.return
}

// What is asked of them is asked of f32; an integer beside them stays one.
// CHECK-LABEL: tile.kernel @questions(
// CHECK: arith.cmpf olt, {{.*}} : f32
// CHECK: math.isnan {{.*}} : f32
// CHECK: %[[P:.*]] = math.fpowi {{.*}}, %n : f32, i64
// CHECK: arith.truncf %[[P]] : f32 to f8E5M2
tile.kernel @questions(%p: !tile.ptr<f8E5M2>, %i: i32, %x: f8E5M2, %n: i64) {
  %less = arith.cmpf olt, %x, %x : f8E5M2
  %nan = math.isnan %x : f8E5M2
  %power = math.fpowi %x, %n : f8E5M2, i64
  %either = arith.ori %less, %nan : i1
  %chosen = arith.select %either, %x, %power : f8E5M2
  tile.store %p[%i], %chosen : !tile.ptr<f8E5M2>, i32, f8E5M2
  tile.return
}

// Casts, choices and constants are left alone.
// CHECK-LABEL: tile.kernel @moves(
// CHECK-NEXT: arith.constant 1.000000e+00 : f8E5M2
// CHECK-NEXT: arith.select {{.*}} : f8E5M2
// CHECK-NEXT: arith.extf {{.*}} : f8E5M2 to bf16
// CHECK-NEXT: tile.store
tile.kernel @moves(%p: !tile.ptr<bf16>, %i: i32, %x: f8E5M2, %c: i1) {
  %one = arith.constant 1.0 : f8E5M2
  %chosen = arith.select %c, %x, %one : f8E5M2
  %wide = arith.extf %chosen : f8E5M2 to bf16
  tile.store %p[%i], %wide : !tile.ptr<bf16>, i32, bf16
  tile.return
}

// A region that combines is a program, too.
// CHECK-LABEL: tile.kernel @reduced(
// CHECK: ^bb0(%[[L:.*]]: f8E5M2, %[[R:.*]]: f8E5M2):
// CHECK: arith.extf %[[L]] : f8E5M2 to f32
// CHECK: arith.addf {{.*}} : f32
// CHECK: tile.yield %{{.*}} : f8E5M2
tile.kernel @reduced(%p: !tile.ptr<f8E5M2>, %i: i32, %x: f8E5M2) {
  %t = tile.splat %x : tensor<4xf8E5M2>
  %s = tile.reduce %t axis 0 {
  ^bb0(%l: f8E5M2, %r: f8E5M2):
    %sum = arith.addf %l, %r : f8E5M2
    tile.yield %sum : f8E5M2
  } : tensor<4xf8E5M2> -> f8E5M2
  tile.store %p[%i], %s : !tile.ptr<f8E5M2>, i32, f8E5M2
  tile.return
}

// Two results are two functions, with the op's flags.
// CHECK-LABEL: tile.kernel @waves(
// CHECK: %[[SIN:.*]] = math.sin %x fastmath<afn> : f32
// CHECK: %[[COS:.*]] = math.cos %x fastmath<afn> : f32
// CHECK: tile.store %p[%i], %[[SIN]]
// CHECK: tile.store %q[%i], %[[COS]]
tile.kernel @waves(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %i: i32, %x: f32) {
  %sin, %cos = math.sincos %x fastmath<afn> : f32
  tile.store %p[%i], %sin : !tile.ptr<f32>, i32, f32
  tile.store %q[%i], %cos : !tile.ptr<f32>, i32, f32
  tile.return
}

// A number is held above the first bound, and then below the second; it is NaN
// where one of the three is.
// CHECK-LABEL: tile.kernel @clamped(
// CHECK: %[[ABOVE:.*]] = arith.maximumf %x, %low : f64
// CHECK: %[[HELD:.*]] = arith.minimumf %[[ABOVE]], %high : f64
// CHECK: tile.store %p[%i], %[[HELD]]
tile.kernel @clamped(%p: !tile.ptr<f64>, %i: i32, %x: f64, %low: f64, %high: f64) {
  %y = math.clampf %x to [%low, %high] : f64
  tile.store %p[%i], %y : !tile.ptr<f64>, i32, f64
  tile.return
}

// Normal numbers are those between two: of 8 bits, by the format's own bounds.
// CHECK-LABEL: tile.kernel @normal(
// CHECK-DAG: arith.constant 1.562500e-02 : f8E4M3FN
// CHECK-DAG: arith.constant 4.480000e+02 : f8E4M3FN
// CHECK-DAG: arith.cmpf oge, {{.*}} : f32
// CHECK-DAG: arith.cmpf ole, {{.*}} : f32
// CHECK: arith.andi {{.*}} : i1
tile.kernel @normal(%p: !tile.ptr<i1>, %i: i32, %x: f8E4M3FN) {
  %y = math.isnormal %x : f8E4M3FN
  tile.store %p[%i], %y : !tile.ptr<i1>, i32, i1
  tile.return
}

// A cast that rounds otherwise steps from the nearest number to its neighbour, by
// bits; to nearest even is what casts do.
// CHECK-LABEL: tile.kernel @rounded(
// CHECK: arith.truncf %x : f32 to bf16
// CHECK: %[[NEAR:.*]] = arith.truncf %x : f32 to bf16
// CHECK: %[[BITS:.*]] = arith.bitcast %[[NEAR]] : bf16 to i16
// CHECK: %[[INSIDE:.*]] = arith.subi %[[BITS]], %{{.*}} : i16
// CHECK: %[[IS_PAST:.*]] = arith.cmpf ogt, {{.*}} : f32
// CHECK: %[[CUT:.*]] = arith.select %[[IS_PAST]], %[[INSIDE]], %[[BITS]] : i16
// CHECK: arith.bitcast %[[CUT]] : i16 to bf16
tile.kernel @rounded(%p: !tile.ptr<bf16>, %q: !tile.ptr<bf16>, %i: i32, %x: f32) {
  %near = arith.truncf %x to_nearest_even : f32 to bf16
  tile.store %p[%i], %near : !tile.ptr<bf16>, i32, bf16
  %cut = arith.truncf %x toward_zero : f32 to bf16
  tile.store %q[%i], %cut : !tile.ptr<bf16>, i32, bf16
  tile.return
}

// To one bit by way of an integer: the back end's own cast takes 0.0 to 1.
// CHECK-LABEL: tile.kernel @bits(
// CHECK: %[[SIGNED:.*]] = arith.fptosi %x : f32 to i32
// CHECK: arith.trunci %[[SIGNED]] : i32 to i1
// CHECK: %[[UNSIGNED:.*]] = arith.fptoui %{{.*}} : tensor<4xf16> to tensor<4xi32>
// CHECK: arith.trunci %[[UNSIGNED]] : tensor<4xi32> to tensor<4xi1>
tile.kernel @bits(%p: !tile.ptr<i1>, %i: i32, %x: f32, %y: f16) {
  %a = arith.fptosi %x : f32 to i1
  tile.store %p[%i], %a : !tile.ptr<i1>, i32, i1
  %iota = tile.iota : tensor<4xi32>
  %ys = tile.splat %y : tensor<4xf16>
  %b = arith.fptoui %ys : tensor<4xf16> to tensor<4xi1>
  tile.store %p[%iota], %b : !tile.ptr<i1>, tensor<4xi32>, tensor<4xi1>
  tile.return
}
