#include "app/commands/describe.h"

#include <memory>

#include "app/commands/commands.h"
#include "app/commands/headless_desk.h"
#include "app/commands/interrupt.h"
#include "app/commands/output.h"
#include "app/commands/progress_bar.h"
#include "app/session/describe.h"
#include "core/experiment/size_table.h"

namespace dispersion {
namespace {

constexpr RealRange kThetaRange = {.low = kLowestTheta, .high = kHighestTheta};

View view_of(const std::string& name) {
  return name == "attention" ? View::kAttention : view_named(name);
}

int run_describe(const DescribeOptions& options) {
  InterruptGuard interrupt;
  std::string text;
  {
    ProgressBar bar;
    text = described(options, [&](double share) {
      if (bar.due()) bar.update(share, "computing the view");
      return !interrupt.interrupted();
    });
  }
  print(text);
  if (!interrupt.interrupted()) return 0;
  print_error("interrupted; what was not computed by then is missing");
  return interrupt.exit_code();
}

}  // namespace

std::vector<std::string> described_views() {
  std::vector<std::string> names;
  for (const View view : window_views()) {
    names.emplace_back(view == View::kAttention ? std::string_view("attention")
                                                : experiment_in(view).name);
  }
  return names;
}

std::string described(const DescribeOptions& options, const std::function<bool(double)>& go_on) {
  HeadlessDesk desk(options.checkpoint);
  AppState& app = desk.app();
  app.view.view = view_of(options.view);
  app.view.theta = options.theta;
  app.view.focused_items = options.items;
  if (desk.open(options.state, go_on) &&
      (options.pinned.empty() || desk.pin(options.pinned, go_on)))
    desk.compute(go_on);
  return describe(app);
}

void add_describe_command(CommandLine& line) {
  auto options = std::make_shared<DescribeOptions>();
  Subcommand& command =
      line.add_subcommand("describe", "Print a view of the window as words and numbers");
  command.footer(
      "Prints what Ctrl+C copies in the window: head, settings, and what the view says, in lines "
      "of\n"
      "section, label and value with tabs between them.\n\n"
      "Examples:\n"
      "  dispersion_lab describe\n"
      "  dispersion_lab describe --view bounds --checkpoint runs/default/seed1.safetensors\n"
      "  dispersion_lab describe --theta 0.5 --pinned \"$STATE\"");
  command.add_path("--checkpoint", "FILE", options->checkpoint,
                   "Head to describe (default: the trained head inside the program)");
  command.add_name("--view", options->view, described_views(),
                   "attention, or the name of an experiment");
  command.add_text("--state", "STATE", options->state,
                   "A state of the window as it copies it, with its head and settings");
  command.add_text("--pinned", "STATE", options->pinned,
                   "Another state, A, which the described one, B, is compared with");
  command.add_real("--theta", options->theta, kThetaRange, "Temperature theta");
  std::vector<std::string> sizes;
  for (const int items : doubling_sizes())
    sizes.push_back(std::to_string(items));
  command.add_name(
      "--items", std::to_string(options->items), sizes,
      [options](const std::string& text) { options->items = std::stoi(text); },
      "The n that is described in detail");
  command.exclude("--state", {"--checkpoint", "--view", "--theta", "--items"});
  command.on_run([options] { return run_describe(*options); });
}

}  // namespace dispersion
