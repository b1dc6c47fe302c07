#include "core/figure/training_figure.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "core/figure/decade_axis.h"
#include "core/figure/number_text.h"
#include "core/figure/ticks.h"

namespace dispersion {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// One quantity at one step over the seeds.
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

using Track = std::map<std::int64_t, Range>;  // by step

Track track_of(const std::vector<History>& histories, double (*value)(const HistoryRow&)) {
  Track track;
  for (const History& history : histories) {
    for (const HistoryRow& row : history)
      track[row.step].add(value(row));
  }
  std::erase_if(track, [](const auto& entry) { return entry.second.seeds == 0; });
  return track;
}

Series series(std::string name, ColourRole role, const Track& track) {
  Series result;
  result.name = std::move(name);
  result.role = role;
  result.markers = false;
  for (const auto& [step, range] : track) {
    result.x.push_back(static_cast<double>(step));
    result.y.push_back(range.mean());
    result.low.push_back(range.low);
    result.high.push_back(range.high);
  }
  return result;
}

std::string subtitle(std::size_t seeds) {
  if (seeds == 0) return "no training history yet";
  return (seeds == 1 ? std::string("one seed")
                     : "mean and range of " + std::to_string(seeds) + " seeds") +
         ", 128 sets of 16 items";
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

std::string sentence(std::size_t seeds, const Track& cross_entropy, const Track& accuracy) {
  const auto& [last_step, last] = *accuracy.rbegin();
  const auto good =
      std::ranges::find_if(accuracy, [](const auto& entry) { return entry.second.mean() >= 95; });
  std::string text = "After " + grouped_text(last_step) + " steps " +
                     (seeds == 1 ? "the head is" : "the heads are") + " right on " +
                     fixed_text(last.mean(), 1) + " % of the sets";
  if (!cross_entropy.empty()) {
    text += ", with a cross-entropy of " +
            significant_text(cross_entropy.rbegin()->second.mean(), 2) + " nats";
  }
  if (good != accuracy.end()) {
    text += "; 95 % are reached by step " + grouped_text(good->first);
  }
  return text + ".";
}

}  // namespace

Figure training_figure(const std::vector<History>& histories) {
  const Track cross_entropy =
      track_of(histories, [](const HistoryRow& row) { return row.cross_entropy; });
  const Track l2 = track_of(histories, [](const HistoryRow& row) { return row.l2; });
  const Track accuracy =
      track_of(histories, [](const HistoryRow& row) { return 100 * row.accuracy; });
  Figure figure;
  figure.name = "training";
  figure.title = "Learning to find the maximum";
  const double last = accuracy.empty() ? 1 : static_cast<double>(accuracy.rbegin()->first);
  LinePlot loss;
  loss.title = "Loss";
  loss.subtitle = subtitle(histories.size());
  loss.x = decade_axis("training step", 1, last);
  if (!accuracy.empty()) {
    loss.series = {series("cross-entropy (nats)", ColourRole::kBaseline, cross_entropy),
                   series("L2 term", ColourRole::kNeutral, l2)};
  }
  loss.y = loss_axis(loss.series);
  LinePlot right;
  right.title = "Accuracy";
  right.subtitle = subtitle(histories.size());
  right.x = loss.x;
  // A little air above 100, so that a perfect score is not cut in half.
  right.y = {.label = "accuracy (%)", .low = 0, .high = 104, .ticks = round_ticks(0, 100, 6)};
  if (!accuracy.empty()) {
    right.series = {series("accuracy", ColourRole::kBaseline, accuracy)};
    figure.sentence = sentence(histories.size(), cross_entropy, accuracy);
  }
  figure.plots = {std::move(loss), std::move(right)};
  return figure;
}

}  // namespace dispersion
