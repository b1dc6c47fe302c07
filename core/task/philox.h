#pragma once

#include <cstdint>

#include "core/host_device.h"

namespace dispersion {

struct PhiloxBlock {
  std::uint32_t word[4];
};

struct PhiloxKey {
  std::uint32_t word[2];
};

inline constexpr std::uint32_t kPhiloxMultiplier0 = 0xD2511F53u;
inline constexpr std::uint32_t kPhiloxMultiplier1 = 0xCD9E8D57u;
inline constexpr std::uint32_t kPhiloxWeyl0 = 0x9E3779B9u;
inline constexpr std::uint32_t kPhiloxWeyl1 = 0xBB67AE85u;

// Philox4x32 with ten rounds (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC'11):
// a counter and a key give four independent random words, with no state to keep, so any draw can be
// made again anywhere. Checked against the known answers of Random123.
DISPERSION_HOST_DEVICE inline PhiloxBlock philox4x32_10(PhiloxBlock counter, PhiloxKey key) {
  constexpr std::uint64_t kMultiplier0 = kPhiloxMultiplier0;
  constexpr std::uint64_t kMultiplier1 = kPhiloxMultiplier1;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = kMultiplier0 * counter.word[0];
    const std::uint64_t product1 = kMultiplier1 * counter.word[2];
    counter = {{static_cast<std::uint32_t>(product1 >> 32) ^ counter.word[1] ^ key.word[0],
                static_cast<std::uint32_t>(product1),
                static_cast<std::uint32_t>(product0 >> 32) ^ counter.word[3] ^ key.word[1],
                static_cast<std::uint32_t>(product0)}};
    key.word[0] += kPhiloxWeyl0;
    key.word[1] += kPhiloxWeyl1;
  }
  return counter;
}

}  // namespace dispersion
