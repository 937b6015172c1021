// The reference program: C[M, N] = A[M, K] * B[K, N], f16 in and out, summed in
// f32, a tile of 128 x 128 of C for each program.
//
// All strides are arguments, in elements: nothing here assumes that a matrix is
// contiguous or aligned, and every access is masked, so M, N and K may be
// anything.  `tile-gen matmul` makes this program, and others of its kind.
//
// RUN: tile-opt %s -o %t.file
// RUN: tile-gen matmul --sides=128,128,64 --type=f16 --group=8 | tile-opt -o %t.built
// RUN: diff %t.file %t.built

tile.kernel @matmul(
    %a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>,
    // The maxima keep the index past the last tile below 2^31.
    %M: i32 {tile.fact = #tile.fact<min = 0, max = 2147483520>},
    %N: i32 {tile.fact = #tile.fact<min = 0, max = 2147483520>},
    %K: i32 {tile.fact = #tile.fact<min = 0, max = 2147483584>},
    %sam: i64, %sak: i64, %sbk: i64, %sbn: i64, %scm: i64, %scn: i64)
    grid affine_map<()[M, N] -> ((M ceildiv 128) * (N ceildiv 128))> {
  %zero = arith.constant 0 : i32
  %side_m = arith.constant 128 : i32
  %side_n = arith.constant 128 : i32
  %side_k = arith.constant 64 : i32
  %group = arith.constant 8 : i32
  %padding = arith.constant 0.000000e+00 : f16
  %zeros = arith.constant dense<0.000000e+00> : tensor<128x128xf32>

  // Which tile of C is ours.  Programs with neighbouring ids work on 8 rows of
  // tiles, column by column, so that what they read meets in the L2 cache; the
  // last group has fewer rows where 8 does not divide them.
  %pid = tile.program_id x
  %tiles_m = arith.ceildivsi %M, %side_m : i32
  %tiles_n = arith.ceildivsi %N, %side_n : i32
  %programs_in_group = arith.muli %group, %tiles_n : i32
  %group_id = arith.divsi %pid, %programs_in_group : i32
  %first_row = arith.muli %group_id, %group : i32
  %rows_left = arith.subi %tiles_m, %first_row : i32
  %rows = arith.minsi %rows_left, %group : i32
  %place = arith.remsi %pid, %programs_in_group : i32
  %row = arith.remsi %place, %rows : i32
  %pid_m = arith.addi %first_row, %row : i32
  %pid_n = arith.divsi %place, %rows : i32

  // The rows and columns of our tile, and which of them exist.  `nsw` says what
  // the range of a program id alone does not show: indices stay below 2^31.
  %first_m = arith.muli %pid_m, %side_m overflow<nsw> : i32
  %first_n = arith.muli %pid_n, %side_n overflow<nsw> : i32
  %rm_first = tile.splat %first_m : tensor<128xi32>
  %rm_iota = tile.iota : tensor<128xi32>
  %rm = arith.addi %rm_first, %rm_iota overflow<nsw> : tensor<128xi32>
  %rn_first = tile.splat %first_n : tensor<128xi32>
  %rn_iota = tile.iota : tensor<128xi32>
  %rn = arith.addi %rn_first, %rn_iota overflow<nsw> : tensor<128xi32>
  %M_tile = tile.splat %M : tensor<128xi32>
  %rm_inside = arith.cmpi slt, %rm, %M_tile : tensor<128xi32>
  %N_tile = tile.splat %N : tensor<128xi32>
  %rn_inside = arith.cmpi slt, %rn, %N_tile : tensor<128xi32>

  // What they add to the offsets into A and B.  Offsets are formed in 64 bits: a
  // product of index and stride may pass 2^31.
  %a_rows_wide = arith.extsi %rm : tensor<128xi32> to tensor<128xi64>
  %sam_tile = tile.splat %sam : tensor<128xi64>
  %a_rows = arith.muli %a_rows_wide, %sam_tile : tensor<128xi64>
  %b_columns_wide = arith.extsi %rn : tensor<128xi32> to tensor<128xi64>
  %sbn_tile = tile.splat %sbn : tensor<128xi64>
  %b_columns = arith.muli %b_columns_wide, %sbn_tile : tensor<128xi64>

  // Walk along K.  The padding of the last step is zero and adds nothing.
  %product = scf.for %k0 = %zero to %K step %side_k
      iter_args(%sum = %zeros) -> (tensor<128x128xf32>) : i32 {
    %rk_first = tile.splat %k0 : tensor<64xi32>
    %rk_iota = tile.iota : tensor<64xi32>
    %rk = arith.addi %rk_first, %rk_iota overflow<nsw> : tensor<64xi32>
    %K_tile = tile.splat %K : tensor<64xi32>
    %rk_inside = arith.cmpi slt, %rk, %K_tile : tensor<64xi32>

    // A[rm, rk]
    %a_columns_wide = arith.extsi %rk : tensor<64xi32> to tensor<64xi64>
    %sak_tile = tile.splat %sak : tensor<64xi64>
    %a_columns = arith.muli %a_columns_wide, %sak_tile : tensor<64xi64>
    %a_rows_line = tile.expand_dims %a_rows axis 1
        : tensor<128xi64> -> tensor<128x1xi64>
    %a_rows_tile = tile.broadcast %a_rows_line
        : tensor<128x1xi64> -> tensor<128x64xi64>
    %a_columns_line = tile.expand_dims %a_columns axis 0
        : tensor<64xi64> -> tensor<1x64xi64>
    %a_columns_tile = tile.broadcast %a_columns_line
        : tensor<1x64xi64> -> tensor<128x64xi64>
    %a_offsets = arith.addi %a_rows_tile, %a_columns_tile : tensor<128x64xi64>
    %a_in_rows_line = tile.expand_dims %rm_inside axis 1
        : tensor<128xi1> -> tensor<128x1xi1>
    %a_in_rows_tile = tile.broadcast %a_in_rows_line
        : tensor<128x1xi1> -> tensor<128x64xi1>
    %a_in_columns_line = tile.expand_dims %rk_inside axis 0
        : tensor<64xi1> -> tensor<1x64xi1>
    %a_in_columns_tile = tile.broadcast %a_in_columns_line
        : tensor<1x64xi1> -> tensor<128x64xi1>
    %a_inside = arith.andi %a_in_rows_tile, %a_in_columns_tile
        : tensor<128x64xi1>
    %x = tile.load %a[%a_offsets] mask %a_inside other %padding
        : !tile.ptr<f16>, tensor<128x64xi64>, f16 -> tensor<128x64xf16>

    // B[rk, rn]
    %b_rows_wide = arith.extsi %rk : tensor<64xi32> to tensor<64xi64>
    %sbk_tile = tile.splat %sbk : tensor<64xi64>
    %b_rows = arith.muli %b_rows_wide, %sbk_tile : tensor<64xi64>
    %b_rows_line = tile.expand_dims %b_rows axis 1
        : tensor<64xi64> -> tensor<64x1xi64>
    %b_rows_tile = tile.broadcast %b_rows_line
        : tensor<64x1xi64> -> tensor<64x128xi64>
    %b_columns_line = tile.expand_dims %b_columns axis 0
        : tensor<128xi64> -> tensor<1x128xi64>
    %b_columns_tile = tile.broadcast %b_columns_line
        : tensor<1x128xi64> -> tensor<64x128xi64>
    %b_offsets = arith.addi %b_rows_tile, %b_columns_tile : tensor<64x128xi64>
    %b_in_rows_line = tile.expand_dims %rk_inside axis 1
        : tensor<64xi1> -> tensor<64x1xi1>
    %b_in_rows_tile = tile.broadcast %b_in_rows_line
        : tensor<64x1xi1> -> tensor<64x128xi1>
    %b_in_columns_line = tile.expand_dims %rn_inside axis 0
        : tensor<128xi1> -> tensor<1x128xi1>
    %b_in_columns_tile = tile.broadcast %b_in_columns_line
        : tensor<1x128xi1> -> tensor<64x128xi1>
    %b_inside = arith.andi %b_in_rows_tile, %b_in_columns_tile
        : tensor<64x128xi1>
    %y = tile.load %b[%b_offsets] mask %b_inside other %padding
        : !tile.ptr<f16>, tensor<64x128xi64>, f16 -> tensor<64x128xf16>

    %next = tile.dot %x, %y, %sum
        : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }

  // C[rm, rn]
  %out = arith.truncf %product : tensor<128x128xf32> to tensor<128x128xf16>
  %c_rows_wide = arith.extsi %rm : tensor<128xi32> to tensor<128xi64>
  %scm_tile = tile.splat %scm : tensor<128xi64>
  %c_rows = arith.muli %c_rows_wide, %scm_tile : tensor<128xi64>
  %c_columns_wide = arith.extsi %rn : tensor<128xi32> to tensor<128xi64>
  %scn_tile = tile.splat %scn : tensor<128xi64>
  %c_columns = arith.muli %c_columns_wide, %scn_tile : tensor<128xi64>
  %c_rows_line = tile.expand_dims %c_rows axis 1
      : tensor<128xi64> -> tensor<128x1xi64>
  %c_rows_tile = tile.broadcast %c_rows_line
      : tensor<128x1xi64> -> tensor<128x128xi64>
  %c_columns_line = tile.expand_dims %c_columns axis 0
      : tensor<128xi64> -> tensor<1x128xi64>
  %c_columns_tile = tile.broadcast %c_columns_line
      : tensor<1x128xi64> -> tensor<128x128xi64>
  %c_offsets = arith.addi %c_rows_tile, %c_columns_tile : tensor<128x128xi64>
  %c_in_rows_line = tile.expand_dims %rm_inside axis 1
      : tensor<128xi1> -> tensor<128x1xi1>
  %c_in_rows_tile = tile.broadcast %c_in_rows_line
      : tensor<128x1xi1> -> tensor<128x128xi1>
  %c_in_columns_line = tile.expand_dims %rn_inside axis 0
      : tensor<128xi1> -> tensor<1x128xi1>
  %c_in_columns_tile = tile.broadcast %c_in_columns_line
      : tensor<1x128xi1> -> tensor<128x128xi1>
  %c_inside = arith.andi %c_in_rows_tile, %c_in_columns_tile
      : tensor<128x128xi1>
  tile.store %c[%c_offsets], %out mask %c_inside
      : !tile.ptr<f16>, tensor<128x128xi64>, tensor<128x128xf16>
  tile.return
}
