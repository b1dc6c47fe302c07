#include "app/session/view_grid.h"

#include <gtest/gtest.h>

#include <vector>

#include "app/session/settings.h"
#include "tests/session/named_views.h"

namespace dispersion {
namespace {

using Panes = std::vector<std::size_t>;
using Views = std::vector<View>;

TEST(ViewGrid, OneViewIsThatInFront) {
  ViewSettings settings;
  EXPECT_EQ(shown_panes(settings.grid), Panes{0});
  EXPECT_EQ(shown_views(settings), Views{View::kAttention});
  settings.view = kTableView;
  EXPECT_EQ(shown_views(settings), Views{kTableView});
  EXPECT_FALSE(shows_attention(settings));
}

TEST(ViewGrid, TheFocusTakesItsViewAlong) {
  ViewSettings settings;
  set_shape(settings, GridShape::kFour);
  settings.view = kTableView;
  focus_pane(settings, 3);
  EXPECT_EQ(settings.view, kFitView);
  EXPECT_EQ(pane_at(settings, 0).view, kTableView);
  EXPECT_EQ(pane_at(settings, 1), (Pane{View::kAttention, AttentionPart::kCurves}));
  EXPECT_EQ(shown_views(settings), (Views{kFitView, kTableView, View::kAttention}));
  EXPECT_TRUE(shows_attention(settings));
  focus_next_pane(settings);
  EXPECT_EQ(settings.grid.focused, 0U);
  EXPECT_EQ(settings.view, kTableView);
}

TEST(ViewGrid, AnotherShapeKeepsTheViewInFocusAndForgetsNone) {
  ViewSettings settings;
  set_shape(settings, GridShape::kFour);
  focus_pane(settings, 3);
  const ViewSettings four = settings;
  set_shape(settings, GridShape::kOne);
  EXPECT_EQ(shown_panes(settings.grid), Panes{3});
  EXPECT_EQ(settings.view, kFitView);
  set_shape(settings, GridShape::kFour);
  EXPECT_EQ(settings, four);
  set_shape(settings, GridShape::kBelow);
  EXPECT_EQ(settings.grid.focused, 1U);
  EXPECT_EQ(settings.view, kFitView);
  EXPECT_EQ(shown_panes(settings.grid), (Panes{0, 1}));
}

TEST(ViewGrid, OneViewShowsAllOfTheAttentionView) {
  ViewSettings settings;
  show_in_focus(settings, {View::kAttention, AttentionPart::kMaps});
  EXPECT_EQ(focused_pane(settings).part, AttentionPart::kAll);
  set_shape(settings, GridShape::kBeside);
  EXPECT_EQ(focused_pane(settings).part, AttentionPart::kMaps);
}

TEST(ViewGrid, OnlyTheAttentionViewHasParts) {
  ViewSettings settings;
  set_shape(settings, GridShape::kFour);  // the maps are in focus
  settings.view = kFitView;
  EXPECT_EQ(focused_pane(settings), Pane{kFitView});
}

TEST(ViewGrid, AFocusThatIsNotShownChangesNothing) {
  ViewSettings settings;
  focus_next_pane(settings);
  focus_pane(settings, 2);
  EXPECT_EQ(settings, ViewSettings());
  set_shape(settings, GridShape::kBeside);
  focus_pane(settings, 2);
  EXPECT_EQ(settings.grid.focused, 0U);
}

}  // namespace
}  // namespace dispersion
