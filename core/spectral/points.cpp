#include "core/spectral/points.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/head/forward.h"
#include "core/math/area.h"
#include "core/spectral/chebyshev.h"

namespace dispersion {
namespace {

// The last of each is only measured at, as is the first item count above the limit.
constexpr std::array<int, 8> kItemCounts = {12, 16, 20, 24, 32, 40, 48, 56};
constexpr std::array<int, 4> kQueryCounts = {8, 12, 16, 20};

// Values of several curves at some places: [curves, places, channels].
struct CurveValues {
  int curves = 0;
  int channels = 0;
  std::vector<float> place;
  std::vector<double> value;

  const double* row(int curve, int place_index) const {
    return value.data() + area(curve * static_cast<int>(place.size()) + place_index, channels);
  }
};

CurveValues item_curves(const Parameters<double>& head, std::span<const float> places) {
  CurveValues curves{head.shape.classes, head.shape.width, {places.begin(), places.end()}, {}};
  const int count = static_cast<int>(places.size());
  const int rows = curves.curves * count;
  std::vector<float> priority;
  std::vector<std::uint8_t> item_class;
  for (int c = 0; c < curves.curves; ++c) {
    priority.insert(priority.end(), places.begin(), places.end());
    item_class.insert(item_class.end(), places.size(), static_cast<std::uint8_t>(c));
  }
  curves.value.resize(area(rows, curves.channels));
  std::vector<double> hidden(curves.value.size());
  embed_items<double>(head, priority.data(), item_class.data(), rows, hidden.data(), nullptr,
                      curves.value.data(), nullptr);
  return curves;
}

CurveValues query_curve(const Parameters<double>& head, std::span<const float> places) {
  CurveValues curve{1, head.shape.width, {places.begin(), places.end()}, {}};
  Activations<double> activations;
  embed_queries(head, places.data(), static_cast<int>(places.size()), activations);
  const double* vectors = activations.score_vector.data();
  curve.value.assign(vectors, vectors + area(static_cast<int>(places.size()), curve.channels));
  return curve;
}

double norm(std::span<const double> values) {
  double squares = 0;
  for (const double value : values)
    squares += value * value;
  return std::sqrt(squares);
}

// Largest error of `coarse`, interpolated to the places of `fine`, over the largest value there.
double relative_error(const CurveValues& coarse, const CurveValues& fine) {
  const InterpolationPoints points = chebyshev_points(static_cast<int>(coarse.place.size()));
  const int count = points.count();
  const int places = static_cast<int>(fine.place.size());
  std::vector<double> basis(area(places, count));
  lagrange_basis(points, fine.place.data(), places, basis.data());
  std::vector<double> difference(static_cast<std::size_t>(fine.channels));
  double error = 0;
  double size = 0;
  for (int c = 0; c < fine.curves; ++c) {
    for (int p = 0; p < places; ++p) {
      const double* truth = fine.row(c, p);
      std::copy_n(truth, fine.channels, difference.begin());
      size = std::max(size, norm(difference));
      for (int k = 0; k < count; ++k) {
        const double share = basis[area(p, count) + static_cast<std::size_t>(k)];
        const double* value = coarse.row(c, k);
        for (int j = 0; j < fine.channels; ++j)
          difference[static_cast<std::size_t>(j)] -= share * value[j];
      }
      error = std::max(error, norm(difference));
    }
  }
  // A curve that is 0 everywhere is interpolated without error.
  return size > 0 ? error / size : error;
}

struct Choice {
  int count = 0;
  double error = 0;
};

// counts: ascending; the last is not taken.
template <class Curves>
Choice choose(std::span<const int> counts, Spare spare, Curves curves_at) {
  const std::size_t last = counts.size() - (spare == Spare::kOneStep ? 2 : 1);
  CurveValues coarse = curves_at(chebyshev_points(counts[0]).point);
  double error = 0;
  for (std::size_t i = 0; i < last; ++i) {
    CurveValues fine = curves_at(chebyshev_points(counts[i + 1]).point);
    error = relative_error(coarse, fine);
    if (error < kInterpolationTolerance) {
      return {spare == Spare::kOneStep ? counts[i + 1] : counts[i], error};
    }
    coarse = std::move(fine);
  }
  return {0, error};
}

}  // namespace

SpectralPoints choose_points(const Parameters<float>& head, Spare spare, int most_item_points) {
  const Parameters<double> exact = convert_parameters<double>(head);
  const auto above = std::ranges::upper_bound(kItemCounts, most_item_points);
  const Choice item =
      choose({kItemCounts.begin(), above + 1}, spare,
             [&](std::span<const float> places) { return item_curves(exact, places); });
  const Choice query = choose(kQueryCounts, spare, [&](std::span<const float> places) {
    return query_curve(exact, places);
  });
  return {item.count, query.count, item.error, query.error};
}

double item_interpolation_error(const Parameters<float>& head, int points, int tests) {
  const Parameters<double> exact = convert_parameters<double>(head);
  std::vector<float> places;
  for (int i = 0; i < tests; ++i)
    places.push_back((static_cast<float>(i) + 0.5f) / static_cast<float>(tests));
  return relative_error(item_curves(exact, chebyshev_points(points).point),
                        item_curves(exact, places));
}

}  // namespace dispersion
