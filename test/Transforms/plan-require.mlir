// RUN: tile-opt %s --tile-plan --split-input-file --verify-diagnostics

// What an op insists on is had, or an error with the reason.

// All of these are met.
tile.kernel @met(%p: !tile.ptr<f16> {tile.fact = #tile.fact<divisibility = 16>}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %i = tile.iota : tensor<32xi32>
  %col = tile.expand_dims %i axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %o = tile.broadcast %col : tensor<1x32xi32> -> tensor<32x32xi32>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<32x32xf32>) : i32 {
    %x = tile.load %p[%o] require [cp_async, pipelined] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %d = tile.dot %x, %x, %s require [mma_sync, pipelined] : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    scf.yield %d : tensor<32x32xf32>
  }
  tile.return
}

// -----

// A dot of f32 is no mma.sync.
tile.kernel @mma_sync() {
  %x = arith.constant dense<1.0> : tensor<16x16xf32>
  // expected-error @+1 {{requires mma_sync, which cannot be had: there is none for f32 operands and an accumulator of f32 with precision ieee}}
  %d = tile.dot %x, %x, %x require [mma_sync] : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  tile.return
}

// -----

// A copy that is not asynchronous says why.
tile.kernel @cp_async(%p: !tile.ptr<f16>) {
  %o = arith.constant dense<0> : tensor<32x32xi32>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  // expected-error @+1 {{requires cp_async, which cannot be had: 2 bytes are known to be contiguous and aligned, and it takes 4}}
  %x = tile.load %p[%o] require [cp_async] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
  %d = tile.dot %x, %x, %zero : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
  tile.return
}

// -----

// A tile that stays in registers is not copied.
tile.kernel @cp_async_registers(%p: !tile.ptr<f32>) {
  %o = tile.iota : tensor<32xi32>
  // expected-error @+1 {{requires cp_async, which cannot be had: the plan is registers}}
  %x = tile.load %p[%o] require [cp_async] : !tile.ptr<f32>, tensor<32xi32> -> tensor<32xf32>
  tile.return
}

// -----

// A dot is not copied.
tile.kernel @cp_async_dot() {
  %x = arith.constant dense<1.0> : tensor<16x16xf32>
  // expected-error @+1 {{requires cp_async, which cannot be had: only a load has it}}
  %d = tile.dot %x, %x, %x require [cp_async] : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  tile.return
}

// -----

// A store multiplies nothing.
tile.kernel @mma_store(%p: !tile.ptr<f32>) {
  %o = tile.iota : tensor<32xi32>
  %x = arith.constant dense<0.0> : tensor<32xf32>
  // expected-error @+1 {{requires mma_sync, which cannot be had: only a dot has it}}
  tile.store %p[%o], %x require [mma_sync] : !tile.ptr<f32>, tensor<32xi32>, tensor<32xf32>
  tile.return
}

// -----

// Outside a loop nothing is pipelined.
tile.kernel @pipelined_alone(%p: !tile.ptr<f32>) {
  %o = arith.constant dense<0> : tensor<16x16xi32>
  // expected-error @+1 {{requires pipelined, which cannot be had: no loop around it is pipelined}}
  %x = tile.load %p[%o] require [pipelined] : !tile.ptr<f32>, tensor<16x16xi32> -> tensor<16x16xf32>
  %d = tile.dot %x, %x, %x : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  tile.return
}

// -----

// A loop that does not run ahead says why.
tile.kernel @pipelined_store(%p: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = arith.constant dense<0> : tensor<32x32xi32>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  scf.for %k = %c0 to %n step %c1 : i32 {
    // expected-error @+1 {{requires pipelined, which cannot be had: it writes memory that a load of a later iteration may read}}
    %x = tile.load %p[%o] require [pipelined] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %d = tile.dot %x, %x, %zero : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    %h = arith.truncf %d : tensor<32x32xf32> to tensor<32x32xf16>
    tile.store %p[%o], %h : !tile.ptr<f16>, tensor<32x32xi32>, tensor<32x32xf16>
  }
  tile.return
}

// -----

// One stage, where a plan asks for it, is no pipeline.
tile.kernel @pipelined_one(%p: !tile.ptr<f16>, %n: i32) plan #tile.plan<stages = 1> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = arith.constant dense<0> : tensor<32x32xi32>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<32x32xf32>) : i32 {
    // expected-error @+1 {{requires pipelined, which cannot be had: the plan is one stage}}
    %x = tile.load %p[%o] require [pipelined] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %d = tile.dot %x, %x, %s : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    scf.yield %d : tensor<32x32xf32>
  }
  tile.return
}
