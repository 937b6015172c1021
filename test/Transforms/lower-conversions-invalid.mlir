// RUN: tile-opt %s --tile-gpu-lower-conversions --split-input-file --verify-diagnostics

#a = #tile.layout<register = [[0, 0, 1]], lane = [[0, 1, 0], [1, 0, 0]], sides = [2, 2, 2]>
#b = #tile.layout<register = [[1, 0, 0]], lane = [[0, 1, 0], [0, 0, 1]], sides = [2, 2, 2]>

// A tile of three dimensions has no scratch space yet.
tile.kernel @rank3(%f: f32) {
  %x = tile.splat %f : tensor<2x2x2xf32, #a>
  // expected-error @+1 {{is not lowered yet: expected a tile of rank 1 or 2, got rank 3}}
  %y = tile_gpu.convert_layout %x : tensor<2x2x2xf32, #a> -> tensor<2x2x2xf32, #b>
  tile.return
}

// -----

#a = #tile.layout<lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], sides = [1, 32], reps = [12, 1]>
#b = #tile.layout<lane = [[1, 0], [2, 0], [0, 1], [0, 2], [0, 4]], sides = [4, 8], reps = [3, 4]>

// A matrix whose rows fill no pattern of the swizzle has none either.
tile.kernel @rows(%f: f32) {
  %x = tile.splat %f : tensor<12x32xf32, #a>
  // expected-error @+1 {{is not lowered yet: expected a multiple of 8 rows, or powers of two of rows and of 128-byte blocks, under a swizzle, got 12 rows and 1 blocks}}
  %y = tile_gpu.convert_layout %x : tensor<12x32xf32, #a> -> tensor<12x32xf32, #b>
  tile.return
}
