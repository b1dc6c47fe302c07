#include "app/session/size_slot.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "core/task/draws.h"

namespace dispersion {
namespace {

std::vector<SizeRow> empty_rows(ViewTransforms transforms, int items) {
  std::vector<SizeRow> rows;
  for (const AttentionTransform& transform : transforms)
    rows.push_back({.items = items, .transform = transform});
  return rows;
}

void count(const SetEvaluation& evaluation, std::span<const std::int32_t> labels,
           std::span<SizeRow> rows) {
  for (std::size_t transform = 0; transform < rows.size(); ++transform) {
    add_evaluation(evaluation, labels, static_cast<int>(transform), rows[transform]);
  }
}

// Computes the logits of some sets of the frame, and counts these sets if the job has rows.
void work_on_frame(SizeSlot& slot, Backend& backend, std::uint32_t set_seed,
                   ViewTransforms transforms, int sets) {
  if (slot.frame_sets.sets == 0) slot.frame_sets = frame_sets(set_seed, slot.items);
  SizeJob& job = *slot.job;
  const ItemSetsView view = slot.frame_sets.view().slice(static_cast<int>(job.sets_done), sets);
  const Parameters<float>& head = job.head.state->parameters;
  std::vector<float> logits;
  if (job.counts_rows) {
    const SetEvaluation evaluation = backend.evaluate_with_logits(head, view, transforms, logits);
    count(evaluation, std::span(view.label, static_cast<std::size_t>(sets)), job.rows);
  } else {
    backend.attention_logits(head, view, logits);
  }
  job.logits.insert(job.logits.end(), logits.begin(), logits.end());
}

void work_on_rows(const SizeSlot& slot, SizeJob& job, Backend& backend, std::uint32_t set_seed,
                  ViewTransforms transforms, int sets) {
  ItemSets batch;
  batch.resize(sets, slot.items);
  draw_item_sets(set_seed, RandomPurpose::kEvaluation, static_cast<std::uint32_t>(slot.items),
                 static_cast<std::uint32_t>(job.sets_done), batch);
  count(backend.evaluate(job.head.state->parameters, batch.view(), transforms), batch.label,
        job.rows);
}

void take_frame(SizeSlot& slot, ViewTransforms transforms) {
  SizeJob& job = *slot.job;
  job.wants_frame = false;
  slot.logits = std::make_shared<const FrameLogits>(make_frame_logits(
      slot.frame_sets, std::exchange(job.logits, {}), job.head.state->parameters.learned()));
  slot.frames = apply_transforms(*slot.logits, transforms);
  slot.frame_version = job.head.version;
  slot.frame_step = job.head.state->step;
  slot.frame_run = job.head.run;
}

void take_rows(SizeSlot& slot) {
  slot.rows = slot.job->rows;
  slot.row_version = slot.job->head.version;
  slot.row_step = slot.job->head.state->step;
  slot.row_run = slot.job->head.run;
  slot.renewed_at = slot.job->started_at;
}

}  // namespace

void take_from(const ViewSnapshot& picture, const HeadVersion& head, SizeSlot& slot) {
  const auto found = std::ranges::find(picture.sizes, slot.items);
  const auto index = static_cast<std::size_t>(found - picture.sizes.begin());
  if (found == picture.sizes.end()) return;
  const auto is_of_head = [&](const auto& steps, const auto& runs) {
    return index < steps.size() && index < runs.size() && steps[index] == head.state->step &&
           runs[index] == head.run;
  };
  if (is_of_head(picture.frame_step, picture.frame_run)) {
    slot.logits = picture.logits[index];
    for (std::size_t t = 0; t < slot.frames.size(); ++t)
      slot.frames[t] = picture.transforms[t].frames[index];
    slot.frame_version = head.version;
    slot.frame_step = head.state->step;
    slot.frame_run = head.run;
  }
  if (is_of_head(picture.row_step, picture.row_run)) {
    std::vector<SizeRow> rows;
    std::ranges::copy_if(picture.rows, std::back_inserter(rows),
                         [&](const SizeRow& row) { return row.items == slot.items; });
    slot.rows = std::move(rows);
    slot.row_version = head.version;
    slot.row_step = head.state->step;
    slot.row_run = head.run;
  }
}

SizeSlot empty_slot(int items, ViewTransforms transforms) {
  SizeSlot slot;
  slot.items = items;
  slot.frames.resize(transforms.size());
  slot.rows = empty_rows(transforms, items);
  return slot;
}

SizeJob frame_job(const HeadVersion& head, double now, ViewTransforms transforms, int items,
                  std::int64_t sets_wanted) {
  SizeJob job;
  job.head = head;
  job.started_at = now;
  job.wants_frame = true;
  job.rows = empty_rows(transforms, items);
  job.sets_wanted = std::max<std::int64_t>(sets_wanted, kFrameSets);
  return job;
}

SizeJob row_job(const SizeSlot& slot, const HeadVersion& head, double now,
                ViewTransforms transforms, std::int64_t sets_wanted) {
  SizeJob job;
  job.head = head;
  job.started_at = now;
  const bool goes_on = slot.row_version == head.version;
  job.rows = goes_on ? slot.rows : empty_rows(transforms, slot.items);
  job.sets_done = job.rows.front().sets;
  job.sets_wanted = sets_wanted;
  return job;
}

std::int64_t advance_job(SizeSlot& slot, Backend& backend, std::uint32_t set_seed,
                         ViewTransforms transforms, int most_sets) {
  SizeJob& job = *slot.job;
  const std::int64_t until = job.wants_frame ? kFrameSets : job.sets_wanted;
  const int sets = static_cast<int>(std::clamp<std::int64_t>(until - job.sets_done, 1, most_sets));
  if (job.wants_frame) {
    work_on_frame(slot, backend, set_seed, transforms, sets);
  } else {
    work_on_rows(slot, job, backend, set_seed, transforms, sets);
  }
  job.sets_done += sets;
  if (job.wants_frame && job.sets_done == kFrameSets) take_frame(slot, transforms);
  const bool rows_ready = job.counts_rows && job.sets_done >= job.sets_wanted;
  if (rows_ready) take_rows(slot);
  if (rows_ready || (!job.counts_rows && !job.wants_frame)) slot.job.reset();
  return static_cast<std::int64_t>(sets) * slot.items;
}

void make_due(SizeSlot& slot, double now) {
  // If it were due for longer, the large sizes would be renewed before the small ones.
  constexpr double kDueAge = 4;
  slot.renewed_at = std::min(slot.renewed_at, now - kDueAge);
}

void change_transforms(SizeSlot& slot, ViewTransforms transforms, double now) {
  slot.frames = slot.logits ? apply_transforms(*slot.logits, transforms)
                            : std::vector<AttentionFrame>(transforms.size());
  // Until the rows are counted again, the window shows the old ones as outdated.
  std::vector<SizeRow> rows = empty_rows(transforms, slot.items);
  for (SizeRow& row : rows) {
    const auto known = std::ranges::find_if(
        slot.rows, [&](const SizeRow& old) { return old.transform.id == row.transform.id; });
    if (known != slot.rows.end()) row = *known;
  }
  slot.rows = std::move(rows);
  slot.row_version = 0;
  slot.row_step = -1;
  make_due(slot, now);
  if (!slot.job) return;
  slot.job->counts_rows = false;
  if (!slot.job->wants_frame) slot.job.reset();
}

}  // namespace dispersion
