// RUN: tile-opt %s --tile-lower-memory --split-input-file --verify-diagnostics

// What is not lowered yet, or has no plan, is an error at its op.

// A load has a plan.
tile.kernel @load_plan(%p: !tile.ptr<f32>) {
  %o = tile.iota : tensor<32xi32>
  // expected-error @+1 {{expected a plan, got none}}
  %x = tile.load %p[%o] : !tile.ptr<f32>, tensor<32xi32> -> tensor<32xf32>
  tile.return
}

// -----

// A store has a plan.
tile.kernel @store_plan(%p: !tile.ptr<f32>) {
  %o = tile.iota : tensor<32xi32>
  %x = arith.constant dense<0.0> : tensor<32xf32>
  // expected-error @+1 {{expected a plan, got none}}
  tile.store %p[%o], %x : !tile.ptr<f32>, tensor<32xi32>, tensor<32xf32>
  tile.return
}

// -----

// A dot has a plan.
tile.kernel @dot_plan() {
  %x = arith.constant dense<0.0> : tensor<16x16xf32>
  // expected-error @+1 {{expected a plan, got none}}
  %d = tile.dot %x, %x, %x : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  tile.return
}

// -----

// Plans must be possible, here as in the planner.
tile.kernel @load_vector(%p: !tile.ptr<f32>) {
  %o = tile.iota : tensor<32xi32>
  // expected-error @+1 {{expected a plan with vectors of at most 1 element, since more are not known to be contiguous, aligned and valid together, got 4}}
  %x = tile.load %p[%o] plan<registers, vector = 4> : !tile.ptr<f32>, tensor<32xi32> -> tensor<32xf32>
  tile.return
}

// -----

// So must a dot's.
tile.kernel @dot_warps() {
  %x = arith.constant dense<0.0> : tensor<16x16xf32>
  // expected-error @+1 {{expected a plan over the kernel's 4 warps, got 1x1}}
  %d = tile.dot %x, %x, %x plan<fma, m = 1, n = 1, k = 1, warps = [1, 1]> : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  tile.return
}

// -----

// Elements that are no strided block have a plan too.
tile.kernel @load_gather(%p: !tile.ptr<f32>) {
  %i = tile.iota : tensor<32xi32>
  %o = arith.muli %i, %i : tensor<32xi32>
  // expected-error @+1 {{expected a plan, got none}}
  %x = tile.load %p[%o] : !tile.ptr<f32>, tensor<32xi32> -> tensor<32xf32>
  tile.return
}

// -----

// It is one of single elements.
tile.kernel @store_scatter(%p: !tile.ptr<f32>) {
  %i = tile.iota : tensor<32xi32>
  %o = arith.muli %i, %i : tensor<32xi32>
  %x = arith.constant dense<0.0> : tensor<32xf32>
  // expected-error @+1 {{expected a plan of single elements in registers, since it is no strided block: offsets: }}
  tile.store %p[%o], %x plan<registers, vector = 4> : !tile.ptr<f32>, tensor<32xi32>, tensor<32xf32>
  tile.return
}

// -----

// TMA needs a loop of stages.
tile.kernel @load_tma(%p: !tile.ptr<f32>) {
  %o = arith.constant dense<0> : tensor<32x32xi32>
  // expected-error @+1 {{cannot go through the copy engine, which its plan asks for: it is not in a loop of stages}}
  %y = tile.load %p[%o] plan<tma> : !tile.ptr<f32>, tensor<32x32xi32> -> tensor<32x32xf32>
  tile.return
}

// -----

// A slot holds a matrix.
tile.kernel @load_rank(%p: !tile.ptr<f32>) {
  %o = arith.constant dense<0> : tensor<32xi32>
  // expected-error @+1 {{into shared memory is not lowered yet: expected a matrix, got a tile of rank 1}}
  %y = tile.load %p[%o] plan<plain> : !tile.ptr<f32>, tensor<32xi32> -> tensor<32xf32>
  tile.return
}

// -----

// Only a producer's copies round what wgmma reads to tf32.
tile.kernel @unrounded() plan #tile.plan<target = "sm_90a", warps = 4> {
  %x = arith.constant dense<1.0> : tensor<64x32xf32>
  %y = arith.constant dense<1.0> : tensor<32x64xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  // expected-error @+1 {{cannot use wgmma, which its plan asks for: only a producer's copies round operands to tf32, and the kernel is not split into roles}}
  %d = tile.dot %x, %y, %zero precision tf32 plan<wgmma, m = 64, n = 64, k = 8, warps = [1, 1]> : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
  tile.return
}

// -----

// wgmma sums 8-bit floats in fewer bits than f32 has.
tile.kernel @unpromoted() plan #tile.plan<target = "sm_90a", warps = 4> {
  %x = arith.constant dense<1.0> : tensor<64x64xf8E5M2>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  // expected-error @+1 {{cannot use wgmma, which its plan asks for: it sums 8-bit floats in 14 bits, which takes promote_every of the tile's k, 64, or more}}
  %d = tile.dot %x, %x, %zero promote_every 32 plan<wgmma, m = 64, n = 64, k = 32, warps = [1, 1]> : tensor<64x64xf8E5M2>, tensor<64x64xf8E5M2> -> tensor<64x64xf32>
  tile.return
}
