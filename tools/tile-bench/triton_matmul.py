#!/usr/bin/env python3
"""Times Triton's matmul on the sizes of `tile-bench suite`, against cuBLAS, and
PyTorch's softmax and attention (torch_examples.py).

Optional: needs PyTorch and Triton on a CUDA machine; nothing else of the project
does.  It writes the format of `tile-bench suite --json`, so that `tile-bench report`
merges it with runs of ours.

usage: triton_matmul.py --cases FILE --json FILE [--filter REGEX] [--turns N]
                        [--host] [--compile]

FILE of --cases is the output of `tile-bench suite --list`.  Contenders: `Triton
pointers` (offsets and masks), `Triton TMA` (tensor descriptors, persistent) and
`Triton TMA specialised` (the same, warp-specialised), each autotuned; `cuBLAS` is
torch.matmul; of 8-bit types it is what PyTorch has for them.  As in tile-bench they take turns, L2 flushed before each, on a card
that has rested: after the autotuner's runs its clock is a tenth lower.  `--host`
adds the time from a decorated function to the end of its first launch, with an
empty cache.  `--compile` compiles what the cases need and measures nothing, so that
several processes can fill Triton's cache first.
"""
import argparse
import datetime
import json
import re
import os
import statistics
import sys
import tempfile
import time

import torch
import triton
import triton.language as tl

import torch_examples

TYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32,
         "tf32": torch.float32, "tf32x3": torch.float32,
         "f8E4M3FN": torch.float8_e4m3fn, "i8": torch.int8}
# Of what is stored as something else than A and B are.
OUTPUTS = {"f8E4M3FN": torch.float16, "i8": torch.int32}
HALVES = (torch.float16, torch.bfloat16)
SIDES = [(128, 256, 64, 8, 3), (128, 256, 64, 8, 4), (256, 128, 64, 8, 3),
         (128, 128, 64, 4, 4), (128, 128, 64, 8, 4), (128, 128, 32, 4, 4),
         (64, 128, 64, 4, 4), (64, 64, 64, 4, 4), (64, 256, 32, 4, 4),
         (32, 64, 64, 4, 5), (16, 64, 128, 4, 4), (16, 32, 256, 4, 4)]
TMA_SIDES = [(128, 256, 64, 8, 3), (128, 256, 64, 8, 4), (128, 128, 64, 8, 4),
             (128, 128, 64, 4, 4), (128, 128, 128, 8, 3)]


def configurations(sides):
    return [triton.Config(dict(BM=m, BN=n, BK=k, GROUP=8), num_warps=warps,
                          num_stages=stages)
            for m, n, k, warps, stages in sides]


def worth_trying(configs, arguments, **_):
    """Leaves out tiles that cannot be the best: small ones of large matrices, which
    read too much, and large ones of small matrices, which leave the card idle."""
    sides = arguments["M"], arguments["N"]
    least = 128 * 128 if min(sides) >= 2048 else 0
    most = 128 * 128 if max(sides) <= 1024 else 256 * 256
    return [c for c in configs if least <= c.kwargs["BM"] * c.kwargs["BN"] <= most]


PRUNE = {"early_config_prune": worth_trying}


@triton.autotune(configs=configurations(SIDES), key=["M", "N", "K", "sak", "sbk", "PRECISION"],
                 prune_configs_by=PRUNE)
@triton.jit
def pointer_kernel(a, b, c, M, N, K, sam, sak, sbk, sbn, scm, scn,
                   BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
                   GROUP: tl.constexpr, PRECISION: tl.constexpr = "ieee",
                   SUM: tl.constexpr = tl.float32):
    pid = tl.program_id(0)
    tiles_m, tiles_n = tl.cdiv(M, BM), tl.cdiv(N, BN)
    first = pid // (GROUP * tiles_n) * GROUP
    rows = tl.minimum(tiles_m - first, GROUP)
    pid_m = first + (pid % (GROUP * tiles_n)) % rows
    pid_n = (pid % (GROUP * tiles_n)) // rows
    rm = pid_m * BM + tl.arange(0, BM)
    rn = pid_n * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    a_ptrs = a + rm[:, None] * sam + rk[None, :] * sak
    b_ptrs = b + rk[:, None] * sbk + rn[None, :] * sbn
    total = tl.zeros((BM, BN), SUM)
    for k in range(0, K, BK):
        x = tl.load(a_ptrs, mask=(rm[:, None] < M) & (rk[None, :] < K - k), other=0)
        y = tl.load(b_ptrs, mask=(rk[:, None] < K - k) & (rn[None, :] < N), other=0)
        total = tl.dot(x, y, total, input_precision=PRECISION, out_dtype=SUM)
        a_ptrs += BK * sak
        b_ptrs += BK * sbk
    c_ptrs = c + rm[:, None] * scm + rn[None, :] * scn
    tl.store(c_ptrs, total.to(c.dtype.element_ty),
             mask=(rm[:, None] < M) & (rn[None, :] < N))


@triton.autotune(configs=configurations(TMA_SIDES),
                 key=["M", "N", "K", "SPECIALISED", "A_TRANSPOSED", "B_TRANSPOSED"],
                 prune_configs_by=PRUNE)
@triton.jit
def tma_kernel(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr,
               BK: tl.constexpr, GROUP: tl.constexpr, SMS: tl.constexpr,
               SPECIALISED: tl.constexpr, A_TRANSPOSED: tl.constexpr,
               B_TRANSPOSED: tl.constexpr):
    if A_TRANSPOSED:
        a_map = tl.make_tensor_descriptor(a, shape=[K, M], strides=[M, 1], block_shape=[BK, BM])
    else:
        a_map = tl.make_tensor_descriptor(a, shape=[M, K], strides=[K, 1], block_shape=[BM, BK])
    if B_TRANSPOSED:
        b_map = tl.make_tensor_descriptor(b, shape=[N, K], strides=[K, 1], block_shape=[BN, BK])
    else:
        b_map = tl.make_tensor_descriptor(b, shape=[K, N], strides=[N, 1], block_shape=[BK, BN])
    c_map = tl.make_tensor_descriptor(c, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    tiles_m, tiles_n = tl.cdiv(M, BM), tl.cdiv(N, BN)
    for tile in tl.range(tl.program_id(0), tiles_m * tiles_n, SMS, flatten=True,
                         warp_specialize=SPECIALISED):
        first = tile // (GROUP * tiles_n) * GROUP
        rows = tl.minimum(tiles_m - first, GROUP)
        pid_m = first + (tile % (GROUP * tiles_n)) % rows
        pid_n = (tile % (GROUP * tiles_n)) // rows
        total = tl.zeros((BM, BN), tl.float32)
        for k in range(0, K, BK):
            if A_TRANSPOSED:
                x = a_map.load([k, pid_m * BM]).T
            else:
                x = a_map.load([pid_m * BM, k])
            if B_TRANSPOSED:
                y = b_map.load([pid_n * BN, k]).T
            else:
                y = b_map.load([k, pid_n * BN])
            total = tl.dot(x, y, total)
        c_map.store([pid_m * BM, pid_n * BN], total.to(c.dtype.element_ty))


def pointer_arguments(a, b, c, kind):
    (m, k), n = a.shape, b.shape[1]
    return (a, b, c, m, n, k, a.stride(0), a.stride(1), b.stride(0), b.stride(1),
            c.stride(0), c.stride(1)), dict(
                PRECISION=kind if kind in ("tf32", "tf32x3") else "ieee",
                SUM=tl.int32 if kind == "i8" else tl.float32)


def tma_arguments(a, b, c, layout, specialised):
    (m, k), n = a.shape, b.shape[1]
    return (a, b, c, m, n, k), dict(
        SMS=torch.cuda.get_device_properties(0).multi_processor_count,
        SPECIALISED=specialised, A_TRANSPOSED=layout[0] == "t",
        B_TRANSPOSED=layout[1] == "t")


def with_pointers(a, b, c, kind):
    arguments, constants = pointer_arguments(a, b, c, kind)
    m, n = c.shape

    def grid(meta):
        return (triton.cdiv(m, meta["BM"]) * triton.cdiv(n, meta["BN"]),)

    return lambda: pointer_kernel[grid](*arguments, **constants)


def with_tma(a, b, c, layout, specialised):
    arguments, constants = tma_arguments(a, b, c, layout, specialised)
    m, n = c.shape
    triton.set_allocator(
        lambda size, alignment, stream: torch.empty(size, dtype=torch.int8, device="cuda"))

    def grid(meta):
        return (min(constants["SMS"],
                    triton.cdiv(m, meta["BM"]) * triton.cdiv(n, meta["BN"])),)

    return lambda: tma_kernel[grid](*arguments, **constants)


def has_tma(a, b):
    m, n = a.shape[0], b.shape[1]
    aligned = all(side * a.element_size() % 16 == 0 for side in (m, n, a.shape[1]))
    return a.dtype in HALVES and aligned and m >= 512


def library(a, b, c, kind):
    """The name that tile-bench has for the library's product, and its launch."""
    if kind == "f8E4M3FN":
        one = torch.ones((), device="cuda")
        return "cuBLASLt", lambda: torch._scaled_mm(a, b, one, one, out_dtype=c.dtype,
                                                    out=c)
    if kind == "i8":
        return "PyTorch", lambda: torch._int_mm(a, b, out=c)
    name = "cuBLAS, f32" if kind == "tf32x3" else "cuBLAS"
    return name, lambda: torch.matmul(a, b, out=c)


def compile_all(a, b, layout, kind):
    """Compiles every configuration for these arguments, into Triton's cache."""
    c = torch.empty((a.shape[0], b.shape[1]), device="cuda",
                    dtype=OUTPUTS.get(kind, a.dtype))
    jobs = [(pointer_kernel, pointer_arguments(a, b, c, kind))]
    if has_tma(a, b):
        jobs += [(tma_kernel, tma_arguments(a, b, c, layout, specialised))
                 for specialised in (False, True)]
    sides = dict(M=a.shape[0], N=b.shape[1])
    for kernel, (arguments, constants) in jobs:
        for config in worth_trying(kernel.configs, sides):
            try:
                kernel.fn.warmup(*arguments, **constants, **config.kwargs, grid=(1,),
                                 num_warps=config.num_warps, num_stages=config.num_stages)
            except Exception as failure:  # said again by the run that measures
                print("  %s: %s" % (config, str(failure).strip().split("\n")[0][:100]))


def contenders(a, b, layout, kind):
    """Name, launch and output of each; those that cannot do the case fail later."""
    m, n = a.shape[0], b.shape[1]
    result = []

    def output():
        dtype = OUTPUTS.get(kind, a.dtype)
        poison = float("nan") if dtype.is_floating_point else -1
        return torch.full((m, n), poison, device="cuda", dtype=dtype)

    def add(name, make):
        c = output()
        result.append((name, make(c), c))

    add("Triton pointers", lambda c: with_pointers(a, b, c, kind))
    if has_tma(a, b):
        add("Triton TMA", lambda c: with_tma(a, b, c, layout, False))
        add("Triton TMA specialised", lambda c: with_tma(a, b, c, layout, True))
    c = output()
    result.append(library(a, b, c, kind) + (c,))
    return result


def race(entries, turns):
    """Microseconds of each turn of each contender.

    A launch takes Triton 50 us on the host, longer than small products take: the
    card idles before each turn until the host is ahead, or that would be timed.
    """
    idle_cycles = 400_000
    flush = torch.empty(256 << 20, dtype=torch.int8, device="cuda")
    laps = [[] for _ in entries]
    for turn in range(-5, turns):
        for place in range(len(entries)):
            index = (place + turn) % len(entries)
            start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            torch.cuda._sleep(idle_cycles)
            flush.zero_()
            start.record()
            entries[index][1]()
            stop.record()
            if turn >= 0:
                laps[index].append((start, stop))
    torch.cuda.synchronize()
    return [[start.elapsed_time(stop) * 1e3 for start, stop in lap] for lap in laps]


def operands(name):
    """A, B, their layouts, and the kind of product."""
    kind, layout, shape = name.split()[:3]
    m, n, k = map(int, shape.split("x"))
    dtype = TYPES[kind]
    generator = torch.Generator(device="cuda").manual_seed(7)
    a = torch.randn(m, k, device="cuda", generator=generator)
    b = torch.randn(k, n, device="cuda", generator=generator)
    if kind == "i8":
        a, b = ((x * 32).round().clamp(-127, 127) for x in (a, b))
    a, b = a.to(dtype), b.to(dtype)
    if layout[0] == "t":
        a = a.t().contiguous().t()
    if layout[1] == "t":
        b = b.t().contiguous().t()
    return a, b, layout, kind


def measure(name, turns):
    a, b, layout, kind = operands(name)
    torch.backends.cuda.matmul.allow_tf32 = kind == "tf32"
    (m, k), n = a.shape, b.shape[1]
    rows = torch.arange(0, m, max(1, m // 64), device="cuda")
    # By way of f32, which holds all of them and which every type converts to.
    reference = a.float()[rows].double() @ b.float().double()
    entries, errors = [], {}
    for entry in contenders(a, b, layout, kind):
        try:
            entry[1]()
            torch.cuda.synchronize()
        except Exception as failure:  # a form that Triton cannot compile
            print("  %s: %s" % (entry[0], str(failure).strip().split("\n")[0][:100]))
            continue
        error = float((entry[2][rows].double() - reference).norm() / reference.norm())
        if not error < 1e-2:
            print("  %s: wrong, error %g" % (entry[0], error))
            continue
        entries.append(entry)
        errors[entry[0]] = error
    return summary(entries, errors, turns, 2.0 * m * n * k, 0.0)


def summary(entries, errors, turns, flops, nbytes):
    """Races the entries; operations, bytes, and the figures of each contender."""
    time.sleep(0.5)
    times = race(entries, turns)
    result = {}
    for entry, lap in zip(entries, times):
        contender, median = entry[0], statistics.median(lap)
        result[contender] = dict(median_us=median, min_us=min(lap), max_us=max(lap),
                                 teraflops=flops / median * 1e-6,
                                 relative_error=errors[contender])
        speed = "%8.1f TF" % (flops / median * 1e-6) if flops else (
            "%8.0f GB/s" % (nbytes / median * 1e-3))
        print("  %-24s %10.1f us %s" % (contender, median, speed))
    return flops, nbytes, result


def measure_case(name, turns):
    if not torch_examples.is_example(name):
        return measure(name, turns)
    entries, errors, flops, nbytes = torch_examples.prepare(name)
    return summary(entries, errors, turns, flops, nbytes)


def cold_compile():
    """Milliseconds to the end of the first launch, the least of three tile sides."""
    a = torch.randn(1024, 1024, device="cuda", dtype=torch.float16)
    b, c = torch.randn_like(a), torch.empty_like(a)
    torch.cuda.synchronize()
    times = []
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TRITON_CACHE_DIR"] = folder
        for m, n, k, warps, stages in ((128, 128, 64, 4, 4), (128, 256, 64, 8, 3),
                                       (128, 128, 32, 4, 4)):
            start = time.perf_counter()
            pointer_kernel.fn[(1024 // m * (1024 // n),)](
                a, b, c, 1024, 1024, 1024, 1024, 1, 1024, 1, 1024, 1, BM=m, BN=n,
                BK=k, GROUP=8, num_warps=warps, num_stages=stages)
            torch.cuda.synchronize()
            times.append((time.perf_counter() - start) * 1e3)
        del os.environ["TRITON_CACHE_DIR"]
    print("cold compile and first launch, ms: %s" % " ".join("%.0f" % t for t in times))
    return min(times)


def write(options, cases, host):
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    run = dict(schema=1, date=date, card=torch.cuda.get_device_name(),
               driver="CUDA " + torch.version.cuda,
               library="Triton %s, PyTorch %s" % (triton.__version__, torch.__version__),
               command=" ".join(["triton_matmul.py"] + sys.argv[1:]), repeats=options.turns,
               cases=cases, host=host)
    with open(options.json, "w") as file:
        json.dump(run, file, indent=2)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cases", required=True)
    parser.add_argument("--json", required=True)
    parser.add_argument("--filter", default="")
    parser.add_argument("--turns", type=int, default=30)
    parser.add_argument("--host", action="store_true")
    parser.add_argument("--compile", action="store_true")
    options = parser.parse_args()
    host = []
    if options.host:
        host.append(dict(name="Triton, function to first launch finished, ms",
                         value=cold_compile()))
    cases = []
    for line in open(options.cases):
        group, _, name = line.strip().partition(": ")
        # A fused product is compared with our own plain one, not with Triton; forms
        # of the same product are one to it.
        is_product = len(name.split()) == 3 and not torch_examples.is_example(name)
        if not is_product and not torch_examples.is_example(name):
            continue
        if not re.search(options.filter, group + ": " + name):
            continue
        print(name, flush=True)
        if options.compile:
            if is_product:
                compile_all(*operands(name))
            continue
        try:
            flops, nbytes, contenders_ = measure_case(name, options.turns)
        except Exception as failure:  # the other cases go on
            print("  %s" % str(failure).strip().split("\n")[0][:100])
            continue
        cases.append(dict(name=name, group=group, flops=flops, bytes=nbytes,
                          contenders=contenders_))
        # What is measured survives a run that is cut short.
        write(options, cases, host)


main()
