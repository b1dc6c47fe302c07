// Reading numbers in the window: tables behind figures, values at the pointer, explained symbols.

#include <gtest/gtest.h>

#include <imgui_internal.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <regex>
#include <string>
#include <vector>

#include "app/commands/describe.h"
#include "app/panels/data_table_panel.h"
#include "app/session/frame_at.h"
#include "app/session/state_snapshot.h"
#include "app/session/state_string.h"
#include "app/session/view_schedule.h"
#include "core/figure/symbols.h"
#include "tests/gui/driver.h"
#include "tests/gui/screen_text.h"
#include "tests/gui/synthetic_experiment.h"
#include "tests/session/named_views.h"

namespace dispersion {
namespace {

constexpr Size kWindow = {1600, 1000};

// The one table that is on screen.
OpenTable& open_table(GuiDriver& driver, const std::string& panel) {
  DataTables& tables = *driver.lab().panels().tables;
  EXPECT_TRUE(tables.shown(panel));
  return tables.of(panel);
}

std::string clipboard() {
  const char* text = ImGui::GetClipboardText();
  return text == nullptr ? "" : text;
}

TEST(Reading, ThereIsATableBehindEveryPlotThatIsSortedByAClickOnAHeadingAndCopied) {
  GuiDriver driver(kWindow);
  driver.run([&](ImGuiTestContext* context) {
    // The numbers change as long as more sets are measured.
    IM_CHECK(driver.wait_for(context, [&] {
      return driver.app().snapshot && is_final(*driver.app().snapshot, driver.app().head);
    }));
    context->Yield(2);
    context->ItemClick("**/table switch Accuracy: Accuracy");
    context->Yield(2);
    const std::string panel = "Accuracy: Accuracy";
    OpenTable& open = open_table(driver, panel);
    const LinePlot& plot = driver.lab().panels().figures.accuracy();
    IM_CHECK_EQ(open.table.rows, plot.series.front().x.size());
    IM_CHECK_EQ(open.sorted_by, -1);
    context->ItemClick("**/##heading 0");
    context->Yield(2);
    IM_CHECK_EQ(open.sorted_by, 0);
    IM_CHECK(!open.descending);
    context->ItemClick("**/##heading 0");
    context->Yield(2);
    IM_CHECK(open.descending);
    IM_CHECK_EQ(open.table.columns[0].values[open.order.front()], plot.series.front().x.back());
    context->ItemClick("**/###copy table");
    context->Yield(2);
    IM_CHECK_STR_EQ(clipboard().c_str(), tab_separated(open.table, open.order).c_str());
    // One row, and two more with Shift.
    context->ItemClick("**/##row 0");
    context->Yield(2);
    IM_CHECK_EQ(open.selected.size(), 1U);
    context->KeyDown(ImGuiMod_Shift);
    context->ItemClick("**/##row 2");
    context->KeyUp(ImGuiMod_Shift);
    context->Yield(2);
    IM_CHECK_EQ(open.selected.size(), 3U);
    const std::vector<std::size_t> three(open.order.begin(), open.order.begin() + 3);
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_C);
    context->Yield(2);
    IM_CHECK_STR_EQ(clipboard().c_str(), tab_separated(open.table, three).c_str());
    context->ItemClick("**/table switch Accuracy: Accuracy");
    context->Yield(2);
    IM_CHECK(!driver.lab().panels().tables->shown(panel));
    IM_CHECK(context->ItemExists("**/axes Accuracy"));
  });
}

ImVec2 at(ImGuiTestContext* context, const char* item, float right, float down) {
  const ImRect box = context->ItemInfo(item).RectFull;
  return {box.Min.x + right * box.GetWidth(), box.Min.y + down * box.GetHeight()};
}

// One measured loss is no range.
TEST(Reading, ARangeOfOneValueIsNotTold) {
  GuiDriver driver(kWindow);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().snapshot != nullptr; }));
    context->MouseMoveToPos(at(context, "**/axes loss track", 0.5F, 0.5F));
    context->Yield(3);
    const std::string text = text_on_screen(context);
    const std::regex loss("loss  0\\.[0-9]+");
    EXPECT_TRUE(std::regex_search(text, loss)) << text;
    EXPECT_FALSE(std::regex_search(text, std::regex("0\\.[0-9]+ to 0\\.[0-9]+\\)"))) << text;
  });
}

// The tooltip that is on screen; null: none.
ImGuiWindow* tooltip() {
  for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    if ((window->Flags & ImGuiWindowFlags_Tooltip) != 0 && window->Active && !window->Hidden)
      return window;
  }
  return nullptr;
}

// A hollow point is of an older step, another run or other settings than the others, and its
// tooltip says of which.
TEST(Reading, AHollowPointTellsItsStep) {
  GuiDriver driver(kWindow);
  driver.run([&](ImGuiTestContext* context) {
    AppState& app = driver.app();
    IM_CHECK(driver.wait_for(context,
                             [&] { return app.snapshot && is_final(*app.snapshot, app.head); }));
    const auto text_at = [&](float right) {
      context->MouseMoveToPos(at(context, "**/axes Accuracy", right, 0.5F));
      context->Yield(2);
      return text_on_screen(context);
    };
    const std::string current = text_at(0.95F);
    EXPECT_NE(current.find("n = 16 384"), std::string::npos) << current;
    EXPECT_EQ(current.find("of step"), std::string::npos) << current;
    const auto old = std::make_shared<ViewSnapshot>(*app.snapshot);
    old->row_step.back() = 12'000;
    app.snapshot = old;
    const std::string late = text_at(0.95F);
    EXPECT_NE(late.find("n = 16 384, of step 12 000"), std::string::npos) << late;
    old->row_run.back() = 0;
    EXPECT_NE(text_at(0.95F).find("n = 16 384, of the head before"), std::string::npos);
    old->row_step.back() = -1;
    EXPECT_NE(text_at(0.95F).find("n = 16 384, of the settings before"), std::string::npos);
    EXPECT_EQ(text_at(0.5F).find("of step"), std::string::npos);
  });
}

TEST(Reading, ATooltipIsWholeInTheWindowAndCoversNeitherThePointerNorTheColumnOfItsPoints) {
  for (const Size size : {Size{1600, 1000}, Size{1024, 600}}) {
    GuiDriver driver(size);
    driver.run([&](ImGuiTestContext* context) {
      IM_CHECK(driver.wait_for_picture(context));
      context->Yield(2);
      int seen = 0;
      for (const char* plot : {"**/axes Accuracy", "**/axes Entropy of attention"}) {
        for (const float right : {0.15F, 0.5F, 0.9F}) {
          for (const float down : {0.08F, 0.5F, 0.8F}) {
            const ImVec2 mouse = at(context, plot, right, down);
            context->MouseMoveToPos(mouse);
            context->Yield(3);
            const ImGuiWindow* shown = tooltip();
            if (shown == nullptr) continue;  // not within the axes
            ++seen;
            const ImRect box = shown->Rect();
            EXPECT_GE(box.Min.x, 0) << right << " " << down;
            EXPECT_GE(box.Min.y, 0) << right << " " << down;
            EXPECT_LE(box.Max.x, static_cast<float>(size.width)) << right << " " << down;
            EXPECT_LE(box.Max.y, static_cast<float>(size.height)) << right << " " << down;
            EXPECT_FALSE(box.Contains(mouse)) << right << " " << down;
            // What stands beside the plot is read together with it, and the tooltip has room here.
            const ImRect panel = context->ItemInfo(plot).Window->Rect();
            EXPECT_GE(box.Min.x, panel.Min.x) << plot << " " << right << " " << down;
            EXPECT_LE(box.Max.x, panel.Max.x) << plot << " " << right << " " << down;
          }
        }
      }
      IM_CHECK_GE(seen, 8);
    });
  }
}

TEST(Reading, TheLabelsOfAnAxisExplainItsSymbols) {
  GuiDriver driver(kWindow);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    context->Yield(2);
    context->MouseMoveToPos(at(context, "**/axes Accuracy", 0.5F, 0.97F));
    context->Yield(3);
    IM_CHECK(tooltip() != nullptr);
  });
}

// The labels of the numbers that are drawn in the attention view.
TEST(Reading, EverySymbolOnScreenIsExplained) {
  GuiDriver driver(kWindow);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    context->Yield(2);
    bool any = false;
    for (const CopyableValue& value : driver.lab().panels().painter.values) {
      for (const std::string& letter : unexplained_in(value.label))
        ADD_FAILURE() << value.label << ": " << letter;
      any = any || !symbols_in(value.label).empty();
    }
    IM_CHECK(any);
  });
}

void open_surface(GuiDriver& driver, ImGuiTestContext* context) {
  driver.app().experiments.make_request = synthetic_requests();
  driver.app().view.view = kSurfaceView;
  driver.app().view.surfaces = true;
  IM_CHECK(driver.wait_for(
      context, [&] { return driver.app().experiments.of(kSurfaceView).result != nullptr; }));
  context->Yield(3);
}

ImGuiWindow* window_of(ImGuiTestContext* context, const char* item) {
  return context->ItemInfo(item).Window;
}

TEST(Reading, ASurfaceStaysInItsPanelHoweverItIsTurned) {
  for (const Size size : {Size{1600, 1000}, Size{1024, 600}, Size{640, 420}}) {
    GuiDriver driver(size);
    driver.run([&](ImGuiTestContext* context) {
      open_surface(driver, context);
      ImGuiWindow* panel = window_of(context, "**/turn");
      IM_CHECK(panel != nullptr);
      for (int i = 0; i < 21; ++i) {
        seen_from(driver.app(), kSurfaceView) = {0.41 * i, 1.5 * (i % 7) / 6};
        context->Yield(2);
        const ImRect room = panel->Rect();
        for (const ImDrawVert& corner : panel->DrawList->VtxBuffer) {
          const bool inside = corner.pos.x >= room.Min.x - 1 && corner.pos.x <= room.Max.x + 1 &&
                              corner.pos.y >= room.Min.y - 1 && corner.pos.y <= room.Max.y + 1;
          IM_CHECK_SILENT(inside);
          if (!inside) {
            ADD_FAILURE() << size.width << ": turn " << i << " at " << corner.pos.x << ", "
                          << corner.pos.y;
            return;
          }
        }
      }
    });
  }
}

TEST(Reading, ASurfaceTellsTheValuesUnderThePointer) {
  GuiDriver driver(kWindow);
  driver.run([&](ImGuiTestContext* context) {
    open_surface(driver, context);
    context->MouseMoveToPos(at(context, "**/turn", 0.5F, 0.55F));
    context->Yield(3);
    IM_CHECK(tooltip() != nullptr);
    context->MouseMoveToPos(at(context, "**/turn", 0.02F, 0.02F));
    context->Yield(3);
    IM_CHECK(tooltip() == nullptr);
  });
}

TEST(Reading, AClickOnAPointOfAnyCurveAgainstNChoosesItsItems) {
  GuiDriver driver(kWindow);
  driver.run([&](ImGuiTestContext* context) {
    driver.app().experiments.make_request = synthetic_requests();
    driver.app().view.view = kTableView;
    IM_CHECK(driver.wait_for(
        context, [&] { return driver.app().experiments.of(kTableView).result != nullptr; }));
    context->Yield(3);
    const int before = driver.app().view.focused_items;
    context->MouseMoveToPos(at(context, "**/axes plot 0", 0.95F, 0.5F));
    context->MouseClick();
    context->Yield(3);
    IM_CHECK_NE(driver.app().view.focused_items, before);
    IM_CHECK_EQ(driver.app().view.focused_items, 16384);
  });
}

TEST(Reading, OneKeyShowsTheNumbersOfAllFigures) {
  GuiDriver driver(kWindow);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    context->KeyPress(ImGuiKey_D);
    context->Yield(3);
    IM_CHECK(!context->ItemExists("**/axes Accuracy"));
    const DataTables& tables = *driver.lab().panels().tables;
    IM_CHECK_GE(tables.open().size(), 3U);  // heat maps, accuracy, entropy
    for (const auto& [panel, open] : tables.open())
      EXPECT_GT(open.table.rows, 0U) << panel;
    context->KeyPress(ImGuiKey_D);
    context->Yield(3);
    IM_CHECK(context->ItemExists("**/axes Accuracy"));
  });
}

// A run of 100,000 steps and a field are drawn a screenful at a time.
TEST(Reading, ALongTableDrawsOnlyTheRowsOnScreen) {
  GuiDriver driver(kWindow);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    std::vector<StepRecord>& history = driver.app().history;
    for (std::int64_t step = 1; step <= 100'000; ++step)
      history.push_back({.step = step, .cross_entropy = 1.0F / static_cast<float>(step)});
    context->Yield(2);
    context->ItemClick("**/table switch loss track: Loss");
    context->Yield(3);
    OpenTable& open = open_table(driver, "loss track: Loss");
    IM_CHECK_GE(open.table.rows, 100'000U);
    IM_CHECK(context->ItemExists("**/##row 0"));
    ImGuiWindow* grid = window_of(context, "**/##row 0");
    IM_CHECK_LT(grid->DrawList->VtxBuffer.Size, 20'000);
  });
}

// Waits until every size has all its sets, and copies what the view says.
std::string copied_text(GuiDriver& driver, ImGuiTestContext* context) {
  const bool counted =
      driver.wait_for_picture(context) &&
      driver.wait_for(
          context,
          [&] {
            return std::ranges::all_of(driver.app().snapshot->rows, [](const SizeRow& row) {
              return row.sets >= most_row_sets(row.items);
            });
          },
          200);
  EXPECT_TRUE(counted);
  context->MouseMoveToPos({5, 5});
  context->Yield(2);
  context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_C);
  context->Yield(2);
  return clipboard();
}

// A head that a state names comes from another place than the one that is open at first.
std::string without_origin(std::string text) {
  const std::size_t begin = text.find("head\torigin\t");
  if (begin != std::string::npos) text.erase(begin, text.find('\n', begin) + 1 - begin);
  return text;
}

TEST(Reading, TheWindowAndTheCommandSayTheSame) {
  const std::function<bool(double)> to_the_end = [](double) { return true; };
  GuiDriver driver(kWindow);
  driver.run([&](ImGuiTestContext* context) {
    const std::string printed = described({}, to_the_end);
    EXPECT_EQ(copied_text(driver, context), printed);
    EXPECT_NE(printed.find("at n = 1024, softmax\taccuracy\t"), std::string::npos) << printed;
    driver.app().view.theta = 0.5;
    driver.app().view.focused_items = 256;
    context->Yield(5);
    const std::string of_state = described({.state = state_string(driver.app())}, to_the_end);
    EXPECT_EQ(without_origin(copied_text(driver, context)), without_origin(of_state));
    EXPECT_NE(of_state.find("temperature θ\t0.5\n"), std::string::npos) << of_state;
  });
}

}  // namespace
}  // namespace dispersion
