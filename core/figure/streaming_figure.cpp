#include "core/figure/figures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>

#include "core/experiment/attention_length.h"
#include "core/experiment/streaming.h"
#include "core/figure/axis.h"
#include "core/figure/number_text.h"

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
      const double difference = error(row, row.*curve.value);
      if (!std::isfinite(difference)) continue;
      series.x.push_back(row.items);
      series.y.push_back(difference);
      if (difference == 0) continue;  // the logarithmic axis cannot show it; the subtitle counts it
      smallest = std::min(smallest, difference);
      largest = std::max(largest, difference);
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

namespace {

using Value = std::function<double(const AttentionLength&)>;

double milliseconds(const AttentionLength& row) {
  return 1e3 * row.seconds;
}
double megabytes(const AttentionLength& row) {
  return 1e-6 * static_cast<double>(row.bytes);
}
double matrix_megabytes(const AttentionLength& row) {
  return 1e-6 * static_cast<double>(row.matrix_bytes);
}

Series curve(std::span<const AttentionLength> rows, std::string name, ColourRole role,
             const Value& value) {
  Series series;
  series.name = std::move(name);
  series.role = role;
  if (role == ColourRole::kReference) series.line = LineStyle::kDashed;
  for (const AttentionLength& row : rows) {
    series.x.push_back(row.n);
    series.y.push_back(value(row));
  }
  return series;
}

LinePlot plot(std::span<const AttentionLength> rows, std::string title, std::string subtitle,
              std::vector<Series> series) {
  LinePlot plot;
  plot.title = std::move(title);
  plot.subtitle = std::move(subtitle);
  plot.series = std::move(series);
  plot.x = rows.empty() ? size_axis(256, 4096) : size_axis(rows.front().n, rows.back().n);
  return plot;
}

Axis value_axis(std::string label, const std::vector<Series>& series) {
  double smallest = std::numeric_limits<double>::infinity();
  double largest = 0;
  for (const Series& one : series) {
    for (const double y : one.y) {
      smallest = std::min(smallest, y);
      largest = std::max(largest, y);
    }
  }
  return decade_axis(std::move(label), smallest, largest);
}

bool timed(std::span<const AttentionLength> rows) {
  return rows.empty() || rows.back().seconds > 0;
}

}  // namespace

std::vector<LinePlot> attention_length_plots(std::span<const AttentionLength> rows,
                                             const std::string& where) {
  LinePlot time =
      plot(rows, "Time of adaptive attention", "ms, two passes over n keys for n queries, " + where,
           {curve(rows, "two passes", ColourRole::kAdaptive, milliseconds)});
  time.y = value_axis("time (ms)", time.series);
  LinePlot memory =
      plot(rows, "Memory of adaptive attention", "MB, all arrays together, proportional to n",
           {curve(rows, "two passes", ColourRole::kAdaptive, megabytes),
            curve(rows, "n × n weights", ColourRole::kReference, matrix_megabytes)});
  memory.y = value_axis("memory (MB)", memory.series);
  LinePlot entropy =
      plot(rows, "Entropy of a sequence's rows", "nats, mean over the queries, before sharpening",
           {curve(rows, "entropy", ColourRole::kBaseline,
                  [](const AttentionLength& row) { return row.entropy; }),
            curve(rows, "log n", ColourRole::kReference,
                  [](const AttentionLength& row) { return std::log(row.n); })});
  entropy.y.label = "entropy H (nats)";
  if (!rows.empty()) entropy.y.high = std::ceil(std::log(rows.back().n) + 0.5);
  entropy.y.ticks = round_ticks(entropy.y.low, entropy.y.high);
  if (!timed(rows)) return {std::move(memory), std::move(entropy)};
  return {std::move(time), std::move(memory), std::move(entropy)};
}

std::string attention_length_sentence(std::span<const AttentionLength> rows) {
  if (rows.empty()) return "";
  const AttentionLength& last = rows.back();
  return "Attention itself, in two passes over " + grouped_text(last.n) + " keys, took " +
         (timed(rows) ? significant_text(milliseconds(last), 2) + " ms and " : "") +
         significant_text(megabytes(last), 2) + " MB, where the weights alone would need " +
         significant_text(matrix_megabytes(last), 2) + "; its output is off by " +
         magnitude_text(last.out_error) + " at most.";
}

}  // namespace dispersion
