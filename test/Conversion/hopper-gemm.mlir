// RUN: tile-opt %s --convert-tile-to-nvvm | mlir-translate --mlir-to-llvmir | opt -O1 -S | llc -O2 -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90a -mattr=+ptx80 -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: ptxas -arch sm_90a -v %t.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS
// REQUIRES: ptxas

// The persistent warp-specialised matmul on 128x256x64 tiles, in the ops that
// roles are written in, becomes what one writes by hand: eight wgmma in all, four
// of them a k step, five boxes a stage, one uniform shuffle, one elected thread,
// sixteen stmatrix and four stores an output tile; no spill, and nothing that
// ptxas would serialise (C75xx).
// CHECK: .visible .entry matmul(
// CHECK: .maxntid 384
// CHECK-DAG: shfl.sync.idx
// CHECK-DAG: mbarrier.init
// CHECK-DAG: elect.sync
// CHECK-DAG: setmaxnreg.dec.sync.aligned.u32 {{.*}}40
// CHECK: mbarrier.try_wait.parity
// CHECK: mbarrier.arrive.expect_tx
// CHECK-COUNT-5: cp.async.bulk.tensor.2d.shared::cluster.global
// CHECK-NOT: cp.async.bulk.tensor.2d.shared::cluster.global
// CHECK: setmaxnreg.inc.sync.aligned.u32 {{.*}}232
// CHECK: wgmma.fence.sync.aligned
// CHECK-COUNT-4: wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16
// CHECK: wgmma.commit_group
// CHECK: wgmma.fence.sync.aligned
// CHECK-COUNT-4: wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16
// CHECK: wgmma.commit_group
// CHECK: wgmma.wait_group.sync.aligned {{.*}}1
// CHECK: mbarrier.arrive
// CHECK: wgmma.wait_group.sync.aligned {{.*}}0
// CHECK-NOT: wgmma.mma_async
// CHECK-COUNT-16: stmatrix.sync.aligned.m8n8.x4
// CHECK-NOT: stmatrix

// PTXAS-NOT: C75
// PTXAS: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
// PTXAS-NEXT: Used 168 registers
// PTXAS-NOT: C75
#la = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]], sides = [128, 64]>
#lb = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [0, 64], [0, 128]], sides = [64, 256]>
#st = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
#acc = #tile.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64], [0, 128]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]], sides = [128, 256]>
!a = !tile_gpu.buffer<4x128x64xf16, #la>
!b = !tile_gpu.buffer<4x64x256xf16, #lb>
!s = !tile_gpu.buffer<4x64x64xf16, #st>
!ma = !tile_gpu.tensor_map<128x64xf16, swizzle = 128>
!mb = !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
!mc = !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
!cur = !tile_gpu.cursor<4>
!bar = !tile_gpu.barriers<4>
!acc = tensor<128x256xf32, #acc>
!out = tensor<128x256xf16, #acc>
!p = !tile_gpu.pending<tensor<128x256xf32, #acc>>
tile.kernel @matmul(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %M: i32, %N: i32, %K: i32, %sam: i64, %sbk: i64, %scm: i64) {
  %ra = tile_gpu.alloc at 0 : !a
  %rb = tile_gpu.alloc at 65536 : !b
  %staging = tile_gpu.alloc at 196608 : !s
  %full = tile_gpu.barriers arrivals 1 at 229376 : !bar
  %empty = tile_gpu.barriers arrivals 2 at 229408 : !bar
  %ma = tile_gpu.tensor_map %a dims[%M, %K] strides[%sam] : !tile.ptr<f16>, i32, !ma
  %mb = tile_gpu.tensor_map %b dims[%K, %N] strides[%sbk] : !tile.ptr<f16>, i32, !mb
  %mc = tile_gpu.tensor_map %c dims[%M, %N] strides[%scm] : !tile.ptr<f16>, i32, !mc
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1 : i64
  %cg = arith.constant 16 : i32
  %cbk = arith.constant 64 : i32
  %cbm = arith.constant 128 : i32
  %cbn = arith.constant 256 : i32
  %zeros = arith.constant dense<0.0> : !acc
  %half = arith.constant dense<0.5> : !acc
  %tm = arith.ceildivui %M, %cbm : i32
  %tn = arith.ceildivui %N, %cbn : i32
  %tiles = arith.muli %tm, %tn : i32
  %cta = tile_gpu.cta
  %ctas = tile_gpu.num_ctas
  tile_gpu.roles {
    tile_gpu.role "producer" warps 4 registers 40 {
      %cur = tile_gpu.cursor : !cur
      %e = scf.for %t = %cta to %tiles step %ctas iter_args(%c00 = %cur) -> (!cur) : i32 {
        %gw = arith.muli %cg, %tn : i32
        %g = arith.divui %t, %gw : i32
        %gb = arith.muli %g, %gw : i32
        %in = arith.subi %t, %gb : i32
        %first = arith.muli %g, %cg : i32
        %left = arith.subi %tm, %first : i32
        %gn0 = arith.minui %left, %cg : i32
        %gn = arith.maxui %gn0, %c1 : i32
        %nt = arith.divui %in, %gn : i32
        %nb = arith.muli %nt, %gn : i32
        %mi = arith.subi %in, %nb : i32
        %mt = arith.addi %first, %mi : i32
        %m = arith.muli %mt, %cbm : i32
        %n = arith.muli %nt, %cbn : i32
        %e1 = scf.for %k = %c0 to %K step %cbk iter_args(%cc = %c00) -> (!cur) : i32 {

          tile_gpu.wait_free %empty[%cc] : !bar, !cur
          tile_gpu.expect %full[%cc], 49152 : !bar, !cur
          tile_gpu.tma_load %ma[%m, %k] into %ra[%cc] signals %full : !ma, !a, !cur, !bar
          tile_gpu.tma_load %mb[%k, %n] into %rb[%cc] signals %full : !mb, !b, !cur, !bar
          %n1 = tile_gpu.advance %cc by 1 : !cur
          scf.yield %n1 : !cur
        }
        scf.yield %e1 : !cur
      }
    }
    tile_gpu.role "consumer" warps 8 registers 232 {
      %cur = tile_gpu.cursor : !cur
      %e = scf.for %t = %cta to %tiles step %ctas iter_args(%c00 = %cur) -> (!cur) : i32 {
        %gw = arith.muli %cg, %tn : i32
        %g = arith.divui %t, %gw : i32
        %gb = arith.muli %g, %gw : i32
        %in = arith.subi %t, %gb : i32
        %first = arith.muli %g, %cg : i32
        %left = arith.subi %tm, %first : i32
        %gn0 = arith.minui %left, %cg : i32
        %gn = arith.maxui %gn0, %c1 : i32
        %nt = arith.divui %in, %gn : i32
        %nb = arith.muli %nt, %gn : i32
        %mi = arith.subi %in, %nb : i32
        %mt = arith.addi %first, %mi : i32
        %m = arith.muli %mt, %cbm : i32
        %n = arith.muli %nt, %cbn : i32
        tile_gpu.wait_full %full[%c00] : !bar, !cur
        %p = tile_gpu.wgmma %ra[%c00], %rb[%c00], %zeros plan<wgmma, m = 64, n = 256, k = 16, warps = [2, 1]> : !a, !cur, !b, !cur, !acc -> !p
        %n0 = tile_gpu.advance %c00 by 1 : !cur
        %r:3 = scf.for %k = %cbk to %K step %cbk iter_args(%acc = %p, %cc = %n0, %before = %c00) -> (!p, !cur, !cur) : i32 {
          tile_gpu.wait_full %full[%cc] : !bar, !cur
          %p2 = tile_gpu.wgmma %ra[%cc], %rb[%cc], %acc plan<wgmma, m = 64, n = 256, k = 16, warps = [2, 1]> : !a, !cur, !b, !cur, !p -> !p
          tile_gpu.wgmma_wait 1
          tile_gpu.release %empty[%before] : !bar, !cur
          %n1 = tile_gpu.advance %cc by 1 : !cur
          scf.yield %p2, %n1, %cc : !p, !cur, !cur
        }
        %sum = tile_gpu.wgmma_finish %r#0 : !p
        tile_gpu.release %empty[%r#2] : !bar, !cur
        %o = arith.truncf %sum : !acc to !out
        tile_gpu.tma_store %o, %mc[%m, %n] via %staging : !out, !mc, !s
        scf.yield %r#1 : !cur
      }
      tile_gpu.tma_store_wait
    }
  }
  tile.return
}
