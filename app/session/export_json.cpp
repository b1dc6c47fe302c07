#include "app/session/export_json.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "app/session/json_fields.h"

namespace dispersion {

template <>
inline constexpr Names<PrintTheme, 3> kNames<PrintTheme> = {
    {{PrintTheme::kLight, "light"}, {PrintTheme::kDark, "dark"}, {PrintTheme::kPrint, "print"}}};

template <>
inline constexpr Names<LengthUnit, 2> kNames<LengthUnit> = {
    {{LengthUnit::kMillimetres, "mm"}, {LengthUnit::kPixels, "px"}}};

template <>
inline constexpr Names<FontFamily, 2> kNames<FontFamily> = {
    {{FontFamily::kSans, "sans"}, {FontFamily::kSerif, "serif"}}};

namespace {

using Json = nlohmann::ordered_json;

const FigureFormat* format_of(const JsonValue& json) {
  try {
    return &figure_format(json.text());
  } catch (const std::invalid_argument& error) {
    json.refuse(std::string("the ending of a format: ") + error.what());
  }
}

std::string style_of(const JsonValue& json) {
  const std::string name = json.text();
  std::string names;
  for (const StyleName& each : style_choices()) {
    if (each.name == name) return name;
    names.append(names.empty() ? "" : ", ").append(each.name);
  }
  json.refuse("one of " + names);
}

auto number_in(NumberRange range) {
  return [range](const JsonValue& json) { return number_from(json, range.low, range.high); };
}

void add(Json& json, const char* name, const std::optional<double>& value) {
  if (value) json[name] = *value;
}

}  // namespace

Json export_json(const ExportSettings& settings) {
  Json json = {{"format", settings.format->ending},
               {"style", settings.style},
               {"unit", name_of(settings.unit)},
               {"theme", name_of(settings.theme)},
               {"family", name_of(settings.family)},
               {"transparent", settings.transparent},
               {"title", settings.title},
               {"all_rows", settings.all_rows},
               {"path", settings.path}};
  add(json, "width", settings.width);
  add(json, "pixels_per_inch", settings.pixels_per_inch);
  add(json, "text_points", settings.text_points);
  return json;
}

void read_export(const JsonValue& json, ExportSettings& settings) {
  refuse_unknown(json, {"format", "style", "unit", "theme", "family", "transparent", "title",
                        "all_rows", "path", "width", "pixels_per_inch", "text_points"});
  read_if_there(json, "format", settings.format, format_of);
  read_if_there(json, "style", settings.style, style_of);
  read_if_there(json, "unit", settings.unit, value_of<LengthUnit>);
  read_if_there(json, "theme", settings.theme, value_of<PrintTheme>);
  read_if_there(json, "family", settings.family, value_of<FontFamily>);
  read_if_there(json, "transparent", settings.transparent, flag_of);
  read_if_there(json, "title", settings.title, flag_of);
  read_if_there(json, "all_rows", settings.all_rows, flag_of);
  read_if_there(json, "path", settings.path, [](const JsonValue& each) { return each.text(); });
  read_if_there(json, "width", settings.width, number_in(kExportWidth));
  read_if_there(json, "pixels_per_inch", settings.pixels_per_inch, number_in(kExportDensity));
  read_if_there(json, "text_points", settings.text_points, number_in(kExportLetters));
}

}  // namespace dispersion
