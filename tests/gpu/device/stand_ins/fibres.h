#pragma once

// On a real device the order of threads is the device's own.
namespace emulation {

enum class Order { kForward, kBackward, kShuffled };
inline void set_order(Order, unsigned = 1) {}

}  // namespace emulation
