// RUN: tile-opt %s --tile-pipeline-loops --split-input-file | FileCheck %s

// Three stages: a ring of three slots; two iterations' copies before the loop,
// each only if there is such an iteration; in the loop, after waiting for this
// iteration's copy, the copy of the second next, live if it is below the end less
// two steps; what is still on its way is waited for behind the loop.
// Prologue
// CHECK-LABEL: @three
// CHECK: %[[RING:.*]] = tile_gpu.alloc : !tile_gpu.buffer<3x32x32xf16, #{{.*}}>
// CHECK: %[[FIRST:.*]] = tile_gpu.cursor : !tile_gpu.cursor<3>
// CHECK: %[[N0:.*]] = arith.extsi %n : i32 to i64
// CHECK: %[[LIVE0:.*]] = arith.cmpi slt, %{{.*}}, %[[N0]] : i64
// CHECK: tile_gpu.copy_async %{{.*}} into %[[RING]][%[[FIRST]]] if %[[LIVE0]] plan<cp_async, vector = 8>
// CHECK: tile_gpu.commit
// CHECK: %[[SECOND:.*]] = tile_gpu.advance %[[FIRST]] by 1
// CHECK: tile_gpu.copy_async {{.*}} into %[[RING]][%[[SECOND]]] if %{{.*}} plan<cp_async, vector = 8>
// CHECK: tile_gpu.commit
// CHECK: %[[TWO:.*]] = arith.constant -64 : i64
// CHECK: %[[END:.*]] = arith.addi %{{.*}}, %[[TWO]] : i64
// Kernel
// CHECK: scf.for %[[K:[a-z0-9]+]] = %{{.*}} to %n step %{{.*}} iter_args(%[[S:.*]] = %{{.*}}, %[[SLOT:.*]] = %[[FIRST]])
// CHECK: tile_gpu.wait 1
// CHECK: %[[AHEAD:.*]] = tile_gpu.advance %[[SLOT]] by 2
// CHECK: %[[WIDE:.*]] = arith.extsi %[[K]] : i32 to i64
// CHECK: %[[LIVE:.*]] = arith.cmpi slt, %[[WIDE]], %[[END]] : i64
// CHECK: tile_gpu.copy_async {{.*}} into %[[RING]][%[[AHEAD]]] if %[[LIVE]]
// CHECK: tile_gpu.commit
// CHECK: %[[X:.*]] = tile_gpu.local_load %[[RING]][%[[SLOT]]]
// CHECK: %[[D:.*]] = tile.dot %[[X]], %[[X]], %[[S]]
// CHECK: %[[NEXT:.*]] = tile_gpu.advance %[[SLOT]] by 1
// CHECK: scf.yield %[[D]], %[[NEXT]]
// Epilogue
// CHECK: tile_gpu.wait 0
// CHECK-NOT: tile.load
// CHECK: {{/}}/ -----
tile.kernel @three(%p: !tile.ptr<f16> {tile.fact = #tile.fact<divisibility = 16>}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %i = tile.iota : tensor<32xi32>
  %col = tile.expand_dims %i axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %o = tile.broadcast %col : tensor<1x32xi32> -> tensor<32x32xi32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%s = %zero) -> (tensor<32x32xf32>) : i32 {
    %ks = tile.splat %k : tensor<32x32xi32>
    %ok = arith.addi %o, %ks overflow<nsw> : tensor<32x32xi32>
    %x = tile.load %p[%ok] plan<cp_async, vector = 8> {tile.stage = 0 : i64} : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %d = tile.dot %x, %x, %s {tile.stage = 2 : i64} : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    scf.yield %d : tensor<32x32xf32>
  } {tile.pipeline = #tile.pipeline<stages = 3>}
  tile.print "r", %r : tensor<32x32xf32>
  tile.return
}

// -----

// Plain copies finish when they are started: nothing is committed or waited for;
// what fills masked lanes goes with them.
// CHECK-LABEL: @plain
// CHECK: tile_gpu.copy %{{.*}} if %{{.*}} other %f plan<plain>
// CHECK: scf.for
// CHECK-NOT: tile_gpu.wait
// CHECK-NOT: tile_gpu.commit
// CHECK: tile_gpu.copy %{{.*}} if %{{.*}} other %f plan<plain>
// CHECK: {{/}}/ -----
tile.kernel @plain(%p: !tile.ptr<f16>, %n: i32, %f: f16) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = arith.constant dense<0> : tensor<32x32xi32>
  %m = arith.constant dense<true> : tensor<32x32xi1>
  scf.for %k = %c0 to %n step %c1 : i32 {
    %x = tile.load %p[%o] mask %m other %f plan<plain> {tile.stage = 0 : i64} : !tile.ptr<f16>, tensor<32x32xi32>, f16 -> tensor<32x32xf16>
    tile.print "x", %x : tensor<32x32xf16> {tile.stage = 1 : i64}
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// -----

// One stage: the copy stands where the load stood, always live, and is waited
// for on the spot; its address may come from the loop.
// CHECK-LABEL: @one
// CHECK: %[[SLOT1:.*]] = tile_gpu.cursor : !tile_gpu.cursor<1>
// CHECK-NEXT: scf.for {{.*}} iter_args(%[[SLOT:.*]] = %[[SLOT1]])
// CHECK: %[[Q:.*]] = arith.remsi
// CHECK: arith.extsi %[[Q]]
// CHECK: tile_gpu.copy_async {{.*}} into %{{.*}}[%[[SLOT]]] plan<cp_async> : {{.*}}
// CHECK-NEXT: tile_gpu.commit
// CHECK-NEXT: tile_gpu.wait 0
// CHECK-NEXT: tile_gpu.local_load
// CHECK: tile_gpu.advance %[[SLOT]] by 1
// CHECK: {{/}}/ -----
tile.kernel @one(%p: !tile.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %i = tile.iota : tensor<32xi32>
  %col = tile.expand_dims %i axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %o = tile.broadcast %col : tensor<1x32xi32> -> tensor<32x32xi32>
  scf.for %k = %c0 to %n step %c1 : i32 {
    %q = arith.remsi %k, %n : i32
    %qs = tile.splat %q : tensor<32x32xi32>
    %oq = arith.addi %o, %qs overflow<nsw> : tensor<32x32xi32>
    %x = tile.load %p[%oq] plan<cp_async> {tile.stage = 0 : i64} : !tile.ptr<f32>, tensor<32x32xi32> -> tensor<32x32xf32>
    tile.print "x", %x : tensor<32x32xf32> {tile.stage = 0 : i64}
  } {tile.pipeline = #tile.pipeline<stages = 1>}
  tile.return
}

// -----

// A 64-bit loop stops its end at the least value, so that a copy past it can
// never seem to be before it.
// CHECK-LABEL: @wide
// CHECK: %[[LEAST:.*]] = arith.constant -9223372036854775808 : i64
// CHECK: %[[LOWEST:.*]] = arith.addi %[[LEAST]], %c : i64
// CHECK: %[[KEPT:.*]] = arith.maxsi %n, %[[LOWEST]] : i64
// CHECK: %[[END:.*]] = arith.subi %[[KEPT]], %c : i64
// CHECK: scf.for %[[K:[a-z0-9]+]] =
// CHECK: arith.cmpi slt, %[[K]], %[[END]] : i64
tile.kernel @wide(%p: !tile.ptr<f16>, %n: i64, %c: i64) {
  %c0 = arith.constant 0 : i64
  %o = arith.constant dense<0> : tensor<32x32xi64>
  scf.for %k = %c0 to %n step %c : i64 {
    %x = tile.load %p[%o] plan<plain> {tile.stage = 0 : i64} : !tile.ptr<f16>, tensor<32x32xi64> -> tensor<32x32xf16>
    tile.print "x", %x : tensor<32x32xf16> {tile.stage = 1 : i64}
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// -----

// So does one over index.
// CHECK-LABEL: @index
// CHECK: arith.constant -9223372036854775808 : index
// CHECK: scf.for %[[K:[a-z0-9]+]] =
// CHECK: arith.cmpi slt, %[[K]], %{{.*}} : index
tile.kernel @index(%p: !tile.ptr<f16>, %n: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.index_cast %n : i64 to index
  %o = arith.constant dense<0> : tensor<32x32xi64>
  scf.for %k = %c0 to %end step %c1 {
    %x = tile.load %p[%o] plan<plain> {tile.stage = 0 : i64} : !tile.ptr<f16>, tensor<32x32xi64> -> tensor<32x32xf16>
    tile.print "x", %x : tensor<32x32xf16> {tile.stage = 1 : i64}
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// -----

// Several loads share a cursor and a group; other users of a load read the slot
// as well.
// CHECK-LABEL: @several
// CHECK-DAG: %[[A:.*]] = tile_gpu.alloc : !tile_gpu.buffer<2x32x32xf16
// CHECK-DAG: %[[B:.*]] = tile_gpu.alloc : !tile_gpu.buffer<2x32x64xf16
// CHECK: scf.for {{.*}}%[[SLOT:[a-z0-9_]+]] = %{{[0-9]+}}) -> (tensor<32x64xf32>, !tile_gpu.cursor<2>)
// CHECK: tile_gpu.copy %p
// CHECK: tile_gpu.copy %q
// CHECK: %[[X:.*]] = tile_gpu.local_load %{{.*}}[%[[SLOT]]] {{.*}} -> tensor<32x32xf16>
// CHECK: %[[Y:.*]] = tile_gpu.local_load %{{.*}}[%[[SLOT]]] {{.*}} -> tensor<32x64xf16>
// CHECK: tile.dot %[[X]], %[[Y]]
// CHECK: tile.print "x", %[[X]]
tile.kernel @several(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = arith.constant dense<0> : tensor<32x32xi32>
  %o2 = arith.constant dense<0> : tensor<32x64xi32>
  %zero = arith.constant dense<0.0> : tensor<32x64xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<32x64xf32>) : i32 {
    %x = tile.load %p[%o] plan<plain> {tile.stage = 0 : i64} : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %y = tile.load %q[%o2] plan<plain> {tile.stage = 0 : i64} : !tile.ptr<f16>, tensor<32x64xi32> -> tensor<32x64xf16>
    %d = tile.dot %x, %y, %s {tile.stage = 1 : i64} : tensor<32x32xf16>, tensor<32x64xf16> -> tensor<32x64xf32>
    tile.print "x", %x : tensor<32x32xf16> {tile.stage = 1 : i64}
    scf.yield %d : tensor<32x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.print "r", %r : tensor<32x64xf32>
  tile.return
}

// -----

// What else the loop carries passes through: swapped, yielded twice, or its own
// induction variable.
// CHECK-LABEL: @carried
// CHECK: %[[R:.*]]:4 = scf.for %[[K:[a-z0-9]+]] = {{.*}} iter_args(%[[U:.*]] = %a, %[[V:.*]] = %b, %[[W:.*]] = %a, %[[SLOT:.*]] =
// CHECK: scf.yield %[[V]], %[[U]], %[[K]], %{{.*}} : i32, i32, i32, !tile_gpu.cursor<2>
// CHECK: tile.print "r", %[[R]]#0, %[[R]]#1, %[[R]]#2
tile.kernel @carried(%p: !tile.ptr<f16>, %n: i32, %a: i32, %b: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = arith.constant dense<0> : tensor<32x32xi32>
  %r:3 = scf.for %k = %c0 to %n step %c1 iter_args(%u = %a, %v = %b, %w = %a) -> (i32, i32, i32) : i32 {
    %x = tile.load %p[%o] plan<plain> {tile.stage = 0 : i64} : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    tile.print "x", %x : tensor<32x32xf16> {tile.stage = 1 : i64}
    scf.yield %v, %u, %k : i32, i32, i32
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.print "r", %r#0, %r#1, %r#2 : i32, i32, i32
  tile.return
}

// -----

// A pointer that the loop advances by steps that are known is known ahead.
// CHECK-LABEL: @advanced
// CHECK: scf.for %[[K:[a-z0-9]+]] =
// CHECK: tile_gpu.copy %{{.*}} if
tile.kernel @advanced(%p: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %o = arith.constant dense<0> : tensor<32x32xi32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%q = %p) -> (!tile.ptr<f16>) : i32 {
    %x = tile.load %q[%o] plan<plain> {tile.stage = 0 : i64} : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    tile.print "x", %x : tensor<32x32xf16> {tile.stage = 1 : i64}
    %q2 = tile.offset %q, %c32 : !tile.ptr<f16>, i32
    scf.yield %q2 : !tile.ptr<f16>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// -----

// An inner loop's prologue stands in the outer loop: rings are filled anew.
// CHECK-LABEL: @nested
// CHECK: scf.for
// CHECK: %[[C:.*]] = tile_gpu.cursor : !tile_gpu.cursor<2>
// CHECK: tile_gpu.copy %p
// CHECK: scf.for {{.*}} = %[[C]])
// CHECK: tile_gpu.copy %p
tile.kernel @nested(%p: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = arith.constant dense<0> : tensor<32x32xi32>
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.for %k = %c0 to %n step %c1 : i32 {
      %x = tile.load %p[%o] plan<plain> {tile.stage = 0 : i64} : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
      tile.print "x", %x : tensor<32x32xf16> {tile.stage = 1 : i64}
    } {tile.pipeline = #tile.pipeline<stages = 2>}
  }
  tile.return
}

// -----

// A loop that compares unsigned still does; its other attributes stay.
// CHECK-LABEL: @unsigned
// CHECK: scf.for unsigned
// CHECK: } {example.note = 1 : i64}
tile.kernel @unsigned(%p: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = arith.constant dense<0> : tensor<32x32xi32>
  scf.for unsigned %k = %c0 to %n step %c1 : i32 {
    %x = tile.load %p[%o] plan<plain> {tile.stage = 0 : i64} : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    tile.print "x", %x : tensor<32x32xf16> {tile.stage = 0 : i64}
  } {tile.pipeline = #tile.pipeline<stages = 1>, example.note = 1 : i64}
  tile.return
}

// -----

// A schedule without staged loads is taken off, and nothing else changes.
// CHECK-LABEL: @nothing_staged
// CHECK: scf.for %{{.*}} = %{{.*}} to %n step %{{.*}} : i32 {
// CHECK-NEXT: arith.addf %f, %f : f32
// CHECK-NEXT: }
// CHECK-NEXT: tile.return
tile.kernel @nothing_staged(%f: f32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %k = %c0 to %n step %c1 : i32 {
    %x = arith.addf %f, %f {tile.stage = 1 : i64} : f32
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}

// -----

// Leaves alone: a loop without a schedule.
// CHECK-LABEL: @no_schedule
// CHECK: scf.for
// CHECK-NEXT: tile.load %p[%{{.*}}] plan<plain>
// CHECK-NEXT: }
tile.kernel @no_schedule(%p: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = arith.constant dense<0> : tensor<32x32xi32>
  scf.for %k = %c0 to %n step %c1 : i32 {
    %x = tile.load %p[%o] plan<plain> : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
  }
  tile.return
}

// -----

// What a copy needs that is integer arithmetic on the induction variable is
// computed for the iteration that is copied, without overflow flags, since there
// may be none: an index, and a condition of the mask, which is part of a bound.
// CHECK-LABEL: @computed
// Prologue
// CHECK: arith.divsi %{{.*}}, %{{.*}} : i32
// CHECK: tile_gpu.copy_async
// Kernel
// CHECK: scf.for %[[K:[a-z0-9]+]] =
// CHECK: %[[NEXT:.*]] = arith.addi %[[K]], %{{.*}} : i32
// CHECK: %[[HALF:.*]] = arith.divsi %[[NEXT]], %{{.*}} : i32
// CHECK: %[[LEFT:.*]] = arith.subi %n, %[[NEXT]] : i32
// CHECK: %[[REST:.*]] = arith.remsi %[[LEFT]], %{{.*}} : i32
// CHECK: %[[COUNTS:.*]] = arith.cmpi ne, %[[REST]], %{{.*}} : i32
// CHECK: %[[INDEX:.*]] = arith.extsi %[[HALF]] : i32 to i64
// CHECK: %[[P:.*]] = tile.offset %p, %[[INDEX]]
// CHECK: %[[BOTH:.*]] = arith.andi %[[COUNTS]], %flag : i1
// CHECK: %[[BOUND:.*]] = arith.select %[[BOTH]],
// CHECK: tile_gpu.copy_async %[[P]][%{{.*}}] bounds[%[[BOUND]], %{{.*}}]
// CHECK: {{/}}/ -----
tile.kernel @computed(%p: !tile.ptr<f16> {tile.fact = #tile.fact<divisibility = 16>}, %n: i32, %flag: i1) {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %i = tile.iota : tensor<32xi32>
  %col = tile.expand_dims %i axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %o = tile.broadcast %col : tensor<1x32xi32> -> tensor<32x32xi32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%s = %zero) -> (tensor<32x32xf32>) : i32 {
    %half = arith.divsi %k, %c2 : i32
    %halves = tile.splat %half : tensor<32x32xi32>
    %ok = arith.addi %o, %halves overflow<nsw> : tensor<32x32xi32>
    %left = arith.subi %n, %k overflow<nsw> : i32
    %rest = arith.remsi %left, %c32 : i32
    %counts = arith.cmpi ne, %rest, %c0 : i32
    %both = arith.andi %counts, %flag : i1
    %mask = tile.splat %both : tensor<32x32xi1>
    %x = tile.load %p[%ok] mask %mask plan<cp_async, vector = 2> {tile.stage = 0 : i64} : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %d = tile.dot %x, %x, %s {tile.stage = 1 : i64} : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    scf.yield %d : tensor<32x32xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.print "r", %r : tensor<32x32xf32>
  tile.return
}

// -----

// With one stage there is no ring, and so no second computation.
// CHECK-LABEL: @computed_here
// CHECK: scf.for %[[K:[a-z0-9]+]] =
// CHECK-COUNT-1: arith.divsi
// CHECK-NOT: arith.divsi
// CHECK: tile_gpu.copy_async
tile.kernel @computed_here(%p: !tile.ptr<f16> {tile.fact = #tile.fact<divisibility = 16>}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %i = tile.iota : tensor<32xi32>
  %col = tile.expand_dims %i axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %o = tile.broadcast %col : tensor<1x32xi32> -> tensor<32x32xi32>
  scf.for %k = %c0 to %n step %c32 : i32 {
    %part = arith.divsi %k, %c16 : i32
    %below = arith.cmpi slt, %part, %c16 : i32
    %mask = tile.splat %below : tensor<32x32xi1>
    %x = tile.load %p[%o] mask %mask plan<cp_async, vector = 8> {tile.stage = 0 : i64} : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    tile.print "x", %x : tensor<32x32xf16> {tile.stage = 0 : i64}
  } {tile.pipeline = #tile.pipeline<stages = 1>}
  tile.return
}

// -----

// A division by what may be 0 is made total: the iteration may not exist.
// CHECK-LABEL: @division
// CHECK: scf.for %[[K:[a-z0-9]+]] =
// CHECK: %[[NEXT:.*]] = arith.addi %[[K]], %{{.*}} : i32
// CHECK: %[[IS_ZERO:.*]] = arith.cmpi eq, %n, %{{.*}} : i32
// CHECK: %[[NOT_ZERO:.*]] = arith.select %[[IS_ZERO]], %{{.*}}, %n : i32
// CHECK: %[[IS_NEGATIVE:.*]] = arith.cmpi eq, %n, %{{.*}} : i32
// CHECK: %[[SAFE:.*]] = arith.select %[[IS_NEGATIVE]], %{{.*}}, %[[NOT_ZERO]] : i32
// CHECK: %[[QUOTIENT:.*]] = arith.divsi %[[NEXT]], %[[SAFE]] : i32
// CHECK: %[[NEGATED:.*]] = arith.subi %{{.*}}, %[[NEXT]] : i32
// CHECK: %[[RESULT:.*]] = arith.select %[[IS_NEGATIVE]], %[[NEGATED]], %[[QUOTIENT]] : i32
// CHECK: %[[INDEX:.*]] = arith.extsi %[[RESULT]] : i32 to i64
// CHECK: tile.offset %p, %[[INDEX]]
tile.kernel @division(%p: !tile.ptr<f16> {tile.fact = #tile.fact<divisibility = 16>}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  scf.for %k = %c0 to %n step %c32 : i32 {
    %part = arith.divsi %k, %n : i32
    %o = tile.splat %part : tensor<32x32xi32>
    %x = tile.load %p[%o] plan<plain> {tile.stage = 0 : i64} : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    tile.print "x", %x : tensor<32x32xf16> {tile.stage = 1 : i64}
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  tile.return
}
