#include "core/figure/figures.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "core/backend.h"
#include "core/experiment/training_history.h"
#include "core/figure/accuracy_axis.h"
#include "core/figure/axis.h"
#include "core/figure/number_text.h"
#include "core/figure/training_text.h"

namespace dispersion {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Loss and accuracy of records, the newest that is shown, and how many were left out.
struct RunSeries {
  Series loss;
  Series accuracy;
  StepRecord newest = {};
  std::int64_t not_finite = 0;
};

RunSeries series_of(std::span<const StepRecord> records, std::int64_t steps_before) {
  RunSeries all = {.loss = line_series("loss", ColourRole::kBaseline),
                   .accuracy = line_series("accuracy", ColourRole::kBaseline)};
  for (const StepRecord& record : records) {
    const double value = static_cast<double>(record.cross_entropy) + record.l2;
    if (!std::isfinite(value)) {
      ++all.not_finite;
      continue;
    }
    const auto step = static_cast<double>(record.step + steps_before);
    all.loss.x.push_back(step);
    all.loss.y.push_back(value);
    all.accuracy.x.push_back(step);
    all.accuracy.y.push_back(100.0 * record.accuracy);
    all.newest = record;
  }
  return all;
}

Axis loss_axis_of(const std::vector<Series>& all) {
  double smallest = kInfinity;
  double largest = 0;
  for (const Series& one : all) {
    for (const double value : one.y) {
      if (value > 0) smallest = std::min(smallest, value);
      largest = std::max(largest, value);
    }
  }
  return decade_axis("loss", smallest, largest);
}

}  // namespace

Axis run_step_axis(const RunCurves& curves) {
  double first = 0;
  double last = curves.earlier.empty() ? 1 : static_cast<double>(curves.earlier.back().step);
  if (!curves.records.empty()) {
    last = static_cast<double>(curves.steps_before + curves.records.back().step);
    if (curves.earlier.empty())
      first = static_cast<double>(curves.steps_before + curves.records.front().step - 1);
  }
  Axis axis;
  axis.label = "training step";
  axis.low = first;
  axis.high = first + std::max(2.0, 1.01 * (last - first));
  axis.ticks = round_ticks(axis.low, axis.high, 6);
  std::erase_if(axis.ticks, [](const Tick& tick) { return tick.value != std::floor(tick.value); });
  for (Tick& tick : axis.ticks)
    tick.label = grouped_text(std::llround(tick.value));
  return axis;
}

std::vector<StepRecord> earlier_records(const RunCurves& curves) {
  std::vector<StepRecord> records;
  for (const HistoryRow& row : curves.earlier) {
    records.push_back({.step = row.step,
                       .cross_entropy = static_cast<float>(row.cross_entropy),
                       .l2 = static_cast<float>(row.l2),
                       .accuracy = static_cast<float>(row.accuracy)});
  }
  return records;
}

RunSets run_sets(const RunCurves& curves) {
  const Statement earlier = Statement::naming(std::string(kEarlierSets));
  if (curves.earlier.empty()) return {"of each batch", {}};
  if (curves.records.empty()) return {"of " + earlier, {}};
  const std::int64_t from = curves.steps_before + curves.records.front().step - 1;
  return {"of each batch from step " + Statement::naming(grouped_text(from)) + " on",
          ", before: " + earlier};
}

Figure run_figure(const RunCurves& curves, std::uint32_t seed) {
  RunSeries run = series_of(curves.records, curves.steps_before);
  RunSeries earlier = series_of(earlier_records(curves), 0);
  const bool both = !run.loss.x.empty() && !earlier.loss.x.empty();
  if (both) {
    run.loss.name = run.accuracy.name = kRunName;
    for (Series* series : {&earlier.loss, &earlier.accuracy}) {
      series->name = kEarlierName;
      series->role = ColourRole::kReference;
    }
  }
  Figure figure;
  figure.name = "run";
  figure.title = Statement::naming("The run of seed " + std::to_string(seed));
  const RunSets sets = run_sets(curves);
  LinePlot loss_plot;
  loss_plot.title = "Loss";
  loss_plot.subtitle = "cross-entropy and L2 term " + sets.of + sets.before;
  loss_plot.subtitle += not_finite_text(run.not_finite + earlier.not_finite);
  loss_plot.x = run_step_axis(curves);
  loss_plot.y = loss_axis_of({run.loss, earlier.loss});
  LinePlot accuracy_plot;
  accuracy_plot.title = "Training accuracy";
  accuracy_plot.subtitle = "% " + sets.of + sets.before;
  accuracy_plot.x = loss_plot.x;
  use_accuracy_axis(accuracy_plot);
  for (const RunSeries* part : {&run, &earlier}) {
    if (part->loss.x.empty()) continue;
    const bool of_run = part == &run;
    if (figure.sentence.empty()) {
      figure.sentence = run_sentence(part->newest, of_run ? curves.steps_before : 0, of_run);
    }
    loss_plot.series.push_back(part->loss);
    accuracy_plot.series.push_back(part->accuracy);
  }
  figure.plots = {std::move(loss_plot), std::move(accuracy_plot)};
  return figure;
}

namespace {

// The values of one quantity at one step, over the seeds.
struct Range {
  double sum = 0;
  int seeds = 0;
  double low = kInfinity;
  double high = -kInfinity;

  void add(double value) {
    if (!std::isfinite(value)) return;
    sum += value;
    ++seeds;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  double mean() const { return sum / seeds; }
};

using RangeByStep = std::map<std::int64_t, Range>;

RangeByStep ranges_of(const std::vector<History>& histories, double (*value)(const HistoryRow&)) {
  RangeByStep ranges;
  for (const History& history : histories) {
    for (const HistoryRow& row : history)
      ranges[row.step].add(value(row));
  }
  std::erase_if(ranges, [](const auto& entry) { return entry.second.seeds == 0; });
  return ranges;
}

Series range_series(std::string name, ColourRole role, const RangeByStep& ranges) {
  Series result = line_series(std::move(name), role);
  for (const auto& [step, range] : ranges) {
    result.x.push_back(static_cast<double>(step));
    result.y.push_back(range.mean());
    result.low.push_back(range.low);
    result.high.push_back(range.high);
  }
  return result;
}

// How many losses the plot leaves out.
std::int64_t not_finite(const std::vector<History>& histories) {
  std::int64_t count = 0;
  for (const History& history : histories) {
    for (const HistoryRow& row : history)
      count += std::isfinite(row.cross_entropy) && std::isfinite(row.l2) ? 0 : 1;
  }
  return count;
}

Axis loss_axis(const std::vector<Series>& all) {
  double smallest = kInfinity;
  double largest = 0;
  for (const Series& one : all) {
    for (const double low : one.low)
      if (low > 0) smallest = std::min(smallest, low);
    for (const double high : one.high)
      largest = std::max(largest, high);
  }
  return decade_axis("loss", smallest, largest);
}

}  // namespace

Figure training_figure(const std::vector<History>& histories) {
  const RangeByStep cross_entropy =
      ranges_of(histories, [](const HistoryRow& row) { return row.cross_entropy; });
  const RangeByStep l2 = ranges_of(histories, [](const HistoryRow& row) { return row.l2; });
  const RangeByStep accuracy =
      ranges_of(histories, [](const HistoryRow& row) { return 100 * row.accuracy; });
  Figure figure;
  figure.name = "training";
  figure.title = training_title(histories);
  const double last = accuracy.empty() ? 1 : static_cast<double>(accuracy.rbegin()->first);
  LinePlot loss_plot;
  loss_plot.title = "Loss";
  loss_plot.subtitle = training_subtitle(histories);
  loss_plot.x = decade_axis("training step", 1, last);
  if (!accuracy.empty()) {
    loss_plot.series = {range_series("cross-entropy (nats)", ColourRole::kBaseline, cross_entropy),
                        range_series("L2 term", ColourRole::kNeutral, l2)};
  }
  loss_plot.y = loss_axis(loss_plot.series);
  loss_plot.subtitle += not_finite_text(not_finite(histories));
  LinePlot accuracy_plot;
  accuracy_plot.title = "Accuracy";
  accuracy_plot.subtitle = training_subtitle(histories);
  accuracy_plot.x = loss_plot.x;
  use_accuracy_axis(accuracy_plot);
  if (!accuracy.empty()) {
    accuracy_plot.series = {range_series("accuracy", ColourRole::kBaseline, accuracy)};
    figure.sentence = training_sentence(histories);
  }
  figure.plots = {std::move(loss_plot), std::move(accuracy_plot)};
  return figure;
}

}  // namespace dispersion
