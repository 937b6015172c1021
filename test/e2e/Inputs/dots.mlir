// Products of one tile of 32 x 32, whose operands and accumulators come from
// everywhere: test/e2e/dot-operands.test.  `rows` are the offsets of a matrix that
// is stored by rows, `columns` those of its transpose.

// c = a^T b: the transpose is in the load.
tile.kernel @load_a(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>) grid affine_map<() -> (1)> {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %rows_i0 = tile.iota : tensor<32xi32>
  %rows_is = arith.constant dense<32> : tensor<32xi32>
  %rows_i1 = arith.muli %rows_i0, %rows_is : tensor<32xi32>
  %rows_i2 = tile.expand_dims %rows_i1 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %rows_i3 = tile.broadcast %rows_i2 : tensor<32x1xi32> -> tensor<32x32xi32>
  %rows_j0 = tile.iota : tensor<32xi32>
  %rows_j2 = tile.expand_dims %rows_j0 axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %rows_j3 = tile.broadcast %rows_j2 : tensor<1x32xi32> -> tensor<32x32xi32>
  %rows = arith.addi %rows_i3, %rows_j3 : tensor<32x32xi32>
  %columns_i0 = tile.iota : tensor<32xi32>
  %columns_i2 = tile.expand_dims %columns_i0 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %columns_i3 = tile.broadcast %columns_i2 : tensor<32x1xi32> -> tensor<32x32xi32>
  %columns_j0 = tile.iota : tensor<32xi32>
  %columns_js = arith.constant dense<32> : tensor<32xi32>
  %columns_j1 = arith.muli %columns_j0, %columns_js : tensor<32xi32>
  %columns_j2 = tile.expand_dims %columns_j1 axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %columns_j3 = tile.broadcast %columns_j2 : tensor<1x32xi32> -> tensor<32x32xi32>
  %columns = arith.addi %columns_i3, %columns_j3 : tensor<32x32xi32>
  %x = tile.load %a[%columns] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
  %y = tile.load %b[%rows] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
  %d = tile.dot %x, %y, %zero : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
  tile.store %c[%rows], %d : !tile.ptr<f32>, tensor<32x32xi32>, tensor<32x32xf32>
  tile.return
}

// The same by an op.
tile.kernel @turn_a(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>) grid affine_map<() -> (1)> {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %rows_i0 = tile.iota : tensor<32xi32>
  %rows_is = arith.constant dense<32> : tensor<32xi32>
  %rows_i1 = arith.muli %rows_i0, %rows_is : tensor<32xi32>
  %rows_i2 = tile.expand_dims %rows_i1 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %rows_i3 = tile.broadcast %rows_i2 : tensor<32x1xi32> -> tensor<32x32xi32>
  %rows_j0 = tile.iota : tensor<32xi32>
  %rows_j2 = tile.expand_dims %rows_j0 axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %rows_j3 = tile.broadcast %rows_j2 : tensor<1x32xi32> -> tensor<32x32xi32>
  %rows = arith.addi %rows_i3, %rows_j3 : tensor<32x32xi32>
  %x = tile.load %a[%rows] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
  %t = tile.transpose %x order [1, 0] : tensor<32x32xf16> -> tensor<32x32xf16>
  %y = tile.load %b[%rows] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
  %d = tile.dot %t, %y, %zero : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
  tile.store %c[%rows], %d : !tile.ptr<f32>, tensor<32x32xi32>, tensor<32x32xf32>
  tile.return
}

// c = a b^T: the transpose is in the load.
tile.kernel @load_b(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>) grid affine_map<() -> (1)> {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %rows_i0 = tile.iota : tensor<32xi32>
  %rows_is = arith.constant dense<32> : tensor<32xi32>
  %rows_i1 = arith.muli %rows_i0, %rows_is : tensor<32xi32>
  %rows_i2 = tile.expand_dims %rows_i1 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %rows_i3 = tile.broadcast %rows_i2 : tensor<32x1xi32> -> tensor<32x32xi32>
  %rows_j0 = tile.iota : tensor<32xi32>
  %rows_j2 = tile.expand_dims %rows_j0 axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %rows_j3 = tile.broadcast %rows_j2 : tensor<1x32xi32> -> tensor<32x32xi32>
  %rows = arith.addi %rows_i3, %rows_j3 : tensor<32x32xi32>
  %columns_i0 = tile.iota : tensor<32xi32>
  %columns_i2 = tile.expand_dims %columns_i0 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %columns_i3 = tile.broadcast %columns_i2 : tensor<32x1xi32> -> tensor<32x32xi32>
  %columns_j0 = tile.iota : tensor<32xi32>
  %columns_js = arith.constant dense<32> : tensor<32xi32>
  %columns_j1 = arith.muli %columns_j0, %columns_js : tensor<32xi32>
  %columns_j2 = tile.expand_dims %columns_j1 axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %columns_j3 = tile.broadcast %columns_j2 : tensor<1x32xi32> -> tensor<32x32xi32>
  %columns = arith.addi %columns_i3, %columns_j3 : tensor<32x32xi32>
  %x = tile.load %a[%rows] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
  %y = tile.load %b[%columns] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
  %d = tile.dot %x, %y, %zero : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
  tile.store %c[%rows], %d : !tile.ptr<f32>, tensor<32x32xi32>, tensor<32x32xf32>
  tile.return
}

// The same by an op.
tile.kernel @turn_b(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>) grid affine_map<() -> (1)> {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %rows_i0 = tile.iota : tensor<32xi32>
  %rows_is = arith.constant dense<32> : tensor<32xi32>
  %rows_i1 = arith.muli %rows_i0, %rows_is : tensor<32xi32>
  %rows_i2 = tile.expand_dims %rows_i1 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %rows_i3 = tile.broadcast %rows_i2 : tensor<32x1xi32> -> tensor<32x32xi32>
  %rows_j0 = tile.iota : tensor<32xi32>
  %rows_j2 = tile.expand_dims %rows_j0 axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %rows_j3 = tile.broadcast %rows_j2 : tensor<1x32xi32> -> tensor<32x32xi32>
  %rows = arith.addi %rows_i3, %rows_j3 : tensor<32x32xi32>
  %x = tile.load %a[%rows] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
  %y = tile.load %b[%rows] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
  %t = tile.transpose %y order [1, 0] : tensor<32x32xf16> -> tensor<32x32xf16>
  %d = tile.dot %x, %t, %zero : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
  tile.store %c[%rows], %d : !tile.ptr<f32>, tensor<32x32xi32>, tensor<32x32xf32>
  tile.return
}

// c = c + a b + b a: the accumulator is loaded, and goes through two products.
tile.kernel @from_memory(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>) grid affine_map<() -> (1)> {
  %rows_i0 = tile.iota : tensor<32xi32>
  %rows_is = arith.constant dense<32> : tensor<32xi32>
  %rows_i1 = arith.muli %rows_i0, %rows_is : tensor<32xi32>
  %rows_i2 = tile.expand_dims %rows_i1 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %rows_i3 = tile.broadcast %rows_i2 : tensor<32x1xi32> -> tensor<32x32xi32>
  %rows_j0 = tile.iota : tensor<32xi32>
  %rows_j2 = tile.expand_dims %rows_j0 axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %rows_j3 = tile.broadcast %rows_j2 : tensor<1x32xi32> -> tensor<32x32xi32>
  %rows = arith.addi %rows_i3, %rows_j3 : tensor<32x32xi32>
  %x = tile.load %a[%rows] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
  %y = tile.load %b[%rows] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
  %acc = tile.load %c[%rows] : !tile.ptr<f32>, tensor<32x32xi32> -> tensor<32x32xf32>
  %d = tile.dot %x, %y, %acc : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
  %e = tile.dot %y, %x, %d : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
  tile.store %c[%rows], %e : !tile.ptr<f32>, tensor<32x32xi32>, tensor<32x32xf32>
  tile.return
}

// c = max(a b, 0) a: the second product takes what is computed from the first.
tile.kernel @through(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>) grid affine_map<() -> (1)> {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %rows_i0 = tile.iota : tensor<32xi32>
  %rows_is = arith.constant dense<32> : tensor<32xi32>
  %rows_i1 = arith.muli %rows_i0, %rows_is : tensor<32xi32>
  %rows_i2 = tile.expand_dims %rows_i1 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %rows_i3 = tile.broadcast %rows_i2 : tensor<32x1xi32> -> tensor<32x32xi32>
  %rows_j0 = tile.iota : tensor<32xi32>
  %rows_j2 = tile.expand_dims %rows_j0 axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %rows_j3 = tile.broadcast %rows_j2 : tensor<1x32xi32> -> tensor<32x32xi32>
  %rows = arith.addi %rows_i3, %rows_j3 : tensor<32x32xi32>
  %x = tile.load %a[%rows] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
  %y = tile.load %b[%rows] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
  %d = tile.dot %x, %y, %zero : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
  %m = arith.maximumf %d, %zero : tensor<32x32xf32>
  %n = arith.truncf %m : tensor<32x32xf32> to tensor<32x32xf16>
  %e = tile.dot %n, %x, %zero : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
  tile.store %c[%rows], %e : !tile.ptr<f32>, tensor<32x32xi32>, tensor<32x32xf32>
  tile.return
}

// The product as operand B: c = a max(a b, 0).
tile.kernel @through_b(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f32>) grid affine_map<() -> (1)> {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %rows_i0 = tile.iota : tensor<32xi32>
  %rows_is = arith.constant dense<32> : tensor<32xi32>
  %rows_i1 = arith.muli %rows_i0, %rows_is : tensor<32xi32>
  %rows_i2 = tile.expand_dims %rows_i1 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %rows_i3 = tile.broadcast %rows_i2 : tensor<32x1xi32> -> tensor<32x32xi32>
  %rows_j0 = tile.iota : tensor<32xi32>
  %rows_j2 = tile.expand_dims %rows_j0 axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %rows_j3 = tile.broadcast %rows_j2 : tensor<1x32xi32> -> tensor<32x32xi32>
  %rows = arith.addi %rows_i3, %rows_j3 : tensor<32x32xi32>
  %x = tile.load %a[%rows] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
  %y = tile.load %b[%rows] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
  %d = tile.dot %x, %y, %zero : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
  %m = arith.maximumf %d, %zero : tensor<32x32xf32>
  %n = arith.truncf %m : tensor<32x32xf32> to tensor<32x32xf16>
  %e = tile.dot %x, %n, %zero : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
  tile.store %c[%rows], %e : !tile.ptr<f32>, tensor<32x32xi32>, tensor<32x32xf32>
  tile.return
}

// Two products in a loop share an operand: c = a b + 2 a d, with n of k.
tile.kernel @in_loop(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %d: !tile.ptr<f16>, %c: !tile.ptr<f32>, %n: i32) grid affine_map<() -> (1)> {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %side = arith.constant dense<32> : tensor<32x32xi32>
  %wide_i0 = tile.iota : tensor<32xi32>
  %wide_is = arith.constant dense<96> : tensor<32xi32>
  %wide_i1 = arith.muli %wide_i0, %wide_is : tensor<32xi32>
  %wide_i2 = tile.expand_dims %wide_i1 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %wide_i3 = tile.broadcast %wide_i2 : tensor<32x1xi32> -> tensor<32x32xi32>
  %wide_j0 = tile.iota : tensor<32xi32>
  %wide_j2 = tile.expand_dims %wide_j0 axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %wide_j3 = tile.broadcast %wide_j2 : tensor<1x32xi32> -> tensor<32x32xi32>
  %wide = arith.addi %wide_i3, %wide_j3 : tensor<32x32xi32>
  %rows_i0 = tile.iota : tensor<32xi32>
  %rows_is = arith.constant dense<32> : tensor<32xi32>
  %rows_i1 = arith.muli %rows_i0, %rows_is : tensor<32xi32>
  %rows_i2 = tile.expand_dims %rows_i1 axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %rows_i3 = tile.broadcast %rows_i2 : tensor<32x1xi32> -> tensor<32x32xi32>
  %rows_j0 = tile.iota : tensor<32xi32>
  %rows_j2 = tile.expand_dims %rows_j0 axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %rows_j3 = tile.broadcast %rows_j2 : tensor<1x32xi32> -> tensor<32x32xi32>
  %rows = arith.addi %rows_i3, %rows_j3 : tensor<32x32xi32>
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %two = arith.constant dense<2.0> : tensor<32x32xf32>
  %sums:2 = scf.for %k = %c0 to %n step %c32 iter_args(%s = %zero, %t = %zero) -> (tensor<32x32xf32>, tensor<32x32xf32>) : i32 {
    %first = tile.splat %k : tensor<32x32xi32>
    %below = arith.muli %first, %side : tensor<32x32xi32>
    %right = arith.addi %wide, %first : tensor<32x32xi32>
    %down = arith.addi %rows, %below : tensor<32x32xi32>
    %x = tile.load %a[%right] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %y = tile.load %b[%down] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %z = tile.load %d[%down] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %u = tile.dot %x, %y, %s : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    %v = tile.dot %x, %z, %t : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    scf.yield %u, %v : tensor<32x32xf32>, tensor<32x32xf32>
  }
  %twice = arith.mulf %sums#1, %two : tensor<32x32xf32>
  %both = arith.addf %sums#0, %twice : tensor<32x32xf32>
  tile.store %c[%rows], %both : !tile.ptr<f32>, tensor<32x32xi32>, tensor<32x32xf32>
  tile.return
}
