#include "core/figure/figure_layout.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace dispersion {
namespace {

constexpr double kTileAspect = 1.5;     // the best ratio of width to height for a plot
constexpr double kNarrowestTile = 0.3;  // of the width: the least that a table beside tiles leaves

// `count` boxes of equal height, one below the other.
std::vector<FigureBox> rows_of(std::size_t count, FigureBox room, double gap) {
  const auto rows = static_cast<double>(count);
  const double height = (room.height - gap * (rows - 1)) / rows;
  std::vector<FigureBox> boxes;
  for (std::size_t i = 0; i < count; ++i)
    boxes.push_back({room.x, room.y + static_cast<double>(i) * (height + gap), room.width, height});
  return boxes;
}

// `count` boxes in two columns, `left` of them in the left one.
std::vector<FigureBox> two_columns(std::size_t count, std::size_t left, FigureBox room,
                                   double gap) {
  FigureBox column = room;
  column.width = (room.width - gap) / 2;
  std::vector<FigureBox> boxes = rows_of(left, column, gap);
  column.x += column.width + gap;
  for (const FigureBox& box : rows_of(count - left, column, gap))
    boxes.push_back(box);
  return boxes;
}

// Tiles in rows, each of which fills the whole width.
std::vector<FigureBox> tiles(std::size_t count, FigureBox room, double gap) {
  std::vector<FigureBox> boxes;
  if (count == 0) return boxes;
  const int most = tiles_across(count, room.width, room.height, gap);
  const int rows = (static_cast<int>(count) + most - 1) / most;
  const double height = (room.height - gap * (rows - 1)) / rows;
  std::size_t left = count;
  for (int row = 0; row < rows; ++row) {
    // Rows get as equal numbers of tiles as possible: 3 + 2 instead of 4 + 1.
    const std::size_t rows_left = static_cast<std::size_t>(rows - row);
    const std::size_t across = (left + rows_left - 1) / rows_left;
    const double width =
        (room.width - gap * static_cast<double>(across - 1)) / static_cast<double>(across);
    for (std::size_t i = 0; i < across; ++i) {
      boxes.push_back({room.x + static_cast<double>(i) * (width + gap),
                       room.y + row * (height + gap), width, height});
    }
    left -= across;
  }
  return boxes;
}

// Tables one below the other that fill the room: their heights are scaled by one factor.
std::vector<FigureBox> stack_tables(std::span<const TableSize> tables, FigureBox room, double gap) {
  std::vector<FigureBox> boxes;
  double full_height = 0;
  for (const TableSize& table : tables)
    full_height += std::max(table.height, 1e-9);
  const double available = room.height - gap * static_cast<double>(tables.size() - 1);
  double y = room.y;
  for (const TableSize& table : tables) {
    const double height = available * std::max(table.height, 1e-9) / full_height;
    boxes.push_back({room.x, y, room.width, height});
    y += height + gap;
  }
  return boxes;
}

// Places the tables in a part of `room` and reduces `room` to the rest. `alone`: the figure has
// nothing but tables, and they fill everything. `most_below`: as in lay_out().
std::vector<FigureBox> place_tables(std::span<const TableSize> tables, FigureBox& room, double gap,
                                    double most_below, bool alone) {
  if (tables.empty()) return {};
  if (alone) return stack_tables(tables, room, gap);
  const TableSize stack = stacked_size(tables, gap);
  const bool beside =
      stack.width <= kTablesBeside * room.width &&
      stack.height >= kTablesBesideHigh * room.height &&
      room.width - stack.width - gap >= std::max(kNarrowestTile * room.width, 0.7 * room.height);
  FigureBox part = room;
  if (beside) {
    part.width = stack.width;
    part.x = room.x + room.width - stack.width;
    room.width -= stack.width + gap;
  } else {
    part.height = std::min(stack.height, most_below * room.height);
    part.y = room.y + room.height - part.height;
    room.height -= part.height + gap;
  }
  return stack_tables(tables, part, gap);
}

// Plots and fields in two columns, with the tables under the left one.
FigureLayout in_columns(const Figure& figure, FigureBox room, double gap,
                        std::span<const TableSize> tables) {
  const std::size_t count = figure.fields.size() + figure.plots.size();
  const double width = (room.width - gap) / 2;
  const double below = stacked_size(tables, gap).height;
  const std::size_t left = left_of_columns(count);
  std::vector<FigureBox> boxes = two_columns(count, left, room, gap);
  const double above = room.height - below - gap;
  std::ranges::copy(rows_of(left, {room.x, room.y, width, above}, gap), boxes.begin());
  const auto fields = static_cast<std::ptrdiff_t>(figure.fields.size());
  FigureLayout layout;
  layout.fields.assign(boxes.begin(), boxes.begin() + fields);
  layout.plots.assign(boxes.begin() + fields, boxes.end());
  layout.tables = stack_tables(tables, {room.x, room.y + above + gap, width, below}, gap);
  return layout;
}

}  // namespace

bool first_tile_is_high(const Figure& figure, FigureBox room, double gap) {
  const std::size_t count = figure.fields.size() + figure.plots.size();
  return count == 3 && figure.grids.empty() && figure.tables.empty() &&
         tiles_across(count, room.width, room.height, gap) == 2;
}

int tiles_across(std::size_t count, double width, double height, double gap) {
  int best = 1;
  double largest = -1;
  for (int across = 1; across <= static_cast<int>(count); ++across) {
    const double rows = std::ceil(static_cast<double>(count) / across);
    const double tile_width = (width - gap * (across - 1)) / across;
    const double tile_height = (height - gap * (rows - 1)) / rows;
    const double size = std::min(tile_width / kTileAspect, tile_height);
    if (size <= largest) continue;
    largest = size;
    best = across;
  }
  return best;
}

TableSize stacked_size(std::span<const TableSize> tables, double gap) {
  TableSize stack;
  for (const TableSize& table : tables) {
    stack.width = std::max(stack.width, table.width);
    stack.height += table.height + gap;
  }
  stack.height = std::max(0.0, stack.height - gap);
  return stack;
}

bool grids_stand_beside(const Figure& figure) {
  const auto narrow = [](const HeatmapGrid& grid) {
    return std::ranges::all_of(grid.strips,
                               [](const auto& strip) { return strip.frames.size() < 2; });
  };
  return !figure.grids.empty() && figure.fields.size() + figure.plots.size() > 0 &&
         std::ranges::all_of(figure.grids, narrow);
}

bool tables_stand_in_column(const Figure& figure, FigureBox room, double gap,
                            std::span<const TableSize> tables) {
  const std::size_t count = figure.fields.size() + figure.plots.size();
  if (!figure.grids.empty() || count < 3 || tables.empty()) return false;
  const TableSize stack = stacked_size(tables, gap);
  return tiles_across(count + tables.size(), room.width, room.height, gap) == 2 &&
         stack.width <= (room.width - gap) / 2 && stack.height <= kTablesInColumn * room.height;
}

std::size_t left_of_columns(std::size_t count) {
  return count / 2;
}

FigureLayout lay_out(const Figure& figure, FigureBox room, double gap,
                     std::span<const TableSize> tables, double tables_below) {
  FigureLayout layout;
  const std::size_t count = figure.fields.size() + figure.plots.size();
  if (tables_stand_in_column(figure, room, gap, tables))
    return in_columns(figure, room, gap, tables);
  layout.tables = place_tables(tables, room, gap, tables_below, count == 0 && figure.grids.empty());
  if (grids_stand_beside(figure)) {
    FigureBox part = room;
    part.width = kGridsBeside * (room.width - gap);
    layout.grids = rows_of(figure.grids.size(), part, gap);
    room.x += part.width + gap;
    room.width -= part.width + gap;
  } else if (!figure.grids.empty()) {
    const double share = count > 0 ? kGridsAbove : 1;
    const double grids = share * (room.height - (count > 0 ? gap : 0));
    layout.grids = rows_of(figure.grids.size(), {room.x, room.y, room.width, grids}, gap);
    room.y += grids + gap;
    room.height -= grids + gap;
  }
  const std::vector<FigureBox> boxes = first_tile_is_high(figure, room, gap)
                                           ? two_columns(count, 1, room, gap)
                                           : tiles(count, room, gap);
  const auto fields = static_cast<std::ptrdiff_t>(figure.fields.size());
  layout.fields.assign(boxes.begin(), boxes.begin() + fields);
  layout.plots.assign(boxes.begin() + fields, boxes.end());
  return layout;
}

FigureLayout stack(const Figure& figure, FigureBox room, double gap,
                   std::span<const TableSize> tables) {
  FigureLayout layout;
  const std::size_t tiles = figure.grids.size() + figure.fields.size() + figure.plots.size();
  double left = room.height + gap;
  for (const TableSize& table : tables)
    left -= table.height + gap;
  const double height = tiles > 0 ? std::max(left / static_cast<double>(tiles) - gap, 1.0) : 0;
  double y = room.y;
  const auto place = [&](double own) {
    const FigureBox box = {room.x, y, room.width, own};
    y += own + gap;
    return box;
  };
  for (std::size_t i = 0; i < figure.grids.size(); ++i)
    layout.grids.push_back(place(height));
  for (std::size_t i = 0; i < figure.fields.size(); ++i)
    layout.fields.push_back(place(height));
  for (std::size_t i = 0; i < figure.plots.size(); ++i)
    layout.plots.push_back(place(height));
  for (const TableSize& table : tables)
    layout.tables.push_back(place(table.height));
  return layout;
}

}  // namespace dispersion
