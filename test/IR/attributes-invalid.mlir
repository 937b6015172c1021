// RUN: tile-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// Each numbered constraint of the attributes, broken once, and their syntax.

// C1: everything is divisible by 1, nothing by 0.
// expected-error @+1 {{expected divisibility of at least 1, got 0}}
"fact_c1_zero"() {a = #tile.fact<divisibility = 0>} : () -> ()

// -----

// C1: nor by a negative number.
// expected-error @+1 {{expected divisibility of at least 1, got -9223372036854775808}}
"fact_c1_negative"() {a = #tile.fact<divisibility = -9223372036854775808>} : () -> ()

// -----

// C2: a range is not empty.
// expected-error @+1 {{expected min to be at most max, got min = 2, max = 1}}
"fact_c2_range"() {a = #tile.fact<min = 2, max = 1>} : () -> ()

// -----

// A fact is said once.
// expected-error @+1 {{expected 'min' once, got it twice}}
"fact_twice"() {a = #tile.fact<min = 1, min = 2>} : () -> ()

// -----

// There are four kinds of facts.
// expected-error @+1 {{expected divisibility, min, max or noalias, got 'align'}}
"fact_unknown"() {a = #tile.fact<align = 16>} : () -> ()

// -----

// A number that no 64 bits hold is not cut.
// expected-error @+1 {{integer value too large}}
"fact_large"() {a = #tile.fact<min = 99999999999999999999>} : () -> ()

// -----

// C1: a plan's keys are those of the table.
// expected-error @+1 {{unknown plan key 'warp'; the keys are target, warps, }}
"plan_c1_key"() {a = #tile.plan<warp = 4>} : () -> ()

// -----

// C2: a word is one of those allowed.
// expected-error @+1 {{expected plan key 'target' to be one of sm_80|sm_86|sm_89|sm_90a|sm_100a|sm_120, got "sm_75"}}
"plan_c2_word"() {a = #tile.plan<target = "sm_75">} : () -> ()

// -----

// C2: a word is not a number.
// expected-error @+1 {{expected plan key 'target' to be one of sm_80|sm_86|sm_89|sm_90a|sm_100a|sm_120, got 80 : i64}}
"plan_c2_type"() {a = #tile.plan<target = 80>} : () -> ()

// -----

// C2: a number is not a word.
// expected-error @+1 {{expected plan key 'stages' to be an integer from 1 to 16, got "3"}}
"plan_c2_integer"() {a = #tile.plan<stages = "3">} : () -> ()

// -----

// C2: a number lies in its range.
// expected-error @+1 {{expected plan key 'stages' to be an integer from 1 to 16, got 17}}
"plan_c2_range"() {a = #tile.plan<stages = 17>} : () -> ()

// -----

// C2: warps come in powers of two.
// expected-error @+1 {{expected plan key 'warps' to be a power of two from 1 to 16, got 3}}
"plan_c2_power"() {a = #tile.plan<warps = 3>} : () -> ()

// -----

// A key stands once.
// expected-error @+1 {{expected 'warps' once, got it twice}}
"plan_twice"() {a = #tile.plan<warps = 4, warps = 8>} : () -> ()

// -----

// C1: a vector is a power of two.
// expected-error @+1 {{expected vector to be 1, 2, 4, 8 or 16, got 3}}
"copy_c1_power"() {a = #tile.copy<plain, vector = 3>} : () -> ()

// -----

// C1: of at most 16 elements.
// expected-error @+1 {{expected vector to be 1, 2, 4, 8 or 16, got 32}}
"copy_c1_large"() {a = #tile.copy<plain, vector = 32>} : () -> ()

// -----

// C2: the hardware has three swizzles.
// expected-error @+1 {{expected swizzle to be 0, 32, 64 or 128, got 16}}
"copy_c2_swizzle"() {a = #tile.copy<tma, swizzle = 16>} : () -> ()

// -----

// C1: the instruction exists.
// expected-error @+1 {{expected an instruction shape of the table, got mma_sync m16n8k7}}
"mma_c1_shape"() {a = #tile.mma<mma_sync, m = 16, n = 8, k = 7, warps = [1, 1]>} : () -> ()

// -----

// C2: warps share rows and columns.
// expected-error @+1 {{expected warps to be two powers of two, got [4]}}
"mma_c2_count"() {a = #tile.mma<mma_sync, m = 16, n = 8, k = 16, warps = [4]>} : () -> ()

// -----

// C2: in powers of two.
// expected-error @+1 {{expected warps to be two powers of two, got [3, 1]}}
"mma_c2_power"() {a = #tile.mma<mma_sync, m = 16, n = 8, k = 16, warps = [3, 1]>} : () -> ()

// -----

// C2: and there are some.
// expected-error @+1 {{expected warps to be two powers of two, got [0, 1]}}
"mma_c2_zero"() {a = #tile.mma<mma_sync, m = 16, n = 8, k = 16, warps = [0, 1]>} : () -> ()

// -----

// C1: a loop has at least one stage.
// expected-error @+1 {{expected stages from 1 to 16, got 0}}
"pipeline_c1_zero"() {a = #tile.pipeline<stages = 0>} : () -> ()

// -----

// C1: and at most 16.
// expected-error @+1 {{expected stages from 1 to 16, got 17}}
"pipeline_c1_large"() {a = #tile.pipeline<stages = 17>} : () -> ()

// -----

// C1: a tensor and its layout have one rank.
// expected-error @+1 {{expected a layout of 2 dimensions, got 1}}
"layout_c1_rank"() : () -> tensor<2x1xf32, #tile.layout<register = [[1]], sides = [2]>>

// -----

// C2: and one shape.
// expected-error @+1 {{expected a layout of shape 16, got 2}}
"layout_c2_shape"() : () -> tensor<16xf32, #tile.layout<register = [[1]], sides = [2]>>

// -----

// C2: which is static.
// expected-error @+1 {{expected static sides under a layout, got a dynamic one}}
"layout_c2_dynamic"() : () -> tensor<?xf32, #tile.layout<register = [[1]], sides = [2]>>

// -----

// A layout's entries are known ones.
// expected-error @+1 {{expected register, lane, warp, block, offset, sides, reps or order, got 'thread'}}
"layout_group"() {a = #tile.layout<thread = [[1]], sides = [2]>} : () -> ()

// -----

// Each of them stands once.
// expected-error @+1 {{expected 'sides' once, got it twice}}
"layout_twice"() {a = #tile.layout<register = [[1]], sides = [2], sides = [4]>} : () -> ()

// -----

// An atom's sides are powers of two.
// expected-error @+1 {{expected sides that are powers of two, got 3}}
"layout_sides"() {a = #tile.layout<register = [[1]], sides = [3]>} : () -> ()

// -----

// A basis stays inside the atom.
// expected-error @+1 {{expected register basis entries from 0 to 1, got 4}}
"layout_basis"() {a = #tile.layout<register = [[4]], sides = [2]>} : () -> ()

// -----

// A basis has an entry for each side.
// expected-error @+1 {{expected a register basis of 1 entries, got 2}}
"layout_basis_rank"() {a = #tile.layout<register = [[1, 0]], sides = [2]>} : () -> ()

// -----

// Repetitions are counted from 1.
// expected-error @+1 {{expected positive repetition counts, got 0}}
"layout_reps"() {a = #tile.layout<register = [[1]], sides = [2], reps = [0]>} : () -> ()

// -----

// An order is a permutation.
// expected-error @+1 {{expected an order that lists each of 1 dimensions once}}
"layout_order"() {a = #tile.layout<register = [[1]], sides = [2], reps = [3], order = [-1]>} : () -> ()

// -----

// A huge shape is refused, not computed.
// expected-error @+1 {{expected at most 62 bits of coordinates, got 124}}
"layout_huge"() {a = #tile.layout<register = [[1, 0]], sides = [4611686018427387904, 4611686018427387904]>} : () -> ()
