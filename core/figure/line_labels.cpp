#include "core/figure/line_labels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>

#include "core/figure/field_image.h"
#include "core/figure/hidden_points.h"
#include "core/figure/zoom.h"

namespace dispersion {
namespace {

constexpr double kBeside = 6;             // from a line to its name
constexpr double kAir = 2;                // around names
constexpr double kSideAir = 5;            // the same, to the left and right, of curves
constexpr double kEnd = 0.9;              // share of x from which on a curve ends at the right
constexpr int kPlacesAlong = 24;          // that are tried along a horizontal line
constexpr std::size_t kMostPoints = 600;  // of a series that are looked at
// What lies beneath a place, against one step farther from where a name would stand best.
constexpr double kCovering = 1000;
constexpr double kTickLine = 3;

struct Spot {
  double x;
  double y;
};
struct Segment {
  Spot from;
  Spot to;
};

// Whether a piece of the segment lies in the box: what is left of it between each pair of sides.
bool meets(const Segment& segment, const FigureBox& box) {
  double first = 0;
  double last = 1;
  const auto cut = [&](double from, double to, double low, double high) {
    const double way = to - from;
    if (way == 0) return from >= low && from <= high;
    const double a = (low - from) / way;
    const double b = (high - from) / way;
    first = std::max(first, std::min(a, b));
    last = std::min(last, std::max(a, b));
    return first <= last;
  };
  return cut(segment.from.x, segment.to.x, box.x, box.x + box.width) &&
         cut(segment.from.y, segment.to.y, box.y, box.y + box.height);
}

bool overlap(const FigureBox& a, const FigureBox& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

Spot spot(const LinePlot& plot, const FigureBox& inside, double x, double y) {
  return {inside.x + axis_share(plot.x, x) * inside.width,
          inside.y + (1 - axis_share(plot.y, y)) * inside.height};
}

// Curves as they are drawn, and the points of those that have no line.
std::vector<Segment> drawn(const LinePlot& plot, const FigureBox& inside) {
  std::vector<Segment> segments;
  for (const Series& series : plot.series) {
    const std::size_t count = std::min(series.x.size(), series.y.size());
    const std::size_t step = count / kMostPoints + 1;
    bool begun = false;
    Spot before = {};
    for (std::size_t i = 0; i < count; i += step) {
      if (!has_place(plot, series.x[i], series.y[i])) continue;
      const Spot here = spot(plot, inside, series.x[i], series.y[i]);
      const bool joined = begun && series.line != LineStyle::kNone;
      segments.push_back({joined ? before : here, here});
      before = here;
      begun = true;
    }
  }
  return segments;
}

// Of a reference line; empty beyond the axes.
std::vector<Segment> across(const LinePlot& plot, const FigureBox& inside,
                            const ReferenceLine& line) {
  const double share = axis_share(line.vertical ? plot.x : plot.y, line.value);
  if (!(share >= -1e-9 && share <= 1 + 1e-9)) return {};
  const double x = inside.x + share * inside.width;
  const double y = inside.y + (1 - share) * inside.height;
  if (line.vertical) return {{{x, inside.y}, {x, inside.y + inside.height}}};
  return {{{inside.x, y}, {inside.x + inside.width, y}}};
}

// From the best place on.
std::vector<FigureBox> places(const ReferenceLine& line, const Segment& drawn, double width,
                              double height, const FigureBox& inside) {
  std::vector<FigureBox> boxes;
  const double right = inside.x + inside.width;
  if (!line.vertical) {
    const double step = std::max(0.0, inside.width - width - 2 * kAir) / kPlacesAlong;
    for (int i = 0; i <= kPlacesAlong; ++i) {
      const double x = right - kAir - width - i * step;
      boxes.push_back({x, drawn.from.y - kAir - height, width, height});
      boxes.push_back({x, drawn.from.y + kAir, width, height});
    }
  } else {
    const double x = drawn.from.x;
    const int rows = std::max(1, static_cast<int>((inside.height - kAir) / (height + 1)));
    for (int row = 0; row < rows; ++row) {
      const double y = inside.y + kAir + row * (height + 1);
      boxes.push_back({x + kBeside, y, width, height});
      boxes.push_back({x - kBeside - width, y, width, height});
    }
  }
  const auto outside = [&](const FigureBox& box) {
    return box.x < inside.x - 1e-9 || box.x + box.width > right + 1e-9 || box.y < inside.y - 1e-9 ||
           box.y + box.height > inside.y + inside.height + 1e-9;
  };
  std::vector<FigureBox> kept;
  std::ranges::copy_if(boxes, std::back_inserter(kept), std::not_fn(outside));
  return kept.empty() ? boxes : kept;
}

struct Ground {
  std::vector<Segment> segments;   // of curves and other reference lines
  std::vector<Segment> ticks;      // faint lines behind everything
  std::vector<FigureBox> written;  // names that have a place already
};

double beneath(const Ground& ground, const FigureBox& box) {
  const FigureBox wide = {box.x - kSideAir, box.y, box.width + 2 * kSideAir, box.height};
  const auto hit = [&](const Segment& segment) { return meets(segment, wide); };
  const auto written = [&](const FigureBox& other) { return overlap(other, wide); };
  return kCovering * static_cast<double>(std::ranges::count_if(ground.segments, hit) +
                                         std::ranges::count_if(ground.written, written)) +
         kTickLine * static_cast<double>(std::ranges::count_if(ground.ticks, hit));
}

Ground ground_of(const LinePlot& plot, const FigureBox& inside, std::span<const FigureBox> taken) {
  Ground ground{drawn(plot, inside), {}, {taken.begin(), taken.end()}};
  for (const Tick& tick : plot.y.ticks) {
    for (const Segment& line : across(plot, inside, {tick.value, "", false}))
      ground.ticks.push_back(line);
  }
  return ground;
}

}  // namespace

std::vector<LineLabel> line_labels(const LinePlot& plot, FigureBox inside,
                                   std::span<const double> widths, double height,
                                   std::span<const FigureBox> taken) {
  std::vector<LineLabel> labels(plot.lines.size());
  Ground ground = ground_of(plot, inside, taken);
  for (std::size_t i = 0; i < labels.size() && i < widths.size(); ++i) {
    const std::vector<Segment> own = across(plot, inside, plot.lines[i]);
    if (own.empty() || plot.lines[i].label.empty()) continue;
    Ground other = ground;
    for (std::size_t j = 0; j < plot.lines.size(); ++j) {
      const std::vector<Segment> line = across(plot, inside, plot.lines[j]);
      if (j != i) other.segments.insert(other.segments.end(), line.begin(), line.end());
    }
    double least = std::numeric_limits<double>::infinity();
    double farther = 0;
    for (const FigureBox& box : places(plot.lines[i], own.front(), widths[i], height, inside)) {
      const double cost = beneath(other, box) + farther++;
      if (cost >= least) continue;
      least = cost;
      labels[i] = {box, true, cost >= kCovering};
    }
    ground.written.push_back(labels[i].box);
  }
  return labels;
}

bool curves_end_together(const LinePlot& plot) {
  return std::ranges::all_of(plot.series, [&](const Series& series) {
    double end = -1;
    bool seen = false;
    for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
      if (!has_place(plot, series.x[i], series.y[i])) continue;
      end = axis_share(plot.x, series.x[i]);
      seen = !beyond(plot.x, series.x[i]) && !beyond(plot.y, series.y[i]);
    }
    return series.line != LineStyle::kNone && end >= kEnd && seen;
  });
}

}  // namespace dispersion
