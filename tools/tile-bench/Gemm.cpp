//===- Gemm.cpp - Matrix products against cuBLAS --------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gemm.h"

#include "GemmCheck.h"

#include <algorithm>
#include <charconv>

using namespace tile::bench;
using namespace tile::runtime;

/// Bytes written to evict the L2 of any device so far.
static constexpr size_t kFlushBytes = size_t(256) << 20;

std::optional<GemmShape> GemmShape::parse(std::string_view text) {
  GemmShape shape;
  const char *at = text.data(), *end = at + text.size();
  int64_t *sides[] = {&shape.m, &shape.n, &shape.k};
  for (int side = 0; side < 3; ++side) {
    auto [rest, code] = std::from_chars(at, end, *sides[side]);
    bool isLast = side == 2;
    if (code != std::errc() || *sides[side] < 1 || *sides[side] > INT32_MAX ||
        (isLast ? rest != end : rest == end || *rest != 'x'))
      return std::nullopt;
    at = rest + 1;
  }
  return shape;
}

std::string GemmShape::text() const {
  return std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k);
}

//===----------------------------------------------------------------------===//
// One shape
//===----------------------------------------------------------------------===//

namespace {
/// The matrices of one shape on the device, and both contenders on them.
struct GemmRun {
  GemmShape shape;
  HostMatrix a, b;
  Buffer deviceA, deviceB, deviceC, cublasC;
  std::vector<LaunchValue> values;
  CublasGemm cublasGemm;
};

/// A timed contender: its launches, each between two events.
struct Contender {
  std::function<Status()> launch;
  std::vector<Event> starts, stops;
};
} // namespace

static Result<Buffer> upload(const Device &device, const HostMatrix &matrix) {
  Result<Buffer> buffer = Buffer::allocate(device, matrix.sizeInBytes());
  if (!buffer)
    return buffer;
  if (Status status = buffer->write(matrix.data(), matrix.sizeInBytes());
      !status)
    return status.takeError();
  return buffer;
}

static std::vector<LaunchValue> makeValues(const GemmRun &run) {
  auto integer = [](int64_t value) { return LaunchValue::integerOf(value); };
  return {LaunchValue::pointer(run.deviceA),
          LaunchValue::pointer(run.deviceB),
          LaunchValue::pointer(run.deviceC),
          integer(run.shape.m),
          integer(run.shape.n),
          integer(run.shape.k),
          integer(run.a.rowStride()),
          integer(run.a.columnStride()),
          integer(run.b.rowStride()),
          integer(run.b.columnStride()),
          integer(run.shape.n),
          integer(1)};
}

static Result<std::unique_ptr<GemmRun>>
makeRun(const Device &device, const GemmShape &shape,
        const GemmOptions &options, ElementType input, ElementType output) {
  HostMatrix a(input, shape.m, shape.k, options.isATransposed);
  HostMatrix b(input, shape.k, shape.n, options.isBTransposed);
  a.fillNormal(options.seed);
  b.fillNormal(options.seed + 1);
  Result<Buffer> deviceA = upload(device, a);
  if (!deviceA)
    return deviceA.takeError();
  Result<Buffer> deviceB = upload(device, b);
  if (!deviceB)
    return deviceB.takeError();
  size_t bytes = size_t(shape.m) * size_t(shape.n) * sizeInBytes(output);
  Result<Buffer> deviceC = Buffer::allocate(device, bytes);
  if (!deviceC)
    return deviceC.takeError();
  Result<Buffer> cublasC = Buffer::allocate(device, bytes);
  if (!cublasC)
    return cublasC.takeError();
  std::unique_ptr<GemmRun> run(new GemmRun{shape,
                                           std::move(a),
                                           std::move(b),
                                           std::move(*deviceA),
                                           std::move(*deviceB),
                                           std::move(*deviceC),
                                           std::move(*cublasC),
                                           {},
                                           {}});
  run->values = makeValues(*run);
  run->cublasGemm = {shape.m,
                     shape.n,
                     shape.k,
                     input,
                     output,
                     options.isATransposed,
                     options.isBTransposed,
                     run->deviceA.address(),
                     run->deviceB.address(),
                     run->cublasC.address()};
  return run;
}

/// Runs `launch` once into `buffer`, which is all NaN before, and reads it.
static Result<HostMatrix>
runPoisoned(const std::function<Status()> &launch, const Buffer &buffer,
            const Stream &stream, const GemmShape &shape, ElementType type) {
  // All bits set is NaN in f16, bf16 and f32.
  if (Status status = buffer.fill(0xff, stream.handle()); !status)
    return status.takeError();
  if (Status status = launch(); !status)
    return status.takeError();
  if (Status status = stream.synchronize(); !status)
    return status.takeError();
  HostMatrix matrix(type, shape.m, shape.n);
  if (Status status = buffer.read(matrix.data(), matrix.sizeInBytes()); !status)
    return status.takeError();
  return matrix;
}

/// One launch of `contender`, L2 flushed before; number `turn` of the timed
/// ones, or untimed where that is negative.
static Status takeTurn(const Contender &contender, const Buffer &flush,
                       const Stream &stream, int turn) {
  if (Status status = flush.fill(0, stream.handle()); !status)
    return status;
  if (turn >= 0)
    if (Status status = contender.starts[turn].record(stream.handle()); !status)
      return status;
  if (Status status = contender.launch(); !status)
    return status;
  if (turn < 0)
    return Status::success();
  return contender.stops[turn].record(stream.handle());
}

static Status makeEvents(const Device &device, Contender &contender,
                         int repeats) {
  for (int turn = 0; turn < 2 * repeats; ++turn) {
    Result<Event> event = Event::create(device);
    if (!event)
      return event.takeError();
    auto &events = turn % 2 ? contender.stops : contender.starts;
    events.push_back(std::move(*event));
  }
  return Status::success();
}

static Status readTimes(const Contender &contender, GemmTiming &timing) {
  std::vector<double> times;
  for (size_t turn = 0; turn < contender.stops.size(); ++turn) {
    auto time = contender.stops[turn].microsecondsSince(contender.starts[turn]);
    if (!time)
      return time.takeError();
    times.push_back(*time);
  }
  std::sort(times.begin(), times.end());
  size_t half = times.size() / 2;
  timing.median =
      times.size() % 2 ? times[half] : (times[half - 1] + times[half]) / 2;
  timing.min = times.front();
  timing.max = times.back();
  return Status::success();
}

/// Lets the contenders take turns, so that heat and clock meet them alike.
static Status race(const Device &device, std::vector<Contender> &contenders,
                   const Buffer &flush, const Stream &stream,
                   const GemmOptions &options) {
  for (Contender &contender : contenders)
    if (Status status = makeEvents(device, contender, options.repeats); !status)
      return status;
  for (int turn = -options.warmUps; turn < options.repeats; ++turn)
    for (const Contender &contender : contenders)
      if (Status status = takeTurn(contender, flush, stream, turn); !status)
        return status;
  return stream.synchronize();
}

//===----------------------------------------------------------------------===//
// GemmBenchmark
//===----------------------------------------------------------------------===//

Result<GemmBenchmark> GemmBenchmark::create(const Device &device,
                                            Kernel &kernel,
                                            const Stream &stream,
                                            const Cublas *cublas,
                                            GemmOptions options) {
  const auto &arguments = kernel.manifest().arguments;
  bool fits = arguments.size() == 12;
  for (size_t index = 0; fits && index < arguments.size(); ++index) {
    ArgumentType type = arguments[index].type;
    if (index < 3)
      fits = type.isPointer && (type.element == ElementType::F16 ||
                                type.element == ElementType::BF16 ||
                                type.element == ElementType::F32);
    else
      fits = type == ArgumentType::scalar(index < 6 ? ElementType::I32
                                                    : ElementType::I64);
  }
  if (!fits || !(arguments[0].type == arguments[1].type))
    return Error("expected a kernel with the arguments a b c (pointers to f16, "
                 "bf16 or f32), M N K (i32), sam sak sbk sbn scm scn (i64), "
                 "got others");
  Result<Buffer> flush = Buffer::allocate(device, kFlushBytes);
  if (!flush)
    return flush.takeError();
  GemmBenchmark benchmark(device, kernel, stream, cublas, std::move(options),
                          std::move(*flush));
  benchmark.input = arguments[0].type.element;
  benchmark.output = arguments[2].type.element;
  return benchmark;
}

/// Runs all contenders once into poisoned outputs and checks them; notes their
/// errors in `result`, and gives back our output.
static Result<HostMatrix> check(const GemmRun &run,
                                const std::vector<Contender> &contenders,
                                const Stream &stream, ElementType input,
                                ElementType output, GemmResult &result) {
  auto ours =
      runPoisoned(contenders[0].launch, run.deviceC, stream, run.shape, output);
  if (!ours)
    return ours;
  GemmReference reference(run.a, run.b, /*seed=*/11);
  bool isInputF32 = input == ElementType::F32;
  auto error = reference.compare(*ours, isInputF32, "ours against f64");
  if (!error)
    return error.takeError();
  result.ours.relativeError = *error;
  if (contenders.size() == 1)
    return ours;
  auto theirs =
      runPoisoned(contenders[1].launch, run.cublasC, stream, run.shape, output);
  if (!theirs)
    return theirs;
  error = reference.compare(*theirs, isInputF32, "cuBLAS against f64");
  if (!error)
    return error.takeError();
  result.cublas.emplace().relativeError = *error;
  if (Status status = compareAll(*ours, *theirs, isInputF32 ? 1e-4 : 2e-2);
      !status)
    return status.takeError();
  return ours;
}

Result<GemmResult> GemmBenchmark::run(const GemmShape &shape) {
  auto made = makeRun(device, shape, options, input, output);
  if (!made)
    return made.takeError();
  GemmRun &run = **made;
  LaunchOptions launchOptions;
  launchOptions.variant = options.variant;
  GemmResult result;
  result.shape = shape;
  Result<LaunchPlan> plan = kernel.plan(run.values, launchOptions);
  if (!plan)
    return plan.takeError();
  result.variant = kernel.manifest().variants[plan->variant].name;
  Result<FunctionFacts> facts = kernel.facts(result.variant);
  if (!facts)
    return facts.takeError();
  result.facts = *facts;

  std::vector<Contender> contenders(1);
  contenders[0].launch = [&]() -> Status {
    auto done = kernel.launch(stream.handle(), run.values, launchOptions);
    return done ? Status::success() : Status(done.takeError());
  };
  if (cublas)
    contenders.emplace_back().launch = [&] {
      return cublas->run(run.cublasGemm);
    };
  auto first = check(run, contenders, stream, input, output, result);
  if (!first)
    return first.takeError();
  if (Status status = race(device, contenders, flush, stream, options); !status)
    return status.takeError();
  if (Status status = readTimes(contenders[0], result.ours); !status)
    return status.takeError();
  if (cublas)
    if (Status status = readTimes(contenders[1], *result.cublas); !status)
      return status.takeError();
  std::vector<uint8_t> last(first->sizeInBytes());
  if (Status status = run.deviceC.read(last.data(), last.size()); !status)
    return status.takeError();
  result.isReproducible = std::equal(last.begin(), last.end(), first->data());
  return result;
}
