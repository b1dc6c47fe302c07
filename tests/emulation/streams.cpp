#include "streams.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <list>
#include <memory>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>

#include "early_launch.h"
#include "faults.h"
#include "runtime_call.h"

struct EmulatedGraph {
  std::vector<emulation::Work> work;
};

struct EmulatedGraphExec {
  std::shared_ptr<const EmulatedGraph> graph;
};

struct EmulatedStream {
  std::deque<std::shared_ptr<const emulation::Work>> queue;
  std::unique_ptr<EmulatedGraph> recording;
  std::thread::id recorder;
  std::vector<emulation::ChangedByte> changes;  // of work during which what is next begins
  bool invalidated = false;                     // the capture
  bool destroyed = false;                       // with work that is still to be done
};

namespace emulation {
namespace {

std::list<EmulatedStream> streams;
std::set<const EmulatedGraphExec*> executables;
std::size_t longest = 0;
int newest_priority = 0;
std::uint32_t moment = 0;
bool begins_early = false;

// Numbers that differ from moment to moment and from seed to seed (a finaliser of MurmurHash3).
std::uint32_t next_number() {
  std::uint32_t x = ++moment * 0x9e3779b9u ^ machine().delay_seed;
  x = (x ^ x >> 16) * 0x85ebca6bu;
  x = (x ^ x >> 13) * 0xc2b2ae35u;
  return x ^ x >> 16;
}

bool known(cudaStream_t stream) {
  return std::any_of(streams.begin(), streams.end(),
                     [&](const EmulatedStream& s) { return &s == stream && !s.destroyed; });
}

// What the emulation finds wrong in a kernel loses the device.
void run(const Work& work) {
  for (const BufferId buffer : work.buffers) {
    if (!is_held(buffer)) {
      return lose(cudaErrorIllegalAddress, work.name + ": memory that it needs was freed");
    }
  }
  try {
    if (const cudaError_t code = work.run(); code != cudaSuccess) lose(code, "");
  } catch (const std::logic_error& fault) {
    lose(cudaErrorLaunchFailure, work.name + ": " + fault.what());
  }
}

// Whether the work that is next begins before this is through.
bool begins_during(const Work& work, const EmulatedStream& stream) {
  return begins_early && work.is_kernel && !stream.queue.empty() && stream.queue.front()->early;
}

void do_work(EmulatedStream& stream, std::size_t pieces) {
  for (; pieces > 0 && !stream.queue.empty(); --pieces) {
    const auto work = std::move(stream.queue.front());
    stream.queue.pop_front();
    set_kernel_before(std::exchange(stream.changes, {}));
    std::vector<BufferCopy> before;
    if (begins_during(*work, stream)) before = copy_device_memory();
    run(*work);
    stream.changes = changed_since(before);
  }
}

void forget_destroyed() {
  streams.remove_if([](const EmulatedStream& s) { return s.destroyed && s.queue.empty(); });
}

template <class Use>
cudaError_t stream_call(const char* name, cudaStream_t stream, Use use) {
  return call(name, During::kCapture, [&] {
    if (!known(stream)) return refuse(cudaErrorInvalidResourceHandle, "no such stream");
    return use(*stream);
  });
}

}  // namespace

cudaError_t enqueue(cudaStream_t stream, Work work) {
  if (!known(stream)) return refuse(cudaErrorInvalidResourceHandle, "no such stream");
  if (stream->invalidated) return cudaErrorStreamCaptureInvalidated;
  if (stream->recording) {
    stream->recording->work.push_back(std::move(work));
    return cudaSuccess;
  }
  stream->queue.push_back(std::make_shared<const Work>(std::move(work)));
  if (machine().delay_seed == 0) do_work(*stream, 1);
  return loss();
}

void set_begins_early(bool early) {
  begins_early = early;
}

void let_time_pass() {
  if (next_number() % 4 != 0 || streams.empty()) return;
  auto stream = streams.begin();
  std::advance(stream, next_number() % streams.size());
  do_work(*stream, 1 + next_number() % 4);
  forget_destroyed();
}

void finish_all_work() {
  for (EmulatedStream& stream : streams)
    do_work(stream, stream.queue.size());
  forget_destroyed();
}

void drop_all_work() {
  for (EmulatedStream& stream : streams)
    stream.queue.clear();
}

void forget_streams() {
  moment = 0;
  longest = 0;
}

bool invalidate_captures_of_this_thread() {
  bool any = false;
  for (EmulatedStream& stream : streams) {
    if (!stream.recording || stream.recorder != std::this_thread::get_id()) continue;
    stream.invalidated = any = true;
  }
  return any;
}

std::string who_needs(BufferId buffer) {
  const auto needs = [&](const Work& work) {
    return std::find(work.buffers.begin(), work.buffers.end(), buffer) != work.buffers.end();
  };
  for (const EmulatedGraphExec* executable : executables) {
    const std::vector<Work>& work = executable->graph->work;
    if (std::any_of(work.begin(), work.end(), needs)) return "a recorded graph";
  }
  for (const EmulatedStream& stream : streams) {
    for (const auto& work : stream.queue) {
      if (needs(*work)) return "queued work (" + work->name + ")";
    }
  }
  return "";
}

int newest_stream_priority() {
  const std::lock_guard lock(runtime_lock());
  return newest_priority;
}

std::size_t longest_graph() {
  const std::lock_guard lock(runtime_lock());
  return longest;
}

}  // namespace emulation

using emulation::call;
using emulation::During;
using emulation::refuse;
using emulation::releasing_call;
using emulation::stream_call;

// As devices have it: the smaller number comes first.
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return call("cudaDeviceGetStreamPriorityRange", During::kCapture, [&] {
    *least = 0;
    *greatest = -5;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int priority) {
  return call("cudaStreamCreateWithPriority", During::kCapture, [&] {
    if (priority < -5 || priority > 0) return cudaErrorInvalidValue;
    emulation::newest_priority = priority;
    *stream = &emulation::streams.emplace_back();
    return cudaSuccess;
  });
}

// Its work goes on.
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return releasing_call("cudaStreamDestroy", During::kCapture, [&] {
    if (!emulation::known(stream)) return refuse(cudaErrorInvalidResourceHandle, "no such stream");
    stream->destroyed = true;
    emulation::forget_destroyed();
    return cudaSuccess;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return stream_call("cudaStreamSynchronize", stream, [](EmulatedStream& s) {
    if (s.recording) {
      s.invalidated = true;
      return refuse(cudaErrorStreamCaptureUnsupported, "cudaStreamSynchronize during capture");
    }
    emulation::do_work(s, s.queue.size());
    return emulation::loss();
  });
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  return stream_call("cudaStreamBeginCapture", stream, [](EmulatedStream& s) {
    if (s.recording) return refuse(cudaErrorInvalidValue, "the stream is captured already");
    s.recording = std::make_unique<EmulatedGraph>();
    s.recorder = std::this_thread::get_id();
    return cudaSuccess;
  });
}

// Ends the capture even where it fails.
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  const std::lock_guard lock(emulation::runtime_lock());
  *graph = nullptr;
  const cudaError_t code = emulation::begin_call("cudaStreamEndCapture", During::kCapture).code;
  if (!emulation::known(stream) || !stream->recording) {
    return emulation::end_call(cudaErrorInvalidValue);
  }
  if (stream->recorder != std::this_thread::get_id()) {
    return emulation::end_call(cudaErrorStreamCaptureWrongThread);
  }
  const auto recorded = std::exchange(stream->recording, nullptr);
  if (code != cudaSuccess) return emulation::end_call(code);
  if (std::exchange(stream->invalidated, false)) {
    return emulation::end_call(cudaErrorStreamCaptureInvalidated);
  }
  *graph = new EmulatedGraph(std::move(*recorded));
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 unsigned long long) {
  return call("cudaGraphInstantiate", During::kCapture, [&] {
    *executable = new EmulatedGraphExec{std::make_shared<const EmulatedGraph>(*graph)};
    emulation::executables.insert(*executable);
    emulation::longest = std::max(emulation::longest, graph->work.size());
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return releasing_call("cudaGraphDestroy", During::kCapture, [&] {
    delete graph;
    return cudaSuccess;
  });
}

// What is queued of it goes on.
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return releasing_call("cudaGraphExecDestroy", During::kCapture, [&] {
    emulation::executables.erase(executable);
    delete executable;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return stream_call("cudaGraphLaunch", stream, [&](EmulatedStream& s) {
    if (s.recording) {
      s.invalidated = true;
      return refuse(cudaErrorStreamCaptureUnsupported, "cudaGraphLaunch during capture");
    }
    for (const emulation::Work& work : executable->graph->work)
      s.queue.emplace_back(executable->graph, &work);
    if (emulation::machine().delay_seed == 0) emulation::do_work(s, s.queue.size());
    return emulation::loss();
  });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return stream_call("cudaMemcpyAsync", stream, [&](EmulatedStream& s) {
    const bool from_device = kind != cudaMemcpyHostToDevice;
    const bool to_device = kind != cudaMemcpyDeviceToHost;
    if (emulation::on_device(from, 1) != from_device || emulation::on_device(to, 1) != to_device) {
      return refuse(cudaErrorInvalidMemcpyDirection, "the addresses lie elsewhere");
    }
    if ((from_device && !emulation::on_device(from, bytes)) ||
        (to_device && !emulation::on_device(to, bytes))) {
      return refuse(cudaErrorInvalidValue, "copies past the end of a buffer");
    }
    emulation::Work work{"a copy", {}, [=] {
                           std::memcpy(to, from, bytes);
                           return cudaSuccess;
                         }};
    for (const void* end : {static_cast<const void*>(to), from}) {
      if (const auto id = emulation::buffer_at(reinterpret_cast<std::uintptr_t>(end)))
        work.buffers.push_back(*id);
    }
    // Whoever reads before the copy is through must not find what is right.
    if (!to_device && !s.recording) std::memset(to, emulation::kRubbish, bytes);
    return emulation::enqueue(stream, std::move(work));
  });
}

cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t stream) {
  return call("cudaMemsetAsync", During::kCapture, [&] {
    if (!emulation::on_device(memory, bytes)) {
      return refuse(cudaErrorInvalidValue, "fills past the end of a buffer");
    }
    emulation::Work work{"a fill", {}, [=] {
                           std::memset(memory, value, bytes);
                           return cudaSuccess;
                         }};
    work.buffers.push_back(*emulation::buffer_at(reinterpret_cast<std::uintptr_t>(memory)));
    return emulation::enqueue(stream, std::move(work));
  });
}
