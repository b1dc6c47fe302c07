#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/experiment_states.h"
#include "app/session/export_state.h"
#include "app/session/messages.h"
#include "app/session/session.h"
#include "app/session/settings.h"
#include "app/session/shipped_data.h"
#include "core/figure/figures.h"
#include "core/figure/zoom.h"

namespace dispersion {

struct Comparison;

// The names of the figures of the attention view that have plots.
inline constexpr const char* kCurvesFigure = "entropy";
inline constexpr const char* kRunFigure = "run";

inline constexpr std::size_t kReportsKept = 100;

// Everything that the window shows and the user has set. Panels read it, edit the settings in it
// and send commands through the session; they keep no state of their own.
struct AppState {
  ViewSettings view;
  RunSettings run;                               // edited by the recipe panel, sent by "New run"
  RunStatus status;                              // newest from the worker
  std::shared_ptr<const ViewSnapshot> snapshot;  // newest from the worker; null at first
  HeadVersion head;                              // newest from the worker; null state at first
  ExperimentStates experiments;
  ExperimentSettings experiment_settings;
  std::shared_ptr<const ShippedData> shipped;  // null: the program has none
  std::shared_ptr<UnfinishedRuns> unfinished = std::make_shared<UnfinishedRuns>();
  std::vector<StepRecord> history;               // of this run, oldest first
  std::uint64_t history_run = 0;                 // RunStatus::run of `history`
  std::vector<std::filesystem::path> kept_runs;  // of earlier sessions, to be offered; newest first
  std::vector<Report> reports;                   // newest last, at most kReportsKept
  std::size_t reports_added = 0;                 // since the start
  std::map<std::string, FigureZoom> zooms;       // by the names of figures
  ExportState exporting;
  std::uint64_t requested_revision = 0;
  std::optional<ViewRequest> requested;    // the last one sent
  std::shared_ptr<Comparison> comparison;  // with the state that is pinned as A; null: none is
  // The cell of the heat maps under the pointer; items == 0: none.
  struct Pointer {
    int items = 0;
    int set = 0;
    int column = 0;
  } pointer;

  bool stale() const;  // whether the picture is older than the newest request
};

// The frames of the transforms that the view shows, plain softmax first.
std::vector<TransformFrames> shown_frames(const ViewSnapshot& snapshot,
                                          const ViewSettings& settings);

void add_report(AppState& app, Report report);

// Takes the worker's news into the app state. Returns whether anything changed.
bool receive(AppState& app, Session& session);

// What is known of the training of the open head, for its curves. Refers to the app state.
RunCurves run_curves(const AppState& app);

// Sends a ViewRequest when a setting that it depends on has changed since the last one. Settings
// that are not valid are corrected first, in the app state too: theta is put into [kLowestTheta,
// kHighestTheta], settings of transforms into their ranges, and a value that is NaN or infinite is
// replaced by the one in the last request.
void send_changes(AppState& app, Session& session, bool visible);

}  // namespace dispersion
