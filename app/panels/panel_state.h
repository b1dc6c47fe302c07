#pragma once

#include <array>
#include <string>

#include "app/panels/figure_cache.h"
#include "app/panels/painter.h"
#include "app/panels/preview_picture.h"
#include "app/panels/window_canvas.h"
#include "core/figure/surface.h"

namespace dispersion {

// What a small window shows when not everything fits beside each other.
enum class Page { kAttention, kCurves, kTraining, kControls, kFocusedSize };

// Asking for a file name, in the top bar.
struct PathEntry {
  enum class Purpose { kNone, kSave, kOpen };
  Purpose purpose = Purpose::kNone;
  std::array<char, 4096> text{};
  bool focus = false;      // put the cursor into the field in the next frame
  bool overwrite = false;  // the user has been told that the file is there already
};

// The outline around the focused frames on its way from one n to the next.
struct FocusMotion {
  int from = 0;  // n
  int to = 0;
  double started = -1e9;
};

// What a mouse button that is held began on a plot.
struct PlotDrag {
  enum class Part { kNone, kX, kY, kBoth };
  unsigned int item = 0;  // of Dear ImGui; 0: none
  Part part = Part::kNone;
  bool box = false;
  int button = 0;
  bool moving = false;  // farther than a click
};

// Everything panels remember between frames that is not part of the app state: how the window is
// arranged at the moment, and pictures that are dear to make.
struct PanelState {
  Painter painter;
  FigureCache figures;
  TextureStore textures;   // of the fields in front
  PreviewPicture preview;  // in the export dialog
  SurfaceView surface;
  Page page = Page::kAttention;
  bool experiment_settings = false;  // what a small window shows of an experiment
  bool column_shows_focused_size =
      false;  // the one column of a medium window shows what is true here
  PathEntry entry;
  FocusMotion motion;
  PlotDrag plot_drag;
  bool keys_shown = false;
  bool rule_shown = false;        // the coefficients of the adaptive rule
  bool transforms_shown = false;  // all switches of attention transforms
  double stale_since = -1;        // < 0: the picture is as asked for
  RunSettings run_seen;           // recipe and seed of the open run, as last told by the worker
  std::string notice;             // said once, in the status line, e.g. about the settings file
  std::size_t reports_read = 0;   // how many of the app state's reports were dismissed
  std::size_t reports_seen = 0;   // how many there were when the newest came
  double report_since = 0;        // when that was
};

}  // namespace dispersion
