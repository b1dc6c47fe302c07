#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace emulation {

inline constexpr std::size_t kExchangeBytes = 32;
inline constexpr int kWarpLanes = 32;

// In which order the threads of a block run between barriers, and blocks of a grid. A right kernel
// gives the same in every order.
enum class Order { kForward, kBackward, kShuffled };
void set_order(Order order, std::uint32_t seed = 1);

// Runs `thread` for every thread of every block. Throws std::logic_error that says what is wrong
// when threads wait for one another in vain: a barrier that not all threads of the block reach, a
// shuffle that names a lane which does not take part. One grid at a time: under runtime_lock().
struct Shape {
  unsigned grid[3];
  unsigned block[3];
  std::size_t shared_bytes;  // dynamic
};
void run_grid(const Shape& shape, const std::function<void()>& thread);

// For the thread that runs:
int lane();
void wait_for_block();
// Waits until all `lanes` of the warp have come with a value; then exchanged() gives a lane's.
void exchange(unsigned lanes, const void* value, std::size_t bytes);
const void* exchanged(unsigned lanes, int lane);
// The block's dynamic shared memory.
void* dynamic_shared();

}  // namespace emulation
