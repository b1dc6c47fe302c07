#pragma once

namespace emulation {

// Sizes of sets in tests that run thread for thread, where an item takes microseconds on the
// spectral path and half a millisecond on the direct one. All are past a chunk, which has 4,096
// items on the spectral path and 256 on the direct one.
inline constexpr int kLongSet = 9000;  // of many
inline constexpr int kLongestSpectralSet = 9000;
inline constexpr int kLongestDirectSet = 4200;

// Sets of one evaluation.
inline constexpr int kManySets = 50;

}  // namespace emulation
