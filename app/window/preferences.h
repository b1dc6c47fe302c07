#pragma once

#include <filesystem>
#include <string>

#include "app/session/backend_source.h"
#include "app/session/settings.h"
#include "app/window/window.h"

namespace dispersion {

// What the window remembers from one start of the program to the next.
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
  std::string notice;  // message for the user when the file was refused; otherwise empty
};

// Never fails: a file that cannot be understood is renamed to settings.json.bad, and the defaults
// are used. A missing file gives the defaults without a message.
LoadedPreferences load_preferences(const std::filesystem::path& path);

// Throws FileError. Does nothing when `path` is empty.
void save_preferences(const std::filesystem::path& path, const Preferences& preferences);

}  // namespace dispersion
