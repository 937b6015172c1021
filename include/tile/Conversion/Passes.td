//===- Passes.td - Passes that leave the tile dialects -----*- tablegen -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_CONVERSION_PASSES_TD
#define TILE_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertTileToNVVMPass : Pass<"convert-tile-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "Lower kernels in tile_gpu to the LLVM and NVVM dialects";
  let description = [{
    Each `tile.kernel` becomes an `llvm.func` that one thread executes.

    - tensors become vectors, one for each fragment of a few registers, and
      never one value for each element of a tile;
    - a cursor becomes its slot, an i32; an address in shared memory is the
      external array `smem` plus the ring's offset, plus slot times slot size,
      plus a part that depends on the thread only, plus a constant;
    - addresses in global memory are a leading address per thread plus the same
      step for each repetition;
    - loops become blocks whose latch forbids unrolling.

    Before:

    ```mlir
    tile.kernel @k(%p: !tile.ptr<f32>) plan #tile.plan<warps = 4> {
      %id = tile.program_id x
      ...
      tile_gpu.barrier
      tile.return
    }
    ```
    After:

    ```mlir
    llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel,
        nvvm.maxntid = array<i32: 128>} {
      %id = nvvm.read.ptx.sreg.ctaid.x : i32
      ...
      nvvm.barrier0
      llvm.return
    }
    ```

    Requires: a layout on every tensor, an offset on every `tile_gpu.alloc`,
    barriers where they are needed, and no conversion of layouts that crosses
    threads.  Guarantees: only the LLVM and NVVM dialects are left inside
    kernels.  Leaves alone: ops of the module that are not kernels.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect",
                           "::mlir::arith::ArithDialect"];
}

#endif // TILE_CONVERSION_PASSES_TD
