#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/panel_state.h"
#include "app/session/app_state.h"
#include "app/session/earlier_history.h"
#include "app/session/experiment_worker.h"
#include "app/session/export_worker.h"
#include "app/session/figure_opener.h"
#include "app/session/file_browser.h"
#include "app/session/kept_runs.h"
#include "app/session/session.h"
#include "app/window/frame_pacer.h"
#include "app/window/gl_images.h"
#include "app/window/gui_context.h"
#include "app/window/image_clipboard.h"
#include "app/window/preferences.h"
#include "app/window/window.h"

namespace dispersion {

struct LabOptions {
  WindowPlatform platform = WindowPlatform::kDesktop;
  std::filesystem::path preferences;            // their file; empty: they are not kept
  std::optional<LoadedPreferences> loaded;      // what is in that file, if it was read already
  std::filesystem::path bookmarks;              // their folder; empty: none can be kept
  std::filesystem::path head_file;              // of the head that is shown first; empty: none
  std::string state;                            // a state string to begin with; empty: none
  RunKeeping keeping;                           // of runs that are not saved at the end
  Size size;                                    // logical pixels; empty: the size of last time
  BackendFactories backends = cpu_backends(1);  // of experiments
  ShippedData shipped;  // shipped heads and their histories, for experiments
  std::vector<std::shared_ptr<const Lesson>> lessons;  // that the window offers
  std::shared_ptr<const Lesson> lesson;                // to begin with; null: none
  bool full_screen = false;                            // to begin with
  EarlierHistory earlier;                              // of the head that is shown first
  std::filesystem::path recent_files;                  // the list of them; empty: it is not kept
  MakeRequest make_request;                            // null: the program's experiments
  std::vector<View> views;                             // empty: those of the program
};

// The open window with the app state that it shows and the threads that compute for it.
class Lab {
 public:
  // `start` is the head to show first, `head_source` says where it came from. Throws WindowError.
  Lab(const LabOptions& options, BackendSource backends, Checkpoint start, std::string head_source);
  ~Lab();

  // Draws frames until the window is closed, then keeps the runs that nobody has saved, and the
  // preferences.
  void run();

  // One frame without waiting: receives updates, draws, swaps. Returns false when the window cannot
  // be drawn into because it is iconified.
  bool frame();
  // Called in each frame after drawing and before swapping, e.g. to read back the pixels.
  std::function<void()> after_drawing;

  Window& window() { return window_; }
  AppState& app() { return app_; }
  Session& session() { return session_; }
  // Whether a figure that was dropped is still being read.
  bool reading_figure() const { return figures_.reading(); }
  PanelState& panels() { return *panels_; }
  Picture picture();  // draws a frame and returns it

 private:
  void wait_for_work();
  void keep_runs();
  void keep_preferences();
  bool receive_updates();
  void undo_and_redo();
  void take_dropped();
  Size usual_size() const;  // of the window, in its units
  bool put_image(const std::shared_ptr<const std::string>& png);

  LabOptions options_;
  LoadedPreferences loaded_;
  Window window_;
  GuiContext gui_;
  std::unique_ptr<PanelState> panels_;  // owns textures, so it is destroyed before the window
  FramePacer pacer_;
  AppState app_;
  Session session_;
  ExperimentWorker experiments_;
  ExportWorker exports_;
  FileWorker files_;
  FigureOpener figures_;
  std::unique_ptr<ImageClipboard> image_clipboard_;  // made at the first copy
};

}  // namespace dispersion
