#pragma once

#include <string>
#include <vector>

#include "core/figure/figure.h"

namespace dispersion {

// A field as the pixels of a heat map. Every pixel shows the sample that is nearest to it along the
// axes, so that each sample reaches halfway to its neighbours; this also draws uneven samples and
// logarithmic axes correctly.
struct FieldImage {
  int rows = 0;  // 0 when the field cannot be drawn
  int columns = 0;
  // Positions on the colour scale, [rows, columns], the top row first; -1 where the value is
  // unknown.
  std::vector<float> position;
  // The rectangle that the image covers, in shares of the axes.
  double left = 0;
  double right = 1;
  double bottom = 0;
  double top = 1;
};
FieldImage field_image(const FieldPlot& plot);

// The index of the sample that is nearest to a share of the axis; -1 when the samples are not
// finite and ascending along it.
int nearest_sample(const Axis& axis, const std::vector<double>& samples, double share);

// Ticks for a colour bar or for the vertical axis of a surface, whose values follow a colour scale.
std::vector<Tick> scale_ticks(ColourScale scale, double low, double high, int most_ticks = 6);

// Ticks for the colour bar of heat maps, which is short: both ends and a few values between them.
std::vector<Tick> bar_ticks(const HeatmapGrid& grid);

// What the colours of a field mean: "entropy H (nats), log scale".
std::string scale_label(const FieldPlot& plot);

}  // namespace dispersion
