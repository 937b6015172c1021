//===- Race.cpp - Contenders on one problem, turn and turn about ----------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Race.h"

#include "llvm/Support/xxhash.h"

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

Result<HostMatrix> Race::runPoisoned(const Problem &problem,
                                     const Contender &contender) {
  if (Status status = contender.output->poison(stream); !status)
    return status.takeError();
  if (Status status = contender.launch(); !status)
    return status.takeError();
  if (Status status = stream.synchronize(); !status)
    return status.takeError();
  HostMatrix matrix = problem.hostOutput();
  if (Status status = contender.output->read(matrix.data()); !status)
    return status.takeError();
  return matrix;
}

/// From the last contender, which is the library if there is one, to the first.
Status Race::check(const Problem &problem,
                   const std::vector<Contender> &contenders) {
  std::optional<HostMatrix> library;
  for (size_t index = contenders.size(); index-- > 0;) {
    const Contender &contender = contenders[index];
    Result<HostMatrix> result = runPoisoned(problem, contender);
    if (!result)
      return Error(contender.name + ": " + result.error().text());
    auto error =
        problem.check(*result, contender.work, contender.name + " against f64");
    if (!error)
      return error.takeError();
    timings[index].relativeError = *error;
    hashes[index] = hashOf(*result);
    if (contender.work != Work::Plain && contender.work != Work::Library)
      continue;
    if (!library)
      library = std::move(*result);
    else if (Status status = compareAll(
                 *result, *library, problem.tolerance().others,
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

Status Race::time(const std::vector<Contender> &contenders) {
  std::vector<timing::Contender> launches;
  for (const Contender &contender : contenders)
    launches.push_back(contender.launch);
  auto times =
      timing::takeTurns(device, stream.handle(), flush, launches, options);
  if (!times)
    return times.takeError();
  for (size_t index = 0; index < times->size(); ++index) {
    timings[index].median = (*times)[index].median;
    timings[index].min = (*times)[index].min;
    timings[index].max = (*times)[index].max;
  }
  return Status::success();
}

Result<std::vector<Timing>>
Race::run(const Problem &problem, const std::vector<Contender> &contenders) {
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
