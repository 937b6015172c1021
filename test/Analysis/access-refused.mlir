// RUN: tile-opt %s --test-tile-print-access --verify-diagnostics -o /dev/null
//
// What is not a strided block is said not to be, with the op that breaks it.

// Divided indices repeat, remainders start again: neither is affine.
tile.kernel @divided(%a: !tile.ptr<f32>) {
  %iota = tile.iota : tensor<32xi32>
  %four = arith.constant dense<4> : tensor<32xi32>
  %quotient = arith.divsi %iota, %four : tensor<32xi32>
  // expected-remark @below {{load is not a strided block: offsets: arith.divsi at 9:15 is not an affine function of the coordinates}}
  %x0 = tile.load %a[%quotient] : !tile.ptr<f32>, tensor<32xi32> -> tensor<32xf32>
  %remainder = arith.remsi %iota, %four : tensor<32xi32>
  // expected-remark-re @below {{offsets: arith.remsi at {{[0-9:]+}} is not an affine}}
  %x1 = tile.load %a[%remainder] : !tile.ptr<f32>, tensor<32xi32> -> tensor<32xf32>
  tile.return
}

// A product of coordinates, a clamp and a choice between lanes are not affine.
tile.kernel @not_affine(%a: !tile.ptr<f32>, %n: i32) {
  %iota = tile.iota : tensor<32xi32>
  %n_tile = tile.splat %n : tensor<32xi32>
  %square = arith.muli %iota, %iota : tensor<32xi32>
  // expected-remark-re @below {{offsets: arith.muli at {{[0-9:]+}} is not an affine}}
  %x0 = tile.load %a[%square] : !tile.ptr<f32>, tensor<32xi32> -> tensor<32xf32>
  %clamped = arith.minsi %iota, %n_tile : tensor<32xi32>
  // expected-remark-re @below {{offsets: arith.minsi at {{[0-9:]+}} is not an affine}}
  %x1 = tile.load %a[%clamped] : !tile.ptr<f32>, tensor<32xi32> -> tensor<32xf32>
  %in = arith.cmpi slt, %iota, %n_tile : tensor<32xi32>
  %chosen = arith.select %in, %iota, %n_tile : tensor<32xi1>, tensor<32xi32>
  // expected-remark-re @below {{offsets: arith.select at {{[0-9:]+}} is not an affine}}
  %x2 = tile.load %a[%chosen] : !tile.ptr<f32>, tensor<32xi32> -> tensor<32xf32>
  %uneven = arith.constant dense<[0, 1, 2, 4]> : tensor<4xi32>
  // expected-remark-re @below {{offsets: arith.constant at {{[0-9:]+}} does not grow evenly along its dimensions}}
  %x3 = tile.load %a[%uneven] : !tile.ptr<f32>, tensor<4xi32> -> tensor<4xf32>
  tile.return
}

// Gathered offsets come from memory.
tile.kernel @gathered(%a: !tile.ptr<f32>, %indices: !tile.ptr<i32>) {
  %iota = tile.iota : tensor<32xi32>
  // expected-remark @below {{load indices + 0; [32] stride 1;}}
  %index = tile.load %indices[%iota] : !tile.ptr<i32>, tensor<32xi32> -> tensor<32xi32>
  // expected-remark-re @below {{offsets: tile.load at {{[0-9:]+}} is not an affine}}
  %x = tile.load %a[%index] : !tile.ptr<f32>, tensor<32xi32> -> tensor<32xf32>
  tile.return
}

// A reshape that flattens two dimensions mixes them.
tile.kernel @flattened(%a: !tile.ptr<f32>) {
  %iota = tile.iota : tensor<8xi32>
  %line = tile.expand_dims %iota axis 0 : tensor<8xi32> -> tensor<1x8xi32>
  %tile = tile.broadcast %line : tensor<1x8xi32> -> tensor<4x8xi32>
  %flat = tile.reshape %tile : tensor<4x8xi32> -> tensor<32xi32>
  // expected-remark-re @below {{offsets: tile.reshape at {{[0-9:]+}} mixes dimensions of its source}}
  %x = tile.load %a[%flat] : !tile.ptr<f32>, tensor<32xi32> -> tensor<32xf32>
  tile.return
}

// 32-bit arithmetic that may wrap is not what it seems, until it says that it
// does not wrap, or its range does.
tile.kernel @wraps(%a: !tile.ptr<f32>, %n: i32, %small: i32 {tile.fact = #tile.fact<min = 0, max = 1000>}) {
  %iota = tile.iota : tensor<32xi32>
  %n_tile = tile.splat %n : tensor<32xi32>
  %may = arith.addi %n_tile, %iota : tensor<32xi32>
  // expected-remark-re @below {{offsets: arith.addi at {{[0-9:]+}} may wrap in 32 bits}}
  %x0 = tile.load %a[%may] : !tile.ptr<f32>, tensor<32xi32> -> tensor<32xf32>
  %says = arith.addi %n_tile, %iota overflow<nsw> : tensor<32xi32>
  // expected-remark @below {{load a + n; [32] stride 1;}}
  %x1 = tile.load %a[%says] : !tile.ptr<f32>, tensor<32xi32> -> tensor<32xf32>
  %small_tile = tile.splat %small : tensor<32xi32>
  %does_not = arith.addi %small_tile, %iota : tensor<32xi32>
  // expected-remark @below {{load a + small; [32] stride 1;}}
  %x2 = tile.load %a[%does_not] : !tile.ptr<f32>, tensor<32xi32> -> tensor<32xf32>
  tile.return
}

// A scalar product that may wrap is an atom, not a product; what it is known to
// be a multiple of survives.
tile.kernel @scalar_wraps(%a: !tile.ptr<f32>, %n: i32, %m: i32) {
  %side = arith.constant 32 : i32
  %iota = tile.iota : tensor<32xi32>
  %product = arith.muli %n, %m : i32
  %first = arith.muli %product, %side : i32
  %first_tile = tile.splat %first : tensor<32xi32>
  %index = arith.addi %first_tile, %iota : tensor<32xi32>
  // expected-remark @below {{load a + muli; [32] stride 1;}}
  %x = tile.load %a[%index] : !tile.ptr<f32>, tensor<32xi32> -> tensor<32xf32>
  tile.return
}

// Zero extension of what may be negative, and cut bits, change the number.
tile.kernel @casts(%a: !tile.ptr<f32>, %n: i64) {
  %iota = tile.iota : tensor<8xi32>
  %one = arith.constant dense<1> : tensor<8xi32>
  %less = arith.subi %iota, %one : tensor<8xi32>
  %zeros = arith.extui %less : tensor<8xi32> to tensor<8xi64>
  // expected-remark-re @below {{offsets: arith.extui at {{[0-9:]+}} extends what may be negative}}
  %x0 = tile.load %a[%zeros] : !tile.ptr<f32>, tensor<8xi64> -> tensor<8xf32>
  %n_tile = tile.splat %n : tensor<8xi64>
  %cut = arith.trunci %n_tile : tensor<8xi64> to tensor<8xi32>
  // expected-remark-re @below {{offsets: arith.trunci at {{[0-9:]+}} may cut off bits}}
  %x1 = tile.load %a[%cut] : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  %natural = arith.extui %iota : tensor<8xi32> to tensor<8xi64>
  // expected-remark @below {{load a + 0; [8] stride 1;}}
  %x2 = tile.load %a[%natural] : !tile.ptr<f32>, tensor<8xi64> -> tensor<8xf32>
  tile.return
}

// Masks that are not bounds of a coordinate from above.
tile.kernel @masks(%a: !tile.ptr<f32>, %n: i32, %flag: i1) {
  %iota = tile.iota : tensor<8xi32>
  %n_tile = tile.splat %n : tensor<8xi32>
  %from = arith.cmpi sge, %iota, %n_tile : tensor<8xi32>
  // expected-remark-re @below {{mask: arith.cmpi at {{[0-9:]+}} is a lower bound of the coordinate, not known to be a multiple of the tile's side, 8, from its origin}}
  %x0 = tile.load %a[%iota] mask %from : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  %is = arith.cmpi eq, %iota, %n_tile : tensor<8xi32>
  // expected-remark-re @below {{mask: arith.cmpi at {{[0-9:]+}} compares for equality, not for order}}
  %x1 = tile.load %a[%iota] mask %is : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  %two = arith.constant dense<2> : tensor<8xi32>
  %even = arith.muli %iota, %two : tensor<8xi32>
  %half = arith.cmpi slt, %even, %n_tile : tensor<8xi32>
  // expected-remark-re @below {{mask: arith.cmpi at {{[0-9:]+}} does not grow by 1 with the coordinate}}
  %x2 = tile.load %a[%iota] mask %half : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  %flags = tile.splat %flag : tensor<8xi1>
  %below = arith.cmpi slt, %iota, %n_tile : tensor<8xi32>
  %either = arith.ori %below, %flags : tensor<8xi1>
  // expected-remark-re @below {{mask: arith.ori at {{[0-9:]+}} is not a condition on the coordinates}}
  %x5 = tile.load %a[%iota] mask %either : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  tile.return
}

// Lower bounds that may part a tile: of an origin that is a multiple of less, of
// more than 0, of 64-bit numbers that may wrap inside a tile, of a coordinate on both
// sides.
tile.kernel @lower_bounds(%a: !tile.ptr<f32>, %p: i32, %q: i64) {
  %c4 = arith.constant 4 : i32
  %c8 = arith.constant 8 : i32
  %two = arith.constant dense<2> : tensor<8xi32>
  %zeros = arith.constant dense<0> : tensor<8xi32>
  %iota = tile.iota : tensor<8xi32>
  %four = arith.muli %p, %c4 overflow<nsw> : i32
  %four_tile = tile.splat %four : tensor<8xi32>
  %half = arith.addi %four_tile, %iota overflow<nsw> : tensor<8xi32>
  %from_half = arith.cmpi sge, %half, %zeros : tensor<8xi32>
  // expected-remark-re @below {{mask: arith.cmpi at {{[0-9:]+}} is a lower bound of the coordinate, not known to be a multiple of the tile's side, 8,}}
  %x0 = tile.load %a[%half] mask %from_half : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  %eight = arith.muli %p, %c8 overflow<nsw> : i32
  %eight_tile = tile.splat %eight : tensor<8xi32>
  %k = arith.addi %eight_tile, %iota overflow<nsw> : tensor<8xi32>
  %above = arith.cmpi sgt, %k, %zeros : tensor<8xi32>
  // expected-remark-re @below {{mask: arith.cmpi at {{[0-9:]+}} is a lower bound of the coordinate}}
  %x1 = tile.load %a[%k] mask %above : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  %c8_wide = arith.constant 8 : i64
  %zeros_wide = arith.constant dense<0> : tensor<8xi64>
  %iota_wide = tile.iota : tensor<8xi64>
  %wide = arith.muli %q, %c8_wide : i64
  %wide_tile = tile.splat %wide : tensor<8xi64>
  %k_wide = arith.addi %wide_tile, %iota_wide : tensor<8xi64>
  %from_wide = arith.cmpi sge, %k_wide, %zeros_wide : tensor<8xi64>
  // expected-remark-re @below {{mask: arith.cmpi at {{[0-9:]+}} is a lower bound of the coordinate}}
  %x2 = tile.load %a[%k_wide] mask %from_wide : !tile.ptr<f32>, tensor<8xi64> -> tensor<8xf32>
  %doubled = arith.muli %k, %two overflow<nsw> : tensor<8xi32>
  %both_sides = arith.cmpi sge, %doubled, %iota : tensor<8xi32>
  // expected-remark-re @below {{mask: arith.cmpi at {{[0-9:]+}} is a lower bound of the coordinate}}
  %x3 = tile.load %a[%k] mask %both_sides : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  tile.return
}

// A bound on the sum of two coordinates, and a condition on the first lane that
// is repeated for all of a row.
tile.kernel @masks_2d(%a: !tile.ptr<f32>, %n: i32) {
  %iota = tile.iota : tensor<8xi32>
  %n_tile = tile.splat %n : tensor<8x8xi32>
  %row = tile.expand_dims %iota axis 1 : tensor<8xi32> -> tensor<8x1xi32>
  %rows = tile.broadcast %row : tensor<8x1xi32> -> tensor<8x8xi32>
  %column = tile.expand_dims %iota axis 0 : tensor<8xi32> -> tensor<1x8xi32>
  %columns = tile.broadcast %column : tensor<1x8xi32> -> tensor<8x8xi32>
  %sum = arith.addi %rows, %columns : tensor<8x8xi32>
  %triangle = arith.cmpi slt, %sum, %n_tile : tensor<8x8xi32>
  // expected-remark-re @below {{mask: arith.cmpi at {{[0-9:]+}} depends on two dimensions}}
  %x0 = tile.load %a[%sum] mask %triangle : !tile.ptr<f32>, tensor<8x8xi32> -> tensor<8x8xf32>
  %one = tile.iota : tensor<1xi32>
  %n_one = tile.splat %n : tensor<1xi32>
  %first = arith.cmpi slt, %one, %n_one : tensor<1xi32>
  %all = tile.broadcast %first : tensor<1xi1> -> tensor<8xi1>
  // expected-remark-re @below {{mask: tile.broadcast at {{[0-9:]+}} repeats a condition along dimension 0}}
  %x1 = tile.load %a[%iota] mask %all : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  tile.return
}

// Carried offsets: multiplied, grown by what changes or by no multiple of the
// step, or grown past 32 bits.
tile.kernel @carried(%a: !tile.ptr<f32>, %n: i32, %step: i32, %s: i32) {
  %zero = arith.constant 0 : i32
  %two = arith.constant dense<2> : tensor<8xi64>
  %by = tile.splat %s : tensor<8xi32>
  %start = tile.iota : tensor<8xi64>
  %start_narrow = tile.iota : tensor<8xi32>
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one iter_args(%p = %start, %q = %start, %r = %start_narrow) -> (tensor<8xi64>, tensor<8xi64>, tensor<8xi32>) : i32 {
    // expected-remark-re @below {{offsets: carried value of scf.for at {{[0-9:]+}} does not grow by a sum in each iteration}}
    %x0 = tile.load %a[%p] : !tile.ptr<f32>, tensor<8xi64> -> tensor<8xf32>
    // expected-remark-re @below {{offsets: carried value of scf.for at {{[0-9:]+}} grows by what is not a fixed multiple of the loop's step}}
    %x1 = tile.load %a[%q] : !tile.ptr<f32>, tensor<8xi64> -> tensor<8xf32>
    // expected-remark-re @below {{offsets: carried value of scf.for at {{[0-9:]+}} may wrap in 32 bits}}
    %x2 = tile.load %a[%r] : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
    %doubled = arith.muli %p, %two : tensor<8xi64>
    %i_wide = arith.extsi %i : i32 to i64
    %i_tile = tile.splat %i_wide : tensor<8xi64>
    %grown = arith.addi %q, %i_tile : tensor<8xi64>
    %narrow = arith.addi %r, %by : tensor<8xi32>
    scf.yield %doubled, %grown, %narrow : tensor<8xi64>, tensor<8xi64>, tensor<8xi32>
  }
  scf.for %i = %zero to %n step %step iter_args(%p = %a) -> (!tile.ptr<f32>) : i32 {
    // expected-remark-re @below {{pointer: carried value of scf.for at {{[0-9:]+}} grows by what is not a fixed multiple of the loop's step}}
    %x = tile.load %p[%start] : !tile.ptr<f32>, tensor<8xi64> -> tensor<8xf32>
    %q = tile.offset %p, %one : !tile.ptr<f32>, i32
    scf.yield %q : !tile.ptr<f32>
  }
  tile.return
}

// The result of a loop is not written with a counter that has run out.
tile.kernel @after_the_loop(%a: !tile.ptr<f32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = tile.iota : tensor<8xi64>
  %end = scf.for %i = %zero to %n step %one iter_args(%p = %start) -> (tensor<8xi64>) : i32 {
    %next = arith.addi %p, %start : tensor<8xi64>
    scf.yield %next : tensor<8xi64>
  }
  // expected-remark-re @below {{offsets: scf.for at {{[0-9:]+}} is not an affine function of the coordinates}}
  %x = tile.load %a[%end] : !tile.ptr<f32>, tensor<8xi64> -> tensor<8xf32>
  tile.return
}
