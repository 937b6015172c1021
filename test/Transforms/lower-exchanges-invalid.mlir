// RUN: tile-opt %s --tile-gpu-lower-exchanges --split-input-file --verify-diagnostics

#line = #tile.layout<lane = [[1], [2], [4], [8], [16]], sides = [32]>

// How often a region runs depends on the layout: it may have no effects.
tile.kernel @effects(%p: !tile.ptr<f32>, %f: f32, %i: i32) plan #tile.plan<warps = 1> {
  %x = tile.splat %f : tensor<32xf32, #line>
  %s = tile.reduce %x axis 0 {
    ^bb0(%l: f32, %r: f32):
      // expected-error @+1 {{'tile.load' op is not lowered in the region of 'tile.reduce': expected ops without effects on memory}}
      %m = tile.load %p[%i] : !tile.ptr<f32>, i32 -> f32
      tile.yield %m : f32
  } : tensor<32xf32, #line> -> f32
  tile.return
}

// -----

#line = #tile.layout<lane = [[1], [2], [4], [8], [16]], sides = [32]>

// So it is with a scan.
tile.kernel @scan_effects(%p: !tile.ptr<f32>, %f: f32, %i: i32) plan #tile.plan<warps = 1> {
  %x = tile.splat %f : tensor<32xf32, #line>
  %s = tile.scan %x axis 0 {
    ^bb0(%l: f32, %r: f32):
      // expected-error @+1 {{'tile.print' op is not lowered in the region of 'tile.scan': expected ops without effects on memory}}
      tile.print "l", %l : f32
      tile.yield %r : f32
  } : tensor<32xf32, #line> -> tensor<32xf32, #line>
  tile.return
}

// -----

// Where tiles lie is known before what they exchange.
tile.kernel @nowhere(%f: f32) plan #tile.plan<warps = 1> {
  %x = tile.splat %f : tensor<32xf32>
  // expected-error @+1 {{'tile.reduce' op expected tiles with layouts, which tile-assign-layouts gives them, got 'tensor<32xf32>'}}
  %s = tile.reduce %x axis 0 {
    ^bb0(%l: f32, %r: f32):
      %m = arith.addf %l, %r : f32
      tile.yield %m : f32
  } : tensor<32xf32> -> f32
  tile.return
}
