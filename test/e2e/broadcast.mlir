// A row and a column, loaded as such, are added to a tile that is scaled by a
// scalar: y = alpha x + row + column.  Broadcasting moves nothing between
// threads.
// DEFINE: %{args} = -k affine --device=interpreter 'x=f32[45,70]:int(-9,9,1)' y=f32[45,70]:nan 'row=f32[1,70]:int(-9,9,2)' \
// DEFINE:   'column=f16[45,1]:int(-9,9,3)' across=f32[1,70]:ones down=f32[45,1]:ones alpha=3 M=45 N=70 \
// DEFINE:   --expect 'y=3*x+matmul(down,row)+matmul(column,across)'
// RUN: tile-run %s %{args} | FileCheck %s
// CHECK: y = 3 * x + matmul(down, row) + matmul(column, across): max abs 0, {{.*}} ok (exact)

// The lowered form does the same, and no buffer is in it.
// RUN: tilec %s --arch=sm_80 --emit=gpu -o %t.mlir
// RUN: tile-run %t.mlir %{args} --variant=general | FileCheck %s
// RUN: FileCheck %s --check-prefix=GPU --input-file=%t.mlir
// GPU: tile_gpu.load %row[%{{.*}}] {{.*}} -> tensor<32xf32
// GPU: tile_gpu.load %column[%{{.*}}] {{.*}} -> tensor<32xf16
// GPU-NOT: tile_gpu.alloc
// GPU-NOT: tile_gpu.convert_layout
// RUN: tilec %s --arch=sm_80 --emit=ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: tilec %s --arch=sm_90a --emit=ptx -o - | FileCheck %s --check-prefix=PTX
// PTX: st.global
// PTX-NOT: .shared

tile.kernel @affine(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %row: !tile.ptr<f32>, %column: !tile.ptr<f16>,
                    %across: !tile.ptr<f32>, %down: !tile.ptr<f32>, %alpha: f32,
                    %M: i32 {tile.fact = #tile.fact<min = 0, max = 2147483600>},
                    %N: i32 {tile.fact = #tile.fact<min = 0, max = 2147483600>})
    grid affine_map<()[M, N] -> ((M ceildiv 32) * (N ceildiv 32))> {
  %side = arith.constant 32 : i32
  %pid = tile.program_id x
  %tiles_n = arith.ceildivsi %N, %side : i32
  %pid_m = arith.divsi %pid, %tiles_n : i32
  %pid_n = arith.remsi %pid, %tiles_n : i32
  %first_m = arith.muli %pid_m, %side overflow<nsw> : i32
  %first_n = arith.muli %pid_n, %side overflow<nsw> : i32
  %steps = tile.iota : tensor<32xi32>
  %firsts_m = tile.splat %first_m : tensor<32xi32>
  %firsts_n = tile.splat %first_n : tensor<32xi32>
  %rm = arith.addi %firsts_m, %steps overflow<nsw> : tensor<32xi32>
  %rn = arith.addi %firsts_n, %steps overflow<nsw> : tensor<32xi32>
  %Ms = tile.splat %M : tensor<32xi32>
  %Ns = tile.splat %N : tensor<32xi32>
  %in_m = arith.cmpi slt, %rm, %Ms : tensor<32xi32>
  %in_n = arith.cmpi slt, %rn, %Ns : tensor<32xi32>

  %rm_wide = arith.extsi %rm : tensor<32xi32> to tensor<32xi64>
  %rn_wide = arith.extsi %rn : tensor<32xi32> to tensor<32xi64>
  %pitch = arith.extsi %N : i32 to i64
  %pitches = tile.splat %pitch : tensor<32xi64>
  %rows = arith.muli %rm_wide, %pitches : tensor<32xi64>
  %rows_line = tile.expand_dims %rows axis 1 : tensor<32xi64> -> tensor<32x1xi64>
  %rows_tile = tile.broadcast %rows_line : tensor<32x1xi64> -> tensor<32x32xi64>
  %columns_line = tile.expand_dims %rn_wide axis 0 : tensor<32xi64> -> tensor<1x32xi64>
  %columns_tile = tile.broadcast %columns_line : tensor<1x32xi64> -> tensor<32x32xi64>
  %offsets = arith.addi %rows_tile, %columns_tile : tensor<32x32xi64>
  %in_m_line = tile.expand_dims %in_m axis 1 : tensor<32xi1> -> tensor<32x1xi1>
  %in_m_tile = tile.broadcast %in_m_line : tensor<32x1xi1> -> tensor<32x32xi1>
  %in_n_line = tile.expand_dims %in_n axis 0 : tensor<32xi1> -> tensor<1x32xi1>
  %in_n_tile = tile.broadcast %in_n_line : tensor<1x32xi1> -> tensor<32x32xi1>
  %inside = arith.andi %in_m_tile, %in_n_tile : tensor<32x32xi1>

  %tile = tile.load %x[%offsets] mask %inside : !tile.ptr<f32>, tensor<32x32xi64> -> tensor<32x32xf32>
  %r = tile.load %row[%rn_wide] mask %in_n : !tile.ptr<f32>, tensor<32xi64> -> tensor<32xf32>
  %c = tile.load %column[%rm_wide] mask %in_m : !tile.ptr<f16>, tensor<32xi64> -> tensor<32xf16>
  %c_wide = arith.extf %c : tensor<32xf16> to tensor<32xf32>
  %r_line = tile.expand_dims %r axis 0 : tensor<32xf32> -> tensor<1x32xf32>
  %r_tile = tile.broadcast %r_line : tensor<1x32xf32> -> tensor<32x32xf32>
  %c_line = tile.expand_dims %c_wide axis 1 : tensor<32xf32> -> tensor<32x1xf32>
  %c_tile = tile.broadcast %c_line : tensor<32x1xf32> -> tensor<32x32xf32>
  %factor = tile.splat %alpha : tensor<32x32xf32>
  %scaled = arith.mulf %tile, %factor : tensor<32x32xf32>
  %with_row = arith.addf %scaled, %r_tile : tensor<32x32xf32>
  %sum = arith.addf %with_row, %c_tile : tensor<32x32xf32>
  tile.store %y[%offsets], %sum mask %inside : !tile.ptr<f32>, tensor<32x32xi64>, tensor<32x32xf32>
  tile.return
}
