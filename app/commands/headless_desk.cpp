#include "app/commands/headless_desk.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>

#include "app/commands/chosen_backend.h"
#include "app/commands/command_inputs.h"
#include "app/commands/gui.h"
#include "app/commands/output.h"
#include "app/session/bookmarks.h"
#include "app/session/compared_snapshots.h"
#include "app/session/comparison.h"
#include "app/session/kept_runs.h"
#include "app/session/recent_files.h"
#include "app/session/run_status.h"
#include "app/session/state_string.h"
#include "app/session/view_schedule.h"

namespace dispersion {
namespace {

constexpr auto kPause = std::chrono::milliseconds(2);

void wake_nobody() {}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The share of the sets of the attention view that are counted; 1 when nothing is left to compute.
double counted_share(const AppState& app) {
  if (app.stale() || !app.snapshot->complete) return 0;
  for (std::size_t i = 0; i < app.snapshot->sizes.size(); ++i) {
    if (!row_current(*app.snapshot, app.status, i)) return 0;  // of the head before
  }
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

// A session with the head, and in the app state all that a window has when it was just opened.
Session session_with(AppState& app, const std::filesystem::path& checkpoint) {
  HeadSource head = load_head(checkpoint);
  require_finite_attention(head.name, head.checkpoint.state.parameters);
  const EarlierHistory earlier = head_history(checkpoint, head.checkpoint);
  const std::string source = head_source_text(head, checkpoint.empty());
  app.shipped = std::make_shared<const ShippedData>(shipped_data());
  app.experiments.make_request = make_request;
  app.experiments.views = window_views();
  return {window_backends(), std::move(head.checkpoint), source, wake_nobody, {}, {}, earlier.rows};
}

}  // namespace

HeadlessDesk::HeadlessDesk(const std::filesystem::path& checkpoint)
    : experiments_(experiment_backends(), wake_nobody), session_(session_with(app_, checkpoint)) {}

// Looks where the window does for the heads that states name.
void HeadlessDesk::know_heads() {
  if (std::exchange(knows_heads_, true)) return;
  know_kept_heads(app_, {bookmarks_folder(), kept_runs_folder(), recent_files_path()});
  for (const Report& trouble : app_.reports)
    print_error(trouble.text);
  app_.reports.clear();  // they are no answers to what is opened
}

// Waits until the open head is this one; throws where it was not found.
bool HeadlessDesk::wait_for_head(const HeadName& head, const GoOn& go_on) {
  while (go_on(0)) {
    receive(app_, session_);
    if (app_.head.state && has_head(app_, session_, head)) return true;
    std::this_thread::sleep_for(kPause);
  }
  return false;
}

bool HeadlessDesk::open(const std::string& state, const GoOn& go_on) {
  HeadName wanted;
  if (!state.empty()) {
    know_heads();
    wanted = decode_state(state).head;  // throws what is wrong with it
    if (!wait_for_head({}, go_on)) return false;
    open_state(app_, session_, state);
  }
  return wait_for_head(wanted, go_on);
}

// A is opened in the place of the present state, and both are swapped.
bool HeadlessDesk::pin(const std::string& state, const GoOn& go_on) {
  know_heads();
  const UserSettings looked_at = user_settings(app_);
  const HeadName present = head_name(app_);
  dispersion::pin(app_);
  if (!open(state, go_on)) return false;
  swap_states(app_, session_);
  put_settings(looked_at, app_);
  return wait_for_head(present, go_on);
}

double HeadlessDesk::computed_share() {
  receive(app_, session_);
  receive_experiments(app_, experiments_, now());
  receive_comparison(app_, now());
  send_changes(app_, session_, app_.view.view == View::kAttention);
  if (!app_.status.backend.empty()) {
    update_experiments(app_, experiments_, now());
    update_comparison(app_, experiment_backends(), wake_nobody, now());
  }
  const double share =
      app_.view.view == View::kAttention ? counted_share(app_) : experiment_share(app_);
  return std::min(share, compared_share(app_));
}

bool HeadlessDesk::compute(const GoOn& go_on) {
  for (double share = 0; share < 1;) {
    if (!go_on(share)) return false;
    share = computed_share();
    std::this_thread::sleep_for(kPause);
  }
  return true;
}

}  // namespace dispersion
