#include "app/commands/chosen_backend.h"

#include <stdexcept>
#include <string>
#include <utility>

#include "app/session/first_usable.h"
#include "core/cpu/cpu_backend.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr BackendChoice kCpu = {BackendChoice::Kind::kCpu, 0};

// One of the two that gpu/cuda_backend.h has, for a device and its use.
template <class Made>
using MakeOnDevice = std::unique_ptr<Made> (*)(int device, DeviceUse use, std::string& reason);

template <class Made>
FirstUsable<Made> make_automatic(MakeOnDevice<Made> make) {
  return first_usable<Made>(static_cast<int>(cuda_device_names().size()),
                            [make](int device, std::string& reason) {
                              return make(device, DeviceUse::kForeground, reason);
                            });
}

template <class Made>
std::unique_ptr<Made> make_on_device(MakeOnDevice<Made> make, int device, DeviceUse use) {
  std::string reason;
  auto backend = make(device, use, reason);
  if (!backend) throw std::runtime_error(reason);
  return backend;
}

// The backend for experiments, which must not slow the training down: on a CUDA device it runs in
// the background, on the CPU on one thread.
std::unique_ptr<Backend> background_backend(const BackendChoice& computing) {
  if (computing.kind != BackendChoice::Kind::kCuda) return make_cpu_backend(1);
  return make_on_device(make_cuda_backend, computing.device, DeviceUse::kBackground);
}

std::unique_ptr<SequenceBackend> background_sequence_backend(const BackendChoice& computing) {
  if (computing.kind != BackendChoice::Kind::kCuda) return make_cpu_sequence_backend(1);
  return make_on_device(make_cuda_sequence_backend, computing.device, DeviceUse::kBackground);
}

}  // namespace

MadeBackend make_chosen(const BackendChoice& choice, int threads, std::stop_token stop) {
  std::string why_cpu;
  if (choice.kind == BackendChoice::Kind::kCuda) {
    return {make_on_device(make_cuda_backend, choice.device, DeviceUse::kForeground), "", choice};
  }
  if (choice.kind == BackendChoice::Kind::kAutomatic) {
    auto found = make_automatic(make_cuda_backend);
    if (found.backend) {
      return {std::move(found.backend), "", {BackendChoice::Kind::kCuda, found.device}};
    }
    why_cpu = found.why_none;
  }
  return {make_cpu_backend(threads, std::move(stop)), why_cpu, kCpu};
}

std::unique_ptr<SequenceBackend> make_chosen_sequences(const BackendChoice& choice, int threads) {
  if (choice.kind == BackendChoice::Kind::kCuda)
    return make_on_device(make_cuda_sequence_backend, choice.device, DeviceUse::kForeground);
  if (choice.kind == BackendChoice::Kind::kAutomatic) {
    if (auto found = make_automatic(make_cuda_sequence_backend); found.backend)
      return std::move(found.backend);
  }
  return make_cpu_sequence_backend(threads);
}

Facts cuda_fact_lines(const CudaFacts& facts) {
  if (facts.runtime.empty()) return {};
  Facts lines = {{"CUDA driver", facts.driver.empty() ? "none" : "for CUDA " + facts.driver},
                 {"CUDA runtime", facts.runtime}};
  for (std::size_t i = 0; i < facts.devices.size(); ++i) {
    const CudaFacts::Device& device = facts.devices[i];
    lines.emplace_back("CUDA device " + std::to_string(i),
                       device.name.empty()
                           ? "does not answer"
                           : device.name + ", compute capability " + device.capability + ", " +
                                 fixed_text(static_cast<double>(device.bytes) / 1e9, 1) + " GB");
  }
  return lines;
}

BackendSource window_backends() {
  constexpr int kAllThreads = 0;
  return {[](const BackendChoice& choice) { return make_chosen(choice, kAllThreads); },
          cuda_device_names, [] { return cuda_fact_lines(cuda_facts()); }};
}

BackendFactories experiment_backends() {
  return {background_backend, background_sequence_backend};
}

}  // namespace dispersion
