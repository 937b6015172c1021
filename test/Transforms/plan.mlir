// RUN: tile-opt %s --tile-plan --split-input-file | FileCheck %s
// RUN: tile-opt %s --tile-plan="target=sm_90a set=stages=2" --split-input-file | FileCheck %s --check-prefix=GIVEN

// Every decision is an attribute: on the kernel, the loads, the dot, the store
// and the loop; nothing else changes.  Four stages are the most that the rule
// gives.  Settings take precedence over the rule.
// CHECK-LABEL: @product
// CHECK-SAME: plan #tile.plan<target = "sm_80", warps = 4>
// CHECK: scf.for
// CHECK: tile.load %p[%{{.*}}] plan<cp_async, vector = 8, swizzle = 64> :
// CHECK: tile.dot %{{.*}} plan<mma_sync, m = 16, n = 8, k = 16, warps = [2, 2]> :
// CHECK: tile.pipeline = #tile.pipeline<stages = 4>
// CHECK: tile.store %p[%{{.*}}], %{{.*}} plan<registers, vector = 8> :
// GIVEN-LABEL: @product
// GIVEN-SAME: plan #tile.plan<target = "sm_90a", warps = 4, stages = 2>
// GIVEN: tile.pipeline = #tile.pipeline<stages = 2>
tile.kernel @product(%p: !tile.ptr<f16> {tile.fact = #tile.fact<divisibility = 16>}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %i = tile.iota : tensor<32xi32>
  %col = tile.expand_dims %i axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %o = tile.broadcast %col : tensor<1x32xi32> -> tensor<32x32xi32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%s = %zero) -> (tensor<32x32xf32>) : i32 {
    %ks = tile.splat %k : tensor<32x32xi32>
    %ok = arith.addi %o, %ks overflow<nsw> : tensor<32x32xi32>
    %x = tile.load %p[%ok] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %d = tile.dot %x, %x, %s : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    scf.yield %d : tensor<32x32xf32>
  }
  %h = arith.truncf %r : tensor<32x32xf32> to tensor<32x32xf16>
  tile.store %p[%o], %h : !tile.ptr<f16>, tensor<32x32xi32>, tensor<32x32xf16>
  tile.return
}

// -----

// A load that feeds no dot goes to registers, in vectors that are aligned and
// inside the bounds as a whole.
// CHECK-LABEL: @registers
// CHECK: tile.load %a[%{{.*}}] plan<registers, vector = 4> :
// CHECK: tile.load %b[%{{.*}}] plan<registers> :
// CHECK: tile.store %a[%{{.*}}], %{{.*}} mask %{{.*}} plan<registers, vector = 2> :
tile.kernel @registers(%a: !tile.ptr<f32> {tile.fact = #tile.fact<divisibility = 16>}, %b: !tile.ptr<f32>,
                       %n: i32 {tile.fact = #tile.fact<divisibility = 2>}) {
  %i = tile.iota : tensor<128xi32>
  %ns = tile.splat %n : tensor<128xi32>
  %in = arith.cmpi slt, %i, %ns : tensor<128xi32>
  %x = tile.load %a[%i] : !tile.ptr<f32>, tensor<128xi32> -> tensor<128xf32>
  %y = tile.load %b[%i] : !tile.ptr<f32>, tensor<128xi32> -> tensor<128xf32>
  %z = arith.addf %x, %y : tensor<128xf32>
  tile.store %a[%i], %z mask %in : !tile.ptr<f32>, tensor<128xi32>, tensor<128xf32>
  tile.return
}

// -----

// A dot of f32 is fma; its operands travel as 4 bytes where no more is known.
// CHECK-LABEL: @ieee
// CHECK: tile.load %p[%{{.*}}] plan<cp_async, swizzle = 64>
// CHECK: tile.dot %{{.*}} plan<fma, m = 1, n = 1, k = 1, warps = [2, 1]>
tile.kernel @ieee(%p: !tile.ptr<f32>) {
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %i = tile.iota : tensor<16xi32>
  %col = tile.expand_dims %i axis 0 : tensor<16xi32> -> tensor<1x16xi32>
  %o = tile.broadcast %col : tensor<1x16xi32> -> tensor<32x16xi32>
  %x = tile.load %p[%o] : !tile.ptr<f32>, tensor<32x16xi32> -> tensor<32x16xf32>
  %y = arith.constant dense<1.0> : tensor<16x16xf32>
  %d = tile.dot %x, %y, %zero : tensor<32x16xf32>, tensor<16x16xf32> -> tensor<32x16xf32>
  tile.store %p[%o], %d : !tile.ptr<f32>, tensor<32x16xi32>, tensor<32x16xf32>
  tile.return
}

// -----

// A tile with few blocks gets fewer warps than the default.
// CHECK-LABEL: @fewer_warps
// CHECK-SAME: warps = 1>
// CHECK: tile.dot %{{.*}} warps = [1, 1]>
tile.kernel @fewer_warps(%p: !tile.ptr<f32>) {
  %o = arith.constant dense<0> : tensor<16x16xi32>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %x = arith.constant dense<1.0> : tensor<16x16xf16>
  %d = tile.dot %x, %x, %zero : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  tile.store %p[%o], %d : !tile.ptr<f32>, tensor<16x16xi32>, tensor<16x16xf32>
  tile.return
}

// -----

// A plan that is there is kept and completed: the kernel's, an op's, a loop's.
// CHECK-LABEL: @kept
// CHECK-SAME: plan #tile.plan<target = "sm_80", warps = 2, epilogue = "direct">
// CHECK: tile.load %p[%{{.*}}] plan<plain> :
// CHECK: tile.dot %{{.*}} warps = [2, 1]>
// CHECK: tile.pipeline = #tile.pipeline<stages = 3>
// CHECK: tile.store %p[%{{.*}}], %{{.*}} plan<registers, vector = 4>
tile.kernel @kept(%p: !tile.ptr<f16> {tile.fact = #tile.fact<divisibility = 16>}, %n: i32)
    plan #tile.plan<warps = 2, epilogue = "direct"> {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %i = tile.iota : tensor<32xi32>
  %col = tile.expand_dims %i axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %o = tile.broadcast %col : tensor<1x32xi32> -> tensor<32x32xi32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%s = %zero) -> (tensor<32x32xf32>) : i32 {
    %x = tile.load %p[%o] plan<plain> : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
    %d = tile.dot %x, %x, %s plan<mma_sync, m = 16, n = 8, k = 16, warps = [2, 1]>
        : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
    scf.yield %d : tensor<32x32xf32>
  } {tile.pipeline = #tile.pipeline<stages = 3>}
  %h = arith.truncf %r : tensor<32x32xf32> to tensor<32x32xf16>
  tile.store %p[%o], %h plan<registers, vector = 4> : !tile.ptr<f16>, tensor<32x32xi32>, tensor<32x32xf16>
  tile.return
}

// -----

// A kernel without dots has no pipelined loop.
// CHECK-LABEL: @no_dots
// CHECK-NOT: tile.pipeline
tile.kernel @no_dots(%p: !tile.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %i = tile.iota : tensor<32xi32>
  scf.for %k = %c0 to %n step %c1 : i32 {
    %x = tile.load %p[%i] : !tile.ptr<f32>, tensor<32xi32> -> tensor<32xf32>
    tile.store %p[%i], %x : !tile.ptr<f32>, tensor<32xi32>, tensor<32xf32>
  }
  tile.return
}

// -----

// A load is staged where it stands in a branch, which no loop pipelines.
// CHECK-LABEL: @in_branch
// CHECK: tile.load %p[%{{.*}}] plan<plain, swizzle = 64>
// CHECK-NOT: tile.pipeline
tile.kernel @in_branch(%p: !tile.ptr<f16>, %n: i32, %c: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %o = arith.constant dense<0> : tensor<32x32xi32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<32x32xf32>) : i32 {
    %t = scf.if %c -> (tensor<32x32xf32>) {
      %x = tile.load %p[%o] : !tile.ptr<f16>, tensor<32x32xi32> -> tensor<32x32xf16>
      %d = tile.dot %x, %x, %s : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
      scf.yield %d : tensor<32x32xf32>
    } else {
      scf.yield %s : tensor<32x32xf32>
    }
    scf.yield %t : tensor<32x32xf32>
  }
  %h = arith.truncf %r : tensor<32x32xf32> to tensor<32x32xf16>
  tile.store %p[%o], %h : !tile.ptr<f16>, tensor<32x32xi32>, tensor<32x32xf16>
  tile.return
}
