#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace dispersion::fuzz {

// Random numbers that are the same on every machine for the same seed (SplitMix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t bits = state_;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    return bits ^ bits >> 31;
  }
  // From 0 to count - 1; 0 for no count.
  std::size_t below(std::size_t count) { return count == 0 ? 0 : next() % count; }
  bool one_in(std::size_t count) { return below(count) == 0; }
  template <class List>
  const auto& pick(const List& list) {  // which must not be empty
    return *std::next(std::begin(list), static_cast<std::ptrdiff_t>(below(std::size(list))));
  }

 private:
  std::uint64_t state_;
};

}  // namespace dispersion::fuzz
