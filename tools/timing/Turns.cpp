//===- Turns.cpp - Times of launches that take turns ----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Turns.h"

#include <algorithm>

using namespace tile;
using namespace tile::timing;
using namespace tile::runtime;

Times timing::summarise(std::vector<double> microseconds) {
  Times times;
  if (microseconds.empty())
    return times;
  std::sort(microseconds.begin(), microseconds.end());
  size_t count = microseconds.size(), half = count / 2;
  times.median = count % 2 ? microseconds[half]
                           : (microseconds[half - 1] + microseconds[half]) / 2;
  times.min = microseconds.front();
  times.max = microseconds.back();
  times.all = std::move(microseconds);
  return times;
}

Result<Buffer> timing::makeFlush(const Device &device) {
  return Buffer::allocate(device, size_t(2 * device.facts().l2Bytes));
}

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

static Result<Times> readTimes(const Lap &lap) {
  std::vector<double> times;
  for (size_t turn = 0; turn < lap.stops.size(); ++turn) {
    auto time = lap.stops[turn].microsecondsSince(lap.starts[turn]);
    if (!time)
      return time.takeError();
    times.push_back(*time);
  }
  return summarise(std::move(times));
}

/// One launch, L2 flushed before, between the events of a turn from 0 on.
static Status takeTurn(cuda::StreamHandle stream, const Buffer &flush,
                       const Contender &contender, const Lap &lap, int turn) {
  if (Status status = flush.fill(uint8_t(turn), stream); !status)
    return status;
  if (turn >= 0)
    if (Status status = lap.starts[turn].record(stream); !status)
      return status;
  if (Status status = contender(); !status)
    return status;
  return turn >= 0 ? lap.stops[turn].record(stream) : Status::success();
}

Result<std::vector<Times>>
timing::takeTurns(const Device &device, cuda::StreamHandle stream,
                  const Buffer &flush, llvm::ArrayRef<Contender> contenders,
                  TurnOptions options) {
  std::vector<Lap> laps(contenders.size());
  for (Lap &lap : laps)
    if (Status status = makeEvents(device, lap, options.repeats); !status)
      return status.takeError();
  size_t count = contenders.size();
  for (int turn = -options.warmUps; turn < options.repeats; ++turn)
    for (size_t place = 0; place < count; ++place) {
      size_t index = (place + size_t(turn + options.warmUps)) % count;
      if (Status status =
              takeTurn(stream, flush, contenders[index], laps[index], turn);
          !status)
        return status.takeError();
    }
  if (Status status = device.synchronize(); !status)
    return status.takeError();
  std::vector<Times> times;
  for (const Lap &lap : laps) {
    Result<Times> own = readTimes(lap);
    if (!own)
      return own.takeError();
    times.push_back(std::move(*own));
  }
  return times;
}
