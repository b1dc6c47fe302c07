#include "core/experiment/spread.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "core/experiment/spread_in_slices.h"
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

namespace {

// Of a slice at a time, larger sets one by one.
constexpr int kItemsAtATime = 4096;

Spread spread_without_sets(const Parameters<double>& head, const SingularValues& singular) {
  return {
      .sigma_query = singular.query, .sigma_key = singular.key, .kernel_norm = kernel_norm(head)};
}

// Adds some of `all` sets to their mean.
void add_sets(Spread& mean, const std::vector<SetSpread>& some, int all) {
  for (const SetSpread& set : some) {
    mean.delta += set.delta / all;
    mean.bound += set.bound / all;
    mean.query_norm += set.query_norm / all;
    mean.item_norm += set.item_norm / all;
    if (set.bound > 0) mean.largest_share = std::max(mean.largest_share, set.delta / set.bound);
  }
}

}  // namespace

Spread mean_spread(const Parameters<double>& head, const Activations<double>& activations,
                   SpreadTerms terms) {
  const SingularValues singular = attention_singular_values(head);
  Spread mean = spread_without_sets(head, singular);
  add_sets(mean, set_spreads(head, singular, activations, terms), activations.sets);
  return mean;
}

std::optional<Spread> measure_spread(const Parameters<float>& head, const ItemSetsView& sets,
                                     SpreadTerms terms, const Progress& keep_going) {
  const Parameters<double> in_double = convert_parameters<double>(head);
  const SingularValues singular = attention_singular_values(in_double);
  Spread mean = spread_without_sets(in_double, singular);
  const int at_a_time = std::max(kItemsAtATime / std::max(sets.items, 1), 1);
  Activations<double> activations;
  for (int first = 0; first < sets.sets; first += at_a_time) {
    if (!keep_going(static_cast<double>(first) / sets.sets)) return std::nullopt;
    const ItemSetsView some = sets.slice(first, std::min(at_a_time, sets.sets - first));
    forward(in_double, some, AttentionTransform{}, activations);
    add_sets(mean, set_spreads(in_double, singular, activations, terms), sets.sets);
  }
  return mean;
}

Spread measure_spread(const Parameters<float>& head, const ItemSetsView& sets, SpreadTerms terms) {
  return *measure_spread(head, sets, terms, [](double) { return true; });
}

}  // namespace dispersion
