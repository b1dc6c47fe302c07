#include <chrono>

#include "tests/fuzz/campaign.h"

namespace dispersion::fuzz {
namespace {

// On a machine where the time is over at once.
constexpr std::uint64_t kFewestInputs = 50;

// Inputs that were accepted are changed again, so that changes add up.
constexpr std::size_t kMostKept = 64;

}  // namespace

void run_loop(const Target& target, const CampaignSettings& settings,
              const std::vector<std::string>& seeds, Progress& progress) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(settings.seconds);
  Random random(settings.seed);
  std::vector<std::string> kept = seeds;
  for (std::uint64_t i = 0; i < kFewestInputs || Clock::now() < end; ++i) {
    const std::string& parent = random.one_in(4) ? random.pick(seeds) : random.pick(kept);
    const std::string input = target.mutated(parent, random);
    if (try_input(target, settings, input, progress) == Verdict::kRefused) continue;
    if (kept.size() < seeds.size() + kMostKept) {
      kept.push_back(input);
    } else {
      kept[seeds.size() + random.below(kMostKept)] = input;
    }
  }
}

}  // namespace dispersion::fuzz
