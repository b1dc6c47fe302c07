#include "app/window/preferences.h"

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "app/window/theme.h"
#include "core/io/file.h"
#include "core/io/json.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

constexpr JsonLimits kLimits = {.bytes = 64 * 1024, .depth = 4};
constexpr int kSmallestSide = 240;
constexpr int kLargestSide = 16384;

std::filesystem::path folder_from(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? std::filesystem::path() : std::filesystem::path(value);
}

int side(const JsonValue& values, const char* name) {
  return static_cast<int>(values.at(name).integer(kSmallestSide, kLargestSide));
}

Preferences parse(const std::filesystem::path& path) {
  const JsonDocument document(path, read_whole_file(path, kLimits.bytes), kLimits);
  const JsonValue values = document.root();
  Preferences preferences;
  const JsonValue theme = values.at("theme");
  if (theme.text() != "dark" && theme.text() != "light") theme.refuse("dark or light");
  preferences.theme = theme.text() == "dark" ? Theme::kDark : Theme::kLight;
  const JsonValue zoom = values.at("zoom");
  preferences.zoom = static_cast<float>(zoom.number());
  if (!(preferences.zoom >= kSmallestZoom && preferences.zoom <= kLargestZoom))
    zoom.refuse("from " + exact_text(kSmallestZoom) + " to " + exact_text(kLargestZoom));
  preferences.projector = values.at("projector").flag();
  preferences.size = {side(values, "width"), side(values, "height")};
  if (const auto backend = values.find("backend")) {  // older files do not have it
    const std::optional<BackendChoice> choice = parse_backend_name(backend->text());
    if (!choice) backend->refuse("auto, cpu or cuda:K");
    preferences.backend = *choice;
  }
  return preferences;
}

}  // namespace

std::filesystem::path preferences_path() {
  std::filesystem::path folder = folder_from("XDG_CONFIG_HOME");
  if (!folder.is_absolute()) {
    folder = folder_from("HOME");
    if (!folder.is_absolute()) return {};
    folder /= ".config";
  }
  return folder / "dispersion-lab" / "settings.json";
}

LoadedPreferences load_preferences(const std::filesystem::path& path) {
  std::error_code error;
  if (path.empty() || !std::filesystem::exists(path, error)) return {};
  try {
    return {parse(path), ""};
  } catch (const std::exception&) {
    std::filesystem::path aside = path;
    aside += ".bad";
    std::filesystem::rename(path, aside, error);
    const std::string kept = error ? "" : "; it is kept as " + aside.filename().string();
    return {{}, path.string() + " could not be understood, the defaults hold" + kept};
  }
}

void save_preferences(const std::filesystem::path& path, const Preferences& preferences) {
  if (path.empty()) return;
  const nlohmann::json values = {{"theme", preferences.theme == Theme::kDark ? "dark" : "light"},
                                 {"zoom", preferences.zoom},
                                 {"projector", preferences.projector},
                                 {"backend", backend_name(preferences.backend)},
                                 {"width", preferences.size.width},
                                 {"height", preferences.size.height}};
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  if (error) throw FileError(path.parent_path(), error.message());
  write_file_atomically(path, values.dump(2) + "\n");
}

}  // namespace dispersion
