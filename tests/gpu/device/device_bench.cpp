// Times the CUDA backend on the device of this machine.
//
//   device_bench [--small] [machine|training|evaluation|attention]...   (default: all, in this
//   order)
//
// Prints "NAME VALUE" as soon as it is measured; --small is for the emulation. Runs in the
// project's folder, where the shipped heads are.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "benches.h"
#include "gpu/runtime/device.h"

namespace dispersion {
namespace {

struct Section {
  std::string_view name;
  void (*bench)(const BenchSizes&);
};

constexpr Section kSections[] = {{"machine", machine_bench},
                                 {"training", training_bench},
                                 {"evaluation", evaluation_bench},
                                 {"attention", attention_bench}};

// Those that are named, or all. Throws std::invalid_argument for another word.
std::vector<Section> chosen(const std::vector<std::string_view>& names) {
  if (names.empty()) return {std::begin(kSections), std::end(kSections)};
  std::vector<Section> sections;
  for (const std::string_view name : names) {
    const auto section = std::find_if(std::begin(kSections), std::end(kSections),
                                      [&](const Section& s) { return s.name == name; });
    if (section == std::end(kSections))
      throw std::invalid_argument("no section " + std::string(name));
    sections.push_back(*section);
  }
  return sections;
}

void run(std::vector<std::string_view> arguments) {
  BenchSizes sizes;
  if (std::erase(arguments, "--small") > 0) sizes = small_sizes();
  const DeviceInfo device = usable_device(0);
  std::printf("%s, compute capability %d.%d, %d multiprocessors\n", device.name.c_str(),
              device.major, device.minor, device.multiprocessors);
  for (const Section& section : chosen(arguments))
    section.bench(sizes);
}

}  // namespace

BenchSizes small_sizes() {
  BenchSizes sizes;
  sizes.repetitions = 1;
  sizes.chain = 3;
  sizes.copied_bytes = 1 << 16;
  sizes.probe_blocks_of_multiprocessor = 1;
  sizes.probe_repeats = 2;
  sizes.heads = {1, 2};
  sizes.sets_of_step = 2;
  sizes.steps = 1;
  sizes.steps_of_choice = 1;
  sizes.steps_of_run = 1;
  sizes.kernel_repetitions = 1;
  sizes.items = {1 << 7};
  sizes.many_sets = 2;
  sizes.items_of_many = 1 << 6;
  sizes.shortest_sequence = 64;
  sizes.longest_sequence = 128;
  sizes.channels = 64;
  return sizes;
}

}  // namespace dispersion

int main(int count, char** arguments) {
  try {
    dispersion::run({arguments + 1, arguments + count});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "device_bench: %s\n", error.what());
    return 1;
  }
}
