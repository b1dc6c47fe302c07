#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/export/figure_file.h"
#include "app/export/figure_format.h"
#include "app/export/typeface.h"
#include "app/session/figure_snapshots.h"
#include "core/figure/figure.h"

namespace dispersion {

enum class PrintTheme { kLight, kDark, kPrint };
enum class LengthUnit { kMillimetres, kPixels };

// How the user wants files of one kind of format to look. What is not set is that of the style.
struct ExportLook {
  std::string style = "default";
  std::optional<double> width;  // in `unit`
  LengthUnit unit = LengthUnit::kMillimetres;
  std::optional<double> pixels_per_inch;
  std::optional<double> text_points;  // of small text
  PrintTheme theme = PrintTheme::kLight;
  FontFamily family = FontFamily::kSans;
  bool transparent = false;
  bool title = true;
  bool all_rows = true;  // of a table that has main rows and others

  bool operator==(const ExportLook&) const = default;
};

// The user's settings for the file of a figure.
struct ExportSettings : ExportLook {
  const FigureFormat* format = &figure_format("pdf");
  std::string path;                        // as typed
  std::map<FormatKind, ExportLook> looks;  // of the kinds that were selected before

  bool operator==(const ExportSettings&) const = default;
};

struct NumberRange {
  double low;
  double high;
};
inline constexpr NumberRange kExportWidth = {10, 32'767};  // mm or pixels
inline constexpr NumberRange kExportDensity = {10, 4'800};
inline constexpr NumberRange kExportLetters = {2, 200};

// A style as the panels show it.
struct StyleName {
  std::string name;
  std::string purpose;
  double width_mm;
  double text_points;
  double pixels_per_inch;
};
const std::vector<StyleName>& style_choices();
const StyleName& style_choice(std::string_view name);

// The formats in which the figure can be written.
std::vector<const FigureFormat*> export_formats(const FigureSnapshot& shown);

// Whether the figure has a table that can be cut to its main rows.
bool has_main_rows(const Figure& figure);

// Selects a style and resets everything that the style defines.
void use_style(ExportLook& look, std::string_view style);

// Selects a format; the ending of another format in the path is replaced. Each kind of format keeps
// its look: a new kind begins with that of the kind before, but an animation begins as a slide.
void use_format(ExportSettings& settings, const FigureFormat& format);

// Changes the unit and converts the width, if there is one.
void use_unit(ExportSettings& settings, LengthUnit unit);

// A path for this figure in the folder of the path before, or in the home folder.
std::string suggested_path(const ExportSettings& settings, const Figure& figure);

// Where the file goes: "~/" is the home folder, and a missing ending is added. Throws
// std::invalid_argument when the path is empty, not absolute or that of a folder.
std::filesystem::path export_path(const ExportSettings& settings);

// The render options of a figure of the window with these settings.
RenderOptions export_render_options(const ExportSettings& settings, const FigureSnapshot& shown);

}  // namespace dispersion
