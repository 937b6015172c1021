// RUN: tile-opt %s --split-input-file --verify-diagnostics

// C5: a pointer is no stride.
// expected-error @+1 {{expected 'tile.contiguous' on an integer, got it on argument 0 of type '!tile.ptr<f16>'}}
tile.kernel @kernel_c5_contiguous(%a: !tile.ptr<f16> {tile.contiguous}) {
  tile.return
}

// -----

// The mark says nothing beside itself.
// expected-error @+1 {{expected 'tile.contiguous' to be a unit attribute, got 1 : i64}}
tile.kernel @value(%s: i64 {tile.contiguous = 1}) {
  tile.return
}
