// RUN: tile-opt %s --tile-plan --split-input-file --verify-diagnostics

// What cannot be carried out is an error with the reason, at its op.

// No product of this precision is made of the instruction that the plan asks
// for, which is never replaced by another; those that there are, are listed.
tile.kernel @dot_forced() plan #tile.plan<instruction = "mma_sync"> {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %x = arith.constant dense<1.0> : tensor<16x16xf32>
  // expected-error-re @+1 {{has no instruction for f32 operands and an accumulator of f32 with precision ieee under plan.instruction=mma_sync; there is mma_sync for f16 into f32, {{.*}}mma_sync for f32 into f32 with precision tf32x3, {{.*}}mma_sync for f64 into f64}}
  %d = tile.dot %x, %x, %zero : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  tile.return
}

// -----

// mma.sync adds at least 32 k before a promotion.
tile.kernel @dot_promote() plan #tile.plan<instruction = "mma_sync"> {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %x = arith.constant dense<1.0> : tensor<16x16xf8E4M3FN>
  // expected-error @+1 {{has no instruction for f8E4M3FN operands and an accumulator of f32 under plan.instruction=mma_sync: it adds 32 k at least before it promotes the sum}}
  %d = tile.dot %x, %x, %zero promote_every 16 : tensor<16x16xf8E4M3FN>, tensor<16x16xf8E4M3FN> -> tensor<16x16xf32>
  tile.return
}

// -----

// A k that mma.sync does not walk in whole steps is written out, and so must be
// short.
tile.kernel @dot_long_k() plan #tile.plan<instruction = "mma_sync"> {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %x = arith.constant dense<1.0> : tensor<16x520xf16>
  %y = arith.constant dense<1.0> : tensor<520x16xf16>
  // expected-error @+1 {{under plan.instruction=mma_sync: its k of 520 is no multiple of 32 and longer than 512}}
  %d = tile.dot %x, %y, %zero : tensor<16x520xf16>, tensor<520x16xf16> -> tensor<16x16xf32>
  tile.return
}

// -----

// A dot's own plan is of an instruction for its elements.
tile.kernel @mma_elements() {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %x = arith.constant dense<1.0> : tensor<32x32xf32>
  // expected-error @+1 {{expected a plan for 'f32' operands and an accumulator of 'f32', got #tile.mma<mma_sync, m = 16, n = 8, k = 16, warps = [2, 2]>}}
  %d = tile.dot %x, %x, %zero plan<mma_sync, m = 16, n = 8, k = 16, warps = [2, 2]>
      : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  tile.return
}

// -----

// A dot's own plan uses the kernel's warps.
tile.kernel @mma_warps() {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %x = arith.constant dense<1.0> : tensor<32x32xf16>
  // expected-error @+1 {{expected a plan over the kernel's 4 warps, got 2x1}}
  %d = tile.dot %x, %x, %zero plan<mma_sync, m = 16, n = 8, k = 16, warps = [2, 1]>
      : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
  tile.return
}

// -----

// Elements that are no strided block are moved one by one: a plan cannot ask for
// more.
tile.kernel @load_gather(%p: !tile.ptr<f32>) {
  %i = tile.iota : tensor<32xi32>
  %o = arith.muli %i, %i : tensor<32xi32>
  // expected-error-re @+1 {{expected a plan of single elements in registers, since it is no strided block: offsets: {{.*}}; got #tile.copy<registers, vector = 4>}}
  %x = tile.load %p[%o] plan<registers, vector = 4> : !tile.ptr<f32>, tensor<32xi32> -> tensor<32xf32>
  tile.return
}

// -----

// So it is with what is written.
tile.kernel @store_scatter(%p: !tile.ptr<f32>) {
  %i = tile.iota : tensor<32xi32>
  %o = arith.muli %i, %i : tensor<32xi32>
  %x = arith.constant dense<0.0> : tensor<32xf32>
  // expected-error @+1 {{expected a plan of single elements in registers, since it is no strided block: offsets: }}
  tile.store %p[%o], %x plan<registers, vector = 2> : !tile.ptr<f32>, tensor<32xi32>, tensor<32xf32>
  tile.return
}

// -----

// And where lanes that the mask turns off read elements of a tile.
tile.kernel @load_other(%p: !tile.ptr<f32>) {
  %o = arith.constant dense<0> : tensor<32xi32>
  %in = arith.constant dense<true> : tensor<32xi1>
  %x = arith.constant dense<0.0> : tensor<32xf32>
  // expected-error @+1 {{expected a plan of single elements in registers, since it is no strided block: other is a tile; got #tile.copy<cp_async>}}
  %y = tile.load %p[%o] mask %in other %x plan<cp_async> : !tile.ptr<f32>, tensor<32xi32>, tensor<32xf32> -> tensor<32xf32>
  tile.return
}

// -----

// A gather that a dot reads cannot be asynchronous.
tile.kernel @gather_async(%p: !tile.ptr<f16>) plan #tile.plan<copy = "cp_async"> {
  %i = arith.constant dense<3> : tensor<32x32xi32>
  %j = tile.iota : tensor<32xi32>
  %k = tile.expand_dims %j axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %l = tile.broadcast %k : tensor<1x32xi32> -> tensor<32x32xi32>
  %o = arith.muli %l, %l : tensor<32x32xi32>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  // expected-error @+1 {{cannot use cp_async, which plan.copy asks for: offsets: }}
  %x = tile.load %p[%o] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
  %d = tile.dot %x, %x, %zero : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
  tile.return
}

// -----

// A copy that a plan asks for is never replaced by another.
tile.kernel @load_copy(%p: !tile.ptr<f16>) plan #tile.plan<copy = "cp_async"> {
  %o = arith.constant dense<0> : tensor<32x32xi32>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  // expected-error @+1 {{cannot use cp_async, which plan.copy asks for: 2 bytes are known to be contiguous and aligned, and it takes 4}}
  %x = tile.load %p[%o] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
  %d = tile.dot %x, %x, %zero : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
  tile.return
}

// -----

// A load's own plan moves no more than is known to lie together.
tile.kernel @copy_vector(%p: !tile.ptr<f16>) {
  %o = tile.iota : tensor<32xi32>
  // expected-error @+1 {{expected a plan with vectors of at most 1 element, since more are not known to be contiguous, aligned and valid together, got 8}}
  %x = tile.load %p[%o] plan<registers, vector = 8> : !tile.ptr<f16>, tensor<32xi32> -> tensor<32xf16>
  tile.return
}

// -----

// So does a store's.
tile.kernel @store_vector(%p: !tile.ptr<f32> {tile.fact = #tile.fact<divisibility = 8>}) {
  %o = tile.iota : tensor<32xi32>
  %x = arith.constant dense<0.0> : tensor<32xf32>
  // expected-error @+1 {{expected a plan with vectors of at most 2 elements, since more are not known to be contiguous, aligned and valid together, got 4}}
  tile.store %p[%o], %x plan<registers, vector = 4> : !tile.ptr<f32>, tensor<32xi32>, tensor<32xf32>
  tile.return
}

// -----

// A store leaves from registers yet.
tile.kernel @store_mechanism(%p: !tile.ptr<f32>) {
  %o = tile.iota : tensor<32xi32>
  %x = arith.constant dense<0.0> : tensor<32xf32>
  // expected-error @+1 {{by cp_async is not lowered yet; from registers and by tma are}}
  tile.store %p[%o], %x plan<cp_async> : !tile.ptr<f32>, tensor<32xi32>, tensor<32xf32>
  tile.return
}

// -----

// An asynchronous copy fills with zero.
tile.kernel @copy_fill(%p: !tile.ptr<f32>, %f: f32) {
  %o = arith.constant dense<0> : tensor<32x32xi32>
  %in = arith.constant dense<true> : tensor<32x32xi1>
  // expected-error @+1 {{cannot use cp_async, which its plan asks for: it fills with zero, and other is not zero}}
  %x = tile.load %p[%o] mask %in other %f plan<cp_async> : !tile.ptr<f32>, tensor<32x32xi32>, f32 -> tensor<32x32xf32>
  tile.return
}

// -----

// Negative zero is not what it fills with.
tile.kernel @copy_negative_zero(%p: !tile.ptr<f32>) {
  %f = arith.constant -0.0 : f32
  %o = arith.constant dense<0> : tensor<32x32xi32>
  %in = arith.constant dense<true> : tensor<32x32xi1>
  // expected-error @+1 {{cannot use cp_async, which its plan asks for: it fills with zero, and other is not zero}}
  %x = tile.load %p[%o] mask %in other %f plan<cp_async> : !tile.ptr<f32>, tensor<32x32xi32>, f32 -> tensor<32x32xf32>
  tile.return
}

// -----

// An asynchronous copy moves 4, 8 or 16 bytes.
tile.kernel @copy_bytes(%p: !tile.ptr<f16>) {
  %o = arith.constant dense<0> : tensor<32x32xi32>
  // expected-error @+1 {{expected a cp_async plan with vectors of 4, 8 or 16 bytes, got 2}}
  %x = tile.load %p[%o] plan<cp_async> : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
  tile.return
}

// -----

// Only matrices are staged.
tile.kernel @copy_rank(%p: !tile.ptr<f32>) {
  %o = tile.iota : tensor<32xi32>
  // expected-error @+1 {{into shared memory is not lowered yet: expected a matrix, got a tile of rank 1}}
  %x = tile.load %p[%o] plan<plain> : !tile.ptr<f32>, tensor<32xi32> -> tensor<32xf32>
  tile.return
}

// -----

// A scalar is no matrix either.
tile.kernel @copy_scalar(%p: !tile.ptr<f32>, %i: i32) {
  // expected-error @+1 {{expected a plan of single elements in registers, since it is no strided block: it is a scalar; got #tile.copy<plain>}}
  %x = tile.load %p[%i] plan<plain> : !tile.ptr<f32>, i32 -> f32
  tile.return
}

// -----

// More stages than shared memory holds are refused, with what fits and what
// takes the room.
tile.kernel @stages(%p: !tile.ptr<f16>, %n: i32) plan #tile.plan<stages = 16> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = arith.constant dense<0> : tensor<128x128xi32>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  // expected-error @+1 {{needs 524288 bytes of shared memory for 16 stages, and sm_80 has 166912; 5 stages fit}}
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<128x128xf32>) : i32 {
    // expected-note @+1 {{this tile takes 32768 bytes a stage}}
    %x = tile.load %p[%o] : !tile.ptr<f16>, tensor<128x128xi32> -> tensor<128x128xf16>
    %d = tile.dot %x, %x, %s : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  tile.return
}

// -----

// A tile that does not fit once is refused.
tile.kernel @tile_too_large(%p: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = arith.constant dense<0> : tensor<512x512xi32>
  %zero = arith.constant dense<0.0> : tensor<512x512xf32>
  // expected-error @+1 {{needs 524288 bytes of shared memory for 1 stage, and sm_80 has 166912; smaller tiles are needed}}
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<512x512xf32>) : i32 {
    // expected-note @+1 {{this tile takes 524288 bytes a stage}}
    %x = tile.load %p[%o] : !tile.ptr<f16>, tensor<512x512xi32> -> tensor<512x512xf16>
    // expected-warning @+1 {{may keep elements in memory that is local to a thread}}
    %d = tile.dot %x, %x, %s : tensor<512x512xf16>, tensor<512x512xf16> -> tensor<512x512xf32>
    scf.yield %d : tensor<512x512xf32>
  }
  tile.return
}

// -----

// Sums and operands that no number of warps has registers for: a warning, once,
// with the sides that fit.
tile.kernel @too_many_sums() {
  %zero = arith.constant dense<0.0> : tensor<256x256xf32>
  %x = arith.constant dense<1.0> : tensor<256x32xf16>
  %y = arith.constant dense<1.0> : tensor<32x256xf16>
  // expected-warning @+1 {{may keep elements in memory that is local to a thread: a thread of 8 warps holds 352, 256 of them sums, and has 255; tiles of 128x256 fit}}
  %d = tile.dot %x, %y, %zero : tensor<256x32xf16>, tensor<32x256xf16> -> tensor<256x256xf32>
  tile.return
}

// -----

// Who says how many warps has been asked for them; of other variants than the last
// the remark is enough.
tile.kernel @given_warps() plan #tile.plan<warps = 8> {
  %zero = arith.constant dense<0.0> : tensor<256x256xf32>
  %x = arith.constant dense<1.0> : tensor<256x32xf16>
  %y = arith.constant dense<1.0> : tensor<32x256xf16>
  %d = tile.dot %x, %y, %zero : tensor<256x32xf16>, tensor<32x256xf16> -> tensor<256x256xf32>
  tile.return
}
tile.kernel @first_variant() variant "aligned16" {
  %zero = arith.constant dense<0.0> : tensor<256x256xf32>
  %x = arith.constant dense<1.0> : tensor<256x32xf16>
  %y = arith.constant dense<1.0> : tensor<32x256xf16>
  %d = tile.dot %x, %y, %zero : tensor<256x32xf16>, tensor<32x256xf16> -> tensor<256x256xf32>
  tile.return
}

// -----

// A loop that is to run ahead has loads to run ahead with.
tile.kernel @no_stages(%p: !tile.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-error @+1 {{is to run in 3 stages, which cannot be had: none of its loads goes through shared memory}}
  scf.for %k = %c0 to %n step %c1 : i32 {
    %x = tile.load %p[%k] : !tile.ptr<f32>, i32 -> f32
    tile.store %p[%k], %x : !tile.ptr<f32>, i32, f32
  } {tile.pipeline = #tile.pipeline<stages = 3>}
  tile.return
}

// -----

// A loop that is to run ahead may do so.
tile.kernel @unsafe_stages(%p: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = arith.constant dense<0> : tensor<128x128xi32>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  // expected-error @+1 {{is to run in 3 stages, which cannot be had: it writes memory that a load of a later iteration may read}}
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<128x128xf32>) : i32 {
    %x = tile.load %p[%o] : !tile.ptr<f16>, tensor<128x128xi32> -> tensor<128x128xf16>
    tile.store %p[%o], %x : !tile.ptr<f16>, tensor<128x128xi32>, tensor<128x128xf16>
    %d = tile.dot %x, %x, %s : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  } {tile.pipeline = #tile.pipeline<stages = 3>}
  tile.return
}

// -----

// No run can divide by 0, signed or not, a scalar or each lane.
tile.kernel @divides_by_zero(%p: !tile.ptr<i32>, %n: i32) {
  %i = tile.iota : tensor<32xi32>
  %c0 = arith.constant dense<0> : tensor<32xi32>
  // expected-error @+1 {{'arith.remui' op expected a divisor other than 0, got 0}}
  %q = arith.remui %i, %c0 : tensor<32xi32>
  tile.store %p[%i], %q : !tile.ptr<i32>, tensor<32xi32>, tensor<32xi32>
  tile.return
}

// -----

// A loop has a step of at least 1.
tile.kernel @steps_back(%p: !tile.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %step = arith.constant -1 : i32
  // expected-error @+1 {{'scf.for' op expected a step of at least 1, got -1}}
  scf.for %k = %c0 to %n step %step : i32 {
    tile.store %p[%k], %k : !tile.ptr<i32>, i32, i32
  }
  tile.return
}

// -----

// Where bounds are unsigned, the step is.
tile.kernel @unsigned_step(%p: !tile.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  // expected-error @+1 {{'scf.for' op expected a step of at least 1, got 0}}
  scf.for unsigned %k = %c0 to %n step %c0 : i32 {
    tile.store %p[%k], %k : !tile.ptr<i32>, i32, i32
  }
  tile.return
}
