// Screenshots of the export dialog.

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>

#include "tests/gui/driver.h"
#include "tests/gui/screenshot_folder.h"
#include "tests/gui/synthetic_experiment.h"
#include "tests/session/named_views.h"

namespace dispersion {
namespace {

constexpr Size kWindowSize = {1600, 1000};

bool drawn(GuiDriver& driver, ImGuiTestContext* context) {
  context->Yield(12);
  return driver.wait_for(context, [&] {
    const ExportState& exporting = driver.app().exporting;
    return exporting.preview.id > 0 && !exporting.preview_stale;
  });
}

bool computed(GuiDriver& driver, ImGuiTestContext* context, View view) {
  driver.app().view.view = view;
  return driver.wait_for(context, [&] {
    return driver.app().experiments.of(view).update.phase == ExperimentPhase::kDone;
  });
}

TEST(ExportScreenshots, OfTheAttentionView) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    context->MouseMoveToPos({1250, 985});
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    IM_CHECK(drawn(driver, context));
    write("export_dark", driver.grab(context), kWindowSize);
    driver.app().view.theme = Theme::kLight;
    ExportSettings& settings = driver.app().exporting.settings;
    use_style(settings, "paper");
    settings.family = FontFamily::kSerif;
    IM_CHECK(drawn(driver, context));
    write("export_light", driver.grab(context), kWindowSize);
    format_chosen(driver.app().exporting, figure_format("gif"));
    use_style(settings, "slide");
    IM_CHECK(drawn(driver, context));
    write("export_animation", driver.grab(context), kWindowSize);
    format_chosen(driver.app().exporting, figure_format("pdf"));
    use_style(settings, "paper");
    settings.transparent = true;
    settings.theme = PrintTheme::kDark;
    settings.width = 20;
    settings.path = "/proc/none/at/all/figure.pdf";
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    IM_CHECK(driver.wait_for(context, [&] { return !driver.app().exporting.notice.empty(); }));
    IM_CHECK(drawn(driver, context));
    write("export_refused", driver.grab(context), kWindowSize);
    settings.width.reset();
    format_chosen(driver.app().exporting, figure_format("csv"));
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_D);
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().exporting.notice_good; }));
    IM_CHECK(drawn(driver, context));
    write("export_data", driver.grab(context), kWindowSize);
  });
}

TEST(ExportScreenshots, OfAnExperimentAndOfSmallWindows) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(computed(driver, context, kSurfaceView));
    driver.app().view.surfaces = true;
    driver.lab().panels().surface = {0.4, 0.9};
    context->MouseMoveToPos({1250, 985});
    context->ItemClick("**/Export");
    driver.app().exporting.settings.transparent = true;
    IM_CHECK(drawn(driver, context));
    write("export_transparent", driver.grab(context), kWindowSize);
    context->KeyPress(ImGuiKey_Escape);
    driver.lab().window().resize({1280, 720});
    driver.app().view.ui_scale = 3;
    context->Yield(3);
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    IM_CHECK(drawn(driver, context));
    write("export_three_times", driver.grab(context), {1280, 720});
    driver.app().view.ui_scale = 1;
    driver.app().view.projector = true;
    IM_CHECK(drawn(driver, context));
    write("export_projector", driver.grab(context), {1280, 720});
    driver.app().view.projector = false;
    driver.lab().window().resize({600, 420});
    IM_CHECK(drawn(driver, context));
    write("export_small", driver.grab(context), {600, 420});
    // A message that is longer than a line is shown in full, in a small window too.
    driver.app().exporting.settings.path =
        "/proc/a folder that is not there/and none in it/nor in that/figure.pdf";
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    IM_CHECK(driver.wait_for(context, [&] { return !driver.app().exporting.notice.empty(); }));
    IM_CHECK(drawn(driver, context));
    write("export_small_refused", driver.grab(context), {600, 420});
  });
}

}  // namespace
}  // namespace dispersion
