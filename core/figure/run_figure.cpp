#include "core/figure/run_figure.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/figure/decade_axis.h"
#include "core/figure/number_text.h"
#include "core/figure/ticks.h"

namespace dispersion {
namespace {

Series line(std::string name, ColourRole role) {
  Series series;
  series.name = std::move(name);
  series.role = role;
  series.markers = false;
  return series;
}

Axis step_axis(std::span<const StepRecord> records) {
  Axis axis;
  axis.label = "training step";
  axis.high = records.empty() ? 2 : std::max(2.0, 1.01 * static_cast<double>(records.back().step));
  axis.ticks = round_ticks(axis.low, axis.high, 6);
  return axis;
}

}  // namespace

Figure run_figure(std::span<const StepRecord> records, std::uint32_t seed) {
  Series loss = line("loss", ColourRole::kBaseline);
  Series right = line("accuracy", ColourRole::kBaseline);
  std::int64_t left_out = 0;
  double smallest = std::numeric_limits<double>::infinity();
  double largest = 0;
  for (const StepRecord& record : records) {
    const double value = static_cast<double>(record.cross_entropy) + record.l2;
    if (!std::isfinite(value)) {
      ++left_out;
      continue;
    }
    if (value > 0) smallest = std::min(smallest, value);
    largest = std::max(largest, value);
    loss.x.push_back(static_cast<double>(record.step));
    loss.y.push_back(value);
    right.x.push_back(static_cast<double>(record.step));
    right.y.push_back(100.0 * record.accuracy);
  }
  Figure figure;
  figure.name = "run";
  figure.title = "The run of seed " + std::to_string(seed);
  LinePlot above;
  above.title = "Loss";
  above.subtitle = "cross-entropy and L2 term of each batch";
  if (left_out > 0) above.subtitle += ", " + grouped_text(left_out) + " not finite left out";
  above.x = step_axis(records);
  above.y = decade_axis("loss", smallest, largest);
  LinePlot below;
  below.title = "Training accuracy";
  below.subtitle = "% of each batch";
  below.x = above.x;
  below.y = {.label = "accuracy (%)", .low = 0, .high = 104, .ticks = round_ticks(0, 100, 6)};
  if (!loss.x.empty()) {
    figure.sentence = "At step " + grouped_text(static_cast<std::int64_t>(loss.x.back())) +
                      " the loss is " + significant_text(loss.y.back(), 3) + ", and " +
                      fixed_text(right.y.back(), 1) + " % of the batch are right.";
    above.series.push_back(std::move(loss));
    below.series.push_back(std::move(right));
  }
  figure.plots = {std::move(above), std::move(below)};
  return figure;
}

}  // namespace dispersion
