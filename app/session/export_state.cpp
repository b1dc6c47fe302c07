#include "app/session/export_state.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "app/session/app_state.h"
#include "app/session/export_figures.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr double kRest = 0.12;  // seconds that settings do not change before they are drawn

// `saved`: the file that was written; empty: none was.
void notify_user(AppState& app, bool good, std::string text,
                 const std::filesystem::path& saved = {}) {
  if (!saved.empty()) app.saved = saved;
  if (!app.exporting.open) {
    add_report(app, {.ok = good, .text = std::move(text), .saved = saved});
    return;
  }
  app.exporting.notice = std::move(text);
  app.exporting.notice_good = good;
}

// The formats of copies.
const FigureFormat& image_format() {
  return figure_format("png");
}
const FigureFormat& data_format() {
  return figure_format("csv");
}

ExportOrder order_for(const ExportState& exporting, const FigureFormat& format) {
  return {*exporting.figure(), &format, exporting.settings};
}

// Selects the default format when the figure cannot be written in the selected one.
void keep_to_formats(ExportState& exporting) {
  const std::vector<const FigureFormat*> formats = export_formats(*exporting.figure());
  if (std::ranges::find(formats, exporting.settings.format) == formats.end())
    use_format(exporting.settings, *ExportSettings().format);
}

void forget_notice(ExportState& exporting) {
  exporting.replace = false;
  exporting.notice.clear();
}

void send_save(ExportState& exporting, ExportWorker& worker) {
  try {
    ExportCommand command = {ExportKind::kSave, order_for(exporting, *exporting.settings.format)};
    command.path = export_path(exporting.settings);
    command.may_replace = exporting.replace;
    forget_notice(exporting);
    worker.send(std::move(command));
    ++exporting.underway;
  } catch (const std::invalid_argument& error) {
    exporting.failed = true;
    exporting.notice = error.what();
    exporting.notice_good = false;
  }
}

void send_copy(ExportState& exporting, ExportWorker& worker, const FigureFormat& format) {
  forget_notice(exporting);
  worker.send({ExportKind::kMake, order_for(exporting, format)});
  ++exporting.underway;
}

// Saves the picture in the folder of exported files, because no clipboard takes it.
void send_aside(AppState& app, ExportWorker& worker) {
  if (app.exporting.figure() == nullptr) {  // another view, without figures, was exported meanwhile
    notify_user(app, false, "No clipboard here takes pictures.");
    return;
  }
  ExportSettings settings = app.exporting.settings;
  settings.path = suggested_path(settings, *app.exporting.figure()->figure);
  settings.path.erase(settings.path.rfind('.'));
  settings.format = &image_format();
  try {
    worker.send(
        {ExportKind::kSaveAside, order_for(app.exporting, image_format()), export_path(settings)});
    ++app.exporting.underway;
  } catch (const std::invalid_argument& error) {
    notify_user(app, false, error.what());
  }
}

std::string size_text(std::size_t bytes) {
  if (bytes < 1000) return std::to_string(bytes) + " bytes";
  const double kilobytes = static_cast<double>(bytes) / 1000;
  if (kilobytes < 1000) return fixed_text(kilobytes, kilobytes < 10 ? 1 : 0) + " kB";
  return fixed_text(kilobytes / 1000, 1) + " MB";
}

void take_copy(AppState& app, ExportWorker& worker, const ExportOutcome& outcome,
               const Clipboards& clipboards) {
  if (app.exporting.close_when_copied) close_export(app.exporting);
  if (outcome.format == &data_format()) {
    clipboards.put_text(*outcome.bytes);
    notify_user(app, true,
                "The figure's data are on the clipboard: " +
                    grouped_text(std::ranges::count(*outcome.bytes, '\n')) + " lines of CSV.");
  } else if (clipboards.put_image(outcome.bytes)) {
    notify_user(app, true,
                "The picture is on the clipboard (PNG, " + size_text(outcome.bytes->size()) + ").");
  } else {
    send_aside(app, worker);
  }
}

// Whether the dialog asks for this file; the user may have chosen another since it was ordered.
bool is_chosen(const ExportState& exporting, const std::filesystem::path& path) {
  try {
    return export_path(exporting.settings) == path;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

void take_outcome(AppState& app, ExportWorker& worker, const ExportOutcome& outcome,
                  const Clipboards& clipboards) {
  ExportState& exporting = app.exporting;
  --exporting.underway;
  if (outcome.exists) {
    exporting.replace = exporting.open && is_chosen(exporting, outcome.path);
    notify_user(app, false,
                "The file " + outcome.path.filename().string() + " is there already" +
                    (exporting.replace ? ". Replace it?" : ", so nothing was written."));
  } else if (!outcome.done) {
    exporting.failed |= outcome.kind == ExportKind::kSave;
    notify_user(app, false, outcome.error);
  } else if (outcome.kind == ExportKind::kMake) {
    take_copy(app, worker, outcome, clipboards);
  } else if (outcome.kind == ExportKind::kSaveAside) {
    clipboards.put_text(outcome.path.string());
    notify_user(
        app, true,
        "No clipboard here takes pictures (xclip does it on X11, wl-copy on Wayland), so it is "
        "in " +
            outcome.path.string() + ", and that path is on the clipboard.",
        outcome.path);
  } else {
    if (is_chosen(exporting, outcome.path)) {
      exporting.failed = false;
      exporting.written = exporting.settings.path;
      close_export(exporting);
    }
    notify_user(app, true, "Saved " + outcome.path.string(), outcome.path);
  }
}

void send_orders(ExportState& exporting, ExportWorker& worker) {
  const bool save = std::exchange(exporting.save, false);
  const bool image = std::exchange(exporting.copy_image, false);
  const bool data = std::exchange(exporting.copy_data, false);
  if (exporting.figure() == nullptr) return;
  if (save) send_save(exporting, worker);
  if (image) send_copy(exporting, worker, image_format());
  if (data) send_copy(exporting, worker, data_format());
}

void follow_preview_request(ExportState& exporting, double now) {
  ExportState::PreviewRequest preview_request = {exporting.settings, exporting.chosen,
                                                 exporting.figures_taken, exporting.box};
  preview_request.settings.path.clear();
  if (exporting.preview_request == preview_request) return;
  exporting.preview_request_since =
      exporting.preview_request ? now : now - kRest;  // the first is drawn at once
  exporting.preview_request = std::move(preview_request);
  exporting.preview_request_sent = false;
}

// Whether the path is the one suggested for the chosen figure.
bool path_untouched(const ExportState& exporting) {
  return exporting.settings.path == suggested_path(exporting.settings, *exporting.figure()->figure);
}

// After another figure was chosen: a path that the user has not typed follows its name.
void follow_figure(ExportState& exporting, bool untouched) {
  keep_to_formats(exporting);
  if (untouched)
    exporting.settings.path = suggested_path(exporting.settings, *exporting.figure()->figure);
}

bool take_for_copy(AppState& app) {
  ExportState& exporting = app.exporting;
  if (exporting.open || !figures_unfinished(app, app.view.view)) return take_figures(app);
  open_export(app);
  exporting.close_when_copied = exporting.open;
  return exporting.open;
}

}  // namespace

void open_export(AppState& app) {
  ExportState& exporting = app.exporting;
  if (exporting.open || !take_figures(app)) return;
  exporting.open = true;
  exporting.preview = {};
  exporting.preview_request.reset();
  forget_notice(exporting);
  keep_to_formats(exporting);
  exporting.settings.path = suggested_path(exporting.settings, *exporting.figure()->figure);
}

void close_export(ExportState& exporting) {
  exporting.open = false;
  exporting.close_when_copied = false;
  exporting.save = exporting.copy_image = exporting.copy_data = false;
  // The path of the next file is the last one that could be written.
  if (std::exchange(exporting.failed, false)) exporting.settings.path = exporting.written;
  forget_notice(exporting);
}

void copy_figure_image(AppState& app) {
  app.exporting.copy_image = take_for_copy(app);
}

void copy_figure_data(AppState& app) {
  app.exporting.copy_data = take_for_copy(app);
}

void choose_view(AppState& app, View view) {
  ExportState& exporting = app.exporting;
  if (view == exporting.view || exporting.figure() == nullptr) return;
  const bool untouched = path_untouched(exporting);
  forget_notice(exporting);
  if (take_other_figures(app, view)) {
    follow_figure(exporting, untouched);
  } else {
    exporting.notice = std::string(view_title(view)) + " has no figure yet: it is being computed.";
    exporting.notice_good = false;
  }
}

void choose_figure(ExportState& exporting, std::size_t index) {
  if (index >= exporting.figures.size() || index == exporting.chosen) return;
  const bool untouched = path_untouched(exporting);
  exporting.chosen = index;
  forget_notice(exporting);
  follow_figure(exporting, untouched);
}

void path_typed(ExportState& exporting) {
  forget_notice(exporting);
  const FigureFormat* typed = format_of_ending(exporting.settings.path);
  if (typed == nullptr || ending_fits(exporting.settings.path, *exporting.settings.format)) return;
  const std::vector<const FigureFormat*> formats = export_formats(*exporting.figure());
  if (std::ranges::find(formats, typed) != formats.end()) use_format(exporting.settings, *typed);
}

void format_chosen(ExportState& exporting, const FigureFormat& format) {
  forget_notice(exporting);
  use_format(exporting.settings, format);
}

bool receive_export(AppState& app, ExportWorker& worker, const Clipboards& clipboards) {
  ExportState& exporting = app.exporting;
  const std::vector<ExportOutcome> outcomes = worker.take_outcomes();
  for (const ExportOutcome& outcome : outcomes)
    take_outcome(app, worker, outcome, clipboards);
  std::optional<Preview> preview = worker.take_preview();
  const bool news = !outcomes.empty() || preview.has_value();
  if (preview && exporting.open) {
    exporting.preview = *std::move(preview);
    exporting.preview_stale =
        exporting.preview.id != exporting.asked || !exporting.preview_request_sent;
  }
  return news;
}

double update_export(AppState& app, ExportWorker& worker, double now) {
  ExportState& exporting = app.exporting;
  if (follow_figures(app)) return now;
  if (!exporting.waiting) send_orders(exporting, worker);
  if (!exporting.open || exporting.box.width <= 0 || exporting.box.height <= 0) return -1;
  follow_preview_request(exporting, now);
  if (exporting.preview_request_sent) return -1;
  exporting.preview_stale = true;
  if (now < exporting.preview_request_since + kRest) return exporting.preview_request_since + kRest;
  worker.preview({++exporting.asked, order_for(exporting, *exporting.settings.format),
                  exporting.box.width, exporting.box.height});
  exporting.preview_request_sent = true;
  return -1;
}

}  // namespace dispersion
