#include "app/commands/gui.h"

#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>

#include "app/commands/chosen_backend.h"
#include "app/commands/command_inputs.h"
#include "app/commands/commands.h"
#include "app/commands/interrupt.h"
#include "app/commands/lesson.h"
#include "app/commands/output.h"
#include "app/panels/lab.h"
#include "app/session/head_name.h"
#include "app/session/state_string.h"
#include "app/window/preferences.h"
#include "core/figure/number_text.h"
#include "core/io/text.h"

namespace dispersion {

std::string head_source_text(const HeadSource& head, bool shipped) {
  const TrainingState& state = head.checkpoint.state;
  if (shipped) {
    return shipped_head_text(state);
  }
  const std::string name = path_text(head.name);
  if (!head.checkpoint.has_run) {
    const std::string& remark = head.checkpoint.remark;
    return name + ", " + std::string(kWeightsOnly) + (remark.empty() ? "" : "; " + remark);
  }
  return name + ", seed " + std::to_string(state.seed) + ", " +
         grouped_text(steps_before_in(head.checkpoint) + state.step) + " steps" +
         (head.checkpoint.has_moments ? "" : ", weights only");
}

int show_window(const LabOptions& options, BackendSource backends, Checkpoint start,
                const std::string& head_source, const std::function<void(Lab&)>& opened) {
  InterruptGuard interrupt(AfterSignal::kSaves);
  try {
    Lab lab(options, std::move(backends), std::move(start), head_source);
    const std::stop_callback close(interrupt.stop(), [&lab] { lab.window().close(); });
    if (opened) opened(lab);
    lab.run();
  } catch (const WindowError& error) {
    print_error(error.what());
    return 1;
  }
  return interrupt.interrupted() ? interrupt.exit_code() : 0;
}

namespace {

// A head whose numbers can be shown.
HeadSource usable_head(const std::filesystem::path& checkpoint) {
  HeadSource head = load_head(checkpoint);
  require_finite_attention(head.name, head.checkpoint.state.parameters);
  return head;
}

// The head that was open last time, unless its file is gone; then the notice says so. Which one it
// was is cleared.
HeadSource head_of_last_time(LoadedPreferences& loaded) {
  const std::filesystem::path file = std::exchange(loaded.preferences.head, {});
  if (file.empty()) return usable_head({});
  try {
    HeadSource head = usable_head(file);
    loaded.preferences.head = file;
    return head;
  } catch (const std::exception& error) {
    loaded.notice += (loaded.notice.empty() ? "" : "; ") +
                     std::string("the head of last time is not open: ") + error.what();
    return usable_head({});
  }
}

}  // namespace

int run_window(const WindowRequest& request) {
  if (!request.state.empty()) decode_state(request.state);  // throws what is wrong with it
  LabOptions lab_options;
  lab_options.preferences = preferences_path();
  LoadedPreferences loaded = load_preferences(lab_options.preferences);
  const bool last_time = request.checkpoint.empty() && request.state.empty();
  HeadSource head = last_time ? head_of_last_time(loaded) : usable_head(request.checkpoint);
  const std::filesystem::path& checkpoint =
      last_time ? loaded.preferences.head : request.checkpoint;
  lab_options.shipped = shipped_data();
  lab_options.backends = experiment_backends();
  lab_options.keeping.folder = kept_runs_folder();
  lab_options.earlier = head_history(checkpoint, head.checkpoint);
  lab_options.bookmarks = bookmarks_folder();
  lab_options.head_file = checkpoint;
  lab_options.recent_files = recent_files_path();
  lab_options.state = request.state;
  lab_options.lessons = shipped_lessons();
  lab_options.lesson = request.lesson;
  lab_options.full_screen = request.full_screen;
  const std::string head_source = head_source_text(head, checkpoint.empty());
  if (request.reset_layout) use_usual_layout(loaded.preferences);
  lab_options.loaded = std::move(loaded);
  return show_window(lab_options, window_backends(), std::move(head.checkpoint), head_source);
}

void add_gui_command(CommandLine& line) {
  auto request = std::make_shared<WindowRequest>();
  Subcommand& command = line.add_subcommand("gui", "Open the window");
  command.footer("Example:\n  dispersion_lab gui runs/default/seed1.safetensors");
  command.add_path("HEAD", "FILE", request->checkpoint,
                   "Head to show first (default: the one that was open last time, or the trained "
                   "head inside the program)");
  command.add_path("--checkpoint", "FILE", request->checkpoint, "The same, by name");
  command.exclude("HEAD", {"--checkpoint"});
  command.add_text("--state", "STATE", request->state,
                   "State to begin with, as the window copies it; its head is opened too");
  command.add_flag("--reset-layout", request->reset_layout,
                   "Begin with the usual size and place of the window and of its letters");
  command.on_run([request] { return run_window(*request); });
}

}  // namespace dispersion
