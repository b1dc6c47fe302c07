#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/panels/command_palette.h"
#include "app/panels/painter.h"
#include "app/panels/text_entry.h"
#include "app/panels/window_canvas.h"
#include "app/session/app_state.h"
#include "app/session/export_worker.h"
#include "app/window/gl_images.h"
#include "core/experiment/dispersion.h"
#include "core/figure/figures.h"

namespace dispersion {

class DataTables;

// The figures of the newest snapshot, rebuilt only when the snapshot or the settings that they
// depend on have changed. All heat maps lie in one texture: the frame f of strip s begins at texel
// (kFrameItems f, kFrameSets s).
class FigureCache {
 public:
  void update(const AppState& app);

  // The transforms that the strips of the grid show, in their order.
  const std::vector<TransformFrames>& transforms() const { return transforms_; }
  const HeatmapGrid& grid() const { return grid_; }
  const LinePlot& accuracy() const { return accuracy_; }
  const LinePlot& entropy() const { return entropy_; }
  const Texture& frames() const { return frames_; }

 private:
  void paint_frames();

  std::shared_ptr<const ViewSnapshot> built_from_;
  ColourScale scale_ = ColourScale::kLinear;
  std::vector<TransformId> shown_;
  std::vector<TransformFrames> transforms_;
  HeatmapGrid grid_ = dispersion_grid({}, ColourScale::kSquareRoot);  // with its titles
  LinePlot accuracy_;
  LinePlot entropy_;
  Texture frames_;
};

// The newest preview of an exported figure as a texture. Needs a current OpenGL context while it
// lives.
struct PreviewPicture {
  Texture texture;
  std::uint64_t id = 0;  // of the preview in the texture
  bool alone = false;    // in the place of the settings, in a window with little room

  void update(const Preview& preview) {
    if (preview.id == id || preview.pixels.rgba.empty()) return;
    texture.update(preview.pixels.width, preview.pixels.height, preview.pixels.rgba);
    id = preview.id;
  }
};

// The pages of the attention view, of which a small window shows one at a time.
enum class Page { kAttention, kCurves, kTraining, kControls, kFocusedSize };

// The question for a file name, with the dialog that shows it (file_dialog.h). It stays open until
// the worker has opened or saved the file.
struct PathEntry {
  enum class Purpose { kNone, kSave, kOpen };
  Purpose purpose = Purpose::kNone;
  std::array<char, 4096> text{};
  // What was chosen in a list, where its text stands in `text`: names need not be UTF-8.
  std::filesystem::path chosen_folder;
  std::filesystem::path chosen_name;
  EntryFocus focus;
  bool overwrite = false;   // the user has seen the message that the file exists
  std::uint64_t asked = 0;  // id of the command that the worker has not answered yet; 0: none
  std::string error;        // why the last one failed, until the text is changed; empty: it did not
};

// The list of bookmarks, with the fields of the one that is being made or edited.
struct BookmarksEntry {
  bool shown = false;
  std::array<char, 256> name{};
  std::array<char, 2048> note{};
  std::string edited;   // the bookmark whose name and note these are; empty: a new one
  std::string removed;  // the bookmark whose removal waits for a second click
};

// The cell of the heat maps that the arrow keys have chosen: at first the largest item of set 1.
struct HeatmapCell {
  int set = 0;
  int column = kFrameItems - 1;
};

struct FileDialog;

// The animated move of the outline around the focused frames from one n to another.
struct FocusMotion {
  int from = 0;  // n
  int to = 0;
  double started = -1e9;
};

// The drag on a plot that is going on while a mouse button is held.
struct PlotDrag {
  enum class Part { kNone, kX, kY, kBoth };
  unsigned int item = 0;  // the Dear ImGui id of the plot; 0: no drag
  Part part = Part::kNone;
  bool box = false;  // the drag opens a box to magnify
  int button = 0;
  PlotFrame frame = {};  // where the axes were when it began, and stay until it ends
  bool moving = false;   // the pointer has moved farther than a click allows
};

// The size and the set under the pointer in one view, which the others mark.
struct Marked {
  int items = 0;       // n; 0: none
  int set = -1;        // of the heat maps; < 0: none
  double entropy = 0;  // mean of plain softmax at this n and θ = 1, in nats; NaN: not known

  bool operator==(const Marked&) const = default;
};

struct ComparedFigures;

// What the panels remember between frames and the session does not need: the state of controls, and
// textures.
struct PanelState {
  Painter painter;
  FigureCache figures;
  std::shared_ptr<ComparedFigures> compared;  // while two states are compared; else null
  TextureStore textures;                      // of the fields of experiments
  PreviewPicture preview;                     // in the export dialog
  std::shared_ptr<DataTables> tables;         // figures that are shown as tables; null: none yet
  Page page = Page::kAttention;
  bool experiment_settings = false;        // a small window shows settings, not the figure
  bool column_shows_focused_size = false;  // the one column of a medium window shows the details
                                           // about the focused n, not the controls
  PathEntry entry;
  std::shared_ptr<FileDialog> files;  // what the dialog remembers; made when it opens first
  std::uint64_t entries_sent = 0;     // how many commands the entry has sent; the newest one's id
  HeatmapCell cell;
  FocusMotion motion;
  PlotDrag plot_drag;
  Marked marked;   // in this frame
  Marked pointed;  // found under the pointer while this frame is drawn, to be marked in the next
  bool keys_shown = false;
  bool history_shown = false;  // the list of what was changed
  BookmarksEntry bookmarks;
  EntryFocus guess_focus;  // of the field for the guess of a class
  CommandPalette command_palette;
  bool list_open = false;         // a list lay over the open export dialog in the last frame
  bool rule_shown = false;        // the coefficients of the adaptive rule
  bool transforms_shown = false;  // the switches of all attention transforms
  double stale_since = -1;        // time since which the heat maps lag behind the settings; < 0: no
  RunSettings run_seen;           // recipe and seed of the open run, as last reported by the worker
  std::string notice;             // message from the start of the program, e.g. about its settings
  double kept_answered = -1;      // time of the newest answer to the offer of a kept run
  std::size_t reports_read = 0;   // how many of AppState::reports_added were dismissed
  std::size_t reports_seen = 0;   // how many reports there were in the last frame
  double report_since = 0;        // time at which the newest report came
  bool reset_place = false;       // the window is to get its usual size and place again
  bool close = false;             // the user wants the window to be closed
};

}  // namespace dispersion
