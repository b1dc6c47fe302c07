#include "core/figure/streaming_figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/figure/decade_axis.h"
#include "core/figure/number_text.h"
#include "core/figure/ticks.h"

namespace dispersion {
namespace {

struct Curve {
  const char* name;
  ColourRole role;
  LineStyle line;
  double StreamingRow::*value;
  Mark mark = Mark::kDisc;
};
constexpr std::array<Curve, 5> kCurves = {{
    {"blocks, double", ColourRole::kBaseline, LineStyle::kSolid, &StreamingRow::blocks_double},
    {"blocks, float", ColourRole::kAdaptive, LineStyle::kSolid, &StreamingRow::blocks_float},
    {"not centred, float", ColourRole::kNeutral, LineStyle::kSolid, &StreamingRow::uncentred_float},
    {"printed maximum", ColourRole::kThird, LineStyle::kDashed, &StreamingRow::with_maximum_slip,
     Mark::kDiamond},
    {"printed sign", ColourRole::kReference, LineStyle::kSolid, &StreamingRow::with_sign_slip},
}};

double error(const StreamingRow& row, double value) {
  return std::abs(value - row.exact);
}

double largest_error(std::span<const StreamingRow> rows, double StreamingRow::*value) {
  double largest = 0;
  for (const StreamingRow& row : rows)
    largest = std::max(largest, error(row, row.*value));
  return largest;
}

std::string sentence(std::span<const StreamingRow> rows) {
  const StreamingRow& last = rows.back();
  return "Up to n = " + grouped_text(last.items) + " the entropy streamed in blocks is off by " +
         magnitude_text(largest_error(rows, &StreamingRow::blocks_double)) +
         " nats at most in double and " +
         magnitude_text(largest_error(rows, &StreamingRow::blocks_float)) +
         " in float. As the appendix prints it, the sign gives " +
         fixed_text(last.with_sign_slip, 3) + " instead of " + fixed_text(last.exact, 3) +
         " at that n, and the running maximum " + fixed_text(last.with_maximum_slip, 3) + ".";
}

}  // namespace

Figure streaming_figure(std::span<const StreamingRow> rows) {
  Figure figure;
  figure.name = "streaming";
  figure.title = "Entropy while the logits stream by";
  LinePlot plot;
  plot.title = "Error of the streamed entropy";
  plot.subtitle = "nats, against the exact entropy";
  double smallest = std::numeric_limits<double>::infinity();
  double largest = 0;
  for (const Curve& curve : kCurves) {
    Series series;
    series.name = curve.name;
    series.role = curve.role;
    series.line = curve.line;
    series.mark = curve.mark;
    for (const StreamingRow& row : rows) {
      const double off = error(row, row.*curve.value);
      if (!std::isfinite(off)) continue;
      series.x.push_back(row.items);
      series.y.push_back(off);
      if (off == 0) continue;  // hidden, and counted below the title
      smallest = std::min(smallest, off);
      largest = std::max(largest, off);
    }
    if (!series.x.empty()) plot.series.push_back(std::move(series));
  }
  plot.y = decade_axis("error (nats)", smallest, largest);
  plot.x = rows.empty() ? size_axis(16, 131072)
                        : size_axis(std::ranges::min(rows, {}, &StreamingRow::items).items,
                                    std::ranges::max(rows, {}, &StreamingRow::items).items);
  figure.plots.push_back(std::move(plot));
  if (!rows.empty()) figure.sentence = sentence(rows);
  return figure;
}

}  // namespace dispersion
