#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/gui/driver.h"

namespace dispersion {

// The size of a window, and the zoom in it.
struct Format {
  std::string name;
  Size size;
  float zoom = 1;
};

inline const Format kSmallLaptop = {"1024x600", {1024, 600}, 1};
inline const Format kLargeType = {"1280x720_300", {1280, 720}, 3};
inline const Format kDesktop = {"1920x1080", {1920, 1080}, 1};
inline const Format kUsual = {"1440x900", {1440, 900}, 1};

// A window is made in this size: without a display its frames cannot become larger than the first.
inline const Size kLargest = kDesktop.size;

// What a picture shows, and in which windows and colours: a picture of each. Files are named
// NAME_FORMAT_THEME.png, a picture of the usual format NAME_THEME.png.
struct Scene {
  std::string name;
  std::vector<Format> formats = {kUsual};
  std::vector<Theme> themes = {Theme::kDark};
  // Brings it about, in the window of the scene before, which has been brought back to the
  // attention view.
  std::function<void(GuiDriver&, ImGuiTestContext*)> set_up = {};
  // What a format needs besides, for example an opened menu; after resizing.
  std::function<void(GuiDriver&, ImGuiTestContext*)> before_picture = {};
  // Whether the project keeps the pictures, in screenshots/; those of other states are looked at
  // where they are made.
  bool kept = false;
};

// Scenes that are played in one window, one after the other.
struct Play {
  std::string name;
  std::function<std::unique_ptr<GuiDriver>()> window;
  std::vector<Scene> scenes;
};

// The plays of each subject.
std::vector<Play> view_plays();
std::vector<Play> run_plays();
std::vector<Play> dialog_plays();
std::vector<Play> file_plays();
std::vector<Play> comparison_plays();
std::vector<Play> presentation_plays();

// A window of the largest size.
std::unique_ptr<GuiDriver> new_window();
// Until the accuracy of every n has been counted over so many sets.
void count_sets(GuiDriver& driver, ImGuiTestContext* context, std::int64_t sets);

}  // namespace dispersion
