#pragma once

#include <vector>

// A kernel that is launched early may begin before the kernel before it has run. Here the part of
// each block until it waits then finds the memory as it was before that kernel; what it writes
// where that one writes is lost. All but set_begins_early() under runtime_lock().
namespace emulation {

// Whether what is launched early begins so, which takes time; at first it does not. For tests,
// while nothing is queued.
void set_begins_early(bool early);

struct ChangedByte {
  unsigned char* at;
  unsigned char other;  // what was there, while what is there now is there, and the other way round
};

// What the device's memory holds, and which bytes have changed since.
struct BufferCopy {
  unsigned char* at;
  std::vector<unsigned char> bytes;
};
std::vector<BufferCopy> copy_device_memory();
std::vector<ChangedByte> changed_since(const std::vector<BufferCopy>& before);

// What the kernel before the next grid has changed; empty: it is through before the grid begins.
void set_kernel_before(std::vector<ChangedByte> changes);

// For the thread that runs: goes on when the kernel before is through.
void wait_for_kernel_before();

}  // namespace emulation
