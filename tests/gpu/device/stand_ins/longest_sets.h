#pragma once

// A real device takes sets of any length, and so many that kernels are called more than once.
namespace emulation {

inline constexpr int kLongSet = 1 << 16;
inline constexpr int kLongestSpectralSet = 1 << 20;
inline constexpr int kLongestDirectSet = 1 << 20;
inline constexpr int kManySets = 5000;

}  // namespace emulation
