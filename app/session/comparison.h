#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/session/app_state.h"
#include "app/session/compared_pictures.h"
#include "app/session/experiment_worker.h"
#include "core/experiment/size_pairs.h"
#include "core/figure/compared_sizes.h"

namespace dispersion {

// The sets that A and a version of B's head have both classified.
struct ComparedPairs {
  std::uint64_t run = 0;  // RunStatus::run of B
  std::uint64_t version = 0;
  std::int64_t step = 0;
  std::vector<AttentionTransform> transforms;  // of B
  std::vector<SizePair> pairs;
};

// What the worker of a comparison computes for the window.
struct ComparisonNews {
  Latest<std::shared_ptr<const ViewSnapshot>> picture;  // of A
  Latest<std::shared_ptr<const ComparedPairs>> pairs;
};

// A state that was pinned as A, beside the present one, B, which is the app state. A has the head
// and the settings of the moment in which it was pinned; its pictures are computed to their end.
struct Comparison {
  AppState a;
  bool difference = true;                     // whether B minus A is shown
  bool swap_noted = false;                    // swap_states
  std::string head_to_come;                   // "seed 2 → 1": what B's head becomes in a swap
  TransformId shown = TransformId::kSoftmax;  // whose heat maps the window shows

  std::shared_ptr<const ComparedPairs> pairs;  // newest; null: none yet
  ComparedPictures pictures;

  std::shared_ptr<const ViewSnapshot> followed;  // the picture of B that A's was taken from last

  // What was asked of the worker last.
  std::uint64_t asked = 0;
  bool picture_asked = false;
  std::shared_ptr<const ComparedPairs> pairs_asked;  // without pairs
  double settings_since = 0;  // since when B has had the transforms that it has now
  std::vector<AttentionTransform> settings_seen;
  double pairs_at = -1e9;  // when the newest pairs were complete
  std::shared_ptr<ComparisonNews> news = std::make_shared<ComparisonNews>();
  std::unique_ptr<ExperimentWorker> worker;  // the last member, so that it ends first
};

// Pins the present state as A, in the place of what was pinned before. Returns false, and nothing
// has changed, before the first head has come.
bool pin(AppState& app);
void unpin(AppState& app);
void pin_or_unpin(AppState& app);
// What undo returns to, and in what two of them differ, for people: "A pinned".
PinnedState pinned_state(const AppState& app);
void put_pinned(const PinnedState& pinned, AppState& app);
std::string pinned_text(const PinnedState& before, const PinnedState& after);
// Whether B minus A is shown; false, and nothing to be set, while nothing is pinned.
bool shows_difference(const AppState& app);
void show_difference(AppState& app, bool shown);
// A becomes the present state, and the present one A. The head of A is opened again if it is not
// the open one. One step of undo. While the head of an earlier swap is still to come, this one is
// only noted, or taken back where one was noted.
void swap_states(AppState& app, Session& session);
// Carries out what was noted, once the head has come. To be called in every frame, as the user's
// doing.
void swap_noted(AppState& app, Session& session);

// "seed 1, step 100 000", or where the head came from when that is not known.
std::string state_text(const AppState& state);
// In what B differs from A: "seed 1 → 2; temperature θ 1 → 0.5"; empty where it does not.
std::string what_differs(const AppState& app);
// The same, or that B does not differ; where both are one state and what is shown of them need not
// be equal yet, only that they are.
std::string present_text(const AppState& app);
// Whether the picture of B is one of A: of the same head under the same settings.
bool is_at_pinned_state(const AppState& app);
// The transforms that A or B shows, plain softmax first.
std::vector<TransformId> compared_transforms(const AppState& app);
// What is known of both at one n.
ComparedRows compared_rows_at(const AppState& app, TransformId id, int items);
// The pairs, if they are of B's present settings and of its run; else null.
const ComparedPairs* present_pairs(const AppState& app);
// "A is being computed, 34 %", of what A has in the view in front; empty when that is complete.
std::string pinned_progress_text(const AppState& app, View view);

// Takes what the worker has computed. Returns whether there was anything.
bool receive_comparison(AppState& app, double now);

// Has the worker compute what is missing, that of the views on screen first; `factories` and `wake`
// are for the worker, which is made when it is first needed. Returns the time at which this must be
// called again; < 0: no such time.
double update_comparison(AppState& app, const BackendFactories& factories,
                         const std::function<void()>& wake, double now);

}  // namespace dispersion
