#include "app/commands/describe.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>

#include "app/commands/chosen_backend.h"
#include "app/commands/command_inputs.h"
#include "app/commands/commands.h"
#include "app/commands/gui.h"
#include "app/commands/interrupt.h"
#include "app/commands/output.h"
#include "app/commands/progress_bar.h"
#include "app/session/app_state.h"
#include "app/session/bookmarks.h"
#include "app/session/compared_snapshots.h"
#include "app/session/comparison.h"
#include "app/session/describe.h"
#include "app/session/kept_runs.h"
#include "app/session/recent_files.h"
#include "app/session/state_string.h"
#include "app/session/view_schedule.h"
#include "core/experiment/size_table.h"

namespace dispersion {
namespace {

constexpr RealRange kThetaRange = {.low = kLowestTheta, .high = kHighestTheta};
constexpr auto kPause = std::chrono::milliseconds(2);

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

View view_of(const std::string& name) {
  return name == "attention" ? View::kAttention : view_named(name);
}

// The share of the sets of the attention view that are counted; 1 when nothing is left to compute.
double counted_share(const AppState& app) {
  if (app.stale() || !app.snapshot->complete) return 0;
  std::int64_t counted = 0;
  std::int64_t wanted = 0;
  for (const SizeRow& row : app.snapshot->rows) {
    counted += std::min(row.sets, most_row_sets(row.items));
    wanted += most_row_sets(row.items);
  }
  return wanted > 0 ? static_cast<double>(counted) / static_cast<double>(wanted) : 0;
}

// The same of the experiment in front. Throws where it failed.
double experiment_share(const AppState& app) {
  const ExperimentState& state = app.experiments.of(app.view.view);
  if (state.update.phase == ExperimentPhase::kFailed) throw std::runtime_error(state.update.error);
  const bool done = state.update.phase == ExperimentPhase::kDone && state.result;
  return done ? 1 : std::min(state.update.share, 0.99);
}

// Whether the head that was asked for is open. Throws where it was not found, and where it was
// trained again and is another one.
bool has_head(const AppState& app, const Session& session, const HeadName& head) {
  for (const Report& report : app.reports) {
    if (!report.ok) throw std::runtime_error(report.text);
  }
  if (head.run_hash.empty() || head_name(app).run_hash == head.run_hash) return true;
  const bool stopped = session.answered(app.status) && app.status.phase != RunPhase::kTraining;
  if (stopped && !app.status.notice.empty()) throw std::runtime_error(app.status.notice);
  return false;
}

// The same of what is compared with A.
double compared_share(const AppState& app) {
  constexpr double kPictureShare = 0.5;
  constexpr double kPairsShare = 0.9;
  if (!app.comparison) return 1;
  if (pinned_unfinished(app, app.view.view)) return kPictureShare;
  if (app.view.view != View::kAttention) return 1;
  const ComparedPairs* counted = present_pairs(app);
  const bool all =
      counted != nullptr && std::ranges::all_of(counted->pairs, [](const SizePair& pair) {
        return pair.sets >= most_row_sets(pair.items);
      });
  return all ? 1 : kPairsShare;
}

// Waits until the open head is this one; false after a stop. Throws where it was not found.
bool wait_for_head(AppState& app, Session& session, const HeadName& head,
                   const std::function<bool(double)>& go_on) {
  while (go_on(0)) {
    receive(app, session);
    if (app.head.state && has_head(app, session, head)) return true;
    std::this_thread::sleep_for(kPause);
  }
  return false;
}

// Opens a state with its head, or waits for the first head where the text is empty.
bool open_named(AppState& app, Session& session, const std::string& state,
                const std::function<bool(double)>& go_on) {
  HeadName wanted;
  if (!state.empty()) {
    wanted = decode_state(state).head;  // throws what is wrong with it
    if (!wait_for_head(app, session, {}, go_on)) return false;
    open_state(app, session, state);
  }
  return wait_for_head(app, session, wanted, go_on);
}

// Pins a state as A beside the present one: it is opened in the place of that, and both swapped.
bool pin_state(AppState& app, Session& session, const std::string& state,
               const std::function<bool(double)>& go_on) {
  const UserSettings looked_at = user_settings(app);
  const HeadName present = head_name(app);
  pin(app);
  if (!open_named(app, session, state, go_on)) return false;
  swap_states(app, session);
  put_settings(looked_at, app);
  return wait_for_head(app, session, present, go_on);
}

// Looks where the window does for the heads that states name.
void know_heads(AppState& app) {
  know_kept_heads(app, {bookmarks_folder(), kept_runs_folder(), recent_files_path()});
  for (const Report& trouble : app.reports)
    print_error(trouble.text);
  app.reports.clear();  // they are no answers to what is described
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
  HeadSource head = load_head(options.checkpoint);
  require_finite_attention(head.name, head.checkpoint.state.parameters);
  const EarlierHistory earlier = head_history(options.checkpoint, head.checkpoint);
  const std::string source = head_source_text(head, options.checkpoint.empty());
  AppState app;
  app.shipped = std::make_shared<const ShippedData>(shipped_data());
  app.experiments.make_request = make_request;
  app.experiments.views = window_views();
  app.view.view = view_of(options.view);
  app.view.theta = options.theta;
  app.view.focused_items = options.items;
  const auto nothing = [] {};
  ExperimentWorker experiments(experiment_backends(), nothing);
  Session session(window_backends(), std::move(head.checkpoint), source, nothing, {}, {},
                  earlier.rows);
  if (!options.state.empty() || !options.pinned.empty()) know_heads(app);
  bool here = open_named(app, session, options.state, go_on);
  if (here && !options.pinned.empty()) here = pin_state(app, session, options.pinned, go_on);
  double share = 0;
  while (here && share < 1 && go_on(share)) {
    receive(app, session);
    receive_experiments(app, experiments, now());
    receive_comparison(app, now());
    send_changes(app, session, app.view.view == View::kAttention);
    if (!app.status.backend.empty()) {
      update_experiments(app, experiments, now());
      update_comparison(app, experiment_backends(), nothing, now());
    }
    share = app.view.view == View::kAttention ? counted_share(app) : experiment_share(app);
    share = std::min(share, compared_share(app));
    std::this_thread::sleep_for(kPause);
  }
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
