// RUN: tile-opt %s --tile-assign-layouts --split-input-file --verify-diagnostics

// What has no layout is an error at its op.

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], sides = [32, 32]>

// An accumulator needs an element for each thread.
tile.kernel @accumulator() {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %a = tile_gpu.alloc : !tile_gpu.buffer<1x32x32xf32, #k>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  // expected-error @+1 {{has no layout for its accumulator: expected at least one element a thread of a 32x32 accumulator on 16x1 warps of 4x8 lanes}}
  %d = tile_gpu.mma %a[%c], %a[%c], %zero plan<fma, m = 1, n = 1, k = 1, warps = [16, 1]>
      : !tile_gpu.buffer<1x32x32xf32, #k>, !tile_gpu.cursor<1>, !tile_gpu.buffer<1x32x32xf32, #k>, !tile_gpu.cursor<1> -> tensor<32x32xf32>
  tile.return
}

// -----

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
