#include "app/session/run_status.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/figure/number_text.h"
#include "core/spectral/points.h"

namespace dispersion {

namespace {

constexpr double kAllowedSeconds = 3;

bool current(const std::vector<std::uint64_t>& runs, const std::vector<std::int64_t>& steps,
             const RunStatus& status, std::size_t index) {
  if (index >= runs.size() || index >= steps.size() || steps[index] < 0) return false;
  // A lost device renews nothing: newer steps are lost with it, and older ones stay old.
  if (status.phase == RunPhase::kDeviceLost && steps[index] != status.step) return false;
  return runs[index] == status.run && status.step - steps[index] <= allowed_lag(status);
}

}  // namespace

std::int64_t allowed_lag(const RunStatus& status) {
  return std::max<std::int64_t>(
      1, static_cast<std::int64_t>(kAllowedSeconds * status.steps_per_second));
}

bool frame_current(const ViewSnapshot& snapshot, const RunStatus& status, std::size_t index) {
  return current(snapshot.frame_run, snapshot.frame_step, status, index);
}

bool row_current(const ViewSnapshot& snapshot, const RunStatus& status, std::size_t index) {
  return current(snapshot.row_run, snapshot.row_step, status, index);
}

std::int64_t counted_step(const RunStatus& status, std::int64_t step) {
  return status.steps_before + step;
}

std::string step_text(const RunStatus& status) {
  return status.has_run ? grouped_text(counted_step(status, status.step)) : "unknown";
}

std::string seed_and_step(const TrainingState& state, std::int64_t steps_before) {
  return "seed " + std::to_string(state.seed) + ", step " + grouped_text(steps_before + state.step);
}

std::string computation_text(const RunStatus& status) {
  const Recipe& recipe = status.recipe;
  const std::string rounding = recipe.precision == Precision::kFloat
                                   ? ""
                                   : ", " + std::string(precision_name(recipe.precision));
  if (recipe.path == HeadPath::kDirect) return "direct" + rounding;
  if (status.item_points < 1 || status.query_points < 1)
    return "direct: too sharp for " + std::to_string(status.most_item_points) + " points" +
           rounding;
  return "spectral, " + std::to_string(status.item_points) + " + " +
         std::to_string(status.query_points) + " points, error < " +
         power_of_ten_text(static_cast<int>(std::lround(std::log10(kInterpolationTolerance)))) +
         rounding;
}

}  // namespace dispersion
