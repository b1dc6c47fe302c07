#pragma once

#include <span>
#include <vector>

#include "core/experiment/dispersion.h"
#include "core/figure/figure.h"

namespace dispersion {

// Two states of the lab in one figure: A, which was pinned, and B, the present one. Every
// difference is B minus A. What is the same in both is shown once.

// Which of the two states a strip of heat maps shows.
enum class ComparedSide { kBoth, kA, kB };

// The transform and the side of a strip of a compared grid.
struct ComparedStrip {
  TransformId transform = TransformId::kSoftmax;
  ComparedSide side = ComparedSide::kBoth;
};

// The heat maps of both.
struct ComparedGrids {
  HeatmapGrid maps;                   // A's and B's
  std::vector<ComparedStrip> strips;  // of `maps`, in its order
  // B's minus A's with one range for all frames, symmetric about 0; without strips where nothing
  // differs or no difference is wanted.
  HeatmapGrid differences;
};

// A transform of only one side, and one whose weights are the same in both, have one strip.
ComparedGrids compared_grids(std::span<const TransformFrames> a, std::span<const TransformFrames> b,
                             ColourScale scale, bool difference);

// B's plot with those curves of A that differ, dashed.
LinePlot compared_plot(const LinePlot& a, const LinePlot& b);

// The fields of A and B and, if `difference` and they have one grid, B's minus A's.
std::vector<FieldPlot> compared_fields(const FieldPlot& a, const FieldPlot& b, bool difference);

// One table in which every column that differs has A's numbers, B's and, if `difference`, B's minus
// A's beside one another; two tables where headings or rows are others.
std::vector<Table> compared_tables(const Table& a, const Table& b, bool difference);

// B's figure with A's in its parts. Where both show the same, it is B's with words that say so.
Figure compared_figure(const Figure& a, const Figure& b, bool difference);

}  // namespace dispersion
