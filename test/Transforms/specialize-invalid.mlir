// RUN: tile-opt %s --tile-specialize --verify-diagnostics

// expected-note @+1 {{it is taken here}}
tile.kernel @taken$general() variant "mine" {
  tile.return
}

// The name of a variant must be free.
// expected-error @+1 {{expected the name of its variant 'taken$general' to be free}}
tile.kernel @taken() {
  tile.return
}
