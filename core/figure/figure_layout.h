#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/figure/figure.h"

namespace dispersion {

struct FigureBox {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

// Where each part of a figure goes, in the order of the figure's own lists. Heat-map grids take
// whole rows on top, or the left part where their rows have one frame each; fields and plots share
// the rest in tiles as square as they come, three alone with the first one high; tables stand under
// one of two columns where they are small, beside the tiles where they are narrow, below them
// otherwise, and fill everything alone.
struct FigureLayout {
  std::vector<FigureBox> grids;
  std::vector<FigureBox> fields;
  std::vector<FigureBox> plots;
  std::vector<FigureBox> tables;
};

// What a table would take if it could: its full width and height.
struct TableSize {
  double width = 0;
  double height = 0;
};

// How lay_out() shares the room. Of the height, where something stands below: grids; tables, at
// most; tables in a column, at most. Of the width: tables beside plots, at most; grids beside
// plots.
inline constexpr double kGridsAbove = 0.58;
inline constexpr double kTablesBelow = 0.6;
inline constexpr double kTablesBeside = 0.46;
inline constexpr double kTablesInColumn = 0.55;
inline constexpr double kGridsBeside = 0.56;

// How many tiles stand beside one another, so that they become as large as they can.
int tiles_across(std::size_t count, double width, double height, double gap);

// Whether a figure is three plots or fields of which the first, the one that it is about, fills the
// left of two columns, and the others the right one.
bool first_tile_is_high(const Figure& figure, FigureBox room, double gap);

// Whether the grids stand beside plots and fields.
bool grids_stand_beside(const Figure& figure);

// Whether plots and fields stand in two columns with the tables under the left one: there are
// several, and the tables are small. That one has so many of them.
bool tables_stand_in_column(const Figure& figure, FigureBox room, double gap,
                            std::span<const TableSize> tables);
std::size_t left_of_columns(std::size_t count);

// Of all tables one below the other, with gaps between them.
TableSize stacked_size(std::span<const TableSize> tables, double gap);

// `tables`: one size per table of the figure. Any unit.
FigureLayout lay_out(const Figure& figure, FigureBox room, double gap,
                     std::span<const TableSize> tables);

// One below the other over the whole width: tables as high as they want to be, the rest shares what
// is left evenly.
FigureLayout stack(const Figure& figure, FigureBox room, double gap,
                   std::span<const TableSize> tables);

}  // namespace dispersion
