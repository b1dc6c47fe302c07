#include "app/window/preferences.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "app/session/export_json.h"
#include "app/session/state_json.h"
#include "app/session/user_files.h"
#include "app/window/theme.h"
#include "core/io/broken_file.h"
#include "core/io/file.h"
#include "core/io/json.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

constexpr JsonLimits kLimits = {.bytes = 64 * 1024, .depth = 8};
constexpr int kSmallestSide = 240;
constexpr int kLargestSide = 16384;
// Otherwise a state could bring a size with which the next start would refuse the settings.
static_assert(kLowestUiScale == static_cast<double>(kSmallestZoom) &&
              kHighestUiScale == static_cast<double>(kLargestZoom));
constexpr int kFarthest = 1'000'000;  // that a screen can be from another

int side(const JsonValue& values, const char* name) {
  return static_cast<int>(values.at(name).integer(kSmallestSide, kLargestSide));
}

void read_look(const JsonValue& values, ViewSettings& view) {
  const JsonValue theme = values.at("theme");
  const std::optional<Theme> known = theme_of_name(theme.text());
  if (!known) theme.refuse("dark, light or high contrast");
  view.theme = *known;
  const JsonValue zoom = values.at("zoom");
  view.ui_scale = static_cast<float>(zoom.number());
  if (!(view.ui_scale >= kSmallestZoom && view.ui_scale <= kLargestZoom))
    zoom.refuse("from " + exact_text(kSmallestZoom) + " to " + exact_text(kLargestZoom));
  view.projector = values.at("projector").flag();
}

// Without what stands beside it in the file.
nlohmann::ordered_json view_without_look(const ViewSettings& view) {
  nlohmann::ordered_json json = view_json(view);
  for (const char* name : {"theme", "ui_scale", "projector"})
    json.erase(name);
  return json;
}

ScreenRect parse_place(const JsonValue& place) {
  const auto corner = [&](const char* name) {
    return static_cast<int>(place.at(name).integer(-kFarthest, kFarthest));
  };
  return {corner("x"), corner("y"), side(place, "width"), side(place, "height")};
}

Preferences parse(const std::filesystem::path& path) {
  const JsonDocument document(path, read_whole_file(path, kLimits.bytes), kLimits);
  const JsonValue values = document.root();
  Preferences preferences;
  // Older files do not have these.
  if (const auto view = values.find("view")) read_view(*view, preferences.view);
  if (const auto exporting = values.find("export")) read_export(*exporting, preferences.exporting);
  if (const auto head = values.find("head")) preferences.head = head->text();
  read_look(values, preferences.view);
  preferences.size = {side(values, "width"), side(values, "height")};
  if (const auto place = values.find("place")) preferences.place = parse_place(*place);
  if (const auto backend = values.find("backend")) {  // older files do not have it
    const std::optional<BackendChoice> choice = parse_backend_name(backend->text());
    if (!choice) backend->refuse("auto, cpu or cuda:K");
    preferences.backend = *choice;
  }
  return preferences;
}

}  // namespace

void use_usual_layout(Preferences& preferences) {
  const Preferences usual;
  preferences.view.ui_scale = usual.view.ui_scale;
  preferences.view.projector = usual.view.projector;
  set_shape(preferences.view, usual.view.grid.shape);
  preferences.size = usual.size;
  preferences.place = usual.place;
}

bool worth_keeping(Size size) {
  return std::min(size.width, size.height) >= kSmallestSide;
}

std::filesystem::path preferences_path() {
  const std::filesystem::path folder = user_config_folder();
  return folder.empty() ? folder : folder / "settings.json";
}

LoadedPreferences load_preferences(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::file_status found = std::filesystem::status(path, error);
  if (path.empty() || !std::filesystem::exists(found)) return {};
  if (!std::filesystem::is_regular_file(found)) {
    return {{}, path_text(path) + " is no file, the defaults hold, and settings are not kept"};
  }
  try {
    return {parse(path), ""};
  } catch (const std::exception&) {
    const std::filesystem::path aside = set_broken_aside(path);
    const std::string kept = aside.empty() ? "" : "; it is kept as " + path_text(aside);
    return {{}, path_text(path) + " could not be understood, the defaults hold" + kept};
  }
}

void save_preferences(const std::filesystem::path& path, const Preferences& preferences) {
  if (path.empty()) return;
  const ViewSettings& view = preferences.view;
  nlohmann::ordered_json values = {
      {"theme", theme_name(view.theme)},  {"zoom", view.ui_scale},
      {"projector", view.projector},      {"backend", backend_name(preferences.backend)},
      {"width", preferences.size.width},  {"height", preferences.size.height},
      {"view", view_without_look(view)},  {"export", export_json(preferences.exporting)},
      {"head", preferences.head.string()}};
  if (const auto& place = preferences.place) {
    values["place"] = {
        {"x", place->x}, {"y", place->y}, {"width", place->width}, {"height", place->height}};
  }
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  if (error) throw FileError(path.parent_path(), error.message());
  // A name of a file that is no UTF-8 cannot be in JSON; it is not found again then.
  constexpr auto kReplace = nlohmann::ordered_json::error_handler_t::replace;
  write_file_atomically(path, values.dump(2, ' ', false, kReplace) + "\n");
}

}  // namespace dispersion
