// Exporting and copying figures from the window.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>

#include "app/commands/command_inputs.h"
#include "app/commands/figure_catalogue.h"
#include "app/session/experiment_backends.h"
#include "core/io/checkpoint.h"
#include "tests/core/temporary_folder.h"
#include "tests/gui/driver.h"
#include "tests/gui/synthetic_experiment.h"
#include "tests/session/named_views.h"

namespace dispersion {
namespace {

constexpr Size kWindowSize = {1100, 760};

// The dialog proposes paths in the home folder, so each test has one of its own.
class ExportWindow : public testing::Test {
 protected:
  ExportWindow() { ::setenv("HOME", folder_.path().c_str(), 1); }

  static bool done(GuiDriver& driver, ImGuiTestContext* context) {
    context->Yield(2);
    return driver.wait_for(context, [&] {
      const ExportState& exporting = driver.app().exporting;
      return exporting.underway == 0 && !exporting.save && !exporting.copy_image &&
             !exporting.copy_data;
    });
  }

  static bool shown(GuiDriver& driver, ImGuiTestContext* context, View view) {
    driver.app().view.view = view;
    return driver.wait_for(context, [&] {
      return driver.app().experiments.of(view).update.phase == ExperimentPhase::kDone;
    });
  }

  static void use(GuiDriver& driver, MakeRequest make_request) {
    driver.app().experiments.make_request = std::move(make_request);
  }

  // Replaces the path in the field by typing.
  static void type_path(ImGuiTestContext* context, const std::string& path) {
    context->ItemClick("**/##path");
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_A);
    context->KeyChars(path.c_str());
  }

  TemporaryFolder folder_;
};

// The figure that the command line makes of the same head.
Figure by_command(const char* name) {
  FigureSources sources = {shipped_head(1), {}, 0};
  ChosenBackends backends(cpu_backends(1), {BackendChoice::Kind::kCpu, 0});
  return make_figure(figure_named(name), sources, backends, [](double) { return true; });
}

TEST_F(ExportWindow, Behaviour05_GivesTheBytesThatTheCommandGives) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    for (const auto& [view, name] : {std::pair{View::kAttention, "adaptive-dispersion"},
                                     {kSpreadView, "spread"},
                                     {kSurfaceView, "surface"}}) {
      if (view == View::kAttention) {
        IM_CHECK(driver.wait_for_picture(context));
      } else {
        IM_CHECK(shown(driver, context, view));
      }
      context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
      context->Yield(2);
      ExportState& exporting = driver.app().exporting;
      IM_CHECK(exporting.open);
      Figure expected = by_command(name);
      // The window describes the head in other words and adds its settings.
      expected.provenance = exporting.figure()->figure->provenance;
      for (std::size_t t = 0; t < expected.tables.size(); ++t)
        expected.tables[t].subtitle = exporting.figure()->figure->tables.at(t).subtitle;
      if (name == std::string_view("spread"))
        expected.sentence = exporting.figure()->figure->sentence;
      use_style(exporting.settings, "paper");
      exporting.settings.pixels_per_inch = 120;
      for (const char* ending : {"svg", "pdf", "png", "csv", "json"}) {
        exporting.settings.path = folder_ / (std::string(name) + "." + ending);
        path_typed(exporting);
        exporting.save = true;
        IM_CHECK(done(driver, context));
        IM_CHECK_STR_EQ(exporting.notice.c_str(), "");
        const FigureSnapshot of_command = {"", std::make_shared<const Figure>(expected), false, {}};
        EXPECT_TRUE(read_bytes(exporting.settings.path) ==
                    export_bytes({of_command, exporting.settings.format, exporting.settings}))
            << exporting.settings.path;
        open_export(driver.app());
      }
      close_export(exporting);
      context->Yield(3);
    }
  });
}

// The fields leave little room for the picture then.
TEST_F(ExportWindow, InLargeTypeTheFigureIsSeenSmallAndAtAClickLarge) {
  GuiDriver driver({1280, 720});
  driver.run([&](ImGuiTestContext* context) {
    driver.app().view.ui_scale = 3;
    IM_CHECK(driver.wait_for_picture(context));
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    context->Yield(2);
    ExportState& exporting = driver.app().exporting;
    IM_CHECK(exporting.open);
    const auto drawn_in = [&](const char* item) {
      const ImRect box = context->ItemInfo(item).RectClipped;
      return driver.wait_for(context, [&] {
        const auto& pixels = exporting.preview.pixels;
        return !exporting.preview_stale && pixels.width > 0 &&
               static_cast<float>(pixels.width) <= box.GetWidth() &&
               static_cast<float>(pixels.height) <= box.GetHeight();
      });
    };
    IM_CHECK(drawn_in("**/enlarge preview"));
    IM_CHECK_GT(exporting.preview.pixels.width, 100);
    const int small = exporting.preview.pixels.width;
    context->ItemClick("**/enlarge preview");
    context->Yield(2);
    IM_CHECK(drawn_in("**/back from preview"));
    IM_CHECK(driver.wait_for(context, [&] { return exporting.preview.pixels.width > 2 * small; }));
    IM_CHECK(!context->ItemExists("**/##path"));
    context->KeyPress(ImGuiKey_Escape);
    context->Yield(3);
    IM_CHECK(exporting.open);
    IM_CHECK(context->ItemExists("**/##path"));
    context->KeyPress(ImGuiKey_Escape);
    context->Yield(3);
    IM_CHECK(!exporting.open);
  });
}

// Esc closes the next dialog, whatever lay over one that was closed by something else than itself.
TEST_F(ExportWindow, ForgetsTheListOfADialogThatIsClosedFromOutside) {
  GuiDriver driver(kWindowSize);
  use(driver, synthetic_requests());
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(shown(driver, context, kSpreadView));
    context->ItemClick("**/Export");
    context->SetRef(context->WindowInfo("//###export dialog/fields").Window);
    context->ItemClick("made for/##choice");
    context->SetRef("");
    IM_CHECK(driver.lab().panels().list_open);
    close_export(driver.app().exporting);
    context->Yield(3);
    IM_CHECK(!driver.lab().panels().list_open);
    IM_CHECK(!driver.app().exporting.open);
  });
}

TEST_F(ExportWindow, CarriesLimitsColoursAndTheTurnOfASurface) {
  GuiDriver driver(kWindowSize);
  use(driver, [](View view, const AppState&) {
    ExperimentRequest plan;
    plan.key = "zoomed";
    plan.job = [view](ExperimentBackends&, const Progress&, const ShowFigure&) {
      ExperimentResult result;
      result.figure = synthetic_figure(view);
      for (LinePlot& plot : result.figure.plots) {
        plot.x.low = 100;  // narrower than the data
        plot.x.high = 1000;
      }
      for (FieldPlot& field : result.figure.fields)
        field.high = field.low + 0.1;
      return result;
    };
    return plan;
  });
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    driver.app().view.colour_scale = ColourScale::kLogarithmic;
    show(driver.app().view, TransformId::kAdaptive, false);
    IM_CHECK(driver.wait_for_picture(context));
    open_export(driver.app());
    const Figure& attention = *driver.app().exporting.figure()->figure;
    EXPECT_EQ(attention.name, "dispersion");
    IM_CHECK_EQ(attention.grids[0].strips.size(), 1U);
    EXPECT_EQ(attention.grids[0].scale, ColourScale::kLogarithmic);
    EXPECT_EQ(attention.grids[0].low, driver.lab().panels().figures.grid().low);
    close_export(driver.app().exporting);

    IM_CHECK(shown(driver, context, kTableView));
    open_export(driver.app());
    EXPECT_EQ(driver.app().exporting.figure()->figure->plots[0].x.low, 100);
    EXPECT_EQ(driver.app().exporting.figure()->figure->plots[0].x.high, 1000);
    close_export(driver.app().exporting);

    IM_CHECK(shown(driver, context, kSurfaceView));
    driver.app().view.surfaces = true;
    seen_from(driver.app(), kSurfaceView) = {0.1, 1.2};
    context->Yield(2);
    context->ItemClick("**/Export");
    const FigureSnapshot& turned = *driver.app().exporting.figure();
    EXPECT_TRUE(turned.surfaces && turned.view == (SurfaceView{0.1, 1.2}));
    EXPECT_EQ(turned.figure->fields[0].high, turned.figure->fields[0].low + 0.1);
    const ExportSettings& settings = driver.app().exporting.settings;
    FigureSnapshot straight = turned;
    straight.view = {};
    const auto svg = [&](const FigureSnapshot& of) {
      return export_bytes({of, &figure_format("svg"), settings});
    };
    EXPECT_TRUE(svg(turned) != svg(straight));
    type_path(context, folder_ / "turned größer 模型 🐨.svg");
    context->ItemClick("**/###do");
    IM_CHECK(done(driver, context));
    EXPECT_EQ(read_bytes(folder_ / "turned größer 模型 🐨.svg"), svg(turned));
  });
}

TEST_F(ExportWindow, IsSetWithTheMouseAndAsksBeforeItReplaces) {
  GuiDriver driver(kWindowSize);
  use(driver, synthetic_requests());
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(shown(driver, context, kSpreadView));
    context->ItemClick("**/Export");
    ExportState& exporting = driver.app().exporting;
    IM_CHECK(driver.wait_for(context, [&] { return exporting.preview.id > 0; }));
    EXPECT_FALSE(exporting.preview.pixels.rgba.empty());
    context->ItemClick("**/SVG");
    // The test engine finds no list by its name alone, but it can click the one in this column.
    context->SetRef(context->WindowInfo("//###export dialog/fields").Window);
    context->ItemClick("made for/##choice");
    context->ItemClick("//$FOCUSED/paper");
    context->SetRef("");
    context->ItemClick("**/serif");
    context->ItemClick("**/transparent");
    EXPECT_EQ(exporting.settings.format, &figure_format("svg"));
    EXPECT_EQ(exporting.settings.style, "paper");
    EXPECT_EQ(exporting.settings.family, FontFamily::kSerif);
    EXPECT_TRUE(exporting.settings.transparent);
    EXPECT_EQ(exporting.settings.path, "~/spread.svg");
    context->ItemInput("**/width/##number");
    context->KeyCharsReplaceEnter("150");
    EXPECT_EQ(exporting.settings.width, 150);
    context->ItemInput("**/width/##number");
    context->KeyCharsReplaceEnter("5");  // too narrow
    EXPECT_EQ(exporting.settings.width, 150);
    write_bytes(folder_ / "spread.svg", "old");
    context->ItemClick("**/###do");
    IM_CHECK(done(driver, context));
    EXPECT_TRUE(exporting.open && exporting.replace);
    EXPECT_EQ(read_bytes(folder_ / "spread.svg"), "old");
    context->ItemClick("**/###do");
    IM_CHECK(done(driver, context));
    EXPECT_FALSE(exporting.open);
    const std::string svg = read_bytes(folder_ / "spread.svg");
    EXPECT_NE(svg.find("width=\"150mm\""), std::string::npos);
    EXPECT_NE(svg.find("LM Roman 10"), std::string::npos);
    IM_CHECK_EQ(driver.app().reports.empty(), false);
    EXPECT_TRUE(driver.app().reports.back().ok);
  });
}

TEST_F(ExportWindow, KeepsItsKeysToItself) {
  GuiDriver driver(kWindowSize);
  use(driver, synthetic_requests());
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(shown(driver, context, kFitView));
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    ExportState& exporting = driver.app().exporting;
    context->Yield(2);
    IM_CHECK(exporting.open);
    const bool adaptive = is_shown(driver.app().view, TransformId::kAdaptive);
    context->KeyPress(ImGuiKey_A);
    context->KeyPress(ImGuiKey_1);
    context->Yield(2);
    EXPECT_EQ(is_shown(driver.app().view, TransformId::kAdaptive), adaptive);
    EXPECT_EQ(driver.app().view.view, kFitView);
    type_path(context, folder_ / "by key.csv");
    EXPECT_EQ(exporting.settings.format, &figure_format("csv"));
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    IM_CHECK(done(driver, context));
    EXPECT_FALSE(exporting.open);
    EXPECT_FALSE(read_bytes(folder_ / "by key.csv").empty());
    EXPECT_EQ(driver.app().saved, folder_ / "by key.csv");
    EXPECT_TRUE(context->ItemExists("**/###report folder"));
    context->Yield(2);
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    context->Yield(2);
    context->KeyPress(ImGuiKey_Escape);
    context->Yield(2);
    EXPECT_FALSE(exporting.open);
    context->KeyPress(ImGuiKey_A);
    EXPECT_NE(is_shown(driver.app().view, TransformId::kAdaptive), adaptive);
  });
}

TEST_F(ExportWindow, EscClosesAListBeforeTheDialog) {
  GuiDriver driver(kWindowSize);
  use(driver, synthetic_requests());
  driver.run([&](ImGuiTestContext* context) {
    const ExportState& exporting = driver.app().exporting;
    IM_CHECK(shown(driver, context, kSpreadView));
    context->ItemClick("**/Export");
    context->SetRef(context->WindowInfo("//###export dialog/fields").Window);
    context->ItemClick("made for/##choice");
    context->SetRef("");
    context->Yield(2);
    EXPECT_EQ(context->UiContext->OpenPopupStack.Size, 2);  // the list above the dialog
    context->KeyPress(ImGuiKey_Escape);
    context->Yield(2);
    EXPECT_EQ(context->UiContext->OpenPopupStack.Size, 1);
    EXPECT_TRUE(exporting.open);
    context->KeyPress(ImGuiKey_Escape);
    context->Yield(2);
    EXPECT_FALSE(exporting.open);
  });
}

TEST_F(ExportWindow, CopiesDataAndPictures) {
  GuiDriver driver(kWindowSize);
  use(driver, synthetic_requests());
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(shown(driver, context, kSpreadView));
    context->Yield(2);
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_D);
    IM_CHECK(done(driver, context));
    const std::string data = ImGui::GetClipboardText();
    EXPECT_EQ(data.substr(0, 9), "# title: ");
    EXPECT_NE(data.find("\nkind,part,"), std::string::npos);
    // There is no clipboard for pictures here, so a file is written instead and its path copied.
    context->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_C);
    IM_CHECK(done(driver, context));
    EXPECT_EQ(std::string(ImGui::GetClipboardText()), (folder_ / "spread.png").string());
    EXPECT_EQ(read_bytes(folder_ / "spread.png").substr(1, 3), "PNG");
    EXPECT_NE(driver.app().reports.back().text.find("spread.png"), std::string::npos);
  });
}

TEST_F(ExportWindow, IsThereInEveryViewAndInASmallWindow) {
  GuiDriver driver(kWindowSize);
  use(driver, synthetic_requests());
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    ExportState& exporting = driver.app().exporting;
    for (const View view : {View::kAttention, kTableView, kFitView, kSurfaceView, kSpreadView}) {
      driver.app().view.view = view;
      if (view == kTableView) continue;  // its computation waits and is never done
      if (view != View::kAttention) IM_CHECK(shown(driver, context, view));
      context->ItemClick("**/Export");
      context->Yield(2);
      IM_CHECK(exporting.open);
      context->ItemClick("**/###away");
      context->Yield(2);
      IM_CHECK(!exporting.open);
    }
    driver.lab().window().resize({600, 420});
    context->Yield(3);
    context->ItemClick("**/Views");
    context->ItemClick("**/###export");
    context->Yield(3);
    IM_CHECK(exporting.open);
    IM_CHECK(driver.wait_for(context, [&] { return exporting.preview.id > 0; }));
    context->ItemClick("**/###away");
  });
}

TEST_F(ExportWindow, HasTheRunOnceThereIsOne) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    // The shipped head comes with the history of its training; a new one has none yet.
    EXPECT_EQ(figure_snapshots(driver.app()).size(), 3U);
    driver.lab().session().send(NewRunCommand{Recipe(), 7});
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().status.seed == 7; }));
    EXPECT_EQ(figure_snapshots(driver.app()).size(), 2U);
    context->KeyPress(ImGuiKey_S);
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().history.size() == 1; }));
    const std::vector<FigureSnapshot> figures = figure_snapshots(driver.app());
    const FigureSnapshot& run = figures.back();
    EXPECT_EQ(run.figure->name, "run");
    EXPECT_EQ(run.figure->plots[0].series[0].x, std::vector<double>{1});
    const Provenance& provenance = run.figure->provenance;
    EXPECT_NE(std::ranges::find(provenance, std::pair<std::string, std::string>("seed", "7")),
              provenance.end());
    EXPECT_NE(std::ranges::find(provenance, std::pair<std::string, std::string>("step", "1")),
              provenance.end());
  });
}

}  // namespace
}  // namespace dispersion
