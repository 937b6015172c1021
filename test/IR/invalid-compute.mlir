// RUN: tile-opt %s --split-input-file --verify-diagnostics

// Each numbered constraint of dot, reduce and scan, broken once.

// C1: all three are matrices.
tile.kernel @dot_c1_rank(%x: f32) {
  %a = tile.splat %x : tensor<4x4xf32>
  %v = tile.splat %x : tensor<4xf32>
  // expected-error @+1 {{expected matrices, got 'tensor<4xf32>', 'tensor<4x4xf32>' and 'tensor<4x4xf32>'}}
  %0 = tile.dot %v, %a, %a : tensor<4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  tile.return
}

// -----

// C1: a and b share k.
tile.kernel @dot_c1_k(%x: f32) {
  %a = tile.splat %x : tensor<4x8xf32>
  %c = tile.splat %x : tensor<4x4xf32>
  // expected-error @+1 {{expected the columns of a to be the rows of b, got 'tensor<4x8xf32>' and 'tensor<4x4xf32>'}}
  %0 = tile.dot %a, %c, %c : tensor<4x8xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  tile.return
}

// -----

// C1: the accumulator is m x n.
tile.kernel @dot_c1_accumulator(%x: f32) {
  %a = tile.splat %x : tensor<4x8xf32>
  %b = tile.splat %x : tensor<8x2xf32>
  %c = tile.splat %x : tensor<2x4xf32>
  // expected-error @+1 {{expected an accumulator of 4x2, got 'tensor<2x4xf32>'}}
  %0 = tile.dot %a, %b, %c : tensor<4x8xf32>, tensor<8x2xf32> -> tensor<2x4xf32>
  tile.return
}

// -----

// C2: both operands have one type.
tile.kernel @dot_c2_operands(%x: f16, %y: bf16, %z: f32) {
  %a = tile.splat %x : tensor<4x4xf16>
  %b = tile.splat %y : tensor<4x4xbf16>
  %c = tile.splat %z : tensor<4x4xf32>
  // expected-error @+1 {{expected a and b of one element type, got 'f16' and 'bf16'}}
  %0 = tile.dot %a, %b, %c : tensor<4x4xf16>, tensor<4x4xbf16> -> tensor<4x4xf32>
  tile.return
}

// -----

// C3: bf16 is not summed in bf16.
tile.kernel @dot_c3_bf16(%x: bf16) {
  %a = tile.splat %x : tensor<4x4xbf16>
  // expected-error @+1 {{expected an accumulator type that goes with 'bf16', got 'bf16'}}
  %0 = tile.dot %a, %a, %a : tensor<4x4xbf16>, tensor<4x4xbf16> -> tensor<4x4xbf16>
  tile.return
}

// -----

// C3: i8 is summed in i32 only.
tile.kernel @dot_c3_i8(%x: i8, %y: i64) {
  %a = tile.splat %x : tensor<4x4xi8>
  %c = tile.splat %y : tensor<4x4xi64>
  // expected-error @+1 {{expected an accumulator type that goes with 'i8', got 'i64'}}
  %0 = tile.dot %a, %a, %c : tensor<4x4xi8>, tensor<4x4xi8> -> tensor<4x4xi64>
  tile.return
}

// -----

// C3: wider integers are not multiplied.
tile.kernel @dot_c3_i32(%x: i32) {
  %a = tile.splat %x : tensor<4x4xi32>
  // expected-error @+1 {{expected an accumulator type that goes with 'i32', got 'i32'}}
  %0 = tile.dot %a, %a, %a : tensor<4x4xi32>, tensor<4x4xi32> -> tensor<4x4xi32>
  tile.return
}

// -----

// C4: tf32 is a way to multiply f32.
tile.kernel @dot_c4_precision(%x: f16, %y: f32) {
  %a = tile.splat %x : tensor<4x4xf16>
  %c = tile.splat %y : tensor<4x4xf32>
  // expected-error @+1 {{expected precision ieee for 'f16' operands, got tf32}}
  %0 = tile.dot %a, %a, %c precision tf32 : tensor<4x4xf16>, tensor<4x4xf16> -> tensor<4x4xf32>
  tile.return
}

// -----

// C5: an interval has a length.
tile.kernel @dot_c5_zero(%x: f8E4M3FN, %y: f32) {
  %a = tile.splat %x : tensor<4x4xf8E4M3FN>
  %c = tile.splat %y : tensor<4x4xf32>
  // expected-error @+1 {{expected promote_every of at least 1, got 0}}
  %0 = tile.dot %a, %a, %c promote_every 0 : tensor<4x4xf8E4M3FN>, tensor<4x4xf8E4M3FN> -> tensor<4x4xf32>
  tile.return
}

// -----

// C5: only 8-bit floats need it.
tile.kernel @dot_c5_type(%x: f16, %y: f32) {
  %a = tile.splat %x : tensor<4x4xf16>
  %c = tile.splat %y : tensor<4x4xf32>
  // expected-error @+1 {{expected promote_every on 8-bit floats, got it on 'f16'}}
  %0 = tile.dot %a, %a, %c promote_every 32 : tensor<4x4xf16>, tensor<4x4xf16> -> tensor<4x4xf32>
  tile.return
}

// -----

// The result is the accumulator's successor: it has its type.
tile.kernel @dot_result(%x: f16, %y: f32) {
  %a = tile.splat %x : tensor<4x4xf16>
  %c = tile.splat %y : tensor<4x4xf32>
  // expected-error @+1 {{failed to verify that all of {acc, result} have same type}}
  %0 = "tile.dot"(%a, %a, %c) : (tensor<4x4xf16>, tensor<4x4xf16>, tensor<4x4xf32>) -> tensor<4x4xf16>
  tile.return
}

// -----

// C1: there is something to reduce.
tile.kernel @reduce_c1_none() {
  // expected-error @+1 {{expected at least one operand, got none}}
  "tile.reduce"() <{axis = 0 : i32}> ({
    tile.yield
  }) : () -> ()
  tile.return
}

// -----

// C1: tiles are reduced together where they have one shape.
tile.kernel @reduce_c1_shapes() {
  %i = tile.iota : tensor<4xi32>
  %j = tile.iota : tensor<8xi32>
  // expected-error @+1 {{expected operands of one shape, got 'tensor<4xi32>' and 'tensor<8xi32>'}}
  %0:2 = tile.reduce %i, %j axis 0 {
  ^bb0(%l0: i32, %l1: i32, %r0: i32, %r1: i32):
    tile.yield %l0, %l1 : i32, i32
  } : tensor<4xi32>, tensor<8xi32> -> i32, i32
  tile.return
}

// -----

// C2: the axis is one of the tile's.
tile.kernel @reduce_c2_axis() {
  %i = tile.iota : tensor<4xi32>
  // expected-error @+1 {{expected an axis from 0 to 0, got 1}}
  %0 = tile.reduce %i axis 1 {
  ^bb0(%l: i32, %r: i32):
    tile.yield %l : i32
  } : tensor<4xi32> -> i32
  tile.return
}

// -----

// C2: axes count from 0.
tile.kernel @reduce_c2_negative() {
  %i = tile.iota : tensor<4xi32>
  // expected-error @+1 {{expected an axis from 0 to 0, got -1}}
  %0 = tile.reduce %i axis -1 {
  ^bb0(%l: i32, %r: i32):
    tile.yield %l : i32
  } : tensor<4xi32> -> i32
  tile.return
}

// -----

// C3: the axis is gone from the result.
tile.kernel @reduce_c3_shape(%x: f32) {
  %t = tile.splat %x : tensor<4x8xf32>
  // expected-error @+1 {{expected a result of 'tensor<8xf32>', got 'tensor<4xf32>'}}
  %0 = tile.reduce %t axis 0 {
  ^bb0(%l: f32, %r: f32):
    tile.yield %l : f32
  } : tensor<4x8xf32> -> tensor<4xf32>
  tile.return
}

// -----

// C3: where nothing is left, it is a scalar.
tile.kernel @reduce_c3_scalar() {
  %i = tile.iota : tensor<4xi32>
  // expected-error @+1 {{expected a result of 'i32', got 'tensor<1xi32>'}}
  %0 = tile.reduce %i axis 0 {
  ^bb0(%l: i32, %r: i32):
    tile.yield %l : i32
  } : tensor<4xi32> -> tensor<1xi32>
  tile.return
}

// -----

// C3: a scalar is not left of a matrix.
tile.kernel @reduce_c3_tile(%x: f32) {
  %t = tile.splat %x : tensor<4x8xf32>
  // expected-error @+1 {{expected a result of 'tensor<8xf32>', got 'f32'}}
  %0 = tile.reduce %t axis 0 {
  ^bb0(%l: f32, %r: f32):
    tile.yield %l : f32
  } : tensor<4x8xf32> -> f32
  tile.return
}

// -----

// C3: there is a result for each operand.
tile.kernel @reduce_c3_count() {
  %i = tile.iota : tensor<4xi32>
  // expected-error @+1 {{expected a result for each of 1 operands, got 2}}
  %0:2 = tile.reduce %i axis 0 {
  ^bb0(%l: i32, %r: i32):
    tile.yield %l : i32
  } : tensor<4xi32> -> i32, i32
  tile.return
}

// -----

// C4: the region takes the left group, then the right.
tile.kernel @reduce_c4_arguments() {
  %i = tile.iota : tensor<4xi32>
  // expected-error @+1 {{expected a region over two groups of the operands' elements, got 'i32'}}
  %0 = tile.reduce %i axis 0 {
  ^bb0(%l: i32):
    tile.yield %l : i32
  } : tensor<4xi32> -> i32
  tile.return
}

// -----

// C4: the region yields one group.
tile.kernel @reduce_c4_yield() {
  %i = tile.iota : tensor<4xi32>
  // expected-error @+1 {{expected a region that yields the operands' elements}}
  %0 = tile.reduce %i axis 0 {
  ^bb0(%l: i32, %r: i32):
    tile.yield %l, %r : i32, i32
  } : tensor<4xi32> -> i32
  tile.return
}

// -----

// C4: a region that ends otherwise yields nothing.
tile.kernel @reduce_c4_terminator() {
  %i = tile.iota : tensor<4xi32>
  // expected-error @+1 {{expected a region that yields the operands' elements}}
  %0 = tile.reduce %i axis 0 {
  ^bb0(%l: i32, %r: i32):
    %1 = arith.addi %l, %r : i32
  } : tensor<4xi32> -> i32
  tile.return
}

// -----

// C1: tiles are scanned together where they have one shape.
tile.kernel @scan_c1_shapes() {
  %i = tile.iota : tensor<4xi32>
  %j = tile.iota : tensor<8xi32>
  // expected-error @+1 {{expected operands of one shape, got 'tensor<4xi32>' and 'tensor<8xi32>'}}
  %0:2 = tile.scan %i, %j axis 0 {
  ^bb0(%l0: i32, %l1: i32, %r0: i32, %r1: i32):
    tile.yield %l0, %l1 : i32, i32
  } : tensor<4xi32>, tensor<8xi32> -> tensor<4xi32>, tensor<8xi32>
  tile.return
}

// -----

// C2: the axis is one of the tile's.
tile.kernel @scan_c2_axis() {
  %i = tile.iota : tensor<4xi32>
  // expected-error @+1 {{expected an axis from 0 to 0, got 2147483647}}
  %0 = tile.scan %i axis 2147483647 {
  ^bb0(%l: i32, %r: i32):
    tile.yield %l : i32
  } : tensor<4xi32> -> tensor<4xi32>
  tile.return
}

// -----

// C3: a scan keeps the shape.
tile.kernel @scan_c3_type() {
  %i = tile.iota : tensor<4xi32>
  // expected-error @+1 {{expected a result of 'tensor<4xi32>', got 'tensor<2xi32>'}}
  %0 = tile.scan %i axis 0 {
  ^bb0(%l: i32, %r: i32):
    tile.yield %l : i32
  } : tensor<4xi32> -> tensor<2xi32>
  tile.return
}

// -----

// C3: there is a result for each operand.
tile.kernel @scan_c3_count() {
  %i = tile.iota : tensor<4xi32>
  // expected-error @+1 {{expected a result for each of 1 operands, got 0}}
  "tile.scan"(%i) <{axis = 0 : i32}> ({
  ^bb0(%l: i32, %r: i32):
    tile.yield %l : i32
  }) : (tensor<4xi32>) -> ()
  tile.return
}

// -----

// C4: the region's values are elements of the tile.
tile.kernel @scan_c4_region(%x: f32) {
  %i = tile.iota : tensor<4xi32>
  // expected-error @+1 {{expected a region over two groups of the operands' elements, got 'f32', 'f32'}}
  %0 = tile.scan %i axis 0 {
  ^bb0(%l: f32, %r: f32):
    tile.yield %l : f32
  } : tensor<4xi32> -> tensor<4xi32>
  tile.return
}
