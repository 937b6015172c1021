// Programs that are awkward for the passes; same_bits.py runs them before and after.

// Loads with several users, one of them elementwise, and two dots in a chain.
tile.kernel @several_users(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %f: !tile.ptr<f32>, %n: i32, %m: i32, %w: i64, %c: i1) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %i = tile.iota : tensor<32xi32>
  %col = tile.expand_dims %i axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %row = tile.expand_dims %i axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %colb = tile.broadcast %col : tensor<1x32xi32> -> tensor<32x32xi32>
  %rowb = tile.broadcast %row : tensor<32x1xi32> -> tensor<32x32xi32>
  %c32t = arith.constant dense<32> : tensor<32x32xi32>
  %rows = arith.muli %rowb, %c32t overflow<nsw> : tensor<32x32xi32>
  %o = arith.addi %colb, %rows overflow<nsw> : tensor<32x32xi32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%s = %zero) -> (tensor<32x32xf32>) : i32 {
    %ks = tile.splat %k : tensor<32x32xi32>
    %ok = arith.addi %o, %ks overflow<nsw> : tensor<32x32xi32>
    %x = tile.load %p[%ok] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %y = tile.load %q[%ok] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %z = tile.load %p[%ok] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %d0 = tile.dot %x, %y, %s : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    %d = tile.dot %x, %z, %d0 : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    %h = arith.extf %x : tensor<32x32xf16> to tensor<32x32xf32>
    %e = arith.addf %d, %h : tensor<32x32xf32>
    scf.yield %e : tensor<32x32xf32>
  }
  tile.store %f[%o], %r : !tile.ptr<f32>, tensor<32x32xi32>, tensor<32x32xf32>
  tile.return
}

// The same in a loop.
tile.kernel @dot_of_dot_loop(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %f: !tile.ptr<f32>, %n: i32, %m: i32, %w: i64, %c: i1) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %i = tile.iota : tensor<32xi32>
  %col = tile.expand_dims %i axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %row = tile.expand_dims %i axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %colb = tile.broadcast %col : tensor<1x32xi32> -> tensor<32x32xi32>
  %rowb = tile.broadcast %row : tensor<32x1xi32> -> tensor<32x32xi32>
  %c32t = arith.constant dense<32> : tensor<32x32xi32>
  %rows = arith.muli %rowb, %c32t overflow<nsw> : tensor<32x32xi32>
  %o = arith.addi %colb, %rows overflow<nsw> : tensor<32x32xi32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%s = %zero) -> (tensor<32x32xf32>) : i32 {
    %ks = tile.splat %k : tensor<32x32xi32>
    %ok = arith.addi %o, %ks overflow<nsw> : tensor<32x32xi32>
    %x = tile.load %p[%ok] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %d0 = tile.dot %x, %x, %zero : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    %h = arith.truncf %d0 : tensor<32x32xf32> to tensor<32x32xf16>
    %d = tile.dot %h, %x, %s : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    scf.yield %d : tensor<32x32xf32>
  }
  tile.store %f[%o], %r : !tile.ptr<f32>, tensor<32x32xi32>, tensor<32x32xf32>
  tile.return
}

// A load and a dot in a branch of a loop.
tile.kernel @load_in_if(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %f: !tile.ptr<f32>, %n: i32, %m: i32, %w: i64, %c: i1) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %i = tile.iota : tensor<32xi32>
  %col = tile.expand_dims %i axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %row = tile.expand_dims %i axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %colb = tile.broadcast %col : tensor<1x32xi32> -> tensor<32x32xi32>
  %rowb = tile.broadcast %row : tensor<32x1xi32> -> tensor<32x32xi32>
  %c32t = arith.constant dense<32> : tensor<32x32xi32>
  %rows = arith.muli %rowb, %c32t overflow<nsw> : tensor<32x32xi32>
  %o = arith.addi %colb, %rows overflow<nsw> : tensor<32x32xi32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%s = %zero) -> (tensor<32x32xf32>) : i32 {
    %ks = tile.splat %k : tensor<32x32xi32>
    %ok = arith.addi %o, %ks overflow<nsw> : tensor<32x32xi32>
    %d = scf.if %c -> (tensor<32x32xf32>) {
      %x = tile.load %p[%ok] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
      %d1 = tile.dot %x, %x, %s : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
      scf.yield %d1 : tensor<32x32xf32>
    } else {
      scf.yield %s : tensor<32x32xf32>
    }
    scf.yield %d : tensor<32x32xf32>
  }
  tile.store %f[%o], %r : !tile.ptr<f32>, tensor<32x32xi32>, tensor<32x32xf32>
  tile.return
}

// The outer loop stores what the next turn of the inner one loads.
tile.kernel @nested_outer_store(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %f: !tile.ptr<f32>, %n: i32, %m: i32, %w: i64, %c: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %i = tile.iota : tensor<32xi32>
  %col = tile.expand_dims %i axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %row = tile.expand_dims %i axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %colb = tile.broadcast %col : tensor<1x32xi32> -> tensor<32x32xi32>
  %rowb = tile.broadcast %row : tensor<32x1xi32> -> tensor<32x32xi32>
  %c32t = arith.constant dense<32> : tensor<32x32xi32>
  %rows = arith.muli %rowb, %c32t overflow<nsw> : tensor<32x32xi32>
  %o = arith.addi %colb, %rows overflow<nsw> : tensor<32x32xi32>
  scf.for %j = %c0 to %m step %c1 : i32 {
    %r = scf.for %k = %c0 to %n step %c32 iter_args(%s = %zero) -> (tensor<32x32xf32>) : i32 {
      %ks = tile.splat %k : tensor<32x32xi32>
      %ok = arith.addi %o, %ks overflow<nsw> : tensor<32x32xi32>
      %x = tile.load %p[%ok] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
      %d = tile.dot %x, %x, %s : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
      scf.yield %d : tensor<32x32xf32>
    }
    %h = arith.truncf %r : tensor<32x32xf32> to tensor<32x32xf16>
    tile.store %p[%o], %h : !tile.ptr<f16>, tensor<32x32xi32>, tensor<32x32xf16>
  }
  tile.return
}

// Both loops load and multiply.
tile.kernel @nested_both(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %f: !tile.ptr<f32>, %n: i32, %m: i32, %w: i64, %c: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %i = tile.iota : tensor<32xi32>
  %col = tile.expand_dims %i axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %row = tile.expand_dims %i axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %colb = tile.broadcast %col : tensor<1x32xi32> -> tensor<32x32xi32>
  %rowb = tile.broadcast %row : tensor<32x1xi32> -> tensor<32x32xi32>
  %c32t = arith.constant dense<32> : tensor<32x32xi32>
  %rows = arith.muli %rowb, %c32t overflow<nsw> : tensor<32x32xi32>
  %o = arith.addi %colb, %rows overflow<nsw> : tensor<32x32xi32>
  %R = scf.for %j = %c0 to %m step %c1 iter_args(%S = %zero) -> (tensor<32x32xf32>) : i32 {
    %y = tile.load %q[%o] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %r = scf.for %k = %c0 to %n step %c32 iter_args(%s = %S) -> (tensor<32x32xf32>) : i32 {
      %ks = tile.splat %k : tensor<32x32xi32>
      %ok = arith.addi %o, %ks overflow<nsw> : tensor<32x32xi32>
      %x = tile.load %p[%ok] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
      %d = tile.dot %x, %y, %s : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
      scf.yield %d : tensor<32x32xf32>
    }
    %E = tile.dot %y, %y, %r : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    scf.yield %E : tensor<32x32xf32>
  }
  tile.store %f[%o], %R : !tile.ptr<f32>, tensor<32x32xi32>, tensor<32x32xf32>
  tile.return
}

// A load sees the store before it, also through another argument.
tile.kernel @store_then_load(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %f: !tile.ptr<f32>, %n: i32, %m: i32, %w: i64, %c: i1) {
  %i = tile.iota : tensor<32xi32>
  %col = tile.expand_dims %i axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %row = tile.expand_dims %i axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %colb = tile.broadcast %col : tensor<1x32xi32> -> tensor<32x32xi32>
  %rowb = tile.broadcast %row : tensor<32x1xi32> -> tensor<32x32xi32>
  %c32t = arith.constant dense<32> : tensor<32x32xi32>
  %rows = arith.muli %rowb, %c32t overflow<nsw> : tensor<32x32xi32>
  %o = arith.addi %colb, %rows overflow<nsw> : tensor<32x32xi32>
  %x = tile.load %p[%o] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
  tile.store %q[%o], %x : !tile.ptr<f16>, tensor<32x32xi32>, tensor<32x32xf16>
  %y = tile.load %q[%o] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
  tile.store %p[%o], %y : !tile.ptr<f16>, tensor<32x32xi32>, tensor<32x32xf16>
  tile.return
}

// A loop of 64 bits.
tile.kernel @i64_loop2(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %f: !tile.ptr<f32>, %n: i32, %m: i32, %w: i64, %c: i1) {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %i = tile.iota : tensor<32xi32>
  %col = tile.expand_dims %i axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %row = tile.expand_dims %i axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %colb = tile.broadcast %col : tensor<1x32xi32> -> tensor<32x32xi32>
  %rowb = tile.broadcast %row : tensor<32x1xi32> -> tensor<32x32xi32>
  %c32t = arith.constant dense<32> : tensor<32x32xi32>
  %rows = arith.muli %rowb, %c32t overflow<nsw> : tensor<32x32xi32>
  %o = arith.addi %colb, %rows overflow<nsw> : tensor<32x32xi32>
  %l0 = arith.constant 0 : i64
  %l32 = arith.constant 32 : i64
  %ow = arith.extsi %o : tensor<32x32xi32> to tensor<32x32xi64>
  %r = scf.for %k = %l0 to %w step %l32 iter_args(%s = %zero) -> (tensor<32x32xf32>) : i64 {
    %ks = tile.splat %k : tensor<32x32xi64>
    %ok = arith.addi %ow, %ks overflow<nsw> : tensor<32x32xi64>
    %x = tile.load %p[%ok] : !tile.ptr<f16>, tensor<32x32xi64> -> tensor<32x32xf16>
    %d = tile.dot %x, %x, %s : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    scf.yield %d : tensor<32x32xf32>
  }
  tile.store %f[%o], %r : !tile.ptr<f32>, tensor<32x32xi32>, tensor<32x32xf32>
  tile.return
}

// A loop over index.
tile.kernel @index_loop(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %f: !tile.ptr<f32>, %n: i32, %m: i32, %w: i64, %c: i1) {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %i = tile.iota : tensor<32xi32>
  %col = tile.expand_dims %i axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %row = tile.expand_dims %i axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %colb = tile.broadcast %col : tensor<1x32xi32> -> tensor<32x32xi32>
  %rowb = tile.broadcast %row : tensor<32x1xi32> -> tensor<32x32xi32>
  %c32t = arith.constant dense<32> : tensor<32x32xi32>
  %rows = arith.muli %rowb, %c32t overflow<nsw> : tensor<32x32xi32>
  %o = arith.addi %colb, %rows overflow<nsw> : tensor<32x32xi32>
  %l0 = arith.constant 0 : index
  %l32 = arith.constant 32 : index
  %wi = arith.index_cast %w : i64 to index
  %r = scf.for %k = %l0 to %wi step %l32 iter_args(%s = %zero) -> (tensor<32x32xf32>) {
    %kt = arith.index_cast %k : index to i32
    %ks = tile.splat %kt : tensor<32x32xi32>
    %ok = arith.addi %o, %ks overflow<nsw> : tensor<32x32xi32>
    %x = tile.load %p[%ok] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %d = tile.dot %x, %x, %s : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    scf.yield %d : tensor<32x32xf32>
  }
  tile.store %f[%o], %r : !tile.ptr<f32>, tensor<32x32xi32>, tensor<32x32xf32>
  tile.return
}

// Offsets, a number and an accumulator are carried.
tile.kernel @carried(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %f: !tile.ptr<f32>, %n: i32, %m: i32, %w: i64, %c: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %i = tile.iota : tensor<32xi32>
  %col = tile.expand_dims %i axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %row = tile.expand_dims %i axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %colb = tile.broadcast %col : tensor<1x32xi32> -> tensor<32x32xi32>
  %rowb = tile.broadcast %row : tensor<32x1xi32> -> tensor<32x32xi32>
  %c32t = arith.constant dense<32> : tensor<32x32xi32>
  %rows = arith.muli %rowb, %c32t overflow<nsw> : tensor<32x32xi32>
  %o = arith.addi %colb, %rows overflow<nsw> : tensor<32x32xi32>
  %r:3 = scf.for %k = %c0 to %n step %c32 iter_args(%s = %zero, %u = %n, %v = %o) -> (tensor<32x32xf32>, i32, tensor<32x32xi32>) : i32 {
    %x = tile.load %p[%v] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %d = tile.dot %x, %x, %s : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    %u2 = arith.addi %u, %c1 : i32
    %v2 = arith.addi %v, %c32t overflow<nsw> : tensor<32x32xi32>
    scf.yield %d, %u2, %v2 : tensor<32x32xf32>, i32, tensor<32x32xi32>
  }
  tile.store %f[%o], %r#0 : !tile.ptr<f32>, tensor<32x32xi32>, tensor<32x32xf32>
  tile.return
}

// Three dimensions, odd sides.
tile.kernel @rank3(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %f: !tile.ptr<f32>, %n: i32, %m: i32, %w: i64, %c: i1) {
  %j = tile.iota : tensor<8xi32>
  %j1 = tile.expand_dims %j axis 0 : tensor<8xi32> -> tensor<1x8xi32>
  %j2 = tile.expand_dims %j1 axis 0 : tensor<1x8xi32> -> tensor<1x1x8xi32>
  %jb = tile.broadcast %j2 : tensor<1x1x8xi32> -> tensor<3x5x8xi32>
  %x = tile.load %f[%jb] : !tile.ptr<f32>, tensor<3x5x8xi32> -> tensor<3x5x8xf32>
  tile.store %f[%jb], %x : !tile.ptr<f32>, tensor<3x5x8xi32>, tensor<3x5x8xf32>
  tile.return
}

// A side that is no power of two.
tile.kernel @oob_shape(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %f: !tile.ptr<f32>, %n: i32, %m: i32, %w: i64, %c: i1) {
  %j = tile.iota : tensor<48xi32>
  %x = tile.load %f[%j] : !tile.ptr<f32>, tensor<48xi32> -> tensor<48xf32>
  %y = arith.mulf %x, %x : tensor<48xf32>
  tile.store %f[%j], %y : !tile.ptr<f32>, tensor<48xi32>, tensor<48xf32>
  tile.return
}

// Accumulators change places.
tile.kernel @swap(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %f: !tile.ptr<f32>, %n: i32, %m: i32, %w: i64, %c: i1) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %i = tile.iota : tensor<32xi32>
  %col = tile.expand_dims %i axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %row = tile.expand_dims %i axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %colb = tile.broadcast %col : tensor<1x32xi32> -> tensor<32x32xi32>
  %rowb = tile.broadcast %row : tensor<32x1xi32> -> tensor<32x32xi32>
  %c32t = arith.constant dense<32> : tensor<32x32xi32>
  %rows = arith.muli %rowb, %c32t overflow<nsw> : tensor<32x32xi32>
  %o = arith.addi %colb, %rows overflow<nsw> : tensor<32x32xi32>
  %r:2 = scf.for %k = %c0 to %n step %c32 iter_args(%s = %zero, %t = %zero) -> (tensor<32x32xf32>, tensor<32x32xf32>) : i32 {
    %x = tile.load %p[%o] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %d = tile.dot %x, %x, %s : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    scf.yield %t, %d : tensor<32x32xf32>, tensor<32x32xf32>
  }
  tile.store %f[%o], %r#0 : !tile.ptr<f32>, tensor<32x32xi32>, tensor<32x32xf32>
  tile.store %f[%o], %r#1 : !tile.ptr<f32>, tensor<32x32xi32>, tensor<32x32xf32>
  tile.return
}

// A pointer advances.
tile.kernel @hoist_ptr(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %f: !tile.ptr<f32>, %n: i32, %m: i32, %w: i64, %c: i1) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %i = tile.iota : tensor<32xi32>
  %col = tile.expand_dims %i axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %row = tile.expand_dims %i axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %colb = tile.broadcast %col : tensor<1x32xi32> -> tensor<32x32xi32>
  %rowb = tile.broadcast %row : tensor<32x1xi32> -> tensor<32x32xi32>
  %c32t = arith.constant dense<32> : tensor<32x32xi32>
  %rows = arith.muli %rowb, %c32t overflow<nsw> : tensor<32x32xi32>
  %o = arith.addi %colb, %rows overflow<nsw> : tensor<32x32xi32>
  %r:2 = scf.for %k = %c0 to %n step %c32 iter_args(%s = %zero, %b = %p) -> (tensor<32x32xf32>, !tile.ptr<f16>) : i32 {
    %x = tile.load %b[%o] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %d = tile.dot %x, %x, %s : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    %b2 = tile.offset %b, %c32 : !tile.ptr<f16>, i32
    scf.yield %d, %b2 : tensor<32x32xf32>, !tile.ptr<f16>
  }
  tile.store %f[%o], %r#0 : !tile.ptr<f32>, tensor<32x32xi32>, tensor<32x32xf32>
  tile.return
}

// A pointer is chosen.
tile.kernel @masked_ptr(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %f: !tile.ptr<f32>, %n: i32, %m: i32, %w: i64, %c: i1) {
  %i = tile.iota : tensor<32xi32>
  %col = tile.expand_dims %i axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %row = tile.expand_dims %i axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %colb = tile.broadcast %col : tensor<1x32xi32> -> tensor<32x32xi32>
  %rowb = tile.broadcast %row : tensor<32x1xi32> -> tensor<32x32xi32>
  %c32t = arith.constant dense<32> : tensor<32x32xi32>
  %rows = arith.muli %rowb, %c32t overflow<nsw> : tensor<32x32xi32>
  %o = arith.addi %colb, %rows overflow<nsw> : tensor<32x32xi32>
  %b = arith.select %c, %p, %q : !tile.ptr<f16>
  %x = tile.load %b[%o] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
  tile.store %q[%o], %x : !tile.ptr<f16>, tensor<32x32xi32>, tensor<32x32xf16>
  tile.return
}

// A while.
tile.kernel @while(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %f: !tile.ptr<f32>, %n: i32, %m: i32, %w: i64, %c: i1) {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %i = tile.iota : tensor<32xi32>
  %col = tile.expand_dims %i axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %row = tile.expand_dims %i axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %colb = tile.broadcast %col : tensor<1x32xi32> -> tensor<32x32xi32>
  %rowb = tile.broadcast %row : tensor<32x1xi32> -> tensor<32x32xi32>
  %c32t = arith.constant dense<32> : tensor<32x32xi32>
  %rows = arith.muli %rowb, %c32t overflow<nsw> : tensor<32x32xi32>
  %o = arith.addi %colb, %rows overflow<nsw> : tensor<32x32xi32>
  %r = scf.while (%s = %zero) : (tensor<32x32xf32>) -> tensor<32x32xf32> {
    scf.condition(%c) %s : tensor<32x32xf32>
  } do {
  ^bb0(%s: tensor<32x32xf32>):
    %x = tile.load %p[%o] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %d = tile.dot %x, %x, %s : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    scf.yield %d : tensor<32x32xf32>
  }
  tile.store %f[%o], %r : !tile.ptr<f32>, tensor<32x32xi32>, tensor<32x32xf32>
  tile.return
}

// A loop of loads and stores that meet.
tile.kernel @loop_no_dot(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %f: !tile.ptr<f32>, %n: i32, %m: i32, %w: i64, %c: i1) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %i = tile.iota : tensor<32xi32>
  %col = tile.expand_dims %i axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %row = tile.expand_dims %i axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %colb = tile.broadcast %col : tensor<1x32xi32> -> tensor<32x32xi32>
  %rowb = tile.broadcast %row : tensor<32x1xi32> -> tensor<32x32xi32>
  %c32t = arith.constant dense<32> : tensor<32x32xi32>
  %rows = arith.muli %rowb, %c32t overflow<nsw> : tensor<32x32xi32>
  %o = arith.addi %colb, %rows overflow<nsw> : tensor<32x32xi32>
  scf.for %k = %c0 to %n step %c32 : i32 {
    %ks = tile.splat %k : tensor<32x32xi32>
    %ok = arith.addi %o, %ks overflow<nsw> : tensor<32x32xi32>
    %x = tile.load %f[%ok] : !tile.ptr<f32>, tensor<32x32xi32> -> tensor<32x32xf32>
    tile.store %f[%ok], %x : !tile.ptr<f32>, tensor<32x32xi32>, tensor<32x32xf32>
  }
  tile.return
}
