#include "app/session/shown_state.h"

#include <algorithm>

namespace dispersion {

std::vector<TransformFrames> shown_frames(const ViewSnapshot& snapshot,
                                          const ViewSettings& settings) {
  std::vector<TransformFrames> frames;
  for (const TransformFrames& each : snapshot.transforms) {
    if (is_shown(settings, each.transform.id)) frames.push_back(each);
  }
  return frames;
}

std::vector<TransformFrames> frames_under(const ShownState& shown, TransformId id) {
  if (!shown.snapshot) return {};
  std::vector<TransformFrames> frames = shown_frames(*shown.snapshot, shown.view);
  std::erase_if(frames, [&](const TransformFrames& each) { return each.transform.id != id; });
  return frames;
}

std::vector<SizeRow> shown_rows(const ShownState& shown) {
  std::vector<SizeRow> rows;
  if (!shown.snapshot) return rows;
  for (const SizeRow& row : shown.snapshot->rows) {
    if (is_shown(shown.view, row.transform.id)) rows.push_back(row);
  }
  return rows;
}

RunCurves run_curves(const ShownState& shown) {
  RunCurves curves = {shown.history};
  if (shown.status.earlier) curves.earlier = *shown.status.earlier;
  curves.steps_before = shown.status.steps_before;
  return curves;
}

ShownState at_head(ShownState shown) {
  const std::int64_t step = shown.head.state->step;
  shown.status.step = step;
  shown.snapshot = nullptr;
  const auto later = std::ranges::upper_bound(shown.history, step, {}, &StepRecord::step);
  shown.history.erase(later, shown.history.end());
  return shown;
}

}  // namespace dispersion
