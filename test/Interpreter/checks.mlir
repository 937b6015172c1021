// What the interpreter's checks say, with the place in the file.
// RUN: split-file %s %t
// RUN: not tile-run %t/tail.mlir -k tail --device=interpreter x=f32[6]:ones y=f32[8] 2>&1 | FileCheck %s --check-prefix=TAIL
// RUN: not tile-run %t/race.mlir -k race --device=interpreter -g 4 y=i32[2] 2>&1 | FileCheck %s --check-prefix=RACE

//--- tail.mlir
// A load without the mask of a ragged tail is out of bounds at that load.
// TAIL: tail.mlir:5:8: error: out-of-bounds read of element 6 of 'x', which ends with element 5, in lane [6] of program (0, 0, 0) of kernel 'tail'
tile.kernel @tail(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>) grid affine_map<() -> (1)> {
  %i = tile.iota : tensor<8xi32>
  %v = tile.load %x[%i] : !tile.ptr<f32>, tensor<8xi32> -> tensor<8xf32>
  tile.store %y[%i], %v : !tile.ptr<f32>, tensor<8xi32>, tensor<8xf32>
  tile.return
}

//--- race.mlir
// Programs 0 and 2 write the same element.
// RACE: race.mlir:8:3: error: race: program (2, 0, 0) writes element 0 of 'y', which program (0, 0, 0) writes
// RACE: race.mlir:8:3: note: program (0, 0, 0) writes it here
tile.kernel @race(%y: !tile.ptr<i32>) {
  %p = tile.program_id x
  %two = arith.constant 2 : i32
  %i = arith.remui %p, %two : i32
  tile.store %y[%i], %p : !tile.ptr<i32>, i32, i32
  tile.return
}
