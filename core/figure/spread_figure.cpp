#include "core/figure/spread_figure.h"

#include <algorithm>
#include <limits>
#include <string>

#include "core/figure/decade_axis.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

std::string seeds_text(int seeds) {
  return seeds == 1 ? "one seed" : std::to_string(seeds) + " seeds";
}

struct Curve {
  const char* name;
  ColourRole role;
  double HistoryMean::*mean;
  double HistoryMean::*low;
  double HistoryMean::*high;
};

Series series(const std::vector<HistoryMean>& means, const Curve& curve) {
  Series result;
  result.name = curve.name;
  result.role = curve.role;
  result.markers = false;
  for (const HistoryMean& mean : means) {
    result.x.push_back(static_cast<double>(mean.step));
    result.y.push_back(mean.*curve.mean);
    result.low.push_back(mean.*curve.low);
    result.high.push_back(mean.*curve.high);
  }
  return result;
}

double largest_share(const std::vector<History>& histories) {
  double share = 0;
  for (const History& history : histories) {
    for (const HistoryRow& row : history)
      share = std::max(share, row.spread.largest_share);
  }
  return share;
}

std::string sentence(const std::vector<History>& histories, const std::vector<HistoryMean>& means) {
  const HistoryMean& first = means.front();
  const HistoryMean& last = means.back();
  const double share = largest_share(histories);
  std::string text = "From step " + grouped_text(first.step) + " to " + grouped_text(last.step) +
                     " the spread of the logits goes from " + fixed_text(first.delta, 1) + " to " +
                     fixed_text(last.delta, 0) + " and the bound from " +
                     fixed_text(first.bound, 1) + " to " + fixed_text(last.bound, 0) +
                     " (means of " + seeds_text(last.seeds) + "). ";
  return text + (share <= 1 ? "No set comes closer to its bound than " : "A set exceeds it: ") +
         fixed_text(100 * share, 0) + " %.";
}

}  // namespace

Figure spread_figure(const std::vector<History>& histories) {
  const std::vector<HistoryMean> means = mean_over_seeds(histories);
  Figure figure;
  figure.name = "spread";
  figure.title = "Sharp attention needs large weights";
  LinePlot plot;
  plot.title = "Spread of the logits and the bound on it";
  int seeds = 0;
  double smallest = std::numeric_limits<double>::infinity();
  double largest = 0;
  std::int64_t last_step = 1;
  for (const HistoryMean& mean : means) {
    seeds = std::max(seeds, mean.seeds);
    last_step = std::max(last_step, mean.step);
    if (mean.step < 1) continue;
    smallest = std::min(smallest, mean.delta_low);
    largest = std::max(largest, mean.bound_high);
  }
  plot.subtitle = means.empty() ? "no training history yet"
                                : "mean and range of " + seeds_text(seeds) +
                                      ", 128 sets of 16 items, no biases, no scale";
  plot.x = decade_axis("training step", 1, static_cast<double>(last_step));
  plot.y = decade_axis("logit spread", smallest, largest);
  if (!means.empty()) {
    plot.series = {
        series(means, {"spread δ", ColourRole::kBaseline, &HistoryMean::delta,
                       &HistoryMean::delta_low, &HistoryMean::delta_high}),
        series(means, {"bound 2 σ(Q) σ(K) ‖y‖ max‖x‖", ColourRole::kReference, &HistoryMean::bound,
                       &HistoryMean::bound_low, &HistoryMean::bound_high})};
    figure.sentence = sentence(histories, means);
  }
  figure.plots.push_back(std::move(plot));
  return figure;
}

}  // namespace dispersion
