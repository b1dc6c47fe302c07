#include "app/session/freshness.h"

#include <algorithm>
#include <vector>

namespace dispersion {
namespace {

constexpr double kAllowedSeconds = 3;

bool current(const std::vector<std::uint64_t>& runs, const std::vector<std::int64_t>& steps,
             const RunStatus& status, std::size_t index) {
  if (index >= runs.size() || index >= steps.size() || steps[index] < 0) return false;
  // Steps that were lost with the device, and older ones that it will not renew.
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

}  // namespace dispersion
