// DEFINE: %{refused} = not tile-opt --tile-split-roles --mlir-print-op-on-diagnostic=false -o %t 2>&1 | FileCheck %s --check-prefix

// A plan that a kernel cannot follow is refused, with the reason: each is the
// right one below with a small change, made by sed.

// There is a dot.
// RUN: sed -e '/^    %%next =/,/^        :/d' \
// RUN:   -e 's/scf.yield %%next/scf.yield %%sum/' %s | %{refused}=NO-DOT
// NO-DOT: error: 'tile.kernel' op cannot be split into roles: there is not just one dot, in a loop of the kernel itself

// One alone.
// RUN: sed -e '/^  %%out =/s/^/%%x2 = arith.constant dense<0.0> : tensor<64x64xf32>\n%%d2 = tile.dot %%x2, %%x2, %%x2 : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>\n/' %s | %{refused}=TWO-DOTS
// TWO-DOTS: error: 'tile.kernel' op cannot be split into roles: there is not just one dot, in a loop of the kernel itself

// The loop carries the accumulator for the dot alone.
// RUN: sed -e 's/scf.yield %%next/%%twice = arith.addf %%next, %%next : tensor<64x128xf32>\nscf.yield %%twice/' %s | %{refused}=CARRIED
// CARRIED: error: 'tile.kernel' op cannot be split into roles: the loop does not carry the accumulator for the dot alone

// Which it adds to.
// RUN: sed -e 's/%%y, %%sum/%%y, %%zeros/' %s | %{refused}=INITIAL
// INITIAL: error: 'tile.kernel' op cannot be split into roles: the loop does not carry the accumulator for the dot alone

// Nothing else that the loop carries is used behind it.
// RUN: sed -e 's/%%product = scf.for/%%product, %%last = scf.for/' \
// RUN:   -e 's/(%%sum = %%zeros)/(%%sum = %%zeros, %%before = %%c0)/' \
// RUN:   -e 's/-> (tensor<64x128xf32>) : i32/-> (tensor<64x128xf32>, i32) : i32/' \
// RUN:   -e 's/scf.yield %%next : tensor<64x128xf32>/scf.yield %%next, %%k : tensor<64x128xf32>, i32/' \
// RUN:   -e '/^  %%out =/s/^/tile.print "last", %%last : i32\n/' %s | %{refused}=MORE
// MORE: error: 'tile.kernel' op cannot be split into roles: the loop carries more than the accumulator

// The first product is peeled off, so that there is one.
// RUN: sed -e 's/to %%K step/to %%N0 step/' \
// RUN:   -e '/^  %%c0 =/s/^/%%N0 = arith.subi %%K, %%M : i32\n/' %s | %{refused}=EMPTY-LOOP
// EMPTY-LOOP: error: 'tile.kernel' op cannot be split into roles: the loop is not known to run at least once

// Bounds are compared signed.
// RUN: sed -e 's/scf.for %%k/scf.for unsigned %%k/' %s | %{refused}=UNSIGNED
// UNSIGNED: error: 'tile.kernel' op cannot be split into roles: the loop is not known to run at least once

// The loop does nothing else.
// RUN: sed -e 's/^    scf.yield/tile.print "k", %%k : i32\nscf.yield/' %s | %{refused}=STORES
// STORES: error: 'tile.kernel' op cannot be split into roles: the loop does more than load and multiply

// It loads nothing else.
// RUN: sed -e 's/^    scf.yield/%%more = tile.load %%a[%%at_a] : !tile.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>\nscf.yield/' %s | %{refused}=LOADS
// LOADS: error: 'tile.kernel' op cannot be split into roles: the loop loads more than the dot's operands

// Operands come from memory as they are.
// RUN: sed -e 's/^    %%next = tile.dot %%x/%%x2 = arith.addf %%x, %%x : tensor<64x64xf16>\n%%next = tile.dot %%x2/' %s | %{refused}=COMPUTED
// COMPUTED: error: 'tile.kernel' op cannot be split into roles: an operand is computed, not loaded

// They are strided blocks.
// RUN: sed -e 's/^    %%row_a = .*/%%row_a = arith.muli %%m_a, %%m_a : tensor<64x64xi32>/' %s | %{refused}=BLOCK
// BLOCK: error: 'tile.kernel' op cannot be split into roles: an operand is not a strided block

// What is outside is zero.
// RUN: sed -e 's/mask %%in_a/mask %%in_a other %%one/' \
// RUN:   -e '/^  %%c0 =/s/^/%%one = arith.constant 1.0 : f16\n/' \
// RUN:   -e '/^    %%x =/,/^        :/s/xi32> ->/xi32>, f16 ->/' %s | %{refused}=OTHER
// OTHER: error: 'tile.kernel' op cannot be split into roles: a load fills with other than zero

// They are planned to come by the copy engine.
// RUN: sed -e '/mask %%in_a/s/plan<tma/plan<plain/' %s | %{refused}=PLAIN
// PLAIN: error: 'tile.kernel' op cannot be split into roles: a load's own plan is plain

// The copy engine reads rows whose elements lie together.
// RUN: sed -e '/^    %%at_a =/s/%%k_a/%%k_a2/' \
// RUN:   -e '/^    %%at_a =/s/^/%%k_a2 = arith.addi %%k_a, %%k_a overflow<nsw> : tensor<64x64xi32>\n/' %s | %{refused}=STRIDE
// STRIDE: error: 'tile.kernel' op cannot be split into roles: a load cannot go through the copy engine: no stride is known to be 1

// Its maps are made at the launch: of pointers that are arguments.
// RUN: sed -e 's/tile.load %%a\[/tile.load %%a2[/' \
// RUN:   -e '/^  %%c0 =/s/^/%%c8 = arith.constant 8 : i32\n%%a2 = tile.offset %%a, %%c8 : !tile.ptr<f16>, i32\n/' %s | %{refused}=POINTER
// POINTER: error: 'tile.kernel' op cannot be split into roles: a load cannot go through the copy engine: the pointer is not an argument

// Of matrices whose sides the masks tell.
// RUN: sed -e 's/mask %%in_b/mask %%in_k_b/' %s | %{refused}=UNBOUNDED
// UNBOUNDED: error: 'tile.kernel' op cannot be split into roles: a load cannot go through the copy engine: a dimension has no bound in the mask

// Which are arguments too.
// RUN: sed -e 's/%%K_a = tile.splat %%K/%%K_a = tile.splat %%K2/' \
// RUN:   -e '/^  %%c0 =/s/^/%%K2 = arith.addi %%K, %%K overflow<nsw> : i32\n/' %s | %{refused}=BOUND
// BOUND: error: 'tile.kernel' op cannot be split into roles: a load cannot go through the copy engine: a bound of the mask is not an i32 argument or a constant

// And not zero.
// RUN: sed -e 's/%%M: i32 {tile.fact = #some}/%%M: i32/' %s | %{refused}=NO-SIDE
// NO-SIDE: error: 'tile.kernel' op cannot be split into roles: a load cannot go through the copy engine: a bound of the mask may be 0, and a tensor map has no empty side

// So is the pitch.
// RUN: sed -e '/^  %%pitch =/s/arith.constant.*/tile.splat %%K2 : tensor<64x64xi32>/' \
// RUN:   -e '/^  %%c0 =/s/^/%%K2 = arith.addi %%K, %%K overflow<nsw> : i32\n/' %s | %{refused}=PITCH
// PITCH: error: 'tile.kernel' op cannot be split into roles: a load cannot go through the copy engine: the pitch is not an argument or a constant

// Addresses are multiples of 16 bytes: where matrices start,
// RUN: sed -e 's/%%a: !tile.ptr<f16> {tile.fact = #f16}/%%a: !tile.ptr<f16>/' %s | %{refused}=BASE
// BASE: error: 'tile.kernel' op cannot be split into roles: a load cannot go through the copy engine: the pointer is not known to be 16-byte aligned

// where their rows start,
// RUN: sed -e 's/dense<1024>/dense<1025>/' %s | %{refused}=ROWS
// ROWS: error: 'tile.kernel' op cannot be split into roles: a load cannot go through the copy engine: the pitch is not known to be a multiple of 16 bytes

// and where the tile's rows start.
// RUN: sed -e '/^    %%ks =/s/%%k /%%k1 /' \
// RUN:   -e '/^    %%ks =/s/^/%%k1 = arith.addi %%k, %%one overflow<nsw> : i32\n/' \
// RUN:   -e '/^  %%c0 =/s/^/%%one = arith.constant 1 : i32\n/' %s | %{refused}=ORIGIN
// ORIGIN: error: 'tile.kernel' op cannot be split into roles: a load cannot go through the copy engine: the tile's rows are not known to start at multiples of 16 bytes

// What stands beside the loop can be copied into the roles.
// RUN: sed -e '/^  %%out =/s/^/tile.print "m", %%m0 : i32\n/' %s | %{refused}=BESIDE
// BESIDE: error: 'tile.kernel' op cannot be split into roles: 'tile.print' stands beside the loop

// Nothing is loaded before it.
// RUN: sed -e '/^  %%product =/s/^/%%early = tile.load %%c[%%n] : !tile.ptr<f16>, tensor<64x128xi32> -> tensor<64x128xf16>\n/' %s | %{refused}=BEFORE
// BEFORE: error: 'tile.kernel' op cannot be split into roles: 'tile.load' stands beside the loop

// A CTA that walks programs knows how many there are.
// RUN: sed -e 's/warps = 4/warps = 4, grid = "persistent"/' \
// RUN:   -e '/^    grid/d' %s | %{refused}=NO-GRID
// NO-GRID: error: 'tile.kernel' op cannot be split into roles: the kernel states no grid

// They are numbered along one axis.
// RUN: sed -e 's/warps = 4/warps = 4, grid = "persistent"/' \
// RUN:   -e 's/(M ceildiv 64)/(M ceildiv 64, 1)/' %s | %{refused}=AXES
// AXES: error: 'tile.kernel' op cannot be split into roles: the grid has more than one axis

// Clusters walk tiles in step.
// RUN: sed -e 's/warps = 4/warps = 4, cluster = 2/' %s | %{refused}=NOT-PERSISTENT
// NOT-PERSISTENT: error: 'tile.kernel' op cannot be split into roles: clusters of two walk a persistent grid

// As many steps for each.
// RUN: sed -e 's/warps = 4/warps = 4, grid = "persistent", cluster = 2/' \
// RUN:   -e 's/step %%c64 iter/step %%step iter/' \
// RUN:   -e '/^  %%product =/s/^/%%more = arith.addi %%pid, %%c64 overflow<nsw> : i32\n%%step = arith.muli %%more, %%c64 overflow<nsw> : i32\n/' %s | %{refused}=STEPS
// STEPS: error: 'tile.kernel' op cannot be split into roles: programs may take different numbers of steps

// What they share comes in halves.
// RUN: sed -e 's/warps = 4/warps = 4, grid = "persistent", cluster = 2/' \
// RUN:   -e 's/x128x/x192x/g;s/<128x/<192x/g;s/n = 128/n = 192/' %s | %{refused}=HALVES
// HALVES: error: 'tile.kernel' op cannot be split into roles: the second operand's tile does not come in two halves

// And moves alike.
// RUN: sed -e 's/warps = 4/warps = 4, grid = "persistent", cluster = 2/' \
// RUN:   -e '/^    %%ks =/s/%%k /%%k2 /' \
// RUN:   -e '/^    %%ks =/s/^/%%k2 = arith.muli %%k, %%N overflow<nsw> : i32\n/' %s | %{refused}=MOVES
// MOVES: error: 'tile.kernel' op cannot be split into roles: an operand's tiles move in steps that are not constant

// The consumers keep a product in flight and free its slot a turn later: with
// one slot all would wait for ever.
// RUN: sed -e 's/stages = 3/stages = 1/' %s | %{refused}=ONE-STAGE
// ONE-STAGE: error: 'scf.for' op cannot be split into roles: expected at least 2 stages between a producer and its consumers, got 1

// A loop without a pipeline has none.
// RUN: sed -e 's/ {tile.pipeline.*/ /;s/^  } .*/  }/' %s | %{refused}=NO-STAGES
// NO-STAGES: error: 'scf.for' op cannot be split into roles: expected at least 2 stages between a producer and its consumers, got 0

// The dot is one that wgmma can do.
// RUN: sed -e 's/f16>/f32>/g' \
// RUN:   -e '/^  %%out =/s/truncf.*/negf %%product : tensor<64x128xf32>/' %s | %{refused}=NO-WGMMA
// NO-WGMMA: error: 'tile.dot' op cannot be split into roles: it is no wgmma: there is none for these types

// And that it is planned to do.
// RUN: sed -e 's/ plan<wgmma.*//' %s | %{refused}=NO-DOT-PLAN
// NO-DOT-PLAN: error: 'tile.dot' op cannot be split into roles: expected a plan of wgmma

// By no other instruction.
// RUN: sed -e 's/plan<wgmma.*/plan<mma_sync, m = 16, n = 8, k = 16, warps = [2, 2]>/' %s | %{refused}=MMA
// MMA: error: 'tile.dot' op cannot be split into roles: expected a plan of wgmma

// By the warps that there are.
// RUN: sed -e 's/warps = 4/warps = 8/' %s | %{refused}=GROUPS
// GROUPS: error: 'tile.dot' op expected a plan over the kernel's 8 warps, got 1x1

// Its operands are swizzled as it reads them.
// RUN: sed -e '/mask %%in_a/s/swizzle = 128/swizzle = 64/' %s | %{refused}=SWIZZLE
// SWIZZLE: error: 'tile.load' op cannot be split into roles: expected a plan of tma with a 128-byte swizzle

// By a plan.
// RUN: sed -e '/mask %%in_b/s/ plan<.*//' %s | %{refused}=NO-LOAD-PLAN
// NO-LOAD-PLAN: error: 'tile.load' op cannot be split into roles: expected a plan of tma with a 128-byte swizzle

// Such a kernel would be refused by the checker too: the producer waits for the
// slot that the consumer frees after the next product, which waits for the
// producer.
// RUN: tile-opt --tile-split-roles %s | sed 's/<3>/<1>/g;s/buffer<3x/buffer<1x/g' \
// RUN:   | not tile-opt --tile-gpu-check-schedule --mlir-print-op-on-diagnostic=false -o %t 2>&1 | FileCheck %s --check-prefix=DEADLOCK
// DEADLOCK: error: 'tile_gpu.wait_free' op waits for ever: role "producer" waits here in turn 1 (slot 0) for the release of turn 0 (slot 0), expected 1 arrival, got 0
// DEADLOCK: note: role "consumer" waits here in turn 1 (slot 0)

#f16 = #tile.fact<divisibility = 16>
#some = #tile.fact<min = 1>
#eights = #tile.fact<divisibility = 8, min = 1>

tile.kernel @product(%a: !tile.ptr<f16> {tile.fact = #f16}, %b: !tile.ptr<f16> {tile.fact = #f16},
                     %c: !tile.ptr<f16> {tile.fact = #f16}, %M: i32 {tile.fact = #some}, %N: i32 {tile.fact = #eights}, %K: i32 {tile.fact = #some})
    grid affine_map<()[M, N, K] -> (M ceildiv 64)>
    plan #tile.plan<target = "sm_90a", warps = 4, roles = "split"> {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x128xf32>
  %pitch = arith.constant dense<1024> : tensor<64x64xi32>
  %width = arith.constant dense<128> : tensor<64x128xi32>
  %pid = tile.program_id x
  %m0 = arith.muli %pid, %c64 overflow<nsw> : i32
  %i = tile.iota : tensor<64xi32>
  %j = tile.iota : tensor<128xi32>
  %first = tile.splat %m0 : tensor<64xi32>
  %rm = arith.addi %first, %i overflow<nsw> : tensor<64xi32>
  %m_col = tile.expand_dims %rm axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %m_a = tile.broadcast %m_col : tensor<64x1xi32> -> tensor<64x64xi32>
  %m_c = tile.broadcast %m_col : tensor<64x1xi32> -> tensor<64x128xi32>
  %n_row = tile.expand_dims %j axis 0 : tensor<128xi32> -> tensor<1x128xi32>
  %n = tile.broadcast %n_row : tensor<1x128xi32> -> tensor<64x128xi32>
  %N_b = tile.splat %N : tensor<64x128xi32>
  %in_n = arith.cmpi slt, %n, %N_b : tensor<64x128xi32>
  %M_a = tile.splat %M : tensor<64x64xi32>
  %in_m_a = arith.cmpi slt, %m_a, %M_a : tensor<64x64xi32>
  %product = scf.for %k = %c0 to %K step %c64 iter_args(%sum = %zeros) -> (tensor<64x128xf32>) : i32 {
    %ks = tile.splat %k : tensor<64xi32>
    %rk = arith.addi %ks, %i overflow<nsw> : tensor<64xi32>
    %k_row = tile.expand_dims %rk axis 0 : tensor<64xi32> -> tensor<1x64xi32>
    %k_a = tile.broadcast %k_row : tensor<1x64xi32> -> tensor<64x64xi32>
    %K_a = tile.splat %K : tensor<64x64xi32>
    %in_k_a = arith.cmpi slt, %k_a, %K_a : tensor<64x64xi32>
    %in_a = arith.andi %in_m_a, %in_k_a : tensor<64x64xi1>
    %row_a = arith.muli %m_a, %pitch overflow<nsw> : tensor<64x64xi32>
    %at_a = arith.addi %row_a, %k_a overflow<nsw> : tensor<64x64xi32>
    %x = tile.load %a[%at_a] mask %in_a plan<tma, vector = 8, swizzle = 128>
        : !tile.ptr<f16>, tensor<64x64xi32> -> tensor<64x64xf16>
    %k_col = tile.expand_dims %rk axis 1 : tensor<64xi32> -> tensor<64x1xi32>
    %k_b = tile.broadcast %k_col : tensor<64x1xi32> -> tensor<64x128xi32>
    %K_b = tile.splat %K : tensor<64x128xi32>
    %in_k_b = arith.cmpi slt, %k_b, %K_b : tensor<64x128xi32>
    %in_b = arith.andi %in_k_b, %in_n : tensor<64x128xi1>
    %row_b = arith.muli %k_b, %width overflow<nsw> : tensor<64x128xi32>
    %at_b = arith.addi %row_b, %n overflow<nsw> : tensor<64x128xi32>
    %y = tile.load %b[%at_b] mask %in_b plan<tma, vector = 8, swizzle = 128>
        : !tile.ptr<f16>, tensor<64x128xi32> -> tensor<64x128xf16>
    %next = tile.dot %x, %y, %sum plan<wgmma, m = 64, n = 128, k = 16, warps = [1, 1]>
        : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  } {tile.pipeline = #tile.pipeline<stages = 3>}
  %M_c = tile.splat %M : tensor<64x128xi32>
  %in_m_c = arith.cmpi slt, %m_c, %M_c : tensor<64x128xi32>
  %in_c = arith.andi %in_m_c, %in_n : tensor<64x128xi1>
  %row_c = arith.muli %m_c, %width overflow<nsw> : tensor<64x128xi32>
  %at_c = arith.addi %row_c, %n overflow<nsw> : tensor<64x128xi32>
  %out = arith.truncf %product : tensor<64x128xf32> to tensor<64x128xf16>
  tile.store %c[%at_c], %out mask %in_c plan<tma, vector = 8, swizzle = 128>
      : !tile.ptr<f16>, tensor<64x128xi32>, tensor<64x128xf16>
  tile.return
}
