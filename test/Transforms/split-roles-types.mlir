// DEFINE: %{flags} =
// DEFINE: %{split} = tile-gen matmul %{flags} -b col | tile-opt --pass-pipeline='builtin.module(tile-specialize,tile.kernel(canonicalize,cse,tile-plan{target=sm_90a},tile-split-roles,canonicalize,cse))'

// What splitting does for elements that wgmma does not take as they are.

// The copy engine rounds f32 to tf32.
// REDEFINE: %{flags} = --sides=128,128,32 --type=f32 --precision=tf32
// RUN: %{split} | FileCheck %s --check-prefix=TF32
// TF32: %[[MAP:.*]] = tile_gpu.tensor_map %{{.*}} : !tile.ptr<f32>, i32, !tile_gpu.tensor_map<128x32xtf32, swizzle = 128>
// TF32: tile_gpu.tma_load %[[MAP]]{{.*}} : !tile_gpu.tensor_map<128x32xtf32, swizzle = 128>, !tile_gpu.buffer<{{[0-9]}}x128x32xf32,

// Each product of promoted sums starts from zero, and is waited for and added; its
// slot is free as soon as it is waited for.
// REDEFINE: %{flags} = --sides=128,128,128 --type=f8E4M3FN --output-type=f16 --promote-every=256
// RUN: %{split} | FileCheck %s --check-prefix=PROMOTED
// PROMOTED: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
// PROMOTED: tile_gpu.role "consumer"
// PROMOTED: %[[WALK:.*]]:2 = scf.for %{{.*}} = %{{.*}} to %K step %{{.*}} iter_args(%[[ACC:.*]] = %{{.*}}, %[[SLOT:.*]] = %{{.*}})
// PROMOTED-NEXT: tile_gpu.wait_full %{{.*}}[%[[SLOT]]]
// PROMOTED-NEXT: %[[PRODUCT:.*]] = tile_gpu.wgmma %{{.*}}[%[[SLOT]]], %{{.*}}[%[[SLOT]]], %[[ZERO]] plan
// PROMOTED-NEXT: %[[SUM:.*]] = tile_gpu.wgmma_finish %[[PRODUCT]]
// PROMOTED-NEXT: tile_gpu.release %{{.*}}[%[[SLOT]]]
// PROMOTED-NEXT: %[[NEXT:.*]] = arith.addf %[[ACC]], %[[SUM]]
// PROMOTED-NEXT: %[[ADVANCED:.*]] = tile_gpu.advance %[[SLOT]] by 1
// PROMOTED-NEXT: scf.yield %[[NEXT]], %[[ADVANCED]]
// PROMOTED: arith.truncf %[[WALK]]#0
