#include "app/session/training_stop.h"

#include <algorithm>

#include "app/session/app_state.h"
#include "app/session/run_status.h"

namespace dispersion {
namespace {

constexpr std::int64_t kFurtherSteps = 100'000;

std::int64_t present_step(const AppState& app) {
  return counted_step(app.status, app.status.step);
}

}  // namespace

std::int64_t training_stop(const AppState& app) {
  return app.further_stop > 0 ? app.further_stop : app.run.stop_at;
}

std::int64_t next_stop(const AppState& app) {
  const std::int64_t step = present_step(app);
  return training_stop(app) > step ? training_stop(app) : step + kFurtherSteps;
}

void follow_stop(AppState& app) {
  const std::int64_t step = present_step(app);
  app.further_stop = app.run.stop_at >= step ? 0 : std::max(step, app.status.stop_at);
}

}  // namespace dispersion
