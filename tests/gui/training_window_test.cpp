// The panels that decide how training is computed: the backend, which can be lost while it trains,
// and the recipe.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/commands/command_inputs.h"
#include "app/panels/panels.h"
#include "app/session/figure_snapshots.h"
#include "app/session/training_stop.h"
#include "core/io/checkpoint.h"
#include "tests/backend_choices.h"
#include "tests/gui/driver.h"
#include "tests/gui/pretended_device.h"
#include "tests/gui/screen_text.h"

namespace dispersion {
namespace {

constexpr Size kWindowSize = {1600, 1000};

// Chooses a name from the list of a field in the column of controls.
void choose(ImGuiTestContext* context, const std::string& field, const std::string& name) {
  // The test engine finds no list by its name alone, but it can click the one in this column.
  context->SetRef(context->WindowInfo("//lab/controls").Window);
  context->ItemClick((field + "/##choice").c_str());
  context->ItemClick(("//$FOCUSED/" + name).c_str());
}

TEST(BackendField, OffersWhatThereIsAndWhatIsChosen) {
  RunStatus status;
  EXPECT_EQ(backend_choices(status).size(), 2U);
  status.devices = {"A", "B"};
  ASSERT_EQ(backend_choices(status).size(), 4U);
  EXPECT_EQ(choice_text(backend_choices(status)[3]), "CUDA device 1");
  status.choice = {BackendChoice::Kind::kCuda, 7};
  ASSERT_EQ(backend_choices(status).size(), 5U);
  EXPECT_EQ(choice_text(backend_choices(status)[4]), "CUDA device 7");
  EXPECT_EQ(gigabytes(84'999'999'999), "85.0");
}

TEST(BackendField, SaysInOneSentenceWhyThereIsNoCuda) {
  EXPECT_EQ(
      short_cuda_absence("This program was built without CUDA: no CUDA driver was found. With "
                         "one installed, build again; for a device elsewhere, set CUDAARCHS "
                         "(90-real, say) and build."),
      "No CUDA driver was found; the CPU computes.");
  EXPECT_EQ(short_cuda_absence("This program was built without CUDA: DISPERSION_CUDA was OFF."),
            "DISPERSION_CUDA was OFF; the CPU computes.");
}

TEST(BackendWindow, TheRunGoesOnWhereTheChoiceSays) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "dispersion_backend_window";
  std::filesystem::remove_all(folder);
  const auto device = std::make_shared<PretendedDevice>();
  GuiDriver driver(kWindowSize, folder / "settings.json", with_device(device));
  driver.run([&](ImGuiTestContext* context) {
    AppState& app = driver.app();
    IM_CHECK(driver.wait_for(context, [&] { return app.status.memory.has_value(); }));
    context->Yield(2);
    IM_CHECK_EQ(app.status.choice, kAutomatic);
    IM_CHECK_STR_EQ(driver.shown("Training", "memory used").c_str(), "5000000000");
    context->ItemClick("**/New seed");
    context->ItemClick("**/###play");
    IM_CHECK(driver.trains_to(context, 20));
    choose(context, "backend", "CPU");
    IM_CHECK(driver.wait_for(context, [&] { return app.status.choice == kCpu; }));
    IM_CHECK_EQ(app.status.phase, RunPhase::kTraining);
    IM_CHECK(!app.status.memory);
    const std::int64_t step = app.status.step;
    IM_CHECK(driver.wait_for(context, [&] { return app.status.step >= step + 20; }));
    IM_CHECK_EQ(static_cast<std::int64_t>(app.history.size()), app.history.back().step);
    choose(context, "backend", "CUDA device 0, NVIDIA H100 80GB HBM3");
    IM_CHECK(driver.wait_for(context, [&] { return app.status.choice == kDevice0; }));
    context->ItemClick("**/###play");
    IM_CHECK(driver.wait_for(context, [&] { return app.status.phase == RunPhase::kPaused; }));
  });
  driver.close();
  std::filesystem::remove_all(folder);
}

// At this learning rate the loss grows through many powers of ten.
TEST(TrainingWindow, TheLabelsOfADivergingLossDoNotOverlap) {
  for (const Size size : {Size{1600, 1000}, Size{1024, 600}}) {
    GuiDriver driver(size);
    driver.run([&](ImGuiTestContext* context) {
      AppState& app = driver.app();
      Recipe recipe;
      recipe.learning_rate = 10;
      driver.lab().session().send(NewRunCommand{recipe, 1});
      IM_CHECK(driver.wait_for(context, [&] { return app.status.recipe == recipe; }));
      app.run.stop_at = 300;
      app.view.grid.panes[0].part = AttentionPart::kTraining;
      app.view.grid.panes[0].view = View::kAttention;
      context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_2);
      context->KeyPress(ImGuiKey_Space);
      IM_CHECK(driver.wait_for(context, [&] {
        return app.status.phase == RunPhase::kFinished || app.status.phase == RunPhase::kDiverged;
      }));
      context->Yield(3);
      const auto largest = std::ranges::max_element(app.history, {}, &StepRecord::cross_entropy);
      IM_CHECK_GT(largest->cross_entropy, 1e6F);
      // A few steps more, and it is as large as a number can be.
      app.history.back().cross_entropy = 1e38F;
      context->Yield(3);
      const ImGuiTestItemInfo axes = context->ItemInfo("**/axes loss track");
      IM_CHECK(axes.Window != nullptr);
      const std::vector<ImRect> letters = letters_of(*axes.Window);
      IM_CHECK_GE(letters.size(), 20U);
      for (std::size_t i = 0; i < letters.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          ImRect both = letters[i];
          both.ClipWithFull(letters[j]);
          // Letters of one word may touch, and exponents are set close to their base.
          EXPECT_FALSE(both.GetWidth() > 2 && both.GetHeight() > 3) << i << " over " << j;
        }
      }
    });
  }
}

TEST(BackendWindow, Behaviour04_ALostDeviceOffersTheCpuOnce) {
  const auto device = std::make_shared<PretendedDevice>();
  GuiDriver driver(kWindowSize, {}, with_device(device));
  driver.run([&](ImGuiTestContext* context) {
    AppState& app = driver.app();
    context->ItemClick("**/New seed");
    context->ItemClick("**/###play");
    IM_CHECK(driver.trains_to(context, 20));
    device->lost = true;
    IM_CHECK(driver.wait_for(context, [&] { return app.status.phase == RunPhase::kDeviceLost; }));
    for (const ImGuiKey key : {ImGuiKey_Space, ImGuiKey_S, ImGuiKey_R, ImGuiKey_N}) {
      const std::size_t before = app.reports.size();
      context->KeyPress(key);
      IM_CHECK(driver.wait_for(context, [&] { return app.reports.size() > before; }));
      IM_CHECK(!app.reports.back().ok);
      EXPECT_NE(app.reports.back().text.find("the device is lost"), std::string::npos);
    }
    const std::size_t told = app.reports.size();
    const std::int64_t kept = app.status.step;
    context->ItemClick("**/Go on with the CPU");
    IM_CHECK(driver.wait_for(context, [&] { return app.status.step >= kept + 20; }));
    IM_CHECK_EQ(app.status.phase, RunPhase::kTraining);
    IM_CHECK(app.status.notice.empty());
    IM_CHECK_EQ(app.reports.size(), told);
  });
}

TEST(BackendWindow, TheChoiceIsKept) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "dispersion_backend_kept";
  std::filesystem::remove_all(folder);
  const std::filesystem::path path = folder / "settings.json";
  Preferences on_cpu;
  on_cpu.backend = kCpu;
  save_preferences(path, on_cpu);
  const auto device = std::make_shared<PretendedDevice>();
  {
    GuiDriver driver(kWindowSize, path, with_device(device));
    driver.run([&](ImGuiTestContext* context) {
      IM_CHECK(driver.wait_for(context, [&] { return !driver.app().status.backend.empty(); }));
      IM_CHECK_EQ(driver.app().status.choice, kCpu);
      choose(context, "backend", "CUDA device 0, NVIDIA H100 80GB HBM3");
      IM_CHECK(driver.wait_for(context, [&] { return driver.app().status.choice == kDevice0; }));
    });
    driver.lab().window().close();
    driver.lab().run();  // returns at once and saves the preferences
  }
  EXPECT_EQ(load_preferences(path).preferences.backend, kDevice0);
  std::filesystem::remove_all(folder);
}

// The shipped head comes with its history, and steps that it is trained further are counted on.
TEST(TrainingWindow, ShowsTheHistoryOfTheHeadAndCountsOn) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    AppState& app = driver.app();
    const RunCurves at_start = run_curves(app);
    IM_CHECK(!at_start.earlier.empty());
    IM_CHECK_EQ(at_start.earlier.back().step, 100'000);
    const std::vector<FigureSnapshot> figures = figure_snapshots(app);
    IM_CHECK_EQ(figures.size(), 3U);
    EXPECT_EQ(figures[2].figure->plots[0].series.at(0).x.back(), 100'000);
    context->KeyPress(ImGuiKey_S);
    IM_CHECK(driver.wait_for(context, [&] { return app.history.size() == 1; }));
    context->Yield(2);
    EXPECT_EQ(driver.shown("Training", "step"), "100001");
    EXPECT_EQ(run_step_axis(run_curves(app)).low, 0);
  });
}

// The one number that counts the steps of a head, wherever the window says of which step it speaks:
// in the training column, the top and the status line.
TEST(TrainingWindow, OneCountOfStepsIsShownEverywhere) {
  GuiDriver driver({1280, 800});
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    AppState& app = driver.app();
    context->KeyPress(ImGuiKey_Space);  // on from step 100 000
    IM_CHECK(driver.wait_for(context, [&] { return app.history.size() >= 20; }));
    context->KeyPress(ImGuiKey_Space);
    IM_CHECK(driver.wait_for(context, [&] { return app.status.phase == RunPhase::kPaused; }));
    IM_CHECK(driver.wait_for_picture(context));
    const std::int64_t step = app.status.step;
    IM_CHECK_EQ(app.status.steps_before, 100'000);
    IM_CHECK_EQ(training_stop(app), 200'000);
    context->Yield(2);
    const std::string text = text_on_screen(context);
    const auto says = [&](const std::string& words) {
      EXPECT_NE(text.find(words), std::string::npos) << words << " is not in\n" << text;
    };
    const std::string all = std::to_string(100'000 + step);
    const std::string of_all = all.substr(0, 3) + " " + all.substr(3);
    says(of_all + " of 200 000");
    says("step " + of_all + "  ·  the lab's trained head; trained on");
    says("seed 1, step " + of_all);
    // What was measured before stays in the plots, and its sets are told.
    says("of each batch from step 100 000 on, log scale");
    says("this run");
    says("before");
    const std::shared_ptr<const Figure> run = figure_snapshots(app).at(2).figure;
    for (const LinePlot& plot : run->plots) {
      EXPECT_NE(plot.subtitle.text().find(", before: 128 sets of 16 items"), std::string::npos);
      IM_CHECK_EQ(plot.series.at(1).x.front(), 0);
      IM_CHECK_EQ(plot.x.low, 0);
    }
    // A new run stops where the paper does, as it would have before.
    context->ItemClick("**/New seed");
    IM_CHECK(driver.wait_for(context, [&] { return app.status.seed == 2; }));
    context->Yield(2);
    IM_CHECK_EQ(training_stop(app), 100'000);
    // Back, it goes on to where it was going.
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    IM_CHECK(driver.wait_for(context, [&] { return app.status.step == step; }));
    context->Yield(2);
    IM_CHECK_EQ(training_stop(app), 200'000);
    EXPECT_NE(text_on_screen(context).find(of_all + " of 200 000"), std::string::npos);
  });
}

TEST(TrainingWindow, ABareHeadHasNoSeedAndNoStep) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "dispersion_bare_head";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const std::filesystem::path file = folder / "bare.safetensors";
  Checkpoint bare = load_head({}).checkpoint;
  bare.has_run = false;
  bare.metadata.clear();
  save_checkpoint(file, bare);
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    driver.lab().session().send(OpenCommand{file});
    IM_CHECK(driver.wait_for(context, [&] { return !driver.app().status.has_run; }));
    context->Yield(2);
    EXPECT_EQ(driver.shown("Training", "step"), "unknown");
    EXPECT_EQ(driver.app().status.earlier, nullptr);
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_S);
    context->Yield(2);
    EXPECT_EQ(std::string(driver.lab().panels().entry.text.data()).find("seed"), std::string::npos);
  });
  driver.close();
  std::filesystem::remove_all(folder);
}

TEST(RecipePanel, RoundedProductsTakeTheDirectPathAndAreNamedWhereNumbersAreCopied) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    const Recipe& recipe = driver.app().run.recipe;
    choose(context, "path", "spectral");
    IM_CHECK(recipe.path == HeadPath::kSpectral);
    choose(context, "precision", "bf16, priorities");
    IM_CHECK(recipe.precision == Precision::kBf16Priorities);
    IM_CHECK(recipe.path == HeadPath::kSpectral);
    choose(context, "path", "direct");
    IM_CHECK(recipe.path == HeadPath::kDirect);
    choose(context, "precision", "bf16");
    IM_CHECK(recipe.precision == Precision::kBf16);
    IM_CHECK(recipe.path == HeadPath::kDirect);
    choose(context, "path", "spectral");
    IM_CHECK(recipe.path == HeadPath::kDirect);
    context->ItemClick("**/Start new run");
    const RunStatus& status = driver.app().status;
    IM_CHECK(driver.wait_for(context, [&] { return status.recipe.precision == Precision::kBf16; }));
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_C);
    const std::string copied = ImGui::GetClipboardText();
    EXPECT_NE(copied.find("direct path, bf16"), std::string::npos) << copied;
    EXPECT_NE(copied.find("computed\tdirect, bf16"), std::string::npos) << copied;
    choose(context, "precision", "fp32");
    choose(context, "path", "spectral");
    context->ItemClick("**/Start new run");
    IM_CHECK(driver.wait_for(context, [&] { return status.item_points > 0; }));
    context->KeyPress(ImGuiKey_S);
    IM_CHECK(driver.wait_for(context, [&] { return status.step == 1; }));
    IM_CHECK_EQ(status.item_points, driver.app().head.state->item_points);
  });
}

}  // namespace
}  // namespace dispersion
