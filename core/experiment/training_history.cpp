#include "core/experiment/training_history.h"

#include <algorithm>
#include <array>
#include <map>

#include "core/head/forward.h"
#include "core/head/optimiser.h"

namespace dispersion {
namespace {

constexpr std::array<std::int64_t, 10> kFirstSteps = {0, 1, 2, 5, 10, 20, 50, 100, 200, 500};
constexpr std::int64_t kLaterEvery = 1000;

}  // namespace

std::int64_t next_history_step(std::int64_t step) {
  for (const std::int64_t first : kFirstSteps) {
    if (first > step) return first;
  }
  return (step / kLaterEvery + 1) * kLaterEvery;
}

HistoryRow measure_history(const Recipe& recipe, const TrainingState& state) {
  const ItemSets sets = draw_spread_sets({});
  HistoryRow row{.seed = state.seed, .step = state.step};
  row.l2 = l2_loss(recipe, state.parameters);
  const Parameters<double> head = convert_parameters<double>(state.parameters);
  Activations<double> activations;
  forward(head, sets.view(), AttentionTransform{}, activations);
  row.spread = mean_spread(head, activations, {});
  const auto classes = static_cast<std::size_t>(head.shape.classes);
  int correct = 0;
  for (std::size_t set = 0; set < sets.label.size(); ++set) {
    const std::span<const double> logits(activations.class_logits.data() + set * classes, classes);
    row.cross_entropy += cross_entropy(logits, sets.label[set]) / sets.sets;
    correct += predicted_class(logits) == sets.label[set] ? 1 : 0;
  }
  row.accuracy = static_cast<double>(correct) / sets.sets;
  return row;
}

std::vector<HistoryMean> mean_over_seeds(const std::vector<History>& histories) {
  std::map<std::int64_t, std::vector<const HistoryRow*>> steps;
  for (const History& history : histories) {
    for (const HistoryRow& row : history)
      steps[row.step].push_back(&row);
  }
  std::vector<HistoryMean> means;
  for (const auto& [step, rows] : steps) {
    const Spread& first = rows.front()->spread;
    HistoryMean mean{.step = step,
                     .seeds = static_cast<int>(rows.size()),
                     .delta_low = first.delta,
                     .delta_high = first.delta,
                     .bound_low = first.bound,
                     .bound_high = first.bound};
    for (const HistoryRow* row : rows) {
      const Spread& spread = row->spread;
      mean.delta += spread.delta / mean.seeds;
      mean.bound += spread.bound / mean.seeds;
      mean.delta_low = std::min(mean.delta_low, spread.delta);
      mean.delta_high = std::max(mean.delta_high, spread.delta);
      mean.bound_low = std::min(mean.bound_low, spread.bound);
      mean.bound_high = std::max(mean.bound_high, spread.bound);
    }
    means.push_back(mean);
  }
  return means;
}

}  // namespace dispersion
