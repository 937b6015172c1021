// RUN: tile-opt %s --tile-hoist-scalars | FileCheck %s

// Scalars that are the same in every turn are computed before all loops that do
// not change them; the program's place is one.
// CHECK-LABEL: tile.kernel @invariant(
// CHECK: %[[PID:.*]] = tile.program_id x
// CHECK: %[[PAIR:.*]] = arith.divsi %[[PID]], %{{.*}} : i32
// CHECK: %[[FIRST:.*]] = arith.muli %[[PAIR]], %{{.*}} overflow<nsw> : i32
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %n step
// CHECK: %[[HERE:.*]] = arith.addi %[[FIRST]], %[[I]] : i32
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %n step
// CHECK: arith.addi %[[HERE]], %[[J]] : i32
// CHECK: tile.splat
tile.kernel @invariant(%p: !tile.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.for %j = %c0 to %n step %c1 : i32 {
      %pid = tile.program_id x
      %c2 = arith.constant 2 : i32
      %pair = arith.divsi %pid, %c2 : i32
      %c64 = arith.constant 64 : i32
      %first = arith.muli %pair, %c64 overflow<nsw> : i32
      %here = arith.addi %first, %i : i32
      %there = arith.addi %here, %j : i32
      %tile = tile.splat %there : tensor<8xi32>
      %x = tile.load %p[%tile] : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
      tile.print "x", %x : tensor<8xf32>
    }
  }
  tile.return
}

// Leaves alone: divisions that may have no result, tiles, and loads.
// CHECK-LABEL: tile.kernel @stays(
// CHECK: scf.for
// CHECK: arith.remsi %n, %m : i32
// CHECK: arith.floordivsi %n, %{{.*}} : i32
// CHECK: tile.splat %n : tensor<8xi32>
// CHECK: tile.load %p[%n]
tile.kernel @stays(%p: !tile.ptr<f32>, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %rest = arith.remsi %n, %m : i32
    %negated = arith.floordivsi %n, %minus : i32
    %tile = tile.splat %n : tensor<8xi32>
    %x = tile.load %p[%n] : !tile.ptr<f32>, i32 -> f32
    tile.print "x", %x, %rest, %negated, %tile : f32, i32, i32, tensor<8xi32>
  }
  tile.return
}
