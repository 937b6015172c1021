// DEFINE: %{set} =
// DEFINE: %{remarks} = tile-opt --tile-plan="target=sm_90a %{set}" --remark-format=emitRemark --remarks-filter=tile-plan -o %t 2>&1
// DEFINE: %{check} = FileCheck %s --check-prefix

// What is chosen for sm_90a, and the reason against each choice: for the kernel
// below, as it stands or with a small change, made by sed.

// Products by wgmma, for which a producer loads; a CTA walks several programs,
// two of them share what they load, and as many stages as there is room for
// beside the result's staging.
// RUN: %{remarks} %s | %{check}=ALL
// ALL: remark: [Passed] plan | Category:tile-plan | Function=product | Remark="a producer warp loads for 2 warpgroups"
// ALL: remark: [Passed] plan | Category:tile-plan | Function=product | Remark="a CTA walks several programs"
// ALL: remark: [Passed] plan | Category:tile-plan | Function=product | Remark="clusters of two CTAs share tiles of the second operand"
// ALL: remark: [Passed] plan | Category:tile-plan | Function=product | Remark="load: tma of 16 bytes, 128-byte swizzle"
// ALL: remark: [Passed] plan | Category:tile-plan | Function=product | Remark="load: tma of 16 bytes, 128-byte swizzle"
// ALL: remark: [Passed] plan | Category:tile-plan | Function=product | Remark="dot 128x128x64: wgmma m64n128k16 over 2x1 warpgroups"
// ALL: remark: [Passed] plan | Category:tile-plan | Function=product | Remark="store: tma through staging of 64 rows and 128 bytes"
// ALL: remark: [Passed] plan | Category:tile-plan | Function=product | Remark="loop: 6 stages of 32768 bytes = 196608 of 232448"

// The plan says so.
// RUN: tile-opt %s --tile-plan=target=sm_90a | %{check}=PLAN
// PLAN: plan #tile.plan<target = "sm_90a", warps = 8, roles = "split", grid = "persistent", cluster = 2>
// PLAN: tile.load %a{{.*}} plan<tma, vector = 8, swizzle = 128>
// PLAN: tile.dot {{.*}} plan<wgmma, m = 64, n = 128, k = 16, warps = [2, 1]>
// PLAN: tile.pipeline = #tile.pipeline<stages = 6>
// PLAN: tile.store {{.*}} plan<tma, vector = 8, swizzle = 128>

// A loop with a constant end is known to run.
// RUN: sed -e '/scf.for/s/to %%K step/to %%c128 step/' %s \
// RUN:   | %{remarks} | %{check}=CONSTANT
// CONSTANT: Remark="a producer warp loads for 2 warpgroups"

// Another instruction may be asked for.
// REDEFINE: %{set} = set=instruction=mma_sync
// RUN: %{remarks} %s | %{check}=INSTRUCTION
// INSTRUCTION: [Missed] {{.*}}Remark="wgmma: plan.instruction is mma_sync"

// wgmma multiplies f16 and bf16 into f32.
// REDEFINE: %{set} =
// RUN: sed -e 's/f16>/f32>/g' \
// RUN:   -e '/^  %%out =/s/truncf.*/negf %%product : tensor<128x128xf32>/' %s \
// RUN:   | %{remarks} | %{check}=TYPES
// TYPES: Remark="dot 128x128x64: fma

// What is computed of a tile stays in registers; no producer loads it.
// RUN: sed -e 's/^    %%next = tile.dot %%x/%%x2 = arith.addf %%x, %%x : tensor<128x64xf16>\n%%next = tile.dot %%x2/' %s \
// RUN:   | %{remarks} | %{check}=COMPUTED
// COMPUTED: [Missed] {{.*}}Remark="producer and consumer roles: an operand is computed, not loaded"
// COMPUTED: Remark="load: tma of 16 bytes, 128-byte swizzle"
// COMPUTED: Remark="load: tma of 16 bytes, 128-byte swizzle"
// COMPUTED: Remark="dot 128x128x64: wgmma m64n128k16 over 2x1 warpgroups"

// What is computed of a tile that no asynchronous copy can bring goes where it is
// computed with.
// RUN: sed -e 's/^    %%next = tile.dot %%x/%%x2 = arith.addf %%x, %%x : tensor<128x64xf16>\n%%next = tile.dot %%x2/' \
// RUN:   -e 's/%%a: !tile.ptr<f16> {tile.fact = #f16}/%%a: !tile.ptr<f16>/' %s \
// RUN:   | %{remarks} | %{check}=DIRECT
// DIRECT: Remark="load to registers, 1 element at a time"
// DIRECT: Remark="load: tma of 16 bytes, 128-byte swizzle"

// It takes whole warpgroups: as many warps as suit it.
// REDEFINE: %{set} = set=warps=4
// RUN: %{remarks} %s | %{check}=WARPS
// WARPS: [Missed] {{.*}}Remark="wgmma: it takes 8 warps, and plan.warps is 4"

// A dot's own plan is kept.
// REDEFINE: %{set} =
// RUN: sed -e 's/^    %%next = tile.dot %%x, %%y, %%sum/& plan<mma_sync, m = 16, n = 8, k = 16, warps = [2, 2]>/' %s \
// RUN:   | %{remarks} | %{check}=OWN
// OWN: Remark="dot 128x128x64: mma_sync m16n8k16 over 2x2 warps"
// OWN: [Missed] {{.*}}Remark="wgmma: a dot's own plan is mma_sync"

// All products of a kernel take the same warpgroups.
// RUN: sed -e 's/^    scf.yield/%%z = arith.constant dense<0.0> : tensor<64x64xf32>\n%%other = tile.dot %%y, %%x, %%z : tensor<64x128xf16>, tensor<128x64xf16> -> tensor<64x64xf32>\n&/' %s \
// RUN:   | %{remarks} | %{check}=GROUPS
// GROUPS: [Missed] {{.*}}Remark="wgmma: dots of one kernel want different numbers of warpgroups"

// DEFINE: %{sides} =
// DEFINE: %{generated} = tile-gen matmul --type=f16 --sides=%{sides} | tile-opt --tile-to-planned=target=sm_90a --remark-format=emitRemark --remarks-filter=tile-plan -o %t 2>&1 | FileCheck %s --check-prefix

// wgmma takes rows of 64.
// REDEFINE: %{sides} = 32,128,64
// RUN: %{generated}=ROWS
// ROWS: [Missed] {{.*}}Function=matmul$aligned16 | Remark="wgmma: it takes rows in multiples of 64, columns in multiples of 8 up to 256, and k in multiples of 16"

// Accumulators stay in registers.
// REDEFINE: %{sides} = 256,256,64
// RUN: %{generated}=REGISTERS
// REGISTERS: [Missed] {{.*}}Function=matmul$aligned16 | Remark="wgmma: the accumulator takes more than 192 registers a thread"

// Bytes are read along k: A by rows and B by columns.  Integers have every second
// width only.
// DEFINE: %{b} = col
// DEFINE: %{bytes} = tile-gen matmul --type=i8 --sides=%{sides} -b %{b} | tile-opt --tile-to-planned=target=sm_90a --remark-format=emitRemark --remarks-filter=tile-plan -o %t 2>&1 | FileCheck %s --check-prefix
// REDEFINE: %{sides} = 128,128,128
// RUN: %{bytes}=BYTES
// BYTES: [Passed] {{.*}}Function=matmul$aligned16 | Remark="dot 128x128x128: wgmma m64n128k32 over 2x1 warpgroups"
// REDEFINE: %{b} = row
// RUN: %{bytes}=BY-ROWS
// BY-ROWS: [Missed] {{.*}}Function=matmul$aligned16 | Remark="wgmma: operands of other than 16 bits must be contiguous along k"
// REDEFINE: %{b} = col
// REDEFINE: %{sides} = 128,40,128
// RUN: %{bytes}=WIDTH
// WIDTH: [Missed] {{.*}}Function=matmul$aligned16 | Remark="wgmma: it takes rows in multiples of 64, 8, 16, 24 or 32 columns or more in multiples of 16 up to 256, and k in multiples of 32"

// tf32 is rounded by a producer's copies, and by nothing else on the way to wgmma.
// DEFINE: %{flags} = --type=f32 --precision=tf32
// DEFINE: %{set_typed} =
// DEFINE: %{typed} = tile-gen matmul --sides=%{sides} %{flags} -b col | tile-opt '--tile-to-planned=target=sm_90a %{set_typed}' --remark-format=emitRemark --remarks-filter=tile-plan -o %t 2>&1 | FileCheck %s --check-prefix
// REDEFINE: %{sides} = 128,128,32
// RUN: %{typed}=TF32
// TF32: [Passed] {{.*}}Function=matmul$aligned16 | Remark="dot 128x128x32: wgmma m64n128k8 over 2x1 warpgroups"
// TF32: [Missed] {{.*}}Function=matmul$contiguous | Remark="wgmma: only a producer's copies round operands to tf32: the loop is not known to run at least once"
// REDEFINE: %{set_typed} = set=roles=single
// RUN: %{typed}=TF32-SINGLE
// TF32-SINGLE: [Missed] {{.*}}Function=matmul$aligned16 | Remark="wgmma: only a producer's copies round operands to tf32: plan.roles is single"

// Sums of 8-bit floats are rounded inside the unit: the program says after how many.
// REDEFINE: %{set_typed} =
// REDEFINE: %{sides} = 128,128,128
// REDEFINE: %{flags} = --type=f8E4M3FN --output-type=f16
// RUN: %{typed}=NEVER
// NEVER: [Missed] {{.*}}Function=matmul$aligned16 | Remark="wgmma: it sums 8-bit floats in 14 bits, which takes promote_every of the tile's k, 128, or more"
// REDEFINE: %{flags} = --type=f8E4M3FN --output-type=f16 --promote-every=128
// RUN: %{typed}=PROMOTE
// PROMOTE: [Passed] {{.*}}Function=matmul$aligned16 | Remark="dot 128x128x128: wgmma m64n128k32 over 2x1 warpgroups"
// REDEFINE: %{sides} = 128,256,128
// RUN: %{typed}=TWICE
// TWICE: [Missed] {{.*}}Function=matmul$aligned16 | Remark="wgmma: the accumulator takes more than 192 registers a thread"

// One swizzle is read.
// REDEFINE: %{sides} = 128,128,32
// RUN: %{generated}=SWIZZLE
// SWIZZLE: [Missed] {{.*}}Function=matmul$aligned16 | Remark="wgmma: a row of an operand is shorter than a swizzle of 128 bytes"

// A producer needs room for two stages.
// REDEFINE: %{sides} = 256,128,256
// RUN: %{generated}=ROOM
// ROOM: [Missed] {{.*}}Function=matmul$aligned16 | Remark="producer and consumer roles: two stages of 196608 bytes do not fit into the 232448 of shared memory"

// CTAs of a cluster share a tile by halves.
// REDEFINE: %{sides} = 128,192,64
// RUN: %{generated}=HALVES
// HALVES: [Missed] {{.*}}Function=matmul$aligned16 | Remark="clusters of two: the second operand's tile does not come in two halves"

// A small tile means few programs, which better do not wait for each other.
// REDEFINE: %{sides} = 64,128,64
// RUN: %{generated}=SMALL
// SMALL: [Missed] {{.*}}Function=matmul$aligned16 | Remark="clusters of two: the tile is small"

// All warps may be asked to do the same.
// REDEFINE: %{set} = set=roles=single
// RUN: %{remarks} %s | %{check}=SINGLE
// SINGLE: [Missed] {{.*}}Remark="producer and consumer roles: plan.roles is single"
// SINGLE: Remark="load: tma of 16 bytes, 128-byte swizzle"
// SINGLE: Remark="dot 128x128x64: wgmma m64n128k16 over 2x1 warpgroups"
// SINGLE: Remark="loop: 3 stages of 32768 bytes

// Or copies that any thread starts.
// REDEFINE: %{set} = set=copy=cp_async
// RUN: %{remarks} %s | %{check}=COPY
// COPY: [Missed] {{.*}}Remark="producer and consumer roles: plan.copy is cp_async"
// COPY: Remark="load: cp_async of 16 bytes, 128-byte swizzle"

// One stage leaves a producer nothing to run ahead of.
// REDEFINE: %{set} = set=stages=1
// RUN: %{remarks} %s | %{check}=STAGES
// STAGES: [Missed] {{.*}}Remark="producer and consumer roles: plan.stages is 1"
// STAGES: Remark="loop: 1 stage of 32768 bytes

// The loop carries the accumulator for the dot alone.
// REDEFINE: %{set} =
// RUN: sed -e 's/%%y, %%sum/%%y, %%zeros/' %s \
// RUN:   | %{remarks} | %{check}=CARRIED
// CARRIED: [Missed] {{.*}}Remark="producer and consumer roles: the loop does not carry the accumulator for the dot alone"

// The first product is peeled off the loop.
// RUN: sed -e 's/%%K: i32 {tile.fact = #some}/%%K: i32/' %s \
// RUN:   | %{remarks} | %{check}=EMPTY
// EMPTY: [Missed] {{.*}}Remark="producer and consumer roles: the loop is not known to run at least once"

// The loop does nothing else.
// RUN: sed -e 's/^    scf.yield/tile.print "k", %%k : i32\nscf.yield/' %s \
// RUN:   | %{remarks} | %{check}=PRINTS
// PRINTS: [Missed] {{.*}}Remark="producer and consumer roles: the loop does more than load and multiply"

// Nor loads anything else.
// RUN: sed -e 's/^    scf.yield/%%more = tile.load %%a[%%at_a] : !tile.ptr<f16>, tensor<128x64xi32> -> tensor<128x64xf16>\nscf.yield/' %s \
// RUN:   | %{remarks} | %{check}=LOADS
// LOADS: [Missed] {{.*}}Remark="producer and consumer roles: the loop loads more than the dot's operands"

// What is outside is zero.
// RUN: sed -e 's/mask %%in_a$/mask %%in_a other %%one/' \
// RUN:   -e '/^  %%c0 =/s/^/%%one = arith.constant 1.0 : f16\n/' \
// RUN:   -e '/^    %%x =/,/^        :/s/xi32> ->/xi32>, f16 ->/' %s \
// RUN:   | %{remarks} | %{check}=OTHER
// OTHER: [Missed] {{.*}}Remark="producer and consumer roles: a load fills with other than zero"

// The copy engine takes aligned rows.
// RUN: sed -e 's/%%a: !tile.ptr<f16> {tile.fact = #f16}/%%a: !tile.ptr<f16>/' %s \
// RUN:   | %{remarks} | %{check}=ALIGNED
// ALIGNED: [Missed] {{.*}}Remark="producer and consumer roles: a load cannot go through the copy engine: the pointer is not known to be 16-byte aligned"

// A load's own plan is kept.
// RUN: sed -e 's/mask %%in_a$/& plan<cp_async, vector = 8, swizzle = 128>/' %s \
// RUN:   | %{remarks} | %{check}=OWN-COPY
// OWN-COPY: [Missed] {{.*}}Remark="producer and consumer roles: a load's own plan is cp_async"

// What stands beside the loop can be copied into the roles.
// RUN: sed -e '/^  %%out =/s/^/tile.print "m", %%m0 : i32\n/' %s \
// RUN:   | %{remarks} | %{check}=BESIDE
// BESIDE: [Missed] {{.*}}Remark="producer and consumer roles: 'tile.print' stands beside the loop"

// A reduction cannot: its exchange between warps needs shared memory.
// RUN: sed -e '/^  %%out =/s/^/%%sums = tile.reduce %%product axis 1 {\n^bb0(%%l: f32, %%r: f32):\ntile.yield %%l : f32\n} : tensor<128x128xf32> -> tensor<128xf32>\n/' %s \
// RUN:   | %{remarks} | %{check}=SUMS
// SUMS: [Missed] {{.*}}Remark="producer and consumer roles: 'tile.reduce' stands beside the loop"

// One program for each CTA may be asked for.
// REDEFINE: %{set} = set=grid=program
// RUN: %{remarks} %s | %{check}=PROGRAM
// PROGRAM: Remark="a producer warp loads for 2 warpgroups"
// PROGRAM: [Missed] {{.*}}Remark="a persistent grid: plan.grid is program"

// A CTA that walks programs knows how many there are.
// REDEFINE: %{set} =
// RUN: sed -e 's/^    grid affine.*/{/' %s \
// RUN:   | %{remarks} | %{check}=GRID
// GRID: [Missed] {{.*}}Remark="a persistent grid: the kernel states no grid"

// They are numbered along one axis.
// RUN: sed -e 's/(M ceildiv 128)/(M ceildiv 128, 1)/' %s \
// RUN:   | %{remarks} | %{check}=AXES
// AXES: [Missed] {{.*}}Remark="a persistent grid: the grid has more than one axis"

// CTAs of a cluster walk in step.
// RUN: sed -e 's/step %%c64 iter/step %%step iter/' \
// RUN:   -e '/^  %%product =/s/^/%%more = arith.addi %%pid, %%c64 overflow<nsw> : i32\n%%step = arith.muli %%more, %%c64 overflow<nsw> : i32\n/' %s \
// RUN:   | %{remarks} | %{check}=STEPS
// STEPS: [Missed] {{.*}}Remark="clusters of two: programs may take different numbers of steps"

// Tiles move alike for both.
// RUN: sed -e '/^    %%ks =/s/%%k /%%k2 /' \
// RUN:   -e '/^    %%ks =/s/^/%%k2 = arith.muli %%k, %%N overflow<nsw> : i32\n/' %s \
// RUN:   | %{remarks} | %{check}=MOVES
// MOVES: [Missed] {{.*}}Remark="clusters of two: an operand's tiles move in steps that are not constant"

// Clusters may be asked away.
// REDEFINE: %{set} = set=cluster=1
// RUN: %{remarks} %s | %{check}=NO-CLUSTER
// NO-CLUSTER: Remark="a CTA walks several programs"

// NO-CLUSTER-NOT: clusters of two

// A store would write past a row that does not end at 16 bytes.
// REDEFINE: %{set} =
// RUN: sed -e 's/%%N: i32 {tile.fact = #eights}/%%N: i32 {tile.fact = #some}/' %s \
// RUN:   | %{remarks} | %{check}=STORE-ROWS
// STORE-ROWS: [Missed] {{.*}}Remark="store by tma: the rows of the result are not known to end at a multiple of 16 bytes"
// STORE-ROWS: Remark="store: 2 bytes at a time"

// Staging is for 16-bit elements.
// RUN: sed -e 's/%%c: !tile.ptr<f16>/%%c: !tile.ptr<f32>/' \
// RUN:   -e '/^  %%out =/s/truncf.*/negf %%product : tensor<128x128xf32>/' \
// RUN:   -e '/^  tile.store/,/^  tile.return/s/f16/f32/g' %s \
// RUN:   | %{remarks} | %{check}=STORE-BITS
// STORE-BITS: [Missed] {{.*}}Remark="store by tma: only 16-bit elements are staged yet"

// The plan may ask for none.
// REDEFINE: %{set} = set=epilogue=direct
// RUN: %{remarks} %s | %{check}=STORE-DIRECT
// REDEFINE: %{set} =
// STORE-DIRECT: [Missed] {{.*}}Remark="store by tma: plan.epilogue is direct"
// STORE-DIRECT: Remark="store: {{[0-9]+}} bytes at a time"

// Its rows lie together.
// RUN: sed -e '/^  %%row_c =/s/%%m_c/%%n_c/;/^  %%at_c =/s/%%n_c/%%m_c/' %s \
// RUN:   | %{remarks} | %{check}=STORE-COLUMNS
// STORE-COLUMNS: [Missed] {{.*}}Remark="store by tma: its rows are not known to be contiguous"

// The copy engine writes at a time of its own: nothing may read afterwards what it
// stores, or write it, through an argument that may name the same memory.
// RUN: sed -e 's/^  tile.return/%%again = tile.load %%a[%%at_c] mask %%in_c : !tile.ptr<f16>, tensor<128x128xi32> -> tensor<128x128xf16>\ntile.store %%c[%%at_c], %%again mask %%in_c : !tile.ptr<f16>, tensor<128x128xi32>, tensor<128x128xf16>\ntile.return/' %s > %t.again.mlir
// RUN: %{remarks} %t.again.mlir | %{check}=STORE-AGAIN
// STORE-AGAIN-COUNT-1: [Missed] {{.*}}Remark="store by tma: the program accesses memory that may be the same, and the copy engine keeps no order"
// STORE-AGAIN: [Missed] {{.*}}Remark="store by tma: the value is not made of the product's sums element by element"
// RUN: sed -e 's/^  tile.store %%c/tile.store %%b[%%at_c], %%out mask %%in_c : !tile.ptr<f16>, tensor<128x128xi32>, tensor<128x128xf16>\n&/' %s > %t.two.mlir
// RUN: %{remarks} %t.two.mlir | %{check}=STORE-TWO
// STORE-TWO-COUNT-2: [Missed] {{.*}}Remark="store by tma: the program accesses memory that may be the same, and the copy engine keeps no order"

// An argument that is marked names other memory; what was loaded before is there.
// RUN: sed -e 's/%%c: !tile.ptr<f16> {tile.fact = #f16}/%%c: !tile.ptr<f16> {tile.fact = #alone}/' %t.two.mlir \
// RUN:   | %{remarks} | %{check}=STORE-ALONE
// STORE-ALONE-COUNT-2: Remark="store: tma through staging of 64 rows and 128 bytes"
// RUN: sed -e 's/^  %%out = .*/%%old = tile.load %%a[%%at_c] mask %%in_c : !tile.ptr<f16>, tensor<128x128xi32> -> tensor<128x128xf16>\n%%sums = arith.truncf %%product : tensor<128x128xf32> to tensor<128x128xf16>\n%%out = arith.addf %%old, %%sums : tensor<128x128xf16>/' %s \
// RUN:   | %{remarks} | %{check}=STORE-AFTER
// STORE-AFTER: Remark="store: tma through staging of 64 rows and 128 bytes"

// What is transposed goes through shared memory, of which rings leave none.
// RUN: sed -e '/^  %%out =/s/%%product/%%turned/' \
// RUN:   -e '/^  %%out =/s/^/%%turned = tile.transpose %%product order [1, 0] : tensor<128x128xf32> -> tensor<128x128xf32>\n/' %s \
// RUN:   | %{remarks} | %{check}=TURNED
// TURNED: [Missed] {{.*}}Remark="producer and consumer roles: 'tile.transpose' stands beside the loop"

// It goes where the copy engine can reach.
// RUN: sed -e 's/%%c: !tile.ptr<f16> {tile.fact = #f16}/%%c: !tile.ptr<f16>/' %s \
// RUN:   | %{remarks} | %{check}=STORE-BASE
// STORE-BASE: [Missed] {{.*}}Remark="store by tma: the pointer is not known to be 16-byte aligned"

#f16 = #tile.fact<divisibility = 16>
#alone = #tile.fact<divisibility = 16, noalias>
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
