#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/session/study_tools.h"
#include "app/session/views.h"
#include "core/attention/adaptive_rule.h"
#include "core/figure/figure.h"

namespace dispersion {

// What a study found: its figure, and what can be put to use from it.
struct StudyResult {
  Figure figure;
  std::optional<AdaptiveRule> rule;          // a fitted polynomial
  std::optional<AdaptiveRule> guarded_rule;  // that holds its peak
};

// How a study tells the window about itself while it computes.
class StudyProgress {
 public:
  virtual ~StudyProgress() = default;

  // To be asked every 20 ms or so with the share done in [0, 1]. False: return soon, with anything.
  virtual bool keep_going(double share) = 0;
  // What is known so far; to be shown until more is.
  virtual void show(Figure partial) = 0;
};

// A study, run on the study worker's thread with tools that nothing else uses. It may be stopped
// and run again: what it wants to keep, it keeps itself. What it throws is told in its place, but
// for DeviceLost: then it is run again on the CPU.
using StudyJob = std::function<StudyResult(StudyTools&, StudyProgress&)>;

enum class StudyPhase {
  kWaiting,  // asked for, not begun
  kRunning,
  kDone,
  kStopped,  // by the user
  kFailed,
};

// The newest of a view's study, from the worker to the window.
struct StudyNews {
  std::uint64_t id = 0;  // of the request it is about
  StudyPhase phase = StudyPhase::kWaiting;
  double share = 0;
  double seconds = 0;        // it has run
  double seconds_left = -1;  // < 0: nobody knows yet
  std::shared_ptr<const StudyResult> result =
      nullptr;             // null: nothing new; a partial one while running
  std::string error = {};  // why it failed
};

}  // namespace dispersion
