#include "app/commands/sequence_backend_choice.h"

#include <optional>
#include <stdexcept>

#include "app/commands/usage_error.h"
#include "app/session/backend_source.h"
#include "gpu/cuda_sequence_backend.h"

namespace dispersion {

CLI::Option* add_device_option(CLI::App& app, std::string& name) {
  return app
      .add_option(
          "--device", name,
          "Attend over sequences on cpu, cuda, cuda:K for device K, or auto: the first CUDA "
          "device where that can be used")
      ->type_name("NAME");
}

std::unique_ptr<SequenceBackend> make_sequence_backend(const std::string& name, int threads) {
  const std::optional<BackendChoice> choice = parse_backend_name(name);
  if (!choice) {
    throw UsageError("--device: \"" + name +
                     "\" is none of auto, cpu, cuda, cuda:K with K from 0 to " +
                     std::to_string(kLargestDevice));
  }
  if (choice->kind == BackendChoice::Kind::kCpu) return make_cpu_sequence_backend(threads);
  std::string reason;
  if (auto sequence_backend =
          make_cuda_sequence_backend(choice->device, DeviceUse::kForeground, reason))
    return sequence_backend;
  if (choice->kind == BackendChoice::Kind::kAutomatic) return make_cpu_sequence_backend(threads);
  throw std::runtime_error("--device " + name + ": " + reason);
}

}  // namespace dispersion
