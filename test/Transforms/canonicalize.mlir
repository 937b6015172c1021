// RUN: tile-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-canonicalize))' | FileCheck %s

#ring = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], sides = [32, 32]>

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

// Functions of constants are computed in f64 and rounded: 0.420352727 is nearer to
// the tanh of 0.448120385 than 0.420352787, which functions of f32 may give.
// CHECK-LABEL: tile.kernel @function
// CHECK: arith.constant 0.420352727 : f32
tile.kernel @function(%p: !tile.ptr<f32>, %o: i32) {
  %c = arith.constant 0.448120385 : f32
  %t = math.tanh %c : f32
  tile.store %p[%o], %t : !tile.ptr<f32>, i32, f32
  tile.return
}

// So is each element of a tile.
// CHECK-LABEL: tile.kernel @elements
// CHECK: arith.constant dense<[0.420352727, 0.000000e+00]> : tensor<2xf32>
tile.kernel @elements(%p: !tile.ptr<f32>) {
  %i = tile.iota : tensor<2xi32>
  %c = arith.constant dense<[0.448120385, 0.0]> : tensor<2xf32>
  %t = math.tanh %c : tensor<2xf32>
  tile.store %p[%i], %t : !tile.ptr<f32>, tensor<2xi32>, tensor<2xf32>
  tile.return
}

// A tile of one number is a constant, too.
// CHECK-LABEL: tile.kernel @splat
// CHECK: arith.constant dense<0.420352727> : tensor<2xf32>
tile.kernel @splat(%p: !tile.ptr<f32>) {
  %i = tile.iota : tensor<2xi32>
  %c = arith.constant 0.448120385 : f32
  %s = tile.splat %c : tensor<2xf32>
  %t = math.tanh %s : tensor<2xf32>
  tile.store %p[%i], %t : !tile.ptr<f32>, tensor<2xi32>, tensor<2xf32>
  tile.return
}

// The angle of two zeros is that of their signs, as in C99.
// CHECK-LABEL: tile.kernel @zeros
// CHECK: arith.constant 3.14159274 : f32
tile.kernel @zeros(%p: !tile.ptr<f32>, %o: i32) {
  %y = arith.constant 0.0 : f32
  %x = arith.constant -0.0 : f32
  %t = math.atan2 %y, %x : f32
  tile.store %p[%o], %t : !tile.ptr<f32>, i32, f32
  tile.return
}

// A copy that is never made goes.
// CHECK-LABEL: tile.kernel @dead
// CHECK-NOT: tile_gpu.copy_async
// CHECK: tile.return
tile.kernel @dead(%a: !tile.ptr<f16>, %i: i32, %s: i64) {
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x32x32xf16, #ring>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  %live = arith.cmpi slt, %i, %i : i32
  tile_gpu.copy_async %a[%i, %i] bounds[%i, %i] strides[%s, %s] into %ring[%c] if %live plan<cp_async, vector = 8> : !tile.ptr<f16>, i32, !tile_gpu.buffer<2x32x32xf16, #ring>, !tile_gpu.cursor<2>
  tile.return
}
