#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "app/session/messages.h"

namespace dispersion {

// How many training steps a current picture may be behind the run: about three seconds of training,
// and always at least one step.
std::int64_t allowed_lag(const RunStatus& status);

// Whether the frame or the row of the size snapshot.sizes[index] is current: of the open run and
// within allowed_lag() or, when the device is lost, of the very step that was kept. False where
// there is none.
bool frame_current(const ViewSnapshot& snapshot, const RunStatus& status, std::size_t index);
bool row_current(const ViewSnapshot& snapshot, const RunStatus& status, std::size_t index);

// A step of the open run as all that is shown counts it: from the head's first weights on, even
// where the run counts from 0 because it went on with fresh moments.
std::int64_t counted_step(const RunStatus& status, std::int64_t step);

// That of the open head; "unknown" where only its weights are known.
std::string step_text(const RunStatus& status);

// "seed 1, step 100 000". `steps_before`: those that the state does not count.
std::string seed_and_step(const TrainingState& state, std::int64_t steps_before);

// How the head of the open run is computed, in a few words: "spectral, 24 + 12 points, error <
// 10⁻⁷", "direct", "direct, bf16", or why the path is not the one in the recipe.
std::string computation_text(const RunStatus& status);

}  // namespace dispersion
