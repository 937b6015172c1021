// RUN: tile-opt %s --verify-roundtrip | FileCheck %s

// The ops of roles, transaction barriers, the copy engine and wgmma are printed as
// they are documented and read back the same.

#a = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]], sides = [64, 64]>
#acc = #tile.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], sides = [64, 64]>

// Roles print their warps, and registers where they are given.
// CHECK-LABEL: @roles
// CHECK-NEXT: tile_gpu.roles {
// CHECK-NEXT: tile_gpu.role "producer" warps 4 registers 40 {
// CHECK-NEXT: }
// CHECK-NEXT: tile_gpu.role "consumer" warps 8 {
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: }
// CHECK-NEXT: }
tile.kernel @roles() {
  tile_gpu.roles {
    tile_gpu.role "producer" warps 4 registers 40 {
    }
    tile_gpu.role "consumer" warps 8 {
      tile_gpu.barrier
    }
  }
  tile.return
}

// A CTA has a number among those of the launch.
// CHECK-LABEL: @ctas
// CHECK-NEXT: tile_gpu.cta
// CHECK-NEXT: tile_gpu.num_ctas
tile.kernel @ctas() {
  %0 = tile_gpu.cta
  %1 = tile_gpu.num_ctas
  tile.return
}

// Transaction barriers have arrivals, an offset once they are placed, and a cursor
// for the one of a slot.
// CHECK-LABEL: @barriers
// CHECK-NEXT: %[[FULL:.*]] = tile_gpu.barriers arrivals 1 : !tile_gpu.barriers<2>
// CHECK-NEXT: tile_gpu.barriers arrivals 2 at 1024 : !tile_gpu.barriers<2>
// CHECK-NEXT: %[[C:.*]] = tile_gpu.cursor
// CHECK-NEXT: tile_gpu.wait_full %[[FULL]][%[[C]]]
// CHECK-NEXT: tile_gpu.wait_free %[[FULL]][%[[C]]]
// CHECK-NEXT: tile_gpu.release %[[FULL]][%[[C]]] : !tile_gpu.barriers<2>, !tile_gpu.cursor<2>
// CHECK-NEXT: tile_gpu.release %[[FULL]][%[[C]]] paired %both :
// CHECK-NEXT: tile_gpu.expect %[[FULL]][%[[C]]], 8192
tile.kernel @barriers(%both: i1) {
  %full = tile_gpu.barriers arrivals 1 : !tile_gpu.barriers<2>
  %free = tile_gpu.barriers arrivals 2 at 1024 : !tile_gpu.barriers<2>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  tile_gpu.wait_full %full[%c] : !tile_gpu.barriers<2>, !tile_gpu.cursor<2>
  tile_gpu.wait_free %full[%c] : !tile_gpu.barriers<2>, !tile_gpu.cursor<2>
  tile_gpu.release %full[%c] : !tile_gpu.barriers<2>, !tile_gpu.cursor<2>
  tile_gpu.release %full[%c] paired %both : !tile_gpu.barriers<2>, !tile_gpu.cursor<2>
  tile_gpu.expect %full[%c], 8192 : !tile_gpu.barriers<2>, !tile_gpu.cursor<2>
  tile.return
}

// A tensor map prints its box and swizzle; the copy engine's ops print maps, slots
// and barriers.
// CHECK-LABEL: @copies
// CHECK: %[[MAP:.*]] = tile_gpu.tensor_map %p dims[%m, %n] strides[%s] : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
// CHECK: tile_gpu.tma_load %[[MAP]][%m, %n] into %[[RING:.*]][%[[C:.*]]] signals %{{.*}} :
// CHECK-SAME: !tile_gpu.tensor_map<64x64xf16, swizzle = 128>, !tile_gpu.buffer<2x64x64xf16, #{{.*}}>, !tile_gpu.cursor<2>, !tile_gpu.barriers<2>
// CHECK-NEXT: tile_gpu.tma_load %[[MAP]][%m, %n] into %[[RING]][%[[C]]] signals %{{.*}} shared %both :
// CHECK: tile_gpu.tma_prefetch %[[MAP]][%m, %n] : <64x64xf16, swizzle = 128>
// CHECK: tile_gpu.tma_store %{{.*}}, %[[MAP]][%m, %n] via %[[RING]] : tensor<64x64xf16>
// CHECK-NEXT: tile_gpu.tma_store_wait
// CHECK-NEXT: tile_gpu.fence_async
tile.kernel @copies(%p: !tile.ptr<f16>, %m: i32, %n: i32, %s: i64, %both: i1) {
  %x = arith.constant dense<0.0> : tensor<64x64xf16>
  %full = tile_gpu.barriers arrivals 1 : !tile_gpu.barriers<2>
  %ring = tile_gpu.alloc : !tile_gpu.buffer<2x64x64xf16, #a>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  %map = tile_gpu.tensor_map %p dims[%m, %n] strides[%s]
      : !tile.ptr<f16>, i32, !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
  tile_gpu.tma_load %map[%m, %n] into %ring[%c] signals %full
      : !tile_gpu.tensor_map<64x64xf16, swizzle = 128>,
        !tile_gpu.buffer<2x64x64xf16, #a>, !tile_gpu.cursor<2>, !tile_gpu.barriers<2>
  tile_gpu.tma_load %map[%m, %n] into %ring[%c] signals %full shared %both
      : !tile_gpu.tensor_map<64x64xf16, swizzle = 128>,
        !tile_gpu.buffer<2x64x64xf16, #a>, !tile_gpu.cursor<2>, !tile_gpu.barriers<2>
  tile_gpu.tma_prefetch %map[%m, %n] : !tile_gpu.tensor_map<64x64xf16, swizzle = 128>
  tile_gpu.tma_store %x, %map[%m, %n] via %ring : tensor<64x64xf16>,
      !tile_gpu.tensor_map<64x64xf16, swizzle = 128>, !tile_gpu.buffer<2x64x64xf16, #a>
  tile_gpu.tma_store_wait
  tile_gpu.fence_async
  tile.return
}

// A wgmma's result is pending, may be passed on, and is taken when it is finished;
// with and without a layout.  Operand A may be a tensor.
// CHECK-LABEL: @wgmma
// CHECK: %[[P:.*]] = tile_gpu.wgmma %[[A:.*]][%[[C:.*]]], %[[A]][%[[C]]], %{{.*}} plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]> : {{.*}} tensor<64x64xf32> -> !tile_gpu.pending<tensor<64x64xf32>>
// CHECK: %[[Q:.*]] = tile_gpu.wgmma %[[A]][%[[C]]], %[[A]][%[[C]]], %[[P]] plan
// CHECK-NEXT: tile_gpu.wgmma_wait 1
// CHECK-NEXT: tile_gpu.wgmma_finish %[[Q]] : !tile_gpu.pending<tensor<64x64xf32>>
// CHECK: tile_gpu.wgmma {{.*}} tensor<64x64xf32, #[[ACC:.*]]> -> !tile_gpu.pending<tensor<64x64xf32, #[[ACC]]>>
// CHECK: tile_gpu.wgmma %{{[a-z0-9_]*}}, %{{.*}} : tensor<64x64xf16, #[[ACC]]>, !tile_gpu.buffer<{{.*}}>, !tile_gpu.cursor<2>, !tile_gpu.pending
tile.kernel @wgmma() {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %laid = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
  %a = tile_gpu.alloc : !tile_gpu.buffer<2x64x64xf16, #a>
  %c = tile_gpu.cursor : !tile_gpu.cursor<2>
  %p = tile_gpu.wgmma %a[%c], %a[%c], %zero plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]>
      : !tile_gpu.buffer<2x64x64xf16, #a>, !tile_gpu.cursor<2>, !tile_gpu.buffer<2x64x64xf16, #a>, !tile_gpu.cursor<2>,
        tensor<64x64xf32> -> !tile_gpu.pending<tensor<64x64xf32>>
  %q = tile_gpu.wgmma %a[%c], %a[%c], %p plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]>
      : !tile_gpu.buffer<2x64x64xf16, #a>, !tile_gpu.cursor<2>, !tile_gpu.buffer<2x64x64xf16, #a>, !tile_gpu.cursor<2>,
        !tile_gpu.pending<tensor<64x64xf32>> -> !tile_gpu.pending<tensor<64x64xf32>>
  tile_gpu.wgmma_wait 1
  %r = tile_gpu.wgmma_finish %q : !tile_gpu.pending<tensor<64x64xf32>>
  %t = tile_gpu.wgmma %a[%c], %a[%c], %laid plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]>
      : !tile_gpu.buffer<2x64x64xf16, #a>, !tile_gpu.cursor<2>, !tile_gpu.buffer<2x64x64xf16, #a>, !tile_gpu.cursor<2>,
        tensor<64x64xf32, #acc> -> !tile_gpu.pending<tensor<64x64xf32, #acc>>
  %x = arith.constant dense<0.0> : tensor<64x64xf16, #acc>
  %u = tile_gpu.wgmma %x, %a[%c], %t plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 1]>
      : tensor<64x64xf16, #acc>, !tile_gpu.buffer<2x64x64xf16, #a>, !tile_gpu.cursor<2>,
        !tile_gpu.pending<tensor<64x64xf32, #acc>> -> !tile_gpu.pending<tensor<64x64xf32, #acc>>
  tile.return
}
