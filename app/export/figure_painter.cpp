#include "app/export/figure_painter.h"

#include <algorithm>
#include <span>
#include <vector>

#include "app/export/figure_words.h"

namespace dispersion {
namespace {

constexpr double kGap = 28;
constexpr double kNarrow = 560;  // below it parts stand one below the other
constexpr double kLeastWidth = 240;
constexpr double kMostAcross = 3;
constexpr double kBesideHighTile = 0.75;  // of the height that suits a plot
constexpr double kLeastTile = 330;        // narrower ones do not stand beside one another

Rect rect(const FigureBox& box) {
  return {box.x, box.y, box.width, box.height};
}

std::vector<TableSize> table_sizes(const Canvas& canvas, const Figure& figure, double width,
                                   const DrawOptions& options) {
  std::vector<TableSize> sizes;
  for (const Table& table : figure.tables)
    sizes.push_back(table_size(canvas, table, width, options));
  return sizes;
}

std::size_t tile_count(const Figure& figure) {
  return figure.fields.size() + figure.plots.size();
}

// With one way to write names for all plots, the narrowest of which is so wide.
DrawOptions with_names(const Canvas& canvas, const Figure& figure, double narrowest,
                       DrawOptions options) {
  options.names = room_for_names(canvas, figure, narrowest, options);
  return options;
}

// Of every field and plot in that width.
std::vector<double> tile_heights(const Canvas& canvas, const Figure& figure, double width,
                                 const DrawOptions& own) {
  const DrawOptions options = with_names(canvas, figure, width, own);
  std::vector<double> heights;
  for (const FieldPlot& field : figure.fields)
    heights.push_back(field_height(canvas, field, width, options));
  for (const LinePlot& plot : figure.plots)
    heights.push_back(line_plot_height(canvas, plot, width, options));
  return heights;
}

// 0 of none.
double highest(std::span<const double> heights) {
  double most = 0;
  for (const double height : heights)
    most = std::max(most, height);
  return most;
}

// What is measured, and how.
struct Measure {
  const Canvas& canvas;
  const Figure& figure;
  const DrawOptions& draw;
  std::vector<TableSize> tables;
  double grids;  // height of all of them
};

// `count` tiles, `across` beside one another.
double tiles_height(const Measure& m, std::size_t count, std::size_t across, double width) {
  if (count == 0) return 0;
  const std::size_t rows = (count + across - 1) / across;
  const double tile =
      (width - kGap * static_cast<double>(across - 1)) / static_cast<double>(across);
  const double height = highest(tile_heights(m.canvas, m.figure, tile, m.draw));
  return static_cast<double>(rows) * (height + kGap) - kGap;
}

// Of three tiles with a high first one. The two beside it are flatter than others, or it becomes a
// tower.
double high_first_height(const Measure& m, double width) {
  DrawOptions options = m.draw;
  options.plot_height *= kBesideHighTile;
  const std::vector<double> heights = tile_heights(m.canvas, m.figure, (width - kGap) / 2, options);
  if (heights.empty()) return 0;
  return std::max(heights[0], 2 * highest(std::span(heights).subspan(1)) + kGap);
}

// In the height that suits as many tiles beside one another as will then stand there.
double tiles_height(const Measure& m, std::size_t count, double width) {
  const double high_first = high_first_height(m, width);
  if (first_tile_is_high(m.figure, {0, 0, width, high_first}, kGap)) return high_first;
  const auto most = static_cast<std::size_t>(std::clamp(width / kLeastTile, 1.0, kMostAcross));
  for (std::size_t across = std::min(most, count); across > 1; --across) {
    const double height = tiles_height(m, count, across, width);
    if (tiles_across(count, width, height, kGap) == static_cast<int>(across)) return height;
  }
  return tiles_height(m, count, 1, width);
}

// Where all stand one below the other, plots and grids get the same height.
double narrow_height(const Measure& m, double width) {
  const std::size_t count = tile_count(m.figure) + m.figure.grids.size();
  const double one = std::max(tiles_height(m, tile_count(m.figure) > 0 ? 1 : 0, 1, width), m.grids);
  double height = count > 0 ? static_cast<double>(count) * (one + kGap) - kGap : 0;
  if (!m.tables.empty()) height += stacked_size(m.tables, kGap).height + (count > 0 ? kGap : 0);
  return height;
}

// Of two columns with the tables under the left one.
double columns_height(const Measure& m, double width) {
  const double column = (width - kGap) / 2;
  const std::size_t count = tile_count(m.figure);
  const std::vector<double> heights = tile_heights(m.canvas, m.figure, column, m.draw);
  // Plots of one column are as high as each other.
  const auto column_height = [&](std::size_t from, std::size_t to) {
    const double one = highest(std::span(heights).subspan(from, to - from));
    return static_cast<double>(to - from) * (one + kGap);
  };
  const std::size_t left = left_of_columns(count);
  return std::max(column_height(0, left) + stacked_size(m.tables, kGap).height,
                  column_height(left, count) - kGap);
}

// As lay_out() places them.
double wide_height(const Measure& m, double width) {
  const std::size_t count = tile_count(m.figure);
  const double columns = columns_height(m, width);
  if (tables_stand_in_column(m.figure, {0, 0, width, columns}, kGap, m.tables)) return columns;
  const TableSize tables = stacked_size(m.tables, kGap);
  const bool beside = !m.tables.empty() && tables.width <= kTablesBeside * width;
  double room = beside ? width - tables.width - kGap : width;
  const bool grids_beside = grids_stand_beside(m.figure);
  if (grids_beside) room *= 1 - kGridsBeside;
  const double tiles = tiles_height(m, count, room);
  double height = m.grids + (m.grids > 0 && count > 0 ? kGap : 0) + tiles;
  if (grids_beside) {
    height = std::max(m.grids, tiles);
  } else if (m.grids > 0 && count > 0) {
    height = std::max(height, m.grids / kGridsAbove);
  }
  if (m.tables.empty()) return height;
  if (height == 0) return tables.height;
  if (beside) return std::max(height, tables.height);
  return std::max(height + kGap + tables.height, tables.height / kTablesBelow);
}

}  // namespace

double least_width(const Canvas& canvas, const Figure& figure, const DrawOptions& options) {
  double width = kLeastWidth;
  for (const HeatmapGrid& grid : figure.grids)
    width = std::max(width, least_grid_width(grid));
  for (const Table& table : figure.tables)
    width = std::max(width, least_table_width(canvas, table, options));
  return width + 2 * options.margin;
}

double natural_height(const Canvas& canvas, const Figure& figure, double width,
                      const DrawOptions& options) {
  const double inner = width - 2 * options.margin;
  const FigureWords words = figure_words(canvas, figure, inner, options);
  double grids = 0;
  const bool beside = inner >= kNarrow && grids_stand_beside(figure);
  const double grid_width = beside ? kGridsBeside * (inner - kGap) : inner;
  for (const HeatmapGrid& grid : figure.grids)
    grids += grid_height(canvas, grid, grid_width, options) + (grids > 0 ? kGap : 0);
  const Measure measure = {canvas, figure, options, table_sizes(canvas, figure, inner, options),
                           grids};
  const double parts =
      inner < kNarrow ? narrow_height(measure, inner) : wide_height(measure, inner);
  return words.above() + parts + words.below() + 2 * options.margin;
}

void paint_figure(Canvas& canvas, const Figure& figure, Rect area, const DrawOptions& options) {
  if (!options.transparent) canvas.fill(area, options.palette.panel);
  const double margin = options.margin;
  const Rect inner = {area.x + margin, area.y + margin, area.width - 2 * margin,
                      area.height - 2 * margin};
  const Rect body =
      paint_words(canvas, figure_words(canvas, figure, inner.width, options), inner, options);
  const FigureBox room = {body.x, body.y, body.width, body.height};
  const std::vector<TableSize> sizes = table_sizes(canvas, figure, body.width, options);
  const FigureLayout layout =
      body.width < kNarrow ? stack(figure, room, kGap, sizes) : lay_out(figure, room, kGap, sizes);
  for (std::size_t i = 0; i < figure.grids.size(); ++i)
    paint_heatmap_grid(canvas, figure.grids[i], rect(layout.grids[i]), options);
  for (std::size_t i = 0; i < figure.fields.size(); ++i)
    paint_field(canvas, figure.fields[i], rect(layout.fields[i]), options);
  double narrowest = body.width;
  for (const FigureBox& box : layout.plots)
    narrowest = std::min(narrowest, box.width);
  const DrawOptions of_plots = with_names(canvas, figure, narrowest, options);
  for (std::size_t i = 0; i < figure.plots.size(); ++i)
    paint_line_plot(canvas, figure.plots[i], rect(layout.plots[i]), of_plots);
  for (std::size_t i = 0; i < figure.tables.size(); ++i)
    paint_table(canvas, figure.tables[i], rect(layout.tables[i]), options);
}

}  // namespace dispersion
