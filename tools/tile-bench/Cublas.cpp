//===- Cublas.cpp - cuBLAS, opened at run time ----------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cublas.h"

#include "tile/Runtime/EntryPoints.h"

#include <dlfcn.h>

using namespace tile::bench;
using namespace tile::runtime;

/// cublasGemmAlgo_t.
static constexpr int kDefaultAlgorithm = -1;

int tile::bench::dataType(ElementType type) {
  switch (type) {
  case ElementType::F16:
    return 2;
  case ElementType::BF16:
    return 14;
  case ElementType::F8E4M3FN:
    return 28;
  case ElementType::I8:
    return 3;
  case ElementType::I32:
    return 10;
  default:
    return 0; // f32
  }
}

std::string tile::bench::cublasLtBeside(std::string path) {
  size_t at = path.rfind("libcublas.so");
  if (at == std::string::npos)
    return "";
  return path.replace(at, std::string("libcublas").size(), "libcublasLt");
}

/// Opens `path`, its companion from the same folder first: without a run path
/// cuBLAS does not find it.
static void *openBeside(const std::string &path) {
  std::string companion = cublasLtBeside(path);
  if (!companion.empty())
    dlopen(companion.c_str(), RTLD_LAZY | RTLD_GLOBAL);
  return dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
}

Status Cublas::lookUp() {
  EntryPoints symbols(library);
  symbols.find(create, "cublasCreate_v2");
  symbols.find(destroy, "cublasDestroy_v2");
  symbols.find(setStream, "cublasSetStream_v2");
  symbols.find(getVersion, "cublasGetVersion_v2");
  symbols.find(gemmEx, "cublasGemmEx");
  if (symbols.firstMissing().empty())
    return Status::success();
  return Error("cuBLAS: expected entry point '" + symbols.firstMissing() +
               "', got none");
}

Result<std::unique_ptr<Cublas>> Cublas::open(const std::string &path,
                                             cuda::StreamHandle stream) {
  std::unique_ptr<Cublas> cublas(new Cublas);
  if (!path.empty()) {
    cublas->library = openBeside(path);
  } else {
    for (const char *name : {"libcublas.so.13", "libcublas.so.12"})
      if (!cublas->library)
        cublas->library = openBeside(name);
  }
  if (!cublas->library) {
    const char *reason = dlerror();
    return Error(std::string("no cuBLAS: ") + (reason ? reason : "not found"));
  }
  if (Status status = cublas->lookUp(); !status)
    return status.takeError();
  if (int code = cublas->create(&cublas->handle)) {
    cublas->handle = nullptr;
    return Error("cublasCreate: expected status 0, got " +
                 std::to_string(code));
  }
  if (int code = cublas->setStream(cublas->handle, stream))
    return Error("cublasSetStream: expected status 0, got " +
                 std::to_string(code));
  return cublas;
}

Cublas::~Cublas() {
  if (handle)
    destroy(handle);
  // The library stays open: it registers exit handlers of its own.
}

std::string Cublas::version() const {
  int version = 0;
  if (getVersion(handle, &version) != 0)
    return "unknown";
  return std::to_string(version / 10000) + "." +
         std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

Status Cublas::run(const CublasGemm &gemm) const {
  // cuBLAS is column-major: row-major C is its transpose, B^T * A^T, and a
  // row-major operand needs no transposition then.
  CublasScalars scalars(gemm.compute);
  int64_t lda = gemm.isATransposed ? gemm.m : gemm.k;
  int64_t ldb = gemm.isBTransposed ? gemm.k : gemm.n;
  int code = gemmEx(
      handle, gemm.isBTransposed, gemm.isATransposed, int(gemm.n), int(gemm.m),
      int(gemm.k), scalars.one(), reinterpret_cast<const void *>(gemm.b),
      dataType(gemm.input), int(ldb), reinterpret_cast<const void *>(gemm.a),
      dataType(gemm.input), int(lda), scalars.zero(),
      reinterpret_cast<void *>(gemm.c), dataType(gemm.output), int(gemm.n),
      gemm.compute, kDefaultAlgorithm);
  if (code == 0)
    return Status::success();
  return Error("cublasGemmEx: expected status 0, got " + std::to_string(code));
}
