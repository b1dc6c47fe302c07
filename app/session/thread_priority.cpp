#include "app/session/thread_priority.h"

#include <sys/resource.h>

namespace dispersion {
namespace {

// Beside a thread of usual priority, Linux gives one that is five steps lower a quarter of a
// processor for which both ask (sched(7)), so training slows down while pictures are drawn but
// never stands still.
constexpr int kSteps = 5;

}  // namespace

void give_way_to_window() {
  // On Linux a priority is that of a thread, not of its process.
  setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + kSteps);
}

}  // namespace dispersion
