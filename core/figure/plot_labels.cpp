#include "core/figure/plot_labels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "core/figure/axis.h"
#include "core/figure/compared_parts.h"
#include "core/figure/counted.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr double kBeside = 6;      // from a vertical line to its name
constexpr double kMargin = 2;      // between a name and a horizontal line or the plot's edge
constexpr double kSideMargin = 5;  // to the left and right of a name, free of curves
constexpr double kCurveEnd = 0.9;  // a curve that ends beyond this share of x ends at the right
constexpr int kPlacesAlong = 24;   // places that are tried along a horizontal line
constexpr std::size_t kMostPoints = 600;  // points of a series that are looked at
// The cost of a place: 1 for every step away from the best one, and these for every thing that the
// name would cover.
constexpr double kCoverCost = 1000;
constexpr double kTickLineCost = 3;

// "error" for an axis labelled "error (nats)".
std::string name_of(const Axis& axis) {
  return axis.label.substr(0, axis.label.find(" ("));
}

// What the hidden points have in common: "error 0", "training step 0", "0 or below".
std::string where_hidden(const LinePlot& plot) {
  bool along_x = false;
  bool along_y = false;
  bool below = false;
  for (const Series& series : plot.series) {
    for (std::size_t i = 0; i < series.x.size() && i < series.y.size(); ++i) {
      const double x = series.x[i];
      const double y = series.y[i];
      if (!std::isfinite(x) || !std::isfinite(y) || has_place(plot, x, y)) continue;
      const bool off_x = plot.x.logarithmic && x <= 0;
      (off_x ? along_x : along_y) = true;
      below = below || (off_x ? x : y) < 0;
    }
  }
  const std::string zero = below ? "0 or below" : "0";
  if (along_x && along_y) return zero;
  return name_of(along_x ? plot.x : plot.y) + " " + zero;
}

struct Point {
  double x;
  double y;
};
struct Segment {
  Point from;
  Point to;
};

// Whether a part of the segment lies in the box: clips it between each pair of sides (Liang and
// Barsky).
bool intersects(const Segment& segment, const FigureBox& box) {
  double first = 0;
  double last = 1;
  const auto clip = [&](double from, double to, double low, double high) {
    const double length = to - from;
    if (length == 0) return from >= low && from <= high;
    const double a = (low - from) / length;
    const double b = (high - from) / length;
    first = std::max(first, std::min(a, b));
    last = std::min(last, std::max(a, b));
    return first <= last;
  };
  return clip(segment.from.x, segment.to.x, box.x, box.x + box.width) &&
         clip(segment.from.y, segment.to.y, box.y, box.y + box.height);
}

bool overlap(const FigureBox& a, const FigureBox& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

Point to_screen(const LinePlot& plot, const FigureBox& inside, double x, double y) {
  return {inside.x + axis_share(plot.x, x) * inside.width,
          inside.y + (1 - axis_share(plot.y, y)) * inside.height};
}

// The segments of all curves. A point of a series without a line is a segment of length 0.
std::vector<Segment> curve_segments(const LinePlot& plot, const FigureBox& inside) {
  std::vector<Segment> segments;
  for (const Series& series : plot.series) {
    const std::size_t count = std::min(series.x.size(), series.y.size());
    const std::size_t step = count / kMostPoints + 1;
    bool begun = false;
    Point before = {};
    for (std::size_t i = 0; i < count; i += step) {
      if (!has_place(plot, series.x[i], series.y[i])) continue;
      const Point here = to_screen(plot, inside, series.x[i], series.y[i]);
      const bool joined = begun && series.line != LineStyle::kNone;
      segments.push_back({joined ? before : here, here});
      before = here;
      begun = true;
    }
  }
  return segments;
}

// The one segment of a reference line; none where it lies outside the axes.
std::vector<Segment> line_segment(const LinePlot& plot, const FigureBox& inside,
                                  const ReferenceLine& line) {
  const double share = axis_share(line.vertical ? plot.x : plot.y, line.value);
  if (!(share >= -1e-9 && share <= 1 + 1e-9)) return {};
  const double x = inside.x + share * inside.width;
  const double y = inside.y + (1 - share) * inside.height;
  if (line.vertical) return {{{x, inside.y}, {x, inside.y + inside.height}}};
  return {{{inside.x, y}, {inside.x + inside.width, y}}};
}

// Boxes where the name of a line could be written, the best one first. Those that lie outside
// `inside` are left out unless all do.
std::vector<FigureBox> candidate_boxes(const ReferenceLine& line, const Segment& segment,
                                       double width, double height, const FigureBox& inside) {
  std::vector<FigureBox> boxes;
  const double right = inside.x + inside.width;
  if (!line.vertical) {
    const double step = std::max(0.0, inside.width - width - 2 * kMargin) / kPlacesAlong;
    for (int i = 0; i <= kPlacesAlong; ++i) {
      const double x = right - kMargin - width - i * step;
      boxes.push_back({x, segment.from.y - kMargin - height, width, height});
      boxes.push_back({x, segment.from.y + kMargin, width, height});
    }
  } else {
    const double x = segment.from.x;
    const int rows = std::max(1, static_cast<int>((inside.height - kMargin) / (height + 1)));
    for (int row = 0; row < rows; ++row) {
      const double y = inside.y + kMargin + row * (height + 1);
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

// What a name should not cover.
struct Obstacles {
  std::vector<Segment> segments;    // of curves and other reference lines
  std::vector<Segment> tick_lines;  // the faint lines at the ticks of y
  std::vector<FigureBox> texts;     // other names, and what else is written
};

double cover_cost(const Obstacles& obstacles, const FigureBox& box) {
  const FigureBox wide = {box.x - kSideMargin, box.y, box.width + 2 * kSideMargin, box.height};
  const auto crosses = [&](const Segment& segment) { return intersects(segment, wide); };
  const auto overlaps = [&](const FigureBox& other) { return overlap(other, wide); };
  return kCoverCost * static_cast<double>(std::ranges::count_if(obstacles.segments, crosses) +
                                          std::ranges::count_if(obstacles.texts, overlaps)) +
         kTickLineCost * static_cast<double>(std::ranges::count_if(obstacles.tick_lines, crosses));
}

Obstacles obstacles_of(const LinePlot& plot, const FigureBox& inside,
                       std::span<const FigureBox> taken) {
  Obstacles obstacles{curve_segments(plot, inside), {}, {taken.begin(), taken.end()}};
  for (const Tick& tick : plot.y.ticks) {
    for (const Segment& line : line_segment(plot, inside, {tick.value, "", false}))
      obstacles.tick_lines.push_back(line);
  }
  return obstacles;
}

}  // namespace

bool has_place(const LinePlot& plot, double x, double y) {
  return std::isfinite(x) && std::isfinite(y) && (!plot.x.logarithmic || x > 0) &&
         (!plot.y.logarithmic || y > 0);
}

std::int64_t hidden_points(const LinePlot& plot) {
  std::int64_t hidden = 0;
  for (const Series& series : plot.series) {
    for (std::size_t i = 0; i < series.x.size() && i < series.y.size(); ++i) {
      const bool number = std::isfinite(series.x[i]) && std::isfinite(series.y[i]);
      hidden += number && !has_place(plot, series.x[i], series.y[i]) ? 1 : 0;
    }
  }
  return hidden;
}

Statement painted_subtitle(const LinePlot& plot) {
  const std::int64_t hidden = hidden_points(plot);
  if (hidden == 0) return plot.subtitle;
  Claim claim = count_claim("points not shown", hidden);
  claim.of = plot.title.text();
  Statement subtitle = plot.subtitle;
  if (!subtitle.empty()) subtitle += "; ";
  return subtitle + Statement::fact(counted_text(hidden, "point"), {std::move(claim)}) + " at " +
         Statement::naming(where_hidden(plot)) + " not shown";
}

std::vector<LineLabel> line_labels(const LinePlot& plot, FigureBox inside,
                                   std::span<const double> widths, double height,
                                   std::span<const FigureBox> taken) {
  std::vector<LineLabel> labels(plot.lines.size());
  Obstacles obstacles = obstacles_of(plot, inside, taken);
  std::vector<std::size_t> order(std::min(labels.size(), widths.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_partition(order.begin(), order.end(),
                        [&](std::size_t i) { return plot.lines[i].vertical; });
  for (const std::size_t i : order) {
    const std::vector<Segment> own = line_segment(plot, inside, plot.lines[i]);
    if (own.empty() || plot.lines[i].label.empty()) continue;
    Obstacles with_lines = obstacles;
    for (std::size_t j = 0; j < plot.lines.size(); ++j) {
      const std::vector<Segment> line = line_segment(plot, inside, plot.lines[j]);
      if (j != i) with_lines.segments.insert(with_lines.segments.end(), line.begin(), line.end());
    }
    double least = std::numeric_limits<double>::infinity();
    double steps = 0;
    for (const FigureBox& box :
         candidate_boxes(plot.lines[i], own.front(), widths[i], height, inside)) {
      const double cost = cover_cost(with_lines, box) + steps++;
      if (cost >= least) continue;
      least = cost;
      labels[i] = {box, true, cost >= kCoverCost};
    }
    obstacles.texts.push_back(labels[i].box);
  }
  return labels;
}

std::vector<LegendKey> legend_keys(std::span<const std::string> names) {
  std::vector<LegendKey> keys;
  const auto has = [&](const std::string& name) {
    return std::ranges::find(names, name) != names.end();
  };
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool of_a = names[i].starts_with(kOfA);
    if (of_a && has(names[i].substr(kOfA.size()))) continue;
    keys.push_back({i, names[i]});
    const auto a = std::ranges::find(names, std::string(kOfA) + names[i]);
    if (!names[i].empty() && a != names.end())
      keys.push_back({static_cast<std::size_t>(a - names.begin()), "A"});
  }
  return keys;
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
    return series.line != LineStyle::kNone && end >= kCurveEnd && seen;
  });
}

}  // namespace dispersion
