#include "core/backend.h"

#include <stdexcept>
#include <utility>

#include "core/attention/transforms.h"
#include "core/task/draws.h"

namespace dispersion {

void require_items(int sets, int items) {
  if (sets < 0 || items < 1) {
    throw std::invalid_argument("there are no " + std::to_string(sets) + " sets of " +
                                std::to_string(items) + " items");
  }
}

void draw_evaluation_sets(const DrawnSets& drawn, int first, int count, ItemSets& sets) {
  sets.resize(count, drawn.items);
  draw_item_sets(drawn.seed, RandomPurpose::kEvaluation, static_cast<std::uint32_t>(drawn.items),
                 drawn.first_set + static_cast<std::uint32_t>(first), sets);
}

bool Backend::takes(const AttentionTransform& transform) const {
  validate(transform);
  return true;
}

std::string cpu_transforms_remark(const Backend& backend,
                                  std::span<const AttentionTransform> transforms) {
  std::string names;
  int count = 0;
  for (const AttentionTransform& transform : transforms) {
    if (backend.takes(transform)) continue;
    names.append(names.empty() ? "" : ", ").append(transform_name(transform.id));
    ++count;
  }
  if (count == 0) return "";
  return "The CPU computes " + names + ", which the device does not take.";
}

SetEvaluation evaluate_split(const Backend& backend, std::span<const AttentionTransform> transforms,
                             const EvaluateTransforms& on_device,
                             const EvaluateTransforms& on_cpu) {
  std::vector<AttentionTransform> taken;
  std::vector<AttentionTransform> left;
  for (const AttentionTransform& transform : transforms)
    (backend.takes(transform) ? taken : left).push_back(transform);
  if (left.empty()) return on_device(transforms);
  if (taken.empty()) return on_cpu(transforms);
  SetEvaluation result = on_device(taken);
  SetEvaluation rest = on_cpu(left);
  std::vector<TransformEvaluation> all;
  auto next_taken = result.transforms.begin();
  auto next_left = rest.transforms.begin();
  for (const AttentionTransform& transform : transforms)
    all.push_back(std::move(backend.takes(transform) ? *next_taken++ : *next_left++));
  result.transforms = std::move(all);
  return result;
}

SetEvaluation Backend::evaluate_drawn(const Parameters<float>& head, const DrawnSets& drawn,
                                      std::span<const AttentionTransform> transforms,
                                      const EvaluationSettings& settings,
                                      std::vector<std::int32_t>& labels) {
  if (settings.precision != Precision::kFloat) {
    throw std::invalid_argument("this backend does not evaluate in precision " +
                                std::string(precision_name(settings.precision)));
  }
  require_items(drawn.sets, drawn.items);
  ItemSets sets;
  draw_evaluation_sets(drawn, 0, drawn.sets, sets);
  SetEvaluation evaluation = evaluate(head, sets.view(), transforms);
  labels.assign(sets.label.begin(), sets.label.end());
  return evaluation;
}

}  // namespace dispersion
