// RUN: tile-opt %s --tile-schedule-loops --split-input-file | FileCheck %s

// Loads that travel through shared memory have stage 0, what depends on them the
// last stage; what neither is nor needs a load has none.
// CHECK-LABEL: @stages
// CHECK: scf.for
// CHECK-NEXT: tile.splat %{{.*}} : tensor<32x32xi32>
// CHECK-NEXT: arith.addi %{{.*}} : tensor<32x32xi32>
// CHECK-NEXT: tile.load {{.*}} {tile.stage = 0 : i64}
// CHECK-NEXT: tile.load {{.*}} {tile.stage = 0 : i64}
// CHECK-NEXT: tile.dot {{.*}} {tile.stage = 2 : i64}
// CHECK-NEXT: scf.yield
tile.kernel @stages(%p: !tile.ptr<f16>, %n: i32, %o: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %os = tile.splat %o : tensor<32x32xi32>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<32x32xf32>) : i32 {
    %ks = tile.splat %k : tensor<32x32xi32>
    %ok = arith.addi %os, %ks : tensor<32x32xi32>
    %x = tile.load %p[%ok] plan<cp_async, vector = 2> : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %y = tile.load %p[%ok] plan<plain> : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %d = tile.dot %x, %y, %s : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    scf.yield %d : tensor<32x32xf32>
  } {tile.pipeline = #tile.pipeline<stages = 3>}
  tile.return
}

// -----

// A chain of users is in the last stage as a whole, and so is a region that uses
// a load inside, and what has an effect.
// CHECK-LABEL: @users
// CHECK: tile.load {{.*}} plan<plain> {tile.stage = 0 : i64}
// CHECK-NEXT: arith.addf {{.*}} {tile.stage = 1 : i64}
// CHECK-NEXT: arith.mulf {{.*}} {tile.stage = 1 : i64}
// CHECK-NEXT: scf.if
// CHECK: } {tile.stage = 1 : i64}
// CHECK-NEXT: tile.load {{.*}} plan<registers> {tile.stage = 1 : i64}
// CHECK-NEXT: tile.print "k", %{{.*}} {tile.stage = 1 : i64}
tile.kernel @users(%p: !tile.ptr<f16>, %n: i32, %c: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = arith.constant dense<0> : tensor<32x32xi32>
  scf.for %k = %c0 to %n step %c1 : i32 {
    %x = tile.load %p[%o] plan<plain> : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %y = arith.addf %x, %x : tensor<32x32xf16>
    %z = arith.mulf %y, %y : tensor<32x32xf16>
    scf.if %c {
      tile.print "x", %x : tensor<32x32xf16>
    }
    %w = tile.load %p[%o] plan<registers> : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    tile.print "k", %k : i32
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// -----

// With one stage, all are in it.
// CHECK-LABEL: @one_stage
// CHECK: tile.load {{.*}} {tile.stage = 0 : i64}
// CHECK-NEXT: arith.addf {{.*}} {tile.stage = 0 : i64}
tile.kernel @one_stage(%p: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = arith.constant dense<0> : tensor<32x32xi32>
  scf.for %k = %c0 to %n step %c1 : i32 {
    %x = tile.load %p[%o] plan<plain> : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %y = arith.addf %x, %x : tensor<32x32xf16>
  } {tile.pipeline = #tile.pipeline<stages = 1>}
  tile.return
}

// -----

// Leaves alone: stages that are there.
// CHECK-LABEL: @kept
// CHECK: tile.load {{.*}} {tile.stage = 2 : i64}
// CHECK-NEXT: tile.load {{.*}} {tile.stage = 0 : i64}
tile.kernel @kept(%p: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = arith.constant dense<0> : tensor<32x32xi32>
  scf.for %k = %c0 to %n step %c1 : i32 {
    %x = tile.load %p[%o] plan<plain> {tile.stage = 2 : i64} : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %y = tile.load %p[%o] plan<plain> : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
  } {tile.pipeline = #tile.pipeline<stages = 3>}
  tile.return
}

// -----

// Leaves alone: loops without a plan, also around one that has it.
// CHECK-LABEL: @no_plan
// CHECK: scf.for
// CHECK-NEXT: tile.load {{.*}} plan<plain> :
// CHECK-NEXT: scf.for
// CHECK-NEXT: tile.load {{.*}} {tile.stage = 0 : i64}
tile.kernel @no_plan(%p: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = arith.constant dense<0> : tensor<32x32xi32>
  scf.for %k = %c0 to %n step %c1 : i32 {
    %x = tile.load %p[%o] plan<plain> : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    scf.for %l = %c0 to %n step %c1 : i32 {
      %y = tile.load %p[%o] plan<plain> : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    } {tile.pipeline = #tile.pipeline<stages = 2>}
  }
  tile.return
}
