#include "app/session/view_grid.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "app/session/settings.h"

namespace dispersion {

std::string_view pane_title(const Pane& pane) {
  if (pane.view != View::kAttention) return view_title(pane.view);
  switch (pane.part) {
    case AttentionPart::kMaps:
      return "Attention maps";
    case AttentionPart::kCurves:
      return "Accuracy and entropy";
    case AttentionPart::kTraining:
      return "Training";
    case AttentionPart::kAll:
      break;
  }
  return view_title(pane.view);
}

std::vector<Pane> pane_choices(const std::vector<View>& views) {
  std::vector<Pane> panes;
  for (const View view : views) {
    panes.push_back({view});
    if (view != View::kAttention) continue;
    for (const AttentionPart part :
         {AttentionPart::kMaps, AttentionPart::kCurves, AttentionPart::kTraining})
      panes.push_back({view, part});
  }
  return panes;
}

std::array<Pane, kMostPanes> usual_panes() {
  return {{{View::kAttention, AttentionPart::kMaps},
           {View::kAttention, AttentionPart::kCurves},
           {View::kAttention, AttentionPart::kTraining},
           {view_named("fit")}}};
}

std::size_t pane_count(GridShape shape) {
  switch (shape) {
    case GridShape::kOne:
      return 1;
    case GridShape::kBeside:
    case GridShape::kBelow:
      return 2;
    case GridShape::kFour:
      break;
  }
  return kMostPanes;
}

std::vector<std::size_t> shown_panes(const ViewGrid& grid) {
  if (grid.shape == GridShape::kOne) return {grid.focused};
  std::vector<std::size_t> panes(pane_count(grid.shape));
  std::iota(panes.begin(), panes.end(), std::size_t{0});
  return panes;
}

Pane pane_at(const ViewSettings& settings, std::size_t pane) {
  Pane shown = settings.grid.panes[pane];
  if (pane == settings.grid.focused) shown.view = settings.view;
  if (settings.grid.shape == GridShape::kOne || shown.view != View::kAttention)
    shown.part = AttentionPart::kAll;
  return shown;
}

Pane focused_pane(const ViewSettings& settings) {
  return pane_at(settings, settings.grid.focused);
}

std::vector<View> shown_views(const ViewSettings& settings) {
  std::vector<View> views = {settings.view};
  for (const std::size_t pane : shown_panes(settings.grid)) {
    const View view = pane_at(settings, pane).view;
    if (std::ranges::find(views, view) == views.end()) views.push_back(view);
  }
  return views;
}

bool shows_attention(const ViewSettings& settings) {
  const std::vector<View> views = shown_views(settings);
  return std::ranges::find(views, View::kAttention) != views.end();
}

void set_shape(ViewSettings& settings, GridShape shape) {
  ViewGrid& grid = settings.grid;
  grid.shape = shape;
  const std::size_t last = pane_count(shape) - 1;
  if (shape == GridShape::kOne || grid.focused <= last) return;
  std::swap(grid.panes[grid.focused], grid.panes[last]);
  grid.focused = last;
}

void focus_pane(ViewSettings& settings, std::size_t pane) {
  ViewGrid& grid = settings.grid;
  const std::vector<std::size_t> shown = shown_panes(grid);
  if (pane == grid.focused || std::ranges::find(shown, pane) == shown.end()) return;
  grid.panes[grid.focused].view = settings.view;
  grid.focused = pane;
  settings.view = grid.panes[pane].view;
}

void focus_next_pane(ViewSettings& settings) {
  const std::size_t next = settings.grid.focused + 1;
  focus_pane(settings, next < pane_count(settings.grid.shape) ? next : 0);
}

void show_in_focus(ViewSettings& settings, Pane pane) {
  settings.view = pane.view;
  settings.grid.panes[settings.grid.focused] = pane;
}

void show_view(ViewSettings& settings, View view) {
  if (settings.grid.shape == GridShape::kOne) {
    settings.view = view;
  } else {
    show_in_focus(settings, {view});
  }
}

}  // namespace dispersion
