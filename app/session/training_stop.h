#pragma once

#include <cstdint>

namespace dispersion {

struct AppState;

// The step at which training stops: what the user has set (run.stop_at) or, where the head is
// beyond that, a later one. The program alone sets that, so that it is no step of undo, and a new
// run stops where the user has said.

std::int64_t training_stop(const AppState& app);
// To which step Play trains: that one or, where it is reached, a later one.
std::int64_t next_stop(const AppState& app);

// After another run or other settings that the user did not type: the stop is not before the step
// of the head. It is that to which the head was trained last, if that is later.
void follow_stop(AppState& app);

}  // namespace dispersion
