#include "app/panels/lab.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <utility>

#include "app/export/figure_format.h"
#include "app/lesson/presentation.h"
#include "app/panels/actions.h"
#include "app/panels/file_dialog.h"
#include "app/panels/layout.h"
#include "app/session/comparison.h"
#include "app/session/experiment_states.h"
#include "app/session/state_string.h"
#include "app/session/training_stop.h"
#include "app/window/theme.h"

namespace dispersion {
namespace {

constexpr double kNever = -1e9;

WindowOptions window_options(const LabOptions& options, const Preferences& preferences) {
  WindowOptions window;
  window.size = options.size.empty() ? preferences.size : options.size;
  // A size that was asked for is not to be the one of last time.
  if (options.size.empty()) window.place = preferences.place;
  window.platform = options.platform;
  return window;
}

}  // namespace

Lab::Lab(const LabOptions& options, BackendSource backends, Checkpoint start,
         std::string head_source)
    : options_(options),
      loaded_(options.loaded ? *options.loaded : load_preferences(options.preferences)),
      window_(window_options(options, loaded_.preferences)),
      gui_(window_),
      panels_(std::make_unique<PanelState>()),
      session_(
          std::move(backends), std::move(start), std::move(head_source), [this] { window_.wake(); },
          loaded_.preferences.backend, options.keeping, options.earlier.rows, options.head_file),
      experiments_(options.backends, [this] { window_.wake(); }),
      exports_([this] { window_.wake(); }),
      files_(options.recent_files, [this] { window_.wake(); }),
      figures_([this] { window_.wake(); }) {
  app_.shipped = std::make_shared<const ShippedData>(options.shipped);
  app_.experiments.make_request = options.make_request ? options.make_request : make_request;
  app_.experiments.views = options.views.empty() ? window_views() : options.views;
  window_.on_display_lost = [this] { keep_runs(); };
  app_.view = loaded_.preferences.view;
  app_.exporting.settings = loaded_.preferences.exporting;
  app_.lessons = options.lessons;
  app_.full_screen = options.full_screen;
  panels_->notice = loaded_.notice;
  if (!options.earlier.trouble.empty()) add_report(app_, {false, options.earlier.trouble});
  panels_->painter.fonts = gui_.fonts();
  // The recent files come later from their own thread, except where a state needs them at once.
  const bool needed = !options.state.empty();
  know_kept_heads(app_, {.bookmarks = options.bookmarks,
                         .runs = options.keeping.folder,
                         .recent = needed ? options.recent_files : std::filesystem::path()});
  if (needed) open_state(app_, session_, options.state);
}

Lab::~Lab() {
  window_.on_display_lost = nullptr;  // the session, which it would end, goes before the window
}

void Lab::run() {
  while (!window_.should_close()) {
    wait_for_work();
    if (window_.should_close()) break;
    if (pacer_.due(window_.now())) frame();
  }
  leave_presentation_at_once(app_);
  keep_runs();
  keep_preferences();
}

void Lab::keep_runs() {
  session_.take_reports();  // those were for the window
  session_.end();
  for (const Report& report : session_.take_reports())
    std::fprintf(stderr, "dispersion_lab: %s\n", report.text.c_str());
}

void Lab::wait_for_work() {
  window_.wait(pacer_.sleep(window_.now()));
  if (window_.take_input()) pacer_.input(window_.now());
  if (receive_updates()) pacer_.update_arrived();
}

bool Lab::receive_updates() {
  const bool of_run = receive(app_, session_);
  const bool of_experiments = receive_experiments(app_, experiments_, window_.now());
  const Clipboards clipboards = {
      [](const std::string& text) { ImGui::SetClipboardText(text.c_str()); },
      [this](const std::shared_ptr<const std::string>& png) { return put_image(png); }};
  const bool of_exports = receive_export(app_, exports_, clipboards);
  const bool of_files = receive_files(app_, files_);
  const bool of_comparison = receive_comparison(app_, window_.now());
  return of_run || of_experiments || of_exports || of_files || of_comparison;
}

// Of several files the first is opened: there is one open head. Of a figure it is the state of the
// window from which it was exported.
void Lab::take_dropped() {
  const std::vector<std::filesystem::path> dropped = window_.take_dropped();
  if (!dropped.empty() && format_of_ending(dropped.front()) != nullptr) {
    figures_.read(dropped.front());
  } else if (!dropped.empty()) {
    open_dropped(app_, session_, *panels_, dropped.front());
  }
  const std::optional<FigureState> figure = figures_.take();
  if (!figure) return;
  if (!figure->error.empty()) {
    add_report(app_, {.ok = false, .text = figure->error});
  } else if (open_state(app_, session_, figure->text)) {
    close_export(app_.exporting);  // its figures are of the state before
  }
}

Size Lab::usual_size() const {
  const float scale = window_.content_scale();
  const Size usual = Preferences().size;
  return {static_cast<int>(std::lround(static_cast<float>(usual.width) * scale)),
          static_cast<int>(std::lround(static_cast<float>(usual.height) * scale))};
}

bool Lab::put_image(const std::shared_ptr<const std::string>& png) {
  if (!image_clipboard_) image_clipboard_ = desktop_image_clipboard();
  return image_clipboard_ && image_clipboard_->put(png);
}

void Lab::undo_and_redo() {
  const std::int64_t stop_before = training_stop(app_);
  const auto back = app_.undo.follow(app_, session_.answered(app_.status));
  if (back) session_.send(*back);
  const std::int64_t stop = training_stop(app_);
  if (stop != stop_before && app_.status.phase == RunPhase::kTraining)
    session_.send(PlayCommand{stop});
}

bool Lab::frame() {
  receive_updates();
  follow_run(app_, *panels_);
  if (options_.lesson && app_.head.state)
    begin_lesson(app_, session_, std::exchange(options_.lesson, nullptr));
  follow_presentation(app_, session_);
  undo_and_redo();
  take_dropped();  // the user's doing: from here on what changes is a step of undo
  const bool visible = window_.drawable();
  if (!visible) {
    send_changes(app_, session_, false);
    app_.undo.note(app_, false, window_.now());
    update_files(app_, files_);
    pacer_.drawn(window_.now());
    return false;
  }
  Painter& painter = panels_->painter;
  painter.palette = &palette(app_.view.theme);
  painter.presents = presents(app_);
  painter.scale = ui_scale(window_.content_scale(), app_.view.ui_scale, app_.view.projector);
  if (painter.presents)
    painter.scale = std::max(painter.scale, present_scale(window_.size().height));
  painter.now = window_.now();
  if (painter.redraw_at <= painter.now) painter.redraw_at = kNever;
  gui_.begin_frame(app_.view.theme, painter.scale);
  swap_noted(app_, session_);
  draw_lab(app_, session_, *panels_);
  gui_.end_frame();
  window_.set_full_screen(app_.full_screen);
  app_.full_screen = window_.full_screen();  // where there is a screen to fill
  if (std::exchange(panels_->reset_place, false)) {
    window_.reset_place(usual_size());
    app_.full_screen = false;
  }
  if (std::exchange(panels_->close, false)) window_.close();
  panels_->textures.end_frame();
  // While no pane shows the attention view, it is not renewed, so that training gets the time.
  send_changes(app_, session_, shows_attention(app_.view));
  app_.undo.note(app_, ImGui::IsAnyItemActive(), painter.now);
  const double again = update_experiments(app_, experiments_, painter.now);
  if (again >= 0) painter.redraw(again);
  update_files(app_, files_);
  const double comparison_at = update_comparison(
      app_, options_.backends, [this] { window_.wake(); }, painter.now);
  if (comparison_at >= 0) painter.redraw(comparison_at);
  const double preview_at = update_export(app_, exports_, painter.now);
  if (preview_at >= 0) painter.redraw(preview_at);
  pacer_.animate_until(painter.animate_until);
  pacer_.draw_at(painter.redraw_at);
  if (after_drawing) after_drawing();
  window_.swap();
  pacer_.drawn(window_.now());
  if (gui_.input_waits()) pacer_.another_frame_at_once();
  if (painter.redraw_at >= 0 && painter.redraw_at <= painter.now) pacer_.another_frame();
  return true;
}

Picture Lab::picture() {
  Picture picture;
  const auto before =
      std::exchange(after_drawing, [&] { picture = grab_frame(window_.framebuffer()); });
  frame();
  after_drawing = before;
  return picture;
}

void Lab::keep_preferences() {
  Preferences now = loaded_.preferences;
  now.view = app_.view;
  now.exporting = app_.exporting.settings;
  if (!app_.status.backend.empty()) {  // else the worker has not reported
    now.backend = app_.status.choice;
    now.head = app_.status.file;
  }
  const Size size = window_.windowed_size();
  if (window_.drawable() && worth_keeping(size)) {
    const float scale = window_.content_scale();
    now.place = window_.place();
    now.size = {static_cast<int>(std::lround(static_cast<float>(size.width) / scale)),
                static_cast<int>(std::lround(static_cast<float>(size.height) / scale))};
  }
  if (now == loaded_.preferences) return;
  try {
    save_preferences(options_.preferences, now);
  } catch (const FileError& error) {
    std::fprintf(stderr, "the window's settings are not kept: %s\n", error.what());
  }
}

}  // namespace dispersion
