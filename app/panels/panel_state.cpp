#include "app/panels/panel_state.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "app/palette/palette.h"
#include "app/window/theme.h"
#include "core/experiment/dispersion.h"
#include "core/figure/figures.h"

namespace dispersion {
namespace {

// The rows of the snapshot whose transforms are shown.
std::vector<SizeRow> shown_rows(const ViewSnapshot& snapshot, const ViewSettings& view) {
  std::vector<SizeRow> rows;
  for (const SizeRow& row : snapshot.rows) {
    if (is_shown(view, row.transform.id)) rows.push_back(row);
  }
  return rows;
}

}  // namespace

void FigureCache::update(const AppState& app) {
  std::vector<TransformId> shown;
  for (const AttentionTransform& transform : shown_transforms(app.view))
    shown.push_back(transform.id);
  if (app.snapshot == built_from_ && app.view.colour_scale == scale_ && shown == shown_) return;
  built_from_ = app.snapshot;
  scale_ = app.view.colour_scale;
  shown_ = std::move(shown);
  if (!built_from_) return;
  transforms_ = shown_frames(*built_from_, app.view);
  grid_ = dispersion_grid(transforms_, scale_);
  const std::vector<SizeRow> rows = shown_rows(*built_from_, app.view);
  accuracy_ = accuracy_plot(rows);
  entropy_ = entropy_plot(rows);
  paint_frames();
}

void FigureCache::paint_frames() {
  if (grid_.strips.empty() || grid_.strips.front().frames.empty()) return;
  const std::size_t width = grid_.strips.front().frames.size() * kFrameItems;
  std::vector<std::uint32_t> pixels(width * grid_.strips.size() * kFrameSets);
  for (std::size_t s = 0; s < grid_.strips.size(); ++s) {
    const std::vector<Heatmap>& frames = grid_.strips[s].frames;
    for (std::size_t f = 0; f < frames.size(); ++f) {
      const Heatmap& map = frames[f];
      for (int row = 0; row < map.rows; ++row) {
        for (int column = 0; column < map.columns; ++column) {
          const float value = map.values[static_cast<std::size_t>(row * map.columns + column)];
          const double position = colour_position(grid_.scale, value, grid_.low, grid_.high);
          pixels[(s * kFrameSets + static_cast<std::size_t>(row)) * width + f * kFrameItems +
                 static_cast<std::size_t>(column)] = packed(viridis(position));
        }
      }
    }
  }
  frames_.update(static_cast<int>(width), static_cast<int>(grid_.strips.size()) * kFrameSets,
                 pixels);
}

}  // namespace dispersion
