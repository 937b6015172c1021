// A program that only launches: it knows manifests, and nothing of the
// compiler.

#include "tile/Runtime/Driver.h"
#include "tile/Runtime/LaunchPlan.h"
#include "tile/Runtime/TuningTable.h"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

using namespace tile::runtime;

/// The checker of the contract in `file`.
static Result<LaunchChecker> readChecker(const char *file) {
  std::ifstream stream(file);
  std::string json{std::istreambuf_iterator<char>(stream), {}};
  Result<Manifest> manifest = parseManifest(json);
  if (!manifest)
    return manifest.takeError();
  return LaunchChecker::create(*manifest);
}

/// What such a launch is called in a table.
static TuningKey keyOf(const Manifest &manifest,
                       const std::vector<LaunchValue> &values,
                       const DeviceFacts &device) {
  TuningKey key;
  key.kernel = manifest.kernel;
  key.shape = shapeClass(manifest.arguments, values);
  key.card = device.name;
  key.numMultiprocessors = device.numMultiprocessors;
  key.target = manifest.target;
  key.compiler = manifest.compiler;
  key.program = manifest.program;
  return key;
}

/// What was fastest for such a launch, or null and why there is nothing.
static const TuningEntry *lookUp(const TuningTable &table,
                                 const TuningKey &key) {
  const TuningEntry *entry = table.find(key);
  if (!entry)
    std::cout << "not tuned: " << table.explainMiss(key) << '\n';
  return entry;
}

/// A table of one entry.
static Result<TuningTable> makeTable(const TuningKey &key) {
  TuningTable table;
  TuningEntry entry;
  entry.key = key;
  entry.settings = {"warps=8"};
  entry.microseconds = 1;
  table.set(entry);
  return TuningTable::parse(table.write());
}

/// Looks up launches of one class and of another.
static bool checkTuning(const Manifest &manifest, const DeviceFacts &device) {
  std::vector<LaunchValue> values = {LaunchValue::pointer(4096),
                                     LaunchValue::integerOf(1000)};
  Result<TuningTable> table = makeTable(keyOf(manifest, values, device));
  if (!table) {
    std::cout << table.error().text() << '\n';
    return false;
  }
  values[1] = LaunchValue::integerOf(900); // up to 1024, as 1000 is
  const TuningEntry *tuned = lookUp(*table, keyOf(manifest, values, device));
  if (tuned)
    std::cout << "fastest with " << tuned->settings.front() << '\n';
  values[1] = LaunchValue::integerOf(5000);
  std::cout << "compiled from " << manifest.program << " by "
            << manifest.compiler << '\n';
  return tuned && !lookUp(*table, keyOf(manifest, values, device));
}

int main(int argc, char **argv) {
  if (argc != 2) {
    std::cout << "usage: launch MANIFEST\n";
    return 2;
  }
  Result<LaunchChecker> checker = readChecker(argv[1]);
  if (!checker) {
    std::cout << checker.error().text() << '\n';
    return 1;
  }

  // 1000 elements, 128 a program: 8 programs.
  DeviceFacts device;
  device.capability = 80;
  device.numMultiprocessors = 108;
  device.maxShared = 166912;
  std::fill(device.maxGrid, device.maxGrid + 3, 65535);
  Result<LaunchPlan> plan = checker->plan(
      {LaunchValue::pointer(4096), LaunchValue::integerOf(1000)}, device);
  if (!plan) {
    std::cout << plan.error().text() << '\n';
    return 1;
  }
  std::cout << "would launch "
            << checker->manifest().variants[plan->variant].name
            << " on a grid of " << plan->grid[0] << '\n';

  Result<LaunchPlan> null = checker->plan(
      {LaunchValue::pointer(0), LaunchValue::integerOf(1000)}, device);
  if (null) {
    std::cout << "expected a null pointer to be refused\n";
    return 1;
  }
  std::cout << "refused: " << null.error().text() << '\n';

  if (!checkTuning(checker->manifest(), device))
    return 1;

  auto driver = Driver::open();
  std::cout << (driver ? "a CUDA driver is here" : driver.error().text())
            << '\n';
  return plan->grid[0] == 8 ? 0 : 1;
}
