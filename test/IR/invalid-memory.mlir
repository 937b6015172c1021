// RUN: tile-opt %s --split-input-file --verify-diagnostics

// Each numbered constraint of pointers and memory accesses, broken once.

// C1: a pointer points to elements of memory.
// expected-error @+1 {{expected an element of f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i64, i32, i16, i8 or i1, got 'index'}}
tile.kernel @ptr_c1_element(%p: !tile.ptr<index>) {
  tile.return
}

// -----

// C1: pointers are not elements.
// expected-error @+1 {{or i1, got '!tile.ptr<f32>'}}
tile.kernel @ptr_c1_pointer(%p: !tile.ptr<!tile.ptr<f32>>) {
  tile.return
}

// -----

// C1: nor are signed integers.
// expected-error @+1 {{or i1, got 'si32'}}
tile.kernel @ptr_c1_signed(%p: !tile.ptr<si32>) {
  tile.return
}

// -----

// An advanced pointer points to the same elements.
tile.kernel @offset_type(%p: !tile.ptr<f32>, %n: i32) {
  // expected-error @+1 {{failed to verify that result is a pointer of the same type}}
  %0 = "tile.offset"(%p, %n) : (!tile.ptr<f32>, i32) -> !tile.ptr<f16>
  tile.return
}

// -----

// C1: what is read is the pointer's element.
tile.kernel @load_c1_element(%p: !tile.ptr<f16>, %i: i32) {
  // expected-error @+1 {{expected a result of the pointer's 'f16', got 'f32'}}
  %0 = tile.load %p[%i] : !tile.ptr<f16>, i32 -> f32
  tile.return
}

// -----

// C2: there is an offset for each element.
tile.kernel @load_c2_offsets(%p: !tile.ptr<f16>) {
  %i = tile.iota : tensor<4xi32>
  // expected-error @+1 {{expected offsets of the shape of 'tensor<8xf16>', got 'tensor<4xi32>'}}
  %0 = tile.load %p[%i] : !tile.ptr<f16>, tensor<4xi32> -> tensor<8xf16>
  tile.return
}

// -----

// C2: a scalar offset reads a scalar.
tile.kernel @load_c2_scalar(%p: !tile.ptr<f16>, %i: i32) {
  // expected-error @+1 {{expected offsets of the shape of 'tensor<8xf16>', got 'i32'}}
  %0 = tile.load %p[%i] : !tile.ptr<f16>, i32 -> tensor<8xf16>
  tile.return
}

// -----

// C2: a tile is not masked by one bit.
tile.kernel @load_c2_scalar_mask(%p: !tile.ptr<f16>, %m: i1) {
  %i = tile.iota : tensor<8xi32>
  // expected-error @+1 {{expected a mask of 'tensor<8xi1>', got 'i1'}}
  %0 = "tile.load"(%p, %i, %m) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}>
      : (!tile.ptr<f16>, tensor<8xi32>, i1) -> tensor<8xf16>
  tile.return
}

// -----

// C2: the mask has the result's layout, which the text does not repeat.
tile.kernel @load_c2_layout(%p: !tile.ptr<f16>, %m: i1) {
  %i = tile.iota : tensor<2xi32>
  %t = tile.splat %m : tensor<2xi1, #tile.layout<lane = [[1]], sides = [2]>>
  // expected-error @+1 {{expected a mask of 'tensor<2xi1>', got 'tensor<2xi1, #tile.layout<lane = [[1]], sides = [2]>>'}}
  %0 = "tile.load"(%p, %i, %t) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}>
      : (!tile.ptr<f16>, tensor<2xi32>, tensor<2xi1, #tile.layout<lane = [[1]], sides = [2]>>) -> tensor<2xf16>
  tile.return
}

// -----

// C3: lanes that are off read something of the right type.
tile.kernel @load_c3_other(%p: !tile.ptr<f16>, %i: i32, %m: i1, %x: f32) {
  // expected-error @+1 {{expected other to be 'f16' or 'f16', got 'f32'}}
  %0 = tile.load %p[%i] mask %m other %x : !tile.ptr<f16>, i32, f32 -> f16
  tile.return
}

// -----

// C3: a tile that lanes read has the result's shape.
tile.kernel @load_c3_shape(%p: !tile.ptr<f32>, %x: f32) {
  %i = tile.iota : tensor<8xi32>
  %m = arith.constant dense<true> : tensor<8xi1>
  %o = tile.splat %x : tensor<4xf32>
  // expected-error @+1 {{expected other to be 'tensor<8xf32>' or 'f32', got 'tensor<4xf32>'}}
  %0 = tile.load %p[%i] mask %m other %o : !tile.ptr<f32>, tensor<8xi32>, tensor<4xf32> -> tensor<8xf32>
  tile.return
}

// -----

// C4: without a mask no lane is off.
tile.kernel @load_c4_mask(%p: !tile.ptr<f16>, %i: i32, %x: f16) {
  // expected-error @+1 {{expected a mask beside other, got none}}
  %0 = tile.load %p[%i] other %x : !tile.ptr<f16>, i32, f16 -> f16
  tile.return
}

// -----

// A feature that an op insists on is one that some compiler could have.
tile.kernel @load_require_unknown(%p: !tile.ptr<f16>, %i: i32) {
  // expected-error @+1 {{expected mma_sync, wgmma, cp_async, tma or pipelined, got 'magic'}}
  %0 = tile.load %p[%i] require [magic] : !tile.ptr<f16>, i32 -> f16
  tile.return
}

// -----

// To insist on nothing is a slip.
tile.kernel @load_require_empty(%p: !tile.ptr<f16>, %i: i32) {
  // expected-error @+1 {{expected require to name a feature, got none}}
  %0 = tile.load %p[%i] require [] : !tile.ptr<f16>, i32 -> f16
  tile.return
}

// -----

// C1: what is written is the pointer's element.
tile.kernel @store_c1_element(%p: !tile.ptr<f16>, %i: i32, %x: f32) {
  // expected-error @+1 {{expected a value of the pointer's 'f16', got 'f32'}}
  tile.store %p[%i], %x : !tile.ptr<f16>, i32, f32
  tile.return
}

// -----

// C2: there is an offset for each element.
tile.kernel @store_c2_offsets(%p: !tile.ptr<f16>, %x: f16) {
  %i = tile.iota : tensor<4xi32>
  // expected-error @+1 {{expected offsets of the shape of 'f16', got 'tensor<4xi32>'}}
  tile.store %p[%i], %x : !tile.ptr<f16>, tensor<4xi32>, f16
  tile.return
}

// -----

// C2: a mask has the value's shape.
tile.kernel @store_c2_mask(%p: !tile.ptr<f16>, %i: i32, %x: f16) {
  %m = arith.constant dense<true> : tensor<8xi1>
  // expected-error @+1 {{expected a mask of 'i1', got 'tensor<8xi1>'}}
  "tile.store"(%p, %i, %x, %m) : (!tile.ptr<f16>, i32, f16, tensor<8xi1>) -> ()
  tile.return
}

// -----

// C1: an atomic update is of the pointer's element.
tile.kernel @atomic_rmw_c1_element(%p: !tile.ptr<i32>, %i: i32, %x: i64) {
  // expected-error @+1 {{expected a value of the pointer's 'i32', got 'i64'}}
  %0 = tile.atomic_rmw addi %p[%i], %x : !tile.ptr<i32>, i32, i64
  tile.return
}

// -----

// C2: there is an offset for each element.
tile.kernel @atomic_rmw_c2_offsets(%p: !tile.ptr<i32>, %x: i32) {
  %i = tile.iota : tensor<4xi32>
  // expected-error @+1 {{expected offsets of the shape of 'i32', got 'tensor<4xi32>'}}
  %0 = tile.atomic_rmw addi %p[%i], %x : !tile.ptr<i32>, tensor<4xi32>, i32
  tile.return
}

// -----

// C2: there is a bit of mask for each element.
tile.kernel @atomic_rmw_c2_mask(%p: !tile.ptr<i32>, %m: i1) {
  %i = tile.iota : tensor<4xi32>
  // expected-error @+1 {{expected a mask of 'tensor<4xi1>', got 'i1'}}
  %0 = "tile.atomic_rmw"(%p, %i, %i, %m) <{kind = #tile<atomic_kind addi>}>
      : (!tile.ptr<i32>, tensor<4xi32>, tensor<4xi32>, i1) -> tensor<4xi32>
  tile.return
}

// -----

// C3: addf adds floats.
tile.kernel @atomic_rmw_c3_addf(%p: !tile.ptr<i32>, %i: i32) {
  // expected-error @+1 {{expected elements that addf takes, got 'i32'}}
  %0 = tile.atomic_rmw addf %p[%i], %i : !tile.ptr<i32>, i32, i32
  tile.return
}

// -----

// C3: the others are for integers.
tile.kernel @atomic_rmw_c3_maxs(%p: !tile.ptr<f32>, %i: i32, %x: f32) {
  // expected-error @+1 {{expected elements that maxs takes, got 'f32'}}
  %0 = tile.atomic_rmw maxs %p[%i], %x : !tile.ptr<f32>, i32, f32
  tile.return
}

// -----

// C3: i1 is a byte of which other bits are 0, so it can't be updated.
tile.kernel @atomic_rmw_c3_i1(%p: !tile.ptr<i1>, %i: i32, %x: i1) {
  // expected-error @+1 {{expected elements that exchange takes, got 'i1'}}
  %0 = tile.atomic_rmw exchange %p[%i], %x : !tile.ptr<i1>, i32, i1
  tile.return
}

// -----

// C4: what was there has the value's type.
tile.kernel @atomic_rmw_c4_result(%p: !tile.ptr<i32>, %i: i32) {
  // expected-error @+1 {{expected a result of 'i32', got 'i64'}}
  %0 = "tile.atomic_rmw"(%p, %i, %i) <{kind = #tile<atomic_kind addi>}>
      : (!tile.ptr<i32>, i32, i32) -> i64
  tile.return
}

// -----

// C1: a swap is of the pointer's element.
tile.kernel @atomic_cas_c1_element(%p: !tile.ptr<i32>, %i: i32, %x: i64) {
  // expected-error @+1 {{expected a value of the pointer's 'i32', got 'i64'}}
  %0 = tile.atomic_cas %p[%i], %x, %x : !tile.ptr<i32>, i32, i64
  tile.return
}

// -----

// C2: there is an offset for each element.
tile.kernel @atomic_cas_c2_offsets(%p: !tile.ptr<i32>, %x: i32) {
  %i = tile.iota : tensor<4xi32>
  // expected-error @+1 {{expected offsets of the shape of 'i32', got 'tensor<4xi32>'}}
  %0 = tile.atomic_cas %p[%i], %x, %x : !tile.ptr<i32>, tensor<4xi32>, i32
  tile.return
}

// -----

// C3: the hardware swaps no bytes.
tile.kernel @atomic_cas_c3_width(%p: !tile.ptr<i8>, %i: i32, %x: i8) {
  // expected-error @+1 {{expected elements of 16, 32 or 64 bits, got 'i8'}}
  %0 = tile.atomic_cas %p[%i], %x, %x : !tile.ptr<i8>, i32, i8
  tile.return
}

// -----

// C4: what is compared has the value's type.
tile.kernel @atomic_cas_c4_expected(%p: !tile.ptr<i32>, %i: i32, %x: i64) {
  // expected-error @+1 {{expected a comparison value of 'i32', got 'i64'}}
  %0 = "tile.atomic_cas"(%p, %i, %x, %i) : (!tile.ptr<i32>, i32, i64, i32) -> i32
  tile.return
}

// -----

// C4: and so has what was there.
tile.kernel @atomic_cas_c4_result(%p: !tile.ptr<i32>, %i: i32) {
  // expected-error @+1 {{expected a result of 'i32', got 'f32'}}
  %0 = "tile.atomic_cas"(%p, %i, %i, %i) : (!tile.ptr<i32>, i32, i32, i32) -> f32
  tile.return
}
