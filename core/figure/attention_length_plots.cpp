#include "core/figure/attention_length_plots.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "core/figure/decade_axis.h"
#include "core/figure/number_text.h"
#include "core/figure/ticks.h"

namespace dispersion {
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

Axis decades_of(std::string label, const std::vector<Series>& series) {
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
  time.y = decades_of("time (ms)", time.series);
  LinePlot memory =
      plot(rows, "Memory of adaptive attention", "MB, all arrays together, proportional to n",
           {curve(rows, "two passes", ColourRole::kAdaptive, megabytes),
            curve(rows, "n × n weights", ColourRole::kReference, matrix_megabytes)});
  memory.y = decades_of("memory (MB)", memory.series);
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
