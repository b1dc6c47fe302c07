#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "app/session/views.h"

namespace dispersion {

struct ViewSettings;

// How many views the window shows, and where.
enum class GridShape : int { kOne, kBeside, kBelow, kFour };
inline constexpr std::size_t kMostPanes = 4;

// What a pane shows of the attention view: all that there is room for, or one part.
enum class AttentionPart : int { kAll, kMaps, kCurves, kTraining };

struct Pane {
  View view = View::kAttention;
  AttentionPart part = AttentionPart::kAll;  // of the attention view

  bool operator==(const Pane&) const = default;
};

std::string_view pane_title(const Pane& pane);
// What a pane can show, given the views of the window.
std::vector<Pane> pane_choices(const std::vector<View>& views);

// The panes of a new window: attention, its curves, the training, the fit.
std::array<Pane, kMostPanes> usual_panes();

// The panes of the window, from left to right and from the top down. One of them has the focus:
// ViewSettings::view is its view, and the column of settings and the keys are for it. A window of
// one view shows that alone, with all of the attention view.
struct ViewGrid {
  GridShape shape = GridShape::kOne;
  std::size_t focused = 0;
  std::array<Pane, kMostPanes> panes = usual_panes();  // see pane_at() for that in focus

  bool operator==(const ViewGrid&) const = default;
};

std::size_t pane_count(GridShape shape);
// The indices of the panes that are shown.
std::vector<std::size_t> shown_panes(const ViewGrid& grid);
Pane pane_at(const ViewSettings& settings, std::size_t pane);
Pane focused_pane(const ViewSettings& settings);

// The views of all panes, each once, that in focus first.
std::vector<View> shown_views(const ViewSettings& settings);
bool shows_attention(const ViewSettings& settings);

void set_shape(ViewSettings& settings, GridShape shape);  // the focus stays on its view
void focus_pane(ViewSettings& settings, std::size_t pane);
void focus_next_pane(ViewSettings& settings);
void show_in_focus(ViewSettings& settings, Pane pane);
// Beside other views, all of the attention view that there is room for.
void show_view(ViewSettings& settings, View view);

}  // namespace dispersion
