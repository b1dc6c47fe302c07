// Writes the screenshots that README shows. Usage: gui_screenshots FOLDER

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>

#include "app/panels/actions.h"
#include "tests/gui/driver.h"
#include "tests/gui/pretended_device.h"
#include "tests/gui/screenshot_folder.h"

namespace dispersion {
namespace {

// Points at a cell in the right half of the frame of this n, so that the panel of the pointer has
// values to show.
void point_at(ImGuiTestContext* context, int strip, int items) {
  const std::string item =
      "**/$$" + std::to_string(strip) + "/$$" + std::to_string(items) + "/frame";
  const ImGuiTestItemInfo info = context->ItemInfo(item.c_str());
  IM_CHECK(info.ID != 0);
  const ImRect box = info.RectFull;
  context->MouseMoveToPos(
      {box.Min.x + box.GetWidth() * 13.5F / 16, box.Min.y + box.GetHeight() * 11.5F / 32});
}

// Whether the accuracy of every size has been counted over at least this many sets.
bool counted(const AppState& app, std::int64_t sets) {
  return app.snapshot && std::ranges::all_of(app.snapshot->rows,
                                             [&](const SizeRow& row) { return row.sets >= sets; });
}

TEST(Screenshots, ShippedHead) {
  const Size size = {1600, 1000};
  GuiDriver driver(size);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    driver.wait_for(
        context, [&] { return counted(driver.app(), 512); }, 100);
    driver.app().view.theme = Theme::kDark;
    point_at(context, 1, 1024);
    write("window_dark", driver.grab(context), size);
    driver.app().view.theme = Theme::kLight;
    write("window_light", driver.grab(context), size);
    driver.app().view.theme = Theme::kDark;
    context->ItemClick("**/###rule");
    context->MouseMoveToPos({1250, 985});
    IM_CHECK(driver.wait_for_picture(context));
    write("rule", driver.grab(context), size);
    context->ItemClick("**/###rule");
    context->MouseMoveToPos({1250, 985});
    context->KeyPress(ImGuiKey_F1);
    write("keys", driver.grab(context), size);
    context->KeyPress(ImGuiKey_F1);
    context->KeyPress(ImGuiKey_A);
    IM_CHECK(driver.wait_for_picture(context));
    write("softmax_only", driver.grab(context), size);
  });
}

TEST(Screenshots, Training) {
  const Size size = {1600, 1000};
  GuiDriver driver(size);
  driver.run([&](ImGuiTestContext* context) {
    driver.app().run.stop_at = 20'000;
    driver.lab().session().send(NewRunCommand{Recipe(), 1});
    context->Yield(3);
    context->ItemClick("**/###play");
    context->MouseMoveToPos({1250, 985});
    IM_CHECK(driver.trains_to(context, 3000, 120));
    write("training", driver.grab(context), size);
  });
}

TEST(Screenshots, Diverged) {
  const Size size = {1600, 1000};
  GuiDriver driver(size);
  driver.run([&](ImGuiTestContext* context) {
    Recipe recipe;
    recipe.learning_rate = 1e4;
    driver.app().run.recipe = recipe;
    driver.lab().session().send(NewRunCommand{recipe, 1});
    context->Yield(3);
    context->ItemClick("**/###play");
    IM_CHECK(driver.wait_for(
        context, [&] { return driver.app().status.phase == RunPhase::kDiverged; }, 60));
    context->MouseMoveToPos({1250, 985});
    driver.wait_for_picture(context, 10);
    write("diverged", driver.grab(context), size);
  });
}

TEST(Screenshots, Backend) {
  const Size size = {1600, 1000};
  const auto device = std::make_shared<PretendedDevice>();
  GuiDriver driver(size, {}, with_device(device));
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().status.memory.has_value(); }));
    context->SetRef(context->WindowInfo("//lab/controls").Window);
    context->ItemClick("backend/##choice");
    write("backend", driver.grab(context), size);
    context->ItemClick("//$FOCUSED/automatic");
    context->ItemClick("**/New seed");
    context->ItemClick("**/###play");
    IM_CHECK(driver.trains_to(context, 200));
    device->lost = true;
    IM_CHECK(driver.wait_for(context,
                             [&] { return driver.app().status.phase == RunPhase::kDeviceLost; }));
    context->MouseMoveToPos({1250, 985});
    write("device_lost", driver.grab(context), size);
  });
}

TEST(Screenshots, Projector) {
  const Size size = {1280, 720};
  GuiDriver driver(size);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    context->KeyPress(ImGuiKey_P);
    write("projector", driver.grab(context), size);
    context->KeyPress(ImGuiKey_P);
    driver.app().view.ui_scale = 3;
    write("three_times", driver.grab(context), size);
    context->ItemClick("**/Curves");
    write("three_times_curves", driver.grab(context), size);
    context->ItemClick("**/Controls");
    write("three_times_controls", driver.grab(context), size);
  });
}

TEST(Screenshots, Laptop) {
  const Size size = {1440, 900};
  GuiDriver driver(size);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    driver.wait_for(
        context, [&] { return counted(driver.app(), 64); }, 60);
    write("laptop", driver.grab(context), size);
  });
}

TEST(Screenshots, SmallWindows) {
  GuiDriver driver({1280, 800});
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_S);
    write("saving", driver.grab(context), {1280, 800});
    context->ItemClick("**/Cancel");
    driver.lab().window().resize({1000, 700});
    write("medium", driver.grab(context), {1000, 700});
    driver.lab().window().resize({600, 420});
    write("small", driver.grab(context), {600, 420});
  });
}

TEST(Screenshots, FirstMoment) {
  const Size size = {1600, 1000};
  GuiDriver driver(size);
  const Picture picture = driver.lab().picture();
  write("first_moment", picture, size);
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
  return RUN_ALL_TESTS();
}
