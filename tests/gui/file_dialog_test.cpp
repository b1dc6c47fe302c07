// The dialog in which heads are opened and saved.

#include <filesystem>
#include <string>
#include <vector>

#include "app/panels/file_dialog.h"
#include "core/figure/number_text.h"
#include "tests/gui/file_dialog_fixture.h"
#include "tests/gui/screen_text.h"

namespace dispersion {
namespace {

namespace fs = std::filesystem;

constexpr Size kWindowSize = {1440, 900};

TEST_F(FileDialogWindow, AFolderIsEnteredByAClickAndAHeadOpenedByTwo) {
  GuiDriver driver(kWindowSize, {}, {}, {}, recent_list());
  driver.run([&](ImGuiTestContext* context) {
    const Dialog dialog = {driver, context};
    IM_CHECK(driver.wait_for_picture(context));
    IM_CHECK(dialog.opens(home_.path()));
    EXPECT_EQ(dialog.text(), "~/");
    dialog.click(0);
    EXPECT_EQ(dialog.text(), "~/runs/");
    IM_CHECK(dialog.listed(runs()));
    context->Yield(2);
    EXPECT_EQ(driver.lab().panels().files->shown.size(), 3U);  // the text is not shown
    dialog.click(1);
    EXPECT_EQ(dialog.text(), "~/runs/seed2.safetensors");
    EXPECT_EQ(driver.app().status.seed, 1U);
    context->SleepNoSkip(1, 0.5F);
    dialog.click(2, true);
    IM_CHECK(dialog.closed());
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().status.seed == 10; }));
    EXPECT_EQ(driver.app().status.step, 510);
    // It is the newest recent file, here and on disk, and the next dialog begins in its folder.
    IM_CHECK(driver.wait_for(context, [&] { return !driver.app().files.recent.empty(); }));
    EXPECT_EQ(driver.app().files.recent.front().path, head_file(10));
    EXPECT_EQ(load_recent_files(recent_list()).files.front().path, head_file(10));
    dialog.open();
    EXPECT_EQ(dialog.text(), "~/runs/");
  });
}

TEST_F(FileDialogWindow, AListThatIsCutSaysHowManyFilesItHas) {
  GuiDriver driver(kWindowSize, {}, {}, {}, recent_list());
  driver.run([&](ImGuiTestContext* context) {
    const Dialog dialog = {driver, context};
    IM_CHECK(driver.wait_for_picture(context));
    IM_CHECK(dialog.opens(home_.path()));
    driver.app().files.listing.cut = true;
    const std::string most =
        with_plain_spaces(grouped_text(std::int64_t{FolderListing::kMostEntries}));
    const std::string text = text_on_screen(context);
    EXPECT_NE(text.find("Only the first " + most + " files"), std::string::npos) << text;
  });
}

TEST_F(FileDialogWindow, EnterOpensWhatWasClicked) {
  GuiDriver driver(kWindowSize, {}, {}, {}, recent_list());
  driver.run([&](ImGuiTestContext* context) {
    const Dialog dialog = {driver, context};
    IM_CHECK(driver.wait_for_picture(context));
    dialog.open();
    context->KeyCharsReplace("~/runs/");
    IM_CHECK(dialog.listed(runs()));
    context->Yield(2);
    dialog.click(1);
    context->KeyPress(ImGuiKey_Enter);
    IM_CHECK(dialog.closed());
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().status.seed == 2; }));
  });
}

TEST_F(FileDialogWindow, ARecentFileIsOpenedByAClick) {
  add_recent_file(recent_list(), head_file(2));
  add_recent_file(recent_list(), runs() / "gone.safetensors");
  GuiDriver driver(kWindowSize, {}, {}, {}, recent_list());
  driver.run([&](ImGuiTestContext* context) {
    const Dialog dialog = {driver, context};
    IM_CHECK(driver.wait_for_picture(context));
    dialog.open();
    context->ItemClick("**/$$0/recent");
    IM_CHECK(driver.wait_for(context, [&] { return !dialog.entry().error.empty(); }));
    EXPECT_NE(dialog.entry().error.find("gone.safetensors"), std::string::npos);
    // The whole message can be copied.
    context->ItemClick("**/###copy error");
    EXPECT_EQ(std::string(ImGui::GetClipboardText()), dialog.entry().error);
    context->ItemClick("**/$$1/recent");
    IM_CHECK(dialog.closed());
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().status.seed == 2; }));
  });
}

TEST_F(FileDialogWindow, AShippedHeadIsOpenedWithItsCurves) {
  GuiDriver driver(kWindowSize, {}, {}, {}, recent_list());
  driver.run([&](ImGuiTestContext* context) {
    const Dialog dialog = {driver, context};
    IM_CHECK(driver.wait_for_picture(context));
    const AppState& app = driver.app();
    const ExperimentHead& fourth = app.shipped->heads.at(3);
    const std::string hash = app.status.run_hash;
    dialog.open();
    context->ItemClick("**/$$3/shipped");
    IM_CHECK(dialog.closed());
    IM_CHECK(driver.wait_for(context, [&] { return app.status.seed == fourth.state->seed; }));
    EXPECT_EQ(app.status.step, fourth.state->step);
    EXPECT_NE(app.status.run_hash, hash);
    EXPECT_EQ(app.status.run_hash, run_hash(fourth.recipe, *fourth.state));
    EXPECT_NE(app.status.head_source.find("the lab's trained head, seed"), std::string::npos);
    IM_CHECK(app.status.earlier != nullptr);
    EXPECT_EQ(app.status.earlier->front().seed, fourth.state->seed);
    EXPECT_EQ(app.status.earlier->back().step, fourth.state->step);
    EXPECT_TRUE(app.files.recent.empty());  // it is no file
  });
}

TEST_F(FileDialogWindow, TabCompletesAndTheArrowsGoThroughTheList) {
  GuiDriver driver(kWindowSize, {}, {}, {}, recent_list());
  driver.run([&](ImGuiTestContext* context) {
    const Dialog dialog = {driver, context};
    IM_CHECK(driver.wait_for_picture(context));
    dialog.open();
    context->KeyCharsReplace("r");  // a name alone is one in the folder that is shown
    context->KeyPress(ImGuiKey_Tab);
    IM_CHECK(driver.wait_for(context, [&] { return dialog.text() == "runs/"; }));
    context->KeyCharsReplace("~/r");
    context->KeyPress(ImGuiKey_Tab);
    IM_CHECK(driver.wait_for(context, [&] { return dialog.text() == "~/runs/"; }));
    context->KeyChars("seed");
    context->KeyPress(ImGuiKey_Tab);
    context->KeyChars("1");
    context->KeyPress(ImGuiKey_Tab);  // seed1 or seed10
    context->Yield(2);
    EXPECT_EQ(dialog.text(), "~/runs/seed1");
    context->KeyChars("0");
    context->KeyPress(ImGuiKey_Tab);
    IM_CHECK(
        driver.wait_for(context, [&] { return dialog.text() == "~/runs/seed10.safetensors"; }));
    context->KeyPress(ImGuiKey_UpArrow);
    EXPECT_EQ(dialog.text(), "~/runs/seed2.safetensors");
    context->KeyPress(ImGuiKey_UpArrow);
    context->KeyPress(ImGuiKey_UpArrow);
    EXPECT_EQ(dialog.text(), "~/runs/seed1.safetensors");
    context->KeyPress(ImGuiKey_DownArrow);
    context->KeyPress(ImGuiKey_Enter);
    IM_CHECK(dialog.closed());
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().status.seed == 2; }));
  });
}

TEST_F(FileDialogWindow, SortsByTimeAndShowsAllFilesWhenAsked) {
  GuiDriver driver(kWindowSize, {}, {}, {}, recent_list());
  driver.run([&](ImGuiTestContext* context) {
    const Dialog dialog = {driver, context};
    IM_CHECK(driver.wait_for_picture(context));
    fs::last_write_time(head_file(2), fs::file_time_type::clock::now() + std::chrono::hours(2));
    dialog.open();
    context->KeyCharsReplace("~/runs/");
    IM_CHECK(dialog.listed(runs()));
    const auto first = [&] {
      context->Yield(2);
      return driver.lab().panels().files->shown.front().name;
    };
    EXPECT_EQ(first(), "seed1.safetensors");
    context->ItemClick("**/changed");
    EXPECT_EQ(first(), "seed2.safetensors");
    context->ItemClick("**/name");
    EXPECT_EQ(first(), "seed1.safetensors");
    context->ItemClick("**/name");
    EXPECT_EQ(first(), "seed10.safetensors");
    context->ItemClick("**/name");
    context->ItemClick("**/all files");
    EXPECT_EQ(first(), "notes.txt");
    context->ItemClick("**/###up");
    EXPECT_EQ(dialog.text(), "~/");
  });
}

TEST_F(FileDialogWindow, SavesIntoTheFolderThatWasEnteredAndAsksBeforeItReplaces) {
  GuiDriver driver(kWindowSize, {}, {}, {}, recent_list());
  driver.run([&](ImGuiTestContext* context) {
    const Dialog dialog = {driver, context};
    IM_CHECK(driver.wait_for_picture(context));
    const std::string before = read_bytes(head_file(1));
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_S);
    context->Yield(4);
    const std::string name = "head-seed1-step100000.safetensors";
    EXPECT_EQ(dialog.text(), "~/" + name);
    IM_CHECK(dialog.listed(home_.path()));
    dialog.click(0);
    EXPECT_EQ(dialog.text(), "~/runs/" + name);
    IM_CHECK(dialog.listed(runs()));
    context->Yield(2);
    dialog.click(0);  // a head that is there
    EXPECT_EQ(dialog.text(), "~/runs/seed1.safetensors");
    context->ItemClick("**/###confirm");
    context->Yield(2);
    EXPECT_TRUE(dialog.entry().overwrite);
    EXPECT_EQ(read_bytes(head_file(1)), before);
    context->ItemClick("**/###confirm");
    IM_CHECK(dialog.closed());
    EXPECT_NE(read_bytes(head_file(1)), before);
    EXPECT_EQ(driver.app().saved, head_file(1));
    EXPECT_EQ(load_checkpoint(head_file(1)).state.step, 100'000);
  });
}

TEST_F(FileDialogWindow, KeepsTheBytesOfNamesThatAreNoText) {
  const fs::path odd = home_ / "odd \xff";
  fs::create_directories(odd);
  fs::rename(head_file(10), odd / "\xfe ü模型🐨.safetensors");
  GuiDriver driver(kWindowSize, {}, {}, {}, recent_list());
  driver.run([&](ImGuiTestContext* context) {
    const Dialog dialog = {driver, context};
    IM_CHECK(driver.wait_for_picture(context));
    IM_CHECK(dialog.opens(home_.path()));
    dialog.click(0);
    IM_CHECK(dialog.listed(odd));
    context->Yield(2);
    dialog.click(0);
    EXPECT_EQ(dialog.text(), "~/odd \\xff/\\xfe ü模型🐨.safetensors");
    context->ItemClick("**/###confirm");
    IM_CHECK(dialog.closed());
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().status.seed == 10; }));
  });
}

TEST_F(FileDialogWindow, EscLeavesEverythingAsItWas) {
  GuiDriver driver(kWindowSize, {}, {}, {}, recent_list());
  driver.run([&](ImGuiTestContext* context) {
    const Dialog dialog = {driver, context};
    IM_CHECK(driver.wait_for_picture(context));
    dialog.open();
    context->KeyChars("nr t1 a");
    context->KeyPress(ImGuiKey_Escape);
    context->Yield(3);
    IM_CHECK(dialog.entry().purpose == PathEntry::Purpose::kNone);
    EXPECT_EQ(driver.app().view.theme, Theme::kDark);
    EXPECT_EQ(driver.app().status.seed, 1U);
    context->KeyPress(ImGuiKey_T);  // keys work again
    EXPECT_EQ(driver.app().view.theme, Theme::kLight);
  });
}

TEST_F(FileDialogWindow, ASmallWindowShowsOneListAtATime) {
  add_recent_file(recent_list(), head_file(2));
  GuiDriver driver({1280, 720}, {}, {}, {}, recent_list());
  driver.run([&](ImGuiTestContext* context) {
    const Dialog dialog = {driver, context};
    IM_CHECK(driver.wait_for_picture(context));
    driver.app().view.ui_scale = 3;
    context->Yield(2);
    dialog.open();
    context->ItemClick("**/source/Inside the program");
    context->Yield(2);
    IM_CHECK(!context->ItemExists("**/$$0/entry"));
    context->ItemClick("**/source/Recent");
    context->ItemClick("**/$$0/recent");
    IM_CHECK(dialog.closed());
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().status.seed == 2; }));
  });
}

}  // namespace
}  // namespace dispersion
