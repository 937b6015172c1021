// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

// Shared memory is one array of the module, whose size the launch gives.
// CHECK: llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>

// A kernel becomes a function with launch bounds of 32 threads a warp.
// CHECK-LABEL: llvm.func @bounds(
// CHECK-SAME: nvvm.kernel
// CHECK-SAME: nvvm.maxntid = array<i32: 64>
// CHECK: llvm.return
tile.kernel @bounds() plan #tile.plan<warps = 2> {
  tile.return
}

// Pointers go to global memory; they are aligned to their element at least, to
// the power of two of a stated divisibility at most, and noalias where stated.
// CHECK-LABEL: llvm.func @pointers(
// CHECK-SAME: %{{[a-z0-9]+}}: !llvm.ptr<1> {llvm.align = 2 : i64},
// CHECK-SAME: %{{[a-z0-9]+}}: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias},
// CHECK-SAME: %{{[a-z0-9]+}}: !llvm.ptr<1> {llvm.align = 32 : i64}, %{{[a-z0-9]+}}: i64)
tile.kernel @pointers(
    %p: !tile.ptr<f16>,
    %q: !tile.ptr<f32> {tile.fact = #tile.fact<divisibility = 48, noalias>},
    %r: !tile.ptr<i8>, %n: i64) plan #tile.plan<warps = 1> {
  tile.assume %r, <divisibility = 32> : !tile.ptr<i8>
  tile.return
}

// The grid is read from special registers.
// CHECK-LABEL: llvm.func @grid(
// CHECK-DAG: nvvm.read.ptx.sreg.ctaid.y : i32
// CHECK-DAG: nvvm.read.ptx.sreg.nctaid.z : i32
tile.kernel @grid() plan #tile.plan<warps = 1> {
  %id = tile.program_id y
  %count = tile.num_programs z
  tile.return
}

// An offset counts elements.
// CHECK-LABEL: llvm.func @offset(
// CHECK-SAME: %[[P:[a-z0-9]+]]: !llvm.ptr<1>
// CHECK-SAME: %[[N:[a-z0-9]+]]: i64
// CHECK: llvm.getelementptr %[[P]][%[[N]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
tile.kernel @offset(%p: !tile.ptr<f32>, %n: i64) plan #tile.plan<warps = 1> {
  %q = tile.offset %p, %n : !tile.ptr<f32>, i64
  tile.return
}

// Characters that PTX forbids in a name become their code.
// CHECK: llvm.func @dotted$2ename$aligned(
tile.kernel @"dotted.name$aligned"() plan #tile.plan<warps = 1> {
  tile.return
}

// A name that is a constant of PTX gets a character more.
// CHECK: llvm.func @WARP_SZ$(
tile.kernel @WARP_SZ() plan #tile.plan<warps = 1> {
  tile.return
}
