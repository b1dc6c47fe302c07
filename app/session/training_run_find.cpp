// How a run of the window finds a head that a state names.

#include <algorithm>
#include <exception>
#include <utility>

#include "app/session/bookmarks.h"
#include "app/session/head_name.h"
#include "app/session/run_status.h"
#include "app/session/shipped_data.h"
#include "app/session/state_string.h"
#include "app/session/training_run.h"
#include "core/io/checkpoint.h"

namespace dispersion {
namespace {

// Heads without moments have zeros in their place.
bool has_moments(const TrainingState& state) {
  return std::ranges::any_of(state.second_moment.values, [](float v) { return v != 0; });
}

// Whether the file is readable and holds this head.
bool holds(const std::filesystem::path& file, const std::string& hash) {
  try {
    const Checkpoint checkpoint = load_checkpoint(file);
    return run_hash(checkpoint.recipe, checkpoint.state) == hash;
  } catch (const std::exception&) {
    return false;  // a file of something else is not the head either
  }
}

// What was measured of the shipped head of this seed while it was trained; null: nothing is known.
std::shared_ptr<const History> history_of(const ShippedData& shipped, std::uint32_t seed) {
  for (const History& history : shipped.histories) {
    if (!history.empty() && history.front().seed == seed)
      return std::make_shared<const History>(history);
  }
  return nullptr;
}

}  // namespace

// The state is that of the window, which may know an older step of the head.
void TrainingRun::add_bookmark(const std::filesystem::path& folder, const Bookmark& bookmark) {
  const TrainingState& state = *head().state;
  DeskState desk = decode_state(bookmark.state);
  desk.head = named_head(details_.head_source, status_.has_run, details_.first.recipe, state,
                         details_.steps_before);
  Bookmark made = bookmark;
  made.state = encode_state(desk.settings, desk.head);
  made.head = desk.head.source;
  // The source of a head that is inside the program says both.
  if (desk.head.has_run && made.head != shipped_head_text(state))
    made.head = seed_and_step(state, details_.steps_before) + ", " + made.head;
  dispersion::add_bookmark(folder, made, checkpoint(details_, state));
}

bool TrainingRun::find(const FindHeadCommand& wanted) {
  const std::string& hash = wanted.head.run_hash;
  if (run_hash(details_.first.recipe, *last_good().state) == hash) {
    pause();
    return true;
  }
  for (const auto* runs : {&set_aside_, &untrained_}) {
    for (const auto& run : *runs) {
      if (run_hash(run->details.first.recipe, *run->state) != hash) continue;
      switch_to(run->details.id);
      return true;
    }
  }
  if (wanted.shipped && open_shipped(*wanted.shipped, wanted.head)) return true;
  for (const std::filesystem::path& file : wanted.files) {
    if (!holds(file, hash)) continue;
    open(file);
    details_.head_source = wanted.head.source;
    details_.began = "opened " + details_.head_source;  // not by the name of a copy
    tell_details();
    return true;
  }
  return open_fresh(wanted.head);
}

bool TrainingRun::open_shipped(const ShippedData& shipped, const HeadName& wanted) {
  for (const ExperimentHead& head : shipped.heads) {
    if (!head.state || run_hash(head.recipe, *head.state) != wanted.run_hash) continue;
    Checkpoint next;
    next.recipe = head.recipe;
    next.state = *head.state;
    next.has_run = head.has_run;
    next.has_moments = has_moments(*head.state) || head.state->step == 0;
    auto before = open_run();
    adopt(std::move(next), wanted.source.empty() ? head.name : wanted.source);
    details_.earlier = history_of(shipped, head.state->seed);
    details_.steps_before = wanted.steps_before;
    details_.began = "opened " + details_.head_source;
    tell_details();
    set_aside(std::move(before));
    return true;
  }
  return false;
}

// The first weights of a run follow from its seed.
bool TrainingRun::open_fresh(const HeadName& head) {
  if (!head.has_run || head.step != 0) return false;
  const TrainingState fresh = start_training(details_.first.state.parameters.shape, head.seed);
  if (run_hash(head.recipe, fresh) != head.run_hash) return false;
  start_new(head.recipe, head.seed);
  return true;
}

}  // namespace dispersion
