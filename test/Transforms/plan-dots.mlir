// RUN: tile-opt %s --tile-plan --split-input-file | FileCheck %s
// RUN: tile-opt %s '--tile-plan=set=instruction=fma' --split-input-file | FileCheck %s --check-prefix=FMA
// RUN: tile-opt %s --tile-plan --split-input-file --remark-format=emitRemark --remarks-filter=tile-plan 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// Every type and precision of a dot has its instruction; fma takes all.
// CHECK-LABEL: @types
// CHECK: precision tf32 plan<mma_sync, m = 16, n = 8, k = 8,
// CHECK: precision tf32x3 plan<mma_sync, m = 16, n = 8, k = 8,
// CHECK: plan<fma, m = 1, n = 1, k = 1,
// CHECK: plan<mma_sync, m = 8, n = 8, k = 4,
// CHECK: plan<mma_sync, m = 16, n = 16, k = 32,
// CHECK: plan<mma_sync, m = 16, n = 16, k = 16,
// CHECK: plan<mma_sync, m = 16, n = 16, k = 16,
// CHECK: plan<mma_sync, m = 16, n = 8, k = 16,
// FMA-LABEL: @types
// FMA-COUNT-8: plan<fma, m = 1, n = 1, k = 1,
tile.kernel @types() {
  %f32 = arith.constant dense<1.0> : tensor<32x32xf32>
  %f64 = arith.constant dense<1.0> : tensor<32x32xf64>
  %i8 = arith.constant dense<1> : tensor<32x32xi8>
  %i32 = arith.constant dense<1> : tensor<32x32xi32>
  %e4 = arith.constant dense<1.0> : tensor<32x32xf8E4M3FN>
  %e5 = arith.constant dense<1.0> : tensor<32x32xf8E5M2>
  %f16 = arith.constant dense<1.0> : tensor<32x32xf16>
  %0 = tile.dot %f32, %f32, %f32 precision tf32 : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %1 = tile.dot %f32, %f32, %0 precision tf32x3 : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %2 = tile.dot %f32, %f32, %1 : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %3 = tile.dot %f64, %f64, %f64 : tensor<32x32xf64>, tensor<32x32xf64> -> tensor<32x32xf64>
  %4 = tile.dot %i8, %i8, %i32 : tensor<32x32xi8>, tensor<32x32xi8> -> tensor<32x32xi32>
  %5 = tile.dot %e4, %e4, %2 : tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN> -> tensor<32x32xf32>
  %6 = tile.dot %e5, %e5, %5 : tensor<32x32xf8E5M2>, tensor<32x32xf8E5M2> -> tensor<32x32xf32>
  %7 = tile.dot %f16, %f16, %f16 : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf16>
  tile.return
}

// -----

// Bytes of B that lie along n are read for two instructions at once, in whole rows
// of 16 and whole steps of 32 k, and if no warp goes without.
// CHECK-LABEL: @bytes
// CHECK: plan<mma_sync, m = 16, n = 16, k = 32, warps = [1, 1]>
// CHECK: plan<mma_sync, m = 16, n = 8, k = 32, warps = [1, 1]>
// CHECK: plan<mma_sync, m = 16, n = 8, k = 32, warps = [1, 1]>
tile.kernel @bytes() plan #tile.plan<warps = 1> {
  %wide = arith.constant dense<0> : tensor<16x16xi32>
  %narrow = arith.constant dense<0> : tensor<16x24xi32>
  %a = arith.constant dense<1> : tensor<16x32xi8>
  %b = arith.constant dense<1> : tensor<32x16xi8>
  %b_narrow = arith.constant dense<1> : tensor<32x24xi8>
  %a_short = arith.constant dense<1> : tensor<16x16xi8>
  %0 = tile.dot %a, %b, %wide : tensor<16x32xi8>, tensor<32x16xi8> -> tensor<16x16xi32>
  %1 = tile.dot %a, %b_narrow, %narrow : tensor<16x32xi8>, tensor<32x24xi8> -> tensor<16x24xi32>
  %2 = tile.dot %a_short, %a_short, %0 : tensor<16x16xi8>, tensor<16x16xi8> -> tensor<16x16xi32>
  tile.return
}

// -----

// Two warps that share 16 columns have instructions of their own.
// CHECK-LABEL: @bytes_of_warps
// CHECK: plan<mma_sync, m = 16, n = 8, k = 32, warps = [1, 2]>
tile.kernel @bytes_of_warps() plan #tile.plan<warps = 2> {
  %wide = arith.constant dense<0> : tensor<16x16xi32>
  %a = arith.constant dense<1> : tensor<16x32xi8>
  %b = arith.constant dense<1> : tensor<32x16xi8>
  %0 = tile.dot %a, %b, %wide : tensor<16x32xi8>, tensor<32x16xi8> -> tensor<16x16xi32>
  tile.return
}

// -----

// Any sides will do: a warp is enough for 12 x 24.
// CHECK-LABEL: @sides
// CHECK-SAME: warps = 1
// CHECK: plan<mma_sync, m = 16, n = 8, k = 16, warps = [1, 1]>
tile.kernel @sides() {
  %zero = arith.constant dense<0.0> : tensor<12x24xf32>
  %x = arith.constant dense<1.0> : tensor<12x1xf16>
  %y = arith.constant dense<1.0> : tensor<1x24xf16>
  %d = tile.dot %x, %y, %zero : tensor<12x1xf16>, tensor<1x24xf16> -> tensor<12x24xf32>
  tile.return
}

// -----

// Sums in runs take registers beside the accumulator: more warps share it.
// CHECK-LABEL: @split_parts
// CHECK-SAME: warps = 8
// CHECK: precision tf32x3 plan<mma_sync, m = 16, n = 8, k = 8, warps = [2, 4]>
// REMARK: Function=split_parts | Remark="4 warps: a dot in runs of k's has no registers for more than 64 sums a thread"
tile.kernel @split_parts() {
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %x = arith.constant dense<1.0> : tensor<128x32xf32>
  %y = arith.constant dense<1.0> : tensor<32x128xf32>
  %d = tile.dot %x, %y, %zero precision tf32x3 : tensor<128x32xf32>, tensor<32x128xf32> -> tensor<128x128xf32>
  tile.return
}

// -----

// The sums of two dots that are held at the same time leave too few registers; a
// dot that adds to another's result holds no sums of its own.
// CHECK-LABEL: @two_sums
// CHECK-SAME: warps = 8
// REMARK: Function=two_sums | Remark="4 warps: a thread has no registers for 192 sums"
// CHECK-LABEL: @one_sum
// CHECK-SAME: warps = 4
tile.kernel @two_sums() {
  %wide = arith.constant dense<0.0> : tensor<128x128xf32>
  %narrow = arith.constant dense<0.0> : tensor<128x64xf32>
  %x = arith.constant dense<1.0> : tensor<128x64xf16>
  %y = arith.constant dense<1.0> : tensor<64x128xf16>
  %p = tile.dot %x, %y, %wide : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
  %q = arith.truncf %p : tensor<128x128xf32> to tensor<128x128xf16>
  %z = arith.constant dense<1.0> : tensor<128x64xf16>
  %r = tile.dot %q, %z, %narrow : tensor<128x128xf16>, tensor<128x64xf16> -> tensor<128x64xf32>
  tile.return
}
tile.kernel @one_sum() {
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %x = arith.constant dense<1.0> : tensor<128x64xf16>
  %y = arith.constant dense<1.0> : tensor<64x128xf16>
  %z = arith.constant dense<2.0> : tensor<128x64xf16>
  %w = arith.constant dense<2.0> : tensor<64x128xf16>
  %p = tile.dot %x, %y, %zero : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
  %r = tile.dot %z, %w, %p : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
  tile.return
}

// -----

// What two dots read is read once and held for all steps of k in between.
// CHECK-LABEL: @shared_operands
// CHECK-SAME: warps = 8
// REMARK: Function=shared_operands | Remark="4 warps: a thread has no registers for 128 sums and 128 of operands"
tile.kernel @shared_operands() {
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %x = arith.constant dense<1.0> : tensor<128x64xf16>
  %y = arith.constant dense<1.0> : tensor<64x128xf16>
  %p = tile.dot %x, %y, %zero : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
  %r = tile.dot %x, %y, %p : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
  tile.return
}

// -----

// What one loop has summed is held through the next, if it is used behind it.
// CHECK-LABEL: @held_through
// CHECK-SAME: warps = 8>
// REMARK: Function=held_through | Remark="4 warps: a thread has no registers for 256 sums"
// CHECK-LABEL: @used_before
// CHECK-SAME: warps = 4>
tile.kernel @held_through(%n: i32) {
  %c0 = arith.constant 0 : i32
  %x = arith.constant dense<0.0> : tensor<128x64xf16>
  %y = arith.constant dense<0.0> : tensor<64x128xf16>
  %zeros = arith.constant dense<0.0> : tensor<128x128xf32>
  %s = scf.for %i = %c0 to %n step %n iter_args(%a = %zeros) -> (tensor<128x128xf32>) : i32 {
    %d = tile.dot %x, %y, %a : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %t = scf.for %i = %c0 to %n step %n iter_args(%a = %zeros) -> (tensor<128x128xf32>) : i32 {
    %d = tile.dot %x, %y, %a : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %both = arith.addf %s, %t : tensor<128x128xf32>
  tile.print "both", %both : tensor<128x128xf32>
  tile.return
}
tile.kernel @used_before(%n: i32) {
  %c0 = arith.constant 0 : i32
  %x = arith.constant dense<0.0> : tensor<128x64xf16>
  %y = arith.constant dense<0.0> : tensor<64x128xf16>
  %zeros = arith.constant dense<0.0> : tensor<128x128xf32>
  %s = scf.for %i = %c0 to %n step %n iter_args(%a = %zeros) -> (tensor<128x128xf32>) : i32 {
    %d = tile.dot %x, %y, %a : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  tile.print "s", %s : tensor<128x128xf32>
  %t = scf.for %i = %c0 to %n step %n iter_args(%a = %zeros) -> (tensor<128x128xf32>) : i32 {
    %d = tile.dot %x, %y, %a : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  tile.print "t", %t : tensor<128x128xf32>
  tile.return
}

// Elements that are loaded one by one beside the sums take a register each; in pairs
// they take half.
// CHECK-LABEL: @beside_one_by_one
// CHECK-SAME: warps = 8
// REMARK: Function=beside_one_by_one | Remark="4 warps: a thread has no registers for 128 sums and 128 elements that are loaded one by one"
// CHECK-LABEL: @beside_in_pairs
// CHECK-SAME: warps = 4
// Of 32 bits they do so where they are stored in place, whose addresses are held.
// CHECK-LABEL: @in_place
// CHECK-SAME: warps = 8
// REMARK: Function=in_place | Remark="4 warps: a thread has no registers for 128 sums and 128 elements that are loaded one by one"
// CHECK-LABEL: @elsewhere
// CHECK-SAME: warps = 4
tile.kernel @beside_one_by_one(%r: !tile.ptr<f16>) {
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %x = arith.constant dense<1.0> : tensor<128x64xf16>
  %y = arith.constant dense<1.0> : tensor<64x128xf16>
  %d = tile.dot %x, %y, %zero : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
  %i = tile.iota : tensor<128xi32>
  %c = tile.expand_dims %i axis 0 : tensor<128xi32> -> tensor<1x128xi32>
  %o = tile.broadcast %c : tensor<1x128xi32> -> tensor<128x128xi32>
  %l = tile.load %r[%o] : !tile.ptr<f16>, tensor<128x128xi32> -> tensor<128x128xf16>
  tile.return
}
tile.kernel @beside_in_pairs(%r: !tile.ptr<f16>) {
  tile.assume %r, <divisibility = 4> : !tile.ptr<f16>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %x = arith.constant dense<1.0> : tensor<128x64xf16>
  %y = arith.constant dense<1.0> : tensor<64x128xf16>
  %d = tile.dot %x, %y, %zero : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
  %i = tile.iota : tensor<128xi32>
  %c = tile.expand_dims %i axis 0 : tensor<128xi32> -> tensor<1x128xi32>
  %o = tile.broadcast %c : tensor<1x128xi32> -> tensor<128x128xi32>
  %l = tile.load %r[%o] : !tile.ptr<f16>, tensor<128x128xi32> -> tensor<128x128xf16>
  tile.return
}
tile.kernel @in_place(%r: !tile.ptr<f32>, %q: !tile.ptr<f32>) {
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %two = arith.constant dense<2> : tensor<128x128xi32>
  %x = arith.constant dense<1.0> : tensor<128x64xf16>
  %y = arith.constant dense<1.0> : tensor<64x128xf16>
  %d = tile.dot %x, %y, %zero : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
  %i = tile.iota : tensor<128xi32>
  %c = tile.expand_dims %i axis 0 : tensor<128xi32> -> tensor<1x128xi32>
  %o = tile.broadcast %c : tensor<1x128xi32> -> tensor<128x128xi32>
  %odd = arith.muli %o, %two overflow<nsw> : tensor<128x128xi32>
  %l = tile.load %r[%odd] : !tile.ptr<f32>, tensor<128x128xi32> -> tensor<128x128xf32>
  %s = arith.addf %l, %d : tensor<128x128xf32>
  tile.store %r[%odd], %s : !tile.ptr<f32>, tensor<128x128xi32>, tensor<128x128xf32>
  tile.return
}
tile.kernel @elsewhere(%r: !tile.ptr<f32>, %q: !tile.ptr<f32>) {
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %two = arith.constant dense<2> : tensor<128x128xi32>
  %x = arith.constant dense<1.0> : tensor<128x64xf16>
  %y = arith.constant dense<1.0> : tensor<64x128xf16>
  %d = tile.dot %x, %y, %zero : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
  %i = tile.iota : tensor<128xi32>
  %c = tile.expand_dims %i axis 0 : tensor<128xi32> -> tensor<1x128xi32>
  %o = tile.broadcast %c : tensor<1x128xi32> -> tensor<128x128xi32>
  %odd = arith.muli %o, %two overflow<nsw> : tensor<128x128xi32>
  %l = tile.load %r[%odd] : !tile.ptr<f32>, tensor<128x128xi32> -> tensor<128x128xf32>
  %s = arith.addf %l, %d : tensor<128x128xf32>
  tile.store %q[%odd], %s : !tile.ptr<f32>, tensor<128x128xi32>, tensor<128x128xf32>
  tile.return
}

// -----

// What a loop carries and uses behind its dot is held beside the dot's sums; what it
// uses before the dot alone is not.
// CHECK-LABEL: @carried_beside
// CHECK-SAME: warps = 8>
// REMARK: Function=carried_beside | Remark="4 warps: a thread has no registers for 256 sums"
// CHECK-LABEL: @carried_into
// CHECK-SAME: warps = 4>
tile.kernel @carried_beside(%n: i32, %flush: i1) {
  %c0 = arith.constant 0 : i32
  %x = arith.constant dense<0.0> : tensor<128x64xf16>
  %y = arith.constant dense<0.0> : tensor<64x128xf16>
  %zeros = arith.constant dense<0.0> : tensor<128x128xf32>
  %r:2 = scf.for %i = %c0 to %n step %n iter_args(%a = %zeros, %all = %zeros)
      -> (tensor<128x128xf32>, tensor<128x128xf32>) : i32 {
    %d = tile.dot %x, %y, %a : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    %both:2 = scf.if %flush -> (tensor<128x128xf32>, tensor<128x128xf32>) {
      %sum = arith.addf %all, %d : tensor<128x128xf32>
      scf.yield %zeros, %sum : tensor<128x128xf32>, tensor<128x128xf32>
    } else {
      scf.yield %d, %all : tensor<128x128xf32>, tensor<128x128xf32>
    }
    scf.yield %both#0, %both#1 : tensor<128x128xf32>, tensor<128x128xf32>
  }
  tile.print "sums", %r#0 : tensor<128x128xf32>
  tile.print "sums", %r#1 : tensor<128x128xf32>
  tile.return
}
tile.kernel @carried_into(%n: i32) {
  %c0 = arith.constant 0 : i32
  %x = arith.constant dense<0.0> : tensor<128x64xf16>
  %y = arith.constant dense<0.0> : tensor<64x128xf16>
  %zeros = arith.constant dense<0.0> : tensor<128x128xf32>
  %r = scf.for %i = %c0 to %n step %n iter_args(%a = %zeros) -> (tensor<128x128xf32>) : i32 {
    %b = arith.addf %a, %a : tensor<128x128xf32>
    %d = tile.dot %x, %y, %b : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  tile.print "sums", %r : tensor<128x128xf32>
  tile.return
}

// -----

// So is what a loop around the dot's loop carries past it.
// CHECK-LABEL: @carried_around
// CHECK-SAME: warps = 8>
// REMARK: Function=carried_around | Remark="4 warps: a thread has no registers for 256 sums"
tile.kernel @carried_around(%n: i32) {
  %c0 = arith.constant 0 : i32
  %x = arith.constant dense<0.0> : tensor<128x64xf16>
  %y = arith.constant dense<0.0> : tensor<64x128xf16>
  %zeros = arith.constant dense<0.0> : tensor<128x128xf32>
  %r = scf.for %i = %c0 to %n step %n iter_args(%all = %zeros) -> (tensor<128x128xf32>) : i32 {
    %s = scf.for %j = %c0 to %n step %n iter_args(%a = %zeros) -> (tensor<128x128xf32>) : i32 {
      %d = tile.dot %x, %y, %a : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    }
    %sum = arith.addf %all, %s : tensor<128x128xf32>
    scf.yield %sum : tensor<128x128xf32>
  }
  tile.print "sums", %r : tensor<128x128xf32>
  tile.return
}

// -----

// Operands of single elements are loaded before the first is stored for the dot,
// each with an offset or a mask; half as deep they fit.
// CHECK-LABEL: @gathered
// CHECK-SAME: warps = 8>
// REMARK: Function=gathered | Remark="4 warps: a thread has no registers for 128 sums and 128 of single elements and their offsets"
// CHECK-LABEL: @gathered_half
// CHECK-SAME: warps = 4>
tile.kernel @gathered(%p: !tile.ptr<f16>, %rows: !tile.ptr<i32>) {
  %i = tile.iota : tensor<128xi32>
  %row = tile.load %rows[%i] : !tile.ptr<i32>, tensor<128xi32> -> tensor<128xi32>
  %line = tile.expand_dims %row axis 1 : tensor<128xi32> -> tensor<128x1xi32>
  %o = tile.broadcast %line : tensor<128x1xi32> -> tensor<128x64xi32>
  %y = arith.constant dense<0.0> : tensor<64x128xf16>
  %zeros = arith.constant dense<0.0> : tensor<128x128xf32>
  %x = tile.load %p[%o] : !tile.ptr<f16>, tensor<128x64xi32> -> tensor<128x64xf16>
  %d = tile.dot %x, %y, %zeros : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
  tile.print "sums", %d : tensor<128x128xf32>
  tile.return
}
tile.kernel @gathered_half(%p: !tile.ptr<f16>, %rows: !tile.ptr<i32>) {
  %i = tile.iota : tensor<128xi32>
  %row = tile.load %rows[%i] : !tile.ptr<i32>, tensor<128xi32> -> tensor<128xi32>
  %line = tile.expand_dims %row axis 1 : tensor<128xi32> -> tensor<128x1xi32>
  %o = tile.broadcast %line : tensor<128x1xi32> -> tensor<128x32xi32>
  %y = arith.constant dense<0.0> : tensor<32x128xf16>
  %zeros = arith.constant dense<0.0> : tensor<128x128xf32>
  %x = tile.load %p[%o] : !tile.ptr<f16>, tensor<128x32xi32> -> tensor<128x32xf16>
  %d = tile.dot %x, %y, %zeros : tensor<128x32xf16>, tensor<32x128xf16> -> tensor<128x128xf32>
  tile.print "sums", %d : tensor<128x128xf32>
  tile.return
}

// -----

// Warps that a plan asks for are never taken away; that some repeat the work of
// others is said.
// CHECK-LABEL: @warps
// CHECK-SAME: warps = 4
// CHECK: plan<mma_sync, m = 16, n = 8, k = 16, warps = [1, 4]>
// REMARK: Function=warps | Remark="work of their own for 2 of 4 warps: the tile has too few blocks of 16x8"
tile.kernel @warps() plan #tile.plan<warps = 4> {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %x = arith.constant dense<1.0> : tensor<16x16xf16>
  %d = tile.dot %x, %x, %zero : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  tile.return
}

// -----

// What mma.sync cannot do is left to fma, and the reason is said: a precision that
// it does not have, sums that are promoted more often than it adds, a long k that
// is no whole number of steps, and odd sides that would fill the registers with
// copies.
// CHECK-LABEL: @fallback
// CHECK-COUNT-4: plan<fma,
// REMARK: Function=fallback | Remark="mma_sync: there is none for f32 operands and an accumulator of f32 with precision ieee"
// REMARK: Function=fallback | Remark="mma_sync: it adds 32 k at least before it promotes the sum"
// REMARK: Function=fallback | Remark="mma_sync: its k of 520 is no multiple of 32 and longer than 512"
// REMARK: Function=fallback | Remark="mma_sync: sides far from multiples of 16 and 8 take too many registers"
tile.kernel @fallback() {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %e4 = arith.constant dense<1.0> : tensor<16x16xf8E4M3FN>
  %x = arith.constant dense<1.0> : tensor<16x520xf16>
  %y = arith.constant dense<1.0> : tensor<520x16xf16>
  %odd = arith.constant dense<1.0> : tensor<33x16xf16>
  %wide = arith.constant dense<1.0> : tensor<16x33xf16>
  %oddZero = arith.constant dense<0.0> : tensor<33x33xf32>
  %ieee = tile.dot %zero, %zero, %zero : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %0 = tile.dot %e4, %e4, %ieee promote_every 16 : tensor<16x16xf8E4M3FN>, tensor<16x16xf8E4M3FN> -> tensor<16x16xf32>
  %1 = tile.dot %x, %y, %0 : tensor<16x520xf16>, tensor<520x16xf16> -> tensor<16x16xf32>
  %2 = tile.dot %odd, %wide, %oddZero : tensor<33x16xf16>, tensor<16x33xf16> -> tensor<33x33xf32>
  tile.return
}
