// DEFINE: %{split} = tile-opt --tile-split-roles
// DEFINE: %{check} = FileCheck %s --check-prefix

// What a kernel becomes whose plan splits it into roles: the one below, as it
// stands or with a small change made by sed.

// Rings, maps and barriers are made once, before the roles: a slot is full when
// one thread has announced its bytes and they have landed, and free when each
// warpgroup has released it.
// RUN: %{split} %s | %{check}=MADE
// MADE: %[[A_RING:.*]] = tile_gpu.alloc : !tile_gpu.buffer<3x64x64xf16,
// MADE: %[[A_MAP:.*]] = tile_gpu.tensor_map %a dims[%M, %K] {{.*}}<64x64xf16, swizzle = 128>
// MADE: %[[B_RING:.*]] = tile_gpu.alloc : !tile_gpu.buffer<3x64x128xf16,
// MADE: %[[B_MAP:.*]] = tile_gpu.tensor_map %b dims[%K, %N] {{.*}}<64x64xf16, swizzle = 128>
// MADE: %[[FULL:.*]] = tile_gpu.barriers arrivals 1 : !tile_gpu.barriers<3>
// MADE-NEXT: %[[EMPTY:.*]] = tile_gpu.barriers arrivals 1 : !tile_gpu.barriers<3>
// MADE-NEXT: tile_gpu.roles {
// MADE-NOT: = tile_gpu.{{alloc|tensor_map|barriers}}
// MADE: tile.return

// The producer waits until a slot is free, announces the bytes of both tiles and
// starts the copies, at the place of its own program.
// RUN: %{split} %s | %{check}=PRODUCER
// PRODUCER: %[[FULL:.*]] = tile_gpu.barriers
// PRODUCER: %[[EMPTY:.*]] = tile_gpu.barriers
// PRODUCER: tile_gpu.role "producer" warps 4 registers 40 {
// PRODUCER: %[[START:.*]] = tile_gpu.cursor : !tile_gpu.cursor<3>
// PRODUCER: %[[PID:.*]] = tile.program_id x
// PRODUCER: scf.for %[[K:.*]] = %{{.*}} to %K step %{{.*}} iter_args(%[[SLOT:.*]] = %[[START]])
// PRODUCER-NEXT: tile_gpu.wait_free %[[EMPTY]][%[[SLOT]]]
// PRODUCER-NEXT: tile_gpu.expect %[[FULL]][%[[SLOT]]], 24576
// PRODUCER: %[[M0:.*]] = arith.muli %[[PID]], %{{.*}} : i32
// PRODUCER-NEXT: tile_gpu.tma_load %{{.*}}[%[[M0]], %[[K]]] into %{{.*}}[%[[SLOT]]] signals %[[FULL]] :
// PRODUCER: %[[N0:.*]] = arith.constant 0 : i32
// PRODUCER-NEXT: tile_gpu.tma_load %{{.*}}[%[[K]], %[[N0]]] into %{{.*}}[%[[SLOT]]] signals %[[FULL]] :
// PRODUCER-NEXT: %[[NEXT:.*]] = tile_gpu.advance %[[SLOT]] by 1
// PRODUCER-NEXT: scf.yield %[[NEXT]]

// The consumer's first product starts from the accumulator that the loop started
// from; of the others one stays in flight, and the slot of the one before is
// released; what is left is finished and released behind the loop.
// RUN: %{split} %s | %{check}=CONSUMER
// CONSUMER: %[[FULL:.*]] = tile_gpu.barriers
// CONSUMER: %[[EMPTY:.*]] = tile_gpu.barriers
// CONSUMER: tile_gpu.role "consumer" warps 4 registers 232 {
// CONSUMER: %[[START:.*]] = tile_gpu.cursor
// CONSUMER: %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : tensor<64x128xf32>
// CONSUMER: tile_gpu.wait_full %[[FULL]][%[[START]]]
// CONSUMER-NEXT: %[[FIRST:.*]] = tile_gpu.wgmma %{{.*}}[%[[START]]], %{{.*}}[%[[START]]], %[[ZEROS]] plan<wgmma, m = 64, n = 128, k = 16, warps = [1, 1]>
// CONSUMER-NEXT: %[[SECOND:.*]] = tile_gpu.advance %[[START]] by 1
// CONSUMER-NEXT: %[[FROM:.*]] = arith.addi
// CONSUMER-NEXT: %[[WALK:.*]]:3 = scf.for %{{.*}} = %[[FROM]] to %K step %{{.*}} iter_args(%[[ACC:.*]] = %[[FIRST]], %[[SLOT:.*]] = %[[SECOND]], %[[BEFORE:.*]] = %[[START]])
// CONSUMER-NEXT: tile_gpu.wait_full %[[FULL]][%[[SLOT]]]
// CONSUMER-NEXT: %[[PRODUCT:.*]] = tile_gpu.wgmma %{{.*}}[%[[SLOT]]], %{{.*}}[%[[SLOT]]], %[[ACC]] plan
// CONSUMER-NEXT: tile_gpu.wgmma_wait 1
// CONSUMER-NEXT: tile_gpu.release %[[EMPTY]][%[[BEFORE]]] :
// CONSUMER-NEXT: %[[NEXT:.*]] = tile_gpu.advance %[[SLOT]] by 1
// CONSUMER-NEXT: scf.yield %[[PRODUCT]], %[[NEXT]], %[[SLOT]]
// CONSUMER: %[[SUM:.*]] = tile_gpu.wgmma_finish %[[WALK]]#0
// CONSUMER-NEXT: tile_gpu.release %[[EMPTY]][%[[WALK]]#2] :
// CONSUMER: %[[OUT:.*]] = arith.truncf %[[SUM]]
// CONSUMER: tile.store %c[%{{.*}}], %[[OUT]] mask
// CONSUMER-NEXT: tile_gpu.tma_store_wait
// CONSUMER-NEXT: }
// CONSUMER-NEXT: }
// CONSUMER-NEXT: tile.return

// Stores that do not go through the copy engine need not be waited for.
// RUN: sed '/%%in_c plan/s/plan<.*/plan<registers, vector = 8>/' %s | %{split} | %{check}=DIRECT
// DIRECT: tile.store {{.*}} plan<registers, vector = 8>
// DIRECT-NOT: tile_gpu.tma_store_wait

// What the epilogue needs, its place and free staging slots, is seen to while the
// last products run, so that nothing keeps the first ones waiting.
// RUN: sed 's/warps = 4/warps = 4, grid = "persistent"/' %s | %{split} -canonicalize -cse | %{check}=PREPARED
// PREPARED: tile_gpu.role "consumer"
// PREPARED: scf.for %[[TILE:[a-z0-9]+]] =
// PREPARED-NEXT: tile_gpu.wait_full
// PREPARED: scf.for
// PREPARED: }
// PREPARED: arith.muli %[[TILE]],
// PREPARED: tile_gpu.tma_store_wait
// PREPARED: tile_gpu.wgmma_finish

// With a persistent grid, both roles walk the programs of their CTA as a grid of
// that size would number them, and their cursors run on from one to the next.
// RUN: sed 's/warps = 4/warps = 4, grid = "persistent"/' %s | %{split} | %{check}=PERSISTENT
// PERSISTENT-DAG: tile_gpu.barriers arrivals 1 : !tile_gpu.barriers<3>
// PERSISTENT: tile_gpu.role "producer"
// PERSISTENT: %[[START:.*]] = tile_gpu.cursor
// PERSISTENT-NEXT: %[[CTA:.*]] = tile_gpu.cta
// PERSISTENT-NEXT: %[[CTAS:.*]] = tile_gpu.num_ctas
// PERSISTENT: %[[TILES:.*]] = arith.ceildivsi %M, %{{.*}} : i32
// PERSISTENT-NEXT: scf.for %[[TILE:.*]] = %[[CTA]] to %[[TILES]] step %[[CTAS]] iter_args(%[[CURSOR:.*]] = %[[START]])
// PERSISTENT-NOT: tile.program_id
// PERSISTENT: arith.muli %[[TILE]], %{{.*}} overflow<nsw> : i32
// PERSISTENT: %[[WALK:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[CURSOR]])
// PERSISTENT: arith.muli %[[TILE]], %{{.*}} : i32
// PERSISTENT: tile_gpu.tma_load {{.*}} signals %{{[a-z0-9]+}} :
// PERSISTENT: }
// PERSISTENT-NEXT: scf.yield %[[WALK]]
// PERSISTENT: tile_gpu.role "consumer"
// PERSISTENT: %[[START:.*]] = tile_gpu.cursor
// PERSISTENT: scf.for %{{.*}} iter_args(%[[CURSOR:.*]] = %[[START]])
// PERSISTENT: tile_gpu.wait_full %{{.*}}[%[[CURSOR]]]
// PERSISTENT: %[[WALK:.*]]:3 = scf.for
// PERSISTENT: tile_gpu.release %{{.*}}[%[[WALK]]#2] :
// PERSISTENT: scf.yield %[[WALK]]#1
// PERSISTENT-NEXT: }
// PERSISTENT-NEXT: tile_gpu.tma_store_wait

// Of a grid with one axis, the others have one program each, whatever tile it is.
// RUN: sed -e 's/warps = 4/warps = 4, grid = "persistent"/' \
// RUN:   -e '/^  %%pid =/s/$/\n%%axis = tile.program_id y\n%%count = tile.num_programs y/' %s | %{split} | %{check}=AXES
// AXES: tile_gpu.role "producer"
// AXES-NOT: tile.program_id x
// AXES: tile.program_id y
// AXES-NEXT: tile.num_programs y
// AXES: scf.for

// The number of programs is that of the tiles, not that of the CTAs.
// RUN: sed -e 's/warps = 4/warps = 4, grid = "persistent"/' \
// RUN:   -e '/^  %%pid =/s/.*/%%last = tile.num_programs x\n%%one = arith.constant 1 : i32\n%%pid = arith.subi %%last, %%one : i32/' %s \
// RUN:   | %{split} | %{check}=PROGRAMS
// PROGRAMS: tile_gpu.role "producer"
// PROGRAMS: %[[TILES:.*]] = arith.ceildivsi %M, %{{.*}} : i32
// PROGRAMS-NOT: tile.num_programs
// PROGRAMS: arith.subi %[[TILES]], %{{.*}} : i32

// In a cluster of two, slots are free when both CTAs have released them, where
// the other one has a tile; a tile that both read is shared.  Where there is no other tile, the last one is
// computed with instead.  The first operand,
// narrower than the second, is shared too, in halves of its one box.
// RUN: sed 's/warps = 4/warps = 4, grid = "persistent", cluster = 2/' %s | %{split} | %{check}=CLUSTER
// CLUSTER: %[[A_MAP:.*]] = tile_gpu.tensor_map %a {{.*}}<32x64xf16, swizzle = 128>
// CLUSTER: %[[B_MAP:.*]] = tile_gpu.tensor_map %b {{.*}}<64x64xf16, swizzle = 128>
// CLUSTER: %[[FULL:.*]] = tile_gpu.barriers arrivals 1 :
// CLUSTER-NEXT: %[[EMPTY:.*]] = tile_gpu.barriers arrivals 2 :
// CLUSTER: tile_gpu.role "producer"
// CLUSTER: %[[TILES:.*]] = arith.ceildivsi %M
// CLUSTER: scf.for %[[TILE:[a-z0-9]+]] =
// CLUSTER: %[[OTHER:.*]] = arith.xori %[[TILE]], %{{.*}} : i32
// CLUSTER: %[[LAST:.*]] = arith.subi %[[TILES]], %{{.*}} : i32
// CLUSTER-NEXT: %[[EXISTING:.*]] = arith.minsi %[[OTHER]], %[[LAST]] : i32
// CLUSTER: %[[PAIRED:.*]] = arith.cmpi slt, %[[OTHER]], %[[TILES]] : i32
// CLUSTER: %[[HERE:.*]] = arith.muli %[[TILE]],
// CLUSTER: %[[THERE:.*]] = arith.muli %[[EXISTING]],
// CLUSTER-NEXT: %[[SAME_M:.*]] = arith.cmpi eq, %[[HERE]], %[[THERE]] : i32
// CLUSTER-NEXT: %[[BOTH_M:.*]] = arith.andi %[[PAIRED]], %[[SAME_M]] : i1
// CLUSTER: %[[A_SHARED:.*]] = arith.andi %[[BOTH_M]], %{{.*}} : i1
// CLUSTER: %[[BOTH_K:.*]] = arith.andi %[[PAIRED]], %{{.*}} : i1
// CLUSTER: %[[B_SHARED:.*]] = arith.andi %[[BOTH_K]], %{{.*}} : i1
// CLUSTER: tile_gpu.expect %[[FULL]][%{{.*}}], 24576
// CLUSTER: tile_gpu.tma_load %[[A_MAP]][{{.*}} shared %[[A_SHARED]] :
// CLUSTER: tile_gpu.tma_load %[[B_MAP]][{{.*}} shared %[[B_SHARED]] :
// CLUSTER: tile_gpu.role "consumer"
// CLUSTER: %[[PAIRED:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : i32
// CLUSTER: tile_gpu.release %[[EMPTY]][%{{.*}}] paired %[[PAIRED]] :
// CLUSTER: tile_gpu.release %[[EMPTY]][%{{.*}}] paired %[[PAIRED]] :

// Where the operands are equally wide, the first stays whole.
// RUN: sed -e 's/warps = 4/warps = 4, grid = "persistent", cluster = 2/' \
// RUN:   -e 's/x128x/x64x/g;s/<128x/<64x/g;s/n = 128/n = 64/' %s | %{split} | %{check}=WIDE
// WIDE: tile_gpu.tensor_map %a {{.*}}<64x64xf16, swizzle = 128>
// WIDE: tile_gpu.tensor_map %b {{.*}}<32x64xf16, swizzle = 128>
// WIDE: tile_gpu.tma_load {{.*}} signals %{{[a-z0-9]+}} :
// WIDE: tile_gpu.tma_load {{.*}} signals %{{.*}} shared %{{.*}} :

// A matrix that the epilogue adds is fetched into the cache before the first
// tile, in one box; the epilogue itself is the consumer's.
// RUN: sed -e '/^  %%out =/s/%%product/%%more/' \
// RUN:   -e '/^  %%out =/s/^/%%r = tile.load %%c[%%at_c] mask %%in_c plan<registers, vector = 8> : !tile.ptr<f16>, tensor<64x128xi32> -> tensor<64x128xf16>\n%%w = arith.extf %%r : tensor<64x128xf16> to tensor<64x128xf32>\n%%more = arith.addf %%product, %%w : tensor<64x128xf32>\n/' %s \
// RUN:   | %{split} | %{check}=EPILOGUE
// EPILOGUE: %[[MAP:.*]] = tile_gpu.tensor_map %c dims[%M, %N] {{.*}}<64x128xf16, swizzle = 0>
// EPILOGUE: tile_gpu.role "producer"
// EPILOGUE: %[[M0:.*]] = arith.muli %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : i32
// EPILOGUE: tile_gpu.tma_prefetch %[[MAP]][%[[M0]], %{{.*}}] :
// EPILOGUE: scf.for
// EPILOGUE-NOT: tile_gpu.tma_prefetch
// EPILOGUE: tile_gpu.role "consumer"
// EPILOGUE: %[[SUM:.*]] = tile_gpu.wgmma_finish
// EPILOGUE: %[[R:.*]] = tile.load %c
// EPILOGUE: %[[W:.*]] = arith.extf %[[R]]
// EPILOGUE: %[[MORE:.*]] = arith.addf %[[SUM]], %[[W]]
// EPILOGUE: arith.truncf %[[MORE]]

// A row that all rows repeat, as a bias, is in the cache anyway.
// RUN: sed -e '/^  %%out =/s/%%product/%%more/' \
// RUN:   -e '/^  %%out =/s/^/%%r = tile.load %%c[%%n] mask %%in_c plan<registers, vector = 8> : !tile.ptr<f16>, tensor<64x128xi32> -> tensor<64x128xf16>\n%%w = arith.extf %%r : tensor<64x128xf16> to tensor<64x128xf32>\n%%more = arith.addf %%product, %%w : tensor<64x128xf32>\n/' %s \
// RUN:   | %{split} | %{check}=BIAS
// BIAS-NOT: tile_gpu.tma_prefetch
// BIAS: tile_gpu.role "consumer"
// BIAS: tile.load %c

// Without such a plan nothing is changed.
// RUN: sed 's/, roles = "split"//' %s > %t.single.mlir
// RUN: tile-opt %t.single.mlir -o %t.before
// RUN: %{split} %t.single.mlir | diff %t.before -
// RUN: sed 's/"split"/"single"/' %s > %t.single.mlir
// RUN: tile-opt %t.single.mlir -o %t.before
// RUN: %{split} %t.single.mlir | diff %t.before -

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
