// RUN: tile-opt %s --verify-roundtrip | FileCheck %s

// Every op is printed as it is documented and read back the same.

// A kernel prints its arguments by name, with their facts, and every clause.
// CHECK-LABEL: tile.kernel @kernel(%a: !tile.ptr<f16> {tile.fact = #tile.fact<divisibility = 16, noalias>}, %n: i32 {tile.fact = #tile.fact<min = 0, max = 1024>})
// CHECK-SAME: grid affine_map<()[n] -> (n ceildiv 128)>
// CHECK-SAME: variant "aligned" plan #tile.plan<target = "sm_80", warps = 4>
// CHECK-SAME: attributes {example.note = 1 : i64} {
// CHECK-NEXT: tile.return
tile.kernel @kernel(
    %a: !tile.ptr<f16> {tile.fact = #tile.fact<noalias, divisibility = 16>},
    %n: i32 {tile.fact = #tile.fact<min = 0, max = 1024>})
    grid affine_map<()[n] -> (n ceildiv 128)>
    variant "aligned" plan #tile.plan<warps = 4, target = "sm_80">
    attributes {example.note = 1 : i64} {
  tile.return
}

// A kernel may have no arguments and no clauses.
// CHECK-LABEL: tile.kernel @kernel_bare() {
tile.kernel @kernel_bare() {
  tile.return
}

// Grid ops name their results after the axis.
// CHECK-LABEL: @grid
// CHECK-NEXT: %pid_x = tile.program_id x
// CHECK-NEXT: %pid_z = tile.program_id z
// CHECK-NEXT: %programs_y = tile.num_programs y
tile.kernel @grid() {
  %0 = tile.program_id x
  %1 = tile.program_id z
  %2 = tile.num_programs y
  tile.return
}

// A fact is assumed of an integer or of a pointer.
// CHECK-LABEL: @assume
// CHECK-NEXT: tile.assume %p, <divisibility = 16, noalias> : !tile.ptr<f16>
// CHECK-NEXT: tile.assume %n, <min = 1, max = 1> : i64
tile.kernel @assume(%p: !tile.ptr<f16>, %n: i64) {
  tile.assume %p, <divisibility = 16, noalias> : !tile.ptr<f16>
  tile.assume %n, <min = 1, max = 1> : i64
  tile.return
}

// Tiles are made of nothing or of a scalar.
// CHECK-LABEL: @make
// CHECK-NEXT: tile.iota : tensor<128xi32>
// CHECK-NEXT: tile.iota : tensor<1xi64>
// CHECK-NEXT: tile.splat %x : tensor<3x5xf8E4M3FN>
tile.kernel @make(%x: f8E4M3FN) {
  %0 = tile.iota : tensor<128xi32>
  %1 = tile.iota : tensor<1xi64>
  %2 = tile.splat %x : tensor<3x5xf8E4M3FN>
  tile.return
}

// Shape ops print both types.
// CHECK-LABEL: @shape
// CHECK: tile.expand_dims %{{.*}} axis 1 : tensor<8xi32> -> tensor<8x1xi32>
// CHECK-NEXT: tile.broadcast %{{.*}} : tensor<8x1xi32> -> tensor<8x4xi32>
// CHECK-NEXT: tile.reshape %{{.*}} : tensor<8x4xi32> -> tensor<2x16xi32>
// CHECK-NEXT: tile.transpose %{{.*}} order [1, 0] : tensor<2x16xi32> -> tensor<16x2xi32>
tile.kernel @shape() {
  %0 = tile.iota : tensor<8xi32>
  %1 = tile.expand_dims %0 axis 1 : tensor<8xi32> -> tensor<8x1xi32>
  %2 = tile.broadcast %1 : tensor<8x1xi32> -> tensor<8x4xi32>
  %3 = tile.reshape %2 : tensor<8x4xi32> -> tensor<2x16xi32>
  %4 = tile.transpose %3 order [1, 0] : tensor<2x16xi32> -> tensor<16x2xi32>
  tile.return
}

// A pointer advances by i32 or i64.
// CHECK-LABEL: @offset
// CHECK-NEXT: tile.offset %p, %i : !tile.ptr<i8>, i32
// CHECK-NEXT: tile.offset %p, %j : !tile.ptr<i8>, i64
tile.kernel @offset(%p: !tile.ptr<i8>, %i: i32, %j: i64) {
  %0 = tile.offset %p, %i : !tile.ptr<i8>, i32
  %1 = tile.offset %p, %j : !tile.ptr<i8>, i64
  tile.return
}

// Loads of tiles: each optional part is printed where it is there, and only there.
// CHECK-LABEL: @load
// CHECK-NEXT: %[[I:.*]] = tile.iota
// CHECK-NEXT: %[[M:.*]] = arith.constant
// CHECK-NEXT: %{{.*}} = tile.load %p[%[[I]]] : !tile.ptr<f16>, tensor<8xi32> -> tensor<8xf16>{{$}}
// CHECK-NEXT: %{{.*}} = tile.load %p[%[[I]]] mask %[[M]] : !tile.ptr<f16>, tensor<8xi32> -> tensor<8xf16>{{$}}
// CHECK-NEXT: %{{.*}} = tile.load %p[%[[I]]] mask %[[M]] other %x : !tile.ptr<f16>, tensor<8xi32>, f16 -> tensor<8xf16>{{$}}
// CHECK-NEXT: %{{.*}} = tile.load %p[%[[I]]] mask %[[M]] other %{{.*}} plan<cp_async, vector = 8, swizzle = 128> require [cp_async, pipelined] : !tile.ptr<f16>, tensor<8xi32>, tensor<8xf16> -> tensor<8xf16>{{$}}
tile.kernel @load(%p: !tile.ptr<f16>, %x: f16) {
  %i = tile.iota : tensor<8xi32>
  %m = arith.constant dense<true> : tensor<8xi1>
  %0 = tile.load %p[%i] : !tile.ptr<f16>, tensor<8xi32> -> tensor<8xf16>
  %1 = tile.load %p[%i] mask %m : !tile.ptr<f16>, tensor<8xi32> -> tensor<8xf16>
  %2 = tile.load %p[%i] mask %m other %x
      : !tile.ptr<f16>, tensor<8xi32>, f16 -> tensor<8xf16>
  %3 = tile.load %p[%i] mask %m other %1
      plan<cp_async, swizzle = 128, vector = 8> require [cp_async, pipelined]
      : !tile.ptr<f16>, tensor<8xi32>, tensor<8xf16> -> tensor<8xf16>
  tile.return
}

// A scalar is loaded and stored with a scalar offset and mask.
// CHECK-LABEL: @memory_scalar
// CHECK-NEXT: %[[X:.*]] = tile.load %p[%i] mask %m other %o : !tile.ptr<f32>, i64, f32 -> f32{{$}}
// CHECK-NEXT: tile.store %p[%i], %[[X]] mask %m : !tile.ptr<f32>, i64, f32{{$}}
tile.kernel @memory_scalar(%p: !tile.ptr<f32>, %i: i64, %m: i1, %o: f32) {
  %0 = tile.load %p[%i] mask %m other %o : !tile.ptr<f32>, i64, f32 -> f32
  tile.store %p[%i], %0 mask %m : !tile.ptr<f32>, i64, f32
  tile.return
}

// Stores of tiles, with each optional part.
// CHECK-LABEL: @store
// CHECK: tile.store %p[%{{.*}}], %{{.*}} : !tile.ptr<f32>, tensor<8xi32>, tensor<8xf32>{{$}}
// CHECK-NEXT: tile.store %p[%{{.*}}], %{{.*}} mask %{{.*}} plan<tma> require [tma] : !tile.ptr<f32>, tensor<8xi32>, tensor<8xf32>{{$}}
tile.kernel @store(%p: !tile.ptr<f32>, %x: f32) {
  %i = tile.iota : tensor<8xi32>
  %v = tile.splat %x : tensor<8xf32>
  %m = arith.constant dense<true> : tensor<8xi1>
  tile.store %p[%i], %v : !tile.ptr<f32>, tensor<8xi32>, tensor<8xf32>
  tile.store %p[%i], %v mask %m plan<tma> require [tma]
      : !tile.ptr<f32>, tensor<8xi32>, tensor<8xf32>
  tile.return
}

// Atomics of tiles and of scalars.
// CHECK-LABEL: @atomics
// CHECK: tile.atomic_rmw addf %p[%{{.*}}], %{{.*}} mask %{{.*}} : !tile.ptr<f32>, tensor<8xi32>, tensor<8xf32>{{$}}
// CHECK-NEXT: tile.atomic_rmw exchange %p[%i], %x : !tile.ptr<f32>, i32, f32{{$}}
// CHECK-NEXT: tile.atomic_cas %q[%i], %i, %i : !tile.ptr<i32>, i32, i32{{$}}
tile.kernel @atomics(%p: !tile.ptr<f32>, %q: !tile.ptr<i32>, %x: f32, %i: i32) {
  %o = tile.iota : tensor<8xi32>
  %v = tile.splat %x : tensor<8xf32>
  %m = arith.constant dense<true> : tensor<8xi1>
  %0 = tile.atomic_rmw addf %p[%o], %v mask %m
      : !tile.ptr<f32>, tensor<8xi32>, tensor<8xf32>
  %1 = tile.atomic_rmw exchange %p[%i], %x : !tile.ptr<f32>, i32, f32
  %2 = tile.atomic_cas %q[%i], %i, %i : !tile.ptr<i32>, i32, i32
  tile.return
}

// A dot prints its numerics only where they are not the default.
// CHECK-LABEL: @dot
// CHECK: tile.dot %{{.*}}, %{{.*}}, %[[ACC:[^ ]*]] : tensor<4x8xf32>, tensor<8x2xf32> -> tensor<4x2xf32>
// CHECK-NEXT: tile.dot %{{.*}} precision tf32x3 : tensor<4x8xf32>
// CHECK: tile.dot %{{.*}} promote_every 32 plan<mma_sync, m = 16, n = 8, k = 16, warps = [2, 1]> require [wgmma] : tensor<4x8xf8E5M2>
tile.kernel @dot(%x: f32, %y: f8E5M2) {
  %a = tile.splat %x : tensor<4x8xf32>
  %b = tile.splat %x : tensor<8x2xf32>
  %c = tile.splat %x : tensor<4x2xf32>
  %0 = tile.dot %a, %b, %c precision ieee
      : tensor<4x8xf32>, tensor<8x2xf32> -> tensor<4x2xf32>
  %1 = tile.dot %a, %b, %c precision tf32x3
      : tensor<4x8xf32>, tensor<8x2xf32> -> tensor<4x2xf32>
  %d = tile.splat %y : tensor<4x8xf8E5M2>
  %e = tile.splat %y : tensor<8x2xf8E5M2>
  %2 = tile.dot %d, %e, %c promote_every 32
      plan<mma_sync, m = 16, n = 8, k = 16, warps = [2, 1]> require [wgmma]
      : tensor<4x8xf8E5M2>, tensor<8x2xf8E5M2> -> tensor<4x2xf32>
  tile.return
}

// A reduction of two tiles at once, to tiles and to scalars.
// CHECK-LABEL: @reduce
// CHECK: %{{.*}}:2 = tile.reduce %{{.*}}, %{{.*}} axis 0 reassoc {
// CHECK-NEXT: ^bb0(%[[L:.*]]: f32, %{{.*}}: i32, %{{.*}}: f32, %[[R:.*]]: i32):
// CHECK-NEXT: tile.yield %[[L]], %[[R]] : f32, i32
// CHECK-NEXT: } : tensor<8x2xf32>, tensor<8x2xi32> -> tensor<2xf32>, tensor<2xi32>
// CHECK: tile.reduce %{{.*}}#0 axis 0 {
// CHECK: } : tensor<2xf32> -> f32
tile.kernel @reduce(%x: f32, %i: i32) {
  %a = tile.splat %x : tensor<8x2xf32>
  %b = tile.splat %i : tensor<8x2xi32>
  %0:2 = tile.reduce %a, %b axis 0 reassoc {
  ^bb0(%l0: f32, %l1: i32, %r0: f32, %r1: i32):
    tile.yield %l0, %r1 : f32, i32
  } : tensor<8x2xf32>, tensor<8x2xi32> -> tensor<2xf32>, tensor<2xi32>
  %1 = tile.reduce %0#0 axis 0 {
  ^bb0(%l: f32, %r: f32):
    %max = arith.maximumf %l, %r : f32
    tile.yield %max : f32
  } : tensor<2xf32> -> f32
  tile.return
}

// A scan runs forwards, or backwards on demand.
// CHECK-LABEL: @scan
// CHECK: tile.scan %{{.*}} axis 0 {
// CHECK: } : tensor<8xi32> -> tensor<8xi32>
// CHECK: tile.scan %{{.*}} axis 0 reverse {
tile.kernel @scan() {
  %i = tile.iota : tensor<8xi32>
  %0 = tile.scan %i axis 0 {
  ^bb0(%l: i32, %r: i32):
    %sum = arith.addi %l, %r : i32
    tile.yield %sum : i32
  } : tensor<8xi32> -> tensor<8xi32>
  %1 = tile.scan %i axis 0 reverse {
  ^bb0(%l: i32, %r: i32):
    %sum = arith.addi %l, %r : i32
    tile.yield %sum : i32
  } : tensor<8xi32> -> tensor<8xi32>
  tile.return
}

// Messages and labels are kept with their quotes, and print takes no values too.
// CHECK-LABEL: @debug
// CHECK-NEXT: tile.assert %b, "a \22quoted\22 word" : i1
// CHECK: tile.assert %{{.*}}, "tile" : tensor<4xi1>
// CHECK-NEXT: tile.print "here"{{$}}
// CHECK-NEXT: tile.print "two", %{{.*}}, %b : tensor<4xi1>, i1
tile.kernel @debug(%b: i1) {
  tile.assert %b, "a \22quoted\22 word" : i1
  %m = tile.splat %b : tensor<4xi1>
  tile.assert %m, "tile" : tensor<4xi1>
  tile.print "here"
  tile.print "two", %m, %b : tensor<4xi1>, i1
  tile.return
}

// Tiles keep their layouts, and so does a mask, whose type is not written.
// CHECK-LABEL: @layouts
// CHECK: tile.load %p[%{{.*}}] mask %{{.*}} : !tile.ptr<f32>, tensor<4xi32, #[[L:.*]]> -> tensor<4xf32, #[[L]]>
tile.kernel @layouts(%p: !tile.ptr<f32>) {
  %i = tile.iota : tensor<4xi32, #tile.layout<register = [[1], [2]], sides = [4]>>
  %m = arith.constant dense<true> : tensor<4xi1, #tile.layout<register = [[1], [2]], sides = [4]>>
  %0 = tile.load %p[%i] mask %m : !tile.ptr<f32>,
      tensor<4xi32, #tile.layout<register = [[1], [2]], sides = [4]>>
      -> tensor<4xf32, #tile.layout<register = [[1], [2]], sides = [4]>>
  tile.return
}
