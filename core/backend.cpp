#include "core/backend.h"

#include <stdexcept>
#include <utility>

#include "core/task/draws.h"

namespace dispersion {

void draw_evaluation_sets(const DrawnSets& drawn, int first, int count, ItemSets& sets) {
  sets.resize(count, drawn.items);
  draw_item_sets(drawn.seed, RandomPurpose::kEvaluation, static_cast<std::uint32_t>(drawn.items),
                 drawn.first_set + static_cast<std::uint32_t>(first), sets);
}

SetEvaluation Backend::evaluate_drawn(const Parameters<float>& head, const DrawnSets& drawn,
                                      std::span<const AttentionMap> maps,
                                      const EvaluationSettings& settings,
                                      std::vector<std::int32_t>& labels) {
  if (settings.precision != Precision::kFloat) {
    throw std::invalid_argument("this backend does not evaluate in precision " +
                                std::string(precision_name(settings.precision)));
  }
  ItemSets sets;
  draw_evaluation_sets(drawn, 0, drawn.sets, sets);
  SetEvaluation evaluation = evaluate(head, sets.view(), maps);
  labels.assign(sets.label.begin(), sets.label.end());
  return evaluation;
}

}  // namespace dispersion
