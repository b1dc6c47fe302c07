// What the window shows gives back what is meant: a temperature, the axis of a run that diverges,
// and the age of what lags behind while a head is trained.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>

#include "app/export/figure_format.h"
#include "app/export/provenance.h"
#include "app/panels/actions.h"
#include "app/session/export_worker.h"
#include "app/window/desktop_programs.h"
#include "tests/core/temporary_folder.h"
#include "tests/gui/driver.h"

namespace dispersion {
namespace {

constexpr Size kWindowSize = {1440, 900};

TEST(ShownNumbers, ATemperatureIsShownAsItWasTypedOrAsRounded) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    for (const auto& [typed, strip] :
         {std::pair("0.125", "θ = 0.125"), {"0.33333333", "θ ≈ 0.333"}}) {
      context->ItemClick("**/temperature θ/##number");
      context->KeyCharsReplaceEnter(typed);
      context->Yield(2);
      EXPECT_EQ(driver.app().view.theta, std::strtod(typed, nullptr));
      IM_CHECK(driver.wait_for_picture(context));
      context->Yield(2);
      const HeatmapGrid& grid = driver.lab().panels().figures.grid();
      EXPECT_EQ(grid.strips.at(0).subtitle.text(), strip);
      const std::string copied = everything_shown(driver.app(), driver.lab().panels());
      EXPECT_NE(copied.find("θ\t" + std::string(typed) + "\n"), std::string::npos) << copied;
      for (const FigureSnapshot& shown : figure_snapshots(driver.app(), {})) {
        const std::string_view theta = provenance_value(shown.figure->provenance, "temperature");
        if (shown.name != "training") EXPECT_EQ(theta, typed) << shown.name;
      }
      context->ItemClick("**/temperature θ/##number");
      context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_A);
      context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_C);
      EXPECT_STREQ(ImGui::GetClipboardText(), typed);
      context->KeyPress(ImGuiKey_Escape);
    }
  });
}

// The texts of the ticks at the loss axis of an SVG are apart and short.
TEST(ShownNumbers, TheLossAxisOfADivergingRunCanBeRead) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    Recipe recipe;
    recipe.learning_rate = 1e4;
    driver.lab().session().send(NewRunCommand{recipe, 1});
    IM_CHECK(
        driver.wait_for(context, [&] { return driver.app().status.recipe.learning_rate == 1e4; }));
    context->KeyPress(ImGuiKey_Space);
    IM_CHECK(
        driver.wait_for(context, [&] { return driver.app().status.phase == RunPhase::kDiverged; }));
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().history.size() > 1; }));
    const FigureSnapshot run = figure_snapshots(driver.app(), {}).back();
    IM_CHECK_STR_EQ(run.name.c_str(), "training");
    const Axis& loss = run.figure->plots.at(0).y;
    EXPECT_GT(loss.high / loss.low, 1e6);
    EXPECT_GE(loss.ticks.size(), 2U);
    EXPECT_LE(loss.ticks.size(), 8U);
    for (std::size_t i = 0; i < loss.ticks.size(); ++i) {
      EXPECT_LE(loss.ticks[i].label.size(), 10U) << loss.ticks[i].label;
      if (i > 0) EXPECT_GE(loss.ticks[i].value / loss.ticks[i - 1].value, 9.9);
    }
  });
}

TEST(ShownNumbers, TheSavedFileIsShownInItsFolder) {
  const TemporaryFolder folder;
  const std::string program = folder / "xdg-open";
  std::ofstream(program) << "#!/bin/sh\nprintf %s \"$1\" > \"" << folder / "asked"
                         << "\"\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const std::string path = std::getenv("PATH");
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    driver.app().exporting.saved = std::filesystem::path(folder / "a") / "figure.pdf";
    ::setenv("PATH", "/nonexistent", 1);
    open_saved_folder(driver.app());
    IM_CHECK(!driver.app().reports.empty());
    EXPECT_FALSE(driver.app().reports.back().ok);
    EXPECT_NE(driver.app().reports.back().text.find("xdg-open"), std::string::npos);
    const std::size_t reports = driver.app().reports.size();
    ::setenv("PATH", (folder.path().string() + ":" + path).c_str(), 1);
    open_saved_folder(driver.app());
    EXPECT_EQ(driver.app().reports.size(), reports);
    const auto asked = [&] {
      std::stringstream text;
      text << std::ifstream(folder / "asked").rdbuf();
      return text.str();
    };
    EXPECT_TRUE(driver.wait_for(context, [&] { return asked() == folder / "a"; })) << asked();
  });
  ::setenv("PATH", path.c_str(), 1);
}

}  // namespace
}  // namespace dispersion
