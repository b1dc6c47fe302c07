#include "memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <utility>

#include "early_launch.h"
#include "faults.h"
#include "runtime_call.h"
#include "streams.h"

namespace emulation {
namespace {

constexpr std::size_t kGuardBytes = 64;
constexpr unsigned char kGuard = 0xa5;

struct Held {
  std::size_t bytes;
  bool on_device;
  BufferId id;
};

std::map<std::uintptr_t, Held> held;
BufferId next_id = 1;
std::string reports;

void look_at_guards(std::uintptr_t start, const Held& buffer) {
  const auto* data = reinterpret_cast<const unsigned char*>(start);
  for (std::size_t i = 0; i < kGuardBytes; ++i) {
    const bool before = data[-1 - static_cast<std::ptrdiff_t>(i)] != kGuard;
    const bool after = data[buffer.bytes + i] != kGuard;
    if (!before && !after) continue;
    report("a buffer of " + std::to_string(buffer.bytes) + " bytes was written " +
           std::to_string(i + 1) + " bytes " + (before ? "before it" : "past its end"));
    return;
  }
}

std::size_t device_bytes() {
  std::size_t bytes = 0;
  for (const auto& [start, buffer] : held)
    bytes += buffer.on_device ? buffer.bytes : 0;
  return bytes;
}

cudaError_t allocate(void** memory, std::size_t bytes, bool on_device) {
  *memory = nullptr;
  if (bytes == 0) return cudaSuccess;
  Machine& m = machine();
  if (on_device) {
    if (m.allocations_to_failure == 0) return cudaErrorMemoryAllocation;
    if (m.allocations_to_failure > 0) --m.allocations_to_failure;
    if (bytes + device_bytes() + m.other_bytes > m.total_bytes) return cudaErrorMemoryAllocation;
  }
  // Rounded up, as aligned_alloc asks for; the guard starts where the buffer ends.
  const std::size_t whole = (bytes + 3 * kGuardBytes) / kGuardBytes * kGuardBytes;
  auto* base = static_cast<unsigned char*>(std::aligned_alloc(kGuardBytes, whole));
  if (base == nullptr) return cudaErrorMemoryAllocation;
  std::memset(base, kGuard, whole);
  std::memset(base + kGuardBytes, kRubbish, bytes);
  *memory = base + kGuardBytes;
  held[reinterpret_cast<std::uintptr_t>(*memory)] = {bytes, on_device, next_id++};
  return cudaSuccess;
}

cudaError_t release(void* memory, bool on_device) {
  if (memory == nullptr) return cudaSuccess;
  // The free of device memory waits for the device; that of the host's is not known to.
  if (on_device) finish_all_work();
  const auto found = held.find(reinterpret_cast<std::uintptr_t>(memory));
  if (found == held.end() || found->second.on_device != on_device) {
    return refuse(cudaErrorInvalidValue, "what is freed was not allocated so");
  }
  const std::string needed_by = who_needs(found->second.id);
  if (!needed_by.empty()) {
    report("a buffer of " + std::to_string(found->second.bytes) + " bytes was freed while " +
           needed_by + " needs it");
  }
  look_at_guards(found->first, found->second);
  std::free(static_cast<unsigned char*>(memory) - kGuardBytes);
  held.erase(found);
  return cudaSuccess;
}

auto find(std::uintptr_t address) {
  auto after = held.upper_bound(address);
  if (after == held.begin()) return held.end();
  const auto found = std::prev(after);
  return address - found->first < found->second.bytes ? found : held.end();
}

}  // namespace

std::optional<BufferId> buffer_at(std::uintptr_t address) {
  const auto found = find(address);
  if (found == held.end()) return std::nullopt;
  return found->second.id;
}

bool is_held(BufferId id) {
  for (const auto& [start, buffer] : held) {
    if (buffer.id == id) return true;
  }
  return false;
}

bool on_device(const void* at, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  const auto found = find(address);
  return found != held.end() && found->second.on_device &&
         address - found->first + bytes <= found->second.bytes;
}

void report(const std::string& text) {
  reports += text + "; ";
}

std::vector<BufferCopy> copy_device_memory() {
  std::vector<BufferCopy> copies;
  for (const auto& [start, buffer] : held) {
    if (!buffer.on_device) continue;
    auto* data = reinterpret_cast<unsigned char*>(start);
    copies.push_back({data, {data, data + buffer.bytes}});
  }
  return copies;
}

std::vector<ChangedByte> changed_since(const std::vector<BufferCopy>& before) {
  constexpr std::size_t kAtATime = 1024;
  std::vector<ChangedByte> changed;
  for (const BufferCopy& copy : before) {
    for (std::size_t first = 0; first < copy.bytes.size(); first += kAtATime) {
      const std::size_t end = std::min(first + kAtATime, copy.bytes.size());
      if (std::memcmp(copy.at + first, copy.bytes.data() + first, end - first) == 0) continue;
      for (std::size_t i = first; i < end; ++i) {
        if (copy.at[i] != copy.bytes[i]) changed.push_back({copy.at + i, copy.bytes[i]});
      }
    }
  }
  return changed;
}

std::size_t bytes_held() {
  const std::lock_guard lock(runtime_lock());
  return device_bytes();
}

std::string take_guard_report() {
  const std::lock_guard lock(runtime_lock());
  finish_all_work();
  for (const auto& [start, buffer] : held)
    look_at_guards(start, buffer);
  return std::exchange(reports, {});
}

}  // namespace emulation

using emulation::During;

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  return emulation::call("cudaMemGetInfo", During::kCapture, [&] {
    const std::size_t used = emulation::device_bytes() + emulation::machine().other_bytes;
    *total = emulation::machine().total_bytes;
    *free = used < *total ? *total - used : 0;
    return cudaSuccess;
  });
}

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  return emulation::call("cudaMalloc", During::kNoCapture,
                         [&] { return emulation::allocate(memory, bytes, true); });
}

cudaError_t cudaFree(void* memory) {
  return emulation::releasing_call("cudaFree", During::kNoCapture,
                                   [&] { return emulation::release(memory, true); });
}

cudaError_t cudaMallocHost(void** memory, std::size_t bytes) {
  return emulation::call("cudaMallocHost", During::kNoCapture,
                         [&] { return emulation::allocate(memory, bytes, false); });
}

cudaError_t cudaFreeHost(void* memory) {
  return emulation::releasing_call("cudaFreeHost", During::kNoCapture,
                                   [&] { return emulation::release(memory, false); });
}
