#include "app/commands/backend_choice.h"

#include <stdexcept>
#include <string_view>

#include "app/commands/number_options.h"
#include "app/commands/usage_error.h"
#include "core/cpu/cpu_backend.h"
#include "gpu/cuda_backend.h"

namespace dispersion {
namespace {

constexpr WholeRange kDeviceRange = {0, 1023};

// K of "cuda:K"; 0 of "cuda".
int device_of(std::string_view name) {
  constexpr std::string_view kPrefix = "cuda";
  if (name == kPrefix) return 0;
  if (name.starts_with("cuda:"))
    return static_cast<int>(parse_whole(name.substr(kPrefix.size() + 1), kDeviceRange));
  throw UsageError("--backend: \"" + std::string(name) + "\" is none of auto, cpu, cuda, cuda:K");
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
  if (name == "cpu") return make_cpu_backend(threads);
  std::string reason;
  const bool automatic = name == "auto";
  if (auto backend = make_cuda_backend(automatic ? 0 : device_of(name), reason)) return backend;
  if (automatic) return make_cpu_backend(threads);
  throw std::runtime_error("--backend " + name + ": " + reason);
}

}  // namespace dispersion
