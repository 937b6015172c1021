// RUN: tile-opt %s --loop-invariant-code-motion --cse --canonicalize | FileCheck %s

// What general passes may do with ops that touch memory.

// A load is not moved out of a loop that may run zero times.
// CHECK-LABEL: @load_stays
// CHECK-NEXT: scf.for
// CHECK-NEXT: tile.load
tile.kernel @load_stays(%p: !tile.ptr<f32>, %n: i32, %m: i32) {
  scf.for %i = %n to %m step %n : i32 {
    %0 = tile.load %p[%n] : !tile.ptr<f32>, i32 -> f32
    tile.print "x", %0 : f32
  }
  tile.return
}

// Two loads of one place are one, except across a store.
// CHECK-LABEL: @load_cse
// CHECK-NEXT: %[[OLD:.*]] = tile.load
// CHECK-NEXT: tile.store
// CHECK-NEXT: %[[NEW:.*]] = tile.load
// CHECK-NEXT: tile.print "x", %[[OLD]], %[[OLD]], %[[NEW]]
tile.kernel @load_cse(%p: !tile.ptr<f32>, %i: i32, %x: f32) {
  %0 = tile.load %p[%i] : !tile.ptr<f32>, i32 -> f32
  %1 = tile.load %p[%i] : !tile.ptr<f32>, i32 -> f32
  tile.store %p[%i], %x : !tile.ptr<f32>, i32, f32
  %2 = tile.load %p[%i] : !tile.ptr<f32>, i32 -> f32
  tile.print "x", %0, %1, %2 : f32, f32, f32
  tile.return
}

// Two atomic updates are two, and loads on their two sides differ.
// CHECK-LABEL: @atomic_cse
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.atomic_rmw
// CHECK-NEXT: tile.atomic_rmw
// CHECK-NEXT: tile.load
tile.kernel @atomic_cse(%p: !tile.ptr<i32>, %i: i32) {
  %0 = tile.load %p[%i] : !tile.ptr<i32>, i32 -> i32
  %1 = tile.atomic_rmw addi %p[%i], %i : !tile.ptr<i32>, i32, i32
  %2 = tile.atomic_rmw addi %p[%i], %i : !tile.ptr<i32>, i32, i32
  %3 = tile.load %p[%i] : !tile.ptr<i32>, i32 -> i32
  tile.print "x", %0, %1, %2, %3 : i32, i32, i32, i32
  tile.return
}

// Pure ops leave the loop, and equal ones are one.
// CHECK-LABEL: @pure
// CHECK-NEXT: %[[PID:.*]] = tile.program_id x
// CHECK-NEXT: scf.for
// CHECK-NEXT: tile.print "x", %[[PID]], %[[PID]]
tile.kernel @pure(%n: i32, %m: i32) {
  scf.for %i = %n to %m step %n : i32 {
    %0 = tile.program_id x
    %1 = tile.program_id x
    tile.print "x", %0, %1 : i32, i32
  }
  tile.return
}

// What speaks to people or to the launcher stays, in its order.
// CHECK-LABEL: @debug
// CHECK: tile.assert
// CHECK-NEXT: tile.print "here"
// CHECK-NEXT: tile.print "here"
// CHECK-NEXT: tile.assume
tile.kernel @debug(%b: i1, %n: i32, %m: i32) {
  tile.assert %b, "b" : i1
  tile.print "here"
  tile.print "here"
  tile.assume %n, <min = 1> : i32
  tile.return
}
