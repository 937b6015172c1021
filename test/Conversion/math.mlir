// RUN: tile-opt %s --convert-tile-to-nvvm | FileCheck %s

#acc = #tile.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], sides = [16, 16]>

// A function is written out on each fragment; what the chip approximates, on
// each element.
// CHECK-LABEL: llvm.func @fragments(
// CHECK: llvm.intr.fma(%{{.*}}) : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> vector<4xf32>
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"
// CHECK-NOT: llvm.call_intrinsic
tile.kernel @fragments(%p: !tile.ptr<f32>) plan #tile.plan<warps = 1> {
  %zero = arith.constant 0 : i32
  %none = arith.constant 2147483647 : i32
  %one = arith.constant 1 : i64
  %x = tile_gpu.load %p[%zero, %zero] bounds[%none, %none] strides[%one, %one]
      plan<registers> : !tile.ptr<f32>, i32 -> tensor<16x16xf32, #acc>
  %y = math.exp %x : tensor<16x16xf32, #acc>
  tile.return
}

// f16 and bf16 are widened, and rounded once.
// CHECK-LABEL: llvm.func @narrow(
// CHECK: llvm.fpext %{{.*}} : f16 to f32
// CHECK: llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"
// CHECK: llvm.fptrunc %{{.*}} : f32 to f16
// CHECK: llvm.fpext %{{.*}} : bf16 to f32
// CHECK: llvm.intr.sqrt(%{{.*}}) : (f32) -> f32
// CHECK: llvm.fptrunc %{{.*}} : f32 to bf16
tile.kernel @narrow(%x: f16, %y: bf16) plan #tile.plan<warps = 1> {
  %a = math.tanh %x : f16
  %b = math.sqrt %y : bf16
  tile.return
}

// Every function that docs/Numerics.md names is lowered.
// CHECK-LABEL: llvm.func @all(
// CHECK-NOT: math.
tile.kernel @all(%x: f32, %y: f32) plan #tile.plan<warps = 1> {
  %exp = math.exp %x : f32
  %exp2 = math.exp2 %x : f32
  %log = math.log %x : f32
  %log2 = math.log2 %x : f32
  %log10 = math.log10 %x : f32
  %tanh = math.tanh %x : f32
  %erf = math.erf %x : f32
  %sin = math.sin %x : f32
  %cos = math.cos %x : f32
  %sqrt = math.sqrt %x : f32
  %rsqrt = math.rsqrt %x : f32
  %expm1 = math.expm1 %x : f32
  %log1p = math.log1p %x : f32
  %sinh = math.sinh %x : f32
  %cosh = math.cosh %x : f32
  %asinh = math.asinh %x : f32
  %acosh = math.acosh %x : f32
  %atanh = math.atanh %x : f32
  %cbrt = math.cbrt %x : f32
  %erfc = math.erfc %x : f32
  %tan = math.tan %x : f32
  %asin = math.asin %x : f32
  %acos = math.acos %x : f32
  %atan = math.atan %x : f32
  %atan2 = math.atan2 %x, %y : f32
  %powf = math.powf %x, %y : f32
  %fma = math.fma %x, %y, %x : f32
  %abs = math.absf %x : f32
  %sign = math.copysign %x, %y : f32
  %ceil = math.ceil %x : f32
  %floor = math.floor %x : f32
  %trunc = math.trunc %x : f32
  %even = math.roundeven %x : f32
  %nan = math.isnan %x : f32
  %finite = math.isfinite %x : f32
  tile.return
}

// So is every one of f64, with nothing that the chip approximates.
// CHECK-LABEL: llvm.func @double(
// CHECK-NOT: math.
// CHECK-NOT: llvm.call_intrinsic
// CHECK: llvm.intr.fma(%{{.*}}) : (f64, f64, f64) -> f64
// CHECK-NOT: math.
// CHECK-NOT: llvm.call_intrinsic
// CHECK: llvm.return
tile.kernel @double(%x: f64, %y: f64) plan #tile.plan<warps = 1> {
  %exp = math.exp %x : f64
  %exp2 = math.exp2 %x : f64
  %expm1 = math.expm1 %x : f64
  %log = math.log %x : f64
  %log2 = math.log2 %x : f64
  %log10 = math.log10 %x : f64
  %log1p = math.log1p %x : f64
  %tanh = math.tanh %x : f64
  %sinh = math.sinh %x : f64
  %cosh = math.cosh %x : f64
  %erf = math.erf %x : f64
  %erfc = math.erfc %x : f64
  %sqrt = math.sqrt %x : f64
  %rsqrt = math.rsqrt %x : f64
  %asinh = math.asinh %x : f64
  %acosh = math.acosh %x : f64
  %atanh = math.atanh %x : f64
  %cbrt = math.cbrt %x : f64
  %asin = math.asin %x : f64
  %acos = math.acos %x : f64
  %atan = math.atan %x : f64
  %atan2 = math.atan2 %x, %y : f64
  %powf = math.powf %x, %y : f64
  tile.return
}

// Of f64, too, the dear reduction of large arguments is behind a branch; the
// product with the digits of 2/pi is one of 64 bits, both halves.
// CHECK-LABEL: llvm.func @doubleWaves(
// CHECK-COUNT-3: llvm.cond_br %{{.*}}, ^bb{{[0-9]+}}, ^bb{{[0-9]+}}(
// CHECK: llvm.intr.fshl(%{{.*}}) : (i64, i64, i64) -> i64
// CHECK: llvm.mul %{{.*}}, %{{.*}} : i128
// CHECK: llvm.return
tile.kernel @doubleWaves(%x: f64) plan #tile.plan<warps = 1> {
  %sin = math.sin %x : f64
  %cos = math.cos %x : f64
  %tan = math.tan %x : f64
  tile.return
}

// Which of two ways holds is chosen by a mask, since predicates are few.
// CHECK-LABEL: llvm.func @ways(
// CHECK-NOT: llvm.select
// CHECK: llvm.inline_asm "lop3.b32 $0, $1, $2, $3, 0xCA;"
// CHECK-NOT: llvm.select
// CHECK: llvm.return
tile.kernel @ways(%x: f32) plan #tile.plan<warps = 1> {
  %tanh = math.tanh %x : f32
  tile.return
}

// The dear reduction of large arguments is behind a branch.
// CHECK-LABEL: llvm.func @sine(
// CHECK: llvm.cond_br %{{.*}}, ^[[FAR:bb[0-9]+]], ^[[AFTER:bb[0-9]+]](
// CHECK: ^[[FAR]]:
// CHECK: llvm.intr.fshl
// CHECK: llvm.br ^[[AFTER]](
// CHECK: ^[[AFTER]](
tile.kernel @sine(%x: f32) plan #tile.plan<warps = 1> {
  %y = math.sin %x : f32
  tile.return
}

// What may be approximated takes the chip's instruction.
// CHECK-LABEL: llvm.func @approximate(
// CHECK: llvm.intr.tanh(%{{.*}}) {fastmathFlags = #llvm.fastmath<afn>} : (f32) -> f32
// CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"
// CHECK: llvm.call_intrinsic "llvm.nvvm.lg2.approx.f"
// CHECK: llvm.call_intrinsic "llvm.nvvm.sin.approx.f"
// CHECK: llvm.call_intrinsic "llvm.nvvm.cos.approx.f"
// CHECK-NOT: fma
tile.kernel @approximate(%x: f32) plan #tile.plan<warps = 1> {
  %tanh = math.tanh %x fastmath<afn> : f32
  %exp = math.exp %x fastmath<afn> : f32
  %log = math.log %x fastmath<afn> : f32
  %sin = math.sin %x fastmath<afn> : f32
  %cos = math.cos %x fastmath<afn> : f32
  tile.return
}

// Both operands of f16 are widened, and the power is rounded once.
// CHECK-LABEL: llvm.func @narrow_power(
// CHECK: llvm.fpext %{{.*}} : f16 to f32
// CHECK: llvm.fpext %{{.*}} : f16 to f32
// CHECK: llvm.fptrunc %{{.*}} : f32 to f16
// CHECK-NOT: llvm.fptrunc
tile.kernel @narrow_power(%x: f16, %y: f16) plan #tile.plan<warps = 1> {
  %z = math.powf %x, %y : f16
  tile.return
}

// An exponent of 64 bits is held to 32, and stays odd if it was.
// CHECK-LABEL: llvm.func @wide_exponent(
// CHECK: %[[ODD:.*]] = llvm.and %{{.*}}, %{{.*}} : i64
// CHECK: llvm.intr.smax
// CHECK: %[[HELD:.*]] = llvm.intr.smin
// CHECK: %[[EXPONENT:.*]] = llvm.or %[[HELD]], %[[ODD]] : i64
// CHECK: llvm.trunc %[[EXPONENT]] : i64 to i32
tile.kernel @wide_exponent(%x: f32, %n: i64) plan #tile.plan<warps = 1> {
  %z = math.fpowi %x, %n : f32, i64
  tile.return
}

// Powers of integers are a loop over the digits of the exponent.
// CHECK-LABEL: llvm.func @integers(
// CHECK: llvm.br ^[[HEAD:bb[0-9]+]](
// CHECK: ^[[HEAD]](%[[POWER:.*]]: vector<4xi32>, %{{.*}}: vector<4xi32>, %[[DIGITS:.*]]: vector<4xi32>):
// CHECK: llvm.cond_br %{{.*}}, ^[[ROUND:bb[0-9]+]], ^[[AFTER:bb[0-9]+]]
// CHECK: ^[[ROUND]]:
// CHECK: llvm.mul %[[POWER]]
// CHECK: llvm.lshr %[[DIGITS]]
// CHECK: llvm.br ^[[HEAD]](
// CHECK: ^[[AFTER]]:
// CHECK: llvm.return
tile.kernel @integers(%p: !tile.ptr<i32>) plan #tile.plan<warps = 1> {
  %zero = arith.constant 0 : i32
  %none = arith.constant 2147483647 : i32
  %one = arith.constant 1 : i64
  %x = tile_gpu.load %p[%zero, %zero] bounds[%none, %none] strides[%one, %one]
      plan<registers> : !tile.ptr<i32>, i32 -> tensor<16x16xi32, #acc>
  %y = math.ipowi %x, %x : tensor<16x16xi32, #acc>
  tile.return
}

// A remainder is exact: LLVM's own is not, and none is left to it.
// CHECK-LABEL: llvm.func @remainder(
// CHECK-NOT: frem
// CHECK: llvm.fpext %{{.*}} : bf16 to f32
// CHECK: llvm.urem
// CHECK: llvm.cond_br
// CHECK-NOT: frem
// CHECK: llvm.return
tile.kernel @remainder(%x: f32, %y: bf16) plan #tile.plan<warps = 1> {
  %a = arith.remf %y, %y : bf16
  %b = arith.remf %x, %x : f32
  tile.return
}
