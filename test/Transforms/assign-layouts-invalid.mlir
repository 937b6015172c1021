// RUN: tile-opt %s --tile-assign-layouts --split-input-file --verify-diagnostics

// What has no layout is an error at its op.

// A tile that the threads' registers cannot hold by far has none.
tile.kernel @too_large(%p: !tile.ptr<f32>, %i: i32, %s: i64) {
  // expected-error @+1 {{has no layout for its result: expected at most 8192 elements a thread, got 131072}}
  %x = tile_gpu.load %p[%i, %i] bounds[%i, %i] strides[%s, %s] plan<registers> : !tile.ptr<f32>, i32 -> tensor<4096x4096xf32>
  tile.return
}

// -----

// So for what is stored.
tile.kernel @too_large_store(%p: !tile.ptr<f32>, %i: i32, %s: i64) {
  %x = arith.constant dense<0.0> : tensor<4096x4096xf32>
  // expected-error @+1 {{has no layout for its value: expected at most 8192 elements a thread, got 131072}}
  tile_gpu.store %x, %p[%i, %i] bounds[%i, %i] strides[%s, %s] plan<registers> : tensor<4096x4096xf32>, !tile.ptr<f32>, i32
  tile.return
}

// -----

// A tensor without dimensions is no tile.
tile.kernel @rank0() {
  // expected-error @+1 {{has no layout for its result: expected a tile of at most 2^24 elements, got 'tensor<f32>'}}
  %x = arith.constant dense<0.0> : tensor<f32>
  tile.return
}

// -----

// Nor is one without elements.
tile.kernel @empty() {
  // expected-error @+1 {{has no layout for its result: expected a tile of at most 2^24 elements, got 'tensor<0xf32>'}}
  %x = arith.constant dense<[]> : tensor<0xf32>
  tile.return
}

// -----

// Elements that lie in a resource are not read.
tile.kernel @resource() {
  // expected-error @+1 {{is not lowered yet: expected elements that are dense, got dense_resource<blob>}}
  %x = arith.constant dense_resource<blob> : tensor<4xf32>
  tile.return
}

// -----

// Dots are lowered before.
tile.kernel @dot() {
  %x = arith.constant dense<0.0> : tensor<16x16xf32>
  // expected-error @+1 {{'tile.dot' op is not lowered yet}}
  %y = tile.dot %x, %x, %x : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  tile.return
}

// -----

// A thread cannot hold all of a long side that is odd.
tile.kernel @odd(%p: !tile.ptr<f32>) {
  // expected-error @+1 {{'arith.constant' op expected at most 1024 elements a thread, got 2047 of 'f32' on 4 warps}}
  %x = arith.constant dense<0.0> : tensor<2047xf32>
  %sum = arith.addf %x, %x : tensor<2047xf32>
  tile.return
}
