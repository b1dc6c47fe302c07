// What the worker of a comparison computes, and when.

#include <algorithm>
#include <utility>

#include "app/session/comparison.h"
#include "app/session/live_view.h"
#include "app/session/pinned_picture.h"
#include "app/session/state_snapshot.h"
#include "app/session/timing.h"
#include "app/session/view_schedule.h"

namespace dispersion {
namespace {

constexpr double kSliceSeconds = 0.012;  // between two questions whether to go on
constexpr double kNewsInterval = 0.1;    // seconds between two partial results
// Seconds for which B's settings must be the same before pairs are counted.
constexpr double kRest = 0.3;
// The pause between two counts of a head that is being trained.
constexpr double kPause = 1;

ViewRequest picture_request(const AppState& state) {
  ViewRequest request;
  request.revision = std::max<std::uint64_t>(state.requested_revision, 1);
  request.transforms = computed_transforms(state.view);
  request.sizes = doubling_sizes();
  return request;
}

// The picture of A, which grows from what is there until it is complete.
ExperimentJob picture_job(const AppState& a, std::shared_ptr<ComparisonNews> news) {
  return [head = a.head, request = picture_request(a), begun = a.snapshot, news = std::move(news)](
             ExperimentBackends& backends, const Progress& progress, const ShowFigure&) {
    LiveView view;
    view.accept(request);
    if (begun) view.go_on_from(*begun, head);
    double shown_at = clock_seconds();
    do {
      if (!progress(view.share(head.version))) return ExperimentResult();
      if (clock_seconds() < shown_at + kNewsInterval) continue;
      shown_at = clock_seconds();
      news->picture.put(view.snapshot(head.state->step, head.version));
    } while (view.work_paused(backends.backend(), head, kSliceSeconds, true));
    news->picture.put(view.snapshot(head.state->step, head.version));
    return ExperimentResult();
  };
}

// How many sets of every size are compared, in rounds that each add as many as there were before.
std::int64_t sets_in_round(int items, int round, bool training) {
  return training ? live_row_sets(items) : paused_row_sets(items, round);
}

struct PairCount {
  HeadVersion a;
  HeadVersion b;
  std::vector<AttentionTransform> under_a;
  ComparedPairs result;
  bool training = false;  // few sets will do, since the head is soon another one
};

ExperimentResult count_pairs(PairCount count, Backend& backend, ComparisonNews& news,
                             const Progress& progress) {
  const HeadUnder a = {count.a.state->parameters, count.under_a};
  const HeadUnder b = {count.b.state->parameters, count.result.transforms};
  const std::vector<int> sizes = doubling_sizes();
  std::vector<std::vector<SizePair>> all;
  for (const int items : sizes)
    all.push_back(empty_pairs(a, b, items));
  const int rounds = count.training ? 0 : last_round(sizes);
  for (int round = 0; round <= rounds; ++round) {
    for (std::size_t i = 0; i < sizes.size() && !all[i].empty(); ++i) {
      const std::int64_t wanted = sets_in_round(sizes[i], round, count.training);
      while (all[i].front().sets < wanted) {
        const double done = static_cast<double>(i) / static_cast<double>(sizes.size());
        if (!progress((round + done) / (rounds + 1))) return {};
        const std::int64_t sets =
            std::min<std::int64_t>(sets_per_piece(sizes[i]), wanted - all[i].front().sets);
        add_pairs(backend, a, b, kFigureSetSeed, static_cast<int>(sets), all[i]);
      }
    }
    count.result.pairs.clear();
    for (const std::vector<SizePair>& pairs : all)
      count.result.pairs.insert(count.result.pairs.end(), pairs.begin(), pairs.end());
    news.pairs.put(std::make_shared<const ComparedPairs>(count.result));
  }
  return {};
}

void ask(Comparison& comparison, ExperimentJob job) {
  ExperimentState& state = comparison.a.experiments.of(View::kAttention);
  state.asked = ++comparison.asked;
  state.update = {.id = state.asked};
  comparison.worker->request(View::kAttention, state.asked, std::move(job), Urgency::kInTurn);
}

// Notes since when B has had its settings.
void follow_settings(Comparison& comparison, const AppState& app, double now) {
  std::vector<AttentionTransform> transforms = computed_transforms(app.view);
  if (transforms == comparison.settings_seen) return;
  comparison.settings_seen = std::move(transforms);
  comparison.settings_since = now;
}

// Asks for the pairs of B's present head and settings when they are due. Returns when they will be;
// < 0: they need not be asked for.
double update_pairs(AppState& app, double now) {
  Comparison& comparison = *app.comparison;
  follow_settings(comparison, app, now);
  if (!app.head.state) return -1;
  const ComparedPairs* asked = comparison.pairs_asked.get();
  const bool training = app.status.phase == RunPhase::kTraining;
  const bool other_settings = asked == nullptr || asked->transforms != comparison.settings_seen;
  if (!other_settings && asked->version == app.head.version) return -1;
  const bool busy = comparison.a.experiments.of(View::kAttention).busy();
  if (!other_settings && busy && training) return -1;  // the news that it is done calls this again
  const double due =
      std::max(comparison.settings_since + kRest, training ? comparison.pairs_at + kPause : now);
  if (now < due) return due;
  PairCount count = {.a = comparison.a.head,
                     .b = app.head,
                     .under_a = computed_transforms(comparison.a.view),
                     .result = {.run = app.head.run,
                                .version = app.head.version,
                                .step = app.head.state->step,
                                .transforms = comparison.settings_seen,
                                .pairs = {}},
                     .training = training};
  comparison.pairs_asked = std::make_shared<const ComparedPairs>(count.result);
  ask(comparison, [count = std::move(count), news = comparison.news](
                      ExperimentBackends& backends, const Progress& progress, const ShowFigure&) {
    return count_pairs(count, backends.backend(), *news, progress);
  });
  return -1;
}

// Whether the worker of the run is at work on the picture of A.
bool completed_by_present(const AppState& app) {
  const bool at_work = app.status.phase != RunPhase::kDeviceLost && app.status.notice.empty();
  return at_work && is_at_pinned_state(app);
}

double update_attention(AppState& app, double now) {
  Comparison& comparison = *app.comparison;
  const AppState& a = comparison.a;
  if (a.snapshot && is_final(*a.snapshot, a.head)) return update_pairs(app, now);
  if (!comparison.picture_asked && completed_by_present(app)) return -1;
  if (!std::exchange(comparison.picture_asked, true))
    ask(comparison, picture_job(a, comparison.news));
  return -1;
}

// Whether an experiment of B on screen is being computed.
bool present_is_busy(const AppState& app) {
  return std::ranges::any_of(shown_views(app.view), [&](View view) {
    return view != View::kAttention && app.experiments.of(view).busy();
  });
}

double sooner(double one, double other) {
  return one < 0 || other < 0 ? std::max(one, other) : std::min(one, other);
}

// While B is the state that is pinned, its newer picture is that of A too.
void follow_present(AppState& app) {
  Comparison& comparison = *app.comparison;
  if (comparison.followed == app.snapshot || !is_at_pinned_state(app)) return;
  comparison.followed = app.snapshot;
  comparison.a.snapshot = further(comparison.a.snapshot, picture_of_state(app));
}

}  // namespace

bool receive_comparison(AppState& app, double now) {
  if (!app.comparison) return false;
  follow_present(app);
  if (!app.comparison->worker) return false;
  Comparison& comparison = *app.comparison;
  auto picture = comparison.news->picture.take();
  auto pairs = comparison.news->pairs.take();
  if (picture) comparison.a.snapshot = further(comparison.a.snapshot, *std::move(picture));
  if (pairs) {
    comparison.pairs = *std::move(pairs);
    comparison.pairs_at = now;
  }
  return receive_experiments(comparison.a, *comparison.worker, now) || picture || pairs;
}

double update_comparison(AppState& app, const BackendFactories& factories,
                         const std::function<void()>& wake, double now) {
  if (!app.comparison) return -1;
  Comparison& comparison = *app.comparison;
  if (!comparison.worker) comparison.worker = std::make_unique<ExperimentWorker>(factories, wake);
  // A is seen in the views that B is seen in, and computed by what computes B.
  comparison.a.view.view = app.view.view;
  comparison.a.view.grid = app.view.grid;
  comparison.a.status.computing = app.status.computing;
  const double attention = update_attention(app, now);
  if (present_is_busy(app)) return attention;
  return sooner(attention, update_experiments(comparison.a, *comparison.worker, now));
}

}  // namespace dispersion
