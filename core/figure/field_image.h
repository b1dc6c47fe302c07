#pragma once

#include <vector>

#include "core/figure/figure.h"

namespace dispersion {

// Share of an axis, 0 at its low and 1 at its high end, of a value; NaN where there is none.
double axis_share(const Axis& axis, double value);

// Whether something can be drawn along it: finite, not empty, above 0 where logarithmic.
bool drawable(const Axis& axis);

// A field as the pixels of a heat map: every pixel shows the sample that is nearest along the axes,
// and reaches halfway to its neighbours, so that uneven samples and logarithmic axes come out
// right.
struct FieldImage {
  int rows = 0;  // 0: nothing can be drawn
  int columns = 0;
  // [rows, columns], first row on top; position on the colour scale, -1 where nothing is known.
  std::vector<float> position;
  // Where the image lies, in shares of the axes.
  double left = 0;
  double right = 1;
  double bottom = 0;
  double top = 1;
};
FieldImage field_image(const FieldPlot& plot);

// Index of the sample that is nearest to a share of the axis; -1: none.
int nearest_sample(const Axis& axis, const std::vector<double>& samples, double share);

// Values to write at a colour bar or at the third axis, with their labels.
std::vector<Tick> scale_ticks(ColourScale scale, double low, double high, int most_ticks = 6);

// The same at the colour bar of heat maps, its ends first and last; few, as the bar is short.
std::vector<Tick> bar_ticks(const HeatmapGrid& grid);

// "entropy H (nats), log scale": the name of a field's colours.
std::string scale_label(const FieldPlot& plot);

}  // namespace dispersion
