#include "app/panels/diagnostics.h"

#include "app/panels/panels.h"
#include "app/window/graphics_facts.h"
#include "core/build_info.h"
#include "core/figure/number_text.h"
#include "core/math/product.h"

namespace dispersion {
namespace {

// A line unless there is nothing to say.
void add_line(std::string& text, const std::string& name, const std::string& value) {
  if (!value.empty()) text += name + ": " + value + "\n";
}

void add_build(std::string& text) {
  const BuildInfo build = build_info();
  add_line(text, "Dispersion Lab",
           std::string(build.version) + ", commit " + std::string(build.commit));
  add_line(text, "build",
           std::string(build.build_type) + ", " + std::string(build.compiler) +
               (build.sanitizers.empty() ? "" : ", sanitizers " + std::string(build.sanitizers)));
  add_line(text, "instruction set", std::string(build.instruction_set));
  add_line(text, "matrix products", std::string(product_library()));
}

void add_backend(std::string& text, const RunStatus& status) {
  add_line(text, "computes with", status.backend_line);
  add_line(text, "why", status.backend_note);
  for (const auto& [name, value] : status.device_facts)
    add_line(text, name, value);
  if (status.memory) {
    add_line(text, "device memory",
             gigabytes(status.memory->free_bytes) + " of " + gigabytes(status.memory->total_bytes) +
                 " GB free");
  }
}

}  // namespace

std::string diagnostics_text(const AppState& app) {
  std::string text;
  add_build(text);
  add_backend(text, app.status);
  for (const auto& [name, value] : graphics_facts())
    add_line(text, name, value);
  const ImGuiIO& io = ImGui::GetIO();
  add_line(text, "window",
           fixed_text(static_cast<double>(io.DisplaySize.x), 0) + " × " +
               fixed_text(static_cast<double>(io.DisplaySize.y), 0) + ", letters at " +
               fixed_text(100 * static_cast<double>(app.view.ui_scale), 0) + " %");
  return text;
}

}  // namespace dispersion
