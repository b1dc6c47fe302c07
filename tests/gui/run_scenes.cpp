// Pictures of a run and of what can happen to it, and of notices and reports.

#include <chrono>
#include <filesystem>
#include <string>

#include "tests/core/temporary_folder.h"
#include "tests/gui/pretended_device.h"
#include "tests/gui/scenes.h"

namespace dispersion {
namespace {

void train(GuiDriver& driver, ImGuiTestContext* context) {
  driver.app().run.stop_at = 20'000;
  driver.lab().session().send(NewRunCommand{Recipe(), 1});
  context->Yield(3);
  context->ItemClick("**/###play");
  IM_CHECK(driver.trains_to(context, 1000, 120));
}

void diverge(GuiDriver& driver, ImGuiTestContext* context) {
  Recipe recipe;
  recipe.learning_rate = 1e4;
  driver.app().run.recipe = recipe;
  driver.lab().session().send(NewRunCommand{recipe, 1});
  context->Yield(3);
  context->ItemClick("**/###play");
  IM_CHECK(driver.wait_for(
      context, [&] { return driver.app().status.phase == RunPhase::kDiverged; }, 60));
  driver.wait_for_picture(context, 10);
}

Play with_a_device() {
  const auto device = std::make_shared<PretendedDevice>();
  const auto choices = [](GuiDriver& driver, ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().status.memory.has_value(); }));
  };
  const auto open_choices = [](GuiDriver&, ImGuiTestContext* context) {
    context->SetRef(context->WindowInfo("//lab/controls").Window);
    context->ItemClick("backend/##choice");
  };
  const auto lose = [device](GuiDriver& driver, ImGuiTestContext* context) {
    context->ItemClick("**/New seed");
    context->ItemClick("**/###play");
    IM_CHECK(driver.trains_to(context, 200));
    device->lost = true;
    IM_CHECK(driver.wait_for(context,
                             [&] { return driver.app().status.phase == RunPhase::kDeviceLost; }));
  };
  return {"Device",
          [device] {
            return std::make_unique<GuiDriver>(kLargest, std::filesystem::path(),
                                               with_device(device));
          },
          {{"backend", {kUsual}, {Theme::kDark}, choices, open_choices},
           {"device_lost", {kLargeType}, {Theme::kLight}, lose}}};
}

// A run of an earlier window, in a folder that lasts as long as the program.
std::unique_ptr<GuiDriver> window_after_another() {
  static const TemporaryFolder folder;
  Checkpoint run;
  run.state = start_training(HeadShape(), 7);
  run.state.step = 500;
  run.metadata["origin"] = "of another day";
  keep_run(folder.path(), run);
  return std::make_unique<GuiDriver>(kLargest, std::filesystem::path(), BackendSource(),
                                     RunKeeping{.folder = folder.path()});
}

void report_success(GuiDriver& driver, ImGuiTestContext* context) {
  IM_CHECK(driver.wait_for_picture(context));
  const std::string file = "/home/ada/heads/seed-1-step-100000.safetensors";
  add_report(driver.app(), {.text = "saved " + file, .saved = file});
}

void report_failure(GuiDriver& driver, ImGuiTestContext* context) {
  IM_CHECK(driver.wait_for_picture(context));
  add_report(driver.app(),
             {.ok = false,
              .text = "/home/ada/heads/downloaded/seed-1-step-100000.safetensors: tensor "
                      "\"values.weight\" has the shape 64 x 16, and 128 x 16 was expected for a "
                      "head of this width; the head that is open stays as it is"});
}

}  // namespace

std::vector<Play> run_plays() {
  return {
      {"Training", new_window, {{"training", {kSmallLaptop}, {Theme::kDark}, train}}},
      {"Diverged", new_window, {{"diverged", {kUsual}, {Theme::kLight}, diverge}}},
      with_a_device(),
      {"KeptRun", window_after_another, {{"kept_run", {kLargeType}, {Theme::kDark}}}},
      {"Reports",
       new_window,
       {{"report_saved", {kUsual}, {Theme::kLight}, report_success},
        {"report_failed", {kUsual, kLargeType}, {Theme::kDark}, report_failure}}},
  };
}

}  // namespace dispersion
