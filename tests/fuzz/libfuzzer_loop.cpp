#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/campaign.h"

// Of libFuzzer, which declares them in no header of its own.
extern "C" {
int LLVMFuzzerRunDriver(int* argc, char*** argv,
                        int (*try_one)(const std::uint8_t* data, std::size_t size));
std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);
std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                    unsigned seed);
}

namespace dispersion::fuzz {
namespace {

// libFuzzer calls functions that know no context.
struct Context {
  const Target* target = nullptr;
  const CampaignSettings* settings = nullptr;
  const std::vector<std::string>* seeds = nullptr;
  Progress* progress = nullptr;
};
Context context;

int try_one(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  try {
    try_input(*context.target, *context.settings, input, *context.progress);
  } catch (const Fault& fault) {
    std::snprintf(context.progress->fault.data(), context.progress->fault.size(), "%s",
                  fault.what());
    ::_exit(1);
  }
  return 0;
}

}  // namespace

void run_loop(const Target& target, const CampaignSettings& settings,
              const std::vector<std::string>& seeds, Progress& progress) {
  context = {&target, &settings, &seeds, &progress};
  // It keeps inputs in memory alone; a failing one is in `progress`.
  std::vector<std::string> words = {
      "fuzz",
      "-max_total_time=" + std::to_string(std::max(1, static_cast<int>(settings.seconds))),
      "-seed=" + std::to_string(settings.seed),
      "-max_len=" + std::to_string(kMostInput / 4),
      "-artifact_prefix=" + settings.folder.string() + "/",
      "-rss_limit_mb=0",
      "-timeout=0",
      "-detect_leaks=0",
      "-print_funcs=0",
      "-mutate_depth=2",
      "-verbosity=0"};
  std::vector<char*> arguments;
  for (std::string& word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  auto count = static_cast<int>(words.size());
  char** list = arguments.data();
  LLVMFuzzerRunDriver(&count, &list, try_one);
}

}  // namespace dispersion::fuzz

// Changes the input as the target does, or else as libFuzzer would; begins with a seed.
std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                    unsigned seed) {
  using namespace dispersion::fuzz;
  Random random(seed);
  std::string input(reinterpret_cast<const char*>(data), size);
  if (size < 2) {
    input = random.pick(*context.seeds);
  } else if (random.one_in(4)) {
    return LLVMFuzzerMutate(data, size, most);
  }
  input = context.target->mutated(input, random);
  input.resize(std::min(input.size(), most));
  std::memcpy(data, input.data(), input.size());
  return input.size();
}
