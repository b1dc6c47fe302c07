#include "core/experiment/spread.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "core/head/forward.h"
#include "core/math/area.h"
#include "core/math/singular_value.h"

namespace dispersion {
namespace {

// A plain loop, since the order of its sum does not depend on how the numbers are aligned.
double dot(const double* a, const double* b, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += a[i] * b[i];
  return sum;
}

// The vector K (y Q [+ bias of Q]), [width], whose product with x_i is the logit of item i up to a
// constant that is the same for all items.
std::vector<double> score_vector(const Parameters<double>& head, const double* y, bool biases) {
  const int width = head.shape.width;
  const auto size = static_cast<std::size_t>(width);
  const double* query = head.tensor(TensorId::kQueryKernel).data();
  const double* key = head.tensor(TensorId::kKeyKernel).data();
  std::vector<double> projection(size, 0);
  for (int i = 0; i < width; ++i) {
    for (std::size_t j = 0; j < size; ++j)
      projection[j] += y[i] * query[static_cast<std::size_t>(i) * size + j];
  }
  if (biases) {
    const std::span<const double> bias = head.tensor(TensorId::kQueryBias);
    for (std::size_t j = 0; j < size; ++j)
      projection[j] += bias[j];
  }
  std::vector<double> vector(size);
  for (std::size_t i = 0; i < size; ++i)
    vector[i] = dot(key + i * size, projection.data(), width);
  return vector;
}

double kernel_norm(const Parameters<double>& head) {
  double squares = 0;
  for (const TensorSlot& slot : parameter_layout(head.shape)) {
    if (!slot.is_kernel) continue;
    for (std::size_t i = slot.offset; i < slot.offset + slot.size(); ++i) {
      squares += head.values[i] * head.values[i];
    }
  }
  return std::sqrt(squares);
}

}  // namespace

SingularValues attention_singular_values(const Parameters<double>& head) {
  const int width = head.shape.width;
  return {largest_singular_value(head.tensor(TensorId::kQueryKernel), width, width),
          largest_singular_value(head.tensor(TensorId::kKeyKernel), width, width)};
}

std::vector<SetSpread> set_spreads(const Parameters<double>& head, const SingularValues& singular,
                                   const Activations<double>& activations, SpreadTerms terms) {
  const int width = head.shape.width;
  const int count = activations.items;
  const double scale = terms.scaled ? 1 / std::sqrt(static_cast<double>(width)) : 1;
  std::vector<SetSpread> spreads;
  for (int set = 0; set < activations.sets; ++set) {
    const double* y = activations.query_vector.data() + area(set, width);
    const double* items = activations.item_embedding.data() + area(set * count, width);
    const std::vector<double> score = score_vector(head, y, terms.biases);
    double low = dot(items, score.data(), width);
    double high = low;
    double squares = 0;
    for (int item = 0; item < count; ++item) {
      const double* x = items + item * width;
      const double logit = dot(x, score.data(), width);
      low = std::min(low, logit);
      high = std::max(high, logit);
      squares = std::max(squares, dot(x, x, width));
    }
    SetSpread spread;
    spread.query_norm = std::sqrt(dot(y, y, width));
    spread.item_norm = std::sqrt(squares);
    spread.delta = scale * (high - low);
    spread.bound = scale * 2 * singular.query * singular.key * spread.query_norm * spread.item_norm;
    spreads.push_back(spread);
  }
  return spreads;
}

ItemSets draw_spread_sets(const SpreadSets& which) {
  if (which.sets < 1 || which.items < 1) {
    throw std::invalid_argument("the spread needs at least 1 set of at least 1 item, not " +
                                std::to_string(which.sets) + " of " + std::to_string(which.items));
  }
  ItemSets sets;
  sets.resize(which.sets, which.items);
  draw_item_sets(which.seed, RandomPurpose::kEvaluation, static_cast<std::uint32_t>(which.items), 0,
                 sets);
  return sets;
}

Spread mean_spread(const Parameters<double>& head, const Activations<double>& activations,
                   SpreadTerms terms) {
  const SingularValues singular = attention_singular_values(head);
  Spread mean{.sigma_query = singular.query, .sigma_key = singular.key};
  mean.kernel_norm = kernel_norm(head);
  for (const SetSpread& set : set_spreads(head, singular, activations, terms)) {
    mean.delta += set.delta / activations.sets;
    mean.bound += set.bound / activations.sets;
    mean.query_norm += set.query_norm / activations.sets;
    mean.item_norm += set.item_norm / activations.sets;
    if (set.bound > 0) mean.largest_share = std::max(mean.largest_share, set.delta / set.bound);
  }
  return mean;
}

Spread measure_spread(const Parameters<float>& head, const ItemSetsView& sets, SpreadTerms terms) {
  const Parameters<double> in_double = convert_parameters<double>(head);
  Activations<double> activations;
  forward(in_double, sets, AttentionTransform{}, activations);
  return mean_spread(in_double, activations, terms);
}

}  // namespace dispersion
