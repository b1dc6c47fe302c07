#include "app/panels/panels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "app/panels/input_fields.h"
#include "app/panels/widgets.h"

namespace dispersion {
namespace {

// Segments over the whole width of the column, with space below them.
bool line_of_segments(Painter& painter, const char* id, const std::vector<const char*>& names,
                      int& chosen, const char* help) {
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const bool changed =
      segments(painter, id, names.data(), static_cast<int>(names.size()), chosen, help);
  ImGui::SetCursorScreenPos(start);
  ImGui::Dummy({1, painter.px(24)});
  return changed;
}

void note(Painter& painter, std::string_view text) {
  flow_text(painter, TextStyle::kSmall, painter.palette->muted, as_sentence(std::string(text)));
  gap(painter, 2);
}

std::vector<const char*> view_names(const ExportState& exporting) {
  std::vector<const char*> names;
  for (const View view : exporting.views)
    names.push_back(view_title(view).data());
  return names;
}

std::vector<const char*> figure_names(const ExportState& exporting) {
  std::vector<const char*> names;
  for (const FigureSnapshot& shown : exporting.figures)
    names.push_back(shown.name.c_str());
  return names;
}

// Of several views beside one another. `least`: as of choice_field().
void draw_views(AppState& app, Painter& painter, const std::vector<const char*>& names,
                float least) {
  const std::vector<View>& views = app.exporting.views;
  int chosen = static_cast<int>(std::ranges::find(views, app.exporting.view) - views.begin());
  if (choice_field(painter, "view", names.data(), static_cast<int>(names.size()), chosen,
                   "Which of the views beside one another has the figure.", least))
    choose_view(app, views[static_cast<std::size_t>(chosen)]);
}

void draw_figures(ExportState& exporting, Painter& painter, float least) {
  const std::vector<const char*> names = figure_names(exporting);
  if (names.size() < 2) return;
  int chosen = static_cast<int>(exporting.chosen);
  if (choice_field(painter, "figure", names.data(), static_cast<int>(names.size()), chosen,
                   "Which of the figures in view to export.", least))
    choose_figure(exporting, static_cast<std::size_t>(chosen));
  gap(painter, 2);
}

// What is exported, where there is a choice; both lists are equally wide.
void draw_sources(AppState& app, Painter& painter) {
  const std::vector<const char*> views = view_names(app.exporting);
  const std::vector<const char*> figures = figure_names(app.exporting);
  float least = 0;
  if (views.size() > 1 && figures.size() > 1)
    least =
        std::max(choice_width(painter, "figure", views), choice_width(painter, "figure", figures));
  // Another view brings other figures, and with them other names.
  if (views.size() > 1) draw_views(app, painter, views, least);
  draw_figures(app.exporting, painter, least);
}

void draw_formats(ExportState& exporting, Painter& painter) {
  section_title(painter, "Format");
  const std::vector<const FigureFormat*> formats = export_formats(*exporting.figure());
  std::vector<const char*> names;
  for (const FigureFormat* format : formats)
    names.push_back(format->name.data());
  int chosen =
      static_cast<int>(std::ranges::find(formats, exporting.settings.format) - formats.begin());
  if (line_of_segments(painter, "format", names, chosen, ""))
    format_chosen(exporting, *formats[static_cast<std::size_t>(chosen)]);
  note(painter, exporting.settings.format->help);
}

void draw_styles(ExportSettings& settings, Painter& painter) {
  section_title(painter, "Style");
  std::vector<const char*> names;
  int chosen = 0;
  for (const StyleName& style : style_choices()) {
    if (style.name == settings.style) chosen = static_cast<int>(names.size());
    names.push_back(style.name.c_str());
  }
  if (choice_field(painter, "made for", names.data(), static_cast<int>(names.size()), chosen,
                   "A width, a text size and colours that go together. Choosing a style sets the "
                   "fields below."))
    use_style(settings, names[static_cast<std::size_t>(chosen)]);
  note(painter, style_choice(settings.style).purpose);
}

double rounded(double value) {
  return std::round(10 * value) / 10;
}

// A value that the user has not set is shown as the style has it. That depends on the figure, and
// only the preview knows it.
void draw_size(ExportState& exporting, Painter& painter) {
  ExportSettings& settings = exporting.settings;
  SheetSize sheet = exporting.preview.sheet;
  const StyleName& style = style_choice(settings.style);
  if (exporting.preview.id == 0 || !exporting.preview.error.empty()) {
    sheet.width_mm = style.width_mm;
    sheet.text_points = style.text_points;
  }
  const bool in_pixels = settings.unit == LengthUnit::kPixels;
  const double density = settings.pixels_per_inch.value_or(style.pixels_per_inch);
  constexpr std::array<const char*, 2> kUnits = {"mm", "pixels"};
  double width = in_pixels ? std::round(sheet.width_mm / 25.4 * density) : rounded(sheet.width_mm);
  if (settings.width) width = in_pixels ? std::round(*settings.width) : rounded(*settings.width);
  if (number_field(painter,
                   {.label = "width",
                    .low = kExportWidth.low,
                    .high = kExportWidth.high,
                    .help = "Of the whole sheet; the height follows from what is on it."},
                   width))
    settings.width = width;
  int unit = in_pixels ? 1 : 0;
  if (segment_field(painter, "measured in", kUnits.data(), 2, unit,
                    "Millimetres on paper, or pixels of a PNG."))
    use_unit(settings, unit == 1 ? LengthUnit::kPixels : LengthUnit::kMillimetres);
  double dots = rounded(density);
  if (number_field(painter,
                   {.label = "pixels per inch",
                    .low = kExportDensity.low,
                    .high = kExportDensity.high,
                    .help = "How fine a PNG is, 300 to 600 for print. In PDF and SVG it only says "
                            "how long a pixel is."},
                   dots))
    settings.pixels_per_inch = dots;
  double text_size = rounded(settings.text_points.value_or(sheet.text_points));
  if (number_field(painter,
                   {.label = "text size (pt)",
                    .low = kExportLetters.low,
                    .high = kExportLetters.high,
                    .help = "Size of small text on the sheet, in points. On a slide it becomes "
                            "smaller where not everything fits."},
                   text_size))
    settings.text_points = text_size;
}

void draw_rows(ExportState& exporting, Painter& painter) {
  if (!has_main_rows(*exporting.figure()->figure)) return;
  toggle(painter, "all rows", exporting.settings.all_rows, painter.palette->text,
         "All rows of the table, or the accuracies alone.");
}

void draw_style_fields(ExportState& exporting, Painter& painter) {
  ExportSettings& settings = exporting.settings;
  constexpr std::array<const char*, 3> kThemes = {"light", "dark", "print"};
  constexpr std::array<const char*, 2> kFamilies = {"sans", "serif"};
  int theme = static_cast<int>(settings.theme);
  segment_field(painter, "colours", kThemes.data(), 3, theme,
                "Print has black text and lines that a printer does not lose.");
  settings.theme = static_cast<PrintTheme>(theme);
  int family = static_cast<int>(settings.family);
  segment_field(painter, "typeface", kFamilies.data(), 2, family,
                "Roboto, or Latin Modern, the typeface of LaTeX.");
  settings.family = static_cast<FontFamily>(family);
  toggle(painter, "title", settings.title, painter.palette->text,
         "The figure's title on the sheet.");
  toggle(painter, "transparent", settings.transparent, painter.palette->text,
         "Without a background, to be placed on another one.");
  draw_rows(exporting, painter);
}

}  // namespace

void draw_export_fields(AppState& app, Painter& painter) {
  ExportState& exporting = app.exporting;
  draw_sources(app, painter);
  draw_formats(exporting, painter);
  if (exporting.settings.format->kind == FormatKind::kTables) draw_rows(exporting, painter);
  if (!is_picture(*exporting.settings.format)) return;
  gap(painter, 4);
  draw_styles(exporting.settings, painter);
  draw_size(exporting, painter);
  draw_style_fields(exporting, painter);
}

}  // namespace dispersion
