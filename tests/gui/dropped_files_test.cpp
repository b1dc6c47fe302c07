// Files dropped on the window: heads, folders, figures.

#include "tests/gui/driver.h"  // before GLFW's header

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <array>
#include <string>

#include "app/session/state_string.h"
#include "tests/gui/file_dialog_fixture.h"

namespace dispersion {
namespace {

namespace fs = std::filesystem;

constexpr Size kWindowSize = {1440, 900};

class DroppedFiles : public FileDialogWindow {};

// What GLFW does when files are dropped.
void drop(Window& window, const fs::path& path) {
  const GLFWdropfun callback = glfwSetDropCallback(window.handle(), nullptr);
  glfwSetDropCallback(window.handle(), callback);
  ASSERT_NE(callback, nullptr);
  std::array<const char*, 1> paths = {path.c_str()};
  callback(window.handle(), 1, paths.data());
}

TEST_F(DroppedFiles, ADroppedHeadIsOpenedAndADroppedFolderListed) {
  GuiDriver driver(kWindowSize, {}, {}, {}, recent_list());
  driver.run([&](ImGuiTestContext* context) {
    const Dialog dialog = {driver, context};
    IM_CHECK(driver.wait_for_picture(context));
    drop(driver.lab().window(), head_file(10));
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().status.seed == 10; }));
    IM_CHECK(driver.wait_for(context, [&] { return !driver.app().reports.empty(); }));
    EXPECT_TRUE(driver.app().reports.back().ok);
    drop(driver.lab().window(), runs() / "notes.txt");
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().reports.size() == 2; }));
    EXPECT_NE(driver.app().reports.back().text.find("notes.txt"), std::string::npos);
    EXPECT_EQ(driver.app().status.seed, 10U);
    drop(driver.lab().window(), runs());
    IM_CHECK(dialog.listed(runs()));
    EXPECT_EQ(dialog.text(), "~/runs/");
  });
}

// Exports the figure in view to the file, with the dialog, which closes then.
bool exported(GuiDriver& driver, ImGuiTestContext* context, const fs::path& file) {
  ExportState& exporting = driver.app().exporting;
  context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
  context->Yield(3);
  exporting.settings.path = file;
  path_typed(exporting);
  exporting.save = true;
  return driver.wait_for(context, [&] { return fs::exists(file) && !exporting.open; });
}

TEST_F(DroppedFiles, ADroppedFigureBringsTheStateThatItShows) {
  GuiDriver driver(kWindowSize, {}, {}, {}, recent_list());
  driver.run([&](ImGuiTestContext* context) {
    AppState& app = driver.app();
    IM_CHECK(driver.wait_for_picture(context));
    app.view.theta = 0.375;
    IM_CHECK(driver.wait_for_picture(context));
    IM_CHECK(exported(driver, context, home_ / "figure.svg"));
    app.view.theta = 2;
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    context->Yield(3);
    EXPECT_TRUE(app.exporting.open);
    drop(driver.lab().window(), home_ / "figure.svg");
    IM_CHECK(driver.wait_for(context, [&] { return app.view.theta == 0.375; }));
    context->Yield(2);
    EXPECT_FALSE(app.exporting.open);  // it would show another view's figures
    // That is a step of undo.
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    IM_CHECK(driver.wait_for(context, [&] { return app.view.theta == 2; }));
    context->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z);
    IM_CHECK(driver.wait_for(context, [&] { return app.view.theta == 0.375; }));
  });
}

// One of another program, and one whose state is damaged: the message says which file it was, or
// what is wrong with it.
TEST_F(DroppedFiles, ADroppedFigureWithoutAStateChangesNothing) {
  GuiDriver driver(kWindowSize, {}, {}, {}, recent_list());
  driver.run([&](ImGuiTestContext* context) {
    AppState& app = driver.app();
    IM_CHECK(driver.wait_for_picture(context));
    IM_CHECK(exported(driver, context, home_ / "figure.svg"));
    app.view.theta = 2;
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    context->Yield(3);
    const std::string before = state_string(app);
    const auto says = [&](const fs::path& file, const std::string& text) {
      const std::size_t reports = app.reports_added;
      drop(driver.lab().window(), file);
      return driver.wait_for(context, [&] { return app.reports_added > reports; }) &&
             !app.reports.back().ok && app.reports.back().text.find(text) != std::string::npos;
    };
    write_bytes(home_ / "foreign.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>");
    IM_CHECK(says(home_ / "foreign.svg", "foreign.svg"));
    std::string figure = read_bytes(home_ / "figure.svg");
    figure.replace(figure.find(kStateBegin) + kStateBegin.size(), 8, "AAAAAAAA");
    write_bytes(home_ / "damaged.svg", figure);
    IM_CHECK(says(home_ / "damaged.svg", "state"));
    context->Yield(3);
    EXPECT_TRUE(app.exporting.open);
    IM_CHECK_STR_EQ(state_string(app).c_str(), before.c_str());
  });
}

}  // namespace
}  // namespace dispersion
