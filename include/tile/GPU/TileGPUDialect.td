//===- TileGPUDialect.td - The tile_gpu dialect ------------*- tablegen -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_GPU_TILEGPUDIALECT_TD
#define TILE_GPU_TILEGPUDIALECT_TD

include "mlir/IR/OpBase.td"

def TileGPUDialect : Dialect {
  let name = "tile_gpu";
  let cppNamespace = "::tile::gpu";
  let summary = "Tiles on the hardware: shared-memory rings, copies, mma";
  let description = [{
    One level below `tile`, still readable.  A program is run by the warps of one
    CTA, and every op here is executed by all of them together unless it says
    otherwise.  Tensors are spread over the threads by their encoding, a
    `#tile.layout`; shared memory appears as *buffers*, rings of slots of one
    tile each, and a *cursor* names a slot and its phase as one value.

    Asynchronous copies land when they have been waited for, not before.
    Barriers between warps are explicit ops; `tile-gpu-insert-barriers` puts
    them where a hazard needs one.

    `tile_gpu.shared`, on a kernel, is the bytes of shared memory that its rings
    take.
  }];
  let dependentDialects = ["::tile::TileDialect"];
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;
}

#endif // TILE_GPU_TILEGPUDIALECT_TD
