#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace emulation {

// How a call fails: for this once; as if memory were used up; or so that all later calls fail too.
enum class Failure { kOrdinary, kOutOfMemory, kSticky };

// The emulated machine, and what goes wrong with it. Tests change it and put it back with
// reset_machine().
struct Machine {
  int devices = 1;
  int old_devices = 0;         // of them, from 0 on: too old for the lab
  int driver_version = 13000;  // 0: no driver
  int major = 9;               // compute capability
  int minor = 0;
  int compiled_for = 90;  // what the kernels were compiled for; a device runs older ones too
  bool kernel_time_limit = false;
  int multiprocessors = 4;
  int registers = 65536;                              // of a block, at most
  std::size_t shared_bytes = std::size_t{227} << 10;  // of a block, at most
  std::size_t total_bytes = std::size_t{16} << 30;
  std::size_t other_bytes = 0;      // held by other programs
  std::uint32_t delay_seed = 1;     // when the work of streams is done; 0: at once
  bool runs_kernels = true;         // false: a launch does nothing, for tests of the host's part
  int allocations_to_failure = -1;  // 0: the next cudaMalloc fails; -1: none
  int launches_to_loss = -1;        // 0: the device is lost at the next kernel; -1: never
  int calls_to_failure = -1;        // 0: the next call of the runtime fails, so; -1: none
  Failure failure = Failure::kOrdinary;
};

Machine& machine();
void reset_machine();

// A kind of device that the lab runs on, with kernels compiled for it.
struct Profile {
  const char* name;
  int major;
  int minor;
  int multiprocessors;
  std::size_t shared_bytes;
  std::size_t total_bytes;
};
std::span<const Profile> profiles();
Machine machine_like(const Profile& profile);

// Calls of the runtime since reset_machine() that may fail, the one that calls_to_failure met, and
// the one that came next.
int calls_made();
std::string failed_call();
std::string call_after_failure();

// Device memory held, in bytes.
std::size_t bytes_held();

// Pieces of work in the longest graph since reset_machine().
std::size_t longest_graph();

// Of the stream made last: the smaller, the sooner its work begins.
int newest_stream_priority();

// Empty, or what went wrong with memory: what wrote outside a buffer (looks at the guard words
// around all that are held), and what was freed while work or a recorded graph needs it. Does all
// that is queued first. Forgets it.
std::string take_guard_report();

}  // namespace emulation
