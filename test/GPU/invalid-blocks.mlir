// RUN: tile-opt %s --split-input-file --verify-diagnostics

// Each numbered constraint of the ops on blocks of global memory, and of the
// ops that order them, broken once.

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 16]>

// C1: the origin has an entry for each dimension.
tile.kernel @copy_async_c1_origin(%p: !tile.ptr<f16>, %i: i32, %j: i64, %s: i64) {
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x16x16xf16, #k>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  // expected-error @+1 {{expected an origin, a bound and a stride for each of 2 dimensions, got 1, 2 and 2}}
  tile_gpu.copy_async %p[%i] bounds[%i, %i] strides[%s, %s] into %ring[%c] plan<cp_async, vector = 8>
      : !tile.ptr<f16>, i32, !tile_gpu.buffer<2x16x16xf16, #k>, !tile_gpu.cursor<2>
  tile.return
}

// -----

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 16]>

// C1: so do the bounds.
tile.kernel @copy_async_c1_bounds(%p: !tile.ptr<f16>, %i: i32, %j: i64, %s: i64) {
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x16x16xf16, #k>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  // expected-error @+1 {{expected an origin, a bound and a stride for each of 2 dimensions, got 2, 3 and 2}}
  tile_gpu.copy_async %p[%i, %i] bounds[%i, %i, %i] strides[%s, %s] into %ring[%c] plan<cp_async, vector = 8>
      : !tile.ptr<f16>, i32, !tile_gpu.buffer<2x16x16xf16, #k>, !tile_gpu.cursor<2>
  tile.return
}

// -----

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 16]>

// C1: so do the strides.
tile.kernel @copy_async_c1_strides(%p: !tile.ptr<f16>, %i: i32, %j: i64, %s: i64) {
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x16x16xf16, #k>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  // expected-error @+1 {{expected an origin, a bound and a stride for each of 2 dimensions, got 2, 2 and 0}}
  tile_gpu.copy_async %p[%i, %i] bounds[%i, %i] strides[] into %ring[%c] plan<cp_async, vector = 8>
      : !tile.ptr<f16>, i32, !tile_gpu.buffer<2x16x16xf16, #k>, !tile_gpu.cursor<2>
  tile.return
}

// -----

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 16]>

// C1: origins and bounds are of one type.
tile.kernel @copy_async_c1_types(%p: !tile.ptr<f16>, %i: i32, %j: i64, %s: i64) {
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x16x16xf16, #k>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  // expected-error @+1 {{expected origins and bounds of one type, got 'i32' and 'i64'}}
  "tile_gpu.copy_async"(%p, %i, %i, %i, %j, %s, %s, %ring, %c) <{
      operandSegmentSizes = array<i32: 1, 2, 2, 2, 1, 1, 0>, plan = #tile.copy<cp_async, vector = 8>}>
      : (!tile.ptr<f16>, i32, i32, i32, i64, i64, i64,
         !tile_gpu.buffer<2x16x16xf16, #k>, !tile_gpu.cursor<2>) -> ()
  tile.return
}

// -----

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 16]>

// C2: the pointer's elements are the buffer's.
tile.kernel @copy_async_c2_element(%q: !tile.ptr<f32>, %i: i32, %s: i64) {
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x16x16xf16, #k>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  // expected-error @+1 {{expected a pointer to 'f16', got '!tile.ptr<f32>'}}
  tile_gpu.copy_async %q[%i, %i] bounds[%i, %i] strides[%s, %s] into %ring[%c] plan<cp_async, vector = 8>
      : !tile.ptr<f32>, i32, !tile_gpu.buffer<2x16x16xf16, #k>, !tile_gpu.cursor<2>
  tile.return
}

// -----

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 16]>

// C3: the cursor walks over the slots of the buffer.
tile.kernel @copy_async_c3_slots(%p: !tile.ptr<f16>, %i: i32, %j: i64, %s: i64) {
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x16x16xf16, #k>
  %c = tile_gpu.cursor : !tile_gpu.cursor<3>
  // expected-error @+1 {{expected a cursor over 2 slots, got 3}}
  tile_gpu.copy_async %p[%i, %i] bounds[%i, %i] strides[%s, %s] into %ring[%c] plan<cp_async, vector = 8>
      : !tile.ptr<f16>, i32, !tile_gpu.buffer<2x16x16xf16, #k>, !tile_gpu.cursor<3>
  tile.return
}

// -----

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 16]>

// C1: the origin has an entry for each dimension.
tile.kernel @copy_c1_origin(%p: !tile.ptr<f16>, %i: i32, %j: i64, %s: i64) {
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x16x16xf16, #k>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  // expected-error @+1 {{expected an origin, a bound and a stride for each of 2 dimensions, got 1, 2 and 2}}
  tile_gpu.copy %p[%i] bounds[%i, %i] strides[%s, %s] into %ring[%c] plan<plain>
      : !tile.ptr<f16>, i32, !tile_gpu.buffer<2x16x16xf16, #k>, !tile_gpu.cursor<2>
  tile.return
}

// -----

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 16]>

// C1: so do the bounds.
tile.kernel @copy_c1_bounds(%p: !tile.ptr<f16>, %i: i32, %j: i64, %s: i64) {
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x16x16xf16, #k>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  // expected-error @+1 {{expected an origin, a bound and a stride for each of 2 dimensions, got 2, 3 and 2}}
  tile_gpu.copy %p[%i, %i] bounds[%i, %i, %i] strides[%s, %s] into %ring[%c] plan<plain>
      : !tile.ptr<f16>, i32, !tile_gpu.buffer<2x16x16xf16, #k>, !tile_gpu.cursor<2>
  tile.return
}

// -----

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 16]>

// C1: so do the strides.
tile.kernel @copy_c1_strides(%p: !tile.ptr<f16>, %i: i32, %j: i64, %s: i64) {
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x16x16xf16, #k>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  // expected-error @+1 {{expected an origin, a bound and a stride for each of 2 dimensions, got 2, 2 and 0}}
  tile_gpu.copy %p[%i, %i] bounds[%i, %i] strides[] into %ring[%c] plan<plain>
      : !tile.ptr<f16>, i32, !tile_gpu.buffer<2x16x16xf16, #k>, !tile_gpu.cursor<2>
  tile.return
}

// -----

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 16]>

// C1: origins and bounds are of one type.
tile.kernel @copy_c1_types(%p: !tile.ptr<f16>, %i: i32, %j: i64, %s: i64) {
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x16x16xf16, #k>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  // expected-error @+1 {{expected origins and bounds of one type, got 'i32' and 'i64'}}
  "tile_gpu.copy"(%p, %i, %i, %i, %j, %s, %s, %ring, %c) <{
      operandSegmentSizes = array<i32: 1, 2, 2, 2, 1, 1, 0, 0>, plan = #tile.copy<plain>}>
      : (!tile.ptr<f16>, i32, i32, i32, i64, i64, i64,
         !tile_gpu.buffer<2x16x16xf16, #k>, !tile_gpu.cursor<2>) -> ()
  tile.return
}

// -----

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 16]>

// C2: the pointer's elements are the buffer's.
tile.kernel @copy_c2_element(%q: !tile.ptr<f32>, %i: i32, %s: i64) {
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x16x16xf16, #k>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  // expected-error @+1 {{expected a pointer to 'f16', got '!tile.ptr<f32>'}}
  tile_gpu.copy %q[%i, %i] bounds[%i, %i] strides[%s, %s] into %ring[%c] plan<plain>
      : !tile.ptr<f32>, i32, !tile_gpu.buffer<2x16x16xf16, #k>, !tile_gpu.cursor<2>
  tile.return
}

// -----

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 16]>

// C3: the cursor walks over the slots of the buffer.
tile.kernel @copy_c3_slots(%p: !tile.ptr<f16>, %i: i32, %j: i64, %s: i64) {
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x16x16xf16, #k>
  %c = tile_gpu.cursor : !tile_gpu.cursor<3>
  // expected-error @+1 {{expected a cursor over 2 slots, got 3}}
  tile_gpu.copy %p[%i, %i] bounds[%i, %i] strides[%s, %s] into %ring[%c] plan<plain>
      : !tile.ptr<f16>, i32, !tile_gpu.buffer<2x16x16xf16, #k>, !tile_gpu.cursor<3>
  tile.return
}

// -----

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 16]>

// C4: the plan is of asynchronous copies.
tile.kernel @copy_async_c4_mechanism(%p: !tile.ptr<f16>, %i: i32, %j: i64, %s: i64) {
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x16x16xf16, #k>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  // expected-error @+1 {{expected a cp_async plan with vectors of 4, 8 or 16 bytes, got #tile.copy<plain>}}
  tile_gpu.copy_async %p[%i, %i] bounds[%i, %i] strides[%s, %s] into %ring[%c] plan<plain>
      : !tile.ptr<f16>, i32, !tile_gpu.buffer<2x16x16xf16, #k>, !tile_gpu.cursor<2>
  tile.return
}

// -----

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 16]>

// C4: the hardware copies 4, 8 or 16 bytes.
tile.kernel @copy_async_c4_bytes(%p: !tile.ptr<f16>, %i: i32, %j: i64, %s: i64) {
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x16x16xf16, #k>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  // expected-error @+1 {{expected a cp_async plan with vectors of 4, 8 or 16 bytes, got #tile.copy<cp_async>}}
  tile_gpu.copy_async %p[%i, %i] bounds[%i, %i] strides[%s, %s] into %ring[%c] plan<cp_async>
      : !tile.ptr<f16>, i32, !tile_gpu.buffer<2x16x16xf16, #k>, !tile_gpu.cursor<2>
  tile.return
}

// -----

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 16]>

// C4: the plan is of plain copies.
tile.kernel @copy_c4_mechanism(%p: !tile.ptr<f16>, %i: i32, %j: i64, %s: i64) {
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x16x16xf16, #k>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  // expected-error @+1 {{expected a plain plan, got #tile.copy<cp_async, vector = 8>}}
  tile_gpu.copy %p[%i, %i] bounds[%i, %i] strides[%s, %s] into %ring[%c] plan<cp_async, vector = 8>
      : !tile.ptr<f16>, i32, !tile_gpu.buffer<2x16x16xf16, #k>, !tile_gpu.cursor<2>
  tile.return
}

// -----

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 16]>

// C5: what fills invalid elements is one element.
tile.kernel @copy_c5_other(%p: !tile.ptr<f16>, %i: i32, %j: i64, %s: i64) {
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x16x16xf16, #k>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  // expected-error @+1 {{expected other to be 'f16', got 'i32'}}
  "tile_gpu.copy"(%p, %i, %i, %i, %i, %s, %s, %ring, %c, %i) <{
      operandSegmentSizes = array<i32: 1, 2, 2, 2, 1, 1, 0, 1>, plan = #tile.copy<plain>}>
      : (!tile.ptr<f16>, i32, i32, i32, i32, i64, i64,
         !tile_gpu.buffer<2x16x16xf16, #k>, !tile_gpu.cursor<2>, i32) -> ()
  tile.return
}

// -----

// C1: a load names a block of the rank of its result.
tile.kernel @load_c1_rank(%p: !tile.ptr<f16>, %i: i32, %j: i64, %s: i64) {
  // expected-error @+1 {{expected an origin, a bound and a stride for each of 1 dimensions, got 2, 2 and 2}}
  %x = tile_gpu.load %p[%i, %i] bounds[%i, %i] strides[%s, %s] plan<registers>
      : !tile.ptr<f16>, i32 -> tensor<16xf16>
  tile.return
}

// -----

// C2: the pointer's elements are the result's.
tile.kernel @load_c2_element(%p: !tile.ptr<f16>, %i: i32, %j: i64, %s: i64) {
  // expected-error @+1 {{expected a pointer to 'f32', got '!tile.ptr<f16>'}}
  %x = tile_gpu.load %p[%i] bounds[%i] strides[%s] plan<registers>
      : !tile.ptr<f16>, i32 -> tensor<16xf32>
  tile.return
}

// -----

// C3: what fills invalid elements is one element.
tile.kernel @load_c3_other(%p: !tile.ptr<f16>, %i: i32, %j: i64, %s: i64) {
  // expected-error @+1 {{expected other to be 'f16', got 'i32'}}
  %x = "tile_gpu.load"(%p, %i, %i, %s, %i) <{
      operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>, plan = #tile.copy<registers>}>
      : (!tile.ptr<f16>, i32, i32, i64, i32) -> tensor<16xf16>
  tile.return
}

// -----

// C4: a load ends in registers.
tile.kernel @load_c4_mechanism(%p: !tile.ptr<f16>, %i: i32, %j: i64, %s: i64) {
  // expected-error @+1 {{expected a registers plan, got #tile.copy<plain>}}
  %x = tile_gpu.load %p[%i] bounds[%i] strides[%s] plan<plain>
      : !tile.ptr<f16>, i32 -> tensor<16xf16>
  tile.return
}

// -----

// C1: a store names a block of the rank of its value.
tile.kernel @store_c1_rank(%p: !tile.ptr<f16>, %i: i32, %j: i64, %s: i64) {
  %x = arith.constant dense<0.0> : tensor<16xf16>
  // expected-error @+1 {{expected an origin, a bound and a stride for each of 1 dimensions, got 1, 1 and 2}}
  tile_gpu.store %x, %p[%i] bounds[%i] strides[%s, %s] plan<registers>
      : tensor<16xf16>, !tile.ptr<f16>, i32
  tile.return
}

// -----

// C2: the pointer's elements are the value's.
tile.kernel @store_c2_element(%p: !tile.ptr<f16>, %i: i32, %j: i64, %s: i64) {
  %x = arith.constant dense<0.0> : tensor<16xf32>
  // expected-error @+1 {{expected a pointer to 'f32', got '!tile.ptr<f16>'}}
  tile_gpu.store %x, %p[%i] bounds[%i] strides[%s] plan<registers>
      : tensor<16xf32>, !tile.ptr<f16>, i32
  tile.return
}

// -----

// C3: a store starts in registers.
tile.kernel @store_c3_mechanism(%p: !tile.ptr<f16>, %i: i32, %j: i64, %s: i64) {
  %x = arith.constant dense<0.0> : tensor<16xf16>
  // expected-error @+1 {{expected a registers plan, got #tile.copy<tma>}}
  tile_gpu.store %x, %p[%i] bounds[%i] strides[%s] plan<tma>
      : tensor<16xf16>, !tile.ptr<f16>, i32
  tile.return
}

// -----

// C1: no fewer than zero groups are waited for.
tile.kernel @wait_c1_negative() {
  // expected-error @+1 {{expected at least 0 groups, got -1}}
  tile_gpu.wait -1
  tile.return
}
