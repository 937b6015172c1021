// RUN: tile-opt %s --tile-plan --split-input-file --remark-format=emitRemark --remarks-filter=tile-plan 2>&1 >/dev/null | FileCheck %s
// RUN: tile-opt %s --tile-plan=target=sm_90a --split-input-file --remark-format=emitRemark --remarks-filter=tile-plan 2>&1 >/dev/null | FileCheck %s --check-prefix=HOPPER
// RUN: tile-opt %s --tile-plan --split-input-file | FileCheck %s --check-prefix=LOG

// Each choice is a remark, and so is each alternative that was rejected, with
// the reason; the kernel's log repeats them with their place.
// CHECK: remark: [Passed] plan | Category:tile-plan | Function=product | Remark="load: cp_async of 16 bytes, 64-byte swizzle"
// CHECK: remark: [Missed] plan | Category:tile-plan | Function=product | Remark="cp_async: it fills with zero, and other is not zero"
// CHECK: remark: [Passed] plan | Category:tile-plan | Function=product | Remark="load: plain of 16 bytes, 64-byte swizzle"
// CHECK: remark: [Passed] plan | Category:tile-plan | Function=product | Remark="dot 32x32x32: mma_sync m16n8k16 over 2x2 warps"
// CHECK: remark: [Passed] plan | Category:tile-plan | Function=product | Remark="store: 16 bytes at a time"
// CHECK: remark: [Passed] plan | Category:tile-plan | Function=product | Remark="loop: 4 stages of 4096 bytes = 16384 of 166912"
// HOPPER: remark: [Passed] plan | Category:tile-plan | Function=product | Remark="dot 32x32x32: mma_sync m16n8k16 over 2x2 warps"
// HOPPER: remark: [Missed] plan | Category:tile-plan | Function=product | Remark="wgmma: {{.*}}"
// LOG-LABEL: @product
// LOG-SAME: tile.decisions = {{\[}}["{{.*}}plan-remarks.mlir:{{[0-9]+}}:10", "load: cp_async of 16 bytes, 64-byte swizzle"],
tile.kernel @product(%p: !tile.ptr<f16> {tile.fact = #tile.fact<divisibility = 16>}, %n: i32, %m: i1) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %one = arith.constant 1.0 : f16
  %all = tile.splat %m : tensor<32x32xi1>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %true = arith.constant dense<true> : tensor<32x32xi1>
  %i = tile.iota : tensor<32xi32>
  %col = tile.expand_dims %i axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %o = tile.broadcast %col : tensor<1x32xi32> -> tensor<32x32xi32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%s = %zero) -> (tensor<32x32xf32>) : i32 {
    %x = tile.load %p[%o] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %y = tile.load %p[%o] mask %true other %one : !tile.ptr<f16>, tensor<32x32xi32>, f16 -> tensor<32x32xf16>
    %d = tile.dot %x, %y, %s : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    scf.yield %d : tensor<32x32xf32>
  }
  %h = arith.truncf %r : tensor<32x32xf32> to tensor<32x32xf16>
  tile.store %p[%o], %h : !tile.ptr<f16>, tensor<32x32xi32>, tensor<32x32xf16>
  tile.return
}

// -----

// What is not known to be contiguous cannot be copied asynchronously.
// CHECK: Function=narrow | Remark="cp_async: 2 bytes are known to be contiguous and aligned, and it takes 4"
// CHECK: Function=narrow | Remark="load: plain of 2 bytes, 64-byte swizzle"
tile.kernel @narrow(%p: !tile.ptr<f16>) {
  %o = arith.constant dense<0> : tensor<32x32xi32>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %x = tile.load %p[%o] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
  %d = tile.dot %x, %x, %zero : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
  tile.print "d", %d : tensor<32x32xf32>
  tile.return
}

// -----

// A plan may forbid asynchronous copies.
// CHECK: Function=plain | Remark="cp_async: plan.copy is plain"
tile.kernel @plain(%p: !tile.ptr<f16> {tile.fact = #tile.fact<divisibility = 16>}) plan #tile.plan<copy = "plain"> {
  %i = tile.iota : tensor<32xi32>
  %col = tile.expand_dims %i axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %o = tile.broadcast %col : tensor<1x32xi32> -> tensor<32x32xi32>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %x = tile.load %p[%o] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
  %d = tile.dot %x, %x, %zero : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
  tile.print "d", %d : tensor<32x32xf32>
  tile.return
}

// -----

// Warps that have nothing to do are rejected.
// CHECK: Function=warps | Remark="4 warps: a dot's tile has too few blocks of 16x16 for them"
// CHECK: Function=warps | Remark="dot 16x32x16: mma_sync m16n8k16 over 1x2 warps"
tile.kernel @warps() {
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %x = arith.constant dense<1.0> : tensor<16x16xf16>
  %y = arith.constant dense<1.0> : tensor<16x32xf16>
  %d = tile.dot %x, %y, %zero : tensor<16x16xf16>, tensor<16x32xf16> -> tensor<16x32xf32>
  tile.print "d", %d : tensor<16x32xf32>
  tile.return
}

// -----

// Loads are not moved ahead of a store that they may have to see.
// CHECK: Function=store_in_loop | Remark="overlap of copies and arithmetic: it writes memory that a load of a later iteration may read"
// CHECK: Function=store_in_loop | Remark="loop: 1 stage of 2048 bytes = 2048 of 166912"
tile.kernel @store_in_loop(%p: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = arith.constant dense<0> : tensor<32x32xi32>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  scf.for %k = %c0 to %n step %c1 : i32 {
    %x = tile.load %p[%o] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %d = tile.dot %x, %x, %zero : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    %h = arith.truncf %d : tensor<32x32xf32> to tensor<32x32xf16>
    tile.store %p[%o], %h : !tile.ptr<f16>, tensor<32x32xi32>, tensor<32x32xf16>
  }
  tile.return
}

// -----

// Nor of an atomic update, wherever in the loop it stands.
// CHECK: Function=atomic_in_loop | Remark="overlap of copies and arithmetic: it writes memory that a load of a later iteration may read"
tile.kernel @atomic_in_loop(%p: !tile.ptr<f16>, %q: !tile.ptr<i32>, %n: i32, %c: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = arith.constant dense<0> : tensor<32x32xi32>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<32x32xf32>) : i32 {
    %x = tile.load %p[%o] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %d = tile.dot %x, %x, %s : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    scf.if %c {
      %old = tile.atomic_rmw addi %q[%c0], %c1 : !tile.ptr<i32>, i32, i32
    }
    scf.yield %d : tensor<32x32xf32>
  }
  tile.print "r", %r : tensor<32x32xf32>
  tile.return
}

// -----

// An address that the loop carries is not known ahead, unless it grows evenly.
// CHECK: Function=address_in_loop | Remark="overlap of copies and arithmetic: the address of a load is computed in the loop"
tile.kernel @address_in_loop(%p: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %r, %last = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero, %q = %n) -> (tensor<32x32xf32>, i32) : i32 {
    %o = tile.splat %q : tensor<32x32xi32>
    %x = tile.load %p[%o] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %d = tile.dot %x, %x, %s : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    %next = arith.muli %q, %q : i32
    scf.yield %d, %next : tensor<32x32xf32>, i32
  }
  tile.print "r", %r : tensor<32x32xf32>
  tile.return
}

// -----

// Neither is a pointer that it chooses.
// CHECK: Function=pointer_in_loop | Remark="overlap of copies and arithmetic: the pointer of a load is computed in the loop"
tile.kernel @pointer_in_loop(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = arith.constant dense<0> : tensor<32x32xi32>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<32x32xf32>) : i32 {
    %first = arith.cmpi eq, %k, %c0 : i32
    %b = arith.select %first, %p, %q : !tile.ptr<f16>
    %x = tile.load %b[%o] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %d = tile.dot %x, %x, %s : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    scf.yield %d : tensor<32x32xf32>
  }
  tile.print "r", %r : tensor<32x32xf32>
  tile.return
}

// -----

// Nor what fills masked lanes.
// CHECK: Function=other_in_loop | Remark="overlap of copies and arithmetic: what fills masked lanes is computed in the loop"
tile.kernel @other_in_loop(%p: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = arith.constant dense<0> : tensor<32x32xi32>
  %m = arith.constant dense<true> : tensor<32x32xi1>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<32x32xf32>) : i32 {
    %f = arith.sitofp %k : i32 to f16
    %x = tile.load %p[%o] mask %m other %f : !tile.ptr<f16>, tensor<32x32xi32>, f16 -> tensor<32x32xf16>
    %d = tile.dot %x, %x, %s : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    scf.yield %d : tensor<32x32xf32>
  }
  tile.print "r", %r : tensor<32x32xf32>
  tile.return
}

// -----

// A loop that compares unsigned does not run ahead: copies past its end are told
// by a signed comparison.
// CHECK: Function=unsigned_loop | Remark="overlap of copies and arithmetic: its bounds are compared unsigned"
tile.kernel @unsigned_loop(%p: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = arith.constant dense<0> : tensor<32x32xi32>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %r = scf.for unsigned %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<32x32xf32>) : i32 {
    %x = tile.load %p[%o] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %d = tile.dot %x, %x, %s : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    scf.yield %d : tensor<32x32xf32>
  }
  tile.print "r", %r : tensor<32x32xf32>
  tile.return
}

// -----

// Elements that are no strided block are moved one by one, and it says why not
// otherwise.
// CHECK: Function=elements | Remark="a strided block: offsets: {{.*}}"
// CHECK: Function=elements | Remark="load of single elements"
// CHECK: Function=elements | Remark="store of a scalar"
tile.kernel @elements(%p: !tile.ptr<i32>, %k: i32) {
  %i = tile.iota : tensor<32xi32>
  %o = arith.muli %i, %i : tensor<32xi32>
  %x = tile.load %p[%o] : !tile.ptr<i32>, tensor<32xi32> -> tensor<32xi32>
  tile.print "x", %x : tensor<32xi32>
  tile.store %p[%k], %k : !tile.ptr<i32>, i32, i32
  tile.return
}

// -----

// An access whose sides are no powers of two says what each thread holds; a few
// repetitions are not worth a word.
// CHECK: remark: [Missed] plan | Category:tile-plan | Function=odd | Remark="threads that share a side: each holds at least 1021 of 1021 elements, since 1021 is not a power of two"
// CHECK: remark: [Passed] plan | Category:tile-plan | Function=odd | Remark="load to registers, 1 element at a time"
// CHECK: remark: [Missed] plan | Category:tile-plan | Function=odd | Remark="threads that share a side: each holds at least 1021 of 1021 elements, since 1021 is not a power of two"
// CHECK: remark: [Passed] plan | Category:tile-plan | Function=odd | Remark="store: 4 bytes at a time"
// CHECK-NOT: threads that share
// CHECK: remark: [Passed] plan | Category:tile-plan | Function=odd | Remark="load to registers, {{[0-9]}} element
tile.kernel @odd(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>) {
  %i = tile.iota : tensor<1021xi32>
  %x = tile.load %p[%i] : !tile.ptr<f32>, tensor<1021xi32> -> tensor<1021xf32>
  tile.store %q[%i], %x : !tile.ptr<f32>, tensor<1021xi32>, tensor<1021xf32>
  %j = tile.iota : tensor<96xi32>
  %y = tile.load %p[%j] : !tile.ptr<f32>, tensor<96xi32> -> tensor<96xf32>
  tile.store %q[%j], %y : !tile.ptr<f32>, tensor<96xi32>, tensor<96xf32>
  tile.return
}

// -----

// A condition of a mask that is the same for the whole tile leaves the load a
// block; where it was loaded in the loop, it is not known ahead.
// CHECK: Function=condition_in_loop | Remark="load of a scalar"
// CHECK: Function=condition_in_loop | Remark="load: cp_async of 16 bytes, 64-byte swizzle"
// CHECK: Function=condition_in_loop | Remark="overlap of copies and arithmetic: a condition of a load's mask is computed in the loop"
// CHECK: Function=condition_in_loop | Remark="loop: 1 stage of 2048 bytes
tile.kernel @condition_in_loop(%p: !tile.ptr<f16> {tile.fact = #tile.fact<divisibility = 16>}, %list: !tile.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %i = tile.iota : tensor<32xi32>
  %col = tile.expand_dims %i axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %o = tile.broadcast %col : tensor<1x32xi32> -> tensor<32x32xi32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%s = %zero) -> (tensor<32x32xf32>) : i32 {
    %entry = tile.load %list[%k] : !tile.ptr<i32>, i32 -> i32
    %counts = arith.cmpi sgt, %entry, %c0 : i32
    %mask = tile.splat %counts : tensor<32x32xi1>
    %x = tile.load %p[%o] mask %mask : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %d = tile.dot %x, %x, %s : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    scf.yield %d : tensor<32x32xf32>
  }
  tile.print "r", %r : tensor<32x32xf32>
  tile.return
}

// -----

// The same that follows from the counter is known ahead.
// CHECK: Function=condition_of_counter | Remark="load: cp_async of 16 bytes, 64-byte swizzle"
// CHECK-NOT: Function=condition_of_counter | Remark="overlap
// CHECK: Function=condition_of_counter | Remark="loop: {{[2-9]}} stages of 2048 bytes
tile.kernel @condition_of_counter(%p: !tile.ptr<f16> {tile.fact = #tile.fact<divisibility = 16>}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %i = tile.iota : tensor<32xi32>
  %col = tile.expand_dims %i axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %o = tile.broadcast %col : tensor<1x32xi32> -> tensor<32x32xi32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%s = %zero) -> (tensor<32x32xf32>) : i32 {
    %third = arith.remsi %k, %c3 : i32
    %counts = arith.cmpi ne, %third, %c0 : i32
    %mask = tile.splat %counts : tensor<32x32xi1>
    %x = tile.load %p[%o] mask %mask : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %d = tile.dot %x, %x, %s : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    scf.yield %d : tensor<32x32xf32>
  }
  tile.print "r", %r : tensor<32x32xf32>
  tile.return
}
