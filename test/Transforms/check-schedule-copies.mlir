// RUN: tile-opt %s --tile-gpu-check-schedule -o /dev/null

// What tile-gpu-check-schedule accepts where it cannot follow, and right schedules
// that are not those of the pipeliner.

#l = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], sides = [32, 32]>
!ring = !tile_gpu.buffer<2x32x32xf16, #l>
!cur = !tile_gpu.cursor<2>
!tile = tensor<32x32xf16>

// A copy and its read below the same condition, which is asked twice.
tile.kernel @same_condition(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %some = arith.cmpi sgt, %n, %c0 : i32
  %ring = tile_gpu.alloc : !ring
  %c = tile_gpu.cursor : !cur
  scf.if %some {
    tile_gpu.copy_async %p[%c0, %c0] bounds[%n, %n] strides[%one, %one] into %ring[%c] plan<cp_async, vector = 8> : !tile.ptr<f16>, i32, !ring, !cur
    tile_gpu.commit
  }
  scf.if %some {
    tile_gpu.wait 0
    %x = tile_gpu.local_load %ring[%c] : !ring, !cur -> !tile
    tile_gpu.store %x, %q[%c0, %c0] bounds[%n, %n] strides[%one, %one] plan<registers> : !tile, !tile.ptr<f16>, i32
  }
  tile.return
}

// Two branches that copy to different slots, and read those below the same
// condition.
tile.kernel @either_slot(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %some = arith.cmpi sgt, %n, %c0 : i32
  %ring = tile_gpu.alloc : !ring
  %c = tile_gpu.cursor : !cur
  %d = tile_gpu.advance %c by 1 : !cur
  scf.if %some {
    tile_gpu.copy_async %p[%c0, %c0] bounds[%n, %n] strides[%one, %one] into %ring[%c] plan<cp_async, vector = 8> : !tile.ptr<f16>, i32, !ring, !cur
  } else {
    tile_gpu.copy_async %p[%c0, %c0] bounds[%n, %n] strides[%one, %one] into %ring[%d] plan<cp_async, vector = 8> : !tile.ptr<f16>, i32, !ring, !cur
  }
  tile_gpu.commit
  tile_gpu.wait 0
  scf.if %some {
    %x = tile_gpu.local_load %ring[%c] : !ring, !cur -> !tile
    tile_gpu.store %x, %q[%c0, %c0] bounds[%n, %n] strides[%one, %one] plan<registers> : !tile, !tile.ptr<f16>, i32
  } else {
    %x = tile_gpu.local_load %ring[%d] : !ring, !cur -> !tile
    tile_gpu.store %x, %q[%c0, %c0] bounds[%n, %n] strides[%one, %one] plan<registers> : !tile, !tile.ptr<f16>, i32
  }
  tile.return
}

// A first copy that is there only where the loop runs.
tile.kernel @conditional_prologue(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1 : i64
  %some = arith.cmpi sgt, %n, %c0 : i32
  %ring = tile_gpu.alloc : !ring
  %start = tile_gpu.cursor : !cur
  scf.if %some {
    tile_gpu.copy_async %p[%c0, %c0] bounds[%n, %n] strides[%one, %one] into %ring[%start] plan<cp_async, vector = 8> : !tile.ptr<f16>, i32, !ring, !cur
    tile_gpu.commit
  }
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%c = %start) -> !cur : i32 {
    tile_gpu.wait 0
    %d = tile_gpu.advance %c by 1 : !cur
    tile_gpu.copy_async %p[%i, %c0] bounds[%n, %n] strides[%one, %one] into %ring[%d] plan<cp_async, vector = 8> : !tile.ptr<f16>, i32, !ring, !cur
    tile_gpu.commit
    %x = tile_gpu.local_load %ring[%c] : !ring, !cur -> !tile
    tile_gpu.store %x, %q[%i, %c0] bounds[%n, %n] strides[%one, %one] plan<registers> : !tile, !tile.ptr<f16>, i32
    scf.yield %d : !cur
  }
  tile_gpu.wait 0
  tile.return
}

// A ring that goes through scf.while: neither what it holds inside nor behind is
// known.
tile.kernel @in_while(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1 : i64
  %ring = tile_gpu.alloc : !ring
  %start = tile_gpu.cursor : !cur
  tile_gpu.copy_async %p[%c0, %c0] bounds[%n, %n] strides[%one, %one] into %ring[%start] plan<cp_async, vector = 8> : !tile.ptr<f16>, i32, !ring, !cur
  tile_gpu.commit
  %r:2 = scf.while (%i = %c0, %c = %start) : (i32, !cur) -> (i32, !cur) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i, %c : i32, !cur
  } do {
  ^bb0(%i: i32, %c: !cur):
    tile_gpu.wait 0
    %d = tile_gpu.advance %c by 1 : !cur
    tile_gpu.copy_async %p[%i, %c0] bounds[%n, %n] strides[%one, %one] into %ring[%d] plan<cp_async, vector = 8> : !tile.ptr<f16>, i32, !ring, !cur
    tile_gpu.commit
    %x = tile_gpu.local_load %ring[%c] : !ring, !cur -> !tile
    tile_gpu.store %x, %q[%i, %c0] bounds[%n, %n] strides[%one, %one] plan<registers> : !tile, !tile.ptr<f16>, i32
    %j = arith.addi %i, %c1 : i32
    scf.yield %j, %d : i32, !cur
  }
  tile_gpu.wait 0
  %y = tile_gpu.local_load %ring[%r#1] : !ring, !cur -> !tile
  tile_gpu.store %y, %q[%c0, %c0] bounds[%n, %n] strides[%one, %one] plan<registers> : !tile, !tile.ptr<f16>, i32
  tile.return
}

// A loop whose bounds are constants leaves its cursor where it is known: the turn
// that was copied last is read behind it.
tile.kernel @epilogue(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %one = arith.constant 1 : i64
  %ring = tile_gpu.alloc : !ring
  %start = tile_gpu.cursor : !cur
  tile_gpu.copy_async %p[%c0, %c0] bounds[%n, %n] strides[%one, %one] into %ring[%start] plan<cp_async, vector = 8> : !tile.ptr<f16>, i32, !ring, !cur
  tile_gpu.commit
  %last = scf.for %i = %c0 to %c3 step %c1 iter_args(%c = %start) -> !cur : i32 {
    %d = tile_gpu.advance %c by 1 : !cur
    tile_gpu.copy_async %p[%i, %c0] bounds[%n, %n] strides[%one, %one] into %ring[%d] plan<cp_async, vector = 8> : !tile.ptr<f16>, i32, !ring, !cur
    tile_gpu.commit
    tile_gpu.wait 1
    %x = tile_gpu.local_load %ring[%c] : !ring, !cur -> !tile
    tile_gpu.store %x, %q[%i, %c0] bounds[%n, %n] strides[%one, %one] plan<registers> : !tile, !tile.ptr<f16>, i32
    scf.yield %d : !cur
  }
  tile_gpu.wait 0
  %y = tile_gpu.local_load %ring[%last] : !ring, !cur -> !tile
  tile_gpu.store %y, %q[%c3, %c0] bounds[%n, %n] strides[%one, %one] plan<registers> : !tile, !tile.ptr<f16>, i32
  tile.return
}
