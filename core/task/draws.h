#pragma once

#include <cstdint>

#include "core/host_device.h"
#include "core/task/philox.h"

namespace dispersion {

// What a random number is for. Part of the Philox key, so that streams of one seed never meet.
enum class RandomPurpose : std::uint32_t {
  kTraining = 1,
  kEvaluation = 2,
  kInitialisation = 3,
  kTemperatureFit = 4,  // sets that the adaptive rule is fitted to: never those it is judged on
  kSequences = 5,       // queries, keys and values to attend over
  kResampling = 6,      // which sets a resample of a bootstrap has
};

// What is drawn within one (step, set): last word of the Philox counter.
enum class Draw : std::uint32_t {
  kItem = 0,       // word 0: priority, word 1: class
  kQuery = 1,      // word 0
  kBatchSize = 2,  // word 0, of set 0
  kParameter = 3,  // words 0 and 1 make one normal number
  kChannels = 4,   // every word: a channel of a token
  kChosen = 5,     // every word: a set that a resample takes
};

// Which number of which stream. `step` is the training step; for evaluation, the set size n.
struct DrawAddress {
  std::uint32_t step = 0;
  std::uint32_t set = 0;
  std::uint32_t index = 0;
  Draw draw = Draw::kItem;
};

DISPERSION_HOST_DEVICE inline PhiloxBlock draw_block(std::uint32_t seed, RandomPurpose purpose,
                                                     DrawAddress address) {
  return philox4x32_10(
      {{address.step, address.set, address.index, static_cast<std::uint32_t>(address.draw)}},
      {{seed, static_cast<std::uint32_t>(purpose)}});
}

// U[0, 1) on the grid of 2^-24: every value is exact in float.
DISPERSION_HOST_DEVICE inline float uniform_from_24_bits(std::uint32_t word) {
  return static_cast<float>(word >> 8) * 0x1p-24f;
}

// U{0, ..., count-1} by multiply and shift; the bias is below count / 2^32.
DISPERSION_HOST_DEVICE inline std::uint32_t uniform_below(std::uint32_t word, std::uint32_t count) {
  return static_cast<std::uint32_t>((static_cast<std::uint64_t>(word) * count) >> 32);
}

}  // namespace dispersion
