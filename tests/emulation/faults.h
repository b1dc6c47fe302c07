#pragma once

#include <cstddef>
#include <string>

namespace emulation {

// The emulated machine, and what goes wrong with it. Tests change it and put it back with
// reset_machine().
struct Machine {
  int devices = 1;
  int driver_version = 13000;  // 0: no driver
  int major = 9;               // compute capability
  int minor = 0;
  int compiled_for = 90;  // what the kernels were compiled for; a device runs older ones too
  bool kernel_time_limit = false;
  int multiprocessors = 4;
  std::size_t shared_bytes = std::size_t{227} << 10;  // of a block, at most
  std::size_t total_bytes = std::size_t{16} << 30;
  std::size_t other_bytes = 0;      // held by other programs
  int allocations_to_failure = -1;  // 0: the next cudaMalloc fails; -1: none
  int launches_to_loss = -1;        // 0: the device is lost at the next launch; -1: never
};

Machine& machine();
void reset_machine();

// Device memory held, in bytes.
std::size_t bytes_held();

// Pieces of work in the longest graph since reset_machine().
std::size_t longest_graph();

// Of the stream made last: the smaller, the sooner its work begins.
int newest_stream_priority();

// Empty, or what wrote outside a buffer: looks at the guard words around all that are held, and
// remembers those of buffers that were freed. Forgets it.
std::string take_guard_report();

}  // namespace emulation
