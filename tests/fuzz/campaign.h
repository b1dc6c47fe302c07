#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/target.h"

namespace dispersion::fuzz {

inline constexpr std::size_t kMostInput = std::size_t{1} << 20;  // bytes

// For how long a target is tried, and from which random numbers.
struct CampaignSettings {
  double seconds = 1;
  std::uint64_t seed = 1;
  std::filesystem::path folder;  // for files of the checks
  std::filesystem::path corpus;  // inputs to begin with, beside the seeds; may be missing
  std::filesystem::path only;    // tries this input and no other, unless it is empty
};

// How the inputs went. It lies in memory that two processes share: one tries the inputs, and the
// other sees what it came to if that one dies.
struct Progress {
  std::uint64_t tried = 0;
  std::uint64_t accepted = 0;         // of the inputs that are no seeds
  std::uint64_t refused = 0;          // of these too
  std::uint64_t most_memory = 0;      // bytes
  std::array<char, 1024> fault = {};  // what the check of the last input said, as a C string
  std::size_t input_bytes = 0;
  std::array<char, kMostInput> input = {};  // the last one
};

struct CampaignResult {
  Progress progress;
  std::string failure;  // in a sentence; empty if nothing was found
};

// Tries the target in a process of its own, so that any crash is seen.
CampaignResult run_campaign(const Target& target, const CampaignSettings& settings);

// The parts of a campaign that its loop calls. There are two loops: loop.cpp, which draws random
// numbers, and libfuzzer_loop.cpp, which is guided by the code that an input reaches and takes its
// place where the compiler has libFuzzer.

// Tries one input. Throws Fault.
Verdict try_input(const Target& target, const CampaignSettings& settings, std::string_view input,
                  Progress& progress);
// Tries inputs until the time is over. Returns at the first fault, with its text in `progress`.
void run_loop(const Target& target, const CampaignSettings& settings,
              const std::vector<std::string>& seeds, Progress& progress);

}  // namespace dispersion::fuzz
