#include "app/panels/experiment_layout.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "app/panels/figure_panels.h"

namespace dispersion {
namespace {

// A table below a plot scrolls rather than leave the plot less than this, in logical pixels; but it
// has this share of the height at most.
constexpr float kPlotAboveTable = 230;
constexpr double kTablesBelowPlots = 0.73;
// Parts that would be smaller stand in a column that scrolls, in logical pixels.
constexpr float kLeastWidth = 240;
constexpr float kLeastHeight = 150;
// A single plot above tables that would be so wide, as a multiple of its height, has the sentence
// beside it, in a column of this share of the width within these limits, in logical pixels.
constexpr double kWidePlot = 3;
constexpr float kTextShare = 0.27F;
constexpr float kLeastText = 300;
constexpr float kMostText = 440;
constexpr float kMostHead = 0.36F;  // of the height, for the sentence of a presented figure

}  // namespace

bool switch_beside(const Painter& painter, const Figure& figure, float width) {
  return measure(painter, TextStyle::kTitle, figure.title).x + painter.px(kSwitch + 42) <= width;
}

float head_height(const Painter& painter, const Figure& figure, float width) {
  float height = painter.px(42);
  if (!figure.fields.empty() && !switch_beside(painter, figure, width))
    height += painter.px(kSwitchRow);
  if (figure.sentence.empty()) return height;
  return height + painter.px(6) +
         flow_height(painter, TextStyle::kBody, figure.sentence, width - painter.px(28));
}

FigureLayout layout_of(const Painter& painter, const Figure& figure, ImVec2 corner, ImVec2 size,
                       bool stacked) {
  std::vector<TableSize> sizes;
  for (const Table& table : figure.tables)
    sizes.push_back(table_panel_size(painter, table));
  const FigureBox whole = {corner.x, corner.y, size.x, size.y};
  const double below = std::clamp(1 - static_cast<double>(painter.px(kPlotAboveTable) / size.y),
                                  kTablesBelow, kTablesBelowPlots);
  return stacked ? stack(figure, whole, painter.px(kBetweenParts), sizes)
                 : lay_out(figure, whole, painter.px(kBetweenParts), sizes, below);
}

bool crowded(const Painter& painter, const FigureLayout& layout) {
  const auto small = [&](const FigureBox& box) {
    return box.width < static_cast<double>(painter.px(kLeastWidth)) ||
           box.height < static_cast<double>(painter.px(kLeastHeight));
  };
  return std::ranges::any_of(layout.plots, small) || std::ranges::any_of(layout.fields, small);
}

std::optional<FigureBox> text_beside_plot(const Painter& painter, const Figure& figure,
                                          const FigureLayout& usual, FigureLayout& whole) {
  if (usual.plots.size() != 1 || !usual.fields.empty() || usual.tables.empty()) return {};
  if (usual.plots.front().width < kWidePlot * usual.plots.front().height) return {};
  FigureBox& plot = whole.plots.front();
  const float title =
      std::ceil(measure(painter, TextStyle::kTitle, figure.title).x) + painter.px(29);
  const float share = std::clamp(std::floor(static_cast<float>(plot.width) * kTextShare),
                                 painter.px(kLeastText), painter.px(kMostText));
  const float width = std::max(share, title);
  if (static_cast<double>(width) > plot.width / 2) return {};
  if (static_cast<double>(head_height(painter, figure, width)) > plot.height) return {};
  const FigureBox text = {plot.x, plot.y, static_cast<double>(width), plot.height};
  const double taken = text.width + static_cast<double>(painter.px(kBetweenParts));
  plot.x += taken;
  plot.width -= taken;
  return text;
}

namespace {

bool fits(const Painter& painter, const Table& table, const FigureBox& box) {
  const TableSize size = table_panel_size(painter, table);
  return size.width <= box.width && size.height <= box.height;
}

// Whether all parts can be read in this room, without scrolling.
bool readable(const Painter& painter, const Figure& figure, ImVec2 size) {
  const float head = figure.sentence.empty()
                         ? 0
                         : head_height(painter, figure, size.x) + painter.px(kBetweenParts);
  const FigureLayout layout = layout_of(painter, figure, {0, head}, {size.x, size.y - head}, false);
  if (crowded(painter, layout)) return false;
  for (std::size_t i = 0; i < figure.tables.size(); ++i) {
    if (!fits(painter, figure.tables[i], layout.tables[i])) return false;
  }
  return true;
}

// The figure without its parts.
Figure without_parts(const Figure& figure) {
  Figure bare = figure;
  bare.fields.clear();
  bare.plots.clear();
  bare.tables.clear();
  return bare;
}

}  // namespace

std::vector<Figure> presented_pages(const Painter& painter, const Figure& figure, bool headed,
                                    ImVec2 size) {
  Figure whole = figure;
  for (Table& table : whole.tables)
    table = main_part(table);
  const bool room = headed && head_height(painter, figure, size.x) <= kMostHead * size.y;
  if (!room) whole.sentence = {};
  if (readable(painter, whole, size)) return {whole};
  const auto page = [&] { return without_parts(whole); };
  std::vector<Figure> pages;
  Figure plots = whole;
  plots.tables.clear();
  const bool any_plots = !plots.plots.empty() || !plots.fields.empty();
  if (any_plots && readable(painter, plots, size)) {
    pages.push_back(plots);
  } else {
    for (const FieldPlot& field : whole.fields)
      pages.emplace_back(page()).fields = {field};
    for (const LinePlot& plot : whole.plots)
      pages.emplace_back(page()).plots = {plot};
  }
  for (const Table& table : whole.tables)
    pages.emplace_back(page()).tables = {table};
  if (pages.empty()) return {whole};
  for (std::size_t i = 1; i < pages.size(); ++i)
    pages[i].sentence = {};
  return pages;
}

}  // namespace dispersion
