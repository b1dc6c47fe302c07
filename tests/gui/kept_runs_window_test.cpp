// A run that an earlier window has kept is offered: brought back, discarded, or left where it is.

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <thread>
#include <vector>

#include "tests/core/temporary_folder.h"
#include "tests/gui/driver.h"

namespace dispersion {
namespace {

TEST(KeptRunsWindow, OffersWhatWasKept) {
  const TemporaryFolder folder;
  const auto keep = [&](std::uint32_t seed) {
    Checkpoint run;
    run.state = start_training(HeadShape(), seed);
    run.state.step = 500;
    run.metadata["origin"] = "of another day";
    return keep_run(folder.path(), run);
  };
  const std::vector<std::filesystem::path> kept = {keep(9), keep(8), keep(7)};
  for (std::size_t i = 0; i < kept.size(); ++i) {  // the last is the newest
    std::filesystem::last_write_time(kept[i], std::filesystem::file_time_type::clock::now() -
                                                  std::chrono::hours(kept.size() - i));
  }
  GuiDriver driver({1600, 1000}, {}, {}, {.folder = folder.path()});
  driver.run([&](ImGuiTestContext* context) {
    AppState& app = driver.app();
    context->ItemClick("**/###kept back");
    IM_CHECK(driver.wait_for(context, [&] { return app.status.seed == 7; }));
    IM_CHECK_EQ(app.status.step, 500);
    IM_CHECK_STR_EQ(app.status.head_source.c_str(), "of another day");
    IM_CHECK(std::filesystem::exists(kept[2]));  // until it is saved or kept anew
    const auto wait_out_double_click = [] { std::this_thread::sleep_for(std::chrono::seconds(1)); };
    wait_out_double_click();
    // The second press of a double click does not answer the next offer too.
    context->ItemDoubleClick("**/###kept discard");
    IM_CHECK(driver.wait_for(context, [&] { return !std::filesystem::exists(kept[1]); }));
    IM_CHECK_EQ(app.kept_runs.size(), 1U);
    IM_CHECK(std::filesystem::exists(kept[0]));
    wait_out_double_click();
    context->ItemClick("**/###kept later");
    IM_CHECK(app.kept_runs.empty());
    IM_CHECK(std::filesystem::exists(kept[0]));
    IM_CHECK(app.reports.empty());
  });
}

TEST(KeptRunsWindow, CtrlZBringsBackTheCurvesToo) {
  GuiDriver driver;
  driver.run([&](ImGuiTestContext* context) {
    AppState& app = driver.app();
    context->ItemClick("**/New seed");
    context->ItemClick("**/###play");
    IM_CHECK(driver.trains_to(context, 20));
    context->KeyPress(ImGuiKey_Space);
    IM_CHECK(driver.wait_for(context, [&] { return app.status.phase == RunPhase::kPaused; }));
    const std::uint32_t seed = app.status.seed;
    const std::int64_t step = app.status.step;
    IM_CHECK_EQ(static_cast<std::int64_t>(app.history.size()), step);
    context->KeyPress(ImGuiKey_N);
    IM_CHECK(driver.wait_for(context, [&] { return app.status.seed == seed + 1; }));
    IM_CHECK(app.history.empty());
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    IM_CHECK(driver.wait_for(context, [&] { return app.status.seed == seed; }));
    IM_CHECK_EQ(app.status.step, step);
    IM_CHECK(driver.wait_for(
        context, [&] { return static_cast<std::int64_t>(app.history.size()) == step; }));
  });
}

}  // namespace
}  // namespace dispersion
