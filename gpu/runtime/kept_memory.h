#pragma once

#include <cstddef>

#include "gpu/runtime/buffer.h"

namespace dispersion {

// Device memory that one call after the other uses, all on one stream: a call that allocated and
// freed its own would wait for everything the device does, as cudaFree does. It grows to what the
// largest call asks for, and what it holds is the device's memory in use (device_memory()), except
// to its owner, who may ask for available_memory() + bytes().
class KeptMemory {
 public:
  // The most that stays when a call is through; a call that needs more takes longer than the wait.
  static constexpr std::size_t kMostKept = std::size_t{64} << 20;

  // Room for `bytes`, aligned as cudaMalloc aligns, uninitialised, valid until the next call of
  // this, end_call() or release(); null for none. Throws CudaError, and holds nothing then.
  std::byte* begin_call(std::size_t bytes) {
    if (bytes > memory_.size()) {
      release();  // first, as both may not fit
      memory_ = DeviceBuffer<std::byte>(bytes);
    }
    return memory_.data();
  }
  // When the call's work is through: gives back what is too much to be kept.
  void end_call() {
    if (memory_.size() > kMostKept) release();
  }
  // Gives back all of it, for example before something else needs the room.
  void release() { memory_ = {}; }

  std::size_t bytes() const { return memory_.size(); }

 private:
  DeviceBuffer<std::byte> memory_;
};

}  // namespace dispersion
