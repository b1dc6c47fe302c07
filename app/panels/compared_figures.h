#pragma once

#include <span>
#include <vector>

#include "app/panels/data_table_panel.h"
#include "app/panels/panel_state.h"
#include "core/figure/compared_sizes.h"
#include "core/figure/difference.h"

namespace dispersion {

// The heat maps of A, B and B minus A, and their texture, laid out as in FigureCache. The strips
// are named by their side only: the comparison bar names the transform.
struct ComparedFigures {
  HeatmapGrid grid;                 // the strips of differences come last
  std::vector<ComparedStrip> maps;  // the strips that are not differences
  HeatmapGrid differences;          // whose range the differences have
  Texture frames;
  const Palette* palette = nullptr;  // with which they are painted

  bool is_difference(std::size_t strip) const { return strip >= maps.size(); }
};

// Follows AppState::comparison: makes PanelState::compared while there is one, and renews it when
// what it shows has changed.
void update_compared_figures(const AppState& app, PanelState& state);

// What the attention view shows: of A and B while they are compared, else of the one state.
const HeatmapGrid& grid_in_view(const PanelState& state);
const Texture& frames_in_view(const PanelState& state);
const LinePlot& accuracy_in_view(const AppState& app, const PanelState& state);
const LinePlot& entropy_in_view(const AppState& app, const PanelState& state);
// The transform of B whose settings a strip shows; null for the strips of A, which never change.
const AttentionTransform* transform_in_view(const PanelState& state, std::size_t strip);

// The tables behind what it shows, with columns of A and of the difference: of a plot that shows
// both, and of the heat maps. `app` has a comparison.
TableSource compared_source(const AppState& app, const LinePlot& plot);
// Of a plot against n, with the differences that `differences` finds in the rows of both.
TableSource compared_size_source(const AppState& app, const LinePlot& plot,
                                 LinePlot (*differences)(std::span<const ComparedRows>));
TableSource compared_maps_source(const AppState& app);

// The colours of a strip of differences with their range, `width` wide.
void draw_difference_key(const PanelState& state, ImVec2 corner, float width);

}  // namespace dispersion
