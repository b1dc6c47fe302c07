#include "app/panels/compared_figures.h"

#include <cstdint>
#include <string>
#include <utility>

#include "app/palette/value_colour.h"
#include "app/session/comparison.h"
#include "app/window/theme.h"
#include "core/experiment/dispersion.h"
#include "core/figure/compared_data.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

const char* side_name(ComparedSide side) {
  switch (side) {
    case ComparedSide::kA:
      return "A";
    case ComparedSide::kB:
      return "B";
    case ComparedSide::kBoth:
      break;
  }
  return "A = B";
}

// Writes the frames of a strip into the pixels of the texture.
void paint_strip(const HeatmapGrid& colours, const HeatmapStrip& strip, const Palette& palette,
                 std::size_t index, std::size_t width, std::vector<std::uint32_t>& pixels) {
  for (std::size_t f = 0; f < strip.frames.size(); ++f) {
    const Heatmap& map = strip.frames[f];
    for (std::size_t i = 0; i < map.values.size(); ++i) {
      const std::size_t row = i / static_cast<std::size_t>(map.columns);
      const std::size_t column = i % static_cast<std::size_t>(map.columns);
      const double position = colour_position(colours.scale, static_cast<double>(map.values[i]),
                                              colours.low, colours.high);
      pixels[(index * kFrameSets + row) * width + f * kFrameItems + column] =
          packed(value_colour(colours, position, palette));
    }
  }
}

void paint(ComparedFigures& figures) {
  const std::vector<HeatmapStrip>& strips = figures.grid.strips;
  std::size_t frames = 0;
  for (const HeatmapStrip& strip : strips)
    frames = std::max(frames, strip.frames.size());
  if (frames == 0) return;
  const std::size_t width = frames * kFrameItems;
  std::vector<std::uint32_t> pixels(width * strips.size() * kFrameSets);
  for (std::size_t s = 0; s < strips.size(); ++s) {
    const HeatmapGrid& colours = figures.is_difference(s) ? figures.differences : figures.grid;
    paint_strip(colours, strips[s], *figures.palette, s, width, pixels);
  }
  figures.frames.update(static_cast<int>(width), static_cast<int>(strips.size()) * kFrameSets,
                        pixels);
}

void make(ComparedFigures& figures, const ComparedGrids& grids) {
  figures.maps = grids.strips;
  figures.grid = grids.maps;
  figures.differences = grids.differences;
  for (std::size_t i = 0; i < figures.maps.size(); ++i)
    figures.grid.strips[i].title = side_name(figures.maps[i].side);
  for (HeatmapStrip strip : grids.differences.strips) {
    strip.subtitle = Statement::naming("up to ±" + plain_number(grids.differences.high));
    figures.grid.strips.push_back(std::move(strip));
  }
  paint(figures);
}

}  // namespace

void update_compared_figures(const AppState& app, PanelState& state) {
  if (!app.comparison) {
    state.compared = nullptr;
    return;
  }
  ComparedPictures& pictures = app.comparison->pictures;
  pictures.update(app);
  const bool first = !state.compared;
  if (first) state.compared = std::make_shared<ComparedFigures>();
  const bool repaint =
      std::exchange(state.compared->palette, state.painter.palette) != state.painter.palette;
  if (pictures.take_change() || first || repaint) make(*state.compared, pictures.maps());
}

const HeatmapGrid& grid_in_view(const PanelState& state) {
  return state.compared ? state.compared->grid : state.figures.grid();
}

const Texture& frames_in_view(const PanelState& state) {
  return state.compared ? state.compared->frames : state.figures.frames();
}

const LinePlot& accuracy_in_view(const AppState& app, const PanelState& state) {
  return app.comparison ? app.comparison->pictures.accuracy() : state.figures.accuracy();
}

const LinePlot& entropy_in_view(const AppState& app, const PanelState& state) {
  return app.comparison ? app.comparison->pictures.entropy() : state.figures.entropy();
}

const AttentionTransform* transform_in_view(const PanelState& state, std::size_t strip) {
  const std::vector<TransformFrames>& present = state.figures.transforms();
  if (!state.compared) return &present[strip].transform;
  const std::vector<ComparedStrip>& maps = state.compared->maps;
  if (maps.empty() || (strip < maps.size() && maps[strip].side == ComparedSide::kA)) return nullptr;
  const TransformId id = maps.back().transform;
  for (const TransformFrames& each : present) {
    if (each.transform.id == id) return &each.transform;
  }
  return nullptr;
}

namespace {

// Another one while the difference is hidden or other sets are counted.
std::uint64_t mixed(std::uint64_t numbers, const Comparison& comparison) {
  constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15U;
  const auto pairs = reinterpret_cast<std::uintptr_t>(comparison.pairs.get());
  return (numbers * kMix + pairs) * kMix + (comparison.difference ? 1 : 0);
}

}  // namespace

TableSource compared_source(const AppState& app, const LinePlot& plot) {
  const bool difference = app.comparison->difference;
  return {mixed(fingerprint(plot), *app.comparison),
          [&plot, difference] { return compared_table(plot, difference); }};
}

TableSource compared_size_source(const AppState& app, const LinePlot& plot,
                                 LinePlot (*differences)(std::span<const ComparedRows>)) {
  return {mixed(fingerprint(plot), *app.comparison), [&app, &plot, differences] {
            const std::vector<SizeRow> a = shown_rows(app.comparison->a);
            const std::vector<SizeRow> b = shown_rows(app);
            const ComparedPairs* counted = present_pairs(app);
            std::span<const SizePair> pairs;
            if (counted != nullptr) pairs = counted->pairs;
            const LinePlot known = differences(compared_rows(a, b, pairs));
            return compared_table(plot, app.comparison->difference, &known);
          }};
}

TableSource compared_maps_source(const AppState& app) {
  const ComparedGrids& grids = app.comparison->pictures.maps();
  const bool difference = app.comparison->difference;
  return {mixed(fingerprint(grids.maps), *app.comparison),
          [&grids, difference] { return compared_table(grids, difference); }};
}

void draw_difference_key(const PanelState& state, ImVec2 corner, float width) {
  constexpr int kSlices = 48;
  const Painter& painter = state.painter;
  const float slice = width / kSlices;
  const float height = painter.px(8);
  for (int i = 0; i < kSlices; ++i) {
    const float x = corner.x + slice * static_cast<float>(i);
    ImGui::GetWindowDrawList()->AddRectFilled(
        {x, corner.y}, {x + slice + 0.5F, corner.y + height},
        packed(value_colour(state.compared->differences, (i + 0.5) / kSlices, *painter.palette)));
  }
}

}  // namespace dispersion
