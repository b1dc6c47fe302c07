// Pictures of the dialogs that open and save a head.

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/core/temporary_folder.h"
#include "tests/gui/scenes.h"

namespace dispersion {
namespace {

namespace fs = std::filesystem;

// A home folder with some heads, and the list of recent files, which names one that is gone.
void furnish(const fs::path& home, const fs::path& recent) {
  for (const char* folder : {"runs/default", "runs/other", "runs/half-kernels, λ = 0.01"})
    fs::create_directories(home / folder);
  Checkpoint head;
  for (const std::uint32_t seed : {1, 2, 3, 10}) {
    head.state = start_training(HeadShape(), seed);
    const std::string name = "seed" + std::to_string(seed) + ".safetensors";
    save_checkpoint(home / ("runs/" + name), head);
    save_checkpoint(home / ("runs/default/" + name), head);
  }
  for (const char* file : {"runs/default/seed2.safetensors", "runs/seed10.safetensors",
                           "gone/lost.safetensors", "runs/seed1.safetensors"})
    add_recent_file(recent, home / file);
}

// Lasts as long as the program, since the window's dialogs begin in the home folder.
std::unique_ptr<GuiDriver> window_at_home() {
  static const TemporaryFolder home;
  ::setenv("HOME", home.path().c_str(), 1);
  const fs::path recent = home / "recent.json";
  furnish(home.path(), recent);
  return std::make_unique<GuiDriver>(kLargest, fs::path(), BackendSource(), RunKeeping(), recent);
}

void settle(GuiDriver& driver, ImGuiTestContext* context) {
  IM_CHECK(driver.wait_for(context, [&] { return !driver.app().files.reading(); }));
  context->Yield(3);
}

auto press(ImGuiKey key) {
  return [key](GuiDriver& driver, ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    context->KeyPress(ImGuiMod_Ctrl | key);
    context->Yield(4);
    settle(driver, context);
  };
}

void open_what_is_not_there(GuiDriver& driver, ImGuiTestContext* context) {
  press(ImGuiKey_O)(driver, context);
  context->KeyCharsReplace(
      "~/runs/a name that nobody has given to any file in this folder, and which is so long that "
      "it takes more than a line/and more of it.safetensors");
  context->KeyPress(ImGuiKey_Enter);
  IM_CHECK(driver.wait_for(context, [&] { return !driver.lab().panels().entry.error.empty(); }));
  settle(driver, context);
}

}  // namespace

std::vector<Play> file_plays() {
  return {Play{"Files",
               window_at_home,
               {{"open", {kUsual, kLargeType}, {Theme::kDark}, {}, press(ImGuiKey_O)},
                {"open", {kSmallLaptop}, {Theme::kLight}, {}, press(ImGuiKey_O)},
                {"open_refused", {kSmallLaptop}, {Theme::kDark}, {}, open_what_is_not_there},
                {"save", {kUsual, kLargeType}, {Theme::kLight}, {}, press(ImGuiKey_S)}}}};
}

}  // namespace dispersion
