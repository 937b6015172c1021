// RUN: tile-opt %s --tile-plan=target=sm_90a --remark-format=emitRemark --remarks-filter=tile-plan -o %t.mlir 2>&1 | FileCheck %s --check-prefix=PLAN
// RUN: tile-opt %t.mlir --tile-lower-memory | FileCheck %s
// RUN: tile-opt %t.mlir --tile-lower-memory --tile-assign-layouts | FileCheck %s --check-prefix=LAYOUT
// RUN: tile-opt %t.mlir --tile-lower-memory --tile-assign-layouts --tile-gpu-allocate-shared --tile-gpu-insert-barriers | FileCheck %s --check-prefix=BARRIER

// Operands of wgmma that are computed: A in registers, B through shared memory.

#f16 = #tile.fact<divisibility = 16>

// A is in the layout of an accumulator of its shape, and so is all that it is
// computed of.
// PLAN: Function=computed | Remark="dot 128x64x32: wgmma m64n64k16 over 2x1 warpgroups"
// CHECK-LABEL: @computed
// CHECK: %[[X:.*]] = arith.truncf
// CHECK-NOT: tile_gpu.local_store
// CHECK: %[[P:.*]] = tile_gpu.wgmma %[[X]], %{{.*}}[%{{.*}}], %{{.*}} plan<wgmma, m = 64, n = 64, k = 16, warps = [2, 1]>
// CHECK-NEXT: tile_gpu.wgmma_finish %[[P]]
// LAYOUT-LABEL: @computed
// LAYOUT: tile_gpu.load {{.*}} -> tensor<128x32xf32, #[[A:.*]]>
// LAYOUT: tile_gpu.wgmma {{.*}} : tensor<128x32xf16, #[[A]]>
tile.kernel @computed(%a: !tile.ptr<f32>, %b: !tile.ptr<f16> {tile.fact = #f16}) {
  %zeros = arith.constant dense<0.0> : tensor<128x64xf32>
  %i = tile.iota : tensor<64xi32>
  %k_row = tile.iota : tensor<32xi32>
  %m_row = tile.iota : tensor<128xi32>
  %width = arith.constant dense<64> : tensor<32x64xi32>
  %pitch = arith.constant dense<32> : tensor<128x32xi32>
  %m_line = tile.expand_dims %m_row axis 1 : tensor<128xi32> -> tensor<128x1xi32>
  %m = tile.broadcast %m_line : tensor<128x1xi32> -> tensor<128x32xi32>
  %k_line = tile.expand_dims %k_row axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %k = tile.broadcast %k_line : tensor<1x32xi32> -> tensor<128x32xi32>
  %row_a = arith.muli %m, %pitch overflow<nsw> : tensor<128x32xi32>
  %at_a = arith.addi %row_a, %k overflow<nsw> : tensor<128x32xi32>
  %k_column = tile.expand_dims %k_row axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %k_b = tile.broadcast %k_column : tensor<32x1xi32> -> tensor<32x64xi32>
  %n_line = tile.expand_dims %i axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %n = tile.broadcast %n_line : tensor<1x64xi32> -> tensor<32x64xi32>
  %row_b = arith.muli %k_b, %width overflow<nsw> : tensor<32x64xi32>
  %at_b = arith.addi %row_b, %n overflow<nsw> : tensor<32x64xi32>
  %wide = tile.load %a[%at_a] : !tile.ptr<f32>, tensor<128x32xi32> -> tensor<128x32xf32>
  %x = arith.truncf %wide : tensor<128x32xf32> to tensor<128x32xf16>
  %y = tile.load %b[%at_b] : !tile.ptr<f16>, tensor<32x64xi32> -> tensor<32x64xf16>
  %d = tile.dot %x, %y, %zeros : tensor<128x32xf16>, tensor<32x64xf16> -> tensor<128x64xf32>
  tile.return
}

// A product is the next one's operand A where it is; as operand B it is written to
// a slot, behind a fence and a barrier.
// PLAN: Function=chained | Remark="dot 64x64x64: wgmma m64n64k16 over 1x1 warpgroups"
// CHECK-LABEL: @chained
// CHECK: %[[S:.*]] = tile_gpu.wgmma_finish
// CHECK-NEXT: %[[P:.*]] = arith.truncf %[[S]]
// CHECK: scf.for
// CHECK: tile_gpu.local_store %[[P]], %[[B:.*]][%[[C:.*]]]
// CHECK-NEXT: tile_gpu.fence_async
// CHECK-NEXT: tile_gpu.wgmma %[[P]], %[[B]][%[[C]]]
// LAYOUT-LABEL: @chained
// LAYOUT: tile_gpu.wgmma_finish {{.*}} : !tile_gpu.pending<tensor<64x64xf32, #[[ACC:.*]]>>
// LAYOUT-NOT: convert_layout
// LAYOUT: tile_gpu.wgmma {{.*}} : tensor<64x64xf16, #[[ACC]]>
// BARRIER-LABEL: @chained
// BARRIER: tile_gpu.fence_async
// BARRIER-NEXT: tile_gpu.barrier
// BARRIER-NEXT: tile_gpu.wgmma %{{[a-z0-9_]*}}, %{{.*}}[
// BARRIER-NEXT: tile_gpu.wgmma_finish
// BARRIER: tile_gpu.barrier
// BARRIER-NEXT: tile_gpu.local_store
tile.kernel @chained() {
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %half = arith.constant 0.5 : f16
  %x = tile.splat %half : tensor<64x64xf16>
  %first = tile.dot %x, %x, %zeros : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  %p = arith.truncf %first : tensor<64x64xf32> to tensor<64x64xf16>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %sum = scf.for %i = %zero to %three step %one iter_args(%acc = %zeros) -> tensor<64x64xf32> : i32 {
    %q = tile.dot %p, %p, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %q : tensor<64x64xf32>
  }
  tile.return
}

// Warpgroups that share rows read A from a slot; an operand in another layout,
// here theirs, is converted.
// LAYOUT-LABEL: @converted
// LAYOUT: tile_gpu.wgmma %{{[0-9]*}}[%{{[0-9]*}}], {{.*}} warps = [1, 2]>
// LAYOUT: %[[S:.*]] = tile_gpu.wgmma_finish
// LAYOUT: %[[P:.*]] = arith.truncf %[[S]]
// LAYOUT: %[[A:.*]] = tile_gpu.convert_layout %[[P]]
// LAYOUT: tile_gpu.wgmma %[[A]],
tile.kernel @converted() {
  %zeros = arith.constant dense<0.0> : tensor<128x128xf32>
  %half = arith.constant 0.5 : f16
  %z = tile.splat %half : tensor<128x128xf16>
  %s = tile.dot %z, %z, %zeros plan<wgmma, m = 64, n = 64, k = 16, warps = [1, 2]> : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf32>
  %p = arith.truncf %s : tensor<128x128xf32> to tensor<128x128xf16>
  %d = tile.dot %p, %z, %zeros plan<wgmma, m = 64, n = 128, k = 16, warps = [2, 1]> : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf32>
  tile.return
}

// Registers of both the accumulator and a computed operand count.
// PLAN: [Missed] {{.*}}Function=large | Remark="wgmma: the accumulator and the first operand take more than 192 registers a thread"
tile.kernel @large() {
  %zeros = arith.constant dense<0.0> : tensor<64x256xf32>
  %half = arith.constant 0.5 : f16
  %x = tile.splat %half : tensor<64x320xf16>
  %y = tile.splat %half : tensor<320x256xf16>
  %d = tile.dot %x, %y, %zeros : tensor<64x320xf16>, tensor<320x256xf16> -> tensor<64x256xf32>
  tile.return
}

// So do rows of a computed second operand, which have to fill a swizzle.
// PLAN: [Missed] {{.*}}Function=narrow | Remark="wgmma: a row of a computed operand is shorter than a swizzle of 128 bytes"
tile.kernel @narrow() {
  %zeros = arith.constant dense<0.0> : tensor<64x32xf32>
  %half = arith.constant 0.5 : f16
  %x = tile.splat %half : tensor<64x32xf16>
  %y = tile.splat %half : tensor<32x32xf16>
  %d = tile.dot %x, %y, %zeros : tensor<64x32xf16>, tensor<32x32xf16> -> tensor<64x32xf32>
  tile.return
}
