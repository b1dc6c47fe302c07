#include "app/commands/attender_choice.h"

#include <optional>
#include <stdexcept>

#include "app/commands/usage_error.h"
#include "app/desk/backend_source.h"
#include "gpu/cuda_attender.h"

namespace dispersion {

CLI::Option* add_device_option(CLI::App& app, std::string& name) {
  return app
      .add_option(
          "--device", name,
          "Attend over sequences on cpu, cuda, cuda:K for device K, or auto: the first CUDA "
          "device where that can be used")
      ->type_name("NAME");
}

std::unique_ptr<SequenceAttender> make_attender(const std::string& name, int threads) {
  const std::optional<BackendChoice> choice = parse_backend_name(name);
  if (!choice) {
    throw UsageError("--device: \"" + name +
                     "\" is none of auto, cpu, cuda, cuda:K with K from 0 to " +
                     std::to_string(kLargestDevice));
  }
  if (choice->kind == BackendChoice::Kind::kCpu) return make_cpu_attender(threads);
  std::string reason;
  if (auto attender = make_cuda_attender(choice->device, DeviceUse::kForeground, reason))
    return attender;
  if (choice->kind == BackendChoice::Kind::kAutomatic) return make_cpu_attender(threads);
  throw std::runtime_error("--device " + name + ": " + reason);
}

}  // namespace dispersion
