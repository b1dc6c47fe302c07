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
  std::optional<double> peak;   // its highest local maximum, which an end may exceed
  std::optional<double> begin;  // where beta first exceeds 1; none if it does at the first sample
  std::optional<double> end;    // where beta falls back to 1; none if it exceeds 1 at the last one
};
FitShape fit_shape(const AdaptiveRule& rule, const Interval& sampled);

inline constexpr int kResamples = 1000;

struct FitBootstrap {
  int resamples = 0;  // 0: none were made
  int fitted = 0;     // of these: the others have too few samples that tell the powers apart
  // Of the fitted resamples that have such a place, each ascending.
  std::vector<double> peaks;
  std::vector<double> begins;
  std::vector<double> ends;
  // 1/theta of every fitted resample where the fit itself has its peak, ascending; empty without
  // it.
  std::vector<double> at_peak;
};

// Whether there are more samples than coefficients. A polynomial through every sample leaves
// nothing by which to tell how sure it is: its resamples are the same polynomial, or none.
bool has_freedom(const TemperatureFit& fit);

// The same for every call with the same run. Without resamples when there is no fit or no freedom,
// and after a stop.
FitBootstrap bootstrap_fit(const FitRun& run, const TemperatureFit& fit,
                           const Progress& keep_going = {});

// Where at least 95 % of the values lie: without as many at either end, which are none of fewer
// than 40. values: ascending, not empty.
Interval middle_of(std::span<const double> values);
inline bool leaves_some_out(std::span<const double> values) {
  return values.size() >= 40;
}

// As many decimals as show the first `digits` digits of the width of the middle of the resampled
// values, at most two; below 0 where the width has more digits before the point. Two without
// values, and for a width that needs more.
int decimals_of(std::span<const double> values, int digits);
// Of a place: two digits of its width, and none before the point left out.
inline int place_decimals(std::span<const double> places) {
  const int decimals = decimals_of(places, 2);
  return decimals < 0 ? 0 : decimals;
}

}  // namespace dispersion
