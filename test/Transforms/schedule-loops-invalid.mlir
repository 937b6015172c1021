// RUN: tile-opt %s --tile-schedule-loops --split-input-file --verify-diagnostics

// Wrong schedules, written by hand, are errors with both times.

// A stage is one of the loop's.
tile.kernel @beyond(%p: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = arith.constant dense<0> : tensor<32x32xi32>
  scf.for %k = %c0 to %n step %c1 : i32 {
    // expected-error @+1 {{expected a stage below the loop's 3, got 3}}
    %x = tile.load %p[%o] plan<plain> {tile.stage = 3 : i64} : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
  } {tile.pipeline = #tile.pipeline<stages = 3>}
  tile.return
}

// -----

// Only loads that travel through shared memory run ahead: not arithmetic.
tile.kernel @arithmetic_ahead(%x: f32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %k = %c0 to %n step %c1 : i32 {
    // expected-error @+1 {{expected stage 2, since only loads with a copy plan run ahead, got 1}}
    %y = arith.addf %x, %x {tile.stage = 1 : i64} : f32
  } {tile.pipeline = #tile.pipeline<stages = 3>}
  tile.return
}

// -----

// Nor loads to registers.
tile.kernel @registers_ahead(%p: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = arith.constant dense<0> : tensor<32x32xi32>
  scf.for %k = %c0 to %n step %c1 : i32 {
    // expected-error @+1 {{expected stage 1, since only loads with a copy plan run ahead, got 0}}
    %x = tile.load %p[%o] plan<registers> {tile.stage = 0 : i64} : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// -----

// A value is made no later than it is used.
tile.kernel @used_before_made(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = arith.constant dense<0> : tensor<32x32xi32>
  %m = arith.constant dense<true> : tensor<32x32xi1>
  scf.for %k = %c0 to %n step %c1 : i32 {
    // expected-error @+1 {{expected its users in stage 1 or later, got 0}}
    %x = tile.load %p[%o] plan<plain> {tile.stage = 1 : i64} : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    // expected-note @+1 {{used here in stage 0}}
    %y = tile.load %q[%o] mask %m other %x plan<plain> {tile.stage = 0 : i64} : !tile.ptr<f16>, tensor<32x32xi32>, tensor<32x32xf16> -> tensor<32x32xf16>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// -----

// The same where the schedule is the rule's: a load whose address is loaded
// cannot run ahead.
tile.kernel @gather(%p: !tile.ptr<f16>, %q: !tile.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = arith.constant dense<0> : tensor<32x32xi32>
  scf.for %k = %c0 to %n step %c1 : i32 {
    // expected-error @+1 {{expected its users in stage 1 or later, got 0}}
    %i = tile.load %q[%o] plan<registers> : !tile.ptr<i32>, tensor<32x32xi32> -> tensor<32x32xi32>
    // expected-note @+1 {{used here in stage 0}}
    %y = tile.load %p[%i] plan<plain> : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}
