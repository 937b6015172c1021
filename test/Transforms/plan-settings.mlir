// A setting is one decision of the table; what is none is an error at the kernel.
// RUN: not tile-opt %s --tile-plan=target=sm_20 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not tile-opt %s --tile-plan=set=warp=4 2>&1 | FileCheck %s --check-prefix=KEY
// RUN: not tile-opt %s --tile-plan=set=warps=3 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not tile-opt %s --tile-plan=set=warps=many 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not tile-opt %s --tile-plan=set=warps 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not tile-opt %s --tile-plan=set==4 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not tile-opt %s --tile-plan="set=warps=4 set=warps=8" 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: tile-opt %s --tile-plan="target=sm_90a set=warps=8 set=copy=plain" | FileCheck %s

// TARGET: [[@LINE+8]]:1: error: 'tile.kernel' op expected plan key 'target' to be one of sm_80|sm_86|sm_89|sm_90a|sm_100a|sm_120, got "sm_20"
// KEY: [[@LINE+7]]:1: error: 'tile.kernel' op unknown plan key 'warp'; the keys are target, warps,
// VALUE: [[@LINE+6]]:1: error: 'tile.kernel' op expected plan key 'warps' to be a power of two from 1 to 16, got 3
// WORD: [[@LINE+5]]:1: error: 'tile.kernel' op expected plan key 'warps' to be a power of two from 1 to 16, got "many"
// FORM: [[@LINE+4]]:1: error: 'tile.kernel' op expected a setting KEY=VALUE, got 'warps'
// NAME: [[@LINE+3]]:1: error: 'tile.kernel' op expected a setting KEY=VALUE, got '=4'
// TWICE: [[@LINE+2]]:1: error: 'tile.kernel' op expected one value for plan key 'warps', got 'warps=4' and 'warps=8'
// CHECK: tile.kernel @settings() plan #tile.plan<target = "sm_90a", warps = 8, copy = "plain">
tile.kernel @settings() {
  tile.return
}
