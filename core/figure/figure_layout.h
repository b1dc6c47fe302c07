#pragma once

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
// the rest in tiles as square as they come; tables stand among the tiles where they are as large,
// beside them where they are narrow, below them otherwise, and fill everything alone.
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

// Whether the grids stand beside plots and fields, and the share of the width they have then.
bool grids_stand_beside(const Figure& figure);
inline constexpr double kGridsBeside = 0.56;

// `tables`: one size per table of the figure. Any unit.
FigureLayout lay_out(const Figure& figure, FigureBox room, double gap,
                     std::span<const TableSize> tables);

// One below the other over the whole width: tables as high as they want to be, the rest shares what
// is left evenly.
FigureLayout stack(const Figure& figure, FigureBox room, double gap,
                   std::span<const TableSize> tables);

}  // namespace dispersion
