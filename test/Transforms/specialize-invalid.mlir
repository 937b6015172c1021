// RUN: tile-opt %s --tile-specialize --split-input-file --verify-diagnostics

// expected-note @+1 {{it is taken here}}
tile.kernel @taken$general() variant "mine" {
  tile.return
}

// The name of a variant must be free.
// expected-error @+1 {{expected the name of its variant 'taken$general' to be free}}
tile.kernel @taken() {
  tile.return
}

// -----

// A loop that never gets on is refused here: folding takes it for one that never
// runs, and would leave nothing to refuse.
tile.kernel @stays(%p: !tile.ptr<f32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant -2 : i32
  %x = arith.constant 1.0 : f32
  // expected-error @+1 {{'scf.for' op expected a step of at least 1, got -2}}
  scf.for %k = %zero to %n step %step : i32 {
    tile.store %p[%zero], %x : !tile.ptr<f32>, i32, f32
  }
  tile.return
}
