//===- Server.h - Serves .tile sources to editors ---------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_LSPSERVER_SERVER_H
#define TILE_TOOLS_LSPSERVER_SERVER_H

namespace tile::editor {

/// Speaks the protocol on stdin and stdout until the editor says goodbye; the
/// result is the exit code.
int serve(int argc, char **argv);

} // namespace tile::editor

#endif // TILE_TOOLS_LSPSERVER_SERVER_H
