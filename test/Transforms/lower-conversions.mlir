// RUN: tile-opt %s --tile-gpu-lower-conversions --split-input-file | FileCheck %s

#acc = #tile.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], sides = [16, 8]>
#rows = #tile.layout<register = [[0, 1], [0, 2]], lane = [[0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// A conversion that crosses threads goes through a slot: written as it is, read
// as it is wanted.  The ring stands where it is used: nothing of it is left for
// the next turn of a loop.
// CHECK-DAG: #[[PLACES:layout[0-9]*]] = #tile.layout<offset = {{.*}}, sides = [16, 8]>
// CHECK-LABEL: @crosses
// CHECK: scf.for
// CHECK-NEXT: %[[RING:.*]] = tile_gpu.alloc : !tile_gpu.buffer<1x16x8xf32, #[[PLACES]]>
// CHECK-NEXT: %[[C:.*]] = tile_gpu.cursor : !tile_gpu.cursor<1>
// CHECK-NEXT: tile_gpu.local_store %[[X:.*]], %[[RING]][%[[C]]]
// CHECK-NEXT: %[[Y:.*]] = tile_gpu.local_load %[[RING]][%[[C]]]
// CHECK-NEXT: tile.print "y", %[[Y]]
tile.kernel @crosses(%n: i32, %f: f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = tile.splat %f : tensor<16x8xf32, #acc>
  scf.for %k = %c0 to %n step %c1 : i32 {
    %y = tile_gpu.convert_layout %x : tensor<16x8xf32, #acc> -> tensor<16x8xf32, #rows>
    tile.print "y", %y : tensor<16x8xf32, #rows>
  }
  tile.return
}

// -----

#lanes = #tile.layout<register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], sides = [128]>
#regs = #tile.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], sides = [128]>
#three = #tile.layout<register = [[1]], lane = [[2], [4], [8], [16], [0]], sides = [32], reps = [3]>
#three2 = #tile.layout<lane = [[1], [2], [4], [8], [16]], sides = [32], reps = [3]>

// A tile of one dimension waits in a row, whatever its side.
// CHECK-LABEL: @vector
// CHECK-DAG: tile_gpu.alloc : !tile_gpu.buffer<1x128xf32,
// CHECK-DAG: tile_gpu.alloc : !tile_gpu.buffer<1x96xf32,
// CHECK-NOT: tile_gpu.convert_layout
tile.kernel @vector(%f: f32) {
  %x = tile.splat %f : tensor<128xf32, #lanes>
  %y = tile_gpu.convert_layout %x : tensor<128xf32, #lanes> -> tensor<128xf32, #regs>
  %z = tile.splat %f : tensor<96xf32, #three>
  %w = tile_gpu.convert_layout %z : tensor<96xf32, #three> -> tensor<96xf32, #three2>
  tile.print "y", %y, %w : tensor<128xf32, #regs>, tensor<96xf32, #three2>
  tile.return
}

// -----

#a = #tile.layout<register = [[0, 1], [1, 0]], lane = [[0, 2], [0, 4], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>
#b = #tile.layout<register = [[1, 0], [0, 1]], lane = [[0, 2], [0, 4], [2, 0], [4, 0], [8, 0]], sides = [16, 8]>

// Leaves alone: a conversion that only renames registers, or does nothing.
// CHECK-LABEL: @renames
// CHECK-NOT: tile_gpu.alloc
// CHECK: tile_gpu.convert_layout
// CHECK: tile_gpu.convert_layout
tile.kernel @renames(%f: f32) {
  %x = tile.splat %f : tensor<16x8xf32, #a>
  %y = tile_gpu.convert_layout %x : tensor<16x8xf32, #a> -> tensor<16x8xf32, #b>
  %z = tile_gpu.convert_layout %x : tensor<16x8xf32, #a> -> tensor<16x8xf32, #a>
  tile.print "y", %y, %z : tensor<16x8xf32, #b>, tensor<16x8xf32, #a>
  tile.return
}

// -----

#a = #tile.layout<register = [[0, 0, 1]], lane = [[0, 1, 0], [1, 0, 0]], sides = [2, 2, 2]>
#b = #tile.layout<register = [[1, 0, 0]], lane = [[0, 1, 0], [0, 0, 1]], sides = [2, 2, 2]>

// A tile of more dimensions waits in row-major order.
// CHECK: #[[PLACES:layout[0-9]*]] = #tile.layout<offset = {{\[\[}}0, 0, 1], [0, 1, 0], [1, 0, 0]], sides = [2, 2, 2]>
// CHECK-LABEL: @rank3
// CHECK: tile_gpu.alloc : !tile_gpu.buffer<1x2x2x2xf32, #[[PLACES]]>
// CHECK-NOT: tile_gpu.convert_layout
tile.kernel @rank3(%f: f32) {
  %x = tile.splat %f : tensor<2x2x2xf32, #a>
  %y = tile_gpu.convert_layout %x : tensor<2x2x2xf32, #a> -> tensor<2x2x2xf32, #b>
  tile.print "y", %y : tensor<2x2x2xf32, #b>
  tile.return
}

// -----

#a = #tile.layout<lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], sides = [1, 32], reps = [12, 1]>
#b = #tile.layout<lane = [[1, 0], [2, 0], [0, 1], [0, 2], [0, 4]], sides = [4, 8], reps = [3, 4]>

// So does a matrix whose rows fill no pattern of the swizzle.
// CHECK: #[[PLACES:layout[0-9]*]] = #tile.layout<offset = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], sides = [4, 32], reps = [3, 1]>
// CHECK-LABEL: @rows
// CHECK: tile_gpu.alloc : !tile_gpu.buffer<1x12x32xf32, #[[PLACES]]>
tile.kernel @rows(%f: f32) {
  %x = tile.splat %f : tensor<12x32xf32, #a>
  %y = tile_gpu.convert_layout %x : tensor<12x32xf32, #a> -> tensor<12x32xf32, #b>
  tile.print "y", %y : tensor<12x32xf32, #b>
  tile.return
}
