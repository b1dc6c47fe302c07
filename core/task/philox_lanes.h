#pragma once

#include <cstdint>

#include <immintrin.h>

#include "core/task/philox.h"

namespace dispersion {

// Words of Philox in the lanes of a vector register: the low half of a lane is a word, the high
// half may hold anything. The multiplication of low halves to whole lanes is all that Philox needs,
// and what compilers do not find in a loop over 32-bit words (twice to three times slower).
using WordLanes [[gnu::vector_size(32)]] = std::uint64_t;

inline constexpr int kLanesOfRegister = 4;

inline WordLanes same_word(std::uint32_t word) {
  return WordLanes{} + word;
}

inline WordLanes multiply_low_halves(WordLanes a, WordLanes b) {
  return reinterpret_cast<WordLanes>(
      _mm256_mul_epu32(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
}

// Counters side by side: word[w][r] holds word w of the counters of register r. Few enough to stay
// in registers.
struct PhiloxLanes {
  static constexpr int kRegisters = 4;
  static constexpr int kCount = kRegisters * kLanesOfRegister;

  WordLanes word[4][kRegisters];

  std::uint32_t at(int w, int counter) const {
    return static_cast<std::uint32_t>(
        word[w][counter / kLanesOfRegister][counter % kLanesOfRegister]);
  }
};

// philox4x32_10 of every counter, in place: the same numbers (tested).
inline void philox4x32_10(PhiloxLanes& lanes, PhiloxKey key) {
  const WordLanes multiplier0 = same_word(kPhiloxMultiplier0);
  const WordLanes multiplier1 = same_word(kPhiloxMultiplier1);
  for (int round = 0; round < 10; ++round) {
    const WordLanes key0 = same_word(key.word[0]);
    const WordLanes key1 = same_word(key.word[1]);
    for (int r = 0; r < PhiloxLanes::kRegisters; ++r) {
      const WordLanes product0 = multiply_low_halves(multiplier0, lanes.word[0][r]);
      const WordLanes product1 = multiply_low_halves(multiplier1, lanes.word[2][r]);
      lanes.word[0][r] = (product1 >> 32) ^ lanes.word[1][r] ^ key0;
      lanes.word[1][r] = product1;
      lanes.word[2][r] = (product0 >> 32) ^ lanes.word[3][r] ^ key1;
      lanes.word[3][r] = product0;
    }
    key.word[0] += kPhiloxWeyl0;
    key.word[1] += kPhiloxWeyl1;
  }
}

}  // namespace dispersion
