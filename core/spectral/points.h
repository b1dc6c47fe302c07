#pragma once

#include "core/head/parameters.h"

namespace dispersion {

// How many Chebyshev points a head needs: per class for the item network, and for the query
// network. The networks are analytic functions of one scalar, so interpolation converges
// geometrically, and how fast depends on how sharp the head has become.
struct SpectralPoints {
  int item = 0;   // one of 12, 16, 20, 24, 32, 40, 48; 0: the direct path is needed
  int query = 0;  // one of 8, 12, 16; 0: the direct path is needed
  // Measured error of the curves, relative to their largest value: with the numbers above, or with
  // one step less where a step was kept to spare.
  double item_error = 0;
  double query_error = 0;

  bool spectral() const { return item > 0 && query > 0; }
  bool operator==(const SpectralPoints&) const = default;
};

// The most points for an item in evaluation and on a CUDA device, whose memory has room for no
// more, and of training runs that were begun when there was no other limit. Such a run keeps it, so
// that it goes on as it would have gone.
inline constexpr int kMostItemPoints = 32;
// The same in training runs that begin now. A step took 2.6 ms of one core on the direct path, 1.65
// ms with 32 points, 1.9 ms with 40 and 2.15 ms with 48: with more there is little left to gain.
inline constexpr int kMostTrainingItemPoints = 48;

// Below this the error of interpolation is less than what float rounding does to a curve.
inline constexpr double kInterpolationTolerance = 1e-7;

// In training the points are chosen anew at every step that is a multiple of this.
inline constexpr int kStepsBetweenPointChoices = 256;

// Whether one step more is taken than is needed, because the head may sharpen until the next
// choice.
enum class Spare { kNone, kOneStep };

// Measures in double: curves interpolated through one set of points against the network itself at
// the next larger set, which lies between them; the norm over channels, the largest over points and
// classes. Takes the smallest number below the tolerance, or the next one, of the numbers up to
// `most_item_points`. (The last Chebyshev coefficient is no usable signal: computed in float it
// stays at 2e-7 whatever the number of points.)
SpectralPoints choose_points(const Parameters<float>& head, Spare spare,
                             int most_item_points = kMostItemPoints);

// Relative error of psi_x interpolated through `points` Chebyshev points a class, measured at
// `tests` evenly spaced priorities: the truth that choose_points estimates. For tests and reports.
double item_interpolation_error(const Parameters<float>& head, int points, int tests);

}  // namespace dispersion
