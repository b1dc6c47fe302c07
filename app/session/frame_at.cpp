#include "app/session/frame_at.h"

#include <algorithm>
#include <limits>
#include <string>

#include "app/session/run_status.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

const SizeRow* row_at(const ViewSnapshot& snapshot, int items, TransformId id) {
  const auto found = std::ranges::find_if(snapshot.rows, [&](const SizeRow& row) {
    return row.items == items && row.transform.id == id && row.sets > 0;
  });
  return found == snapshot.rows.end() ? nullptr : &*found;
}

const AttentionFrame* frame_of(const ViewSnapshot& snapshot, std::size_t index, TransformId id) {
  for (const auto& [transform, frames] : snapshot.transforms) {
    if (transform.id == id && index < frames.size() && frames[index].items > 0)
      return &frames[index];
  }
  return nullptr;
}

// -1 where there is none.
std::int64_t shown_step(const RunStatus& status, std::int64_t step, bool of_run) {
  return step < 0 || !of_run ? step : counted_step(status, step);
}

std::string age_text(bool current, bool of_run, std::int64_t step) {
  if (current) return "";
  if (step < 0) return "being computed …";
  return of_run ? "of step " + grouped_text(step) : "of the head before";
}

}  // namespace

const AttentionFrame* FrameAt::frame_under(TransformId id) const {
  const auto found = std::ranges::find(transforms, id, &TransformAt::id);
  return found == transforms.end() ? nullptr : found->frame;
}

const SizeRow* FrameAt::row_under(TransformId id) const {
  const auto found = std::ranges::find(transforms, id, &TransformAt::id);
  return found == transforms.end() ? nullptr : found->row;
}

std::string frame_age_text(const FrameAt& at) {
  return age_text(at.frame_current, at.frame_of_run, at.step);
}

std::string row_age_text(const FrameAt& at) {
  return age_text(at.row_current, at.row_of_run, at.row_step);
}

std::string point_age_text(const FrameAt& at) {
  const bool other_settings = !at.row_current && at.row_step < 0;
  return other_settings ? "of the settings before" : row_age_text(at);
}

std::string maps_age_text(const AppState& app) {
  if (!app.snapshot) return "";
  const ViewSnapshot& snapshot = *app.snapshot;
  int before = 0;
  int older = 0;
  std::int64_t oldest = std::numeric_limits<std::int64_t>::max();
  for (std::size_t i = 0; i < snapshot.frame_step.size(); ++i) {
    if (snapshot.frame_step[i] < 0 || frame_current(snapshot, app.status, i)) continue;
    if (snapshot.frame_run[i] != app.status.run) {
      ++before;
    } else {
      ++older;
      oldest = std::min(oldest, snapshot.frame_step[i]);
    }
  }
  const auto of_all = [&](int count) {
    return std::to_string(count) + " of " + std::to_string(snapshot.frame_step.size()) + " maps " +
           (count == 1 ? "is" : "are");
  };
  if (before > 0) return of_all(before) + " of the head before";
  if (older == 0) return "";
  return of_all(older) + (older == 1 ? " of step " : " of older steps, from step ") +
         grouped_text(counted_step(app.status, oldest)) + (older == 1 ? "" : " on");
}

FrameAt frame_at(const AppState& app, int items) {
  FrameAt at;
  at.transforms.clear();
  for (const AttentionTransform& transform : shown_transforms(app.view))
    at.transforms.push_back({transform.id, nullptr, nullptr});
  if (!app.snapshot) return at;
  const ViewSnapshot& snapshot = *app.snapshot;
  const auto found = std::ranges::find(snapshot.sizes, items);
  if (found == snapshot.sizes.end()) return at;
  const std::size_t index = static_cast<std::size_t>(found - snapshot.sizes.begin());
  if (index < snapshot.logits.size()) at.logits = snapshot.logits[index].get();
  for (TransformAt& each : at.transforms)
    each.frame = frame_of(snapshot, index, each.id);
  at.frame_current = frame_current(snapshot, app.status, index);
  at.row_current = row_current(snapshot, app.status, index);
  at.frame_of_run =
      index < snapshot.frame_run.size() && snapshot.frame_run[index] == app.status.run;
  at.row_of_run = index < snapshot.row_run.size() && snapshot.row_run[index] == app.status.run;
  if (index < snapshot.frame_step.size())
    at.step = shown_step(app.status, snapshot.frame_step[index], at.frame_of_run);
  if (index < snapshot.row_step.size())
    at.row_step = shown_step(app.status, snapshot.row_step[index], at.row_of_run);
  if (at.row_step < 0) return at;  // the rows were measured under other settings
  for (TransformAt& each : at.transforms)
    each.row = row_at(snapshot, items, each.id);
  return at;
}

}  // namespace dispersion
