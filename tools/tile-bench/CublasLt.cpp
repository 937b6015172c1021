//===- CublasLt.cpp - cublasLtMatmul, opened at run time ------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CublasLt.h"

#include "tile/Runtime/EntryPoints.h"

#include <dlfcn.h>

using namespace tile::bench;
using namespace tile::runtime;

/// cudaDataType_t and attribute numbers of cublasLt.h.
static constexpr int kTransposeA = 3, kTransposeB = 4;
static constexpr int kMaxWorkspaceBytes = 1;
static constexpr size_t kWorkspaceBytes = size_t(64) << 20;

namespace {
/// cublasLtMatmulHeuristicResult_t.
struct Heuristic {
  uint64_t algorithm[8];
  size_t workspaceSize;
  int state;
  float waves;
  int reserved[4];
};

/// The opaque objects of one product; they live as long as its calls.
struct Descriptors {
  void *operation = nullptr, *a = nullptr, *b = nullptr, *c = nullptr,
       *preference = nullptr;
  Heuristic heuristic = {};
};
} // namespace

/// The entry points.
struct CublasLt::Api {
  int (*create)(void **);
  int (*destroy)(void *);
  int (*createOperation)(void **, int, int);
  int (*setOperation)(void *, int, const void *, size_t);
  int (*createLayout)(void **, int, uint64_t, uint64_t, int64_t);
  int (*createPreference)(void **);
  int (*setPreference)(void *, int, const void *, size_t);
  int (*getHeuristic)(void *, void *, void *, void *, void *, void *, void *,
                      int, Heuristic *, int *);
  int (*matmul)(void *, void *, const void *, const void *, void *,
                const void *, void *, const void *, const void *, void *,
                void *, void *, const uint64_t *, void *, size_t, void *);

  /// Looks all of them up; the first that is missing, or empty.
  std::string lookUp(void *library);
};

std::string CublasLt::Api::lookUp(void *library) {
  EntryPoints symbols(library);
  symbols.find(create, "cublasLtCreate");
  symbols.find(destroy, "cublasLtDestroy");
  symbols.find(createOperation, "cublasLtMatmulDescCreate");
  symbols.find(setOperation, "cublasLtMatmulDescSetAttribute");
  symbols.find(createLayout, "cublasLtMatrixLayoutCreate");
  symbols.find(createPreference, "cublasLtMatmulPreferenceCreate");
  symbols.find(setPreference, "cublasLtMatmulPreferenceSetAttribute");
  symbols.find(getHeuristic, "cublasLtMatmulAlgoGetHeuristic");
  symbols.find(matmul, "cublasLtMatmul");
  return symbols.firstMissing();
}

CublasLt::CublasLt(std::unique_ptr<Api> api, Buffer workspace,
                   cuda::StreamHandle stream)
    : api(std::move(api)), workspace(std::move(workspace)), stream(stream) {}

CublasLt::~CublasLt() {
  if (handle)
    api->destroy(handle);
}

/// The library that belongs to the cuBLAS at `cublasPath`.
static void *openLibrary(const std::string &cublasPath) {
  std::string path = cublasLtBeside(cublasPath);
  if (!path.empty())
    return dlopen(path.c_str(), RTLD_LAZY | RTLD_GLOBAL);
  void *library = dlopen("libcublasLt.so.13", RTLD_LAZY | RTLD_GLOBAL);
  return library ? library
                 : dlopen("libcublasLt.so.12", RTLD_LAZY | RTLD_GLOBAL);
}

Result<std::unique_ptr<CublasLt>> CublasLt::open(const std::string &cublasPath,
                                                 const Device &device,
                                                 cuda::StreamHandle stream) {
  void *library = openLibrary(cublasPath);
  if (!library)
    return Error("expected cuBLASLt beside cuBLAS, got none");
  auto api = std::make_unique<Api>();
  std::string missing = api->lookUp(library);
  if (!missing.empty())
    return Error("cuBLASLt: expected entry point '" + missing + "', got none");
  Result<Buffer> workspace = Buffer::allocate(device, kWorkspaceBytes);
  if (!workspace)
    return workspace.takeError();
  std::unique_ptr<CublasLt> lt(
      new CublasLt(std::move(api), std::move(*workspace), stream));
  if (int code = lt->api->create(&lt->handle)) {
    lt->handle = nullptr;
    return Error("cublasLtCreate: expected status 0, got " +
                 std::to_string(code));
  }
  return lt;
}

Result<std::function<Status()>>
CublasLt::prepare(const CublasGemm &gemm) const {
  // As in Cublas.cpp: row-major C is column-major C^T = B^T A^T, so that our B
  // is its first operand.
  auto parts = std::make_shared<Descriptors>();
  int transposeFirst = gemm.isBTransposed, transposeSecond = gemm.isATransposed;
  uint64_t m = gemm.m, n = gemm.n, k = gemm.k;
  int input = dataType(gemm.input), output = dataType(gemm.output);
  int code = api->createOperation(&parts->operation, gemm.compute,
                                  CublasScalars(gemm.compute).type);
  auto then = [&](int next) { code = code ? code : next; };
  then(api->setOperation(parts->operation, kTransposeA, &transposeFirst, 4));
  then(api->setOperation(parts->operation, kTransposeB, &transposeSecond, 4));
  then(gemm.isBTransposed ? api->createLayout(&parts->b, input, k, n, k)
                          : api->createLayout(&parts->b, input, n, k, n));
  then(gemm.isATransposed ? api->createLayout(&parts->a, input, m, k, m)
                          : api->createLayout(&parts->a, input, k, m, k));
  then(api->createLayout(&parts->c, output, n, m, n));
  then(api->createPreference(&parts->preference));
  then(api->setPreference(parts->preference, kMaxWorkspaceBytes,
                          &kWorkspaceBytes, sizeof(kWorkspaceBytes)));
  int numFound = 0;
  if (code == 0)
    then(api->getHeuristic(handle, parts->operation, parts->b, parts->a,
                           parts->c, parts->c, parts->preference, 1,
                           &parts->heuristic, &numFound));
  if (code != 0 || numFound == 0)
    return Error("cuBLASLt: expected an algorithm, got status " +
                 std::to_string(code));
  return std::function<Status()>([this, gemm, parts]() -> Status {
    CublasScalars scalars(gemm.compute);
    auto *c = reinterpret_cast<void *>(gemm.c);
    int status = api->matmul(
        handle, parts->operation, scalars.one(),
        reinterpret_cast<void *>(gemm.b), parts->b,
        reinterpret_cast<void *>(gemm.a), parts->a, scalars.zero(), c, parts->c,
        c, parts->c, parts->heuristic.algorithm,
        reinterpret_cast<void *>(workspace.address()), kWorkspaceBytes, stream);
    if (status == 0)
      return Status::success();
    return Error("cublasLtMatmul: expected status 0, got " +
                 std::to_string(status));
  });
}
