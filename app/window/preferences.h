#pragma once

#include <filesystem>
#include <string>

#include "app/session/backend_source.h"
#include "app/session/settings.h"
#include "app/window/window.h"

namespace dispersion {

// What is remembered from one start to the next about how the window looks, and
// what is to compute.
struct Preferences {
  Theme theme = Theme::kDark;
  float zoom = 1;
  bool projector = false;
  Size size = {1440, 900};  // logical pixels
  BackendChoice backend;

  bool operator==(const Preferences&) const = default;
};

// $XDG_CONFIG_HOME/dispersion-lab/settings.json, or under ~/.config; empty when there is neither.
std::filesystem::path preferences_path();

struct LoadedPreferences {
  Preferences preferences;
  std::string notice;  // what was wrong with the file, for the user; empty: nothing
};

// Never fails: a file that cannot be understood is kept aside as settings.json.bad and the defaults
// hold. A missing file is nothing to speak of.
LoadedPreferences load_preferences(const std::filesystem::path& path);

// Throws FileError. Does nothing when `path` is empty.
void save_preferences(const std::filesystem::path& path, const Preferences& preferences);

}  // namespace dispersion
