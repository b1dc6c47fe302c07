#pragma once

namespace emulation {

// ex2.approx: 2 units in the last place, of the result.
inline constexpr double kExponentialError = 0x1p-22;

// mma.sync with sums in float, a product: every 16 products and the sum so far are shifted to the
// largest exponent among them and cut off at 24 bits there, 17 times less than one unit, which is
// 2^-23 of the largest sum, for 16 products; rounded up.
inline constexpr double kTensorSumError = 0x1p-23 * 17 / 16;

}  // namespace emulation
