#include "app/commands/commands.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "app/commands/chosen_backend.h"
#include "app/commands/options.h"
#include "app/commands/output.h"
#include "app/commands/text.h"
#include "app/export/provenance.h"
#include "core/build_info.h"
#include "core/cpu/cpu_backend.h"
#include "core/math/product.h"
#include "gpu/cuda_backend.h"

namespace dispersion {
namespace {

struct GpuState {
  std::string description;  // empty: none
  std::string reason;       // why there is none
};

GpuState gpu_state() {
  GpuState state;
  if (const auto backend = make_cuda_backend(0, DeviceUse::kForeground, state.reason)) {
    state.description = backend->description();
  }
  return state;
}

Json cuda_json(const CudaFacts& facts) {
  if (facts.runtime.empty()) return {};
  Json devices = Json::array();
  for (const CudaFacts::Device& device : facts.devices)
    devices.push_back({{"name", device.name},
                       {"compute_capability", device.capability},
                       {"bytes", device.bytes}});
  return {{"driver", facts.driver.empty() ? Json() : Json(facts.driver)},
          {"runtime", facts.runtime},
          {"devices", std::move(devices)}};
}

Json info_json() {
  const GpuState gpu = gpu_state();
  Json object = {{"command", "info"}};
  object.update(build_provenance_json(make_cpu_backend()->description_with_threads()));
  object["sanitizers"] = build_info().sanitizers;
  object["matrix_products"] = product_library();
  object["gpu"] = gpu.description.empty() ? Json() : Json(gpu.description);
  object["gpu_reason"] = gpu.description.empty() ? Json(gpu.reason) : Json();
  object["cuda"] = cuda_json(cuda_facts());
  return object;
}

std::string line(std::string_view name, std::string_view value) {
  return align_left(name, 18) + std::string(value) + "\n";
}

std::string info_text() {
  const BuildInfo build = build_info();
  const GpuState gpu = gpu_state();
  std::string build_type(build.build_type);
  if (!build.sanitizers.empty()) build_type += ", sanitizers " + std::string(build.sanitizers);
  std::string text = line("version", build.version) + line("commit", build.commit) +
                     line("build", build_type) + line("compiler", build.compiler) +
                     line("instruction set", build.instruction_set) +
                     line("matrix products", product_library()) +
                     line("backend", make_cpu_backend()->description_with_threads()) +
                     line("GPU", gpu.description.empty() ? "none: " + gpu.reason : gpu.description);
  for (const auto& [name, value] : cuda_fact_lines(cuda_facts()))
    text += line(name, value);
  return text;
}

}  // namespace

void add_info_command(CommandLine& line) {
  auto json = std::make_shared<bool>(false);
  Subcommand& command =
      line.add_subcommand("info", "Say what this program is and what it computes with");
  command.footer("Example:\n  dispersion_lab info --json");
  command.add_flag("--json", *json, "Print one JSON object instead of text");
  command.on_run([json] {
    print(*json ? json_line(info_json()) : info_text());
    return 0;
  });
}

}  // namespace dispersion
