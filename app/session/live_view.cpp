#include "app/session/live_view.h"

#include <algorithm>
#include <utility>

#include "app/session/timing.h"
#include "core/attention/transforms.h"

namespace dispersion {
namespace {

// How much of the measured cost of an item is kept when a new measurement comes.
constexpr double kMemory = 0.9;

bool rows_current(const SizeSlot& slot, std::uint64_t version) {
  return slot.row_version == version;
}

// The sets that are counted in the rows, or will be when the job at work is done.
std::int64_t sets_done(const SizeSlot& slot, std::uint64_t version) {
  if (slot.job && slot.job->head.version == version) return slot.job->sets_done;
  return rows_current(slot, version) ? slot.rows.front().sets : 0;
}

}  // namespace

void LiveView::accept(ViewRequest request) {
  for (const AttentionTransform& transform : request.transforms)
    validate(transform);
  std::erase_if(request.sizes, [](int items) { return items < 1; });
  const std::vector<AttentionTransform> transforms = request.transforms;
  const bool same_sets = request.set_seed == request_.set_seed;
  const bool same_transforms = transforms == transforms_;
  if (!same_sets) slots_.clear();
  if (!same_sets || request.sizes != request_.sizes) {
    std::vector<SizeSlot> before = std::exchange(slots_, {});
    for (const int items : request.sizes) {
      const auto known = std::ranges::find(before, items, &SizeSlot::items);
      slots_.push_back(known == before.end() ? empty_slot(items, transforms) : std::move(*known));
    }
  }
  request_ = std::move(request);
  transforms_ = transforms;
  if (same_transforms) return;
  const double now = clock_seconds();
  for (SizeSlot& slot : slots_)
    change_transforms(slot, transforms_, now);
}

void LiveView::go_on_from(const ViewSnapshot& picture, const HeadVersion& head) {
  if (!std::ranges::equal(picture.transforms, transforms_, {}, &TransformFrames::transform)) return;
  for (SizeSlot& slot : slots_)
    take_from(picture, head, slot);
}

void LiveView::begin_run() {
  const double now = clock_seconds();
  for (SizeSlot& slot : slots_) {
    slot.job.reset();
    make_due(slot, now);
  }
}

bool LiveView::work_paused(Backend& backend, const HeadVersion& head, double slice_seconds,
                           bool sharpen) {
  for (SizeSlot& slot : slots_) {
    const bool outdated = slot.job && slot.job->head.version != head.version;
    if (outdated) slot.job.reset();
  }
  SizeSlot* slot = next_paused(head, sharpen);
  if (!slot) return false;
  advance(*slot, backend, slice_seconds);
  return true;
}

// The slot to work on, with a job in it.
SizeSlot* LiveView::next_paused(const HeadVersion& head, bool sharpen) {
  const auto at_work =
      std::ranges::find_if(slots_, [](const auto& s) { return s.job.has_value(); });
  if (at_work != slots_.end()) return &*at_work;
  const double now = clock_seconds();
  const std::vector<std::size_t> order = renewal_order(request_.sizes, request_.focused_items);
  for (const std::size_t index : order) {
    SizeSlot& slot = slots_[index];
    if (slot.frame_version == head.version) continue;
    slot.job = frame_job(head, now, transforms_, slot.items, kFrameSets);
    return &slot;
  }
  const int rounds = sharpen ? last_round(request_.sizes) : 0;
  for (int round = 0; round <= rounds; ++round) {
    for (const std::size_t index : order) {
      SizeSlot& slot = slots_[index];
      const std::int64_t wanted = paused_row_sets(slot.items, round);
      if (rows_current(slot, head.version) && slot.rows.front().sets >= wanted) continue;
      slot.job = row_job(slot, head, now, transforms_, wanted);
      return &slot;
    }
  }
  return nullptr;
}

bool LiveView::work_training(Backend& backend, TrainingRun& run, double slice_seconds) {
  const double now = clock_seconds();
  SizeSlot* slot = most_overdue(now);
  if (!slot) return false;
  if (!slot->job) {
    slot->job = frame_job(run.head(), now, transforms_, slot->items, live_sets(slot->items));
  }
  advance(*slot, backend, slice_seconds);
  return true;
}

std::int64_t LiveView::live_sets(int items) {
  const bool small = items <= kLargestSmallSize;
  std::int64_t& factor = live_factor_[small ? 1 : 0];
  factor = affordable_factor(factor, request_.sizes, seconds_ / items_, small);
  return std::min(factor * live_row_sets(items), most_row_sets(items));
}

SizeSlot* LiveView::most_overdue(double now) {
  const RenewalPeriods periods = renewal_periods(request_.sizes, seconds_ / items_);
  std::vector<double> ages;
  for (const SizeSlot& slot : slots_)
    ages.push_back(now - slot.renewed_at);
  const auto next = next_renewal(request_.sizes, ages, request_.focused_items, periods);
  return next ? &slots_[*next] : nullptr;
}

void LiveView::advance(SizeSlot& slot, Backend& backend, double slice_seconds) {
  const double items = slice_seconds * items_ / seconds_;
  const int sets = static_cast<int>(std::clamp(items / slot.items, 1.0, 1e6));
  const double began = clock_seconds();
  const std::int64_t done = advance_job(slot, backend, request_.set_seed, transforms_, sets);
  seconds_ = kMemory * seconds_ + std::max(clock_seconds() - began, 1e-9);
  items_ = kMemory * items_ + static_cast<double>(done);
}

bool LiveView::frames_current(std::uint64_t version) const {
  return std::ranges::all_of(slots_, [&](const auto& s) { return s.frame_version == version; });
}

double LiveView::share(std::uint64_t version) const {
  double done = 0;
  double all = 0;
  for (const SizeSlot& slot : slots_) {
    all += static_cast<double>(most_row_sets(slot.items)) * slot.items;
    done += static_cast<double>(sets_done(slot, version)) * slot.items;
  }
  return all > 0 ? done / all : 1;
}

std::shared_ptr<const ViewSnapshot> LiveView::snapshot(std::int64_t step,
                                                       std::uint64_t version) const {
  if (request_.revision == 0) return nullptr;
  auto snapshot = std::make_shared<ViewSnapshot>();
  snapshot->revision = request_.revision;
  snapshot->sizes = request_.sizes;
  snapshot->step = step;
  snapshot->complete = true;
  for (const AttentionTransform& transform : transforms_)
    snapshot->transforms.push_back({transform, {}});
  for (const SizeSlot& slot : slots_) {
    snapshot->logits.push_back(slot.logits);
    for (std::size_t t = 0; t < transforms_.size(); ++t)
      snapshot->transforms[t].frames.push_back(slot.frames[t]);
    snapshot->frame_step.push_back(slot.frame_step);
    snapshot->frame_run.push_back(slot.frame_run);
    snapshot->rows.insert(snapshot->rows.end(), slot.rows.begin(), slot.rows.end());
    snapshot->row_step.push_back(slot.row_step);
    snapshot->row_run.push_back(slot.row_run);
    snapshot->complete =
        snapshot->complete && slot.frame_version == version && rows_current(slot, version);
  }
  return snapshot;
}

}  // namespace dispersion
