#include "app/commands/backend_choice.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "app/commands/usage_error.h"
#include "core/cpu/cpu_backend.h"
#include "gpu/cuda_backend.h"
#include "gpu/cuda_sequence_backend.h"

namespace dispersion {
namespace {

constexpr BackendChoice kCpu = {BackendChoice::Kind::kCpu, 0};

// The first device that can be used, or the CPU and why the first one cannot.
MadeBackend make_automatic(int threads) {
  std::string first_reason;
  const int devices = std::max(1, static_cast<int>(cuda_device_names().size()));
  for (int device = 0; device < devices; ++device) {
    std::string reason;
    if (auto backend = make_cuda_backend(device, DeviceUse::kForeground, reason))
      return {std::move(backend), "", {BackendChoice::Kind::kCuda, device}};
    if (device == 0) first_reason = reason;
  }
  return {make_cpu_backend(threads), first_reason, kCpu};
}

std::unique_ptr<Backend> make_on_device(int device, DeviceUse use) {
  std::string reason;
  auto backend = make_cuda_backend(device, use, reason);
  if (!backend) throw std::runtime_error(reason);
  return backend;
}

MadeBackend make_chosen(const BackendChoice& choice, int threads) {
  if (choice.kind == BackendChoice::Kind::kAutomatic) return make_automatic(threads);
  if (choice.kind == BackendChoice::Kind::kCpu) return {make_cpu_backend(threads), "", kCpu};
  return {make_on_device(choice.device, DeviceUse::kForeground), "", choice};
}

// For studies, which run beside the training: in the background, or on one thread.
std::unique_ptr<Backend> study_backend(const BackendChoice& computing) {
  if (computing.kind != BackendChoice::Kind::kCuda) return make_cpu_backend(1);
  return make_on_device(computing.device, DeviceUse::kBackground);
}

std::unique_ptr<SequenceBackend> study_sequence_backend(const BackendChoice& computing) {
  if (computing.kind != BackendChoice::Kind::kCuda) return make_cpu_sequence_backend(1);
  std::string reason;
  auto sequence_backend =
      make_cuda_sequence_backend(computing.device, DeviceUse::kBackground, reason);
  if (!sequence_backend) throw std::runtime_error(reason);
  return sequence_backend;
}

}  // namespace

void add_backend_option(CLI::App& app, std::string& name) {
  app.add_option("--backend", name,
                 "What computes: cpu, cuda, cuda:K for device K, or auto: a CUDA device where one "
                 "can be used")
      ->type_name("NAME")
      ->capture_default_str();
}

std::unique_ptr<Backend> make_backend(const std::string& name, int threads) {
  const std::optional<BackendChoice> choice = parse_backend_name(name);
  if (!choice) {
    throw UsageError("--backend: \"" + name +
                     "\" is none of auto, cpu, cuda, cuda:K with K from 0 to " +
                     std::to_string(kLargestDevice));
  }
  try {
    return make_chosen(*choice, threads).backend;
  } catch (const std::runtime_error& error) {
    throw std::runtime_error("--backend " + name + ": " + error.what());
  }
}

BackendSource window_backends() {
  constexpr int kAllThreads = 0;
  return {[](const BackendChoice& choice) { return make_chosen(choice, kAllThreads); },
          cuda_device_names};
}

StudySource window_studies() {
  return {study_backend, study_sequence_backend};
}

}  // namespace dispersion
