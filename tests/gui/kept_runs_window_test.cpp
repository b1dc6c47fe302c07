// A run that an earlier window has kept is offered: brought back, discarded, or left where it is.

#include <gtest/gtest.h>

#include <filesystem>

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
  const std::vector<std::filesystem::path> kept = {keep(7), keep(8), keep(9)};
  GuiDriver driver;
  driver.run([&](ImGuiTestContext* context) {
    AppState& app = driver.app();
    app.kept_runs = kept;
    context->ItemClick("**/###kept back");
    IM_CHECK(driver.wait_for(context, [&] { return app.status.seed == 7; }));
    IM_CHECK_EQ(app.status.step, 500);
    IM_CHECK_STR_EQ(app.status.head_source.c_str(), "of another day");
    IM_CHECK(std::filesystem::exists(kept[0]));  // until it is saved or kept anew
    context->ItemClick("**/###kept discard");
    IM_CHECK(driver.wait_for(context, [&] { return !std::filesystem::exists(kept[1]); }));
    context->ItemClick("**/###kept later");
    IM_CHECK(app.kept_runs.empty());
    IM_CHECK(std::filesystem::exists(kept[2]));
    IM_CHECK(app.reports.empty());
  });
}

}  // namespace
}  // namespace dispersion
