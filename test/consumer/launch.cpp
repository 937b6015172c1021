// A program that only launches: it knows manifests, and nothing of the
// compiler.

#include "tile/Runtime/Driver.h"
#include "tile/Runtime/LaunchPlan.h"

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

  auto driver = Driver::open();
  std::cout << (driver ? "a CUDA driver is here" : driver.error().text())
            << '\n';
  return plan->grid[0] == 8 ? 0 : 1;
}
