#include "app/session/export_settings.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "app/export/style.h"
#include "app/session/user_files.h"

namespace dispersion {

namespace {

namespace fs = std::filesystem;

constexpr double kMillimetresPerInch = 25.4;

PrintTheme theme_of(const DrawOptions& draw_options) {
  if (draw_options.palette.text == kDarkPalette.text) return PrintTheme::kDark;
  return draw_options.palette.text == kPrintPalette.text ? PrintTheme::kPrint : PrintTheme::kLight;
}

double density(const ExportSettings& settings) {
  return settings.pixels_per_inch.value_or(style_choice(settings.style).pixels_per_inch);
}

std::string with_ending(std::string path, const FigureFormat& format) {
  return path.append(".").append(format.ending);
}

}  // namespace

const std::vector<StyleName>& style_choices() {
  static const std::vector<StyleName> choices = [] {
    std::vector<StyleName> all;
    for (const Style& style : styles())
      all.push_back({std::string(style.name), std::string(style.purpose), style.width_mm,
                     style.text_points, style.pixels_per_inch});
    return all;
  }();
  return choices;
}

const StyleName& style_choice(std::string_view name) {
  return *std::ranges::find(style_choices(), name, &StyleName::name);
}

std::vector<const FigureFormat*> export_formats(const FigureSnapshot& shown) {
  std::vector<const FigureFormat*> formats;
  for (const FigureFormat& format : figure_formats()) {
    if (format.kind == FormatKind::kTables && shown.figure->tables.empty()) continue;
    if (is_animation(format) && !shown.frames) continue;
    formats.push_back(&format);
  }
  return formats;
}

bool has_main_rows(const Figure& figure) {
  return std::ranges::any_of(figure.tables, [](const Table& table) {
    return main_part(table).rows.size() < table.rows.size();
  });
}

void use_style(ExportLook& look, std::string_view style) {
  const DrawOptions& draw_options = style_named(style).draw;
  look.style = style;
  look.width.reset();
  look.pixels_per_inch.reset();
  look.text_points.reset();
  look.theme = theme_of(draw_options);
  look.title = draw_options.with_title;
  look.all_rows = draw_options.all_rows;
}

void use_format(ExportSettings& settings, const FigureFormat& format) {
  const FigureFormat& before = *std::exchange(settings.format, &format);
  if (format.kind != before.kind) {
    ExportLook& look = settings;
    settings.looks[before.kind] = look;
    const auto known = settings.looks.find(format.kind);
    if (known != settings.looks.end()) {
      look = known->second;
    } else if (is_animation(format) || is_animation(before)) {
      look = ExportLook();
      if (is_animation(format)) use_style(look, "slide");
    }
    if (known == settings.looks.end() && !is_picture(format)) look.all_rows = true;
  }
  const FigureFormat* typed = format_of_ending(settings.path);
  if (typed == nullptr || typed == &format) return;
  settings.path.erase(settings.path.rfind('.'));
  settings.path = with_ending(settings.path, format);
}

void use_unit(ExportSettings& settings, LengthUnit unit) {
  if (unit == settings.unit) return;
  settings.unit = unit;
  if (!settings.width) return;
  const double pixels_per_mm = density(settings) / kMillimetresPerInch;
  settings.width = unit == LengthUnit::kPixels ? *settings.width * pixels_per_mm
                                               : *settings.width / pixels_per_mm;
}

std::string suggested_path(const ExportSettings& settings, const Figure& figure) {
  const std::size_t slash = settings.path.rfind('/');
  const std::string folder = slash == std::string::npos ? "~/" : settings.path.substr(0, slash + 1);
  return with_ending(folder + (figure.name.empty() ? "figure" : figure.name), *settings.format);
}

fs::path export_path(const ExportSettings& settings) {
  std::string path = settings.path;
  if (path.empty()) throw std::invalid_argument("say where the file goes");
  if (path.starts_with("~/")) {
    const std::string home = home_folder().native();
    if (home.empty()) throw std::invalid_argument("there is no home folder: HOME is not set");
    path.replace(0, 1, home);
  }
  if (path.front() != '/')
    throw std::invalid_argument("the path should begin with / or with ~/, the home folder");
  if (path.back() == '/') throw std::invalid_argument("the path names a folder and no file in it");
  if (!ending_fits(path, *settings.format)) path = with_ending(path, *settings.format);
  return path;
}

namespace {

const Palette& palette_of(PrintTheme theme) {
  switch (theme) {
    case PrintTheme::kDark:
      return kDarkPalette;
    case PrintTheme::kPrint:
      return kPrintPalette;
    case PrintTheme::kLight:
      break;
  }
  return kLightPalette;
}

}  // namespace

RenderOptions export_render_options(const ExportSettings& settings, const FigureSnapshot& shown) {
  const Style& style = style_named(settings.style);
  RenderOptions render_options = {&style, {}, style.draw};
  if (settings.width) {
    (settings.unit == LengthUnit::kPixels ? render_options.size.width_pixels
                                          : render_options.size.width_mm) = settings.width;
  }
  render_options.size.pixels_per_inch = settings.pixels_per_inch;
  render_options.size.text_points = settings.text_points;
  render_options.draw.palette = palette_of(settings.theme);
  render_options.draw.family = settings.family;
  render_options.draw.transparent = settings.transparent;
  render_options.draw.with_title = settings.title;
  render_options.draw.all_rows = settings.all_rows;
  render_options.draw.surfaces = shown.surfaces;
  render_options.draw.view = rounded_view(shown.view);
  return render_options;
}

}  // namespace dispersion
