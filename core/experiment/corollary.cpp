#include "core/experiment/corollary.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "core/experiment/corollary_mixture.h"
#include "core/experiment/corollary_search.h"

namespace dispersion {
namespace {

constexpr int kCurvePoints = 641;

void require_pair(const CorollaryPair& pair, int classes) {
  if (!(pair.priority_a > pair.priority_b)) {
    throw std::invalid_argument("priority a must be above priority b, not " +
                                std::to_string(pair.priority_a) + " against " +
                                std::to_string(pair.priority_b));
  }
  const auto known = [classes](int c) { return c >= 0 && c < classes; };
  if (!known(pair.class_a) || !known(pair.class_b) || pair.class_a == pair.class_b) {
    throw std::invalid_argument("the classes must be two of 0 to " + std::to_string(classes - 1) +
                                ", not " + std::to_string(pair.class_a) + " and " +
                                std::to_string(pair.class_b));
  }
  if (!(pair.theta > 0)) throw std::invalid_argument("theta must be above 0");
}

FormatLimit limit_of(const NumberFormat& format, double d) {
  const std::optional<double> first =
      smallest_count([&](double items) { return weight_of_a(d, items) < format.epsilon; });
  FormatLimit limit{.format = format};
  limit.first =
      first ? item_count(*first) : item_count_of_log(d + std::log(1 / format.epsilon - 1));
  limit.of_proof.log = std::abs(d) - std::log(format.epsilon);
  const double of_proof = std::exp(std::abs(d)) / format.epsilon;
  if (of_proof <= kLargestCount) limit.of_proof.items = of_proof;
  return limit;
}

// Ten times the largest n that was found, so that the curve shows what follows it.
double curve_end(const Corollary& result) {
  double end = 1;
  if (result.first_error) end = result.first_error->items.value_or(kLargestCount);
  for (const FormatLimit& limit : result.limits)
    end = std::max(end, limit.first.items.value_or(kLargestCount));
  return std::min(10 * end, kLargestCount);
}

}  // namespace

Corollary corollary_of(const Parameters<float>& head, const CorollaryPair& pair) {
  require_pair(pair, head.shape.classes);
  CorollaryMixture mixture(head, pair);
  Corollary result{.pair = pair, .limits = {}, .curve = {}};
  result.logit_a = mixture.logit_a();
  result.logit_b = mixture.logit_b();
  result.d = (result.logit_a - result.logit_b) / pair.theta;
  result.predicted_of_a = mixture.predicted(1);
  result.predicted_of_b = mixture.predicted(0);
  const ErrorSearch search = search_first_error(mixture, pair.class_a, result.d);
  result.first_error = search.first_error;
  result.search_complete = search.complete;
  if (result.first_error) {
    result.weight_there = search.weight;
    result.predicted_there = mixture.predicted(result.weight_there);
  }
  for (std::size_t i = 0; i < kNumberFormats.size(); ++i)
    result.limits[i] = limit_of(kNumberFormats[i], result.d);
  const double last = std::log(curve_end(result));
  for (int i = 0; i < kCurvePoints; ++i) {
    const double items = std::exp(last * i / (kCurvePoints - 1));
    const double share = weight_of_a(result.d, items);
    result.curve.push_back({items, share, mixture.probability(share, pair.class_a)});
  }
  return result;
}

}  // namespace dispersion
