#include "core/figure/trained_steps.h"

namespace dispersion {

void add_trained_steps(Provenance& all, std::uint32_t seed, const std::string& step,
                       std::int64_t steps_before) {
  all.emplace_back("seed", std::to_string(seed));
  all.emplace_back("step", step);
  if (steps_before > 0) all.emplace_back(kFreshMoments, std::to_string(steps_before));
}

}  // namespace dispersion
