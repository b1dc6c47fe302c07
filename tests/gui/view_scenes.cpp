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
const std::vector<Format> kSizes = {kSmallLaptop, kLargeType, kDesktop};

std::vector<Scene> attention() {
  const auto counted = [](GuiDriver& driver, ImGuiTestContext* context) {
    count_sets(driver, context, 512);
  };
  const auto pointing = [](GuiDriver&, ImGuiTestContext* context) { point_at(context, 1, 1024); };
  const auto on_page = [](Page page) {
    return [page](GuiDriver& driver, ImGuiTestContext*) { show_page(driver, page); };
  };
  return {
      {"window", {kUsual}, {Theme::kDark}, counted, pointing, true},
      {"window", {kUsual}, {Theme::kHighContrast}, counted, pointing},
      {"attention", kSizes, kBoth, {}, {}, true},
      {"run", {kSmallLaptop, kLargeType}, {Theme::kDark}, on_page(Page::kTraining)},
      {"curves", {kLargeType}, {Theme::kLight}, on_page(Page::kCurves)},
      {"controls", {kLargeType}, {Theme::kDark}, on_page(Page::kControls)},
      {"details", {kLargeType}, {Theme::kLight}, on_page(Page::kFocusedSize)},
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
  return {{"four_views", {kSmallLaptop}, {Theme::kDark}, four},
          {"four_views", {kDesktop}, {Theme::kLight}, four}};
}

// Tables of the numbers in place of the figures.
std::vector<Scene> tables() {
  const auto key_d = [](GuiDriver&, ImGuiTestContext* context) {
    context->KeyPress(ImGuiKey_D);
    context->Yield(3);
  };
  const auto of_fit = [key_d](GuiDriver& driver, ImGuiTestContext* context) {
    open_view(driver, context, kFitView);
    key_d(driver, context);
  };
  const auto figures_again = [key_d](GuiDriver& driver, ImGuiTestContext* context) {
    key_d(driver, context);
    driver.lab().panels().page = Page::kAttention;
  };
  return {{"numbers", {kSmallLaptop, kLargeType}, {Theme::kDark}, key_d},
          {"numbers_of_fit",
           {kUsual, kLargeType},
           {Theme::kLight},
           [=](GuiDriver& driver, ImGuiTestContext* context) {
             figures_again(driver, context);
             of_fit(driver, context);
           }}};
}

std::vector<Scene> menus_of_attention() {
  const auto click = [](const char* item) {
    return [item](GuiDriver&, ImGuiTestContext* context) { context->ItemClick(item); };
  };
  return {
      {"colour_scale", {kUsual}, {Theme::kLight}, {}, click("**/colour scale")},
      {"views_menu",
       {kSmallLaptop},
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
         kSizes,
         kBoth,
         [view](GuiDriver& driver, ImGuiTestContext* context) {
           IM_CHECK(driver.wait_for(context, [&] { return driver.app().head.state != nullptr; }));
           driver.app().view.surfaces = false;
           open_view(driver, context, view);
         },
         {},
         true});
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
    return experiment.result != nullptr && experiment.update.share > 0.03 &&
           (experiment.update.seconds_left > 0 ||
            experiment.update.phase == ExperimentPhase::kDone);
  }));
}

}  // namespace

std::vector<Play> view_plays() {
  return {
      {"Attention", new_window, attention()},
      {"Grid", new_window, grids()},
      {"Numbers", new_window, tables()},
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
