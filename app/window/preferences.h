#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/session/backend_source.h"
#include "app/session/export_settings.h"
#include "app/session/settings.h"
#include "app/window/window.h"
#include "app/window/window_place.h"

namespace dispersion {

// What the window remembers from one start of the program to the next.
struct Preferences {
  ViewSettings view;
  ExportSettings exporting;
  std::filesystem::path head;  // the file of the open head; empty: it was of none
  Size size = {1440, 900};     // logical pixels
  BackendChoice backend;
  std::optional<ScreenRect> place = std::nullopt;  // of the window, in units of the desktop

  bool operator==(const Preferences&) const = default;
};

// Puts size and place of the window, and of its letters, to what they are in a new one.
void use_usual_layout(Preferences& preferences);

// Whether a window of this size is one that a person wants to have back.
bool worth_keeping(Size size);

// $XDG_CONFIG_HOME/dispersion-lab/settings.json, or under ~/.config; empty when there is neither.
std::filesystem::path preferences_path();

struct LoadedPreferences {
  Preferences preferences;
  std::string notice;  // message for the user when the file was refused; otherwise empty
};

// Never fails and never waits. A missing file gives the defaults without a message. One that cannot
// be understood is renamed to settings.json.bad, or to settings.json.bad2 and so on where there is
// an older one, and gives the defaults. A folder, a pipe or a device under this name stays as it is
// and gives the defaults. A link is followed, since people keep their settings elsewhere.
LoadedPreferences load_preferences(const std::filesystem::path& path);

// Throws FileError, also where something that is no file would be replaced. Where `path` is a link,
// writes the file to which it leads. Does nothing when `path` is empty.
void save_preferences(const std::filesystem::path& path, const Preferences& preferences);

}  // namespace dispersion
