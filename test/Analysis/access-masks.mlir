// RUN: tile-opt %s --test-tile-print-access --verify-diagnostics -o /dev/null
//
// Which masks are bounds of a dimension, and what they come to.

// Without a mask every lane is valid: no bound, and the origin stays in the
// offset.
tile.kernel @unmasked(%a: !tile.ptr<f32>, %i: i64) {
  %iota = tile.iota : tensor<8xi64>
  %first = tile.splat %i : tensor<8xi64>
  %offsets = arith.addi %first, %iota : tensor<8xi64>
  // expected-remark @below {{load a + i; [8] stride 1;}}
  %x = tile.load %a[%offsets] : !tile.ptr<f32>, tensor<8xi64> -> tensor<8xf32>
  tile.return
}

// All orders of writing "below n"; `<= n` is below n + 1 where that fits.
tile.kernel @orders(%a: !tile.ptr<f32>, %n: i32, %m: i32 {tile.fact = #tile.fact<max = 100>}) {
  %iota = tile.iota : tensor<8xi32>
  %n_tile = tile.splat %n : tensor<8xi32>
  %m_tile = tile.splat %m : tensor<8xi32>
  %slt = arith.cmpi slt, %iota, %n_tile : tensor<8xi32>
  // expected-remark @below {{load a + 0; [8] 0 < n (i32) stride 1;}}
  %x0 = tile.load %a[%iota] mask %slt : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  %sgt = arith.cmpi sgt, %n_tile, %iota : tensor<8xi32>
  // expected-remark @below {{load a + 0; [8] 0 < n (i32) stride 1;}}
  %x1 = tile.load %a[%iota] mask %sgt : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  %sle = arith.cmpi sle, %iota, %m_tile : tensor<8xi32>
  // expected-remark @below {{load a + 0; [8] 0 < m + 1 (i32) stride 1;}}
  %x2 = tile.load %a[%iota] mask %sle : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  %sge = arith.cmpi sge, %m_tile, %iota : tensor<8xi32>
  // expected-remark @below {{load a + 0; [8] 0 < m + 1 (i32) stride 1;}}
  %x3 = tile.load %a[%iota] mask %sge : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  // n + 1 may be 2^31: the comparison needs 64 bits.
  %wide = arith.cmpi sle, %iota, %n_tile : tensor<8xi32>
  // expected-remark @below {{load a + 0; [8] 0 < n + 1 (i64) stride 1;}}
  %x4 = tile.load %a[%iota] mask %wide : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  tile.return
}

// In 64 bits n + 1 may wrap, and then there is no such bound.
tile.kernel @or_equal_wraps(%a: !tile.ptr<f32>, %n: i64) {
  %iota = tile.iota : tensor<8xi64>
  %n_tile = tile.splat %n : tensor<8xi64>
  %in = arith.cmpi sle, %iota, %n_tile : tensor<8xi64>
  // expected-remark-re @below {{load is not a strided block: mask: arith.cmpi at {{[0-9:]+}} has a bound that may wrap in 64 bits}}
  %x = tile.load %a[%iota] mask %in : !tile.ptr<f32>, tensor<8xi64> -> tensor<8xf32>
  tile.return
}

// An unsigned comparison is the signed one where nothing is negative.
tile.kernel @unsigned(%a: !tile.ptr<f32>, %n: i32, %m: i32 {tile.fact = #tile.fact<min = 0>}) {
  %iota = tile.iota : tensor<8xi32>
  %m_tile = tile.splat %m : tensor<8xi32>
  %in = arith.cmpi ult, %iota, %m_tile : tensor<8xi32>
  // expected-remark @below {{load a + 0; [8] 0 < m (i32) stride 1;}}
  %x0 = tile.load %a[%iota] mask %in : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  // A negative n lets every lane pass.
  %n_tile = tile.splat %n : tensor<8xi32>
  %all = arith.cmpi ult, %iota, %n_tile : tensor<8xi32>
  // expected-remark @below {{compares as unsigned what may be negative}}
  %x1 = tile.load %a[%iota] mask %all : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  tile.return
}

// A descending index must not fall below 0: the coordinate is bounded.
tile.kernel @descending(%a: !tile.ptr<f32>, %last: i32 {tile.fact = #tile.fact<min = 0>}) {
  %iota = tile.iota : tensor<8xi32>
  %last_tile = tile.splat %last : tensor<8xi32>
  %zero = arith.constant dense<0> : tensor<8xi32>
  %index = arith.subi %last_tile, %iota : tensor<8xi32>
  %in = arith.cmpi sge, %index, %zero : tensor<8xi32>
  // expected-remark @below {{load a + last; [8] 0 < last + 1 (i64) stride -1;}}
  %x = tile.load %a[%index] mask %in : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  tile.return
}

// A bound that follows from another is dropped; of two that both say something
// neither is.
tile.kernel @two_bounds(%a: !tile.ptr<f32>, %n: i32, %m: i32) {
  %iota = tile.iota : tensor<8xi32>
  %n_tile = tile.splat %n : tensor<8xi32>
  %m_tile = tile.splat %m : tensor<8xi32>
  %four = arith.constant dense<4> : tensor<8xi32>
  %two = arith.constant dense<2> : tensor<8xi32>
  %below_n = arith.cmpi slt, %iota, %n_tile : tensor<8xi32>
  %below_m = arith.cmpi slt, %iota, %m_tile : tensor<8xi32>
  %below_4 = arith.cmpi slt, %iota, %four : tensor<8xi32>
  %below_2 = arith.cmpi slt, %iota, %two : tensor<8xi32>
  %same = arith.andi %below_n, %below_n : tensor<8xi1>
  // expected-remark @below {{load a + 0; [8] 0 < n (i32) stride 1;}}
  %x0 = tile.load %a[%iota] mask %same : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  %tight = arith.andi %below_4, %below_2 : tensor<8xi1>
  // expected-remark @below {{load a + 0; [8] 0 < 2 (i32) stride 1;}}
  %x1 = tile.load %a[%iota] mask %tight : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  %unknown = arith.andi %below_n, %below_m : tensor<8xi1>
  // expected-remark @below {{mask: dimension 0 has two bounds and neither is known to imply the other}}
  %x2 = tile.load %a[%iota] mask %unknown : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  tile.return
}

// Conditions that always hold leave no bound, one that may fail does.
tile.kernel @always(%a: !tile.ptr<f32>, %i: i32 {tile.fact = #tile.fact<min = 0, max = 92>}) {
  %iota = tile.iota : tensor<8xi32>
  %first = tile.splat %i : tensor<8xi32>
  %index = arith.addi %first, %iota : tensor<8xi32>
  %zero = arith.constant dense<0> : tensor<8xi32>
  %hundred = arith.constant dense<100> : tensor<8xi32>
  %above = arith.cmpi sge, %index, %zero : tensor<8xi32>
  %below = arith.cmpi slt, %index, %hundred : tensor<8xi32>
  %in = arith.andi %above, %below : tensor<8xi1>
  // expected-remark @below {{load a + i; [8] stride 1;}}
  %x0 = tile.load %a[%index] mask %in : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  %ninety_nine = arith.constant dense<99> : tensor<8xi32>
  %less = arith.cmpi slt, %index, %ninety_nine : tensor<8xi32>
  %false = arith.constant dense<false> : tensor<8xi1>
  %both = arith.select %above, %less, %false : tensor<8xi1>, tensor<8xi1>
  // expected-remark @below {{load a + 0; [8] i < 99 (i32) stride 1;}}
  %x1 = tile.load %a[%index] mask %both : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  tile.return
}

// A mask on another dimension than the index came from bounds that dimension.
tile.kernel @other_dimension(%a: !tile.ptr<f32>, %n: i32, %s: i64) {
  %iota = tile.iota : tensor<8xi64>
  %line = tile.expand_dims %iota axis 1 : tensor<8xi64> -> tensor<8x1xi64>
  %rows = tile.broadcast %line : tensor<8x1xi64> -> tensor<8x8xi64>
  %index = tile.iota : tensor<8xi32>
  %n_tile = tile.splat %n : tensor<8xi32>
  %below = arith.cmpi slt, %index, %n_tile : tensor<8xi32>
  %in_line = tile.expand_dims %below axis 0 : tensor<8xi1> -> tensor<1x8xi1>
  %in = tile.broadcast %in_line : tensor<1x8xi1> -> tensor<8x8xi1>
  // expected-remark @below {{load a + 0; [8] stride 1; [8] 0 < n (i32) stride 0;}}
  %x = tile.load %a[%rows] mask %in : !tile.ptr<f32>, tensor<8x8xi64> -> tensor<8x8xf32>
  tile.return
}

// The bound's origin need not be the index's: the rest stays in the offset.
tile.kernel @other_origin(%a: !tile.ptr<f32>, %n: i64, %i: i64, %s: i64) {
  %iota = tile.iota : tensor<8xi64>
  %first = tile.splat %i : tensor<8xi64>
  %index = arith.addi %first, %iota : tensor<8xi64>
  %s_tile = tile.splat %s : tensor<8xi64>
  %offsets = arith.muli %iota, %s_tile : tensor<8xi64>
  %n_tile = tile.splat %n : tensor<8xi64>
  %in = arith.cmpi slt, %index, %n_tile : tensor<8xi64>
  // expected-remark @below {{load a + -i*s; [8] i < n (i64) stride s;}}
  %x = tile.load %a[%offsets] mask %in : !tile.ptr<f32>, tensor<8xi64> -> tensor<8xf32>
  tile.return
}

// A side of 1 keeps its bound: its coordinate is 0.
tile.kernel @side_one(%a: !tile.ptr<f32>, %i: i32 {tile.fact = #tile.fact<divisibility = 2>}, %M: i32, %s: i32) {
  %iota = tile.iota : tensor<1xi32>
  %first = tile.splat %i : tensor<1xi32>
  %row = arith.addi %first, %iota : tensor<1xi32>
  %M_tile = tile.splat %M : tensor<1xi32>
  %in = arith.cmpi slt, %row, %M_tile : tensor<1xi32>
  // expected-remark @below {{load a + 0; [1] i < M (i32) stride 1;}}
  %x = tile.load %a[%row] mask %in : !tile.ptr<f32>, tensor<1xi32> -> tensor<1xf32>
  tile.return
}

// What is the same for all lanes is a condition beside the bounds: a flag, a
// comparison of scalars or of tiles that hold one number, and conjunctions of
// them, in any shape.
tile.kernel @conditions(%a: !tile.ptr<f32>, %n: i32, %m: i32, %flag: i1) {
  %iota = tile.iota : tensor<8xi32>
  %n_tile = tile.splat %n : tensor<8xi32>
  %in = arith.cmpi slt, %iota, %n_tile : tensor<8xi32>
  %flags = tile.splat %flag : tensor<8xi1>
  // expected-remark @below {{load a + 0; [8] stride 1; if flag < 0 (i32); base}}
  %x0 = tile.load %a[%iota] mask %flags : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  %both = arith.andi %flags, %in : tensor<8xi1>
  // expected-remark @below {{load a + 0; [8] 0 < n (i32) stride 1; if flag < 0 (i32); base}}
  %x1 = tile.load %a[%iota] mask %both : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  %two = arith.constant dense<2> : tensor<8xi32>
  %uniform = arith.cmpi sle, %two, %n_tile : tensor<8xi32>
  %three = arith.andi %both, %uniform : tensor<8xi1>
  // expected-remark @below {{[8] 0 < n (i32) stride 1; if flag < 0 (i32); if 2 <= n (i32); base}}
  %x2 = tile.load %a[%iota] mask %three : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  %below = arith.cmpi sgt, %n, %m : i32
  %scalars = arith.andi %flag, %below : i1
  %line = tile.splat %scalars : tensor<8xi1>
  %column = tile.expand_dims %line axis 1 : tensor<8xi1> -> tensor<8x1xi1>
  %tile = tile.broadcast %column : tensor<8x1xi1> -> tensor<8x4xi1>
  %offsets = arith.constant dense<0> : tensor<8x4xi32>
  // expected-remark @below {{load a + 0; [8] stride 0; [4] stride 0; if flag < 0 (i32); if m < n (i32); base}}
  %x3 = tile.load %a[%offsets] mask %tile : !tile.ptr<f32>, tensor<8x4xi32> -> tensor<8x4xf32>
  %none = arith.constant dense<false> : tensor<8xi1>
  %chosen = arith.select %flag, %in, %none : tensor<8xi1>
  // expected-remark @below {{load a + 0; [8] 0 < n (i32) stride 1; if flag < 0 (i32); base}}
  %x4 = tile.load %a[%iota] mask %chosen : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  tile.return
}

// A lower bound that is a whole number of tiles from the origin holds of all lanes
// or of none, and so is a condition: below or equal, strictly, of another origin, of
// a side that is no power of two.
tile.kernel @lower_bounds(%a: !tile.ptr<f32>, %n: i32, %p: i32, %q: i32) {
  %c6 = arith.constant 6 : i32
  %c8 = arith.constant 8 : i32
  %zeros = arith.constant dense<0> : tensor<8xi32>
  %minus = arith.constant dense<-1> : tensor<8xi32>
  %iota = tile.iota : tensor<8xi32>
  %first = arith.muli %p, %c8 overflow<nsw> : i32
  %first_tile = tile.splat %first : tensor<8xi32>
  %k = arith.addi %first_tile, %iota overflow<nsw> : tensor<8xi32>
  %from = arith.cmpi sge, %k, %zeros : tensor<8xi32>
  // expected-remark @below {{load a + p*8; [8] stride 1; if 0 <= p*8 (i32); base}}
  %x0 = tile.load %a[%k] mask %from : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  %n_tile = tile.splat %n : tensor<8xi32>
  %in = arith.cmpi slt, %k, %n_tile : tensor<8xi32>
  %both = arith.andi %from, %in : tensor<8xi1>
  // expected-remark @below {{load a + 0; [8] p*8 < n (i32) stride 1; if 0 <= p*8 (i32); base}}
  %x1 = tile.load %a[%k] mask %both : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  %above = arith.cmpi sgt, %k, %minus : tensor<8xi32>
  // expected-remark @below {{load a + p*8; [8] stride 1; if -1 < p*8 (i32); base}}
  %x2 = tile.load %a[%k] mask %above : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  %least = arith.muli %q, %c8 overflow<nsw> : i32
  %least_tile = tile.splat %least : tensor<8xi32>
  %after = arith.cmpi sle, %least_tile, %k : tensor<8xi32>
  // expected-remark @below {{load a + p*8; [8] stride 1; if q*8 <= p*8 (i32); base}}
  %x3 = tile.load %a[%k] mask %after : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  %six = arith.muli %p, %c6 overflow<nsw> : i32
  %six_tile = tile.splat %six : tensor<6xi32>
  %six_iota = tile.iota : tensor<6xi32>
  %six_k = arith.addi %six_tile, %six_iota overflow<nsw> : tensor<6xi32>
  %six_zeros = arith.constant dense<0> : tensor<6xi32>
  %six_from = arith.cmpi sge, %six_k, %six_zeros : tensor<6xi32>
  // expected-remark @below {{load a + p*6; [6] stride 1; if 0 <= p*6 (i32); base}}
  %x4 = tile.load %a[%six_k] mask %six_from : !tile.ptr<f32>, tensor<6xi32> -> tensor<6xf32>
  tile.return
}

// The counter of a loop in steps of the side is such an origin, wherever the loop
// starts at a multiple of it.
tile.kernel @lower_bounds_in_loops(%a: !tile.ptr<f32>, %n: i32, %p: i32) {
  %c8 = arith.constant 8 : i32
  %zeros = arith.constant dense<0> : tensor<8xi32>
  %iota = tile.iota : tensor<8xi32>
  %first = arith.muli %p, %c8 overflow<nsw> : i32
  scf.for %k0 = %first to %n step %c8 : i32 {
    %k0_tile = tile.splat %k0 : tensor<8xi32>
    %k = arith.addi %k0_tile, %iota overflow<nsw> : tensor<8xi32>
    %from = arith.cmpi sge, %k, %zeros : tensor<8xi32>
    // expected-remark @below {{load a + iv; [8] stride 1; if 0 <= iv (i32); base}}
    %x0 = tile.load %a[%k] mask %from : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  }
  scf.while (%k0 = %first) : (i32) -> i32 {
    %more = arith.cmpi slt, %k0, %n : i32
    scf.condition(%more) %k0 : i32
  } do {
  ^bb0(%k0: i32):
    %k0_tile = tile.splat %k0 : tensor<8xi32>
    %k = arith.addi %k0_tile, %iota overflow<nsw> : tensor<8xi32>
    %from = arith.cmpi sge, %k, %zeros : tensor<8xi32>
    // expected-remark @below {{load a + carried; [8] stride 1; if 0 <= carried (i32); base}}
    %x1 = tile.load %a[%k] mask %from : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
    %next = arith.addi %k0, %c8 overflow<nsw> : i32
    scf.yield %next : i32
  }
  tile.return
}

// Comparisons that are no order, or unsigned of what may be negative, are
// conditions as they are; what always holds is none, and what never does is one.
tile.kernel @conditions_as_they_are(%a: !tile.ptr<f32>, %n: i32, %m: i32 {tile.fact = #tile.fact<min = 1>}) {
  %c0 = arith.constant 0 : i32
  %iota = tile.iota : tensor<8xi32>
  %equal = arith.cmpi eq, %n, %m : i32
  %equals = tile.splat %equal : tensor<8xi1>
  // expected-remark @below {{load a + 0; [8] stride 1; if cmpi < 0 (i32); base}}
  %x0 = tile.load %a[%iota] mask %equals : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  %below = arith.cmpi ult, %n, %m : i32
  %belows = tile.splat %below : tensor<8xi1>
  // expected-remark @below {{load a + 0; [8] stride 1; if cmpi < 0 (i32); base}}
  %x1 = tile.load %a[%iota] mask %belows : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  %positive = arith.cmpi sgt, %m, %c0 : i32
  %positives = tile.splat %positive : tensor<8xi1>
  // expected-remark @below {{load a + 0; [8] stride 1; base}}
  %x2 = tile.load %a[%iota] mask %positives : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  // Polynomials have 64 bits.
  %wide = arith.extsi %n : i32 to i128
  %far = arith.constant 18446744073709551616 : i128
  %near = arith.cmpi slt, %wide, %far : i128
  %nears = tile.splat %near : tensor<8xi1>
  // expected-remark @below {{load a + 0; [8] stride 1; if cmpi < 0 (i32); base}}
  %x5 = tile.load %a[%iota] mask %nears : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  %none = arith.constant dense<false> : tensor<8xi1>
  // expected-remark @below {{load a + 0; [8] stride 1; if 0 < 0 (i32); base}}
  %x3 = tile.load %a[%iota] mask %none : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  // expected-remark @below {{load a + n; if cmpi < 0 (i32); base}}
  %x4 = tile.load %a[%n] mask %equal : !tile.ptr<f32>, i32 -> f32
  tile.return
}

// Equality of tiles is refused even where it is the same for all lanes: it is no
// scalar.
tile.kernel @equal_tiles(%a: !tile.ptr<f32>, %n: i32) {
  %iota = tile.iota : tensor<8xi32>
  %two = arith.constant dense<2> : tensor<8xi32>
  %n_tile = tile.splat %n : tensor<8xi32>
  %equal = arith.cmpi eq, %two, %n_tile : tensor<8xi32>
  // expected-remark-re @below {{mask: arith.cmpi at {{[0-9:]+}} compares for equality, not for order}}
  %x = tile.load %a[%iota] mask %equal : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  tile.return
}
