#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
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

struct StateOrder;

// The state of exporting from the window: the user's settings, orders that are not finished, and
// their outcome. The figures are snapshots of the moment in which the user opened the dialog.
struct ExportState {
  ExportSettings settings;

  bool open = false;             // the dialog
  std::vector<View> views;       // that are shown, each once, that in front first
  View view = View::kAttention;  // the one whose figures these are
  std::vector<FigureSnapshot> figures;
  std::size_t chosen = 0;
  std::uint64_t figures_taken = 0;  // grows when `figures` become others
  // The figures are unfinished, and what is ordered waits for the finished ones.
  bool waiting = false;
  std::shared_ptr<StateOrder> order;  // for those of the attention view; null: none
  bool close_when_copied = false;     // the dialog was opened by a copy that has to wait

  // Buttons and keys: set by panels, taken by update_export().
  bool save = false;
  bool copy_image = false;
  bool copy_data = false;
  bool take_unfinished = false;  // the figures as they are, without waiting

  int underway = 0;      // commands whose outcome has not come back yet
  bool replace = false;  // the user has seen the message that the file exists
  bool failed = false;   // no file could be written at the path
  bool notice_good = false;
  std::string notice;   // for the dialog: what went wrong, or what was done
  std::string written;  // the path of the last file that could be written, as typed

  PreviewBox box;   // how much room there is, set by the dialog
  Preview preview;  // newest; id 0: none
  bool preview_stale = false;
  // The newest settings for which a preview is needed, and since when they have been the same.
  struct PreviewRequest {
    ExportSettings settings;  // without its path
    std::size_t chosen = 0;
    std::uint64_t figures_taken = 0;
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

// Takes the figures of the view in front and opens the dialog; shows a message when there are none.
void open_export(AppState& app);
void close_export(ExportState& exporting);

// Copies the first figure of the view in front, or the chosen one while the dialog is open. A
// figure that is not finished opens the dialog, which shows how long that takes.
void copy_figure_image(AppState& app);
void copy_figure_data(AppState& app);

// Takes the figures of another of the views; a message says where it has none yet.
void choose_view(AppState& app, View view);
// Selects another of the figures; the path follows its name unless the user has typed one.
void choose_figure(ExportState& exporting, std::size_t index);
// The user has typed a path: its ending selects the format, unless it fits the selected one, and
// replacing a file has to be confirmed again.
void path_typed(ExportState& exporting);
// The user has selected a format; replacing a file has to be confirmed again.
void format_chosen(ExportState& exporting, const FigureFormat& format);

// Takes the worker's outcomes. Returns whether there were any.
bool receive_export(AppState& app, ExportWorker& worker, const Clipboards& clipboards);

// Sends the orders of the buttons, and the order for a preview once the settings have not changed
// for a moment. Returns the time at which it must be called again; < 0: no such time.
double update_export(AppState& app, ExportWorker& worker, double now);

}  // namespace dispersion
