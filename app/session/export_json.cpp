#include "app/session/export_json.h"

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

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

template <>
inline constexpr Names<FormatKind, 5> kNames<FormatKind> = {
    {{FormatKind::kPixels, "pixels"},
     {FormatKind::kVectors, "vectors"},
     {FormatKind::kData, "data"},
     {FormatKind::kTables, "tables"},
     {FormatKind::kAnimation, "animation"}}};

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

Json look_json(const ExportLook& look) {
  Json json = {{"style", look.style},
               {"unit", name_of(look.unit)},
               {"theme", name_of(look.theme)},
               {"family", name_of(look.family)},
               {"transparent", look.transparent},
               {"title", look.title},
               {"all_rows", look.all_rows}};
  add(json, "width", look.width);
  add(json, "pixels_per_inch", look.pixels_per_inch);
  add(json, "text_points", look.text_points);
  return json;
}

ExportLook look_of(const JsonValue& json) {
  refuse_unknown(json, {"style", "unit", "theme", "family", "transparent", "title", "all_rows",
                        "width", "pixels_per_inch", "text_points"});
  ExportLook look;
  read_if_there(json, "style", look.style, style_of);
  read_if_there(json, "unit", look.unit, value_of<LengthUnit>);
  read_if_there(json, "theme", look.theme, value_of<PrintTheme>);
  read_if_there(json, "family", look.family, value_of<FontFamily>);
  read_if_there(json, "transparent", look.transparent, flag_of);
  read_if_there(json, "title", look.title, flag_of);
  read_if_there(json, "all_rows", look.all_rows, flag_of);
  read_if_there(json, "width", look.width, number_in(kExportWidth));
  read_if_there(json, "pixels_per_inch", look.pixels_per_inch, number_in(kExportDensity));
  read_if_there(json, "text_points", look.text_points, number_in(kExportLetters));
  return look;
}

std::map<FormatKind, ExportLook> looks_of(const JsonValue& json) {
  std::map<FormatKind, ExportLook> looks;
  for (const auto& [kind, name] : kNames<FormatKind>) {
    if (const auto look = json.find(name)) looks[kind] = look_of(*look);
  }
  return looks;
}

}  // namespace

Json export_json(const ExportSettings& settings) {
  Json looks = Json::object();
  for (const auto& [kind, look] : settings.looks)
    looks[name_of(kind)] = look_json(look);
  return {{"format", settings.format->ending},
          {"path", settings.path},
          {"look", look_json(settings)},
          {"looks", std::move(looks)}};
}

void read_export(const JsonValue& json, ExportSettings& settings) {
  refuse_unknown(json, {"format", "path", "look", "looks"});
  read_if_there(json, "format", settings.format, format_of);
  read_if_there(json, "path", settings.path, [](const JsonValue& each) { return each.text(); });
  if (const auto look = json.find("look")) static_cast<ExportLook&>(settings) = look_of(*look);
  read_if_there(json, "looks", settings.looks, looks_of);
}

}  // namespace dispersion
