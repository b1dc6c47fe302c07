#include "app/session/export_worker.h"

#include <algorithm>
#include <exception>
#include <system_error>
#include <utility>

#include "app/export/figure_data.h"
#include "app/export/figure_file.h"
#include "app/session/export_settings.h"
#include "app/session/thread_priority.h"
#include "core/io/file.h"

namespace dispersion {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kTextShown = 6000;  // bytes
constexpr int kMostAside = 999;

// The pixels per inch with which the sheet just fits the box.
double density_for(const SheetSize& sheet, int width, int height) {
  return 25.4 * std::min(width / sheet.width_mm, height / sheet.height_mm);
}

// The first whole lines of a text, up to kTextShown bytes.
std::string beginning(const std::string& text) {
  if (text.size() <= kTextShown) return text;
  return text.substr(0, text.rfind('\n', kTextShown) + 1);
}

Preview draw(const PreviewOrder& order) {
  const auto& [shown, format, settings] = order.order;
  Preview preview;
  preview.id = order.id;
  if (!is_picture(*format)) {
    const std::string bytes = export_bytes(order.order);
    preview.bytes = bytes.size();
    preview.text = beginning(bytes);
    return preview;
  }
  // The preview of an animation is its last frame.
  const Figure& figure = is_animation(*format) ? shown.frames->back() : *shown.figure;
  RenderOptions render_options = export_render_options(settings, shown);
  if (is_animation(*format)) render_options = animation_render_options(render_options);
  preview.sheet =
      sheet_for(figure, *render_options.style, render_options.size, render_options.draw);
  SheetSize seen = preview.sheet;
  seen.pixels_per_inch = density_for(seen, order.most_width, order.most_height);
  preview.pixels = picture_pixels(figure, seen, render_options.draw);
  return preview;
}

bool stands_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(fs::symlink_status(path, error));
}

fs::path free_path(const fs::path& wanted) {
  fs::path path = wanted;
  for (int i = 2; stands_there(path) && i <= kMostAside; ++i) {
    path = wanted.parent_path() / wanted.stem();
    path += std::string(" ").append(std::to_string(i));
    path += wanted.extension();
  }
  if (stands_there(path)) throw FileError(wanted, "is there already, and so are many like it");
  return path;
}

ExportOutcome carry_out(const ExportCommand& command) {
  ExportOutcome outcome;
  outcome.kind = command.kind;
  outcome.format = command.order.format;
  outcome.path = command.path;
  try {
    if (command.kind == ExportKind::kSaveAside) outcome.path = free_path(command.path);
    if (command.kind == ExportKind::kSave && !command.may_replace && stands_there(command.path)) {
      outcome.exists = true;
      return outcome;
    }
    std::string bytes = export_bytes(command.order);
    if (command.kind == ExportKind::kMake) {
      outcome.bytes = std::make_shared<const std::string>(std::move(bytes));
    } else {
      write_file_atomically(outcome.path, bytes);
    }
    outcome.done = true;
  } catch (const std::exception& error) {
    outcome.error = error.what();
  }
  return outcome;
}

}  // namespace

std::string export_bytes(const ExportOrder& order) {
  const auto& [shown, format, settings] = order;
  const RenderOptions render_options = export_render_options(settings, shown);
  if (is_animation(*format)) return animation_bytes(*shown.frames, *format, render_options, {});
  // Pictures leave rows out themselves.
  const bool cut = format->kind == FormatKind::kTables && !settings.all_rows;
  return carrying_bytes(cut ? with_main_rows(*shown.figure) : *shown.figure, *format,
                        render_options);
}

ExportWorker::ExportWorker(std::function<void()> wake)
    : wake_(std::move(wake)), thread_([this](const std::stop_token& stop) { run(stop); }) {}

ExportWorker::~ExportWorker() = default;

void ExportWorker::preview(PreviewOrder order) {
  previews_.put(std::move(order));
  wake_signal_.notify();
}

void ExportWorker::send(ExportCommand command) {
  commands_.put(std::move(command));
  wake_signal_.notify();
}

std::optional<Preview> ExportWorker::take_preview() {
  return preview_.take();
}

std::vector<ExportOutcome> ExportWorker::take_outcomes() {
  return outcomes_.take_all();
}

void ExportWorker::execute_all() {
  for (const ExportCommand& command : commands_.take_all()) {
    outcomes_.put(carry_out(command));
    wake_();
  }
}

void ExportWorker::run(const std::stop_token& stop) {
  give_way_to_window();
  while (!stop.stop_requested()) {
    execute_all();
    if (const std::optional<PreviewOrder> order = previews_.take()) {
      Preview preview;
      try {
        preview = draw(*order);
      } catch (const std::exception& error) {
        preview = {};
        preview.id = order->id;
        preview.error = error.what();
      }
      preview_.put(std::move(preview));
      wake_();
      continue;
    }
    wake_signal_.wait(stop);
  }
  execute_all();
}

}  // namespace dispersion
