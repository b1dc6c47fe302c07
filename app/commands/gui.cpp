#include "app/commands/gui.h"

#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>

#include "app/commands/chosen_backend.h"
#include "app/commands/command_inputs.h"
#include "app/commands/commands.h"
#include "app/commands/interrupt.h"
#include "app/commands/output.h"
#include "app/panels/lab.h"
#include "app/window/preferences.h"
#include "core/figure/number_text.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

std::string head_source_text(const HeadSource& head, bool shipped) {
  const TrainingState& state = head.checkpoint.state;
  if (shipped) {
    return "the trained head that ships with the lab, " + grouped_text(state.step) + " steps";
  }
  const std::string name = path_text(head.name);
  if (!head.checkpoint.has_run) {
    const std::string& remark = head.checkpoint.remark;
    return name + ", " + std::string(kWeightsOnly) + (remark.empty() ? "" : "; " + remark);
  }
  return name + ", seed " + std::to_string(state.seed) + ", " + grouped_text(state.step) +
         " steps" + (head.checkpoint.has_moments ? "" : ", weights only");
}

}  // namespace

int show_window(const LabOptions& options, BackendSource backends, Checkpoint start,
                const std::string& head_source) {
  InterruptGuard interrupt(AfterSignal::kSaves);
  try {
    Lab lab(options, std::move(backends), std::move(start), head_source);
    const std::stop_callback close(interrupt.stop(), [&lab] { lab.window().close(); });
    lab.run();
  } catch (const WindowError& error) {
    print_error(error.what());
    return 1;
  }
  return interrupt.interrupted() ? interrupt.exit_code() : 0;
}

int run_window(const std::filesystem::path& checkpoint) {
  HeadSource head = load_head(checkpoint);
  require_finite_attention(head.name, head.checkpoint.state.parameters);
  LabOptions lab_options;
  lab_options.preferences = preferences_path();
  lab_options.shipped = shipped_data();
  lab_options.backends = experiment_backends();
  lab_options.keeping.folder = kept_runs_folder();
  lab_options.earlier = head_history(checkpoint, head.checkpoint);
  const std::string head_source = head_source_text(head, checkpoint.empty());
  return show_window(lab_options, window_backends(), std::move(head.checkpoint), head_source);
}

void add_gui_command(CommandLine& line) {
  auto checkpoint = std::make_shared<std::filesystem::path>();
  Subcommand& command = line.add_subcommand("gui", "Open the window");
  command.footer("Example:\n  dispersion_lab gui --checkpoint runs/default/seed1.safetensors");
  command.add_path("--checkpoint", "FILE", *checkpoint,
                   "Head to show first (default: the trained head inside the program)");
  command.on_run([checkpoint] { return run_window(*checkpoint); });
}

}  // namespace dispersion
