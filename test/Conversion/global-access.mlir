// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#blocked = #tile.layout<register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], sides = [16, 16]>
#many = #tile.layout<register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], sides = [32, 32]>
#small = #tile.layout<register = [[0, 1]], lane = [[0, 2], [1, 0], [2, 0], [0, 0], [0, 0]], warp = [[0, 0]], sides = [4, 4]>

// Eight elements of a row that is known to be whole travel in one predicated
// store of four words.
// CHECK-LABEL: llvm.func @store_vector(
// CHECK: llvm.inline_asm has_side_effects "{{.*}}setp.gt.s32 p, $5, 0;{{.*}}setp.gt.and.s32 p, $6, 0, p;{{.*}}@p st.global.v4.b32 [$0], {$1, $2, $3, $4};{{.*}}", "l,r,r,r,r,r,r"
// CHECK-NOT: llvm.inline_asm
tile.kernel @store_vector(%p: !tile.ptr<f16>, %M: i32, %N: i32, %sm: i64)
    plan #tile.plan<warps = 1> {
  %x = arith.constant dense<0.0> : tensor<16x16xf16, #blocked>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  tile_gpu.store %x, %p[%zero, %zero] bounds[%M, %N] strides[%sm, %one]
      plan<registers, vector = 8> : tensor<16x16xf16, #blocked>, !tile.ptr<f16>, i32
  tile.return
}

// Without stride 1 elements travel alone, whatever the plan allows.
// CHECK-LABEL: llvm.func @store_elements(
// CHECK-COUNT-8: st.global.b16
// CHECK-NOT: st.global
tile.kernel @store_elements(%p: !tile.ptr<f16>, %M: i32, %N: i32, %sm: i64, %sn: i64)
    plan #tile.plan<warps = 1> {
  %x = arith.constant dense<0.0> : tensor<16x16xf16, #blocked>
  %zero = arith.constant 0 : i32
  tile_gpu.store %x, %p[%zero, %zero] bounds[%M, %N] strides[%sm, %sn]
      plan<registers, vector = 8> : tensor<16x16xf16, #blocked>, !tile.ptr<f16>, i32
  tile.return
}

// Of threads that hold the same element one stores it: those with lane bits 3
// and 4 and the warp's bit clear.
// CHECK-LABEL: llvm.func @store_owner(
// CHECK: %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x range <i32, 0, 64> : i32
// CHECK-DAG: %[[COPIES:.*]] = llvm.mlir.constant(56 : i32)
// CHECK: %[[BITS:.*]] = llvm.and %[[TID]], %[[COPIES]]
// CHECK: %[[OWNER:.*]] = llvm.icmp "eq" %[[BITS]],
// CHECK: llvm.zext %[[OWNER]] : i1 to i16
// CHECK: st.global.v2.b32
// CHECK-NOT: st.global
tile.kernel @store_owner(%p: !tile.ptr<f32>, %sm: i64) plan #tile.plan<warps = 2> {
  %x = arith.constant dense<0.0> : tensor<4x4xf32, #small>
  %zero = arith.constant 0 : i32
  %none = arith.constant 2147483647 : i32
  %one = arith.constant 1 : i64
  tile_gpu.store %x, %p[%zero, %zero] bounds[%none, %none] strides[%sm, %one]
      plan<registers, vector = 2> : tensor<4x4xf32, #small>, !tile.ptr<f32>, i32
  tile.return
}

// A masked lane of a load takes zero and touches no memory; 64-bit indices are
// compared as such.
// CHECK-LABEL: llvm.func @load(
// CHECK: llvm.inline_asm has_side_effects "{{.*}}setp.gt.s64 p, $2, 0;{{.*}}mov.b32 $0, 0;{{.*}}@p ld.global.b32 $0, [$1];
tile.kernel @load(%p: !tile.ptr<f32>, %M: i64, %N: i64, %sm: i64, %sn: i64)
    plan #tile.plan<warps = 1> {
  %zero = arith.constant 0 : i64
  %x = tile_gpu.load %p[%zero, %zero] bounds[%M, %N] strides[%sm, %sn]
      plan<registers> : !tile.ptr<f32>, i64 -> tensor<16x16xf32, #blocked>
  tile.return
}

// A store of many accesses after a load compares the complements of the bounds and
// constants, lest ptxas keep the results of the load's comparisons for it.
// CHECK-LABEL: llvm.func @load_and_store(
// CHECK: llvm.inline_asm has_side_effects "{{.*}}setp.gt.s32 p, $2, 0;{{.*}}@p ld.global.b32
// CHECK: setp.gt.s32 p, $2, 0;{{.*}}setp.gt.and.s32 p, $3, 31, p;{{.*}}@p ld.global.b32
// CHECK: %[[LEFT:.*]] = llvm.intr.ssub.sat
// CHECK: %[[COMPLEMENT:.*]] = llvm.xor %[[LEFT]], %{{.*}}
// CHECK: llvm.inline_asm has_side_effects "{{.*}}setp.lt.s32 p, $2, -1;{{.*}}setp.lt.and.s32 p, $3, -1, p;{{.*}}@p st.global.b32 {{.*}}%[[COMPLEMENT]]
// CHECK: setp.lt.s32 p, $2, -1;{{.*}}setp.lt.and.s32 p, $3, -32, p;{{.*}}@p st.global.b32
tile.kernel @load_and_store(%p: !tile.ptr<f32>, %M: i32, %N: i32, %sm: i64, %sn: i64)
    plan #tile.plan<warps = 1> {
  %zero = arith.constant 0 : i32
  %x = tile_gpu.load %p[%zero, %zero] bounds[%M, %N] strides[%sm, %sn]
      plan<registers> : !tile.ptr<f32>, i32 -> tensor<32x32xf32, #many>
  tile_gpu.store %x, %p[%zero, %zero] bounds[%M, %N] strides[%sm, %sn]
      plan<registers> : tensor<32x32xf32, #many>, !tile.ptr<f32>, i32
  tile.return
}

// Of few, the comparisons are the same.
// CHECK-LABEL: llvm.func @load_and_store_few(
// CHECK-NOT: setp.lt
tile.kernel @load_and_store_few(%p: !tile.ptr<f32>, %M: i32, %N: i32, %sm: i64, %sn: i64)
    plan #tile.plan<warps = 1> {
  %zero = arith.constant 0 : i32
  %x = tile_gpu.load %p[%zero, %zero] bounds[%M, %N] strides[%sm, %sn]
      plan<registers> : !tile.ptr<f32>, i32 -> tensor<16x16xf32, #blocked>
  tile_gpu.store %x, %p[%zero, %zero] bounds[%M, %N] strides[%sm, %sn]
      plan<registers> : tensor<16x16xf32, #blocked>, !tile.ptr<f32>, i32
  tile.return
}

// Many addresses are not held through a loop, from what is read before it to what is
// written behind it; few are, also those of many accesses that differ by constants.
// CHECK-LABEL: llvm.func @read_loop_write(
// CHECK-SAME: %[[BASE:[a-z0-9]+]]: !llvm.ptr<1>
// CHECK: llvm.getelementptr %[[BASE]]
// CHECK: %[[AGAIN:.*]] = llvm.inline_asm has_side_effects "", "=l,0" %[[BASE]] : (!llvm.ptr<1>) -> !llvm.ptr<1>
// CHECK-NOT: llvm.getelementptr %[[BASE]]
// CHECK: llvm.getelementptr %[[AGAIN]]
// CHECK-LABEL: llvm.func @read_loop_write_few(
// CHECK-NOT: "=l,0"
// CHECK-LABEL: llvm.func @read_loop_write_rows(
// CHECK-NOT: "=l,0"
tile.kernel @read_loop_write(%p: !tile.ptr<f32>, %n: i32, %M: i32, %N: i32, %sm: i64, %sn: i64)
    plan #tile.plan<warps = 1> {
  %zero = arith.constant 0 : i32
  %x = tile_gpu.load %p[%zero, %zero] bounds[%M, %N] strides[%sm, %sn]
      plan<registers> : !tile.ptr<f32>, i32 -> tensor<32x32xf32, #many>
  %y = scf.for %i = %zero to %n step %n iter_args(%s = %x) -> (tensor<32x32xf32, #many>) : i32 {
    %t = arith.addf %s, %s : tensor<32x32xf32, #many>
    scf.yield %t : tensor<32x32xf32, #many>
  }
  tile_gpu.store %y, %p[%zero, %zero] bounds[%M, %N] strides[%sm, %sn]
      plan<registers> : tensor<32x32xf32, #many>, !tile.ptr<f32>, i32
  tile.return
}
tile.kernel @read_loop_write_few(%p: !tile.ptr<f32>, %n: i32, %M: i32, %N: i32, %sm: i64, %sn: i64)
    plan #tile.plan<warps = 1> {
  %zero = arith.constant 0 : i32
  %x = tile_gpu.load %p[%zero, %zero] bounds[%M, %N] strides[%sm, %sn]
      plan<registers> : !tile.ptr<f32>, i32 -> tensor<16x16xf32, #blocked>
  %y = scf.for %i = %zero to %n step %n iter_args(%s = %x) -> (tensor<16x16xf32, #blocked>) : i32 {
    %t = arith.addf %s, %s : tensor<16x16xf32, #blocked>
    scf.yield %t : tensor<16x16xf32, #blocked>
  }
  tile_gpu.store %y, %p[%zero, %zero] bounds[%M, %N] strides[%sm, %sn]
      plan<registers> : tensor<16x16xf32, #blocked>, !tile.ptr<f32>, i32
  tile.return
}

tile.kernel @read_loop_write_rows(%p: !tile.ptr<f32>, %n: i32, %M: i32, %N: i32, %sm: i64)
    plan #tile.plan<warps = 1> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %x = tile_gpu.load %p[%zero, %zero] bounds[%M, %N] strides[%sm, %one]
      plan<registers> : !tile.ptr<f32>, i32 -> tensor<32x32xf32, #many>
  %y = scf.for %i = %zero to %n step %n iter_args(%s = %x) -> (tensor<32x32xf32, #many>) : i32 {
    %t = arith.addf %s, %s : tensor<32x32xf32, #many>
    scf.yield %t : tensor<32x32xf32, #many>
  }
  tile_gpu.store %y, %p[%zero, %zero] bounds[%M, %N] strides[%sm, %one]
      plan<registers> : tensor<32x32xf32, #many>, !tile.ptr<f32>, i32
  tile.return
}

// Where no loop stands between them, the assembler would hold the load's addresses
// for the store: each lane's own comes out of a shuffle.
// CHECK-LABEL: llvm.func @loop_read_write(
// CHECK: ld.global
// CHECK: %[[BITS:.*]] = llvm.ptrtoint
// CHECK: llvm.bitcast %[[BITS]] : i64 to vector<2xi32>
// CHECK-COUNT-2: nvvm.shfl.sync idx
// CHECK: llvm.inttoptr
// CHECK: st.global
tile.kernel @loop_read_write(%p: !tile.ptr<f32>, %n: i32, %M: i32, %N: i32, %sm: i64, %sn: i64)
    plan #tile.plan<warps = 1> {
  %zero = arith.constant 0 : i32
  %zeros = arith.constant dense<0.0> : tensor<32x32xf32, #many>
  %y = scf.for %i = %zero to %n step %n iter_args(%s = %zeros) -> (tensor<32x32xf32, #many>) : i32 {
    %t = arith.addf %s, %s : tensor<32x32xf32, #many>
    scf.yield %t : tensor<32x32xf32, #many>
  }
  %x = tile_gpu.load %p[%zero, %zero] bounds[%M, %N] strides[%sm, %sn]
      plan<registers> : !tile.ptr<f32>, i32 -> tensor<32x32xf32, #many>
  %z = arith.addf %x, %y : tensor<32x32xf32, #many>
  tile_gpu.store %z, %p[%zero, %zero] bounds[%M, %N] strides[%sm, %sn]
      plan<registers> : tensor<32x32xf32, #many>, !tile.ptr<f32>, i32
  tile.return
}

// Nor are those of an access in a loop, be they the same in all turns; where the
// origin changes they could not be.
// CHECK-LABEL: llvm.func @write_in_loop(
// CHECK-SAME: %[[BASE:[a-z0-9]+]]: !llvm.ptr<1>
// CHECK: llvm.inline_asm has_side_effects "", "=l,0" %[[BASE]] :
// CHECK-NOT: "=l,0"
tile.kernel @write_in_loop(%p: !tile.ptr<f32>, %n: i32, %M: i32, %N: i32, %sm: i64, %sn: i64)
    plan #tile.plan<warps = 1> {
  %zero = arith.constant 0 : i32
  %x = arith.constant dense<0.0> : tensor<32x32xf32, #many>
  scf.for %i = %zero to %n step %n : i32 {
    tile_gpu.store %x, %p[%zero, %zero] bounds[%M, %N] strides[%sm, %sn]
        plan<registers> : tensor<32x32xf32, #many>, !tile.ptr<f32>, i32
    tile_gpu.store %x, %p[%i, %zero] bounds[%M, %N] strides[%sm, %sn]
        plan<registers> : tensor<32x32xf32, #many>, !tile.ptr<f32>, i32
  }
  tile.return
}
