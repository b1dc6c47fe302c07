#pragma once

#include <memory>
#include <vector>

#include "app/session/experiment_states.h"
#include "app/session/figure_snapshots.h"
#include "app/session/mailbox.h"
#include "app/session/shown_state.h"

namespace dispersion {

// An order for figures of one state, for a moment in which the attention view shows frames of
// several steps. The worker of the experiments computes it in the place of that view, which has no
// experiment.
struct StateOrder {
  ShownState state;  // of the moment of the order, at its newest head
  // Where the worker puts the picture, which the job keeps alive.
  using Picture = Latest<std::shared_ptr<const ViewSnapshot>>;
  std::shared_ptr<Picture> picture = std::make_shared<Picture>();
};

// Whether the attention view has a head, but not yet all of its picture with the newest settings.
bool mixes_states(const AppState& app);

// Whether head, status and request are there and belong together, so that an order can be made.
bool can_order_state(const AppState& app);
StateOrder order_state(const AppState& app);
ExperimentRequest state_request(const StateOrder& order, const ViewRequest& request);

// The state of the order with its picture, once the experiment worker has done it; null where there
// is none.
ShownState ordered_state(const StateOrder& order, const ExperimentResult& result);

}  // namespace dispersion
