#include "app/session/pinned_picture.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "app/session/view_schedule.h"

namespace dispersion {
namespace {

bool of_settings(const ViewSnapshot& snapshot, const ViewSettings& settings) {
  return std::ranges::equal(snapshot.transforms, computed_transforms(settings), {},
                            &TransformFrames::transform);
}

// Whether a size's frame or row is of the head.
bool of_head(const std::vector<std::int64_t>& steps, const std::vector<std::uint64_t>& runs,
             std::size_t index, const HeadVersion& head) {
  return index < steps.size() && index < runs.size() && steps[index] == head.state->step &&
         runs[index] == head.run;
}

void leave_out_frame(ViewSnapshot& snapshot, std::size_t index) {
  if (index < snapshot.logits.size()) snapshot.logits[index] = nullptr;
  if (index < snapshot.frame_step.size()) snapshot.frame_step[index] = -1;
  for (TransformFrames& each : snapshot.transforms) {
    if (index < each.frames.size()) each.frames[index] = {};
  }
}

void leave_out_rows(ViewSnapshot& snapshot, std::size_t index) {
  if (index < snapshot.row_step.size()) snapshot.row_step[index] = -1;
  for (SizeRow& row : snapshot.rows) {
    if (row.items == snapshot.sizes[index])
      row = {.items = row.items, .transform = std::move(row.transform)};
  }
}

double items_counted(const ViewSnapshot& snapshot) {
  double items = 0;
  for (const SizeRow& row : snapshot.rows)
    items += static_cast<double>(row.sets) * row.items;
  return items;
}

}  // namespace

std::shared_ptr<const ViewSnapshot> picture_of_state(const AppState& app) {
  if (!app.snapshot || !app.head.state || !of_settings(*app.snapshot, app.view)) return nullptr;
  auto own = std::make_shared<ViewSnapshot>(*app.snapshot);
  bool any = false;
  bool all = true;
  for (std::size_t i = 0; i < own->sizes.size(); ++i) {
    const bool frame = of_head(own->frame_step, own->frame_run, i, app.head);
    const bool rows = of_head(own->row_step, own->row_run, i, app.head);
    if (!frame) leave_out_frame(*own, i);
    if (!rows) leave_out_rows(*own, i);
    any = any || frame || rows;
    all = all && frame && rows;
  }
  if (!any) return nullptr;
  if (all && own->complete && own->step == app.head.state->step) return app.snapshot;
  own->step = app.head.state->step;
  own->complete = all;
  return own;
}

std::shared_ptr<const ViewSnapshot> further(std::shared_ptr<const ViewSnapshot> older,
                                            std::shared_ptr<const ViewSnapshot> newer) {
  if (!older || !newer) return older ? older : newer;
  return items_counted(*newer) >= items_counted(*older) ? newer : older;
}

double picture_share(const ViewSnapshot& snapshot) {
  double most = 0;
  for (const SizeRow& row : snapshot.rows)
    most += static_cast<double>(most_row_sets(row.items)) * row.items;
  return most > 0 ? std::min(items_counted(snapshot) / most, 1.0) : 0;
}

}  // namespace dispersion
