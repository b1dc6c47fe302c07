#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/session/messages.h"
#include "app/session/settings.h"
#include "core/figure/figures.h"
#include "core/figure/zoom.h"

namespace dispersion {

// What the figures of the attention view are made of. A copy keeps one moment.
struct ShownState {
  ViewSettings view;
  RunStatus status;                              // newest from the worker
  std::shared_ptr<const ViewSnapshot> snapshot;  // newest from the worker; null at first
  HeadVersion head;                              // newest from the worker; null state at first
  std::vector<StepRecord> history;               // of this run, oldest first
  std::uint64_t history_run = 0;                 // RunStatus::run of `history`
  std::map<std::string, FigureZoom> zooms;       // by the names of figures
};

// The frames of the transforms that the view shows, plain softmax first.
std::vector<TransformFrames> shown_frames(const ViewSnapshot& snapshot,
                                          const ViewSettings& settings);

// Those of one transform; none where the view does not show it or nothing is computed.
std::vector<TransformFrames> frames_under(const ShownState& shown, TransformId id);
// The rows of the transforms that the view shows.
std::vector<SizeRow> shown_rows(const ShownState& shown);

// What is known of the training of the open head, for its curves. Refers to the state.
RunCurves run_curves(const ShownState& shown);

// The same moment with everything of the newest head: the status and the history end at its step,
// and there is no picture yet. The window itself shows frames of several steps while it trains.
ShownState at_head(ShownState shown);

}  // namespace dispersion
