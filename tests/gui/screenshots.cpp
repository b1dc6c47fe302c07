// Pictures of the window, each a row of a table. Usage: gui_screenshots FOLDER [--gtest_filter=...]

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tests/gui/scenes.h"
#include "tests/gui/screenshot_folder.h"

namespace dispersion {
namespace {

std::string file_name(const Scene& scene, const Format& format, Theme theme) {
  std::string name = scene.name;
  if (format.name != kUsual.name) name += "_" + format.name;
  for (const char letter : "_" + std::string(theme_name(theme)) + ".png")
    name += letter == ' ' ? '_' : letter;
  return name;
}

// What the scene before may have left open or set.
void clear_stage(GuiDriver& driver, ImGuiTestContext* context) {
  context->PopupCloseAll();
  for (int i = 0; i < 2; ++i) {
    context->KeyPress(ImGuiKey_Escape);
    context->Yield(2);
  }
  driver.lab().window().resize(kUsual.size);
  ViewSettings& view = driver.app().view;
  set_shape(view, GridShape::kOne);
  view.view = View::kAttention;
  view.ui_scale = 1;
  view.projector = false;
  driver.lab().panels().page = Page::kAttention;
  context->Yield(2);
}

void take(GuiDriver& driver, ImGuiTestContext* context, const Scene& scene, const Format& format) {
  context->PopupCloseAll();
  driver.lab().window().resize(format.size);
  driver.app().view.ui_scale = format.zoom;
  // Where no tooltip is in the picture.
  context->MouseMoveToPos(
      {static_cast<float>(format.size.width - 3), static_cast<float>(format.size.height - 3)});
  context->Yield(3);
  if (scene.before_picture) scene.before_picture(driver, context);
  for (const Theme theme : scene.themes) {
    driver.app().view.theme = theme;
    const Picture picture = driver.grab(context);
    IM_CHECK(picture.size == format.size);
    write_png(screenshot_folder / file_name(scene, format, theme), picture);
  }
}

class PlayTest : public testing::Test {
 public:
  explicit PlayTest(Play play) : play_(std::move(play)) {}

  void TestBody() override {
    const std::unique_ptr<GuiDriver> driver = play_.window();
    driver->run([&](ImGuiTestContext* context) {
      for (const Scene& scene : play_.scenes) {
        clear_stage(*driver, context);
        if (scene.set_up) scene.set_up(*driver, context);
        if (context->IsError()) return;
        for (const Format& format : scene.formats)
          take(*driver, context, scene, format);
      }
    });
  }

 private:
  Play play_;
};

// Before anything has been computed.
TEST(FirstMoment, Pictures) {
  for (const Theme theme : {Theme::kDark, Theme::kLight}) {
    GuiDriver driver(kUsual.size);
    driver.app().view.theme = theme;
    const Picture picture = driver.lab().picture();
    write_png(screenshot_folder / file_name({"first_moment"}, kUsual, theme), picture);
  }
}

void register_plays(const std::vector<Play>& plays) {
  for (const Play& play : plays) {
    testing::RegisterTest("Scenes", play.name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [play]() -> testing::Test* { return new PlayTest(play); });
  }
}

}  // namespace

std::filesystem::path screenshot_folder;

void write(const std::string& name, const Picture& picture, Size size) {
  ASSERT_EQ(picture.size, size);
  write_png(screenshot_folder / (name + ".png"), picture);
}

}  // namespace dispersion

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc != 2) return 2;
  dispersion::screenshot_folder = argv[1];
  std::filesystem::create_directories(dispersion::screenshot_folder);
  dispersion::register_plays(dispersion::view_plays());
  dispersion::register_plays(dispersion::run_plays());
  dispersion::register_plays(dispersion::dialog_plays());
  return RUN_ALL_TESTS();
}
