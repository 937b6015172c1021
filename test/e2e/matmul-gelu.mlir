// C = gelu(A B + bias) + residual as a person writes it, with tanh and a bias of
// one dimension: ragged, in every variant, against f64.
// DEFINE: %{variant} = general
// DEFINE: %{run} = tile-run %s -k matmul --device=interpreter 'a=f16[33,40]:randn(1)' 'b=f16[40,35]:randn(2)' \
// DEFINE:   'bias=f16[35]:randn(3)' 'residual=f16[33,35]:randn(4)' c=f16[33,35]:nan M=33 N=35 K=40 \
// DEFINE:   sam=40 sak=1 sbk=35 sbn=1 scm=35 scn=1 --variant=%{variant} \
// DEFINE:   --dump a=%t.a.npy --dump b=%t.b.npy --dump bias=%t.bias.npy --dump residual=%t.residual.npy --dump c=%t.c.npy
// DEFINE: %{check} = %python %S/Inputs/epilogue.py %t.a.npy %t.b.npy %t.bias.npy %t.residual.npy %t.c.npy | FileCheck %s
// RUN: %{run}
// RUN: %{check}
// REDEFINE: %{variant} = contiguous
// RUN: %{run}
// RUN: %{check}
// CHECK: 33x35x40: ok

// So does the kernel split into roles, whose consumers do it to the accumulator.
// RUN: tilec %s --arch=sm_90a --variant=aligned16 --emit=gpu -o %t.mlir
// RUN: FileCheck %s --check-prefix=ROLES --input-file=%t.mlir
// ROLES: role "consumer"
// ROLES: math.tanh
// RUN: tile-run %t.mlir -k matmul --device=interpreter 'a=f16[136,72]:randn(1)' 'b=f16[72,144]:randn(2)' \
// RUN:   'bias=f16[144]:randn(3)' 'residual=f16[136,144]:randn(4)' c=f16[136,144]:nan M=136 N=144 K=72 \
// RUN:   sam=72 sak=1 sbk=144 sbn=1 scm=144 scn=1 \
// RUN:   --dump a=%t.a.npy --dump b=%t.b.npy --dump bias=%t.bias.npy --dump residual=%t.residual.npy --dump c=%t.c.npy
// RUN: %python %S/Inputs/epilogue.py %t.a.npy %t.b.npy %t.bias.npy %t.residual.npy %t.c.npy | FileCheck %s --check-prefix=SPLIT
// SPLIT: 136x144x72: ok

// Lowered, the bias is loaded once for all rows of a thread, and no tile is
// rearranged before it is narrowed.  Roles load both before the products.
// RUN: tilec %s --arch=sm_80 --variant=aligned16 --emit=gpu -o - | FileCheck %s --check-prefix=GPU
// RUN: tilec %s --arch=sm_90a --variant=aligned16 --emit=gpu -o - | FileCheck %s --check-prefix=EARLY
// GPU: tile_gpu.load %bias[%{{[^,]*}}] bounds[%N]
// GPU-NOT: tile_gpu.local_store {{.*}}f32
// GPU: math.tanh
// GPU: tile_gpu.load %residual
// GPU-NOT: tile_gpu.local_store {{.*}}f32
// GPU: arith.truncf
// EARLY: tile_gpu.role "consumer"
// EARLY: tile_gpu.load %bias[%{{[^,]*}}] bounds[%N]
// EARLY: tile_gpu.load %residual
// EARLY: tile_gpu.wgmma %
// EARLY-NOT: tile_gpu.local_store
// EARLY: arith.truncf

tile.kernel @matmul(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>,
    %M: i32 {tile.fact = #tile.fact<min = 0, max = 2147483520>},
    %N: i32 {tile.fact = #tile.fact<min = 0, max = 2147483520>},
    %K: i32 {tile.fact = #tile.fact<min = 0, max = 2147483584>},
    %sam: i64, %sak: i64, %sbk: i64, %sbn: i64, %scm: i64, %scn: i64,
    %bias: !tile.ptr<f16>, %residual: !tile.ptr<f16>)
    grid affine_map<()[M, N] -> ((M ceildiv 128) * (N ceildiv 128))> {
  %zero = arith.constant 0 : i32
  %side_m = arith.constant 128 : i32
  %side_n = arith.constant 128 : i32
  %side_k = arith.constant 64 : i32
  %group = arith.constant 8 : i32
  %padding = arith.constant 0.000000e+00 : f16
  %zeros = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
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
  %a_rows_wide = arith.extsi %rm : tensor<128xi32> to tensor<128xi64>
  %sam_tile = tile.splat %sam : tensor<128xi64>
  %a_rows = arith.muli %a_rows_wide, %sam_tile : tensor<128xi64>
  %b_columns_wide = arith.extsi %rn : tensor<128xi32> to tensor<128xi64>
  %sbn_tile = tile.splat %sbn : tensor<128xi64>
  %b_columns = arith.muli %b_columns_wide, %sbn_tile : tensor<128xi64>
  %product = scf.for %k0 = %zero to %K step %side_k iter_args(%sum = %zeros) -> (tensor<128x128xf32>)  : i32 {
    %rk_first = tile.splat %k0 : tensor<64xi32>
    %rk_iota = tile.iota : tensor<64xi32>
    %rk = arith.addi %rk_first, %rk_iota overflow<nsw> : tensor<64xi32>
    %K_tile = tile.splat %K : tensor<64xi32>
    %rk_inside = arith.cmpi slt, %rk, %K_tile : tensor<64xi32>
    %a_columns_wide = arith.extsi %rk : tensor<64xi32> to tensor<64xi64>
    %sak_tile = tile.splat %sak : tensor<64xi64>
    %a_columns = arith.muli %a_columns_wide, %sak_tile : tensor<64xi64>
    %a_rows_line = tile.expand_dims %a_rows axis 1 : tensor<128xi64> -> tensor<128x1xi64>
    %a_rows_tile = tile.broadcast %a_rows_line : tensor<128x1xi64> -> tensor<128x64xi64>
    %a_columns_line = tile.expand_dims %a_columns axis 0 : tensor<64xi64> -> tensor<1x64xi64>
    %a_columns_tile = tile.broadcast %a_columns_line : tensor<1x64xi64> -> tensor<128x64xi64>
    %a_offsets = arith.addi %a_rows_tile, %a_columns_tile : tensor<128x64xi64>
    %a_in_rows_line = tile.expand_dims %rm_inside axis 1 : tensor<128xi1> -> tensor<128x1xi1>
    %a_in_rows_tile = tile.broadcast %a_in_rows_line : tensor<128x1xi1> -> tensor<128x64xi1>
    %a_in_columns_line = tile.expand_dims %rk_inside axis 0 : tensor<64xi1> -> tensor<1x64xi1>
    %a_in_columns_tile = tile.broadcast %a_in_columns_line : tensor<1x64xi1> -> tensor<128x64xi1>
    %a_inside = arith.andi %a_in_rows_tile, %a_in_columns_tile : tensor<128x64xi1>
    %x = tile.load %a[%a_offsets] mask %a_inside other %padding : !tile.ptr<f16>, tensor<128x64xi64>, f16 -> tensor<128x64xf16>
    %b_rows_wide = arith.extsi %rk : tensor<64xi32> to tensor<64xi64>
    %sbk_tile = tile.splat %sbk : tensor<64xi64>
    %b_rows = arith.muli %b_rows_wide, %sbk_tile : tensor<64xi64>
    %b_rows_line = tile.expand_dims %b_rows axis 1 : tensor<64xi64> -> tensor<64x1xi64>
    %b_rows_tile = tile.broadcast %b_rows_line : tensor<64x1xi64> -> tensor<64x128xi64>
    %b_columns_line = tile.expand_dims %b_columns axis 0 : tensor<128xi64> -> tensor<1x128xi64>
    %b_columns_tile = tile.broadcast %b_columns_line : tensor<1x128xi64> -> tensor<64x128xi64>
    %b_offsets = arith.addi %b_rows_tile, %b_columns_tile : tensor<64x128xi64>
    %b_in_rows_line = tile.expand_dims %rk_inside axis 1 : tensor<64xi1> -> tensor<64x1xi1>
    %b_in_rows_tile = tile.broadcast %b_in_rows_line : tensor<64x1xi1> -> tensor<64x128xi1>
    %b_in_columns_line = tile.expand_dims %rn_inside axis 0 : tensor<128xi1> -> tensor<1x128xi1>
    %b_in_columns_tile = tile.broadcast %b_in_columns_line : tensor<1x128xi1> -> tensor<64x128xi1>
    %b_inside = arith.andi %b_in_rows_tile, %b_in_columns_tile : tensor<64x128xi1>
    %y = tile.load %b[%b_offsets] mask %b_inside other %padding : !tile.ptr<f16>, tensor<64x128xi64>, f16 -> tensor<64x128xf16>
    %next = tile.dot %x, %y, %sum : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  %c_rows_wide = arith.extsi %rm : tensor<128xi32> to tensor<128xi64>
  %scm_tile = tile.splat %scm : tensor<128xi64>
  %c_rows = arith.muli %c_rows_wide, %scm_tile : tensor<128xi64>
  %c_columns_wide = arith.extsi %rn : tensor<128xi32> to tensor<128xi64>
  %scn_tile = tile.splat %scn : tensor<128xi64>
  %c_columns = arith.muli %c_columns_wide, %scn_tile : tensor<128xi64>
  %c_rows_line = tile.expand_dims %c_rows axis 1 : tensor<128xi64> -> tensor<128x1xi64>
  %c_rows_tile = tile.broadcast %c_rows_line : tensor<128x1xi64> -> tensor<128x128xi64>
  %c_columns_line = tile.expand_dims %c_columns axis 0 : tensor<128xi64> -> tensor<1x128xi64>
  %c_columns_tile = tile.broadcast %c_columns_line : tensor<1x128xi64> -> tensor<128x128xi64>
  %c_offsets = arith.addi %c_rows_tile, %c_columns_tile : tensor<128x128xi64>
  %c_in_rows_line = tile.expand_dims %rm_inside axis 1 : tensor<128xi1> -> tensor<128x1xi1>
  %c_in_rows_tile = tile.broadcast %c_in_rows_line : tensor<128x1xi1> -> tensor<128x128xi1>
  %c_in_columns_line = tile.expand_dims %rn_inside axis 0 : tensor<128xi1> -> tensor<1x128xi1>
  %c_in_columns_tile = tile.broadcast %c_in_columns_line : tensor<1x128xi1> -> tensor<128x128xi1>
  %c_inside = arith.andi %c_in_rows_tile, %c_in_columns_tile : tensor<128x128xi1>

  // The bias is one row; what is broadcast takes the accumulator's layout.
  %bias_columns_wide = arith.extsi %rn : tensor<128xi32> to tensor<128xi64>
  %bias_other = arith.constant 0.000000e+00 : f16
  %bias_row = tile.load %bias[%bias_columns_wide] mask %rn_inside other %bias_other : !tile.ptr<f16>, tensor<128xi64>, f16 -> tensor<128xf16>
  %bias_row_wide = arith.extf %bias_row : tensor<128xf16> to tensor<128xf32>
  %bias_line = tile.expand_dims %bias_row_wide axis 0 : tensor<128xf32> -> tensor<1x128xf32>
  %bias_wide = tile.broadcast %bias_line : tensor<1x128xf32> -> tensor<128x128xf32>
  %biased = arith.addf %product, %bias_wide fastmath<contract> : tensor<128x128xf32>

  // GELU: x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))).
  %half = arith.constant dense<5.000000e-01> : tensor<128x128xf32>
  %one = arith.constant dense<1.000000e+00> : tensor<128x128xf32>
  %linear = arith.constant dense<0.797884583> : tensor<128x128xf32>
  %cubic = arith.constant dense<0.0356774069> : tensor<128x128xf32>
  %square = arith.mulf %biased, %biased fastmath<contract> : tensor<128x128xf32>
  %scaled = arith.mulf %square, %cubic fastmath<contract> : tensor<128x128xf32>
  %slope = arith.addf %scaled, %linear fastmath<contract> : tensor<128x128xf32>
  %inner = arith.mulf %biased, %slope fastmath<contract> : tensor<128x128xf32>
  %tanh = math.tanh %inner : tensor<128x128xf32>
  %share = arith.addf %tanh, %one : tensor<128x128xf32>
  %halved = arith.mulf %biased, %half : tensor<128x128xf32>
  %gelu = arith.mulf %halved, %share : tensor<128x128xf32>

  %residual_other = arith.constant 0.000000e+00 : f16
  %residual_tile = tile.load %residual[%c_offsets] mask %c_inside other %residual_other : !tile.ptr<f16>, tensor<128x128xi64>, f16 -> tensor<128x128xf16>
  %residual_wide = arith.extf %residual_tile : tensor<128x128xf16> to tensor<128x128xf32>
  %with_residual = arith.addf %gelu, %residual_wide fastmath<contract> : tensor<128x128xf32>
  %out = arith.truncf %with_residual : tensor<128x128xf32> to tensor<128x128xf16>
  tile.store %c[%c_offsets], %out mask %c_inside : !tile.ptr<f16>, tensor<128x128xi64>, tensor<128x128xf16>
  tile.return
}
