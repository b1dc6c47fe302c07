#include "app/session/study_board.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "app/session/app_state.h"
#include "app/session/study_worker.h"

namespace dispersion {
namespace {

constexpr double kRest = 0.15;       // seconds that settings must rest before a study begins
constexpr double kPause = 0.4;       // between two studies of a head that trains, at least
constexpr double kPauseShare = 1.5;  // and so many times as long as the last one took
constexpr double kHeadPatience = 4;  // seconds after which a picture of an older head is called old

void ask(StudyState& state, StudyPlan plan, View view, StudyWorker& worker) {
  ++state.asked;
  if (state.asked_key != plan.key || state.key_since == 0) state.key_since = state.asked;
  state.asked_key = plan.key;
  state.asked_head = plan.head;
  state.news = {.id = state.asked};
  state.held = false;
  worker.request(view, state.asked, std::move(plan.job));
}

// When a study may follow a head that has moved on.
double next_live(const StudyState& state) {
  return state.result_at + std::max(kPause, kPauseShare * state.news.seconds);
}

void press_buttons(StudyState& state, View view, StudyWorker& worker) {
  if (!std::exchange(state.stop, false)) return;
  worker.stop(view);
  state.held = true;
}

}  // namespace

bool StudyState::busy() const {
  return !held && asked > 0 &&
         (news.phase == StudyPhase::kWaiting || news.phase == StudyPhase::kRunning);
}

bool receive_studies(AppState& app, StudyWorker& worker, double now) {
  bool any = false;
  for (const View view : app.studies.views) {
    std::optional<StudyNews> news = worker.take_news(view);
    if (!news) continue;
    any = true;
    StudyState& state = app.studies.of(view);
    if (news->id != state.asked) continue;  // of settings that nobody has any more
    if (news->result) {
      state.result = news->result;
      state.result_id = news->id;
    }
    if (news->phase == StudyPhase::kDone) state.result_at = now;
    state.news = *std::move(news);
  }
  return any;
}

double update_studies(AppState& app, StudyWorker& worker, double now) {
  const View view = app.view.view;
  worker.use(app.status.computing);
  worker.bring_to_front(view);
  if (view == View::kAttention || !app.studies.planner) return -1;
  StudyState& state = app.studies.of(view);
  press_buttons(state, view, worker);
  StudyPlan plan = app.studies.planner(view, app);
  if (state.seen_key != plan.key) {
    state.seen_key = plan.key;
    state.seen_since = now;
  }
  const bool other_settings = plan.key != state.asked_key;
  const bool other_head = plan.head != state.asked_head;
  state.stale = other_settings || state.result_id < state.key_since ||
                (other_head && now > state.result_at + kHeadPatience);
  if (!plan.job) return -1;
  if (std::exchange(state.go, false) || state.asked == 0) {
    ask(state, std::move(plan), view, worker);
    return -1;
  }
  if (other_settings) {
    const double due = state.seen_since + kRest;
    if (now < due) return due;
    ask(state, std::move(plan), view, worker);
    return -1;
  }
  const bool follow = other_head && !state.held && !state.busy();
  if (!follow) return -1;
  const double due = next_live(state);
  if (now < due) return due;
  ask(state, std::move(plan), view, worker);
  return -1;
}

}  // namespace dispersion
