// RUN: tile-opt %s --test-tile-print-divisibility --verify-diagnostics -o /dev/null
//
// What each op passes on of what its operands are multiples of.

// Arithmetic keeps the whole divisor where it cannot wrap, and the power of two
// in it where it may.
tile.kernel @arithmetic(%x: i32 {tile.fact = #tile.fact<divisibility = 24>}, %y: i32 {tile.fact = #tile.fact<divisibility = 60>}) {
  %c3 = arith.constant 3 : i32
  // expected-remark @below {{divisible by 12;}}
  %a = arith.addi %x, %y overflow<nsw> {test.print} : i32
  // expected-remark @below {{divisible by 4;}}
  %b = arith.addi %x, %y {test.print} : i32
  // expected-remark @below {{divisible by 4;}}
  %c = arith.subi %y, %x {test.print} : i32
  // expected-remark @below {{divisible by 1440;}}
  %d = arith.muli %x, %y overflow<nsw> {test.print} : i32
  // expected-remark @below {{divisible by 32;}}
  %e = arith.muli %x, %y {test.print} : i32
  // expected-remark @below {{divisible by 64;}}
  %f = arith.shli %x, %c3 {test.print} : i32
  // expected-remark @below {{divisible by 12;}}
  %g = arith.minsi %x, %y {test.print} : i32
  // expected-remark @below {{divisible by 12;}}
  %h = arith.remsi %x, %y {test.print} : i32
  // expected-remark @below {{divisible by 4;}}
  %i = arith.remui %x, %y {test.print} : i32
  tile.return
}

// Division keeps what is left if it comes out even, and nothing otherwise.
tile.kernel @division(%x: i32 {tile.fact = #tile.fact<divisibility = 24>}, %y: i32) {
  %c2 = arith.constant 2 : i32
  %c4 = arith.constant 4 : i32
  %c5 = arith.constant 5 : i32
  // expected-remark @below {{divisible by 6;}}
  %a = arith.divsi %x, %c4 {test.print} : i32
  // expected-remark @below {{divisible by 1;}}
  %b = arith.divsi %x, %c5 {test.print} : i32
  // expected-remark @below {{divisible by 1;}}
  %c = arith.divsi %x, %y {test.print} : i32
  // expected-remark @below {{divisible by 6;}}
  %d = arith.ceildivsi %x, %c4 {test.print} : i32
  // expected-remark @below {{divisible by 6;}}
  %e = arith.shrsi %x, %c2 {test.print} : i32
  // expected-remark @below {{divisible by 8;}}
  %f = arith.andi %x, %y {test.print} : i32
  // expected-remark @below {{divisible by 1;}}
  %g = arith.ori %x, %y {test.print} : i32
  // expected-remark @below {{divisible by 4;}}
  %h = arith.ori %x, %c4 {test.print} : i32
  tile.return
}

// Sign extension keeps all, zero extension and truncation the power of two.
tile.kernel @casts(%x: i32 {tile.fact = #tile.fact<divisibility = 24>}, %flag: i1) {
  // expected-remark @below {{divisible by 24;}}
  %a = arith.extsi %x {test.print} : i32 to i64
  // expected-remark @below {{divisible by 8;}}
  %b = arith.extui %x {test.print} : i32 to i64
  // expected-remark @below {{divisible by 8;}}
  %c = arith.trunci %x {test.print} : i32 to i16
  // expected-remark @below {{divisible by 24;}}
  %d = arith.index_cast %x {test.print} : i32 to index
  %c36 = arith.constant 36 : i32
  // expected-remark @below {{divisible by 12;}}
  %e = arith.select %flag, %x, %c36 {test.print} : i32
  // expected-remark @below {{divisible by 12;}}
  %f = scf.if %flag -> i32 {
    scf.yield %x : i32
  } else {
    scf.yield %c36 : i32
  } {test.print}
  tile.return
}

// Pointers count bytes, and are aligned to their element.
tile.kernel @pointers(%p: !tile.ptr<f32> {tile.fact = #tile.fact<divisibility = 64>}, %q: !tile.ptr<f64>, %n: i64 {tile.fact = #tile.fact<divisibility = 4>}, %m: i64) {
  // expected-remark @below {{divisible by 16}}
  %a = tile.offset %p, %n {test.print} : !tile.ptr<f32>, i64
  // expected-remark @below {{divisible by 4}}
  %b = tile.offset %p, %m {test.print} : !tile.ptr<f32>, i64
  // expected-remark @below {{divisible by 8}}
  %c = tile.offset %q, %m {test.print} : !tile.ptr<f64>, i64
  tile.return
}

// A counter is a multiple of what start and step share; what a loop carries, of
// what it starts and grows by.
tile.kernel @loops(%from: i32 {tile.fact = #tile.fact<divisibility = 36>}, %to: i32, %n: i32) {
  %step = arith.constant 48 : i32
  %zero = arith.constant 0 : i32
  %c40 = arith.constant 40 : i32
  // expected-remark @below {{divisible by 8;}}
  %end = scf.for %i = %from to %to step %step iter_args(%x = %zero) -> (i32) : i32 {
    // expected-remark @below {{divisible by 12; iv*2}}
    %twice = arith.addi %i, %i overflow<nsw> {test.print} : i32
    // expected-remark @below {{divisible by 8;}}
    %next = arith.addi %x, %c40 {test.print} : i32
    scf.yield %next : i32
  } {test.print}
  %other = scf.for %i = %zero to %to step %step iter_args(%x = %zero) -> (i32) : i32 {
    // expected-remark @below {{divisible by 1;}}
    %next = arith.addi %x, %n {test.print} : i32
    scf.yield %next : i32
  }
  tile.return
}

// Of a tile, every element.
tile.kernel @tiles(%x: i32 {tile.fact = #tile.fact<divisibility = 24>}) {
  // expected-remark @below {{divisible by 24}}
  %a = tile.splat %x {test.print} : tensor<8xi32>
  // expected-remark @below {{divisible by 6}}
  %b = arith.constant {test.print} dense<[12, -18, 0]> : tensor<3xi32>
  // expected-remark @below {{divisible by 1}}
  %c = tile.iota {test.print} : tensor<8xi32>
  // expected-remark @below {{divisible by 0}}
  %d = arith.constant {test.print} dense<0> : tensor<8xi32>
  %e = tile.expand_dims %a axis 0 : tensor<8xi32> -> tensor<1x8xi32>
  // expected-remark @below {{divisible by 24}}
  %f = tile.broadcast %e {test.print} : tensor<1x8xi32> -> tensor<4x8xi32>
  tile.return
}

// Facts and assumes of the same value add up; a single value is that number.
tile.kernel @facts(%x: i32 {tile.fact = #tile.fact<divisibility = 4>}, %y: i32) {
  tile.assume %x, <divisibility = 6> : i32
  tile.assume %y, <min = 40, max = 40> : i32
  %c1 = arith.constant 1 : i32
  // expected-remark @below {{divisible by 12;}}
  %a = arith.muli %x, %c1 overflow<nsw> {test.print} : i32
  // expected-remark @below {{divisible by 40; 40}}
  %b = arith.muli %y, %c1 overflow<nsw> {test.print} : i32
  %z = arith.addi %x, %y : i32
  tile.assume %z, <divisibility = 128> : i32
  // expected-remark @below {{divisible by 128;}}
  %c = arith.muli %z, %c1 {test.print} : i32
  tile.return
}
