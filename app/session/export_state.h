#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/export_settings.h"
#include "app/session/export_worker.h"
#include "app/session/figure_snapshots.h"

namespace dispersion {

// How large a preview may be, in pixels of the screen.
struct PreviewBox {
  int width = 0;
  int height = 0;
  bool operator==(const PreviewBox&) const = default;
};

// What the user has set to take figures out of the window, and what became of it. The figures are
// those of the moment in which they were asked for.
struct ExportState {
  ExportSettings settings;

  bool open = false;  // the dialog
  std::vector<FigureSnapshot> figures;
  std::size_t chosen = 0;

  // Buttons and keys: set by panels, taken by update_export().
  bool save = false;
  bool copy_image = false;
  bool copy_data = false;

  int underway = 0;      // commands that are not answered yet
  bool replace = false;  // the user has been told that the file is there already
  bool failed = false;   // nothing could be written where the path says
  bool notice_good = false;
  std::string notice;   // for the dialog: what went wrong, or what was done
  std::string written;  // the path of the last file that could be written, as typed

  PreviewBox box;   // how much room there is, set by the dialog
  Preview preview;  // newest; id 0: none
  bool preview_stale = false;
  // What was asked for last, as it is seen for the first time, and when that was.
  struct PreviewRequest {
    ExportSettings settings;  // without its path
    std::size_t chosen = 0;
    PreviewBox box;
    bool operator==(const PreviewRequest&) const = default;
  };
  std::optional<PreviewRequest> preview_request;
  double preview_request_since = 0;
  bool preview_request_sent = false;
  std::uint64_t asked = 0;  // id of the newest preview order

  const FigureSnapshot* figure() const {
    return chosen < figures.size() ? &figures[chosen] : nullptr;
  }
};

// Where copies go. `put_image` returns false where no clipboard takes pictures.
struct Clipboards {
  std::function<void(const std::string& text)> put_text;
  std::function<bool(const std::shared_ptr<const std::string>& png)> put_image;
};

// Takes the figures of the view in front and opens the dialog; says so where there are none.
void open_export(AppState& app, const SurfaceView& view);
void close_export(ExportState& exporting);

// Copies the first figure of the view in front, or the chosen one while the dialog is open.
void copy_figure_image(AppState& app, const SurfaceView& view);
void copy_figure_data(AppState& app, const SurfaceView& view);

// Another of the figures; the path follows its name unless the user has typed one.
void choose_figure(ExportState& exporting, std::size_t index);
// The user has typed a path: its ending chooses the format, unless it fits the one chosen, and
// the question whether to replace is open again.
void path_typed(ExportState& exporting);
// The format was chosen; a file that was asked about may be another one now.
void format_chosen(ExportState& exporting, const FigureFormat& format);

// Takes what the worker has done. Returns whether there was anything.
bool receive_export(AppState& app, ExportWorker& worker, const Clipboards& clipboards);

// Sends what buttons asked for, and the order for a preview once the settings have rested a moment.
// Returns when it wants to be called again; < 0: when it likes.
double update_export(AppState& app, ExportWorker& worker, double now);

}  // namespace dispersion
