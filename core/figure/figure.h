#pragma once

#include <string>
#include <utility>
#include <vector>

namespace dispersion {

// A figure as plain data. It knows no window and no file format: app/panels paints it with ImPlot,
// app/export with cairo, both from the same numbers.

// Which colour a thing has; the painters own the palette.
enum class ColourRole { kBaseline, kAdaptive, kNeutral };

struct Tick {
  double value = 0;
  std::string label;
};

struct Axis {
  std::string label;  // with its unit, e.g. "entropy H (nats)"
  bool logarithmic = false;
  double low = 0;
  double high = 1;
  std::vector<Tick> ticks;
};

struct Series {
  std::string name;
  ColourRole role = ColourRole::kNeutral;
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> low;  // error bars; empty: none
  std::vector<double> high;
  bool markers = true;
};

struct LinePlot {
  std::string title;
  std::string subtitle;
  Axis x;
  Axis y;
  std::vector<Series> series;
};

// How a weight becomes a colour; named on the colour bar.
enum class ColourScale { kLinear, kSquareRoot, kLogarithmic };

// A field of values in viridis.
struct Heatmap {
  std::string title;    // e.g. "1024"
  std::string caption;  // e.g. "0.24", under the frame
  int rows = 0;
  int columns = 0;
  std::vector<float> values;  // [rows, columns]
};

// Frames side by side that share one colour range.
struct HeatmapStrip {
  std::string title;  // e.g. "adaptive theta"
  std::string subtitle;
  ColourRole role = ColourRole::kNeutral;
  std::vector<Heatmap> frames;
};

struct HeatmapGrid {
  std::string title;
  std::string subtitle;
  ColourScale scale = ColourScale::kSquareRoot;
  double low = 0;
  double high = 1;
  std::string value_label;    // of the colour bar
  std::string caption_label;  // what the captions of the frames say
  std::vector<HeatmapStrip> strips;
};

// Where a figure came from: name and value, in order ("seed", "1").
using Provenance = std::vector<std::pair<std::string, std::string>>;

struct Figure {
  std::string name;  // stable, e.g. "dispersion"
  std::string title;
  std::vector<HeatmapGrid> grids;
  std::vector<LinePlot> plots;
  Provenance provenance;
};

// Position of a value on a colour scale, in [0, 1]; values outside are clamped, NaN gives -1.
double colour_position(ColourScale scale, double value, double low, double high);

}  // namespace dispersion
