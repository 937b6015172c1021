//===- Race.cpp - Contenders on one problem, turn and turn about ----------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Race.h"

#include "llvm/Support/xxhash.h"

#include <algorithm>

using namespace tile::bench;
using namespace tile::runtime;

/// Bytes written to evict the L2 of any device so far.
static constexpr size_t kFlushBytes = size_t(256) << 20;

static uint64_t hashOf(const HostMatrix &matrix) {
  return llvm::xxh3_64bits(
      llvm::ArrayRef<uint8_t>(matrix.data(), matrix.sizeInBytes()));
}

Result<std::unique_ptr<Race>>
Race::create(const Device &device, const Stream &stream, RaceOptions options) {
  Result<Buffer> flush = Buffer::allocate(device, kFlushBytes);
  if (!flush)
    return flush.takeError();
  return std::unique_ptr<Race>(
      new Race(device, stream, options, std::move(*flush)));
}

//===----------------------------------------------------------------------===//
// Checking
//===----------------------------------------------------------------------===//

Result<HostMatrix> Race::runPoisoned(const GemmProblem &problem,
                                     const Contender &contender) {
  if (Status status = contender.output->poison(stream); !status)
    return status.takeError();
  if (Status status = contender.launch(); !status)
    return status.takeError();
  if (Status status = stream.synchronize(); !status)
    return status.takeError();
  const GemmCase &gemm = problem.gemm();
  HostMatrix matrix(gemm.output, gemm.shape.m, gemm.shape.n);
  if (Status status = contender.output->read(matrix.data()); !status)
    return status.takeError();
  return matrix;
}

/// From the last contender, which is the library if there is one, to the first.
Status Race::check(const GemmProblem &problem,
                   const std::vector<Contender> &contenders) {
  bool isInputF32 = problem.gemm().input == ElementType::F32;
  std::optional<HostMatrix> library;
  for (size_t index = contenders.size(); index-- > 0;) {
    const Contender &contender = contenders[index];
    Result<HostMatrix> result = runPoisoned(problem, contender);
    if (!result)
      return Error(contender.name + ": " + result.error().text());
    const GemmReference &reference = problem.reference(contender.isFused);
    auto error =
        reference.compare(*result, isInputF32, contender.name + " against f64");
    if (!error)
      return error.takeError();
    timings[index].relativeError = *error;
    hashes[index] = hashOf(*result);
    if (contender.isFused)
      continue;
    if (!library)
      library = std::move(*result);
    else if (Status status = compareAll(
                 *result, *library, isInputF32 ? 1e-4 : 2e-2,
                 contender.name + " against " + contenders.back().name);
             !status)
      return status;
  }
  return Status::success();
}

/// What the output holds after all repeats.
Status Race::inspect(const Contender &contender, size_t index) {
  std::vector<uint8_t> last(contender.output->size());
  if (Status status = contender.output->read(last.data()); !status)
    return status;
  timings[index].isReproducible = llvm::xxh3_64bits(last) == hashes[index];
  Result<bool> intact = contender.output->areGuardsIntact();
  if (!intact)
    return intact.takeError();
  timings[index].areGuardsIntact = *intact;
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Timing
//===----------------------------------------------------------------------===//

namespace {
/// The events around each timed turn of one contender.
struct Lap {
  std::vector<Event> starts, stops;
};
} // namespace

static Status makeEvents(const Device &device, Lap &lap, int repeats) {
  for (int turn = 0; turn < 2 * repeats; ++turn) {
    Result<Event> event = Event::create(device);
    if (!event)
      return event.takeError();
    (turn % 2 ? lap.stops : lap.starts).push_back(std::move(*event));
  }
  return Status::success();
}

static Status readTimes(const Lap &lap, Timing &timing) {
  std::vector<double> times;
  for (size_t turn = 0; turn < lap.stops.size(); ++turn) {
    auto time = lap.stops[turn].microsecondsSince(lap.starts[turn]);
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

/// One launch, L2 flushed before, between the events if there are any.
Status Race::takeTurn(const Contender &contender, const Event *start,
                      const Event *stop) {
  if (Status status = flush.fill(0, stream.handle()); !status)
    return status;
  if (start)
    if (Status status = start->record(stream.handle()); !status)
      return status;
  if (Status status = contender.launch(); !status)
    return status;
  return stop ? stop->record(stream.handle()) : Status::success();
}

/// The order rotates, so that heat, clock and neighbours meet all alike.
Status Race::time(const std::vector<Contender> &contenders) {
  std::vector<Lap> laps(contenders.size());
  for (Lap &lap : laps)
    if (Status status = makeEvents(device, lap, options.repeats); !status)
      return status;
  size_t count = contenders.size();
  for (int turn = -options.warmUps; turn < options.repeats; ++turn)
    for (size_t place = 0; place < count; ++place) {
      size_t index = (place + size_t(turn + options.warmUps)) % count;
      const Event *start = turn < 0 ? nullptr : &laps[index].starts[turn];
      const Event *stop = turn < 0 ? nullptr : &laps[index].stops[turn];
      if (Status status = takeTurn(contenders[index], start, stop); !status)
        return status;
    }
  if (Status status = stream.synchronize(); !status)
    return status;
  for (size_t index = 0; index < count; ++index)
    if (Status status = readTimes(laps[index], timings[index]); !status)
      return status;
  return Status::success();
}

Result<std::vector<Timing>>
Race::run(const GemmProblem &problem,
          const std::vector<Contender> &contenders) {
  timings.assign(contenders.size(), Timing());
  hashes.assign(contenders.size(), 0);
  if (Status status = check(problem, contenders); !status)
    return status.takeError();
  if (Status status = time(contenders); !status)
    return status.takeError();
  for (size_t index = 0; index < contenders.size(); ++index)
    if (Status status = inspect(contenders[index], index); !status)
      return status.takeError();
  return timings;
}
