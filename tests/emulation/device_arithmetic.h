#pragma once

namespace emulation {

// What a device's arithmetic may add to the errors here, where 2^x is right to half a unit in the
// last place and the sums of tensor cores are rounded after every product.
inline constexpr double kExponentialError = 0;
inline constexpr double kTensorSumError = 0;

}  // namespace emulation
