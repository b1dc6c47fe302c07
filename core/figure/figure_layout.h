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

// The boxes of the parts of a figure, in the order of the figure's lists. Grids of heat maps take
// whole rows at the top, or the left part where each of their rows has one frame. Fields and plots
// share the rest in tiles that are as square as possible; of three alone the first is as high as
// the other two together. Small tables are placed under one of two columns of plots, narrow
// and high ones beside the tiles, others below them, and tables alone fill everything.
struct FigureLayout {
  std::vector<FigureBox> grids;
  std::vector<FigureBox> fields;
  std::vector<FigureBox> plots;
  std::vector<FigureBox> tables;
};

// The full size of a table, which it would take if there were room for it.
struct TableSize {
  double width = 0;
  double height = 0;
};

// How lay_out() divides the room, as shares of its height ...
inline constexpr double kGridsAbove = 0.58;      // for grids above other parts
inline constexpr double kTablesBelow = 0.6;      // at most, for tables below other parts, if
                                                 // nothing else is asked for
inline constexpr double kTablesInColumn = 0.55;  // at most, for tables under a column of plots
// ... or of its width.
inline constexpr double kTablesBeside = 0.46;     // at most, for tables beside plots
inline constexpr double kTablesBesideHigh = 0.3;  // of the height, at least: shorter ones would
                                                  // leave most of that part empty
inline constexpr double kGridsBeside = 0.56;      // for grids beside plots

// The number of tiles in a row with which the tiles become as large as they can.
int tiles_across(std::size_t count, double width, double height, double gap);

// Whether the figure is three plots or fields in two columns: the first, which is the main one,
// fills the left column, and the others share the right one.
bool first_tile_is_high(const Figure& figure, FigureBox room, double gap);

// Whether grids are placed beside plots and fields, not above them.
bool grids_stand_beside(const Figure& figure);

// Whether plots and fields are placed in two columns with the tables under the left one. This needs
// at least three plots or fields, and tables that are small enough.
bool tables_stand_in_column(const Figure& figure, FigureBox room, double gap,
                            std::span<const TableSize> tables);
// How many of `count` plots and fields the left column has then.
std::size_t left_of_columns(std::size_t count);

// The size of all tables one below the other, with gaps between them.
TableSize stacked_size(std::span<const TableSize> tables, double gap);

// The layout described above. `tables`: one size per table of the figure. `tables_below`: at most,
// for tables below other parts. All lengths in one unit.
FigureLayout lay_out(const Figure& figure, FigureBox room, double gap,
                     std::span<const TableSize> tables, double tables_below = kTablesBelow);

// All parts one below the other over the whole width: every table with its full height; the other
// parts share the rest evenly.
FigureLayout stack(const Figure& figure, FigureBox room, double gap,
                   std::span<const TableSize> tables);

}  // namespace dispersion
