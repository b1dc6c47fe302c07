#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/experiment/training_history.h"
#include "core/figure/axis.h"
#include "core/figure/counted.h"
#include "core/figure/figures.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kRounding = 1e-9;  // of a spread that attains its bound, relative

struct Curve {
  const char* name;
  ColourRole role;
  double HistoryMean::*mean;
  double HistoryMean::*low;
  double HistoryMean::*high;
};

Series mean_series(const std::vector<HistoryMean>& means, const Curve& curve) {
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

// Whether no set exceeds its bound, at any step of any run, and the largest share of a bound.
struct Shares {
  bool within = true;
  double largest = 0;
};

Shares shares_of(const std::vector<History>& histories) {
  Shares shares;
  for (const History& history : histories) {
    for (const HistoryRow& row : history) {
      shares.within &= row.spread.largest_share <= 1 + kRounding;
      shares.largest = std::max(shares.largest, row.spread.largest_share);
    }
  }
  return shares;
}

// "one run", "10 runs": how many have the step, or of all steps that which most runs have.
Statement runs_text(int runs, std::vector<double> at = {}) {
  constexpr std::string_view kWhat = "runs measured";
  if (runs > 1) return counted(kWhat, runs, "run", std::move(at));
  return Statement::fact("one run", kWhat, std::move(at));
}

Statement runs_text(const HistoryMean& mean) {
  return runs_text(mean.seeds, {static_cast<double>(mean.step)});
}

Statement value_at(const char* what, const HistoryMean& mean, double value) {
  return Statement::number({.what = what,
                            .at = {static_cast<double>(mean.step)},
                            .value = value,
                            .shown = magnitude_text(value)});
}

Statement step_text(const HistoryMean& mean) {
  return "step " + Statement::naming(grouped_text(mean.step));
}

Statement means_sentence(const HistoryMean& first, const HistoryMean& last) {
  const auto spread = [](const HistoryMean& mean) {
    return value_at("mean spread", mean, mean.delta);
  };
  const auto bound = [](const HistoryMean& mean) {
    return value_at("mean bound", mean, mean.bound);
  };
  Statement runs = (first.seeds == 1 && last.seeds == 1 ? Statement() : Statement("means of ")) +
                   runs_text(first);
  if (first.step == last.step) {
    return "At " + step_text(first) + " the spread of the dot products Qy·Kx is " + spread(first) +
           " and the bound on it " + bound(first) + " (" + runs + ").";
  }
  if (first.seeds != last.seeds) runs += ", at the end of " + runs_text(last);
  return "From " + step_text(first) + " to " + step_text(last) +
         " the spread of the dot products Qy·Kx goes from " + spread(first) + " to " +
         spread(last) + " and the bound on it from " + bound(first) + " to " + bound(last) + " (" +
         runs + ").";
}

Statement shares_sentence(const Shares& shares) {
  if (shares.within) {
    return "In no set is it above " +
           Statement::number({.what = "largest share of a bound (%)",
                              .relation = Relation::kAtMost,
                              .value = 100 * shares.largest,
                              .shown = at_most_text(std::min(100 * shares.largest, 100.0), 0)}) +
           " % of the set's own bound.";
  }
  return "In a set it is " +
         Statement::number(
             {.what = "largest share of a bound (%)",
              .value = 100 * shares.largest,
              .shown = significant_text(100 * shares.largest, shares.largest < 1.01 ? 7 : 3)}) +
         " % of the set's own bound.";
}

// The largest step, the most runs of a step, and the limits of what a logarithmic axis shows.
struct Extent {
  int runs = 0;
  std::int64_t last_step = 1;
  double smallest = kInfinity;
  double largest = 0;
};

Extent extent_of(const std::vector<HistoryMean>& means) {
  Extent extent;
  for (const HistoryMean& mean : means) {
    extent.runs = std::max(extent.runs, mean.seeds);
    extent.last_step = std::max(extent.last_step, mean.step);
    if (mean.step < 1) continue;
    extent.smallest = std::min(extent.smallest, mean.delta_low);
    extent.largest = std::max({extent.largest, mean.bound_high, mean.delta_high});
  }
  return extent;
}

}  // namespace

Figure spread_figure(const std::vector<History>& histories) {
  const std::vector<HistoryMean> means = mean_over_seeds(histories);
  const Extent extent = extent_of(means);
  Figure figure;
  figure.name = "spread";
  figure.title = "The spread of dot products and its bound";
  LinePlot plot;
  plot.title = "Spread of the dot products and the bound on it";
  plot.subtitle = means.empty()
                      ? Statement("no training history yet")
                      : (extent.runs == 1 ? Statement() : Statement("mean and range of ")) +
                            runs_text(extent.runs) + ", 128 sets of 16 items, no biases, no scale";
  plot.x = decade_axis("training step", 1, static_cast<double>(extent.last_step));
  plot.y = decade_axis("spread of Qy·Kx", extent.smallest, extent.largest);
  if (!means.empty()) {
    plot.series = {
        mean_series(means, {"spread of Qy·Kx", ColourRole::kBaseline, &HistoryMean::delta,
                            &HistoryMean::delta_low, &HistoryMean::delta_high}),
        mean_series(means,
                    {"bound 2 σ(Q) σ(K) ‖y‖ max‖x‖", ColourRole::kReference, &HistoryMean::bound,
                     &HistoryMean::bound_low, &HistoryMean::bound_high})};
    const Shares shares = shares_of(histories);
    if (shares.within) {
      figure.title = Statement::fact("The spread of dot products stays within its bound",
                                     "all spreads within their bounds");
    }
    figure.sentence = means_sentence(means.front(), means.back()) + " " + shares_sentence(shares);
  }
  figure.plots.push_back(std::move(plot));
  return figure;
}

}  // namespace dispersion
