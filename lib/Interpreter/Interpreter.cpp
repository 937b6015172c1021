//===- Interpreter.cpp - Launching a grid on the host ---------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Interpreter/Interpreter.h"

#include "Decode.h"
#include "Facts.h"
#include "GlobalMemory.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <mutex>
#include <thread>

using namespace mlir;
using namespace tile;
using namespace tile::interpreter;

//===----------------------------------------------------------------------===//
// Allocations
//===----------------------------------------------------------------------===//

uint64_t Interpreter::addAllocation(StringRef name, ArrayRef<uint8_t> contents,
                                    ArrayRef<uint8_t> initialised,
                                    uint64_t misalignment) {
  Allocation allocation;
  allocation.name = name.str();
  allocation.address = nextAddress + misalignment;
  allocation.bytes = contents.vec();
  allocation.initialised = initialised.vec();
  allocation.initialised.resize(contents.size(), initialised.empty() ? 1 : 0);
  // A gap, so that no address belongs to two allocations.
  nextAddress = llvm::alignTo(allocation.address + contents.size() + 256, 256);
  allocations.push_back(std::move(allocation));
  return allocations.back().address;
}

uint64_t Interpreter::addUninitialised(StringRef name, uint64_t sizeInBytes,
                                       uint64_t misalignment) {
  std::vector<uint8_t> bytes(sizeInBytes), flags(sizeInBytes);
  return addAllocation(name, bytes, flags, misalignment);
}

const Allocation *Interpreter::findAllocation(uint64_t address) const {
  for (const Allocation &allocation : allocations)
    if (address >= allocation.address &&
        address - allocation.address <= allocation.bytes.size())
      return &allocation;
  return nullptr;
}

MutableArrayRef<uint8_t> Interpreter::bytes(uint64_t address) {
  for (Allocation &allocation : allocations)
    if (address == allocation.address)
      return allocation.bytes;
  return {};
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// The sign-extended value of an integer argument.
static int64_t signedValue(Kind kind, uint64_t bits) {
  return withInteger(kind, [&](auto e) -> int64_t {
    using E = decltype(e);
    return E::getSigned(E::put(bits));
  });
}

/// Checks an argument against the fact that is stated of it.
static LogicalResult checkFact(KernelOp kernel, unsigned index, Kind kind,
                               ArrayRef<KernelArgument> arguments) {
  uint64_t bits = arguments[index].bits;
  auto fact = kernel.getArgAttrOfType<FactAttr>(index, "tile.fact");
  if (!fact || isFloat(kind))
    return success();
  bool isAddress = kind == Kind::Pointer;
  int64_t value = isAddress ? int64_t(bits) : signedValue(kind, bits);
  if (auto violation = violationOf(fact, value, isAddress))
    return kernel.emitError() << "argument '" << kernel.getArgName(index)
                              << "' breaks its fact: " << *violation;
  // What can be told at the launch: two arguments that start at one address.
  for (unsigned other = 0; fact.getNoalias() && other < arguments.size();
       ++other)
    if (other != index && arguments[other].bits == bits &&
        isa<PointerType>(kernel.getArgumentTypes()[other]))
      return kernel.emitError() << "argument '" << kernel.getArgName(index)
                                << "' breaks its fact: expected memory of its "
                                   "own, got the address "
                                   "of '"
                                << kernel.getArgName(other) << "'";
  return success();
}

/// Puts the arguments into the form of their slots.
static LogicalResult bindArguments(KernelOp kernel, const Code &code,
                                   ArrayRef<KernelArgument> arguments,
                                   const std::deque<Allocation> &allocations,
                                   std::vector<Constant> &bound) {
  size_t expected = kernel.getArgumentTypes().size();
  if (arguments.size() != expected)
    return kernel.emitError()
           << "expected " << expected << " arguments, got " << arguments.size();
  for (size_t i = 0; i < expected; ++i) {
    SlotIndex index = code.blocks[0].arguments[i];
    const Slot &slot = code.slots[index];
    uint64_t bits = arguments[i].bits;
    if (failed(checkFact(kernel, i, slot.kind, arguments)))
      return failure();
    Constant constant{index, std::vector<uint8_t>(slot.sizeInBytes())};
    if (slot.kind == Kind::Pointer) {
      PointerValue pointer{bits, -1};
      for (size_t a = 0; a < allocations.size(); ++a)
        if (bits >= allocations[a].address &&
            bits - allocations[a].address <= allocations[a].bytes.size())
          pointer.allocation = int64_t(a);
      std::memcpy(constant.bytes.data(), &pointer, sizeof(pointer));
    } else {
      if (slot.kind == Kind::I1)
        bits &= 1;
      std::memcpy(constant.bytes.data(), &bits, constant.bytes.size());
    }
    bound.push_back(std::move(constant));
  }
  return success();
}

/// Marks the allocations that blocks are stored to.
static void markStored(Launch &launch) {
  const Code &code = launch.code;
  launch.isStored.assign(launch.memory.allocations.size(), code.storesAnywhere);
  for (unsigned argument : code.storedArguments) {
    PointerValue pointer;
    std::memcpy(&pointer, launch.arguments[argument].bytes.data(),
                sizeof(pointer));
    if (pointer.allocation >= 0)
      launch.isStored[pointer.allocation] = true;
  }
}

//===----------------------------------------------------------------------===//
// The grid
//===----------------------------------------------------------------------===//

namespace {
/// Hands out programs to threads, lowest first, until one fails; programs below
/// that one still run, since one of them may fail too.
class Scheduler {
public:
  Scheduler(const Launch &launch, int64_t programs, unsigned threads)
      : launch(launch), programs(programs), firstFailed(programs) {
    threads = unsigned(std::clamp<int64_t>(threads, 1, programs));
    std::vector<std::thread> others;
    for (unsigned i = 1; i < threads; ++i)
      others.emplace_back([this] { work(); });
    work();
    for (std::thread &thread : others)
      thread.join();
  }

  const Launch &launch;
  const int64_t programs;
  /// The lowest program with an error; `programs` where there is none.
  std::atomic<int64_t> firstFailed;
  Failure failure;
  /// What programs have printed, by their number.
  std::map<int64_t, std::string> printed;

private:
  void work() {
    Program program(launch);
    while (true) {
      int64_t number = next.fetch_add(1);
      if (number >= firstFailed.load())
        return;
      bool ok = succeeded(program.run(number));
      if (ok && program.printed.empty())
        continue;
      std::lock_guard<std::mutex> lock(mutex);
      printed[number] = std::move(program.printed);
      if (!ok && number < firstFailed.load()) {
        firstFailed = number;
        failure = program.failure;
      }
    }
  }

  std::atomic<int64_t> next{0};
  std::mutex mutex;
};
} // namespace

/// "reads" or "writes" or "updates".
static StringRef verbOf(Touch touch) {
  return touch == Touch::Read    ? "reads"
         : touch == Touch::Write ? "writes"
                                 : "updates";
}

/// The size of what an op reaches through its pointer.
static int64_t elementBytesOf(Operation *op) {
  for (Type type : op->getOperandTypes())
    if (auto pointer = dyn_cast<PointerType>(type))
      return elementBytes(pointer.getElementType());
  return 1;
}

static LogicalResult reportRace(const Race &race, const Launch &launch) {
  const Allocation &allocation = launch.memory.allocations[race.allocation];
  auto describe = [&](Toucher toucher) {
    return "program " +
           describeId(programId(toucher.program(), launch.runGrid));
  };
  Operation *second = launch.code.ops[race.second.op()];
  int64_t skew = int64_t(allocation.address % launch.memory.granuleBytes);
  int64_t byte = std::max<int64_t>(
      0, int64_t(race.granule) * launch.memory.granuleBytes - skew);
  auto diagnostic = second->emitError();
  diagnostic << "race: " << describe(race.second) << " "
             << verbOf(race.secondTouch) << " element "
             << byte / elementBytesOf(second) << " of '" << allocation.name
             << "', which " << describe(race.first) << " "
             << verbOf(race.firstTouch);
  diagnostic.attachNote(launch.code.ops[race.first.op()]->getLoc())
      << describe(race.first) << " " << verbOf(race.firstTouch) << " it here";
  return diagnostic;
}

/// Writes what programs up to `last` have printed, in their order.
static void flushPrinted(const Scheduler &scheduler, int64_t last,
                         llvm::raw_ostream *stream) {
  llvm::raw_ostream &out = stream ? *stream : llvm::outs();
  for (const auto &[number, text] : scheduler.printed)
    if (number <= last)
      out << text;
  out.flush();
}

LogicalResult Interpreter::run(KernelOp kernel,
                               ArrayRef<KernelArgument> arguments,
                               std::array<int64_t, 3> grid,
                               const InterpreterOptions &options) {
  int64_t programs = 1;
  for (int64_t side : grid)
    if (side < 0 || llvm::MulOverflow(programs, side, programs) ||
        programs >= (1ll << (64 - Toucher::kOpBits - 1)))
      return kernel.emitError()
             << "expected a grid of less than 2^39 programs, "
             << "got " << grid[0] << " x " << grid[1] << " x " << grid[2];
  Code code;
  code.kernel = &kernel;
  code.checksPoison = options.checkPoison;
  if (failed(Decoder(code).decode(kernel)))
    return failure();
  GlobalMemory memory(allocations, code.granuleBytes, options);
  Launch launch{code,
                memory,
                grid,
                grid,
                {},
                /*checkBarriers=*/false,
                {},
                options.maxIterations};
  launch.checkBarriers = options.checkBarriers.value_or(code.hasBarriers);
  if (failed(bindArguments(kernel, code, arguments, allocations,
                           launch.arguments)))
    return failure();
  if (programs == 0)
    return success();
  markStored(launch);
  if (code.isPersistent) {
    // By default fewer CTAs than programs, so that one runs several.
    programs = options.ctas ? int64_t(options.ctas) : (programs + 1) / 2;
    launch.runGrid = {programs, 1, 1};
  }

  unsigned threads =
      options.threads ? options.threads : std::thread::hardware_concurrency();
  Scheduler scheduler(launch, programs, code.hasAtomics ? 1 : threads);
  std::optional<Race> race = memory.findFirstRace();
  memory.markWritten();
  int64_t firstFailed = scheduler.firstFailed;
  bool raced = race && race->second.program() <= firstFailed;
  flushPrinted(scheduler, raced ? race->second.program() : firstFailed,
               options.printStream);
  if (raced)
    return reportRace(*race, launch);
  if (firstFailed == programs)
    return success();
  const Failure &first = scheduler.failure;
  auto diagnostic = first.op->emitError() << first.message << " of kernel '"
                                          << kernel.getSymName() << "'";
  if (first.noteOp)
    diagnostic.attachNote(first.noteOp->getLoc()) << first.note;
  return diagnostic;
}
