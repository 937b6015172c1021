// RUN: tile-opt %s --test-tile-print-access --verify-diagnostics -o /dev/null
//
// One block, written in the ways in which people write it.  What is found is
// the same wherever the program means the same.

// Offsets computed from the loop's counter: origin is the counter.
tile.kernel @recomputed(%a: !tile.ptr<f16>, %K: i32, %sak: i64) {
  %zero = arith.constant 0 : i32
  %side = arith.constant 64 : i32
  scf.for %k0 = %zero to %K step %side : i32 {
    %first = tile.splat %k0 : tensor<64xi32>
    %iota = tile.iota : tensor<64xi32>
    %rk = arith.addi %first, %iota : tensor<64xi32>
    %K_tile = tile.splat %K : tensor<64xi32>
    %in = arith.cmpi slt, %rk, %K_tile : tensor<64xi32>
    %wide = arith.extsi %rk : tensor<64xi32> to tensor<64xi64>
    %stride = tile.splat %sak : tensor<64xi64>
    %offsets = arith.muli %wide, %stride : tensor<64xi64>
    // expected-remark @below {{load a + 0; [64] iv < K (i32) stride sak; base divisible by 2; vector 1, whole 1}}
    %x = tile.load %a[%offsets] mask %in : !tile.ptr<f16>, tensor<64xi64> -> tensor<64xf16>
  }
  tile.return
}

// Offsets carried by the loop, mask from what is left of K.
tile.kernel @offsets_advanced(%a: !tile.ptr<f16>, %K: i32, %sak: i64) {
  %zero = arith.constant 0 : i32
  %side = arith.constant 64 : i32
  %side_wide = arith.constant 64 : i64
  %iota = tile.iota : tensor<64xi32>
  %wide = arith.extsi %iota : tensor<64xi32> to tensor<64xi64>
  %stride = tile.splat %sak : tensor<64xi64>
  %start = arith.muli %wide, %stride : tensor<64xi64>
  %step = arith.muli %sak, %side_wide : i64
  %step_tile = tile.splat %step : tensor<64xi64>
  scf.for %k0 = %zero to %K step %side iter_args(%offsets = %start) -> (tensor<64xi64>) : i32 {
    %left = arith.subi %K, %k0 : i32
    %left_tile = tile.splat %left : tensor<64xi32>
    %in = arith.cmpi slt, %iota, %left_tile : tensor<64xi32>
    // expected-remark @below {{load a + 0; [64] iv < K (i32) stride sak; base divisible by 2; vector 1, whole 1}}
    %x = tile.load %a[%offsets] mask %in : !tile.ptr<f16>, tensor<64xi64> -> tensor<64xf16>
    %next = arith.addi %offsets, %step_tile : tensor<64xi64>
    scf.yield %next : tensor<64xi64>
  }
  tile.return
}

// The pointer carried by the loop, which counts steps: the distance goes into
// the offset, then into the origin that makes the bound free of the counter.
tile.kernel @pointer_advanced(%a: !tile.ptr<f16>, %K: i32 {tile.fact = #tile.fact<min = 0>}, %sak: i64) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %side = arith.constant 64 : i32
  %side_wide = arith.constant 64 : i64
  %iota = tile.iota : tensor<64xi32>
  %wide = arith.extsi %iota : tensor<64xi32> to tensor<64xi64>
  %stride = tile.splat %sak : tensor<64xi64>
  %offsets = arith.muli %wide, %stride : tensor<64xi64>
  %step = arith.muli %sak, %side_wide : i64
  %steps = arith.ceildivsi %K, %side : i32
  scf.for %k = %zero to %steps step %one iter_args(%p = %a) -> (!tile.ptr<f16>) : i32 {
    %done = arith.muli %k, %side : i32
    %left = arith.subi %K, %done : i32
    %left_tile = tile.splat %left : tensor<64xi32>
    %in = arith.cmpi slt, %iota, %left_tile : tensor<64xi32>
    // expected-remark @below {{load a + 0; [64] iv*64 < K (i32) stride sak; base divisible by 2; vector 1, whole 1}}
    %x = tile.load %p[%offsets] mask %in : !tile.ptr<f16>, tensor<64xi64> -> tensor<64xf16>
    %q = tile.offset %p, %step : !tile.ptr<f16>, i64
    scf.yield %q : !tile.ptr<f16>
  }
  tile.return
}

// A counter that starts elsewhere: what is carried has grown since there.
tile.kernel @start_elsewhere(%a: !tile.ptr<f16>, %from: i32, %to: i32) {
  %step = arith.constant 64 : i32
  %advance = arith.constant 128 : i64
  %iota = tile.iota : tensor<64xi64>
  scf.for %k = %from to %to step %step iter_args(%p = %a) -> (!tile.ptr<f16>) : i32 {
    // expected-remark @below {{load a + -from*2 + iv*2; [64] stride 1; base divisible by 2; vector 1, whole 1}}
    %x = tile.load %p[%iota] : !tile.ptr<f16>, tensor<64xi64> -> tensor<64xf16>
    %q = tile.offset %p, %advance : !tile.ptr<f16>, i64
    scf.yield %q : !tile.ptr<f16>
  }
  tile.return
}

// The counter becomes the origin only if origin + coordinate fits: a counter
// that takes every value needs 64 bits, and an unknown 64-bit size may wrap.
tile.kernel @left_of_loop(%a: !tile.ptr<f32>, %n: i32, %m: i64, %s: i64) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %zero_wide = arith.constant 0 : i64
  %one_wide = arith.constant 1 : i64
  %iota = tile.iota : tensor<8xi32>
  %iota_wide = tile.iota : tensor<8xi64>
  scf.for %i = %zero to %n step %one iter_args(%p = %a) -> (!tile.ptr<f32>) : i32 {
    %left = arith.subi %n, %i : i32
    %left_tile = tile.splat %left : tensor<8xi32>
    %in = arith.cmpi slt, %iota, %left_tile : tensor<8xi32>
    // expected-remark @below {{load a + 0; [8] iv < n (i64) stride 1;}}
    %x = tile.load %p[%iota] mask %in : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
    %q = tile.offset %p, %one : !tile.ptr<f32>, i32
    scf.yield %q : !tile.ptr<f32>
  }
  scf.for %i = %zero_wide to %m step %one_wide iter_args(%p = %a) -> (!tile.ptr<f32>) : i64 {
    %less = arith.subi %s, %i : i64
    %less_tile = tile.splat %less : tensor<8xi64>
    %in = arith.cmpi slt, %iota_wide, %less_tile : tensor<8xi64>
    // expected-remark @below {{load a + iv; [8] 0 < s - iv (i64) stride 1;}}
    %x = tile.load %p[%iota] mask %in : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
    %q = tile.offset %p, %one_wide : !tile.ptr<f32>, i64
    scf.yield %q : !tile.ptr<f32>
  }
  tile.return
}

// Two loops: what the outer one carries is where the inner one starts.
tile.kernel @nested(%a: !tile.ptr<f32>, %count: i64) {
  %n = arith.index_cast %count : i64 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %row = arith.constant 4096 : i64
  %block = arith.constant 32 : i64
  %iota = tile.iota : tensor<32xi64>
  scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (!tile.ptr<f32>) {
    scf.for %j = %c0 to %n step %c1 iter_args(%q = %p) -> (!tile.ptr<f32>) {
      // expected-remark @below {{load a + iv*4096 + iv_1*32; [32] stride 1; base divisible by 4; vector 1, whole 1}}
      %x = tile.load %q[%iota] : !tile.ptr<f32>, tensor<32xi64> -> tensor<32xf32>
      %next = tile.offset %q, %block : !tile.ptr<f32>, i64
      scf.yield %next : !tile.ptr<f32>
    }
    %next = tile.offset %p, %row : !tile.ptr<f32>, i64
    scf.yield %next : !tile.ptr<f32>
  }
  tile.return
}

// A two-dimensional grid and a store; rows and columns keep their own bounds.
tile.kernel @grid_2d(%c: !tile.ptr<f32>, %M: i32, %N: i32, %scm: i64) {
  %side = arith.constant 32 : i32
  %pid_m = tile.program_id x
  %pid_n = tile.program_id y
  %m = arith.muli %pid_m, %side overflow<nsw> : i32
  %n = arith.muli %pid_n, %side : i32
  %iota = tile.iota : tensor<32xi32>
  %m_tile = tile.splat %m : tensor<32xi32>
  %rm = arith.addi %m_tile, %iota : tensor<32xi32>
  %n_tile = tile.splat %n : tensor<32xi32>
  %rn = arith.addi %iota, %n_tile : tensor<32xi32>
  %M_tile = tile.splat %M : tensor<32xi32>
  %in_m = arith.cmpi slt, %rm, %M_tile : tensor<32xi32>
  %N_tile = tile.splat %N : tensor<32xi32>
  %in_n = arith.cmpi sgt, %N_tile, %rn : tensor<32xi32>
  %wide_m = arith.extsi %rm : tensor<32xi32> to tensor<32xi64>
  %pitch = tile.splat %scm : tensor<32xi64>
  %rows = arith.muli %wide_m, %pitch : tensor<32xi64>
  %rows_2 = tile.expand_dims %rows axis 1 : tensor<32xi64> -> tensor<32x1xi64>
  %rows_tile = tile.broadcast %rows_2 : tensor<32x1xi64> -> tensor<32x32xi64>
  %wide_n = arith.extsi %rn : tensor<32xi32> to tensor<32xi64>
  %columns = tile.expand_dims %wide_n axis 0 : tensor<32xi64> -> tensor<1x32xi64>
  %columns_tile = tile.broadcast %columns : tensor<1x32xi64> -> tensor<32x32xi64>
  %offsets = arith.addi %rows_tile, %columns_tile : tensor<32x32xi64>
  %in_m_2 = tile.expand_dims %in_m axis 1 : tensor<32xi1> -> tensor<32x1xi1>
  %in_m_tile = tile.broadcast %in_m_2 : tensor<32x1xi1> -> tensor<32x32xi1>
  %in_n_2 = tile.expand_dims %in_n axis 0 : tensor<32xi1> -> tensor<1x32xi1>
  %in_n_tile = tile.broadcast %in_n_2 : tensor<1x32xi1> -> tensor<32x32xi1>
  %in = arith.andi %in_m_tile, %in_n_tile : tensor<32x32xi1>
  %x = arith.constant dense<1.0> : tensor<32x32xf32>
  // expected-remark @below {{store c + 0; [32] pid_x*32 < M (i32) stride scm; [32] pid_y*32 < N (i32) stride 1; base divisible by 4; vector 1, whole 1}}
  tile.store %c[%offsets], %x mask %in : !tile.ptr<f32>, tensor<32x32xi64>, tensor<32x32xf32>
  tile.return
}

// A transposed tile of offsets: dimensions follow the order.
tile.kernel @transposed(%a: !tile.ptr<f32>, %n: i32) {
  %eight = arith.constant dense<8> : tensor<4x8xi32>
  %i = tile.iota : tensor<4xi32>
  %i_2 = tile.expand_dims %i axis 1 : tensor<4xi32> -> tensor<4x1xi32>
  %rows = tile.broadcast %i_2 : tensor<4x1xi32> -> tensor<4x8xi32>
  %j = tile.iota : tensor<8xi32>
  %j_2 = tile.reshape %j : tensor<8xi32> -> tensor<1x8xi32>
  %columns = tile.broadcast %j_2 : tensor<1x8xi32> -> tensor<4x8xi32>
  %scaled = arith.muli %eight, %rows : tensor<4x8xi32>
  %offsets = arith.addi %scaled, %columns : tensor<4x8xi32>
  %n_tile = tile.splat %n : tensor<4x8xi32>
  %in = arith.cmpi slt, %rows, %n_tile : tensor<4x8xi32>
  %turned = tile.transpose %offsets order [1, 0] : tensor<4x8xi32> -> tensor<8x4xi32>
  %in_turned = tile.transpose %in order [1, 0] : tensor<4x8xi1> -> tensor<8x4xi1>
  // expected-remark @below {{load a + 0; [8] stride 1; [4] 0 < n (i32) stride 8; base divisible by 4; vector 1, whole 1}}
  %x = tile.load %a[%turned] mask %in_turned : !tile.ptr<f32>, tensor<8x4xi32> -> tensor<8x4xf32>
  tile.return
}

// A constant tile that grows evenly is as good as an iota; shifts multiply.
tile.kernel @constants(%a: !tile.ptr<f32>) {
  %even = arith.constant dense<[[5, 8, 11], [-5, -2, 1]]> : tensor<2x3xi32>
  %two = arith.constant dense<2> : tensor<2x3xi32>
  %offsets = arith.shli %even, %two : tensor<2x3xi32>
  // expected-remark @below {{load a + 20; [2] stride -40; [3] stride 12; base divisible by 4; vector 1, whole 1}}
  %x = tile.load %a[%offsets] : !tile.ptr<f32>, tensor<2x3xi32> -> tensor<2x3xf32>
  tile.return
}

// A negative stride, as an argument and as a descending index.
tile.kernel @descending(%a: !tile.ptr<f32>, %n: i64) {
  %last = tile.splat %n : tensor<64xi64>
  %iota = tile.iota : tensor<64xi64>
  %offsets = arith.subi %last, %iota : tensor<64xi64>
  // expected-remark @below {{load a + n; [64] stride -1; base divisible by 4; vector 1, whole 1}}
  %x = tile.load %a[%offsets] : !tile.ptr<f32>, tensor<64xi64> -> tensor<64xf32>
  tile.return
}

// Stride 0: all rows are one row.
tile.kernel @expanded(%a: !tile.ptr<f32> {tile.fact = #tile.fact<divisibility = 16>}) {
  %j = tile.iota : tensor<8xi64>
  %j_2 = tile.expand_dims %j axis 0 : tensor<8xi64> -> tensor<1x8xi64>
  %offsets = tile.broadcast %j_2 : tensor<1x8xi64> -> tensor<4x8xi64>
  // expected-remark @below {{load a + 0; [4] stride 0; [8] stride 1; base divisible by 16; vector 4, whole 4}}
  %x = tile.load %a[%offsets] : !tile.ptr<f32>, tensor<4x8xi64> -> tensor<4x8xf32>
  tile.return
}

// A pointer that is chosen, not advanced, is a base of its own.
tile.kernel @chosen_base(%a: !tile.ptr<f32>, %b: !tile.ptr<f32>, %flag: i1, %i: i64) {
  %p = arith.select %flag, %a, %b : !tile.ptr<f32>
  %q = tile.offset %p, %i : !tile.ptr<f32>, i64
  %iota = tile.iota : tensor<8xi64>
  // expected-remark @below {{load select + i; [8] stride 1; base divisible by 4;}}
  %x = tile.load %q[%iota] : !tile.ptr<f32>, tensor<8xi64> -> tensor<8xf32>
  tile.return
}

// A scalar access has no dimensions.
tile.kernel @scalar(%a: !tile.ptr<f32>, %i: i32) {
  %three = arith.constant 3 : i64
  %p = tile.offset %a, %three : !tile.ptr<f32>, i64
  // expected-remark @below {{load a + i + 3; base divisible by 4; vector 1, whole 1}}
  %x = tile.load %p[%i] : !tile.ptr<f32>, i32 -> f32
  tile.return
}
