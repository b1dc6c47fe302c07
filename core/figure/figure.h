#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/figure/series_style.h"

namespace dispersion {

// A figure as plain data. It knows no window and no file format: One painter draws it on the
// canvases of the window and of files.

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
  LineStyle line = LineStyle::kSolid;
  Mark mark = Mark::kDisc;
  bool hidden = false;  // by whoever looks at it: not painted, and told so in data files
};

// A straight line across the plot at a place on one of its axes.
struct ReferenceLine {
  double value = 0;
  std::string label;  // may be empty
  bool vertical = true;
};

// A range of x that is shaded, e.g. where a rule acts.
struct ShadedRange {
  double low = 0;
  double high = 0;
  std::string label;
};

// A histogram: bar i stands on [edge[i], edge[i + 1]].
struct Bars {
  std::string name;
  ColourRole role = ColourRole::kNeutral;
  std::vector<double> edge;    // [bars + 1], ascending
  std::vector<double> height;  // [bars]
};

struct LinePlot {
  std::string title;
  std::string subtitle;
  Axis x;
  Axis y;
  std::vector<Series> series;
  std::vector<ReferenceLine> lines;
  std::vector<ShadedRange> ranges;
  std::vector<Bars> bars;  // behind the series
  // Points that the plot leaves out, under the names of their series: data files have them too.
  std::vector<Series> unseen = {};
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
  std::string frame_label;    // and what their titles say
  std::vector<HeatmapStrip> strips;
};

enum class ColourMap { kViridis, kCividis, kMagma };

// A function of two variables on a grid, to be painted as a heat map or as a surface.
struct FieldPlot {
  std::string title;
  std::string subtitle;
  Axis x;
  Axis y;
  std::vector<double> x_value;  // [columns], ascending, where the values were taken
  std::vector<double> y_value;  // [rows], ascending
  std::vector<float> values;    // [rows, columns]; NaN: nothing is known there
  ColourMap map = ColourMap::kViridis;
  ColourScale scale = ColourScale::kLinear;
  double low = 0;  // of the colours
  double high = 1;
  std::string value_label;      // with its unit, of the colour bar and the third axis
  std::vector<Series> overlay;  // curves in the plane of x and y, drawn on the heat map
};

struct TableCell {
  std::string text;
  ColourRole role = ColourRole::kNeutral;
  bool strong = false;
  bool muted = false;
  // The number that the text shows, unrounded, in the unit of the text, and where that is a mean
  // its interval; NaN: none.
  double value = std::numeric_limits<double>::quiet_NaN();
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();
};

struct Table {
  std::string title;
  std::string subtitle;
  std::vector<std::string> headings;         // [columns]
  std::vector<std::vector<TableCell>> rows;  // [rows, columns]
  std::vector<std::string> notes;            // below, one line each
  // The first rows, and notes, that say the essential and can stand alone; 0: all are alike.
  int main_rows = 0;
  int main_notes = 0;
  // [columns], where the headings are numbers of items, NaN for others; empty: none is. Rows that
  // stand for a number of items have it as the value of their first cell.
  std::vector<double> heading_values = {};
  bool is_part = false;  // the first rows of another table, which may stand in the same document
};

// Its first rows and notes alone, where it tells which these are; else the whole table.
Table main_part(const Table& table);

// Where a figure came from: name and value, in order ("seed", "1").
using Provenance = std::vector<std::pair<std::string, std::string>>;

struct Figure {
  std::string name;  // stable, e.g. "dispersion"
  std::string title;
  std::vector<HeatmapGrid> grids;
  std::vector<LinePlot> plots;
  std::vector<FieldPlot> fields;
  std::vector<Table> tables;
  // What is seen, in a sentence or two with the numbers in it.
  std::string sentence;
  Provenance provenance;
};

// Position of a value on a colour scale, in [0, 1]; values outside are clamped, NaN gives -1.
double colour_position(ColourScale scale, double value, double low, double high);

}  // namespace dispersion
