#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/figure/series_style.h"
#include "core/figure/statement.h"

namespace dispersion {

// A figure as plain data, independent of windows and file formats: the painters in app/export draw
// it on a canvas, which the window and every picture format implement.

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
  bool hidden = false;  // by the user: not painted, and marked as hidden in data files
};

// A curve without points and without marks.
Series line_series(std::string name, ColourRole role);

// A straight line across the whole plot, at a value of one of its axes.
struct ReferenceLine {
  double value = 0;
  std::string label;     // may be empty
  bool vertical = true;  // at a value of x; otherwise horizontal, at a value of y
};

// A range of x that is shaded, e.g. where a rule acts.
struct ShadedRange {
  double low = 0;
  double high = 0;
  std::string label;
};

// A histogram: bar i covers [edge[i], edge[i + 1]].
struct Bars {
  std::string name;
  ColourRole role = ColourRole::kNeutral;
  std::vector<double> edge;    // [bars + 1], ascending
  std::vector<double> height;  // [bars]
};

struct LinePlot {
  Statement title;
  Statement subtitle;
  Axis x;
  Axis y;
  std::vector<Series> series;
  std::vector<ReferenceLine> lines;
  std::vector<ShadedRange> ranges;
  std::vector<Bars> bars;  // behind the series
  // Points that the plot leaves out, under the names of their series; data files contain them.
  std::vector<Series> unseen = {};
};

// How values are mapped to the range of a colour map.
enum class ColourScale { kLinear, kSquareRoot, kLogarithmic };

// A matrix of values, painted in viridis.
struct Heatmap {
  std::string title;  // e.g. "1024"
  Statement caption;  // e.g. "0.24", under the frame
  int rows = 0;
  int columns = 0;
  std::vector<float> values;  // [rows, columns]
};

// Frames side by side that share one colour range.
struct HeatmapStrip {
  std::string title;  // e.g. "adaptive theta"
  Statement subtitle;
  ColourRole role = ColourRole::kNeutral;
  std::vector<Heatmap> frames;
};

struct HeatmapGrid {
  Statement title;
  Statement subtitle;
  ColourScale scale = ColourScale::kSquareRoot;
  double low = 0;
  double high = 1;
  std::string value_label;    // of the colour bar
  std::string caption_label;  // what the captions of the frames are
  std::string frame_label;    // what the titles of the frames are
  std::vector<HeatmapStrip> strips;
};

enum class ColourMap { kViridis, kCividis, kMagma };

// A function of two variables on a grid, to be painted as a heat map or as a surface.
struct FieldPlot {
  Statement title;
  Statement subtitle;
  Axis x;
  Axis y;
  std::vector<double> x_value;  // [columns], ascending: the x of every column of values
  std::vector<double> y_value;  // [rows], ascending
  std::vector<float> values;    // [rows, columns]; NaN where unknown
  ColourMap map = ColourMap::kViridis;
  ColourScale scale = ColourScale::kLinear;
  double low = 0;  // the values with the first and the last colour
  double high = 1;
  std::string value_label;      // of the colour bar and the vertical axis, with its unit
  std::vector<Series> overlay;  // curves in the plane of x and y, drawn on the heat map
};

struct TableCell {
  std::string text;
  ColourRole role = ColourRole::kNeutral;
  bool strong = false;  // bold
  bool muted = false;   // grey
  // The number that the text shows, unrounded, in the unit of the text, and the interval of a mean.
  // NaN where there is none.
  double value = std::numeric_limits<double>::quiet_NaN();
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();
};

// The cell of a number that there is not, with the reason or a dash.
TableCell missing_cell(const std::string& reason = {});

struct Table {
  Statement title;
  Statement subtitle;
  std::vector<std::string> headings;         // [columns]
  std::vector<std::vector<TableCell>> rows;  // [rows, columns]
  std::vector<Statement> notes;              // below the table, one line each
  // How many of the first rows and notes make up the main part, which can stand alone; 0: the table
  // is not divided.
  int main_rows = 0;
  int main_notes = 0;
  // The numbers of items that headings name, [columns], NaN for other headings; empty when no
  // heading does. A row for a number of items has it as the value of its first cell.
  std::vector<double> heading_values = {};
  bool is_part = false;  // only the main part of a larger table, which may be in the same document
};

// The main part of a table; all of it where it is not divided.
Table main_part(const Table& table);

// How a figure was made: names and values, in order ("seed", "1").
using Provenance = std::vector<std::pair<std::string, std::string>>;

struct Figure {
  std::string name;  // stable, e.g. "dispersion"
  Statement title;
  std::vector<HeatmapGrid> grids;
  std::vector<LinePlot> plots;
  std::vector<FieldPlot> fields;
  std::vector<Table> tables;
  Statement sentence;  // one or two, which state the result with its numbers
  Provenance provenance;
};

// Position of a value on a colour scale, in [0, 1]; values outside are clamped, NaN gives -1.
double colour_position(ColourScale scale, double value, double low, double high);

// The figure as lines of tab-separated text for the clipboard: title, sentence, provenance, tables
// as they are shown, and curves and fields with all digits.
std::string figure_text(const Figure& figure);

}  // namespace dispersion
