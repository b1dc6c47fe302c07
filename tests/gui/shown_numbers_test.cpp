// What the window shows gives back what is meant: a temperature, and the folder of a saved file.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>

#include "app/export/provenance.h"
#include "app/panels/actions.h"
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
      for (const FigureSnapshot& shown : figure_snapshots(driver.app())) {
        const std::string_view theta = provenance_value(shown.figure->provenance, "temperature");
        if (shown.name != "training") {
          EXPECT_EQ(theta, typed) << shown.name;
        }
      }
      context->ItemClick("**/temperature θ/##number");
      context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_A);
      context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_C);
      EXPECT_STREQ(ImGui::GetClipboardText(), typed);
      context->KeyPress(ImGuiKey_Escape);
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
    driver.app().saved = std::filesystem::path(folder / "a") / "figure.pdf";
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
    // From the report of a file that was saved, by its key, and in the palette.
    const std::filesystem::path saved = std::filesystem::path(folder / "b") / "figure.pdf";
    add_report(driver.app(), {.text = "Saved " + saved.string(), .saved = saved});
    context->Yield(2);
    const auto opens = [&](const std::function<void()>& act) {
      std::filesystem::remove(folder / "asked");
      act();
      EXPECT_TRUE(driver.wait_for(context, [&] { return asked() == folder / "b"; })) << asked();
    };
    opens([&] { context->ItemClick("**/###report folder"); });
    opens([&] { context->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_E); });
    opens([&] {
      context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_K);
      context->KeyChars("folder of the last");
      context->KeyPress(ImGuiKey_Enter);
    });
  });
  ::setenv("PATH", path.c_str(), 1);
}

}  // namespace
}  // namespace dispersion
