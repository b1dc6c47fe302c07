#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace dispersion {

// The priority of work beside other work of this program on the same device: blocks of background
// work begin only while no block of foreground work waits.
enum class DeviceUse { kForeground, kBackground };

class Backend;

// The backend on the CUDA device with this index, or null, with the reason in `reason`: one
// sentence fit for a status line. In the background it takes one thread of the processor for what
// the device does not do.
std::unique_ptr<Backend> make_cuda_backend(int device, DeviceUse use, std::string& reason);

// What there is of CUDA on this machine, to be told in reports.
struct CudaFacts {
  struct Device {
    std::string name;        // empty: it does not answer
    std::string capability;  // "9.0"
    std::uint64_t bytes = 0;
  };
  std::string runtime;          // of this program, "13.0"; empty: it was built without CUDA
  std::string driver;           // the newest CUDA that it is for; empty: there is none
  std::vector<Device> devices;  // in the order of their indices, also those that cannot be used
};
CudaFacts cuda_facts();

// Names of the CUDA devices of this machine, in the order of their indices, also of those that
// cannot be used; none where there is no driver.
std::vector<std::string> cuda_device_names();

class SequenceBackend;

// Attends over sequences on the CUDA device with this index, by
// gpu/attention/streaming_attention.h. Null, with the reason in `reason`, where that cannot be
// used: one sentence fit for a status line.
std::unique_ptr<SequenceBackend> make_cuda_sequence_backend(int device, DeviceUse use,
                                                            std::string& reason);

}  // namespace dispersion
