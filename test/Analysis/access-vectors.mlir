// RUN: tile-opt %s --test-tile-print-access --verify-diagnostics -o /dev/null
//
// How many elements can travel in one aligned access of at most 16 bytes.

// Base, pitch, origin and side must all be multiples of the vector; a bound of
// the contiguous dimension too, unless a vector may be partly masked.
tile.kernel @rows(%a: !tile.ptr<f16> {tile.fact = #tile.fact<divisibility = 16>}, %n: i64 {tile.fact = #tile.fact<divisibility = 4>}, %pitch: i64 {tile.fact = #tile.fact<divisibility = 8>}, %odd: i64) {
  %i = tile.iota : tensor<4xi64>
  %i_2 = tile.expand_dims %i axis 1 : tensor<4xi64> -> tensor<4x1xi64>
  %rows = tile.broadcast %i_2 : tensor<4x1xi64> -> tensor<4x64xi64>
  %j = tile.iota : tensor<64xi64>
  %j_2 = tile.expand_dims %j axis 0 : tensor<64xi64> -> tensor<1x64xi64>
  %columns = tile.broadcast %j_2 : tensor<1x64xi64> -> tensor<4x64xi64>
  %n_tile = tile.splat %n : tensor<4x64xi64>
  %in = arith.cmpi slt, %columns, %n_tile : tensor<4x64xi64>
  %pitch_tile = tile.splat %pitch : tensor<4x64xi64>
  %scaled = arith.muli %rows, %pitch_tile : tensor<4x64xi64>
  %even = arith.addi %scaled, %columns : tensor<4x64xi64>
  // expected-remark @below {{stride pitch; [64] 0 < n (i64) stride 1; base divisible by 16; vector 8, whole 4}}
  %x0 = tile.load %a[%even] mask %in : !tile.ptr<f16>, tensor<4x64xi64> -> tensor<4x64xf16>
  %odd_tile = tile.splat %odd : tensor<4x64xi64>
  %scaled_odd = arith.muli %rows, %odd_tile : tensor<4x64xi64>
  %ragged = arith.addi %scaled_odd, %columns : tensor<4x64xi64>
  // expected-remark @below {{stride odd; [64] 0 < n (i64) stride 1; base divisible by 16; vector 1, whole 1}}
  %x1 = tile.load %a[%ragged] mask %in : !tile.ptr<f16>, tensor<4x64xi64> -> tensor<4x64xf16>
  %three = arith.constant dense<3> : tensor<4x64xi64>
  %shifted = arith.addi %even, %three : tensor<4x64xi64>
  // expected-remark @below {{load a + 3; [4] stride pitch; [64] 0 < n (i64) stride 1; base divisible by 16; vector 1, whole 1}}
  %x2 = tile.load %a[%shifted] mask %in : !tile.ptr<f16>, tensor<4x64xi64> -> tensor<4x64xf16>
  tile.return
}

// Row pitches of 1184, 1185 and 1186 elements from an aligned base, and an
// aligned pitch from one element after it: the widest access that never faults.
tile.kernel @pitches(%a: !tile.ptr<f32> {tile.fact = #tile.fact<divisibility = 16>}) {
  %one = arith.constant 1 : i64
  %after = tile.offset %a, %one : !tile.ptr<f32>, i64
  // [4, 8] with rows 1184, 1185 and 1186 apart.
  %i = tile.iota : tensor<4xi64>
  %i_2 = tile.expand_dims %i axis 1 : tensor<4xi64> -> tensor<4x1xi64>
  %rows = tile.broadcast %i_2 : tensor<4x1xi64> -> tensor<4x8xi64>
  %j = tile.iota : tensor<8xi64>
  %j_2 = tile.expand_dims %j axis 0 : tensor<8xi64> -> tensor<1x8xi64>
  %columns = tile.broadcast %j_2 : tensor<1x8xi64> -> tensor<4x8xi64>
  %p1184 = arith.constant dense<1184> : tensor<4x8xi64>
  %p1185 = arith.constant dense<1185> : tensor<4x8xi64>
  %p1186 = arith.constant dense<1186> : tensor<4x8xi64>
  %r1184 = arith.muli %rows, %p1184 : tensor<4x8xi64>
  %r1185 = arith.muli %rows, %p1185 : tensor<4x8xi64>
  %r1186 = arith.muli %rows, %p1186 : tensor<4x8xi64>
  %o1184 = arith.addi %r1184, %columns : tensor<4x8xi64>
  %o1185 = arith.addi %r1185, %columns : tensor<4x8xi64>
  %o1186 = arith.addi %r1186, %columns : tensor<4x8xi64>
  // expected-remark @below {{vector 4, whole 4}}
  %x0 = tile.load %a[%o1184] : !tile.ptr<f32>, tensor<4x8xi64> -> tensor<4x8xf32>
  // expected-remark @below {{vector 1, whole 1}}
  %x1 = tile.load %a[%o1185] : !tile.ptr<f32>, tensor<4x8xi64> -> tensor<4x8xf32>
  // expected-remark @below {{vector 2, whole 2}}
  %x2 = tile.load %a[%o1186] : !tile.ptr<f32>, tensor<4x8xi64> -> tensor<4x8xf32>
  // expected-remark @below {{load a + 1; [4] stride 1184; [8] stride 1; base divisible by 16; vector 1, whole 1}}
  %x3 = tile.load %after[%o1184] : !tile.ptr<f32>, tensor<4x8xi64> -> tensor<4x8xf32>
  tile.return
}

// What a variant assumes counts as if it stood on the arguments: a stride of 1
// is the constant 1.
tile.kernel @assumed(%a: !tile.ptr<f32>, %K: i32, %s: i64) {
  tile.assume %a, <divisibility = 32> : !tile.ptr<f32>
  tile.assume %s, <min = 1, max = 1> : i64
  tile.assume %K, <divisibility = 2> : i32
  %zero = arith.constant 0 : i32
  %step = arith.constant 32 : i32
  scf.for %k0 = %zero to %K step %step : i32 {
    %first = tile.splat %k0 : tensor<32xi32>
    %iota = tile.iota : tensor<32xi32>
    %rk = arith.addi %first, %iota : tensor<32xi32>
    %K_tile = tile.splat %K : tensor<32xi32>
    %in = arith.cmpi slt, %rk, %K_tile : tensor<32xi32>
    %wide = arith.extsi %rk : tensor<32xi32> to tensor<32xi64>
    %s_tile = tile.splat %s : tensor<32xi64>
    %offsets = arith.muli %wide, %s_tile : tensor<32xi64>
    // expected-remark @below {{load a + 0; [32] iv < K (i32) stride 1; base divisible by 32; vector 4, whole 2}}
    %x = tile.load %a[%offsets] mask %in : !tile.ptr<f32>, tensor<32xi64> -> tensor<32xf32>
  }
  tile.return
}

// An assume in a branch says nothing outside of it.
tile.kernel @assumed_in_a_branch(%a: !tile.ptr<f32>, %flag: i1) {
  %iota = tile.iota : tensor<32xi64>
  scf.if %flag {
    tile.assume %a, <divisibility = 16> : !tile.ptr<f32>
  }
  // expected-remark @below {{base divisible by 4; vector 1, whole 1}}
  %x = tile.load %a[%iota] : !tile.ptr<f32>, tensor<32xi64> -> tensor<32xf32>
  tile.return
}

// A side that is no power of two bounds the vector; one byte elements may be 16.
tile.kernel @sides(%a: !tile.ptr<i8> {tile.fact = #tile.fact<divisibility = 64>}) {
  %narrow = tile.iota : tensor<12xi64>
  // expected-remark @below {{vector 4, whole 4}}
  %x0 = tile.load %a[%narrow] : !tile.ptr<i8>, tensor<12xi64> -> tensor<12xi8>
  %wide = tile.iota : tensor<64xi64>
  // expected-remark @below {{vector 16, whole 16}}
  %x1 = tile.load %a[%wide] : !tile.ptr<i8>, tensor<64xi64> -> tensor<64xi8>
  tile.return
}
