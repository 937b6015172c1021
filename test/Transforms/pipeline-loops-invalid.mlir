// RUN: tile-opt %s --tile-pipeline-loops --split-input-file --verify-diagnostics

// A schedule that was written by hand is checked before anything changes.

// The schedule must verify.
tile.kernel @schedule(%p: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = arith.constant dense<0> : tensor<32x32xi32>
  scf.for %k = %c0 to %n step %c1 : i32 {
    // expected-error @+1 {{expected a stage below the loop's 2, got 2}}
    %x = tile.load %p[%o] plan<plain> {tile.stage = 2 : i64} : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// -----

// Only blocks are staged.
tile.kernel @gather(%p: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %i = tile.iota : tensor<32xi32>
  %i2 = arith.muli %i, %i : tensor<32xi32>
  %col = tile.expand_dims %i2 axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %o = tile.broadcast %col : tensor<1x32xi32> -> tensor<32x32xi32>
  scf.for %k = %c0 to %n step %c1 : i32 {
    // expected-error @+1 {{cannot be staged: expected a strided block, but offsets: }}
    %x = tile.load %p[%o] plan<plain> {tile.stage = 0 : i64} : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// -----

// Only matrices are staged.
tile.kernel @rank(%p: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = arith.constant dense<0> : tensor<32xi32>
  scf.for %k = %c0 to %n step %c1 : i32 {
    // expected-error @+1 {{cannot be staged: expected a matrix, got a tile of rank 1}}
    %x = tile.load %p[%o] plan<plain> {tile.stage = 0 : i64} : !tile.ptr<f16>, tensor<32xi32> -> tensor<32xf16>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// -----

// A copy plan must be possible.
tile.kernel @plan(%p: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = arith.constant dense<0> : tensor<32x32xi32>
  scf.for %k = %c0 to %n step %c1 : i32 {
    // expected-error @+1 {{expected a plan with vectors of at most 1 element, since more are not known to be contiguous, aligned and valid together, got 8}}
    %x = tile.load %p[%o] plan<cp_async, vector = 8> {tile.stage = 0 : i64} : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// -----

// A copy must not pass a store that it may have to see.
tile.kernel @store(%p: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = arith.constant dense<0> : tensor<32x32xi32>
  // expected-error @+1 {{cannot have 2 stages, which its plan asks for: it writes memory that a load of a later iteration may read}}
  scf.for %k = %c0 to %n step %c1 : i32 {
    %x = tile.load %p[%o] plan<plain> {tile.stage = 0 : i64} : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    tile.store %p[%o], %x {tile.stage = 1 : i64} : !tile.ptr<f16>, tensor<32x32xi32>, tensor<32x32xf16>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// -----

// An address must be known ahead.
tile.kernel @address(%p: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-error @+1 {{cannot have 3 stages, which its plan asks for: the address of a load is computed in the loop}}
  scf.for %k = %c0 to %n step %c1 iter_args(%q = %n) -> (i32) : i32 {
    %o = tile.splat %q : tensor<32x32xi32>
    %x = tile.load %p[%o] plan<plain> {tile.stage = 0 : i64} : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %next = arith.muli %q, %q : i32
    scf.yield %next : i32
  } {tile.pipeline = #tile.pipeline<stages = 3>}
  tile.return
}

// -----

// The end must be told by a signed comparison.
tile.kernel @unsigned(%p: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = arith.constant dense<0> : tensor<32x32xi32>
  // expected-error @+1 {{cannot have 2 stages, which its plan asks for: its bounds are compared unsigned}}
  scf.for unsigned %k = %c0 to %n step %c1 : i32 {
    %x = tile.load %p[%o] plan<plain> {tile.stage = 0 : i64} : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// -----

// The copy engine has conditions of its own.
tile.kernel @tma(%p: !tile.ptr<f32>, %n: i32) plan #tile.plan<target = "sm_90a", warps = 4> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = arith.constant dense<0> : tensor<32x32xi32>
  scf.for %k = %c0 to %n step %c1 : i32 {
    // expected-error @+1 {{cannot go through the copy engine, which its plan asks for: no stride is known to be 1}}
    %x = tile.load %p[%o] plan<tma> {tile.stage = 0 : i64} : !tile.ptr<f32>, tensor<32x32xi32> -> tensor<32x32xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}
