#pragma once

#include <cstddef>

namespace dispersion::fuzz {

// What a check may have allocated at a time, of which most stay under 1 MiB and those that read the
// heads inside the program take 20 MiB. What is beyond it is refused with std::bad_alloc.
inline constexpr std::size_t kMostMemory = std::size_t{64} << 20;

// The memory of operator new, which this executable replaces, from the last call of begin() on.
namespace memory {

void begin();
std::size_t most_used();  // bytes
bool was_refused();

}  // namespace memory
}  // namespace dispersion::fuzz
