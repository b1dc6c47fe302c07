#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/experiment/temperature_fit.h"
#include "core/progress.h"

namespace dispersion {

// How much of the shape of a fit is noise of its sets: the fit is made again from sets that are
// drawn from its own with replacement (a bootstrap), many times. Every resample has as many sets of
// a size as were generated; a set that was dropped is drawn like any other and gives no sample.

// What is told of the shape of a polynomial, within the entropies of the samples and above the
// rule's gate: beyond them nothing is known of it.
struct FitShape {
  std::optional<double> peak;   // its highest local maximum
  std::optional<double> begin;  // where beta first exceeds 1; none if it does at the first sample
  std::optional<double> end;    // where beta falls back to 1; none if it exceeds 1 at the last one
};
FitShape fit_shape(const AdaptiveRule& rule, const Interval& sampled);

inline constexpr int kResamples = 1000;

struct FitBootstrap {
  int resamples = 0;  // 0: none were made
  // Of the resamples that have such a place, each ascending.
  std::vector<double> peaks;
  std::vector<double> begins;
  std::vector<double> ends;
};

// The same for every call with the same run. Without resamples when there is no fit, and after a
// stop.
FitBootstrap bootstrap_fit(const FitRun& run, const TemperatureFit& fit,
                           const Progress& keep_going = {});

// Where at least 95 % of the values lie: without as many at either end, which are none of fewer
// than 40. values: ascending, not empty.
Interval middle_of(std::span<const double> values);
inline bool leaves_some_out(std::span<const double> values) {
  return values.size() >= 40;
}

}  // namespace dispersion
