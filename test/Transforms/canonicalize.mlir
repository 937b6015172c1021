// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-canonicalize))' | FileCheck %s

// A cast that rounds twice stays as it is.
// CHECK-LABEL: tile.kernel @twice
// CHECK: %[[F:.*]] = arith.sitofp %{{.*}} : i32 to f32
// CHECK: arith.truncf %[[F]] : f32 to bf16
tile.kernel @twice(%i: i32, %p: !tile.ptr<bf16>, %o: i32) {
  %f = arith.sitofp %i : i32 to f32
  %b = arith.truncf %f : f32 to bf16
  tile.store %p[%o], %b : !tile.ptr<bf16>, i32, bf16
  tile.return
}

// What is exact folds, of truncf as well.
// CHECK-LABEL: tile.kernel @exact
// CHECK-SAME: %[[P:[^:]*]]: !tile.ptr<f16>, %{{.*}}: i32, %[[F:[^:]*]]: f16
// CHECK-NEXT: tile.store %[[P]][%{{.*}}], %[[F]]
tile.kernel @exact(%p: !tile.ptr<f16>, %o: i32, %f: f16) {
  %w = arith.extf %f : f16 to f32
  %n = arith.truncf %w : f32 to f16
  tile.store %p[%o], %n : !tile.ptr<f16>, i32, f16
  tile.return
}
