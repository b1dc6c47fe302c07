#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/experiment_states.h"
#include "app/session/export_state.h"
#include "app/session/file_browser.h"
#include "app/session/messages.h"
#include "app/session/session.h"
#include "app/session/settings.h"
#include "app/session/shipped_data.h"
#include "app/session/shown_state.h"
#include "app/session/undo_history.h"

namespace dispersion {

struct Comparison;
struct Lesson;
struct Presentation;

// The names of the figures of the attention view that have plots.
inline constexpr const char* kCurvesFigure = "entropy";
inline constexpr const char* kRunFigure = "run";

inline constexpr std::size_t kReportsKept = 100;

// Everything that the window shows and the user has set. Panels read it, edit the settings in it
// and send commands through the session; they keep no state of their own.
struct AppState : ShownState {
  RunSettings run;                // edited by the recipe panel, sent by "New run"
  std::int64_t further_stop = 0;  // beyond run.stop_at (training_stop.h); 0: none
  ExperimentStates experiments;
  ExperimentSettings experiment_settings;
  std::shared_ptr<const ShippedData> shipped;  // null: the program has none
  std::shared_ptr<UnfinishedRuns> unfinished = std::make_shared<UnfinishedRuns>();
  std::vector<std::filesystem::path> kept_runs;  // of earlier sessions, to be offered; newest first
  std::vector<Report> reports;                   // newest last, at most kReportsKept
  std::size_t reports_added = 0;                 // since the start
  std::filesystem::path saved;                   // the file that was written last; empty: none
  UndoHistory undo;
  std::filesystem::path bookmarks_folder;                  // empty: none can be kept
  std::shared_ptr<const std::vector<Bookmark>> bookmarks;  // newest first; null: not read
  ExportState exporting;
  FileBrowser files;
  std::uint64_t requested_revision = 0;
  std::optional<ViewRequest> requested;    // the last one sent
  std::shared_ptr<Comparison> comparison;  // with the state that is pinned as A; null: none is
  std::vector<std::shared_ptr<const Lesson>> lessons;  // inside the program
  std::shared_ptr<Presentation> presentation;          // app/lesson/presentation.h; null: none
  bool full_screen = false;                            // of the window
  // The cell of the heat maps under the pointer; items == 0: none.
  struct Pointer {
    int items = 0;
    int set = 0;
    int column = 0;
  } pointer;

  bool stale() const;  // whether the picture is older than the newest request
};

void add_report(AppState& app, Report report);

// Takes the worker's news into the app state. Returns whether anything changed.
bool receive(AppState& app, Session& session);

// Sends a ViewRequest when a setting that it depends on has changed since the last one. Settings
// that are not valid are corrected first, in the app state too: theta is put into [kLowestTheta,
// kHighestTheta], settings of transforms into their ranges, and a value that is NaN or infinite is
// replaced by the one in the last request.
void send_changes(AppState& app, Session& session, bool visible);

}  // namespace dispersion
