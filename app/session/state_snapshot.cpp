#include "app/session/state_snapshot.h"

#include <algorithm>

#include "app/session/live_view.h"
#include "app/session/view_schedule.h"

namespace dispersion {
namespace {

constexpr double kSliceSeconds = 0.012;  // between two questions whether to go on

}  // namespace

std::shared_ptr<const ViewSnapshot> state_snapshot(Backend& backend, const HeadVersion& head,
                                                   const ViewRequest& request,
                                                   const Progress& progress) {
  LiveView view;
  view.accept(request);
  do {
    if (!progress(view.share(head.version))) return nullptr;
  } while (view.work_paused(backend, head, kSliceSeconds, true));
  return view.snapshot(head.state->step, head.version);
}

bool is_final(const ViewSnapshot& snapshot, const HeadVersion& head) {
  const auto of_head = [&](std::uint64_t run) { return run == head.run; };
  return head.state && snapshot.complete && snapshot.step == head.state->step &&
         std::ranges::all_of(snapshot.frame_run, of_head) &&
         std::ranges::all_of(snapshot.rows, [](const SizeRow& row) {
           return row.sets >= most_row_sets(row.items);
         });
}

}  // namespace dispersion
