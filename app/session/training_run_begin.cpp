// How a run of the window begins: with fresh weights, where it began before, or with the weights of
// a head without moments.

#include <cstdint>
#include <memory>
#include <utility>

#include "app/session/head_name.h"
#include "app/session/run_status.h"
#include "app/session/training_run.h"

namespace dispersion {

void TrainingRun::begin_without_moments() {
  if (details_.first.has_moments) return;
  const Details of_weights = details_;
  Checkpoint fresh;
  fresh.recipe = of_weights.first.recipe;
  fresh.state = start_training_from(of_weights.first.state.parameters, of_weights.first.state.seed);
  fresh.metadata = of_weights.first.metadata;
  adopt(std::move(fresh), of_weights.head_source + std::string(kTrainedOn).append(kAfresh));
  details_.id = of_weights.id;
  details_.began = of_weights.began;
  details_.steps_before = of_weights.steps_before + of_weights.first.state.step;
  details_.stop_at = of_weights.stop_at;
  details_.of_weights = std::make_shared<const Details>(of_weights);
  tell_details();
}

// A head whose moments were fresh when it was trained on is again the head without moments that it
// was, so that it has its name and its hash.
void TrainingRun::rewind() {
  const std::shared_ptr<const SetAside> before = open_run();
  const Details& was = before->details;
  const Details& start = was.of_weights ? *was.of_weights : was;
  adopt(Checkpoint(start.first), start.head_source);
  details_.steps_before = start.steps_before;
  details_.file = details_.first_file = start.first_file;
  details_.began = "back to the start of the run";
  if (before->worth_keeping) {
    set_aside(before);
    return;
  }
  details_.id = was.id;  // it is where it was
  details_.began = was.began;
  tell_details();
}

void TrainingRun::start_new(const Recipe& recipe, std::uint32_t seed) {
  validate(recipe);
  Checkpoint fresh;
  fresh.recipe = recipe;
  fresh.state = start_training(details_.first.state.parameters.shape, seed);
  auto before = open_run();
  adopt(std::move(fresh), "fresh weights, seed " + std::to_string(seed));
  details_.earlier = nullptr;
  details_.began = "new run, seed " + std::to_string(seed);
  set_aside(std::move(before));
}

}  // namespace dispersion
