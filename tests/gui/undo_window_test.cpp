// Undo, redo, the list of steps, and states of the window as text.

#include <gtest/gtest.h>

#include <cfloat>
#include <filesystem>
#include <string>

#include "app/export/figure_file.h"
#include "app/export/provenance.h"
#include "app/panels/actions_table.h"
#include "app/session/run_status.h"
#include "app/session/state_string.h"
#include "app/session/training_stop.h"
#include "core/figure/number_text.h"
#include "core/io/file.h"
#include "tests/gui/driver.h"
#include "tests/gui/screen_text.h"

namespace dispersion {
namespace {

constexpr ImGuiKeyChord kUndo = ImGuiMod_Ctrl | ImGuiKey_Z;
constexpr ImGuiKeyChord kRedo = ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z;

// Two settings with a new run between them.
void make_three_steps(GuiDriver& driver, ImGuiTestContext* context) {
  AppState& app = driver.app();
  IM_CHECK(driver.wait_for(context, [&] { return app.head.state != nullptr; }));
  const std::uint32_t seed = app.status.seed;
  const std::size_t before = app.undo.done().size();
  context->KeyPress(ImGuiKey_RightArrow);
  context->KeyPress(ImGuiKey_N);
  IM_CHECK(driver.wait_for(context, [&] { return app.status.seed == seed + 1; }));
  context->Yield(2);
  context->KeyPress(ImGuiKey_A);
  IM_CHECK_EQ(app.undo.done().size(), before + 3);
}

TEST(UndoWindow, TakesBackSettingsAndRunsInTheOrderOfTime) {
  GuiDriver driver;
  driver.run([&](ImGuiTestContext* context) {
    AppState& app = driver.app();
    make_three_steps(driver, context);
    const UserSettings last = user_settings(app);
    const std::uint32_t seed = app.status.seed;
    context->KeyPress(kUndo);
    context->Yield(2);
    IM_CHECK(is_shown(app.view, TransformId::kAdaptive));
    IM_CHECK_EQ(app.status.seed, seed);
    context->KeyPress(kUndo);
    IM_CHECK(driver.wait_for(context, [&] { return app.status.seed == seed - 1; }));
    IM_CHECK_EQ(app.view.focused_items, 2048);
    context->KeyPress(kUndo);
    context->Yield(2);
    IM_CHECK_EQ(app.view.focused_items, 1024);
    IM_CHECK(app.undo.done().empty());
    for (int i = 0; i < 3; ++i)
      context->KeyPress(kRedo);
    IM_CHECK(driver.wait_for(context, [&] { return app.undo.done().size() == 3; }));
    IM_CHECK_EQ(app.status.seed, seed);
    IM_CHECK(user_settings(app) == last);
  });
}

// The seed that was typed is that of the run which it opened, so that the fields would follow runs.
TEST(UndoWindow, TheFieldsOfARunComeBackAsTheyWere) {
  GuiDriver driver;
  driver.run([&](ImGuiTestContext* context) {
    AppState& app = driver.app();
    IM_CHECK(driver.wait_for(context, [&] { return app.head.state != nullptr; }));
    const std::uint32_t seed = app.status.seed;
    app.run.seed = seed + 1;
    context->Yield(2);
    context->KeyPress(ImGuiKey_N);
    IM_CHECK(driver.wait_for(context, [&] { return app.status.seed == seed + 1; }));
    context->Yield(2);
    const std::size_t steps = app.undo.done().size();
    context->KeyPress(kUndo);
    IM_CHECK(driver.wait_for(context, [&] { return app.undo.undone().size() == 1; }));
    IM_CHECK_EQ(app.status.seed, seed);
    IM_CHECK_EQ(app.run.seed, seed + 1);
    context->KeyPress(kRedo);
    IM_CHECK(driver.wait_for(context, [&] { return app.undo.done().size() == steps; }));
    IM_CHECK_EQ(app.run.seed, seed + 1);
  });
}

TEST(UndoWindow, AKeyForUndoThatComesBeforeTheAnswerIsCarriedOutAfterIt) {
  GuiDriver driver;
  driver.run([&](ImGuiTestContext* context) {
    AppState& app = driver.app();
    IM_CHECK(driver.wait_for(context, [&] { return app.head.state != nullptr; }));
    const std::uint32_t seed = app.status.seed;
    context->KeyPress(ImGuiKey_N);
    context->KeyPress(kUndo);
    IM_CHECK(driver.wait_for(context, [&] { return app.undo.undone().size() == 1; }));
    IM_CHECK_EQ(app.status.seed, seed);
  });
}

// The run and its field are one step.
TEST(UndoWindow, HalvingTheLearningRateIsOneStep) {
  GuiDriver driver;
  driver.run([&](ImGuiTestContext* context) {
    AppState& app = driver.app();
    const auto rate_is = [&](double rate) {
      return [&app, rate] { return app.status.recipe.learning_rate == rate; };
    };
    Recipe recipe;
    recipe.learning_rate = 1e4;
    driver.lab().session().send(NewRunCommand{recipe, 1});
    IM_CHECK(driver.wait_for(context, rate_is(1e4)));
    context->KeyPress(ImGuiKey_Space);
    IM_CHECK(driver.wait_for(context, [&] { return app.status.phase == RunPhase::kDiverged; }));
    context->Yield(2);
    const std::size_t steps = app.undo.done().size();
    context->ItemClick("**/Halve learning rate");
    IM_CHECK(driver.wait_for(context, rate_is(5e3)));
    context->Yield(3);
    IM_CHECK_EQ(app.undo.done().size(), steps + 1);
    IM_CHECK_EQ(app.run.recipe.learning_rate, 5e3);
    context->KeyPress(kUndo);
    IM_CHECK(driver.wait_for(context, rate_is(1e4)));
    context->Yield(3);
    IM_CHECK_EQ(app.undo.done().size(), steps);
    IM_CHECK_EQ(app.run.recipe.learning_rate, 1e4);
  });
}

// Training is not undone, and so it is with the stop that it needs.
TEST(UndoWindow, PlayBeyondTheStopIsNoStep) {
  GuiDriver driver;
  driver.run([&](ImGuiTestContext* context) {
    AppState& app = driver.app();
    driver.lab().session().send(NewRunCommand{{}, 5});
    IM_CHECK(driver.wait_for(context, [&] { return app.status.seed == 5; }));
    app.run.stop_at = 5;
    context->Yield(2);
    context->KeyPress(ImGuiKey_Space);
    IM_CHECK(driver.wait_for(context, [&] { return app.status.phase == RunPhase::kFinished; }));
    IM_CHECK_EQ(app.status.step, 5);
    const std::vector<Action> all = actions(app, driver.lab().panels());
    EXPECT_TRUE(find_action(all, "run.play")->help.ends_with("goes on to step 100\u2009005."));
    const std::size_t steps = app.undo.done().size();
    context->KeyPress(ImGuiKey_Space);
    IM_CHECK(driver.wait_for(context, [&] { return app.status.step > 5; }));
    IM_CHECK_EQ(training_stop(app), 100'005);
    IM_CHECK_EQ(app.undo.done().size(), steps);
    context->KeyPress(ImGuiKey_Space);
    IM_CHECK(driver.wait_for(context, [&] { return app.status.phase == RunPhase::kPaused; }));
    // The stop that was set, where it is before the step that is shown, is not that of this head.
    app.run.stop_at = 4;
    context->Yield(2);
    context->KeyPress(kUndo);
    context->Yield(3);
    IM_CHECK_EQ(app.run.stop_at, 5);
    IM_CHECK_EQ(training_stop(app), 100'005);
    const std::string shown = step_text(app.status) + " of 100\u2009005";
    EXPECT_NE(text_on_screen(context).find(with_plain_spaces(shown)), std::string::npos);
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_H);
    context->Yield(2);
    EXPECT_NE(text_on_screen(context).find("before these, except for training"), std::string::npos);
  });
}

// Whoever copies the state of a head that is kept nowhere is told what becomes of it elsewhere.
TEST(StateWindow, CopyingSaysThatTheHeadIsNotSaved) {
  GuiDriver driver;
  driver.run([&](ImGuiTestContext* context) {
    AppState& app = driver.app();
    IM_CHECK(driver.wait_for(context, [&] { return app.head.state != nullptr; }));
    context->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Alt | ImGuiKey_C);
    context->Yield(2);
    IM_CHECK(app.reports.empty());
    context->KeyPress(ImGuiKey_S);
    IM_CHECK(driver.wait_for(context, [&] { return app.status.step == 1 && !app.status.saved; }));
    context->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Alt | ImGuiKey_C);
    context->Yield(2);
    IM_CHECK_EQ(static_cast<int>(app.reports.size()), 1);
    EXPECT_NE(app.reports.back().text.find("is not saved"), std::string::npos);
  });
}

TEST(UndoWindow, TheListGoesToAnyStep) {
  GuiDriver driver;
  driver.run([&](ImGuiTestContext* context) {
    AppState& app = driver.app();
    make_three_steps(driver, context);
    const UserSettings last = user_settings(app);
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_H);
    context->ItemClick("**/###start");
    IM_CHECK(driver.wait_for(context, [&] { return app.undo.undone().size() == 3; }));
    IM_CHECK_EQ(app.view.focused_items, 1024);
    context->ItemClick("**/###undone1");
    IM_CHECK(driver.wait_for(context, [&] { return app.undo.done().size() == 2; }));
    context->ItemClick("**/###undone0");
    IM_CHECK(driver.wait_for(context, [&] { return app.undo.done().size() == 3; }));
    IM_CHECK(user_settings(app) == last);
    context->KeyPress(ImGuiKey_Escape);
    IM_CHECK(!driver.lab().panels().history_shown);
  });
}

// The sentence between what was done and what was undone touches neither.
TEST(UndoWindow, TheSentenceInTheListStandsFree) {
  GuiDriver driver;
  driver.run([&](ImGuiTestContext* context) {
    make_three_steps(driver, context);
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_H);
    context->ItemClick("**/###start");
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().undo.undone().size() == 3; }));
    context->Yield(2);
    const ImRect above = context->ItemInfo("**/###start").RectFull;
    const ImRect below = context->ItemInfo("**/###undone0").RectFull;
    ImRect sentence(FLT_MAX, FLT_MAX, -FLT_MAX, -FLT_MAX);
    for (const ImRect& letter : letters_of(*context->ItemInfo("**/###start").Window)) {
      if (letter.Min.y >= above.Max.y && letter.Max.y <= below.Min.y) sentence.Add(letter);
    }
    const float free = driver.lab().panels().painter.px(3);
    EXPECT_GT(sentence.Min.y, above.Max.y + free);
    EXPECT_LT(sentence.Max.y, below.Min.y - free);
    // All of it is in the card.
    EXPECT_EQ(context->ItemInfo("**/###start").Window->ScrollMax.y, 0);
  });
}

TEST(StateWindow, ACopiedStateIsOpenedAgain) {
  GuiDriver driver;
  driver.run([&](ImGuiTestContext* context) {
    AppState& app = driver.app();
    IM_CHECK(driver.wait_for(context, [&] { return app.head.state != nullptr; }));
    app.view.theta = 0.1 + 0.2;
    context->KeyPress(ImGuiKey_2);
    const UserSettings kept = user_settings(app);
    const std::string hash = app.status.run_hash;
    context->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Alt | ImGuiKey_C);
    const std::string text = ImGui::GetClipboardText();
    IM_CHECK(text.starts_with("dispersion-lab:1:"));
    make_three_steps(driver, context);
    app.run.stop_at = 7;
    context->KeyPress(ImGuiKey_1);
    ImGui::SetClipboardText(text.c_str());
    context->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Alt | ImGuiKey_V);
    context->Yield(5);
    IM_CHECK_STR_EQ(app.reports.empty() ? "" : app.reports.back().text.c_str(), "");
    IM_CHECK(driver.wait_for(
        context, [&] { return app.status.run_hash == hash; }, 10));
    context->Yield(3);
    IM_CHECK_STR_EQ(difference_text(kept, user_settings(app)).c_str(), "");
    IM_CHECK(user_settings(app) == kept);
  });
}

TEST(StateWindow, SaysWhatIsWrongAndWhichHeadWasNotFound) {
  GuiDriver driver;
  driver.run([&](ImGuiTestContext* context) {
    AppState& app = driver.app();
    IM_CHECK(driver.wait_for(context, [&] { return app.head.state != nullptr; }));
    const UserSettings before = user_settings(app);
    ImGui::SetClipboardText("a shopping list");
    context->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Alt | ImGuiKey_V);
    context->Yield(2);
    IM_CHECK_EQ(static_cast<int>(app.reports.size()), 1);
    IM_CHECK(app.reports.back().text.starts_with("the state: should begin with"));
    IM_CHECK(user_settings(app) == before);

    UserSettings other = before;
    other.view.theta = 0.5;
    HeadName head;
    head.run_hash = "0123456789abcdef";
    head.seed = 3;
    ImGui::SetClipboardText(encode_state(other, head).c_str());
    context->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Alt | ImGuiKey_V);
    IM_CHECK(driver.wait_for(context, [&] { return app.reports.size() == 2; }));
    IM_CHECK(app.reports.back().text.find("was not found: seed 3, step 0,") != std::string::npos);
    IM_CHECK(user_settings(app) == other);
  });
}

// A picture of the window brings the window back as it was.
TEST(StateWindow, AnExportedFigureHasItsState) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / "dispersion_state.svg";
  std::filesystem::remove(file);
  GuiDriver driver;
  driver.run([&](ImGuiTestContext* context) {
    AppState& app = driver.app();
    IM_CHECK(driver.wait_for_picture(context));
    app.view.theta = 0.25;
    IM_CHECK(driver.wait_for_picture(context));
    const UserSettings kept = user_settings(app);
    open_export(app);
    app.exporting.settings.path = file;
    path_typed(app.exporting);
    app.exporting.save = true;
    IM_CHECK(driver.wait_for(context, [&] { return std::filesystem::exists(file); }));
    close_export(app.exporting);
    const auto provenance = stored_provenance(file, read_exported_file(file));
    app.view.theta = 1;
    ImGui::SetClipboardText(std::string(provenance_value(provenance, "state")).c_str());
    context->Yield(3);
    context->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Alt | ImGuiKey_V);
    context->Yield(3);
    IM_CHECK(user_settings(app) == kept);
    IM_CHECK(driver.wait_for(context, [&] { return app.status.commands_done > 0; }));
    IM_CHECK(app.reports.empty() || app.reports.back().ok);
  });
  std::filesystem::remove(file);
}

TEST(RestartWindow, ComesBackAsItWasLeft) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / "dispersion_restart";
  std::filesystem::remove_all(folder);
  ViewSettings left;
  {
    GuiDriver driver({1000, 700}, folder / "settings.json");
    driver.run([&](ImGuiTestContext* context) {
      driver.app().view.theta = 1.0 / 3;
      driver.app().view.rule.gate = 0.125;
      use_style(driver.app().exporting.settings, "paper");
      driver.app().exporting.settings.path = "/home/me/figures/fit.svg";
      context->KeyPress(ImGuiKey_RightArrow);
      context->KeyPress(ImGuiKey_A);
      context->KeyPress(ImGuiKey_3);
      left = driver.app().view;
    });
    driver.lab().window().close();
    driver.lab().run();  // it ends at once, and keeps what it keeps at the end
  }
  GuiDriver again({1000, 700}, folder / "settings.json");
  EXPECT_TRUE(again.app().view == left);
  EXPECT_EQ(left.focused_items, 2048);
  EXPECT_EQ(again.app().exporting.settings.style, "paper");
  EXPECT_EQ(again.app().exporting.settings.path, "/home/me/figures/fit.svg");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace dispersion
