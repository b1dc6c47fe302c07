// The window without a mouse: the order of Tab, what the keys do to the focused item.

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/palette/palette.h"
#include "app/panels/actions_table.h"
#include "tests/gui/driver.h"

namespace dispersion {
namespace {

// Items of the window in front, with the flags with which they were drawn last.
struct Widget {
  std::string label;
  ImGuiItemFlags flags = 0;
};
using Widgets = std::map<ImGuiID, Widget>;

Widgets widgets(ImGuiTestContext* context, const char* window) {
  ImGuiTestItemList items;
  context->GatherItems(&items, window, 99);
  Widgets all;
  for (std::size_t i = 0; i < static_cast<std::size_t>(items.GetSize()); ++i) {
    const ImGuiTestItemInfo& item = *items.GetByIndex(static_cast<int>(i));
    const bool scrollbar = std::string(item.DebugLabel).starts_with("#SCROLL");
    if (item.ID != 0 && !scrollbar) all[item.ID] = {item.DebugLabel, item.ItemFlags};
  }
  return all;
}

// Where Tab goes from here on until it comes back to the first.
std::vector<ImGuiID> walk(ImGuiTestContext* context, ImGuiKeyChord key, int most = 300) {
  std::vector<ImGuiID> visited;
  for (int i = 0; i < most; ++i) {
    context->KeyPress(key);
    context->Yield(3);
    const ImGuiID item = ImGui::GetFocusID();
    if (!visited.empty() && item == visited.front()) return visited;
    visited.push_back(item);
  }
  ADD_FAILURE() << "Tab does not come back";
  return visited;
}

bool takes_part(const Widget& widget) {
  return (widget.flags &
          (ImGuiItemFlags_NoTabStop | ImGuiItemFlags_NoNav | ImGuiItemFlags_Disabled)) == 0;
}

std::string label_of(const Widgets& all, ImGuiID item) {
  const auto found = all.find(item);
  return found == all.end() ? "?" : found->second.label;
}

// Checks that Tab visits each of the widgets that take part, and none twice.
void expect_each_once(const Widgets& all, const std::vector<ImGuiID>& visited) {
  std::set<ImGuiID> seen;
  for (const ImGuiID item : visited)
    EXPECT_TRUE(seen.insert(item).second) << label_of(all, item) << " was visited twice";
  for (const auto& [item, widget] : all) {
    if (takes_part(widget)) {
      EXPECT_TRUE(seen.contains(item)) << widget.label << " is not reached";
    }
    // Child windows are items, too, without a label.
    if (widget.label.empty()) continue;
    EXPECT_EQ(widget.flags & ImGuiItemFlags_NoNav, 0) << widget.label << " has no focus at all";
  }
}

bool visits(const Widgets& all, const std::vector<ImGuiID>& visited, std::string_view label) {
  return std::ranges::any_of(
      visited, [&](ImGuiID item) { return label_of(all, item).find(label) != std::string::npos; });
}

// Tab until the item of this label has the focus.
bool tab_to(ImGuiTestContext* context, const char* window, std::string_view label) {
  const Widgets all = widgets(context, window);
  for (int i = 0; i < 200; ++i) {
    context->KeyPress(ImGuiKey_Tab);
    context->Yield(3);
    if (label_of(all, ImGui::GetFocusID()).find(label) != std::string::npos) return true;
  }
  return false;
}

TEST(KeyboardFocus, TabVisitsEveryControlOfTheWindowOnce) {
  GuiDriver driver;
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    const Widgets all = widgets(context, "//lab");
    const std::vector<ImGuiID> forward = walk(context, ImGuiKey_Tab);
    expect_each_once(all, forward);
    for (const char* label :
         {"theta slider", "size slider", "###rule", "adaptive", "frame", "###play", "Attention",
          "Theory", "Export", "axes", "##number", "colour scale"})
      EXPECT_TRUE(visits(all, forward, label)) << label;
    std::vector<ImGuiID> back = walk(context, ImGuiMod_Shift | ImGuiKey_Tab);
    EXPECT_EQ(back.size(), forward.size());
  });
}

TEST(KeyboardFocus, TabVisitsEveryControlOfTheExportDialogOnce) {
  GuiDriver driver;
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().exporting.preview.id > 0; }));
    const Widgets all = widgets(context, "//Export###export dialog");
    const std::vector<ImGuiID> forward = walk(context, ImGuiKey_Tab);
    expect_each_once(all, forward);
    for (const char* label : {"##path", "###do", "###away", "light", "##number"})
      EXPECT_TRUE(visits(all, forward, label)) << label;
    context->KeyPress(ImGuiKey_Escape);
    EXPECT_FALSE(driver.app().exporting.open);
  });
}

TEST(KeyboardFocus, TabVisitsEveryControlOfAnExperimentOnce) {
  GuiDriver driver;
  driver.run([&](ImGuiTestContext* context) {
    driver.app().view.view = view_named("surface");
    IM_CHECK(driver.wait_for(context, [&] {
      return driver.app().experiments.of(driver.app().view.view).update.phase ==
             ExperimentPhase::kDone;
    }));
    context->Yield(5);
    const Widgets all = widgets(context, "//lab");
    const std::vector<ImGuiID> visited = walk(context, ImGuiKey_Tab);
    expect_each_once(all, visited);
    // Of names of which one is chosen, that one.
    EXPECT_TRUE(visits(all, visited, "heat maps"));
    EXPECT_FALSE(visits(all, visited, "surfaces"));
  });
}

TEST(KeyboardFocus, ArrowsChangeTheFocusedSliderAndNotTheItems) {
  GuiDriver driver;
  driver.run([&](ImGuiTestContext* context) {
    context->Yield(5);
    const int items = driver.app().view.focused_items;
    IM_CHECK(tab_to(context, "//lab", "theta slider"));
    context->KeyPress(ImGuiKey_RightArrow);
    context->Yield(2);
    EXPECT_GT(driver.app().view.theta, 1);
    context->KeyPress(ImGuiKey_LeftArrow, 2);
    context->Yield(2);
    EXPECT_LT(driver.app().view.theta, 1);
    EXPECT_EQ(driver.app().view.focused_items, items);
    context->KeyPress(ImGuiKey_Escape);
    context->Yield(2);
    EXPECT_FALSE(ImGui::GetIO().NavVisible);
    const double theta = driver.app().view.theta;
    context->KeyPress(ImGuiKey_RightArrow);
    context->Yield(2);
    EXPECT_EQ(driver.app().view.focused_items, 2 * items);
    EXPECT_EQ(driver.app().view.theta, theta);
  });
}

TEST(KeyboardFocus, ArrowsChooseAmongNamesAndSpaceActsOnTheFocusedButton) {
  GuiDriver driver;
  driver.run([&](ImGuiTestContext* context) {
    context->Yield(5);
    driver.app().view.view = view_named("surface");
    IM_CHECK(driver.wait_for(context, [&] {
      return driver.app().experiments.of(driver.app().view.view).update.phase ==
             ExperimentPhase::kDone;
    }));
    context->Yield(5);
    IM_CHECK(tab_to(context, "//lab", "heat maps"));
    context->KeyPress(ImGuiKey_RightArrow);
    context->Yield(2);
    EXPECT_TRUE(driver.app().view.surfaces);
    context->KeyPress(ImGuiKey_LeftArrow);
    context->Yield(2);
    EXPECT_FALSE(driver.app().view.surfaces);
    driver.app().view.view = View::kAttention;
    context->Yield(5);
    IM_CHECK(tab_to(context, "//lab", "###rule"));
    context->KeyPress(ImGuiKey_Space);
    context->Yield(3);
    EXPECT_TRUE(driver.lab().panels().rule_shown);
    EXPECT_NE(driver.app().status.phase, RunPhase::kTraining);
    context->KeyPress(ImGuiKey_Escape);
    context->KeyPress(ImGuiKey_Space);
    EXPECT_TRUE(driver.trains_to(context, 1));
  });
}

TEST(KeyboardFocus, ArrowsGoFromCellToCellOfTheHeatMaps) {
  GuiDriver driver;
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    IM_CHECK(tab_to(context, "//lab", "frame"));
    const int items = driver.app().view.focused_items;
    EXPECT_EQ(driver.app().pointer.items, items);
    EXPECT_EQ(driver.app().pointer.column, 15);
    context->KeyPress(ImGuiKey_DownArrow, 2);
    context->KeyPress(ImGuiKey_LeftArrow);
    context->Yield(2);
    EXPECT_EQ(driver.app().pointer.set, 2);
    EXPECT_EQ(driver.app().pointer.column, 14);
    context->KeyPress(ImGuiKey_RightArrow, 2);
    context->Yield(3);
    EXPECT_EQ(driver.app().pointer.items, 2 * items);
    EXPECT_EQ(driver.app().view.focused_items, 2 * items);
    EXPECT_EQ(driver.app().pointer.column, 0);
  });
}

TEST(KeyboardFocus, EscClosesAMenuAndAListAndOnlyThenLeavesTheItem) {
  GuiDriver driver;
  driver.run([&](ImGuiTestContext* context) {
    context->Yield(5);
    IM_CHECK(tab_to(context, "//lab", "Theory"));
    context->KeyPress(ImGuiKey_Enter);
    context->Yield(4);
    EXPECT_TRUE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup));
    context->KeyPress(ImGuiKey_Escape);
    context->Yield(4);
    EXPECT_FALSE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup));
    EXPECT_TRUE(ImGui::GetIO().NavVisible);
    context->KeyPress(ImGuiKey_Escape);
    context->Yield(4);
    EXPECT_FALSE(ImGui::GetIO().NavVisible);
  });
}

// Whether the picture has this colour anywhere within the rectangle.
bool has_colour(const Picture& picture, const ImRect& where, Colour colour) {
  for (int y = static_cast<int>(where.Min.y); y < static_cast<int>(where.Max.y); ++y) {
    for (int x = static_cast<int>(where.Min.x); x < static_cast<int>(where.Max.x); ++x) {
      const auto at = static_cast<std::size_t>(y * picture.size.width + x) * 3;
      if (picture.rgb[at] == colour.red && picture.rgb[at + 1] == colour.green &&
          picture.rgb[at + 2] == colour.blue)
        return true;
    }
  }
  return false;
}

TEST(KeyboardFocus, TheFocusedItemHasARingAndAClickTakesItAway) {
  GuiDriver driver;
  driver.run([&](ImGuiTestContext* context) {
    context->Yield(5);
    for (const char* label : {"theta slider", "###play", "colour scale"}) {
      IM_CHECK(tab_to(context, "//lab", label));
      ImGuiContext& g = *ImGui::GetCurrentContext();
      ImRect ring = ImGui::WindowRectRelToAbs(g.NavWindow, g.NavWindow->NavRectRel[0]);
      ring.Expand(4);
      ring.Max.y = ring.Min.y + 4;  // its upper side
      EXPECT_TRUE(has_colour(driver.grab(context), ring, kDarkPalette.baseline)) << label;
    }
    context->MouseMoveToPos({800, 300});
    context->MouseClick();
    context->Yield(3);
    EXPECT_FALSE(ImGui::GetIO().NavVisible);
  });
}

}  // namespace
}  // namespace dispersion
