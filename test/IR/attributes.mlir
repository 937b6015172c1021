// RUN: tile-opt %s --verify-roundtrip --allow-unregistered-dialect | FileCheck %s

// Every attribute prints in its documented form, without what is the default.

// A layout is written once and has a name.
// CHECK-DAG: #[[ATOM:layout[0-9]*]] = #tile.layout<register = {{\[\[}}0, 1], [8, 0]], lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], sides = [16, 8]>
// CHECK-DAG: #[[OFFSET:layout[0-9]*]] = #tile.layout<offset = {{\[\[}}1], [2]], sides = [4]>
// CHECK-DAG: #[[REPS:layout[0-9]*]] = #tile.layout<register = {{\[\[}}1]], sides = [2], reps = [3]>
// CHECK-DAG: #[[FOUR:layout[0-9]*]] = #tile.layout<register = {{\[\[}}1], [2]], sides = [4]>

// A fact lists what is known, in one order.
// CHECK-LABEL: "fact"
// CHECK-SAME: all = #tile.fact<divisibility = 16, min = -4, max = 9223372036854775807, noalias>
// CHECK-SAME: none = #tile.fact<>
"fact"() {all = #tile.fact<noalias, max = 9223372036854775807, min = -4, divisibility = 16>,
          none = #tile.fact<>} : () -> ()

// Requirements are a list of features.
// CHECK-LABEL: "require"
// CHECK-SAME: a = #tile.require<mma_sync, wgmma, cp_async, tma, pipelined>
"require"() {a = #tile.require<mma_sync, wgmma, cp_async, tma, pipelined>} : () -> ()

// A plan prints in the order of the table of keys.
// CHECK-LABEL: "plan"
// CHECK-SAME: empty = #tile.plan<>
// CHECK-SAME: full = #tile.plan<target = "sm_90a", warps = 8, stages = 1, instruction = "fma", copy = "plain", epilogue = "staged">
"plan"() {empty = #tile.plan<>,
          full = #tile.plan<epilogue = "staged", copy = "plain", stages = 1, warps = 8,
                            instruction = "fma", target = "sm_90a">} : () -> ()

// A copy leaves out a vector of 1 and no swizzle.
// CHECK-LABEL: "copy"
// CHECK-SAME: a = #tile.copy<registers>
// CHECK-SAME: b = #tile.copy<plain, vector = 16>
// CHECK-SAME: c = #tile.copy<tma, swizzle = 32>
// CHECK-SAME: d = #tile.copy<cp_async, vector = 8, swizzle = 128>
"copy"() {a = #tile.copy<registers, vector = 1, swizzle = 0>,
          b = #tile.copy<plain, vector = 16>,
          c = #tile.copy<tma, swizzle = 32>,
          d = #tile.copy<cp_async, swizzle = 128, vector = 8>} : () -> ()

// An instruction and how warps share its accumulator.
// CHECK-LABEL: "mma"
// CHECK-SAME: a = #tile.mma<mma_sync, m = 16, n = 8, k = 16, warps = [2, 4]>
// CHECK-SAME: b = #tile.mma<fma, m = 1, n = 1, k = 1, warps = [1, 1]>
"mma"() {a = #tile.mma<mma_sync, m = 16, n = 8, k = 16, warps = [2, 4]>,
         b = #tile.mma<fma, m = 1, n = 1, k = 1, warps = [1, 1]>} : () -> ()

// A pipeline has a depth.
// CHECK-LABEL: "pipeline"
// CHECK-SAME: a = #tile.pipeline<stages = 16>
"pipeline"() {a = #tile.pipeline<stages = 16>} : () -> ()

// A layout prints its atom, then repetitions only where they are not 1.
// CHECK-LABEL: "layout"
// CHECK-SAME: atom = #[[ATOM]], offset = #[[OFFSET]], reps = #[[REPS]]
"layout"() {atom = #tile.layout<register = [[0, 1], [8, 0]],
                                lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]],
                                sides = [16, 8], reps = [1, 1]>,
            offset = #tile.layout<offset = [[1], [2]], sides = [4]>,
            reps = #tile.layout<register = [[1]], sides = [2], reps = [3]>} : () -> ()

// Two spellings of one layout are one attribute: repetitions by a power of two
// join the atom.
// CHECK-LABEL: "layout_canonical"
// CHECK-SAME: a = #[[FOUR]], b = #[[FOUR]]
"layout_canonical"() {a = #tile.layout<register = [[1]], sides = [2], reps = [2]>,
                      b = #tile.layout<register = [[1], [2]], sides = [4]>} : () -> ()

// A layout is a tensor's encoding where it has its shape.
// CHECK-LABEL: "encoding"
// CHECK-SAME: tensor<6xf32, #[[REPS]]>
"encoding"() : () -> tensor<6xf32, #tile.layout<register = [[1]], sides = [2], reps = [3]>>

// A pointer's element is any that memory holds.
// CHECK-LABEL: "pointers"
// CHECK-SAME: !tile.ptr<f64>, !tile.ptr<f32>, !tile.ptr<f16>, !tile.ptr<bf16>, !tile.ptr<f8E4M3FN>, !tile.ptr<f8E5M2>, !tile.ptr<i64>, !tile.ptr<i32>, !tile.ptr<i16>, !tile.ptr<i8>, !tile.ptr<i1>
"pointers"() : () -> (!tile.ptr<f64>, !tile.ptr<f32>, !tile.ptr<f16>, !tile.ptr<bf16>,
  !tile.ptr<f8E4M3FN>, !tile.ptr<f8E5M2>, !tile.ptr<i64>, !tile.ptr<i32>,
  !tile.ptr<i16>, !tile.ptr<i8>, !tile.ptr<i1>)

// A loop carries its pipeline, an op of it its stage.
// CHECK-LABEL: tile.kernel @loop
// CHECK: arith.constant {tile.stage = 1 : i64} 3 : i32
// CHECK: } {tile.pipeline = #tile.pipeline<stages = 3>}
tile.kernel @loop(%n: i32) {
  scf.for %i = %n to %n step %n : i32 {
    %0 = arith.constant {tile.stage = 1} 3 : i32
  } {tile.pipeline = #tile.pipeline<stages = 3>}
  tile.return
}
