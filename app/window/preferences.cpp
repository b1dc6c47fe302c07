#include "app/window/preferences.h"

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <system_error>

#include "app/window/ui_scale.h"
#include "core/io/atomic_file.h"

namespace dispersion {
namespace {

using nlohmann::json;

constexpr std::uintmax_t kSizeLimit = 64 * 1024;
constexpr int kSmallestSide = 240;
constexpr int kLargestSide = 16384;

std::filesystem::path folder_from(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? std::filesystem::path() : std::filesystem::path(value);
}

int side(const json& values, const char* name) {
  const int value = values.at(name).get<int>();
  if (value < kSmallestSide || value > kLargestSide) {
    throw std::invalid_argument(std::string(name) + " is out of range");
  }
  return value;
}

Preferences parse(const std::string& text) {
  const json values = json::parse(text);
  Preferences preferences;
  const std::string theme = values.at("theme").get<std::string>();
  if (theme != "dark" && theme != "light") throw std::invalid_argument("theme is dark or light");
  preferences.theme = theme == "dark" ? Theme::kDark : Theme::kLight;
  preferences.zoom = values.at("zoom").get<float>();
  if (!(preferences.zoom >= kSmallestZoom && preferences.zoom <= kLargestZoom)) {
    throw std::invalid_argument("zoom is out of range");
  }
  preferences.projector = values.at("projector").get<bool>();
  preferences.size = {side(values, "width"), side(values, "height")};
  const std::string backend = values.value("backend", "auto");  // older files do not have it
  const std::optional<BackendChoice> choice = parse_backend_name(backend);
  if (!choice) throw std::invalid_argument("backend is auto, cpu or cuda:K");
  preferences.backend = *choice;
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
    return {parse(read_whole_file(path, kSizeLimit)), ""};
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
  const json values = {{"theme", preferences.theme == Theme::kDark ? "dark" : "light"},
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
