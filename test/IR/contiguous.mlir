// RUN: tile-opt %s --verify-roundtrip | FileCheck %s

// An integer argument may be marked as the stride that is mostly 1.
// CHECK: tile.kernel @marked(%a: !tile.ptr<f16>, %si: i64 {tile.contiguous})
tile.kernel @marked(%a: !tile.ptr<f16>, %si: i64 {tile.contiguous}) {
  tile.return
}
