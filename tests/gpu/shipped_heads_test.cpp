// Which heads the benches of a device train.

#include "tests/gpu/device/shipped_heads.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace dispersion {
namespace {

std::vector<std::uint32_t> seeds_of(HeadPath path) {
  std::vector<std::uint32_t> seeds;
  for (const TrainingState& head : shipped_heads(10, path))
    seeds.push_back(head.seed);
  return seeds;
}

// Seed 9 is too sharp for the points of a training step.
TEST(ShippedHeads, AreTheFirstOfThePath) {
  EXPECT_EQ(seeds_of(HeadPath::kSpectral),
            (std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6, 7, 8, 10, 1}));
  EXPECT_EQ(seeds_of(HeadPath::kDirect),
            (std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
}

}  // namespace
}  // namespace dispersion
