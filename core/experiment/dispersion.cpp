#include "core/experiment/dispersion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "core/attention/softmax.h"
#include "core/task/draws.h"

namespace dispersion {
namespace {

// An item among the largest of its set.
struct Ranked {
  float priority = 0;
  std::int32_t index = 0;
};

// The `count` largest priorities of a set in descending order, the first index first among equals,
// so that the item in front is the one whose class is the label. A scan in index order with
// insertion: nearly every item fails the first comparison.
void largest_priorities(std::span<const float> priority, std::span<Ranked> largest) {
  std::size_t filled = 0;
  for (std::size_t item = 0; item < priority.size(); ++item) {
    const float value = priority[item];
    if (filled == largest.size() && !(value > largest.back().priority)) continue;
    std::size_t place = filled < largest.size() ? filled++ : filled - 1;
    for (; place > 0 && value > largest[place - 1].priority; --place) {
      largest[place] = largest[place - 1];
    }
    largest[place] = {value, static_cast<std::int32_t>(item)};
  }
}

double spread(std::span<const float> logits) {
  const auto [low, high] = std::minmax_element(logits.begin(), logits.end());
  return static_cast<double>(*high) - static_cast<double>(*low);
}

// One row of a frame under a map.
struct RowUnderMap {
  double max = 0;
  double inverse_theta = 1;  // beta / theta
  double log_sum = 0;        // log sum exp((e - max) beta / theta); infinite beta: log of the ties
  double entropy = 0;
  double entropy_before = 0;

  float weight(float logit) const {
    // Infinity times 0 would be NaN.
    if (static_cast<double>(logit) == max) return static_cast<float>(std::exp(-log_sum));
    return static_cast<float>(
        std::exp((static_cast<double>(logit) - max) * inverse_theta - log_sum));
  }
};

// The maps need sums over all items but weights of the shown ones only, so a row is summarised
// (once more at the effective temperature if that differs) rather than turned into n weights.
RowUnderMap row_under_map(std::span<const float> logits, const AttentionMap& map) {
  const LogitSummary before = summarise_logits(logits, map.theta);
  const double beta = map_beta(map, before.entropy);
  if (map.kind == MapKind::kHard) {
    const auto max = static_cast<float>(before.max);
    const double log_ties =
        std::log(static_cast<double>(std::count(logits.begin(), logits.end(), max)));
    return {before.max, beta, log_ties, log_ties, before.entropy};
  }
  const LogitSummary after = beta == 1 ? before : summarise_logits(logits, map.theta / beta);
  return {.max = after.max,
          .inverse_theta = beta / map.theta,
          .log_sum = after.log_sum,
          .entropy = after.entropy,
          .entropy_before = before.entropy};
}

}  // namespace

ItemSets frame_sets(std::uint32_t seed, int items) {
  ItemSets sets;
  sets.resize(kFrameSets, items);
  draw_item_sets(seed, RandomPurpose::kEvaluation, static_cast<std::uint32_t>(items), 0, sets);
  return sets;
}

FrameLogits make_frame_logits(const ItemSets& sets, std::vector<float> logits) {
  const std::size_t items = static_cast<std::size_t>(sets.items);
  if (sets.sets != kFrameSets || logits.size() != kFrameSets * items) {
    throw std::invalid_argument("a frame needs 32 sets and one logit per item");
  }
  FrameLogits frame;
  frame.items = sets.items;
  frame.columns = std::min(kFrameItems, sets.items);
  frame.logits = std::move(logits);
  const std::size_t columns = static_cast<std::size_t>(frame.columns);
  frame.shown.resize(kFrameSets * columns);
  frame.shown_priority.resize(kFrameSets * columns);
  frame.shown_class.resize(kFrameSets * columns);
  std::array<Ranked, kFrameItems> largest;
  for (std::size_t set = 0; set < kFrameSets; ++set) {
    largest_priorities(std::span(sets.priority).subspan(set * items, items),
                       std::span(largest).first(columns));
    for (std::size_t rank = 0; rank < columns; ++rank) {
      const std::size_t cell = set * columns + (columns - 1 - rank);
      const std::size_t item = static_cast<std::size_t>(largest[rank].index);
      frame.shown[cell] = largest[rank].index;
      frame.shown_priority[cell] = largest[rank].priority;
      frame.shown_class[cell] = sets.item_class[set * items + item];
    }
  }
  return frame;
}

AttentionFrame apply_map(const FrameLogits& frame, const AttentionMap& map) {
  const std::size_t items = static_cast<std::size_t>(frame.items);
  const std::size_t columns = static_cast<std::size_t>(frame.columns);
  AttentionFrame result;
  result.items = frame.items;
  result.columns = frame.columns;
  result.map = map;
  result.weights.resize(kFrameSets * columns);
  for (std::size_t set = 0; set < kFrameSets; ++set) {
    const std::span<const float> logits = std::span(frame.logits).subspan(set * items, items);
    const RowUnderMap row = row_under_map(logits, map);
    for (std::size_t cell = set * columns; cell < (set + 1) * columns; ++cell) {
      result.weights[cell] = row.weight(logits[static_cast<std::size_t>(frame.shown[cell])]);
    }
    const double theta = 1 / row.inverse_theta;
    const double logit_spread = spread(logits);
    result.entropy.push_back(static_cast<float>(row.entropy));
    result.theta.push_back(static_cast<float>(theta));
    result.logit_spread.push_back(static_cast<float>(logit_spread));
    result.mean_weight_on_max +=
        static_cast<double>(result.weights[(set + 1) * columns - 1]) / kFrameSets;
    result.mean_entropy += row.entropy / kFrameSets;
    result.mean_entropy_before += row.entropy_before / kFrameSets;
    result.mean_theta += theta / kFrameSets;
    result.mean_logit_spread += logit_spread / kFrameSets;
  }
  return result;
}

}  // namespace dispersion
