// RUN: tile-opt %s --convert-tile-to-nvvm -split-input-file | FileCheck %s

#line = #tile.layout<register = [[1]], lane = [[2], [4], [0], [0], [0]], sides = [8], reps = [3]>

// The tree goes over the bits of the index, low to high: the register bit, the two
// lane bits for each of the repetitions, then the repetitions, the third of which
// has no partner at first.  The lower index is left.
// CHECK-LABEL: llvm.func @line
// CHECK: %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK: llvm.br
// CHECK: %[[A:.*]] = llvm.fsub
// CHECK: %[[B:.*]] = llvm.fsub
// CHECK: %[[C:.*]] = llvm.fsub
// CHECK: %[[IS_UPPER:.*]] = llvm.icmp "ne"
// CHECK: nvvm.shfl.sync  bfly %{{.*}}, %{{.*}}, %[[ONE:.*]], %{{.*}}
// CHECK: %[[OTHER:.*]] = llvm.bitcast %{{.*}} : i32 to f32
// CHECK: %[[LEFT:.*]] = llvm.select %[[IS_UPPER]], %[[OTHER]], %[[A]]
// CHECK: %[[RIGHT:.*]] = llvm.select %[[IS_UPPER]], %[[A]], %[[OTHER]]
// CHECK: llvm.fsub %[[LEFT]], %[[RIGHT]]
// CHECK-COUNT-2: nvvm.shfl.sync  bfly %{{.*}}, %{{.*}}, %[[ONE]]
// CHECK: llvm.icmp "ne"
// CHECK: nvvm.shfl.sync  bfly %{{.*}}, %{{.*}}, %[[TWO:.*]], %
// CHECK: %[[A4:.*]] = llvm.fsub
// CHECK: nvvm.shfl.sync  bfly %{{.*}}, %{{.*}}, %[[TWO]]
// CHECK: %[[B4:.*]] = llvm.fsub
// CHECK: nvvm.shfl.sync  bfly %{{.*}}, %{{.*}}, %[[TWO]]
// CHECK: %[[C4:.*]] = llvm.fsub
// CHECK: %[[AB:.*]] = llvm.fsub %[[A4]], %[[B4]]
// CHECK: llvm.fsub %[[AB]], %[[C4]]
// CHECK-NOT: nvvm.shfl.sync
tile.kernel @line(%f: f32) plan #tile.plan<warps = 1> {
  %x = tile.splat %f : tensor<24xf32, #line>
  %s = tile.reduce %x axis 0 {
    ^bb0(%l: f32, %r: f32):
      %d = arith.subf %l, %r : f32
      tile.yield %d : f32
  } : tensor<24xf32, #line> -> f32
  tile.return
}

// -----

#line = #tile.layout<register = [[4], [8]], lane = [[1], [2], [0], [0], [0]], sides = [16]>

// An operation that may be done in any order joins registers first, and needs no
// selection; half precision travels as a word.
// CHECK-LABEL: llvm.func @any_order
// CHECK-COUNT-3: llvm.intr.maximum
// CHECK-NOT: llvm.select
// CHECK: llvm.zext %{{.*}} : i16 to i32
// CHECK: nvvm.shfl.sync  bfly
// CHECK: llvm.trunc %{{.*}} : i32 to i16
// CHECK: llvm.intr.maximum
// CHECK: nvvm.shfl.sync  bfly
// CHECK: llvm.intr.maximum
// CHECK-NOT: nvvm.shfl.sync
tile.kernel @any_order(%f: f16) plan #tile.plan<warps = 1> {
  %x = tile.splat %f : tensor<16xf16, #line>
  %s = tile.reduce %x axis 0 {
    ^bb0(%l: f16, %r: f16):
      %d = arith.maximumf %l, %r : f16
      tile.yield %d : f16
  } : tensor<16xf16, #line> -> f16
  tile.return
}

// -----

#line = #tile.layout<register = [[4], [8]], lane = [[1], [2], [0], [0], [0]], sides = [16]>

// A sum of floats keeps its order.  Lanes share what registers above them hold: two
// shuffles for the first bit, one for the second, and one for each register bit.
// With reassoc, registers join first.
// CHECK-LABEL: llvm.func @sums
// CHECK: %[[OWN:.*]] = llvm.select %[[UPPER:.*]], %[[SECOND:.*]], %[[FIRST:.*]] :
// CHECK: %[[SENT:.*]] = llvm.select %[[UPPER]], %[[FIRST]], %[[SECOND]]
// CHECK: %[[BITS:.*]] = llvm.bitcast %[[SENT]]
// CHECK: %[[WORD:.*]] = nvvm.shfl.sync  bfly %{{.*}}, %[[BITS]]
// CHECK: %[[OTHER:.*]] = llvm.bitcast %[[WORD]]
// CHECK: llvm.fadd %[[OWN]], %[[OTHER]]
// CHECK-COUNT-4: nvvm.shfl.sync  bfly
// CHECK: llvm.fadd
// CHECK-COUNT-3: llvm.fadd
// CHECK-COUNT-2: nvvm.shfl.sync  bfly
// CHECK-NOT: nvvm.shfl.sync
tile.kernel @sums(%f: f32) plan #tile.plan<warps = 1> {
  %x = tile.splat %f : tensor<16xf32, #line>
  %s = tile.reduce %x axis 0 {
    ^bb0(%l: f32, %r: f32):
      %d = arith.addf %l, %r : f32
      tile.yield %d : f32
  } : tensor<16xf32, #line> -> f32
  %t = tile.reduce %x axis 0 reassoc {
    ^bb0(%l: f32, %r: f32):
      %d = arith.addf %l, %r : f32
      tile.yield %d : f32
  } : tensor<16xf32, #line> -> f32
  tile.return
}

// -----

#rows = #tile.layout<lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], register = [[4, 0]], sides = [8, 8]>
#sums = #tile.layout<register = [[4]], lane = [[0], [0], [0], [1], [2]], sides = [8]>

// Groups of several operands go together, 64 bits in two words; rows stay apart.
// CHECK-LABEL: llvm.func @argmax
// CHECK-COUNT-3: nvvm.shfl.sync  bfly
// CHECK: llvm.fcmp
// CHECK-COUNT-15: nvvm.shfl.sync  bfly
// CHECK-NOT: nvvm.shfl.sync
tile.kernel @argmax(%f: f32, %k: i64) plan #tile.plan<warps = 1> {
  %x = tile.splat %f : tensor<8x8xf32, #rows>
  %i = tile.splat %k : tensor<8x8xi64, #rows>
  %m:2 = tile.reduce %x, %i axis 1 {
    ^bb0(%l: f32, %li: i64, %r: f32, %ri: i64):
      %c = arith.cmpf oge, %l, %r : f32
      %v = arith.select %c, %l, %r : f32
      %w = arith.select %c, %li, %ri : i64
      tile.yield %v, %w : f32, i64
  } : tensor<8x8xf32, #rows>, tensor<8x8xi64, #rows> -> tensor<8xf32, #sums>, tensor<8xi64, #sums>
  tile.return
}

// -----

#line = #tile.layout<register = [[1]], lane = [[2], [4], [0], [0], [0]], sides = [8]>

// A region with control flow is a part of the program.
// CHECK-LABEL: llvm.func @branches
// CHECK-COUNT-3: llvm.cond_br
// CHECK-NOT: llvm.cond_br
tile.kernel @branches(%f: f32) plan #tile.plan<warps = 1> {
  %x = tile.splat %f : tensor<8xf32, #line>
  %s = tile.reduce %x axis 0 {
    ^bb0(%l: f32, %r: f32):
      %c = arith.cmpf olt, %l, %r : f32
      %d = scf.if %c -> f32 {
        scf.yield %l : f32
      } else {
        scf.yield %r : f32
      }
      tile.yield %d : f32
  } : tensor<8xf32, #line> -> f32
  tile.return
}

// -----

#line = #tile.layout<register = [[1]], lane = [[2], [4], [0], [0], [0]], sides = [8]>

// A sum of integers is added in any order, of which another than the program's may
// overflow: its flag goes.
// CHECK-LABEL: llvm.func @any_order_wraps
// CHECK-COUNT-3: llvm.add %{{[^ ]+}}, %{{[^ ]+}} : i32
// CHECK-NOT: overflow
tile.kernel @any_order_wraps(%n: i32) plan #tile.plan<warps = 1> {
  %x = tile.splat %n : tensor<8xi32, #line>
  %s = tile.reduce %x axis 0 {
    ^bb0(%l: i32, %r: i32):
      %d = arith.addi %l, %r overflow<nsw> : i32
      tile.yield %d : i32
  } : tensor<8xi32, #line> -> i32
  tile.return
}

// -----

#line = #tile.layout<register = [[1]], lane = [[2], [4], [0], [0], [0]], sides = [8]>

// So go those of a region that makes more than a sum.
// CHECK-LABEL: llvm.func @parts_wrap
// CHECK: llvm.add %{{[^ ]+}}, %{{[^ ]+}} : i32
// CHECK-NOT: overflow
tile.kernel @parts_wrap(%n: i32) plan #tile.plan<warps = 1> {
  %x = tile.splat %n : tensor<8xi32, #line>
  %s:2 = tile.reduce %x, %x axis 0 reassoc {
    ^bb0(%a: i32, %x1: i32, %b: i32, %y1: i32):
      %d = arith.addi %a, %b overflow<nsw> : i32
      %m = arith.maxsi %x1, %y1 : i32
      tile.yield %d, %m : i32, i32
  } : tensor<8xi32, #line>, tensor<8xi32, #line> -> i32, i32
  tile.return
}
