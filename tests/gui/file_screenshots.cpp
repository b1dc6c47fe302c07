// Pictures of the dialog for heads.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/core/temporary_folder.h"
#include "tests/gui/driver.h"
#include "tests/gui/screenshot_folder.h"

namespace dispersion {
namespace {

namespace fs = std::filesystem;

// A home folder with some heads.
class FileScreenshots : public testing::Test {
 protected:
  FileScreenshots() {
    ::setenv("HOME", home_.path().c_str(), 1);
    for (const char* folder : {"runs/default", "runs/other", "runs/half-kernels, λ = 0.01"})
      fs::create_directories(home_ / folder);
    Checkpoint head;
    for (const std::uint32_t seed : {1, 2, 3, 10}) {
      head.state = start_training(HeadShape(), seed);
      const std::string name = "seed" + std::to_string(seed) + ".safetensors";
      save_checkpoint(home_ / ("runs/" + name), head);
      save_checkpoint(home_ / ("runs/default/" + name), head);
    }
    for (const char* file : {"runs/default/seed2.safetensors", "runs/seed10.safetensors",
                             "gone/lost.safetensors", "runs/seed1.safetensors"})
      add_recent_file(recent(), home_ / file);
  }
  fs::path recent() const { return home_ / "recent.json"; }

  void take(const std::string& name, Size size, Theme theme, float zoom, ImGuiKey key,
            const std::string& typed = "") {
    GuiDriver driver(size, {}, {}, {}, recent());
    driver.run([&](ImGuiTestContext* context) {
      IM_CHECK(driver.wait_for_picture(context));
      driver.app().view.theme = theme;
      driver.app().view.ui_scale = zoom;
      context->Yield(2);
      context->KeyPress(ImGuiMod_Ctrl | key);
      context->Yield(4);
      if (!typed.empty()) {
        context->KeyCharsReplace(typed.c_str());
        context->KeyPress(ImGuiKey_Enter);
        IM_CHECK(
            driver.wait_for(context, [&] { return !driver.lab().panels().entry.error.empty(); }));
      }
      IM_CHECK(driver.wait_for(context, [&] { return !driver.app().files.reading(); }));
      context->MouseMoveToPos({5, 5});
      write(name, driver.grab(context), size);
    });
  }

  TemporaryFolder home_;
};

TEST_F(FileScreenshots, Open) {
  take("open_dark", {1440, 900}, Theme::kDark, 1, ImGuiKey_O);
  take("open_light", {1024, 600}, Theme::kLight, 1, ImGuiKey_O);
  take("open_three_times", {1280, 720}, Theme::kDark, 3, ImGuiKey_O);
  take("open_refused", {1024, 600}, Theme::kDark, 1, ImGuiKey_O,
       "~/runs/a name that nobody has given to any file in this folder, and which is so long that "
       "it takes more than a line/and more of it.safetensors");
}

TEST_F(FileScreenshots, Save) {
  take("save_light", {1440, 900}, Theme::kLight, 1, ImGuiKey_S);
}

}  // namespace
}  // namespace dispersion
