// DEFINE: %{set} =
// DEFINE: %{refused} = not tile-opt --tile-plan="target=sm_90a %{set}" --mlir-print-op-on-diagnostic=false -o %t 2>&1 | FileCheck %s --check-prefix
// DEFINE: %{met} = tile-opt --tile-plan="target=sm_90a %{set}" | FileCheck %s --check-prefix

// What a setting or an op asks for on sm_90a is had, or an error with the reason:
// for the kernel below, as it stands or with a small change, made by sed.

// All of these are met.
// REDEFINE: %{set} = set=instruction=wgmma set=copy=tma set=roles=split set=grid=persistent set=cluster=2 set=stages=4
// RUN: sed -e 's/mask %%in_[ab]$/& require [tma, pipelined]/' \
// RUN:   -e 's/^    %%next = tile.dot %%x, %%y, %%sum/& require [wgmma, pipelined]/' \
// RUN:   -e 's/mask %%in_c$/& require [tma]/' %s | %{met}=MET
// MET: plan #tile.plan<target = "sm_90a", warps = 8, stages = 4, instruction = "wgmma", copy = "tma", roles = "split", grid = "persistent", cluster = 2>

// An instruction that is asked for is had.
// REDEFINE: %{set} = set=instruction=wgmma set=warps=4
// RUN: cat %s | %{refused}=NOT-WGMMA
// NOT-WGMMA: error: 'tile.kernel' op cannot use wgmma, which plan.instruction asks for: it takes 8 warps, and plan.warps is 4

// Where there is something to multiply.
// REDEFINE: %{set} = set=instruction=wgmma
// RUN: sed -e '/^    %%next =/,/^        :/d' \
// RUN:   -e 's/scf.yield %%next/scf.yield %%sum/' %s | %{refused}=NO-DOT
// NO-DOT: error: 'tile.kernel' op cannot use wgmma, which plan.instruction asks for: there is no dot

// And a chip that has it.
// REDEFINE: %{set} = set=target=sm_80 set=instruction=wgmma
// RUN: cat %s | %{refused}=OLD
// OLD: error: 'tile.kernel' op cannot use wgmma, which plan.instruction asks for: sm_80 has none

// So are roles.
// REDEFINE: %{set} = set=roles=split
// RUN: sed -e 's/%%a: !tile.ptr<f16> {tile.fact = #f16}/%%a: !tile.ptr<f16>/' %s | %{refused}=NOT-SPLIT
// NOT-SPLIT: error: 'tile.kernel' op cannot be split into roles, which plan.roles asks for: a load cannot go through the copy engine: the pointer is not known to be 16-byte aligned

// Which need two stages.
// REDEFINE: %{set} = set=roles=split set=stages=1
// RUN: cat %s | %{refused}=SPLIT-STAGES
// SPLIT-STAGES: error: 'tile.kernel' op cannot be split into roles, which plan.roles asks for: plan.stages is 1

// And the copy engine.
// REDEFINE: %{set} = set=roles=split set=copy=plain
// RUN: cat %s | %{refused}=SPLIT-COPY
// SPLIT-COPY: error: 'tile.kernel' op cannot be split into roles, which plan.roles asks for: plan.copy is plain

// Of a chip that has one.
// REDEFINE: %{set} = set=target=sm_80 set=roles=split
// RUN: cat %s | %{refused}=SPLIT-OLD
// SPLIT-OLD: error: 'tile.kernel' op cannot be split into roles, which plan.roles asks for: no dot is wgmma: sm_80 has none

// Copies that are asked for are had.
// REDEFINE: %{set} = set=copy=tma
// RUN: sed -e 's/%%a: !tile.ptr<f16> {tile.fact = #f16}/%%a: !tile.ptr<f16>/' %s | %{refused}=NOT-TMA
// NOT-TMA: error: 'tile.load' op cannot use tma, which plan.copy asks for: the pointer is not known to be 16-byte aligned

// Without roles, too.
// REDEFINE: %{set} = set=copy=tma set=roles=single
// RUN: cat %s | %{met}=TMA-SINGLE
// TMA-SINGLE: tile.load %a{{.*}} plan<tma, vector = 8, swizzle = 128>

// Where the loop is one of the kernel itself.
// RUN: sed -e 's/^  %%product = scf.for/%%true = arith.constant true\n%%product = scf.if %%true -> tensor<128x128xf32> {\n%%inner = scf.for/' \
// RUN:   -e 's/^    scf.yield %%next.*/&\n}\nscf.yield %%inner : tensor<128x128xf32>\n} else {\nscf.yield %%zeros : tensor<128x128xf32>/' %s | %{refused}=TMA-INSIDE
// TMA-INSIDE: error: 'tile.load' op cannot use tma, which plan.copy asks for: it is not in a loop of the kernel itself

// And nothing has been written before.
// RUN: sed -e 's/^  %%product = scf.for/%%early = arith.constant dense<0.0> : tensor<128xf16>\ntile.store %%c[%%j], %%early : !tile.ptr<f16>, tensor<128xi32>, tensor<128xf16>\n&/' %s | %{refused}=TMA-WRITTEN
// TMA-WRITTEN: error: 'tile.load' op cannot use tma, which plan.copy asks for: the kernel writes memory before the loop

// On a chip that has them.
// REDEFINE: %{set} = set=target=sm_80 set=copy=tma
// RUN: cat %s | %{refused}=TMA-OLD
// TMA-OLD: error: 'tile.kernel' op cannot load by tma, which plan.copy asks for: no dot is wgmma: sm_80 has none

// So is a persistent grid.
// REDEFINE: %{set} = set=grid=persistent
// RUN: sed -e 's/^    grid affine.*/{/' %s | %{refused}=NOT-PERSISTENT
// NOT-PERSISTENT: error: 'tile.kernel' op cannot be persistent, which plan.grid asks for: the kernel states no grid

// It is for roles.
// REDEFINE: %{set} = set=grid=persistent set=roles=single
// RUN: cat %s | %{refused}=PERSISTENT-SINGLE
// PERSISTENT-SINGLE: error: 'tile.kernel' op cannot be persistent, which plan.grid asks for: the kernel is not split into roles: plan.roles is single

// On whatever chip.
// REDEFINE: %{set} = set=target=sm_80 set=grid=persistent
// RUN: cat %s | %{refused}=PERSISTENT-OLD
// PERSISTENT-OLD: error: 'tile.kernel' op cannot be persistent, which plan.grid asks for: the kernel is not split into roles: no dot is wgmma: sm_80 has none

// So are clusters.
// REDEFINE: %{set} = set=cluster=2
// RUN: sed -e '/^    %%ks =/s/%%k /%%k2 /' \
// RUN:   -e '/^    %%ks =/s/^/%%k2 = arith.muli %%k, %%N overflow<nsw> : i32\n/' %s | %{refused}=NO-CLUSTER
// NO-CLUSTER: error: 'tile.kernel' op cannot use clusters of two, which plan.cluster asks for: an operand's tiles move in steps that are not constant

// For a persistent grid.
// RUN: sed -e 's/^    grid affine.*/{/' %s | %{refused}=CLUSTER-GRID
// CLUSTER-GRID: error: 'tile.kernel' op cannot use clusters of two, which plan.cluster asks for: the grid is not persistent: the kernel states no grid

// Staging that is asked for is had.
// REDEFINE: %{set} = set=roles=split set=epilogue=staged
// RUN: sed -e 's/%%N: i32 {tile.fact = #eights}/%%N: i32 {tile.fact = #some}/' %s | %{refused}=NOT-STAGED
// NOT-STAGED: error: 'tile.store' op cannot be staged, which plan.epilogue asks for: the rows of the result are not known to end at a multiple of 16 bytes

// Where it is not to be, the copy engine is not to store.
// REDEFINE: %{set} = set=roles=split set=epilogue=direct
// RUN: sed -e 's/mask %%in_c$/& require [tma]/' %s | %{refused}=DIRECT
// DIRECT: error: 'tile.store' op requires tma, which cannot be had: plan.epilogue is direct

// More stages than there is room for are refused, with how many fit beside the
// staging.
// REDEFINE: %{set} = set=stages=9
// RUN: cat %s | %{refused}=TOO-MANY
// TOO-MANY: error: 'scf.for' op needs {{[0-9]+}} bytes of shared memory for 9 stages, and sm_90a has 232448; 6 stages fit

// A dot may insist.
// REDEFINE: %{set} = set=warps=4
// RUN: sed -e 's/^    %%next = tile.dot %%x, %%y, %%sum/& require [wgmma]/' %s | %{refused}=REQUIRE-WGMMA
// REQUIRE-WGMMA: error: 'tile.dot' op requires wgmma, which cannot be had: it takes 8 warps, and plan.warps is 4

// In vain on some chips.
// REDEFINE: %{set} = set=target=sm_80
// RUN: sed -e 's/^    %%next = tile.dot %%x, %%y, %%sum/& require [wgmma]/' %s | %{refused}=REQUIRE-OLD
// REQUIRE-OLD: error: 'tile.dot' op requires wgmma, which cannot be had: sm_80 has none

// Only a dot is a product.
// REDEFINE: %{set} =
// RUN: sed -e 's/mask %%in_a$/& require [wgmma]/' %s | %{refused}=REQUIRE-WGMMA-LOAD
// REQUIRE-WGMMA-LOAD: error: 'tile.load' op requires wgmma, which cannot be had: only a dot has it

// A load may insist.
// REDEFINE: %{set} = set=copy=cp_async
// RUN: sed -e 's/mask %%in_a$/& require [tma]/' %s | %{refused}=REQUIRE-TMA
// REQUIRE-TMA: error: 'tile.load' op requires tma, which cannot be had: plan.copy is cp_async

// Outside of roles it may be one that goes through shared memory.
// REDEFINE: %{set} = set=roles=single
// RUN: sed -e '/^  %%out =/s/^/%%r = tile.load %%c[%%at_c] mask %%in_c require [tma] : !tile.ptr<f16>, tensor<128x128xi32> -> tensor<128x128xf16>\n/' %s | %{refused}=REQUIRE-TMA-REGISTERS
// REQUIRE-TMA-REGISTERS: error: 'tile.load' op requires tma, which cannot be had: it does not go through shared memory

// If the dot reads it.
// REDEFINE: %{set} =
// RUN: sed -e '/^  %%out =/s/^/%%r = tile.load %%c[%%at_c] mask %%in_c require [tma] : !tile.ptr<f16>, tensor<128x128xi32> -> tensor<128x128xf16>\n/' %s | %{refused}=REQUIRE-TMA-BESIDE
// REQUIRE-TMA-BESIDE: error: 'tile.load' op requires tma, which cannot be had: it is no operand of the dot

// A dot is not copied.
// RUN: sed -e 's/^    %%next = tile.dot %%x, %%y, %%sum/& require [tma]/' %s | %{refused}=REQUIRE-TMA-DOT
// REQUIRE-TMA-DOT: error: 'tile.dot' op requires tma, which cannot be had: only a load or a store has it

// A store may insist.
// RUN: sed -e 's/mask %%in_c$/& require [tma]/' \
// RUN:   -e 's/%%N: i32 {tile.fact = #eights}/%%N: i32 {tile.fact = #some}/' %s | %{refused}=REQUIRE-STORE
// REQUIRE-STORE: error: 'tile.store' op requires tma, which cannot be had: the rows of the result are not known to end at a multiple of 16 bytes

// If a producer loads.
// REDEFINE: %{set} = set=roles=single
// RUN: sed -e 's/mask %%in_c$/& require [tma]/' %s | %{refused}=REQUIRE-STORE-SINGLE
// REQUIRE-STORE-SINGLE: error: 'tile.store' op requires tma, which cannot be had: plan.roles is single

// Its own plan is none to be had by it.
// REDEFINE: %{set} =
// RUN: sed -e 's/mask %%in_c$/& plan<registers, vector = 8> require [tma]/' %s | %{refused}=OWN-STORE
// OWN-STORE: error: 'tile.store' op requires tma, which cannot be had: the plan is registers

// A load's own plan is not dropped.
// REDEFINE: %{set} = set=copy=plain
// RUN: sed -e 's/mask %%in_a$/& plan<tma, vector = 8, swizzle = 128>/' %s | %{refused}=OWN-TMA
// OWN-TMA: error: 'tile.load' op cannot use tma, which its plan asks for: plan.copy is plain

// Nor a store's.
// REDEFINE: %{set} = set=roles=single
// RUN: sed -e 's/mask %%in_c$/& plan<tma, vector = 8, swizzle = 128>/' %s | %{refused}=OWN-TMA-STORE
// OWN-TMA-STORE: error: 'tile.store' op cannot use tma, which its plan asks for: plan.roles is single

#f16 = #tile.fact<divisibility = 16>
#some = #tile.fact<min = 1>
#eights = #tile.fact<divisibility = 8, min = 1>

tile.kernel @product(%a: !tile.ptr<f16> {tile.fact = #f16}, %b: !tile.ptr<f16> {tile.fact = #f16},
                     %c: !tile.ptr<f16> {tile.fact = #f16}, %M: i32 {tile.fact = #some}, %N: i32 {tile.fact = #eights}, %K: i32 {tile.fact = #some})
    grid affine_map<()[M, N, K] -> (M ceildiv 128)> {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %zeros = arith.constant dense<0.0> : tensor<128x128xf32>
  %pitch = arith.constant dense<1024> : tensor<128x64xi32>
  %width = arith.constant dense<128> : tensor<64x128xi32>
  %width_c = arith.constant dense<128> : tensor<128x128xi32>
  %pid = tile.program_id x
  %m0 = arith.muli %pid, %c128 overflow<nsw> : i32
  %i = tile.iota : tensor<64xi32>
  %j = tile.iota : tensor<128xi32>
  %first = tile.splat %m0 : tensor<128xi32>
  %rm = arith.addi %first, %j overflow<nsw> : tensor<128xi32>
  %m_col = tile.expand_dims %rm axis 1 : tensor<128xi32> -> tensor<128x1xi32>
  %m_a = tile.broadcast %m_col : tensor<128x1xi32> -> tensor<128x64xi32>
  %m_c = tile.broadcast %m_col : tensor<128x1xi32> -> tensor<128x128xi32>
  %n_row = tile.expand_dims %j axis 0 : tensor<128xi32> -> tensor<1x128xi32>
  %n = tile.broadcast %n_row : tensor<1x128xi32> -> tensor<64x128xi32>
  %n_c = tile.broadcast %n_row : tensor<1x128xi32> -> tensor<128x128xi32>
  %N_b = tile.splat %N : tensor<64x128xi32>
  %in_n = arith.cmpi slt, %n, %N_b : tensor<64x128xi32>
  %M_a = tile.splat %M : tensor<128x64xi32>
  %in_m_a = arith.cmpi slt, %m_a, %M_a : tensor<128x64xi32>
  %product = scf.for %k = %c0 to %K step %c64 iter_args(%sum = %zeros) -> (tensor<128x128xf32>) : i32 {
    %ks = tile.splat %k : tensor<64xi32>
    %rk = arith.addi %ks, %i overflow<nsw> : tensor<64xi32>
    %k_row = tile.expand_dims %rk axis 0 : tensor<64xi32> -> tensor<1x64xi32>
    %k_a = tile.broadcast %k_row : tensor<1x64xi32> -> tensor<128x64xi32>
    %K_a = tile.splat %K : tensor<128x64xi32>
    %in_k_a = arith.cmpi slt, %k_a, %K_a : tensor<128x64xi32>
    %in_a = arith.andi %in_m_a, %in_k_a : tensor<128x64xi1>
    %row_a = arith.muli %m_a, %pitch overflow<nsw> : tensor<128x64xi32>
    %at_a = arith.addi %row_a, %k_a overflow<nsw> : tensor<128x64xi32>
    %x = tile.load %a[%at_a] mask %in_a
        : !tile.ptr<f16>, tensor<128x64xi32> -> tensor<128x64xf16>
    %k_col = tile.expand_dims %rk axis 1 : tensor<64xi32> -> tensor<64x1xi32>
    %k_b = tile.broadcast %k_col : tensor<64x1xi32> -> tensor<64x128xi32>
    %K_b = tile.splat %K : tensor<64x128xi32>
    %in_k_b = arith.cmpi slt, %k_b, %K_b : tensor<64x128xi32>
    %in_b = arith.andi %in_k_b, %in_n : tensor<64x128xi1>
    %row_b = arith.muli %k_b, %width overflow<nsw> : tensor<64x128xi32>
    %at_b = arith.addi %row_b, %n overflow<nsw> : tensor<64x128xi32>
    %y = tile.load %b[%at_b] mask %in_b
        : !tile.ptr<f16>, tensor<64x128xi32> -> tensor<64x128xf16>
    %next = tile.dot %x, %y, %sum
        : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %next : tensor<128x128xf32>
  }
  %M_c = tile.splat %M : tensor<128x128xi32>
  %in_m_c = arith.cmpi slt, %m_c, %M_c : tensor<128x128xi32>
  %N_c = tile.splat %N : tensor<128x128xi32>
  %in_n_c = arith.cmpi slt, %n_c, %N_c : tensor<128x128xi32>
  %in_c = arith.andi %in_m_c, %in_n_c : tensor<128x128xi1>
  %row_c = arith.muli %m_c, %width_c overflow<nsw> : tensor<128x128xi32>
  %at_c = arith.addi %row_c, %n_c overflow<nsw> : tensor<128x128xi32>
  %out = arith.truncf %product : tensor<128x128xf32> to tensor<128x128xf16>
  tile.store %c[%at_c], %out mask %in_c
      : !tile.ptr<f16>, tensor<128x128xi32>, tensor<128x128xf16>
  tile.return
}
