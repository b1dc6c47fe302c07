#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cuda_runtime_api.h"
#include "memory.h"

// The work of streams: queued, and done at moments that Machine::delay_seed chooses, at the latest
// when somebody waits for it. All of it under runtime_lock().
namespace emulation {

struct Work {
  std::string name;
  std::vector<BufferId> buffers;  // that it needs
  std::function<cudaError_t()> run;
  bool is_kernel = false;
  bool early = false;  // a kernel that may begin while the one before runs
};

// Queues it, or records it while the stream is captured.
cudaError_t enqueue(cudaStream_t stream, Work work);

// Does some of what is queued, or none.
void let_time_pass();
void finish_all_work();
void drop_all_work();
// Begins anew with the seed's moments, and with what is asked about streams.
void forget_streams();

// Whether the calling thread captures a stream; if so, the capture has failed.
bool invalidate_captures_of_this_thread();

// "a recorded graph", or the name of the queued work that needs the buffer; empty: nothing.
std::string who_needs(BufferId buffer);

}  // namespace emulation
