// RUN: tile-opt %s --convert-tile-to-nvvm --split-input-file --verify-diagnostics

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], sides = [32, 32]>
!ring = !tile_gpu.buffer<2x32x32xf16, #k>
#r = #tile.layout<register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], sides = [32, 32]>
!tile = tensor<32x32xf16, #r>

// Rings on the same bytes, one of which is read after the other is written: the
// second is an error.
tile.kernel @rings() plan #tile.plan<warps = 1> {
  %x = arith.constant dense<1.0> : !tile
  // expected-note @+1 {{this has 0 to 4095}}
  %a = tile_gpu.alloc at 0 : !ring
  // expected-error @+1 {{expected bytes of shared memory that nothing else has at the same time, got 2048 to 6143}}
  %b = tile_gpu.alloc at 2048 : !ring
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  tile_gpu.local_store %x, %a[%c] : !tile, !ring, !tile_gpu.cursor<2>
  tile_gpu.local_store %x, %b[%c] : !tile, !ring, !tile_gpu.cursor<2>
  %y = tile_gpu.local_load %a[%c] : !ring, !tile_gpu.cursor<2> -> !tile
  tile.return
}

// -----

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], sides = [32, 32]>
!ring = !tile_gpu.buffer<2x32x32xf16, #k>
#r = #tile.layout<register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], sides = [32, 32]>
!tile = tensor<32x32xf16, #r>

// Rings of which one is used after the other may have the same bytes, and rings in use
// together neighbouring ones.
tile.kernel @apart() plan #tile.plan<warps = 1> {
  %x = arith.constant dense<1.0> : !tile
  %a = tile_gpu.alloc at 0 : !ring
  %b = tile_gpu.alloc at 0 : !ring
  %d = tile_gpu.alloc at 4096 : !ring
  %full = tile_gpu.barriers arrivals 1 at 8192 : !tile_gpu.barriers<2>
  %free = tile_gpu.barriers arrivals 1 at 8208 : !tile_gpu.barriers<2>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  tile_gpu.local_store %x, %a[%c] : !tile, !ring, !tile_gpu.cursor<2>
  tile_gpu.local_store %x, %b[%c] : !tile, !ring, !tile_gpu.cursor<2>
  tile_gpu.local_store %x, %d[%c] : !tile, !ring, !tile_gpu.cursor<2>
  %y = tile_gpu.local_load %b[%c] : !ring, !tile_gpu.cursor<2> -> !tile
  tile.return
}

// -----

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], sides = [32, 32]>
!ring = !tile_gpu.buffer<2x32x32xf16, #k>
#r = #tile.layout<register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], sides = [32, 32]>
!tile = tensor<32x32xf16, #r>

// Rings that are used in one loop live through all of it, whichever comes first.
tile.kernel @loop(%n: i32) plan #tile.plan<warps = 1> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %x = arith.constant dense<1.0> : !tile
  // expected-note @+1 {{this has 0 to 4095}}
  %a = tile_gpu.alloc at 0 : !ring
  // expected-error @+1 {{that nothing else has at the same time, got 0 to 4095}}
  %b = tile_gpu.alloc at 0 : !ring
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  scf.for %i = %zero to %n step %one : i32 {
    tile_gpu.local_store %x, %a[%c] : !tile, !ring, !tile_gpu.cursor<2>
    tile_gpu.local_store %x, %b[%c] : !tile, !ring, !tile_gpu.cursor<2>
  }
  tile.return
}

// -----

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], sides = [32, 32]>
!ring = !tile_gpu.buffer<2x32x32xf16, #k>
#r = #tile.layout<register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], sides = [32, 32]>
!tile = tensor<32x32xf16, #r>

// Barriers are in use from the start to the end: no ring's bytes will do.
tile.kernel @barriers_on_ring() plan #tile.plan<warps = 1> {
  %x = arith.constant dense<1.0> : !tile
  // expected-note @+1 {{this has 1024 to 5119}}
  %a = tile_gpu.alloc at 1024 : !ring
  // expected-error @+1 {{that nothing else has at the same time, got 1016 to 1031}}
  %full = tile_gpu.barriers arrivals 1 at 1016 : !tile_gpu.barriers<2>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  tile_gpu.local_store %x, %a[%c] : !tile, !ring, !tile_gpu.cursor<2>
  tile.return
}

// -----

// Nor will other barriers' bytes.
tile.kernel @barriers_on_barriers() plan #tile.plan<warps = 1> {
  // expected-note @+1 {{this has 0 to 15}}
  %full = tile_gpu.barriers arrivals 1 at 0 : !tile_gpu.barriers<2>
  // expected-error @+1 {{that nothing else has at the same time, got 8 to 23}}
  %free = tile_gpu.barriers arrivals 1 at 8 : !tile_gpu.barriers<2>
  tile.return
}

// -----

// What the kernel says it needs is what the launch gives.
tile.kernel @beyond() plan #tile.plan<warps = 1> attributes {tile_gpu.shared = 1024 : i64} {
  %full = tile_gpu.barriers arrivals 1 at 1008 : !tile_gpu.barriers<2>
  // expected-error @+1 {{expected bytes below the 1024 of shared memory that the kernel asks for, got 1024 to 1039}}
  %free = tile_gpu.barriers arrivals 1 at 1024 : !tile_gpu.barriers<2>
  tile.return
}

// -----

#k = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], sides = [32, 32]>
!ring = !tile_gpu.buffer<2x32x32xf16, #k>
#r = #tile.layout<register = [[0, 1], [0, 2], [0, 4], [0, 8]], lane = [[0, 16], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [0, 0]], sides = [32, 32]>
!tile = tensor<32x32xf16, #r>

// Roles run side by side, whichever is written first.
tile.kernel @roles() plan #tile.plan<target = "sm_90a", warps = 4> {
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  tile_gpu.roles {
    tile_gpu.role "producer" warps 4 {
      %x = arith.constant dense<1.0> : !tile
      // expected-note @+1 {{this has 0 to 4095}}
      %a = tile_gpu.alloc at 0 : !ring
      tile_gpu.local_store %x, %a[%c] : !tile, !ring, !tile_gpu.cursor<2>
    }
    tile_gpu.role "consumer" warps 4 {
      %x = arith.constant dense<1.0> : !tile
      // expected-error @+1 {{that nothing else has at the same time, got 0 to 4095}}
      %b = tile_gpu.alloc at 0 : !ring
      tile_gpu.local_store %x, %b[%c] : !tile, !ring, !tile_gpu.cursor<2>
    }
  }
  tile.return
}
