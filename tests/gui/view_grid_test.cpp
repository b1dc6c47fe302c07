// Several views beside one another: how they lie, which has the focus, that all follow the same
// head, and that what is pointed at in one is marked in the others.

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/gui/driver.h"
#include "tests/gui/synthetic_experiment.h"
#include "tests/session/named_views.h"

namespace dispersion {
namespace {

constexpr Size kWindow = {1280, 800};

bool exists(ImGuiTestContext* context, const std::string& item) {
  return context->ItemExists(item.c_str());
}

// The windows of Dear ImGui that were drawn in the last frame.
std::vector<ImGuiWindow*> drawn_windows() {
  std::vector<ImGuiWindow*> windows;
  for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    if (window->WasActive) windows.push_back(window);
  }
  return windows;
}

// The child window of this name; null: it was not drawn.
ImGuiWindow* drawn_window(const std::string& name) {
  for (ImGuiWindow* window : drawn_windows()) {
    const std::string_view whole = window->Name;
    if (whole.substr(whole.rfind('/') + 1).starts_with(name + "_")) return window;
  }
  return nullptr;
}

ImGuiWindow* pane_window(int pane) {
  return drawn_window("pane " + std::to_string(pane));
}

TEST(ViewGrid, EachShapeFillsTheSameRoomAtEverySize) {
  struct Case {
    Size size;
    float zoom;
  };
  for (const Case& each : {Case{{1024, 600}, 1}, Case{{1280, 800}, 1}, Case{{1920, 1080}, 1},
                           Case{{1920, 1080}, 1.5F}}) {
    SCOPED_TRACE(each.size.width);
    GuiDriver driver(each.size);
    driver.app().experiments.make_request = synthetic_requests();
    driver.run([&](ImGuiTestContext* context) {
      driver.app().view.ui_scale = each.zoom;
      ImRect whole;
      for (const GridShape shape : {GridShape::kFour, GridShape::kBeside, GridShape::kBelow}) {
        set_shape(driver.app().view, shape);
        context->Yield(3);
        std::vector<ImRect> panes;
        for (int pane = 1; pane <= static_cast<int>(pane_count(shape)); ++pane) {
          ImGuiWindow* window = pane_window(pane);
          IM_CHECK(window != nullptr);
          panes.push_back(window->Rect());
        }
        ImRect all = panes.front();
        for (std::size_t i = 0; i < panes.size(); ++i) {
          all.Add(panes[i]);
          for (std::size_t j = 0; j < i; ++j)
            IM_CHECK(!panes[i].Overlaps(panes[j]));
          IM_CHECK_LE(std::abs(panes[i].GetWidth() - panes[0].GetWidth()), 1.0F);
          IM_CHECK_LE(std::abs(panes[i].GetHeight() - panes[0].GetHeight()), 1.0F);
        }
        if (shape == GridShape::kFour) whole = all;
        IM_CHECK_LE(std::abs(all.GetWidth() - whole.GetWidth()), 2.0F);
        IM_CHECK_LE(std::abs(all.GetHeight() - whole.GetHeight()), 2.0F);
        IM_CHECK_LE(all.Max.x, ImGui::GetIO().DisplaySize.x);
        IM_CHECK_LE(all.Max.y, ImGui::GetIO().DisplaySize.y);
        IM_CHECK(pane_window(static_cast<int>(pane_count(shape)) + 1) == nullptr);
      }
    });
  }
}

TEST(ViewGrid, ASmallWindowShowsThePaneInFocus) {
  GuiDriver driver({1280, 720});
  driver.app().experiments.make_request = synthetic_requests();
  driver.run([&](ImGuiTestContext* context) {
    driver.app().view.ui_scale = 3;
    set_shape(driver.app().view, GridShape::kFour);
    context->Yield(3);
    IM_CHECK(pane_window(1) == nullptr);
    focus_pane(driver.app().view, 3);
    context->Yield(3);
    IM_CHECK(exists(context, "**/axes plot 0"));
    driver.app().view.ui_scale = 1;
    context->Yield(3);
    IM_CHECK(pane_window(4) != nullptr);
  });
}

TEST(ViewGrid, APressMovesTheFocusAndDigitsChangeItsView) {
  GuiDriver driver(kWindow);
  driver.app().experiments.make_request = synthetic_requests();
  driver.run([&](ImGuiTestContext* context) {
    ViewSettings& view = driver.app().view;
    context->ItemClick("**/###views beside one another");
    context->ItemClick("**/###Four views");
    IM_CHECK_EQ(static_cast<int>(view.grid.shape), static_cast<int>(GridShape::kFour));
    context->Yield(3);
    const ImRect box = pane_window(4)->Rect();
    context->MouseMoveToPos({box.GetCenter().x, box.Min.y + 3});
    context->MouseClick();
    IM_CHECK_EQ(view.grid.focused, 3U);
    IM_CHECK_EQ(view.view, kFitView);
    IM_CHECK(drawn_window("experiment controls") != nullptr);
    context->KeyPress(ImGuiKey_2);
    IM_CHECK_EQ(pane_at(view, 3).view, kTableView);
    IM_CHECK_EQ(pane_at(view, 0).view, View::kAttention);
    context->ItemClick("**/###view of pane 2");
    context->ItemClick("**/###show Attention maps");
    IM_CHECK(pane_at(view, 1) == (Pane{View::kAttention, AttentionPart::kMaps}));
    IM_CHECK_EQ(view.grid.focused, 1U);
    context->ItemClick("**/###enlarge pane 4");
    IM_CHECK_EQ(static_cast<int>(view.grid.shape), static_cast<int>(GridShape::kOne));
    IM_CHECK_EQ(view.view, kTableView);
  });
}

TEST(ViewGrid, AllPanesFollowTheTrainingTogether) {
  GuiDriver driver(kWindow);
  driver.run([&](ImGuiTestContext* context) {
    AppState& app = driver.app();
    app.experiment_settings.of(kFitView).set("sets", 4);
    set_shape(app.view, GridShape::kFour);
    focus_pane(app.view, 2);
    show_in_focus(app.view, {kSpreadView});
    app.experiment_settings.of(kSpreadView).set("sets", 4);
    driver.lab().session().send(NewRunCommand{Recipe(), 1});
    context->Yield(3);
    context->KeyPress(ImGuiKey_Space);
    IM_CHECK(driver.trains_to(context, 20));
    const std::int64_t step = app.snapshot->step;
    const std::uint64_t fit = app.experiments.of(kFitView).result_id;
    const std::uint64_t spread = app.experiments.of(kSpreadView).result_id;
    // Each is renewed while the head changes, whichever has the focus.
    IM_CHECK(driver.wait_for(context, [&] {
      return app.snapshot->step > step && app.experiments.of(kFitView).result_id > fit + 1 &&
             app.experiments.of(kSpreadView).result_id > spread + 1;
    }));
    IM_CHECK(app.status.phase == RunPhase::kTraining);
    context->KeyPress(ImGuiKey_Space);
  });
}

TEST(ViewGrid, WhatIsPointedAtIsMarkedEverywhere) {
  GuiDriver driver(kWindow);
  driver.app().experiments.make_request = synthetic_requests();
  driver.run([&](ImGuiTestContext* context) {
    PanelState& panels = driver.lab().panels();
    set_shape(driver.app().view, GridShape::kFour);
    IM_CHECK(driver.wait_for_picture(context));
    const ImRect frame = context->ItemInfo("**/$$0/$$256/frame").RectFull;
    context->MouseMoveToPos({frame.GetCenter().x, frame.Min.y + frame.GetHeight() * 5.5F / 32});
    context->Yield(2);
    IM_CHECK_EQ(panels.marked.items, 256);
    IM_CHECK_EQ(panels.marked.set, 5);
    IM_CHECK_GT(panels.marked.entropy, 0.0);
    IM_CHECK_EQ(driver.app().pointer.items, 256);
    // A curve against n marks a size, and no set.
    const ImRect axes = context->ItemInfo("**/axes Accuracy").RectFull;
    context->MouseMoveToPos({axes.Min.x + 0.6F * axes.GetWidth(), axes.GetCenter().y});
    context->Yield(2);
    IM_CHECK_GT(panels.marked.items, 0);
    IM_CHECK_LT(panels.marked.set, 0);
    IM_CHECK_EQ(driver.app().pointer.items, 0);
    // A training curve has no n.
    const ImRect run = context->ItemInfo("**/axes loss track").RectFull;
    context->MouseMoveToPos(run.GetCenter());
    context->Yield(2);
    IM_CHECK_EQ(panels.marked.items, 0);
    // Table 1 has a column for each n.
    focus_pane(driver.app().view, 3);
    show_in_focus(driver.app().view, {kTableView});
    driver.app().experiments.make_request = make_request;
    driver.app().experiment_settings.of(kTableView).set("sets", 1);
    IM_CHECK(driver.wait_for(context, [&] {
      return driver.app().experiments.of(kTableView).update.phase == ExperimentPhase::kDone;
    }));
    set_shape(driver.app().view, GridShape::kOne);  // whole, so that no row is out of sight
    context->Yield(3);
    context->MouseMove("**/table 00");
    context->Yield(2);
    IM_CHECK_GT(panels.marked.items, 0);
    IM_CHECK_LT(panels.marked.set, 0);
  });
}

// The dialog offers the figures of every pane, that in focus first, and each is what its pane
// shows.
TEST(ViewGrid, EveryPaneCanBeExported) {
  GuiDriver driver(kWindow);
  driver.app().experiments.make_request = synthetic_requests();
  driver.run([&](ImGuiTestContext* context) {
    AppState& app = driver.app();
    set_shape(app.view, GridShape::kFour);
    focus_pane(app.view, 2);  // the training
    IM_CHECK(driver.wait_for_picture(context));
    IM_CHECK(driver.wait_for(context, [&] {
      return app.experiments.of(kFitView).update.phase == ExperimentPhase::kDone;
    }));
    ExportState& exporting = app.exporting;
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    context->Yield(3);
    IM_CHECK(exporting.open);
    EXPECT_EQ(exporting.views, (std::vector<View>{View::kAttention, kFitView}));
    EXPECT_EQ(exporting.figure()->name, kTrainingName);
    EXPECT_NE(exporting.settings.path.find("/run."), std::string::npos) << exporting.settings.path;
    context->SetRef(context->WindowInfo("//###export dialog/fields").Window);
    const ImRect views = context->ItemInfo("view/##choice").RectFull;
    const ImRect figures = context->ItemInfo("figure/##choice").RectFull;
    EXPECT_EQ(views.Min.x, figures.Min.x);
    EXPECT_EQ(views.Max.x, figures.Max.x);
    context->ItemClick("view/##choice");
    context->ItemClick(("//$FOCUSED/" + std::string(view_title(kFitView))).c_str());
    context->SetRef("");
    context->Yield(3);
    IM_CHECK_EQ(exporting.view, kFitView);
    IM_CHECK_EQ(exporting.figures.size(), 1U);
    EXPECT_EQ(exporting.figure()->figure->name, "fit");
    EXPECT_NE(exporting.settings.path.find("/fit."), std::string::npos) << exporting.settings.path;
    EXPECT_EQ(exporting.figure()->figure->plots.size(),
              app.experiments.of(kFitView).result->figure.plots.size());
    // A view that has no figure leaves what was chosen, and says so.
    const auto result = std::exchange(app.experiments.of(kFitView).result, nullptr);
    choose_view(app, View::kAttention);
    EXPECT_EQ(exporting.figure()->name, kTrainingName);
    choose_view(app, kFitView);
    EXPECT_EQ(exporting.view, View::kAttention);
    EXPECT_NE(exporting.notice.find("has no figure yet"), std::string::npos);
    app.experiments.of(kFitView).result = result;
    close_export(exporting);
  });
}

TEST(ViewGrid, IsUndoneAndComesBackAfterARestart) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / "dispersion_view_grid";
  std::filesystem::remove_all(folder);
  ViewSettings left;
  {
    GuiDriver driver(kWindow, folder / "settings.json");
    driver.app().experiments.make_request = synthetic_requests();
    driver.run([&](ImGuiTestContext* context) {
      AppState& app = driver.app();
      IM_CHECK(driver.wait_for(context, [&] { return app.head.state != nullptr; }));
      const ViewGrid one = app.view.grid;
      context->ItemClick("**/###views beside one another");
      context->ItemClick("**/###Two views side by side");
      context->Yield(3);
      context->ItemClick("**/###view of pane 2");
      context->ItemClick("**/###show Table 1");
      context->Yield(3);
      left = app.view;
      IM_CHECK_EQ(app.undo.done().size(), 3U);  // two views, the focus, Table 1
      for (int i = 0; i < 3; ++i)
        context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
      IM_CHECK(driver.wait_for(
          context, [&] { return app.undo.done().empty(); }, 20));
      IM_CHECK(app.view.grid == one);
      for (int i = 0; i < 3; ++i)
        context->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z);
      IM_CHECK(driver.wait_for(
          context, [&] { return app.undo.done().size() == 3; }, 20));
      IM_CHECK(app.view == left);
    });
    driver.lab().window().close();
    driver.lab().run();  // it ends at once, and keeps what it keeps at the end
  }
  GuiDriver again(kWindow, folder / "settings.json");
  EXPECT_TRUE(again.app().view == left);
  EXPECT_EQ(pane_at(again.app().view, 1).view, kTableView);
  std::filesystem::remove_all(folder);
}

// A mark is a line in the colour of text, through both plots of a pane below that which is pointed
// at.
TEST(ViewGrid, AMarkIsSeen) {
  GuiDriver driver(kWindow);
  driver.run([&](ImGuiTestContext* context) {
    set_shape(driver.app().view, GridShape::kBelow);
    IM_CHECK(driver.wait_for_picture(context));
    const ImRect frame = context->ItemInfo("**/$$0/$$4096/frame").RectFull;
    const ImRect curves = pane_window(2)->Rect();
    const Colour ink = driver.lab().panels().painter.palette->text;
    // How many pixels of that colour the row through the plots has.
    const auto inked = [&](ImVec2 pointer) {
      context->MouseMoveToPos(pointer);
      const Picture picture = driver.grab(context);
      const int y = static_cast<int>(curves.Min.y + 0.6F * curves.GetHeight());
      int count = 0;
      for (int x = static_cast<int>(curves.Min.x); x < static_cast<int>(curves.Max.x); ++x) {
        const std::uint8_t* at =
            &picture.rgb[3 * static_cast<std::size_t>(y * picture.size.width + x)];
        count += Colour{at[0], at[1], at[2]} == ink ? 1 : 0;
      }
      return count;
    };
    IM_CHECK_EQ(inked({3, 3}), 0);
    IM_CHECK_EQ(inked(frame.GetCenter()), 2);
    IM_CHECK_EQ(inked({3, 3}), 0);
  });
}

}  // namespace
}  // namespace dispersion
