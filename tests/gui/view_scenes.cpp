// Pictures of every view in three sizes, and of the states of a view.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>

#include "tests/gui/scenes.h"
#include "tests/gui/synthetic_experiment.h"
#include "tests/session/named_views.h"

namespace dispersion {
namespace {

std::unique_ptr<GuiDriver> new_window() {
  return std::make_unique<GuiDriver>(kLargest);
}

// A window whose experiments are made up; that of the depth fails with a long message.
std::unique_ptr<GuiDriver> window_of_made_up_results() {
  auto driver = std::make_unique<GuiDriver>(kLargest);
  driver->app().experiments.make_request =
      synthetic_requests(std::make_shared<std::atomic<bool>>(false));
  return driver;
}

// "Table 1" becomes "table_1".
std::string scene_name(View view) {
  std::string name;
  for (const char letter : view_title(view))
    name += letter == ' ' ? '_' : static_cast<char>(letter | 0x20);
  return name;
}

void open_view(GuiDriver& driver, ImGuiTestContext* context, View view) {
  driver.app().view.view = view;
  IM_CHECK(driver.wait_for(context, [&] {
    const ExperimentState& experiment = driver.app().experiments.of(view);
    const ExperimentPhase phase = experiment.update.phase;
    return (phase == ExperimentPhase::kDone && !experiment.stale) ||
           phase == ExperimentPhase::kFailed;
  }));
}

// Waits until the accuracy of every size has been counted over so many sets.
void count_sets(GuiDriver& driver, ImGuiTestContext* context, std::int64_t sets) {
  IM_CHECK(driver.wait_for_picture(context));
  driver.wait_for(
      context,
      [&] {
        const auto enough = [sets](const SizeRow& row) { return row.sets >= sets; };
        return driver.app().snapshot && std::ranges::all_of(driver.app().snapshot->rows, enough);
      },
      100);
}

// Points at a cell in the right half of the frame of this n.
void point_at(ImGuiTestContext* context, int strip, int items) {
  const std::string item =
      "**/$$" + std::to_string(strip) + "/$$" + std::to_string(items) + "/frame";
  const ImGuiTestItemInfo info = context->ItemInfo(item.c_str());
  IM_CHECK(info.ID != 0);
  const ImRect box = info.RectFull;
  context->MouseMoveToPos(
      {box.Min.x + box.GetWidth() * 13.5F / 16, box.Min.y + box.GetHeight() * 11.5F / 32});
}

void show_page(GuiDriver& driver, Page page) {
  driver.lab().panels().page = page;
  driver.lab().panels().experiment_settings = page == Page::kControls;
}

const std::vector<Theme> kBoth = {Theme::kDark, Theme::kLight};
const std::vector<Theme> kAll = {Theme::kDark, Theme::kLight, Theme::kHighContrast};

std::vector<Scene> attention() {
  const auto counted = [](GuiDriver& driver, ImGuiTestContext* context) {
    count_sets(driver, context, 512);
  };
  const auto pointing = [](GuiDriver&, ImGuiTestContext* context) { point_at(context, 1, 1024); };
  return {
      {"window", {kUsual}, kAll, counted, pointing},
      {"attention", {kSmallLaptop, kLargeType, kDesktop}, kBoth},
      {"run",
       {kSmallLaptop, kLargeType},
       {Theme::kDark},
       [](GuiDriver& driver, ImGuiTestContext*) { show_page(driver, Page::kTraining); }},
      {"curves",
       {kLargeType},
       {Theme::kLight},
       [](GuiDriver& driver, ImGuiTestContext*) { show_page(driver, Page::kCurves); }},
      {"controls",
       {kLargeType},
       {Theme::kDark},
       [](GuiDriver& driver, ImGuiTestContext*) { show_page(driver, Page::kControls); }},
      {"details",
       {kLargeType},
       {Theme::kLight},
       [](GuiDriver& driver, ImGuiTestContext*) { show_page(driver, Page::kFocusedSize); }},
      {"small", {{"640x420", {640, 420}, 1}}},
      {"projector",
       {{"1280x720", {1280, 720}, 1}},
       {Theme::kLight},
       [](GuiDriver& driver, ImGuiTestContext*) { driver.app().view.projector = true; }},
  };
}

// Four views beside one another.
std::vector<Scene> grids() {
  const auto four = [](GuiDriver& driver, ImGuiTestContext* context) {
    set_shape(driver.app().view, GridShape::kFour);
    count_sets(driver, context, 64);
    IM_CHECK(driver.wait_for(context, [&] {
      return driver.app().experiments.of(kFitView).update.phase == ExperimentPhase::kDone;
    }));
  };
  return {{"four_views", {kSmallLaptop, kDesktop}, kBoth, four}};
}

std::vector<Scene> menus_of_attention() {
  const auto click = [](const char* item) {
    return [item](GuiDriver&, ImGuiTestContext* context) { context->ItemClick(item); };
  };
  return {
      {"colour_scale", {kUsual}, {Theme::kLight}, {}, click("**/colour scale")},
      {"views_menu",
       {kUsual, kSmallLaptop},
       {Theme::kDark},
       [](GuiDriver& driver, ImGuiTestContext* context) {
         open_view(driver, context, kSpreadView);
       },
       click("**/Theory")},
      {"views_menu", {kLargeType}, {Theme::kLight}, {}, click("**/Views")},
      {"rule",
       {kUsual},
       {Theme::kLight},
       [](GuiDriver& driver, ImGuiTestContext*) {
         driver.lab().panels().rule_shown = true;
         driver.lab().panels().transforms_shown = true;
       }},
      {"softmax_only",
       {kUsual},
       {Theme::kDark},
       [](GuiDriver& driver, ImGuiTestContext* context) {
         driver.lab().panels().rule_shown = false;
         driver.lab().panels().transforms_shown = false;
         show(driver.app().view, TransformId::kAdaptive, false);
         IM_CHECK(driver.wait_for_picture(context));
       }},
  };
}

std::vector<Scene> every_experiment() {
  std::vector<Scene> scenes;
  for (const View view : window_views()) {
    if (view == View::kAttention) continue;
    scenes.push_back(
        {scene_name(view),
         {kSmallLaptop, kLargeType, kDesktop},
         kBoth,
         [view](GuiDriver& driver, ImGuiTestContext* context) {
           IM_CHECK(driver.wait_for(context, [&] { return driver.app().head.state != nullptr; }));
           driver.app().view.surfaces = false;
           open_view(driver, context, view);
         }});
  }
  scenes.push_back({"surfaces_3d",
                    {kUsual, kLargeType},
                    {Theme::kLight},
                    [](GuiDriver& driver, ImGuiTestContext* context) {
                      open_view(driver, context, kSurfaceView);
                      driver.app().view.surfaces = true;
                    }});
  scenes.push_back(
      {"surface_of_head",
       {kUsual},
       {Theme::kDark},
       [](GuiDriver& driver, ImGuiTestContext* context) {
         driver.app().experiment_settings.of(kSurfaceView).set("logits", std::string_view("head"));
         driver.app().view.view = kSurfaceView;
         context->Yield(60);
         open_view(driver, context, kSurfaceView);
       }});
  scenes.push_back(
      {"settings", {kLargeType}, {Theme::kDark}, [](GuiDriver& driver, ImGuiTestContext* context) {
         driver.app().view.surfaces = false;
         open_view(driver, context, kFitView);
         show_page(driver, Page::kControls);
       }});
  return scenes;
}

// The program holds stored results for its default number of sets; these have to be computed.
void begin_table(GuiDriver& driver, ImGuiTestContext* context) {
  driver.app().experiment_settings.of(kTableView).set("sets", 8192);
  driver.app().view.view = kTableView;
  IM_CHECK(driver.wait_for(context, [&] {
    const ExperimentState& experiment = driver.app().experiments.of(kTableView);
    return experiment.result != nullptr && experiment.update.share > 0.1 &&
           (experiment.update.seconds_left > 0 ||
            experiment.update.phase == ExperimentPhase::kDone);
  }));
}

}  // namespace

std::vector<Play> view_plays() {
  return {
      {"Attention", new_window, attention()},
      {"Grid", new_window, grids()},
      {"Menus", new_window, menus_of_attention()},
      {"Experiments", new_window, every_experiment()},
      {"WhileBeingComputed",
       new_window,
       {{"table_filling", {kUsual}, {Theme::kDark}, begin_table}}},
      {"Failure",
       window_of_made_up_results,
       {{"experiment_failed",
         {kUsual, kLargeType},
         {Theme::kLight},
         [](GuiDriver& driver, ImGuiTestContext* context) {
           open_view(driver, context, kDepthView);
         }}}},
  };
}

}  // namespace dispersion
