// Pictures of the window, each a row of a table.
// Usage: gui_screenshots KEPT STATES [--gtest_filter=...]
// KEPT gets the pictures that the project keeps, one per view, size and theme; STATES those of
// other states.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/gui/lesson_walks.h"
#include "tests/gui/scenes.h"

namespace dispersion {
namespace {

namespace fs = std::filesystem;

fs::path kept_folder;
fs::path states_folder;

std::string file_name(const Scene& scene, const Format& format, Theme theme) {
  std::string name = scene.name;
  if (format.name != kUsual.name) name += "_" + format.name;
  for (const char letter : "_" + std::string(theme_name(theme)) + ".png")
    name += letter == ' ' ? '_' : letter;
  return name;
}

// Checks that the picture has its size and the lightness of its theme, and writes it.
void write(const Scene& scene, const Format& format, Theme theme, const Picture& picture) {
  const std::string name = file_name(scene, format, theme);
  EXPECT_EQ(picture.size, format.size) << name;
  const double sum = std::accumulate(picture.rgb.begin(), picture.rgb.end(), 0.0);
  const double lightness = sum / (255.0 * static_cast<double>(picture.rgb.size()));
  EXPECT_EQ(lightness > 0.5, theme == Theme::kLight) << name << " has " << lightness;
  EXPECT_GT(lightness, 0.01) << name << " is empty";
  write_png((scene.kept ? kept_folder : states_folder) / name, picture);
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
  driver.lab().panels().experiment_settings = false;
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
    write(scene, format, theme, driver.grab(context));
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
  GuiDriver driver(kUsual.size);
  driver.app().view.theme = Theme::kLight;
  write({"first_moment"}, kUsual, Theme::kLight, driver.lab().picture());
}

std::vector<Play> all_plays() {
  std::vector<Play> all;
  for (const auto& plays : {view_plays(), run_plays(), dialog_plays(), file_plays(),
                            comparison_plays(), presentation_plays()})
    all.insert(all.end(), plays.begin(), plays.end());
  return all;
}

// The names of the pictures, and those of them that the project keeps.
struct Names {
  std::set<std::string> all;
  std::set<std::string> kept;
  std::set<std::string> twice;
};

Names names() {
  Names found;
  found.all = found.kept = lesson_sheets();
  for (const Play& play : all_plays()) {
    for (const Scene& scene : play.scenes) {
      for (const Format& format : scene.formats) {
        for (const Theme theme : scene.themes) {
          const std::string name = file_name(scene, format, theme);
          if (!found.all.insert(name).second) found.twice.insert(name);
          if (scene.kept) found.kept.insert(name);
        }
      }
    }
  }
  return found;
}

std::set<std::string> files_in(const fs::path& folder) {
  std::set<std::string> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    files.insert(entry.path().filename());
  return files;
}

// The project has exactly the pictures of the table. The target "screenshots" renews them; one that
// is in no scene any more is removed by hand.
TEST(KeptPictures, AreThoseOfTheScenes) {
  const Names expected = names();
  EXPECT_EQ(expected.twice, std::set<std::string>());
  EXPECT_EQ(files_in(fs::path(DISPERSION_SOURCE_DIR) / "screenshots"), expected.kept);
}

void register_plays() {
  for (const Play& play : all_plays()) {
    testing::RegisterTest("Scenes", play.name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [play]() -> testing::Test* { return new PlayTest(play); });
  }
}

}  // namespace

std::unique_ptr<GuiDriver> new_window() {
  return std::make_unique<GuiDriver>(kLargest);
}

void count_sets(GuiDriver& driver, ImGuiTestContext* context, std::int64_t sets) {
  IM_CHECK(driver.wait_for_picture(context));
  const auto enough = [sets](const SizeRow& row) { return row.sets >= sets; };
  IM_CHECK(driver.wait_for(
      context,
      [&] {
        return driver.app().snapshot && std::ranges::all_of(driver.app().snapshot->rows, enough);
      },
      100));
}

}  // namespace dispersion

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc != 3) return 2;
  dispersion::kept_folder = argv[1];
  dispersion::states_folder = argv[2];
  for (const auto& folder : {dispersion::kept_folder, dispersion::states_folder})
    std::filesystem::create_directories(folder);
  dispersion::register_plays();
  dispersion::register_lesson_walks(dispersion::kept_folder, dispersion::states_folder);
  return RUN_ALL_TESTS();
}
