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

Found TrainingRun::find(const FindHeadCommand& wanted) {
  const std::string& hash = wanted.head.run_hash;
  if (run_hash(details_.first.recipe, *last_good().state) == hash) {
    pause();
    return Found::kYes;
  }
  for (const auto* runs : {&set_aside_, &untrained_}) {
    for (const auto& run : *runs) {
      if (run_hash(run->details.first.recipe, *run->state) != hash) continue;
      switch_to(run->details.id);
      return Found::kYes;
    }
  }
  if (open_shipped(wanted)) return Found::kYes;
  for (const std::filesystem::path& file : wanted.files) {
    if (!holds(file, hash)) continue;
    open(file);
    details_.head_source = wanted.head.source;
    details_.began = "opened " + details_.head_source;  // not by the name of a copy
    tell_details();
    return Found::kYes;
  }
  if (open_fresh(wanted.head)) return Found::kYes;
  return train_again(wanted) ? Found::kTrainedAgain : Found::kNo;
}

bool TrainingRun::open_shipped(const FindHeadCommand& wanted) {
  if (!wanted.shipped) return false;
  for (const ExperimentHead& head : wanted.shipped->heads) {
    if (!head.state || run_hash(head.recipe, *head.state) != wanted.head.run_hash) continue;
    open_inside(head, *wanted.shipped, wanted.head);
    details_.saved = wanted.saved;
    tell_details();
    return true;
  }
  return false;
}

void TrainingRun::open_inside(const ExperimentHead& head, const ShippedData& shipped,
                              const HeadName& name) {
  Checkpoint next;
  next.recipe = head.recipe;
  next.state = *head.state;
  next.has_run = head.has_run;
  next.has_moments = has_moments(*head.state) || head.state->step == 0;
  auto before = open_run();
  adopt(std::move(next), name.source.empty() ? head.name : name.source);
  details_.earlier = history_of(shipped, head.state->seed);
  details_.steps_before = name.steps_before;
  details_.began = "opened " + details_.head_source;
  set_aside(std::move(before));
}

// The first weights of a run follow from its seed.
bool TrainingRun::open_fresh(const HeadName& head) {
  if (!head.has_run || head.step != 0) return false;
  const TrainingState fresh = start_training(details_.first.state.parameters.shape, head.seed);
  if (run_hash(head.recipe, fresh) != head.run_hash) return false;
  start_new(head.recipe, head.seed);
  return true;
}

// The head inside the program with whose weights the named one was begun.
bool TrainingRun::open_weights_of(const FindHeadCommand& wanted) {
  if (!wanted.shipped) return false;
  const auto began_with = [&](const ExperimentHead& head) {
    return head.state && head.has_run && !has_moments(*head.state) &&
           head.recipe == wanted.head.recipe && head.state->seed == wanted.head.seed &&
           head.state->step == wanted.head.steps_before;
  };
  const auto weights = std::ranges::find_if(wanted.shipped->heads, began_with);
  if (weights == wanted.shipped->heads.end()) return false;
  HeadName name = wanted.head;
  name.steps_before = 0;
  const std::string on = std::string(kTrainedOn).append(kAfresh);
  if (name.source.ends_with(on)) name.source.resize(name.source.size() - on.size());
  open_inside(*weights, *wanted.shipped, name);
  return true;
}

// A run is the same, bit for bit, each time that it is trained on the same processor.
bool TrainingRun::train_again(const FindHeadCommand& wanted) {
  const HeadName& head = wanted.head;
  if (!head.has_run || head.steps_before + head.step == 0) return false;
  if (head.steps_before == 0) {
    start_new(head.recipe, head.seed);
  } else {
    if (!open_weights_of(wanted)) return false;
    begin_without_moments();
  }
  details_.awaited = {head.run_hash, head.step};
  if (head.step == 0) {
    compare_with_awaited();
  } else {
    play(head.steps_before + head.step);
  }
  return true;
}

void TrainingRun::compare_with_awaited() {
  const AwaitedHead awaited = std::exchange(details_.awaited, {});
  if (awaited.run_hash.empty() || status_.step != awaited.step) return;
  refresh_hash();
  if (status_.run_hash == awaited.run_hash) return;
  status_.notice =
      "the head was trained again, but is another one than that of the state: its run "
      "hash is " +
      status_.run_hash + ", not " + awaited.run_hash;
}

}  // namespace dispersion
