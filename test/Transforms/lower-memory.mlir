// RUN: tile-opt %s --tile-lower-memory --split-input-file | FileCheck %s

// A load to registers and a store become blocks: base, origin, bounds, strides;
// what fills masked lanes goes with the load.  A side without a bound has the
// largest value for one.
// CHECK-LABEL: @blocks
// CHECK: %[[X:.*]] = tile_gpu.load %a[%{{.*}}] bounds[%n] strides[%{{.*}}] other %f plan<registers> : !tile.ptr<f32>, i32 -> tensor<128xf32>
// CHECK: %[[ALL:.*]] = arith.constant 2147483647 : i32
// CHECK: tile_gpu.store %[[X]], %a[%{{.*}}] bounds[%[[ALL]]] strides[%{{.*}}] plan<registers> : tensor<128xf32>, !tile.ptr<f32>, i32
// CHECK-NOT: tile.load
// CHECK-NOT: tile.store
// CHECK: {{/}}/ -----
tile.kernel @blocks(%a: !tile.ptr<f32>, %n: i32, %f: f32) {
  %i = tile.iota : tensor<128xi32>
  %ns = tile.splat %n : tensor<128xi32>
  %in = arith.cmpi slt, %i, %ns : tensor<128xi32>
  %x = tile.load %a[%i] mask %in other %f plan<registers> : !tile.ptr<f32>, tensor<128xi32>, f32 -> tensor<128xf32>
  tile.store %a[%i], %x plan<registers> : !tile.ptr<f32>, tensor<128xi32>, tensor<128xf32>
  tile.return
}

// -----

// Indices that the program computes in 64 bits stay so.
// CHECK-LABEL: @wide
// CHECK: tile_gpu.load %a[%{{.*}}] bounds[%n] strides[%{{.*}}] plan<registers> : !tile.ptr<f32>, i64
tile.kernel @wide(%a: !tile.ptr<f32>, %n: i64) {
  %i = tile.iota : tensor<128xi64>
  %ns = tile.splat %n : tensor<128xi64>
  %in = arith.cmpi slt, %i, %ns : tensor<128xi64>
  %x = tile.load %a[%i] mask %in plan<registers> : !tile.ptr<f32>, tensor<128xi64> -> tensor<128xf32>
  tile.print "x", %x : tensor<128xf32>
  tile.return
}

// -----

// Tiles of any rank become blocks.
// CHECK-LABEL: @rank3
// CHECK: tile_gpu.load %a[%{{.*}}, %{{.*}}, %{{.*}}] bounds[%{{.*}}, %{{.*}}, %{{.*}}] strides[%{{.*}}, %{{.*}}, %{{.*}}] plan<registers> : !tile.ptr<f32>, i32 -> tensor<2x4x8xf32>
tile.kernel @rank3(%a: !tile.ptr<f32>) {
  %i = tile.iota : tensor<8xi32>
  %j = tile.expand_dims %i axis 0 : tensor<8xi32> -> tensor<1x8xi32>
  %k = tile.expand_dims %j axis 0 : tensor<1x8xi32> -> tensor<1x1x8xi32>
  %o = tile.broadcast %k : tensor<1x1x8xi32> -> tensor<2x4x8xi32>
  %x = tile.load %a[%o] plan<registers> : !tile.ptr<f32>, tensor<2x4x8xi32> -> tensor<2x4x8xf32>
  tile.print "x", %x : tensor<2x4x8xf32>
  tile.return
}

// -----

// A staged load that no loop pipelines gets one slot, filled and waited for on
// the spot; a dot reads the slot, twice where it is both operands, and no other
// read is left.
// CHECK-LABEL: @staged
// CHECK: %[[RING:.*]] = tile_gpu.alloc : !tile_gpu.buffer<1x32x32xf16
// CHECK: %[[C:.*]] = tile_gpu.cursor : !tile_gpu.cursor<1>
// CHECK: tile_gpu.copy_async %{{.*}} into %[[RING]][%[[C]]] plan<cp_async, vector = 8>
// CHECK-NEXT: tile_gpu.commit
// CHECK-NEXT: tile_gpu.wait 0
// CHECK-NEXT: tile_gpu.mma %[[RING]][%[[C]]], %[[RING]][%[[C]]], %{{.*}} plan<mma_sync, m = 16, n = 8, k = 16, warps = [2, 2]>
tile.kernel @staged(%p: !tile.ptr<f16> {tile.fact = #tile.fact<divisibility = 16>}) {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %i = tile.iota : tensor<32xi32>
  %col = tile.expand_dims %i axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %o = tile.broadcast %col : tensor<1x32xi32> -> tensor<32x32xi32>
  %x = tile.load %p[%o] plan<cp_async, vector = 8> : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
  %d = tile.dot %x, %x, %zero plan<mma_sync, m = 16, n = 8, k = 16, warps = [2, 2]> : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
  tile.print "d", %d : tensor<32x32xf32>
  tile.return
}

// -----

// Plain copies carry what fills masked lanes; two dots read one slot, and other
// users of the load read it into registers.
// CHECK-LABEL: @users
// CHECK: tile_gpu.copy %{{.*}} into %[[RING:.*]][%[[C:.*]]] other %f plan<plain>
// CHECK-NEXT: %[[X:.*]] = tile_gpu.local_load %[[RING]][%[[C]]]
// CHECK-NEXT: %[[D:.*]] = tile_gpu.mma %[[RING]][%[[C]]], %[[RING]][%[[C]]]
// CHECK-NEXT: tile_gpu.mma %[[RING]][%[[C]]], %[[RING]][%[[C]]], %[[D]]
// CHECK: tile.print "x", %[[X]]
tile.kernel @users(%p: !tile.ptr<f16>, %f: f16) {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %o = arith.constant dense<0> : tensor<32x32xi32>
  %m = arith.constant dense<true> : tensor<32x32xi1>
  %x = tile.load %p[%o] mask %m other %f plan<plain> : !tile.ptr<f16>, tensor<32x32xi32>, f16 -> tensor<32x32xf16>
  %d = tile.dot %x, %x, %zero plan<mma_sync, m = 16, n = 8, k = 16, warps = [2, 2]> : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
  %e = tile.dot %x, %x, %d plan<mma_sync, m = 16, n = 8, k = 16, warps = [2, 2]> : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
  tile.print "x", %x : tensor<32x32xf16>
  tile.print "e", %e : tensor<32x32xf32>
  tile.return
}

// -----

// An operand that is a value is written to a slot first: a dot of a dot.
// CHECK-LABEL: @dot_of_dot
// CHECK: %[[D:.*]] = tile_gpu.mma
// CHECK: %[[H:.*]] = arith.truncf %[[D]]
// CHECK: %[[CH:.*]] = tile_gpu.cursor
// CHECK: tile_gpu.local_store %[[H]], %[[RH:.*]][%[[CH]]]
// CHECK: tile_gpu.local_store %{{.*}}, %[[RX:.*]][%[[CX:.*]]]
// CHECK: tile_gpu.mma %[[RH]][%[[CH]]], %[[RX]][%[[CX]]]
tile.kernel @dot_of_dot(%f: f16) {
  %x = tile.splat %f : tensor<32x32xf16>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %d = tile.dot %x, %x, %zero plan<mma_sync, m = 16, n = 8, k = 16, warps = [2, 2]> : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
  %h = arith.truncf %d : tensor<32x32xf32> to tensor<32x32xf16>
  %e = tile.dot %h, %x, %zero plan<mma_sync, m = 16, n = 8, k = 16, warps = [2, 2]> : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
  tile.print "e", %e : tensor<32x32xf32>
  tile.return
}

// -----

#m = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], sides = [32, 32]>

// A dot does not read a slot that has been written since its operand was read.
// CHECK-LABEL: @overwritten
// CHECK: %[[X:.*]] = tile_gpu.local_load %[[RING:.*]][%
// CHECK-NEXT: tile_gpu.local_store %{{.*}}, %[[RING]]
// CHECK: tile_gpu.local_store %[[X]], %[[OWN:.*]][%
// CHECK: tile_gpu.mma %[[OWN]][%{{.*}}], %
tile.kernel @overwritten(%f: f16) {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %y = tile.splat %f : tensor<32x32xf16>
  %ring = tile_gpu.alloc : !tile_gpu.buffer<1x32x32xf16, #m>
  %c = tile_gpu.cursor : !tile_gpu.cursor<1>
  %x = tile_gpu.local_load %ring[%c] : !tile_gpu.buffer<1x32x32xf16, #m>, !tile_gpu.cursor<1> -> tensor<32x32xf16>
  tile_gpu.local_store %y, %ring[%c] : tensor<32x32xf16>, !tile_gpu.buffer<1x32x32xf16, #m>, !tile_gpu.cursor<1>
  %d = tile.dot %x, %y, %zero plan<mma_sync, m = 16, n = 8, k = 16, warps = [2, 2]> : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
  tile.print "d", %d : tensor<32x32xf32>
  tile.return
}

// -----

// Branches and loops are lowered inside: each load has its slot, beside it.
// CHECK-LABEL: @inside
// CHECK: scf.while
// CHECK: scf.if
// CHECK: tile_gpu.alloc
// CHECK: tile_gpu.copy
// CHECK-NEXT: tile_gpu.mma
tile.kernel @inside(%p: !tile.ptr<f16>, %c: i1) {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %o = arith.constant dense<0> : tensor<32x32xi32>
  %r = scf.while (%s = %zero) : (tensor<32x32xf32>) -> tensor<32x32xf32> {
    scf.condition(%c) %s : tensor<32x32xf32>
  } do {
  ^bb0(%s: tensor<32x32xf32>):
    %t = scf.if %c -> (tensor<32x32xf32>) {
      %x = tile.load %p[%o] plan<plain> : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
      %d = tile.dot %x, %x, %s plan<mma_sync, m = 16, n = 8, k = 16, warps = [2, 2]> : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
      scf.yield %d : tensor<32x32xf32>
    } else {
      scf.yield %s : tensor<32x32xf32>
    }
    scf.yield %t : tensor<32x32xf32>
  }
  tile.print "r", %r : tensor<32x32xf32>
  tile.return
}

// -----

// A pointer with an offset that is no part of the tile's is advanced first.
// CHECK-LABEL: @offset
// CHECK: %[[Q:.*]] = tile.offset %a, %{{.*}} : !tile.ptr<f32>, i64
// CHECK: tile_gpu.load %[[Q]]
tile.kernel @offset(%a: !tile.ptr<f32>, %s: i64) {
  %i = tile.iota : tensor<32xi64>
  %ss = tile.splat %s : tensor<32xi64>
  %o = arith.addi %i, %ss : tensor<32xi64>
  %x = tile.load %a[%o] plan<registers> : !tile.ptr<f32>, tensor<32xi64> -> tensor<32xf32>
  tile.print "x", %x : tensor<32xf32>
  tile.return
}

// -----

// Offsets that a loop carries from one access to the next are of no use any more:
// they are yielded as they are, also where one is made of another.  What is used
// behind the loop is not touched.
// CHECK-LABEL: @carried
// CHECK: scf.for {{.*}} iter_args(%[[O:.*]] = %{{.*}}, %[[STEP:.*]] = %{{.*}}, %[[COUNT:.*]] = %{{.*}})
// CHECK: %[[NEXT:.*]] = arith.addi %[[COUNT]]
// CHECK: scf.yield %[[O]], %[[STEP]], %[[NEXT]]
tile.kernel @carried(%a: !tile.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %i = tile.iota : tensor<32xi32>
  %t = arith.constant dense<32> : tensor<32xi32>
  %r:3 = scf.for %k = %c0 to %n step %c1 iter_args(%o = %i, %s = %t, %u = %n)
      -> (tensor<32xi32>, tensor<32xi32>, i32) : i32 {
    %x = tile.load %a[%o] plan<registers> : !tile.ptr<f32>, tensor<32xi32> -> tensor<32xf32>
    tile.print "x", %x : tensor<32xf32>
    %o2 = arith.addi %o, %s overflow<nsw> : tensor<32xi32>
    %u2 = arith.addi %u, %c1 : i32
    scf.yield %o2, %s, %u2 : tensor<32xi32>, tensor<32xi32>, i32
  }
  tile.print "u", %r#2 : i32
  tile.return
}

// -----

// Leaves alone: elements that are no strided block, scalars, and updates.
// CHECK-LABEL: @elements
// CHECK: tile.load %p[%{{.*}}] plan<registers> : !tile.ptr<i32>, i32 -> i32
// CHECK: tile.load %p[%{{.*}}] mask %{{.*}} other %{{.*}} plan<registers>
// CHECK: tile.store %p[%{{.*}}], %{{.*}} plan<registers>
// CHECK: tile.atomic_rmw addi
// CHECK: tile.atomic_cas
tile.kernel @elements(%p: !tile.ptr<i32>, %k: i32) {
  %i = tile.iota : tensor<32xi32>
  %o = arith.muli %i, %i : tensor<32xi32>
  %in = arith.constant dense<true> : tensor<32xi1>
  %s = tile.load %p[%k] plan<registers> : !tile.ptr<i32>, i32 -> i32
  %x = tile.load %p[%i] mask %in other %i plan<registers> : !tile.ptr<i32>, tensor<32xi32>, tensor<32xi32> -> tensor<32xi32>
  tile.store %p[%o], %x plan<registers> : !tile.ptr<i32>, tensor<32xi32>, tensor<32xi32>
  %old = tile.atomic_rmw addi %p[%o], %x : !tile.ptr<i32>, tensor<32xi32>, tensor<32xi32>
  %was = tile.atomic_cas %p[%k], %s, %k : !tile.ptr<i32>, i32, i32
  tile.return
}

// -----

// A condition that is the same for all lanes becomes part of a bound, the first
// that there is: no index is below the least number.  Without a bound, the first
// dimension gets one.
// CHECK-LABEL: @conditions
// CHECK: tile.splat %{{.*}} : tensor<8x16xi1>
// CHECK: %[[LESS:.*]] = arith.cmpi slt, %m, %n : i32
// CHECK: %[[BOTH:.*]] = arith.andi %flag, %[[LESS]] : i1
// CHECK: %[[LEAST:.*]] = arith.constant -2147483648 : i32
// CHECK: %[[BOUND:.*]] = arith.select %[[BOTH]], %n, %[[LEAST]] : i32
// CHECK: tile_gpu.load %a[%{{.*}}, %{{.*}}] bounds[%{{.*}}, %[[BOUND]]] strides[%{{.*}}] other %f plan<registers>
// CHECK: %[[ALL:.*]] = arith.constant 2147483647 : i32
// CHECK: %[[ONE:.*]] = arith.select %flag, %[[ALL]], %{{.*}} : i32
// CHECK: tile_gpu.store %{{.*}} bounds[%[[ONE]], %{{.*}}] strides
tile.kernel @conditions(%a: !tile.ptr<f32>, %n: i32, %m: i32, %flag: i1, %f: f32) {
  %i = tile.iota : tensor<16xi32>
  %row = tile.expand_dims %i axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %o = tile.broadcast %row : tensor<1x16xi32> -> tensor<8x16xi32>
  %ns = tile.splat %n : tensor<8x16xi32>
  %in = arith.cmpi slt, %o, %ns : tensor<8x16xi32>
  %less = arith.cmpi slt, %m, %n : i32
  %both = arith.andi %flag, %less : i1
  %all = tile.splat %both : tensor<8x16xi1>
  %mask = arith.andi %all, %in : tensor<8x16xi1>
  %x = tile.load %a[%o] mask %mask other %f plan<registers> : !tile.ptr<f32>, tensor<8x16xi32>, f32 -> tensor<8x16xf32>
  %flags = tile.splat %flag : tensor<8x16xi1>
  tile.store %a[%o], %x mask %flags plan<registers> : !tile.ptr<f32>, tensor<8x16xi32>, tensor<8x16xf32>
  tile.return
}
