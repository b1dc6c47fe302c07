#pragma once

namespace emulation {

// ex2.approx: 2 units in the last place, of the result.
inline constexpr double kExponentialError = 0x1p-22;

// mma.sync with sums in float, for each product: 16 of them and the sum so far are shifted to the
// largest exponent among the 17 and cut off after 24 bits at least, each by less than 2^-23 of the
// largest in size.
inline constexpr double kTensorSumError = 0x1p-23 * 17 / 16;

}  // namespace emulation
