// One program for each element of c: lane r of 256 adds up the products r,
// r + 256, r + 512, ... of its row and column, then the lanes are summed.
tile.kernel @lane_sums(%a: !tile.ptr<f32>, %b: !tile.ptr<f32>, %c: !tile.ptr<f32>,
                       %N: i32 {tile.fact = #tile.fact<min = 1, max = 65536>},
                       %K: i32 {tile.fact = #tile.fact<min = 0, max = 65536>}) {
  %row = tile.program_id x
  %column = tile.program_id y
  %zero = arith.constant 0 : i32
  %lanes = arith.constant 256 : i32
  %zeros = arith.constant dense<0.0> : tensor<256xf32>
  %iota = tile.iota : tensor<256xi32>
  %first = arith.muli %row, %K : i32
  %bounds = tile.splat %K : tensor<256xi32>
  %firsts = tile.splat %first : tensor<256xi32>
  %columns = tile.splat %column : tensor<256xi32>
  %steps = tile.splat %N : tensor<256xi32>
  %sums = scf.for %k0 = %zero to %K step %lanes iter_args(%sum = %zeros) -> tensor<256xf32> : i32 {
    %k0s = tile.splat %k0 : tensor<256xi32>
    %k = arith.addi %k0s, %iota : tensor<256xi32>
    %inside = arith.cmpi slt, %k, %bounds : tensor<256xi32>
    %i = arith.addi %firsts, %k : tensor<256xi32>
    %down = arith.muli %k, %steps : tensor<256xi32>
    %j = arith.addi %down, %columns : tensor<256xi32>
    %x = tile.load %a[%i] mask %inside : !tile.ptr<f32>, tensor<256xi32> -> tensor<256xf32>
    %y = tile.load %b[%j] mask %inside : !tile.ptr<f32>, tensor<256xi32> -> tensor<256xf32>
    %product = arith.mulf %x, %y : tensor<256xf32>
    %next = arith.addf %sum, %product : tensor<256xf32>
    scf.yield %next : tensor<256xf32>
  }
  %result = tile.reduce %sums axis 0 {
    ^bb0(%l: f32, %r: f32):
      %s = arith.addf %l, %r : f32
      tile.yield %s : f32
  } : tensor<256xf32> -> f32
  %start = arith.muli %row, %N : i32
  %place = arith.addi %start, %column : i32
  tile.store %c[%place], %result : !tile.ptr<f32>, i32, f32
  tile.return
}
