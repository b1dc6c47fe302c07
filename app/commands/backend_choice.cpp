#include "app/commands/backend_choice.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "core/cpu/cpu_backend.h"
#include "gpu/cuda_backend.h"

namespace dispersion {
namespace {

constexpr BackendChoice kCpu = {BackendChoice::Kind::kCpu, 0};

// The first CUDA device that can be used; or the CPU, with the reason why device 0 cannot be used.
MadeBackend make_automatic(int threads, std::stop_token stop) {
  std::string first_reason;
  const int devices = std::max(1, static_cast<int>(cuda_device_names().size()));
  for (int device = 0; device < devices; ++device) {
    std::string reason;
    if (auto backend = make_cuda_backend(device, DeviceUse::kForeground, reason))
      return {std::move(backend), "", {BackendChoice::Kind::kCuda, device}};
    if (device == 0) first_reason = reason;
  }
  return {make_cpu_backend(threads, std::move(stop)), first_reason, kCpu};
}

std::unique_ptr<Backend> make_on_device(int device, DeviceUse use) {
  std::string reason;
  auto backend = make_cuda_backend(device, use, reason);
  if (!backend) throw std::runtime_error(reason);
  return backend;
}

MadeBackend make_chosen(const BackendChoice& choice, int threads, std::stop_token stop = {}) {
  if (choice.kind == BackendChoice::Kind::kAutomatic)
    return make_automatic(threads, std::move(stop));
  if (choice.kind == BackendChoice::Kind::kCpu)
    return {make_cpu_backend(threads, std::move(stop)), "", kCpu};
  return {make_on_device(choice.device, DeviceUse::kForeground), "", choice};
}

// The backend for experiments, which must not slow the training down: on a CUDA device it runs in
// the background, on the CPU on one thread.
std::unique_ptr<Backend> background_backend(const BackendChoice& computing) {
  if (computing.kind != BackendChoice::Kind::kCuda) return make_cpu_backend(1);
  return make_on_device(computing.device, DeviceUse::kBackground);
}

std::unique_ptr<SequenceBackend> background_sequence_backend(const BackendChoice& computing) {
  if (computing.kind != BackendChoice::Kind::kCuda) return make_cpu_sequence_backend(1);
  std::string reason;
  auto sequence_backend =
      make_cuda_sequence_backend(computing.device, DeviceUse::kBackground, reason);
  if (!sequence_backend) throw std::runtime_error(reason);
  return sequence_backend;
}

// The choice that the value of --backend names.
BackendChoice parse_choice(const std::string& name) {
  if (const std::optional<BackendChoice> choice = parse_backend_name(name)) return *choice;
  throw UsageError("--backend: \"" + name +
                   "\" is none of auto, cpu, cuda, cuda:K with K from 0 to " +
                   std::to_string(kLargestDevice));
}

}  // namespace

void add_backend_option(Subcommand& command, std::string& name) {
  command.add_text(
      "--backend", "NAME", name,
      "Backend that computes: cpu, cuda, cuda:K for device K, or auto: a CUDA device where one "
      "can be used");
}

void add_threads_option(Subcommand& command, int& threads) {
  command.add_whole("--threads", threads, kThreadRange,
                    "Threads; 0: as many as the machine has. The result does not depend on it");
}

std::unique_ptr<Backend> make_backend(const std::string& name, int threads, std::stop_token stop) {
  const BackendChoice choice = parse_choice(name);
  try {
    return make_chosen(choice, threads, std::move(stop)).backend;
  } catch (const std::runtime_error& error) {
    throw std::runtime_error("--backend " + name + ": " + error.what());
  }
}

std::unique_ptr<SequenceBackend> make_sequence_backend(const std::string& name, int threads) {
  const BackendChoice choice = parse_choice(name);
  if (choice.kind == BackendChoice::Kind::kCpu) return make_cpu_sequence_backend(threads);
  std::string reason;
  if (auto sequence_backend =
          make_cuda_sequence_backend(choice.device, DeviceUse::kForeground, reason))
    return sequence_backend;
  if (choice.kind == BackendChoice::Kind::kAutomatic) return make_cpu_sequence_backend(threads);
  throw std::runtime_error("--backend " + name + ": " + reason);
}

BackendSource window_backends() {
  constexpr int kAllThreads = 0;
  return {[](const BackendChoice& choice) { return make_chosen(choice, kAllThreads); },
          cuda_device_names};
}

BackendFactories experiment_backends() {
  return {background_backend, background_sequence_backend};
}

}  // namespace dispersion
